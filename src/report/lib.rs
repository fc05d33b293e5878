//! Reports of a run: one file per format.
//!
//! Reporters turn [`findings`] into text, or observe the run and write as it goes.
//! Nothing here makes decisions or adds anything up.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod alone;
mod bounds;
pub mod campaign;
pub mod chart;
pub mod coalition;
mod columns;
pub mod comparison;
mod controlled;
mod ends;
pub mod figures;
pub mod game;
pub mod grid;
pub mod json;
pub mod loads;
mod margin;
pub mod offered;
pub mod organizations;
pub mod planned;
pub mod plot;
pub mod prose;
pub mod schema;
mod sharing;
pub mod steady;
pub mod summary;
pub mod sweep;
pub mod table;
pub mod timeline;
pub mod trace_waits;
pub mod warnings;
pub mod welch;
pub mod workload;
pub mod world;
pub mod wrapped;
