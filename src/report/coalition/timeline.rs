//! `timeline.csv` and `timeline.svg`: members of the coalition and job flow times over the rounds.
//!
//! Every 1, 2, 4 ... rounds are merged into a bin so that a replication has at most 400 lines,
//! however long it is. Sums are exact.

use serde::{Deserialize, Serialize};

use super::curves::{merge_pairs, point};
use super::{Frame, RoundRow};
use crate::kernel::time::{Span, sum_as_units};
use crate::report::chart::clock::Clock;
use crate::report::chart::svg;
use crate::report::chart::{self, Chart, Line, Panel, Scale};
use crate::report::record::{Record as _, record};
use crate::report::timeline::MOST_KEPT;
use crate::report::timeline::overload::{CHANCE, Grows};
use crate::stats::growth::{self, Seen};
use crate::stats::shown::counted;

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
    /// Their total flow time had everyone stayed alone, in ticks.
    pub alone: i128,
    /// Work sent, in ticks.
    pub sent: i128,
    /// Work brought by the jobs, in ticks.
    pub brought: i128,
    /// Total flow time and number of jobs, by organization.
    flows: Vec<(i128, u64)>,
}

impl Bin {
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

    /// Counterfactual mean flow time of a job with everyone alone, in units.
    pub fn mean_alone(&self) -> Option<f64> {
        self.per_job(self.alone)
    }
}

/// The bins of one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    stride: u64,
    bins: Vec<Bin>,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline { stride: 1, bins: Vec::new() }
    }
}

impl Timeline {
    /// Adds a round: one row for each organization, in their order.
    pub(super) fn add(&mut self, round: u64, rows: &[RoundRow]) {
        let bins = &mut self.bins;
        let at = point(round, &mut self.stride, || merge_pairs(bins, Bin::merge));
        if bins.len() <= at {
            bins.resize(at + 1, Bin { flows: vec![(0, 0); rows.len()], ..Bin::default() });
        }
        let bin = &mut bins[at];
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

    /// The bins.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// First round of each bin, and the first round after it.
    fn ends(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0_u64..).zip(&self.bins).map(|(at, bin)| {
            let first = at * self.stride;
            (first, first + bin.rounds)
        })
    }

    /// Growth rate of an organization's queue in jobs a tick, if the queue grows.
    ///
    /// Little's law: the number of its jobs present is the arrival rate times the mean flow time.
    /// Only jobs that arrive in the rounds' windows are observed.
    fn rate(&self, organization: usize, period: Span, window: Span, chance: f64) -> Option<f64> {
        let whole = self.bins.iter().take_while(|bin| bin.rounds == self.stride);
        let flows: Vec<(i128, u64)> = whole.map(|bin| bin.flows[organization]).collect();
        let jobs: u64 = flows.iter().map(|flow| flow.1).sum();
        if jobs < 2 * growth::FEWEST_JOBS {
            return None;
        }
        let means: Option<Vec<f64>> = (flows.iter())
            .map(|&(flow, jobs)| (jobs > 0).then(|| flow as f64 / jobs as f64))
            .collect();
        let slope = growth::of(&means?, Seen::Means, chance)?.rate;
        let rounds = (flows.len() as u64 * self.stride) as f64;
        let arrivals = jobs as f64 / (rounds * window.ticks() as f64);
        Some(slope / (self.stride as f64 * period.ticks() as f64) * arrivals)
    }
}

/// The timelines of all replications.
#[derive(Clone, Debug)]
pub struct Timelines {
    /// Timelines of the first replications.
    kept: Vec<Timeline>,
    /// For each organization: the number of replications in which its queue grew, and the sum of
    /// its growth rates in jobs a tick.
    grew: Vec<(u64, f64)>,
    replications: u64,
}

impl Timelines {
    pub(super) fn new(frame: &Frame) -> Timelines {
        Timelines { kept: Vec::new(), grew: vec![(0, 0.0); frame.names.len()], replications: 0 }
    }

    /// Adds a replication; `period` and `window` are the lengths of a round and its window.
    pub(super) fn add(&mut self, mut timeline: Timeline, period: Span, window: Span) {
        self.replications += 1;
        let chance = CHANCE / self.grew.len() as f64;
        for (organization, (grew, rates)) in self.grew.iter_mut().enumerate() {
            if let Some(rate) = timeline.rate(organization, period, window, chance) {
                *grew += 1;
                *rates += rate;
            }
        }
        if self.kept.len() < MOST_KEPT as usize {
            timeline.bins.iter_mut().for_each(|bin| bin.flows = Vec::new());
            self.kept.push(timeline);
        }
    }

    /// Organizations whose queues grow in at least half of the replications.
    pub fn growing(&self) -> Vec<(usize, Grows)> {
        let ticks = Span::UNIT.ticks() as f64;
        let growing = self
            .grew
            .iter()
            .enumerate()
            .filter(|(_, (grew, _))| *grew > 0 && 2 * grew >= self.replications);
        growing
            .map(|(organization, &(grew, rates))| {
                let rate = rates / grew as f64 * ticks;
                (organization, Grows { replications: grew, of: self.replications, rate })
            })
            .collect()
    }

    /// Timelines of the first replications.
    pub fn kept(&self) -> &[Timeline] {
        &self.kept
    }
}

record! {
    /// A line of `timeline.csv`.
    Row;
    replication: u64, "Replication, from 0.";
    from_round: u64, "First round.";
    until_round: u64, "First round after the last.";
    organizations: f64, "Mean number of organizations that were there.";
    members: f64, "Mean number of those that took part.";
    jobs: u64, "Jobs that count.";
    flow: i128, "Their flow time in ticks, summed.";
    flow_alone: i128, "What it would have been alone.";
    mean_flow: Option<f64>, "Flow time of a job.";
    mean_flow_alone: Option<f64>, "The same, alone.";
    sent: i128, "Work sent, in ticks.";
    brought: i128, "Work of the jobs, in ticks.";
}

/// Renders `timeline.csv`.
pub fn render(timelines: &Timelines) -> Vec<u8> {
    let mut out = COLUMNS.join(",").into_bytes();
    out.push(b'\n');
    for (replication, timeline) in (0..).zip(&timelines.kept) {
        for ((from, until), bin) in timeline.ends().zip(&timeline.bins) {
            let row = Row {
                replication,
                from_round: from,
                until_round: until,
                organizations: bin.present as f64 / bin.rounds as f64,
                members: bin.members(),
                jobs: bin.jobs,
                flow: bin.flow,
                flow_alone: bin.alone,
                mean_flow: bin.mean_flow(),
                mean_flow_alone: bin.mean_alone(),
                sent: bin.sent,
                brought: bin.brought,
            };
            row.put(&mut out);
        }
    }
    out
}

/// Renders `timeline.svg`.
pub fn picture(title: &str, frame: &Frame, timelines: &Timelines) -> Vec<u8> {
    svg::render(&chart(title, frame, timelines))
}

/// The chart: members of the coalition, and mean flow times as they were and alone.
///
/// Thick lines are means over the first replications; thin lines are these replications.
pub fn chart(title: &str, frame: &Frame, timelines: &Timelines) -> Chart {
    let kept = &timelines.kept;
    let all = total(kept);
    let middle = |(from, until): (u64, u64)| (from + until - 1) as f64 / 2.0;
    let line = |series: usize, of: &dyn Fn(&Bin) -> Option<f64>| {
        let way = |timeline: &Timeline| -> Vec<(f64, f64)> {
            let bins = timeline.ends().zip(&timeline.bins);
            bins.filter_map(|(ends, bin)| Some((middle(ends), of(bin)?))).collect()
        };
        let parts: Vec<_> = kept.iter().map(way).filter(|_| kept.len() > 1).collect();
        let ends = kept.first().into_iter().flat_map(Timeline::ends);
        let mean = ends.zip(&all).filter_map(|(ends, bin)| Some((middle(ends), of(bin)?)));
        Line { series, points: mean.collect(), parts, ..Line::default() }
    };
    let panel = |y: &str, lines: Vec<Line>| {
        let values =
            lines.iter().flat_map(|line| line.points.iter().chain(line.parts.iter().flatten()));
        let most = values.map(|&(_, value)| value).fold(0.0, f64::max);
        let most = if most > 0.0 { most * 1.05 } else { 1.0 };
        Panel { y: y.to_owned(), scale: Scale::Linear(0.0, most), lines }
    };
    let longest = all.iter().flat_map(|bin| [bin.mean_flow(), bin.mean_alone()]).flatten();
    let clock = Clock::of(frame.counts_seconds, longest.fold(0.0, f64::max));
    let flow = |mean: Option<f64>| mean.map(|mean| clock.amount(mean));
    let mut panels = vec![
        panel("members of the coalition", vec![line(0, &|bin| Some(bin.members()))]),
        panel(
            &format!("mean flow time ({})", clock.name()),
            vec![line(1, &|bin| flow(bin.mean_alone())), line(0, &|bin| flow(bin.mean_flow()))],
        ),
    ];
    chart::thin(&mut panels);
    Chart {
        title: title.to_owned(),
        subtitle: match kept.len() {
            0 | 1 => "one replication".to_owned(),
            several => format!(
                "thick lines: mean of {}; thin lines: each of them",
                counted(several as u64, "replication", "replications")
            ),
        },
        x: frame.axis(),
        range: (0.0, frame.rounds as f64),
        panels,
        series: vec!["as they played".to_owned(), "each alone, with the same jobs".to_owned()],
    }
}

/// Sums the bins of replications with the same number of rounds, bin by bin.
///
/// A bin of the sum counts its rounds once per replication, so its position on the x-axis is that
/// of a replication's own bin.
fn total(kept: &[Timeline]) -> Vec<Bin> {
    let Some((first, others)) = kept.split_first() else { return Vec::new() };
    let mut all = first.bins.clone();
    for other in others {
        all.iter_mut().zip(&other.bins).for_each(|(all, one)| all.merge(one.clone()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::stage::{Act, Terms};
    use crate::policy::learn::Stance;
    use crate::report::coalition::curves::POINTS;
    use crate::sim::pool::turn::Turn;
    use crate::stats::interval::Level;

    /// The rows of a round with two organizations; the second one is out.
    fn rows(round: u64, flow: impl Fn(u64) -> i128) -> Vec<RoundRow> {
        let row = |organization: usize| {
            let turn = Turn {
                present: true,
                act: if organization == 0 {
                    Act::In(Terms { level: None, above: None })
                } else {
                    Act::Out
                },
                jobs: 100,
                flow: flow(round) * if organization == 0 { 1 } else { 2 },
                alone: 7,
                balancings: 0,
                sent: 3,
                received: 0,
                brought: 5,
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
            assert!(timeline.bins.len() as u64 <= POINTS && timeline.stride.is_power_of_two());
            let mut next = 0;
            for ((from, until), bin) in timeline.ends().zip(&timeline.bins) {
                assert_eq!((from, bin.rounds, bin.members()), (next, until - from, 1.0));
                let flow: u64 = (from..until).map(|round| 3 * round).sum();
                assert_eq!((bin.flow, bin.jobs), (i128::from(flow), 200 * bin.rounds));
                next = until;
            }
            assert_eq!(next, rounds);
        }
    }

    /// Equal replications: the mean is each of them, so the thick line lies on the thin ones.
    #[test]
    fn the_mean_of_equal_replications_is_drawn_where_each_of_them_is() {
        for rounds in [5, 401, 1000] {
            let one = timeline(rounds, i128::from);
            let kept = vec![one; 5];
            let timelines = Timelines { kept, grew: vec![(0, 0.0); 2], replications: 5 };
            let names = vec!["a".to_owned(), "b".to_owned()];
            let period = Span::from_ticks(1000);
            let frame = Frame {
                classes: Vec::new(),
                names,
                rounds,
                replications: 5,
                asking: Default::default(),
                learns: vec![true; 2],
                period,
                counts_seconds: false,
                window: period,
                level: Level::default(),
            };
            let chart = chart("", &frame, &timelines);
            let lines: Vec<&Line> = chart.panels.iter().flat_map(|one| &one.lines).collect();
            assert_eq!(lines.len(), 3);
            for line in lines {
                assert_eq!(line.parts.len(), 5);
                assert_eq!(line.points.len(), line.parts[0].len(), "of {rounds} rounds");
                for (mean, one) in line.points.iter().zip(&line.parts[0]) {
                    assert_eq!(mean.0, one.0, "of {rounds} rounds");
                    assert!((mean.1 - one.1).abs() <= 1e-12 * one.1.abs(), "of {rounds} rounds");
                }
                assert!(line.points.iter().all(|point| point.0 < rounds as f64));
            }
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
