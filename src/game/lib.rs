//! Game theory, independent of grids.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod alpha_rank;
pub mod bimatrix;
mod birth_death;
pub mod coalitional;
pub mod counts;
pub mod dedicated;
pub mod dynamics;
pub mod equity;
pub mod fairness;
pub mod hedonic;
pub mod logit;
mod markov;
pub mod matrix;
pub mod memory_one;
pub mod mixed;
pub mod noise;
pub mod ntu;
pub mod orders;
pub mod pairwise;
pub mod payoffs;
pub mod regret;
pub mod stage;
pub mod supports;
pub mod table;
