//! Actions, payoffs and regrets of the players, over all replications.

use std::ops::Range;

use super::course::{Course, Paid, PlayerCourse};
use super::ends::Ends;
use super::frame::Frame;
use crate::Findings;
use crate::estimate::Estimate;
use crate::measure::{Measure, Metric};
use crate::rounds::batched::Batched;
use crate::rounds::curves::{Axis, Curves};
use crate::rounds::settled::Settled;
use crate::rounds::unit::{self, Totals};
use crate::sample::Sample;
use crate::unit::{Class, units};
use game::fairness::jain;
use stats::interval::{Level, Sections};

/// A player's value of a measure in one replication.
type Value = fn(&PlayerCourse) -> f64;

/// The measures of a player, each with its value in a replication.
const MEASURES: [(Metric, Value); 5] = [
    (Metric::Payoff, |player| player.all.mean()),
    (Metric::FinalPayoff, |player| player.late.mean()),
    (Metric::ExternalRegret, PlayerCourse::external_regret),
    (Metric::SwapRegret, PlayerCourse::swap_regret),
    (Metric::BestReplyGain, |player| player.gain),
];

/// The measures of all players together.
const TOGETHER: [Metric; 4] =
    [Metric::Welfare, Metric::FinalWelfare, Metric::Fairness, Metric::Distance];

/// The measures of a player, in order.
pub fn measures() -> impl Iterator<Item = Metric> {
    MEASURES.into_iter().map(|(metric, _)| metric)
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

/// A player, or a class of several players: what is no mean over replications.
#[derive(Clone, Debug)]
pub struct Players {
    /// Name in tables and files.
    pub name: String,
    /// Range of its players' indices.
    pub members: Range<usize>,
    /// Convergence of its players' probabilities.
    pub settled: Settled,
    /// Indexed by action.
    shares: Vec<[Sections; Share::ALL.len()]>,
    /// Batches over all rounds and the last quarter, for a single player in a single replication.
    batched: Option<[Batched<Paid>; 2]>,
}

/// A player, or a class of several players, with its figures.
pub type Unit<'a> = unit::Unit<'a, Players>;

impl Players {
    fn new(class: Class, choices: usize) -> Players {
        Players {
            name: class.name,
            members: class.members,
            settled: Settled::default(),
            shares: vec![Default::default(); choices],
            batched: None,
        }
    }

    fn add(&mut self, course: &Course) {
        let players = &course.players[self.members.clone()];
        for (action, shares) in self.shares.iter_mut().enumerate() {
            for (sections, share) in shares.iter_mut().zip(Share::ALL) {
                sections.add(mean(players, |player| share.of(player, action)), 1.0);
            }
        }
        let settling = players.iter().filter_map(|one| Some((one.settling()?, one.series())));
        settling.for_each(|(settling, series)| self.settled.add(&settling, series));
        if let [player] = players {
            self.batched.clone_from(&player.batched);
        }
    }

    /// Number of actions of each of its players.
    pub fn choices(&self) -> usize {
        self.shares.len()
    }

    /// Mean frequency of an action over the replications and members.
    pub fn share(&self, share: Share, action: usize) -> f64 {
        self.shares[action][share as usize].mean().unwrap_or_default()
    }
}

impl Totals for Players {
    fn batched(&self, metric: Metric, level: Level) -> Option<Estimate> {
        let [all, late] = self.batched.as_ref()?;
        let payoff = |paid: &Paid| (paid.payoff, paid.rounds as f64);
        match metric {
            Metric::Payoff => all.estimate(level, payoff),
            Metric::FinalPayoff => late.estimate(level, payoff),
            _ => None,
        }
    }
}

fn mean(players: &[PlayerCourse], of: impl Fn(&PlayerCourse) -> f64) -> f64 {
    players.iter().map(of).sum::<f64>() / players.len() as f64
}

impl Unit<'_> {
    /// Confidence interval of the frequency of an action.
    pub fn share_interval(&self, share: Share, action: usize) -> Option<Estimate> {
        let sections = &self.shares[action][share as usize];
        let estimate = Estimate::of_replications(sections, self.level())?;
        Some(estimate.within(Metric::FinalShare.measure()))
    }
}

/// Results of all replications.
#[derive(Clone, Debug)]
pub struct Played {
    /// Players and length of the run.
    pub frame: Frame,
    /// The figures of every replication.
    pub sample: Sample,
    /// Each player, then each class with several members.
    held: Vec<Players>,
    /// Final profiles of the replications.
    pub ends: Ends,
    /// Probabilities of the actions: a curve for each class and action.
    pub curves: Curves,
}

impl Played {
    /// Results without any replication.
    pub fn new(frame: Frame) -> Played {
        let units = units(&frame.names, &frame.classes);
        let held =
            |class: &Class| Players::new(class.clone(), frame.actions[class.members.start].len());
        let metrics = measures().chain(TOGETHER).map(Metric::measure);
        Played {
            held: units[..units.len() - 1].iter().map(held).collect(),
            sample: Sample::new(units, metrics, frame.level, false),
            ends: Ends::default(),
            curves: Curves::new(frame.rounds, &frame.classes, |class| {
                vec![Axis::Share; frame.actions[class.members.start].len()]
            }),
            frame,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, course: &Course) {
        self.held.iter_mut().for_each(|unit| unit.add(course));
        let all = self.sample.all();
        for unit in 0..=all {
            let players = &course.players[self.sample.units()[unit].members.clone()];
            for (metric, of) in MEASURES {
                self.sample.put(unit, metric.measure(), mean(players, of), 1.0);
            }
        }
        let gains = course.players.iter().map(|player| player.gain);
        let late = self.frame.rounds - self.frame.late();
        let [welfare, final_welfare] = course.welfare;
        for (metric, value) in [
            (Metric::Distance, gains.fold(0.0, f64::max)),
            (Metric::Welfare, welfare / self.frame.rounds.max(1) as f64),
            (Metric::FinalWelfare, final_welfare / late.max(1) as f64),
        ] {
            self.sample.put(all, metric.measure(), value, 1.0);
        }
        let payoffs = || course.players.iter().map(|player| player.all.mean());
        let fairness = payoffs().all(|payoff| payoff >= 0.0).then(|| jain(payoffs())).flatten();
        self.sample.put_mean(all, Metric::Fairness.measure(), fairness);
        self.sample.end_replication();
        self.ends.add(&self.frame, course);
        self.curves.add(|player| &course.players[player].trail);
    }

    /// Each player, then each class with several members.
    pub fn units(&self) -> impl ExactSizeIterator<Item = Unit<'_>> {
        let unit = |(at, held)| Unit::new(held, &self.sample, at);
        self.held.iter().enumerate().map(unit)
    }

    /// The unit of a class.
    ///
    /// # Panics
    /// Panics if it is neither a player nor a class of the game.
    pub fn class(&self, class: &Class) -> Unit<'_> {
        let found = self.units().find(|unit| unit.members == class.members);
        found.expect("every class is a player or a unit")
    }

    /// Mean of a measure of all players together, with its interval over the replications.
    pub fn together(&self, metric: Metric) -> (f64, Option<Estimate>) {
        let (all, measure) = (self.sample.all(), metric.measure());
        (self.sample.mean(all, measure).unwrap_or_default(), self.sample.estimate(all, measure))
    }

    /// Number of replications played.
    pub fn replications(&self) -> u32 {
        self.sample.replications()
    }
}

impl Findings for Played {
    crate::sample_at!(sample);

    fn batched(&self, unit: usize, measure: &Measure, level: Level) -> Option<Estimate> {
        self.held.get(unit)?.batched(measure.metric()?, level)
    }
}
