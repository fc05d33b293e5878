//! Balancers on random coalitions, beside the properties that the paper states.
//!
//! The tests that the register names check them on far more instances.

use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use policy::coalition::averaging::{self, Averaging};
use policy::coalition::bilb::{self, Bilb};
use policy::coalition::{Balancer, Member, Move};
use workload::draw::below;

/// Number of random coalitions.
const INSTANCES: u32 = 2000;
/// Unit of the random loads: with up to eight members, all means are whole ticks.
const STEP: i64 = 840;

/// Loads of a random coalition.
fn loads(rng: &mut Rng, members: u64) -> Vec<i64> {
    let largest = [2, 10, 1000][below(rng, 3) as usize];
    (0..members).map(|_| STEP * below(rng, largest) as i64).collect()
}

/// Outcome of a balancing by member, and the span that the balancer returns.
///
/// For each member: work sent and received, its queue afterwards, and the end of its last own job.
struct Outcomes {
    sent: Vec<i64>,
    received: Vec<i64>,
    queues: Vec<i64>,
    ends: Vec<i64>,
    busy: i64,
}

fn balanced(balancer: &mut impl Balancer, loads: &[i64], levels: Option<&[i64]>) -> Outcomes {
    let member = |(index, &load): (usize, &i64)| Member {
        who: 0,
        local: Span::from_ticks(load),
        foreign: Span::ZERO,
        level: levels.map(|levels| Span::from_ticks(levels[index])),
    };
    let members: Vec<Member> = loads.iter().enumerate().map(member).collect();
    let mut moves: Vec<Move> = Vec::new();
    let busy = balancer.balance(Time::ZERO, Span::TICK, &members, &mut moves).ticks();
    let zero = vec![0; loads.len()];
    let (mut sent, mut received) = (zero.clone(), zero.clone());
    let (mut queues, mut ends) = (loads.to_vec(), zero);
    for one in &moves {
        let (from, to, amount) = (one.from as usize, one.to as usize, one.amount.ticks());
        sent[from] += amount;
        received[to] += amount;
        queues[from] -= amount;
        queues[to] += amount;
        ends[from] = ends[from].max((one.promised - Time::ZERO).ticks());
    }
    for ((end, load), sent) in ends.iter_mut().zip(loads).zip(&sent) {
        *end = (*end).max(load - sent);
    }
    Outcomes { sent, received, queues, ends, busy }
}

/// Coalitions of 2000 random ones, of up to eight members, in which a balancer does not do what it says.
pub(super) fn balancers(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let mut rng = Streams::new(asked.seed).stream("study/balancers");
    let mut average = Averaging::new(&averaging::Options::default());
    let mut bilb = Bilb::new(&bilb::Options::default());
    let mut broken = [0.0; 6];
    for _ in 0..INSTANCES {
        let [mut mean, mut half, mut bounded, mut sends, mut earlier, mut apart] = [true; 6];
        let members = 2 + below(&mut rng, 7);
        let loads = loads(&mut rng, members);
        let all = loads.len() as i64;
        let middle = loads.iter().sum::<i64>() / all;
        let averaged = balanced(&mut average, &loads, None);
        mean &= averaged.queues.iter().all(|&queue| queue == middle) && averaged.busy == middle;
        mean &= averaged
            .sent
            .iter()
            .zip(&averaged.ends)
            .all(|(&sent, &end)| if sent > 0 { end == middle } else { end <= middle });
        let pair = balanced(&mut average, &loads[..2], None);
        let off = loads[0] - loads[1];
        half &= pair.sent == [(off / 2).max(0), (-off / 2).max(0)];
        let free = balanced(&mut bilb, &loads, None);
        let least = loads.iter().min().copied().unwrap_or(0);
        for (member, &load) in loads.iter().enumerate() {
            sends &= free.sent[member] >= averaged.sent[member];
            sends &= (free.sent[member] == 0) == (load == least);
            earlier &= free.ends[member] <= averaged.ends[member];
        }
        let levels: Vec<i64> =
            loads.iter().map(|_| STEP * below(&mut rng, 12) as i64 + 1).collect();
        let bound = balanced(&mut bilb, &loads, Some(&levels));
        let mut sorted = loads.clone();
        sorted.sort_unstable();
        let others = &sorted[..sorted.len() - 1];
        let all = balanced(&mut bilb, &sorted, Some(&levels));
        let without = balanced(&mut bilb, others, Some(&levels));
        apart &= all.sent[..others.len()] == without.sent;
        for (member, &level) in levels.iter().enumerate() {
            bounded &= bound.sent[member] <= level;
            bounded &= bound.received[member] == 0 || bound.queues[member] <= level;
        }
        let all = [mean, half, bounded, sends, earlier, apart];
        broken.iter_mut().zip(all).for_each(|(count, holds)| *count += f64::from(u8::from(!holds)));
    }
    let names = ["mean", "half", "bounded", "sends", "earlier", "apart"];
    Ok(exact(names.into_iter().zip(broken)))
}
