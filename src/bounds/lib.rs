//! Bounds of the makespan, to compare schedulers with: a lower bound for workloads of every size, the
//! exact optimum of small instances, also of those in which no owner may lose.
//!
//! Jobs are rigid and run on one cluster without interruption. Lengths are known here, which no
//! online scheduler can assume: these are figures to judge by, not schedulers.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod instance;
pub mod lower;
pub mod optimum;
pub mod promise;
