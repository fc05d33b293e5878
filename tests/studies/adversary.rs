//! The search for bad instances, on Grid Over-Time-Submission and the exact optimum.

use std::ops::ControlFlow;

use gridpact::bounds::instance::{Instance, Task};
use gridpact::bounds::optimum::optimum;
use gridpact::kernel::time::{Span, Time};
use gridpact::policy::grid::GridOptions;
use gridpact::run::instance::makespan;
use gridpact_studies::adversary::{BadInstance, Progress, Settings, search, simplify};

/// Nodes that no instance below needs.
const ENOUGH: u64 = 1_000_000;

fn over_time(instance: &Instance) -> Time {
    makespan(&GridOptions::GridSubmission(Default::default()), instance)
}

fn proved(instance: &Instance) -> Option<Time> {
    let found = optimum(instance, ENOUGH).expect("every job fits on a cluster");
    Some(found.makespan.proved().expect("within the limit of nodes"))
}

fn run(settings: &Settings) -> Progress {
    search(settings, &over_time, &proved, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn small() -> Settings {
    Settings {
        jobs: 5,
        most_processors: 8,
        most_length: 4,
        restarts: 6,
        evaluations: 6000,
        ..Settings::default()
    }
}

fn task(processors: u32, length: Span, release: i64) -> Task {
    Task { processors, length, release: Time::ZERO + Span::units(release) }
}

#[test]
fn optimum_by_trial_is_that_of_a_known_instance() {
    let unit = Span::UNIT;
    // Side by side on the larger cluster, and the whole cluster after that.
    let tasks = vec![task(2, unit, 0), task(4, unit, 0), task(2, unit, 0), task(1, unit * 2, 1)];
    let instance = Instance { clusters: vec![1, 4], tasks };
    assert_eq!(by_trial(&instance), Time::ZERO + Span::units(3));
}

#[test]
fn bad_instances_are_found_and_their_ratio_is_right() {
    for releases in [false, true] {
        let progress = run(&Settings { releases, ..small() });
        let best = progress.best.unwrap();
        assert_eq!(over_time(&best.instance), best.makespan);
        assert_eq!(by_trial(&best.instance), best.optimum);
        assert!(best.ratio() > 1.7, "{best:?}");
        assert_eq!(progress.evaluations, 6000);
        assert!(progress.solved < progress.evaluations);
    }
}

#[test]
fn result_does_not_depend_on_the_number_of_threads() {
    let settings = Settings { evaluations: 3000, releases: true, ..small() };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&settings))
    };
    assert_eq!(with(1), with(3));
    let other = run(&Settings { seed: 2, ..settings });
    assert_ne!(with(2).best, other.best);
}

#[test]
fn progress_ends_the_search() {
    let mut calls = 0;
    let stop = &mut |progress: &Progress| {
        calls += 1;
        if progress.evaluations >= 3000 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let progress = search(&small(), &over_time, &proved, stop).unwrap();
    assert_eq!((calls, progress.evaluations), (2, 3000));
}

#[test]
fn nothing_is_found_if_no_optimum_is_proved() {
    let progress = search(&small(), &over_time, &|_| None, &mut |_| ControlFlow::Continue(()));
    let progress = progress.unwrap();
    assert_eq!((progress.best, progress.unproved), (None, progress.solved));
}

#[test]
fn simple_instances_keep_their_ratio() {
    // The tiny job adds to the makespan of a scheduler that runs all jobs in turn.
    let tasks =
        vec![task(1, Span::units(2), 0), task(2, Span::units(2), 0), task(1, Span::TICK, 0)];
    let instance = Instance { clusters: vec![1, 2], tasks };
    let makespan =
        |instance: &Instance| instance.tasks.iter().fold(Time::ZERO, |end, task| end + task.length);
    let optimum = by_trial(&instance);
    let found = BadInstance { makespan: makespan(&instance), optimum, instance };
    let simple = simplify(&found, &makespan, &proved);
    assert!(!found.is_worse_than(&simple));
    assert!(
        simple.instance.tasks.iter().all(|task| task.length.ticks() % 1_000_000 == 0),
        "{simple:?}"
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    let error = |settings: Settings| {
        search(&settings, &over_time, &proved, &mut |_| ControlFlow::Continue(())).unwrap_err()
    };
    assert_eq!(
        error(Settings { clusters: 0, ..small() }),
        "clusters is 0; it must be between 1 and 1000"
    );
    assert!(error(Settings { tiny: Span::units(2), ..small() }).starts_with("tiny, in ticks, is"));
}

/// Returns the smallest makespan, by trying every order of starts. For up to seven jobs or so.
fn by_trial(instance: &Instance) -> Time {
    let mut trial = Trial {
        instance,
        placed: Vec::new(),
        best: instance.tasks.iter().fold(Time::ZERO, |end, task| end.max(task.release))
            + instance.tasks.iter().map(|task| task.length).sum::<Span>(),
    };
    trial.place_next(&mut (0..instance.tasks.len()).collect(), Time::ZERO);
    trial.best
}

struct Trial<'a> {
    instance: &'a Instance,
    /// Cluster, end and processors of the jobs placed.
    placed: Vec<(usize, Time, u32)>,
    best: Time,
}

impl Trial<'_> {
    /// Places one more job, not before the one placed last, which started at `last`.
    fn place_next(&mut self, left: &mut Vec<usize>, last: Time) {
        if left.is_empty() {
            let end = self.placed.iter().map(|place| place.1).max();
            self.best = self.best.min(end.unwrap_or(Time::ZERO));
        }
        for at in 0..left.len() {
            let job = left.remove(at);
            let task = self.instance.tasks[job];
            for cluster in 0..self.instance.clusters.len() {
                let Some(start) = self.earliest(cluster, task.processors, last.max(task.release))
                else {
                    continue;
                };
                if start + task.length < self.best {
                    self.placed.push((cluster, start + task.length, task.processors));
                    self.place_next(left, start);
                    self.placed.pop();
                }
            }
            left.insert(at, job);
        }
    }

    /// Returns the earliest time from `from` on when the processors are idle. No job placed starts
    /// later than `from`.
    fn earliest(&self, cluster: usize, processors: u32, from: Time) -> Option<Time> {
        let here = || self.placed.iter().filter(|place| place.0 == cluster);
        let fits = |&time: &Time| {
            let used: u32 = here().filter(|place| place.1 > time).map(|place| place.2).sum();
            used + processors <= self.instance.clusters[cluster]
        };
        let ends = here().map(|place| place.1).filter(|&end| end > from);
        std::iter::once(from).chain(ends).filter(fits).min()
    }
}
