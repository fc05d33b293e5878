//! Balancers, learners, rounds and the studies that are made of them.

mod balancers;
mod coalition;
mod learners;
mod reproduce;
mod rounds;
mod toy_paper;
