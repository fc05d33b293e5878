//! Verdicts on the learners, in sentences: convergence, cycles, and regret.
//!
//! They say who was absorbed, and whether anybody could have gained by another action.

use crate::table::{Column, Table, columns};
use findings::coalition::absorbed::Absorbed;
use findings::coalition::instead::{Instead, Pair};
use findings::coalition::learned::{Learned, Learners};
use findings::rounds::mean::Mean;
use game::stage::{Act, Terms};
use records::coalition::acts::told;
use stats::shown::{count, counted, figure, percent};

/// Maximum number of classes that are reported.
const SHOWN: usize = 6;
/// Minimum share of the rounds for an action to be reported.
const OFTEN: f64 = 0.05;
/// Largest possible gain in score at which the play still counts as an equilibrium.
const NEAR: f64 = 0.1;

/// The units of the classes; a single organization is its own class.
fn classes(learned: &Learned) -> impl Iterator<Item = &Learners> {
    learned.frame.classes.iter().map(|class| learned.class(&class.members).totals())
}

/// `alternatives.csv`: the actions that classes played, and their alternatives.
pub fn alternatives(learned: &Learned) -> Table {
    let asked = classes(learned).filter_map(|unit| Some((&*unit.name, unit.instead.as_ref()?)));
    let rows = asked.flat_map(|(name, all)| all.pairs().map(move |pair| (name, pair)));
    let columns = columns![|(name, pair): &(&str, Pair)|
        Column::text("organization") => *name,
        Column::text("did") => pair.done.map_or_else(|| "another".to_owned(), told),
        Column::figure("share") => pair.share,
        Column::text("instead") => told(pair.act),
        Column::figure("rounds") => pair.rounds,
        Column::figure("gain").with_interval(None) => (
            pair.gain.map(|gain| gain.mean), pair.gain.and_then(|gain| gain.interval),
        ),
    ];
    Table::by_columns("alternatives", rows, columns)
}

/// The sentences.
pub fn of(learned: &Learned) -> Vec<String> {
    let mut sentences = Vec::new();
    let absorbed = classes(learned).filter_map(absorbed);
    sentences.extend(absorbed.take(SHOWN));
    sentences.extend(classes(learned).filter_map(drifting).take(SHOWN));
    sentences.extend(classes(learned).filter_map(cycles).take(SHOWN));
    let asked: Vec<(&Learners, &Instead)> = classes(learned)
        .filter_map(|unit| Some((unit, unit.instead.as_ref()?)))
        .filter(|(_, instead)| instead.rounds() > 0)
        .collect();
    let gains: Vec<String> =
        asked.iter().flat_map(|(unit, instead)| gains(unit, instead)).take(2 * SHOWN).collect();
    let is_near = highest(&asked).is_some_and(|(highest, ..)| highest <= NEAR);
    let is_rest = is_near || gains.is_empty();
    if !is_near {
        sentences.extend(gains);
    }
    if is_rest {
        sentences.extend(no_gain(&asked));
    }
    let best = asked.iter().filter_map(|(unit, instead)| Some((unit, instead.best()?)));
    let best = best.max_by(|a, b| a.1.1.mean.total_cmp(&b.1.1.mean));
    if let Some((unit, (act, gain))) = best.filter(|(_, (_, gain))| gain.is_sure()) {
        sentences.push(format!(
            "distance to equilibrium: {} per round, which {} would gain by always {}",
            gain.told(),
            unit.name,
            verb(act, "staying", "taking")
        ));
    }
    sentences
}

/// Returns the most that anybody might have gained by another action, who, and by which.
fn highest<'a>(asked: &[(&'a Learners, &Instead)]) -> Option<(f64, &'a Learners, Act, Mean)> {
    let most = asked.iter().filter_map(|(unit, instead)| {
        let (act, gain) = instead.most(OFTEN)?;
        Some((gain.highest(), *unit, act, gain))
    });
    most.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Reports how near to an equilibrium the play is, when no gain is significant or all are small.
fn no_gain(asked: &[(&Learners, &Instead)]) -> Option<String> {
    let (highest, unit, act, gain) = highest(asked)?;
    let who = &unit.name;
    let what = verb(act, "staying", "taking");
    Some(if highest <= NEAR {
        format!(
            "at an equilibrium to within {}: in the sampled rounds of the last quarter no \
             organization would have gained more than that by another action",
            figure(highest.max(0.0))
        )
    } else if highest.is_finite() {
        format!(
            "not known to be an equilibrium: {who} might have gained up to {} by {what} ({} on \
             average); increase rounds or replications, or try `gridpact deviate`",
            figure(highest),
            figure(gain.mean)
        )
    } else {
        format!(
            "too few rounds to tell if this is an equilibrium: {who} would have {} {} by {what}, \
             without a confidence interval",
            if gain.mean < 0.0 { "lost" } else { "gained" },
            figure(gain.mean.abs())
        )
    })
}

/// A number of learners, one for each member in each replication.
fn learners(number: u64) -> String {
    counted(number, "learner", "learners")
}

/// Reports the learners that stuck to one action.
fn absorbed(unit: &Learners) -> Option<String> {
    let absorbed = &unit.absorbed;
    let (share, rounds) = (absorbed.share()?, absorbed.rounds()?);
    Some(format!(
        "{}: {} of {} stopped changing (median: after {} rounds); {}",
        unit.name,
        percent(share),
        learners(absorbed.known),
        count(libm::round(rounds) as u64),
        ends(absorbed)
    ))
}

/// Final actions in words, the most frequent first: `12 of them ended outside, 3 as members`.
fn ends(absorbed: &Absorbed) -> String {
    let acts = absorbed.acts();
    let told = acts.iter().take(4).enumerate().map(|(at, &(act, number))| {
        let ended = if at == 0 { " of them ended" } else { "" };
        format!("{}{ended} {}", count(number), placed(act, number))
    });
    let mut all: Vec<String> = told.collect();
    let rest: u64 = acts.iter().skip(4).map(|(_, number)| number).sum();
    if rest > 0 {
        all.push(format!("{} otherwise", count(rest)));
    }
    all.join(", ")
}

/// Final action of `count` organizations: `outside`, `as a member`, `as members at 5`.
fn placed(act: Act, count: u64) -> String {
    let told = told(act);
    match told.strip_prefix("in") {
        Some(terms) if count == 1 => format!("as a member{terms}"),
        Some(terms) => format!("as members{terms}"),
        None if told == "out" => "outside".to_owned(),
        None => format!("with {told}"),
    }
}

/// Reports the learners that had not converged.
fn drifting(unit: &Learners) -> Option<String> {
    let share = unit.settled.share_drifting().filter(|&share| share > 0.0)?;
    Some(format!(
        "{}: {} of {} were still drifting at the end; more rounds would show where that leads",
        unit.name,
        percent(share),
        learners(unit.settled.known)
    ))
}

/// Reports the learners that cycle, with the period and the mean of the oscillation.
fn cycles(unit: &Learners) -> Option<String> {
    let [_, around] = unit.settled.swing()?;
    Some(format!(
        "{}: {} of {} cycle, with a period of {} rounds around {} (medians)",
        unit.name,
        percent(unit.settled.share_in_cycles()?),
        learners(unit.settled.known),
        unit.settled.told_period()?,
        figure(around)
    ))
}

/// An action as part of a sentence: `stayed out`, `took part at 5`.
fn verb(act: Act, stays: &str, takes: &str) -> String {
    match told(act).strip_prefix("in") {
        Some(terms) => format!("{takes} part{terms}"),
        None => format!("{stays} {}", told(act)),
    }
}

/// Reports significant gains from other actions.
fn gains(unit: &Learners, instead: &Instead) -> Vec<String> {
    let would = |did: Option<Act>, act: Act, gain: Mean| {
        let does = match did {
            Some(Act::In(_)) if act == Act::Out => "leaving".to_owned(),
            Some(Act::Out) if act == Act::In(Terms::ANY) => "joining".to_owned(),
            _ => verb(act, "staying", "taking"),
        };
        format!("where {does} would have gained {}", gain.told())
    };
    let did = |did: Option<Act>| {
        did.map_or_else(|| "did something else".to_owned(), |act| verb(act, "stayed", "took"))
    };
    let is_sure = |gain: &Mean| gain.is_sure();
    let mut all = Vec::new();
    // Absorbed learners are reported separately by their final action, since others may differ.
    let stuck = unit.stuck.iter().flat_map(|stuck| stuck.done(OFTEN));
    let stuck: Vec<_> = stuck.filter(|(.., gain)| is_sure(gain)).collect();
    for &(done, _, act, gain) in &stuck {
        let count = done.map_or(0, |act| unit.absorbed.doing(act));
        all.push(format!(
            "stopped changing, but not at an equilibrium: {count} of {} of {} always {}, {}",
            learners(unit.absorbed.known),
            unit.name,
            did(done),
            would(done, act, gain)
        ));
    }
    if unit.absorbed.share() != Some(1.0) {
        let is_new = |done| stuck.iter().all(|one| one.0 != done);
        let sure = instead.done(OFTEN).filter(|(done, .., gain)| is_sure(gain) && is_new(*done));
        for (done, share, act, gain) in sure {
            all.push(format!(
                "not an equilibrium: {} {} in {} of the sampled rounds of the last quarter, {}",
                unit.name,
                did(done),
                percent(share),
                would(done, act, gain)
            ));
        }
    }
    all
}
