//! `gridpact audit`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use report::table::{Column, Format, Table};
use review::audit::{self, AuditError, Audited, Progress, Unchecked};

use super::progress::shown_with;
use super::{Failure, format, print_prose, say};
use stats::shown::counted;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder with the results of a run.
    #[arg(value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only violations.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

pub(super) fn audit(arguments: &Arguments) -> Result<(), Failure> {
    let progress = Progress::default();
    // Reading all jobs comes first; the replay takes most of the time.
    let share = || Some(progress.judged() as f64 / progress.read().max(1) as f64);
    let message = || match progress.judged() {
        0 => format!("{} read", counted(progress.read(), "job", "jobs")),
        judged => format!("{judged} of {} replayed", counted(progress.read(), "job", "jobs")),
    };
    let audited = shown_with(message, share, arguments.quiet, || {
        audit::audit_with(&arguments.folder, &progress)
    });
    let audited = audited.map_err(|error| match error {
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
            print_prose(&text)?;
        } else {
            arguments.choice.print(&rules(&audited))?;
            if !passed {
                say(text.trim_end());
            }
        }
    }
    if passed { Ok(()) } else { Err(Failure::Said(1)) }
}

/// Describes the audit; with `quiet`, only the violations.
fn described(audited: &Audited, quiet: bool) -> String {
    let mut report = audited.report.clone();
    report.checks.retain(|check| !quiet || !check.passed());
    let mut text = format!("{}\n\n", audited.manifest.name);
    if let Some(not_kept) = &audited.not_kept {
        text.push_str(&format!("{not_kept}\n\n"));
    }
    text.push_str(&report.to_string());
    if !quiet {
        text.push_str("\nnot checked:\n");
        for (file, parts) in Unchecked::told(&audited.unchecked) {
            text.push_str(&format!("  {file}: {parts}\n"));
        }
    }
    for file in &audited.changed {
        text.push_str(&format!("\n{file} is not the file that the run wrote\n"));
    }
    for file in &audited.missing {
        text.push_str(&format!("\n{file} is missing\n"));
    }
    text + match (audited.passed(), &audited.not_kept) {
        (true, None) => "\nall rules were kept\n",
        (true, Some(_)) => "\nno figure contradicts another\n",
        (false, _) => "\nsome rules were broken\n",
    }
}

/// A row for each rule, one for the files themselves, and one for what was not checked of each file.
fn rules(audited: &Audited) -> Table {
    let checks = audited.report.checks.iter();
    let checks = checks.map(|check| (check.name, check.looked_at, check.count, check.means));
    let files = audited.manifest.files.len() as u64;
    let changed = (audited.changed.len() + audited.missing.len()) as u64;
    let files = ("files", files, changed, "each file is the one that the run wrote");
    let left = Unchecked::told(&audited.unchecked).into_iter();
    let left = left.map(|(file, parts)| (format!("not checked: {file}"), parts));
    let left: Vec<(String, String)> = left.collect();
    let left = left.iter().map(|(file, parts)| (&**file, 0, 0, &**parts));
    let verdict = |(_, looked_at, violations, _)| match (violations, looked_at) {
        (0, 0) => "nothing to look at",
        (0, _) => "kept",
        _ => "broken",
    };
    Table::of("rules", checks.chain([files]).chain(left))
        .text("rule", |(rule, ..)| rule)
        .text("verdict", verdict)
        .figure("looked_at", |(_, looked_at, ..)| looked_at)
        .figure("violations", |(_, _, violations, _)| violations)
        .column(Column::prose("means"), |(.., means)| means)
        .table()
}
