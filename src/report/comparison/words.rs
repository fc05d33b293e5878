//! A comparison in words.

use crate::table::Cell;
use crate::words::sharing::listed;
use findings::contrast::{Contrast, TELLING, Tested, Verdict};
use findings::measure::{Better, Measure, Unit};
use findings::unit;
use kernel::order::InOrder as _;
use scenario::plan::{Applications, Plan, WorkloadKind};
use stats::interval::{Interval, Level};
use stats::shown::{count, figure, rough};

/// Most organizations named in a sentence.
const NAMED: usize = 6;

/// A verdict as people read it.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::Alike => "no difference",
        Verdict::Same => "the same",
        Verdict::CannotTell => "cannot tell",
        Verdict::NoPairs => "-",
    }
}

/// A change with its interval, in percent of the base or, of shares, in points; else in the figure's
/// units.
struct Told {
    change: f64,
    interval: Option<Interval>,
    unit: &'static str,
}

impl Told {
    /// The change with its own interval.
    fn of(one: &Contrast) -> Told {
        Told::with(one, one.tested.map(|tested| (tested.difference, tested.relative)))
    }

    fn with(one: &Contrast, intervals: Option<(Interval, Option<Interval>)>) -> Told {
        let times = |interval: Interval| Interval {
            low: 100.0 * interval.low,
            high: 100.0 * interval.high,
        };
        let difference = intervals.map(|(difference, _)| difference);
        match one.relative() {
            _ if one.measure.unit == Unit::Share => Told {
                change: 100.0 * one.difference(),
                interval: difference.map(times),
                unit: " points",
            },
            Some(relative) => Told {
                change: 100.0 * relative,
                interval: intervals.and_then(|(_, relative)| relative).map(times),
                unit: "%",
            },
            None => Told { change: one.difference(), interval: difference, unit: "" },
        }
    }

    /// A number with its sign, and as many digits as the interval allows.
    fn number(&self, number: f64) -> String {
        let half_width = self.interval.map_or(0.1, |interval| interval.half_width());
        let digits = match half_width {
            size if size >= 9.95 => 0,
            size if size >= 0.0995 => 1,
            _ => 2,
        };
        let text = format!("{number:+.digits$}");
        let is_zero = text.trim_start_matches(['+', '-', '0', '.']).is_empty();
        if is_zero { text[1..].to_owned() } else { text }
    }

    /// `-31.2%`.
    fn change(&self) -> String {
        format!("{}{}", self.number(self.change), self.unit)
    }

    /// `2.1%`; `None` without an interval.
    fn margin(&self) -> Option<String> {
        let unit = if self.unit == "%" { "%" } else { "" };
        let half_width = self.interval.map(|interval| interval.half_width());
        let half_width = half_width.filter(|half_width| half_width.is_finite());
        half_width.map(|half_width| format!("{}{unit}", rough(half_width)))
    }
}

/// The change and its margin as cells.
pub fn cells(one: &Contrast) -> [Cell; 2] {
    let told = Told::of(one);
    [told.change().into(), told.margin().into()]
}

/// A change with its margin: `-31.2% ± 2.1%`, `+2.4 ± 0.3 points`.
fn change(one: &Contrast) -> String {
    let told = Told::of(one);
    match (told.margin(), told.unit) {
        (None, _) => told.change(),
        (Some(margin), "%") => format!("{} ± {margin}", told.change()),
        (Some(margin), unit) => format!("{} ± {margin}{unit}", told.number(told.change)),
    }
}

/// The interval of a difference that holds together with the others: `-3.1% to +8.0%`, or that there is
/// none.
fn open(one: &Contrast) -> String {
    let told = Told::with(one, one.tested.map(|tested| tested.together));
    if told.interval.is_some_and(|interval| !interval.half_width().is_finite()) {
        return format!("{}, too few pairs for an interval", told.change());
    }
    let end = |end: f64| format!("{}{}", told.number(end), if told.unit == "%" { "%" } else { "" });
    let unit = if told.unit == "%" { "" } else { told.unit };
    told.interval.map_or(String::new(), |interval| {
        format!("{} to {}{unit}", end(interval.low), end(interval.high))
    })
}

/// Sentences on one run against the base: on all together, then on the organizations.
pub(super) fn verdicts(
    [base, run]: [&str; 2],
    judged: &[&'static Measure],
    of_run: &[&Contrast],
) -> Vec<String> {
    let of_all: Vec<&Contrast> = (judged.iter())
        .filter_map(|measure| {
            of_run.iter().find(|one| one.unit == unit::ALL && one.measure == *measure).copied()
        })
        .collect();
    let mut lines = Vec::new();
    lines.extend(overall([base, run], &of_all));
    // With a single organization there is nobody else.
    let lead = of_all.first().map(|one| one.measure);
    let of_each: Vec<&Contrast> = (of_run.iter().copied())
        .filter(|one| one.unit != unit::ALL && Some(one.measure) == lead)
        .collect();
    if of_each.len() > 1 {
        lines.extend(organizations(run, &of_each));
    }
    lines
}

/// One sentence on all together.
fn overall([base, run]: [&str; 2], of_all: &[&Contrast]) -> Option<String> {
    let told = |wanted: Verdict| -> Vec<String> {
        let these = of_all.iter().filter(|one| one.verdict == wanted);
        these.map(|one| format!("{} {}", one.measure.words(), change(one))).collect()
    };
    let named = |wanted: &[Verdict]| -> Vec<String> {
        let these = of_all.iter().filter(|one| wanted.contains(&one.verdict));
        these.map(|one| one.measure.words()).collect()
    };
    let [better, worse] = [Verdict::Better, Verdict::Worse].map(told);
    let other = [told(Verdict::Higher), told(Verdict::Lower)].concat();
    let lead = match (better.is_empty(), worse.is_empty()) {
        (false, true) => format!("{run} beats {base}: {}", listed(&better)),
        (true, false) => format!("{run} loses to {base}: {}", listed(&worse)),
        (false, false) => format!(
            "{run} against {base}: better in {}; worse in {}",
            listed(&better),
            listed(&worse)
        ),
        (true, true) if other.is_empty() => format!("{run} against {base}"),
        (true, true) => format!("{run} against {base}: {}", listed(&other)),
    };
    let mut rest = Vec::new();
    if !(better.is_empty() && worse.is_empty() || other.is_empty()) {
        rest.push(listed(&other));
    }
    let same = named(&[Verdict::Same]);
    if !same.is_empty() {
        rest.push(format!("the same in every replication: {}", listed(&same)));
    }
    let alike = named(&[Verdict::Alike]);
    if !alike.is_empty() {
        rest.push(format!("no difference of {}% or more in {}", 100.0 * TELLING, listed(&alike)));
    }
    let open: Vec<String> = (of_all.iter())
        .filter(|one| one.verdict == Verdict::CannotTell)
        .map(|one| format!("{} ({})", one.measure.words(), open(one)))
        .collect();
    if !open.is_empty() {
        rest.push(format!("cannot tell: {}", listed(&open)));
    }
    let seen: Vec<String> = (of_all.iter())
        .filter(|one| one.verdict == Verdict::NoPairs)
        .map(|one| format!("{} {}", one.measure.words(), change(one)))
        .collect();
    if !seen.is_empty() {
        rest.push(format!("without an interval: {}", listed(&seen)));
    }
    if of_all.is_empty() {
        return None;
    }
    let separator = if lead.contains(':') { "; " } else { ": " };
    Some(if rest.is_empty() { lead } else { format!("{lead}{separator}{}", rest.join("; ")) })
}

/// One sentence on who gains and who loses.
fn organizations(run: &str, of_each: &[&Contrast]) -> Option<String> {
    let measure = of_each.first()?.measure;
    let size = |one: &Contrast| one.relative().unwrap_or_else(|| one.difference()).abs();
    let mut told: Vec<String> = Vec::new();
    let words = match measure.better {
        Better::Neither => [(Verdict::Higher, "higher for"), (Verdict::Lower, "lower for")],
        _ => [(Verdict::Better, "better for"), (Verdict::Worse, "worse for")],
    };
    for (wanted, word) in words {
        let mut these: Vec<&&Contrast> =
            of_each.iter().filter(|one| one.verdict == wanted).collect();
        these.order_by(|one, other| size(other).total_cmp(&size(one)));
        let named = these.iter().take(NAMED).map(|one| format!("{} ({})", one.unit, change(one)));
        let mut named: Vec<String> = named.collect();
        if these.len() > NAMED {
            named.push(format!("{} more", count((these.len() - NAMED) as u64)));
        }
        if !named.is_empty() {
            told.push(format!("{word} {}", listed(&named)));
        }
    }
    let rest = [
        (Verdict::Same, "the same for".to_owned()),
        (Verdict::Alike, format!("no difference of {}% or more for", 100.0 * TELLING)),
        (Verdict::CannotTell, "cannot tell for".to_owned()),
    ];
    if told.is_empty() {
        return None;
    }
    for (verdict, word) in rest {
        let these: Vec<&str> =
            of_each.iter().filter(|one| one.verdict == verdict).map(|one| &*one.unit).collect();
        let names: Vec<String> = match these.len() > NAMED {
            true => vec![format!("{} others", count(these.len() as u64))],
            false => these.iter().map(|&name| name.to_owned()).collect(),
        };
        if !names.is_empty() {
            told.push(format!("{word} {}", listed(&names)));
        }
    }
    Some(format!("{} with {run}: {}", measure.words(), told.join("; ")))
}

/// The gain in precision from common draws, for the first judged figure.
pub(super) fn saved(all: &[Contrast], judged: &[&'static Measure]) -> Option<String> {
    let saved = |measure: &&'static Measure| {
        let of_all = all.iter().filter(|one| one.unit == unit::ALL && one.measure == *measure);
        let saved = of_all.filter_map(|one| one.tested?.saved);
        let least = saved.min_by(f64::total_cmp)?;
        Some((*measure, least))
    };
    let (measure, times) = judged.iter().find_map(saved)?;
    let words = measure.words();
    if times < 1.05 {
        return Some(format!(
            "the same draws: for {words} they save nothing, since the runs have little in common"
        ));
    }
    let times = if times >= 9.95 { figure(times.round()) } else { rough(times) };
    Some(format!(
        "the same draws: with draws of its own for every run, the difference in {words} would need \
         {times} times as many replications"
    ))
}

/// The smallest difference that is usually found, for the first one that was not.
pub(super) fn power(all: &[Contrast]) -> Option<String> {
    let is_open = |one: &&Contrast| one.unit == unit::ALL && one.verdict == Verdict::CannotTell;
    let one = all.iter().filter(is_open).find(|one| one.is_judged)?;
    let tested = one.tested.filter(|tested| tested.found_in_most.is_finite())?;
    let size = match tested.relative {
        Some(_) => format!("{}%", rough(100.0 * tested.found_in_most)),
        None => rough(tested.found_in_most),
    };
    Some(format!(
        "{} pairs of {} find a difference of {size} in {} in 8 of 10 cases (before Holm's \
         correction); more find smaller ones",
        count(tested.pairs),
        if tested.method == "weeks" { "weeks" } else { "replications" },
        one.measure.words()
    ))
}

/// The number of verdicts that hold together.
pub(super) fn together(all: &[Contrast], level: Level) -> Option<String> {
    let number = all.iter().filter(|one| one.is_judged && one.tested.is_some()).count();
    (number > 1).then(|| {
        format!(
            "the verdicts on {} differences hold together at {level} (Holm's correction)",
            count(number as u64)
        )
    })
}

/// A warning about differences so skewed that their intervals may be too short.
pub(super) fn skewed(all: &[Contrast]) -> Option<String> {
    let of_all = all.iter().filter(|one| one.is_judged && one.unit == unit::ALL);
    let skewed = of_all.filter_map(|one| {
        let tested = one.tested.filter(|tested| tested.method == "bootstrap")?;
        Some((one.measure.words(), tested))
    });
    let skewed: Vec<_> = skewed.collect();
    let enough = skewed.iter().map(|(_, tested)| tested.enough).max()?;
    let (_, Tested { pairs, .. }) = skewed.first()?;
    let mut names: Vec<String> = Vec::new();
    for (name, _) in &skewed {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Some(format!(
        "the differences in {} are skewed, so that their intervals from {} replications may be too \
         short; {} would do",
        listed(&names),
        count(*pairs),
        count(enough)
    ))
}

/// The warning that weeks of two runs are no pairs.
pub(super) fn other_jobs() -> String {
    "the runs have other jobs in the same weeks, so that there is nothing to pair: the differences have no \
     intervals, and are of the jobs as much as of anything else"
        .to_owned()
}

/// The reason why there is no interval, and a remedy.
pub(super) fn no_pairs(plan: &Plan, replications: u32) -> String {
    let is_given = |kind: &WorkloadKind| kind.digest().is_some();
    let is_given = match plan.campaign() {
        Some(plan) => matches!(plan.campaign.applications, Applications::Listed(_)),
        None => {
            plan.is_grid()
                && !plan.workloads.is_empty()
                && plan.workloads.iter().all(|workload| is_given(&workload.kind))
        }
    };
    let (_, jobs) = plan.noun();
    match is_given {
        true => format!(
            "the {jobs} are given and not drawn, so that every replication is the same: the \
             differences are exact for these {jobs}, and nothing is known of others"
        ),
        false if replications > 1 => "no replication has figures to compare".to_owned(),
        false => "there is one replication, so that no difference has an interval; add \
                  `--replications 20`"
            .to_owned(),
    }
}
