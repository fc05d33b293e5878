//! Jobs that bring no work, and times in which there is none.

use gridpact::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{BalancerOptions, averaging};
use gridpact::sim::pool::{PoolGame, PoolObserver, Rounds, Season, Sends};
use gridpact::workload::Source;

use crate::coalition::common::{Log, at, game};

fn averaging() -> BalancerOptions {
    let unit = Some(1.0);
    BalancerOptions::Averaging(averaging::Options { unit, least: 5.0, grid: 5.0 })
}

fn season(period: i64, from: i64, rounds: Rounds) -> Season {
    Season { period: Span::units(period), window: Span::units(from)..Span::units(period), rounds }
}

/// Plays a round in which both take part; the scores.
fn play<S, B, O>(pool: &mut PoolGame<S, B, O>, round: u64) -> Vec<f64>
where
    S: Source<Load = gridpact::model::job::Job> + Clone,
    B: gridpact::policy::coalition::Balancer + Clone,
    O: PoolObserver,
{
    let mut outcome = Outcome::default();
    pool.begin(round, &[Act::In(Terms::ANY); 2], &[Wanted::default(); 2]).unwrap();
    while pool.advance().unwrap() {}
    pool.outcome(&mut outcome).unwrap();
    outcome.payoffs
}

fn finish(log: &Log, cluster: u32, number: u64) -> f64 {
    (log.done[&(cluster, number)].1 - at(0)).as_units()
}

/// At 0 half of the ten units go to the other, so that both are free at 5: there the job without
/// work of the one is over as it comes, and alone it would have waited until 10. That of the other
/// came at 2 and waited for the foreign work; alone it had been over at once.
#[test]
fn a_job_without_work_may_score_without_bound() {
    let lists = vec![vec![(0, 10), (5, 0)], vec![(2, 0)]];
    let mut pool =
        game(&lists, &averaging(), season(20, 1, Rounds::Independent), true, Sends::Tail);
    assert_eq!(play(&mut pool, 0), [f64::INFINITY, f64::NEG_INFINITY]);
    let log = pool.observer();
    assert_eq!([finish(log, 0, 0), finish(log, 0, 1), finish(log, 1, 0)], [5.0, 5.0, 5.0]);
    let flows: Vec<(i128, i128)> = pool.turns().map(|turn| (turn.flow, turn.alone)).collect();
    assert_eq!(flows, [(0, 5_000_000), (3_000_000, 0)]);
}

/// Balancings with nobody's work are left out, and the others come when they would have come: at
/// the first multiple of 5 at or after a submission.
#[test]
fn an_idle_coalition_waits_for_the_next_job() {
    let lists = vec![vec![(3, 4), (700_000_001, 10)], vec![(900_000_000, 2)]];
    let mut pool =
        game(&lists, &averaging(), season(1_000_000_000, 0, Rounds::Continuing), true, Sends::Tail);
    play(&mut pool, 0);
    play(&mut pool, 1);
    let balancings = &pool.observer().balancings;
    let busy =
        balancings.iter().filter(|(_, loads, _)| loads.iter().any(|&load| load > Span::ZERO));
    let busy: Vec<f64> = busy.map(|(now, ..)| (*now - at(0)).as_units()).collect();
    assert_eq!(busy, [5.0, 700_000_005.0, 900_000_000.0]);
    assert!(balancings.len() < 12, "{} balancings", balancings.len());
}
