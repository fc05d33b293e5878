//! Families of instances on which a scheduler is far from the optimum.
//!
//! Each family is a file with a `build` and one line in [`FAMILIES`]. It knows its optimum, or an
//! upper bound on it that an explicit [reference schedule](Worst::reference) proves, so the ratio
//! that a scheduler reaches on it is certified. The lengths are whole ticks.

use bounds::instance::{Instance, Placement, Task};
use kernel::time::{Span, TICKS_PER_UNIT, Time};

mod example_4_1;
mod example_4_2;
mod example_4_3;
mod example_5_5;
mod gcs3;
mod gots45;
mod partition;
mod plan;
mod starvation;
mod two_clusters;

/// Largest number of jobs that a family builds.
pub const MOST_JOBS: u64 = 2_000_000;

/// Scheduler that a family is bad for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// List scheduling in order of submission.
    ListFcfs,
    /// List scheduling, smallest job first.
    ListAscending,
    /// List scheduling, largest job first.
    ListDescending,
    /// Grid Over-Time-Submission, which is Grid Concurrent-Submission if all jobs are submitted
    /// at time 0.
    GridSubmission,
}

impl Target {
    /// Returns its name: `list-asc`, `grid-over-time-submission`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::ListFcfs => "list-fcfs",
            Target::ListAscending => "list-asc",
            Target::ListDescending => "list-desc",
            Target::GridSubmission => "grid-over-time-submission",
        }
    }
}

/// The smallest makespan of an instance, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is this.
    Exactly(Time),
    /// It is this or less.
    AtMost(Time),
}

impl Known {
    /// Returns the makespan of the reference schedule.
    pub const fn at_most(self) -> Time {
        match self {
            Known::Exactly(time) | Known::AtMost(time) => time,
        }
    }
}

/// A member of a family.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Clusters and jobs.
    pub instance: Instance,
    /// Its smallest makespan.
    pub optimum: Known,
    /// A schedule with the makespan [`Known::at_most`]: a placement for each job.
    pub reference: Vec<Placement>,
    /// Makespan of the scheduler that the family is bad for, if a formula gives it.
    pub makespan: Option<Time>,
    /// The reason why it is bad, in a sentence or two.
    pub note: String,
}

impl Worst {
    /// Returns the jobs in list order, equal neighbours once with their number.
    pub fn runs(&self) -> Vec<(Task, u64)> {
        let mut runs: Vec<(Task, u64)> = Vec::new();
        for &task in &self.instance.tasks {
            match runs.last_mut() {
                Some((last, count)) if *last == task => *count += 1,
                _ => runs.push((task, 1)),
            }
        }
        runs
    }
}

/// A whole number that chooses the member of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its meaning, in a phrase.
    pub meaning: &'static str,
    /// Its value if none is given.
    pub default: u64,
    /// Its smallest value.
    pub least: u64,
    /// Its largest value; the number of jobs may set a lower limit.
    pub most: u64,
}

/// The parameter `n` of families whose tiny jobs run for 1/n of a unit.
const fn tiny_jobs(least: u64) -> Parameter {
    Parameter {
        name: "n",
        meaning: "the tiny jobs run for 1/n of a unit",
        default: 1000,
        least,
        most: 1_000_000,
    }
}

/// A family of instances.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// A sentence about it.
    pub summary: &'static str,
    /// Its source.
    pub citation: &'static str,
    /// The scheduler that it is bad for.
    pub target: Target,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Builds the member for one value per parameter, in their order and within their limits.
    construct: fn(&[u64]) -> Result<Worst, String>,
}

/// All families.
pub const FAMILIES: [Family; 10] = [
    example_4_1::FAMILY,
    example_4_2::FAMILY,
    example_4_3::FAMILY,
    example_4_3::TABLE,
    example_5_5::FAMILY,
    gcs3::FAMILY,
    gots45::FAMILY,
    two_clusters::FAMILY,
    starvation::FAMILY,
    partition::FAMILY,
];

/// Returns the family called `name`.
///
/// # Errors
/// No family has this name.
pub fn family(name: &str) -> Result<&'static Family, String> {
    static ALL: [Family; FAMILIES.len()] = FAMILIES;
    ALL.iter().find(|family| family.name == name).ok_or_else(|| {
        let names = ALL.each_ref().map(|family| family.name).join(", ");
        format!("no family is called {name:?}; there are {names}")
    })
}

impl Family {
    /// Builds the member with these values of its parameters; others keep their defaults.
    ///
    /// # Errors
    /// A parameter that the family does not have or that is given twice, a value out of its range,
    /// or more than [`MOST_JOBS`] jobs.
    pub fn build(&self, given: &[(&str, u64)]) -> Result<Worst, String> {
        for (place, (name, _)) in given.iter().enumerate() {
            if !self.parameters.iter().any(|parameter| parameter.name == *name) {
                let names: Vec<&str> = self.parameters.iter().map(|each| each.name).collect();
                let names = if names.is_empty() { "none".into() } else { names.join(", ") };
                return Err(format!("{} has no parameter {name:?}; it has {names}", self.name));
            }
            if given[..place].iter().any(|(earlier, _)| earlier == name) {
                return Err(format!("{name} is given twice"));
            }
        }
        let mut values = Vec::with_capacity(self.parameters.len());
        for &Parameter { name, default, least, most, .. } in self.parameters {
            let value = given.iter().find(|one| one.0 == name).map_or(default, |one| one.1);
            if !(least..=most).contains(&value) {
                return Err(format!(
                    "{name} of {} is {value}; it must be between {least} and {most}",
                    self.name
                ));
            }
            values.push(value);
        }
        (self.construct)(&values).map_err(|error| format!("{}: {error}", self.name))
    }
}

/// Refuses more than [`MOST_JOBS`] jobs; `told` names the member, such as `k = 11`.
fn limit_jobs(jobs: u128, told: &str) -> Result<(), String> {
    if jobs <= u128::from(MOST_JOBS) {
        return Ok(());
    }
    Err(format!("{told} has {jobs} jobs, more than the limit of {MOST_JOBS}; take a smaller one"))
}

/// Returns a unit of time divided by `n`.
fn unit_over(n: u64) -> Result<Span, String> {
    const UNIT: u64 = TICKS_PER_UNIT.unsigned_abs();
    if n == 0 || !UNIT.is_multiple_of(n) {
        let (mut below, mut above) = (n.clamp(1, UNIT), n.clamp(1, UNIT));
        while !UNIT.is_multiple_of(below) {
            below -= 1;
        }
        while !UNIT.is_multiple_of(above) {
            above += 1;
        }
        return Err(format!(
            "1/{n} of a unit is not a whole number of ticks; n must divide {UNIT}: \
             try {below} or {above}"
        ));
    }
    Ok(Span::from_ticks((UNIT / n).cast_signed()))
}
