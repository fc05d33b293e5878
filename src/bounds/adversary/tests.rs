use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::draw::Draw;
use super::moves::change;
use super::*;
use crate::bounds::instance::Task;
use crate::bounds::literal::{self, Rule};

fn over_time(instance: &Instance) -> Time {
    literal::makespan(instance, Rule::OverTime)
}

fn proved(instance: &Instance) -> Option<Time> {
    Some(literal::optimum(instance))
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
    assert_eq!(literal::optimum(&instance), Time::ZERO + Span::units(3));
}

#[test]
fn bad_instances_are_found_and_their_ratio_is_right() {
    for releases in [false, true] {
        let progress = run(&Settings { releases, ..small() });
        let best = progress.best.unwrap();
        assert_eq!(over_time(&best.instance), best.makespan);
        assert_eq!(literal::optimum(&best.instance), best.optimum);
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
fn changes_keep_the_limits() {
    let one = Settings { jobs: 1, most_processors: 1, most_length: 1, ..small() };
    let all = [small(), Settings { releases: true, clusters: 3, jobs: 9, ..small() }, one];
    for settings in &all {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut draw = Draw { settings, rng: &mut rng };
        let mut instance = draw.instance();
        for _ in 0..5000 {
            let Instance { clusters, tasks } = &instance;
            assert_eq!(clusters.len(), settings.clusters);
            assert!(clusters.is_sorted());
            assert!(clusters.iter().all(|m| (1..=settings.most_processors).contains(m)));
            assert!((1..=settings.jobs).contains(&tasks.len()));
            assert!(tasks.is_sorted_by_key(|task| task.release));
            let most = Span::units(settings.most_length.into());
            for task in tasks {
                assert!((1..=clusters[clusters.len() - 1]).contains(&task.processors));
                assert!((settings.tiny..=most).contains(&task.length));
                let latest = if settings.releases { most } else { Span::ZERO };
                assert!((Span::ZERO..=latest).contains(&(task.release - Time::ZERO)));
            }
            instance = change(&mut draw, &instance);
        }
    }
}

#[test]
fn simple_instances_keep_their_ratio() {
    // The tiny job adds to the makespan of a scheduler that runs all jobs in turn.
    let tasks =
        vec![task(1, Span::units(2), 0), task(2, Span::units(2), 0), task(1, Span::TICK, 0)];
    let instance = Instance { clusters: vec![1, 2], tasks };
    let makespan =
        |instance: &Instance| instance.tasks.iter().fold(Time::ZERO, |end, task| end + task.length);
    let optimum = literal::optimum(&instance);
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
