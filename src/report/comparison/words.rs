//! A comparison in words.

use crate::table::Cell;
use crate::words::sharing::listed;
use findings::contrast::{Contrast, TELLING, Tested, Verdict};
use findings::measure::{Better, Measure, Unit};
use findings::sample::KEPT_ORGANIZATIONS;
use findings::unit;
use kernel::order::InOrder as _;
use scenario::plan::{Applications, Plan, WorkloadKind};
use stats::interval::{Interval, Level};
use stats::paired::{By, FEWEST_SKEWED};
use stats::shown::{count, rough};

/// Most organizations named in a sentence.
const NAMED: usize = 6;

/// A verdict as people read it.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Higher => "higher",
        Verdict::Lower => "lower",
        Verdict::Alike => "alike",
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
        self.digits(number, [9.95, 0.0995])
    }

    /// A number with its sign; two decimals, one where the interval is so wide, and none where it is
    /// wider still.
    fn digits(&self, number: f64, [none, one]: [f64; 2]) -> String {
        let half_width = self.interval.map_or(0.1, |interval| interval.half_width());
        let digits = match half_width {
            size if size >= none => 0,
            size if size >= one => 1,
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

    /// `-33 to +29%`, or that there is none; `None` if nothing is known of chance.
    fn ends(&self) -> Option<String> {
        let interval = self.interval?;
        let end = |end: f64| self.digits(end, [1.95, 0.195]);
        let unit = if self.unit == "%" { "%" } else { "" };
        Some(match (interval.low, interval.high) {
            (low, high) if low.is_finite() && high.is_finite() => {
                format!("{} to {}{unit}", end(low), end(high))
            }
            (low, _) if low.is_finite() && low > -100.0 => format!("{}{unit} or more", end(low)),
            _ => "too few pairs".to_owned(),
        })
    }

    /// `-31.2% (-33 to -29%)`.
    fn with_ends(&self) -> String {
        let ends = self.ends().map(|ends| format!(" ({ends})"));
        format!("{}{}", self.change(), ends.unwrap_or_default())
    }
}

/// Legend of the second cell.
pub fn legend(level: Level) -> String {
    format!("interval: {level} confidence interval of the change")
}

/// The change and its interval as cells.
pub fn cells(one: &Contrast) -> [Cell; 2] {
    let told = Told::of(one);
    // As short as it can be: `-33..29%`.
    let ends = told.ends().map(|ends| ends.replace(" to ", "..").replace('+', ""));
    [told.change().into(), ends.into()]
}

/// A change with its interval: `-31.2% (-33 to -29%)`, `+2.4 points (+2.1 to +2.7)`.
fn change(one: &Contrast) -> String {
    Told::of(one).with_ends()
}

/// A change that may be none, with the interval that holds together with the others.
fn open(one: &Contrast) -> String {
    Told::with(one, one.tested.map(|tested| tested.together)).with_ends()
}

/// A sentence on one run against the base, for all together, and one on the organizations.
pub(super) fn verdicts(
    [base, run]: [&str; 2],
    judged: &[&'static Measure],
    of_run: &[&Contrast],
) -> [Option<String>; 2] {
    let of_all: Vec<&Contrast> = (judged.iter())
        .filter_map(|measure| {
            of_run.iter().find(|one| one.unit == unit::ALL && one.measure == *measure).copied()
        })
        .collect();
    // With a single organization there is nobody else.
    let lead = of_all.first().map(|one| one.measure);
    let of_each: Vec<&Contrast> = (of_run.iter().copied())
        .filter(|one| one.unit != unit::ALL && Some(one.measure) == lead)
        .collect();
    let is_alone = of_each.len() <= 1;
    [overall([base, run], &of_all), if is_alone { None } else { organizations(run, &of_each) }]
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
        .map(|one| format!("{} {}", one.measure.words(), open(one)))
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
        let named = these.iter().take(NAMED).map(|one| format!("{} {}", one.unit, change(one)));
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
            "common draws save nothing for {words}, since the runs have little in common"
        ));
    }
    let times = if times >= 9.95 { count(times.round() as u64) } else { rough(times) };
    Some(format!(
        "with draws of its own for every run, the difference in {words} would need \
         {times} times as many replications"
    ))
}

/// The smallest difference that is usually found, for the first one that was not.
pub(super) fn power(all: &[Contrast]) -> Option<String> {
    let is_open = |one: &&Contrast| one.unit == unit::ALL && one.verdict == Verdict::CannotTell;
    let one = all.iter().filter(is_open).find(|one| one.is_judged)?;
    let tested = one.tested.filter(Tested::tells_power)?;
    let share = tested.relative.map(|_| tested.found_in_most / one.base);
    let pairs = count(tested.pairs);
    let of = if tested.is_by_week() { "weeks" } else { "replications" };
    let words = one.measure.words();
    Some(match share {
        Some(share) if share >= 1.0 => format!(
            "{pairs} pairs of {of} may be too few to find even twice the {words} in 8 of 10 cases"
        ),
        _ => {
            let size = match share {
                Some(share) => format!("{}%", rough(100.0 * share)),
                None => rough(tested.found_in_most),
            };
            format!(
                "{pairs} pairs of {of} find a difference of {size} in {words} in at least 8 of 10 \
                 cases (before Holm's correction); more find smaller ones"
            )
        }
    })
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

/// Warnings about differences so skewed that their intervals may be too short, or that there are none.
pub(super) fn skewed(all: &[Contrast]) -> impl Iterator<Item = String> {
    let by = |method: By| {
        let of_all = all.iter().filter(|one| one.is_judged && one.unit == unit::ALL);
        let skewed = of_all.filter_map(|one| {
            let tested = one.tested.filter(|tested| tested.method == method)?;
            Some((one.measure.words(), tested))
        });
        let skewed: Vec<(String, Tested)> = skewed.collect();
        let mut names: Vec<String> = Vec::new();
        for (name, _) in &skewed {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let enough = skewed.iter().map(|(_, tested)| tested.enough).max()?;
        Some((listed(&names), count(skewed[0].1.pairs), enough))
    };
    let short = by(By::Bootstrap).map(|(names, pairs, enough)| {
        format!(
            "the differences in {names} are skewed, so that their intervals from {pairs} replications \
             may be too short; {} would do",
            count(enough)
        )
    });
    let none = by(By::TooFew).map(|(names, pairs, _)| {
        format!(
            "the differences in {names} are skewed, and {pairs} replications are too few to tell \
             anything; use {FEWEST_SKEWED} or more"
        )
    });
    short.into_iter().chain(none)
}

/// The sentence that organizations have no verdicts, where there are too many.
pub(super) fn untold(all: &[Contrast], judged: &[&'static Measure]) -> Option<String> {
    let is_tested = |unit: &str, one: &Contrast| one.unit == unit && one.tested.is_some();
    let lead = judged.iter().find(|measure| {
        all.iter().any(|one| one.measure == **measure && is_tested(unit::ALL, one))
    })?;
    let of_lead = || all.iter().filter(|one| one.measure == *lead && one.arm == 1);
    let untold = of_lead().filter(|one| one.tested.is_none()).count();
    (untold > KEPT_ORGANIZATIONS).then(|| {
        format!(
            "{} organizations have no verdicts: of so many, values by replication are kept only with \
             `--set output.all_replications=true`",
            count(untold as u64)
        )
    })
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
