//! Campaigns of applications: drawn from distributions, or imported from recorded workflows.
//!
//! Classes, tasks, precedences and times are drawn as in the experiments of Duan, Prodan and Li,
//! Future Generation Computer Systems, 2014; expected times as by Braun et al., JPDC 61(6), 2001.
//! A campaign is drawn whole, at the beginning of a replication. Planning and running it are left to
//! others.

pub mod bound;
mod model;
mod options;
pub mod times;
pub mod wfcommons;

pub use model::ApplicationsModel;
pub use options::{Options, Reals, Whole, WholeRange};
pub use times::Times;

#[cfg(test)]
mod tests;
