//! Records: the files that a run writes line by line, and their readers. One file per kind of record.
//!
//! Writers observe a run and write as it goes: records in blocks ([`lines`]), digit by digit ([`text`]).
//! [`record`] defines the type of a line of each CSV file, by which the run writes it and the audit
//! reads it ([`recorded`]). [`packed`] compresses, [`files`] makes files appear whole.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod campaign;
pub mod coalition;
pub mod decisions;
pub mod field;
pub mod files;
pub mod game;
pub mod histograms;
pub mod jobs;
pub mod lines;
pub mod packed;
pub mod parquet;
pub mod plans;
pub mod record;
pub mod recorded;
pub mod text;
pub mod windows;
