//! Statistics that know no grid: distributions with exact sums and bounded memory, confidence
//! intervals, when a sample is large enough, where a warm-up ends, whether a series settles or goes
//! in cycles, and distributions as functions.

pub mod batches;
pub mod buckets;
pub mod cycle;
pub mod distribution;
pub mod growth;
pub mod incomplete_gamma;
pub mod interval;
pub mod law;
pub mod mser;
pub mod sequential;
pub mod settling;
pub mod student;
pub mod track;
