//! A study's points compared in one key, all others being equal: on the same draws, pair by pair.

use super::SweepReport;
use super::picture::Change;
use crate::comparison::draws::{self, Draws, Inputs};
use crate::comparison::{self, words};
use crate::table::{Cell, Column, Table};
use findings::Findings;
use findings::contrast::{Contrast, Verdict, contrasts};
use findings::measure::{JUDGED, Measure, Unit};
use findings::swept::Swept;
use findings::unit;
use kernel::order::InOrder as _;
use scenario::sweep::Study;
use stats::interval::{Interval, Level};

/// The differences between points that differ in one key alone.
pub struct Compared {
    key: usize,
    groups: Vec<Group>,
}

/// Points that differ in the key alone.
struct Group {
    /// The points, the base first.
    points: Vec<usize>,
    /// Their values of the key.
    names: Vec<String>,
    contrasts: Vec<Contrast>,
    /// Inputs that each point but the base shares with it.
    draws: Vec<Draws>,
}

impl Group {
    /// The difference of a unit's figure from that of the base.
    fn of(&self, arm: usize, unit: &str, measure: &Measure) -> Option<&Contrast> {
        let is_it = |one: &&Contrast| {
            one.arm == arm && one.measure == measure && unit::goes_by(&one.unit, unit)
        };
        self.contrasts.iter().find(is_it)
    }
}

impl Compared {
    /// Compares the points of a finished study; `None` if no key is to be compared.
    pub fn of(study: &Study, swept: &Swept, seed: u64) -> Option<Compared> {
        let key = study.design.compared?;
        let level = swept.sample().level();
        let is_judged = |measure: &Measure| JUDGED.iter().any(|one| one.name() == measure.name);
        let group = |points: Vec<usize>| {
            let arms: Vec<&dyn Findings> =
                points.iter().map(|&at| &swept.points[at] as _).collect();
            let name = |&at: &usize| study.design.points[at][key].shown().to_owned();
            let names = points.iter().map(name).collect();
            let inputs: Vec<Inputs> =
                points.iter().map(|&at| Inputs::of(&study.plans[at])).collect();
            let mut draws: Vec<Draws> =
                inputs[1..].iter().map(|one| Draws::of(&inputs[0], one)).collect();
            let mut contrasts = contrasts(&arms, level, seed, is_judged);
            draws::told(&mut contrasts, &mut draws);
            Group { contrasts, names, points, draws }
        };
        // Runs are paired by their draws, so their seeds must be equal.
        let is_paired = |points: &Vec<usize>| {
            points.iter().all(|&at| study.plans[at].seed == study.plans[points[0]].seed)
        };
        let groups = study.design.groups_by(key).into_iter().filter(is_paired).map(group).collect();
        Some(Compared { key, groups })
    }

    /// `comparison.csv`: the point's columns, then those of a comparison.
    pub(super) fn table(&self, report: &SweepReport<'_>) -> Table {
        let rows = self.groups.iter().flat_map(|group| {
            let rows = group.contrasts.iter().map(|contrast| (&group.names[..], contrast));
            rows.map(|row| (group.points[row.1.arm], row))
        });
        Table::by_columns("comparison", rows, report.after_lead(comparison::columns()))
    }

    pub(super) fn brief_columns(&self, level: Level) -> [Column; 3] {
        let bases: Vec<&str> = self.groups.iter().map(|group| &*group.names[0]).collect();
        let base = match bases.first() {
            Some(first) if bases.iter().all(|one| one == first) => format!("`{first}`"),
            _ => "the first value".to_owned(),
        };
        let mut draws: Vec<&str> = Vec::new();
        for one in self.groups.iter().flat_map(|group| &group.draws) {
            if !draws.contains(&one.words()) {
                draws.push(one.words());
            }
        }
        let draws = draws.join(" or ");
        [
            Column::figure("change").note(format!("change: relative to {base}, {draws}")),
            Column::figure("interval").rank(1).note(words::legend(level)),
            Column::text("verdict"),
        ]
    }

    pub(super) fn brief_cells(&self, study: &Study, point: usize) -> [Cell; 3] {
        let nothing = || [Cell::Missing, Cell::Missing, Cell::Missing];
        let Some((group, arm)) = self.group_of(point) else { return nothing() };
        if arm == 0 {
            return [Cell::Missing, Cell::Missing, "base".into()];
        }
        let Some(one) = group.of(arm, &study.design.unit, study.shown) else { return nothing() };
        let [change, interval] = words::cells(one);
        [change, interval, words::verdict(one.verdict).into()]
    }

    /// The change of the shown figure of a point from the base of its group; `None` at a base.
    pub(super) fn change(&self, study: &Study, point: usize) -> Option<Change> {
        let (group, arm) = self.group_of(point)?;
        let one = group.of(arm, &study.design.unit, study.shown)?;
        let known = |interval: Interval| interval.half_width().is_finite().then_some(interval);
        Some(Change {
            base: group.names[0].clone(),
            difference: (one.difference(), one.tested.and_then(|one| known(one.difference))),
            relative: (one.relative())
                .map(|value| (value, one.tested.and_then(|one| known(one.relative?)))),
        })
    }

    /// The group of a point and its place there.
    fn group_of(&self, point: usize) -> Option<(&Group, usize)> {
        self.groups
            .iter()
            .find_map(|group| Some((group, group.points.iter().position(|&at| at == point)?)))
    }

    /// A sentence for each value of the key against the first, on each judged measure that differs.
    pub(super) fn statements(&self, study: &Study) -> Vec<String> {
        let name = &study.design.keys[self.key].name;
        let mut pairs: Vec<[&str; 2]> = Vec::new();
        for group in &self.groups {
            for other in &group.names[1..] {
                if !pairs.contains(&[&group.names[0], other]) {
                    pairs.push([&group.names[0], other]);
                }
            }
        }
        let unit = study.design.unit.as_str();
        let whose = if unit == unit::ALL { String::new() } else { format!(", {unit}") };
        let mut lines = Vec::new();
        for [base, other] in pairs {
            let measures = std::iter::once(study.shown)
                .chain(JUDGED.iter().map(|one| one.measure()).filter(|one| *one != study.shown));
            let told: Vec<String> =
                measures.filter_map(|measure| self.told([base, other], unit, measure)).collect();
            if !told.is_empty() {
                lines.push(format!("{name} = {other} against {base}{whose}: {}", told.join("; ")));
            }
        }
        if !lines.is_empty() {
            lines.push(
                "the verdicts of one point hold together (Holm's correction); those of several points \
                 do not"
                    .to_owned(),
            );
        }
        lines
    }

    /// `flow better at all 3 points (-31% to -12%)`, `flow better at 1 of 2 points (-12%), cannot tell
    /// at the other`.
    fn told(
        &self,
        [base, other]: [&str; 2],
        of: &str,
        measure: &'static Measure,
    ) -> Option<String> {
        let mut found: Vec<(Verdict, Vec<&Contrast>)> = Vec::new();
        for group in self.groups.iter().filter(|group| group.names[0] == base) {
            let Some(arm) = group.names.iter().position(|name| name == other) else { continue };
            let Some(one) = group.of(arm, of, measure) else { continue };
            match found.iter_mut().find(|(verdict, _)| *verdict == one.verdict) {
                Some((_, these)) => these.push(one),
                None => found.push((one.verdict, vec![one])),
            }
        }
        let all: usize = found.iter().map(|(_, these)| these.len()).sum();
        // What differs comes first, then what is at most points.
        found.order_by_key(|(verdict, these)| {
            (!verdict.is_different(), std::cmp::Reverse(these.len()))
        });
        let number = found.len();
        let each = found.iter().enumerate().map(|(at, (verdict, these))| {
            let verdict = match verdict {
                Verdict::NoPairs => "without an interval",
                verdict => words::verdict(*verdict),
            };
            let points = match (these.len(), at) {
                _ if all == 1 => String::new(),
                (_, 0) if number == 1 => format!(" at all {all} points"),
                (here, 0) => format!(" at {here} of {all} points"),
                (1, 1) if number == 2 => " at the other".to_owned(),
                (here, 1) if number == 2 => format!(" at the {here} others"),
                (here, _) => format!(" at {here}"),
            };
            format!("{verdict}{points}{}", range(these, measure))
        });
        let each: Vec<String> = each.collect();
        (all > 0).then(|| format!("{} {}", measure.words(), each.join(", ")))
    }
}

/// ` (-31% to -12%)`, the changes of these differences; empty if they have none.
fn range(these: &[&Contrast], measure: &Measure) -> String {
    let (unit, is_share) = match measure.unit {
        Unit::Share => (" points", true),
        _ => ("%", false),
    };
    let change = |one: &&Contrast| if is_share { Some(one.difference()) } else { one.relative() };
    let changes: Option<Vec<f64>> = these.iter().map(change).collect();
    let ends = changes.and_then(|all| {
        let low = all.iter().copied().reduce(f64::min)?;
        Some((low, all.iter().copied().reduce(f64::max)?))
    });
    let told = |change: f64| match 100.0 * change {
        // No sign before a rounded 0.
        change if change.abs() < 0.5 => "0".to_owned(),
        change => format!("{change:+.0}"),
    };
    match ends {
        None => String::new(),
        Some((low, high)) if told(low) == told(high) => format!(" ({}{unit})", told(low)),
        Some((low, high)) => format!(" ({} to {}{unit})", told(low), told(high)),
    }
}
