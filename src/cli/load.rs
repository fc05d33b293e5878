//! Reading a scenario for a subcommand, with what is wrong told on standard error.

use std::path::Path;

use gridpact::scenario::diagnostics::{Blame, Diagnostic, Severity, render};
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Overrides};

use super::{Failure, say};

/// A plan of the scenario in a file. Warnings are told unless `quiet`.
pub(super) fn load(file: &Path, overrides: &Overrides, quiet: bool) -> Result<Plan, Failure> {
    let mut files = Files::new();
    match scenario::load(file, overrides, &mut files) {
        Ok((plan, warnings)) => {
            if !quiet {
                tell(&warnings, &files);
            }
            Ok(plan)
        }
        Err(wrong) => {
            tell(&wrong, &files);
            let system = wrong.iter().any(|wrong| wrong.blame == Blame::System);
            let errors = wrong.iter().filter(|wrong| wrong.severity == Severity::Error).count();
            let errors =
                if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
            say(&format!("{}: {errors}; nothing was run", file.display()));
            Err(Failure::Said(if system { 4 } else { 2 }))
        }
    }
}

fn tell(diagnostics: &[Diagnostic], files: &Files) {
    if !diagnostics.is_empty() {
        say(render(diagnostics, files, super::color()).trim_end());
    }
}
