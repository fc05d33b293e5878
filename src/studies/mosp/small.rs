//! Random small instances against what the paper proves: few lengths, many jobs of a whole cluster
//! or just more than half of one, and most of them of one owner, so that thresholds are met.

use serde::Deserialize;

use super::cases::{ilba, least, molba, played};
use super::laws::{self, Size};
use super::letter;
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use bounds::instance::{Instance, Placement, Task};
use bounds::promise::Owned;
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use policy::plan::{self, Planner as _, PlannerOptions, Plans, Problem, Start, WithoutJobs};
use run::instance::{placements, problem};
use workload::draw::below;

/// Instances for each sample that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Times {
    pub(super) times: u32,
}

/// Random instances of 1 to 6 clusters: how often each statement is broken.
pub(super) fn theorems(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    asked.each(times, |sample| Ok(found(&instance(asked.seed, sample))))
}

/// High jobs alone, own ones first.
pub(super) fn all_high(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    asked.each(times, |sample| {
        let owned = high(asked.seed, sample);
        let play = |options| played(options, &owned, WithoutJobs::Kept).played;
        let ours = play(PlannerOptions::OwnFirst(Default::default()));
        let local = play(PlannerOptions::Local(Default::default()));
        let size = Size::of(&owned, false);
        let clusters = owned.of_cluster.len() as i128;
        let mut all = vec![("later", laws::later(&owned, &ours.schedule, &local.schedule) as f64)];
        if let Some(least) = least(&owned.instance) {
            let [ours, best] = [ours.makespan, least].map(|time| i128::from(time.ticks()));
            let is_above = ours * clusters > (2 * clusters - 1) * best;
            all.extend([
                ("above", f64::from(u8::from(is_above))),
                ("ratio", ours as f64 / best as f64),
                ("bound above", f64::from(u8::from(size.bound() > size.scaled(least)))),
            ]);
        }
        Ok(all)
    })
}

/// An instance of equal clusters, one for each organization; a job is its owner, length and width.
pub(super) fn owned(organizations: u32, processors: u32, jobs: &[(u32, i64, u32)]) -> Owned {
    let task = |&(_, length, processors): &(u32, i64, u32)| Task {
        processors,
        length: Span::units(length),
        release: Time::ZERO,
    };
    Owned {
        instance: Instance {
            clusters: vec![processors; organizations as usize],
            tasks: jobs.iter().map(task).collect(),
        },
        of_cluster: (0..organizations).collect(),
        of_task: jobs.iter().map(|job| job.0).collect(),
    }
}

/// An instance of 1 to 6 equal clusters of 2 to 8 processors, with 1 to 14 jobs.
fn instance(seed: u64, sample: u64) -> Owned {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("small");
    let organizations = 1 + below(rng, 6) as u32;
    let processors = 2 + below(rng, 7) as u32;
    let kind = below(rng, 3);
    let jobs: Vec<(u32, i64, u32)> = (0..1 + below(rng, 14))
        .map(|_| {
            let owner = match kind {
                0 => 0,
                1 => below(rng, 3) * below(rng, u64::from(organizations)) / 2,
                _ => below(rng, u64::from(organizations)),
            };
            let (length, width) = length_and_width(rng, processors, false);
            (owner as u32, length, width)
        })
        .collect();
    owned(organizations, processors, &jobs)
}

fn length_and_width(rng: &mut Rng, processors: u32, is_high: bool) -> (i64, u32) {
    let length = match below(rng, 4) {
        0 => 1 + below(rng, 50),
        _ => 1 + below(rng, 6),
    };
    let half = processors / 2 + 1;
    let width = match below(rng, 4) {
        0 => processors,
        1 => half,
        _ if is_high => half + below(rng, u64::from(processors - half + 1)) as u32,
        _ => 1 + below(rng, processors.into()) as u32,
    };
    (length as i64, width)
}

/// An instance of one cluster.
pub(super) fn one_cluster(seed: u64, sample: u64) -> Owned {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("one cluster");
    let processors = 2 + below(rng, 11) as u32;
    let jobs: Vec<(u32, i64, u32)> = (0..3 + below(rng, 7))
        .map(|_| {
            let (length, width) = length_and_width(rng, processors, false);
            (0, length, width)
        })
        .collect();
    owned(1, processors, &jobs)
}

/// An instance of 4 to 9 jobs of 2 or 3 owners, which can be solved.
pub(super) fn few(seed: u64, sample: u64) -> Owned {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("few");
    let organizations = 2 + below(rng, 2) as u32;
    let processors = 2 + below(rng, 4) as u32;
    let jobs: Vec<(u32, i64, u32)> = (0..4 + below(rng, 6))
        .map(|_| {
            let owner = below(rng, organizations.into()) as u32;
            (owner, 1 + below(rng, 6) as i64, 1 + below(rng, processors.into()) as u32)
        })
        .collect();
    owned(organizations, processors, &jobs)
}

/// An instance of high jobs alone.
fn high(seed: u64, sample: u64) -> Owned {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("high");
    let organizations = 1 + below(rng, 4) as u32;
    let processors = 2 + below(rng, 7) as u32;
    let jobs: Vec<(u32, i64, u32)> = (0..2 + below(rng, 8))
        .map(|_| {
            let (length, width) = length_and_width(rng, processors, true);
            (below(rng, organizations.into()) as u32, length, width)
        })
        .collect();
    owned(organizations, processors, &jobs)
}

/// The plan of a planner.
pub(super) fn planned(planner: &PlannerOptions, problem: &Problem) -> Vec<Placement> {
    let mut plans = Plans::default();
    planner.build().plan(problem, &mut plans);
    placements(plans.steps(0))
}

/// Violations of what is proved on one instance, and the scores of MOLBA(2) and MOLBA(3).
fn found(owned: &Owned) -> Vec<(&'static str, f64)> {
    let problem = problem(owned, WithoutJobs::Kept);
    let size = Size::of(owned, false);
    let made = |options: PlannerOptions| planned(&options, &problem);
    let local = made(PlannerOptions::Local(Default::default()));
    let [two, three] = [molba(2), molba(3)].map(made);
    let from = |alpha| Start::Molba(plan::molba::Options { alpha });
    let bases = [from(2), from(3), Start::Local(Default::default())];
    let better = bases.map(|base| made(ilba(base)));
    let bases = [&two, &three, &local];
    let all = [&local, &two, &three].into_iter().chain(&better);
    let [score_2, score_3] = [&two, &three].map(|one| laws::makespan(owned, one));
    let meta = made(PlannerOptions::Meta(Default::default()));
    let infeasible = all.clone().filter(|one| owned.instance.makespan(one).is_err()).count();
    let later: u64 = all.map(|one| laws::later(owned, one, &local)).sum();
    let broken = laws::broken(owned, &size, false, &local, &two);
    let delayed = [0, 1, 2].map(|index| laws::delayed(&better[index], bases[index]) as f64);
    let is = |is: bool| f64::from(u8::from(is));
    vec![
        ("infeasible", infeasible as f64),
        ("later", later as f64),
        ("moves", is(two != local)),
        ("proposition 1", is(broken.proposition_1)),
        ("stays", is(broken.stays)),
        ("lemma 1", is(broken.lemma_1)),
        ("lemma 1, in all", is(broken.lemma_1_in_all)),
        ("lemma 2", is(broken.lemma_2)),
        ("proposition 3", is(broken.proposition_3)),
        ("MOLBA(2) above 3", is(size.scaled(score_2) > 3 * size.bound())),
        ("MOLBA(3) above 4", is(size.scaled(score_3) > 4 * size.bound())),
        ("MOLBA(2) differs", is(two != letter::molba(owned, &size, 2, &local))),
        ("MOLBA(3) differs", is(three != letter::molba(owned, &size, 3, &local))),
        ("ILBA differs", is(better[0] != letter::ilba(owned, &two))),
        ("delayed from MOLBA(2)", delayed[0]),
        ("delayed from MOLBA(3)", delayed[1]),
        ("delayed from local", delayed[2]),
        ("falls back", is(meta != two)),
        ("score of MOLBA(2)", size.score(score_2)),
        ("score of MOLBA(3)", size.score(score_3)),
    ]
}
