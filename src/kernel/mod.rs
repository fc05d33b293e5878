//! The discrete-event kernel: time, the calendar, the loop, named random streams and saved state.
//!
//! It knows no grid: a [`World`](engine::World) tells it when each agent acts next, and the
//! [`Engine`](engine::Engine) wakes the agents in the one order that time, phase and number give.

pub mod calendar;
pub mod engine;
pub mod rng;
pub mod state;
pub mod time;
