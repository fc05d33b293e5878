//! Text of `--help` below the options.
//!
//! The examples are shell commands, and a test runs them.

use cli::page;

pub(super) const ADVERSARY: &str = page!("help/adversary.txt");
pub(super) const REPRODUCE: &str = page!("help/reproduce.txt");
pub(super) const STUDY: &str = page!("help/study.txt");
pub(super) const FEDERATION: &str = page!("help/federation.txt");
pub(super) const FINGERPRINTS: &str = page!("help/fingerprints.txt");
pub(super) const CONTEST: &str = page!("help/contest.txt");
