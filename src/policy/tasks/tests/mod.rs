//! Tests of task planners.

mod lists;
mod naive;
mod random;
