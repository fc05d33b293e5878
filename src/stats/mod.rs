//! Statistics that know no grid: distributions with exact sums and bounded memory, confidence
//! intervals, and where a warm-up ends.

pub mod batches;
pub mod buckets;
pub mod distribution;
pub mod interval;
pub mod mser;
pub mod student;
