//! Availability of processors over time.
