//! Statistics that know no grid: distributions with exact sums and bounded memory, confidence
//! intervals, where a warm-up ends, and whether a series settles or goes in cycles.

pub mod batches;
pub mod buckets;
pub mod cycle;
pub mod distribution;
pub mod interval;
pub mod mser;
pub mod settling;
pub mod student;
pub mod track;
