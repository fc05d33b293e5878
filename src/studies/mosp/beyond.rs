//! Beyond the experiments: other orders of balancing, clusters of several sizes, and a relaxed
//! constraint.

use super::cases::{Algorithm, each, ilba, is_broken, played};
use super::instances::{LENGTHS, points};
use super::laws::{self, Size};
use super::small;
use super::small::{NODES, count, owned};
use crate::picture::{Curve, Picture};
use crate::played::Record;
use crate::row::Row;
use crate::sample::{Sample, mean};
use crate::verdict::Measured;
use crate::{Bench, StudyError};
use bounds::instance::Placement;
use bounds::optimum::optimum;
use bounds::promise::{Owned, optimum_under_promise};
use game::fairness::jain;
use kernel::rng::Streams;
use kernel::time::Time;
use policy::plan::{PlannerOptions, Start, WithoutJobs, heaviest_first, pairwise, relaxed};
use report::picture::Scale;
use workload::dealt::DrawnOwners;
use workload::draw::below;

/// MO-A-05: ILBA, the most loaded cluster first, and pairs of clusters.
pub(super) fn orders(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let points = points(&[false], &[5, 10, 20], &[50, 100], &[32]);
    let how = "uni, N = 5, 10, 20, n = 50, 100, m = 32: other orders of balancing, from MOLBA(2)";
    let from = || Start::Meta(Default::default());
    let arms = [
        ("ILBA", ilba(from())),
        (
            "the most loaded first",
            PlannerOptions::HeaviestFirst(heaviest_first::Options { from: from() }),
        ),
        (
            "pairs of clusters",
            PlannerOptions::Pairwise(pairwise::Options {
                from: from(),
                ..pairwise::Options::default()
            }),
        ),
    ];
    let base = || Algorithm::Molba.options();
    let all = each(bench, how, &points, |owned| {
        let play = |options| played(options, &owned, WithoutJobs::LeftOut).played.schedule;
        let base = play(base());
        arms.each_ref().map(|(_, options)| By::of(&owned, &base, &play(options.clone())))
    })?;
    let figures = |arm: usize, of: fn(&By) -> f64| {
        let values = all.iter().flatten().map(|one| of(&one[arm]));
        Sample::new(points.len(), values.collect())
    };
    type Figure = (&'static str, fn(&By) -> f64);
    let told: [Figure; 5] = [
        ("end of the less loaded half of the clusters / before", |by| by.light),
        ("end of the more loaded half / before", |by| by.heavy),
        ("ends of the owners of the less loaded half / before", |by| by.owners),
        ("makespan / before", |by| by.makespan),
        ("Jain's index of the ends of clusters", |by| by.fairness),
    ];
    let mut rows = Vec::new();
    for (arm, (name, _)) in arms.iter().enumerate() {
        for (what, of) in told {
            let ours = figures(arm, of).mean();
            rows.push(Row::new("MO-A-05", "5.1", format!("{name}: {what}")).shown(ours));
        }
    }
    let light = figures(0, |by| by.light - 1.0).mean();
    let what = "ILBA: change of the ends of the less loaded half of the clusters, as a share";
    let cause = "they get jobs of the others, so they end later; their owners end sooner: next row";
    rows.push(Row::new("MO-A-05", "5.1", what).negative(light).because(cause));
    let owners = figures(0, |by| by.owners - 1.0).mean();
    let what = "ILBA: change of the ends of the owners of these clusters, as a share";
    rows.push(Row::new("MO-A-05", "5.1", what).negative(owners));
    let fairer = figures(0, |by| by.fairness - by.fairness_before).mean();
    let what = "Jain's index of the ends of clusters: ILBA - MOLBA(2)";
    rows.push(Row::new("MO-A-05", "5.1", what).positive(fairer));
    for arm in [1, 2] {
        let name = arms[arm].0;
        let fairer = figures(0, |by| by.fairness).less(&figures(arm, |by| by.fairness)).mean();
        let what = format!("Jain's index of the ends of clusters: ILBA - {name}");
        let cause = "these orders even the loads a little better";
        rows.push(Row::new("MO-A-05", "5.1", what).positive(fairer).because(cause));
        let lighter = figures(0, |by| by.owners).less(&figures(arm, |by| by.owners)).mean();
        let what = format!("ends of the owners of the less loaded half / before: ILBA - {name}");
        rows.push(Row::new("MO-A-05", "5.1", what).negative(lighter));
    }
    Ok(rows)
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
fn of_sizes(bench: &Bench, sample: u64) -> Owned {
    let streams = Streams::new(bench.effort.seed).in_replication(sample);
    let rng = &mut streams.stream("sizes");
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

/// Results on one instance with clusters of several sizes.
struct OfSizes {
    scores: [f64; 3],
    /// Schedules that are not feasible, or not played as planned.
    broken: u64,
    /// Organizations that end later than alone under MOLBA and under ILBA.
    later: [u64; 2],
    /// Jobs that ILBA delays.
    delayed: u64,
    /// 1 if MOLBA(3) was taken.
    falls_back: u64,
}

/// MO-W-02: clusters of several sizes.
pub(super) fn sizes(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let samples = bench.effort.samples * if bench.effort.quick { 4 } else { 40 };
    let how = "20 to 100 uniform jobs on 2 to 10 clusters of 16, 32, 64 or 128 processors";
    bench.log(Record::drawn(how, bench, samples));
    let all = bench.each(samples.into(), |sample| {
        let owned = of_sizes(bench, sample);
        let size = Size::of(&owned, false);
        let plans = Algorithm::ALL.map(|one| played(one.options(), &owned, WithoutJobs::Kept));
        let [local, molba, ilba] = plans.each_ref().map(|one| &one.played.schedule[..]);
        let scores = plans.each_ref().map(|one| size.score(one.played.makespan));
        let broken = plans.iter().filter(|one| is_broken(&owned, one)).count() as u64;
        Ok(OfSizes {
            scores,
            broken,
            later: [molba, ilba].map(|one| laws::later(&owned, one, local)),
            delayed: laws::delayed(ilba, molba),
            falls_back: u64::from(plans[1].name == "molba_3"),
        })
    })?;
    let row = |what: String| Row::new("MO-W-02", "8", what);
    let note = format!("of {samples} instances");
    let mut rows = Vec::new();
    for (index, algorithm) in Algorithm::ALL.into_iter().enumerate() {
        let ours = mean(all.iter().map(|one| one.scores[index]));
        let most = all.iter().map(|one| one.scores[index]).fold(0.0, f64::max);
        let what = format!("clusters of several sizes: mean score of {}", algorithm.name());
        let note = format!("the largest is {most:.3}; W over all processors, or the longest job");
        rows.push(row(what).shown(ours).note(note));
    }
    let gain = mean(all.iter().map(|one| one.scores[0] - one.scores[2]));
    rows.push(row("clusters of several sizes: score of local - of ILBA".into()).positive(gain));
    let sum = |of: fn(&OfSizes) -> u64| all.iter().map(of).sum::<u64>();
    let told: [(&str, u64); 5] = [
        ("schedules that are not feasible, or not played as planned", sum(|one| one.broken)),
        ("organizations that end later than alone under MOLBA", sum(|one| one.later[0])),
        ("organizations that end later than alone under ILBA", sum(|one| one.later[1])),
        ("jobs that ILBA delays", sum(|one| one.delayed)),
        ("instances on which MOLBA(3) is taken", sum(|one| one.falls_back)),
    ];
    for (what, times) in told {
        let row = row(format!("clusters of several sizes: {what}"));
        rows.push(match what.contains("MOLBA(3)") || what.contains("later") {
            // No proof covers these.
            true => row.shown(times as f64).note(note.clone()),
            false => row.never(times).note(note.clone()),
        });
    }
    Ok(rows)
}

/// The cost of the constraint on small instances: the best schedule that keeps it over the best one.
fn best(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (samples, seed) = (count(bench) / 50, bench.effort.seed);
    let how =
        "4 to 9 jobs of 2 or 3 owners, the best schedule in which nobody is later than beta times";
    bench.log(Record::drawn(how, bench, samples as u32));
    let all = bench.each(samples, |sample| {
        let owned = small::few(seed, sample);
        let least = |beta| {
            let found = optimum_under_promise(&owned, beta, NODES).ok()?;
            Some(found.makespan.proved()?.as_units())
        };
        let free = optimum(&owned.instance, NODES).ok().and_then(|one| one.makespan.proved());
        let all: Option<Vec<f64>> = BETAS.into_iter().map(least).collect();
        Ok(free.zip(all).map(|(free, all)| {
            all.into_iter().map(|one| one / free.as_units()).collect::<Vec<f64>>()
        }))
    })?;
    let solved: Vec<Vec<f64>> = all.into_iter().flatten().collect();
    let row = |(index, beta): (usize, f64)| {
        let ratios = solved.iter().map(|one| one[index]);
        let most = ratios.clone().fold(0.0, f64::max);
        let what = format!("few jobs, beta = {beta}: least makespan allowed / least makespan");
        let note = format!("{most:.3} at most, of {} instances solved", solved.len());
        Row::new("MO-W-03", "8", what).shown(mean(ratios)).note(note)
    };
    Ok(BETAS.into_iter().enumerate().map(row).collect())
}

/// Factors of the relaxed constraint.
const BETAS: [f64; 6] = [1.0, 1.1, 1.25, 1.5, 1.75, 2.0];

/// MO-W-03: no organization later than beta times alone.
pub(super) fn relaxed(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let points = points(&[false], &[2, 5, 10], &[10, 50], &[32]);
    let how = "uni, N = 2, 5, 10, n = 10, 50, m = 32: nobody later than beta times alone";
    let all = each(bench, how, &points, |owned| {
        let size = Size::of(&owned, true);
        let play = |options| played(options, &owned, WithoutJobs::LeftOut).played;
        let local = play(Algorithm::Local.options());
        let alone = laws::ends(&owned, &local.schedule);
        BETAS.map(|beta| {
            let ours = play(PlannerOptions::Relaxed(relaxed::Options { beta }));
            let ends = laws::ends(&owned, &ours.schedule);
            let ratios = ends.iter().zip(&alone).filter(|(_, alone)| alone.ticks() > 0);
            let ratios = ratios.map(|(end, alone)| end.as_units() / alone.as_units());
            (size.score(ours.makespan), ratios.fold(0.0, f64::max))
        })
    })?;
    let scores = |index: usize| {
        let values = all.iter().flatten().map(|one| one[index].0);
        Sample::new(points.len(), values.collect())
    };
    let instances = all.iter().flatten().count();
    let mut rows = Vec::new();
    let row = |what: String| Row::new("MO-W-03", "8", what);
    let mut curve = Curve::new("mean score", Vec::new());
    for (index, beta) in BETAS.into_iter().enumerate() {
        let ours: Measured = scores(index).mean();
        curve.points.push((beta, ours.value));
        let most = all.iter().flatten().map(|one| one[index].1).fold(0.0, f64::max);
        let note = format!("an organization ends at {most:.3} times alone at most");
        rows.push(row(format!("beta = {beta}: mean score")).shown(ours).note(note));
        let later = all.iter().flatten().filter(|one| one[index].1 > beta * (1.0 + 1e-6)).count();
        let what =
            format!("beta = {beta}: instances on which an organization ends later than allowed");
        rows.push(row(what).never(later as u64).note(format!("of {instances} instances")));
    }
    let longer =
        |one: &&[(f64, f64); BETAS.len()]| !one.is_sorted_by(|one, other| one.0 >= other.0);
    let longer = all.iter().flatten().filter(longer).count() as u64;
    let what = "instances on which a larger beta gives a longer schedule";
    rows.push(row(what.into()).never(longer).note(format!("of {instances} instances")));
    let gain = scores(0).less(&scores(BETAS.len() - 1)).mean();
    rows.push(row("mean score at beta = 1 - at beta = 2".into()).positive(gain));
    rows.extend(best(bench)?);
    bench.draw(Picture {
        name: "beta",
        title: "nobody later than beta times alone".into(),
        caption: format!("uni, N = 2, 5, 10, n = 10, 50, m = 32; {instances} instances"),
        axes: ["beta", "makespan / lower bound"],
        scale: Scale::Linear(1.0, (1.05 * curve.points[0].1).max(1.1)),
        curves: vec![curve],
        paper: Vec::new(),
    });
    Ok(rows)
}
