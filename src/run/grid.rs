//! Runs a grid: rigid jobs on clusters.

use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::pulse::{Estimate, Pulse, flow_of};
use super::records::{Desk, Gathered, Leavings, Marks, Sheets, form};
use super::scouting::Windows;
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
use crate::report::steady::Early;
use crate::report::trace_waits::TraceWaits;
use crate::report::typical::Typical;
use crate::report::welch::Welch;
use crate::report::{histograms, organizations, timeline};
use crate::scenario::plan::precision::{By, Precision};
use crate::scenario::plan::{Plan, PlannedGrid, Until};
use crate::sim::accounts::{Accounts, Counting};
use crate::sim::observer::Observer;
use crate::sim::scout::Scout;
use crate::sim::timeline::Timeline;
use crate::stats::mser::{Doubt, Series};

/// Result of one replication.
struct Found {
    accounts: Accounts,
    timeline: Option<Timeline>,
    typical: Typical,
    trace_waits: TraceWaits,
    early: Early,
    welch: Option<Series>,
    window: Window,
    end: Time,
    wakes: u64,
    jobs: u64,
    /// The reason it ended, if batch precision was asked for.
    ended: Option<Ended>,
    sheets: Sheets,
}

/// Runs all replications; returns their results, their cost and the records of their jobs.
pub(super) fn run(plan: &Plan, way: &Way<'_>) -> Result<(Results, Cost, Gathered), RunError> {
    let desk = way.claim.map(|claim| Desk::new(claim, form(plan), watch::kinds(plan)));
    let mut gathered = desk.as_ref().map(Desk::gather).unwrap_or_default();
    let session = way.session(plan)?;
    let windows = Windows::find(plan, session.as_ref(), way)?;
    let mut results = Results::new(plan);
    let mut jobs = 0;
    let (mut goal, mut stopped) = (Goal::new(plan), None);
    each(
        &mut goal,
        way.threads,
        |number| replicate(plan, &windows, desk.as_ref(), session.as_ref(), way, number),
        |found: Found, goal| {
            let Found { accounts, window, end, wakes, ended, .. } = &found;
            results.add(accounts, *window, *end, *wakes);
            results.add_timeline(found.timeline.as_ref());
            results.add_steadiness(&found.early, &found.typical);
            results.trace_waits.merge(&found.trace_waits);
            stopped.clone_from(ended);
            goal.added(results.replications.len() as u32, |precision| {
                enough::look(precision, &results)
            });
            way.progress.board.held(goal.held());
            jobs += found.jobs;
            results.welch.extend(found.welch);
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
    if plan.output.welch {
        let from = results.replications.first().map_or(Time::ZERO, |one| one.window.from);
        let welch = Welch::new(&results.welch, from);
        leavings.write("warm-up.csv", &welch.csv())?;
        leavings.write("warm-up.svg", &welch.svg(plan))?;
    }
    leavings.write("summary.json", &json::summary(plan, results))?;
    leavings.publish(timing, |digests| Manifest::new(plan, results, digests))
}

fn replicate(
    plan: &Plan,
    windows: &Windows,
    desk: Option<&Desk>,
    session: Option<&Session<'_>>,
    way: &Way<'_>,
    number: u32,
) -> Result<Found, RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    let counting = windows.counting(plan, session, way, number)?;
    let doubt = windows.cut.and_then(|cut| cut.doubt);
    let desk = Sheeted { plan, counting, desk, number, progress: way.progress };
    let replica = session::play(session, way, number, |saved| match saved {
        None => desk.begin().map_err(NotBegun::Run),
        Some(saved) => desk.resume(saved),
    })?;
    let found = replica.finish(doubt)?;
    way.progress.board.ended(number, flow_of(&found.accounts));
    let Found { jobs, wakes, end, .. } = found;
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(jobs, wakes, %end, seconds, "replication ended");
    Ok(found)
}

/// Everything needed to start a replication.
#[derive(Clone, Copy)]
struct Sheeted<'a> {
    plan: &'a Plan,
    /// Defines which of its jobs count.
    counting: Counting,
    desk: Option<&'a Desk>,
    number: u32,
    progress: &'a Progress,
}

/// A replication under way.
struct Running<'a> {
    of: Sheeted<'a>,
    engine: Engine<PlannedGrid<Watch>>,
    /// Jobs and ticks already added to the progress.
    told: Told,
}

#[derive(Clone, Copy, Default)]
struct Told {
    jobs: u64,
    ticks: u64,
}

/// Header saved before a replication's state, so that its target can be built before loading.
#[derive(Serialize, Deserialize)]
struct Head {
    until: Until,
    window: (Time, Time),
    batches: bool,
    /// Jobs submitted so far; `after` counts those left out because they came too late.
    submitted: u64,
    after: u64,
    now: Time,
    /// The precision target of a run in batches.
    waits_for: Option<Precision>,
    marks: Marks,
}

impl<'a> Sheeted<'a> {
    fn begin(self) -> Result<Running<'a>, RunError> {
        let sheets = self.desk.map(|desk| desk.begin(self.number)).transpose()?;
        let engine = self.engine(self.counting, sheets.unwrap_or_default())?;
        Ok(Running { of: self, engine, told: Told::default() })
    }

    fn engine(
        self,
        counting: Counting,
        sheets: Sheets,
    ) -> Result<Engine<PlannedGrid<Watch>>, RunError> {
        let watch = Watch::new(self.plan, self.number, counting, sheets);
        Ok(self.plan.build(self.number, watch)?.start())
    }

    /// Resumes from a saved state.
    fn resume(self, mut saved: &[u8]) -> Result<Running<'a>, NotBegun> {
        let head: Head = take(&mut saved)?;
        if !self.can_go_on(&head) {
            return Err(NotBegun::Past);
        }
        let sheets = match self.desk {
            None => Vec::new(),
            Some(desk) => desk.reopen(self.number, &head.marks)?.ok_or_else(|| {
                NotBegun::Unfit("its records are not there, or not what they were".to_owned())
            })?,
        };
        let mut engine =
            self.engine(Counting { batches: head.batches, ..self.counting }, sheets)?;
        engine.load(&mut saved)?;
        all_taken(saved)?;
        // Work done earlier counts as progress at once.
        let mut running = Running { of: self, engine, told: Told::default() };
        running.tell();
        Ok(running)
    }

    /// True if a run of this plan passes through the saved state.
    fn can_go_on(self, head: &Head) -> bool {
        let plan = self.plan;
        if plan.counting.batches && !head.batches || waits_for(plan) != head.waits_for {
            return false;
        }
        if head.until == plan.until {
            // With more replications the end of the warm-up may be found elsewhere.
            return head.window == (self.counting.from, self.counting.until);
        }
        // The counted window may end elsewhere, and closed sources are not reopened.
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
        // Nothing beyond the end of the window was left out yet: neither jobs nor busy time.
        let counts_all = head.after == 0 && head.now <= head.window.1;
        was_open && is_before && counts_all && !plan.found.anything()
    }
}

impl Running<'_> {
    /// Updates the progress.
    fn tell(&mut self) {
        let (jobs, now) = (self.engine.world().counts().submitted, self.engine.now());
        let ticks = now.ticks() as u64;
        let progress = self.of.progress;
        progress.jobs.fetch_add(jobs - self.told.jobs, Ordering::Relaxed);
        progress.ticks.fetch_add(ticks - self.told.ticks, Ordering::Relaxed);
        self.told = Told { jobs, ticks };
    }

    fn finish(self, doubt: Option<Doubt>) -> Result<Found, RunError> {
        let Running { of: Sheeted { plan, counting, .. }, engine, .. } = self;
        let jobs = engine.world().counts().submitted;
        let wakes = engine.wakes();
        let patience = engine.world().observer().patience.as_ref();
        let is_over = patience.is_some_and(Patience::is_over);
        // As if this end had been known beforehand and nothing more happened at that instant.
        let end = if is_over { engine.now() + Span::from_ticks(1) } else { end(plan, &engine) };
        let (sheets, kept) = engine.into_world().finish(end).finish()?;
        let Kept { mut accounts, timeline, patience, typical, trace_waits, early, welch } = kept;
        let ended = patience.map(|patience| patience.ended(jobs));
        let welch = welch.and_then(Scout::into_flows);
        if !plan.counting.batches {
            accounts.forget_batches();
        }
        let window = Window { from: counting.from, until: counting.until, doubt };
        Ok(Found {
            accounts,
            timeline,
            typical,
            trace_waits,
            early,
            welch,
            window,
            end,
            wakes,
            jobs,
            ended,
            sheets,
        })
    }
}

impl Replica for Running<'_> {
    fn advance(&mut self, jobs: u64) -> Result<bool, RunError> {
        let more = drive(self.of.plan, &mut self.engine, jobs, Watch::is_enough)?;
        self.engine.watched().observer_mut().check()?;
        self.tell();
        Ok(more)
    }

    fn seen(&self) -> (u64, u64) {
        (self.told.jobs, 0)
    }

    fn rank(mut saved: &[u8]) -> Option<u64> {
        let head: Head = take(&mut saved).ok()?;
        Some(head.now.ticks() as u64)
    }

    fn is_landmark(&self) -> bool {
        let Until::Jobs(most) = self.of.plan.until else { return false };
        // Once the last job has been submitted, sources are closed.
        let submitted = self.engine.world().counts().submitted;
        submitted < most && most - submitted <= most / 8
    }

    fn pulse(&self) -> Pulse {
        let Watch { accounts, patience, .. } = self.engine.world().observer();
        let held = patience.as_ref().and_then(Patience::held);
        Pulse { flow: Estimate::of_flow(accounts), held, ..pulse(self.of.number, &self.engine) }
    }

    fn save(&mut self, safely: bool, out: &mut Vec<u8>) -> Result<(), RunError> {
        let Sheeted { plan, counting, .. } = self.of;
        let marks = self.engine.watched().observer_mut().marks(safely)?;
        let accounts = &self.engine.world().observer().accounts;
        put(
            &Head {
                until: plan.until,
                window: (counting.from, counting.until),
                batches: accounts.is_batched(),
                submitted: self.engine.world().counts().submitted,
                after: accounts.uncounted().after,
                now: self.engine.now(),
                waits_for: waits_for(plan),
                marks,
            },
            out,
        );
        self.engine.save(out);
        Ok(())
    }
}

/// Current state of a replication.
pub(super) fn pulse<O: Observer>(replication: u32, engine: &Engine<PlannedGrid<O>>) -> Pulse {
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

/// The time at which replications stop, or `NEVER`.
pub(super) fn limit(plan: &Plan) -> Time {
    match plan.until {
        Until::Time(time) => time,
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => Time::NEVER,
    }
}

/// End time of a replication that has been run to its end.
fn end<O: Observer>(plan: &Plan, engine: &Engine<PlannedGrid<O>>) -> Time {
    if limit(plan) == Time::NEVER { engine.now() } else { limit(plan) }
}

/// The precision target of a single run in batches, ignoring its cap.
fn waits_for(plan: &Plan) -> Option<Precision> {
    let precision = plan.precision.clone().filter(|precision| precision.by == By::Batches);
    precision.map(|precision| Precision { at_most: 0, ..precision })
}

/// Average number of wakes for each instant between two checks; one instant may take millions.
const WAKES: u64 = 4;

/// Runs this many instants, or part of one that takes as long, unless the observer stops it first;
/// false once the replication has ended.
pub(super) fn drive<O: Observer>(
    plan: &Plan,
    engine: &mut Engine<PlannedGrid<O>>,
    instants: u64,
    mut stops: impl FnMut(&mut O) -> bool,
) -> Result<bool, RunError> {
    let limit = limit(plan);
    let most = engine.wakes() + instants.saturating_mul(WAKES);
    for _ in 0..instants {
        // No checks within an instant, so that the position of a check has no effect.
        let now = engine.now();
        if engine.is_settled() && engine.upcoming().is_none_or(|(at, _)| at > now) {
            if stops(engine.watched().observer_mut()) {
                return Ok(false);
            }
            if engine.upcoming().is_none_or(|(at, _)| at >= limit) {
                return Ok(false);
            }
        }
        engine.step_some(most - engine.wakes())?;
        if engine.wakes() >= most {
            break;
        }
    }
    Ok(true)
}
