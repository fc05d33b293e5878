//! Explanation in words of a grid job's waiting time.

mod tables;

use std::fmt::Write as _;

use review::explain::{Freed, Overtaker, Stage, WhyJob};
use stats::shown;

pub(super) use tables::tables;

use super::words::{self, UNRECORDED, jobs, long, named, processors, reason, when};

/// Maximum number of jobs named in each list.
const SHOWN: usize = 5;
/// Number of stages described from the start, and from the end.
const STAGES: usize = 4;

pub(super) fn text(why: &WhyJob) -> String {
    let mut out = String::new();
    let job = &why.job;
    let _ = write!(out, "Job {} of `{}`", job.number, job.organization);
    if job.workload != job.organization {
        let _ = write!(out, ", from `{}`,", job.workload);
    }
    let _ = write!(out, " came at {} and needs ", when(job.submit));
    if job.cluster.is_empty() && job.is_held {
        let _ = writeln!(
            out,
            "{}.\nIt still waited in the grid at the end of the run.",
            processors(job.processors)
        );
        return out;
    }
    if job.cluster.is_empty() {
        let _ = writeln!(
            out,
            "{}.\nIt was rejected: no cluster that it may use is large enough; the largest of the \
             run has {}.",
            processors(job.processors),
            shown::count(why.largest.into())
        );
        return out;
    }
    let _ = writeln!(
        out,
        "{} of the {} of `{}` ({}).",
        shown::count(job.processors.into()),
        processors(why.processors),
        job.cluster,
        words::scheduler(why.scheduler.as_deref())
    );
    if let (true, Some(sent)) = (job.is_held, job.sent) {
        let waited = match sent == job.submit {
            true => "It got its cluster at once".to_owned(),
            false => {
                let waited = long(sent - job.submit);
                format!("It waited in the grid for {waited}, and got its cluster at {}", when(sent))
            }
        };
        let by = why.scheduler.as_deref().unwrap_or_default();
        let _ = write!(out, "{waited}");
        let _ = match job.start {
            Some(start) if start > sent && why.is_bare => {
                writeln!(out, " from `{by}`; it was under way for {}.", long(start - sent))
            }
            None if why.is_bare => {
                writeln!(out, " from `{by}`; it was still under way at the end.")
            }
            _ if why.is_bare => writeln!(out, " from `{by}`."),
            _ => writeln!(out, "."),
        };
    }
    let _ = match job.start {
        Some(start) if start == job.submit => write!(out, "It started at once"),
        Some(start) => {
            let waited = long(start - job.submit);
            write!(out, "It started at {}, after waiting {waited}", when(start))
        }
        None => write!(out, "It still waited at the end of the run"),
    };
    let _ = match job.finish {
        Some(finish) => writeln!(out, ", and ended at {}.", when(finish)),
        None => writeln!(out, "."),
    };
    planned(&mut out, why);
    if why.is_bare {
        // Which of the waiting jobs comes next is a grid scheduler's affair, and has no queue.
        return out;
    }
    candidates(&mut out, why);
    ahead(&mut out, why);
    stages(&mut out, why);
    start(&mut out, why);
    overtakers(&mut out, why);
    if !why.recorded {
        let _ = writeln!(out, "\n{UNRECORDED}");
    }
    out
}

/// Tells the plans that the job was in.
fn planned(out: &mut String, why: &WhyJob) {
    for (place, one) in why.planned.iter().enumerate() {
        let start = one.start.map_or("beyond the range of times".to_owned(), when);
        let again = if place == 0 { "It was planned" } else { "Then it was planned" };
        let _ = write!(out, "{again} at {} for {start} by {}", when(one.asked), one.by);
        let is_last = place + 1 == why.planned.len();
        let _ = match why.job.start.filter(|_| is_last) {
            Some(start) => writeln!(out, "; it ran at {}.", when(start)),
            None => writeln!(out, "."),
        };
    }
}

fn candidates(out: &mut String, why: &WhyJob) {
    if why.candidates.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nOf the clusters that it may use it went to the least loaded one:");
    for one in &why.candidates {
        let chosen = if one.chosen { ", where it went" } else { "" };
        let demand = shown::count(one.demand);
        let all = processors(one.processors);
        let _ = writeln!(out, "  `{}`: jobs asked for {demand} of {all}{chosen}", one.cluster);
    }
}

fn ahead(out: &mut String, why: &WhyJob) {
    let running = match why.running {
        0 => "nothing else was running".to_owned(),
        1 => "1 other job was running".to_owned(),
        count => format!("{} other jobs were running", shown::count(count)),
    };
    let were = if why.free == 1 { "was" } else { "were" };
    let free = format!("{} {were} free", processors(why.free));
    let waiting = match why.ahead.len() {
        0 => "nobody waited ahead of it.".to_owned(),
        1 => "1 job waited ahead of it:".to_owned(),
        count => format!("{} waited ahead of it:", jobs(count)),
    };
    let _ = writeln!(out, "\nWhen it came, {running}, {free}, and {waiting}");
    for one in why.ahead.iter().take(SHOWN) {
        let job = &one.job;
        let told = one.line.as_ref().map(|line| reason(line, job.processors, &why.job.workload));
        let _ = writeln!(
            out,
            "  {} ({}){}",
            named(&job.workload, job.number, &why.job.workload),
            processors(job.processors),
            told.map(|told| format!(", {told}")).unwrap_or_default()
        );
    }
    more(out, why.ahead.len(), "--table ahead");
}

fn more(out: &mut String, all: usize, option: &str) {
    if all > SHOWN {
        let _ = writeln!(out, "  and {} more (`{option}`)", shown::count((all - SHOWN) as u64));
    }
}

fn stages(out: &mut String, why: &WhyJob) {
    if why.stages.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nIt waited");
    let told = |out: &mut String, stage: &Stage| {
        let until = stage.until.map_or("to the end".to_owned(), |at| format!("to {}", when(at)));
        let why = reason(&stage.line, why.job.processors, &why.job.workload);
        let _ = writeln!(out, "  from {} {until}: {why}", when(stage.line.time));
    };
    let all = why.stages.len();
    let (first, last) = if all > 2 * STAGES { (STAGES, all - STAGES) } else { (all, all) };
    why.stages[..first].iter().for_each(|stage| told(out, stage));
    if last > first {
        let left = shown::count((last - first) as u64);
        let _ = writeln!(out, "  ... {left} more changes (`--table stages`)");
    }
    why.stages[last..].iter().for_each(|stage| told(out, stage));
}

fn start(out: &mut String, why: &WhyJob) {
    let home = &*why.job.workload;
    for (index, Freed { job }) in why.freed.iter().take(SHOWN).enumerate() {
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
        let _ = writeln!(out, "{lead}{by} gave back {}{early}.", processors(job.processors));
    }
    if let Some((workload, number)) = &why.overtook {
        let by = named(workload, *number, home);
        let _ = writeln!(out, "\nIt started before {by}, which came earlier and went on waiting.");
    }
}

fn overtakers(out: &mut String, why: &WhyJob) {
    let _ = match why.overtakers.len() {
        0 => return,
        1 => writeln!(out, "\n1 job that came later was started before it:"),
        count => writeln!(out, "\n{} that came later were started before it:", jobs(count)),
    };
    for one in why.overtakers.iter().take(SHOWN) {
        let job = &one.job;
        let _ = writeln!(
            out,
            "  {} ({}) at {}{}",
            named(&job.workload, job.number, &why.job.workload),
            processors(job.processors),
            job.start.map(when).unwrap_or_default(),
            effect(one, why.recorded)
        );
    }
    more(out, why.overtakers.len(), "--table overtakers");
}

/// Describes the effect of an overtaking job on the other's expected start.
fn effect(one: &Overtaker, recorded: bool) -> String {
    let (before, after) = (one.expected_before.map(when), one.expected_after.map(when));
    match (one.delayed(), before, after) {
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
