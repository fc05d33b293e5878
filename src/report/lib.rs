//! Reports of a run: [`findings`] as tables, words, pictures and files.
//!
//! `README.md` beside this file says what stands where. Nothing here makes decisions or adds anything
//! up.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod campaign;
pub mod coalition;
pub mod comparison;
pub mod files;
pub mod game;
pub mod grid;
pub mod page;
pub mod picture;
pub mod sweep;
pub mod table;
pub mod words;
pub mod workload;
pub mod world;
