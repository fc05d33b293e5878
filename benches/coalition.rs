//! Speed of coalition rounds, and their cost by the number of clusters.
//!
//! Rounds of 1000 units in which all take part: jobs arrive at a rate of 0.2 with sizes of mean 4
//! (gamma with shape 2), rounded to whole units. Counterfactuals are always computed. The first
//! table compares averaging with a loop written by hand (`common/averaging.rs`), without and with
//! the distributions of flow times that a run keeps; both have the same totals. The second one has
//! the growth with the number of clusters.

mod common;

use common::averaging::{Flows, by_hand};
use common::*;
use criterion::Criterion;
use gridpact::findings::coalition::flows;
use gridpact::game::stage::{Act, Outcome, StageGame as _, Terms, Wanted};
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{BalancerOptions, averaging, bilb};
use gridpact::sim::pool::{PoolObserver, Rounds};

/// Number of clusters in each column.
const CLUSTERS: [usize; 5] = [2, 10, 30, 100, 1000];
/// Number of clusters over all rounds of a measurement.
const PLAYED: usize = 2000;

/// Plays rounds; returns the total flow time.
fn play<O: PoolObserver>(game: &mut Game<O>, clusters: usize, terms: Terms) -> i128 {
    let (acts, wanted) = (vec![Act::In(terms); clusters], vec![Wanted::default(); clusters]);
    let (mut outcome, mut sum) = (Outcome::default(), 0);
    for round in 0..(PLAYED / clusters) as u64 {
        game.begin(round, &acts, &wanted).expect("it can be played");
        while game.advance().expect("it can be played") {}
        game.outcome(&mut outcome).expect("it can be played");
        sum += game.turns().map(|turn| turn.flow - turn.alone).sum::<i128>();
    }
    sum
}

/// A measurement of averaging against the loop by hand.
fn against_by_hand(criterion: &mut Criterion, averaging: &BalancerOptions) {
    let title = "averaging against a loop by hand";
    let mut table = Table::new(criterion, title, "job", "by hand");
    for clusters in [10, 1000] {
        let rounds = (PLAYED / clusters) as u64;
        let (expected, jobs) = by_hand(sources(clusters), rounds, None);
        let row = format!("{clusters} clusters");
        table.measure(
            &row,
            "by hand",
            jobs,
            || sources(clusters),
            |all| by_hand(all, rounds, None),
        );
        let ready = || pool(clusters, averaging, Rounds::Independent);
        table.measure(&row, "averaging", jobs, ready, |mut game| {
            assert_eq!(play(&mut game, clusters, Terms::ANY), expected);
            game
        });
        let row = format!("{clusters} clusters, distributions");
        let ready = || (sources(clusters), Flows::new(clusters));
        table.measure(&row, "by hand", jobs, ready, |(all, mut flows)| {
            by_hand(all, rounds, Some(&mut flows));
            flows.everyone()
        });
        let ready = || {
            let flows = flows::Flows::new(clusters, true);
            observed_pool(clusters, averaging, Rounds::Independent, flows)
        };
        table.measure(&row, "averaging", jobs, ready, |mut game| {
            assert_eq!(play(&mut game, clusters, Terms::ANY), expected);
            game.observer().everyone().into_owned()
        });
        let mut by_loop = Flows::new(clusters);
        by_hand(sources(clusters), rounds, Some(&mut by_loop));
        let (by_loop, mut game) = (by_loop.everyone(), ready());
        play(&mut game, clusters, Terms::ANY);
        let everyone = game.observer().everyone();
        assert_eq!((everyone.sum(), everyone.count()), (by_loop.sum, by_loop.count));
    }
    table.finish();
}

fn rounds(criterion: &mut Criterion) {
    let averaging = BalancerOptions::Averaging(averaging::Options {
        unit: Some(1.0),
        ..averaging::Options::default()
    });
    let bilb = BalancerOptions::Bilb(bilb::Options { unit: Some(1.0), ..bilb::Options::default() });
    against_by_hand(criterion, &averaging);
    let mut table = Table::new(criterion, "a round of 1000 units", "job", "10 clusters");
    let rows = [
        ("averaging", &averaging, Terms::ANY, Rounds::Independent),
        ("averaging, continuing", &averaging, Terms::ANY, Rounds::Continuing),
        ("BILB, level 5", &bilb, Terms::level(Span::units(5)), Rounds::Independent),
        ("BILB, level 5, continuing", &bilb, Terms::level(Span::units(5)), Rounds::Continuing),
        ("BILB, no bound", &bilb, Terms::ANY, Rounds::Independent),
    ];
    for clusters in CLUSTERS {
        let column = format!("{clusters} clusters");
        let rounds = (PLAYED / clusters) as u64;
        let (_, jobs) = by_hand(sources(clusters), rounds, None);
        let ready = || sources(clusters);
        let run = |all| by_hand(all, rounds, None);
        table.measure("by hand, averaging", column.clone(), jobs, ready, run);
        for (row, balancer, terms, rounds) in &rows {
            let ready = || pool(clusters, balancer, *rounds);
            let column = column.clone();
            let run = |mut game| play(&mut game, clusters, *terms);
            table.measure(row, column, jobs, ready, run);
        }
    }
    table.finish();
}

fn main() {
    rounds(&mut criterion());
}
