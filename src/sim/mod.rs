//! The worlds that the kernel drives, and what watches them.
//!
//! The Grid: rigid jobs on clusters, each with a scheduler of its own. Its parts are pluggable by
//! type: the cluster agent, the source of jobs and the observer.
//!
//! The Pool: divisible load on time-shared clusters, a balancer over the members of a coalition.
//!
//! The repeated game: whatever is played in rounds, between players that learn from one round to
//! the next; and where those should end that match what they get.

pub mod accounts;
pub mod clairvoyance;
pub mod cluster;
pub mod grid;
pub mod mean_field;
pub mod observer;
pub mod phase;
pub mod pool;
pub mod repeated;
pub mod scout;
pub mod timeline;
