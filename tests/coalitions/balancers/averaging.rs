//! Averaging: exact vectors, the definition in whole units, and foreign work that is still there.

use gridpact::kernel::time::{Span, Time};
use gridpact::policy::coalition::Member;
use serde::Deserialize;

use crate::balancers::support::{
    Balanced, NOW, balanced, balancer, is_forgetful, local, random_members, rng, ticks, vectors,
};

#[derive(Deserialize)]
struct Input {
    #[serde(rename = "L")]
    loads: Vec<f64>,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "L_mean")]
    mean: f64,
    sent: Vec<f64>,
}

fn net(found: &Balanced) -> Vec<i64> {
    found.sent.iter().zip(&found.received).map(|(sent, received)| sent - received).collect()
}

#[test]
fn the_vectors_are_exact_in_ticks_and_in_whole_units() {
    for (kind, unit) in [("averaging", Span::TICK), ("averaging_int", Span::UNIT)] {
        for (id, input, expected) in vectors::<Input, Expected>(kind) {
            let members: Vec<Member> =
                input.loads.iter().map(|load| local(ticks(*load), None)).collect();
            let found = balanced(&mut balancer("averaging = {}"), unit, &members);
            let sent: Vec<i64> = expected.sent.iter().map(|sent| ticks(*sent)).collect();
            assert_eq!(net(&found), sent, "{id}");
            assert_eq!(found.interval, ticks(expected.mean), "{id}");
            let end = NOW + Span::from_ticks(ticks(expected.mean));
            assert!(found.moves.iter().all(|part| part.promised == end), "{id}");
        }
    }
}

/// LB-Q-01: of two, the longer queue sends half of the difference.
#[test]
fn of_two_the_longer_sends_half_the_difference() {
    for (longer, shorter) in [(10, 2), (7, 7), (9, 0), (1, 0), (1_000_001, 4)] {
        let members = [local(shorter, None), local(longer, None)];
        let found = balanced(&mut balancer("averaging = {}"), Span::TICK, &members);
        assert_eq!(found.sent, [0, (longer - shorter) / 2]);
    }
}

#[test]
fn the_most_loaded_end_a_unit_later() {
    let mut rng = rng("averaging");
    let mut tried = balancer("averaging = {}");
    for instance in 0..20_000 {
        let unit = [Span::TICK, Span::UNIT][instance % 2];
        let members = random_members(&mut rng, unit, false);
        let found = balanced(&mut tried, unit, &members);
        let loads: Vec<i64> =
            members.iter().map(|member| member.load().ticks() / unit.ticks()).collect();
        let count = loads.len();
        let total: i64 = loads.iter().sum();
        let mut ends = vec![total / count as i64; count];
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&member| (-loads[member], member));
        for &member in &order[..(total % count as i64) as usize] {
            ends[member] += 1;
        }
        let ends: Vec<i64> = ends.into_iter().map(|end| end * unit.ticks()).collect();
        assert_eq!(found.queues, ends, "{members:?}");
        let longest = ends.into_iter().max().expect("there are members");
        assert_eq!(found.interval, longest);
        let promised = NOW + Span::from_ticks(longest);
        assert!(found.moves.iter().all(|part| part.promised == promised));
        assert!(found.moves.len() < count, "at most one move less than members");
        let both = found.sent.iter().zip(&found.received).any(|(sent, got)| sent * got > 0);
        assert!(!both, "nobody sends and receives");
    }
}

#[test]
fn foreign_work_stays_where_it_is() {
    let mut rng = rng("foreign");
    let mut tried = balancer("averaging = {}");
    let mut stuck = 0;
    for instance in 0..5000 {
        let unit = [Span::TICK, Span::UNIT][instance % 2];
        let members = random_members(&mut rng, unit, true);
        let found = balanced(&mut tried, unit, &members);
        let total: i64 = found.queues.iter().sum();
        let (count, unit) = (members.len() as i64, unit.ticks());
        let mean = (total / unit + count - 1) / count * unit;
        assert_eq!(found.interval, found.queues.iter().copied().max().unwrap_or(0).max(mean));
        for (place, member) in members.iter().enumerate() {
            // Above the mean is only who had nothing left to send.
            if found.queues[place] > mean {
                stuck += 1;
                assert_eq!(found.sent[place], member.local.ticks(), "{members:?}");
            }
        }
    }
    assert!(stuck > 1000, "{stuck}");
}

#[test]
fn loads_that_are_no_whole_units_keep_their_fractions() {
    let members = [ticks(3.5), ticks(0.25), 0].map(|load| local(load, None));
    let found = balanced(&mut balancer("averaging = { unit = 1.0 }"), Span::UNIT, &members);
    assert_eq!(found.queues, [ticks(1.5), ticks(1.25), ticks(1.0)]);
    assert!(found.moves.iter().all(|part| part.promised == Time::from_ticks(ticks(9.0))));
}

#[test]
fn nobody_and_one_alone_have_nothing_to_balance() {
    let mut tried = balancer("averaging = {}");
    assert_eq!(balanced(&mut tried, Span::TICK, &[]).interval, 0);
    assert_eq!(balanced(&mut tried, Span::TICK, &[local(5, None)]).moves, []);
    let mut tried = balancer("bilb = {}");
    assert_eq!(balanced(&mut tried, Span::TICK, &[]).interval, 0);
    assert_eq!(balanced(&mut tried, Span::TICK, &[local(5, None)]).interval, 0);
}

#[test]
fn nothing_is_remembered() {
    let mut used = balancer("averaging = {}");
    let mut rng = rng("forgetful");
    for _ in 0..100 {
        let members = random_members(&mut rng, Span::TICK, false);
        is_forgetful(&mut used, &mut balancer("averaging = {}"), &members);
    }
}
