//! The network of favours: what holds of every balancing, and the definition unit by unit.

use std::collections::BTreeMap;

use gridpact::kernel::time::Span;
use gridpact::policy::coalition::Member;

use crate::balancers::support::{balanced, balancer, random_members, rng};

/// Ticks by sender and receiver, each tick on its own: donors by load take one from the first of those
/// to whom they owe most.
fn literal(members: &[Member], owed: &mut BTreeMap<(u32, u32), i64>) -> Vec<Vec<i64>> {
    let count = members.len();
    let load = |at: usize| members[at].load().ticks();
    let level = |at: usize| members[at].level.map_or(i64::MAX, |level| level.ticks());
    let total: i64 = (0..count).map(load).sum();
    let mean = (total + count as i64 - 1) / count as i64;
    let least = |at: usize| (load(at) - mean).min(level(at)).min(members[at].local.ticks());
    let mut left: Vec<i64> = (0..count).map(least).collect();
    let mut donors: Vec<usize> = (0..count).collect();
    donors.sort_by_key(|&at| load(at));
    let mut transfers = vec![vec![0; count]; count];
    for to in donors {
        let before = owed.clone();
        let debt = |from: usize| before.get(&(to as u32, from as u32)).copied().unwrap_or(0);
        for _ in load(to)..mean.min(level(to)) {
            let able = (0..count).filter(|&from| left[from] > 0);
            let Some(from) = able.min_by_key(|&from| -debt(from)) else { break };
            left[from] -= 1;
            transfers[from][to] += 1;
        }
        for (from, given) in transfers.iter().map(|row| row[to]).enumerate() {
            let (to, from) = (to as u32, from as u32);
            let own = owed.entry((to, from)).or_default();
            *own = (*own - given).max(0);
            *owed.entry((from, to)).or_default() += given;
        }
    }
    transfers
}

#[test]
fn room_is_given_as_the_definition_says() {
    let mut rng = rng("favors");
    for _ in 0..200 {
        let (mut favors, mut owed) = (balancer("favors = {}"), BTreeMap::new());
        let mut moved = 0;
        for _ in 0..10 {
            let members = random_members(&mut rng, Span::TICK, true);
            let found = balanced(&mut favors, Span::TICK, &members);
            assert_eq!(found.transfers(), literal(&members, &mut owed));
            let last = found.moves.iter().map(|part| part.promised);
            assert_eq!(
                found.interval,
                last.max().map_or(0, |last| (last - super::support::NOW).ticks())
            );
            moved += found.moves.len();
        }
        assert!(moved > 0);
    }
}
