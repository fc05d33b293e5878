//! Tests of task planners.

mod lanes;
mod lists;
mod naive;
mod random;
