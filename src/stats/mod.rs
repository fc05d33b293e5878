//! Statistics that know no grid: distributions with exact sums and bounded memory.

pub mod distribution;
