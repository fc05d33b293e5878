//! Genetic algorithm for independent tasks on single machines, an oracle of this study: Braun et al.,
//! JPDC 61(6), 2001, section 3.
//!
//! A chromosome maps each task to a machine. The population begins with the mapping of Min-min and
//! random ones. A generation selects by rank on a roulette wheel, crosses pairs at a single point, and
//! mutates. The best chromosome always survives.
//!
//! Loads of machines are whole ticks and follow each change, so a schedule is never summed anew.
//! Evaluations are counted as if it were, one for each chromosome of a generation.

use kernel::rng::Rng;
use workload::draw::{below, fraction};

/// Chromosomes of a population.
const POPULATION: usize = 200;
/// Most generations.
const GENERATIONS: u64 = 1000;
/// The search ends after so many generations without a better elite.
const PATIENCE: u64 = 150;
/// Probability that a chromosome is crossed with another one.
const CROSSOVER: f64 = 0.6;
/// Probability that a task of a chromosome moves to a random machine.
const MUTATION: f64 = 0.4;

/// Times of tasks on machines, in ticks.
#[derive(Clone, Debug)]
pub(super) struct Times {
    machines: usize,
    /// By task and machine.
    ticks: Vec<i64>,
}

impl Times {
    /// Times by task and machine.
    ///
    /// # Panics If there is no machine, or a row is incomplete.
    pub(super) fn new(machines: usize, ticks: Vec<i64>) -> Times {
        assert!(machines > 0 && ticks.len().is_multiple_of(machines), "rows are whole");
        Times { machines, ticks }
    }

    pub(super) fn tasks(&self) -> usize {
        self.ticks.len() / self.machines
    }

    pub(super) fn machines(&self) -> usize {
        self.machines
    }

    /// Ticks to the last end of a mapping.
    pub(super) fn makespan(&self, machines: &[u16]) -> i64 {
        Chromosome::new(self, machines.to_vec()).makespan()
    }

    fn of(&self, task: usize, machine: u16) -> i64 {
        self.ticks[task * self.machines + usize::from(machine)]
    }
}

/// A mapping of tasks to machines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chromosome {
    machines: Vec<u16>,
    /// Ticks of work of each machine.
    loads: Vec<i64>,
}

impl Chromosome {
    fn new(times: &Times, machines: Vec<u16>) -> Chromosome {
        let mut loads = vec![0; times.machines];
        for (task, &machine) in machines.iter().enumerate() {
            loads[usize::from(machine)] += times.of(task, machine);
        }
        Chromosome { machines, loads }
    }

    fn copy(&mut self, other: &Chromosome) {
        self.machines.copy_from_slice(&other.machines);
        self.loads.copy_from_slice(&other.loads);
    }

    fn makespan(&self) -> i64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// Moves a task, and the loads with it.
    fn assign(&mut self, times: &Times, task: usize, machine: u16) {
        let before = std::mem::replace(&mut self.machines[task], machine);
        self.loads[usize::from(before)] -= times.of(task, before);
        self.loads[usize::from(machine)] += times.of(task, machine);
    }
}

/// The best mapping of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Machine of each task.
    pub(super) machines: Vec<u16>,
    /// Ticks to the last end.
    pub(super) makespan: i64,
    /// Generations after the first population.
    pub(super) generations: u64,
    /// Schedules evaluated.
    pub(super) evaluations: u64,
}

/// Searches from a mapping; the result is never longer.
pub(super) fn search(times: &Times, seed: &[u16], rng: &mut Rng) -> Found {
    let random = |rng: &mut Rng| below(rng, times.machines as u64) as u16;
    let mut population = vec![Chromosome::new(times, seed.to_vec())];
    while population.len() < POPULATION {
        let machines = seed.iter().map(|_| random(rng)).collect();
        population.push(Chromosome::new(times, machines));
    }
    let wheel = wheel();
    let mut next = population.clone();
    let mut elite = population[0].makespan();
    let (mut generations, mut last_better) = (0, 0);
    while generations < GENERATIONS && generations - last_better < PATIENCE {
        generations += 1;
        select(&population, &wheel, &mut next, rng);
        cross(times, &mut next[1..], rng);
        for one in &mut next[1..] {
            if fraction(rng) < MUTATION && !seed.is_empty() {
                let task = below(rng, seed.len() as u64) as usize;
                one.assign(times, task, random(rng));
            }
        }
        std::mem::swap(&mut population, &mut next);
        let best = population.iter().map(Chromosome::makespan).min().unwrap_or(0);
        if best < elite {
            (elite, last_better) = (best, generations);
        }
        if population.iter().all(|one| one.machines == population[0].machines) {
            break;
        }
    }
    let best = population.iter().min_by_key(|one| one.makespan());
    Found {
        machines: best.map_or_else(Vec::new, |one| one.machines.clone()),
        makespan: elite,
        generations,
        evaluations: (generations + 1) * POPULATION as u64,
    }
}

/// Upper ends of the sectors of the ranks on a wheel of 1, the best rank first. A sector is 1 + 1/P
/// times as wide as the next one, so the best of P chromosomes has about e times the sector of the
/// worst.
fn wheel() -> Vec<f64> {
    let ratio = 1.0 / (1.0 + 1.0 / POPULATION as f64);
    let mut ends = Vec::with_capacity(POPULATION);
    let (mut sector, mut end) = (1.0, 0.0);
    for _ in 0..POPULATION {
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
        let drawn = fraction(rng);
        let rank = wheel.partition_point(|end| *end <= drawn).min(ranks.len() - 1);
        one.copy(&population[ranks[rank].1]);
    }
}

/// Crosses chromosomes with random others: both swap all tasks from a random point on.
fn cross(times: &Times, chromosomes: &mut [Chromosome], rng: &mut Rng) {
    let tasks = times.tasks();
    if tasks < 2 || chromosomes.len() < 2 {
        return;
    }
    for first in 0..chromosomes.len() {
        if fraction(rng) >= CROSSOVER {
            continue;
        }
        let other = below(rng, chromosomes.len() as u64 - 1) as usize;
        let other = if other < first { other } else { other + 1 };
        let point = 1 + below(rng, tasks as u64 - 1) as usize;
        let Ok([one, other]) = chromosomes.get_disjoint_mut([first, other]) else { continue };
        for task in point..tasks {
            let (own, its) = (one.machines[task], other.machines[task]);
            if own != its {
                one.assign(times, task, its);
                other.assign(times, task, own);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    fn random(tasks: usize, machines: usize, rng: &mut Rng) -> Times {
        let ticks = (0..tasks * machines).map(|_| 1 + below(rng, 50) as i64).collect();
        Times::new(machines, ticks)
    }

    /// The shortest makespan of all mappings.
    fn optimum(times: &Times) -> i64 {
        let (tasks, machines) = (times.tasks(), times.machines());
        let all = machines.pow(tasks as u32);
        let digit = |code: usize, task: usize| (code / machines.pow(task as u32) % machines) as u16;
        let mapping = |code| (0..tasks).map(|task| digit(code, task)).collect::<Vec<u16>>();
        (0..all).map(|code| times.makespan(&mapping(code))).min().unwrap()
    }

    #[test]
    fn small_instances_are_solved_from_any_seed() {
        for seed in 0..10 {
            let rng = &mut Streams::new(seed).stream("genetic");
            let times = random(7, 3, rng);
            let found = search(&times, &[0; 7], rng);
            assert_eq!(found.makespan, optimum(&times), "{seed}");
            assert_eq!(times.makespan(&found.machines), found.makespan);
        }
    }

    #[test]
    fn the_result_is_never_longer_than_the_seed_and_the_same_twice() {
        for seed in 0..3 {
            let mut rng = Streams::new(seed).stream("genetic");
            let times = random(60, 6, &mut rng);
            let best = |task: usize| (0..6).min_by_key(|&machine| times.of(task, machine)).unwrap();
            let mapping: Vec<u16> = (0..60).map(best).collect();
            let mut again = rng.clone();
            let found = search(&times, &mapping, &mut rng);
            assert!(found.makespan <= times.makespan(&mapping));
            assert_eq!(found, search(&times, &mapping, &mut again));
            assert_eq!(found.evaluations, 200 * (found.generations + 1));
        }
    }

    /// A mapping that cannot be improved ends the search after the generations of its patience.
    #[test]
    fn the_search_ends_without_progress() {
        let times = Times::new(2, [1, 90].repeat(20));
        let all_at_first = vec![0; 20];
        let found = search(&times, &all_at_first, &mut Streams::new(1).stream("genetic"));
        assert_eq!((found.makespan, found.generations), (20, PATIENCE));
    }

    #[test]
    fn better_ranks_have_wider_sectors() {
        let wheel = wheel();
        let sector = |rank: usize| wheel[rank] - if rank > 0 { wheel[rank - 1] } else { 0.0 };
        assert!((wheel[POPULATION - 1] - 1.0).abs() < 1e-12);
        let ratio = 1.0 + 1.0 / POPULATION as f64;
        for rank in 1..POPULATION {
            assert!((sector(rank - 1) / sector(rank) / ratio - 1.0).abs() < 1e-9);
        }
    }
}
