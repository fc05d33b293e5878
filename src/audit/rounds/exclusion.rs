//! Exclusion of members that are caught cheating.

use super::facts::ExclusionFacts;
use super::{Check, Late, RoundsFacts};

/// Checks who is excluded from which rounds, and that broken promises are seen, which `late` are if that
/// is known. O(turns log).
pub(super) fn check(facts: &RoundsFacts, rule: ExclusionFacts, late: Option<&Late>) -> Check {
    let mut check = Check::new(
        "exclusions",
        "a member that was caught is excluded from as many rounds as is said and nobody else is, and \
         whoever breaks a promise is caught",
    );
    let newcomers = || facts.seats.iter().map(|seat| seat.first.saturating_add(rule.probation));
    let mut until: Vec<u64> = newcomers().collect();
    let mut replication = 0;
    for turn in &facts.turns {
        check.looked_at += 1;
        if turn.replication != replication {
            replication = turn.replication;
            until = newcomers().collect();
        }
        let seat = &facts.seats[turn.organization];
        let until = &mut until[turn.organization];
        let caught = turn.caught.unwrap_or(false);
        let broke =
            late.map(|all| all.contains(&(turn.replication, turn.round, turn.organization)));
        let text = match () {
            () if turn.excluded != (turn.round < *until) => match turn.excluded {
                true => "it is excluded, but was not caught".to_owned(),
                false => format!("it was caught, but is not excluded until round {until}"),
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
        if caught {
            let rounds = rule.rounds.unwrap_or(u64::MAX);
            let rounds = if seat.new_name { rounds.min(rule.probation) } else { rounds };
            *until = (turn.round + 1).saturating_add(rounds);
        }
    }
    check
}
