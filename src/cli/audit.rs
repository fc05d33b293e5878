//! `gridpact audit`.

use std::path::PathBuf;

use clap::Args;
use gridpact::run::audit::{self, AuditError};

use super::{Failure, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder with the results of a run.
    folder: PathBuf,
    /// Print nothing but what is wrong.
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn audit(arguments: &Arguments) -> Result<(), Failure> {
    let audited = audit::audit(&arguments.folder).map_err(|error| match error {
        AuditError::File(error) => Failure::System(format!(
            "{error}\nhelp: `gridpact audit` wants the folder that `gridpact run` wrote"
        )),
        content @ AuditError::Content { .. } => Failure::Input(content.to_string()),
    })?;
    let passed = audited.passed();
    if !passed || !arguments.quiet {
        let mut text = format!("{}\n\n{}", audited.manifest.name, audited.report);
        for file in &audited.changed {
            text.push_str(&format!("\n{file} is not the file that the run wrote\n"));
        }
        text.push_str(if passed { "\nevery rule was kept\n" } else { "\nRULES WERE BROKEN\n" });
        print(&text)?;
    }
    if passed { Ok(()) } else { Err(Failure::Said(1)) }
}
