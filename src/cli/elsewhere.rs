//! Commands of the program `gridpact-studies`, which is built apart: it is started as git and cargo
//! start theirs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::{env, io};

use clap::Args;

use super::{Failure, help};

/// The program that knows these commands.
const PROGRAM: &str = "gridpact-studies";

/// Words for the other program, which reads them itself.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(super) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Gives this program's arguments to the other one, as they are, and ends as it ends.
pub(super) fn pass_on() -> Result<(), Failure> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    start(&words)
}

/// Starts the other program with these words, and ends as it ends.
///
/// It is looked for beside this program, and then where the shell looks.
pub(super) fn start(words: &[OsString]) -> Result<(), Failure> {
    let beside = env::current_exe().ok().map(|program| program.with_file_name(PROGRAM));
    let beside = beside.map(|program| program.with_extension(env::consts::EXE_EXTENSION));
    let program = beside.filter(|program| program.is_file()).unwrap_or(PathBuf::from(PROGRAM));
    match replaced_by(Command::new(&program).args(words)) {
        Ok(code) => Err(Failure::Said(code)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Input(format!(
            "the program {PROGRAM} is not installed\nhelp: {}",
            help::INSTALL_STUDIES
        ))),
        Err(error) => Err(Failure::System(format!("{}: {error}", program.display()))),
    }
}

/// Replaces this process by a program; returns if it cannot be started.
#[cfg(unix)]
fn replaced_by(program: &mut Command) -> io::Result<u8> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

/// Waits for a program, and returns its exit code.
#[cfg(not(unix))]
fn replaced_by(program: &mut Command) -> io::Result<u8> {
    let code = program.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(3))
}
