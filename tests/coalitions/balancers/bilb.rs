//! BILB: exact vectors, and the fast version against the literal one.

use gridpact::kernel::time::{Span, TICKS_PER_UNIT};
use gridpact::policy::coalition::Member;
use rand::RngExt as _;
use serde::Deserialize;

use crate::balancers::literal::{self, Coalition, Printed};
use crate::balancers::support::{
    NOW, balanced, balancer, is_forgetful, local, random_members, rng, ticks, vectors,
};

#[derive(Deserialize)]
struct Input {
    #[serde(rename = "L")]
    loads: Vec<f64>,
    l: Vec<f64>,
}

#[derive(Deserialize)]
struct Expected {
    order: Vec<usize>,
    mean: Vec<f64>,
    transfers_from_row_to_col: Vec<Vec<f64>>,
    #[serde(rename = "Phi")]
    phi: Vec<f64>,
    #[serde(rename = "Psi")]
    psi: Vec<f64>,
    after: Vec<f64>,
}

/// A coalition in whole units of which each load is a multiple.
fn coalition(members: &[Member], unit: Span) -> Coalition {
    let units = |span: Span| span.ticks() / unit.ticks();
    Coalition {
        loads: members.iter().map(|member| units(member.load())).collect(),
        own: members.iter().map(|member| units(member.local)).collect(),
        levels: members.iter().map(|member| member.level.map(units)).collect(),
    }
}

#[test]
fn the_vectors_are_exact_in_ticks_and_in_whole_units() {
    for (kind, unit) in [("bilb", Span::TICK), ("bilb_int", Span::UNIT)] {
        for (id, input, expected) in vectors::<Input, Expected>(kind) {
            let all = |units: &[f64]| units.iter().copied().map(ticks).collect::<Vec<i64>>();
            let (loads, levels) = (all(&input.loads), all(&input.l));
            let members: Vec<Member> =
                loads.iter().zip(&levels).map(|(load, level)| local(*load, Some(*level))).collect();
            let found = balanced(&mut balancer("bilb = {}"), unit, &members);
            let transfers: Vec<_> =
                expected.transfers_from_row_to_col.iter().map(|row| all(row)).collect();
            assert_eq!(found.transfers(), transfers, "{id}");
            assert_eq!(found.received, all(&expected.phi), "{id}");
            assert_eq!(found.sent, all(&expected.psi), "{id}");
            assert_eq!(found.queues, all(&expected.after), "{id}");
            let literal = literal::bilb(&coalition(&members, unit), Printed::default());
            assert_eq!(literal.order, expected.order, "{id}");
            let means: Vec<i64> = literal.means.iter().map(|mean| mean * unit.ticks()).collect();
            assert_eq!(means, all(&expected.mean), "{id}");
        }
    }
}

/// Move by move: who, whom, how much, promised when, in which order.
#[track_caller]
fn is_literal(text: &str, printed: Printed, name: &str, instances: usize) {
    let mut rng = rng(name);
    let mut tried = balancer(text);
    let (mut moves, mut shared) = (0, 0);
    for instance in 0..instances {
        let unit = [Span::TICK, Span::UNIT, Span::from_ticks(7)][instance % 3];
        let foreign = instance % 5 == 4;
        let members = random_members(&mut rng, unit, foreign);
        let literal = literal::bilb(&coalition(&members, unit), printed);
        let found = balanced(&mut tried, unit, &members);
        let parts = found.moves.iter().map(|part| {
            let units = |span: Span| span.ticks() / unit.ticks();
            let (from, to) = (part.from as usize, part.to as usize);
            (from, to, units(part.amount), units(part.promised - NOW))
        });
        assert_eq!(parts.collect::<Vec<_>>(), literal.parts, "{instance}: {members:?}");
        assert_eq!(found.interval, literal.interval * unit.ticks(), "{instance}: {members:?}");
        moves += found.moves.len();
        shared += usize::from(found.moves.len() > members.len());
    }
    assert!(moves > 10 * instances && shared > instances / 10, "{moves} moves, {shared}");
}

#[test]
fn the_fast_version_makes_the_moves_of_the_literal_one() {
    is_literal("bilb = {}", Printed::default(), "settled", 30_000);
}

#[test]
fn so_do_the_printed_variants() {
    for (text, sender, receiver) in [
        ("bilb = { printed_sender_bound = true }", true, false),
        ("bilb = { printed_receiver_bound = true }", false, true),
        ("bilb = { printed_sender_bound = true, printed_receiver_bound = true }", true, true),
    ] {
        is_literal(text, Printed { sender, receiver }, text, 3000);
    }
}

/// Twelve members are few enough to try many; these are the coalitions of a thousand that the
/// benchmarks time.
#[test]
fn large_coalitions_are_no_different() {
    let mut rng = rng("large");
    for (unit, level) in [(1, 5), (1, 1000), (TICKS_PER_UNIT, 5), (TICKS_PER_UNIT, 1000)] {
        let unit = Span::from_ticks(unit);
        let mut draw = || {
            let load = unit * rng.random_range(0..40 * TICKS_PER_UNIT / unit.ticks());
            local(load.ticks(), Some(rng.random_range(1..=level) * TICKS_PER_UNIT))
        };
        let members: Vec<Member> = (0..400).map(|_| draw()).collect();
        let literal = literal::bilb(&coalition(&members, unit), Printed::default());
        let found = balanced(&mut balancer("bilb = {}"), unit, &members);
        let units = |ticks: &i64| ticks / unit.ticks();
        assert_eq!(found.sent.iter().map(units).collect::<Vec<_>>(), literal.psi);
        assert_eq!(found.received.iter().map(units).collect::<Vec<_>>(), literal.phi);
        assert_eq!(found.moves.len(), literal.parts.len());
    }
}

#[test]
fn a_printed_bound_shows_on_a_small_case() {
    // Of 12 units the last may send 3, not 12 - 4.5; and the second, which has sent, has room.
    let members = [12, 1, 5, 0].map(|load| local(ticks(f64::from(load)), Some(ticks(3.0))));
    let sent = |text: &str| balanced(&mut balancer(text), Span::TICK, &members).sent;
    let units = |sent: Vec<i64>| sent.into_iter().map(|one| one as f64 / 1e6).collect::<Vec<_>>();
    assert_eq!(units(sent("bilb = {}")), [3.0, 0.5, 3.0, 0.0]);
    assert_eq!(units(sent("bilb = { printed_sender_bound = true }"))[0], 3.0);
}

#[test]
fn nothing_is_remembered() {
    let mut used = balancer("bilb = {}");
    let mut rng = rng("forgetful");
    for _ in 0..100 {
        let members = random_members(&mut rng, Span::TICK, false);
        is_forgetful(&mut used, &mut balancer("bilb = {}"), &members);
    }
}
