//! Exclusion of members that are caught cheating.

use std::collections::BTreeMap;

use super::facts::ExclusionFacts;
use super::{Check, Late, MoveFacts, RoundsFacts};

/// Checks who is excluded from which rounds, and that broken promises are seen, which `late` are if that
/// is known. O(turns log).
pub(super) fn check(facts: &RoundsFacts, rule: ExclusionFacts, late: Option<&Late>) -> Check {
    let mut check = Check::new(
        "exclusions",
        "a member that was caught or voted out is excluded from as many rounds as is said and nobody else \
         is, and whoever breaks a promise is caught",
    );
    let moves = facts.moves.as_deref();
    let voted = rule.votes.map(|share| moves.map(|moves| voted(facts, moves, share)));
    if matches!(voted, Some(None)) {
        check.note(
            "moves are not recorded, by which members vote: who is excluded for how long is not looked at"
                .to_owned(),
        );
    }
    let is_known = !matches!(voted, Some(None));
    let voted = voted.flatten().unwrap_or_default();
    let newcomers = || facts.seats.iter().map(|seat| seat.first.saturating_add(rule.probation));
    let mut until: Vec<u64> = newcomers().collect();
    let mut before = vec![0_u32; facts.seats.len()];
    let mut replication = 0;
    for turn in &facts.turns {
        check.looked_at += 1;
        if turn.replication != replication {
            replication = turn.replication;
            until = newcomers().collect();
            before.fill(0);
        }
        let before = &mut before[turn.organization];
        let until = &mut until[turn.organization];
        let caught = turn.caught.unwrap_or(false);
        let broke =
            late.map(|all| all.contains(&(turn.replication, turn.round, turn.organization)));
        let text = match () {
            () if is_known && turn.excluded != (turn.round < *until) => match turn.excluded {
                true => "it is excluded, but was neither caught nor voted out".to_owned(),
                false => {
                    format!("it was caught or voted out, but is not excluded until round {until}")
                }
            },
            () if turn.excluded && turn.joined => "it is excluded, but took part".to_owned(),
            () if caught && !turn.joined => "it was caught, but took no part".to_owned(),
            () if broke == Some(true) && !caught => {
                "it broke a promise, but was not caught".to_owned()
            }
            () if caught && broke == Some(false) && !rule.probes => {
                "it was caught, but broke no promise".to_owned()
            }
            () => String::new(),
        };
        if !text.is_empty() {
            check.violated(|| facts.broken(turn, &text));
        }
        if caught || voted.contains(&(turn.replication, turn.round, turn.organization)) {
            let times = if rule.doubles { 2_u64.saturating_pow(*before) } else { 1 };
            let rounds = rule.rounds.map_or(u64::MAX, |rounds| rounds.saturating_mul(times));
            let has_new_name = turn.lie.new_name;
            let rounds = if has_new_name { rounds.min(rule.probation) } else { rounds };
            *until = (turn.round + 1).saturating_add(rounds);
            *before = if has_new_name { 0 } else { *before + 1 };
        }
    }
    check
}

/// Members against which more than a share of the others are: for which they did more work in the round than
/// it did for them. O(moves log).
fn voted(facts: &RoundsFacts, moves: &[MoveFacts], share: f64) -> Late {
    let mut did: BTreeMap<(u32, u64, usize, usize), i128> = BTreeMap::new();
    for one in moves {
        let mut add = |who, whom, work| {
            *did.entry((one.replication, one.round, who, whom)).or_default() += work;
        };
        add(one.receiver, one.sender, one.amount);
        add(one.sender, one.receiver, -one.amount);
    }
    let mut against: BTreeMap<(u32, u64, usize), usize> = BTreeMap::new();
    for (&(replication, round, _, whom), _) in did.iter().filter(|(_, work)| **work > 0) {
        *against.entry((replication, round, whom)).or_default() += 1;
    }
    let mut members: BTreeMap<(u32, u64), usize> = BTreeMap::new();
    for turn in facts.turns.iter().filter(|turn| turn.joined) {
        *members.entry((turn.replication, turn.round)).or_default() += 1;
    }
    let others = |at: &(u32, u64, usize)| members.get(&(at.0, at.1)).map_or(0, |all| all - 1);
    let is_out = |(at, count): &(_, usize)| *count as f64 > share * others(at) as f64;
    against.into_iter().filter(is_out).map(|(at, _)| at).collect()
}
