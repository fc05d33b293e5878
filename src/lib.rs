//! gridpact (being written).
pub mod kernel;
pub mod model;
pub mod policy;
pub mod scenario;
pub mod workload;
