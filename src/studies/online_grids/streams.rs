//! Streams of jobs over a grid of six clusters: what the schedulers do to those who wait.
//!
//! These are runs of a scenario of the gallery; a replication is a sample, and all schedulers see the
//! same draws, so differences are paired.

use crate::replicated::Run;
use crate::row::Row;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use findings::measure::Metric;

/// The grid and its stream; every run chooses a scheduler.
const SCENARIO: &str = include_str!("../../../scenarios/online-grid.toml");

/// Jobs of a replication.
const JOBS: u32 = 300;

/// Runs the stream under a way to schedule it.
fn run(
    bench: &Bench,
    name: &'static str,
    scheduler: &str,
    more: &[&str],
) -> Result<Run, StudyError> {
    let mut set = vec![
        format!("workload.shared.source.lublin_feitelson.jobs={JOBS}"),
        "output.alone=false".to_owned(),
        format!("grid_scheduler={scheduler}"),
    ];
    set.extend(more.iter().map(|&one| one.to_owned()));
    Run::new(bench, name, ("online-grid.toml", SCENARIO), &set)
}

/// Waits, messages and makespans under the ways to schedule.
pub(super) fn streams(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let lists = "organization.*.cluster.space_shared.scheduler.list={}";
    let easy = "organization.*.cluster.space_shared.scheduler.easy={}";
    let estimates = "workload.shared.source.lublin_feitelson.estimates.f_model.factor=10.0";
    let over_time = run(bench, "Grid Over-Time-Submission", "grid_submission", &[])?;
    let batches = run(
        bench,
        "Grid Concurrent-Submission in batches",
        "{ grid_submission = { asked = \"batch\" } }",
        &[],
    )?;
    let listed = run(bench, "list scheduling", "list", &[])?;
    let stealing = run(bench, "stealing", "stealing", &[])?;
    let bound = [
        run(bench, "bound at submission, at random", "random", &[lists])?,
        run(bench, "bound at submission, in turn", "round_robin", &[lists])?,
        run(bench, "bound at submission, least demand", "least_demand", &[lists])?,
    ];
    let more = [easy, estimates, "run.clairvoyance=estimate"];
    let rival = run(bench, "EASY with estimates up to 10 times too long", "least_demand", &more)?;

    let mut rows = Vec::new();
    let place = "6";
    let what = "mean wait in batches - mean wait under Grid Over-Time-Submission (s)";
    let [in_batches, at_once] = [&batches, &over_time].map(|run| run.figure(Metric::Wait));
    let note = format!("{:.0} against {:.0}", in_batches.value, at_once.value);
    let ours = batches.less(&over_time, Metric::Wait);
    rows.push(Row::new("OG-A-61b", place, what).positive(ours).note(note));
    let what = "99th percentile of waits in batches - under Grid Over-Time-Submission (s)";
    let [in_batches, at_once] = [&batches, &over_time].map(|run| run.figure(Metric::WaitP99));
    let half_width = libm::hypot(in_batches.half_width, at_once.half_width);
    let ours = Measured { value: in_batches.value - at_once.value, half_width };
    let note = format!("{:.0} against {:.0}, as independent runs", in_batches.value, at_once.value);
    rows.push(Row::new("OG-A-61b", place, what).positive(ours).note(note));
    let place = "7";
    let messages = stealing.figure(Metric::Messages);
    let jobs = f64::from(JOBS);
    let per_job = Measured { value: messages.value / jobs, half_width: messages.half_width / jobs };
    rows.push(
        Row::new("OG-D-01", place, "messages of stealing for each job, on a stream")
            .shown(per_job)
            .note("a message is one between two clusters"),
    );
    let place = "1";
    for run in [&listed, &rival] {
        for (metric, told) in
            [(Metric::Wait, "mean wait"), (Metric::MakespanOverBound, "makespan / lower bound")]
        {
            let ours = run.less(&over_time, metric);
            let what = format!("{told}: {} - Grid Over-Time-Submission", run.name);
            let note = format!(
                "{:.4} against {:.4}",
                run.figure(metric).value,
                over_time.figure(metric).value
            );
            rows.push(Row::new("OG-D-03", place, what).shown(ours).note(note));
        }
    }
    for run in &bound {
        // Late binding is list scheduling: the same local rule, with one list for the whole grid.
        let ours = run.less(&listed, Metric::Wait);
        let what = format!("mean wait {} - mean wait of jobs that wait in the grid (s)", run.name);
        let note = format!(
            "{:.0} against {:.0}",
            run.figure(Metric::Wait).value,
            listed.figure(Metric::Wait).value
        );
        rows.push(Row::new("OG-D-04", place, what).positive(ours).note(note));
        let ours = run.less(&listed, Metric::MakespanOverBound);
        let what = format!("makespan / lower bound, {} - waiting in the grid", run.name);
        rows.push(Row::new("OG-D-04", place, what).shown(ours));
    }
    rows.push(bounded(&over_time));
    Ok(rows)
}

/// Theorem 6.1 on the stream.
fn bounded(over_time: &Run) -> Row {
    let ratio = over_time.values(Metric::MakespanOverBound);
    let greatest = ratio.iter().copied().fold(0.0, f64::max);
    let what = "greatest makespan / lower bound on a stream, Grid Over-Time-Submission";
    Row::new("OG-T-61", "Theorem 6.1", what)
        .found("below 5", greatest, Verdict::of(greatest < 5.0))
        .note(format!("of {} replications of {JOBS} jobs", ratio.len()))
}
