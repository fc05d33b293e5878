//! Genetic algorithm for independent tasks, of Braun et al., JPDC 61(6), 2001, section 3.
//!
//! A chromosome maps each task to a processor. The population begins with the mapping of Min-min and
//! random ones. A generation selects by rank on a roulette wheel, crosses pairs at a single point, and
//! mutates. The best chromosome always survives, so the plan is never longer than that of Min-min.
//!
//! It knows nothing of precedence, storage and memory: tasks of classes that wait stand on their
//! processors in the order of the classes. Loads of processors are whole ticks and follow each change. A
//! generation takes O(population · tasks), so it is meant for some thousands of tasks. With more than
//! 20 million tasks in all chromosomes the plan is that of Min-min, without a search.

use std::ops::Range;

use rand::{RngExt as _, SeedableRng as _};

use super::lines::Lines;
use super::min_min::{self, MinMin};
use super::{Lane, Plan, Problem, Run, Stage, TaskPlanner};
use kernel::rng::Rng;
use kernel::time::Span;
use model::bounds::{Bounds, PROBABILITY, parameters};

/// Tasks of all chromosomes up to which the planner searches.
const MOST_GENES: u64 = 20_000_000;
/// A population must have two to be crossed.
const POPULATION: Bounds<'_> = Bounds::of("").unit("a whole number").from(2.0).to(100_000.0);
/// A number that may be nothing.
const GENERATIONS: Bounds<'_> = Bounds::of("").unit("a whole number").from(0.0);

parameters! {
    /// Parameters of the genetic algorithm.
    #[serde(default)]
    pub struct Options {
        /// Number of chromosomes. With over 20 million tasks in all of them, the plan is that of Min-min.
        population: u32 as POPULATION = 200,
        /// The search ends with this generation at the latest.
        generations: u32 as GENERATIONS = 1000,
        /// It ends after so many generations without a shorter plan, or when all chromosomes are equal.
        patience: u32 as GENERATIONS = 150,
        /// Probability that a chromosome is crossed with another one.
        crossover: f64 as PROBABILITY = 0.6,
        /// Probability that a task of a chromosome moves to a random processor.
        mutation: f64 as PROBABILITY = 0.4,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct GeneticMapping {
    options: Options,
}

impl GeneticMapping {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> GeneticMapping {
        GeneticMapping { options: options.clone() }
    }
}

impl TaskPlanner for GeneticMapping {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let all = problem.classes.iter().fold(0, |all: u64, one| all.saturating_add(one.whole()));
        if all.saturating_mul(self.options.population.into()) > MOST_GENES {
            return MinMin::new(&min_min::Options::default()).plan(problem, out);
        }
        let work = Work::new(problem);
        if work.tasks.is_empty() {
            return;
        }
        let rng = &mut Rng::seed_from_u64(problem.seed);
        let best = search(&work, &self.options, work.min_min(), rng, &mut out.stages);
        work.write(&best, out);
    }
}

/// A processor of a site.
#[derive(Clone, Copy, Debug)]
struct Processor {
    site: u32,
    /// Its group of processors that are free at the same time, in the site.
    group: u32,
    /// Ticks from now until it is free.
    from: i64,
}

/// The tasks of a problem, and the processors that can do them.
#[derive(Debug)]
struct Work<'p> {
    problem: &'p Problem<'p>,
    processors: Vec<Processor>,
    /// Position of the class of each task, in the order of the classes.
    tasks: Vec<u32>,
    /// Ticks of a task by class and site; `None` where it cannot run.
    times: Vec<Vec<Option<i64>>>,
    /// The processors that can do a task, by class.
    able: Vec<Vec<u32>>,
}

impl<'p> Work<'p> {
    fn new(problem: &'p Problem<'p>) -> Work<'p> {
        let mut processors = Vec::new();
        for (site, of) in (0..).zip(&problem.sites) {
            for (group, free) in (0..).zip(&of.free) {
                let from = (free.at - problem.now).ticks().max(0);
                let one = Processor { site, group, from };
                processors.extend((0..free.processors).map(|_| one));
            }
        }
        let lines = Lines::new(problem);
        let time = |class, site| lines.time(class, site).map(|ticks| ticks as i64);
        let row = |class| (0..problem.sites.len()).map(|site| time(class, site)).collect();
        let times: Vec<Vec<Option<i64>>> = (0..problem.classes.len()).map(row).collect();
        let able = times.iter().map(|row| {
            let all = (0..).zip(&processors);
            let able = all.filter(|(_, one)| row[one.site as usize].is_some());
            able.map(|(at, _)| at).collect::<Vec<u32>>()
        });
        let able: Vec<Vec<u32>> = able.collect();
        let classes = (0..).zip(&problem.classes).filter(|&(at, _)| !able[at as usize].is_empty());
        let tasks = classes.flat_map(|(at, class)| (0..class.whole()).map(move |_| at)).collect();
        Work { problem, processors, tasks, times, able }
    }

    /// Ticks of a task on a processor that can do it.
    fn time(&self, task: usize, processor: u32) -> i64 {
        let site = self.processors[processor as usize].site as usize;
        self.times[self.tasks[task] as usize][site].unwrap_or(i64::MAX / 4)
    }

    /// A processor that can do a task, at random.
    fn random(&self, task: usize, rng: &mut Rng) -> u32 {
        let able = &self.able[self.tasks[task] as usize];
        able[rng.random_range(0..able.len())]
    }

    /// The mapping of Min-min.
    fn min_min(&self) -> Vec<u32> {
        let mut plan = Plan::default();
        MinMin::new(&min_min::Options::default()).plan(self.problem, &mut plan);
        let mut of_class: Vec<Vec<u32>> = vec![Vec::new(); self.problem.classes.len()];
        let mut taken = vec![false; self.processors.len()];
        for lane in &plan.lanes {
            let from = (lane.from - self.problem.now).ticks().max(0);
            let is = |one: &Processor| one.site == lane.site && one.from == from;
            for _ in 0..lane.processors {
                let mut all = self.processors.iter().zip(&taken);
                let Some(at) = all.position(|(one, taken)| is(one) && !taken) else { break };
                taken[at] = true;
                for run in &lane.runs {
                    let all = &self.problem.classes;
                    let class = all.binary_search_by_key(&run.class, |class| class.number);
                    if let Ok(class) = class {
                        of_class[class].extend((0..run.tasks).map(|_| at as u32));
                    }
                }
            }
        }
        // Tasks of a class are alike, so any of them may take any of its processors.
        let own = self
            .tasks
            .iter()
            .map(|&class| of_class[class as usize].pop().unwrap_or(self.able[class as usize][0]));
        own.collect()
    }

    /// Writes a mapping: a lane for each processor, and one for all in a row that do the same.
    fn write(&self, mapping: &[u32], out: &mut Plan) {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); self.processors.len()];
        for (&class, &processor) in self.tasks.iter().zip(mapping) {
            let (own, class) =
                (&mut runs[processor as usize], self.problem.classes[class as usize].number);
            match own.last_mut() {
                Some(run) if run.class == class => run.tasks += 1,
                _ => own.push(Run { class, tasks: 1 }),
            }
        }
        for (one, runs) in self.processors.iter().zip(runs).filter(|(_, runs)| !runs.is_empty()) {
            let from = self.problem.sites[one.site as usize].free[one.group as usize].at;
            match out.lanes.last_mut() {
                Some(lane) if (lane.site, lane.from) == (one.site, from) && lane.runs == runs => {
                    lane.processors += 1;
                }
                _ => out.lanes.push(Lane { site: one.site, from, processors: 1, runs }),
            }
        }
    }
}

/// A mapping of tasks to processors.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chromosome {
    mapping: Vec<u32>,
    /// Ticks until each processor has done its tasks.
    loads: Vec<i64>,
}

impl Chromosome {
    fn new(work: &Work<'_>, mapping: Vec<u32>) -> Chromosome {
        let mut loads: Vec<i64> = work.processors.iter().map(|one| one.from).collect();
        for (task, &processor) in mapping.iter().enumerate() {
            loads[processor as usize] += work.time(task, processor);
        }
        Chromosome { mapping, loads }
    }

    fn copy(&mut self, other: &Chromosome) {
        self.mapping.copy_from_slice(&other.mapping);
        self.loads.copy_from_slice(&other.loads);
    }

    /// Ticks until all processors are free.
    fn makespan(&self) -> i64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// Moves a task, and the loads with it.
    fn assign(&mut self, work: &Work<'_>, task: usize, processor: u32) {
        let before = std::mem::replace(&mut self.mapping[task], processor);
        self.loads[before as usize] -= work.time(task, before);
        self.loads[processor as usize] += work.time(task, processor);
    }
}

/// Searches from a mapping; the result is never longer. Each generation is a stage.
fn search(
    work: &Work<'_>,
    options: &Options,
    first: Vec<u32>,
    rng: &mut Rng,
    stages: &mut Vec<Stage>,
) -> Vec<u32> {
    let tasks = work.tasks.len();
    let mut population = vec![Chromosome::new(work, first)];
    while population.len() < options.population as usize {
        let mapping = (0..tasks).map(|task| work.random(task, rng)).collect();
        population.push(Chromosome::new(work, mapping));
    }
    let wheel = wheel(population.len());
    let mut next = population.clone();
    let mut shortest = population[0].makespan();
    let (mut generation, mut last_better) = (0, 0);
    while generation < options.generations && generation - last_better < options.patience {
        generation += 1;
        select(&population, &wheel, &mut next, rng);
        cross(work, &mut next[1..], options.crossover, rng);
        for one in &mut next[1..] {
            if rng.random::<f64>() < options.mutation {
                let task = rng.random_range(0..tasks);
                one.assign(work, task, work.random(task, rng));
            }
        }
        std::mem::swap(&mut population, &mut next);
        let best = population.iter().map(Chromosome::makespan).min().unwrap_or(0);
        if best < shortest {
            (shortest, last_better) = (best, generation);
        }
        let makespan = Some(Span::from_ticks(best).as_units());
        stages.push(Stage { makespan, ..Stage::default() });
        if population.iter().all(|one| one.mapping == population[0].mapping) {
            break;
        }
    }
    let best = population.into_iter().min_by_key(Chromosome::makespan);
    best.map_or_else(Vec::new, |one| one.mapping)
}

/// Upper ends of the sectors of the ranks on a wheel of 1, the best rank first. A sector is 1 + 1/P
/// times as wide as the next one, so the best of P chromosomes has about e times the sector of the
/// worst.
fn wheel(population: usize) -> Vec<f64> {
    let ratio = 1.0 / (1.0 + 1.0 / population as f64);
    let mut ends = Vec::with_capacity(population);
    let (mut sector, mut end) = (1.0, 0.0);
    for _ in 0..population {
        end += sector;
        ends.push(end);
        sector *= ratio;
    }
    ends.iter_mut().for_each(|one| *one /= end);
    ends
}

/// Copies the best chromosome to the front, and fills the rest by the wheel.
fn select(population: &[Chromosome], wheel: &[f64], next: &mut [Chromosome], rng: &mut Rng) {
    let mut ranks: Vec<(i64, usize)> =
        population.iter().enumerate().map(|(at, one)| (one.makespan(), at)).collect();
    ranks.sort_unstable();
    next[0].copy(&population[ranks[0].1]);
    for one in &mut next[1..] {
        let drawn = rng.random::<f64>();
        let rank = wheel.partition_point(|end| *end <= drawn).min(ranks.len() - 1);
        one.copy(&population[ranks[rank].1]);
    }
}

/// Crosses chromosomes with random others: both swap all tasks from a random point on.
fn cross(work: &Work<'_>, chromosomes: &mut [Chromosome], crossover: f64, rng: &mut Rng) {
    let tasks = work.tasks.len();
    if tasks < 2 || chromosomes.len() < 2 {
        return;
    }
    for first in 0..chromosomes.len() {
        if rng.random::<f64>() >= crossover {
            continue;
        }
        let other = rng.random_range(0..chromosomes.len() - 1);
        let other = if other < first { other } else { other + 1 };
        let point = rng.random_range(1..tasks);
        let Ok([one, other]) = chromosomes.get_disjoint_mut([first, other]) else { continue };
        // To swap the tasks from the point on is to swap those before it, and the chromosomes.
        if point < tasks / 2 {
            exchange(work, one, other, 0..point);
            std::mem::swap(one, other);
        } else {
            exchange(work, one, other, point..tasks);
        }
    }
}

/// Swaps some tasks. Chromosomes of a late generation differ in few, so equal ones are passed over
/// in blocks.
fn exchange(work: &Work<'_>, one: &mut Chromosome, other: &mut Chromosome, tasks: Range<usize>) {
    const BLOCK: usize = 32;
    for start in tasks.clone().step_by(BLOCK) {
        let block = start..tasks.end.min(start + BLOCK);
        if one.mapping[block.clone()] == other.mapping[block.clone()] {
            continue;
        }
        for task in block {
            let (own, its) = (one.mapping[task], other.mapping[task]);
            if own != its {
                one.assign(work, task, its);
                other.assign(work, task, own);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{Instance, Random};
    use super::*;

    /// Classes of a few tasks on sites of one or two processors, with times of 1 to 50.
    fn random(classes: usize, sites: usize, seed: u64) -> Instance {
        let mut random = Random(seed);
        let times: Vec<Vec<f64>> = (0..classes)
            .map(|_| (0..sites).map(|_| random.whole(1, 50) as f64).collect())
            .collect();
        let processors: Vec<u64> = (0..sites).map(|_| random.whole(1, 2)).collect();
        let tasks: Vec<f64> = (0..classes).map(|_| random.whole(1, 3) as f64).collect();
        Instance::new(&processors, &times, &tasks)
    }

    fn planned(instance: &Instance, options: &Options) -> Plan {
        let mut plan = Plan::default();
        GeneticMapping::new(options).plan(&instance.problem(), &mut plan);
        plan
    }

    /// Units of time to the last end of a plan.
    fn makespan(plan: &Plan, instance: &Instance) -> f64 {
        let problem = instance.problem();
        let ends = plan.ends(&problem).into_iter().flatten();
        ends.map(|end| (end - problem.now).as_units()).fold(0.0, f64::max)
    }

    /// The shortest makespan of all mappings.
    fn optimum(instance: &Instance) -> f64 {
        let problem = instance.problem();
        let work = Work::new(&problem);
        let (tasks, processors) = (work.tasks.len() as u32, work.processors.len());
        let mapping = |code: usize| {
            let digit = |task| (code / processors.pow(task) % processors) as u32;
            Chromosome::new(&work, (0..tasks).map(digit).collect()).makespan()
        };
        let best = (0..processors.pow(tasks)).map(mapping).min().unwrap();
        Span::from_ticks(best).as_units()
    }

    #[test]
    fn small_instances_are_solved() {
        for seed in 0..10 {
            let mut instance = random(6, 3, seed);
            instance.processors = vec![1, 1, 1];
            instance.tasks = vec![1.0, 2.0, 1.0, 1.0, 1.0, 1.0];
            let plan = planned(&instance, &Options::default());
            assert_eq!(makespan(&plan, &instance), optimum(&instance), "{seed}");
        }
    }

    #[test]
    fn plans_are_never_longer_than_those_of_min_min_and_the_same_twice() {
        for seed in 0..5 {
            let instance = random(30, 5, seed);
            let plan = planned(&instance, &Options::default());
            let mut list = Plan::default();
            MinMin::new(&Default::default()).plan(&instance.problem(), &mut list);
            assert!(makespan(&plan, &instance) <= makespan(&list, &instance), "{seed}");
            assert_eq!(plan, planned(&instance, &Options::default()));
            let last = plan.stages.last().unwrap().makespan.unwrap();
            assert!((last - makespan(&plan, &instance)).abs() < 1e-9);
            assert!(plan.stages.is_sorted_by(|one, next| one.makespan >= next.makespan));
            // Without a generation the plan is as good as that of Min-min.
            let none = planned(&instance, &Options { generations: 0, ..Options::default() });
            assert_eq!(makespan(&none, &instance), makespan(&list, &instance));
        }
    }

    #[test]
    fn every_task_stands_in_the_plan_where_it_can_run() {
        let mut instance = random(20, 4, 7);
        for class in 0..20 {
            instance.times[class][class % 4] = Span::MAX;
        }
        let plan = planned(&instance, &Options { generations: 20, ..Options::default() });
        let mut tasks = vec![0; 20];
        for lane in &plan.lanes {
            for run in &lane.runs {
                assert!(instance.times[run.class as usize][lane.site as usize] != Span::MAX);
                tasks[run.class as usize] += run.tasks * lane.processors;
            }
        }
        assert_eq!(tasks, instance.tasks.iter().map(|&one| one as u64).collect::<Vec<_>>());
    }

    /// A mapping that cannot be improved ends the search after the generations of its patience.
    #[test]
    fn the_search_ends_without_progress() {
        let instance = Instance::new(&[1, 1], &[vec![1.0, 90.0]], &[20.0]);
        let options = Options { patience: 12, ..Options::default() };
        let plan = planned(&instance, &options);
        assert_eq!((makespan(&plan, &instance), plan.stages.len()), (20.0, 12));
    }

    #[test]
    fn better_ranks_have_wider_sectors() {
        let wheel = wheel(200);
        let sector = |rank: usize| wheel[rank] - if rank > 0 { wheel[rank - 1] } else { 0.0 };
        assert!((wheel[199] - 1.0).abs() < 1e-12);
        for rank in 1..200 {
            assert!((sector(rank - 1) / sector(rank) / 1.005 - 1.0).abs() < 1e-9);
        }
    }
}
