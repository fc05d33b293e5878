//! Results of rounds, of coalitions and games alike: sums in bins, curves, batches and convergence.
//!
//! A world folds every replication into a course of its own, whose memory does not grow with the
//! rounds, and adds the courses up.

pub mod batched;
pub mod binned;
pub mod curves;
pub mod mean;
pub mod settled;
pub mod sum;
pub mod unit;
