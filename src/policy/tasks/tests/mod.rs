//! Tests of task planners.

mod cost;
mod executor;
mod games;
mod hard;
mod lanes;
mod lists;
mod market;
mod naive;
mod random;
mod room;
mod rounding;
mod storage;
pub(super) mod support;
