//! The paper's examples, and families that show how tight its theorems are.
//!
//! Members are built by [`worst_case`](crate::worst_case), which proves their optimum or an
//! upper bound of it by a schedule. So ratios are certified from below.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::drawn::Arm;
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use crate::picture::{Drawing, gantt};
use crate::worst_case::{Worst, family};
use bounds::instance::Placement;
use bounds::optimum::optimum;
use kernel::rng::Streams;
use kernel::time::{Span, Time};
use report::picture::rows::{Job, Rows};
use run::instance::{Played, play};

/// Numbers of starts that are told.
const FEW: usize = 20;

/// A member of a family under a scheduler; what else is given are the family's parameters.
#[derive(Deserialize)]
struct Options {
    family: String,
    scheduler: Arm,
    /// Title of its picture, if it is drawn.
    title: Option<String>,
    /// Processors of jobs of which the last is looked at.
    width: Option<u32>,
    /// The picture ends after so many thousandths, and shows them as units.
    thousandths: Option<i64>,
    #[serde(flatten)]
    given: BTreeMap<String, u64>,
}

fn member(name: &str, given: &[(&str, u64)]) -> Result<Worst, StudyError> {
    family(name).and_then(|family| family.build(given)).map_err(StudyError)
}

/// Numbers of jobs and clusters by their processors, and the most jobs that start together on a cluster in
/// the reference schedule.
fn widths(worst: &Worst) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    let mut together = BTreeMap::new();
    for (task, place) in worst.instance.tasks.iter().zip(&worst.reference) {
        let width = task.processors;
        *counts.entry(format!("jobs of {width}")).or_default() += 1.0;
        *together.entry((place.cluster, place.start, width)).or_default() += 1.0;
    }
    for processors in &worst.instance.clusters {
        *counts.entry(format!("clusters of {processors}")).or_default() += 1.0;
    }
    for ((.., width), count) in together {
        let most: &mut f64 = counts.entry(format!("together of {width}")).or_default();
        *most = most.max(count);
    }
    counts
}

/// Figures of an example.
pub(super) fn example(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Options { family, scheduler, title, width, thousandths, given } = asked.options()?;
    let given: Vec<(&str, u64)> = given.iter().map(|(name, &value)| (&**name, value)).collect();
    let worst = member(&family, &given)?;
    let played = play(&scheduler.options(), &worst.instance, &Streams::new(asked.seed));
    let (tasks, clusters) = (&worst.instance.tasks, &worst.instance.clusters);
    let [makespan, reference] = [played.makespan, worst.optimum.at_most()].map(Time::as_units);
    let mut all: Vec<(String, f64)> = widths(&worst).into_iter().collect();
    let mut add = |name: &str, value: f64| all.push((name.to_owned(), value));
    add("makespan", makespan);
    add("reference", reference);
    add("ratio", makespan / reference);
    add("jobs", tasks.len() as f64);
    add("clusters", clusters.len() as f64);
    add("processors", clusters.iter().sum::<u32>().into());
    if let Some(width) = width {
        add("beside", beside(&worst, &played, width));
    }
    if tasks.len() < FEW {
        let proved = optimum(&worst.instance, 1_000_000).ok();
        let proved = proved.and_then(|found| found.makespan.proved());
        add("optimum", proved.map_or(f64::NAN, Time::as_units));
        for (number, place) in (1..).zip(&played.schedule) {
            add(&format!("start {number}"), place.start.as_units());
        }
    }
    if let Some(title) = title {
        let figure = match &*family {
            "example-4.1" => "1",
            "example-4.2" => "2",
            "example-4.3" => "3",
            _ => "6",
        };
        let until = match thousandths {
            Some(end) => (Time::ZERO + Span::from_ticks(Span::UNIT.ticks() / 1000) * end, 1000.0),
            None => (Time::NEVER, 1.0),
        };
        let chart = chart(title, &worst, &played, scheduler, until);
        asked.bench.draw(Drawing::Rows(figure, chart));
    }
    Ok(exact(all))
}

/// Sequential jobs that run beside the last job of a width when it starts.
fn beside(worst: &Worst, played: &Played, width: u32) -> f64 {
    let jobs = || worst.instance.tasks.iter().zip(&played.schedule);
    let last = jobs().rfind(|(task, _)| task.processors == width);
    let Some((_, last)) = last else { return f64::NAN };
    let runs = jobs().filter(|(task, place)| {
        task.processors == 1
            && place.cluster == last.cluster
            && place.start <= last.start
            && last.start < place.start + task.length
    });
    runs.count() as f64
}

/// Rows of a Gantt chart: the jobs on each cluster that start before an end, in a series. Clusters that
/// do the same share a row.
fn rows(
    (name, series): (&str, usize),
    worst: &Worst,
    schedule: &[Placement],
    (until, unit): (Time, f64),
) -> Vec<(String, usize, Vec<Job>)> {
    let clusters = &worst.instance.clusters;
    let mut jobs = vec![Vec::new(); clusters.len()];
    let all = worst.instance.tasks.iter().zip(schedule);
    for (task, place) in all.filter(|(_, place)| place.start < until) {
        let end = (place.start + task.length).min(until);
        // Lengths have room for ends apart, which no picture shows.
        let span =
            [place.start, end].map(|at| (200.0 * unit * at.as_units()).round() / 200.0).into();
        let (processors, label) = (task.processors as usize, task.processors.to_string());
        jobs[place.cluster].push(Job { span, processors, series, label });
    }
    // Times are not negative, so they are in the order of their bits.
    let in_order =
        |jobs: &mut Vec<Job>| jobs.sort_by_key(|job| (job.span.0.to_bits(), job.processors));
    jobs.iter_mut().for_each(in_order);
    let mut groups: Vec<(u32, Vec<Job>, usize)> = Vec::new();
    for (&processors, jobs) in clusters.iter().zip(jobs) {
        match groups.iter_mut().find(|one| one.0 == processors && one.1 == jobs) {
            Some(group) => group.2 += 1,
            None => groups.push((processors, jobs, 1)),
        }
    }
    let row = |(processors, jobs, count): (u32, Vec<Job>, usize)| {
        let count = if count > 1 { format!("{count} clusters") } else { "cluster".to_owned() };
        (format!("{name}: {count} of {processors}"), processors as usize, jobs)
    };
    groups.into_iter().map(row).collect()
}

/// The schedule of a scheduler above the reference schedule, until an end, in units of time that are so
/// long.
fn chart(
    title: String,
    worst: &Worst,
    played: &Played,
    scheduler: Arm,
    until: (Time, f64),
) -> Rows {
    let mut all = rows(("lists", 0), worst, &played.schedule, until);
    all.extend(rows(("reference", 1), worst, &worst.reference, until));
    let listed = match scheduler {
        Arm::Smallest => "list scheduling, smallest first",
        Arm::Largest => "list scheduling, largest first",
        _ => "Grid Concurrent-Submission",
    };
    let series = vec![listed.to_owned(), "reference schedule".to_owned()];
    gantt(title, "jobs with their processors; clusters that do the same share a row", all, series)
}

/// Theorem 3.1: ends of instances of the partition problem, under three schedulers.
pub(super) fn partition(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let seed = asked.seed;
    asked.each(1, |sample| {
        let jobs = 3 + sample % 6;
        let given = [("jobs", jobs), ("seed", seed.wrapping_mul(1 << 32).wrapping_add(sample))];
        let worst = member("partition", &given)?;
        let arms = [(Arm::Submit, "submit"), (Arm::Largest, "largest"), (Arm::Lists, "lists")];
        let ends = arms.map(|(arm, name)| {
            let played = play(&arm.options(), &worst.instance, &Streams::new(seed));
            (name, (played.makespan.ticks() / Span::UNIT.ticks()) as f64)
        });
        let others = ends.iter().filter(|(_, end)| ![1.0, 2.0].contains(end)).count();
        let twice = ends.map(|(name, end)| (name, f64::from(u8::from(end == 2.0))));
        Ok([("other ends", others as f64)].into_iter().chain(twice).collect())
    })
}
