//! Random instances, one for each sample, and what every scheduler makes of them.
//!
//! Schedules of the registered schedulers are those of the engine. Whether they are feasible is checked
//! from their starts alone; the least makespan of small instances is proved by branch and bound.

use std::sync::{Arc, Mutex};

use super::lemmas::{self, Dropped};
use crate::played::Record;
use crate::{Bench, StudyError};
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

/// The shapes of the paper's two problems, small and large.
pub(super) const SHAPES: [Shape; 4] = [
    small("small, at once", [1, 4], false),
    small("small, over time", [1, 4], true),
    large("large, at once", false),
    large("large, over time", true),
];

/// A single cluster: the classical multiprocessor problem.
pub(super) const ALONE: Shape = small("one cluster", [1, 1], true);

impl Shape {
    /// The shape in words.
    pub(super) fn words(&self) -> String {
        let Shape { clusters: [few, many], jobs: [least, most], .. } = self;
        let clusters = match few == many {
            true => "1 cluster".to_owned(),
            false => format!("{few} to {many} clusters"),
        };
        let when = if self.over_time { "over time" } else { "at once" };
        format!("{least} to {most} jobs {when}, {clusters}")
    }

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub(super) const ALL: [Arm; 9] = [
        Arm::Submit,
        Arm::Largest,
        Arm::Smallest,
        Arm::Random,
        Arm::Lists,
        Arm::Shuffled,
        Arm::Batches,
        Arm::Near,
        Arm::Big,
    ];

    /// Its name in rows.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Arm::Submit => "list scheduling in order of submission",
            Arm::Largest => "list scheduling, largest first",
            Arm::Smallest => "list scheduling, smallest first",
            Arm::Random => "list scheduling in random order",
            Arm::Lists => "Grid Over-Time-Submission",
            Arm::Shuffled => "Grid Over-Time-Submission with shuffled lists",
            Arm::Batches => "Grid Concurrent-Submission in batches",
            Arm::Near => "stealing from the nearest",
            Arm::Big => "stealing big jobs first",
        }
    }

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

/// The results of the schedulers on an instance.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Largest number of processors of a cluster.
    pub(super) processors: i128,
    /// A lower bound of any makespan, in ticks.
    pub(super) bound: i128,
    /// The least makespan in ticks, if it was proved.
    pub(super) optimum: Option<i128>,
    /// Makespans in ticks, in the order of [`Arm::ALL`].
    pub(super) makespans: [i128; Arm::ALL.len()],
    /// Number of schedules that are not feasible, or whose makespan is not as told.
    pub(super) broken: u64,
    /// Latest submission and longest job together, in ticks.
    pub(super) tail: i128,
    /// True if more than half of each cluster is busy from the tail's end (or from 0, if jobs come at
    /// once) until its last job starts.
    pub(super) is_half_busy: bool,
    /// Checks of lemma 5.3.
    pub(super) dropped: Dropped,
    /// True if the sets of definition 5.1 are as the paper says: apart, and nested.
    pub(super) sets_hold: [bool; 2],
    /// True if the two ways of stealing start some job elsewhere or at another time than the lists.
    pub(super) differs: [bool; 2],
    /// Messages of stealing, and jobs.
    pub(super) messages: [u64; 2],
}

impl Case {
    /// The makespan of a scheduler, in ticks.
    pub(super) fn makespan(&self, arm: Arm) -> i128 {
        self.makespans[arm as usize]
    }

    /// The least makespan as far as it is known: proved, or bounded from below.
    pub(super) fn least(&self) -> i128 {
        self.optimum.unwrap_or(self.bound)
    }

    /// Makespan over the least one, or over the bound if that is not known.
    pub(super) fn ratio(&self, arm: Arm) -> f64 {
        self.makespan(arm) as f64 / self.least() as f64
    }

    fn of(shape: &Shape, instance: &Instance, streams: &Streams) -> Case {
        let mut bound = LowerBound::new(&instance.clusters);
        for task in &instance.tasks {
            bound.add(task.processors, task.length, task.release);
        }
        let played = Arm::ALL.map(|arm| play(&arm.options(), instance, streams));
        let broken = played.iter().filter(|one| is_broken(instance, one)).count() as u64;
        let lists = &played[Arm::Lists as usize];
        let last = instance.tasks.iter().map(|task| task.release).max().unwrap_or_default();
        let longest = instance.tasks.iter().map(|task| task.length).max().unwrap_or_default();
        let from = if shape.over_time { last + longest } else { Time::ZERO };
        let dropped = match shape.over_time {
            true => Dropped::default(),
            false => lemmas::drop_below(instance, lists, &Arm::Lists.options()),
        };
        let differs =
            [Arm::Near, Arm::Big].map(|arm| played[arm as usize].schedule != lists.schedule);
        let ticks = |time: Time| i128::from(time.ticks());
        let solved = || optimum(instance, NODES).ok()?.makespan.proved();
        Case {
            processors: instance.clusters.last().map_or(0, |&most| most.into()),
            bound: bound.ticks_up(),
            optimum: if shape.is_solved { solved().map(ticks) } else { None },
            makespans: played.each_ref().map(|one| ticks(one.makespan)),
            broken,
            tail: ticks(last) + i128::from(longest.ticks()),
            is_half_busy: lemmas::is_half_busy(instance, &lists.schedule, from),
            dropped,
            sets_hold: [lemmas::sets_are_apart(instance), lemmas::sets_nest(instance)],
            differs,
            messages: [played[Arm::Near as usize].messages, instance.tasks.len() as u64],
        }
    }
}

fn is_broken(instance: &Instance, played: &Played) -> bool {
    instance.makespan(&played.schedule) != Ok(played.makespan)
}

/// The cases of one shape, shared by all claims about it.
pub(super) type Cases = Arc<Vec<Case>>;

/// Cases of the shapes that were played, by the shape's name.
#[derive(Debug, Default)]
struct Shelf(Mutex<Vec<(&'static str, Cases)>>);

/// The cases of a shape: an instance for each sample, each under all schedulers.
pub(super) fn cases(bench: &Bench, shape: &Shape) -> Result<Cases, StudyError> {
    let samples = bench.effort.samples;
    let how = format!("random instances, {}: {}", shape.name, shape.words());
    bench.log(Record::drawn(&how, bench, samples));
    let shelf = bench.shelf::<Shelf>();
    let mut known = shelf.0.lock().expect("nobody panics with it");
    if let Some((_, cases)) = known.iter().find(|(name, _)| *name == shape.name) {
        return Ok(Arc::clone(cases));
    }
    let seed = bench.effort.seed;
    let cases = bench.each(samples.into(), |sample| {
        let streams = Streams::new(seed).in_replication(sample);
        Ok(Case::of(shape, &shape.instance(seed, sample), &streams))
    })?;
    let cases = Arc::new(cases);
    known.push((shape.name, Arc::clone(&cases)));
    Ok(cases)
}
