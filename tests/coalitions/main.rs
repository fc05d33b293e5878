//! Balancers, learners and rounds.

mod balancers;
mod coalition;
mod federations;
mod learners;
mod rounds;
