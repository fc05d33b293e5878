//! First (pilot) runs of a grid's replications, which determine the jobs that count.
//!
//! The end of the warm-up is found once for all replications, from the mean of the first ones' flow
//! times, so that the result of a replication depends only on the plan, the seed and its number.
//! The last submission is found for each replication.

use serde::{Deserialize, Serialize};

use super::drive::{drive, limit, pulse};
use super::each::each;
use super::error::RunError;
use super::grid::GridWorld;
use super::pulse::Pulse;
use super::session::{self, FIRST_RUN, NotBegun, Saved};
use super::world::{Replica, RunContext, Seen, Sheets};
use findings::stop::Goal;
use kernel::engine::Engine;
use kernel::state::{Corrupt, State, all_taken, take};
use kernel::time::Time;
use scenario::parts::AnySource;
use scenario::plan::{Plan, SCOUTED, Until};
use sim::accounts::Counting;
use sim::cluster::ClusterAgent;
use sim::grid::Grid;
use sim::scout::{Scout, without_cool_down, without_warm_up};
use stats::mser::{Cut, Series};

/// The counted window of each replication, as found by first runs.
#[derive(Debug)]
pub(super) struct Windows {
    /// End of the warm-up, if it is to be found.
    pub(super) cut: Option<Cut>,
    /// Last submission in each replication that was run to find the cut.
    last_submits: Vec<Time>,
}

impl Windows {
    /// Finds the end of the warm-up from the first replications, if the plan asks for it.
    pub(super) fn find<C: ClusterAgent>(
        world: &GridWorld<'_, C>,
        context: &RunContext<'_>,
    ) -> Result<Windows, RunError> {
        let plan = world.plan;
        let mut found: Vec<Scout> = Vec::new();
        each(
            &mut Goal::fixed(plan.scouted()),
            context.settings.threads,
            |number| first_run(world, context, number),
            |scout, _| {
                found.push(scout);
                Ok(())
            },
        )?;
        let last_submits = found.iter().map(Scout::last_submit).collect();
        let cut = plan.found.warm_up.then(|| {
            let flows: Vec<Series> = found.iter().filter_map(Scout::flows).cloned().collect();
            Series::mean_of(&flows).cut()
        });
        tracing::info!(?cut, replications = found.len(), "first runs ended");
        Ok(Windows { cut, last_submits })
    }

    /// The counted window of a replication, from a first run if necessary.
    pub(super) fn counting<C: ClusterAgent>(
        &self,
        world: &GridWorld<'_, C>,
        context: &RunContext<'_>,
        number: u32,
    ) -> Result<Counting, RunError> {
        let plan = world.plan;
        let counting = self.cut.map_or(plan.counting, |cut| without_warm_up(cut, plan.counting));
        let Some(cool_down) = plan.found.cool_down else { return Ok(counting) };
        let last_submit = match self.last_submits.get(number as usize) {
            Some(&last_submit) => last_submit,
            None => first_run(world, context, number)?.last_submit(),
        };
        Ok(without_cool_down(last_submit, cool_down, counting))
    }
}

fn first_run<C: ClusterAgent>(
    world: &GridWorld<'_, C>,
    context: &RunContext<'_>,
    number: u32,
) -> Result<Scout, RunError> {
    let plan = world.plan;
    let span = tracing::info_span!("first run", number);
    let _entered = span.enter();
    let ran = session::play(context.session, context.settings, number | FIRST_RUN, |saved| {
        let keeps_flows = plan.found.warm_up && number < SCOUTED;
        let phase = Phase::UnderWay(world.start(number, Scout::new(keeps_flows))?);
        let mut replica = FirstRun { plan, phase, number };
        if let Some(mut saved) = saved {
            let head: Head = take(&mut saved)?;
            // With a different end it had fewer jobs.
            if head.until != plan.until {
                return Err(NotBegun::Past);
            }
            // What was said with programs before is recorded nowhere.
            if take(&mut saved)? {
                return Err(NotBegun::Past);
            }
            if let Head { is_over: true, submitted, now, .. } = head {
                replica.phase = Phase::Over(Over { scout: Scout::default(), submitted, now });
            }
            replica.load(&mut saved)?;
            all_taken(saved)?;
        }
        Ok(Saved { number, replica, has_marks: false, processes: None, is_over: false })
    })?;
    context.settings.progress.board().first_run_ended(number);
    Ok(ran.replica.finish()?.0)
}

/// A first run.
struct FirstRun<'a, C> {
    plan: &'a Plan,
    number: u32,
    phase: Phase<C>,
}

/// State of a first run.
#[allow(clippy::large_enum_variant)] // one of them a thread
enum Phase<C> {
    UnderWay(Engine<Grid<C, AnySource, Scout>>),
    /// Finished; only its result is kept.
    Over(Over),
}

struct Over {
    scout: Scout,
    submitted: u64,
    now: Time,
}

/// Header saved before the state.
#[derive(Serialize, Deserialize)]
struct Head {
    until: Until,
    is_over: bool,
    submitted: u64,
    now: Time,
}

impl<C: ClusterAgent> State for FirstRun<'_, C> {
    fn save(&self, out: &mut Vec<u8>) {
        match &self.phase {
            Phase::UnderWay(engine) => engine.save(out),
            Phase::Over(over) => over.scout.save(out),
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        match &mut self.phase {
            Phase::UnderWay(engine) => engine.load(from),
            Phase::Over(over) => over.scout.load(from),
        }
    }
}

impl<C: ClusterAgent> FirstRun<'_, C> {
    /// Submitted jobs and current time.
    fn at(&self) -> (u64, Time) {
        match &self.phase {
            Phase::UnderWay(engine) => (engine.world().counts().submitted, engine.now()),
            Phase::Over(over) => (over.submitted, over.now),
        }
    }
}

impl<C: ClusterAgent> Replica for FirstRun<'_, C> {
    type Head = Head;
    type Outcome = Scout;

    fn head(&self) -> Head {
        let (submitted, now) = self.at();
        let is_over = matches!(self.phase, Phase::Over(_));
        Head { until: self.plan.until, is_over, submitted, now }
    }

    fn rank(head: &Head) -> u64 {
        if head.is_over { u64::MAX } else { head.now.ticks() as u64 }
    }

    fn finish(self) -> Result<(Scout, Sheets), RunError> {
        match self.phase {
            Phase::Over(over) => Ok((over.scout, Vec::new())),
            Phase::UnderWay(_) => unreachable!("a run is played to its end"),
        }
    }

    fn advance(&mut self, jobs: u64) -> Result<bool, RunError> {
        let Phase::UnderWay(engine) = &mut self.phase else { return Ok(false) };
        let more = drive(limit(self.plan), engine, jobs, |_| false)?;
        if !more {
            // A run with a time limit lasts until that limit.
            let limit = limit(self.plan);
            let now = if limit == Time::NEVER { engine.now() } else { limit };
            let submitted = engine.world().counts().submitted;
            let scout = engine.world().observer().clone();
            self.phase = Phase::Over(Over { scout, submitted, now });
        }
        Ok(more)
    }

    fn seen(&self) -> Seen {
        let (jobs, now) = self.at();
        let over = match &self.phase {
            Phase::UnderWay(engine) => engine.world().counts().over(),
            Phase::Over(over) => over.submitted,
        };
        Seen { jobs, over, ticks: now.ticks() as u64, ..Seen::default() }
    }

    fn pulse(&self) -> Pulse {
        match &self.phase {
            Phase::UnderWay(engine) => Pulse { is_first_run: true, ..pulse(self.number, engine) },
            Phase::Over(over) => Pulse {
                replication: self.number,
                is_first_run: true,
                time: over.now.as_units(),
                submitted: Some(over.submitted),
                ..Pulse::default()
            },
        }
    }
}
