//! Time series of a grid's run over simulated time.
//!
//! The file has each of the first replications, the chart has the mean over all.

pub mod csv;
pub mod picture;
