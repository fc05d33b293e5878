//! Results of the organizations' learning, over all replications.

use std::ops::Range;

use super::absorbed::Absorbed;
use super::beside::Sums;
use super::course::{Course, Drawn};
use super::flows::Flows;
use super::frame::Frame;
use super::instead::Instead;
use super::social::{Social, SocialSum};
use super::stretch::{Running, Stretch};
use super::timeline::Timelines;
use crate::Findings;
use crate::estimate::Estimate;
use crate::measure::{Measure, Metric};
use crate::rounds::InBatches;
use crate::rounds::batched::Batched;
use crate::rounds::curves::Curves;
use crate::rounds::settled::Settled;
use crate::rounds::sum::Sum;
use crate::rounds::unit::{self, Totals};
use crate::sample::Sample;
use crate::unit::{ALL, Class, units};
use kernel::time::sum_as_units;
use sim::accounts::Accounts;
use stats::interval::Level;
use stats::settling::Settling;

/// A measure and its value for the stretches of one replication.
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

/// Means over rounds of a coalition with exclusions.
const JUDGED: [Measured; 3] = [
    over_all(Metric::Caught, Stretch::share_judged::<0>),
    over_all(Metric::FalseAlarms, Stretch::share_judged::<1>),
    over_all(Metric::Excluded, Stretch::share_judged::<2>),
];

/// That of a pool whose members choose among lies.
const LYING: Measured = at_last(Metric::FinalLying, Stretch::share_judged::<3>);

/// Ratios of sums over all rounds.
const OF_SUMS: [Metric; 3] = [Metric::Flow, Metric::FlowAlone, Metric::Gain];

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

/// An organization, a class of organizations, or all of them: what is no mean over replications.
#[derive(Clone, Debug)]
pub struct Learners {
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
    batched: Option<[Batched<Running>; 2]>,
    /// Sums of a federation's grid over all replications, and in batches of a single one.
    pub beside: Sums,
    grid: Option<Batched<Sums>>,
}

/// An organization, a class of organizations, or all of them, with their figures.
pub type Unit<'a> = unit::Unit<'a, Learners>;

impl Learners {
    fn new(class: Class, frame: &Frame) -> Learners {
        let menus = frame.asking.menus.get(class.members.clone()).unwrap_or_default();
        // In a class the first members are asked, and perhaps not all of them.
        let menu = menus.first().filter(|menu| !menu.is_empty());
        let is_one = menu.filter(|_| class.name != ALL);
        Learners {
            name: class.name,
            members: class.members,
            absorbed: Absorbed::default(),
            instead: is_one.map(|menu| Instead::new(menu, frame.level)),
            stuck: is_one.map(|menu| Instead::new(menu, frame.level)),
            all: Stretch::default(),
            settled: Settled::default(),
            spread: [Moments::default(); MEASURES.len()],
            batched: None,
            beside: Sums::default(),
            grid: None,
        }
    }

    fn add(&mut self, course: &Course, settling: &[Option<Settling>], frame: &Frame) {
        if let Some(instead) = &mut self.instead {
            let members: Vec<_> = course.gains[self.members.clone()].iter().collect();
            instead.add(&members, frame.replications == 1);
        }
        if let Some(stuck) = &mut self.stuck {
            let is_stuck =
                |member: &usize| frame.learns[*member] && course.is_absorbed(*member) == Some(true);
            let members = self.members.clone().filter(is_stuck);
            let members: Vec<_> = members.map(|member| &course.gains[member]).collect();
            if !members.is_empty() {
                stuck.add(&members, frame.replications == 1);
            }
        }
        for member in self.members.clone().filter(|&member| frame.learns[member]) {
            self.absorbed.add(course.since[member], course.is_absorbed(member));
        }
        for (measured, spread) in MEASURES.iter().zip(&mut self.spread) {
            let values = measured.stretches(course)[self.members.clone()].iter();
            values.filter_map(measured.of).for_each(|value| spread.add(value));
        }
        let ended = settling[self.members.clone()].iter().flatten();
        ended.for_each(|settling| self.settled.add(settling, 1));
        self.all.merge(&together(course, &self.members));
    }

    /// Standard deviation of a measure over members and replications.
    pub fn deviation(&self, metric: Metric) -> Option<f64> {
        let at = MEASURES.iter().position(|one| one.metric == metric)?;
        self.spread[at].deviation()
    }
}

impl Totals for Learners {
    fn batched(&self, metric: Metric, level: Level) -> Option<Estimate> {
        if let Some(grid) = &self.grid
            && self.beside.of(metric).is_some_and(|(_, weight)| weight > 0.0)
        {
            return grid.estimate(level, |sums| sums.of(metric).expect("it has the measure"));
        }
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

/// The means over rounds that a coalition has.
fn measures(frame: &Frame) -> impl Iterator<Item = &'static Measured> + use<> {
    let (is_judged, lies) = (frame.excludes, frame.lies);
    let judged = JUDGED.iter().filter(move |_| is_judged);
    MEASURES.iter().chain(judged).chain(lies.then_some(&LYING))
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

/// Results of all rounds of a run.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Learning results by organization.
    pub learned: Learned,
    /// Accounts of a federation's grid.
    pub accounts: Option<Accounts>,
    /// Flow times of the organizations' jobs.
    pub flows: Flows,
}

/// Results of all replications.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Players and length of the run.
    pub frame: Frame,
    /// The figures of every replication.
    pub sample: Sample,
    /// Each organization, then classes with several members, then all unless they form one class.
    held: Vec<Learners>,
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
        let metrics = measures(&frame).map(|one| one.metric);
        let metrics = OF_SUMS.into_iter().chain(metrics).chain(frame.more.iter().copied());
        let units = units(&frame.names, &frame.classes);
        Learned {
            sample: Sample::new(units, metrics.map(Metric::measure), frame.level, keeps_all),
            held: frame.units().into_iter().map(|class| Learners::new(class, &frame)).collect(),
            curves: Curves::new(frame.rounds, &frame.classes, |_| Drawn::AXES.to_vec()),
            social: Social::new(frame.level),
            timelines: Timelines::new(&frame),
            frame,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, mut course: Course) {
        course.widen(self.frame.rounds);
        let settling = course.settling();
        self.held.iter_mut().for_each(|unit| unit.add(&course, &settling, &self.frame));
        for unit in 0..self.sample.units().len() {
            let members = self.sample.units()[unit].members.clone();
            let sums = together(&course, &members);
            let (jobs, alone) = (sums.jobs as f64, sum_as_units(sums.alone));
            let saved = (sum_as_units(sums.alone - sums.flow), alone);
            let apart = course.beside.as_ref().filter(|_| self.frame.has_alone());
            let gain = apart.and_then(|one| one.total(members.clone()).of(Metric::Gain));
            let values = [(sum_as_units(sums.flow), jobs), (alone, jobs), gain.unwrap_or(saved)];
            for (metric, (sum, weight)) in OF_SUMS.into_iter().zip(values) {
                self.sample.put(unit, metric.measure(), sum, weight);
            }
            for measured in measures(&self.frame) {
                measured.put(&mut self.sample, unit, &course);
            }
            let Some(beside) = &course.beside else { continue };
            for (metric, (sum, weight)) in beside.figures(members, &self.frame.more) {
                self.sample.put(unit, metric.measure(), sum, weight);
            }
        }
        self.sample.end_replication();
        self.curves.add(|organization| &course.trails[organization]);
        let late_alone = course.beside.as_ref().and_then(|beside| beside.late_alone);
        let alone = late_alone.unwrap_or(course.social.alone);
        self.social.add(&SocialSum { alone, ..course.social });
        self.timelines.add(course.timeline, self.frame.period, self.frame.window);
        for (unit, batched) in self.held.iter_mut().zip(course.batched.into_iter().flatten()) {
            unit.batched = Some(batched);
        }
        let Some(beside) = course.beside else { return };
        for unit in &mut self.held {
            unit.beside.merge(&beside.total(unit.members.clone()));
        }
        for (unit, batched) in self.held.iter_mut().zip(beside.batched) {
            unit.grid = Some(batched);
        }
    }

    /// Number of replications added.
    pub fn replications(&self) -> u32 {
        self.sample.replications()
    }

    /// Each organization, then classes with several members, then all unless they form one class.
    pub fn units(&self) -> impl ExactSizeIterator<Item = Unit<'_>> {
        self.held.iter().map(|held| self.unit(held))
    }

    /// The unit of a class; of all organizations, if it is none.
    pub fn class(&self, members: &Range<usize>) -> Unit<'_> {
        let found = self.held.iter().rev().find(|held| held.members == *members);
        let held = found.unwrap_or_else(|| self.held.last().expect("there are organizations"));
        self.unit(held)
    }

    fn unit<'a>(&'a self, held: &'a Learners) -> Unit<'a> {
        Unit::new(held, &self.sample, self.sample.unit_of(&held.members))
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
    crate::sample_at!(learned.sample);

    fn batched(&self, unit: usize, measure: &Measure, level: Level) -> Option<Estimate> {
        let members = &self.learned.sample.units()[unit].members;
        self.learned.class(members).totals().batched(measure.metric()?, level)
    }

    fn in_batches(&self) -> Option<InBatches> {
        let units = self.learned.sample.units();
        let ends = |unit: &Class| {
            let [all, _] = self.learned.class(&unit.members).totals().batched.as_ref()?;
            Some(all.ends())
        };
        let ends: Vec<Vec<Running>> = units.iter().map(ends).collect::<Option<_>>()?;
        let rounds = |ends: &[Running]| ends.iter().map(|end| end.rounds).collect::<Vec<u64>>();
        let shared = rounds(ends.last()?);
        // Who is not there in all rounds has other batches.
        ends.iter().all(|own| rounds(own) == shared).then_some(())?;
        let measures = [Metric::Score, Metric::Flow, Metric::FlowAlone].map(Metric::measure);
        let level = self.learned.sample.level();
        let mut sample = Sample::new(units.to_vec(), measures, level, true);
        let mut before = vec![Running::default(); units.len()];
        let mut lengths = Vec::new();
        for batch in 0..shared.len() {
            for (unit, (ends, before)) in ends.iter().zip(&mut before).enumerate() {
                let (now, was) = (ends[batch], std::mem::replace(before, ends[batch]));
                let (rounds, jobs) =
                    ((now.rounds - was.rounds) as f64, (now.jobs - was.jobs) as f64);
                let values = [
                    ((now.score - was.score) / rounds, 1.0),
                    (sum_as_units(now.flow - was.flow), jobs),
                    (sum_as_units(now.alone - was.alone), jobs),
                ];
                for (measure, (sum, weight)) in measures.into_iter().zip(values) {
                    sample.put(unit, measure, sum, weight);
                }
            }
            lengths.push(shared[batch] - batch.checked_sub(1).map_or(0, |last| shared[last]));
            sample.end_replication();
        }
        Some(InBatches { sample, rounds: lengths })
    }
}
