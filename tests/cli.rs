//! The program as its users meet it: files in, files and words out, and an exit code that tells.

#[path = "cli/audits.rs"]
mod audits;
#[path = "cli/coalitions.rs"]
mod coalitions;
#[path = "cli/contests.rs"]
mod contests;
#[path = "cli/deviations.rs"]
mod deviations;
#[path = "cli/explanations.rs"]
mod explanations;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/games.rs"]
mod games;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/layers.rs"]
mod layers;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/live.rs"]
mod live;
#[path = "cli/records.rs"]
mod records;
#[path = "cli/results.rs"]
mod results;
#[path = "cli/starters.rs"]
mod starters;
#[path = "cli/studies.rs"]
mod studies;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/warnings.rs"]
mod warnings;
#[path = "cli/workloads.rs"]
mod workloads;
#[path = "cli/wrong_exact.rs"]
mod wrong_exact;
#[path = "cli/wrong_input.rs"]
mod wrong_input;
