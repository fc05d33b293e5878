//! gridpact (being written).
pub mod kernel;
pub mod model;
pub mod policy;
pub mod workload;
