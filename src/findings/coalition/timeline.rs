//! All organizations together over the rounds, in bins; and queues that grow from round to round.
//!
//! Sums are exact.

use serde::{Deserialize, Serialize};

use super::frame::{Frame, RoundRow};
use crate::growing::{CHANCE, Growing, Grows, MOST_KEPT};
use crate::rounds::binned::{self, Bin as _, Binned};
use kernel::time::{Span, sum_as_units};
use stats::growth::{self, Seen};

/// A bin of consecutive rounds, over all organizations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Number of rounds.
    pub rounds: u64,
    /// Organizations present, summed over the rounds.
    pub present: u64,
    /// Organizations that joined, summed over the rounds.
    pub joined: u64,
    /// Number of jobs that count.
    pub jobs: u64,
    /// Their total flow time, in ticks.
    pub flow: i128,
    /// Their total flow time had their organization alone stayed out of the round, in ticks.
    pub alone: i128,
    /// Work sent, in ticks.
    pub sent: i128,
    /// Work brought by the jobs, in ticks.
    pub brought: i128,
    /// Total flow time and number of jobs, by organization.
    flows: Vec<(i128, u64)>,
}

impl binned::Bin for Bin {
    fn merge(&mut self, other: Bin) {
        self.rounds += other.rounds;
        self.present += other.present;
        self.joined += other.joined;
        self.jobs += other.jobs;
        self.flow += other.flow;
        self.alone += other.alone;
        self.sent += other.sent;
        self.brought += other.brought;
        for (all, one) in self.flows.iter_mut().zip(other.flows) {
            *all = (all.0 + one.0, all.1 + one.1);
        }
    }
}

impl Bin {
    /// Mean number of members of the coalition.
    pub fn members(&self) -> f64 {
        self.joined as f64 / self.rounds.max(1) as f64
    }

    fn per_job(&self, ticks: i128) -> Option<f64> {
        (self.jobs > 0).then(|| sum_as_units(ticks) / self.jobs as f64)
    }

    /// Mean flow time of a job, in units.
    pub fn mean_flow(&self) -> Option<f64> {
        self.per_job(self.flow)
    }

    /// Counterfactual mean flow time of a job whose organization alone stays out, in units.
    pub fn mean_alone(&self) -> Option<f64> {
        self.per_job(self.alone)
    }
}

/// The bins of one replication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline(Binned<Bin>);

impl Timeline {
    /// Adds a round: one row for each organization, in their order.
    pub fn add(&mut self, round: u64, rows: &[RoundRow]) {
        let empty = || Bin { flows: vec![(0, 0); rows.len()], ..Bin::default() };
        let bin = self.0.at(round, empty);
        bin.rounds += 1;
        for row in rows.iter().filter(|row| row.turn.present) {
            let turn = &row.turn;
            bin.present += 1;
            bin.joined += u64::from(turn.act.is_in());
            bin.jobs += turn.jobs;
            bin.flow += turn.flow;
            bin.alone += turn.alone;
            bin.sent += turn.sent;
            bin.brought += turn.brought;
            let flows = &mut bin.flows[row.organization];
            *flows = (flows.0 + turn.flow, flows.1 + turn.jobs);
        }
    }

    /// Merges neighbours until a bin has this power of two of rounds.
    pub(crate) fn widen(&mut self, stride: u64) {
        self.0.widen(stride);
    }

    /// The bins.
    pub fn bins(&self) -> &[Bin] {
        self.0.bins()
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u64 {
        self.bins().iter().map(|bin| bin.rounds).sum()
    }

    /// First round of each bin, and the first round after it.
    pub fn ends(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0_u64..).zip(self.bins()).map(|(at, bin)| {
            let first = at * self.0.stride();
            (first, first + bin.rounds)
        })
    }

    /// Growth rate of an organization's queue in jobs a tick, if the queue grows.
    ///
    /// Little's law: the number of its jobs present is the arrival rate times the mean flow time.
    /// Only jobs that arrive in the rounds' windows are observed.
    fn rate(&self, organization: usize, period: Span, window: Span, chance: f64) -> Option<f64> {
        let whole = self.bins().iter().take_while(|bin| bin.rounds == self.0.stride());
        let flows: Vec<(i128, u64)> = whole.map(|bin| bin.flows[organization]).collect();
        let jobs: u64 = flows.iter().map(|flow| flow.1).sum();
        if jobs < 2 * growth::FEWEST_JOBS {
            return None;
        }
        let means: Option<Vec<f64>> = (flows.iter())
            .map(|&(flow, jobs)| (jobs > 0).then(|| flow as f64 / jobs as f64))
            .collect();
        let slope = growth::of(&means?, Seen::Means, chance)?.rate;
        let rounds = (flows.len() as u64 * self.0.stride()) as f64;
        let arrivals = jobs as f64 / (rounds * window.ticks() as f64);
        Some(slope / (self.0.stride() as f64 * period.ticks() as f64) * arrivals)
    }
}

/// The timelines of all replications.
#[derive(Clone, Debug)]
pub struct Timelines {
    /// Timelines of the first replications.
    kept: Vec<Timeline>,
    /// The queue of each organization.
    growing: Growing,
}

impl Timelines {
    /// No replication yet.
    pub fn new(frame: &Frame) -> Timelines {
        Timelines { kept: Vec::new(), growing: Growing::new(frame.names.len()) }
    }

    /// Adds a replication; `period` and `window` are the lengths of a round and its window.
    pub fn add(&mut self, mut timeline: Timeline, period: Span, window: Span) {
        let chance = CHANCE / self.growing.queues() as f64;
        self.growing.add(|organization| timeline.rate(organization, period, window, chance));
        if self.kept.len() < MOST_KEPT as usize {
            timeline.0.bins_mut().iter_mut().for_each(|bin| bin.flows = Vec::new());
            self.kept.push(timeline);
        }
    }

    /// Organizations whose queues grow in at least half of the replications.
    pub fn growing(&self) -> Vec<(usize, Grows)> {
        let grows = |organization| Some((organization, self.growing.grows(organization)?));
        (0..self.growing.queues()).filter_map(grows).collect()
    }

    /// Timelines of the first replications.
    pub fn kept(&self) -> &[Timeline] {
        &self.kept
    }
}

/// Sums the bins of the replications, bin by bin; a later bin is that of those that still play.
///
/// A bin of the sum counts its rounds once per replication, so its position on the x-axis is that
/// of the longest replication's own bin.
pub fn total(kept: &[Timeline]) -> Vec<Bin> {
    let mut all: Vec<Bin> = Vec::new();
    for bins in kept.iter().map(Timeline::bins) {
        let (known, new) = bins.split_at(all.len().min(bins.len()));
        all.iter_mut().zip(known).for_each(|(all, one)| all.merge(one.clone()));
        all.extend_from_slice(new);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::binned::POINTS;
    use game::stage::{Act, Terms};
    use policy::learn::Stance;
    use sim::pool::turn::Turn;

    /// The rows of a round with two organizations; the second one is out.
    fn rows(round: u64, flow: impl Fn(u64) -> i128) -> Vec<RoundRow> {
        let row = |organization: usize| {
            let turn = Turn {
                present: true,
                act: if organization == 0 { Act::In(Terms::ANY) } else { Act::Out },
                jobs: 100,
                flow: flow(round) * if organization == 0 { 1 } else { 2 },
                alone: 7,
                balancings: 0,
                sent: 3,
                received: 0,
                brought: 5,
                ..Turn::absent()
            };
            let stance = Stance::default();
            RoundRow { replication: 0, round, organization, turn, stance, next: stance }
        };
        vec![row(0), row(1)]
    }

    fn timeline(rounds: u64, flow: impl Fn(u64) -> i128) -> Timeline {
        let mut timeline = Timeline::default();
        (0..rounds).for_each(|round| timeline.add(round, &rows(round, &flow)));
        timeline
    }

    #[test]
    fn rounds_are_added_up_in_at_most_so_many_bins() {
        for rounds in [1, 399, 400, 401, 1000, 12_345] {
            let timeline = timeline(rounds, i128::from);
            assert!(
                timeline.bins().len() as u64 <= POINTS && timeline.0.stride().is_power_of_two()
            );
            let mut next = 0;
            for ((from, until), bin) in timeline.ends().zip(timeline.bins()) {
                assert_eq!((from, bin.rounds, bin.members()), (next, until - from, 1.0));
                let flow: u64 = (from..until).map(|round| 3 * round).sum();
                assert_eq!((bin.flow, bin.jobs), (i128::from(flow), 200 * bin.rounds));
                next = until;
            }
            assert_eq!(next, rounds);
        }
    }

    /// One more job in the system each round of 1000 ticks: the flow time grows by 1000 ticks a
    /// round.
    #[test]
    fn a_queue_that_grows_from_round_to_round_is_told_with_its_rate() {
        let period = Span::from_ticks(1000);
        let wobble = |round: u64| i128::from(round * 7919 % 101) * 20;
        let growing = timeline(3000, |round| 1000 * i128::from(round) + wobble(round));
        let rate = growing.rate(0, period, period, CHANCE).unwrap();
        assert!((rate - 1e-3).abs() < 1e-5, "{rate}");
        let stays = timeline(3000, |round| 5000 + wobble(round));
        assert!(stays.rate(0, period, period, CHANCE).is_none());
    }
}
