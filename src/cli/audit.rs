//! `gridpact audit`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gridpact::report::table::{Column, Format, Table};
use gridpact::run::audit::{self, AuditError, Audited};

use super::{Failure, format, print, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder with the results of a run.
    #[arg(value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    #[command(flatten)]
    choice: format::Choice,
    /// Print nothing but what is wrong.
    #[arg(short, long, conflicts_with = "verbose")]
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
    let format = arguments.choice.format;
    if !passed || !arguments.quiet {
        let text = described(&audited, arguments.quiet);
        if format == Format::Text {
            print(&text)?;
        } else {
            print(&rules(&audited).render(format, format::width()))?;
            if !passed {
                say(text.trim_end());
            }
        }
    }
    if passed { Ok(()) } else { Err(Failure::Said(1)) }
}

/// What was found; only what is wrong where it is to be `quiet`.
fn described(audited: &Audited, quiet: bool) -> String {
    let mut report = audited.report.clone();
    report.checks.retain(|check| !quiet || !check.passed());
    let mut text = format!("{}\n\n{report}", audited.manifest.name);
    for file in &audited.changed {
        text.push_str(&format!("\n{file} is not the file that the run wrote\n"));
    }
    for file in &audited.missing {
        text.push_str(&format!("\n{file} is missing\n"));
    }
    let passed = audited.passed();
    text + if passed { "\nevery rule was kept\n" } else { "\nRULES WERE BROKEN\n" }
}

/// A row for each rule, and one for the files themselves.
fn rules(audited: &Audited) -> Table {
    let columns = [
        Column::text("rule"),
        Column::text("verdict"),
        Column::figure("looked_at"),
        Column::figure("violations"),
        Column::prose("means"),
    ];
    let mut table = Table::new("rules", columns);
    let mut add = |rule: &str, looked_at: u64, violations: u64, means: &str| {
        let verdict = match (violations, looked_at) {
            (0, 0) => "nothing to look at",
            (0, _) => "kept",
            _ => "broken",
        };
        table.row([rule.into(), verdict.into(), looked_at.into(), violations.into(), means.into()]);
    };
    for check in &audited.report.checks {
        add(check.name, check.looked_at, check.count, check.means);
    }
    let files = audited.manifest.files.len();
    let changed = audited.changed.len() + audited.missing.len();
    add("files", files as u64, changed as u64, "each file is the one that the run wrote");
    table
}
