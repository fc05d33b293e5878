//! A world from outside: two people throw dice. It has records, resumes, stops at a precision, and
//! gets its summary, CSV and JSON without a line in the library.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering};

use gridpact::findings::measure::{Better, Kind as Averaged, Measure, Unit};
use gridpact::findings::target::{By, Precision, Width};
use gridpact::findings::{sample::Sample, unit::units};
use gridpact::kernel::rng::Streams;
use gridpact::report::words::screen::View;
use gridpact::report::world::text;
use gridpact::run::control::{Control, Every};
use gridpact::run::sheet::{OpenRecords, Sheet};
use gridpact::run::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use gridpact::run::{Progress, RunError, RunSettings, conduct::conduct, folder};
use gridpact::scenario::plan::{Plan, Until};
use gridpact::state_of_fields;
use rand::RngExt as _;

static POINTS: Measure = Measure {
    name: "points",
    summary: "Mean points of a throw.",
    unit: Unit::Number,
    better: Better::More,
    kind: Averaged::Ratio,
    worlds: &["dice"],
};
const NAMES: [&str; 2] = ["ann", "bob"];

/// The world; `stop` is set when a replication has seen so many rounds.
struct Dice {
    plan: Plan,
    stop: Option<(u64, Arc<AtomicBool>)>,
}

struct Throwing<'a> {
    of: &'a Dice,
    number: u32,
    round: u64,
    sums: [u64; 2],
    lines: Option<Sheet>,
}
state_of_fields!(Throwing<'_> { round, sums });

impl Replica for Throwing<'_> {
    type Head = u64;
    type Outcome = (u64, [u64; 2]);
    fn finish(self) -> Result<(Self::Outcome, Sheets), RunError> {
        Ok(((self.round, self.sums), vec![self.lines]))
    }
    fn head(&self) -> u64 {
        self.round
    }
    fn rank(round: &u64) -> u64 {
        *round
    }
    fn advance(&mut self, _: u64) -> Result<bool, RunError> {
        let streams = Streams::new(self.of.plan.seed).in_replication(self.number.into());
        let mut dice = streams.in_round(self.round).stream("dice");
        for (sum, name) in self.sums.iter_mut().zip(NAMES) {
            let points = dice.random_range(1..=6_u64);
            *sum += points;
            if let Some(lines) = &mut self.lines {
                let line = format!("{},{},{name},{points}\n", self.number, self.round);
                lines.write_all(line.as_bytes()).map_err(|error| lines.wrong(error))?;
            }
        }
        self.round += 1;
        if let Some((_, stop)) = self.of.stop.as_ref().filter(|(at, _)| *at == self.round) {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(self.round < self.of.plan.rounds())
    }
    fn seen(&self) -> Seen {
        Seen { rounds: self.round, ..Seen::default() }
    }
    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        vec![self.lines.as_mut().map(|lines| lines as _)]
    }
}

impl Runnable for Dice {
    type Replica<'a> = Throwing<'a>;
    type Head = u64;
    type Outcome = (u64, [u64; 2]);
    type Findings = Sample;
    fn records(&self) -> Vec<Option<Kind>> {
        vec![Some(("throws.csv", |out| writeln!(out, "replication,round,person,points")))]
    }
    fn begin(&self, new: NewReplication<'_>, _: Option<&u64>) -> Result<Throwing<'_>, RunError> {
        let lines = new.sheets.into_iter().next().flatten();
        Ok(Throwing { of: self, number: new.number, round: 0, sums: [0; 2], lines })
    }
    fn passes(&self, round: &u64, _: u32, _: &RunContext<'_>) -> Result<bool, RunError> {
        Ok(*round <= self.plan.rounds())
    }
    fn findings(&self) -> Sample {
        let units = units(&NAMES.map(str::to_owned), &[]);
        Sample::new(units, [&POINTS], self.plan.counting.level, false)
    }
    fn add(&self, findings: &mut Sample, (throws, sums): Self::Outcome) {
        for (unit, sum) in [sums[0], sums[1], sums[0] + sums[1]].into_iter().enumerate() {
            let people = if unit == 2 { 2.0 } else { 1.0 };
            findings.put(unit, &POINTS, sum as f64, people * throws as f64);
        }
        findings.end_replication();
    }
    fn name(&self) -> &'static str {
        "dice"
    }
}

fn plan() -> Plan {
    let mut plan = Plan::new("dice");
    (plan.until, plan.replications) = (Until::Rounds(50), 4);
    plan
}

fn run(plan: &Plan, folder: &Path, stop: Option<u64>) -> Result<(Sample, String), RunError> {
    let flag = Arc::new(AtomicBool::new(false));
    let (control, progress) = (Control::new(Arc::clone(&flag)), Progress::default());
    let claim = folder::Claim::of(folder)?;
    let (claim, every) = (Some(&claim), Some(Every::Rounds(7)));
    let way = RunSettings {
        claim,
        every,
        threads: 2,
        read_seconds: 0.0,
        progress: &progress,
        control: &control,
        replay: None,
    };
    let world = Dice { plan: plan.clone(), stop: stop.map(|at| (at, flag)) };
    let (found, timing) = conduct(&world, plan, &way)?;
    let summary = text(plan, &*world.report(&found), &timing, None, View::default());
    Ok((found, summary))
}

#[test]
fn a_world_from_outside_is_run_like_our_own() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for results in [&whole, &cut] {
        drop(folder::prepare(results.path(), &plan(), false).unwrap());
    }
    let (_, summary) = run(&plan(), whole.path(), None).unwrap();
    assert!(summary.contains("bob") && summary.contains("played 200 rounds in"), "{summary}");
    // Killed at three moments, it goes on to the same bytes.
    for at in [3, 20, 45] {
        assert!(matches!(run(&plan(), cut.path(), Some(at)), Err(RunError::Interrupted)));
    }
    run(&plan(), cut.path(), None).unwrap();
    for file in ["throws.csv", "figures.csv", "replications.csv", "summary.json", "manifest.json"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(read(whole.path()), read(cut.path()), "{file}");
    }
    // It stops at a precision: the interval is that of so many throws of the variance 35/12.
    let mut precise = plan();
    (precise.lineage, precise.replications) = ("until precise".to_owned(), 900);
    let (by, width, metrics) = (By::Replications, Width::Absolute(0.05), vec![&POINTS]);
    precise.precision =
        Some(Precision { metrics, width, organizations: None, by, at_least: 5, at_most: 900 });
    let (found, _) = run(&precise, tempfile::tempdir().unwrap().path(), None).unwrap();
    let throws = 100.0 * f64::from(found.replications());
    let half_width = found.figures_of(2, found.level())[0].interval.unwrap().half_width();
    assert!(half_width <= 0.05 && found.known.as_ref().unwrap().is_reached());
    // To within a factor of two, as the variance is estimated from few replications.
    let expected = 1.96 * (35.0 / 12.0 / throws).sqrt();
    assert!((0.5..2.0).contains(&(half_width / expected)), "{half_width}, {expected}");
}
