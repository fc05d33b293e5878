//! Learners of an entry: default parameters, adapted to the field.

use serde_json::{Value, json};

use super::field::Field;
use super::{Balancing, LEVEL, LEVELS, Play};
use policy::learn::choose::Choices;
use policy::learn::{LearnerOptions, Player as _, fixed};

/// A learner that cannot play in a field, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseated {
    /// Name of the learner.
    pub name: &'static str,
    /// Reason.
    pub reason: &'static str,
}

/// Name of the paper's rule.
pub(super) fn paper(play: Play) -> &'static str {
    match play {
        Play::Joins => "ratio",
        Play::Levels => "level",
    }
}

/// Level of the overloaded organization under BILB.
const OVERLOADED: f64 = 1000.0;

/// A learner with its choices.
pub(super) type Seated = (LearnerOptions, Choices);

/// A learner with one parameter changed, which is one of its choices if it has any.
///
/// `None` if it has no such parameter or the value is invalid.
fn with((options, choices): &Seated, key: &str, value: Value) -> Option<Seated> {
    let mut written = serde_json::to_value((options, choices)).ok()?;
    let table = match options.takes_choices() {
        true => &mut written[1],
        false => written[0].get_mut(options.name())?,
    };
    table.as_object_mut()?.insert(key.to_owned(), value);
    let read: Seated = serde_json::from_value(written).ok()?;
    (read.0.check().is_ok() && read.1.check().is_ok()).then_some(read)
}

/// The learner's options for a typical and for the overloaded organization.
///
/// `start` is the initial probability of joining, `payoffs` the scores that are scaled to 0 and 1,
/// if given.
///
/// # Errors The reason why the learner cannot play.
pub(super) fn seated(
    options: &LearnerOptions,
    field: &Field,
    start: f64,
    payoffs: Option<[f64; 2]>,
) -> Result<[Seated; 2], Unseated> {
    let name = options.name();
    let plain = (options.clone(), Choices::default());
    let read = payoffs.and_then(|payoffs| with(&plain, "payoffs", json!(payoffs)));
    let own = read.unwrap_or(plain);
    let not = |reason| Unseated { name, reason };
    if options.build().wanted().rules {
        return Err(not("it asks for the payoffs of the whole game, which nobody knows of a grid"));
    }
    let fixed = |level| {
        let options = fixed::Options { level: Some(level), ..Default::default() };
        (LearnerOptions::Fixed(options), Choices::default())
    };
    if field.play == Play::Levels {
        let typical = match (with(&own, "levels", json!(LEVELS)), name) {
            (Some(chooses), _) => chooses,
            (None, "level") => own,
            (None, "fixed") => fixed(LEVEL),
            (None, _) => return Err(not("it does not learn levels")),
        };
        return Ok([typical, fixed(OVERLOADED)]);
    }
    let begins = if name == "fixed" { "probability" } else { "initial" };
    let begun = if name == "level" { None } else { with(&own, begins, json!(start)) };
    let begun = begun.ok_or(not("it has no probability of taking part to begin with"))?;
    if field.balancing == Balancing::Averaging {
        return Ok([begun.clone(), begun]);
    }
    let at = |level: f64| {
        with(&begun, "level", json!(level)).ok_or(not("it declares no level when it takes part"))
    };
    Ok([at(LEVEL)?, at(OVERLOADED)?])
}

#[cfg(test)]
mod tests {
    use super::super::field::fields;
    use super::super::{Effort, Wanted};
    use super::*;

    #[test]
    fn seats_are_given_by_what_a_learner_can() {
        let effort = Effort { rounds: 1, seeds: 1, seed: 1 };
        let all = fields(&Wanted::default(), effort).expect("scenarios can be read");
        let seat = |name: &str, number: usize| {
            let mut learners = LearnerOptions::defaults().into_iter();
            let options = learners.find(|one| one.name() == name).expect("it is registered");
            let seats = seated(&options, &all[number], 0.9, Some([-1.0, 5.0]));
            seats.map(|seats| seats.map(|one| serde_json::to_value(one).expect("a learner")))
        };
        let [typical, overloaded] = seat("ratio", 1).expect("it joins");
        assert_eq!(
            (&typical[0]["ratio"]["initial"], &typical[0]["ratio"]["level"]),
            (&0.9.into(), &5.0.into())
        );
        assert_eq!(overloaded[0]["ratio"]["level"], 1000.0);
        let [typical, overloaded] = seat("cross", 2).expect("it learns levels");
        assert_eq!(typical[1]["levels"][4], 5.0);
        assert_eq!(typical[1]["payoffs"][1], 5.0);
        assert_eq!(overloaded[0]["fixed"]["level"], 1000.0);
        assert_eq!(seat("fixed", 0).expect("it joins")[0][0]["fixed"]["probability"], 0.9);
        assert_eq!(seat("ratio", 2).unwrap_err().reason, "it does not learn levels");
        assert!(seat("level", 0).is_err() && seat("level", 2).is_ok());
    }
}
