//! What a run leaves behind: one file, one format.
//!
//! Reporters turn [`Results`](results::Results) into text, or watch the run and write as it goes.
//! Nothing here decides anything, and every figure comes from the accounts.

pub mod chart;
pub mod coalition;
pub mod decisions;
pub mod enough;
pub mod figure;
pub mod files;
pub mod game;
pub mod histograms;
pub mod jobs;
pub mod json;
mod line;
pub mod loads;
pub mod organizations;
pub mod packed;
pub mod planned;
pub mod plot;
pub mod precision;
pub mod recorded;
pub mod results;
pub mod summary;
pub mod table;
pub mod timeline;
pub mod warnings;
pub mod windows;
pub mod workload;
