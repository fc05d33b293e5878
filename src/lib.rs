//! gridpact (being written).
pub mod audit;
pub mod kernel;
pub mod model;
pub mod policy;
pub mod workload;
