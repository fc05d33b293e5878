//! Results of the replications of a campaign.

use serde::{Deserialize, Serialize};

use super::Findings;
use super::measure::{Measure, Metric};
use super::sample::Sample;
use super::unit::units;
use game::fairness::Jain;
use kernel::time::{Span, Time};
use sim::campaign::Games;
use stats::interval::Level;

/// Results of the applications of one organization, or of all, in a replication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Applications that were submitted.
    pub submitted: u64,
    /// Applications that are done.
    pub done: u64,
    /// Sum of their flow times, in ticks.
    pub flow: i128,
    /// Applications with a deadline that has passed or was kept.
    pub due: u64,
    /// Applications that missed their deadline.
    pub late: u64,
    /// Cost of all tasks, in millionths of a price times ticks.
    pub cost: i128,
    /// Submission of the first one, in ticks.
    pub first: Option<Time>,
    /// Completion of the last one, in ticks.
    pub last: i64,
    /// The times from submission to the end of each class.
    pub classes: Jain,
    /// Processor time that its clusters gave, in ticks.
    pub busy: i128,
    /// Processor time that they had.
    pub had: i128,
    /// Payments to its clusters, in millionths of a price times ticks.
    pub income: i128,
    /// Processors of its clusters.
    pub processors: u64,
    /// Changes of these from the tasks of one class to those of another.
    pub switches: u64,
    /// Sum of the differences between the ends of finished classes and their first plans, in ticks.
    pub off: i128,
    /// The lengths that were expected: from the submission, or the last end that a class waits for, to its
    /// own end.
    pub expected: i128,
    /// Largest storage that files of finished tasks took at a time, in millionths of units. That of all
    /// organizations is not the sum.
    pub footprint: i128,
}

impl Group {
    /// Time from the first submission to the end of the last one, in ticks.
    fn makespan(&self) -> f64 {
        (self.last - self.first.map_or(0, Time::ticks)) as f64
    }

    fn add(&mut self, other: &Group) {
        self.submitted += other.submitted;
        self.done += other.done;
        self.flow += other.flow;
        self.due += other.due;
        self.late += other.late;
        self.cost += other.cost;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        self.classes.add_all(&other.classes);
        self.busy += other.busy;
        self.had += other.had;
        self.income += other.income;
        self.processors += other.processors;
        self.switches += other.switches;
        self.off += other.off;
        self.expected += other.expected;
    }
}

/// Results of one replication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// By organization.
    pub groups: Vec<Group>,
    /// Plans that were made.
    pub plans: u64,
    /// The games behind them.
    pub games: Games,
    /// Largest storage that files of finished tasks took at a time, in millionths of units.
    pub footprint: i128,
    /// Lower bound of the makespan, in ticks, if it was asked for.
    pub bound: Option<f64>,
}

/// Measures of a campaign.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Prices are set.
    pub costs: bool,
    /// Deadlines are set.
    pub deadlines: bool,
    /// Bounds are asked for.
    pub bounds: bool,
    /// Tasks leave files.
    pub files: bool,
    /// Tasks are whole.
    pub whole: bool,
    /// The planner plays games.
    pub games: bool,
}

impl Measured {
    fn measures(self) -> Vec<&'static Measure> {
        let of = |metric: Metric, wanted: bool| wanted.then(|| metric.measure());
        let all = [
            of(Metric::Makespan, true),
            of(Metric::MakespanOverBound, self.bounds),
            of(Metric::Flow, true),
            of(Metric::ClassFairness, true),
            of(Metric::Cost, self.costs),
            of(Metric::Income, self.costs),
            of(Metric::Late, self.deadlines),
            of(Metric::Footprint, self.files),
            of(Metric::Switches, self.whole),
            of(Metric::PredictionError, self.whole),
            of(Metric::Utilization, true),
            of(Metric::Plans, true),
            of(Metric::Stages, self.games),
            of(Metric::SettledStages, self.games),
            of(Metric::StagePeaks, self.games),
            of(Metric::StageChange, self.games),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Results of all replications.
#[derive(Debug)]
pub struct Campaigned {
    sample: Sample,
    measured: Measured,
    /// Results of all organizations in all replications.
    pub all: Group,
    /// The first game of each of the first replications: its stages with their aims.
    pub courses: Vec<Vec<(u32, f64)>>,
}

/// Replications whose first game is kept to be drawn.
const COURSES: usize = 5;
/// Ticks in a unit of time, as a number.
const UNIT: f64 = Span::UNIT.ticks() as f64;
/// Millionths of a price times ticks in a unit of cost.
const COST: f64 = 1e6 * UNIT;

impl Campaigned {
    /// Findings without any replication.
    pub fn new(
        organizations: &[String],
        level: Level,
        keeps_all: bool,
        measured: Measured,
    ) -> Campaigned {
        let units = units(organizations, &[]);
        let sample = Sample::new(units, measured.measures(), level, keeps_all);
        Campaigned { sample, measured, all: Group::default(), courses: Vec::new() }
    }

    /// Adds the next replication.
    pub fn add(&mut self, played: &Played) {
        let mut all = Group::default();
        for (unit, group) in played.groups.iter().enumerate() {
            all.add(group);
            self.put(unit, group);
        }
        all.footprint = played.footprint;
        let whole = self.sample.all();
        self.put(whole, &all);
        self.sample.put(whole, Metric::Plans.measure(), played.plans as f64, 1.0);
        let games = &played.games;
        for (metric, sum) in [
            (Metric::Stages, games.stages as f64),
            (Metric::SettledStages, games.settled as f64),
            (Metric::StagePeaks, games.peaks as f64),
            (Metric::StageChange, games.change),
        ] {
            if games.games > 0 {
                self.sample.put(whole, metric.measure(), sum, games.games as f64);
            }
        }
        if self.courses.len() < COURSES && !games.first.is_empty() {
            self.courses.push(games.first.clone());
        }
        if let Some(bound) = played.bound.filter(|&bound| bound > 0.0 && all.done == all.submitted)
        {
            let over = all.makespan() / bound;
            self.sample.put(whole, Metric::MakespanOverBound.measure(), over, 1.0);
        }
        self.all.add(&all);
        self.sample.end_replication();
    }

    fn put(&mut self, unit: usize, group: &Group) {
        let is_whole = group.submitted > 0 && group.done == group.submitted;
        let mut put = |metric: Metric, sum: f64, weight: f64| {
            if weight > 0.0 {
                self.sample.put(unit, metric.measure(), sum, weight);
            }
        };
        put(Metric::Makespan, group.makespan() / UNIT, f64::from(is_whole));
        put(Metric::Flow, group.flow as f64 / UNIT, group.done as f64);
        let fairness = group.classes.index();
        put(Metric::ClassFairness, fairness.unwrap_or(0.0), f64::from(fairness.is_some()));
        if self.measured.costs {
            put(Metric::Cost, group.cost as f64 / COST, f64::from(group.submitted > 0));
        }
        if self.measured.costs {
            put(Metric::Income, group.income as f64 / COST, f64::from(group.processors > 0));
        }
        if self.measured.files {
            put(Metric::Footprint, group.footprint as f64 / 1e6, f64::from(group.submitted > 0));
        }
        if self.measured.whole {
            put(Metric::Switches, group.switches as f64, group.processors as f64);
            put(Metric::PredictionError, group.off as f64, group.expected as f64);
        }
        if self.measured.deadlines {
            put(Metric::Late, group.late as f64, group.due as f64);
        }
        put(Metric::Utilization, group.busy as f64, group.had as f64);
    }
}

impl Findings for Campaigned {
    crate::sample_at!(sample);
    fn jobs_of(&self, unit: usize) -> u64 {
        if unit == self.sample.all() { self.all.done } else { 0 }
    }
}
