//! Notions of game theory that know no grid.

mod birth_death;
pub mod counts;
pub mod dynamics;
pub mod fairness;
pub mod matrix;
pub mod mixed;
pub mod noise;
pub mod pairwise;
pub mod payoffs;
pub mod regret;
pub mod stage;
pub mod table;
