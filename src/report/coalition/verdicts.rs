//! Verdicts on the learners, in sentences: convergence, cycles, and regret.
//!
//! They say who was absorbed, and whether anybody could have gained by another action.

use crate::table::{Column, ColumnOf, Table, columns};
use findings::coalition::absorbed::Absorbed;
use findings::coalition::instead::{Instead, Pair};
use findings::coalition::learned::{Learned, Learners};
use findings::rounds::mean::Mean;
use game::stage::{Act, Terms};
use kernel::order::InOrder as _;
use records::coalition::acts::told;
use stats::shown::{count, counted, figure, percent};

/// Maximum number of classes that are reported.
const SHOWN: usize = 6;
/// An action taken in a smaller share of the rounds is called rare.
const RARE: f64 = 0.05;
/// Largest possible gain in score at which the play still counts as an equilibrium.
const NEAR: f64 = 0.1;

/// The units of the classes; a single organization is its own class.
fn classes(learned: &Learned) -> impl Iterator<Item = &Learners> {
    learned.frame.classes.iter().map(|class| learned.class(&class.members).totals())
}

/// The columns of `alternatives.csv`.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, (&'a str, Pair)>> {
    columns![|(name, pair): &(&'a str, Pair)|
        Column::text("organization").told("an organization, or a class") => *name,
        Column::text("did").told("what it did, as `action` in rounds.csv; `another` for what is not on its menu") => pair.done.map_or_else(|| "another".to_owned(), told),
        Column::figure("share").told("share of the rounds that were asked about in which it did that") => pair.share,
        Column::text("instead").told("what it could have done: of who chooses among levels each of these, else to stay out, or to take part at one of some levels") => told(pair.act),
        Column::count("rounds").told("rounds in which it did that and was asked, of all replications") => pair.rounds,
        Column::figure("gain").told("mean of what it would have gained").with_interval(None) => (
            Some(pair.gain.mean), pair.gain.interval,
        ),
    ]
}

/// `alternatives.csv`: the actions that classes played, and their alternatives.
pub fn alternatives(learned: &Learned) -> Table {
    let asked = classes(learned).filter_map(|unit| Some((&*unit.name, unit.instead.as_ref()?)));
    let rows = asked.flat_map(|(name, all)| all.pairs(1).map(move |pair| (name, pair)));
    Table::by_columns("alternatives", rows, columns())
}

/// The sentences.
pub fn of(learned: &Learned) -> Vec<String> {
    let mut sentences = Vec::new();
    let absorbed = classes(learned).filter_map(absorbed);
    sentences.extend(absorbed.take(SHOWN));
    sentences.extend(classes(learned).filter_map(drifting).take(SHOWN));
    sentences.extend(classes(learned).filter_map(cycles).take(SHOWN));
    sentences.extend(equilibrium(learned));
    sentences
}

/// One judged statement: what a class would gain by replacing an action that it takes.
struct Judged<'a> {
    unit: &'a Learners,
    pair: Pair,
    /// True if it is about the members that stopped changing, and about them alone.
    is_stuck: bool,
    /// Gain a round, weighted by how often the members meant take the action.
    gain: Mean,
}

/// All statements on gains, whose intervals hold together.
fn judged(learned: &Learned) -> Vec<Judged<'_>> {
    // Members that stopped changing are judged by their final action, since others may differ.
    let groups = classes(learned).flat_map(|unit| {
        let is_known = |stuck: &&Instead| stuck.pairs(1).all(|pair| pair.gain.interval.is_some());
        let stuck = unit.stuck.as_ref().filter(is_known);
        let is_all = stuck.is_some() && unit.absorbed.share() == Some(1.0);
        let all = unit.instead.as_ref().filter(|_| !is_all);
        let stuck = stuck.map(|stuck| (unit, stuck, true));
        stuck.into_iter().chain(all.map(|all| (unit, all, false)))
    });
    let groups: Vec<(&Learners, &Instead, bool)> = groups.collect();
    let number = groups.iter().map(|(_, instead, _)| instead.count()).sum();
    let pairs = groups.iter().flat_map(|&(unit, instead, is_stuck)| {
        instead.pairs(number).map(move |pair| {
            // Of those that are stuck, each takes its action always.
            let gain = if is_stuck { pair.gain } else { pair.weighted };
            Judged { unit, pair, is_stuck, gain }
        })
    });
    pairs.collect()
}

/// The verdict: nearly an equilibrium, surely none, or not known.
fn equilibrium(learned: &Learned) -> Vec<String> {
    let mut judged = judged(learned);
    judged.order_by(|a, b| b.gain.mean.total_cmp(&a.gain.mean));
    let highest = judged.iter().max_by(|a, b| a.gain.highest().total_cmp(&b.gain.highest()));
    let Some(highest) = highest else { return Vec::new() };
    if highest.gain.highest() <= NEAR {
        return vec![near(highest)];
    }
    let sure: Vec<&Judged<'_>> = judged.iter().filter(|one| one.gain.is_sure()).collect();
    let is_told = |one: &&&Judged<'_>| {
        let is_same = |other: &&Judged<'_>| {
            other.is_stuck && other.unit.name == one.unit.name && other.pair.done == one.pair.done
        };
        one.is_stuck || !sure.iter().any(is_same)
    };
    let told: Vec<String> = sure.iter().filter(is_told).map(|one| none(one)).take(SHOWN).collect();
    if told.is_empty() { vec![unknown(highest)] } else { told }
}

/// Says that nobody would gain much, and who comes nearest to gaining.
fn near(highest: &Judged<'_>) -> String {
    format!(
        "at an equilibrium to within {}: in the sampled rounds of the last quarter, replacing an \
         action by another would have gained nobody more than that per round; nearest to it is {} \
         by {}, {}",
        figure(highest.gain.highest().max(0.0)),
        highest.unit.name,
        replacing(&highest.pair),
        highest.gain.told()
    )
}

/// Says that too little is known.
fn unknown(highest: &Judged<'_>) -> String {
    let Judged { unit, pair, gain, .. } = highest;
    let (who, what) = (&unit.name, replacing(pair));
    if gain.highest().is_finite() {
        format!(
            "not known to be an equilibrium: {who} might have gained up to {} per round by {what} \
             ({} on average); increase rounds or replications, or try `gridpact deviate`",
            figure(gain.highest()),
            figure(gain.mean)
        )
    } else {
        format!(
            "too few rounds to tell if this is an equilibrium: {who} would have {} {} per round by \
             {what}, without a confidence interval",
            if gain.mean < 0.0 { "lost" } else { "gained" },
            figure(gain.mean.abs())
        )
    }
}

/// Says who would surely have gained.
fn none(sure: &Judged<'_>) -> String {
    let Judged { unit, pair, is_stuck, gain } = sure;
    let did = pair
        .done
        .map_or_else(|| "did something else".to_owned(), |act| verb(act, "stayed", "took"));
    if *is_stuck {
        return format!(
            "stopped changing, but not at an equilibrium: {} of {} of {} always {did}, where {} \
             would have gained {} per round",
            count(pair.done.map_or(0, |act| unit.absorbed.doing(act))),
            learners(unit.absorbed.known),
            unit.name,
            instead(pair),
            gain.told()
        );
    }
    format!(
        "not an equilibrium: {} {did} in {} of the sampled rounds of the last quarter{}; {} in \
         these would have gained {} per sampled round",
        unit.name,
        percent(pair.share),
        if pair.share < RARE { ", which is rare" } else { "" },
        instead(pair),
        gain.told()
    )
}

/// The alternative as part of a sentence: `leaving`, `taking part at 5`.
fn instead(pair: &Pair) -> String {
    match pair.done {
        Some(Act::In(_)) if pair.act == Act::Out => "leaving".to_owned(),
        Some(Act::Out) if pair.act == Act::In(Terms::ANY) => "joining".to_owned(),
        _ => verb(pair.act, "staying", "taking"),
    }
}

/// The alternative, and the action that it replaces if that is rare.
fn replacing(pair: &Pair) -> String {
    let instead = instead(pair);
    if pair.share >= RARE {
        return instead;
    }
    let did = pair
        .done
        .map_or_else(|| "does something else".to_owned(), |act| verb(act, "stays", "takes"));
    format!("{instead} where it {did}, which is rare ({} of the rounds)", percent(pair.share))
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
        "{}: {} of {} stopped changing (median: {}); {}",
        unit.name,
        percent(share),
        learners(absorbed.known),
        match libm::round(rounds) as u64 {
            0 => "from the first round on".to_owned(),
            rounds => format!("after {}", counted(rounds, "round", "rounds")),
        },
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
    let share = unit.settled.share_drifting().filter(|_| unit.settled.is_drifting())?;
    Some(format!(
        "{}: {} of {} were still drifting at the end; more rounds would show where that leads",
        unit.name,
        percent(share),
        learners(unit.settled.known)
    ))
}

/// Reports the learners that cycle, with the period and the mean of the oscillation.
fn cycles(unit: &Learners) -> Option<String> {
    let [_, around] = unit.settled.swing().filter(|_| unit.settled.is_in_cycles())?;
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
