//! A grid as a world that can be run: rigid jobs on clusters.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::RunError;
use super::pulse::{Estimate, Pulse, flow_of};
use super::scouting::Windows;
use super::sheet::Sheet;
use super::watch::{self, Kept, Watch};
use super::world::{Ground, Kind, Replica, Runnable, Seen, Sheets, Slot};
use crate::findings::stop::{Ended, Why};
use crate::findings::target::{By, Precision};
use crate::kernel::engine::Engine;
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State};
use crate::kernel::time::{Span, Time};
use crate::report::files::FileError;
use crate::report::grid::GridReport;
use crate::report::results::{Results, Window};
use crate::report::steady;
use crate::report::watch::Watch as Patience;
use crate::report::world::Report;
use crate::scenario::parts::{AnyCluster, AnySource};
use crate::scenario::plan::{Cluster, Plan, Until};
use crate::sim::accounts::Counting;
use crate::sim::cluster::ClusterAgent;
use crate::sim::grid::Grid;
use crate::sim::observer::Observer;
use crate::sim::scout::Scout;
use crate::stats::mser::Series;
use crate::workload::SourceError;

/// Builds a cluster of a grid for one replication.
pub type Agent<'a, C> = dyn Fn(&Cluster, &Streams) -> C + Sync + 'a;

/// The grid of a plan, whose clusters are agents of type `C`.
pub struct GridWorld<'a, C = AnyCluster> {
    pub(super) plan: &'a Plan,
    agent: Box<Agent<'a, C>>,
    /// The measurement windows, as first runs found them.
    windows: OnceLock<Windows>,
    /// Those of replications under way.
    counting: Mutex<BTreeMap<u32, Counting>>,
}

/// Result of one replication.
pub struct Found {
    kept: Kept,
    welch: Option<Series>,
    window: Window,
    end: Time,
    seen: Seen,
}

/// Head of a saved state: where the run was to end, and what counted.
#[derive(Debug, Serialize, Deserialize)]
pub struct Head {
    until: Until,
    window: (Time, Time),
    batches: bool,
    /// Jobs submitted so far; `after` counts those left out because they came too late.
    submitted: u64,
    after: u64,
    now: Time,
    /// The precision target of a run in batches.
    waits_for: Option<String>,
}

impl<'a> GridWorld<'a> {
    /// The grid of a plan.
    pub fn new(plan: &'a Plan) -> GridWorld<'a> {
        GridWorld::with(plan, |cluster, streams| plan.agent(cluster, streams))
    }
}

impl<'a, C: ClusterAgent> GridWorld<'a, C> {
    /// The grid of a plan with clusters that are built in code.
    pub fn with(
        plan: &'a Plan,
        agent: impl Fn(&Cluster, &Streams) -> C + Sync + 'a,
    ) -> GridWorld<'a, C> {
        GridWorld {
            plan,
            agent: Box::new(agent),
            windows: OnceLock::new(),
            counting: Mutex::default(),
        }
    }

    /// Starts the grid of a replication.
    pub(super) fn start<O: Observer>(
        &self,
        number: u32,
        observer: O,
    ) -> Result<Engine<Grid<C, AnySource, O>>, SourceError> {
        Ok(self.plan.build_with(number, observer, &*self.agent)?.start())
    }

    fn windows(&self) -> &Windows {
        self.windows.get().expect("they were found before any replication began")
    }

    /// Which jobs of a replication count; a first run of it may have to find that.
    fn counting(&self, number: u32, ground: &Ground<'_>) -> Result<Counting, RunError> {
        let known = || self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&counting) = known().get(&number) {
            return Ok(counting);
        }
        let counting = self.windows().counting(self, ground, number)?;
        known().insert(number, counting);
        Ok(counting)
    }

    /// True if a run of this plan passes through the saved state.
    fn can_go_on(&self, head: &Head, counting: Counting) -> bool {
        let plan = self.plan;
        if plan.counting.batches && !head.batches || waits_for(plan) != head.waits_for {
            return false;
        }
        if head.until == plan.until {
            // With more replications the end of the warm-up may be found elsewhere.
            return head.window == (counting.from, counting.until);
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

impl<C: ClusterAgent> Runnable for GridWorld<'_, C> {
    type Replica<'a>
        = Running<'a, C>
    where
        Self: 'a;
    type Head = Head;
    type Outcome = Found;
    type Findings = Results;

    fn records(&self) -> Vec<Option<Kind>> {
        watch::kinds(self.plan)
    }

    fn prepare(&self, ground: &Ground<'_>) -> Result<(), RunError> {
        let windows = Windows::find(self, ground)?;
        self.windows.set(windows).expect("a world is run once");
        Ok(())
    }

    fn begin<'a>(
        &'a self,
        Slot { number, sheets, ground }: Slot<'_>,
        head: Option<&Head>,
    ) -> Result<Running<'a, C>, RunError> {
        let counting = self.counting(number, ground)?;
        let watched =
            Counting { batches: head.map_or(counting.batches, |one| one.batches), ..counting };
        let watch = Watch::new(self.plan, number, watched, sheets);
        let engine = self.start(number, watch)?;
        Ok(Running { plan: self.plan, number, counting, engine })
    }

    fn passes(&self, head: &Head, number: u32, ground: &Ground<'_>) -> Result<bool, RunError> {
        Ok(self.can_go_on(head, self.counting(number, ground)?))
    }

    fn rank(head: &Head) -> u64 {
        head.now.ticks() as u64
    }

    fn finish(&self, replica: Running<'_, C>) -> Result<(Found, Sheets), RunError> {
        let seen = replica.seen();
        let Running { plan, number, counting, engine } = replica;
        self.counting.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let patience = engine.world().observer().patience.as_ref();
        let is_over = patience.is_some_and(Patience::is_over);
        // As if this end had been known beforehand and nothing more happened at that instant.
        let end = if is_over { engine.now() + Span::from_ticks(1) } else { end(plan, &engine) };
        let (sheets, mut kept) = engine.into_world().finish(end).finish()?;
        if !plan.counting.batches {
            kept.accounts.forget_batches();
        }
        let doubt = self.windows().cut.and_then(|cut| cut.doubt);
        let window = Window { from: counting.from, until: counting.until, doubt };
        let welch = kept.welch.take().and_then(Scout::into_flows);
        Ok((Found { kept, welch, window, end, seen }, sheets))
    }

    fn findings(&self) -> Results {
        Results::new(self.plan)
    }

    fn add(&self, results: &mut Results, found: Found) {
        let Found { kept, welch, window, end, seen } = found;
        results.add(&kept.accounts, window, end, seen.wakes);
        results.add_timeline(kept.timeline.as_ref());
        results.add_steadiness(&kept.early, &kept.typical);
        results.trace_waits.merge(&kept.trace_waits);
        results.sample.ended = kept.patience.map(|patience| patience.ended(seen.jobs));
        results.welch.extend(welch);
    }

    fn objection(&self, results: &Results, ended: &Ended) -> Option<String> {
        match ended.why {
            Why::TooShort => steady::grows(results).map(steady::growth),
            _ => results.typical.departure().map(|departure| departure.words(self.plan)),
        }
    }

    fn name(&self) -> &'static str {
        "grid"
    }

    fn report<'a>(&'a self, findings: &'a Results) -> Box<dyn Report + 'a> {
        Box::new(GridReport { plan: self.plan, results: findings })
    }
}

/// A replication under way.
pub struct Running<'a, C> {
    plan: &'a Plan,
    number: u32,
    /// Defines which of its jobs count.
    counting: Counting,
    engine: Engine<Grid<C, AnySource, Watch>>,
}

impl<C: ClusterAgent> State for Running<'_, C> {
    fn save(&self, out: &mut Vec<u8>) {
        self.engine.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.engine.load(from)
    }
}

impl<C: ClusterAgent> Replica for Running<'_, C> {
    type Head = Head;

    fn head(&self) -> Head {
        let accounts = &self.engine.world().observer().accounts;
        Head {
            until: self.plan.until,
            window: (self.counting.from, self.counting.until),
            batches: accounts.is_batched(),
            submitted: self.engine.world().counts().submitted,
            after: accounts.uncounted().after,
            now: self.engine.now(),
            waits_for: waits_for(self.plan),
        }
    }

    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        drive(self.plan, &mut self.engine, instants, Watch::is_enough)
    }

    fn seen(&self) -> Seen {
        let (jobs, now) = (self.engine.world().counts().submitted, self.engine.now());
        Seen { jobs, rounds: 0, ticks: now.ticks() as u64, wakes: self.engine.wakes() }
    }

    fn sheets(&mut self) -> Result<Vec<Option<&mut Sheet>>, FileError> {
        self.engine.watched().observer_mut().sheets()
    }

    fn is_landmark(&self) -> bool {
        let Until::Jobs(most) = self.plan.until else { return false };
        // Once the last job has been submitted, sources are closed.
        let submitted = self.engine.world().counts().submitted;
        submitted < most && most - submitted <= most / 8
    }

    fn pulse(&self) -> Pulse {
        let Watch { accounts, patience, .. } = self.engine.world().observer();
        let held = patience.as_ref().and_then(Patience::held);
        Pulse { flow: Estimate::of_flow(accounts), held, ..pulse(self.number, &self.engine) }
    }

    fn flow(&self) -> (i128, u64) {
        flow_of(&self.engine.world().observer().accounts)
    }
}

/// Current state of a replication.
pub(super) fn pulse<C: ClusterAgent, O: Observer>(
    replication: u32,
    engine: &Engine<Grid<C, AnySource, O>>,
) -> Pulse {
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
fn end<C: ClusterAgent, O: Observer>(plan: &Plan, engine: &Engine<Grid<C, AnySource, O>>) -> Time {
    if limit(plan) == Time::NEVER { engine.now() } else { limit(plan) }
}

/// The precision target of a single run in batches, ignoring its cap.
fn waits_for(plan: &Plan) -> Option<String> {
    let precision = plan.precision.clone().filter(|precision| precision.by == By::Batches);
    precision.map(|precision| format!("{:?}", Precision { at_most: 0, ..precision }))
}

/// Average number of wakes for each instant between two checks; one instant may take millions.
const WAKES: u64 = 4;

/// Runs this many instants, or part of one that takes as long, unless the observer stops it first;
/// false once the replication has ended.
pub(super) fn drive<C: ClusterAgent, O: Observer>(
    plan: &Plan,
    engine: &mut Engine<Grid<C, AnySource, O>>,
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
