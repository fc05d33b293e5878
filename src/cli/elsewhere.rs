//! Commands of the program `gridpact-studies`, which is built apart: it is started as git and cargo
//! start theirs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::{env, io};

use clap::Args;

use super::host::{self, Host};
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

/// Starts the other program with these words, and ends as it ends.
///
/// It is looked for beside this program, and then where the shell looks.
pub(super) fn start(words: &[OsString]) -> Result<(), Failure> {
    let beside = env::current_exe().ok().map(|program| program.with_file_name(PROGRAM));
    let beside = beside.map(|program| program.with_extension(env::consts::EXE_EXTENSION));
    let program = beside.filter(|program| program.is_file()).unwrap_or(PathBuf::from(PROGRAM));
    let mut command = Command::new(&program);
    command.args(words);
    let ended = match host::current() {
        Some(host) => heard_by(&host, &mut command),
        None => replaced_by(&mut command),
    };
    match ended {
        Ok(code) => Err(Failure::Said(code)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Input(format!(
            "the program {PROGRAM} is not installed\nhelp: {}",
            help::INSTALL_STUDIES
        ))),
        Err(error) => Err(Failure::System(format!("{}: {error}", program.display()))),
    }
}

/// Waits for a program whose words a host hears, and returns its exit code.
fn heard_by(host: &Host, program: &mut Command) -> io::Result<u8> {
    let ended = program.output()?;
    let mut heard = host.heard();
    heard.out.extend_from_slice(&ended.stdout);
    heard.said.push_str(&String::from_utf8_lossy(&ended.stderr));
    Ok(code_of(ended.status))
}

/// The exit code of a program that has ended.
fn code_of(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(3)
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
    program.status().map(code_of)
}
