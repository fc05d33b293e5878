//! Results of the organizations' learning, over all replications.

use std::ops::{Deref, Range};

use super::absorbed::Absorbed;
use super::course::{Batched, Course, Running, Stretch, Sum};
use super::curves::Curves;
use super::instead::Instead;
use super::social::Social;
use super::timeline::Timelines;
use super::{Class, Frame, Rounds};
use crate::findings::Findings;
use crate::findings::estimate::{Estimate, Method};
use crate::findings::measure::{Measure, Metric};
use crate::findings::sample::Sample;
use crate::findings::unit;
use crate::kernel::time::sum_as_units;
use crate::stats::batch_means::BatchMeans;
use crate::stats::interval::Level;
use crate::stats::settling::Settling;
use crate::stats::shown::{count, figure};

/// How a measure follows from the stretches of one replication.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The measure.
    pub metric: Metric,
    /// True if it covers the last quarter of the rounds only.
    is_late: bool,
    /// True for work: its mean weighs every organization's round equally.
    ///
    /// So all organizations together receive what they send. Other measures weigh every
    /// organization equally.
    is_work: bool,
    of: fn(&Stretch) -> Option<f64>,
}

const fn over_all(metric: Metric, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { metric, is_late: false, is_work: false, of }
}
const fn work(metric: Metric, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { metric, is_late: false, is_work: true, of }
}
const fn at_last(metric: Metric, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { metric, is_late: true, is_work: false, of }
}

/// All means over rounds: first those over all rounds, then those over the last quarter.
pub const MEASURES: [Measured; 8] = [
    over_all(Metric::Joined, Stretch::share_joined),
    over_all(Metric::Score, Stretch::score),
    work(Metric::Sent, Stretch::sent_per_round),
    work(Metric::Received, Stretch::received_per_round),
    at_last(Metric::FinalJoined, Stretch::share_joined),
    at_last(Metric::FinalProbability, Stretch::probability),
    at_last(Metric::FinalLevel, Stretch::level),
    at_last(Metric::FinalScore, Stretch::score),
];

/// Ratios of sums over all rounds.
const OF_SUMS: [Metric; 3] = [Metric::Flow, Metric::FlowAlone, Metric::Gain];

/// The groups of organizations for which figures are reported.
///
/// Each organization by itself, then each class with several members, then all organizations unless
/// they form one class.
pub(super) fn units(frame: &Frame) -> Vec<Range<usize>> {
    named_units(frame).into_iter().map(|class| class.members).collect()
}

fn named_units(frame: &Frame) -> Vec<Class> {
    let mut units = unit::units(&frame.names, &frame.classes);
    if frame.classes.len() == 1 {
        units.pop();
    }
    units
}

/// Running mean and sum of squared deviations (Welford's algorithm).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }

    fn deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }
}

/// Convergence of the learners, counted over members and replications.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// Number of courses for which convergence can be judged.
    pub known: u64,
    /// Number of courses that cycle.
    pub cycles: u64,
    /// Number of courses that still drift.
    pub drifting: u64,
    /// Convergence times of the courses that settled, in rounds.
    rounds: Vec<u64>,
    /// For each course that cycles: its period in rounds, and the mean of the oscillation.
    swings: Vec<[f64; 2]>,
}

impl Settled {
    pub(in crate::report) fn add(&mut self, settling: &Settling) {
        self.known += 1;
        self.cycles += u64::from(settling.cycle.is_some());
        self.drifting += u64::from(settling.drifts);
        self.rounds.extend(settling.settled);
        self.swings.extend(settling.cycle.map(|cycle| [cycle.period, settling.mean]));
    }

    fn share(&self, number: u64) -> Option<f64> {
        (self.known > 0).then(|| number as f64 / self.known as f64)
    }

    /// Share of the courses that settled.
    pub fn share_settled(&self) -> Option<f64> {
        self.share(self.rounds.len() as u64)
    }

    /// Share of the courses that cycle.
    pub fn share_in_cycles(&self) -> Option<f64> {
        self.share(self.cycles)
    }

    /// Share of the courses that still drift.
    pub fn share_drifting(&self) -> Option<f64> {
        self.share(self.drifting)
    }

    /// Median period of the cycles, in rounds.
    pub fn period(&self) -> Option<f64> {
        self.swing().map(|[period, _]| period)
    }

    /// Median period in words: a whole number has no decimals.
    pub fn told_period(&self) -> Option<String> {
        let period = self.period()?;
        let is_whole = period == libm::trunc(period);
        Some(if is_whole { count(period as u64) } else { figure(period) })
    }

    /// Medians of the period, in rounds, and of the mean of the oscillation.
    pub fn swing(&self) -> Option<[f64; 2]> {
        let middle = |which: usize| {
            let mut values: Vec<f64> = self.swings.iter().map(|swing| swing[which]).collect();
            values.sort_unstable_by(f64::total_cmp);
            let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
            Some((values[low] + values[high]) / 2.0)
        };
        Some([middle(0)?, middle(1)?])
    }

    /// Median convergence time of the courses that settled, in rounds.
    pub fn rounds(&self) -> Option<f64> {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let (low, high) = (rounds.len().checked_sub(1)? / 2, rounds.len() / 2);
        Some((rounds[low] + rounds[high]) as f64 / 2.0)
    }
}

/// An organization, a class of organizations, or all of them: what is no mean over replications.
#[derive(Clone, Debug)]
pub struct Held {
    /// Name in tables and files.
    pub name: String,
    /// Range of its organizations' indices.
    pub members: Range<usize>,
    /// Totals over all rounds of all its members in all replications.
    pub all: Stretch,
    /// Convergence of its learners.
    pub settled: Settled,
    /// Learners that stuck to one action at the end.
    pub absorbed: Absorbed,
    /// Counterfactual gains in the last quarter, if its members were asked and are alike.
    pub instead: Option<Instead>,
    /// The same for absorbed members only.
    pub stuck: Option<Instead>,
    /// Moments over members and replications, by measure.
    spread: [Moments; MEASURES.len()],
    /// Batches over all rounds and over the last quarter, for a single replication.
    batched: Option<[Batched; 2]>,
}

/// An organization, a class of organizations, or all of them, with their figures.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    held: &'a Held,
    sample: &'a Sample,
    /// Its index in the sample.
    at: usize,
}

impl Deref for Unit<'_> {
    type Target = Held;

    fn deref(&self) -> &Held {
        self.held
    }
}

impl Held {
    fn new(class: Class, frame: &Frame) -> Held {
        let menus = frame.asking.menus.get(class.members.clone()).unwrap_or_default();
        // In a class the first members are asked, and perhaps not all of them.
        let menu = menus.first().filter(|menu| !menu.is_empty());
        let is_one = menu.filter(|_| class.name != unit::ALL);
        Held {
            name: class.name,
            members: class.members,
            absorbed: Absorbed::default(),
            instead: is_one.map(|menu| Instead::new(menu, frame.level)),
            stuck: is_one.map(|menu| Instead::new(menu, frame.level)),
            all: Stretch::default(),
            settled: Settled::default(),
            spread: [Moments::default(); MEASURES.len()],
            batched: None,
        }
    }

    fn add(&mut self, course: &Course, settling: &[Option<Settling>], frame: &Frame) {
        if let Some(instead) = &mut self.instead {
            let members: Vec<_> = course.gains[self.members.clone()].iter().collect();
            instead.add(&members, frame.replications == 1);
        }
        if let Some(stuck) = &mut self.stuck {
            let is_stuck = |member: &usize| {
                frame.learns[*member] && course.since[*member].is_absorbed(frame.late())
            };
            let members = self.members.clone().filter(is_stuck);
            let members: Vec<_> = members.map(|member| &course.gains[member]).collect();
            if !members.is_empty() {
                stuck.add(&members, frame.replications == 1);
            }
        }
        for member in self.members.clone().filter(|&member| frame.learns[member]) {
            self.absorbed.add(course.since[member], frame.late());
        }
        for (measured, spread) in MEASURES.iter().zip(&mut self.spread) {
            let values = measured.stretches(course)[self.members.clone()].iter();
            values.filter_map(measured.of).for_each(|value| spread.add(value));
        }
        let ended = settling[self.members.clone()].iter().flatten();
        ended.for_each(|settling| self.settled.add(settling));
        self.all.merge(&together(course, &self.members));
    }

    /// The interval of a measure from batches of the rounds of a single replication.
    fn batched(&self, metric: Metric, level: Level) -> Option<Estimate> {
        let [all, late] = self.batched.as_ref()?;
        let score = |sums: &Running| (sums.score, sums.rounds as f64);
        match metric {
            Metric::Score => all.estimate(level, score),
            Metric::FinalScore => late.estimate(level, score),
            Metric::Flow => all.estimate(level, |sums| (sum_as_units(sums.flow), sums.jobs as f64)),
            Metric::FlowAlone => {
                all.estimate(level, |sums| (sum_as_units(sums.alone), sums.jobs as f64))
            }
            Metric::Gain => all.estimate(level, |sums| {
                (sum_as_units(sums.alone - sums.flow), sum_as_units(sums.alone))
            }),
            _ => None,
        }
    }
}

/// The stretches of several members over all rounds, added up.
fn together(course: &Course, members: &Range<usize>) -> Stretch {
    let mut one = Stretch::default();
    course.all[members.clone()].iter().for_each(|member| one.merge(member));
    one
}

impl Measured {
    fn stretches<'a>(&self, course: &'a Course) -> &'a [Stretch] {
        if self.is_late { &course.late } else { &course.all }
    }

    /// Puts the mean over the members of a unit into the sample.
    fn put(&self, sample: &mut Sample, unit: usize, course: &Course) {
        let members = sample.units()[unit].members.clone();
        let mean = match self.is_work {
            true => (self.of)(&together(course, &members)),
            false => {
                let mut mean = Sum::default();
                let values = self.stretches(course)[members].iter().filter_map(self.of);
                values.for_each(|value| mean.add(value));
                mean.mean()
            }
        };
        sample.put_mean(unit, self.metric.measure(), mean);
    }
}

impl<'a> Unit<'a> {
    /// What is no mean over replications.
    pub fn held(&self) -> &'a Held {
        self.held
    }

    /// Mean of a measure: over the replications, of the mean over the members.
    pub fn mean(&self, metric: Metric) -> Option<f64> {
        self.sample.mean(self.at, metric.measure())
    }

    /// Standard deviation of a measure over members and replications.
    pub fn deviation(&self, metric: Metric) -> Option<f64> {
        let at = MEASURES.iter().position(|one| one.metric == metric)?;
        self.spread[at].deviation()
    }

    /// Confidence interval of a measure's mean over the replications.
    ///
    /// With a single replication only scores and flow times have one, from batches of rounds.
    pub fn interval(&self, metric: Metric) -> Option<Estimate> {
        let over_replications = self.sample.estimate(self.at, metric.measure());
        over_replications.or_else(|| self.held.batched(metric, self.sample.level()))
    }

    /// Mean flow time of a job, in units, with its interval.
    pub fn flow(&self) -> (Option<f64>, Option<Estimate>) {
        (self.mean(Metric::Flow), self.interval(Metric::Flow))
    }

    /// Counterfactual mean flow time of a job had all stayed alone, in units, with its interval.
    pub fn flow_alone(&self) -> (Option<f64>, Option<Estimate>) {
        (self.mean(Metric::FlowAlone), self.interval(Metric::FlowAlone))
    }
}

impl Batched {
    /// Batch-means interval of the ratio of two sums over the rounds.
    fn estimate(&self, level: Level, of: impl Fn(&Running) -> (f64, f64)) -> Option<Estimate> {
        let mut batches = BatchMeans::default();
        let mut before = (0.0, 0.0);
        for mark in self.batches.marks() {
            let now = of(mark);
            batches.add(now.0 - before.0, now.1 - before.1);
            before = now;
        }
        let (sum, count) = of(&self.all);
        let share = before.1 / count.max(1.0);
        let rounds = self.batches.length();
        let method = |sections| Method::RoundMeans { sections, rounds };
        Estimate::of_batches(sum / count, &batches, share, level, method)
    }
}

/// Results of all replications.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Players and length of the run.
    pub frame: Frame,
    /// The figures of every replication.
    pub sample: Sample,
    /// Each organization, then classes with several members, then all unless they form one class.
    held: Vec<Held>,
    /// Curves of probabilities, levels and participation.
    pub curves: Curves,
    /// Mean flow time over all organizations in the last quarter, and its counterfactuals.
    pub social: Social,
    /// All organizations together, round by round.
    pub timelines: Timelines,
}

impl Learned {
    /// Results without any replication; `keeps_all` keeps the values of each of many organizations.
    pub fn new(frame: Frame, keeps_all: bool) -> Learned {
        let metrics = MEASURES.iter().map(|one| one.metric);
        let metrics = OF_SUMS.into_iter().chain(metrics);
        let units = unit::units(&frame.names, &frame.classes);
        Learned {
            sample: Sample::new(units, metrics.map(Metric::measure), frame.level, keeps_all),
            held: named_units(&frame).into_iter().map(|class| Held::new(class, &frame)).collect(),
            curves: Curves::new(&frame),
            social: Social::new(frame.level),
            timelines: Timelines::new(&frame),
            frame,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, course: Course) {
        let settling = course.settling();
        self.held.iter_mut().for_each(|unit| unit.add(&course, &settling, &self.frame));
        for unit in 0..self.sample.units().len() {
            let sums = together(&course, &self.sample.units()[unit].members);
            let (jobs, alone) = (sums.jobs as f64, sum_as_units(sums.alone));
            let saved = sum_as_units(sums.alone - sums.flow);
            let values = [(sum_as_units(sums.flow), jobs), (alone, jobs), (saved, alone)];
            for (metric, (sum, weight)) in OF_SUMS.into_iter().zip(values) {
                self.sample.put(unit, metric.measure(), sum, weight);
            }
            MEASURES.iter().for_each(|measured| measured.put(&mut self.sample, unit, &course));
        }
        self.sample.end_replication();
        self.curves.add(&course);
        self.social.add(&course.social);
        self.timelines.add(course.timeline, self.frame.period, self.frame.window);
        for (unit, batched) in self.held.iter_mut().zip(course.batched.into_iter().flatten()) {
            unit.batched = Some(batched);
        }
    }

    /// Number of replications added.
    pub fn replications(&self) -> u32 {
        self.sample.replications()
    }

    /// Each organization, then classes with several members, then all unless they form one class.
    pub fn units(&self) -> impl ExactSizeIterator<Item = Unit<'_>> {
        let unit =
            |held| Unit { held, sample: &self.sample, at: self.sample.unit_of(&held.members) };
        self.held.iter().map(unit)
    }

    /// The unit of a class; of all organizations, if it is none.
    pub fn class(&self, members: &Range<usize>) -> Unit<'_> {
        let found = self.held.iter().rev().find(|held| held.members == *members);
        let held = found.unwrap_or_else(|| self.held.last().expect("there are organizations"));
        Unit { held, sample: &self.sample, at: self.sample.unit_of(&held.members) }
    }

    /// The units of single organizations.
    pub fn organizations(&self) -> impl ExactSizeIterator<Item = Unit<'_>> {
        self.units().take(self.frame.names.len())
    }

    /// The unit of all organizations.
    pub fn everyone(&self) -> Unit<'_> {
        self.class(&(0..self.frame.names.len()))
    }

    /// Smallest and largest mean of a measure among the members of a unit.
    pub fn range(&self, unit: Unit<'_>, metric: Metric) -> Option<(f64, f64)> {
        let members = unit.members.clone();
        let means = self.organizations().skip(members.start).take(members.len());
        let means = means.filter_map(|organization| organization.mean(metric));
        means.fold(None, |range, mean| match range {
            None => Some((mean, mean)),
            Some((least, largest)) => Some((mean.min(least), mean.max(largest))),
        })
    }
}

impl Findings for Rounds {
    fn sample(&self) -> &Sample {
        &self.learned.sample
    }

    fn sample_mut(&mut self) -> &mut Sample {
        &mut self.learned.sample
    }

    fn batched(&self, unit: usize, measure: &Measure, level: Level) -> Option<Estimate> {
        let members = &self.learned.sample.units()[unit].members;
        self.learned.class(members).held().batched(measure.metric()?, level)
    }
}
