//! Audits and explanations of a results folder: were all rules kept ([`audit`](mod@audit)), and why did
//! a job wait ([`explain`])?

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod audit;
pub mod explain;
