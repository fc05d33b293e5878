//! A grid scheduler in another process, in any language.
//!
//! With `starts` it starts jobs itself, else it sends them to clusters with schedulers of their own. It is
//! told of submissions and free processors with the next question, and asked whenever something has
//! happened while a job waits, or when it asked to be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DELAY, GridScheduler, Group, Placement, Setup, Site, Sites, delay};
use crate::peer::{Command, Sees, TIMEOUT, Turns, list};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::foreign::Foreign;
use model::ids::{ClusterId, JobId, OrganizationId};
use model::invalid::Invalid;
use model::view::{Blind, Submission};

parameters! {
    /// Parameters of a grid scheduler in another process.
    #[serde(default)]
    pub struct Options {
        /// The program and its arguments; it runs in the folder of the scenario.
        command: Command = Command::default(),
        /// Seconds that it may take for an answer.
        timeout: f64 as TIMEOUT = 60.0,
        /// The part of a job that it sees.
        sees: Sees = Sees::default(),
        /// True if it starts jobs itself; else it sends them to clusters, which have schedulers.
        starts: bool = false,
        /// Without `starts`: time that a job is under way to its cluster, in units of time.
        delay: f64 as DELAY = 0.0,
    }
    where fits
}

impl Options {
    fn fits(&self) -> Result<(), Invalid> {
        if self.starts && self.delay > 0.0 {
            let message = "it starts jobs where they are, and none is under way; leave it out";
            return Err(Invalid::new("delay", message));
        }
        self.command.check()
    }
}

/// A job that waits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Waiting {
    id: JobId,
    processors: u32,
    organization: OrganizationId,
    group: u32,
}

/// The scheduler. A decision costs what the process takes, and some ten microseconds.
#[derive(Clone, Debug)]
pub struct Process {
    turns: Turns,
    sites: Vec<Site>,
    groups: Vec<Group>,
    starts: bool,
    delay: Span,
    waiting: BTreeMap<u64, Waiting>,
    /// By cluster: processors that are free, where it starts jobs.
    idle: Vec<u32>,
    /// By cluster: processors of the jobs that a decision has sent there.
    sent: Vec<u64>,
}

/// An answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(default)]
    place: Vec<Placed>,
    #[serde(default)]
    wake: Option<i64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placed {
    job: u64,
    cluster: u32,
}

impl Process {
    /// A process that is started at its first question.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Process {
        let Options { ref command, timeout, sees, starts, delay: units } = *options;
        Process {
            turns: Turns::new(command, timeout, sees, setup.streams),
            sites: setup.sites.to_vec(),
            groups: setup.groups.to_vec(),
            starts,
            delay: delay(units),
            waiting: BTreeMap::new(),
            idle: setup.sites.iter().map(|site| site.processors).collect(),
            sent: vec![0; setup.sites.len()],
        }
    }

    /// Asks for a decision; `None` after a failure.
    fn ask(&mut self, now: Time, sites: &impl Sites) -> Option<Decision> {
        let clusters = || (0..self.sites.len() as u32).map(ClusterId);
        let counts = match self.starts {
            true => list(self.idle.iter()),
            false => list(clusters().map(|cluster| sites.demand(cluster))),
        };
        let closed = self.waiting.iter().flat_map(|(number, one)| {
            let refuses = |cluster: &&ClusterId| !self.is_open(one, **cluster, sites, &[]);
            let of_group = self.groups[one.group as usize].clusters.iter();
            let fits =
                |cluster: &&ClusterId| one.processors <= self.sites[cluster.index()].processors;
            of_group.filter(fits).filter(refuses).map(move |cluster| (*number, cluster.0))
        });
        // Only clusters with limits refuse jobs that fit.
        let is_choosy = sites.are_choosy()
            || !self.starts && self.sites.iter().any(|one| one.foreign == Foreign::WhenNoneWaits);
        let closed: Vec<(u64, u32)> = if is_choosy { closed.collect() } else { Vec::new() };
        let closed = match closed.is_empty() {
            true => String::new(),
            false => {
                let pairs = closed.iter().map(|(job, cluster)| format!("[{job},{cluster}]"));
                format!(",\"closed\":[{}]", pairs.collect::<Vec<_>>().join(","))
            }
        };
        let told = format!("\"{}\":{counts}", if self.starts { "free" } else { "demand" });
        let first = || {
            let processors = list(self.sites.iter().map(|site| site.processors));
            let owners = list(self.sites.iter().map(|site| site.owner.0));
            let starts = self.starts;
            format!(",\"starts\":{starts},\"processors\":{processors},\"owners\":{owners}")
        };
        self.turns.ask(["grid_scheduler", "grid", "place"], first, now, [&told, &closed])
    }

    /// True if a cluster that is large enough takes a job beside those that were placed.
    fn is_open(
        &self,
        one: &Waiting,
        cluster: ClusterId,
        sites: &impl Sites,
        placed: &[Placement],
    ) -> bool {
        let site = &self.sites[cluster.index()];
        let is_guest = site.foreign == Foreign::WhenNoneWaits && site.owner != one.organization;
        let guest_fits = || {
            let needed = self.sent[cluster.index()] + u64::from(one.processors);
            sites.demand(cluster) + needed <= site.processors.into()
        };
        (self.starts || !is_guest || guest_fits()) && sites.takes(one.id, cluster, placed)
    }

    /// Returns what is wrong with a placement, if anything is.
    fn wrong(&self, placed: Placed, sites: &impl Sites, before: &[Placement]) -> Option<String> {
        let Placed { job, cluster: number } = placed;
        let cluster = ClusterId(number);
        let Some(one) = self.waiting.get(&job) else {
            return Some(format!("places job {job}, which does not wait"));
        };
        let of_group = &self.groups[one.group as usize].clusters;
        let needs = one.processors;
        Some(match () {
            () if !of_group.contains(&cluster)
                || needs > self.sites[cluster.index()].processors =>
            {
                format!("places job {job} on cluster {number}, which it may not use or not fill")
            }
            () if self.starts && needs > self.idle[cluster.index()] => format!(
                "starts job {job} on cluster {number}: it needs {needs} processors, and {} are free",
                self.idle[cluster.index()]
            ),
            () if !self.is_open(one, cluster, sites, before) => {
                format!("places job {job} on cluster {number}, which does not take it now")
            }
            () => return None,
        })
    }
}

impl GridScheduler for Process {
    type Sees = Submission;

    fn submit(&mut self, job: Submission, group: u32, _: Time) {
        let number = self.turns.number();
        let Blind { id, submit, processors, user, organization } = job.job;
        self.waiting.insert(number, Waiting { id, processors, organization, group });
        let (submit, owner) = (submit.ticks(), organization.0);
        let expected = self.turns.sees.expected(job.expected);
        let clusters = self.groups[group as usize].clusters.iter();
        let fits = |one: &&ClusterId| processors <= self.sites[one.index()].processors;
        let clusters = list(clusters.filter(fits).map(|cluster| cluster.0));
        self.turns.event(format_args!(
            "{{\"submit\":{{\"job\":{number},\"submit\":{submit},\"processors\":{processors},\
             \"user\":{user},\"organization\":{owner}{expected},\"clusters\":{clusters}}}}}"
        ));
    }

    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.idle[cluster.index()] = idle;
    }

    fn decide(&mut self, now: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        if !self.turns.is_due(now, !self.waiting.is_empty()) {
            return;
        }
        let Some(decision) = self.ask(now, sites) else { return };
        let first = out.len();
        self.sent.fill(0);
        for placed in decision.place {
            if let Some(wrong) = self.wrong(placed, sites, &out[first..]) {
                return self.turns.refuse(wrong);
            }
            let Placed { job: number, cluster } = placed;
            let Waiting { id: job, processors, .. } = self.waiting[&number];
            let (cluster, delay) = (ClusterId(cluster), self.delay);
            match self.starts {
                true => self.idle[cluster.index()] -= processors,
                false => self.sent[cluster.index()] += u64::from(processors),
            }
            out.push(match self.starts {
                true => Placement::Start { job, cluster, delay },
                false => Placement::Send { job, cluster, delay },
            });
            self.waiting.remove(&number);
        }
        self.turns.wakes(now, decision.wake);
    }

    fn wake(&self) -> Option<Time> {
        self.turns.wake()
    }
}

impl State for Process {
    fn save(&self, out: &mut Vec<u8>) {
        self.turns.save(out);
        put(&(&self.waiting, &self.idle), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.turns.load(from)?;
        (self.waiting, self.idle) = take(from)?;
        Ok(())
    }
}
