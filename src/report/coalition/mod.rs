//! The report of a coalition: records of its rounds, and what the organizations learned.
//!
//! The rounds themselves are written by [`records::coalition::rounds`]; everything else comes from what
//! [`Learned`](findings::coalition::learned::Learned) has added up.

pub mod deviations;
pub mod entry;
pub(super) mod json;
pub mod learning;
pub mod organizations;
pub mod picture;
pub mod social;
mod summary;
pub mod timeline;
pub mod verdicts;
pub mod warnings;

#[cfg(test)]
mod tests;

use crate::picture::clock::Clock;
use findings::coalition::frame::Frame;

pub use summary::CoalitionReport;

/// Label of an axis of rounds, with the length of a round, and whose rounds they are.
fn axis(frame: &Frame) -> String {
    let period = Clock::told(frame.counts_seconds, frame.period.as_units());
    let whose = if frame.by_chance { "; of the replications that still play" } else { "" };
    format!("round (of {period}){whose}")
}
