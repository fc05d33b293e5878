//! Results of a grid's replications: accounts added up, intervals of their figures, and
//! whether the jobs are a sample of the steady state.

pub mod alone;
pub mod comparable;
pub mod controlled;
pub mod frame;
pub mod loads;
pub mod overload;
pub mod precision;
pub mod results;
pub mod steady;
pub mod timelines;
pub mod trace_waits;
pub mod typical;
pub mod watch;
