//! gridpact (being written).
pub mod audit;
pub mod game;
pub mod kernel;
pub mod model;
pub mod policy;
pub mod sim;
pub mod stats;
pub mod workload;
