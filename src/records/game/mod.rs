//! The records of a game.

pub mod rounds;
