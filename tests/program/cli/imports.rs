//! `gridpact workload import`: the log of a batch system as jobs and a scenario.

use crate::cli::support::{A, Folder};

const LOG: &str = "\
JobID|User|Account|Partition|Submit|Start|Elapsed|Timelimit|AllocCPUS|State
1|ada|physics|cpu|2026-03-01T12:00:00|2026-03-01T12:10:00|01:00:00|02:00:00|4|COMPLETED
1.batch||physics||2026-03-01T12:10:00|2026-03-01T12:10:00|01:00:00||4|COMPLETED
2|bob|\"bio,lab\"|cpu|2026-03-01T12:00:30|2026-03-01T12:00:30|00:01:00|UNLIMITED|2|FAILED
3|cy|NA|cpu|2026-03-01T12:01:00|2026-03-01T12:01:00|00:01:00|00:10:00|1|COMPLETED
4|cy|NA|cpu|2026-03-01T12:02:00|Unknown|00:00:00|00:10:00|0|PENDING
";

const LIST: &str = "\
id,organization,submit,runtime,estimate,processors,user,wait,account,partition,label
1,physics,0,3600,7200,4,ada,600,physics,cpu,1
2,_bio_lab_,30,60,60,2,bob,0,_bio_lab_,cpu,2
3,account NA,60,60,600,1,cy,0,NA,cpu,3
";

fn folder() -> Folder {
    let folder = Folder::new("");
    folder.write("log.txt", LOG);
    folder
}

#[test]
fn a_log_becomes_a_list_and_the_ledger_goes_to_standard_error() {
    let folder = folder();
    let said = folder.run("workload import --from sacct log.txt");
    assert_eq!((said.code, &*said.out), (0, LIST), "{}", said.error);
    for part in [
        "warning: `\\\"bio,lab\\\"` is called `_bio_lab_`\n",
        "warning: `NA` is called `account NA`\n",
        "log.txt: 5 lines read, 3 jobs kept\n  step: 1 dropped",
        "not_started: 1 dropped",
        "no_limit: 1 given the run time as estimate",
    ] {
        assert!(said.error.contains(part), "{part}: {}", said.error);
    }
    let quiet = folder.run("workload import --from sacct log.txt --by user -q");
    assert_eq!(quiet.error, "");
    assert!(quiet.out.contains("\n1,ada,0,"), "{}", quiet.out);
}

/// Alone, and what the scenario's own comment says for sharing.
#[test]
fn the_scenario_runs_as_it_is_and_shared() {
    let folder = folder();
    let files = "--output list.csv --scenario alone.toml";
    let said = folder.run(&format!("workload import --from sacct log.txt {files}"));
    assert_eq!((said.code, &*said.out), (0, ""), "{}", said.error);
    assert_eq!(folder.read("list.csv"), LIST);
    let text = folder.read("alone.toml");
    assert!(text.contains("processors = 4, "), "{text}");
    let said = folder.run("run alone.toml --no-files --format csv");
    assert_eq!(said.code, 0, "{}", said.error);
    let command: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#   ")).collect();
    let shared = text.lines().find_map(|line| line.strip_prefix("#     --set ")).unwrap();
    assert_eq!(
        command,
        ["gridpact run alone.toml --out results/shared \\", &format!("  --set {shared}")]
    );
    let uses = shared.trim_matches('\'');
    let said = folder.run_words(&["run", "alone.toml", "--no-files", "--set", uses]);
    assert_eq!(said.code, 0, "{}", said.error);
    let said = folder.run(&format!("workload import --from sacct log.txt {files}"));
    assert_eq!(said.code, 2);
    assert!(said.error.contains("list.csv is here already"), "{}", said.error);
    let said = folder.run(&format!("workload import --from sacct log.txt {files} --force"));
    assert_eq!(said.code, 0);
}

/// From the JobID of an array's element by way of the list to the explanation of its wait.
#[test]
fn a_job_is_found_by_its_name_in_the_log() {
    let folder = Folder::new("");
    folder.write("log.txt", &LOG.replace("\n3|cy", "\n11003_0|cy"));
    let said = folder.run("workload import --from sacct log.txt --output l.csv --scenario a.toml");
    assert_eq!(said.code, 0, "{}", said.error);
    assert_eq!(folder.run("run a.toml --out r -q").code, 0);
    for asked in ["3", "11003_0", "11003_0.batch", "label=11003_0"] {
        let said = folder.run(&format!("explain r --job {asked}"));
        let said = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.starts_with("Job 3 of `account NA`, from `grid`, came at 60"), "{said}");
        // It started at once, on the processor that was free when it came.
        assert!(said.contains("nothing else was running, 1 processor was free"), "{said}");
    }
    let said = folder.run("explain r --job 11003");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("there is no job 11003"), "{}", said.error);
    let said = folder.run("explain r --job 11003_1");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("no job has the label `11003_1`\n"), "{}", said.error);
}

/// Runs of a job that was requeued share its label, and a number may be another job's label.
#[test]
fn a_label_of_several_jobs_is_refused_with_their_numbers() {
    let folder = Folder::new(
        "name = \"s\"\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
         workload.jobs.file = \"list.csv\"\n",
    );
    let list = "id,submit,runtime,processors,label\n1,0,2,1,77\n2,1,2,1,77\n3,2,2,1,1\n4,3,2,1,9\n";
    folder.write("list.csv", list);
    assert_eq!(folder.run("run s.toml --out r -q").code, 0);
    let said = folder.run("explain r --job 77");
    let expected = "error: 2 jobs have the label `77`\nhelp: ask for one by its number: 1, 2\n";
    assert_eq!((said.code, &*said.error), (2, expected));
    let said = folder.run("explain r --job 9");
    assert!(said.out.starts_with("Job 4 of `a`"), "{}{}", said.out, said.error);
    let said = folder.run("explain r --job 1");
    assert!(said.out.starts_with("Job 1 of `a`"), "{}", said.out);
    assert!(said.error.contains("1 is the label of job 3 too"), "{}", said.error);
    let said = folder.run("explain r --job label=1");
    assert!(said.out.starts_with("Job 3 of `a`"), "{}{}", said.out, said.error);
}

/// Before, jobs of a trace had no partition, and its axis told days since its start.
#[test]
fn partitions_and_dates_of_a_trace_are_told() {
    let folder = Folder::new(
        "name = \"s\"\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = { processors = 8, scheduler.fcfs = {} }\n\
         workload.swf.file = \"t.swf\"\n",
    );
    let line = |number: u64, partition: i32| {
        let submit = 43_200 * number;
        format!("{number} {submit} 0 9000 1 -1 -1 1 9999 -1 1 1 1 -1 1 {partition} -1 -1\n")
    };
    let lines: String = (1..=8).map(|number| line(number, [3, -1][number as usize % 2])).collect();
    folder.write("t.swf", &format!("; MaxProcs: 8\n; UnixStartTime: 1772323200\n{lines}"));
    assert_eq!(folder.run("run s.toml --out r -q").code, 0);
    let jobs = folder.read("r/jobs.csv");
    assert_eq!(jobs.matches(",partition=3,").count(), 4, "{jobs}");
    assert_eq!(jobs.matches("partition=").count(), 4, "{jobs}");
    let picture = folder.read("r/timeline.svg");
    for shown in ["date (UTC)", "2026-03-02", "2026-03-04"] {
        assert!(picture.contains(shown), "{shown}: {picture}");
    }
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}{}", said.out, said.error);
    let said = folder.run("workload export s.toml --to csv");
    assert!(said.out.contains(",,3,\n"), "{}", said.out);
    let said = folder.run("workload export s.toml --to swf");
    assert!(said.out.contains(" -1 -1 3 -1 -1\n"), "{}", said.out);
}

#[test]
fn several_logs_and_standard_input_are_read() {
    let folder = folder();
    let (head, rest) = LOG.split_once("2|bob").unwrap();
    let header = head.lines().next().unwrap();
    folder.write("one.txt", head);
    folder.write("two.txt", &format!("{header}\n2|bob{rest}"));
    let said = folder.run("workload import --from sacct one.txt two.txt");
    assert_eq!((said.code, &*said.out), (0, LIST), "{}", said.error);
    assert!(said.error.contains("one.txt, two.txt: 5 lines read, 3 jobs kept"), "{}", said.error);
    let said = folder.run_with("workload import --from sacct -", LOG);
    assert_eq!((said.code, &*said.out), (0, LIST), "{}", said.error);
}

#[test]
fn a_job_long_before_the_others_is_warned_of() {
    let folder = folder();
    let header = LOG.lines().next().unwrap();
    let line = |day: usize, number: usize| {
        format!(
            "{number}|a|x|p|2026-03-{day:02}T12:00:00|2026-03-28T12:00:00|1:00:00|2:00:00|1|FAILED\n"
        )
    };
    let log = (20..30).map(|day| line(day, day)).collect::<String>() + &line(1, 1);
    folder.write("log.txt", &format!("{header}\n{log}"));
    let said = folder.run("workload import --from sacct log.txt");
    assert_eq!(said.code, 0);
    let remedy = "--since 2026-03-20T12:00:00";
    assert!(said.error.contains("warning: 1 job was submitted up to 19"), "{}", said.error);
    assert!(said.error.contains(remedy), "{}", said.error);
    let said = folder.run(&format!("workload import --from sacct log.txt {remedy}"));
    assert!(!said.error.contains("warning"), "{}", said.error);
    assert!(said.error.contains("since: 1 dropped: submitted too early"), "{}", said.error);
    assert_eq!(said.out.lines().count(), 11, "{}", said.out);
    let said = folder.run("workload import --from sacct log.txt --since yesterday");
    assert!(said.error.contains("expected a time such as 2026-03-02T12:00:00"), "{}", said.error);
    assert_eq!(said.code, 2);
}

#[test]
fn a_scenario_by_cluster_says_what_owns_what() {
    let folder = folder();
    let rows = LOG.lines().zip(["Cluster", "north", "north", "south", "south", "south"]);
    folder.write("log.txt", &rows.map(|(row, name)| format!("{row}|{name}\n")).collect::<String>());
    let words =
        "workload import --from sacct log.txt --by cluster -q -o list.csv --scenario s2.toml";
    assert_eq!(folder.run(words).code, 0);
    let text = folder.read("s2.toml");
    let head = "# The jobs of a log, an organization for each of its clusters.\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("# 1 job, which waited 600.0 s on average"), "{text}");
}

/// The waits of the log stand beside those of the run, of the same jobs.
#[test]
fn the_waits_of_the_log_are_told_by_a_run() {
    let folder = folder();
    let files = "-q --output list.csv --scenario alone.toml";
    assert_eq!(folder.run(&format!("workload import --from sacct log.txt {files}")).code, 0);
    let said = folder.run_whole("run alone.toml --out with");
    assert_eq!(said.code, 0, "{}", said.error);
    for part in [
        " recorded ",
        "recorded: on the real machine",
        "recorded waits are those of the real machine",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let table = folder.read("with/organizations.csv");
    assert!(
        table.lines().next().is_some_and(|head| head.ends_with("recorded_wait_simulated_mean"))
    );
    assert!(table.contains(",1,0,600,"), "{table}");
    let json = folder.read("with/summary.json");
    assert!(json.contains("the column `wait` of the list of jobs"), "{json}");
    // Without the column and those behind it nothing tells of it; another wait is another workload.
    let digest = |json: &str| {
        json.lines().find(|line| line.contains("\"digest\"")).map(str::to_owned).unwrap()
    };
    let list = folder.read("list.csv");
    let rows = list.lines().map(|line| line.rsplitn(5, ',').last().unwrap().to_owned() + "\n");
    folder.write("list.csv", &rows.collect::<String>());
    let said = folder.run("run alone.toml --out without");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(!said.out.contains("recorded"), "{}", said.out);
    let bare = folder.read("without/summary.json");
    assert!(!bare.contains("recorded_wait"), "{bare}");
    let digests =
        ["with", "without"].map(|name| digest(&folder.read(&format!("{name}/manifest.json"))));
    assert_ne!(digests[0], digests[1]);
}

/// A Slurm operator writes the users as the log does: in the file of owners, in the list, in a
/// scenario that reads it.
#[test]
fn users_keep_their_names() {
    let folder = folder();
    folder.write("log.txt", &LOG.replace("|cy|", "|u13|").replace("|bob|", "|1.5|"));
    folder.write("owners.csv", "user,organization\nu13,ours\nada,ours\n*,others\n");
    let import = "workload import --from sacct log.txt -q --owners owners.csv";
    let said = folder.run(&format!("{import} -o list.csv --scenario s2.toml"));
    assert_eq!((said.code, &*said.error), (0, ""));
    let list = folder.read("list.csv");
    let expected = "\n1,ours,0,3600,7200,4,ada,600,physics,cpu,1\n\
                    2,others,30,60,60,2,user 1.5,0,_bio_lab_,cpu,2\n\
                    3,ours,60,60,600,1,u13,0,NA,cpu,3\n";
    assert!(list.ends_with(expected), "{list}");
    assert!(folder.read("s2.toml").contains("each owner with a cluster"));
    let said = folder.run("run s2.toml --no-files -q");
    assert_eq!(said.code, 0, "{}", said.error);
    // What schedulers predict follows the user, whether named or numbered.
    let numbered =
        list.replace(",ada,", ",1,").replace(",user 1.5,", ",2,").replace(",u13,", ",3,");
    folder.write("numbered.csv", &numbered);
    let runs = ["list.csv", "numbered.csv"].map(|file| {
        let words = format!(
            "run s2.toml --out {file}.d -q --set workload.jobs.file={file} \
             --set run.clairvoyance=predicted"
        );
        let said = folder.run(&words);
        assert_eq!(said.code, 0, "{}", said.error);
        folder.read(&format!("{file}.d/jobs.csv"))
    });
    assert_eq!(runs[0], runs[1]);
    folder.write("owners.csv", "user,organization\nu13,ours\nU13,ours\nu99,ours\n*,others\n");
    let said = folder.run(&import.replace(" -q", ""));
    let told = "warning: 2 users of owners.csv have no job: U13, u99\n";
    assert!(said.error.contains(told), "{}", said.error);
    folder.write("owners.csv", "user,organization\nu13,ours\n");
    let said = folder.run(import);
    assert_eq!((said.code, &*said.out), (2, ""));
    let told = "line 2: `ada` is not listed among the owners; add a row for it, or a row `*,NAME`";
    assert!(said.error.contains(told), "{}", said.error);
    assert_eq!(folder.run(&import.replace("owners.csv", "none.csv")).code, 4);
    assert_eq!(folder.run(&format!("{import} --by user")).code, 2);
}

/// Two jobs of the Grid Workloads Archive, the second without a wait.
const GWF: &str = "# JobID\tSubmitTime\tWaitTime\tRunTime\tNProcs\n\
    0\t1109236083\t5\t38.4\t2\t1.5\t-1\t2\t900\t-1\t1\tU1\tG1\tA\tQ\tP\tS1\tS1\tUNITARY\t-1\n\n\
    1\t1109236093\t-1\t10\t-1\t-1\t-1\t4\t-1\t-1\t0\tU2\tG2\tA\tQ\tP\tS1\tS2\tUNITARY\t-1\n\
    2\t1109236094\t-1\t-1\t-1\t-1\t-1\t4\t-1\t-1\t5\tU2\t-1\tA\tQ\tP\tS1\tS2\tUNITARY\t-1\n";

#[test]
fn traces_of_the_grid_workloads_archive_are_imported() {
    let folder = Folder::new("");
    folder.write("das.gwf", GWF);
    let said = folder.run("workload import --from gwf das.gwf --output j.csv --scenario m.toml");
    assert_eq!(said.code, 0, "{}", said.error);
    assert_eq!(
        folder.read("j.csv"),
        "id,organization,submit,runtime,estimate,processors,user,wait,account,partition,label\n\
         1,G1,0,38,900,2,U1,5,G1,Q,0\n2,G2,10,10,10,4,U2,0,G2,Q,1\n"
    );
    assert!(said.error.contains("its wait is not known"), "{}", said.error);
    assert_eq!(folder.run("run m.toml -q").code, 0);
    // Some have commas between fields, and a line of names.
    let commas = GWF.replace("# JobID", "JobID").replace('\t', ",").replace("U1", "\"U1\"");
    folder.write("commas.gwf", &commas);
    let said = folder.run("workload import --from gwf commas.gwf");
    assert_eq!((said.code, said.out), (0, folder.read("j.csv")), "{}", said.error);
    folder.write("short.gwf", "1 2 3\n");
    let said = folder.run("workload import --from gwf short.gwf");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("there are 3 fields"), "{}", said.error);
    // Lines that are joined are not read as their first.
    folder.write("joined.gwf", &GWF.replace("UNITARY\t-1\n", "UNITARY\t-1\t"));
    let said = folder.run("workload import --from gwf joined.gwf");
    assert_eq!(said.code, 2, "{}", said.error);
    assert!(said.error.contains("has 18 to 29"), "{}", said.error);
}

/// Each file of another program is called by its name, with what to do, wherever it is given.
#[test]
fn files_of_other_programs_are_called_by_name() {
    let folder = Folder::new("");
    for (file, text, name, help) in [
        ("a.gwf", GWF, "a trace of the Grid Workloads Archive", "import --from gwf"),
        (
            "b.gwf",
            &GWF.replace("# JobID", "JobID").replace('\t', ","),
            "a trace of the Grid Workloads Archive",
            "import --from gwf",
        ),
        (
            "b.json",
            "{\"nb_res\": 4, \"jobs\": []}\n",
            "a workload of Batsim",
            "import --from batsim",
        ),
        (
            "w.json",
            "{\"name\": \"x\", \"schemaVersion\": \"1.3\", \"workflow\": {}}\n",
            "a workflow of WfCommons",
            "workflow = {",
        ),
    ] {
        folder.write(file, text);
        let named = |kind: &str| format!("{A}workload.{kind}.file = \"{file}\"\n");
        folder.write("swf.toml", &named("swf"));
        folder.write("jobs.toml", &named("jobs"));
        for words in [
            &format!("check {file}"),
            &format!("game {file}"),
            &format!("workload show {file}"),
            &format!("workload import --from sacct {file}"),
            &format!("new trace {file}"),
            "check swf.toml",
            "check jobs.toml",
        ] {
            let said = folder.run(words);
            assert_eq!(said.code, 2, "{file}: {words}: {}", said.error);
            assert!(said.error.contains(name), "{file}: {words}: {}", said.error);
            assert!(said.error.contains(help), "{file}: {words}: {}", said.error);
        }
    }
}

#[test]
fn wrong_logs_and_options_are_refused_and_nothing_is_written() {
    let folder = folder();
    folder.write("cut.txt", &LOG.replace("|FAILED", ""));
    for (words, code, expected) in [
        ("cut.txt -o out.csv", 2, "cut.txt: line 4: there are 9 values under 10 columns"),
        ("none.txt -o out.csv", 4, "none.txt: cannot be opened"),
        (". -o out.csv", 4, ".: cannot be opened: Is a directory"),
        ("log.txt -o out.csv --processors gpus", 2, "there is no column `AllocTRES`"),
        ("log.txt -o out.csv --delimiter ab", 2, "`--delimiter ab`: expected one ASCII sign"),
        ("log.txt -o . --force", 2, ".: this is a folder"),
        ("log.txt --scenario s2.toml", 2, "--output <FILE>"),
    ] {
        let said = folder.run(&format!("workload import --from sacct {words}"));
        assert_eq!(said.code, code, "{words}: {}", said.error);
        assert!(said.error.contains(expected), "{words}: {}", said.error);
        assert!(!folder.path("out.csv").exists(), "{words}");
    }
    let said = folder.run("workload import --from sacct cut.txt --malformed drop -q");
    assert_eq!((said.code, said.out.lines().count()), (0, 3));
    let said = folder.run("workload import --from pbs log.txt");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("possible values: sacct"), "{}", said.error);
}

/// Before, the list had labels that nothing read.
#[test]
fn account_partition_and_label_travel_with_the_job() {
    let folder = folder();
    let files = "-q --output list.csv --scenario alone.toml";
    assert_eq!(folder.run(&format!("workload import --from sacct log.txt {files}")).code, 0);
    assert!(folder.read("alone.toml").contains("start = \"2026-03-01T12:00:00\"\n"));
    assert_eq!(folder.run("run alone.toml --out r -q").code, 0);
    let jobs = folder.read("r/jobs.csv");
    assert!(jobs.contains(",account=physics;partition=cpu;label=1,"), "{jobs}");
    assert!(folder.read("r/timeline.svg").contains("03-01 12:30"));
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}{}", said.out, said.error);
    let said = folder.run("workload export alone.toml --to csv");
    let row = "1,physics,0,3600,7200,4,1,physics,cpu,1\n";
    assert!(said.out.contains(row), "{}", said.out);
    let said = folder.run("workload export alone.toml --to swf");
    assert!(said.out.contains("; Partition: 1 cpu\n"), "{}", said.out);
    assert!(
        said.out.contains("\n1 0 -1 3600 4 -1 -1 4 7200 -1 -1 1 1 -1 -1 1 -1 -1\n"),
        "{}",
        said.out
    );
}

/// The rules for traces hold for lists.
#[test]
fn a_part_of_a_list_is_taken_with_a_ledger() {
    let folder = folder();
    let files = "-q --output list.csv --scenario alone.toml";
    assert_eq!(folder.run(&format!("workload import --from sacct log.txt {files}")).code, 0);
    let text = folder.read("alone.toml") + "import = { from = 30.0, shift_to_zero = true }\n";
    folder.write("part.toml", &text);
    let said = folder.run("check part.toml");
    assert!(said.out.contains("list.csv: 2 of 3 jobs used"), "{}{}", said.out, said.error);
    assert!(said.out.contains("from/until: 1 job not selected"), "{}", said.out);
    assert_eq!(folder.run("run part.toml --out r -q").code, 0);
    // It begins at 12:00:30.
    let picture = folder.read("r/timeline.svg");
    let shown = ["03-01 12:01", "03-01 12:00\n"].map(|mark| picture.contains(mark));
    assert_eq!(shown, [true, false], "{picture}");
    assert!(folder.read("r/summary.json").contains("from/until"));
    assert_eq!(folder.run("audit r").code, 0);
    for (wrong, expected) in [
        ("import = { from = 99.0 }", "no job of this file is left"),
        ("import = { from = 3.0, until = 2.0 }", "the window is empty"),
    ] {
        folder.write("wrong.toml", &(folder.read("alone.toml") + wrong));
        let said = folder.run("check wrong.toml");
        assert!(said.code == 2 && said.error.contains(expected), "{}", said.error);
    }
    folder.write("wrong.toml", &text.replace("2026-03-01T", "1 March "));
    assert!(folder.run("check wrong.toml").error.contains("is no date with a time"));
}

#[test]
fn partitions_of_a_cluster_become_clusters_of_their_owner() {
    let folder = folder();
    let log: String = LOG
        .lines()
        .zip(["Cluster", "north", "north", "north", "south", "south"])
        .map(|(row, name)| format!("{row}|{name}\n"))
        .collect();
    folder
        .write("log.txt", &log.replacen("|cpu|2026-03-01T12:00:30", "|gpu|2026-03-01T12:00:30", 1));
    let words =
        "workload import --from sacct log.txt --by cluster -q -o list.csv --scenario c.toml";
    let said = folder.run(words);
    assert_eq!(said.code, 0, "{}", said.error);
    let list = folder.read("list.csv");
    assert!(list.starts_with("id,organization,submit,runtime,estimate,processors,user,wait,uses,"));
    assert!(list.contains("\n2,north,30,60,60,2,bob,0,north/gpu,"), "{list}");
    let text = folder.read("c.toml");
    let cluster = "[[cluster]]\nname = \"north/gpu\"\nowner = \"north\"\n\
                   kind.space_shared = { processors = 2, scheduler.easy = {} }\n";
    assert!(text.contains(cluster), "{text}");
    let said = folder.run("run c.toml --out r -q");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(folder.read("r/jobs.csv").contains(",north/gpu,"));
}

#[test]
fn logs_of_centers_and_logs_without_a_header_are_read() {
    let folder = folder();
    let (header, rest) = LOG.split_once('\n').unwrap();
    folder.write("south.txt", &LOG.replace("|ada|", "|eve|"));
    let said = folder.run("workload import --from sacct log.txt south.txt");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("`--center NAME=south.txt`"), "{}", said.error);
    let centers = "--center north=log.txt --center south=south.txt";
    let said = folder.run(&format!("workload import --from sacct {centers}"));
    assert_eq!((said.code, said.out.lines().count()), (0, 7), "{}", said.error);
    assert!(said.out.contains(",south/physics,0,3600,7200,4,south/eve,"), "{}", said.out);
    assert!(!said.error.contains("requeued"), "{}", said.error);
    let said = folder.run("workload import --from sacct --center north");
    assert!(said.error.contains("such as `north=north.txt`"), "{}", said.error);
    folder.write("bare.txt", rest);
    let columns = header.replace('|', ",");
    let said = folder.run(&format!("workload import --from sacct bare.txt --columns {columns}"));
    assert_eq!((said.code, &*said.out), (0, LIST), "{}", said.error);
}

#[test]
fn a_workload_of_batsim_becomes_a_list_and_a_scenario_that_runs() {
    let folder = Folder::new("");
    let text = r#"{"nb_res": 2, "jobs": [
        {"id": "x", "subtime": 0.5, "res": 2, "profile": "p", "walltime": 9},
        {"id": "y", "subtime": 1, "res": 3, "profile": "p"}],
        "profiles": {"p": {"type": "delay", "delay": 4}}}"#;
    folder.write("b.json", text);
    let said = folder.run("workload import --from batsim b.json -o b.csv --scenario b.toml");
    let told = "b.json: 2 jobs read, 1 job kept\n  res: 1 dropped: asks for more than `nb_res` \
                (first is job 2; 12 processor-seconds, 60.0% of the work)\nscenario: b.toml\n";
    assert_eq!((said.code, &*said.error), (0, told));
    assert!(folder.read("b.csv").ends_with("\n1,b,0.5,4,9,2,0,,p,x\n"), "{}", folder.read("b.csv"));
    assert_eq!(folder.run("run b.toml --no-files -q").code, 0);
    for (words, wrong) in [
        ("b.json --by user", "`--by` belongs to logs of batch systems"),
        ("b.json b.json", "one workload of Batsim is imported at a time"),
        ("b.csv", "expected value at line 1 column 1"),
    ] {
        let said = folder.run(&format!("workload import --from batsim {words}"));
        assert!(said.code == 2 && said.error.contains(wrong), "{}", said.error);
    }
}
