//! Random instances, and what every scheduler makes of each.
//!
//! Schedules of the registered schedulers are those of the engine. Whether they are feasible is checked
//! from their starts alone; the least makespan of small instances is proved by branch and bound.

use serde::Deserialize;

use super::lemmas::{self, Dropped};
use super::printed::{self, Reading};
use crate::StudyError;
use crate::lines::code::{Asked as Asks, Figures};
use bounds::instance::{Instance, Task};
use bounds::lower::LowerBound;
use bounds::optimum::optimum;
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use model::asked::Asked;
use model::order::Order;
use policy::grid::{GridOptions, grid_submission, list, stealing};
use run::instance::{Played, play};
use workload::draw::below;

/// Nodes after which the search for an optimum gives up.
const NODES: u64 = 400_000;

/// The limits within which instances are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Its name, also that of its random stream.
    pub(super) name: &'static str,
    /// Fewest and most clusters.
    pub(super) clusters: [u64; 2],
    /// Fewest and most jobs.
    pub(super) jobs: [u64; 2],
    /// Largest number of processors of a cluster.
    pub(super) most_processors: u64,
    /// True if jobs come over time, false if all come at time 0.
    pub(super) over_time: bool,
    /// True if the optimum is looked for.
    pub(super) is_solved: bool,
}

const fn small(name: &'static str, clusters: [u64; 2], over_time: bool) -> Shape {
    let (jobs, most_processors, is_solved) = ([3, 9], 12, true);
    Shape { name, clusters, jobs, most_processors, over_time, is_solved }
}

const fn large(name: &'static str, over_time: bool) -> Shape {
    let (clusters, jobs, most_processors) = ([2, 30], [30, 200], 64);
    Shape { name, clusters, jobs, most_processors, over_time, is_solved: false }
}

/// The paper's two problems, small and large, and as large as its pseudo-code by the letter is played;
/// and a single cluster, the classical multiprocessor problem.
const SHAPES: [Shape; 7] = [
    small("small, at once", [1, 4], false),
    small("small, over time", [1, 4], true),
    large("large, at once", false),
    large("large, over time", true),
    small("one cluster", [1, 1], true),
    Shape { jobs: [6, 30], ..small("small, at once", [2, 6], false) },
    Shape { jobs: [6, 30], ..small("small, over time", [2, 6], true) },
];

impl Shape {
    /// Draws the instance of a sample.
    pub(super) fn instance(&self, seed: u64, sample: u64) -> Instance {
        let rng = &mut Streams::new(seed).in_replication(sample).stream(self.name);
        let most = self.most_processors;
        let count = between(rng, self.clusters);
        // Grids of equal clusters, of powers of two, and of any sizes.
        let equal = 1 + below(rng, most);
        let kind = below(rng, 4);
        let mut clusters: Vec<u32> = (0..count)
            .map(|_| match kind {
                0 => equal,
                1 => 1 << below(rng, u64::from(most.ilog2()) + 1),
                _ => 1 + below(rng, most),
            })
            .map(|processors| processors as u32)
            .collect();
        clusters.sort_unstable();
        let jobs = between(rng, self.jobs);
        let mut tasks: Vec<Task> = (0..jobs).map(|_| self.task(&clusters, rng)).collect();
        tasks.sort_by_key(|task| task.release);
        Instance { clusters, tasks }
    }

    fn task(&self, clusters: &[u32], rng: &mut Rng) -> Task {
        let cluster = u64::from(clusters[below(rng, clusters.len() as u64) as usize]);
        let processors = match below(rng, 4) {
            0 => cluster,
            1 => cluster / 2 + 1,
            _ => 1 + below(rng, cluster),
        };
        // Few lengths, so that jobs end together; a long job now and then.
        let length = match below(rng, 8) {
            0 => 1 + below(rng, 40),
            _ => 1 + below(rng, 8),
        };
        let release = if self.over_time { below(rng, 24) } else { 0 };
        Task {
            processors: processors as u32,
            length: Span::units(length as i64),
            release: Time::ZERO + Span::units(release as i64),
        }
    }
}

fn between(rng: &mut Rng, [least, most]: [u64; 2]) -> u64 {
    least + below(rng, most - least + 1)
}

/// A scheduler of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Arm {
    Submit,
    Largest,
    Smallest,
    Random,
    /// Grid Concurrent-Submission, and Grid Over-Time-Submission for jobs over time.
    Lists,
    /// The same, with jobs in random order within its lists.
    Shuffled,
    /// Grid Concurrent-Submission in batches.
    Batches,
    Near,
    Big,
}

impl Arm {
    pub(super) const ALL: [(Arm, &str); 9] = [
        (Arm::Submit, "submit"),
        (Arm::Largest, "largest"),
        (Arm::Smallest, "smallest"),
        (Arm::Random, "random"),
        (Arm::Lists, "lists"),
        (Arm::Shuffled, "shuffled"),
        (Arm::Batches, "batches"),
        (Arm::Near, "near"),
        (Arm::Big, "big"),
    ];

    /// The scheduler.
    pub(super) fn options(self) -> GridOptions {
        let list = |order| GridOptions::List(list::Options { order });
        let lists = |asked, shuffled| {
            GridOptions::GridSubmission(grid_submission::Options { asked, shuffled })
        };
        let stealing = |first| GridOptions::Stealing(stealing::Options { first, delay: 0.0 });
        match self {
            Arm::Submit => list(Order::Submit),
            Arm::Largest => list(Order::Largest),
            Arm::Smallest => list(Order::Smallest),
            Arm::Random => list(Order::Random),
            Arm::Lists => lists(Asked::Arrival, false),
            Arm::Shuffled => lists(Asked::Arrival, true),
            Arm::Batches => lists(Asked::Batch, false),
            Arm::Near => stealing(stealing::First::Near),
            Arm::Big => stealing(stealing::First::Big),
        }
    }
}

/// Name of a shape.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    shape: String,
}

/// Figures of random instances of a shape, each under all schedulers.
pub(super) fn instances(asked: &Asks<'_>) -> Result<Figures, StudyError> {
    let Named { shape } = asked.options()?;
    let shape = SHAPES.iter().find(|one| one.name == shape);
    let shape = shape.ok_or_else(|| StudyError("no shape of this name".to_owned()))?;
    asked.each(1, |sample| {
        let streams = Streams::new(asked.seed).in_replication(sample);
        Ok(figures(shape, &shape.instance(asked.seed, sample), &streams))
    })
}

/// The figures of an instance; those that need the optimum are none where it is not proved.
fn figures(shape: &Shape, instance: &Instance, streams: &Streams) -> Vec<(String, f64)> {
    let mut bound = LowerBound::new(&instance.clusters);
    for task in &instance.tasks {
        bound.add(task.processors, task.length, task.release);
    }
    let bound = bound.ticks_up();
    let ticks = |time: Time| i128::from(time.ticks());
    let solved = || optimum(instance, NODES).ok()?.makespan.proved();
    let best = if shape.is_solved { solved().map(ticks) } else { None };
    let least = best.unwrap_or(bound) as f64;
    let played = Arm::ALL.map(|(arm, _)| play(&arm.options(), instance, streams));
    let lists = &played[Arm::Lists as usize];
    let last = instance.tasks.iter().map(|task| task.release).max().unwrap_or_default();
    let longest = instance.tasks.iter().map(|task| task.length).max().unwrap_or_default();
    let from = if shape.over_time { last + longest } else { Time::ZERO };
    let dropped = match shape.over_time {
        true => Dropped::default(),
        false => lemmas::drop_below(instance, lists, &Arm::Lists.options()),
    };
    let flag = |is: bool| f64::from(u8::from(is));
    let of_best = |is: &dyn Fn(i128) -> bool| best.map_or(f64::NAN, |best| flag(is(best)));
    let is_broken = |one: &&Played| instance.makespan(&one.schedule) != Ok(one.makespan);
    let tail = last + longest;
    let messages = played[Arm::Near as usize].messages as f64;
    let mut all: Vec<(String, f64)> = [
        ("broken schedules", played.iter().filter(is_broken).count() as f64),
        ("sets that are not apart", flag(!lemmas::sets_are_apart(instance))),
        ("sets that do not nest", flag(!lemmas::sets_nest(instance))),
        ("bound above optimum", of_best(&|best| bound > best)),
        ("bound is optimum", of_best(&|best| bound == best)),
        ("half idle", flag(!lemmas::is_half_busy(instance, &lists.schedule, from))),
        ("lemma 5.3 broken", dropped.changed as f64),
        ("lemma 5.3 cases", dropped.cases as f64),
        ("beyond the tail", (ticks(lists.makespan) - ticks(tail)) as f64 / least),
        ("messages", messages / instance.tasks.len().max(1) as f64),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let processors = instance.clusters.last().map_or(0, |&most| i128::from(most));
    for ((_, name), one) in Arm::ALL.iter().zip(&played) {
        let makespan = ticks(one.makespan);
        // C <= (2 - 1/m) C*, in whole numbers.
        let above = of_best(&|best| makespan * processors > (2 * processors - 1) * best);
        all.push((format!("{name}: ratio"), makespan as f64 / least));
        all.push((format!("{name}: above 2 - 1/m"), above));
        all.push((format!("{name}: in lists"), makespan as f64 / ticks(lists.makespan) as f64));
        all.push((format!("{name}: differs"), flag(one.schedule != lists.schedule)));
    }
    all
}

/// Reading of Figure 5, and whether jobs come over time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Letter {
    #[serde(default)]
    over_time: bool,
    #[serde(default)]
    reading: Reading,
}

/// The pseudo-code by the letter, and whether the engine's schedule is another one.
pub(super) fn letter(asked: &Asks<'_>) -> Result<Figures, StudyError> {
    let Letter { over_time, reading } = asked.options()?;
    let shape = &SHAPES[5 + usize::from(over_time)];
    asked.each(1, |sample| {
        let instance = shape.instance(asked.seed, sample);
        let engine = play(&Arm::Lists.options(), &instance, &Streams::new(asked.seed));
        let (led, placed) = printed::led(&instance, reading);
        let is_same = placed.into_iter().eq(engine.schedule.into_iter().map(Some));
        let half_idle = u64::from(led.is_half_idle);
        let figures = [
            ("differs", u64::from(!is_same)),
            ("half idle", half_idle),
            ("lost", led.lost),
            ("empty", led.empty),
            ("broken", half_idle + led.lost + led.empty),
        ];
        Ok(figures.map(|(name, times)| (name, times as f64)).into())
    })
}
