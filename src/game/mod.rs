//! Notions of game theory that know no grid.

pub mod counts;
pub mod fairness;
pub mod matrix;
pub mod noise;
pub mod pairwise;
pub mod payoffs;
pub mod stage;
pub mod table;
