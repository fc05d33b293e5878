//! The discrete-event kernel: time, the calendar, the loop, named random streams and saved state.
//!
//! It knows no grid. A [`World`](engine::World) reports when each agent acts next, and the
//! [`Engine`](engine::Engine) wakes the agents in order of time, phase and number.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod calendar;
pub mod engine;
pub mod map;
pub mod order;
pub mod parallel;
pub mod rng;
pub mod state;
pub mod time;
