//! Jobs of results as other tools read them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cli::support::Folder;

/// Two clusters of two owners, twice; jobs that wait, and one that is killed.
const TWO: &str = "name = \"two\"\nrun.replications = 2\n[[organization]]\nname = \"a\"\n\
    cluster.space_shared = { processors = 4, scheduler.fcfs = {}, kill_at_estimate = true }\n\
    workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 8.0, \
    processors.uniform = { min = 1, max = 4 }, jobs = 30 }\n[[organization]]\nname = \"b\"\n\
    cluster.space_shared = { processors = 3, scheduler.easy = {} }\n[[job]]\norganization = \"b\"\n\
    submit = 1\nruntime = 5\nprocessors = 2\ncount = 3\n";

fn jobs(folder: &Folder, replication: &str) -> Vec<BTreeMap<String, String>> {
    let text = folder.read("r/jobs.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let all: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    all.into_iter().filter(|job| job["replication"] == replication).collect()
}

fn ran() -> Folder {
    let folder = Folder::new(TWO);
    let said = folder.run("run s.toml --out r -q");
    assert_eq!(said.code, 0, "{}", said.error);
    folder
}

#[test]
fn a_trace_of_the_results_has_their_jobs_and_waits_and_can_be_run() {
    let folder = ran();
    let said = folder.run("export r --to swf --out out.swf --replication 1");
    assert_eq!((said.code, &*said.out), (0, ""), "{}", said.error);
    let text = folder.read("out.swf");
    let lines: Vec<Vec<f64>> = (text.lines().filter(|line| !line.starts_with(';')))
        .map(|line| line.split(' ').map(|field| field.parse().unwrap()).collect())
        .collect();
    let jobs = jobs(&folder, "1");
    assert!(jobs.len() == 33 && lines.len() == 33, "{text}");
    for (job, line) in jobs.iter().zip(&lines) {
        assert_eq!(line.len(), 18);
        let fields = ["job_id", "submission_time", "waiting_time", "execution_time"];
        for (field, value) in fields.iter().zip(line) {
            assert_eq!(job[*field].parse::<f64>().unwrap(), *value, "{field}");
        }
        assert_eq!(line[4].to_string(), job["requested_number_of_resources"]);
        assert_eq!(line[12], if job["organization"] == "a" { 1.0 } else { 2.0 });
    }
    // What was written is a trace.
    folder.write(
        "again.toml",
        "name = \"again\"\n[[organization]]\nname = \"a\"\ncluster.space_shared = { processors = 4, \
         scheduler.fcfs = {} }\nworkload.swf = { file = \"out.swf\" }\n",
    );
    let said = folder.run("check again.toml");
    assert!(said.out.contains("33 of 33 jobs used"), "{}{}", said.out, said.error);
}

#[test]
fn trace_events_have_each_job_on_its_first_processor() {
    let folder = ran();
    let said = folder.run("export r --to perfetto");
    let events: Value = serde_json::from_str(&said.out).unwrap();
    let events = events["traceEvents"].as_array().unwrap();
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    let jobs = jobs(&folder, "0");
    assert_eq!(spans.len(), jobs.len());
    let mut by_thread: BTreeMap<(u64, u64), Vec<[f64; 2]>> = BTreeMap::new();
    for (span, job) in spans.iter().zip(&jobs) {
        let number = |name: &str| span[name].as_f64().unwrap();
        let told = |name: &str| job[name].parse::<f64>().unwrap();
        assert_eq!(number("ts"), told("starting_time") * 1e6);
        assert!((number("dur") / 1e6 - told("execution_time")).abs() < 1e-6);
        assert_eq!(span["cat"], job["organization"]);
        let place = (span["pid"].as_u64().unwrap(), span["tid"].as_u64().unwrap());
        by_thread.entry(place).or_default().push([number("ts"), number("ts") + number("dur")]);
    }
    for spans in by_thread.values_mut() {
        spans.sort_by(|one, other| one[0].total_cmp(&other[0]));
        assert!(spans.windows(2).all(|pair| pair[0][1] <= pair[1][0] + 1.0), "{spans:?}");
    }
}

#[test]
fn lines_of_a_replication_are_those_of_the_run() {
    let folder = ran();
    let said = folder.run("export r --to evalys --replication 1");
    let whole = folder.read("r/jobs.csv");
    let header = whole.lines().next().unwrap();
    assert_eq!(said.out.lines().next(), Some(header));
    assert_eq!(said.out.lines().count(), 34);
    assert!(said.out.lines().all(|line| whole.lines().any(|one| one == line)));
}

#[test]
fn what_has_no_jobs_is_refused_with_a_remedy() {
    let folder = ran();
    for (words, wrong) in [
        ("export r --to swf --replication 2", "the run has 2 replications"),
        ("export nowhere --to swf", "there are no results here"),
        ("export r --to xlsx", "[possible values: perfetto, swf, evalys, parquet]"),
    ] {
        let said = folder.run(words);
        assert_eq!((said.code, &*said.out), (2, ""), "{words}");
        assert!(said.error.contains(wrong), "{words}: {}", said.error);
    }
    assert_eq!(folder.run("run s.toml --out none -q --set output.jobs=false").code, 0);
    let said = folder.run("export none --to perfetto");
    assert!(said.code == 2 && said.error.contains("kept no jobs"), "{}", said.error);
}
