//! Learners: what every registered one promises, the exact updates, and where learning ends.

mod conformance;
mod extremes;
mod live;
mod mean_field;
mod pools;
mod references;
mod updates;
