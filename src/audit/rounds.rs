//! Audits the rounds of a coalition: load, scores and learning must follow the rules.
//!
//! Everything is recomputed from the records of the rounds and of the moves, by the formulas as
//! printed in Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".

pub mod choices;
mod exclusion;
mod facts;
mod queues;

use std::collections::{BTreeMap, BTreeSet};

use super::report::{Check, Report, Violation};
use kernel::time::{Time, Units};

pub use facts::{
    ChoiceFacts, ExclusionFacts, JudgedFacts, Learning, LieFacts, MoveFacts, PoolJobFacts,
    RoundsFacts, SeatFacts, TurnFacts,
};

/// Tolerance for rounding in computed numbers.
const ROUNDING: f64 = 1e-9;

/// Checks every rule of rounds. O((turns + moves) log).
pub fn audit(facts: &RoundsFacts) -> Report {
    let mut checks = vec![present(facts), conserved(facts), outsiders(facts), scores(facts)];
    checks.push(learning(facts));
    let mut late = None;
    if let Some(moves) = &facts.moves {
        checks.push(moved(facts, moves));
        let (check, found) = promises(facts, moves);
        checks.push(check);
        late = Some(found);
    }
    checks.extend(facts.exclusion.map(|rule| exclusion::check(facts, rule, late.as_ref())));
    if let Some(jobs) = &facts.jobs {
        checks.push(punctual(facts, jobs));
        checks.push(summed(facts, jobs));
        if facts.records_all && !facts.continuing {
            checks.push(queues::check(facts, jobs));
        }
    }
    Report { checks }
}

/// Formats a sum of ticks in units, as in files.
fn units(ticks: i128) -> String {
    Units(ticks).to_string()
}

/// Formats probability and level.
fn stance([probability, level]: [Option<f64>; 2]) -> String {
    match (probability, level) {
        (Some(p), Some(level)) => format!("probability {p} and level {level}"),
        (Some(p), None) => format!("probability {p}"),
        (None, Some(level)) => format!("level {level}"),
        (None, None) => "neither probability nor level".to_owned(),
    }
}

/// Presence: each organization has a line in exactly the rounds in which it was present.
fn present(facts: &RoundsFacts) -> Check {
    let mut check = Check::new(
        "everyone in every round",
        "each organization has one record of each round in which it was there",
    );
    let mut turns = facts.turns.iter().peekable();
    for replication in 0..facts.replications {
        for round in 0..facts.rounds_of(replication) {
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

/// Conservation: all work sent is received.
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

/// Isolation: organizations that stay out exchange no work.
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
        // On a cluster of who does not follow a plan, others' jobs come after its own.
        let is_idle = received == 0 || facts.follows;
        if sent != 0 || !is_idle {
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

/// Score by section 4.2.2, from the flow time and the counterfactual one, in ticks.
pub fn score_of(flow: i128, alone: i128) -> f64 {
    let (with, without) = (flow as f64, alone as f64);
    match flow.cmp(&alone) {
        std::cmp::Ordering::Less => without / with - 1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => -(with / without - 1.0),
    }
}

/// Equality up to rounding; an infinite score only equals itself.
fn is_near(one: f64, other: f64) -> bool {
    let apart = (one - other).abs();
    one == other || apart.is_finite() && apart <= ROUNDING * one.abs().max(other.abs()).max(1.0)
}

impl TurnFacts {
    /// The name of what its score is made from.
    fn measured(&self) -> &'static str {
        match self.judged.and_then(|judged| judged.measures) {
            Some(_) => "measures",
            None => "flows",
        }
    }

    /// The score by the rules: that of the flow times, or in a federation that of the measures, each a
    /// tick longer if one alone is 0, less the cost of a round.
    pub fn found(&self) -> f64 {
        let Some(judged) = self.judged else { return score_of(self.flow, self.alone) };
        let flows = || [self.flow, self.alone].map(|flow| flow as f64);
        let [with, without] = judged.measures.unwrap_or_else(flows);
        let ticks = f64::from(u8::from((with == 0.0) != (without == 0.0)));
        let (with, without) = (with + ticks, without + ticks);
        let score = if with < without { without / with - 1.0 } else { 1.0 - with / without };
        let cost = if self.joined { judged.cost } else { 0.0 };
        if with == without { -cost } else { score - cost }
    }
}

fn scores(facts: &RoundsFacts) -> Check {
    let means = "a score is that of the flow time and that alone, or of what stands for them";
    let mut check = Check::new("scores", means);
    for turn in &facts.turns {
        check.looked_at += 1;
        let found = turn.found();
        if !is_near(found, turn.score) {
            let text =
                format!("its score is {}, but its {} give {found}", turn.score, turn.measured());
            check.violated(|| facts.broken(turn, &text));
        }
    }
    check
}

/// Ratio of flow times as in the rules: the sign, and R inverted if necessary to be at least 1.
fn ratio(turn: &TurnFacts) -> (f64, f64) {
    if turn.judged.is_some() {
        let score = turn.found();
        return (score.signum(), (1.0 + score.abs()).min(2.0));
    }
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
                check.note(format!(
                    "{name}: the rule of this learner has no checker; only that a round begins where \
                     the one before left it was checked"
                ));
            }
            stands[turn.organization] = Some(turn.after);
        }
    }
    check
}

/// Probability and level after a round, by the rule.
fn moves_to(learning: Learning, turn: &TurnFacts, alone: bool) -> Option<[Option<f64>; 2]> {
    let [p, level] = turn.before;
    match learning {
        Learning::Ratio { rate, alone_counts, .. } => {
            if !turn.joined || (alone && !alone_counts) {
                return Some(turn.before);
            }
            let (sign, ratio) = ratio(turn);
            // The desire q = 1/2 + d (R / 2 - 1/2), clipped to a probability.
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

/// Compares the sums of the moves with the rounds.
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

/// Replications, rounds and receivers of work that was done later than promised.
type Late = BTreeSet<(u32, u64, usize)>;

/// Checks each balancing move by move: total load is conserved, and nothing finishes later than
/// promised but by who breaks promises; these are returned.
fn promises(facts: &RoundsFacts, moves: &[MoveFacts]) -> (Check, Late) {
    let mut check = Check::new(
        "promises",
        "a receiver has done what it has, and what is moved to it, by the time that is promised; only groups \
         move work among themselves",
    );
    let mut late = Late::new();
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
        // A sender sends everything before any other change to its load.
        for own in balancing.chunk_by(|one, next| one.sender == next.sender) {
            let amount: i128 = own.iter().map(|one| one.amount).sum();
            *loads.entry(own[0].sender).or_default() -= amount;
            if loads[&own[0].sender] < 0 || own.iter().any(|one| one.amount <= 0) {
                broken(&own[0], "its sender sent more than it had, or nothing");
            }
            for one in own {
                let load = loads.entry(one.receiver).or_default();
                *load += one.amount;
                let turn = |_| facts.turn((one.replication, one.round, one.receiver));
                let may = Some(()).filter(|()| facts.seats[one.receiver].breaks);
                let delay = may.and_then(turn).and_then(|turn| turn.lie.breaks);
                let done = one.time + *load + delay.unwrap_or(0);
                if done > one.promised && delay.is_some() {
                    late.insert((one.replication, one.round, one.receiver));
                } else if done > one.promised {
                    let text = format!(
                        "work is promised by {}, but done at {}",
                        units(one.promised),
                        units(done)
                    );
                    broken(one, &text);
                }
            }
        }
        let are_apart = |one: &&MoveFacts| {
            let both = [one.sender, one.receiver];
            let is_of = |group: &Vec<usize>| both.iter().all(|who| group.contains(who));
            !facts.groups.is_empty() && !facts.groups.iter().any(is_of)
        };
        for one in balancing.iter().filter(are_apart) {
            broken(one, "its sender and its receiver are in no group together");
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
    (check, late)
}

/// Checks that no job finishes later than promised, and that flow times match.
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
    if facts.seats.iter().any(|seat| seat.lies) {
        check.note(
            "of organizations that declare other queues than they have, ends are not compared \
                    with promises: what they send too much may come back too late"
                .to_owned(),
        );
    }
    let breaks = facts.seats.iter().any(|seat| seat.breaks);
    if breaks {
        check.note(
            "an organization breaks promises: when jobs end is not compared with what was promised"
                .to_owned(),
        );
    }
    for job in jobs {
        check.looked_at += 1;
        let [finish, promised] = [job.finish, job.promised].map(units);
        let is_kept = facts.keeps_promises && !breaks && !facts.seats[job.organization].lies;
        let wrong = if is_kept && job.finish > job.promised {
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

/// Compares the sums over the jobs with the rounds.
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
                "it has {} with a flow of {}, and {} alone, but jobs.csv has {count} with {flow} \
                 and {alone}",
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
