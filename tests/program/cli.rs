//! The program as its users meet it: files in, files and words out, and an exit code that tells.

mod audits;
mod coalitions;
mod comparisons;
mod contests;
mod deviations;
mod explanations;
mod formats;
mod games;
mod help;
mod imports;
mod layers;
mod lists;
mod live;
mod mistaken;
mod records;
mod results;
mod snapshots;
mod solutions;
mod starters;
mod studies;
mod support;
mod sweeps;
mod traces;
mod warnings;
mod workloads;
mod wrong;
