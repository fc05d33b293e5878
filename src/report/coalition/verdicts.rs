//! What became of the learners, in sentences: absorbed or not, and whether anybody could have
//! gained by doing something else.

use super::acts::told;
use super::instead::{Instead, table};
use super::learned::{Learned, Unit};
use crate::game::stage::{Act, Terms};
use crate::report::figure::{figure, percent, rough};
use crate::report::table::Table;

/// Classes of which is told.
const SHOWN: usize = 6;
/// The share of the rounds from which on something that was done is told of.
const OFTEN: f64 = 0.05;

/// The classes, or the organizations that are alone.
fn classes(learned: &Learned) -> impl Iterator<Item = &Unit> {
    learned.frame.classes.iter().map(|class| learned.class(class))
}

/// `alternatives.csv`.
pub fn alternatives(learned: &Learned) -> Table {
    let told = classes(learned).filter_map(|unit| Some((&*unit.name, unit.instead.as_ref()?)));
    table(told)
}

/// The sentences.
pub fn of(learned: &Learned) -> Vec<String> {
    let mut sentences = Vec::new();
    let absorbed = classes(learned).filter_map(absorbed);
    sentences.extend(absorbed.take(SHOWN));
    let asked: Vec<(&Unit, &Instead)> = classes(learned)
        .filter_map(|unit| Some((unit, unit.instead.as_ref()?)))
        .filter(|(_, instead)| instead.rounds() > 0)
        .collect();
    let gains: Vec<String> =
        asked.iter().flat_map(|(unit, instead)| gains(unit, instead)).take(2 * SHOWN).collect();
    if gains.is_empty() && !asked.is_empty() {
        let rounds: u64 = asked.iter().map(|(_, instead)| instead.rounds()).sum();
        sentences.push(format!(
            "at an equilibrium, as far as can be told: in {rounds} rounds of the last quarter that \
             were asked about, nobody would surely have gained by doing something else"
        ));
    }
    sentences.extend(gains);
    let distance = asked.iter().filter_map(|(unit, instead)| Some((unit, instead.best()?.1)));
    let largest = distance.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    if let Some((unit, gain)) = largest.filter(|(_, gain)| gain.is_sure()) {
        let error = gain.interval.map_or(0.0, |interval| interval.half_width());
        sentences.push(format!(
            "distance to equilibrium: {} ± {}, what {} would gain a round by doing always one thing",
            figure(gain.mean),
            rough(error),
            unit.name
        ));
    }
    sentences
}

/// Who does always the same.
fn absorbed(unit: &Unit) -> Option<String> {
    let absorbed = &unit.absorbed;
    let (share, rounds) = (absorbed.share()?, absorbed.rounds()?);
    let who = if unit.members.len() > 1 { "members and replications" } else { "replications" };
    Some(format!(
        "absorbed: {} in {} of {} {who}, after {} rounds (median): {}",
        unit.name,
        percent(share),
        absorbed.known,
        libm::round(rounds),
        absorbed.acts()
    ))
}

/// An act as the part of a sentence: `stayed out`, `took part at 5`.
fn verb(act: Act, stays: &str, takes: &str) -> String {
    match told(act).strip_prefix("in") {
        Some(terms) => format!("{takes} part{terms}"),
        None => format!("{stays} {}", told(act)),
    }
}

/// What would surely have been gained by doing something else.
fn gains(unit: &Unit, instead: &Instead) -> Vec<String> {
    let sure = instead.done(OFTEN).filter(|(.., gain)| gain.is_sure());
    let is_pure = unit.absorbed.share() == Some(1.0);
    let sentence = |(did, share, act, gain): (Option<Act>, f64, Act, super::deviations::Mean)| {
        let error = gain.interval.map_or(0.0, |interval| interval.half_width());
        let word = if is_pure { "absorbed, but not at an equilibrium" } else { "no equilibrium" };
        format!(
            "{word}: {} {} in {} of the last rounds, where {} would have gained {} ± {}",
            unit.name,
            did.map_or_else(|| "did something else".to_owned(), |act| verb(act, "stayed", "took")),
            percent(share),
            match did {
                Some(Act::In(_)) if act == Act::Out => "leaving".to_owned(),
                Some(Act::Out) if act == Act::In(Terms::ANY) => "joining".to_owned(),
                _ => verb(act, "staying", "taking"),
            },
            figure(gain.mean),
            rough(error)
        )
    };
    sure.map(sentence).collect()
}
