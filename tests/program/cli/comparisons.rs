//! `gridpact compare`: one command from two policies to a verdict.

use serde_json::Value;

use crate::cli::support::{Folder, of_the_project};

/// Two organizations with drawn jobs, as `s.toml`.
const SHARED: &str = "name = \"Two\"\n[run]\nuntil.jobs = 400\nreplications = 6\n\
    [[organization]]\nname = \"big\"\n\
    cluster.space_shared = { processors = 8, scheduler.fcfs = {} }\n\
    [organization.workload.synthetic]\narrivals.poisson.rate = 0.05\n\
    size.exponential.mean = 40.0\nprocessors.powers_of_two = { min = 1, max = 8, serial = 0.25 }\n\
    [[organization]]\nname = \"small\"\n\
    cluster.space_shared = { processors = 4, scheduler.fcfs = {} }\n\
    [organization.workload.synthetic]\narrivals.poisson.rate = 0.02\n\
    size.exponential.mean = 40.0\nprocessors.powers_of_two = { min = 1, max = 4, serial = 0.25 }\n";

const GAME: &str = "name = \"g\"\n[run]\nreplications = 5\nuntil.rounds = 50\n[game]\n\
    payoffs.symmetric = [[4, 0], [3, 2]]\n[[player]]\nname = \"x\"\ncount = 2\nlearner.hedge = {}\n";

fn folder() -> Folder {
    Folder::new(SHARED)
}

/// A line of `comparison.csv`, by column.
fn row(csv: &str, run: &str, unit: &str, measure: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let found = reader.records().map(|row| row.unwrap());
    let mut found = found.filter(|row| [&row[0], &row[2], &row[3]] == [run, unit, measure]);
    let row = found.next().unwrap_or_else(|| panic!("{run} {unit} {measure}: {csv}"));
    assert!(found.next().is_none(), "two lines: {csv}");
    columns.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect()
}

fn of(row: &[(String, String)], column: &str) -> f64 {
    let (_, value) = row.iter().find(|(name, _)| name == column).unwrap();
    value.parse().unwrap_or_else(|_| panic!("{column} {value}"))
}

/// The figures are those of the runs themselves, and the interval of the difference is Student's over
/// the differences of their replications, worked out here from the files of two runs.
#[test]
fn a_comparison_is_what_its_runs_give_pair_by_pair() {
    let folder = folder();
    let said = folder.run("compare s.toml --vary scheduler=fcfs,easy -o c -q");
    assert_eq!(said.code, 0, "{}", said.error);
    for scheduler in ["fcfs", "easy"] {
        let words = format!("run s.toml --set scheduler={scheduler} -o {scheduler} -q");
        assert_eq!(folder.run(&words).code, 0);
        let own = folder.read(&format!("{scheduler}/figures.csv"));
        let compared = folder.read("c/figures.csv");
        let begin = format!("{scheduler},");
        let compared: Vec<&str> =
            compared.lines().filter_map(|line| line.strip_prefix(&begin)).collect();
        assert_eq!(compared, own.lines().skip(1).collect::<Vec<_>>());
    }
    // Makespan is a plain mean over the replications.
    let values = |run: &str| -> Vec<f64> {
        let text = folder.read(&format!("{run}/replications.csv"));
        let lines = text.lines().filter(|line| line.contains(",*,makespan,"));
        lines.map(|line| line.split(',').nth(3).unwrap().parse().unwrap()).collect()
    };
    let (fcfs, easy) = (values("fcfs"), values("easy"));
    let differences: Vec<f64> = easy.iter().zip(&fcfs).map(|(easy, fcfs)| easy - fcfs).collect();
    let mean = differences.iter().sum::<f64>() / 6.0;
    let squares: f64 = differences.iter().map(|one| (one - mean).powi(2)).sum();
    // Student's t with 5 degrees of freedom: 2.5706.
    let half_width = 2.570_581_836 * (squares / 5.0 / 6.0).sqrt();
    let found = row(&folder.read("c/comparison.csv"), "easy", "*", "makespan");
    assert!((of(&found, "difference") - mean).abs() < 1e-9 * mean.abs(), "{found:?} {mean}");
    assert!((of(&found, "low") - (mean - half_width)).abs() < 1e-6 * half_width, "{found:?}");
    assert!((of(&found, "high") - (mean + half_width)).abs() < 1e-6 * half_width, "{found:?}");
    assert_eq!(of(&found, "pairs"), 6.0);
    // Finished folders say the same.
    let again = folder.run("compare fcfs easy --format csv");
    assert_eq!(again.code, 0, "{}", again.error);
    for unit in ["big", "small", "*"] {
        for measure in ["flow", "wait", "utilization", "makespan"] {
            let both = [&again.out, &folder.read("c/comparison.csv")];
            let [ours, theirs] = both.map(|csv| row(csv, "easy", unit, measure));
            // Of six skewed differences there is no interval.
            let has_ends = ours.iter().any(|(_, value)| value == "pairs");
            let columns = ["figure", "difference", "p", "low", "high"];
            for column in &columns[..if has_ends { 5 } else { 3 }] {
                let (one, other) = (of(&ours, column), of(&theirs, column));
                assert!((one - other).abs() <= 1e-9 * other.abs(), "{unit} {measure} {column}");
            }
        }
    }
}

#[test]
fn the_summary_says_which_is_better_for_whom() {
    let said = folder().run_whole("compare s.toml --vary scheduler=fcfs,easy --replications 40");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("easy beats fcfs: flow -"), "{}", said.out);
    assert!(said.out.contains("flow with easy: better for big -"), "{}", said.out);
    assert!(said.out.contains("times as many replications"), "{}", said.out);
    assert!(said.out.contains("(Holm's correction)"), "{}", said.out);
    let text = folder();
    text.run("compare s.toml --vary scheduler=fcfs,easy -o c -q");
    let summary: Value = serde_json::from_str(&text.read("c/summary.json")).unwrap();
    assert_eq!(summary["world"], "comparison");
    assert_eq!(summary["comparison"][0]["run"], "easy");
    let manifest: Value = serde_json::from_str(&text.read("c/manifest.json")).unwrap();
    assert_eq!(manifest["runs"][1]["changes"][0], "scheduler=easy");
}

/// All files but the timing are the same on any number of threads, after a kill, and when replications
/// are added later.
#[test]
fn the_bytes_do_not_depend_on_how_it_was_run() {
    let folder = folder();
    let words = "compare s.toml --vary scheduler=fcfs,easy,conservative -q";
    let files = |name: &str| {
        let names = ["comparison.csv", "figures.csv", "replications.csv", "summary.json"];
        names.map(|file| folder.read(&format!("{name}/{file}")))
    };
    assert_eq!(folder.run(&format!("{words} -o one --threads 1")).code, 0);
    assert_eq!(folder.run(&format!("{words} -o eight --threads 8")).code, 0);
    assert!(files("one") == files("eight"));
    assert_eq!(folder.run(&format!("{words} -o few --replications 4")).code, 0);
    assert_eq!(folder.run("resume few --replications 6 -q").code, 0);
    assert!(files("one") == files("few"));
    let stopped = folder.run(&format!("{words} -o late --wall-clock 1ms"));
    assert_eq!(stopped.code, 75, "{}", stopped.error);
    assert_eq!(folder.run("resume late -q").code, 0);
    assert!(files("one") == files("late"));
    let done = folder.run("resume late");
    assert_eq!((done.code, done.error.contains("this comparison is finished")), (0, true));
    let fewer = folder.run("resume late --replications 3");
    assert_eq!((fewer.code, fewer.error.contains("has 6 already")), (2, true));
}

#[test]
fn a_precision_of_the_difference_adds_replications() {
    let words = "compare s.toml --vary scheduler=fcfs,easy --until relative=0.1 --measure wait \
                 --no-files";
    let said = folder().run_whole(words);
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("the difference in wait is known to within"), "{}", said.out);
    let short = folder().run(&format!("{words} --replications 25"));
    assert!(short.out.contains("warning: the target precision was not reached"), "{}", short.out);
}

#[test]
fn games_and_coalitions_are_compared_too() {
    let folder = Folder::new(GAME);
    let said =
        folder.run("compare s.toml --vary learner=hedge,boltzmann_q --format json --no-files");
    assert_eq!(said.code, 0, "{}", said.error);
    let rows: Value = serde_json::from_str(&said.out).unwrap();
    assert!(rows.as_array().unwrap().iter().any(|row| row["measure"] == "welfare"));
    let coalition = of_the_project("scenarios/selfish-lb-figure-3b.toml");
    let said = folder.run(&format!(
        "compare {coalition} --vary balancer=averaging,bilb --set until.rounds=40 --replications 4 \
         --measure flow --no-files"
    ));
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("bilb"), "{}", said.out);
}

/// A given trace is one sample: it is compared week by week, and a short list of jobs not at all.
#[test]
fn a_given_trace_is_compared_by_its_weeks_and_a_list_without_intervals() {
    let gallery = of_the_project("scenarios");
    let folder = Folder::new("");
    let kth = format!("compare {gallery}/kth-sp2-easy.toml --vary scheduler=fcfs,easy -o c");
    let said = folder.run_whole(&kth);
    assert_eq!(said.code, 0, "{}", said.error);
    // Neighbouring weeks are so alike that 48 of them are worth three.
    assert!(said.out.contains("easy against fcfs: cannot tell: flow -93% ("), "{}", said.out);
    assert!(said.out.contains("wait -97% (too few pairs)"), "{}", said.out);
    let csv = folder.read("c/comparison.csv");
    let [one, all] = ["kth", "*"].map(|unit| row(&csv, "easy", unit, "flow"));
    // A single organization is all of them, and is not tested twice.
    assert_eq!(one[4..], all[4..]);
    assert!(of(&all, "pairs") == 48.0 && of(&all, "p_holm") == 1.0, "{all:?}");
    let key = "organization.physics.cluster.space_shared.scheduler";
    let words = format!("compare {gallery}/ten-jobs.toml --vary {key}=fcfs,easy --no-files");
    let said = folder.run(&words);
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("without an interval: flow "), "{}", said.out);
    assert!(said.out.contains("warning: the jobs are given and not drawn"), "{}", said.out);
}

/// Weeks are pairs only where they have the same jobs: as many where the load is scaled, since the weeks
/// are those of the log, and none where the jobs are others.
#[test]
fn weeks_with_other_jobs_are_no_pairs() {
    let gallery = of_the_project("scenarios");
    let folder = Folder::new("");
    let vary = |key: &str| {
        let words =
            format!("compare {gallery}/kth-sp2-conservative.toml --vary {key} -o c --force");
        let said = folder.run_whole(&words);
        assert_eq!(said.code, 0, "{}", said.error);
        let csv = folder.read("c/comparison.csv");
        let run = csv.lines().nth(1).unwrap().split(',').next().unwrap().to_owned();
        (said.out, row(&csv, &run, "*", "flow"))
    };
    let (out, flow) = vary("import.load.factor=1,1.2");
    assert!(of(&flow, "pairs") >= 47.0 && out.contains("on the same jobs"), "{flow:?}\n{out}");
    for key in ["import.first=5000,20000", "import.skip=0,9000"] {
        let (out, flow) = vary(key);
        assert_eq!(flow.last().map(|(_, value)| &**value), Some("no_pairs"), "{key}: {flow:?}");
        assert!(out.contains("on other jobs") && out.contains("nothing to pair"), "{key}: {out}");
    }
}

/// Weeks need times, not SWF: a list of the same jobs, finished runs whose jobs are kept, and the
/// schedule of another program have the weekly intervals of the trace. All of these were without an
/// interval.
#[test]
fn lists_finished_runs_and_other_programs_have_weeks_too() {
    let kth = of_the_project("scenarios/kth-sp2-easy.toml");
    let folder = Folder::new("");
    let done = |words: &str| {
        let said = folder.run(words);
        assert_eq!(said.code, 0, "{words}: {}", said.error);
        said.out
    };
    let vary = "--vary scheduler=easy,conservative --measure flow --measure bounded_slowdown";
    done(&format!("compare {kth} {vary} -o trace -q"));
    let expected = folder.read("trace/comparison.csv");
    let is_alike = |csv: &str, run: &str| {
        for measure in ["flow", "bounded_slowdown"] {
            let [ours, theirs] = [(csv, run), (&*expected, "conservative")]
                .map(|(csv, run)| row(csv, run, "*", measure));
            assert_eq!(of(&theirs, "pairs"), 48.0);
            for column in ["pairs", "figure", "difference", "low", "high", "relative_high", "p"] {
                let (one, other) = (of(&ours, column), of(&theirs, column));
                assert!(
                    (one - other).abs() <= 1e-9 * other.abs(),
                    "{measure} {column}: {one} {other}"
                );
            }
        }
    };
    done(&format!("workload export {kth} --to csv -o kth.csv"));
    folder.write(
        "list.toml",
        "name = \"list\"\n[[organization]]\nname = \"kth\"\n\
         cluster.space_shared = { processors = 100, scheduler.easy = {} }\nworkload.jobs.file = \"kth.csv\"\n",
    );
    done(&format!("compare list.toml {vary} -o list -q"));
    is_alike(&folder.read("list/comparison.csv"), "conservative");
    for scheduler in ["easy", "conservative"] {
        done(&format!("run {kth} --set scheduler={scheduler} -q -o {scheduler}"));
    }
    is_alike(&done("compare easy conservative --format csv"), "conservative");
    let told = done("compare easy conservative");
    assert!(
        told.contains("conservative against easy, paired by week (48 pairs of weeks)"),
        "{told}"
    );
    // Some of Batsim's columns, in another order.
    let jobs = folder.read("conservative/jobs.csv");
    let columns = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [10, 8, 4, 3, 1, 0].map(|at| cells[at]).join(",")
    };
    let other: Vec<String> = jobs.lines().map(columns).collect();
    folder.write("other.csv", &(other.join("\n") + "\n"));
    is_alike(&done("compare easy other.csv --format csv"), "other");
}

/// Runs say what they have in common: it was "the same draws" for all of these. Random streams go by
/// name, so that an organization that is only renamed draws other jobs.
#[test]
fn runs_are_on_the_same_draws_only_where_their_streams_are() {
    let folder = folder();
    folder.write("one.toml", &SHARED.replace("\"big\"", "\"large\""));
    folder.write("both.toml", &SHARED.replace("\"big\"", "\"large\"").replace("small", "tiny"));
    let rate = "organization.small.workload.synthetic.arrivals.poisson.rate=0.02,0.021";
    for (words, told) in [
        ("s.toml --vary scheduler=fcfs,easy", ", on the same draws\n"),
        ("s.toml --vary warm_up.fixed=0,900", ", on the same draws, of which other ones count\n"),
        ("s.toml one.toml", "one against s, on draws that are partly the same\n"),
        ("s.toml both.toml", "both against s, on draws of its own, which are not paired\n"),
        (&format!("s.toml --vary {rate}"), ", on the same random numbers, with other parameters\n"),
        (
            "s.toml one.toml both.toml",
            "the same; both on draws of its own, which are not paired agai",
        ),
    ] {
        let said = folder.run_whole(&format!("compare {words} -o c --force"));
        assert_eq!(said.code, 0, "{}", said.error);
        assert!(said.out.contains(told), "{words}: {}", said.out);
    }
    let csv = folder.read("c/comparison.csv");
    let independent = |run: &str| {
        let makespan = row(&csv, run, "*", "utilization");
        let text =
            |column: &str| makespan.iter().find(|(name, _)| name == column).unwrap().1.clone();
        (text("method"), text("saved").is_empty())
    };
    assert_eq!(independent("one"), ("pairs".to_owned(), false));
    assert_eq!(independent("both"), ("independent".to_owned(), true));
    // Finished folders tell it too.
    for name in ["s", "one", "both"] {
        folder.run(&format!("run {name}.toml -q -o results/{name}"));
    }
    let said = folder.run_whole("compare results/s results/one results/both");
    let told =
        "one paired by replication; both on draws of its own, which are not paired against s (6";
    assert!(said.out.contains(told), "{}", said.out);
}

/// Warnings of `check` and `run` were lost on the way: a load of one, batches that are correlated,
/// queues that grow. Each is told once, with the runs that it concerns.
#[test]
fn warnings_of_the_runs_are_told_once() {
    let gallery = of_the_project("scenarios");
    let folder = Folder::new("");
    let said = folder.run(&format!(
        "compare {gallery}/kth-sp2-easy.toml --vary scheduler=easy,fcfs --set import.load.factor=1.5 -q \
         --no-files"
    ));
    assert_eq!(said.code, 0, "{}", said.error);
    let once = |text: &str| {
        let lines = said.error.lines().filter(|line| line.contains(text));
        let found: Vec<&str> = lines.collect();
        assert_eq!(found.len(), 1, "{text}: {}", said.error);
        found[0].to_owned()
    };
    let load = once("kth` ask for 1.029");
    assert!(load.starts_with("warning: easy and fcfs: the jobs of `kth`"), "{load}");
    assert!(once("are still correlated").starts_with("warning: easy"), "{}", said.error);
    assert!(!said.error.contains("timeline.svg"), "{}", said.error);
    folder.write(
        "grows.toml",
        "name = \"g\"\n[run]\nreplications = 20\nuntil.jobs = 3000\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n[organization.workload.synthetic]\n\
         arrivals.poisson.rate = 1.2\nsize.exponential.mean = 1.0\nprocessors.constant = 1\n",
    );
    let said = folder.run("compare grows.toml --vary scheduler=fcfs,easy -q --no-files");
    let grows = "fcfs and easy: the load of `a` is 1.200, above 1, and the queue grows";
    assert!(said.error.contains(grows), "{}", said.error);
    assert_eq!(said.error.matches("above 1").count(), 1, "{}", said.error);
    assert!(!said.error.contains("not below one"), "{}", said.error);
    let said = folder.run("check grows.toml -q");
    assert!(said.error.contains("not below one"), "{}", said.error);
}

/// Organizations beyond the 64th had no verdict, and nothing said so.
#[test]
fn many_organizations_without_verdicts_are_told() {
    let folder = Folder::new(
        "name = \"many\"\n[run]\nreplications = 3\nuntil.time = 9\n[[organization]]\nname = \"x\"\n\
         count = 65\ncluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
         [organization.workload.synthetic]\narrivals.poisson.rate = 0.7\nsize.exponential.mean = 1.0\n\
         processors.constant = 1\n",
    );
    let words = "compare s.toml --vary size.exponential.mean=1,1.1 --no-files";
    let said = folder.run_whole(words);
    assert!(said.out.contains("65 organizations have no verdicts: "), "{}{}", said.out, said.error);
    let all = folder.run_whole(&format!("{words} --set output.all_replications=true"));
    assert!(!all.out.contains("have no verdicts"), "{}", all.out);
    assert!(all.out.contains("the verdicts on 264 differences"), "{}", all.out);
}

/// Repetitions of given jobs say nothing of chance, however many are asked for; and a comparison of
/// jobs that have changed is not gone on with.
#[test]
fn given_jobs_are_run_once_and_must_stay_what_they_were() {
    let folder = Folder::new(
        "name = \"given\"\n[[organization]]\nname = \"a\"\n\
         cluster.space_shared = { processors = 2, scheduler.fcfs = {} }\n\
         workload.jobs.file = \"jobs.csv\"\n",
    );
    let jobs = "submit,runtime,processors\n0,9,1\n1,9,2\n2,3,1\n";
    folder.write("jobs.csv", jobs);
    let words = "compare s.toml --vary scheduler=fcfs,easy -o c --replications 5";
    let said = folder.run(words);
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("(seed 1, 1 replication)"), "{}", said.out);
    assert!(said.out.contains("the jobs are given and not drawn"), "{}", said.out);
    folder.write("jobs.csv", &jobs.replace("2,3,1", "2,4,1"));
    let said = folder.run("resume c");
    assert_eq!(said.code, 2, "{}", said.error);
    assert!(said.error.contains("are not what they were"), "{}", said.error);
    assert!(said.error.contains("`gridpact compare`"), "{}", said.error);
    // The same outcome five times over, in folders.
    folder.write("jobs.csv", jobs);
    for scheduler in ["fcfs", "easy"] {
        folder.run(&format!(
            "run s.toml --set scheduler={scheduler} --set replications=5 -o {scheduler} -q"
        ));
    }
    let said = folder.run("compare fcfs easy");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.out.contains("without an interval: flow "), "{}", said.out);
}

#[test]
fn what_cannot_be_compared_is_told_with_a_remedy() {
    let folder = folder();
    folder.write("g.toml", GAME);
    folder.write("s2.toml", &format!("seed = 2\n{}", SHARED.replace("400", "401")));
    folder.write("odd.csv", "job_id,submission_time,starting_time,finish_time\n1,soon,2,3\n");
    folder.run("run s.toml -q -o a");
    folder.run("run s.toml -q -o b --seed 2");
    folder.run("run s.toml -q -o c --set replications=3");
    for (words, told) in [
        ("compare s.toml", "there is nothing to compare"),
        ("compare s.toml s.toml", "are the same"),
        ("compare s.toml g.toml", "have no figures in common"),
        ("compare s.toml --vary scheduler", "there is no `=`"),
        ("compare s.toml --vary =1,2", "there is no key"),
        ("compare s.toml --vary scheduler=fcfs,,easy", "a value is missing"),
        ("compare s.toml --vary scheduler=fcfs,fcfs", "is there twice"),
        ("compare s.toml --vary scheduler=fcfs,esay", "did you mean `easy`"),
        ("compare s.toml --vary shceduler=fcfs,easy", "scheduler"),
        ("compare s.toml --vary scheduler=fcfs,easy --measure flwo", "did you mean `flow`"),
        ("compare s.toml --vary scheduler=fcfs,easy --measure welfare", "have no such figure"),
        ("compare s.toml --vary scheduler=fcfs,easy --until 3", "no precision of a difference"),
        ("compare s.toml s2.toml", "they would draw other jobs"),
        ("compare a s.toml", "these are results, and the others are scenarios"),
        ("compare a", "there is nothing to compare"),
        ("compare a b", "it has seed 2"),
        ("compare a c", "it has 3 replications"),
        ("compare a a --vary scheduler=fcfs,easy", "these are finished results"),
        ("compare . .", "no finished results are here"),
        ("compare a jobs.csv", "jobs.csv"),
        ("compare a odd.csv", "submission_time is `soon`, not a time"),
    ] {
        let said = folder.run(words);
        assert_eq!(said.code, 2, "{words}: {}", said.error);
        assert!(said.error.contains(told), "{words}: {}", said.error);
        assert!(said.out.is_empty(), "{words}: {}", said.out);
    }
    let words = "compare s.toml --vary scheduler=fcfs,easy --no-files";
    for option in ["--live", "--checkpoint-every 1m"] {
        let said = folder.run(&format!("{words} {option}"));
        assert_eq!(said.code, 2, "{option}: {}", said.error);
        assert!(said.error.contains("needs a folder"), "{option}: {}", said.error);
    }
    folder.run("compare s.toml --vary scheduler=fcfs,easy -o d -q");
    let said = folder.run("compare d d");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("these are the results of a comparison"), "{}", said.error);
    let said = folder.run("explain d --job 1");
    assert!(said.error.contains("this is a comparison"), "{}", said.error);
    let said = folder.run("audit d");
    assert!(said.out.ends_with("\nno figure contradicts another\n"), "{}", said.out);
}
