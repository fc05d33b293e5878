//! `gridpact sweep submit`: a script that runs a sweep as a job array.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueEnum, ValueHint};
use records::files::{self, FileError};
use run::claim::SHARDS;

use super::SweepFile;
use crate::{Failure, say, shell};

/// Systems that run job arrays.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Engine {
    Slurm,
}

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    of: SweepFile,
    /// System that runs the array.
    #[arg(long, value_name = "NAME")]
    engine: Engine,
    /// Number of shares, which are the tasks of the array.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    /// Folder for the results, which every node can reach [default: results/sweep- and the name].
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Processors of a task, which runs as many replications at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    cpus: u32,
    /// Time limit of a task, as sbatch takes it; a task that reaches it goes on in another.
    #[arg(long, value_name = "TIME", default_value = "24:00:00", value_parser = time)]
    time: String,
    /// Only write the script.
    #[arg(long)]
    no_submit: bool,
}

/// Checks that a time limit has no other characters than those of sbatch.
fn time(text: &str) -> Result<String, String> {
    let is_one = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || ":-".contains(c));
    let wrong = "give minutes, hours:minutes:seconds or days-hours, as sbatch takes them";
    if is_one { Ok(text.to_owned()) } else { Err(wrong.to_owned()) }
}

pub(super) fn submit(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.of.sweep.file() == Path::new("-") {
        let wrong =
            "every task reads the sweep again, so it must be a file\nhelp: write it to a file";
        return Err(Failure::Input(wrong.to_owned()));
    }
    let ready = arguments.of.read(false)?;
    let here = std::env::current_dir()
        .map_err(|error| Failure::System(format!("the current folder: {error}")))?;
    let results = here.join(arguments.out.clone().unwrap_or_else(|| ready.folder()));
    let Engine::Slurm = arguments.engine;
    let script = results.join(SHARDS).join("slurm.sbatch");
    let log = results.join(SHARDS).join("log");
    std::fs::create_dir_all(&log).map_err(FileError::of(&log))?;
    let program = std::env::current_exe()
        .map_err(|error| Failure::System(format!("the path of this program: {error}")))?;
    let file = here.join(arguments.of.sweep.file());
    let quoted = |path: &Path| shell::word(path);
    let options = arguments.of.options();
    let name: String =
        ready.joint.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let text = [
        ("@PROGRAM_QUOTED@", quoted(&program)),
        ("@FILE_QUOTED@", format!("{}{options}", quoted(&file))),
        ("@OUT_QUOTED@", quoted(&results)),
        ("@SCRIPT@", quoted(&script)),
        ("@FILE@", file.display().to_string()),
        // There, a percent sign begins a name of Slurm's.
        ("@LOG@", log.display().to_string().replace('%', "%%")),
        ("@NAME@", name),
        ("@SHARDS@", arguments.shards.to_string()),
        ("@CPUS@", arguments.cpus.to_string()),
        ("@TIME@", arguments.time.clone()),
    ]
    .iter()
    .fold(include_str!("slurm.sh").to_owned(), |text, (name, value)| {
        text.replace(name, &value.replace(['\n', '\r'], " "))
    });
    files::written(&script, text.as_bytes())?.publish()?;
    say(&format!("{}: {} as {} tasks", script.display(), ready.size(), arguments.shards));
    if arguments.no_submit {
        say(&format!("submit it with `sbatch {}`", quoted(&script)));
        return Ok(());
    }
    match Command::new("sbatch").arg(&script).status() {
        Ok(status) if status.success() => {
            let [file, out] = [&file, &results].map(|path| shell::word(path));
            say(&format!(
                "when the tasks have ended: `gridpact sweep merge {file}{options} --out {out}`"
            ));
            Ok(())
        }
        Ok(status) => Err(Failure::System(format!("sbatch refused the script ({status})"))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::System(format!(
            "sbatch is not here, so nothing was submitted\nhelp: submit the script where Slurm is: \
             `sbatch {}`",
            quoted(&script)
        ))),
        Err(error) => Err(Failure::System(format!("sbatch: {error}"))),
    }
}
