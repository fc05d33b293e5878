//! What the organizations learned, over all replications.

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
use crate::report::precision::{Estimate, Method};
use crate::stats::interval::{Interval, Sections};
use crate::stats::settling::Settling;

/// A figure of an organization in a replication.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Its name in files.
    pub name: &'static str,
    /// True of one over the last quarter of the rounds.
    pub is_late: bool,
    /// True of work, of which every organization's round weighs the same, so that all together
    /// receive what they send; else every organization weighs the same.
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

/// All of them: over all rounds, and at last, over the last quarter.
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

/// The number of a measure.
pub(super) fn measure(name: &str) -> usize {
    MEASURES.iter().position(|one| one.name == name).expect("a measure of that name is listed")
}

/// The organizations of which figures are told together: each by itself, then each class of
/// several, then all where these are not one class.
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

/// Mean and squared deviations of a growing number of values (Welford).
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

/// How what was learned ended, over members and replications.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// Of how many this can be told.
    pub known: u64,
    /// How many of them go in cycles.
    pub cycles: u64,
    /// How many rounds it took those that settled.
    rounds: Vec<u64>,
    /// Of those that go in cycles, the period in rounds and what they swing around.
    swings: Vec<[f64; 2]>,
}

impl Settled {
    pub(in crate::report) fn add(&mut self, settling: &Settling) {
        self.known += 1;
        self.cycles += u64::from(settling.cycle.is_some());
        self.rounds.extend(settling.settled);
        self.swings.extend(settling.cycle.map(|cycle| [cycle.period, settling.mean]));
    }

    fn share(&self, number: u64) -> Option<f64> {
        (self.known > 0).then(|| number as f64 / self.known as f64)
    }

    /// The share that settled.
    pub fn share_settled(&self) -> Option<f64> {
        self.share(self.rounds.len() as u64)
    }

    /// The share that goes in cycles.
    pub fn share_in_cycles(&self) -> Option<f64> {
        self.share(self.cycles)
    }

    /// The medians of the periods of cycles, in rounds, and of what they swing around.
    pub fn swing(&self) -> Option<[f64; 2]> {
        let middle = |which: usize| {
            let mut values: Vec<f64> = self.swings.iter().map(|swing| swing[which]).collect();
            values.sort_unstable_by(f64::total_cmp);
            let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
            Some((values[low] + values[high]) / 2.0)
        };
        Some([middle(0)?, middle(1)?])
    }

    /// The median of the rounds that it took those that settled.
    pub fn rounds(&self) -> Option<f64> {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let (low, high) = (rounds.len().checked_sub(1)? / 2, rounds.len() / 2);
        Some((rounds[low] + rounds[high]) as f64 / 2.0)
    }
}

/// An organization, a class, or all.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is called.
    pub name: String,
    /// The numbers of its organizations.
    pub members: Range<usize>,
    /// Over all rounds of all its members in all replications.
    pub all: Stretch,
    /// How what they learned ended.
    pub settled: Settled,
    /// Of those that learn, who does always the same in the end.
    pub absorbed: Absorbed,
    /// What they could have done in the last quarter, where they were asked and are alike.
    pub instead: Option<Instead>,
    /// The same of those alone who were absorbed.
    pub stuck: Option<Instead>,
    /// By measure, the replications' means over the members.
    means: [Sections; MEASURES.len()],
    /// By measure, the spread over members and replications.
    spread: [Moments; MEASURES.len()],
    /// Flow time over jobs, by replication: as it was, and alone.
    flows: [Sections; 2],
    /// Of a single replication: all rounds, and the last quarter, in batches.
    batched: Option<[Batched; 2]>,
}

impl Unit {
    fn new(class: Class, frame: &Frame) -> Unit {
        let menus = frame.asking.menus.get(class.members.clone()).unwrap_or_default();
        // Of a class the first are asked, and perhaps not all.
        let menu = menus.first().filter(|menu| !menu.is_empty());
        let is_one = menu.filter(|_| class.name != "*");
        Unit {
            name: class.name,
            members: class.members,
            absorbed: Absorbed::default(),
            instead: is_one.map(|menu| Instead::new(menu)),
            stuck: is_one.map(|menu| Instead::new(menu)),
            all: Stretch::default(),
            settled: Settled::default(),
            means: [Sections::default(); MEASURES.len()],
            spread: [Moments::default(); MEASURES.len()],
            flows: [Sections::default(); 2],
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

    /// The mean of a measure: over the replications, of the mean over the members.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.means[measure(name)].mean()
    }

    /// The standard deviation of a measure over members and replications.
    pub fn deviation(&self, name: &str) -> Option<f64> {
        self.spread[measure(name)].deviation()
    }

    /// The interval of the mean of a measure: over the replications; of a single replication only
    /// that of a score, over batches of its rounds.
    pub fn interval(&self, name: &str) -> Option<Estimate> {
        let index = measure(name);
        if let Some(estimate) = around(&self.means[index]) {
            return Some(estimate);
        }
        let score = |sums: &Running| (sums.score, sums.rounds as f64);
        let [all, late] = self.batched.as_ref()?;
        match name {
            "score" => all.estimate(score),
            "final_score" => late.estimate(score),
            _ => None,
        }
    }

    /// The mean flow time of a job in units, as it was.
    pub fn flow(&self) -> (Option<f64>, Option<Estimate>) {
        self.mean_flow(0, |sums| (sum_as_units(sums.flow), sums.jobs as f64))
    }

    /// What the mean flow time of a job in units would have been alone.
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
            Some([all, _]) => all.estimate(of),
            None => around(sections),
        };
        (sections.mean(), estimate)
    }
}

/// The interval of the mean of replications.
pub(in crate::report) fn around(sections: &Sections) -> Option<Estimate> {
    let interval = Interval::around(sections.mean()?, sections.error()?.half_width());
    let method = Method::Replications { sections: sections.filled() };
    Some(Estimate { interval, method })
}

impl Batched {
    /// The interval of a ratio of two sums over the rounds.
    fn estimate(&self, of: impl Fn(&Running) -> (f64, f64)) -> Option<Estimate> {
        let mut sections = Sections::default();
        let mut before = (0.0, 0.0);
        for mark in self.batches.marks() {
            let now = of(mark);
            sections.add(now.0 - before.0, now.1 - before.1);
            before = now;
        }
        let (sum, count) = of(&self.all);
        // The rounds of the last batch, which is not full, make the mean more certain by their
        // share.
        let share = before.1 / count.max(1.0);
        let half_width = sections.error()?.half_width() * share.sqrt();
        let interval = Interval::around(sum / count, half_width);
        let method =
            Method::RoundMeans { sections: sections.filled(), rounds: self.batches.length() };
        Some(Estimate { interval, method })
    }
}

/// What all replications found.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Who played, and how long.
    pub frame: Frame,
    /// Each organization, then classes of several, then all where these are not one class.
    pub units: Vec<Unit>,
    /// Where they stood.
    pub curves: Curves,
    /// What it was to all together, in the last quarter.
    pub social: Social,
    /// How they came there, all together.
    pub timelines: Timelines,
    /// Replications added.
    pub replications: u32,
    /// How well the figure is known that the run was for, where it was for precision.
    pub known: Option<Known>,
}

impl Learned {
    /// Nothing yet.
    pub fn new(frame: Frame) -> Learned {
        Learned {
            units: named_units(&frame).into_iter().map(|class| Unit::new(class, &frame)).collect(),
            curves: Curves::new(&frame),
            social: Social::default(),
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

    /// The organizations.
    pub fn organizations(&self) -> &[Unit] {
        &self.units[..self.frame.names.len()]
    }

    /// All organizations together.
    pub fn everyone(&self) -> &Unit {
        self.units.last().expect("there are organizations")
    }

    /// The unit of a class.
    pub fn class(&self, class: &Class) -> &Unit {
        let found = self.units.iter().find(|unit| unit.members == class.members);
        found.expect("every class is an organization or a unit")
    }

    /// The least and the largest mean of a measure over the members of a unit.
    pub fn range(&self, unit: &Unit, name: &str) -> Option<(f64, f64)> {
        let means = self.organizations()[unit.members.clone()].iter();
        let means = means.filter_map(|organization| organization.mean(name));
        means.fold(None, |range, mean| match range {
            None => Some((mean, mean)),
            Some((least, largest)) => Some((mean.min(least), mean.max(largest))),
        })
    }
}
