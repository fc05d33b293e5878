//! Statistics independent of grids: distributions with exact sums and bounded memory, confidence
//! intervals, sequential sampling, warm-up detection, convergence and cycles of a series, and
//! distributions as functions.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod batch_means;
pub mod batches;
pub mod buckets;
pub mod control;
mod counts;
pub mod course;
pub mod cycle;
pub mod design;
mod detail;
pub mod distribution;
pub mod growth;
pub mod incomplete_gamma;
pub mod interval;
pub mod largest;
pub mod law;
pub mod mixture;
pub mod mser;
pub mod paired;
pub mod repeats;
pub mod sensitivity;
pub mod sequential;
pub mod settling;
pub mod shown;
pub mod student;
pub mod track;
pub mod welch;
