//! A run of a grid: rigid jobs on clusters.

use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::pulse::{Estimate, Pulse, flow_of};
use super::records::{Desk, Gathered, Leavings, Marks, Sheets, form};
use super::session::{self, NotBegun, Replica, Session};
use super::watch::{self, Kept, Watch};
use super::{Cost, Progress, RunError, Way, each, rounded};
use crate::kernel::engine::Engine;
use crate::kernel::state::{State as _, all_taken, put, take};
use crate::kernel::time::{Span, Time};
use crate::report::enough::{self, Ended, Goal, Known, Watch as Patience};
use crate::report::files::FileError;
use crate::report::json::{self, Manifest, Timing};
use crate::report::results::{Results, Window};
use crate::report::{histograms, organizations, timeline};
use crate::scenario::plan::precision::{By, Precision};
use crate::scenario::plan::{Plan, PlannedGrid, Until};
use crate::sim::accounts::{Accounts, Counting};
use crate::sim::observer::Observer;
use crate::sim::scout::Scout;
use crate::sim::timeline::Timeline;
use crate::stats::mser::Doubt;

/// What one replication found.
struct Found {
    accounts: Accounts,
    timeline: Option<Timeline>,
    window: Window,
    end: Time,
    wakes: u64,
    jobs: u64,
    /// How it ended, where its batches were to be precise.
    ended: Option<Ended>,
    sheets: Sheets,
}

/// Runs all replications; gives what they found, what they cost, and the records of their jobs.
pub(super) fn run(plan: &Plan, way: &Way<'_>) -> Result<(Results, Cost, Gathered), RunError> {
    let desk = way.claim.map(|claim| Desk::new(claim, form(plan), watch::kinds(plan)));
    let mut gathered = desk.as_ref().map(Desk::gather).unwrap_or_default();
    let session = way.session(plan)?;
    let mut results = Results::new(plan);
    let mut jobs = 0;
    let (mut goal, mut stopped) = (Goal::new(plan), None);
    each(
        &mut goal,
        way.threads,
        |number| replicate(plan, desk.as_ref(), session.as_ref(), way, number),
        |found: Found, goal| {
            let Found { accounts, window, end, wakes, ended, .. } = &found;
            results.add(accounts, *window, *end, *wakes);
            results.add_timeline(found.timeline.as_ref());
            stopped = *ended;
            goal.added(results.replications.len() as u32, |precision| {
                enough::of_grid(precision, &results)
            });
            jobs += found.jobs;
            Ok(gathered.add(found.sheets)?)
        },
    )?;
    let ended = goal.ended().or(stopped);
    results.known = ended.and_then(|ended| Known::of_grid(plan, &results, ended));
    let spent = session.map(|session| session.spent()).unwrap_or_default();
    let cost = Cost { jobs, wakes: results.wakes, rounds: None, spent };
    Ok((results, cost, gathered))
}

/// Writes the files of a run.
pub(super) fn leave(
    plan: &Plan,
    results: &Results,
    timing: &Timing,
    records: Gathered,
    way: &Way<'_>,
) -> Result<(), FileError> {
    let Some(claim) = way.claim else { return Ok(()) };
    let mut leavings = Leavings::new(claim);
    leavings.records(records)?;
    leavings.write("organizations.csv", &organizations::render(plan, results))?;
    if plan.counting.quantiles {
        leavings.write("histograms.hlog", &histograms::render(plan, results))?;
    }
    if let Some(timelines) = &results.timelines {
        leavings.write("timeline.csv", &timeline::csv::render(plan, timelines))?;
        leavings.write("timeline.svg", &timeline::picture::render(plan, timelines))?;
    }
    leavings.write("summary.json", &json::summary(plan, results))?;
    leavings.publish(timing, |digests| Manifest::new(plan, results, digests))
}

fn replicate(
    plan: &Plan,
    desk: Option<&Desk>,
    session: Option<&Session<'_>>,
    way: &Way<'_>,
    number: u32,
) -> Result<Found, RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    let desk = Sheeted { plan, desk, number, progress: way.progress };
    let replica = session::play(session, way, number, |saved| match saved {
        None => desk.begin().map_err(NotBegun::Run),
        Some(saved) => desk.resume(saved),
    })?;
    let found = replica.finish()?;
    way.progress.board.ended(number, flow_of(&found.accounts));
    let Found { jobs, wakes, end, .. } = found;
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(jobs, wakes, %end, seconds, "replication ended");
    Ok(found)
}

/// What it takes to begin a replication.
#[derive(Clone, Copy)]
struct Sheeted<'a> {
    plan: &'a Plan,
    desk: Option<&'a Desk>,
    number: u32,
    progress: &'a Progress,
}

/// A replication under way.
struct Running<'a> {
    of: Sheeted<'a>,
    phase: Phase,
    /// What was told of it as progress.
    told: Told,
}

/// What is run of a replication.
#[allow(clippy::large_enum_variant)] // one of them a thread
enum Phase {
    /// It, to find what counts.
    Scouting(Engine<PlannedGrid<Scout>>),
    /// It.
    Counting(Counting, Option<Doubt>, Engine<PlannedGrid<Watch>>),
}

#[derive(Clone, Copy, Default)]
struct Told {
    jobs: u64,
    ticks: u64,
}

/// What is saved before a replication's state, so that what it is loaded into can be built.
#[derive(Serialize, Deserialize)]
struct Head {
    until: Until,
    is_scouting: bool,
    window: (Time, Time),
    doubt: Option<Doubt>,
    batches: bool,
    /// Jobs submitted, and those of them left out since they came too late.
    submitted: u64,
    after: u64,
    now: Time,
    /// The precision that a run in batches waits for.
    waits_for: Option<Precision>,
    marks: Marks,
}

impl<'a> Sheeted<'a> {
    fn begin(self) -> Result<Running<'a>, RunError> {
        let phase = if self.plan.found.anything() {
            Phase::Scouting(self.scout()?)
        } else {
            self.counted(self.plan.counting, None)?
        };
        Ok(Running { of: self, phase, told: Told::default() })
    }

    fn scout(self) -> Result<Engine<PlannedGrid<Scout>>, RunError> {
        Ok(self.plan.build(self.number, Scout::default())?.start())
    }

    fn counted(self, counting: Counting, doubt: Option<Doubt>) -> Result<Phase, RunError> {
        let sheets = self.desk.map(|desk| desk.begin(self.number)).transpose()?;
        self.counting(counting, doubt, sheets.unwrap_or_default())
    }

    fn counting(
        self,
        counting: Counting,
        doubt: Option<Doubt>,
        sheets: Sheets,
    ) -> Result<Phase, RunError> {
        let plan = self.plan;
        let watch = Watch::new(plan, self.number, counting, sheets);
        let engine = plan.build(self.number, watch)?.start();
        Ok(Phase::Counting(counting, doubt, engine))
    }

    /// As it was saved.
    fn resume(self, mut saved: &[u8]) -> Result<Running<'a>, NotBegun> {
        let plan = self.plan;
        let head: Head = take(&mut saved)?;
        if !self.can_go_on(&head) {
            return Err(NotBegun::Past);
        }
        let phase = if head.is_scouting {
            let mut engine = self.scout()?;
            engine.load(&mut saved)?;
            Phase::Scouting(engine)
        } else {
            let sheets = match self.desk {
                None => Vec::new(),
                Some(desk) => desk.reopen(self.number, &head.marks)?.ok_or_else(|| {
                    NotBegun::Unfit("its records are not there, or not what they were".to_owned())
                })?,
            };
            let (from, until) = match head.until == plan.until {
                true => head.window,
                false => (plan.counting.from, plan.counting.until),
            };
            let counting = Counting { from, until, batches: head.batches, ..plan.counting };
            let mut phase = self.counting(counting, head.doubt, sheets)?;
            if let Phase::Counting(.., engine) = &mut phase {
                engine.load(&mut saved)?;
            }
            phase
        };
        all_taken(saved)?;
        // What was done before was told by whoever did it.
        let mut running = Running { of: self, phase, told: Told::default() };
        running.tell();
        Ok(running)
    }

    /// Whether a run of this plan comes by where this was saved.
    fn can_go_on(self, head: &Head) -> bool {
        let plan = self.plan;
        if plan.counting.batches && !head.batches || waits_for(plan) != head.waits_for {
            return false;
        }
        if head.until == plan.until {
            return true;
        }
        // What counts may end elsewhere, and sources that were closed are not opened again.
        let was_open = match head.until {
            Until::Jobs(most) => head.submitted < most,
            Until::Drained | Until::Time(_) | Until::Rounds(_) => true,
        };
        let is_before = match plan.until {
            Until::Drained => true,
            Until::Time(time) => head.now < time,
            Until::Jobs(most) => head.submitted < most,
            Until::Rounds(_) => false,
        };
        was_open && is_before && head.after == 0 && !plan.found.anything()
    }
}

impl Running<'_> {
    /// Tells how far it is.
    fn tell(&mut self) {
        let (jobs, now) = match &self.phase {
            Phase::Scouting(engine) => (engine.world().counts().submitted, engine.now()),
            Phase::Counting(.., engine) => (engine.world().counts().submitted, engine.now()),
        };
        let ticks = now.ticks() as u64;
        let progress = self.of.progress;
        progress.jobs.fetch_add(jobs - self.told.jobs, Ordering::Relaxed);
        progress.ticks.fetch_add(ticks - self.told.ticks, Ordering::Relaxed);
        self.told = Told { jobs, ticks };
    }

    fn finish(self) -> Result<Found, RunError> {
        let Phase::Counting(counting, doubt, engine) = self.phase else {
            unreachable!("a replication ends by counting")
        };
        let plan = self.of.plan;
        let jobs = engine.world().counts().submitted;
        let wakes = engine.wakes();
        let patience = engine.world().observer().patience.as_ref();
        let is_over = patience.is_some_and(Patience::is_over);
        // As if it were known beforehand, and nothing happened at that time any more.
        let end = if is_over { engine.now() + Span::from_ticks(1) } else { end(plan, &engine) };
        let (sheets, kept) = engine.into_world().finish(end).finish()?;
        let Kept { mut accounts, timeline, patience } = kept;
        let ended = patience.map(|patience| patience.ended(jobs));
        if !plan.counting.batches {
            accounts.forget_batches();
        }
        let window = Window { from: counting.from, until: counting.until, doubt };
        Ok(Found { accounts, timeline, window, end, wakes, jobs, ended, sheets })
    }
}

impl Replica for Running<'_> {
    fn advance(&mut self, jobs: u64) -> Result<bool, RunError> {
        let plan = self.of.plan;
        let more = match &mut self.phase {
            Phase::Scouting(engine) => {
                if !drive(plan, engine, jobs, |_| false)? {
                    let (counting, doubt) = counting(plan, engine.world().observer());
                    tracing::info!(from = %counting.from, ?doubt, "first run ended");
                    self.tell();
                    self.told = Told::default();
                    self.phase = self.of.counted(counting, doubt)?;
                }
                true
            }
            Phase::Counting(.., engine) => {
                let more = drive(plan, engine, jobs, Watch::is_enough)?;
                engine.watched().observer_mut().check()?;
                more
            }
        };
        self.tell();
        Ok(more)
    }

    fn seen(&self) -> (u64, u64) {
        let before = if let Phase::Counting(..) = self.phase { 1 } else { 0 };
        // A replication that begins to count is further than one that scouts.
        (self.told.jobs + before, 0)
    }

    fn rank(mut saved: &[u8]) -> Option<u64> {
        let head: Head = take(&mut saved).ok()?;
        // Whatever counts is further than what scouts.
        Some(if head.is_scouting { 0 } else { 1 + head.now.ticks() as u64 })
    }

    fn is_landmark(&self) -> bool {
        let (Phase::Counting(.., engine), Until::Jobs(most)) = (&self.phase, self.of.plan.until)
        else {
            return false;
        };
        // Once the last job has come, sources are closed.
        let submitted = engine.world().counts().submitted;
        submitted < most && most - submitted <= most / 8
    }

    fn pulse(&self) -> Pulse {
        let number = self.of.number;
        match &self.phase {
            Phase::Scouting(engine) => Pulse { is_first_run: true, ..pulse(number, engine) },
            Phase::Counting(.., engine) => {
                let accounts = &engine.world().observer().accounts;
                Pulse { flow: Estimate::of_flow(accounts), ..pulse(number, engine) }
            }
        }
    }

    fn save(&mut self, safely: bool, out: &mut Vec<u8>) -> Result<(), RunError> {
        let until = self.of.plan.until;
        match &mut self.phase {
            Phase::Scouting(engine) => {
                put(
                    &Head {
                        until,
                        is_scouting: true,
                        window: (Time::ZERO, Time::NEVER),
                        doubt: None,
                        batches: self.of.plan.counting.batches,
                        submitted: engine.world().counts().submitted,
                        after: 0,
                        now: engine.now(),
                        waits_for: waits_for(self.of.plan),
                        marks: Vec::new(),
                    },
                    out,
                );
                engine.save(out);
            }
            Phase::Counting(counting, doubt, engine) => {
                let marks = engine.watched().observer_mut().marks(safely)?;
                let accounts = &engine.world().observer().accounts;
                put(
                    &Head {
                        until,
                        is_scouting: false,
                        window: (counting.from, counting.until),
                        doubt: *doubt,
                        batches: accounts.is_batched(),
                        submitted: engine.world().counts().submitted,
                        after: accounts.uncounted().after,
                        now: engine.now(),
                        waits_for: waits_for(self.of.plan),
                        marks,
                    },
                    out,
                );
                engine.save(out);
            }
        }
        Ok(())
    }
}

/// How a replication is.
fn pulse<O: Observer>(replication: u32, engine: &Engine<PlannedGrid<O>>) -> Pulse {
    let counts = engine.world().counts();
    Pulse {
        replication,
        time: engine.now().as_units(),
        submitted: Some(counts.submitted),
        finished: counts.finished,
        waiting: Some(counts.submitted - counts.rejected - counts.started),
        running: Some(counts.started - counts.finished),
        ..Pulse::default()
    }
}

/// Which jobs of a replication count, by what its first run found.
fn counting(plan: &Plan, scout: &Scout) -> (Counting, Option<Doubt>) {
    let mut found = (plan.counting, None);
    if plan.found.warm_up {
        found = scout.without_warm_up(found.0);
    }
    if let Some(cool_down) = plan.found.cool_down {
        found.0 = scout.without_cool_down(found.0, cool_down);
    }
    found
}

/// The time at which a plan's replications stop, if they do.
fn limit(plan: &Plan) -> Time {
    match plan.until {
        Until::Time(time) => time,
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => Time::NEVER,
    }
}

/// When a replication that was driven to its end ended.
fn end<O: Observer>(plan: &Plan, engine: &Engine<PlannedGrid<O>>) -> Time {
    if limit(plan) == Time::NEVER { engine.now() } else { limit(plan) }
}

/// Until what the batches of one run tell how well, whatever bounds it.
fn waits_for(plan: &Plan) -> Option<Precision> {
    let precision = plan.precision.clone().filter(|precision| precision.by == By::Batches);
    precision.map(|precision| Precision { at_most: 0, ..precision })
}

/// Runs so many instants, unless what watches stops it before; false when the replication has
/// ended.
fn drive<O: Observer>(
    plan: &Plan,
    engine: &mut Engine<PlannedGrid<O>>,
    instants: u64,
    mut stops: impl FnMut(&mut O) -> bool,
) -> Result<bool, RunError> {
    let limit = limit(plan);
    for _ in 0..instants {
        if stops(engine.watched().observer_mut()) {
            return Ok(false);
        }
        if engine.upcoming().is_none_or(|(at, _)| at >= limit) {
            return Ok(false);
        }
        engine.step()?;
    }
    Ok(true)
}
