//! Promises of every registered part, checked on random small grids: schedulers, clairvoyance
//! settings, orders of events and kinds of clusters come from the registry, so a new scheduler is
//! tested as soon as it is registered.
//!
//! A run can be stopped, saved, rebuilt and gone on with; it can be forked; it can be taken in any
//! pieces and on any number of threads: the bytes that come out are the same. And which jobs come
//! does not depend on who schedules them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::{
    Digest, PREDICTED, Size, Submissions, Variant, all_variants, below, draws, finish, kind, limit,
    random_plan, run, start,
};
use gridpact::kernel::calendar::Phase;
use gridpact::kernel::engine::Engine;
use gridpact::kernel::state::{State, open, seal};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::review::audit;
use gridpact::run::Progress;
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{Cluster, Organization, Plan, PlannedGrid, Workload, WorkloadKind};
use gridpact::sim::accounts::{Accounts, Counting};
use gridpact::sim::phase::{BALANCE, BOUNDARY, FINISH, PhaseOrder, SAMPLE, SCHEDULE, SUBMIT};
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::dealt::DrawnOwners;
use gridpact::workload::draw::Sizes;
use gridpact::workload::estimates::Estimates;
use gridpact::workload::lublin_feitelson::{LublinFeitelsonOptions, Model};
use gridpact::workload::modal::ModalOptions;
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions, Widths};

/// Random grids for each variant.
fn seeds() -> u64 {
    crate::cases(4)
}
const SIZE: Size = Size { clusters: 3, processors: 8, jobs: 40 };

type Watch = (Accounts, Digest);

fn watch(plan: &Plan) -> Watch {
    (Accounts::new(plan.organizations.len(), plan.owned(), plan.counting), Digest::default())
}

fn begin(plan: &Plan) -> Engine<PlannedGrid<Watch>> {
    start(plan, 0, watch(plan))
}

/// All that a run found: every event in its order, and the accounts.
fn found((accounts, digest): &Watch) -> (Digest, Vec<u8>) {
    let mut bytes = Vec::new();
    accounts.save(&mut bytes);
    (digest.clone(), bytes)
}

/// Results of a plan that is simply run.
fn unbroken(plan: &Plan) -> (Digest, Vec<u8>) {
    found(&run(plan, 0, watch(plan)))
}

/// An engine that has gone a random number of instants of its run.
fn halfway(plan: &Plan, seed: u64) -> Engine<PlannedGrid<Watch>> {
    let instants = below(&mut draws(seed, "halfway"), 90);
    let mut engine = begin(plan);
    for _ in 0..instants {
        if engine.upcoming().is_some_and(|(at, _)| at < limit(plan)) {
            engine.step().expect("nothing fails");
        }
    }
    engine
}

/// A random grid: lists of jobs, and a source of each kind whose jobs are drawn on the way, one of
/// them with owners that are drawn too.
fn grid(seed: u64, variant: &Variant) -> Plan {
    let mut plan = random_plan(seed, SIZE, variant);
    let name = format!("source-{}", plan.workloads.len());
    let kind = WorkloadKind::Drawn(synthetic(0.5, 2.0, 1, 20), OrganizationId(0));
    plan.workloads.push(Workload { name, kind });
    for (name, source) in [("modal", modal(12)), ("lublin", lublin(10))] {
        let kind = WorkloadKind::Drawn(source, OrganizationId(0));
        plan.workloads.push(Workload { name: name.into(), kind });
    }
    let source = synthetic(0.7, 1.5, 1, 15);
    let owners = DrawnOwners::default();
    let table = owners.table(plan.organizations.len()).expect("the default can be");
    let kind = WorkloadKind::Shared { source, owners, table };
    plan.workloads.push(Workload { name: "shared".into(), kind });
    plan
}

fn synthetic(rate: f64, mean: f64, processors: u32, jobs: u64) -> Drawn {
    let options = SyntheticOptions {
        processors: Widths::constant(processors),
        jobs: Some(jobs),
        ..SyntheticOptions::new(Arrivals::poisson(rate), Sizes::exponential(mean))
    };
    let model = SyntheticModel::new(options).expect("the parameters can be");
    Drawn::Synthetic(Arc::new(model))
}

/// Jobs with modal estimates, which are dealt before the first one comes.
fn modal(jobs: u64) -> Drawn {
    let modal = ModalOptions { max: 6000, jobs: 1000, popular: Vec::new() };
    let options = SyntheticOptions {
        estimates: Estimates::Modal(modal),
        jobs: Some(jobs),
        ..SyntheticOptions::new(Arrivals::poisson(0.4), Sizes::exponential(2.0))
    };
    Drawn::Synthetic(Arc::new(SyntheticModel::new(options).expect("the parameters can be")))
}

/// Serial jobs of the model of Lublin and Feitelson, with estimates that are drawn.
fn lublin(jobs: u64) -> Drawn {
    let options = LublinFeitelsonOptions {
        estimates: Estimates::FModel { factor: 3.0 },
        jobs: Some(jobs),
        ..LublinFeitelsonOptions::new(1)
    };
    Drawn::LublinFeitelson(Arc::new(Model::new(options).expect("the parameters can be")))
}

fn for_all(check: impl Fn(u64, &Plan)) {
    for (number, variant) in all_variants().iter().enumerate() {
        for seed in (0..seeds()).map(|seed| 100 * number as u64 + seed) {
            // Shown by the test harness where the check fails.
            println!("seed {seed}: {variant:?}");
            check(seed, &grid(seed, variant));
        }
    }
}

#[test]
fn a_saved_and_rebuilt_run_saves_the_same_bytes_and_goes_on_as_if_unbroken() {
    for_all(|seed, plan| {
        let saved = seal(&halfway(plan, seed), b"test");
        let mut rebuilt = begin(plan);
        open(&mut rebuilt, b"test", &saved).expect("it was saved by the same plan");
        assert!(seal(&rebuilt, b"test") == saved, "the loaded state is another");
        assert_eq!(found(&finish(plan, rebuilt)), unbroken(plan));
    });
}

/// An instant may be left after any wake, and be saved there.
#[test]
fn a_run_in_pieces_of_instants_is_the_same_run() {
    let open_instants = Cell::new(0);
    for_all(|seed, plan| {
        let mut draws = draws(seed, "instants");
        let mut engine = begin(plan);
        loop {
            let is_over = |at: Time| at >= limit(plan);
            if engine.is_settled() && engine.upcoming().is_none_or(|(at, _)| is_over(at)) {
                break;
            }
            engine.step_some(1 + below(&mut draws, 2)).expect("nothing fails");
            if below(&mut draws, 20) == 0 {
                open_instants.set(open_instants.get() + u32::from(!engine.is_settled()));
                let saved = seal(&engine, b"test");
                let mut rebuilt = begin(plan);
                open(&mut rebuilt, b"test", &saved).expect("it was saved by the same plan");
                assert!(seal(&rebuilt, b"test") == saved, "the loaded state is another");
                engine = rebuilt;
            }
        }
        assert_eq!(found(&finish(plan, engine)), unbroken(plan));
    });
    assert!(open_instants.get() > 100, "{} saved in the middle", open_instants.get());
}

#[test]
fn a_fork_goes_on_alike_and_disturbs_nothing() {
    for_all(|seed, plan| {
        let original = halfway(plan, seed);
        let before = seal(&original, b"test");
        let fork = original.fork();
        assert!(seal(&fork, b"test") == before, "a fork is another state");
        let expected = unbroken(plan);
        assert_eq!(found(&finish(plan, fork)), expected, "the fork");
        assert!(seal(&original, b"test") == before, "the fork disturbed the original");
        assert_eq!(found(&finish(plan, original)), expected, "the original");
    });
}

#[test]
fn a_run_in_pieces_is_the_same_run() {
    const PHASES: [Phase; 8] =
        [Phase::FIRST, FINISH, BOUNDARY, SUBMIT, BALANCE, SCHEDULE, SAMPLE, Phase(u8::MAX)];
    for_all(|seed, plan| {
        let expected = unbroken(plan);
        let mut engine = halfway(plan, seed);
        let rng = &mut draws(seed, "pieces");
        while let Some((at, _)) = engine.upcoming() {
            // To a phase of the next instant, or somewhere behind it.
            let behind = [0, 0, 1, 2_000_000, 5_000_001][below(rng, 5) as usize];
            let to = at.saturating_add(Span::from_ticks(behind));
            if to >= limit(plan) {
                break;
            }
            let phase = PHASES[below(rng, PHASES.len() as u64) as usize];
            engine.run_before((to, phase)).expect("nothing fails");
            if phase == Phase::FIRST && behind == 0 {
                engine.step().expect("nothing fails");
            }
        }
        assert_eq!(found(&finish(plan, engine)), expected);
    });
}

#[test]
fn running_to_the_end_is_stepping_to_the_end() {
    for_all(|_, plan| {
        let (mut stepped, mut ran) = (begin(plan), begin(plan));
        let mut before = Time::ZERO;
        while let Some(now) = stepped.step().expect("nothing fails") {
            assert!(before <= now, "time goes on");
            before = now;
        }
        ran.run().expect("nothing fails");
        assert_eq!(ran.now(), stepped.now());
        assert_eq!(ran.world().counts(), stepped.world().counts());
        assert_eq!(found(ran.world().observer()), found(stepped.world().observer()));
        assert!(ran.world().jobs().is_empty(), "a drained run leaves no job");
    });
}

#[test]
fn who_schedules_does_not_change_which_jobs_come() {
    let variants = all_variants();
    for seed in 0..seeds() {
        // Random grids with corrected predictions have longer jobs.
        let of = |variant: &Variant| (variant.phase_order, variant.clairvoyance == PREDICTED);
        let orders = [PhaseOrder::Instant, PhaseOrder::PerEvent, PhaseOrder::PerEventFreeWhenDue];
        for group in orders.iter().flat_map(|&order| [(order, false), (order, true)]) {
            let mut first: Option<Submissions> = None;
            for variant in variants.iter().filter(|variant| of(variant) == group) {
                let plan = grid(seed, variant);
                let came = run(&plan, 0, Submissions::default());
                assert!(first.get_or_insert_with(|| came.clone()) == &came, "{seed}: {variant:?}");
            }
        }
    }
}

/// A grid whose jobs are all drawn: two organizations that share three clusters, 20 replications
/// (more than are in memory at once).
fn drawn(variant: &Variant) -> Plan {
    let organization = |name: &str, uses: &[u32]| Organization {
        name: name.into(),
        uses: uses.iter().copied().map(ClusterId).collect(),
        ..Organization::default()
    };
    let cluster = |index: u32, processors| Cluster {
        name: format!("cluster-{index}"),
        owner: OrganizationId(index / 2),
        kind: kind(variant, processors),
        foreign: Foreign::Always,
    };
    let workload = |name: &str, index, rate, processors| Workload {
        name: name.into(),
        kind: WorkloadKind::Drawn(synthetic(rate, 3.0, processors, 60), OrganizationId(index)),
    };
    Plan {
        replications: 20,
        settings: random_plan(0, SIZE, variant).settings,
        counting: Counting::default(),
        organizations: vec![organization("physics", &[0, 1]), organization("biology", &[1, 2])],
        clusters: vec![cluster(0, 2), cluster(1, 4), cluster(2, 3)],
        workloads: vec![workload("physics", 0, 1.0, 1), workload("biology", 1, 0.7, 1)],
        ..crate::common::empty_plan()
    }
}

/// Every file of a folder but those that may differ.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("the folder is there");
    let mut contents = BTreeMap::new();
    for file in files {
        let path = file.expect("it can be listed").path();
        let name = path.file_name().expect("it is a file").to_string_lossy().into_owned();
        if name != "timing.json" && path.is_file() {
            contents.insert(name, fs::read(&path).expect("it can be read"));
        }
    }
    contents
}

#[test]
fn the_number_of_threads_changes_no_byte_and_what_is_written_passes_the_audit() {
    for variant in all_variants() {
        let plain = variant.phase_order == PhaseOrder::Instant && !variant.kill_at_estimate;
        if !plain || variant.clairvoyance != PREDICTED {
            continue;
        }
        let plan = drawn(&variant);
        let results = [1, 2, 8].map(|threads| {
            let folder = tempfile::tempdir().expect("there is room");
            gridpact::run::run(&plan, Some(folder.path()), threads, 0.0, &Progress::default())
                .expect("nothing fails");
            let audited = audit::audit(folder.path()).expect("it is a run's folder");
            assert!(audited.passed(), "{variant:?}\n{}", audited.report);
            contents(folder.path())
        });
        for name in ["jobs.csv", "summary.json", "organizations.csv", "manifest.json"] {
            assert!(results[0].contains_key(name), "{name} is missing");
        }
        for other in &results[1..] {
            assert!(other.keys().eq(results[0].keys()));
            for (name, bytes) in other {
                assert!(*bytes == results[0][name], "{name} depends on the threads: {variant:?}");
            }
        }
    }
}
