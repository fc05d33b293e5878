//! The worlds of a question as tables, and in words.

use super::Change;
use super::change::changed;
use super::questions::{Answer, Of, World};
use report::table::{Cell, Column, Table};
use stats::interval::Interval;
use stats::shown::{figure, percent};

fn ends(interval: Option<Interval>) -> [Cell; 2] {
    [interval.map(|one| one.low).into(), interval.map(|one| one.high).into()]
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
