//! Beyond the experiments: other orders of balancing, clusters of several sizes, and optima under a relaxed
//! constraint.

use super::cases::{Algorithm, NODES, each, ilba, is_broken, least, means, played};
use super::instances::{LENGTHS, points};
use super::laws::{self, Size};
use super::small::{self, Times, owned};
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use bounds::instance::Placement;
use bounds::promise::{Owned, optimum_under_promise};
use game::fairness::jain;
use kernel::rng::Streams;
use kernel::time::Time;
use policy::plan::{PlannerOptions, Start, WithoutJobs, heaviest_first, pairwise, relaxed};
use workload::dealt::DrawnOwners;
use workload::draw::below;

/// MO-A-05: ILBA, the most loaded cluster first, and pairs of clusters, each from MOLBA(2).
pub(super) fn orders(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let points = points(&[false], &[5, 10, 20], &[50, 100], &[32]);
    let from = || Start::Meta(Default::default());
    let heaviest = heaviest_first::Options { from: from() };
    let pairs = pairwise::Options { from: from(), ..pairwise::Options::default() };
    let arms = [
        ("ILBA", ilba(from())),
        ("heaviest first", PlannerOptions::HeaviestFirst(heaviest)),
        ("pairs", PlannerOptions::Pairwise(pairs)),
    ];
    let all = each(asked, &points, |owned| {
        let play = |options| played(options, &owned, WithoutJobs::LeftOut).played.schedule;
        let base = play(Algorithm::Molba.options());
        arms.each_ref().map(|(_, options)| By::of(&owned, &base, &play(options.clone())))
    })?;
    type Figure = (&'static str, fn(&By) -> f64);
    let told: [Figure; 6] = [
        ("light", |by| by.light),
        ("heavy", |by| by.heavy),
        ("owners", |by| by.owners),
        ("makespan", |by| by.makespan),
        ("Jain", |by| by.fairness),
        ("Jain before", |by| by.fairness_before),
    ];
    let mut figures = Figures::new();
    for (arm, (name, _)) in arms.iter().enumerate() {
        for (what, of) in told {
            figures.insert(format!("{name}: {what}"), means(&all, |one| of(&one[arm])));
        }
    }
    Ok(figures)
}

/// Effect of one order of balancing on a schedule.
#[derive(Clone, Copy, Debug)]
struct By {
    /// Mean end of the clusters that ended first before, over what it was.
    light: f64,
    /// The same of the others.
    heavy: f64,
    /// Mean end of the owners of the clusters that ended first before, over what it was.
    owners: f64,
    makespan: f64,
    /// Jain's index of the ends of clusters.
    fairness: f64,
    fairness_before: f64,
}

impl By {
    /// Compares two schedules; only clusters whose owners have jobs count, each with an owner of its
    /// own.
    fn of(owned: &Owned, before: &[Placement], after: &[Placement]) -> By {
        let clusters = [before, after].map(|one| laws::ends_of_clusters(owned, one));
        let owners = [before, after].map(|one| laws::ends(owned, one));
        let mut ranks: Vec<usize> = (0..owned.of_cluster.len())
            .filter(|&cluster| owned.of_task.contains(&owned.of_cluster[cluster]))
            .collect();
        ranks.sort_by_key(|&cluster| (clusters[0][cluster], cluster));
        let ratio = |of: &[usize], [before, after]: &[Vec<Time>; 2]| {
            let sum = |ends: &[Time]| of.iter().map(|&one| ends[one].as_units()).sum::<f64>();
            if of.is_empty() { 1.0 } else { sum(after) / sum(before) }
        };
        let [first, last] = [before, after].map(|one| laws::makespan(owned, one).as_units());
        let (light, heavy) = ranks.split_at(ranks.len() / 2);
        let fairness = |ends: &[Time]| {
            jain(ranks.iter().map(|&cluster| ends[cluster].as_units())).unwrap_or(1.0)
        };
        By {
            light: ratio(light, &clusters),
            heavy: ratio(heavy, &clusters),
            owners: ratio(light, &owners),
            makespan: last / first,
            fairness: fairness(&clusters[1]),
            fairness_before: fairness(&clusters[0]),
        }
    }
}

/// An instance of clusters of several sizes. A job fits on the cluster of its owner.
fn of_sizes(seed: u64, sample: u64) -> Owned {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("sizes");
    let organizations = 2 + below(rng, 9) as u32;
    let mut clusters: Vec<u32> = (0..organizations).map(|_| 16 << below(rng, 4)).collect();
    clusters.sort_unstable();
    let jobs = 20 + below(rng, 81);
    // The largest cluster may be anybody's.
    let first = below(rng, organizations.into()) as u32;
    let table = DrawnOwners::default().table(organizations as usize).expect("they are right");
    let jobs: Vec<(u32, i64, u32)> = (0..jobs)
        .map(|_| {
            let owner = (first + table.draw(rng) as u32) % organizations;
            let width = 1 + below(rng, clusters[owner as usize].into()) as u32;
            (owner, LENGTHS.draw(rng).into(), width)
        })
        .collect();
    let mut owned = owned(organizations, 1, &jobs);
    owned.instance.clusters = clusters;
    owned
}

/// MO-W-02: clusters of several sizes.
pub(super) fn sizes(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    asked.each(times, |sample| {
        let owned = of_sizes(asked.seed, sample);
        let size = Size::of(&owned, false);
        let plans = Algorithm::ALL.map(|one| played(one.options(), &owned, WithoutJobs::Kept));
        let [local, molba, ilba] = plans.each_ref().map(|one| &one.played.schedule[..]);
        let [score_local, score_molba, score_ilba] =
            plans.each_ref().map(|one| size.score(one.played.makespan));
        let broken = plans.iter().filter(|one| is_broken(&owned, one)).count();
        let [later_molba, later_ilba] = [molba, ilba].map(|one| laws::later(&owned, one, local));
        Ok(vec![
            ("local", score_local),
            ("MOLBA(2)", score_molba),
            ("ILBA", score_ilba),
            ("broken", broken as f64),
            ("later under MOLBA", later_molba as f64),
            ("later under ILBA", later_ilba as f64),
            ("delayed", laws::delayed(ilba, molba) as f64),
            ("falls back", f64::from(u8::from(plans[1].name == "molba_3"))),
        ])
    })
}

/// Factors of the relaxed constraint.
const BETAS: [f64; 6] = [1.0, 1.1, 1.25, 1.5, 1.75, 2.0];

/// MO-W-03: plans in which no organization ends later than beta times alone, by beta: scores, instances on
/// which one does, and those on which a larger beta gives a longer schedule.
pub(super) fn relaxed(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let points = points(&[false], &[2, 5, 10], &[10, 50], &[32]);
    let all = each(asked, &points, |owned| {
        let size = Size::of(&owned, true);
        let play = |options| played(options, &owned, WithoutJobs::LeftOut).played;
        let alone = laws::ends(&owned, &play(Algorithm::Local.options()).schedule);
        BETAS.map(|beta| {
            let ours = play(PlannerOptions::Relaxed(relaxed::Options { beta }));
            let ends = laws::ends(&owned, &ours.schedule);
            let is_late = |(end, alone): (&Time, &Time)| {
                end.as_units() > beta * (1.0 + 1e-6) * alone.as_units()
            };
            (size.score(ours.makespan), ends.iter().zip(&alone).any(is_late))
        })
    })?;
    let flag = |is: bool| f64::from(u8::from(is));
    let is_longer = |one: &[(f64, bool); 6]| !one.is_sorted_by(|one, other| one.0 >= other.0);
    let mut figures =
        Figures::from([("longer".to_owned(), means(&all, |one| flag(is_longer(one))))]);
    for (index, beta) in BETAS.into_iter().enumerate() {
        figures.insert(format!("score {beta}"), means(&all, |one| one[index].0));
        figures.insert(format!("late {beta}"), means(&all, |one| flag(one[index].1)));
    }
    Ok(figures)
}

/// MO-W-03: the cost of the constraint on small instances: the best schedule that keeps it over the best
/// one, by beta.
pub(super) fn few(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    asked.each(times, |sample| {
        let owned = small::few(asked.seed, sample);
        let allowed = |beta| optimum_under_promise(&owned, beta, NODES).ok()?.makespan.proved();
        let all: Option<Vec<Time>> = BETAS.into_iter().map(allowed).collect();
        let Some((free, all)) = least(&owned.instance).zip(all) else { return Ok(Vec::new()) };
        let ratio = |time: &Time| time.as_units() / free.as_units();
        Ok(BETAS.iter().zip(&all).map(|(beta, time)| (beta.to_string(), ratio(time))).collect())
    })
}
