//! `gridpact workload export`.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use records::files::{Draft, FileError};
use run::Progress;
use run::workload::{Export, ExportError, Exported, Target, export as write};
use scenario::plan::Plan;

use super::{Drawn, free};
use crate::{Failure, progress, say};
use stats::shown::counted;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    drawn: Drawn,
    /// Format of the file.
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// File to write; a trace is compressed if its name ends in `.gz` [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "output")]
    force: bool,
    /// Round the times of a trace to whole seconds, halves up; lengths above 0 become at least 1.
    #[arg(long)]
    whole_seconds: bool,
    /// Print only errors and warnings.
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
    let plan = arguments.drawn.load()?;
    let how = Export { replication, most: jobs, target };
    let exported = match &arguments.output {
        None => to_standard_output(&plan, how)?,
        Some(path) => {
            check_name(path, arguments)?;
            let path = free(path, arguments.force)?;
            to_file(&plan, how, &path, arguments.quiet)?
        }
    };
    if exported.is_cut {
        say(&format!(
            "warning: the scenario brings more than {}; `--jobs N` exports more",
            counted(exported.jobs, "job", "jobs")
        ));
    }
    Ok(())
}

fn to_standard_output(plan: &Plan, how: Export) -> Result<Exported, Failure> {
    let out = BufWriter::with_capacity(1 << 16, crate::host::standard_output());
    let written = write(plan, how, Path::new("standard output"), out, &Progress::default())
        .and_then(|(mut out, exported)| Ok(out.flush().map(|()| exported)?));
    match written {
        Ok(exported) => Ok(exported),
        Err(ExportError::Source(error)) => Err(Failure::Input(error.to_string())),
        // A closed pipe is not an error.
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

/// Rejects a compressed file name for a list, which is written uncompressed.
fn check_name(path: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if is_packed && arguments.to == To::Csv {
        return Err(Failure::Input(format!(
            "{}: a list of jobs is not compressed\nhelp: leave `.gz` out of its name",
            path.display()
        )));
    }
    Ok(())
}
