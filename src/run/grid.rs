//! A grid as a world that can be run: rigid jobs on clusters.

use kernel::map::Map;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use super::drive::{drive, limit, pulse};
use super::error::RunError;
use super::pulse::{Estimate, Pulse, flow_of};
use super::scouting::Windows;
use super::sheet::OpenRecords;
use super::watch::{self, Kept, Watch, compared};
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::ended::{Ended, Why};
use findings::grid::results::{Results, Window};
use findings::grid::watch::Watch as Patience;
use findings::target::{By, Precision};
use kernel::engine::Engine;
use kernel::rng::Streams;
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use report::grid::steady;
use report::grid::{GridReport, frame};
use report::world::Report;
use scenario::parts::{AnyCluster, AnySource};
use scenario::plan::{Cluster, Plan, Until};
use sim::accounts::Counting;
use sim::alone::{CouldRunAlone, Service};
use sim::cluster::ClusterAgent;
use sim::grid::Grid;
use sim::observer::Observer;
use sim::scout::Scout;
use stats::mser::Series;
use workload::SourceError;

/// Builds a cluster of a grid for one replication.
pub type Agent<'a, C> = dyn Fn(&Cluster, &Streams) -> C + Sync + 'a;

/// The grid of a plan, whose clusters are agents of type `C`.
pub struct GridWorld<'a, C = AnyCluster> {
    pub(super) plan: &'a Plan,
    agent: Box<Agent<'a, C>>,
    /// The measurement windows, as first runs found them.
    windows: OnceLock<Windows>,
    /// Jobs that count in the replications under way.
    counting: Mutex<Map<u32, Counting>>,
}

/// Result of one replication.
pub struct GridOutcome {
    kept: Kept,
    /// Service by organization, with all others and alone.
    alone: Option<[Vec<Service>; 2]>,
    welch: Option<Series>,
    window: Window,
    end: Time,
    seen: Seen,
    /// Jobs submitted with all others.
    submitted: u64,
    /// Messages of the clusters, if they exchange any.
    messages: Option<u64>,
    /// Utilities by organization, if the grid scheduler knows them.
    utilities: Vec<f64>,
}

/// Head of a saved state: where the run was to end, and what counted.
#[derive(Debug, Serialize, Deserialize)]
pub struct GridHead {
    until: Until,
    window: (Time, Time),
    batches: bool,
    /// Jobs submitted so far; `after` counts those left out because they came too late.
    submitted: u64,
    after: u64,
    now: Time,
    /// Progress of the organizations alone, if they have begun.
    alone: Option<Time>,
    /// The precision target of a run in batches.
    waits_for: Option<String>,
}

impl GridHead {
    /// The furthest time, with all others or alone.
    fn furthest(&self) -> Time {
        self.now.max(self.alone.unwrap_or_default())
    }
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

    /// Starts the grid of a replication in which every organization is alone.
    fn start_alone(&self, number: u32, counting: Counting) -> Result<Box<Alone<C>>, SourceError> {
        let observer = compared(self.plan, counting);
        let streams = self.plan.streams(number);
        let grid = self.plan.build_alone(number, observer, &*self.agent)?;
        Ok(Box::new(grid.start_with(&streams)))
    }

    /// Starts the grid of a replication.
    pub(super) fn start<O: Observer>(
        &self,
        number: u32,
        observer: O,
    ) -> Result<Engine<Grid<C, AnySource, O>>, SourceError> {
        let streams = self.plan.streams(number);
        Ok(self.plan.build_with(number, observer, &*self.agent)?.start_with(&streams))
    }

    fn windows(&self) -> &Windows {
        self.windows.get().expect("they were found before any replication began")
    }

    /// The jobs of a replication that count; a first run may have to find them.
    fn counting(&self, number: u32, context: &RunContext<'_>) -> Result<Counting, RunError> {
        let known = || self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&counting) = known().get(&number) {
            return Ok(counting);
        }
        let counting = self.windows().counting(self, context, number)?;
        known().insert(number, counting);
        Ok(counting)
    }

    /// True if a run of this plan passes through the saved state.
    fn can_go_on(&self, head: &GridHead, counting: Counting) -> bool {
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
            Until::Time(time) => head.furthest() < time,
            Until::Jobs(most) => head.submitted < most,
            Until::Rounds(_) => false,
        };
        // Nothing beyond the end of the window was left out yet: neither jobs nor busy time.
        let counts_all = head.after == 0 && head.furthest() <= head.window.1;
        was_open && is_before && counts_all && !plan.found.anything()
    }
}

impl<C: ClusterAgent> Runnable for GridWorld<'_, C> {
    type Replica<'a>
        = GridReplica<'a, C>
    where
        Self: 'a;
    type Head = GridHead;
    type Outcome = GridOutcome;
    type Findings = Results;

    fn records(&self) -> Vec<Option<Kind>> {
        watch::kinds(self.plan)
    }

    fn prepare(&self, context: &RunContext<'_>) -> Result<(), RunError> {
        let windows = Windows::find(self, context)?;
        self.windows.set(windows).expect("a world is run once");
        Ok(())
    }

    fn begin<'a>(
        &'a self,
        NewReplication { number, sheets, context }: NewReplication<'_>,
        head: Option<&GridHead>,
    ) -> Result<GridReplica<'a, C>, RunError> {
        let counting = self.counting(number, context)?;
        let watched =
            Counting { batches: head.map_or(counting.batches, |one| one.batches), ..counting };
        let watch = Watch::new(self.plan, number, watched, sheets);
        let engine = self.start(number, watch)?;
        let has_begun = head.is_some_and(|head| head.alone.is_some());
        let alone = has_begun.then(|| self.start_alone(number, counting)).transpose()?;
        Ok(GridReplica { of: self, number, counting, engine, alone })
    }

    fn passes(
        &self,
        head: &GridHead,
        number: u32,
        context: &RunContext<'_>,
    ) -> Result<bool, RunError> {
        Ok(self.can_go_on(head, self.counting(number, context)?))
    }

    fn findings(&self) -> Results {
        Results::new(frame(self.plan))
    }

    fn add(&self, results: &mut Results, found: GridOutcome) {
        let GridOutcome { kept, alone, welch, window, end, seen, submitted, messages, utilities } =
            found;
        results.add_placing(kept.bounds.as_ref(), messages);
        results.add_utilities(&utilities);
        results.add_promises(kept.promises.as_ref());
        if let Some([together, alone]) = alone {
            results.add_alone(&together, &alone);
        }
        results.add(&kept.accounts, window, end, seen.wakes);
        results.add_timeline(kept.timeline);
        results.add_steadiness(&kept.early, &kept.typical);
        results.trace_waits.merge(&kept.trace_waits);
        results.sample.ended = kept.patience.map(|patience| patience.ended(submitted));
        results.welch.extend(welch);
        results.weeks = kept.weeks;
    }

    fn objection(&self, results: &Results, ended: &Ended) -> Option<String> {
        match ended.why {
            Why::TooShort => results.grows().map(steady::growth),
            _ => results
                .typical
                .departure()
                .map(|departure| departure.words(&self.plan.workloads[departure.workload].name)),
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
pub struct GridReplica<'a, C> {
    of: &'a GridWorld<'a, C>,
    number: u32,
    /// Defines which of its jobs count.
    counting: Counting,
    engine: Engine<Grid<C, AnySource, Watch>>,
    /// Every organization alone, once the grid has come to its end, if that is asked for.
    alone: Option<Box<Alone<C>>>,
}

/// The grid in which every organization is alone.
type Alone<C> = Engine<Grid<C, AnySource, CouldRunAlone>>;

impl<C: ClusterAgent> State for GridReplica<'_, C> {
    fn save(&self, out: &mut Vec<u8>) {
        self.engine.save(out);
        if let Some(alone) = &self.alone {
            alone.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.engine.load(from)?;
        self.alone.as_mut().map_or(Ok(()), |alone| alone.load(from))
    }
}

impl<C: ClusterAgent> GridReplica<'_, C> {
    /// The instant from which on nothing happens any more; `NEVER` if all jobs are waited for.
    fn end(&self) -> Time {
        let patience = self.engine.world().observer().kept.patience.as_ref();
        match patience.is_some_and(Patience::is_over) {
            // As if this end had been known beforehand and nothing more happened at that instant.
            true => self.engine.now() + Span::from_ticks(1),
            false => limit(self.of.plan),
        }
    }

    /// Jobs submitted so far with all others, and alone.
    fn submitted(&self) -> [u64; 2] {
        let alone = self.alone.as_ref().map_or(0, |alone| alone.world().counts().submitted);
        [self.engine.world().counts().submitted, alone]
    }
}

impl<C: ClusterAgent> Replica for GridReplica<'_, C> {
    type Head = GridHead;
    type Outcome = GridOutcome;

    fn finish(self) -> Result<(GridOutcome, Sheets), RunError> {
        let (seen, end, [submitted, _]) = (self.seen(), self.end(), self.submitted());
        let end = if end == Time::NEVER { self.engine.now() } else { end };
        let GridReplica { of, number, counting, engine, alone } = self;
        of.counting.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let world = engine.into_world();
        let messages = of.plan.exchanges_messages().then(|| world.messages());
        let utilities = world.utilities(end);
        let (sheets, mut kept) = world.finish(end).finish()?;
        let alone = kept.compared.take().zip(alone).map(|(together, alone)| {
            [together.services(), alone.world().observer().services()].map(<[Service]>::to_vec)
        });
        if !of.plan.counting.batches {
            kept.accounts.forget_batches();
        }
        let doubt = of.windows().cut.and_then(|cut| cut.doubt);
        let window = Window { from: counting.from, until: counting.until, doubt };
        let welch = kept.welch.take().and_then(Scout::into_flows);
        Ok((
            GridOutcome { kept, alone, welch, window, end, seen, submitted, messages, utilities },
            sheets,
        ))
    }

    fn head(&self) -> GridHead {
        let accounts = &self.engine.world().observer().kept.accounts;
        GridHead {
            until: self.of.plan.until,
            window: (self.counting.from, self.counting.until),
            batches: accounts.is_batched(),
            submitted: self.engine.world().counts().submitted,
            after: accounts.uncounted().after,
            now: self.engine.now(),
            alone: self.alone.as_ref().map(|alone| alone.now()),
            waits_for: waits_for(self.of.plan),
        }
    }

    fn rank(head: &GridHead) -> u64 {
        let ticks = |time: Time| time.ticks() as u64;
        ticks(head.now).saturating_add(head.alone.map_or(0, |alone| 1 + ticks(alone)))
    }

    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        let plan = self.of.plan;
        if drive(limit(plan), &mut self.engine, instants, Watch::is_enough)? {
            return Ok(true);
        }
        if !plan.output.alone {
            return Ok(false);
        }
        let end = self.end();
        match &mut self.alone {
            Some(alone) => drive(end, alone, instants, |_| false),
            none => {
                *none = Some(self.of.start_alone(self.number, self.counting)?);
                Ok(true)
            }
        }
    }

    fn seen(&self) -> Seen {
        let alone = self.alone.as_ref().map_or((Time::ZERO, 0), |one| (one.now(), one.wakes()));
        let alone_over = self.alone.as_ref().map_or(0, |alone| alone.world().counts().over());
        Seen {
            jobs: self.submitted().iter().sum(),
            over: self.engine.world().counts().over() + alone_over,
            rounds: 0,
            ticks: self.engine.now().ticks() as u64 + alone.0.ticks() as u64,
            wakes: self.engine.wakes() + alone.1,
        }
    }

    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        self.engine.watched().observer_mut().records()
    }

    fn is_landmark(&self) -> bool {
        let Until::Jobs(most) = self.of.plan.until else { return false };
        // Once the last job has been submitted, sources are closed.
        let [submitted, _] = self.submitted();
        submitted < most && most - submitted <= most / 8
    }

    fn pulse(&self) -> Pulse {
        let Kept { accounts, patience, .. } = &self.engine.world().observer().kept;
        let held = patience.as_ref().and_then(Patience::held);
        let pulse = match &self.alone {
            None => pulse(self.number, &self.engine),
            Some(alone) => pulse(self.number, alone),
        };
        Pulse { flow: Estimate::of_flow(accounts), held, ..pulse }
    }

    fn flow(&self) -> (i128, u64) {
        flow_of(&self.engine.world().observer().kept.accounts)
    }
}

/// The precision target of a single run in batches, ignoring its cap.
fn waits_for(plan: &Plan) -> Option<String> {
    let precision = plan.precision.clone().filter(|precision| precision.by == By::Batches);
    precision.map(|precision| format!("{:?}", Precision { at_most: 0, ..precision }))
}
