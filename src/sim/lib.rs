//! The worlds that the kernel drives, and their observers.
//!
//! The Grid: rigid jobs on clusters, each with its own scheduler. The cluster agent, the source of
//! jobs and the observer are type parameters.
//!
//! The Pool: divisible load on time-shared clusters, with a balancer over the members of a
//! coalition.
//!
//! The federation: the grid in rounds, in which owners of clusters decide whether to pool them.
//!
//! The campaign: applications of classes of identical tasks on sites, under a task planner.
//!
//! The repeated game: any stage game played in rounds by players that learn between rounds, and the
//! mean field of the ratio rule.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

mod access;
pub mod accounts;
pub mod alone;
pub mod bounding;
pub mod campaign;
pub mod clairvoyance;
pub mod cluster;
pub mod federation;
pub mod grid;
pub mod mean_field;
pub mod observer;
pub mod phase;
mod placing;
mod planning;
pub mod pool;
pub mod promises;
pub mod repeated;
pub mod scout;
pub mod timeline;
pub mod weeks;
