//! Balancers, learners and rounds.

mod balancers;
mod coalition;
mod learners;
mod rounds;
