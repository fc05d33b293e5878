//! What became of the learners, in sentences: absorbed or not, and whether anybody could have
//! gained by doing something else.

use super::acts::told;
use super::deviations::Mean;
use super::instead::{Instead, table};
use super::learned::{Learned, Unit};
use crate::game::stage::{Act, Terms};
use crate::report::figure::{figure, percent, rough};
use crate::report::table::Table;

/// Classes of which is told.
const SHOWN: usize = 6;
/// The share of the rounds from which on something that was done is told of.
const OFTEN: f64 = 0.05;
/// Scores by which nobody may gain more where it is called an equilibrium.
const NEAR: f64 = 0.1;

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
    sentences.extend(classes(learned).filter_map(cycles).take(SHOWN));
    let asked: Vec<(&Unit, &Instead)> = classes(learned)
        .filter_map(|unit| Some((unit, unit.instead.as_ref()?)))
        .filter(|(_, instead)| instead.rounds() > 0)
        .collect();
    let gains: Vec<String> =
        asked.iter().flat_map(|(unit, instead)| gains(unit, instead)).take(2 * SHOWN).collect();
    let is_rest = gains.is_empty();
    sentences.extend(gains);
    let best = asked.iter().filter_map(|(unit, instead)| Some((unit, instead.best()?)));
    let best = best.max_by(|a, b| a.1.1.mean.total_cmp(&b.1.1.mean));
    match best.filter(|(_, (_, gain))| gain.is_sure()) {
        Some((unit, (act, gain))) => {
            let error = gain.interval.map_or(0.0, |interval| interval.half_width());
            sentences.push(format!(
                "distance to equilibrium: {} ± {}, what {} would gain a round by {} always",
                figure(gain.mean),
                rough(error),
                unit.name,
                verb(act, "staying", "taking")
            ));
        }
        None if is_rest => sentences.extend(no_gain(&asked)),
        None => {}
    }
    sentences
}

/// Whether it is an equilibrium where nobody would surely have gained.
fn no_gain(asked: &[(&Unit, &Instead)]) -> Option<String> {
    let most = asked.iter().filter_map(|(unit, instead)| Some((unit, instead.most(OFTEN)?)));
    let (unit, (act, gain)) = most.max_by(|a, b| a.1.1.highest().total_cmp(&b.1.1.highest()))?;
    let highest = gain.highest();
    let who = &unit.name;
    let what = verb(act, "staying", "taking");
    Some(if highest <= NEAR {
        format!(
            "at an equilibrium, within {}: in the rounds asked about nobody would have gained more \
             by doing something else",
            figure(highest.max(0.0))
        )
    } else if highest.is_finite() {
        format!(
            "whether it is an equilibrium cannot be told: {who} might have gained up to {} by {what} \
             ({} on average); more rounds or replications, or `gridpact deviate`, tell more",
            figure(highest),
            figure(gain.mean)
        )
    } else {
        format!(
            "whether it is an equilibrium cannot be told from so few rounds: {who} would have gained \
             {} by {what}, but nothing says how sure that is",
            figure(gain.mean)
        )
    })
}

/// What is counted of a class.
fn who(unit: &Unit) -> &'static str {
    if unit.members.len() > 1 { "members and replications" } else { "replications" }
}

/// Who does always the same.
fn absorbed(unit: &Unit) -> Option<String> {
    let absorbed = &unit.absorbed;
    let (share, rounds) = (absorbed.share()?, absorbed.rounds()?);
    let who = who(unit);
    Some(format!(
        "absorbed: {} in {} of {} {who}, after {} rounds (median): {}",
        unit.name,
        percent(share),
        absorbed.known,
        libm::round(rounds),
        absorbed.acts()
    ))
}

/// Who goes in cycles, how fast, and around what.
fn cycles(unit: &Unit) -> Option<String> {
    let [period, around] = unit.settled.swing()?;
    Some(format!(
        "in cycles: {} in {} of {} courses, of {} rounds around {} (medians)",
        unit.name,
        percent(unit.settled.share_in_cycles()?),
        unit.settled.known,
        libm::round(period),
        figure(around)
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
    let would = |did: Option<Act>, act: Act, gain: Mean| {
        let error = gain.interval.map_or(0.0, |interval| interval.half_width());
        let does = match did {
            Some(Act::In(_)) if act == Act::Out => "leaving".to_owned(),
            Some(Act::Out) if act == Act::In(Terms::ANY) => "joining".to_owned(),
            _ => verb(act, "staying", "taking"),
        };
        format!("where {does} would have gained {} ± {}", figure(gain.mean), rough(error))
    };
    let did = |did: Option<Act>| {
        did.map_or_else(|| "did something else".to_owned(), |act| verb(act, "stayed", "took"))
    };
    let is_sure = |gain: &Mean| gain.is_sure();
    let mut all = Vec::new();
    // Those who were absorbed, in each place apart: others may be somewhere else.
    let stuck = unit.stuck.iter().flat_map(|stuck| stuck.done(OFTEN));
    let stuck: Vec<_> = stuck.filter(|(.., gain)| is_sure(gain)).collect();
    for &(done, _, act, gain) in &stuck {
        let count = done.map_or(0, |act| unit.absorbed.doing(act));
        all.push(format!(
            "absorbed, but not at an equilibrium: {} {} always, {count} of {} {}, {}",
            unit.name,
            did(done),
            unit.absorbed.known,
            who(unit),
            would(done, act, gain)
        ));
    }
    if unit.absorbed.share() != Some(1.0) {
        let is_new = |done| stuck.iter().all(|one| one.0 != done);
        let sure = instead.done(OFTEN).filter(|(done, .., gain)| is_sure(gain) && is_new(*done));
        for (done, share, act, gain) in sure {
            all.push(format!(
                "no equilibrium: {} {} in {} of the late rounds asked about, {}",
                unit.name,
                did(done),
                percent(share),
                would(done, act, gain)
            ));
        }
    }
    all
}
