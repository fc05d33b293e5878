//! The rounds of a coalition: were load, scores and learning what the rules say?
//!
//! Everything is recomputed from the records of the rounds and of the moves, by the formulas as
//! they are printed in Rzadca and Trystram, "Promoting Cooperation in Selfish Computational
//! Grids".

use std::collections::BTreeMap;

use super::report::{Check, Report, Violation};
use crate::kernel::time::Time;

/// The facts of the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundsFacts {
    /// The organizations.
    pub organizations: Vec<String>,
    /// How each learned, and when it was there.
    pub seats: Vec<SeatFacts>,
    /// Replications.
    pub replications: u32,
    /// Rounds in each.
    pub rounds: u64,
    /// True where a round begins with what the one before it left.
    pub continuing: bool,
    /// In the order of replication, round, organization.
    pub turns: Vec<TurnFacts>,
    /// In the order in which they were made; `None` where none were recorded.
    pub moves: Option<Vec<MoveFacts>>,
}

/// An organization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatFacts {
    /// How it learned.
    pub learning: Learning,
    /// Probability and level before its first round, where they are known.
    pub begins: Option<[Option<f64>; 2]>,
    /// The first round in which it was there.
    pub first: u64,
    /// The last one, if there was one.
    pub last: Option<u64>,
}

/// A rule by which an organization learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learning {
    /// Section 4.2.1: the probability follows the ratio of flow times.
    Ratio {
        /// The weight of a round.
        rate: f64,
        /// Whether a round counts in which nobody else took part.
        alone_counts: bool,
    },
    /// Section 6.3: the level follows the ratio of flow times.
    Level {
        /// The weight of a round.
        rate: f64,
        /// The bounds.
        bounds: (f64, f64),
    },
    /// It stays where it is.
    Fixed,
    /// A rule that is not known here.
    Unknown,
}

/// What a round was to an organization. Sums are in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnFacts {
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// The organization.
    pub organization: usize,
    /// Did it take part?
    pub joined: bool,
    /// Its jobs that count.
    pub jobs: u64,
    /// Their flow time.
    pub flow: i128,
    /// What it would have been alone.
    pub alone: i128,
    /// Its score, as told.
    pub score: f64,
    /// Work sent.
    pub sent: i128,
    /// Work received.
    pub received: i128,
    /// Probability and level before the round.
    pub before: [Option<f64>; 2],
    /// Probability and level after it.
    pub after: [Option<f64>; 2],
}

/// A move of load. Work and times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// The balancing, by its number in the replication.
    pub balancing: u64,
    /// When.
    pub time: i128,
    /// From whom.
    pub sender: usize,
    /// To whom.
    pub receiver: usize,
    /// How much.
    pub amount: i128,
    /// When it is done at the latest.
    pub promised: i128,
    /// The load of the sender and of the receiver before the balancing.
    pub before: [i128; 2],
    /// The load of the receiver after it.
    pub after: i128,
}

/// Differences of computed numbers below this are rounding.
const ROUNDING: f64 = 1e-9;

/// Checks every rule of rounds. O((turns + moves) log).
pub fn audit(facts: &RoundsFacts) -> Report {
    let mut checks = vec![present(facts), conserved(facts), outsiders(facts), scores(facts)];
    checks.push(learning(facts));
    if let Some(moves) = &facts.moves {
        checks.push(moved(facts, moves));
        checks.push(promises(facts, moves));
    }
    Report { checks }
}

impl RoundsFacts {
    /// A violation in a round.
    fn broken(&self, turn: &TurnFacts, text: &str) -> Violation {
        self.broken_at((turn.replication, turn.round), Some(turn.organization), text)
    }

    fn broken_at(
        &self,
        (replication, round): (u32, u64),
        organization: Option<usize>,
        text: &str,
    ) -> Violation {
        let who = organization.map(|index| format!("{}: ", self.organizations[index]));
        Violation {
            replication,
            cluster: None,
            jobs: Vec::new(),
            time: None,
            text: format!("round {round}: {}{text}", who.unwrap_or_default()),
        }
    }
}

/// Everyone has a line in the rounds in which it was there, and in no other.
fn present(facts: &RoundsFacts) -> Check {
    let mut check = Check::new(
        "everyone in every round",
        "each organization has one record of each round in which it was there",
    );
    let mut turns = facts.turns.iter().peekable();
    for replication in 0..facts.replications {
        for round in 0..facts.rounds {
            for (organization, seat) in facts.seats.iter().enumerate() {
                if round < seat.first || seat.last.is_some_and(|last| round > last) {
                    continue;
                }
                check.looked_at += 1;
                let is_it = |turn: &&TurnFacts| {
                    (turn.replication, turn.round, turn.organization)
                        == (replication, round, organization)
                };
                if turns.next_if(is_it).is_none() {
                    let at = (replication, round);
                    check.violated(|| facts.broken_at(at, Some(organization), "no record"));
                }
            }
        }
    }
    if let Some(turn) = turns.next() {
        check.violated(|| facts.broken(turn, "a record too many, or out of order"));
    }
    check
}

/// What is sent is received.
fn conserved(facts: &RoundsFacts) -> Check {
    let mut check = Check::new(
        "conservation of load",
        "in each round the organizations receive as much work as they send",
    );
    for round in rounds(facts) {
        check.looked_at += 1;
        let sent: i128 = round.iter().map(|turn| turn.sent).sum();
        let received: i128 = round.iter().map(|turn| turn.received).sum();
        if sent != received {
            let text = format!("{sent} ticks were sent and {received} received");
            let at = (round[0].replication, round[0].round);
            check.violated(|| facts.broken_at(at, None, &text));
        }
    }
    check
}

/// The records of each round.
fn rounds(facts: &RoundsFacts) -> impl Iterator<Item = &[TurnFacts]> {
    facts.turns.chunk_by(|one, next| (one.replication, one.round) == (next.replication, next.round))
}

/// Who is out is alone.
fn outsiders(facts: &RoundsFacts) -> Check {
    let mut check = Check::new(
        "outsiders are alone",
        "who stays out sends and receives nothing, and its flow time is that which it has alone",
    );
    if facts.continuing {
        check.note(
            "rounds begin with what the one before them left, so that who stays out may still do \
             others' work: its flow time is not looked at"
                .to_owned(),
        );
    }
    for turn in facts.turns.iter().filter(|turn| !turn.joined) {
        check.looked_at += 1;
        let (sent, received) = (turn.sent, turn.received);
        if (sent, received) != (0, 0) {
            let text = format!("out, and {sent} ticks were sent and {received} received");
            check.violated(|| facts.broken(turn, &text));
        }
        if !facts.continuing && turn.flow != turn.alone {
            let text = format!("out, with a flow of {}, not {}", turn.flow, turn.alone);
            check.violated(|| facts.broken(turn, &text));
        }
    }
    check
}

/// The score of section 4.2.2 of a flow time and that alone, in ticks.
pub fn score_of(flow: i128, alone: i128) -> f64 {
    let (with, without) = (flow as f64, alone as f64);
    match flow.cmp(&alone) {
        std::cmp::Ordering::Less => without / with - 1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => -(with / without - 1.0),
    }
}

/// The mean of values, and the ends of Student's 95% interval where there are two or more; `t` by
/// the freedom is handed in.
pub fn interval_of(values: &[f64], t: impl FnOnce(u64) -> f64) -> (Option<f64>, [Option<f64>; 2]) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, [None; 2]);
    }
    let mean = values.iter().sum::<f64>() / count;
    if values.len() < 2 {
        return (Some(mean), [None; 2]);
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let half = t(values.len() as u64 - 1) * (squares / (count - 1.0) / count).sqrt();
    (Some(mean), [Some(mean - half), Some(mean + half)])
}

/// The same but for rounding; an infinite score is near to itself only.
fn is_near(one: f64, other: f64) -> bool {
    let apart = (one - other).abs();
    one == other || apart.is_finite() && apart <= ROUNDING * one.abs().max(other.abs()).max(1.0)
}

fn scores(facts: &RoundsFacts) -> Check {
    let mut check = Check::new("scores", "a score is that of the flow time and that alone");
    for turn in &facts.turns {
        check.looked_at += 1;
        let found = score_of(turn.flow, turn.alone);
        if !is_near(found, turn.score) {
            let text = format!("a score of {}, not {found}", turn.score);
            check.violated(|| facts.broken(turn, &text));
        }
    }
    check
}

/// The ratio of flow times as the rules take it: the sign, and R where it is at least 1.
fn ratio(turn: &TurnFacts) -> (f64, f64) {
    let ratio = if turn.flow == turn.alone {
        1.0
    } else {
        (turn.flow as f64 / turn.alone as f64).clamp(0.5, 2.0)
    };
    if ratio > 1.0 { (-1.0, ratio) } else { (1.0, 1.0 / ratio) }
}

fn learning(facts: &RoundsFacts) -> Check {
    let mut check = Check::new(
        "learning",
        "an organization begins a round where the one before left it, and moves by its rule",
    );
    let mut stands: Vec<Option<[Option<f64>; 2]>> = vec![None; facts.organizations.len()];
    let mut replication = 0;
    for round in rounds(facts) {
        if round[0].replication != replication {
            replication = round[0].replication;
            stands.fill(None);
        }
        let members = round.iter().filter(|turn| turn.joined).count();
        for turn in round {
            check.looked_at += 1;
            let SeatFacts { learning, begins, .. } = facts.seats[turn.organization];
            let stood = stands[turn.organization].or(begins);
            if stood.is_some_and(|stood| stood != turn.before) {
                let text = format!("began at {:?}, not at {stood:?}", turn.before);
                check.violated(|| facts.broken(turn, &text));
            }
            if let Some(expected) = moves_to(learning, turn, members == 1) {
                let agree = expected.iter().zip(&turn.after).all(|pair| match pair {
                    (Some(one), Some(other)) => is_near(*one, *other),
                    (one, other) => one == other,
                });
                if !agree {
                    let text = format!("moved to {:?}, not to {expected:?}", turn.after);
                    check.violated(|| facts.broken(turn, &text));
                }
            } else {
                let name = &facts.organizations[turn.organization];
                check.note(format!("the rule by which {name} learns is not known here"));
            }
            stands[turn.organization] = Some(turn.after);
        }
    }
    check
}

/// Where a rule leads after a round.
fn moves_to(learning: Learning, turn: &TurnFacts, alone: bool) -> Option<[Option<f64>; 2]> {
    let [p, level] = turn.before;
    match learning {
        Learning::Ratio { rate, alone_counts, .. } => {
            if !turn.joined || (alone && !alone_counts) {
                return Some(turn.before);
            }
            let (sign, ratio) = ratio(turn);
            // q = 1/2 + d (R / 2 - 1/2), of a probability.
            let desire = (0.5 + sign * (ratio / 2.0 - 0.5)).clamp(0.0, 1.0);
            Some([p.map(|p| (1.0 - rate) * p + rate * desire), level])
        }
        Learning::Level { rate, bounds: (least, most), .. } => {
            let (sign, ratio) = if turn.joined { ratio(turn) } else { (1.0, 1.0) };
            let to = |level: f64| (level + rate * level * sign * (ratio - 1.0)).clamp(least, most);
            Some([p, level.map(to)])
        }
        Learning::Fixed => Some(turn.before),
        Learning::Unknown => None,
    }
}

/// The moves add up to what the rounds say.
fn moved(facts: &RoundsFacts, moves: &[MoveFacts]) -> Check {
    let mut check = Check::new(
        "moves and rounds",
        "what an organization sent and received in a round is the sum of its moves",
    );
    let mut sums: BTreeMap<(u32, u64, usize), [i128; 2]> = BTreeMap::new();
    for one in moves {
        let at = |organization| (one.replication, one.round, organization);
        sums.entry(at(one.sender)).or_default()[0] += one.amount;
        sums.entry(at(one.receiver)).or_default()[1] += one.amount;
    }
    for turn in &facts.turns {
        check.looked_at += 1;
        let at = (turn.replication, turn.round, turn.organization);
        let [sent, received] = sums.remove(&at).unwrap_or_default();
        if (sent, received) != (turn.sent, turn.received) {
            let text = format!(
                "{} ticks sent and {} received, but moves of {sent} and {received}",
                turn.sent, turn.received
            );
            check.violated(|| facts.broken(turn, &text));
        }
    }
    for &(replication, round, organization) in sums.keys() {
        let at = (replication, round);
        check.violated(|| facts.broken_at(at, Some(organization), "moves, but no record"));
    }
    check
}

/// Each balancing, move by move: loads stay what they are together, and nothing ends later than is
/// promised.
fn promises(facts: &RoundsFacts, moves: &[MoveFacts]) -> Check {
    let mut check = Check::new(
        "promises",
        "a receiver has done what it has, and what is moved to it, by the time that is promised",
    );
    let same = |one: &MoveFacts, next: &MoveFacts| {
        (one.replication, one.balancing) == (next.replication, next.balancing)
    };
    for balancing in moves.chunk_by(same) {
        let mut loads: BTreeMap<usize, i128> = BTreeMap::new();
        for one in balancing {
            for (who, load) in [one.sender, one.receiver].into_iter().zip(one.before) {
                loads.entry(who).or_insert(load);
            }
        }
        let mut broken = |one: &MoveFacts, text: &str| {
            let mut violation =
                facts.broken_at((one.replication, one.round), Some(one.receiver), text);
            violation.time = i64::try_from(one.time).ok().map(Time::from_ticks);
            check.violated(|| violation);
        };
        // A sender sends all that it sends before anything else happens to it.
        for own in balancing.chunk_by(|one, next| one.sender == next.sender) {
            let amount: i128 = own.iter().map(|one| one.amount).sum();
            *loads.entry(own[0].sender).or_default() -= amount;
            if loads[&own[0].sender] < 0 || own.iter().any(|one| one.amount <= 0) {
                broken(&own[0], "its sender sent more than it had, or nothing");
            }
            for one in own {
                let load = loads.entry(one.receiver).or_default();
                *load += one.amount;
                if one.time + *load > one.promised {
                    let text = format!(
                        "promised by tick {}, but done at {}",
                        one.promised,
                        one.time + *load
                    );
                    broken(one, &text);
                }
            }
        }
        for one in balancing {
            check.looked_at += 1;
            if loads[&one.receiver] != one.after {
                let text = format!("{} ticks of work, not {}", one.after, loads[&one.receiver]);
                let at = (one.replication, one.round);
                check.violated(|| facts.broken_at(at, Some(one.receiver), &text));
            }
        }
    }
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(round: u64, organization: usize, joined: bool, p: [f64; 2]) -> TurnFacts {
        TurnFacts {
            replication: 0,
            round,
            organization,
            joined,
            jobs: 3,
            flow: if joined { 80 } else { 100 },
            alone: 100,
            score: if joined { 0.25 } else { 0.0 },
            sent: 0,
            received: 0,
            before: [Some(p[0]), None],
            after: [Some(p[1]), None],
        }
    }

    /// Two organizations, of which one is in: its q is 1/2 + 1.25/2 - 1/2 = 0.625.
    fn facts() -> RoundsFacts {
        let learning = Learning::Ratio { rate: 0.1, alone_counts: true };
        let begins = Some([Some(0.5), None]);
        let seat = SeatFacts { learning, begins, first: 0, last: None };
        let mut turns = vec![
            turn(0, 0, true, [0.5, 0.5125]),
            turn(0, 1, true, [0.5, 0.5125]),
            turn(1, 0, false, [0.5125, 0.5125]),
            turn(1, 1, false, [0.5125, 0.5125]),
        ];
        (turns[0].sent, turns[1].received) = (7, 7);
        RoundsFacts {
            organizations: vec!["a".to_owned(), "b".to_owned()],
            seats: vec![seat; 2],
            replications: 1,
            rounds: 2,
            continuing: false,
            turns,
            moves: Some(vec![MoveFacts {
                replication: 0,
                round: 0,
                balancing: 4,
                time: 100,
                sender: 0,
                receiver: 1,
                amount: 7,
                promised: 110,
                before: [17, 3],
                after: 10,
            }]),
        }
    }

    #[track_caller]
    fn breaks(change: impl FnOnce(&mut RoundsFacts), names: &[&str]) {
        let mut facts = facts();
        change(&mut facts);
        let report = audit(&facts);
        let broken: Vec<&str> =
            report.checks.iter().filter(|check| !check.passed()).map(|check| check.name).collect();
        assert_eq!(broken, names);
    }

    #[test]
    fn every_rule_is_kept_or_found_broken() {
        breaks(|_| {}, &[]);
        let one_less = |facts: &mut RoundsFacts| {
            facts.turns.remove(2);
        };
        breaks(one_less, &["everyone in every round"]);
        breaks(|facts| facts.turns[0].sent = 8, &["conservation of load", "moves and rounds"]);
        let both =
            |facts: &mut RoundsFacts| (facts.turns[2].sent, facts.turns[3].received) = (1, 1);
        breaks(both, &["outsiders are alone", "moves and rounds"]);
        breaks(|facts| facts.turns[2].flow = 99, &["outsiders are alone", "scores"]);
        breaks(|facts| facts.turns[0].score = 0.26, &["scores"]);
        breaks(|facts| facts.turns[0].score = f64::INFINITY, &["scores"]);
        breaks(|facts| facts.turns[0].after[0] = Some(0.52), &["learning"]);
        breaks(|facts| facts.turns[2].before[0] = Some(0.5), &["learning"]);
        let first = |facts: &mut RoundsFacts, change: fn(&mut MoveFacts)| {
            change(&mut facts.moves.as_mut().expect("there are moves")[0]);
        };
        breaks(|facts| first(facts, |one| one.promised = 109), &["promises"]);
        breaks(|facts| first(facts, |one| one.after = 9), &["promises"]);
        breaks(|facts| first(facts, |one| one.before[0] = 6), &["promises"]);
        breaks(|facts| first(facts, |one| one.round = 1), &["moves and rounds"]);
    }
}
