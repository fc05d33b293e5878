//! Audits what organizations chose, line by line: the law, the action and the counterfactuals.

use super::facts::ChoiceFacts;
use super::{is_near, units};
use crate::report::{Check, Violation};

/// The menus of an organization, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Menus {
    /// Its choices, in the order of its law; `out` and `in` if it declares its terms itself.
    pub choices: Vec<String>,
    /// Its alternatives, in the order of their counterfactual scores.
    pub alternatives: Vec<String>,
}

/// An empty check.
pub fn check() -> Check {
    Check::new(
        "choices",
        "a law sums to 1, what was played is on the menu and possible, and alternatives agree",
    )
}

/// Checks a line; `menus` are those of its organization.
pub fn look(check: &mut Check, fact: &ChoiceFacts<'_>, menus: &Menus) {
    check.looked_at += 1;
    if let Err(text) = follows(fact, menus) {
        let text = format!("{}: {text} (rounds.csv, line {})", fact.organization, fact.line);
        let (replication, round) = (fact.replication, Some(fact.round));
        let (cluster, jobs, time) = (None, Vec::new(), None);
        check.violated(|| Violation { replication, round, cluster, jobs, time, text });
    }
}

/// The first rule that the line breaks, if any.
fn follows(fact: &ChoiceFacts<'_>, menus: &Menus) -> Result<(), String> {
    let ChoiceFacts { action, law, instead, .. } = *fact;
    let terms = ["at", "above"].into_iter().zip(fact.terms);
    let terms = terms.filter_map(|(word, term)| Some(format!(" {word} {}", units(term?))));
    if action == "excluded" {
        let took_part = fact.joined || fact.terms.iter().any(Option::is_some);
        return if took_part { Err("it is excluded, but took part".to_owned()) } else { Ok(()) };
    }
    let said = if fact.joined { "in" } else { "out" }.to_owned() + &terms.collect::<String>();
    // No column has the number of a lie.
    if said != action.split(" with lie ").next().unwrap_or_default() {
        return Err(format!("its action is `{action}`, but its other columns say `{said}`"));
    }
    let is_own = menus.choices == ["out", "in"];
    let is_it = |one: &String| one == action || is_own && one == "in" && fact.joined;
    let Some(played) = menus.choices.iter().position(is_it) else {
        return Err(format!("`{action}` is not one of its choices"));
    };
    if !law.is_empty() {
        let sum: f64 = law.iter().sum();
        if law.len() != menus.choices.len() || !is_near(sum, 1.0) {
            return Err(format!("its {} probabilities sum to {sum}", law.len()));
        }
        if law.iter().any(|one| !(0.0..=1.0 + 1e-9).contains(one)) {
            return Err("a probability is not between 0 and 1".to_owned());
        }
        if law[played] <= 0.0 {
            return Err(format!("it played `{action}`, whose probability is 0"));
        }
        let joins = menus.choices.iter().zip(law).filter(|(choice, _)| *choice != "out");
        let joins: f64 = joins.map(|(_, probability)| probability).sum();
        if fact.probability.is_some_and(|told| !is_near(told, joins)) {
            return Err(format!("its probability of taking part is {joins} by its law"));
        }
    }
    if instead.is_empty() {
        return Ok(());
    }
    if instead.len() != menus.alternatives.len() {
        let all = menus.alternatives.len();
        return Err(format!("it has {} counterfactuals, but {all} alternatives", instead.len()));
    }
    for (other, &score) in menus.alternatives.iter().zip(instead) {
        // Staying out is what scores are measured against.
        let found = match other {
            other if other == action => fact.score,
            other if other == "out" => 0.0,
            _ => continue,
        };
        if !is_near(found, score) {
            return Err(format!("`{other}` would have scored {score}, but its score is {found}"));
        }
    }
    Ok(())
}
