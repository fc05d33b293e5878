//! The rounds of a coalition: were load, scores and learning what the rules say?
//!
//! Everything is recomputed from the records of the rounds and of the moves, by the formulas as
//! they are printed in Rzadca and Trystram, "Promoting Cooperation in Selfish Computational
//! Grids".

use std::collections::BTreeMap;

use super::report::{Check, Report, Violation};
use crate::kernel::time::{Span, Time};

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
    /// In the order in which they ended; `None` where none were recorded.
    pub jobs: Option<Vec<PoolJobFacts>>,
    /// True where no job may end later than was promised.
    pub keeps_promises: bool,
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
    /// Where it stands: the line of its file, as if many were one.
    pub line: u64,
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
    /// Where it stands: the line of its file, as if many were one.
    pub line: u64,
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

/// A job that counts. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolJobFacts {
    /// Where it stands: the line of its file, as if many were one.
    pub line: u64,
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// Whose it is.
    pub organization: usize,
    /// Its number.
    pub number: u64,
    /// When it was submitted.
    pub submit: i128,
    /// When it was finished.
    pub finish: i128,
    /// From the one to the other, as told.
    pub turnaround: i128,
    /// When it was to be finished at the latest.
    pub promised: i128,
    /// When it would have been finished alone.
    pub alone: i128,
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
    if let Some(jobs) = &facts.jobs {
        checks.push(punctual(facts, jobs));
        checks.push(summed(facts, jobs));
    }
    Report { checks }
}

/// A sum of ticks in units, as files have it.
fn units(ticks: i128) -> String {
    i64::try_from(ticks)
        .map_or(format!("{ticks} ticks"), |ticks| Span::from_ticks(ticks).to_string())
}

/// Probability and level in words.
fn stance([probability, level]: [Option<f64>; 2]) -> String {
    match (probability, level) {
        (Some(p), Some(level)) => format!("probability {p} and level {level}"),
        (Some(p), None) => format!("probability {p}"),
        (None, Some(level)) => format!("level {level}"),
        (None, None) => "neither probability nor level".to_owned(),
    }
}

impl RoundsFacts {
    /// A violation in a round, which a line of `rounds.csv` shows.
    fn broken(&self, turn: &TurnFacts, text: &str) -> Violation {
        let text = format!("{text} (rounds.csv, line {})", turn.line);
        self.broken_at((turn.replication, turn.round), Some(turn.organization), &text)
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
            round: Some(round),
            cluster: None,
            jobs: Vec::new(),
            time: None,
            text: format!("{}{text}", who.unwrap_or_default()),
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
            let text = format!("{} were sent and {} received", units(sent), units(received));
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
            let [sent, received] = [sent, received].map(units);
            let text = format!("it is out, but sent {sent} and received {received}");
            check.violated(|| facts.broken(turn, &text));
        }
        if !facts.continuing && turn.flow != turn.alone {
            let [flow, alone] = [turn.flow, turn.alone].map(units);
            let text = format!("it is out, but its flow is {flow}, and {alone} alone");
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
            let text = format!("its score is {}, but its flows give {found}", turn.score);
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
            if let Some(stood) = stood.filter(|stood| *stood != turn.before) {
                let text =
                    format!("it began at {}, but stood at {}", stance(turn.before), stance(stood));
                check.violated(|| facts.broken(turn, &text));
            }
            if let Some(expected) = moves_to(learning, turn, members == 1) {
                let agree = expected.iter().zip(&turn.after).all(|pair| match pair {
                    (Some(one), Some(other)) => is_near(*one, *other),
                    (one, other) => one == other,
                });
                if !agree {
                    let text = format!(
                        "it moved to {}, but its rule leads to {}",
                        stance(turn.after),
                        stance(expected)
                    );
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
                "it sent {} and received {}, but its moves are {} and {}",
                units(turn.sent),
                units(turn.received),
                units(sent),
                units(received)
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
            let text = format!("{text} (moves.csv, line {})", one.line);
            let at = (one.replication, one.round);
            let mut violation = facts.broken_at(at, Some(one.receiver), &text);
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
                        "work is promised by {}, but done at {}",
                        units(one.promised),
                        units(one.time + *load)
                    );
                    broken(one, &text);
                }
            }
        }
        for one in balancing {
            check.looked_at += 1;
            if loads[&one.receiver] != one.after {
                let text = format!(
                    "its load afterwards is {}, but its moves give {} (moves.csv, line {})",
                    units(one.after),
                    units(loads[&one.receiver]),
                    one.line
                );
                let at = (one.replication, one.round);
                check.violated(|| facts.broken_at(at, Some(one.receiver), &text));
            }
        }
    }
    check
}

/// No job ends later than was promised, and its flow time is what lies between its ends.
fn punctual(facts: &RoundsFacts, jobs: &[PoolJobFacts]) -> Check {
    let mut check = Check::new(
        "promises to jobs",
        "a job ends no later than was promised at its submission, and no earlier than it came",
    );
    if !facts.keeps_promises {
        check.note(
            "the first jobs of a queue are sent first, which keeps no promises: when jobs end is \
             not compared with what was promised"
                .to_owned(),
        );
    }
    for job in jobs {
        check.looked_at += 1;
        let [finish, promised] = [job.finish, job.promised].map(units);
        let wrong = if facts.keeps_promises && job.finish > job.promised {
            format!("ended at {finish}, but was promised by {promised}")
        } else if job.finish < job.submit || job.alone < job.submit {
            format!("ended at {finish}, before it was submitted at {}", units(job.submit))
        } else if job.turnaround != job.finish - job.submit {
            let [told, found] = [job.turnaround, job.finish - job.submit].map(units);
            format!("took {told}, but from its submission to its finish are {found}")
        } else {
            continue;
        };
        let text = format!("job {} {wrong} (jobs.csv, line {})", job.number, job.line);
        let at = (job.replication, job.round);
        check.violated(|| Violation {
            jobs: vec![job.number],
            ..facts.broken_at(at, Some(job.organization), &text)
        });
    }
    check
}

/// The jobs add up to what the rounds say.
fn summed(facts: &RoundsFacts, jobs: &[PoolJobFacts]) -> Check {
    let mut check = Check::new(
        "jobs and rounds",
        "the flow times of a round are the sums of those of its jobs",
    );
    let mut sums: BTreeMap<(u32, u64, usize), (u64, [i128; 2])> = BTreeMap::new();
    for job in jobs {
        let at = (job.replication, job.round, job.organization);
        let (count, [flow, alone]) = sums.entry(at).or_default();
        *count += 1;
        *flow += job.turnaround;
        *alone += job.alone - job.submit;
    }
    for turn in &facts.turns {
        check.looked_at += 1;
        let at = (turn.replication, turn.round, turn.organization);
        let (count, sums) = sums.remove(&at).unwrap_or_default();
        if (count, sums) != (turn.jobs, [turn.flow, turn.alone]) {
            let [flow, alone] = sums.map(units);
            let text = format!(
                "it has {} jobs with a flow of {}, and {} alone, but jobs.csv has {count} with \
                 {flow} and {alone}",
                turn.jobs,
                units(turn.flow),
                units(turn.alone)
            );
            check.violated(|| facts.broken(turn, &text));
        }
    }
    for &(replication, round, organization) in sums.keys() {
        let at = (replication, round);
        check.violated(|| facts.broken_at(at, Some(organization), "jobs, but no record"));
    }
    check
}

#[cfg(test)]
mod tests;
