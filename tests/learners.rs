//! Learners: what every registered one promises, the exact updates, and where learning ends.

#[path = "learners/conformance.rs"]
mod conformance;
#[path = "learners/extremes.rs"]
mod extremes;
#[path = "learners/live.rs"]
mod live;
#[path = "learners/mean_field.rs"]
mod mean_field;
#[path = "learners/pools.rs"]
mod pools;
#[path = "learners/references/mod.rs"]
mod references;
#[path = "learners/updates.rs"]
mod updates;
