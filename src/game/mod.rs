//! Notions of game theory that know no grid.

pub mod fairness;
pub mod matrix;
pub mod payoffs;
pub mod stage;
pub mod table;
