//! A study's points compared in one key, all others being equal: on the same draws, pair by pair.

use super::SweepReport;
use crate::comparison::{self, words};
use crate::table::{Cell, Column, Table};
use findings::Findings;
use findings::contrast::{Contrast, Verdict, contrasts};
use findings::measure::{JUDGED, Measure, Unit};
use findings::swept::Swept;
use findings::unit;
use kernel::order::InOrder as _;
use scenario::sweep::Study;
use stats::interval::Level;
use stats::shown::counted;

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
            Group { contrasts: contrasts(&arms, level, seed, is_judged), names, points }
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
        let legend = format!(
            "change: relative to {base}, on the same draws; ±: half-width of its {level} confidence \
             interval"
        );
        [
            Column::figure("change").note(legend),
            Column::margin("change_half_width"),
            Column::text("verdict").rank(1),
        ]
    }

    pub(super) fn brief_cells(&self, study: &Study, point: usize) -> [Cell; 3] {
        let nothing = || [Cell::Missing, Cell::Missing, Cell::Missing];
        let found = self.groups.iter().find_map(|group| {
            let arm = group.points.iter().position(|&at| at == point)?;
            Some((group, arm))
        });
        let Some((group, arm)) = found else { return nothing() };
        if arm == 0 {
            return [Cell::Missing, Cell::Missing, "base".into()];
        }
        let Some(one) = group.of(arm, &study.design.unit, study.shown) else { return nothing() };
        let [change, margin] = words::cells(one);
        [change, margin, words::verdict(one.verdict).into()]
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

    /// `flow better at 3 of 3 points (-31% to -12%)`.
    fn told(
        &self,
        [base, other]: [&str; 2],
        of: &str,
        measure: &'static Measure,
    ) -> Option<String> {
        let mut counts: Vec<(Verdict, u64)> = Vec::new();
        let mut changes: Vec<f64> = Vec::new();
        let mut all = 0;
        for group in self.groups.iter().filter(|group| group.names[0] == base) {
            let Some(arm) = group.names.iter().position(|name| name == other) else { continue };
            let Some(one) = group.of(arm, of, measure) else { continue };
            all += 1;
            match counts.iter_mut().find(|(verdict, _)| *verdict == one.verdict) {
                Some((_, count)) => *count += 1,
                None => counts.push((one.verdict, 1)),
            }
            changes.extend(match measure.unit {
                Unit::Share => Some(one.difference()),
                _ => one.relative(),
            });
        }
        if all == 0 {
            return None;
        }
        counts.order_by_key(|(_, count)| std::cmp::Reverse(*count));
        let each: Vec<String> = counts
            .iter()
            .map(|(verdict, count)| format!("{} at {count}", words::verdict(*verdict)))
            .collect();
        let low = changes.iter().copied().fold(f64::INFINITY, f64::min);
        let high = changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let unit = if measure.unit == Unit::Share { " points" } else { "%" };
        let told = |change: f64| format!("{:+.0}", 100.0 * change);
        let range = match changes.len() {
            0 => String::new(),
            _ if told(low) == told(high) => format!(" ({}{unit})", told(low)),
            _ => format!(" ({} to {}{unit})", told(low), told(high)),
        };
        let of = counted(all, "point", "points");
        Some(format!("{} {} of {of}{range}", measure.words(), each.join(", ")))
    }
}
