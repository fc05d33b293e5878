//! Checkers that trust nothing: given the facts of a finished run, was every rule kept?
//!
//! The facts are what a run wrote down about its clusters and jobs. Every rule is checked from its
//! definition, literally and slowly, and nothing here is shared with the policies, so an error in a
//! scheduler cannot hide in its checker. What is not in the facts is not guessed: a check that
//! cannot be made says so. Jobs of different replications are judged apart.
//!
//! ```
//! use gridpact::audit::{audit, ClusterFacts, Discipline, Facts, JobFacts, Kind, Settings};
//! use gridpact::kernel::time::{Span, Time};
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

mod accounts;
mod capacity;
mod conservative;
mod facts;
mod processors;
mod queue;
mod replay;
mod report;
pub mod rounds;
mod time_shared;
mod times;

#[cfg(test)]
mod tests;

pub use accounts::{Sums, Totals, conservation};
pub use facts::{
    Clairvoyance, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, PhaseOrder, Settings,
};
pub use report::{Check, Report, Violation};

/// Checks every rule; `totals` are the accounts to compare with, one for each replication or none.
///
/// O(jobs × waiting jobs) for the queue disciplines, O(jobs log jobs) for the rest.
///
/// # Panics
/// When a job names an organization or cluster that is not in the facts; see [`Facts::dangling`].
pub fn audit(facts: &Facts, totals: &[Totals]) -> Report {
    if let Some(number) = facts.dangling() {
        panic!("job {number} names an organization or a cluster that the facts do not hold");
    }
    let runs = replay::runs(facts);
    Report {
        checks: vec![
            times::identities(facts),
            times::times(facts),
            times::expectations(facts),
            times::nobody_forgotten(facts),
            capacity::capacity(&runs),
            processors::named(&runs),
            queue::discipline(&runs, &facts.settings),
            time_shared::discipline(&runs, &facts.settings),
            accounts::conservation(facts, totals),
        ],
    }
}
