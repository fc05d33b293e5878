//! Actions, payoffs and regrets of the players, over all replications.

use std::ops::Range;

use super::course::{Batched, Course, PlayerCourse};
use super::curves::Curves;
use super::ends::Ends;
use super::{Class, Frame};
use crate::report::coalition::Settled;
use crate::report::precision::{Estimate, Method};
use crate::stats::batch_means::BatchMeans;
use crate::stats::interval::{Level, Sections};

/// A figure of one player in one replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Mean payoff of a round.
    Payoff,
    /// Mean payoff of a round in the last quarter.
    FinalPayoff,
    /// External regret a round: gain from the best single action, the others' play held fixed.
    ExternalRegret,
    /// Swap regret a round: gain from replacing each action by its best alternative.
    SwapRegret,
    /// Gain of a best response to the others' mixed strategies at the end.
    Gain,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 5] = [
        Measure::Payoff,
        Measure::FinalPayoff,
        Measure::ExternalRegret,
        Measure::SwapRegret,
        Measure::Gain,
    ];

    fn of(self, player: &PlayerCourse) -> f64 {
        match self {
            Measure::Payoff => player.all.mean(),
            Measure::FinalPayoff => player.late.mean(),
            Measure::ExternalRegret => player.external_regret(),
            Measure::SwapRegret => player.swap_regret(),
            Measure::Gain => player.gain,
        }
    }
}

/// Frequency of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Share of all rounds.
    All,
    /// Share of the rounds in the last quarter.
    Final,
    /// Probability at the end.
    Last,
}

impl Share {
    /// All shares.
    pub const ALL: [Share; 3] = [Share::All, Share::Final, Share::Last];

    fn of(self, player: &PlayerCourse, action: usize) -> f64 {
        match self {
            Share::All => player.all.share(action),
            Share::Final => player.late.share(action),
            Share::Last => player.law[action],
        }
    }
}

/// A player, or a class of several players.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Name in tables and files.
    pub name: String,
    /// Range of its players' indices.
    pub members: Range<usize>,
    /// Convergence of its players' probabilities.
    pub settled: Settled,
    measures: [Sections; Measure::ALL.len()],
    /// Indexed by action.
    shares: Vec<[Sections; Share::ALL.len()]>,
    /// Batches over all rounds and the last quarter, for a single player in a single replication.
    batched: Option<[Batched; 2]>,
    /// Confidence level of the intervals.
    level: Level,
}

impl Unit {
    fn new(class: Class, choices: usize, level: Level) -> Unit {
        Unit {
            name: class.name,
            members: class.members,
            settled: Settled::default(),
            measures: Default::default(),
            shares: vec![Default::default(); choices],
            batched: None,
            level,
        }
    }

    fn add(&mut self, course: &Course) {
        let players = &course.players[self.members.clone()];
        let mean = |of: &dyn Fn(&PlayerCourse) -> f64| -> f64 {
            players.iter().map(of).sum::<f64>() / players.len() as f64
        };
        for (sections, measure) in self.measures.iter_mut().zip(Measure::ALL) {
            sections.add(mean(&|player| measure.of(player)), 1.0);
        }
        for (action, shares) in self.shares.iter_mut().enumerate() {
            for (sections, share) in shares.iter_mut().zip(Share::ALL) {
                sections.add(mean(&|player| share.of(player, action)), 1.0);
            }
        }
        let settling = players.iter().filter_map(PlayerCourse::settling);
        settling.for_each(|settling| self.settled.add(&settling));
        if let [player] = players {
            self.batched.clone_from(&player.batched);
        }
    }

    /// Number of actions of each of its players.
    pub fn choices(&self) -> usize {
        self.shares.len()
    }

    /// Mean over the replications, of the mean over the members.
    pub fn mean(&self, measure: Measure) -> f64 {
        self.measures[measure as usize].mean().unwrap_or_default()
    }

    /// Confidence interval of a mean over the replications.
    ///
    /// With a single replication only payoffs of a single player have one, from batches of rounds.
    pub fn interval(&self, measure: Measure) -> Option<Estimate> {
        Estimate::of_replications(&self.measures[measure as usize], self.level).or_else(|| {
            let [all, late] = self.batched.as_ref()?;
            match measure {
                Measure::Payoff => all.estimate(self.level),
                Measure::FinalPayoff => late.estimate(self.level),
                _ => None,
            }
        })
    }

    /// Mean frequency of an action over the replications and members.
    pub fn share(&self, share: Share, action: usize) -> f64 {
        self.shares[action][share as usize].mean().unwrap_or_default()
    }

    /// Confidence interval of the frequency of an action.
    pub fn share_interval(&self, share: Share, action: usize) -> Option<Estimate> {
        Estimate::of_replications(&self.shares[action][share as usize], self.level)
    }
}

impl Batched {
    fn estimate(&self, level: Level) -> Option<Estimate> {
        let mut batches = BatchMeans::default();
        let mut before = 0.0;
        let length = self.batches.length();
        for &mark in self.batches.marks() {
            batches.add(mark - before, length as f64);
            before = mark;
        }
        let rounds = self.rounds.max(1) as f64;
        let share = batches.sections().filled() as f64 * length as f64 / rounds;
        let method = |sections| Method::RoundMeans { sections, rounds: length };
        Estimate::of_batches(self.payoff / rounds, &batches, share, level, method)
    }
}

/// Results of all replications.
#[derive(Clone, Debug)]
pub struct Played {
    /// Players and length of the run.
    pub frame: Frame,
    /// Each player, then each class with several members.
    pub units: Vec<Unit>,
    /// Final profiles of the replications.
    pub ends: Ends,
    /// Largest gain of any player from a best response at the end, one section per replication.
    distance: Sections,
    /// Sum of all payoffs in a round, over all rounds and over the last quarter.
    welfare: [Sections; 2],
    pub(super) curves: Curves,
}

impl Played {
    /// Results without any replication.
    pub fn new(frame: Frame) -> Played {
        let names = frame.names.iter().cloned().enumerate();
        let singles = names.map(|(at, name)| Class { name, members: at..at + 1 });
        let several = frame.classes.iter().filter(|class| !class.is_single()).cloned();
        let unit = |class: Class| {
            let choices = frame.actions[class.members.start].len();
            Unit::new(class, choices, frame.level)
        };
        Played {
            units: singles.chain(several).map(unit).collect(),
            ends: Ends::default(),
            distance: Sections::default(),
            welfare: Default::default(),
            curves: Curves::new(&frame),
            frame,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, course: &Course) {
        self.units.iter_mut().for_each(|unit| unit.add(course));
        self.ends.add(&self.frame, course);
        let gains = course.players.iter().map(|player| player.gain);
        self.distance.add(gains.fold(0.0, f64::max), 1.0);
        let late = self.frame.rounds - self.frame.late();
        for ((sections, sum), rounds) in
            self.welfare.iter_mut().zip(course.welfare).zip([self.frame.rounds, late])
        {
            sections.add(sum / rounds.max(1) as f64, 1.0);
        }
        self.curves.add(&self.frame, course);
    }

    /// The units of single players.
    pub fn players(&self) -> &[Unit] {
        &self.units[..self.frame.names.len()]
    }

    /// The unit of a class.
    pub fn class(&self, class: &Class) -> &Unit {
        let found = self.units.iter().find(|unit| unit.members == class.members);
        found.expect("every class is a player or a unit")
    }

    /// Distance to equilibrium: largest gain of any player from a best response at the end.
    ///
    /// Gives the mean over the replications and its interval.
    pub fn distance(&self) -> (f64, Option<Estimate>) {
        (
            self.distance.mean().unwrap_or_default(),
            Estimate::of_replications(&self.distance, self.frame.level),
        )
    }

    /// Sum of all payoffs in a round of the last quarter.
    pub fn final_welfare(&self) -> (f64, Option<Estimate>) {
        (
            self.welfare[1].mean().unwrap_or_default(),
            Estimate::of_replications(&self.welfare[1], self.frame.level),
        )
    }

    /// Sum of all payoffs in a round.
    pub fn welfare(&self) -> (f64, Option<Estimate>) {
        (
            self.welfare[0].mean().unwrap_or_default(),
            Estimate::of_replications(&self.welfare[0], self.frame.level),
        )
    }
}
