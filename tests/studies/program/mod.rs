//! The program as its users meet it.

mod contests;
mod help;
mod studies;
// Another crate's, of which a part is used here.
#[allow(dead_code)]
#[path = "../../program/cli/support.rs"]
mod support;
