//! Outcome of a run with a target precision, for people and for files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Findings;
use super::ended::{Ended, Why};
use super::measure::Measure;
use super::target::{By, Precision, Width};
use stats::interval::{Interval, Level};
use stats::shown::{counted, figure, percent, rough};

/// Precision reached for one or several figures, and the reason why the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    /// Name of the figure, as in scenarios; of several, the one that was known last.
    pub metric: String,
    /// Organization that the figure belongs to; `None` means all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// Target half-width of the confidence interval, relative to the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// Target half-width of the confidence interval, in the figure's units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
    /// Half-width reached; `None` if there is no interval.
    pub half_width: Option<f64>,
    /// Half-width reached, relative to the midpoint of the interval.
    pub relative_half_width: Option<f64>,
    /// Each of several figures, in the order of the scenario; empty for one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// Confidence level of the interval of each of several figures, so that all hold at once at the
    /// level of the run.
    #[schemars(with = "Option<f64>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_each: Option<Level>,
    /// Number of replications used.
    pub replications: u32,
    /// Number of jobs used, if the interval comes from batches of one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// Objection to the interval, whatever its width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Reason why the run ended, and the number of looks.
    #[serde(flatten)]
    pub ended: Ended,
}

/// Precision reached for one of several figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// Name of the figure, as in scenarios.
    pub metric: String,
    /// Half-width reached; `None` if there is no interval.
    pub half_width: Option<f64>,
    /// Half-width reached, relative to the midpoint of the interval.
    pub relative_half_width: Option<f64>,
    /// The look, counted from 1, from which on the figure was known; `None` if it was not.
    pub known_since: Option<u32>,
}

impl Figure {
    fn new(metric: &Measure, interval: Option<Interval>, known_since: Option<u32>) -> Figure {
        let share = interval.and_then(|interval| {
            let figure = f64::midpoint(interval.low, interval.high).abs();
            (figure > 0.0).then(|| interval.half_width() / figure)
        });
        Figure {
            metric: metric.name.to_owned(),
            half_width: interval.as_ref().map(Interval::half_width),
            relative_half_width: share,
            known_since,
        }
    }
}

impl Known {
    /// The outcome of a run with a target precision; `against` is an objection to its intervals.
    pub fn of(
        precision: &Precision,
        findings: &impl Findings,
        ended: Ended,
        against: Option<String>,
    ) -> Known {
        let sample = findings.sample();
        let unit = sample.target(precision);
        let name = precision.organizations.is_some().then(|| sample.units()[unit].name.clone());
        let jobs = (precision.by == By::Batches).then(|| findings.jobs_of(unit));
        let intervals = (&*findings.intervals(precision), sample.level());
        let known = Known::new(precision, ended, name, intervals, (sample.replications(), jobs));
        Known { against, ..known }
    }

    fn new(
        precision: &Precision,
        ended: Ended,
        organization: Option<String>,
        (intervals, level): (&[Option<Interval>], Level),
        (replications, jobs): (u32, Option<u64>),
    ) -> Known {
        let (relative, absolute) = match precision.width {
            Width::Relative(share) => (Some(share), None),
            Width::Absolute(amount) => (None, Some(amount)),
        };
        let all = precision.metrics.iter().zip(intervals).enumerate();
        let figures: Vec<Figure> = all
            .map(|(at, (metric, interval))| Figure::new(metric, *interval, ended.since.of(at)))
            .collect();
        // What is not known comes after what is; of figures that came at the same look, the one
        // with the widest interval is the last.
        let times = |at: usize| {
            intervals[at].map_or(f64::INFINITY, |interval| precision.width.times_too_wide(interval))
        };
        let rank = |at: usize| (figures[at].known_since.unwrap_or(u32::MAX), times(at));
        let later = |one: &usize, other: &usize| {
            let ((look, times), (other_look, other_times)) = (rank(*one), rank(*other));
            look.cmp(&other_look).then(times.total_cmp(&other_times))
        };
        let last = (0..figures.len()).max_by(later).unwrap_or_default();
        let is_one = figures.len() == 1;
        Known {
            metric: figures[last].metric.clone(),
            organization,
            relative,
            absolute,
            half_width: figures[last].half_width,
            relative_half_width: figures[last].relative_half_width,
            figures: if is_one { Vec::new() } else { figures },
            confidence_each: (!is_one).then(|| precision.level_of_each(level)),
            replications,
            jobs,
            against: None,
            ended,
        }
    }

    /// The same of figures that are about something else, such as the `difference in` them.
    #[must_use]
    pub fn about(mut self, what: &str) -> Known {
        let names = self.figures.iter_mut().map(|figure| &mut figure.metric);
        names.chain([&mut self.metric]).for_each(|name| *name = format!("{what} {name}"));
        self
    }

    /// True if the interval reached the target width.
    pub fn is_reached(&self) -> bool {
        self.ended.why == Why::Precision
    }

    /// Each figure: its name with its widths.
    fn all(&self) -> Vec<Figure> {
        match &self.figures[..] {
            [] => vec![Figure {
                metric: self.metric.clone(),
                half_width: self.half_width,
                relative_half_width: self.relative_half_width,
                known_since: None,
            }],
            several => several.to_vec(),
        }
    }

    /// True if the width of a figure alone is small enough, whatever the objections.
    fn is_narrow(&self, figure: &Figure) -> bool {
        let (found, most) = match self.relative {
            Some(_) => (figure.relative_half_width, self.relative),
            None => (figure.half_width, self.absolute),
        };
        // A figure that is 0 and never varies has no relative width.
        figure.half_width == Some(0.0) || found.zip(most).is_some_and(|(found, most)| found <= most)
    }

    /// True if a single run was stopped early because its batches were precise enough.
    pub fn is_stopped(&self) -> bool {
        self.jobs.is_some() && self.is_reached()
    }

    /// A figure and its organization in words: `flow of `physics``.
    fn what(&self, figure: &Figure) -> String {
        let metric = figure.metric.replace('_', " ");
        let of = self.organization.as_ref().map(|name| format!(" of `{name}`"));
        format!("{metric}{}", of.unwrap_or_default())
    }

    /// Half-width allowed, in words.
    fn wanted(&self) -> String {
        match self.relative {
            Some(share) => fine_percent(share),
            None => figure(self.absolute.unwrap_or_default()),
        }
    }

    /// Half-width reached, in words; `None` without an interval.
    fn width(&self, of: &Figure) -> Option<String> {
        match self.relative {
            Some(_) if of.half_width == Some(0.0) => Some(fine_percent(0.0)),
            Some(_) => of.relative_half_width.map(fine_percent),
            None => of.half_width.map(rough),
        }
    }

    /// Sample size in words: jobs or replications.
    fn number(&self) -> String {
        match self.jobs {
            Some(jobs) => counted(jobs, "job", "jobs"),
            None => counted(self.replications.into(), "replication", "replications"),
        }
    }

    /// The outcome in one line.
    pub fn line(&self) -> String {
        let wanted = self.wanted();
        let looks = counted(self.ended.looks.into(), "check", "checks");
        let (each, last) = match self.figures.len() {
            0 => ("", String::new()),
            _ => (" for each", format!("; {} was the last", self.metric.replace('_', " "))),
        };
        let end = match self.ended.why {
            Why::Precision => format!("target {wanted}{each}, after {looks}{last}"),
            Why::AtMost => format!("target {wanted}{each}, but `at_most` ended the run"),
            Why::Drained => format!("target {wanted}{each}, but there are no more jobs"),
            Why::TooShort => format!("target {wanted}{each}, but the replications are too short"),
        };
        let known = |of: &Figure, is: &str| match self.width(of) {
            Some(width) => format!("the {} {is}to within {width}", self.what(of)),
            None => format!("the {} is not known at all", self.what(of)),
        };
        let all = self.all();
        let known: Vec<String> = all
            .iter()
            .enumerate()
            .map(|(at, of)| known(of, if at == 0 { "is known " } else { "" }))
            .collect();
        format!("precision: after {} {} ({end})", self.number(), and(&known))
    }

    /// A warning, if the precision was not reached.
    pub fn warning(&self) -> Option<String> {
        let wanted = self.wanted();
        let (why, remedy) = match self.ended.why {
            Why::Precision => return None,
            Why::AtMost => ("`at_most` ended the run", "; raise `until.precision.at_most`"),
            Why::Drained => ("there were no more jobs", ""),
            Why::TooShort => {
                let is = if self.figures.is_empty() { "interval is" } else { "intervals are" };
                return Some(format!(
                    "the target precision was not reached, although the {is} narrow: the \
                     replications are too short, since {}; make them longer with \
                     `until.precision.each`, remove more with `output.warm_up`, or leave out `each` \
                     for one long run",
                    self.against.as_deref().unwrap_or("flow times still grow within them")
                ));
            }
        };
        let all = self.all();
        let wide: Vec<&Figure> = all.iter().filter(|one| !self.is_narrow(one)).collect();
        if let (Some(against), true) = (&self.against, wide.is_empty()) {
            let is = if self.figures.is_empty() { "interval is" } else { "intervals are" };
            return Some(format!(
                "the target precision was not reached, although the {is} narrow: {against}; after \
                 {} {why}{remedy}",
                self.number()
            ));
        }
        // The last look may have come before the end.
        let wide = if wide.is_empty() { all.iter().collect() } else { wide };
        let known: Vec<String> = (wide.iter())
            .filter_map(|one| Some((self.what(one), self.width(one)?)))
            .enumerate()
            .map(|(at, (what, width))| {
                format!("the {what} {}to within {width}", if at == 0 { "is known " } else { "" })
            })
            .collect();
        let none: Vec<String> = (wide.iter().filter(|one| self.width(one).is_none()))
            .map(|one| format!("the {}", self.what(one)))
            .collect();
        let known =
            (!known.is_empty()).then(|| format!("{}, but the target is {wanted}", and(&known)));
        let none = (!none.is_empty()).then(|| format!("there is no interval for {}", and(&none)));
        let told: Vec<String> = known.into_iter().chain(none).collect();
        Some(format!(
            "the target precision was not reached: {}; after {} {why}{remedy}",
            told.join("; "),
            self.number()
        ))
    }
}

/// Joins words by commas and a last `and`.
fn and(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// A share as a percentage that keeps digits of small values: `0.25%`.
fn fine_percent(share: f64) -> String {
    if share >= 0.1 { percent(share) } else { format!("{}%", rough(share * 100.0)) }
}
