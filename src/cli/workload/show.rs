//! `gridpact workload show`.

use std::env;

use clap::Args;
use report::picture::bars::Ink;
use report::workload;
use run::Progress;
use run::workload::profile;

use super::Drawn;
use crate::{Failure, format, print, progress, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    drawn: Drawn,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only this table.
    #[arg(long, value_name = "NAME", value_parser = workload::NAMES)]
    table: Option<String>,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

pub(super) fn show(arguments: &Arguments) -> Result<(), Failure> {
    let Drawn { jobs, replication, .. } = arguments.drawn;
    let plan = arguments.drawn.load()?;
    let progress = Progress::default();
    let share = || Some(progress.share_drawn(&plan, jobs, 1));
    let profile = progress::shown(&progress, share, arguments.quiet, || {
        profile(&plan, replication, jobs, &progress)
    });
    let profile = profile.map_err(|error| Failure::Input(error.to_string()))?;
    if !arguments.quiet {
        let (wanted, tables) = (arguments.table.as_deref(), || workload::tables(&profile).into());
        let text = || print(&workload::render(&profile, ink(), format::width()));
        arguments.choice.print_tables(wanted, "organizations", tables, text)?;
    }
    for warning in profile.warnings() {
        say(&format!("warning: {warning}"));
    }
    Ok(())
}

/// ASCII bars if the locale is known not to support Unicode.
fn ink() -> Ink {
    let said = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(said);
    match locale.as_deref() {
        Some("C" | "POSIX") => Ink::Ascii,
        _ => Ink::Blocks,
    }
}
