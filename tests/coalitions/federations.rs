//! Federations from their scenario to their files.

use std::fs;
use std::path::Path;

use gridpact::review::audit;
use gridpact::run::{self, Progress};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};

fn planned(text: &str) -> Plan {
    let mut files = Files::new();
    let input = Input::Bytes { name: "test", bytes: text.as_bytes().to_vec() };
    let loaded = scenario::load(input, &Overrides::default(), &mut files);
    loaded.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false))).0
}

/// Runs a scenario into a folder whose audit passes.
fn ran(text: &str, threads: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let progress = Progress::default();
    run::run(&planned(text), Some(folder.path()), threads, 0.0, &progress).expect("nothing fails");
    let audited = audit::audit(folder.path()).expect("it is a run's folder");
    assert!(audited.passed(), "{}", audited.report);
    folder
}

/// The cells of a column of a table, by the text of another.
fn column(folder: &Path, file: &str, column: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(folder.join(file)).expect("the file is there");
    let at = reader.headers().unwrap().iter().position(|name| name == column);
    let at = at.unwrap_or_else(|| panic!("{file} has {column}"));
    reader.records().map(|row| row.unwrap()).map(|row| (row[0].into(), row[at].into())).collect()
}

fn figures(folder: &Path, name: &str) -> Vec<f64> {
    let cells = column(folder, "organizations.csv", name);
    cells.iter().map(|(_, cell)| cell.parse().expect("it is a number")).collect()
}

/// Three owners who join as `learner` says, under this `[run]`, with these lines of `[coalition]`.
fn three(run: &str, coalition: &str, learner: &str) -> String {
    let drawn = "workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 10.0, \
                 processors.uniform = { min = 1, max = 6 } }";
    format!(
        "name = \"three\"\ngrid_scheduler.list = {{}}\n[run]\n{run}\n\
         [coalition]\nperiod = 100.0\n{coalition}\n[output]\njobs = true\nalone = true\n\
         [[organization]]\nname = \"small\"\ncount = 2\n{learner}\n\
         cluster.space_shared = {{ processors = 8, scheduler.easy = {{}} }}\n{drawn}\n\
         [[organization]]\nname = \"large\"\n{learner}\n\
         cluster.space_shared = {{ processors = 12, scheduler.fcfs = {{}} }}\n{drawn}\n"
    )
}

const SOME: &str = "learner.fixed.probability = 0.7";

/// Beside the federation runs the grid in which nobody ever joined: the run whose owners all say no.
#[test]
fn alone_is_the_run_in_which_nobody_ever_joined() {
    let run = "until.rounds = 40\nreplications = 4";
    let some = ran(&three(run, "", SOME), 2);
    let none = ran(&three(run, "", "learner.never = {}"), 2);
    let [some, none] = [some.path(), none.path()];
    for (alone, own) in [
        ("alone_flow_mean", "flow_mean"),
        ("alone_wait_mean", "wait_mean"),
        ("alone_bounded_slowdown_mean", "bounded_slowdown_mean"),
    ] {
        assert_eq!(figures(some, alone), figures(none, own), "{alone}");
        assert_eq!(figures(none, alone), figures(none, own), "{alone}");
    }
    assert_eq!(figures(none, "gain"), [0.0; 4]);
    let (flow, alone) = (figures(some, "flow_mean"), figures(some, "alone_flow_mean"));
    for ((gain, flow), alone) in figures(some, "gain").iter().zip(flow).zip(alone) {
        assert!((gain - (1.0 - flow / alone)).abs() < 1e-9 && *gain != 0.0, "{gain}");
    }
    // As many jobs hold as many processors, wherever they run.
    let [used, unused] = [some, none].map(|folder| figures(folder, "utilization"));
    assert!((used[3] - unused[3]).abs() < 0.01 && (0.1..1.0).contains(&used[3]), "{used:?}");
}

/// Rounds that begin with empty clusters: each is played by itself, until its jobs have ended.
#[test]
fn independent_rounds_begin_empty_and_are_played_to_their_end() {
    let run = "until.rounds = 40\nreplications = 4";
    let folders = [1, 2].map(|threads| ran(&three(run, "rounds.independent = {}", SOME), threads));
    let read = |folder: &tempfile::TempDir| fs::read(folder.path().join("jobs.csv")).unwrap();
    assert!(read(&folders[0]) == read(&folders[1]));
    let folder = folders[0].path();
    let mut reader = csv::Reader::from_path(folder.join("jobs.csv")).unwrap();
    let names = reader.headers().unwrap().clone();
    let at = |name: &str| names.iter().position(|one| one == name).unwrap();
    let [submit, finish] = ["submission_time", "finish_time"].map(at);
    let (mut beyond, mut by_round) = (0, vec![0; 40]);
    for row in reader.records().map(|row| row.unwrap()) {
        let [submit, finish] =
            [submit, finish].map(|at| row[at].parse::<f64>().expect("every job ends"));
        let round = (submit / 100.0) as usize;
        by_round[round] += 1;
        beyond += usize::from(finish >= 100.0 * (round + 1) as f64);
    }
    assert!(beyond > 100 && by_round.iter().all(|&jobs| jobs > 30), "{by_round:?}");
    // Whoever stays out is alone in its round, and so loses and gains nothing.
    let out = ran(&three(run, "rounds.independent = {}", "learner.never = {}"), 2);
    assert_eq!(figures(out.path(), "gain"), [0.0; 4]);
    assert_eq!(figures(out.path(), "score"), [0.0; 4]);
}

/// A trace gives one of its whole periods, and that of the same week to everybody.
#[test]
fn traces_give_the_same_piece_to_all() {
    let home = tempfile::tempdir().unwrap();
    let list = |name: &str, first: u32| {
        let file = home.path().join(format!("{name}.csv"));
        let line = |piece: u32| format!("{},{},1\n", 100 * piece + first, 10 * (piece + 1));
        let lines: String = (0..5).map(line).collect();
        fs::write(&file, format!("submit,runtime,processors\n{lines}")).unwrap();
        format!(
            "[[organization]]\nname = \"{name}\"\nlearner.never = {{}}\n\
             cluster.space_shared = {{ processors = 8, scheduler.easy = {{}} }}\n\
             workload.jobs.file = \"{}\"\n",
            file.display()
        )
    };
    let text = format!(
        "name = \"pieces\"\n[run]\nuntil.rounds = 60\n\
         [coalition]\nperiod = 100.0\nrounds.independent = {{}}\n[output]\njobs = true\n{}{}",
        list("a", 30),
        list("b", 70)
    );
    let folder = ran(&text, 1);
    let mut reader = csv::Reader::from_path(folder.path().join("jobs.csv")).unwrap();
    let names = reader.headers().unwrap().clone();
    let at = |name: &str| names.iter().position(|one| one == name).unwrap();
    let (submit, length) = (at("submission_time"), at("execution_time"));
    let mut pieces = vec![Vec::new(); 60];
    for row in reader.records().map(|row| row.unwrap()) {
        let submit: f64 = row[submit].parse().unwrap();
        pieces[(submit / 100.0) as usize].push((submit % 100.0, row[length].to_owned()));
    }
    let mut seen: Vec<String> = Vec::new();
    for piece in &mut pieces {
        piece.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert_eq!(piece.iter().map(|one| one.0).collect::<Vec<_>>(), [30.0, 70.0]);
        assert_eq!(piece[0].1, piece[1].1, "both come from the same period");
        seen.push(piece[0].1.clone());
    }
    seen.sort();
    seen.dedup();
    // The fifth of `a` may be cut short: its window goes on after the last job.
    assert_eq!(seen.len(), 4, "in 60 rounds each of 4 is drawn but with 4 (3/4)^60 < 2e-7");
}

/// With one replication the intervals of what is gained come from batches of rounds.
#[test]
fn one_replication_has_an_interval_of_what_it_gains() {
    let folder = ran(&three("until.rounds = 400", "", SOME), 1);
    for name in ["gain", "alone_flow_mean", "alone_wait_mean", "wait_mean"] {
        let [mean, low, high] =
            ["", "_low", "_high"].map(|end| figures(folder.path(), &format!("{name}{end}")));
        for ((mean, low), high) in mean.iter().zip(low).zip(high) {
            assert!(low < *mean && *mean < high, "{name}");
        }
    }
    let summary = fs::read_to_string(folder.path().join("summary.json")).unwrap();
    assert!(summary.contains("over the run, against one in which nobody ever joined"), "{summary}");
}

/// In real traces a piece begins at the same weekday and hour of local time.
#[test]
fn pieces_of_real_traces_begin_at_the_same_hour_of_the_week() {
    let text = fs::read_to_string("scenarios/federation-traces.toml").unwrap();
    let text = text.replace("\"traces/", "\"scenarios/traces/");
    let text = text.replace("period =", "rounds.independent = {}\nperiod =");
    for (begins, is_alike) in [("aligned", true), ("offset", false)] {
        let text = text.replace("period =", &format!("pieces.{begins} = {{}}\nperiod ="));
        let plan = planned(&text);
        let pieces = plan.coalition().unwrap().pieces(&plan.workloads);
        // Of each workload the date of its first piece, by hand: UnixStartTime, TimeZone and what
        // the rules of the scenario or the file's own leave out.
        let hours = plan.workloads.iter().zip(&pieces.first).map(|(workload, first)| {
            let zone = if workload.name == "ctc" { -18_000 } else { 3600 };
            let at = workload.kind.start().unwrap() + zone + (first.ticks() / 1_000_000);
            at.rem_euclid(604_800)
        });
        let hours: Vec<i64> = hours.collect();
        assert_eq!(hours.iter().all(|&hour| hour == hours[0]), is_alike, "{hours:?}");
        assert!((7..=8).contains(&pieces.count), "{}", pieces.count);
        assert!(pieces.first.iter().all(|first| first.ticks() < 86_400 * 1_000_000));
    }
}

/// Before, the alone world of a federation whose owners follow a plan ran others' jobs.
#[test]
fn mistakes_are_told() {
    let told = |text: &str| {
        let mut files = Files::new();
        let input = Input::Bytes { name: "test", bytes: text.as_bytes().to_vec() };
        let loaded = scenario::load(input, &Overrides::default(), &mut files);
        render(&loaded.expect_err("it is wrong"), &files, false)
    };
    let run = "until.rounds = 4";
    let text = three(run, "plays = \"follow\"", SOME);
    let text = text.replace("grid_scheduler.list = {}", "planner.ilba = {}");
    assert!(told(&text).contains("nobody is alone where owners follow a plan or not"));
    let text = three(run, "pieces.offset = {}", SOME);
    assert!(told(&text).contains("jobs go on from round to round, which play no pieces"));
    let job = "[[job]]\norganization = \"large\"\nsubmit = 5.0\nruntime = 9.0\nprocessors = 4\n";
    let text = three(run, "rounds.independent = {}", SOME) + job;
    assert!(told(&text).contains("no period of 100 units lies within all traces and lists"));
}
