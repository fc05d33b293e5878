//! Traces in the Standard Workload Format, version 2.2, plain or gzip.
//!
//! The [`survey`] applies the [`Options`] to every line, records each job that a rule dropped or
//! changed in the import [`Ledger`], and digests the remaining jobs, the canonical workload. It
//! keeps them packed, in memory and then in a temporary file. An [`SwfSource`] streams them into a
//! run. Where they are not kept, it reads the trace again by the same code and compares.
//!
//! Format: Chapin et al. 1999, "Benchmarks and standards for the evaluation of parallel job
//! schedulers", and the description in the Parallel Workloads Archive. Eighteen columns per line: 1
//! job number, 2 submit, 3 wait, 4 run time, 5 allocated processors, 6 average CPU time, 7 memory,
//! 8 requested processors, 9 requested time, 10 requested memory, 11 status, 12 user, 13 group, 14
//! application, 15 queue, 16 partition, 17 preceding job, 18 think time. Gridpact reads columns 1,
//! 2, 4, 5, 8, 9, 11, 12, 13, 15 and 16 and skips the others; -1 means "unknown".
//!
//! Times may be decimals and are rounded to the nearest tick; a negative time is unknown. User and
//! group numbers become `u32`; negative numbers are read as 0. No value may exceed
//! [`LIMIT_TICKS`](kernel::time::LIMIT_TICKS). A line with such a value is malformed, as is
//! one with fewer than 18 columns or more than 64 KiB.

mod ahead;
mod canonical;
mod error;
mod fast;
mod header;
mod import;
mod input;
mod kept;
mod ledger;
mod line;
mod options;
mod routes;
mod source;
mod survey;
#[cfg(test)]
mod tests;
mod writer;

pub use crate::ledger::{Kind, Ledger, Row};
pub use error::SwfError;
pub use header::Header;
pub(crate) use import::Placing;
pub use options::*;
pub use routes::Routes;
pub use source::SwfSource;
pub use survey::{HELD_BYTES, Share, Survey, survey, survey_bytes};
pub use writer::SwfWriter;
