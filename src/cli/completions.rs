//! `gridpact completions`.

use clap::Args;
use clap_complete::Shell;

use super::{Failure, command, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Shell to complete for.
    shell: Shell,
}

pub(super) fn completions(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "gridpact", &mut script);
    print(&String::from_utf8_lossy(&script))
}
