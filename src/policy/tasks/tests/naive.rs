//! List heuristics as they are defined: task by task, over all processors.

use rand::{RngExt as _, SeedableRng as _};

use super::room::Activities;
use crate::tasks::sufferage::Second;
use crate::tasks::*;
use kernel::rng::Rng;
use kernel::time::Time;

/// A heuristic with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Heuristic {
    Met(met::Options),
    Mct(mct::Options),
    Olb(olb::Options),
    MinMin(min_min::Options),
    MaxMin(max_min::Options),
    Sufferage(sufferage::Options),
    Heft(heft::Options),
}

impl Heuristic {
    /// All heuristics, with all combinations of their parameters but `storage`.
    pub fn all() -> Vec<Heuristic> {
        let mut all = vec![Heuristic::Heft(heft::Options {})];
        all.extend(Heuristic::counting(false));
        all
    }

    /// All that have the parameter `storage`, with all combinations of the others.
    pub fn counting(storage: bool) -> Vec<Heuristic> {
        let mut all = Vec::new();
        for deadline in [false, true] {
            for order in [Order::Classes, Order::Random, Order::Rounds] {
                all.push(Heuristic::Olb(olb::Options { order, deadline, storage }));
                for chooses in [Chooses::Completion, Chooses::Cost] {
                    all.push(Heuristic::Met(met::Options { order, chooses, deadline, storage }));
                    all.push(Heuristic::Mct(mct::Options { order, chooses, deadline, storage }));
                }
            }
            for chooses in [Chooses::Completion, Chooses::Cost] {
                all.push(Heuristic::MinMin(min_min::Options { chooses, deadline, storage }));
                all.push(Heuristic::MaxMin(max_min::Options { chooses, deadline, storage }));
                for second in [Second::Processor, Second::Site] {
                    let options = sufferage::Options { second, chooses, deadline, storage };
                    all.push(Heuristic::Sufferage(options));
                }
            }
        }
        all
    }

    /// True if completions count the waiting for storage and memory.
    fn storage(&self) -> bool {
        match self {
            Heuristic::Met(options) => options.storage,
            Heuristic::Mct(options) => options.storage,
            Heuristic::Olb(options) => options.storage,
            Heuristic::MinMin(options) => options.storage,
            Heuristic::MaxMin(options) => options.storage,
            Heuristic::Sufferage(options) => options.storage,
            Heuristic::Heft(_) => false,
        }
    }

    /// The plan of the planner.
    pub fn plan(&self, problem: &Problem<'_>) -> Plan {
        let mut plan = Plan::default();
        match self {
            Heuristic::Met(options) => met::Met::new(options).plan(problem, &mut plan),
            Heuristic::Mct(options) => mct::Mct::new(options).plan(problem, &mut plan),
            Heuristic::Olb(options) => olb::Olb::new(options).plan(problem, &mut plan),
            Heuristic::MinMin(options) => min_min::MinMin::new(options).plan(problem, &mut plan),
            Heuristic::MaxMin(options) => max_min::MaxMin::new(options).plan(problem, &mut plan),
            Heuristic::Sufferage(options) => {
                sufferage::Sufferage::new(options).plan(problem, &mut plan);
            }
            Heuristic::Heft(options) => heft::Heft::new(options).plan(problem, &mut plan),
        }
        plan
    }
}

/// Site, class and start of a task.
pub(super) type Started = (usize, usize, i64);

/// A processor and what it does.
struct Processor {
    site: usize,
    from: Time,
    free: i64,
    tasks: Vec<usize>,
}

/// A choice of a processor for a task.
#[derive(Clone, Copy, Debug)]
struct Choice {
    processor: usize,
    site: usize,
    free: i64,
    start: i64,
    end: i64,
    time: i64,
    cost: i128,
    late: bool,
}

struct Naive<'p> {
    problem: &'p Problem<'p>,
    processors: Vec<Processor>,
    left: Vec<u64>,
    end: Vec<i64>,
    /// Activities by site; none if tasks do not wait for room.
    activities: Vec<Activities>,
    started: Vec<Started>,
}

/// Time of a task at a site, if it can run there.
pub(super) fn time(problem: &Problem<'_>, class: usize, site: usize) -> Option<i64> {
    let (task, place) = (&problem.classes[class], &problem.sites[site]);
    let fits = task.needs[0] <= place.limits[0] && task.needs[1] <= place.limits[1];
    let has_processors = place.free.iter().any(|free| free.processors > 0);
    task.time(site).filter(|_| fits && has_processors).map(|span| span.ticks())
}

/// Tasks of a class, unless it can run nowhere.
pub(super) fn tasks(problem: &Problem<'_>, class: usize) -> u64 {
    let runs = (0..problem.sites.len()).any(|site| time(problem, class, site).is_some());
    if runs { problem.classes[class].whole() } else { 0 }
}

impl Naive<'_> {
    /// True if all tasks of a class are assigned.
    fn is_assigned(&self, class: usize) -> bool {
        self.left[class] == 0 && self.may_start(class)
    }

    fn may_start(&self, class: usize) -> bool {
        let mut after = self.problem.classes[class].after.iter();
        after.all(|&before| self.is_assigned(before as usize))
    }

    fn release(&self, class: usize) -> i64 {
        let after = self.problem.classes[class].after.iter().map(|&before| before as usize);
        let ends = after.map(|before| match tasks(self.problem, before) {
            0 => self.release(before),
            _ => self.end[before],
        });
        ends.max()
            .unwrap_or(0)
            .max(self.problem.classes[class].ready.ticks())
            .max(self.problem.now.ticks())
    }

    fn eligible(&self) -> Vec<usize> {
        let classes = 0..self.left.len();
        classes.filter(|&class| self.left[class] > 0 && self.may_start(class)).collect()
    }

    /// The processors that a task may choose, with or without a deadline.
    fn choices(&self, class: usize, deadline: bool) -> Vec<Choice> {
        let limit =
            self.problem.applications[self.problem.classes[class].application as usize].deadline;
        let release = self.release(class);
        let mut all: Vec<Choice> = Vec::new();
        for (processor, state) in self.processors.iter().enumerate() {
            if let Some(time) = time(self.problem, class, state.site) {
                let base = state.free.max(release);
                let needs = &self.problem.classes[class].needs;
                let start =
                    self.activities.get(state.site).map_or(base, |site| site.start(needs, base));
                let end = start + time;
                let cost = i128::from(self.problem.sites[state.site].price) * i128::from(time);
                let late = deadline && end > limit.ticks();
                let (site, free) = (state.site, state.free);
                all.push(Choice { processor, site, free, start, end, time, cost, late });
            }
        }
        if all.iter().any(|choice| !choice.late) {
            all.retain(|choice| !choice.late);
        }
        all
    }

    fn assign(&mut self, class: usize, choice: Choice) {
        self.processors[choice.processor].tasks.push(class);
        if let Some(site) = self.activities.get_mut(choice.site) {
            site.add(&self.problem.classes[class].needs, choice.start, choice.end);
        }
        self.started.push((choice.site, class, choice.start));
        self.processors[choice.processor].free = choice.end;
        self.left[class] -= 1;
        self.end[class] = self.end[class].max(choice.end);
    }

    fn value(chooses: Chooses, choice: &Choice) -> i128 {
        if chooses == Chooses::Cost { choice.cost } else { i128::from(choice.end) }
    }

    /// The order in which a task prefers processors.
    fn key(chooses: Chooses, choice: &Choice) -> (i128, i64, usize, i64, usize) {
        let &Choice { processor, site, free, end, late, .. } = choice;
        let value = if late { i128::from(end) } else { Self::value(chooses, choice) };
        (value, end, site, free, processor)
    }

    fn turns(
        &mut self,
        order: Order,
        deadline: bool,
        key: impl Fn(&Choice) -> (i128, i64, usize, i64, usize),
    ) {
        let mut rng = Rng::seed_from_u64(self.problem.seed);
        let mut last: Option<usize> = None;
        loop {
            let eligible = self.eligible();
            let Some(&lowest) = eligible.first() else { return };
            let class = match order {
                Order::Classes => lowest,
                Order::Rounds => {
                    let next =
                        eligible.iter().find(|&&class| last.is_some_and(|last| class > last));
                    next.copied().unwrap_or(lowest)
                }
                Order::Random if eligible.len() == 1 => lowest,
                Order::Random => {
                    let left: u64 = eligible.iter().map(|&class| self.left[class]).sum();
                    let drawn = rng.random_range(0..left);
                    let bag = eligible
                        .iter()
                        .flat_map(|&class| std::iter::repeat_n(class, self.left[class] as usize));
                    { bag }.nth(drawn as usize).unwrap()
                }
            };
            last = Some(class);
            let late = |choice: &Choice| {
                let &Choice { end, site, free, processor, .. } = choice;
                (i128::from(end), end, site, free, processor)
            };
            let choices = self.choices(class, deadline);
            let best = choices.iter().min_by_key(|one| if one.late { late(one) } else { key(one) });
            self.assign(class, *best.unwrap());
        }
    }

    /// Assigns one task after the other. Given the choices of each class, the best first, `select`
    /// returns the number that is least for the class that is next.
    fn steps<K: Ord>(
        &mut self,
        chooses: Chooses,
        deadline: bool,
        select: impl Fn(usize, &[Choice]) -> K,
    ) {
        loop {
            let mut next: Option<(K, usize, Choice)> = None;
            for class in self.eligible() {
                let mut choices = self.choices(class, deadline);
                choices.sort_by_key(|choice| Self::key(chooses, choice));
                let key = select(class, &choices);
                if next.as_ref().is_none_or(|(least, ..)| key < *least) {
                    next = Some((key, class, choices[0]));
                }
            }
            let Some((_, class, choice)) = next else { return };
            self.assign(class, choice);
        }
    }
}

/// The plan by definition, with a lane for each processor that gets a task.
pub(super) fn plan(problem: &Problem<'_>, heuristic: &Heuristic) -> Plan {
    schedule(problem, heuristic).0
}

/// The plan, with site, class and start of every task.
pub(super) fn schedule(problem: &Problem<'_>, heuristic: &Heuristic) -> (Plan, Vec<Started>) {
    let now = problem.now.ticks();
    let mut processors = Vec::new();
    for (site, place) in problem.sites.iter().enumerate() {
        for free in &place.free {
            for _ in 0..free.processors {
                let from = free.at;
                processors.push(Processor {
                    site,
                    from,
                    free: from.ticks().max(now),
                    tasks: vec![],
                });
            }
        }
    }
    let classes = problem.classes.len();
    let left = (0..classes).map(|class| tasks(problem, class)).collect();
    let sites = if heuristic.storage() { problem.sites.len() } else { 0 };
    let activities = (0..sites).map(|site| Activities::new(problem, site)).collect();
    let end = vec![now; classes];
    let mut naive = Naive { problem, processors, left, end, activities, started: Vec::new() };
    match heuristic {
        Heuristic::Met(options) => naive.turns(options.order, options.deadline, |choice| {
            let cost = if options.chooses == Chooses::Cost { choice.cost } else { 0 };
            (cost, choice.time, choice.site, choice.free, choice.processor)
        }),
        Heuristic::Mct(options) => naive.turns(options.order, options.deadline, |choice| {
            let cost = if options.chooses == Chooses::Cost { choice.cost } else { 0 };
            (cost, choice.end, choice.site, choice.free, choice.processor)
        }),
        Heuristic::Olb(options) => naive.turns(options.order, options.deadline, |choice| {
            (0, choice.free, choice.site, 0, choice.processor)
        }),
        Heuristic::MinMin(options) => {
            let chooses = options.chooses;
            naive.steps(chooses, options.deadline, |class, choices| {
                (Naive::value(chooses, &choices[0]), choices[0].end, class)
            });
        }
        Heuristic::MaxMin(options) => {
            let chooses = options.chooses;
            naive.steps(chooses, options.deadline, |class, choices| {
                (-Naive::value(chooses, &choices[0]), class)
            });
        }
        Heuristic::Sufferage(options) => {
            let chooses = options.chooses;
            naive.steps(chooses, options.deadline, |class, choices| {
                let mut others = choices[1..].iter().filter(|choice| {
                    options.second == Second::Processor || choice.site != choices[0].site
                });
                let value = |choice: &Choice| Naive::value(chooses, choice);
                let loss = others.next().map(|second| value(second) - value(&choices[0]));
                (-loss.unwrap_or(i128::MAX), class)
            });
        }
        Heuristic::Heft(_) => naive.heft(),
    }
    let mut plan = Plan::default();
    for processor in naive.processors.iter().filter(|processor| !processor.tasks.is_empty()) {
        let runs = processor
            .tasks
            .chunk_by(|one, other| one == other)
            .map(|run| Run { class: problem.classes[run[0]].number, tasks: run.len() as u64 });
        plan.lanes.push(Lane {
            site: processor.site as u32,
            from: processor.from,
            processors: 1,
            runs: runs.collect(),
        });
    }
    (plan, naive.started)
}

impl Naive<'_> {
    /// Upward rank, times the least common multiple of up to six numbers of sites.
    fn rank(&self, class: usize) -> i64 {
        let times: Vec<i64> = (0..self.problem.sites.len())
            .filter_map(|site| time(self.problem, class, site))
            .collect();
        let mean = times.iter().sum::<i64>() * 60 / times.len().max(1) as i64;
        let waits = |&other: &usize| self.problem.classes[other].after.contains(&(class as u32));
        let behind = (0..self.left.len()).filter(waits).map(|other| self.rank(other));
        mean + behind.max().unwrap_or(0)
    }

    fn heft(&mut self) {
        let mut order: Vec<usize> = (0..self.left.len()).collect();
        order.sort_by_key(|&class| (-self.rank(class), class));
        for class in order {
            while self.left[class] > 0 {
                let choices = self.choices(class, false);
                let key = |choice: &&Choice| Self::key(Chooses::Completion, choice);
                let best = *choices.iter().min_by_key(key).unwrap();
                self.assign(class, best);
            }
        }
    }
}
