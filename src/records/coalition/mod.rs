//! The records of a coalition's rounds.

pub mod acts;
pub mod histograms;
pub mod jobs;
pub mod moves;
pub mod rounds;
