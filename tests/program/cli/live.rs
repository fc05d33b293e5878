//! A run is watched while it runs, and is not changed by that.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::support::{A, Folder, NINE};

/// A queue that nobody lives to see drained.
const ENDLESS: &str = "workload.synthetic = { arrivals.poisson.rate = 0.2, \
    size.exponential.mean = 4.0 }\n";

/// Two organizations that share their load, for rounds without end.
const COALITION: &str = "name = \"test\"\nrun.until.rounds = 100000000\n[[organization]]\n\
    name = \"typical\"\ncount = 2\ncluster.time_shared = {}\nworkload.synthetic = { \
    arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }\nlearner.ratio = {}\n[coalition]\n\
    period = 100.0\nrounds.independent = {}\nbalancer.averaging = {}\n";

/// A run that is ended with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Content of `live.json` of a run that goes on, once it tells of a replication.
fn live(scenario: &str) -> (Folder, Value, u32) {
    let folder = Folder::new(scenario);
    let mut program = crate::cli::support::program();
    program
        .args(["run", "s.toml", "--out", "r", "--live", "--quiet"])
        .current_dir(folder.path("."));
    let running = Running(program.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.path("r/live.json")).unwrap_or_default();
        // It is never seen in part.
        if !text.is_empty() {
            let told: Value = serde_json::from_str(&text).unwrap();
            if told["running"][0].is_object() && told["flow"].is_object() {
                let pid = running.0.id();
                return (folder, told, pid);
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_grid_that_runs_says_how_it_is() {
    let (folder, told, pid) = live(&format!("run.until.time = 1e11\n{A}{ENDLESS}"));
    assert_eq!(told["state"], "running");
    assert_eq!((told["name"].as_str(), told["seed"].as_u64()), (Some("test"), Some(1)));
    assert_eq!(told["pid"].as_u64(), Some(pid.into()));
    let share = told["share"].as_f64().unwrap();
    assert!(0.0 < share && share < 0.1, "{share}");
    let pulse = &told["running"][0];
    let number = |name: &str| pulse[name].as_u64().unwrap();
    assert_eq!(number("replication"), 0);
    assert!(number("submitted") >= number("finished") + number("waiting") + number("running"));
    assert!(pulse["time"].as_f64().unwrap() > 1000.0);
    // An M/M/4-like queue at load 0.2: nobody waits long, so the flow is near the mean size.
    let flow = told["flow"]["mean"].as_f64().unwrap();
    assert!(3.0 < flow && flow < 6.0, "{flow}");
    for name in ["started", "written"] {
        assert_eq!(told[name].as_str().unwrap().len(), "2026-01-01T00:00:00Z".len(), "{name}");
    }
    // Who comes later sees as much.
    let said = folder.run("watch r --once");
    assert_eq!((said.code, &*said.error), (0, ""));
    let first = format!("test\nseed 1, process {pid}, running for ");
    assert!(said.out.starts_with(&first) && said.out.contains(", flow "), "{}", said.out);
    // Nothing is left of a run that was killed but what it said last.
    assert!(folder.names("r").contains(&"live.json".to_owned()));
}

#[test]
fn a_coalition_that_runs_says_who_takes_part() {
    let (_folder, told, _) = live(COALITION);
    let pulse = &told["running"][0];
    assert!(told["rounds"].as_u64().unwrap() > 0);
    assert!(pulse["rounds"].as_u64().unwrap() > 0);
    assert!(pulse["members"].as_u64().unwrap() <= 2);
}

#[test]
fn to_be_watched_changes_no_result() {
    let folder = Folder::new(&format!("run.replications = 3\n{A}{NINE}"));
    assert_eq!(folder.run("run s.toml -q --out plain").code, 0);
    let said = folder.run("run s.toml --out live --live");
    assert_eq!((said.code, &*said.error), (0, ""));
    let names = folder.names("plain");
    let more: Vec<String> =
        folder.names("live").into_iter().filter(|name| !names.contains(name)).collect();
    assert_eq!(more, ["live.json"]);
    for name in names.iter().filter(|name| *name != "timing.json") {
        let read = |of: &str| folder.read(&format!("{of}/{name}"));
        assert_eq!(read("plain"), read("live"), "{name}");
    }
    let told: Value = serde_json::from_str(&folder.read("live/live.json")).unwrap();
    assert_eq!(told["state"], "done");
    assert_eq!((told["replications_ended"].as_u64(), told["jobs"].as_u64()), (Some(3), Some(27)));
    assert_eq!((told["share"].as_f64(), &told["running"]), (Some(1.0), &Value::Array(vec![])));
    // It is no result: a run that is not watched does not leave an old one lying about.
    assert_eq!(folder.run("audit live -q").code, 0);
    assert_eq!(folder.run("run s.toml -q --out live").code, 0);
    assert_eq!(folder.names("live"), names);
}

#[test]
fn a_run_without_news_and_one_that_ended_are_told_apart() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    let said = folder.run("watch r --once");
    assert_eq!((said.code, &*said.out), (2, ""));
    assert!(
        said.error.contains("r/live.json: ") && said.error.contains("`--live`"),
        "{}",
        said.error
    );
    assert_eq!(folder.run("run s.toml --out r --watch").code, 0);
    let said = folder.run("watch r");
    assert!(said.out.contains(", done after ") && !said.out.contains("left"), "{}", said.out);
    folder.write("r/live.json", "{\"name\": 1}");
    let said = folder.run("watch r --once");
    assert!(said.code == 2 && said.error.contains("help:"), "{}", said.error);
    let said = folder.run("run s.toml --watch --no-files");
    assert!(said.code == 2 && said.error.contains("--watch needs a folder"), "{}", said.error);
}
