//! Results of the organizations' learning, over all replications.

use std::ops::Range;

use super::absorbed::Absorbed;
use super::course::{Batched, Course, Running, Stretch, Sum};
use super::curves::Curves;
use super::instead::Instead;
use super::social::Social;
use super::timeline::Timelines;
use super::{Class, Frame};
use crate::kernel::time::sum_as_units;
use crate::report::enough::Known;
use crate::report::figure::{count, figure};
use crate::report::precision::{Estimate, Method};
use crate::stats::batch_means::BatchMeans;
use crate::stats::interval::{Level, Sections};
use crate::stats::settling::Settling;

/// A figure of one organization in one replication.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Name of its column in files.
    pub name: &'static str,
    /// True if it covers the last quarter of the rounds only.
    pub is_late: bool,
    /// True for work: its mean weighs every organization's round equally.
    ///
    /// So all organizations together receive what they send. Other measures weigh every
    /// organization equally.
    is_work: bool,
    of: fn(&Stretch) -> Option<f64>,
}

const fn over_all(name: &'static str, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { name, is_late: false, is_work: false, of }
}
const fn work(name: &'static str, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { name, is_late: false, is_work: true, of }
}
const fn at_last(name: &'static str, of: fn(&Stretch) -> Option<f64>) -> Measured {
    Measured { name, is_late: true, is_work: false, of }
}

/// All measures: first those over all rounds, then those over the last quarter.
pub const MEASURES: [Measured; 8] = [
    over_all("joined", Stretch::share_joined),
    over_all("score", Stretch::score),
    work("sent", Stretch::sent_per_round),
    work("received", Stretch::received_per_round),
    at_last("final_joined", Stretch::share_joined),
    at_last("final_probability", Stretch::probability),
    at_last("final_level", Stretch::level),
    at_last("final_score", Stretch::score),
];

/// Index of the measure with this name.
pub(super) fn measure(name: &str) -> usize {
    MEASURES.iter().position(|one| one.name == name).expect("a measure of that name is listed")
}

/// The groups of organizations for which figures are reported.
///
/// Each organization by itself, then each class with several members, then all organizations unless
/// they form one class.
pub(super) fn units(frame: &Frame) -> Vec<Range<usize>> {
    named_units(frame).into_iter().map(|class| class.members).collect()
}

fn named_units(frame: &Frame) -> Vec<Class> {
    let names = frame.names.iter().cloned().enumerate();
    let singles = names.map(|(at, name)| Class { name, members: at..at + 1 });
    let several = frame.classes.iter().filter(|class| !class.is_single()).cloned();
    let everyone = Class { name: "*".to_owned(), members: 0..frame.names.len() };
    let everyone = (frame.classes.len() > 1).then_some(everyone);
    singles.chain(several).chain(everyone).collect()
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

/// An organization, a class of organizations, or all of them.
#[derive(Clone, Debug)]
pub struct Unit {
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
    /// Mean over the members by measure, one section per replication.
    means: [Sections; MEASURES.len()],
    /// Moments over members and replications, by measure.
    spread: [Moments; MEASURES.len()],
    /// Actual and stand-alone flow time per job, one section per replication.
    flows: [Sections; 2],
    /// Batches over all rounds and over the last quarter, for a single replication.
    batched: Option<[Batched; 2]>,
    /// Confidence level of the intervals.
    level: Level,
}

impl Unit {
    fn new(class: Class, frame: &Frame) -> Unit {
        let menus = frame.asking.menus.get(class.members.clone()).unwrap_or_default();
        // In a class the first members are asked, and perhaps not all of them.
        let menu = menus.first().filter(|menu| !menu.is_empty());
        let is_one = menu.filter(|_| class.name != "*");
        Unit {
            name: class.name,
            members: class.members,
            absorbed: Absorbed::default(),
            instead: is_one.map(|menu| Instead::new(menu, frame.level)),
            stuck: is_one.map(|menu| Instead::new(menu, frame.level)),
            all: Stretch::default(),
            settled: Settled::default(),
            means: [Sections::default(); MEASURES.len()],
            spread: [Moments::default(); MEASURES.len()],
            flows: [Sections::default(); 2],
            batched: None,
            level: frame.level,
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
        let mut one = Stretch::default();
        course.all[self.members.clone()].iter().for_each(|member| one.merge(member));
        for (at, measured) in MEASURES.iter().enumerate() {
            let stretches = if measured.is_late { &course.late } else { &course.all };
            let mut mean = Sum::default();
            for value in stretches[self.members.clone()].iter().filter_map(measured.of) {
                mean.add(value);
                self.spread[at].add(value);
            }
            let mean = if measured.is_work { (measured.of)(&one) } else { mean.mean() };
            let counts = if mean.is_some() { 1.0 } else { 0.0 };
            self.means[at].add(mean.unwrap_or_default(), counts);
        }
        let ended = settling[self.members.clone()].iter().flatten();
        ended.for_each(|settling| self.settled.add(settling));
        for (sections, flow) in self.flows.iter_mut().zip([one.flow, one.alone]) {
            sections.add(sum_as_units(flow), one.jobs as f64);
        }
        self.all.merge(&one);
    }

    /// Mean of a measure: over the replications, of the mean over the members.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.means[measure(name)].mean()
    }

    /// Standard deviation of a measure over members and replications.
    pub fn deviation(&self, name: &str) -> Option<f64> {
        self.spread[measure(name)].deviation()
    }

    /// Confidence interval of a measure's mean over the replications.
    ///
    /// With a single replication only scores have one, from batches of rounds.
    pub fn interval(&self, name: &str) -> Option<Estimate> {
        let index = measure(name);
        if let Some(estimate) = Estimate::of_replications(&self.means[index], self.level) {
            return Some(estimate);
        }
        let score = |sums: &Running| (sums.score, sums.rounds as f64);
        let [all, late] = self.batched.as_ref()?;
        match name {
            "score" => all.estimate(self.level, score),
            "final_score" => late.estimate(self.level, score),
            _ => None,
        }
    }

    /// Mean flow time of a job, in units, with its interval.
    pub fn flow(&self) -> (Option<f64>, Option<Estimate>) {
        self.mean_flow(0, |sums| (sum_as_units(sums.flow), sums.jobs as f64))
    }

    /// Counterfactual mean flow time of a job had all stayed alone, in units, with its interval.
    pub fn flow_alone(&self) -> (Option<f64>, Option<Estimate>) {
        self.mean_flow(1, |sums| (sum_as_units(sums.alone), sums.jobs as f64))
    }

    fn mean_flow(
        &self,
        which: usize,
        of: impl Fn(&Running) -> (f64, f64),
    ) -> (Option<f64>, Option<Estimate>) {
        let sections = &self.flows[which];
        let estimate = match &self.batched {
            Some([all, _]) => all.estimate(self.level, of),
            None => Estimate::of_replications(sections, self.level),
        };
        (sections.mean(), estimate)
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
    /// Each organization, then classes with several members, then all unless they form one class.
    pub units: Vec<Unit>,
    /// Curves of probabilities, levels and participation.
    pub curves: Curves,
    /// Mean flow time over all organizations in the last quarter, and its counterfactuals.
    pub social: Social,
    /// All organizations together, round by round.
    pub timelines: Timelines,
    /// Number of replications added.
    pub replications: u32,
    /// Precision reached for the target figure, if the run had one.
    pub known: Option<Known>,
}

impl Learned {
    /// Results without any replication.
    pub fn new(frame: Frame) -> Learned {
        Learned {
            units: named_units(&frame).into_iter().map(|class| Unit::new(class, &frame)).collect(),
            curves: Curves::new(&frame),
            social: Social::new(frame.level),
            timelines: Timelines::new(&frame),
            replications: 0,
            known: None,
            frame,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, course: Course) {
        let settling = course.settling();
        self.units.iter_mut().for_each(|unit| unit.add(&course, &settling, &self.frame));
        self.curves.add(&course);
        self.social.add(&course.social);
        self.timelines.add(course.timeline, self.frame.period, self.frame.window);
        for (unit, batched) in self.units.iter_mut().zip(course.batched.into_iter().flatten()) {
            unit.batched = Some(batched);
        }
        self.replications += 1;
    }

    /// The units of single organizations.
    pub fn organizations(&self) -> &[Unit] {
        &self.units[..self.frame.names.len()]
    }

    /// The unit of all organizations.
    pub fn everyone(&self) -> &Unit {
        self.units.last().expect("there are organizations")
    }

    /// The unit of a class.
    pub fn class(&self, class: &Class) -> &Unit {
        let found = self.units.iter().find(|unit| unit.members == class.members);
        found.expect("every class is an organization or a unit")
    }

    /// Smallest and largest mean of a measure among the members of a unit.
    pub fn range(&self, unit: &Unit, name: &str) -> Option<(f64, f64)> {
        let means = self.organizations()[unit.members.clone()].iter();
        let means = means.filter_map(|organization| organization.mean(name));
        means.fold(None, |range, mean| match range {
            None => Some((mean, mean)),
            Some((least, largest)) => Some((mean.min(least), mean.max(largest))),
        })
    }
}
