//! Random small instances against what the paper proves: few lengths, many jobs of a whole cluster
//! or just more than half of one, and most of them of one owner, so that thresholds are met.

use super::cases::{ilba, molba, played};
use super::laws::{self, Broken, Size};
use super::letter;
use crate::played::Record;
use crate::row::Row;
use crate::{Bench, StudyError};
use bounds::instance::{Instance, Placement, Task};
use bounds::optimum::optimum;
use bounds::promise::Owned;
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use policy::plan::{self, Planner as _, PlannerOptions, Plans, Problem, Start, WithoutJobs};
use run::instance::{placements, problem};
use workload::draw::below;

/// Nodes after which the search for an optimum gives up.
pub(super) const NODES: u64 = 400_000;

/// Number of random instances.
pub(super) fn count(bench: &Bench) -> u64 {
    let each = if bench.effort.quick { 50 } else { 2000 };
    u64::from(bench.effort.samples) * each
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

/// Results on one instance; numbers of organizations and jobs, and flags as 0 and 1.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    infeasible: u64,
    later: u64,
    broken: Broken,
    /// MOLBA(2) above 3, and MOLBA(3) above 4 times the lower bound.
    above: [bool; 2],
    /// Jobs that ILBA delays, from MOLBA(2), from MOLBA(3), and from the local schedules.
    delayed: [u64; 3],
    /// Schedules of MOLBA(2), MOLBA(3) and ILBA that are not those by the letter.
    differs: [bool; 3],
    fell_back: bool,
    moves: bool,
    is_beyond_two: bool,
    /// Scores of MOLBA(2) and MOLBA(3).
    scores: [f64; 2],
}

fn found(owned: &Owned) -> Found {
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
    let scores = [&two, &three].map(|one| laws::makespan(owned, one));
    let is_above = [3, 4].map(|factor| factor * size.bound());
    let meta = made(PlannerOptions::Meta(Default::default()));
    Found {
        infeasible: all.clone().filter(|one| owned.instance.makespan(one).is_err()).count() as u64,
        later: all.map(|one| laws::later(owned, one, &local)).sum(),
        broken: laws::broken(owned, &size, false, &local, &two),
        above: [0, 1].map(|index| size.scaled(scores[index]) > is_above[index]),
        delayed: [0, 1, 2].map(|index| laws::delayed(&better[index], bases[index])),
        differs: [
            two != letter::molba(owned, &size, 2, &local),
            three != letter::molba(owned, &size, 3, &local),
            better[0] != letter::ilba(owned, &two),
        ],
        fell_back: meta != two,
        moves: two != local,
        is_beyond_two: size.scaled(scores[0]) > 2 * size.bound(),
        scores: scores.map(|one| size.score(one)),
    }
}

/// The proven statements on random instances.
pub(super) fn theorems(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (samples, seed) = (count(bench), bench.effort.seed);
    let how = "1 to 14 jobs on 1 to 6 clusters, plans by MOLBA(2), MOLBA(3) and ILBA from each";
    bench.log(Record::drawn(how, bench, samples as u32));
    let all = bench.each(samples, |sample| Ok(found(&instance(seed, sample))))?;
    let moves = all.iter().filter(|one| one.moves).count();
    let beyond = all.iter().filter(|one| one.is_beyond_two).count();
    let mut rows = Vec::new();
    let of = format!("of {samples} random instances");
    let sum = |of: &dyn Fn(&Found) -> u64| all.iter().map(of).sum::<u64>();
    let mut add = |claim, place: &str, what: &str, times: u64, more: &str| {
        let what = format!("small: {what}");
        rows.push(Row::new(claim, place, what).never(times).note(format!("{of}{more}")));
    };
    let moved = format!(", on {moves} of which jobs move");
    add("MO-M-01", "2.1", "schedules that are not feasible", sum(&|one| one.infeasible), "");
    let times = sum(&|one| one.later);
    add("MO-M-01", "2.2", "organizations that end later than alone", times, &moved);
    let times = sum(&|one| one.broken.proposition_1.into());
    add("MO-P-1", "Proposition 1", "local schedules with high use after low use", times, "");
    for (index, what) in ["MOLBA(2)", "MOLBA(3)"].into_iter().enumerate() {
        let what = format!("schedules of {what} that differ from the text by the letter");
        add("MO-A-02", "4.1", &what, sum(&|one| one.differs[index].into()), &moved);
    }
    let times = sum(&|one| one.broken.stays.into());
    add("MO-A-03", "4.1", "instances on which a job that stays is moved", times, &moved);
    let times = sum(&|one| one.broken.lemma_2.into());
    add("MO-L-2", "Lemma 2", "every cluster is used by more than half up to 2 W / N m", times, "");
    let most = |index: usize| all.iter().map(|one| one.scores[index]).fold(0.0, f64::max);
    let more = format!("; the largest score is {:.3}", most(1));
    let times = sum(&|one| one.above[1].into());
    add("MO-P-2", "Proposition 2", "MOLBA(3) above 4 times the lower bound", times, &more);
    let times = sum(&|one| one.broken.proposition_3.into());
    let more = format!("; on {beyond}, MOLBA(2) is above twice the lower bound");
    add(
        "MO-P-3",
        "Proposition 3",
        "the last job is low, ends after 2 W / N m + p_max",
        times,
        &more,
    );
    let more = format!("; the largest score is {:.3}", most(0));
    let times = sum(&|one| one.above[0].into());
    add("MO-P-3", "6.1", "MOLBA(2) above 3 times the lower bound", times, &more);
    let times = sum(&|one| one.differs[2].into());
    add("MO-A-04", "5.1", "schedules of ILBA that differ from the text by the letter", times, "");
    for (index, base) in ["MOLBA(2)", "MOLBA(3)", "local schedules"].into_iter().enumerate() {
        let what = format!("jobs that ILBA delays, from {base}");
        add("MO-P-4", "Proposition 4", &what, sum(&|one| one.delayed[index]), "");
    }
    let times = sum(&|one| one.fell_back.into());
    add("MO-A-06", "6.1", "instances on which MOLBA(3) is needed", times, &moved);
    let long = sum(&|one| one.broken.lemma_1.into());
    let in_all = sum(&|one| one.broken.lemma_1_in_all.into());
    let what = "small: instances with a low zone longer than the longest job";
    let note = format!("{of}; on {in_all} of them the low use within it is longer, in all");
    rows.push(Row::new("MO-L-1", "Lemma 1", what).never(long).or(super::LEMMA_1).note(note));
    Ok(rows)
}

/// MO-S-1: high jobs alone.
pub(super) fn all_high(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (samples, seed) = (count(bench) / 10, bench.effort.seed);
    bench.log(Record::drawn("2 to 9 high jobs on 1 to 4 clusters", bench, samples as u32));
    let all = bench.each(samples, |sample| {
        let owned = high(seed, sample);
        let play = |options| played(options, &owned, WithoutJobs::Kept).played;
        let ours = play(PlannerOptions::OwnFirst(Default::default()));
        let local = play(PlannerOptions::Local(Default::default()));
        let later = laws::later(&owned, &ours.schedule, &local.schedule);
        let found = optimum(&owned.instance, NODES).ok().and_then(|one| one.makespan.proved());
        let size = Size::of(&owned, false);
        let ratio = found.map(|least| {
            let is_below = size.bound() <= size.scaled(least);
            let clusters = owned.of_cluster.len() as i128;
            let [ours, least] = [ours.makespan, least].map(|time| i128::from(time.ticks()));
            (ours * clusters > (2 * clusters - 1) * least, ours as f64 / least as f64, is_below)
        });
        Ok((later, ratio))
    })?;
    let solved: Vec<(bool, f64, bool)> = all.iter().filter_map(|one| one.1).collect();
    let above = solved.iter().filter(|one| one.0).count() as u64;
    let most = solved.iter().map(|one| one.1).fold(0.0, f64::max);
    let later = all.iter().map(|one| one.0).sum();
    let beyond = solved.iter().filter(|one| !one.2).count() as u64;
    let row = |what: &str| Row::new("MO-S-1", "4.4", what);
    Ok(vec![
        row("own jobs first: makespans above 2 - 1/N times the optimum").never(above).note(
            format!(
                "of {} instances with a proved optimum; the largest ratio is {most:.3}",
                solved.len()
            ),
        ),
        row("own jobs first: organizations that end later than alone")
            .never(later)
            .note(format!("of {samples} instances")),
        Row::new("MO-E-01", "4.1", "several clusters, high jobs: lower bounds above the optimum")
            .never(beyond)
            .note(format!("of {} instances with a proved optimum", solved.len())),
    ])
}
