//! `plans.csv`: the plans of a planner, a line for every job of every candidate.
//!
//! Lines are written as plans are made, candidate by candidate, the jobs in order of submission. Beside
//! the planned start stands that in the schedule of the job's organization alone, for an audit of what
//! is promised.

use super::jobs::Names;
use super::lines::{Lines, Out};
use super::record::record;
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use sim::observer::{Observer, PlanMade};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    plan: u64, "Rank among the plans of the replication, from 1.";
    asked_time: Time, "When the planner was asked.";
    candidate: u64, "Rank among the candidates of the plan, from 1.";
    candidate_name: &'a str, "What made the candidate, such as `ilba`; `molba_2` or `molba_3` by `meta`.";
    played: bool, "1 if this candidate was played, else 0.";
    workload_name: &'a str, "The workload of the job.";
    job_id: u64, "Number of the job in its workload.";
    organization: &'a str, "The organization that owns it.";
    processors: u32, "Processors that it needs.";
    expected_time: Span, "Its runtime at unit speed as the planner expected it, a millionth of a unit at least.";
    cluster: &'a str, "The cluster that it is planned on.";
    planned_start: Option<Time>, "Its planned start; empty beyond the range of times.";
    alone_cluster: &'a str, "Its cluster in the schedule of its organization alone; empty if it is wider than all of these.";
    alone_start: Option<Time>, "Its start there.";
}

/// Writes the lines of one replication, as an [`Observer`].
#[derive(Debug)]
pub struct PlansCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    names: Names,
    replication: u32,
}

impl<W: Out> PlansCsv<W> {
    /// A writer for the lines of one replication.
    pub fn new(out: W, names: Names, replication: u32) -> PlansCsv<W> {
        PlansCsv { lines: Lines::new(out), names, replication }
    }
}

impl<W: Out> Observer for PlansCsv<W> {
    fn planned(&mut self, made: PlanMade<'_>) {
        let PlanMade { number, problem, plans, played, jobs } = made;
        let Names { organizations, clusters, workloads, .. } = &self.names;
        let known = |time: Time| Some(time).filter(|&time| time != Time::NEVER);
        for candidate in 0..plans.len() {
            for step in plans.steps(candidate) {
                let planned = &problem.jobs[step.job as usize].job;
                let alone = problem.alone[step.job as usize];
                let job = &jobs.get(planned.job.id).job;
                self.lines.put(&Line {
                    replication: self.replication,
                    plan: number,
                    asked_time: problem.now,
                    candidate: candidate as u64 + 1,
                    candidate_name: plans.name(candidate),
                    played: candidate == played,
                    workload_name: &workloads[job.source as usize],
                    job_id: job.number,
                    organization: &organizations[job.organization.index()],
                    processors: job.processors,
                    expected_time: planned.expected,
                    cluster: &clusters[step.cluster.index()].0,
                    planned_start: known(step.start),
                    alone_cluster: alone.map_or("", |(cluster, _)| &clusters[cluster.index()].0),
                    alone_start: alone.and_then(|(_, start)| known(start)),
                });
            }
        }
    }

    fn ended(&mut self, _: Time) {
        self.lines.flush();
    }
}

/// Lines already written are not part of the state.
impl<W: Out> State for PlansCsv<W> {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}
