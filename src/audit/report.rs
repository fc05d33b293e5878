//! Audit reports, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::facts::JobFacts;
use kernel::time::Time;

/// Number of violations listed for each rule; the rest is only counted.
const TOLD: usize = 5;
/// Number of names of which a note is told.
const NAMED: usize = 3;

/// The checks of an audit. Serialized times are in ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// One for each rule.
    pub checks: Vec<Check>,
}

/// A rule with its violations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// Statement of the rule.
    pub means: &'static str,
    /// Number of jobs (or sums) checked.
    pub looked_at: u64,
    /// Number of violations.
    pub count: u64,
    /// The first few violations.
    pub violations: Vec<Violation>,
    /// Parts that could not be checked, with the reason.
    pub notes: Vec<String>,
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The replication.
    pub replication: u32,
    /// Round, in a coalition.
    pub round: Option<u64>,
    /// Name of the cluster, if one is involved.
    pub cluster: Option<String>,
    /// Numbers of the jobs involved, the culprit first.
    pub jobs: Vec<u64>,
    /// Time of the violation, if there is a single one.
    pub time: Option<Time>,
    /// Description.
    pub text: String,
}

impl Report {
    /// True if no rule was broken. Parts that could not be checked do not count; see
    /// [`Check::notes`].
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }

    /// The check with a given name.
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }
}

impl Check {
    /// A check in its initial state.
    pub fn new(name: &'static str, means: &'static str) -> Check {
        Check { name, means, looked_at: 0, count: 0, violations: Vec::new(), notes: Vec::new() }
    }

    /// True if the rule was not broken.
    pub fn passed(&self) -> bool {
        self.count == 0
    }

    /// Counts a violation and keeps it if it is among the first; otherwise `tell` is not called.
    pub fn violated(&mut self, tell: impl FnOnce() -> Violation) {
        self.count += 1;
        if self.violations.len() < TOLD {
            self.violations.push(tell());
        }
    }

    /// Notes a part that could not be checked.
    pub fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

impl Violation {
    /// A violation that concerns no single job, round or cluster.
    pub fn new(replication: u32, text: String) -> Violation {
        let (round, cluster, jobs, time) = (None, None, Vec::new(), None);
        Violation { replication, round, cluster, jobs, time, text }
    }

    /// A violation by one job.
    pub fn of_job(job: &JobFacts, time: Option<Time>, text: String) -> Violation {
        Violation { jobs: vec![job.number], time, ..Violation::new(job.replication, text) }
    }

    /// Adds the cluster.
    pub(super) fn at(mut self, cluster: &str) -> Violation {
        self.cluster = Some(cluster.to_owned());
        self
    }

    /// Adds another job.
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

/// A number of things: `1 processor`, `2 processors`.
pub(super) fn counted(number: impl Into<i128>, what: &str) -> String {
    let number = number.into();
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Processors that were left: `1 processor was`, `2 processors were`.
pub(super) fn left(free: i64) -> String {
    let free = free.max(0);
    format!("{} {}", counted(free, "processor"), if free == 1 { "was" } else { "were" })
}

/// Notes that say the same of several are told once: `a, b, c and 3 more: why`.
fn told_once(notes: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for note in notes {
        let (who, why) = note.split_once(": ").unwrap_or(("", note));
        match groups.iter_mut().find(|(other, _)| *other == why) {
            Some((_, names)) => names.push(who),
            None => groups.push((why, vec![who])),
        }
    }
    let told = |(why, names): (&str, Vec<&str>)| {
        let more = match names.len() {
            0..=NAMED => String::new(),
            all => format!(" and {} more", all - NAMED),
        };
        match &names[..names.len().min(NAMED)] {
            [""] => why.to_owned(),
            some => format!("{}{more}: {why}", some.join(", ")),
        }
    };
    groups.into_iter().map(told).collect()
}

impl fmt::Display for Report {
    /// One line for each check, then the violations and the parts that could not be checked.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for check in &self.checks {
            let looked_at = check.looked_at;
            let verdict = match check.count {
                0 if looked_at == 0 => "nothing to check".to_owned(),
                0 => format!("ok ({looked_at} checked)"),
                1 => format!("BROKEN once ({looked_at} checked)"),
                times => format!("BROKEN {times} times ({looked_at} checked)"),
            };
            writeln!(out, "{:<20} {verdict}", check.name)?;
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
            for note in told_once(&check.notes) {
                writeln!(out, "\nnot checked under {}: {note}", check.name)?;
            }
        }
        Ok(())
    }
}
