//! `gridpact report`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueHint};
use report::page::{self, NoPage};

use super::{Failure, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folder of a run, a comparison, a sweep or a game.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Draw at most so many jobs in the Gantt chart; 0 draws none.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    jobs: usize,
    /// Open the page in a browser.
    #[arg(long)]
    open: bool,
}

pub(super) fn report(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let path = page::write(folder, None, arguments.jobs).map_err(no_page)?;
    say(&path.display().to_string());
    if arguments.open { open(&path) } else { Ok(()) }
}

/// The failure of a folder without a page.
pub(super) fn no_page(wrong: NoPage) -> Failure {
    match wrong {
        NoPage::File(wrong) => Failure::System(wrong.to_string()),
        NoPage::Nothing(folder) if !folder.is_dir() => {
            Failure::Input(format!("{}: there is no such folder", folder.display()))
        }
        wrong => Failure::Input(wrong.to_string()),
    }
}

/// Opens a file in the browser that the system prefers.
pub(super) fn open(path: &Path) -> Result<(), Failure> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let opened = Command::new(program)
        .args(first)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::System(format!(
            "{}: no browser could be started\nhelp: open the file in one by hand; `{program}` was tried",
            path.display()
        ))),
    }
}
