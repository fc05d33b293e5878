//! Organizations, clusters, jobs, a scheduler's view of a job, availability over time.
//!
//! The model holds state and vocabulary but makes no decisions: it knows no policy, no scenario and
//! no file format.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod asked;
pub mod bounds;
pub mod campaign;
pub mod correction;
pub mod entry;
pub mod foreign;
pub mod formula;
pub mod handed;
pub mod ids;
pub mod interval_set;
pub mod invalid;
pub mod job;
pub mod jobs;
pub mod machine;
pub mod name;
pub mod order;
pub mod profile;
pub mod recorded;
pub mod registry;
pub mod speed;
pub mod told;
pub mod view;

// What the macros of registries and parameters stand on, wherever they are used.
#[doc(hidden)]
pub use ::kernel;
