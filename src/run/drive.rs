//! Drives the engine of a grid, some instants at a time.

use super::error::RunError;
use super::pulse::Pulse;
use kernel::engine::Engine;
use kernel::time::Time;
use scenario::parts::AnySource;
use scenario::plan::{Plan, Until};
use sim::cluster::ClusterAgent;
use sim::grid::Grid;
use sim::observer::Observer;

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
        waiting: Some(counts.submitted - counts.dropped - counts.rejected - counts.started),
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

/// Average number of wakes for each instant between two checks; one instant may take millions.
const WAKES: u64 = 4;

/// Runs this many instants before the limit, or part of one that takes as long, unless the observer
/// stops it first; false once the replication has ended.
pub(super) fn drive<C: ClusterAgent, O: Observer>(
    limit: Time,
    engine: &mut Engine<Grid<C, AnySource, O>>,
    instants: u64,
    mut stops: impl FnMut(&mut O) -> bool,
) -> Result<bool, RunError> {
    let most = engine.wakes() + instants.saturating_mul(WAKES);
    for _ in 0..instants {
        // No checks within an instant, so that the position of a check has no effect.
        let next = engine.upcoming().map_or(Time::NEVER, |(at, _)| at);
        let is_between = engine.is_settled() && next > engine.now();
        if is_between && (stops(engine.watched().observer_mut()) || next >= limit) {
            return Ok(false);
        }
        engine.step_some(most - engine.wakes())?;
        if engine.wakes() >= most {
            break;
        }
    }
    Ok(true)
}
