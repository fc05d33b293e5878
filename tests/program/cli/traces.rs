//! Traces give more than jobs: the machine, partitions, recorded waits.

use serde_json::Value;

use crate::cli::support::{A, Folder, NINE, check};

/// Five jobs of two partitions: (number, submit, wait, run time, processors, partition).
const FIVE: [(u32, u32, i32, u32, u32, i32); 5] = [
    (1, 0, 5, 10, 4, 1),
    (2, 1, -1, 10, 4, 1),
    (3, 2, 0, 7, 1, 2),
    (4, 12, 30, 5, 2, 2),
    (5, 13, 7, 3, 1, 1),
];

fn trace(header: &str) -> String {
    let lines = FIVE.iter().map(|(number, submit, wait, run, processors, partition)| {
        format!(
            "{number} {submit} {wait} {run} {processors} -1 -1 {processors} 20 -1 1 1 1 -1 1 \
             {partition} -1 -1\n"
        )
    });
    header.to_owned() + &lines.collect::<String>()
}

/// One organization with a trace; `more` is written below it.
fn center(processors: &str, swf: &str, more: &str) -> String {
    format!(
        "name = \"test\"\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = {{ processors = {processors}, scheduler.fcfs = {{}} }}\n\
         workload.swf = {{ {swf} }}\n{more}"
    )
}

fn folder(scenario: &str) -> Folder {
    let folder = Folder::new(scenario);
    folder.write("five.swf", &trace("; MaxProcs: 6\n"));
    folder.write("none.swf", &trace("; MaxNodes: 3\n"));
    folder
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

#[test]
fn a_cluster_takes_its_processors_from_the_trace() {
    let folder = folder(&center("\"trace\"", "file = \"five.swf\"", ""));
    let said = folder.run("check s.toml");
    assert!(
        said.out.contains("\n  a of a: 6 processors under fcfs\n"),
        "{}{}",
        said.out,
        said.error
    );
    assert_eq!(said.error, "");
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert_eq!(json(&folder, "r/manifest.json")["clusters"][0]["processors"], 6);
    // The same run as with the number, but another scenario: its machine comes from the header.
    folder.write("n.toml", &center("6", "file = \"five.swf\"", ""));
    assert_eq!(folder.run("run n.toml -q --out n").code, 0);
    assert_eq!(folder.read("n/jobs.csv"), folder.read("r/jobs.csv"));
    let digest = |name: &str| json(&folder, name)["scenario_digest"].clone();
    folder.write("five.swf", &trace("; MaxProcs: 8\n"));
    assert_eq!(folder.run("run s.toml -q --out w").code, 0);
    assert_eq!(folder.run("run n.toml -q --out m").code, 0);
    assert_ne!(digest("w/manifest.json"), digest("r/manifest.json"));
    assert_eq!(digest("m/manifest.json"), digest("n/manifest.json"));
    // On the command line, and for the load of a time-shared cluster.
    let said = folder.run("check n.toml --set processors=trace");
    assert!(said.out.contains("a of a: 8 processors"), "{}{}", said.out, said.error);
}

#[test]
fn the_owner_of_a_machine_may_bring_no_trace() {
    let users = |more: &str| {
        format!(
            "name = \"test\"\n[[organization]]\nname = \"m\"\n\
             cluster.space_shared = {{ processors = \"trace\", scheduler.fcfs = {{}} }}\n{more}"
        )
    };
    let shared = "[workload.swf]\nfile = \"five.swf\"\nowners.per_user = {}\n";
    let said = folder(&users(shared)).run("check s.toml");
    assert!(said.out.contains("m of m: 6 processors"), "{}{}", said.out, said.error);
    let two = "[[organization]]\nname = \"a\"\nuses = [\"m\"]\nworkload.swf.file = \"five.swf\"\n\
               [[organization]]\nname = \"b\"\nuses = [\"m\"]\nworkload.swf.file = \"none.swf\"\n";
    let said = folder(&users(two)).run("check s.toml");
    assert_eq!(
        (said.code, &*said.error),
        (
            2,
            "error: the jobs of 2 traces may use cluster `m`: five.swf (MaxProcs 6), none.swf \
             (without MaxProcs)\n --> s.toml:4:39\n  |\n\
             4 | cluster.space_shared = { processors = \"trace\", scheduler.fcfs = {} }\n  \
             |                                       ^^^^^^^\n  |\n  \
             = help: write the number of processors\ns.toml: 1 error; nothing was run\n"
        )
    );
    // The trace of the owner goes before others.
    let own = two.replacen("[[organization]]\nname = \"a\"\nuses = [\"m\"]\n", "", 1);
    let said = folder(&users(&own)).run("check s.toml");
    assert!(said.out.contains("m of m: 6 processors"), "{}{}", said.out, said.error);
    let listed = "[[job]]\norganization = \"m\"\nsubmit = 0\nruntime = 1\n";
    check(&users(listed), 2, "`m` brings no trace, and no job of a trace may use its cluster `m`");
}

#[test]
fn a_trace_without_its_processors_is_told_with_its_widest_job() {
    let folder = folder(&center("\"trace\"", "file = \"none.swf\"", ""));
    let said = folder.run("check s.toml");
    assert_eq!(
        (said.code, &*said.error),
        (
            2,
            "error: none.swf does not say how many processors its machine had (`; MaxProcs: ...` \
             in its header)\n --> s.toml:4:39\n  |\n\
             4 | cluster.space_shared = { processors = \"trace\", scheduler.fcfs = {} }\n  \
             |                                       ^^^^^^^\n  |\n  \
             = help: its header says MaxNodes: 3, and its widest job needs 4: write \
             `processors = 4`, or more if the machine was larger\n\
             s.toml: 1 error; nothing was run\n"
        )
    );
    for (wrong, told) in [
        ("\"traces\"", "expected a whole number or \"trace\", found another string"),
        ("\"6\"", "write it without quotes: `6`"),
        ("6.0", "write `6`"),
        ("-1", "`processors`: -1 is too small; give a whole number, 1 or more"),
        ("4294967296", "must be at most 4294967295, but is 4294967296"),
        ("0", "`processors`: 0 is too small; give a whole number, 1 or more"),
        ("true", "expected a whole number or \"trace\""),
    ] {
        folder.write("s.toml", &center(wrong, "file = \"five.swf\"", ""));
        let said = folder.run("check s.toml");
        assert!(said.code == 2 && said.error.contains(told), "{wrong}: {}", said.error);
        assert!(said.error.contains("s.toml: 1 error"), "{wrong}: {}", said.error);
    }
}

#[test]
fn recorded_waits_stand_beside_those_of_the_same_jobs() {
    let folder = folder(&center("\"trace\"", "file = \"five.swf\"", ""));
    let said = folder.run_whole("run s.toml --out r");
    assert!(said.out.contains("recorded"), "{}", said.out);
    assert!(said.out.contains("scheduler and policies; 1 of 5 jobs has none\n"), "{}", said.out);
    let summary = json(&folder, "r/summary.json");
    // Under first come first served on 6 processors jobs 1 to 5 wait 0, 9, 8, 5 and 7.
    for line in [&summary["organizations"][0], &summary["organizations"][1]] {
        assert_eq!(line["wait_mean"], 29.0 / 5.0);
        assert_eq!(line["recorded_wait_jobs"], 4);
        assert_eq!(line["recorded_wait_missing"], 1);
        assert_eq!(line["recorded_wait_mean"], 42.0 / 4.0);
        assert_eq!(line["recorded_wait_simulated_mean"], 20.0 / 4.0);
    }
    let csv = folder.read("r/organizations.csv");
    let mut lines =
        csv.lines().map(|line| line.split(',').rev().skip(1).take(4).collect::<Vec<_>>());
    let heads = ["p95", "mean", "missing", "jobs"].map(|name| format!("recorded_wait_{name}"));
    assert_eq!(lines.next().unwrap(), heads);
    assert_eq!(lines.next().unwrap()[1..], ["10.5", "1", "4"]);
    // Only the jobs that count: those submitted from 2 on and before 12.5.
    let words = "run s.toml --set warm_up.fixed=2 --set cool_down=0.5 --out w";
    assert_eq!(folder.run(words).code, 0);
    let of = |name: &str| json(&folder, name)["organizations"][0].clone();
    let recorded = of("w/summary.json");
    assert_eq!(recorded["recorded_wait_jobs"], 2);
    assert_eq!(recorded["recorded_wait_missing"], 0);
    assert_eq!(recorded["recorded_wait_mean"], 15.0);
    // Only the jobs that are selected, and that have ended.
    folder.write("s.toml", &center("6", "file = \"five.swf\", import.first = 2", ""));
    assert_eq!(folder.run("run s.toml --set until.time=12 --out f").code, 0);
    let recorded = of("f/summary.json");
    assert_eq!(recorded["recorded_wait_jobs"], 1);
    assert_eq!(recorded["recorded_wait_mean"], 5.0);
}

#[test]
fn recorded_waits_of_a_scaled_trace_are_left_out() {
    let swf = "file = \"five.swf\", import.load.factor = 2";
    let folder = folder(&center("6", swf, ""));
    let said = folder.run("run s.toml --out r");
    let told = "recorded waits: those of five.swf are left out, since its load is scaled by 2\n";
    assert!(said.out.contains(told), "{}", said.out);
    assert!(!folder.read("r/summary.json").contains("recorded_wait"));
    assert!(!folder.read("r/organizations.csv").contains("recorded"));
    folder.write("s.toml", &center("6", &swf.replace("= 2", "= 1"), ""));
    assert_eq!(folder.run("run s.toml -q --out one").code, 0);
    assert_eq!(json(&folder, "one/summary.json")["organizations"][0]["recorded_wait_jobs"], 4);
    // A trace without any recorded wait has nothing to show.
    let silent = trace("").replace(" 5 10 4", " -1 10 4").replace(" 0 7 1", " -1 7 1");
    let silent = silent.replace(" 30 5 2", " -1 5 2").replace(" 7 3 1", " -1 3 1");
    folder.write("five.swf", &silent);
    let said = folder.run("run s.toml --out none");
    assert!(said.code == 0 && !said.out.contains("recorded"), "{}", said.out);
}

const BATCH: &str = "[[cluster]]\nname = \"batch\"\nowner = \"a\"\n\
    kind.space_shared = { processors = 5, scheduler.easy = {} }\n";

#[test]
fn jobs_of_a_partition_run_on_its_cluster() {
    let swf = "file = \"five.swf\", partitions = { 1 = \"a\", 2 = \"batch\" }";
    let folder = folder(&center("4", swf, BATCH));
    let said = folder.run("check s.toml");
    assert!(said.out.contains("\n  partition 1: 3 jobs on a\n  partition 2: 2 jobs on batch\n"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let import = json(&folder, "r/summary.json")["imports"][0].clone();
    assert_eq!(import["partitions"][1]["cluster"], "batch");
    assert_eq!(import["partitions"][1]["jobs"], 2);
    // Each cluster by itself, with its partition alone: the same lines, but for the submission's
    // rank, the workload's and the organization's names are the same here.
    let mut alone = Vec::new();
    for (partition, processors, scheduler, name) in [(1, 4, "fcfs", "a"), (2, 5, "easy", "batch")] {
        let import = format!("partitions = [{partition}], shift_to_zero = false");
        let one = center(
            &processors.to_string(),
            &format!("file = \"five.swf\", import = {{ {import} }}"),
            "",
        );
        folder.write("one.toml", &one.replace("fcfs", scheduler));
        assert_eq!(folder.run(&format!("run one.toml -q --out {name}")).code, 0);
        alone.extend(
            starts(&folder, name).into_iter().map(|(job, _, start)| (job, name.to_owned(), start)),
        );
    }
    alone.sort();
    assert_eq!(starts(&folder, "r"), alone);
    let said = folder.run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
}

/// Job, cluster and start of each line of `jobs.csv`, by job.
fn starts(folder: &Folder, name: &str) -> Vec<(String, String, String)> {
    let text = folder.read(&format!("{name}/jobs.csv"));
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let at = |head: &str| heads.iter().position(|one| *one == head).unwrap();
    let [job, cluster, start] = ["job_id", "cluster", "starting_time"].map(at);
    let mut all: Vec<_> = lines
        .map(|cells| [job, cluster, start].map(|at| cells[at].to_owned()))
        .map(|[job, cluster, start]| (job, cluster, start))
        .collect();
    all.sort();
    all
}

#[test]
fn the_audit_finds_a_job_that_ran_in_another_partition() {
    let with = |partitions: &str| {
        center("6", &format!("file = \"five.swf\", partitions = {{ {partitions} }}"), BATCH)
    };
    let right = folder(&with("1 = \"a\", 2 = \"batch\""));
    assert_eq!(right.run("run s.toml -q --out r").code, 0);
    // The same run but for what the scenario says of partition 2, told to be the same scenario.
    let other = folder(&with("1 = \"a\", 2 = \"a\""));
    assert_eq!(other.run("run s.toml -q --out r").code, 0);
    let digest = |folder: &Folder| json(folder, "r/manifest.json")["scenario_digest"].clone();
    let (said, is) = (digest(&right).to_string(), digest(&other).to_string());
    assert_ne!(said, is);
    let manifest = right.read("r/manifest.json").replace(&said, &is);
    other.write("r/manifest.json", &manifest);
    for file in [
        "jobs.csv",
        "organizations.csv",
        "summary.json",
        "timeline.csv",
        "timeline.svg",
        "histograms.hlog",
    ] {
        other.write(&format!("r/{file}"), &right.read(&format!("r/{file}")));
    }
    let told = other.run("audit r");
    assert_eq!(told.code, 1, "{}{}", told.out, told.error);
    assert!(told.out.contains("it is on batch, and its partition is a"), "{}", told.out);
}

/// The unit of a trace is the second, so pictures tell days; that of drawn jobs is nobody's guess.
#[test]
fn pictures_tell_time_in_what_people_count_in() {
    let text = center("6", "file = \"long.swf\"", "[output]\nwelch = true\n");
    let traced = folder(&text);
    let day = 86_400;
    let job = |number: u32| {
        let submit = number * day;
        format!("{number} {submit} 0 {day} 1 -1 -1 1 {day} -1 1 1 1 -1 1 1 -1 -1\n")
    };
    traced.write("long.swf", &(1..=9).map(job).collect::<String>());
    assert_eq!(traced.run("run s.toml -q --out r").code, 0);
    let picture = traced.read("r/timeline.svg");
    assert!(picture.contains("time (days)") && !picture.contains("units"), "{picture}");
    let picture = traced.read("r/warm-up.svg");
    assert!(picture.contains("submitted (days)") && picture.contains("flow (hours)"), "{picture}");
    let drawn = Folder::new(&format!("{A}{NINE}"));
    assert_eq!(drawn.run("run s.toml -q --out r").code, 0);
    assert!(drawn.read("r/timeline.svg").contains("time (units)"));
}

#[test]
fn wrong_partitions_are_told() {
    let check = |partitions: &str, more: &str, at: &str, told: &str| {
        let swf = format!("file = \"five.swf\", partitions = {{ {partitions} }}");
        let said = folder(&center("6", &swf, more)).run("check s.toml");
        assert!(said.code == 2 && said.error.contains(told), "{partitions}: {}", said.error);
        assert!(said.error.contains(&format!(" --> s.toml:{at}")), "{partitions}: {}", said.error);
    };
    let both = "1 = \"a\", 2 = \"batch\"";
    let without = "2 jobs of the trace are in a partition without a cluster: 2 (2)";
    check("1 = \"a\"", BATCH, "5:", without);
    check("1 = \"a\"", BATCH, "5:", "leave such jobs out: `import.partitions = [1]`");
    check("1 = \"a\", 2 = \"bath\"", BATCH, "5:", "there is no cluster called `bath`");
    check("1 = \"a\", b = \"batch\"", BATCH, "5:", "`b` is no number of a partition");
    check("1 = \"a\", 02 = \"batch\"", BATCH, "5:", "`02` is no number of a partition");
    let foreign = BATCH.replace("\"a\"", "\"b\"") + "[[organization]]\nname = \"b\"\n";
    check(both, &foreign, "5:", "`a` may not use `batch`");
    let small = BATCH.replace("= 5", "= 1");
    check(
        both,
        &small,
        "5:",
        "job 4 of `a` needs 2 processors, but the largest cluster it may use has 1",
    );
    let traced = BATCH.replace("= 5", "= \"trace\"");
    check(both, &traced, "9:", "`batch` has its partition 2");
}
