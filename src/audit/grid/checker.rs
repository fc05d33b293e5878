//! Comparison of a run's starts with those that its rule decides on.
//!
//! A rule's later decisions follow from its earlier ones, so nothing is judged after the first
//! deviation of a replication.

use std::collections::BTreeMap;
use std::fmt;

use super::sites::Hindrance;
use super::{Asking, Batches, Literal};
use crate::report::counted;
use crate::report::left;
use kernel::time::Time;

/// Replay of a rule next to the records of a replication, instant by instant.
///
/// ```
/// use gridpact_audit::grid::{Asking, Checker, GridRule, ListOrder, Literal, Site, Started};
/// use kernel::time::Time;
/// use model::foreign::Foreign;
///
/// let site = |processors| Site { processors, owner: 0, foreign: Foreign::Always };
/// let rule = GridRule::List(ListOrder::Submit);
/// let mut checker = Checker::new(Literal::new(rule, vec![site(2), site(8)], vec![vec![0, 1]]));
///
/// let job = Asking { id: 0, processors: 2, expected: None, owner: 0, group: 0 };
/// let started = Started { job: 0, site: 1, ends_now: false };
/// let deviation = checker.instant(Time::ZERO, &[], &[job], &[started]).unwrap();
/// assert_eq!(
///     deviation.to_string(),
///     "job 0 (2 processors) started on site 1 at 0 although list scheduling starts it on site 0",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    scheduler: Scheduler,
    /// Submitted jobs that have not started in the run, by id.
    waiting: BTreeMap<usize, Asking>,
    has_deviated: bool,
}

/// The start of a job in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// Id of the job.
    pub job: usize,
    /// Index of its site.
    pub site: usize,
    /// True if it also ended at this instant.
    pub ends_now: bool,
}

/// A start that the rule does not explain, or one that it demands and that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The instant.
    pub time: Time,
    /// Id of the job.
    pub job: usize,
    /// Index of the site on which it started, or should have.
    pub site: usize,
    /// Id of another job involved.
    pub other: Option<usize>,
    /// Processors of the job, if it was ever submitted.
    processors: Option<u32>,
    kind: Kind,
    rule: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It did not start; so many processors of the site were idle.
    Missing { idle: u32 },
    /// It started, but should have on this other site.
    Elsewhere { right: usize },
    /// It started, but should not have.
    Wrong(Wrong),
}

/// The reason why a start is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    NotWaiting,
    NothingHappened,
    Held,
    Hindered(Hindrance),
    /// It is not on the site's current list, or not in its queue.
    NotOffered,
}

#[derive(Clone, Debug)]
enum Scheduler {
    Plain(Literal),
    Batched(Batches),
}

impl Checker {
    /// A checker of runs in which the grid gets each job as it is submitted; `grid` is idle.
    pub fn new(grid: Literal) -> Checker {
        Checker::of(Scheduler::Plain(grid))
    }

    /// A checker of runs in which the grid gets the jobs in batches; `grid` is idle.
    pub fn in_batches(grid: Batches) -> Checker {
        Checker::of(Scheduler::Batched(grid))
    }

    fn of(scheduler: Scheduler) -> Checker {
        Checker { scheduler, waiting: BTreeMap::new(), has_deviated: false }
    }

    /// True until the first deviation.
    pub fn is_judging(&self) -> bool {
        !self.has_deviated
    }

    /// Judges an instant; instants come in order of time. The first deviation is returned, and
    /// later instants are not judged.
    ///
    /// `ended` are the ids, sites and processors of the jobs that started earlier and end now; `submitted` are in order; `started` are in any order. A job that ends as it starts is
    /// only among `started`: its processors are idle again for further starts at this instant.
    ///
    /// # Panics
    /// If a site or a group does not exist.
    pub fn instant(
        &mut self,
        now: Time,
        ended: &[(usize, usize, u32)],
        submitted: &[Asking],
        started: &[Started],
    ) -> Option<Deviation> {
        if self.has_deviated {
            return None;
        }
        self.scheduler.at(now, ended.iter().map(|one| one.0));
        for &(_, site, processors) in ended {
            self.scheduler.freed(site, processors);
        }
        for job in submitted {
            self.scheduler.submit(*job);
            self.waiting.insert(job.id, *job);
        }
        let mut left = started.iter().map(|start| (start.job, *start)).collect();
        let is_quiet = ended.is_empty() && submitted.is_empty();
        let deviation = self.missing(now, &mut left).or_else(|| {
            let (_, start) = left.first_key_value()?;
            Some(self.wrong(now, start, is_quiet))
        });
        self.has_deviated = deviation.is_some();
        deviation
    }

    /// Removes the starts that the rule decides on from those `left`, in waves until no job ends as
    /// it starts; returns the first that is missing.
    fn missing(&mut self, now: Time, left: &mut BTreeMap<usize, Started>) -> Option<Deviation> {
        loop {
            let wave = self.scheduler.decide();
            for (at, &(job, site)) in wave.iter().enumerate() {
                match left.get(&job) {
                    Some(start) if start.site == site => {}
                    Some(start) => {
                        let kind = Kind::Elsewhere { right: site };
                        return Some(self.deviation(now, start, None, kind));
                    }
                    None => {
                        let start = Started { job, site, ends_now: false };
                        let is_decided = |&id: &usize| wave.iter().any(|&(job, _)| job == id);
                        let mut others = left.values().filter(|other| other.site == site);
                        let other = others.find(|other| !is_decided(&other.job));
                        let kind = Kind::Missing { idle: self.idle_before(site, &wave[at..]) };
                        return Some(self.deviation(now, &start, other.map(|it| it.job), kind));
                    }
                }
            }
            let mut has_ended = false;
            for (id, site) in wave {
                let start = left.remove(&id);
                let job = self.waiting.remove(&id);
                if let (Some(Started { ends_now: true, .. }), Some(job)) = (start, job) {
                    self.scheduler.at(now, [id]);
                    self.scheduler.freed(site, job.processors);
                    has_ended = true;
                }
            }
            if !has_ended {
                return None;
            }
        }
    }

    /// Idle processors of a site before these starts.
    fn idle_before(&self, site: usize, starts: &[(usize, usize)]) -> u32 {
        let here = starts.iter().filter(|start| start.1 == site);
        let processors = here.filter_map(|start| self.waiting.get(&start.0));
        let taken: u32 = processors.map(|job| job.processors).sum();
        self.scheduler.grid().idle(site) + taken
    }

    /// Explains why a start is wrong.
    fn wrong(&self, now: Time, start: &Started, is_quiet: bool) -> Deviation {
        let grid = self.scheduler.grid();
        let (why, other) = match grid.waiting(start.job) {
            None if self.waiting.contains_key(&start.job) => match self.scheduler {
                Scheduler::Batched(_) => (Wrong::Held, None),
                Scheduler::Plain(_) => (Wrong::Hindered(Hindrance::Barred), None),
            },
            None => (Wrong::NotWaiting, None),
            Some(_) if is_quiet => (Wrong::NothingHappened, None),
            Some(job) => match grid.hindrance(start.site, job) {
                Some(why @ Hindrance::OwnWaits { own }) => (Wrong::Hindered(why), Some(own)),
                Some(why) => (Wrong::Hindered(why), None),
                None => (Wrong::NotOffered, grid.instead_of(start.job, start.site)),
            },
        };
        self.deviation(now, start, other, Kind::Wrong(why))
    }

    fn deviation(
        &self,
        time: Time,
        start: &Started,
        other: Option<usize>,
        kind: Kind,
    ) -> Deviation {
        let &Started { job, site, .. } = start;
        let processors = self.waiting.get(&job).map(|job| job.processors);
        Deviation { time, job, site, other, processors, kind, rule: self.scheduler.name() }
    }
}

impl Scheduler {
    fn submit(&mut self, job: Asking) {
        match self {
            Scheduler::Plain(grid) => grid.submit(job),
            Scheduler::Batched(grid) => grid.submit(job),
        }
    }

    fn at(&mut self, now: Time, ended: impl IntoIterator<Item = usize>) {
        if let Scheduler::Plain(grid) = self {
            grid.at(now, ended);
        }
    }

    fn freed(&mut self, site: usize, processors: u32) {
        match self {
            Scheduler::Plain(grid) => grid.freed(site, processors),
            Scheduler::Batched(grid) => grid.freed(site, processors),
        }
    }

    fn decide(&mut self) -> Vec<(usize, usize)> {
        match self {
            Scheduler::Plain(grid) => grid.decide(),
            Scheduler::Batched(grid) => grid.decide(),
        }
    }

    fn grid(&self) -> &Literal {
        match self {
            Scheduler::Plain(grid) => grid,
            Scheduler::Batched(grid) => grid.grid(),
        }
    }

    fn name(&self) -> String {
        match self {
            Scheduler::Plain(grid) => grid.rule().name().to_owned(),
            Scheduler::Batched(grid) => format!("{} in batches", grid.grid().rule().name()),
        }
    }
}

impl Deviation {
    /// One sentence, with jobs and sites named by the caller.
    pub fn text<J: fmt::Display, S: fmt::Display>(
        &self,
        job: impl Fn(usize) -> J,
        site: impl Fn(usize) -> S,
    ) -> String {
        let (rule, now, place) = (&self.rule, self.time, site(self.site));
        let sized = match self.processors {
            None => format!("job {}", job(self.job)),
            Some(size) => format!("job {} ({})", job(self.job), counted(size, "processor")),
        };
        let started = format!("{sized} started on {place} at {now}");
        let wrong = match self.kind {
            Kind::Missing { idle } => {
                let instead = match self.other {
                    Some(other) => format!("; job {} did", job(other)),
                    None => String::new(),
                };
                return format!(
                    "{sized} did not start on {place} at {now} although {rule} starts it there \
                     then ({idle} idle){instead}"
                );
            }
            Kind::Elsewhere { right } => {
                return format!("{started} although {rule} starts it on {}", site(right));
            }
            Kind::Wrong(wrong) => wrong,
        };
        let reason = match wrong {
            Wrong::NotWaiting => "it did not wait then".to_owned(),
            Wrong::NothingHappened => {
                return format!("{started}, when nothing was submitted and nothing ended");
            }
            Wrong::Held => "the batch before its own had not ended".to_owned(),
            Wrong::Hindered(Hindrance::Barred) => "it may not run there".to_owned(),
            Wrong::Hindered(Hindrance::Full { idle }) => {
                format!("only {} left there", left(idle.into()))
            }
            Wrong::Hindered(Hindrance::OwnWaits { own }) => {
                format!("job {} of that site's owner waited", job(own))
            }
            Wrong::NotOffered => match self.other {
                Some(other) => {
                    format!("{rule} lets that site wait for others, job {} first", job(other))
                }
                None => format!("{rule} does not start it then"),
            },
        };
        format!("{started} although {reason}")
    }
}

impl fmt::Display for Deviation {
    /// The sentence with ids and indices.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(|job| job, |site| format!("site {site}")))
    }
}
