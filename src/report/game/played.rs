//! What the players did and got, over all replications.

use std::ops::Range;

use super::course::{Batched, Course, PlayerCourse};
use super::curves::Curves;
use super::ends::Ends;
use super::{Class, Frame};
use crate::report::coalition::Settled;
use crate::report::coalition::learned::around;
use crate::report::precision::{Estimate, Method};
use crate::stats::interval::{Interval, Sections};

/// A figure of a player in a replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The mean payoff of a round.
    Payoff,
    /// The same over the last quarter.
    FinalPayoff,
    /// What the best single action would have brought more in a round.
    ExternalRegret,
    /// The same where each action may be replaced by another of its own.
    SwapRegret,
    /// What a best reply to where the others stand at the end would bring more.
    Gain,
}

impl Measure {
    /// All of them.
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

/// How often an action is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Of all rounds.
    All,
    /// Of the last quarter.
    Final,
    /// Its probability at the end.
    Last,
}

impl Share {
    /// All of them.
    pub const ALL: [Share; 3] = [Share::All, Share::Final, Share::Last];

    fn of(self, player: &PlayerCourse, action: usize) -> f64 {
        match self {
            Share::All => player.all.share(action),
            Share::Final => player.late.share(action),
            Share::Last => player.law[action],
        }
    }
}

/// A player, or a class of several.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What it is called.
    pub name: String,
    /// The numbers of its players.
    pub members: Range<usize>,
    /// How their probabilities ended.
    pub settled: Settled,
    measures: [Sections; Measure::ALL.len()],
    /// By action.
    shares: Vec<[Sections; Share::ALL.len()]>,
    /// Of a single player in a single replication.
    batched: Option<[Batched; 2]>,
}

impl Unit {
    fn new(class: Class, choices: usize) -> Unit {
        Unit {
            name: class.name,
            members: class.members,
            settled: Settled::default(),
            measures: Default::default(),
            shares: vec![Default::default(); choices],
            batched: None,
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

    /// How many actions its players have.
    pub fn choices(&self) -> usize {
        self.shares.len()
    }

    /// The mean over the replications, of the mean over the members.
    pub fn mean(&self, measure: Measure) -> f64 {
        self.measures[measure as usize].mean().unwrap_or_default()
    }

    /// The interval of a mean over the replications; of a single replication only that of a
    /// payoff of one player, over batches of its rounds.
    pub fn interval(&self, measure: Measure) -> Option<Estimate> {
        around(&self.measures[measure as usize]).or_else(|| {
            let [all, late] = self.batched.as_ref()?;
            match measure {
                Measure::Payoff => all.estimate(),
                Measure::FinalPayoff => late.estimate(),
                _ => None,
            }
        })
    }

    /// How often an action was played, over the replications and members.
    pub fn share(&self, share: Share, action: usize) -> f64 {
        self.shares[action][share as usize].mean().unwrap_or_default()
    }

    /// The interval of that.
    pub fn share_interval(&self, share: Share, action: usize) -> Option<Estimate> {
        around(&self.shares[action][share as usize])
    }
}

impl Batched {
    fn estimate(&self) -> Option<Estimate> {
        let mut sections = Sections::default();
        let mut before = 0.0;
        let length = self.batches.length() as f64;
        for &mark in self.batches.marks() {
            sections.add(mark - before, length);
            before = mark;
        }
        // The rounds of the last batch, which is not full, make the mean more certain.
        let share = sections.filled() as f64 * length / self.rounds.max(1) as f64;
        let half_width = sections.error()?.half_width() * share.sqrt();
        let interval = Interval::around(self.payoff / self.rounds as f64, half_width);
        let method =
            Method::RoundMeans { sections: sections.filled(), rounds: self.batches.length() };
        Some(Estimate { interval, method })
    }
}

/// What all replications found.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who played, and how long.
    pub frame: Frame,
    /// Each player, then classes of several.
    pub units: Vec<Unit>,
    /// Where replications ended.
    pub ends: Ends,
    /// By replication, what the best reply of anybody would bring more at the end.
    distance: Sections,
    /// What all get together in a round, over all rounds and over the last quarter.
    welfare: [Sections; 2],
    pub(super) curves: Curves,
}

impl Played {
    /// Nothing yet.
    pub fn new(frame: Frame) -> Played {
        let names = frame.names.iter().cloned().enumerate();
        let singles = names.map(|(at, name)| Class { name, members: at..at + 1 });
        let several = frame.classes.iter().filter(|class| !class.is_single()).cloned();
        let unit = |class: Class| {
            let choices = frame.actions[class.members.start].len();
            Unit::new(class, choices)
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

    /// The players.
    pub fn players(&self) -> &[Unit] {
        &self.units[..self.frame.names.len()]
    }

    /// The unit of a class.
    pub fn class(&self, class: &Class) -> &Unit {
        let found = self.units.iter().find(|unit| unit.members == class.members);
        found.expect("every class is a player or a unit")
    }

    /// What the best reply of anybody to where the others stand at the end would bring more, the
    /// distance to an equilibrium: its mean over the replications, and the interval of that.
    pub fn distance(&self) -> (f64, Option<Estimate>) {
        (self.distance.mean().unwrap_or_default(), around(&self.distance))
    }

    /// What all players get together in a round of the last quarter.
    pub fn final_welfare(&self) -> (f64, Option<Estimate>) {
        (self.welfare[1].mean().unwrap_or_default(), around(&self.welfare[1]))
    }

    /// What all players get together in a round.
    pub fn welfare(&self) -> (f64, Option<Estimate>) {
        (self.welfare[0].mean().unwrap_or_default(), around(&self.welfare[0]))
    }
}
