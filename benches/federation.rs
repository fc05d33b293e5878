//! Cost of a job in a federation, against the same jobs without rounds.
//!
//! Four centers whose jobs follow the model of Lublin and Feitelson, 400 days, a decision a day. The
//! baseline is one grid of them all under the same grid scheduler, whose run has no `[coalition]`. The
//! columns are a federation that nobody joins, one that all join, whose scores take a copy of the world
//! an owner and round, the same with half of each cluster for others at most, and one of learners that
//! also want to know what joining would have brought.
//! Whole runs without files of jobs and without `output.everyone_in`, which plays one more world; times are
//! processor time on one thread.

mod common;

use std::path::Path;

use common::*;
use gridpact::run::{self, Progress, folder};
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};

const DAYS: u64 = 400;
const APART: &str = "no rounds, apart";
const HALF: &str = "all join, half is lent";
const ONE_GRID: &str = "no rounds, one grid";

/// A scenario of four centers with this at its head and in each organization, as the column says: one grid
/// fills clusters by itself, and half of each is lent at most.
fn centers(head: &str, each: &str, column: &str) -> String {
    let center = |number: u32, processors: u32| {
        let more = match column {
            ONE_GRID => String::new(),
            HALF => format!(", share = {}, scheduler.easy = {{}}", processors / 2),
            _ => ", scheduler.easy = {}".to_owned(),
        };
        format!(
            "[[organization]]\nname = \"center-{number}\"\n{each}\n\
             cluster.space_shared = {{ processors = {processors}{more} }}\n\
             workload.lublin_feitelson = {{ processors = {processors}, load = 0.7 }}\n"
        )
    };
    let centers: String = (1..).zip([96, 96, 64, 64]).map(|(n, size)| center(n, size)).collect();
    format!("name = \"bench\"\noutput.jobs = false\noutput.timeline = false\n{head}\n{centers}")
}

/// Runs a scenario; returns the number of its jobs.
fn jobs(text: &str, place: &Path) -> u64 {
    let file = place.join("s.toml");
    std::fs::write(&file, text).expect("the scenario can be written");
    let (plan, _) = scenario::load(Input::File(&file), &Overrides::default(), &mut Files::new())
        .expect("the scenario is right");
    let results = place.join("results");
    drop(folder::prepare(&results, &plan, true).expect("the folder can be written"));
    let outcome = run::run(&plan, Some(&results), 1, 0.0, &Progress::default());
    outcome.expect("nothing goes wrong").timing.jobs
}

fn main() {
    let mut criterion = criterion();
    let folder = tempfile::tempdir().expect("a folder for results");
    let mut table = Table::new(&mut criterion, "federations", "job", ONE_GRID);
    let rounds = format!(
        "run.until.rounds = {DAYS}\ncoalition.period = 86400.0\noutput.everyone_in = false"
    );
    let time = format!("run.until.time = {}.0", DAYS * 86_400);
    for scheduler in ["list", "best_fit"] {
        let grid = format!("grid_scheduler.{scheduler} = {{}}");
        for (column, head, each) in [
            (APART, time.clone(), ""),
            (ONE_GRID, format!("{time}\n{grid}"), ""),
            ("nobody joins", format!("{rounds}\n{grid}"), "learner.never = {}"),
            ("all join", format!("{rounds}\n{grid}"), "learner.always = {}"),
            (HALF, format!("{rounds}\n{grid}"), "learner.always = {}"),
            (
                "learners",
                format!("{rounds}\n{grid}"),
                "learner.ratio = { initial = 0.5, rate = 0.1 }",
            ),
            ("learners that ask more", format!("{rounds}\n{grid}"), "learner.hedge = {}"),
        ] {
            let text = centers(&head, each, column);
            let count = jobs(&text, folder.path());
            let run = || jobs(&text, folder.path());
            table.measure_by(processor_time, scheduler, column, count, || (), |()| run());
        }
    }
    table.finish();
}
