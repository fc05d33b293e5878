//! The wait of a job in words and in tables.

use super::super::read::Job;
use super::super::words::{self, UNRECORDED, listed, long, named, processors, reason, when};
use super::{Overtaker, Stage, WhyJob, Yielded};
use report::table::Table;
use stats::shown;

/// Most jobs that are named in each list.
const SHOWN: (&str, usize) = ("  ", 5);
/// Number of stages described from the start, and from the end.
const STAGES: usize = 4;

impl Overtaker {
    /// Its effect on the other job's expected start, in words.
    fn effect(&self, recorded: bool) -> String {
        let (before, after) = (self.expected_before.map(when), self.expected_after.map(when));
        match (self.delayed(), before, after) {
            (Some(false), Some(before), Some(after)) if before == after => {
                format!("; its start was still expected at {after}: no delay")
            }
            (Some(is_later), Some(before), Some(after)) => {
                let verdict = if is_later { "later" } else { "no delay" };
                format!("; its start was expected at {before} before, at {after} after: {verdict}")
            }
            (Some(_), Some(before), None) => {
                format!("; its start was expected at {before} before, and was not known after")
            }
            _ if recorded => "; no start was promised to it then".to_owned(),
            _ => String::new(),
        }
    }
}

impl WhyJob {
    /// The explanation in words.
    pub fn text(&self) -> String {
        let WhyJob { job, .. } = self;
        let mut out = format!("Job {} of `{}`", job.number, job.organization);
        if job.workload != job.organization {
            out += &format!(", from `{}`,", job.workload);
        }
        let needs = processors(job.processors);
        out += &format!(" came at {} and needs ", when(job.submit));
        if job.cluster.is_empty() && job.is_held {
            return out + &needs + ".\nIt still waited in the grid at the end of the run.\n";
        }
        if job.cluster.is_empty() {
            let largest = shown::count(self.largest.into());
            return out
                + &format!(
                    "{needs}.\nIt was rejected: no cluster that it may use is large enough; the largest \
                     of the run has {largest}.\n"
                );
        }
        out += &format!(
            "{} of the {} of `{}` ({}).\n",
            shown::count(job.processors.into()),
            processors(self.processors),
            job.cluster,
            words::scheduler(self.scheduler.as_deref())
        );
        out += &self.held();
        out += &match job.start {
            Some(start) if start == job.submit => "It started at once".to_owned(),
            Some(start) => {
                let waited = long(start - job.submit);
                format!("It started at {}, after waiting {waited}", when(start))
            }
            None => "It still waited at the end of the run".to_owned(),
        };
        let ended = job.finish.map(|finish| format!(", and ended at {}", when(finish)));
        out += &format!("{}.\n", ended.unwrap_or_default());
        out += &self.plans();
        if self.is_bare {
            // A grid scheduler decides which of the waiting jobs comes next; there is no queue.
            return out;
        }
        if !self.candidates.is_empty() {
            out += "\nOf the clusters that it may use it went to the least loaded one:\n";
        }
        for one in &self.candidates {
            let chosen = if one.chosen { ", where it went" } else { "" };
            let (demand, all) = (shown::count(one.demand), processors(one.processors));
            out += &format!("  `{}`: jobs asked for {demand} of {all}{chosen}\n", one.cluster);
        }
        out += &self.queue();
        out += &self.waits();
        out += &self.starts();
        out += &self.overtaken();
        if !self.recorded {
            out += &format!("\n{UNRECORDED}\n");
        }
        out
    }

    /// Its wait for a cluster, if it was held in the grid.
    fn held(&self) -> String {
        let job = &self.job;
        let (true, Some(sent)) = (job.is_held, job.sent) else { return String::new() };
        let waited = match sent == job.submit {
            true => "It got its cluster at once".to_owned(),
            false => {
                let waited = long(sent - job.submit);
                format!("It waited in the grid for {waited}, and got its cluster at {}", when(sent))
            }
        };
        let by = self.scheduler.as_deref().unwrap_or_default();
        match job.start {
            _ if !self.is_bare => format!("{waited}.\n"),
            Some(start) if start > sent => {
                format!("{waited} from `{by}`; it was under way for {}.\n", long(start - sent))
            }
            None => format!("{waited} from `{by}`; it was still under way at the end.\n"),
            Some(_) => format!("{waited} from `{by}`.\n"),
        }
    }

    /// The plans that it was in.
    fn plans(&self) -> String {
        let last = self.planned.len().saturating_sub(1);
        let plans = self.planned.iter().enumerate().map(|(place, one)| {
            let start = one.start.map_or("beyond the range of times".to_owned(), when);
            let again = if place == 0 { "It was planned" } else { "Then it was planned" };
            let ran = self.job.start.filter(|_| place == last);
            let ran = ran.map_or(String::new(), |start| format!("; it ran at {}", when(start)));
            format!("{again} at {} for {start} by {}{ran}.\n", when(one.asked), one.by)
        });
        plans.collect()
    }

    /// The queue at its submission.
    fn queue(&self) -> String {
        let running = match self.running {
            0 => "nothing else was running".to_owned(),
            1 => "1 other job was running".to_owned(),
            count => format!("{} other jobs were running", shown::count(count)),
        };
        let were = if self.free == 1 { "was" } else { "were" };
        let waiting = match self.ahead.len() {
            0 => "nobody waited ahead of it.".to_owned(),
            count => words::jobs(count, "waited ahead of it:", "waited ahead of it:"),
        };
        let free = processors(self.free);
        let home = &*self.job.workload;
        let ahead = listed(SHOWN, "ahead", &self.ahead, |Yielded { job, line }| {
            let told = line.as_ref().map(|line| reason(line, job.processors, home));
            let told = told.map_or(String::new(), |told| format!(", {told}"));
            let name = named(&job.workload, job.number, home);
            format!("{name} ({}){told}", processors(job.processors))
        });
        format!("\nWhen it came, {running}, {free} {were} free, and {waiting}\n{ahead}")
    }

    /// The reasons for its wait.
    fn waits(&self) -> String {
        if self.stages.is_empty() {
            return String::new();
        }
        let told = |stage: &Stage| {
            let until =
                stage.until.map_or("to the end".to_owned(), |at| format!("to {}", when(at)));
            let why = reason(&stage.line, self.job.processors, &self.job.workload);
            format!("  from {} {until}: {why}\n", when(stage.line.time))
        };
        let all = self.stages.len();
        let (first, last) = if all > 2 * STAGES { (STAGES, all - STAGES) } else { (all, all) };
        let mut out = "\nIt waited\n".to_owned();
        out.extend(self.stages[..first].iter().map(told));
        if last > first {
            let left = shown::counted((last - first) as u64, "more change", "more changes");
            out += &format!("  ... {left} (`--table stages`)\n");
        }
        out.extend(self.stages[last..].iter().map(told));
        out
    }

    /// The jobs that let it start, and the one that it overtook.
    fn starts(&self) -> String {
        let home = &*self.job.workload;
        let mut out = String::new();
        for (index, job) in self.freed.iter().take(SHOWN.1).enumerate() {
            let early = match (job.expected_end(), job.finish) {
                (Some(expected), Some(end)) if expected > end => {
                    format!(", {} before it was expected to end", long(expected - end))
                }
                (Some(expected), Some(end)) if expected < end => {
                    format!(", {} after it was expected to end", long(end - expected))
                }
                (Some(_), _) => ", as expected".to_owned(),
                (None, _) => String::new(),
            };
            let lead = if index == 0 { "\nIt started when " } else { "  and " };
            let by = named(&job.workload, job.number, home);
            out += &format!("{lead}{by} gave back {}{early}.\n", processors(job.processors));
        }
        if let Some((workload, number)) = &self.overtook {
            let by = named(workload, *number, home);
            out += &format!("\nIt started before {by}, which came earlier and went on waiting.\n");
        }
        out
    }

    /// The jobs that overtook it.
    fn overtaken(&self) -> String {
        if self.overtakers.is_empty() {
            return String::new();
        }
        let (one, many) =
            ("that came later was started before it:", "that came later were started before it:");
        let jobs = words::jobs(self.overtakers.len(), one, many);
        let list = listed(SHOWN, "overtakers", &self.overtakers, |one| {
            let Overtaker { job, .. } = one;
            let name = named(&job.workload, job.number, &self.job.workload);
            let (needs, at) = (processors(job.processors), job.start.map(when).unwrap_or_default());
            format!("{name} ({needs}) at {at}{}", one.effect(self.recorded))
        });
        format!("\n{jobs}\n{list}")
    }

    /// All tables; the stages of the wait come last.
    pub fn tables(&self) -> Vec<Table> {
        vec![
            self.job_table(),
            Table::of("candidates", &self.candidates)
                .text("cluster", |one| &*one.cluster)
                .figure("processors", |one| one.processors)
                .figure("demand", |one| one.demand)
                .figure("chosen", |one| one.chosen)
                .table(),
            Table::of("ahead", &self.ahead)
                .text("workload_name", |one| &*one.job.workload)
                .figure("job_id", |one| one.job.number)
                .figure("processors", |one| one.job.processors)
                .figure("submission_time", |one| one.job.submit)
                .text("reason", |one| Some(one.line.as_ref()?.told.word()))
                .text("by_workload", |one| one.line.as_ref()?.by_workload())
                .figure("by_job", |one| one.line.as_ref()?.by_job())
                .figure("expected_start", |one| one.line.as_ref()?.expected_start)
                .figure("starting_time", |one| one.job.start)
                .table(),
            Table::of("freed", &self.freed)
                .text("workload_name", |job| &*job.workload)
                .figure("job_id", |job| job.number)
                .figure("processors", |job| job.processors)
                .figure("finish_time", |job| job.finish)
                .figure("expected_end", Job::expected_end)
                .table(),
            Table::of("overtakers", &self.overtakers)
                .text("workload_name", |one| &*one.job.workload)
                .figure("job_id", |one| one.job.number)
                .figure("processors", |one| one.job.processors)
                .figure("starting_time", |one| one.job.start)
                .figure("expected_start_before", |one| one.expected_before)
                .figure("expected_start_after", |one| one.expected_after)
                .figure("delayed", Overtaker::delayed)
                .table(),
            Table::of("stages", &self.stages)
                .figure("from", |one| one.line.time)
                .figure("until", |one| one.until)
                .text("reason", |one| one.line.told.word())
                .text("by_workload", |one| one.line.by_workload())
                .figure("by_job", |one| one.line.by_job())
                .figure("due", |one| one.line.due)
                .figure("expected_start", |one| one.line.expected_start)
                .figure("free", |one| one.line.free)
                .figure("extra", |one| one.line.extra)
                .table(),
        ]
    }

    fn job_table(&self) -> Table {
        let cluster = (!self.job.cluster.is_empty()).then_some(&*self.job.cluster);
        let waited = self.job.start.map(|start| start - self.job.submit);
        Table::of("job", [(self, &self.job)])
            .figure("job_id", |(_, job)| job.number)
            .text("workload_name", |(_, job)| &*job.workload)
            .figure("replication", |(_, job)| job.replication)
            .text("organization", |(_, job)| &*job.organization)
            .text("cluster", |_| cluster)
            .text("scheduler", |(why, _)| why.scheduler.as_deref())
            .figure("processors", |(_, job)| job.processors)
            .figure("cluster_processors", |(why, _)| cluster.map(|_| why.processors))
            .text("final_state", |(_, job)| &*job.state)
            .figure("submission_time", |(_, job)| job.submit)
            .figure("starting_time", |(_, job)| job.start)
            .figure("finish_time", |(_, job)| job.finish)
            .figure("waiting_time", |_| waited)
            .figure("free_at_submission", |(why, _)| why.free)
            .figure("running_at_submission", |(why, _)| why.running)
            .figure("ahead_at_submission", |(why, _)| why.ahead.len())
            .figure("overtakers", |(why, _)| why.overtakers.len())
            .figure("decisions_recorded", |(why, _)| why.recorded)
            .table()
    }
}
