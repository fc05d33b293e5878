//! `gridpact workload export`.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use gridpact::report::files::{Draft, FileError};
use gridpact::run::Progress;
use gridpact::run::workload::{Export, ExportError, Exported, Target, export as write};
use gridpact::scenario::plan::Plan;

use super::Drawn;
use crate::cli::{Failure, progress, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    drawn: Drawn,
    /// What is written.
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// The file that is written; a trace is compressed if its name ends in `.gz` [default: standard
    /// output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the file if it is there already.
    #[arg(long, requires = "output")]
    force: bool,
    /// Round the times of a trace to whole seconds, halves up, lengths above 0 to 1 at least.
    #[arg(long)]
    whole_seconds: bool,
    /// Print nothing but errors and warnings of the scenario.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// The Standard Workload Format.
    Swf,
    /// A list with the columns that `workload.jobs` reads.
    Csv,
}

pub(super) fn export(arguments: &Arguments) -> Result<(), Failure> {
    let Drawn { jobs, replication, .. } = arguments.drawn;
    let target = match arguments.to {
        To::Swf => Target::Swf { whole_seconds: arguments.whole_seconds },
        To::Csv if arguments.whole_seconds => {
            return Err(Failure::Input(
                "a list of jobs has exact times\nhelp: leave out `--whole-seconds`, or write a \
                 trace with `--to swf`"
                    .to_owned(),
            ));
        }
        To::Csv => Target::Csv,
    };
    let plan = arguments.drawn.load(false)?;
    let how = Export { replication, most: jobs, target };
    let exported = match &arguments.output {
        None => to_standard_output(&plan, how)?,
        Some(path) => {
            let path = check_free(path, arguments)?;
            to_file(&plan, how, &path, arguments.quiet)?
        }
    };
    if exported.is_cut && !arguments.quiet {
        say(&format!(
            "warning: the scenario brings more than these {} jobs; `--jobs N` exports more",
            exported.jobs
        ));
    }
    Ok(())
}

fn to_standard_output(plan: &Plan, how: Export) -> Result<Exported, Failure> {
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = write(plan, how, Path::new("standard output"), out, &Progress::default())
        .and_then(|(mut out, exported)| Ok(out.flush().map(|()| exported)?));
    match written {
        Ok(exported) => Ok(exported),
        Err(ExportError::Source(error)) => Err(Failure::Input(error.to_string())),
        // A reader that went away is no error.
        Err(ExportError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::Said(0))
        }
        Err(ExportError::Write(error)) => Err(Failure::System(format!("standard output: {error}"))),
    }
}

fn to_file(plan: &Plan, how: Export, path: &Path, quiet: bool) -> Result<Exported, Failure> {
    let help = |error: FileError| {
        let help = "the file needs a folder that can be written to; give another with `--output`";
        Failure::System(format!("{error}\nhelp: {help}"))
    };
    let draft = Draft::begin(path).map_err(help)?;
    let progress = Progress::default();
    let share = || Some(progress.share_drawn(plan, how.most, 2));
    let written =
        progress::shown(&progress, share, quiet, || write(plan, how, path, draft, &progress));
    let (draft, exported) = written.map_err(|error| match error {
        ExportError::Source(error) => Failure::Input(error.to_string()),
        ExportError::Write(error) => help(FileError::of(path)(error)),
    })?;
    draft.complete().and_then(|complete| complete.publish()).map_err(help)?;
    Ok(exported)
}

/// Where the file comes to stand: behind a link, what the link leads to. A file is replaced only on
/// request, and nothing else ever; a list has no other name than its own.
fn check_free(path: &Path, arguments: &Arguments) -> Result<PathBuf, Failure> {
    let shown = path.display();
    let refuse = |message: &str| Err(Failure::Input(format!("{shown}{message}")));
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if is_packed && arguments.to == To::Csv {
        return refuse(": a list of jobs is not compressed\nhelp: leave `.gz` out of its name");
    }
    let Ok(itself) = fs::symlink_metadata(path) else { return Ok(path.to_owned()) };
    let Ok(found) = fs::metadata(path) else {
        return refuse(
            ": this is a link that leads nowhere\nhelp: give the file itself with `--output FILE`, \
             or remove the link",
        );
    };
    if found.is_dir() {
        return refuse(": this is a folder\nhelp: give `--output` the name of a file in it");
    }
    if !found.is_file() {
        return refuse(
            ": this is no ordinary file, and it would be replaced by one\nhelp: leave out \
             `--output` and send standard output to it: `gridpact workload export ... > FILE`",
        );
    }
    if !arguments.force {
        return refuse(
            " is here already\nhelp: give another file with `--output FILE`, or replace it with \
             `--force`",
        );
    }
    if !itself.is_symlink() {
        return Ok(path.to_owned());
    }
    let target = fs::canonicalize(path);
    target.map_err(|error| Failure::System(FileError::of(path)(error).to_string()))
}
