//! Tests of task planners.

mod cost;
mod executor;
mod games;
mod lanes;
mod lists;
mod naive;
mod random;
mod rounding;
mod support;
