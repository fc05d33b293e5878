//! Results of a coalition's rounds: the course of each replication, and what the organizations
//! learned over all of them.
//!
//! Memory grows neither with rounds nor with replications.

pub mod absorbed;
pub mod beside;
pub mod course;
pub mod flows;
pub mod frame;
pub mod instead;
pub mod learned;
pub mod social;
pub mod stretch;
pub mod timeline;
