//! Independent checkers: were all rules kept, given the facts of a finished run?
//!
//! The facts are the run's own records of its clusters and jobs. Every rule is checked from its
//! definition, without sharing code with the policies, so an error in a scheduler cannot hide in
//! its checker. If a checker deviates from the literal definition for speed, the literal one is
//! kept among the tests and compared with it. Missing facts are not guessed: a check that cannot be
//! made says so. Replications are judged separately.
//!
//! ```
//! use gridpact_audit::{audit, ClusterFacts, Discipline, Facts, JobFacts, Kind, Settings};
//! use kernel::time::{Span, Time};
//!
//! let at = |unit: i64| Time::ZERO + Span::units(unit);
//! let job = |number, submit, start, length, processors| {
//!     JobFacts::new(number, at(submit), Span::units(length), processors)
//!         .on(0)
//!         .ran(at(start), at(start + length))
//! };
//! let mut facts = Facts {
//!     organizations: vec!["physics".into()],
//!     clusters: vec![ClusterFacts::new("tower", 4, Kind::SpaceShared(Discipline::Fcfs))],
//!     jobs: vec![job(1, 0, 0, 10, 3), job(2, 1, 10, 5, 2), job(3, 2, 10, 5, 1)],
//!     settings: Settings::default(),
//!     grid: None,
//! };
//! assert!(audit(&facts, &[]).passed());
//!
//! facts.jobs[2] = job(3, 2, 2, 5, 1); // overtakes job 2
//! let report = audit(&facts, &[]);
//! assert_eq!(
//!     report.check("queue discipline").unwrap().violations[0].text,
//!     "job 3 started at 2 although job 2, which came before it, still waited",
//! );
//! ```

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

mod accounts;
mod auditor;
mod availability;
pub mod campaign;
mod conservative;
mod correction;
pub mod estimates;
mod facts;
pub mod federation;
pub mod grid;
mod processors;
pub mod promise;
mod queue;
mod ranking;
mod report;
pub mod rounds;
mod scene;
mod station;
mod time_shared;
mod times;
mod waiting;

#[cfg(test)]
mod literal;
#[cfg(test)]
mod tests;

pub use accounts::{Sums, Tally, Totals, conservation};
pub use auditor::{Auditor, Place};
pub use facts::{
    Clairvoyance, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, PhaseOrder, Settings,
    UNIT_SPEED,
};
pub use report::{Check, Report, Violation};

/// Checks every rule; `totals` are the accounts to compare with, one for each replication or none.
/// An [`Auditor`] does the same without holding all jobs.
///
/// # Panics
/// Panics if a job names an organization or cluster that is not in the facts; see
/// [`Facts::dangling`].
pub fn audit(facts: &Facts, totals: &[Totals]) -> Report {
    if let Some(number) = facts.dangling() {
        panic!("job {number} names an organization or a cluster that the facts do not hold");
    }
    let mut jobs: Vec<&JobFacts> = facts.jobs.iter().collect();
    jobs.sort_by_key(|job| job.place());
    let mut auditor = Auditor::new(facts);
    jobs.into_iter().for_each(|job| auditor.add(job.clone()));
    let mut report = auditor.finish();
    let conservation = conservation(facts, totals);
    report.checks.retain(|check| check.name != conservation.name);
    report.checks.push(conservation);
    report
}
