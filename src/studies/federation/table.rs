//! The coalitions of a federation as tables, and in words.

use super::judged::changed;
use super::questions::{Answer, Of, World};
use super::{Change, Found, Verdict, Whole};
use report::table::{Cell, Column, Table};
use stats::interval::Interval;
use stats::shown::{figure, percent};

/// A row for each coalition and organization, for programs.
pub fn table(found: &Found, verdicts: &[Verdict]) -> Table {
    let mut columns = vec![
        Column::text("coalition"),
        Column::text("stable"),
        Column::text("organization"),
        Column::figure("is_in"),
        Column::figure("flow_alone"),
        Column::figure("flow"),
        Column::figure("flow_otherwise"),
    ];
    for name in ["saved", "gain_otherwise"] {
        columns.extend(["", "_low", "_high"].map(|end| Column::figure(format!("{name}{end}"))));
    }
    let mut table = Table::new("coalitions", columns);
    for verdict in verdicts {
        for (at, name) in found.names.iter().enumerate() {
            let (saved, otherwise) = (&verdict.saved[at], &verdict.otherwise[at]);
            let shorter = |change: &Change| {
                let [low, high] =
                    ends(change.interval.map(|one| Interval { low: -one.high, high: -one.low }));
                [Cell::from(-change.difference()), low, high]
            };
            let mut row: Vec<Cell> = vec![
                found.named(verdict).into(),
                stable(&verdict.whole()).into(),
                name.as_str().into(),
                u64::from(verdict.members >> at & 1).into(),
                saved.before.into(),
                saved.after.into(),
                otherwise.after.into(),
            ];
            row.extend(shorter(saved));
            row.extend(shorter(otherwise));
            table.row(row);
        }
    }
    table
}

fn ends(interval: Option<Interval>) -> [Cell; 2] {
    [interval.map(|one| one.low).into(), interval.map(|one| one.high).into()]
}

/// One word for a program.
fn stable(whole: &Whole) -> &'static str {
    match whole {
        Whole::Stable => "yes",
        Whole::Unstable(_) => "no",
        Whole::Unknown(_) => "unknown",
    }
}

/// A row for each coalition, for people; [`sentences`] say what follows.
pub fn explained(found: &Found, verdicts: &[Verdict]) -> Table {
    let columns = [
        Column::text("coalition"),
        Column::figure("flow"),
        Column::figure("change"),
        Column::prose("who would change its mind"),
    ];
    let mut table = Table::new("coalitions", columns);
    for verdict in verdicts {
        let change = verdict.all.after / verdict.all.before - 1.0;
        table.row([
            found.named(verdict).into(),
            figure(verdict.all.after).into(),
            percent(change).into(),
            found.stability(verdict).into(),
        ]);
    }
    table.note("flow: mean flow time of all jobs; change: against that with everybody alone");
    let pairs = if found.by_round { "rounds in their order" } else { "replications" };
    table.note(format!(
        "what is said of a coalition holds with a confidence of 95%, by pairs of {pairs}"
    ));
    table
}

/// The answers in sentences.
pub fn sentences(found: &Found, verdicts: &[Verdict]) -> Vec<String> {
    let stable = verdicts.iter().filter(|one| one.members > 0 && one.whole() == Whole::Stable);
    let names: Vec<String> = stable.map(|one| found.named(one)).collect();
    let unknown = verdicts.iter().filter(|one| matches!(one.whole(), Whole::Unknown(_))).count();
    let mut all = vec![match (names.is_empty(), unknown) {
        (false, _) => format!("nobody would leave or join: {}", names.join("; ")),
        (true, 0) => "somebody would leave each coalition, or join it".to_owned(),
        (true, _) => format!("no coalition is known to be stable; of {unknown} it cannot be told"),
    }];
    if let Some(whole) = verdicts.iter().find(|one| one.members == found.whole()) {
        all.push(format!("with everybody in, {}", found.told(whole)));
    }
    all.extend(found.bound());
    all
}

impl Found {
    /// The name of a coalition.
    pub fn named(&self, verdict: &Verdict) -> String {
        let members: Vec<&str> = self.members(verdict.members).map(|at| &*self.names[at]).collect();
        if members.is_empty() { "nobody".to_owned() } else { members.join(" + ") }
    }

    /// A length of time in words.
    fn long(&self, units: f64) -> String {
        let units = units.abs();
        match self.counts_seconds {
            true if units >= 5400.0 => format!("{} h", figure(units / 3600.0)),
            true if units >= 90.0 => format!("{} minutes", figure(units / 60.0)),
            true => format!("{} s", figure(units)),
            false => format!("{} units", figure(units)),
        }
    }

    /// Those who would leave or join.
    fn stability(&self, verdict: &Verdict) -> String {
        let listed = |those: &[usize]| {
            let those = those.iter().map(|&at| {
                let is_in = verdict.members >> at & 1 == 1;
                format!("{} {}", self.names[at], if is_in { "out" } else { "in" })
            });
            those.collect::<Vec<_>>().join(", ")
        };
        match verdict.whole() {
            Whole::Stable => "nobody: it is stable".to_owned(),
            Whole::Unstable(those) => listed(&those),
            Whole::Unknown(those) => format!("cannot tell of {}", listed(&those)),
        }
    }

    /// The gain of each organization in a coalition, and whether it would stay.
    fn told(&self, verdict: &Verdict) -> String {
        let each = self.names.iter().enumerate().map(|(at, name)| {
            let saved = &verdict.saved[at];
            let told = |does: &str, less: &str, low: f64, high: f64| {
                let [size, low, high] = [saved.difference(), low, high].map(|one| self.long(one));
                format!("{name} {does} {size}{less} per job ({low} to {high})")
            };
            let effect = match saved.interval {
                Some(one) if saved.is_shorter() => told("waits", " less", one.high, one.low),
                Some(one) if one.low > 0.0 => told("pays", "", one.low, one.high),
                _ => format!("no clear difference for {name}"),
            };
            let otherwise = &verdict.otherwise[at];
            match (otherwise.is_shorter(), otherwise.is_no_shorter()) {
                (true, _) => format!("{effect} and leaves"),
                (_, true) => format!("{effect} and stays"),
                _ => format!("{effect}, and whether it stays cannot be told"),
            }
        });
        each.collect::<Vec<_>>().join("; ")
    }

    /// Says whether divisible load gains more than rigid jobs.
    fn bound(&self) -> Option<String> {
        let [divisible, rigid] = self.divisible()?;
        let told = |change: &Change| {
            let change_is = change.after / change.before - 1.0;
            let (sign, word) = if change_is < 0.0 { (-1.0, "shorter") } else { (1.0, "longer") };
            let ends = change.relative.map(|one| [one.low, one.high].map(|end| sign * end));
            let ends = ends.map_or(String::new(), |[low, high]| {
                format!(" ({} to {})", percent(low.min(high)), percent(low.max(high)))
            });
            format!("{} {word}{ends}", percent(sign * change_is))
        };
        let verdict = match (divisible.relative, rigid.relative) {
            (Some(one), Some(other)) if one.high < other.low => {
                "divisible load is an upper bound here"
            }
            (Some(one), Some(other)) if one.low > other.high => {
                "divisible load is no upper bound here"
            }
            _ => "whether divisible load is an upper bound cannot be told",
        };
        Some(format!(
            "with everybody in, the mean flow time of rigid jobs is {}, and that of divisible, \
             time-shared load {}: {verdict}",
            told(&rigid),
            told(&divisible)
        ))
    }
}

/// A row for each world of a question and organization, for programs; `all` is all of them together.
pub fn worlds(answer: &Answer) -> Table {
    let columns = [
        Column::text("question"),
        Column::text("setting"),
        Column::text("organization"),
        Column::figure("joined"),
        Column::figure("flow_alone"),
        Column::figure("flow"),
        Column::figure("saved"),
        Column::figure("saved_low"),
        Column::figure("saved_high"),
    ];
    let mut table = Table::new("worlds", columns);
    let names = answer.names.iter().map(String::as_str).chain(["all"]);
    for world in &answer.worlds {
        for (at, name) in names.clone().enumerate() {
            let saved = answer.saved(world, at);
            let mut row: Vec<Cell> = vec![
                answer.question.name.into(),
                world.name.into(),
                name.into(),
                world.mean(Of::Joined, at).into(),
                saved.map(|one| one.before).into(),
                world.mean(Of::Flow, at).into(),
                saved.map(|one| -one.difference()).into(),
            ];
            let interval = saved.and_then(|one| one.interval);
            row.extend(ends(interval.map(|one| Interval { low: -one.high, high: -one.low })));
            table.row(row);
        }
    }
    table
}

/// A row for each world of a question, for people; [`leaders`] say what follows.
pub fn answered(answer: &Answer) -> Table {
    let all = answer.names.len();
    let learns = answer.question.learns;
    let is_paired = answer.nobody.is_some();
    let joined = Column::figure("in").note("in: share of rounds in which organizations take part");
    let change = Column::figure("change")
        .note("change: against nobody taking part; all intervals of the table hold together");
    let mut columns = vec![Column::text("setting")];
    columns.extend(learns.then_some(joined));
    columns.push(Column::figure("flow").note("flow: mean flow time of all jobs"));
    columns.extend(is_paired.then(|| [change, Column::figure("interval")]).into_iter().flatten());
    let mut table = Table::new("worlds", columns);
    for world in &answer.worlds {
        let mut row: Vec<Cell> = vec![world.name.into()];
        row.extend(learns.then(|| percent(world.mean(Of::Joined, all)).into()));
        row.push(figure(world.mean(Of::Flow, all)).into());
        if let Some(saved) = answer.saved(world, all) {
            let range = |one: Interval| format!("{} to {}", changed(one.low), changed(one.high));
            row.push(changed(saved.after / saved.before - 1.0).into());
            row.push(saved.relative.map(range).into());
        }
        table.row(row);
    }
    let pairs = if answer.by_round { "rounds in their order" } else { "replications" };
    table.note(format!("confidence is 95%, by pairs of {pairs}"));
    table
}

/// The answers of a question in sentences.
pub fn leaders(answer: &Answer) -> Vec<String> {
    let of = [(answer.question.learns, Of::Joined), (answer.nobody.is_some(), Of::Flow)];
    of.into_iter().filter(|one| one.0).map(|(_, of)| told(answer, of)).collect()
}

/// Which setting leads, and what is known of the others against it.
fn told(answer: &Answer, of: Of) -> String {
    let (first, others) = answer.leader(of);
    let mean = first.mean(of, answer.names.len());
    let leads = match of {
        Of::Flow => format!("jobs take least, {}, with `{}`", figure(mean), first.name),
        Of::Joined => format!("most take part, {}, with `{}`", percent(mean), first.name),
    };
    let known = |change: &Change| match of {
        Of::Flow => change.relative.filter(|one| one.high < 0.0),
        Of::Joined => change.interval.filter(|one| one.low > 0.0),
    };
    let surely = others.iter().filter_map(|(world, change)| Some((world, known(change)?)));
    let surely: Vec<String> = surely
        .map(|(world, one): (&&World, Interval)| match of {
            Of::Flow => {
                let [least, most] = [-one.high, -one.low].map(percent);
                format!("{least} to {most} less than with `{}`", world.name)
            }
            Of::Joined => {
                let [least, most] = [one.low, one.high].map(|end| figure(100.0 * end));
                format!("{least} to {most} points more than with `{}`", world.name)
            }
        })
        .collect();
    let unknown = others.iter().filter(|(_, change)| known(change).is_none());
    let unknown: Vec<String> = unknown.map(|(world, _)| format!("`{}`", world.name)).collect();
    let mut all = leads;
    if !surely.is_empty() {
        all += &format!(": {}", surely.join("; "));
    }
    if !unknown.is_empty() {
        all += &format!("; cannot tell it from {}", unknown.join(", "));
    }
    all
}
