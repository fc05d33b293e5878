//! What is: organizations, clusters, jobs, what a scheduler may see of a job, availability over
//! time.
//!
//! State and vocabulary, no decisions: the model knows no policy, no scenario and no file format.

pub mod entry;
pub mod ids;
pub mod interval_set;
pub mod invalid;
pub mod job;
pub mod jobs;
pub mod profile;
pub mod view;
