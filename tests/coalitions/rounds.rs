//! A coalition's run from its scenario to its files: the same bytes on any number of threads, files
//! that pass the audit, figures that follow from the rounds, and an audit that finds what is wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gridpact::model::ids::OrganizationId;
use gridpact::records::coalition::rounds::COLUMNS;
use gridpact::review::audit;
use gridpact::run::{self, AnyFindings, Progress};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};

/// Three learners, of which one comes late and leaves early, and two others.
fn scenario(balancer: &str, rounds: &str) -> String {
    let drawn = "workload.synthetic = { arrivals.poisson.rate = 0.2, size.gamma = { shape = 2.0, \
                 scale = 2.0 }, rounding = { arrivals = \"floor\", size = \"ceil\" } }";
    format!(
        "name = \"some learn\"\n\
         [run]\nuntil.rounds = 30\nreplications = 4\n\
         [output]\nmoves = true\njobs = true\n\
         [coalition]\nperiod = 200.0\nrounds = \"{rounds}\"\nbalancer.{balancer}\n\
         [[organization]]\nname = \"ratio\"\ncount = 3\ncluster.time_shared = {{}}\n\
         learner.ratio = {{ rate = 0.2 }}\n{drawn}\n\
         [[organization]]\nname = \"level\"\ncluster.time_shared = {{}}\n\
         learner.level = {{ initial = 4.0, rate = 0.3 }}\nfirst_round = 5\nlast_round = 24\n{drawn}\n\
         [[organization]]\nname = \"always\"\ncluster.time_shared = {{}}\nlearner.always = {{}}\n\
         {drawn}\n\
         [[organization]]\nname = \"never\"\ncluster.time_shared = {{}}\nlearner.never = {{}}\n\
         {drawn}\n"
    )
}

fn planned(text: &str) -> Plan {
    let mut files = Files::new();
    let input = Input::Bytes { name: "test", bytes: text.as_bytes().to_vec() };
    let loaded = scenario::load(input, &Overrides::default(), &mut files);
    loaded.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false))).0
}

fn ran(text: &str, threads: usize, folder: &Path) -> AnyFindings {
    let plan = planned(text);
    let progress = Progress::default();
    let outcome = run::run(&plan, Some(folder), threads, 0.0, &progress).expect("nothing fails");
    assert_eq!((progress.rounds(), progress.share(&plan)), (120, Some(1.0)));
    outcome.found
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("the folder is there").map(|file| file.unwrap().path());
    files
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
        })
        .filter(|(name, _)| name != "timing.json")
        .collect()
}

#[test]
fn threads_change_no_byte_and_what_is_written_passes_the_audit() {
    for (balancer, rounds) in [
        ("averaging = {}", "independent"),
        ("averaging = { unit = 1.0 }", "continuing"),
        ("bilb = {}", "independent"),
        ("bilb = { unit = 1.0 }", "continuing"),
    ] {
        let text = scenario(balancer, rounds);
        let results = [1, 3].map(|threads| {
            let folder = tempfile::tempdir().expect("there is room");
            ran(&text, threads, folder.path());
            let audited = audit::audit(folder.path()).expect("it is a run's folder");
            assert!(audited.passed(), "{balancer}, {rounds}\n{}", audited.report);
            assert!(audited.report.checks.iter().all(|check| check.looked_at > 0));
            contents(folder.path())
        });
        let names: Vec<&str> = results[0].keys().map(String::as_str).collect();
        let expected = [
            "alternatives.csv",
            "distribution.svg",
            "figures.csv",
            "histograms.hlog",
            "jobs.csv",
            "learning.csv",
            "learning.svg",
            "manifest.json",
            "moves.csv",
            "organizations.csv",
            "replications.csv",
            "report.html",
            "report.json",
            "rounds.csv",
            "summary.json",
            "timeline.csv",
            "timeline.svg",
        ];
        assert_eq!(names, expected);
        for (name, bytes) in &results[0] {
            assert!(*bytes == results[1][name], "{name} depends on the threads: {balancer}");
        }
        // Three and two rounds of all six, and 20 of all but the one that comes late.
        let lines = results[0]["rounds.csv"].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, 1 + 4 * (5 * 30 + 20));
    }
}

/// Three that may pool their clusters, of which one comes late, beside one that never does.
fn federation(places: &str) -> String {
    let drawn = "workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 10.0, \
                 processors.uniform = { min = 1, max = 6 } }";
    format!(
        "name = \"some pool\"\n{places}\n[run]\nuntil.rounds = 30\nreplications = 4\n\
         [coalition]\nperiod = 100.0\n\
         [[organization]]\nname = \"ratio\"\ncount = 2\nlearner.ratio = {{ rate = 0.2, alone = \"stays_out\" }}\n\
         cluster.space_shared = {{ processors = 8, scheduler.easy = {{}} }}\n{drawn}\n\
         [[organization]]\nname = \"late\"\nlearner.hedge = {{}}\nfirst_round = 5\nlast_round = 24\n\
         cluster.space_shared = {{ processors = 6, scheduler.conservative = {{}} }}\n{drawn}\n\
         [[organization]]\nname = \"never\"\nlearner.never = {{}}\n\
         cluster.space_shared = {{ processors = 8, scheduler.fcfs = {{}} }}\n{drawn}\n"
    )
}

#[test]
fn federations_are_the_same_on_any_threads_and_pass_the_audit() {
    let cost = "cost = { job = 2.0, delay = 4.0, round = 0.1 }";
    for (places, rules) in [
        ("grid_scheduler.list = {}", ""),
        ("grid_scheduler.least_demand = {}", ""),
        ("planner.own_first = {}", ""),
        ("grid_scheduler.stealing.delay = 3.0", &*format!("score = \"makespan\"\n{cost}")),
        ("planner.equitable_walk = {}", &*format!("plays = \"follow\"\n{cost}")),
        ("grid_scheduler.best_fit = {}", "score = \"bounded_slowdown\""),
        ("planner.ilba = {}", "plays = \"follow\"\nscore = \"wait\""),
    ] {
        let mut text =
            federation(places).replace("period = 100.0\n", &format!("period = 100.0\n{rules}\n"));
        if !places.contains("stealing") && !rules.is_empty() {
            text = text.replace("rate = 0.2,", "rate = 0.2, level = 60.0,");
            text = text.replacen(
                "processors = 8, scheduler",
                "processors = 8, share = 5, scheduler",
                1,
            );
        }
        let results = [1, 2, 8].map(|threads| {
            let folder = tempfile::tempdir().expect("there is room");
            ran(&text, threads, folder.path());
            let audited = audit::audit(folder.path()).expect("it is a run's folder");
            assert!(audited.passed(), "{places} {rules}\n{}", audited.report);
            for rule in ["members only", "runtimes", "processors", "scored jobs"] {
                let check = audited.report.check(rule).expect("it is checked");
                assert!(check.looked_at > 0, "{rule}");
            }
            contents(folder.path())
        });
        assert!(results[1..].iter().all(|other| *other == results[0]), "{places}");
        assert!(!results[0].contains_key("moves.csv"));
    }
}

/// Chance ends replications: each has the first rounds of one that goes on, as many as the manifest
/// says, and neither a record more nor one less passes the audit.
#[test]
fn rounds_that_chance_ends_are_the_first_of_a_longer_run() {
    // What is asked beside the rounds is asked in the last quarter.
    let pool = scenario("bilb = { unit = 1.0 }", "continuing");
    let pool = pool.replace("[output]\n", "[output]\nalternatives = false\n");
    let places = "planner.ilba = {}\n[output]\njobs = true\nalone = true\nalternatives = false";
    for text in [pool, federation(places)] {
        let run = |until: &str, threads| {
            let folder = tempfile::tempdir().expect("there is room");
            let plan = planned(&text.replace("until.rounds = 30", until));
            let progress = Progress::default();
            run::run(&plan, Some(folder.path()), threads, 0.0, &progress).expect("nothing fails");
            assert!(audit::audit(folder.path()).expect("it is a run's folder").passed());
            (contents(folder.path()), folder)
        };
        let (short, folder) = run("until.goes_on = 0.9", 1);
        assert!(short == run("until.goes_on = 0.9", 8).0);
        let (long, _) = run("until.rounds = 60", 8);
        let manifest: serde_json::Value = serde_json::from_slice(&short["manifest.json"]).unwrap();
        let lengths = manifest["coalition"]["lengths"].as_array().unwrap();
        let lengths: Vec<u64> = lengths.iter().map(|one| one.as_u64().unwrap()).collect();
        let longest = *lengths.iter().max().unwrap();
        assert!(lengths.len() == 4 && longest < 60 && lengths.iter().any(|&one| one < longest));
        let is_played = |line: &&str| {
            let mut cells = line.split(',').map(|cell| cell.parse::<u64>());
            match (cells.next(), cells.next()) {
                (Some(Ok(replication)), Some(Ok(round))) => round < lengths[replication as usize],
                _ => true,
            }
        };
        let lines = |results: &BTreeMap<String, Vec<u8>>| {
            let lines = String::from_utf8(results["rounds.csv"].clone()).unwrap();
            lines.lines().filter(is_played).map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(lines(&short) == lines(&long), "{text}");
        let path = folder.path().join("manifest.json");
        for other in [longest - 1, longest + 1] {
            let text = String::from_utf8(short["manifest.json"].clone()).unwrap();
            let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
            let at = lengths.iter().position(|&one| one == longest).unwrap();
            manifest["coalition"]["lengths"][at] = other.into();
            fs::write(&path, manifest.to_string()).unwrap();
            let audited = audit::audit(folder.path()).expect("it is a run's folder");
            let check = audited.report.check("everyone in every round").expect("it is checked");
            assert!(!check.violations.is_empty(), "{other} for {longest}");
        }
    }
}

/// Changes a field of a line of `rounds.csv`, and says which rules are broken then.
fn broken_by(
    folder: &Path,
    column: &str,
    value: &str,
    which: impl Fn(&[&str]) -> bool,
) -> Vec<&'static str> {
    let path = folder.join("rounds.csv");
    let text = fs::read_to_string(&path).unwrap();
    let at = COLUMNS.iter().position(|name| *name == column).unwrap();
    let mut is_changed = false;
    let lines = text.lines().map(|line| {
        let mut fields: Vec<&str> = line.split(',').collect();
        if !is_changed && which(&fields) {
            fields[at] = value;
            is_changed = true;
        }
        fields.join(",") + "\n"
    });
    fs::write(&path, lines.collect::<String>()).unwrap();
    let audited = audit::audit(folder).unwrap();
    fs::write(&path, text).unwrap();
    assert!(is_changed && audited.changed == ["rounds.csv"]);
    let broken = audited.report.checks.into_iter().filter(|check| !check.passed());
    broken.map(|check| check.name).collect()
}

#[test]
fn the_audit_finds_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    ran(&scenario("averaging = {}", "independent"), 2, folder.path());
    let is_in = |fields: &[&str]| fields[4] == "1";
    let learns = |fields: &[&str]| fields[2].starts_with("ratio") && fields[4] == "1";
    let is_out = |fields: &[&str]| fields[2] == "never";
    let folder = folder.path();
    assert_eq!(broken_by(folder, "score", "0.123", is_in), ["scores"]);
    assert_eq!(broken_by(folder, "action", "in at 3", is_in), ["choices"]);
    assert_eq!(broken_by(folder, "played_threshold", "3", is_in), ["choices"]);
    assert_eq!(broken_by(folder, "probabilities", "0.5 0.6", is_in), ["choices"]);
    assert_eq!(broken_by(folder, "probabilities", "1 0", is_in), ["choices"]);
    let asked = |fields: &[&str]| is_in(fields) && !fields[fields.len() - 1].is_empty();
    assert_eq!(broken_by(folder, "counterfactuals", "0", asked), ["choices"]);
    assert_eq!(broken_by(folder, "counterfactuals", "0 77", asked), ["choices"]);
    assert_eq!(broken_by(folder, "next_probability", "0.123", learns), ["learning"]);
    let sent = [
        "conservation of load",
        "moves and rounds",
        "conservation of work",
        "what was learned",
        "replications",
    ];
    assert_eq!(broken_by(folder, "sent", "77", is_in), sent);
    let flow = [
        "outsiders are alone",
        "scores",
        "jobs and rounds",
        "conservation of work",
        "what was learned",
        "replications",
    ];
    assert_eq!(broken_by(folder, "flow", "1", is_out), flow);
    let who = ["everyone in every round", "conservation of work", "what was learned"];
    let found = broken_by(folder, "round", "29", is_out);
    assert!(who.iter().take(1).all(|name| found.contains(name)), "{found:?}");
}

#[test]
fn without_records_there_are_the_other_files() {
    let text = scenario("averaging = {}", "independent").replace(
        "moves = true\njobs = true",
        "rounds = false\nhistograms = false\neveryone_in = false",
    );
    let folder = tempfile::tempdir().unwrap();
    let AnyFindings::Coalition(found) = ran(&text, 2, folder.path()) else {
        panic!("it is a coalition")
    };
    let outcomes = found.learned.social.outcomes();
    let names: Vec<&str> = outcomes.iter().map(|outcome| outcome.0).collect();
    assert_eq!(names, ["as_learned", "everyone_alone"]);
    let files = contents(folder.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "alternatives.csv",
        "figures.csv",
        "learning.csv",
        "learning.svg",
        "manifest.json",
        "organizations.csv",
        "replications.csv",
        "report.html",
        "report.json",
        "summary.json",
        "timeline.csv",
        "timeline.svg",
    ];
    assert_eq!(names, expected);
    let audited = audit::audit(folder.path()).unwrap();
    assert!(audited.passed(), "{}", audited.report);
    let not_kept = audited.not_kept.unwrap();
    assert!(not_kept.contains("`output.rounds = true` keeps it"), "{not_kept}");
}

/// In independent rounds an organization without the others has the flow time that the others'
/// run tells of it alone, to the tick, under every balancer.
#[test]
fn among_one_is_what_the_rounds_tell_of_it_alone() {
    for balancer in ["averaging = {}", "bilb = {}", "none = {}"] {
        let plan = planned(&scenario(balancer, "independent"));
        let sums = |plan: &Plan| -> Vec<(u64, i128, i128)> {
            let ran = gridpact::run::run(plan, None, 2, 0.0, &Progress::default()).unwrap();
            let AnyFindings::Coalition(found) = ran.found else { panic!("a coalition has rounds") };
            let units = found.learned.organizations();
            units.map(|unit| (unit.all.jobs, unit.all.flow, unit.all.alone)).collect()
        };
        let together = sums(&plan);
        for (one, &(jobs, flow, alone)) in together.iter().enumerate() {
            let by_itself = sums(&plan.among(&[OrganizationId(one as u32)]));
            // Nobody's jobs move without a balancer, nor those of who never takes part.
            let moves = !balancer.starts_with("none") && plan.organizations[one].name != "never";
            assert!(jobs > 0 && (flow != alone) == moves, "{balancer}: {one}");
            for (other, &found) in by_itself.iter().enumerate() {
                let expected = if other == one { (jobs, alone, alone) } else { (0, 0, 0) };
                assert_eq!(found, expected, "{balancer}: {one}, {other}");
            }
        }
    }
}
