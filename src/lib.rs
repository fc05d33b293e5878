//! gridpact (being written).
pub mod audit;
pub mod game;
pub mod kernel;
pub mod model;
pub mod policy;
pub mod report;
pub mod run;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod workload;
