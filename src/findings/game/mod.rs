//! Results of a game's rounds: the course of each replication, and how it was played over all of
//! them; the trajectories of dynamics; and the pure equilibria that both are compared with.

pub mod course;
pub mod dynamics;
pub mod ends;
pub mod frame;
pub mod played;
pub mod solution;
