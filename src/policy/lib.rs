//! Policies: decisions. Each algorithm has its own file, named as in its paper; each folder's
//! `mod.rs` holds the trait and the registry. Folders do not import each other; all may import `peer`.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod coalition;
pub mod grid;
pub mod learn;
pub mod local;
pub mod peer;
pub mod plan;
pub mod tasks;
