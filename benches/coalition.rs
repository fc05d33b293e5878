//! Speed of coalition rounds, and their cost by the number of clusters.
//!
//! Rounds of 1000 units in which all take part: jobs arrive at a rate of 0.2 with sizes of mean 4
//! (gamma with shape 2), rounded to whole units. Counterfactuals are always computed. The baseline
//! of each row is a hand-written loop at ten clusters: it draws the same jobs, averages, and
//! computes both flow times, in one function without a balancer, levels, promises, future rounds or
//! anything else.

mod common;

use common::*;
use criterion::Criterion;
use gridpact::game::stage::{Act, Outcome, StageGame as _, Terms, Wanted};
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{BalancerOptions, averaging, bilb};
use gridpact::sim::pool::Rounds;
use gridpact::workload::Source as _;
use gridpact::workload::synthetic::Synthetic;

/// Number of clusters in each column.
const CLUSTERS: [usize; 5] = [2, 10, 30, 100, 1000];
/// Number of clusters over all rounds of a measurement.
const PLAYED: usize = 2000;

/// Plays rounds; returns the total flow time.
fn play(mut game: Game, clusters: usize, terms: Terms) -> i128 {
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

/// The same by hand, for averaging only; also returns the number of jobs drawn.
fn by_hand(mut sources: Vec<Synthetic>) -> (i128, u64) {
    const GRID: i64 = 5_000_000;
    const UNIT: i64 = 1_000_000;
    let clusters = sources.len();
    let (mut sum, mut jobs) = (0, 0);
    let mut next: Vec<(i64, i64)> = vec![(0, 0); clusters];
    let mut ends = vec![0_i64; clusters];
    let mut alone = vec![0_i64; clusters];
    let mut open: Vec<Vec<(i64, i64)>> = vec![Vec::new(); clusters];
    for round in 0..(PLAYED / clusters) as u64 {
        let streams = Streams::new(1).in_round(round);
        for cluster in 0..clusters {
            sources[cluster].restart(&streams).expect("it is drawn");
            let job = sources[cluster].next().expect("it is drawn").expect("it goes on");
            next[cluster] = (job.submit.ticks(), job.runtime.ticks());
        }
        ends.fill(0);
        alone.fill(0);
        open.iter_mut().for_each(Vec::clear);
        let mut now = 0;
        loop {
            let mut total = 0;
            let mut left = 0;
            for cluster in 0..clusters {
                let (end, open) = (&mut ends[cluster], &mut open[cluster]);
                open.retain(|&(_, end)| end > now);
                while next[cluster].0 <= now {
                    let (submit, size) = next[cluster];
                    *end = (*end).max(submit) + size;
                    alone[cluster] = alone[cluster].max(submit) + size;
                    if (200 * UNIT..800 * UNIT).contains(&submit) {
                        sum += i128::from(*end - alone[cluster]);
                        open.push((submit, *end));
                    }
                    jobs += 1;
                    let job = sources[cluster].next().expect("it is drawn").expect("it goes on");
                    next[cluster] = (job.submit.ticks(), job.runtime.ticks());
                }
                *end = (*end).max(now);
                total += *end - now;
                left += open.len();
            }
            if left == 0 && now >= 800 * UNIT {
                break;
            }
            let mean = total / clusters as i64;
            for cluster in 0..clusters {
                if ends[cluster] > now + mean {
                    for job in open[cluster].iter_mut().rev() {
                        if job.1 <= now + mean {
                            break;
                        }
                        sum -= i128::from(job.1 - now - mean);
                        job.1 = now + mean;
                    }
                }
                ends[cluster] = now + mean;
            }
            now += (mean.max(GRID) + GRID - 1) / GRID * GRID;
        }
    }
    (sum, jobs)
}

fn rounds(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "a round of 1000 units", "job", "10 clusters");
    let averaging = BalancerOptions::Averaging(averaging::Options {
        unit: Some(1.0),
        ..averaging::Options::default()
    });
    let bilb = BalancerOptions::Bilb(bilb::Options { unit: Some(1.0), ..bilb::Options::default() });
    let rows = [
        ("averaging", &averaging, Terms::ANY, Rounds::Independent),
        ("averaging, continuing", &averaging, Terms::ANY, Rounds::Continuing),
        ("BILB, level 5", &bilb, Terms::level(Span::units(5)), Rounds::Independent),
        ("BILB, no bound", &bilb, Terms::ANY, Rounds::Independent),
    ];
    for clusters in CLUSTERS {
        let column = format!("{clusters} clusters");
        let (_, jobs) = by_hand(sources(clusters));
        let ready = || sources(clusters);
        table.measure("by hand, averaging", column.clone(), jobs, ready, |all| by_hand(all).0);
        for (row, balancer, terms, rounds) in &rows {
            let ready = || pool(clusters, balancer, *rounds);
            let column = column.clone();
            table.measure(row, column, jobs, ready, |game| play(game, clusters, *terms));
        }
    }
    table.finish();
}

fn main() {
    rounds(&mut criterion());
}
