//! What an audit found, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::facts::JobFacts;
use crate::kernel::time::Time;

/// How many violations of a rule are told; the rest is counted.
const TOLD: usize = 5;

/// The checks of an audit. Serialized times are in ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One for each rule.
    pub checks: Vec<Check>,
}

/// A rule and how far it was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub means: &'static str,
    /// How many jobs (or sums) it was checked on.
    pub looked_at: u64,
    /// How many violations there are.
    pub count: u64,
    /// The first few of them.
    pub violations: Vec<Violation>,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The replication.
    pub replication: u32,
    /// Its round, in a coalition.
    pub round: Option<u64>,
    /// The cluster's name, where one is concerned.
    pub cluster: Option<String>,
    /// The numbers of the jobs concerned, the culprit first.
    pub jobs: Vec<u64>,
    /// When, where there is one instant to name.
    pub time: Option<Time>,
    /// What happened, in words.
    pub text: String,
}

impl Report {
    /// True where no rule was broken. What could not be checked does not count; see
    /// [`Check::notes`].
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }

    /// The check of that name.
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }
}

impl Check {
    /// A check that has not looked at anything yet.
    pub(super) fn new(name: &'static str, means: &'static str) -> Check {
        Check { name, means, looked_at: 0, count: 0, violations: Vec::new(), notes: Vec::new() }
    }

    /// True where the rule was not broken.
    pub fn passed(&self) -> bool {
        self.count == 0
    }

    /// Counts a violation and keeps it if it is among the first; `tell` is called only then.
    pub(super) fn violated(&mut self, tell: impl FnOnce() -> Violation) {
        self.count += 1;
        if self.violations.len() < TOLD {
            self.violations.push(tell());
        }
    }

    /// Says what could not be checked.
    pub(super) fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

impl Violation {
    /// Something about one job.
    pub(super) fn of_job(job: &JobFacts, time: Option<Time>, text: String) -> Violation {
        Violation {
            replication: job.replication,
            round: None,
            cluster: None,
            jobs: vec![job.number],
            time,
            text,
        }
    }

    /// The same, on a cluster.
    pub(super) fn at(mut self, cluster: &str) -> Violation {
        self.cluster = Some(cluster.to_owned());
        self
    }

    /// The same, with another job concerned.
    pub(super) fn with(mut self, other: Option<u64>) -> Violation {
        self.jobs.extend(other);
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(cluster) = &self.cluster {
            write!(out, "{cluster}: ")?;
        }
        if let Some(round) = self.round {
            return write!(out, "replication {}, round {round}: {}", self.replication, self.text);
        }
        write!(out, "{}", self.text)?;
        if self.replication > 0 {
            write!(out, " (replication {})", self.replication)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    /// One line a check, then what was broken and what could not be checked, in words.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in &self.checks {
            let verdict = match check.count {
                0 if check.looked_at == 0 => "-".to_owned(),
                0 => "ok".to_owned(),
                1 => "FAILED once".to_owned(),
                count => format!("FAILED {count} times"),
            };
            writeln!(out, "{:<20} {verdict} ({} looked at)", check.name, check.looked_at)?;
        }
        for check in self.checks.iter().filter(|check| !check.passed()) {
            writeln!(out, "\n{}: {}", check.name, check.means)?;
            for violation in &check.violations {
                writeln!(out, "  {violation}")?;
            }
            let untold = check.count - check.violations.len() as u64;
            if untold > 0 {
                writeln!(out, "  and {untold} more")?;
            }
        }
        for check in &self.checks {
            for note in &check.notes {
                writeln!(out, "\nnot checked under {}: {note}", check.name)?;
            }
        }
        Ok(())
    }
}
