//! Totals of organizations over rounds.

use serde::{Deserialize, Serialize};

use super::frame::RoundRow;
use crate::rounds::sum::Sum;
use kernel::time::sum_as_units;
use policy::learn::Stance;
use sim::pool::turn::Turn;

/// Totals of one organization over the rounds of a stretch in which it was present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Number of rounds in which it was present.
    pub rounds: u64,
    /// Number of these rounds in which it joined the coalition.
    pub joined: u64,
    /// Number of these rounds in which it was caught, was caught though it did not cheat, was excluded, and
    /// cheated.
    pub judged: [u64; 4],
    /// Number of its jobs that count.
    pub jobs: u64,
    /// Total flow time of these jobs, in ticks.
    pub flow: i128,
    /// Total flow time they would have had if the organization alone had stayed out, in ticks.
    pub alone: i128,
    /// Work sent, in ticks.
    pub sent: i128,
    /// Work received, in ticks.
    pub received: i128,
    /// Work brought by its own jobs, in ticks.
    pub brought: i128,
    score: f64,
    probability: Sum,
    level: Sum,
}

impl Stretch {
    /// Adds a round in which the organization was present.
    pub fn add(&mut self, turn: &Turn, stance: &Stance) {
        self.rounds += 1;
        self.joined += u64::from(turn.act.is_in());
        let judged = [turn.caught, turn.falsely, turn.excluded, turn.lies];
        self.judged.iter_mut().zip(judged).for_each(|(sum, is)| *sum += u64::from(is));
        self.jobs += turn.jobs;
        self.flow += turn.flow;
        self.alone += turn.alone;
        self.sent += turn.sent;
        self.received += turn.received;
        self.brought += turn.brought;
        self.score += turn.score();
        stance.probability.into_iter().for_each(|value| self.probability.add(value));
        stance.level.into_iter().for_each(|value| self.level.add(value));
    }

    /// Adds the totals of another stretch.
    pub fn merge(&mut self, other: &Stretch) {
        self.rounds += other.rounds;
        self.joined += other.joined;
        self.judged.iter_mut().zip(other.judged).for_each(|(sum, one)| *sum += one);
        self.jobs += other.jobs;
        self.flow += other.flow;
        self.alone += other.alone;
        self.sent += other.sent;
        self.received += other.received;
        self.brought += other.brought;
        self.score += other.score;
        for (all, one) in
            [(&mut self.probability, other.probability), (&mut self.level, other.level)]
        {
            all.merge(one);
        }
    }

    /// Divides a sum by the number of rounds.
    fn per_round(&self, sum: f64) -> Option<f64> {
        (self.rounds > 0).then(|| sum / self.rounds as f64)
    }

    /// Share of the rounds in which it joined.
    pub(crate) fn share_joined(&self) -> Option<f64> {
        self.per_round(self.joined as f64)
    }

    /// Share of the rounds in which one of [`judged`](Stretch::judged) held.
    pub(crate) fn share_judged<const N: usize>(&self) -> Option<f64> {
        self.per_round(self.judged[N] as f64)
    }

    /// Mean score of a round.
    pub fn score(&self) -> Option<f64> {
        self.per_round(self.score)
    }

    /// Mean probability of joining.
    pub fn probability(&self) -> Option<f64> {
        self.probability.mean()
    }

    /// Mean participation level, in units.
    pub fn level(&self) -> Option<f64> {
        self.level.mean()
    }

    /// Mean work sent in a round, in units.
    pub(crate) fn sent_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.sent))
    }

    /// Mean work received in a round, in units.
    pub(crate) fn received_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.received))
    }

    /// Mean flow time of a job, in units.
    pub fn mean_flow(&self) -> Option<f64> {
        (self.jobs > 0).then(|| sum_as_units(self.flow) / self.jobs as f64)
    }
}

/// Running sums over rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Running {
    /// Number of rounds in which somebody was present.
    pub rounds: u64,
    /// Mean scores of these rounds, summed.
    pub score: f64,
    /// Number of jobs that count.
    pub jobs: u64,
    /// Their total flow time, in ticks.
    pub flow: i128,
    /// Their total flow time had their organization alone stayed out, in ticks.
    pub alone: i128,
}

impl Running {
    /// Adds a round of a group of organizations: their mean score and their jobs.
    ///
    /// Returns false if none of them was present.
    pub fn add(&mut self, rows: &[RoundRow]) -> bool {
        let mut score = Sum::default();
        for turn in rows.iter().map(|row| &row.turn).filter(|turn| turn.present) {
            score.add(turn.score());
            self.jobs += turn.jobs;
            self.flow += turn.flow;
            self.alone += turn.alone;
        }
        let Some(mean) = score.mean() else { return false };
        self.rounds += 1;
        self.score += mean;
        true
    }
}
