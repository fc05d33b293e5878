//! Whole simulations against exact vectors, theory, other programs and an auditor.

#[path = "../common/mod.rs"]
mod common;

mod alone;
mod audited;
mod bound;
mod bounds;
mod campaign;
mod common_random_numbers;
mod comparisons;
mod conformance;
mod coverage;
mod dedicated;
mod exports;
mod online;
mod online_vectors;
mod overload;
mod own_world;
mod planning;
mod precision;
mod queues;
mod reasons;
mod reference_lists;
mod rivals;
mod shared_owners;
mod theory;
mod vectors;

/// A number of random cases; `GRIDPACT_CASES` multiplies it.
pub fn cases(number: u64) -> u64 {
    let times = std::env::var("GRIDPACT_CASES");
    number * times.map_or(1, |times| times.parse().expect("a number of times"))
}
