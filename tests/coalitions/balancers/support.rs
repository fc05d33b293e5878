//! Members at random, a balancing and what came of it, and the exact vectors.

use std::fs;
use std::path::Path;

use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::State;
use gridpact::kernel::time::{Span, TICKS_PER_UNIT, Time};
use gridpact::policy::coalition::{AnyBalancer, Balancer as _, BalancerOptions, Member, Move};
use rand::RngExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// When the balancings of the tests are.
pub const NOW: Time = Time::from_ticks(7 * TICKS_PER_UNIT);

/// Units of time as ticks; exact, as all of the vectors are whole or halves of halves.
pub fn ticks(units: f64) -> i64 {
    let ticks = units * TICKS_PER_UNIT as f64;
    assert_eq!(ticks, ticks.trunc(), "{units} needs fractions of a tick");
    ticks as i64
}

/// A member with work of its own, in ticks.
pub fn local(load: i64, level: Option<i64>) -> Member {
    Member {
        who: 0,
        local: Span::from_ticks(load),
        foreign: Span::ZERO,
        level: level.map(Span::from_ticks),
    }
}

/// Result of a balancing, in ticks and by member.
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    pub moves: Vec<Move>,
    pub interval: i64,
    pub sent: Vec<i64>,
    pub received: Vec<i64>,
    /// The queues after it.
    pub queues: Vec<i64>,
}

impl Balanced {
    /// Amounts sent, by sender (row) and receiver (column).
    pub fn transfers(&self) -> Vec<Vec<i64>> {
        let mut transfers = vec![vec![0; self.sent.len()]; self.sent.len()];
        for part in &self.moves {
            transfers[part.from as usize][part.to as usize] += part.amount.ticks();
        }
        transfers
    }
}

/// Balances once and checks what holds of every balancing: whole units are moved, nothing is lost,
/// nobody sends what is not its own, who sends and receives sends first, no pair has two moves, and
/// no queue holds a part longer than it was promised.
pub fn balanced(balancer: &mut AnyBalancer, unit: Span, members: &[Member]) -> Balanced {
    let mut moves = Vec::new();
    let interval = balancer.balance(NOW, unit, members, &mut moves).ticks();
    let count = members.len();
    let (mut sent, mut received) = (vec![0; count], vec![0; count]);
    let loads: Vec<i64> = members.iter().map(|member| member.load().ticks()).collect();
    let mut queues = loads.clone();
    let (mut pairs, mut senders) = (Vec::new(), Vec::new());
    for part in &moves {
        let (from, to) = (part.from as usize, part.to as usize);
        let amount = part.amount.ticks();
        assert!(amount > 0 && amount % unit.ticks() == 0, "{part:?}");
        assert!(from != to && received[from] == 0, "{part:?} after it received");
        sent[from] += amount;
        received[to] += amount;
        queues[from] -= amount;
        queues[to] += amount;
        assert!(part.promised >= NOW + Span::from_ticks(queues[to]), "{part:?}: a broken promise");
        pairs.push((from, to));
        if senders.last() != Some(&from) {
            assert!(!senders.contains(&from), "{part:?} is apart from other moves of its sender");
            senders.push(from);
        }
    }
    pairs.sort_unstable();
    assert!(pairs.windows(2).all(|pair| pair[0] != pair[1]), "a pair has two moves");
    for (member, sent) in members.iter().zip(&sent) {
        assert!(*sent <= member.local.ticks(), "sent {sent} of {member:?}");
    }
    assert_eq!(queues.iter().sum::<i64>(), loads.iter().sum::<i64>(), "load is conserved");
    assert!(queues.iter().all(|queue| *queue >= 0), "{queues:?}");
    Balanced { moves, interval, sent, received, queues }
}

/// A balancer as a scenario names it.
pub fn balancer(text: &str) -> AnyBalancer {
    options(text).build()
}

pub fn options(text: &str) -> BalancerOptions {
    let options: BalancerOptions = toml::from_str(text).expect("a balancer");
    assert_eq!(options.check(), Ok(()));
    options
}

/// A generator of its own for each test.
pub fn rng(name: &str) -> Rng {
    Streams::new(20_090).stream(&format!("test/balancers/{name}"))
}

/// A random coalition in units of which the loads are multiples: few or many members, small loads
/// with many ties or large ones, levels of all kinds, none at all, or zero.
pub fn random_members(rng: &mut Rng, unit: Span, foreign: bool) -> Vec<Member> {
    let count = match rng.random_range(0..4) {
        0 => rng.random_range(1..=3),
        1 | 2 => rng.random_range(2..=12),
        _ => rng.random_range(10..=40),
    };
    let largest = [1, 4, 12, 100, 5000][rng.random_range(0..5)];
    let highest = [2, 6, 20, 400][rng.random_range(0..4)];
    let bounded = rng.random_range(0..=2);
    let mut members = Vec::new();
    for who in 0..count as u32 {
        let local = unit * rng.random_range(0..=largest);
        let has_foreign = foreign && rng.random_range(0..3) == 0;
        let others =
            if has_foreign { unit * rng.random_range(0..=3 * largest) } else { Span::ZERO };
        let level = unit * rng.random_range(0..=highest);
        members.push(Member { who, local, foreign: others, level: Some(level) });
    }
    for member in &mut members {
        if bounded == 0 || (bounded == 1 && rng.random_range(0..2) == 0) {
            member.level = None;
        }
        if rng.random_range(0..8) == 0 {
            member.local = Span::ZERO;
        }
    }
    members
}

/// The exact vectors of one kind: inputs with what is expected, each with its name.
pub fn vectors<I: DeserializeOwned, E: DeserializeOwned>(kind: &str) -> Vec<(String, I, E)> {
    #[derive(Deserialize)]
    struct File {
        vectors: Vec<Vector>,
    }
    #[derive(Deserialize)]
    struct Vector {
        kind: String,
        id: String,
        input: serde_json::Value,
        expected: serde_json::Value,
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/selfish.json");
    let text = fs::read_to_string(file).expect("the vectors are part of the project");
    let file: File = serde_json::from_str(&text).expect("a list of vectors");
    let of_kind = file.vectors.into_iter().filter(|vector| vector.kind == kind);
    let typed = of_kind.map(|Vector { id, input, expected, .. }| {
        let input = serde_json::from_value(input).expect("an input of its kind");
        let expected = serde_json::from_value(expected).expect("results of its kind");
        (id, input, expected)
    });
    let vectors: Vec<_> = typed.collect();
    assert!(!vectors.is_empty(), "no vectors of kind {kind}");
    vectors
}

/// Nothing that matters is remembered between two balancings: a balancer that has seen
/// others gives the same as a fresh one, and has nothing to save.
pub fn is_forgetful(used: &mut AnyBalancer, fresh: &mut AnyBalancer, members: &[Member]) {
    let unit = Span::TICK;
    assert_eq!(balanced(used, unit, members), balanced(fresh, unit, members));
    let mut bytes = Vec::new();
    used.save(&mut bytes);
    assert!(bytes.is_empty());
}
