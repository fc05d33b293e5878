//! The command line: one file a subcommand. Only here is anything printed.

mod audit;
mod check;
mod list;
mod load;
mod progress;
mod run;
mod schema;

use std::io::{self, IsTerminal, Write as _};
use std::panic;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use tracing_subscriber::EnvFilter;

use gridpact::report::files::FileError;
use gridpact::run::RunError;

/// Simulates grids whose clusters belong to different, selfish organizations.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The format of what `GRIDPACT_LOG` asks to be logged on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    log: LogFormat,
}

const EXAMPLES: &str = "\
Examples:
  gridpact run scenarios/kth-sp2-easy.toml           simulate, print a summary, write results/
  gridpact run scenario.toml --seed 7 --out /tmp/r   another seed, another folder
  gridpact check scenario.toml                       is it right? what would run?
  gridpact audit results/kth-sp2-easy                was every rule kept?
  GRIDPACT_LOG=gridpact=debug gridpact run ...       log every decision to standard error

Exit codes: 0 done, 1 an audit found something, 2 the input is wrong, 3 a bug of gridpact,
4 a file could not be read or written.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scenario and report per organization.
    Run(run::Arguments),
    /// Say whether a scenario is right, and what would run.
    Check(check::Arguments),
    /// Replay the results of a run and check that every rule was kept.
    Audit(audit::Arguments),
    /// List what a scenario can be made of: schedulers, workloads, keys, ...
    List(list::Arguments),
    /// Print the JSON Schema of scenarios, for editors.
    Schema(schema::Arguments),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

/// Why the program ends other than well; each has its exit code.
#[derive(Debug)]
enum Failure {
    /// What is to be said was said; the exit code.
    Said(u8),
    /// The input is wrong.
    Input(String),
    /// A file could not be read or written.
    System(String),
    /// An invariant broke.
    Bug(String),
    /// An invariant broke, and what was told.
    Panic,
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::System(error.to_string())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        use gridpact::kernel::engine::Stopped;
        let text = error.to_string();
        match error {
            RunError::Source(_) | RunError::Stopped(Stopped::World(_)) => Failure::Input(text),
            RunError::Stopped(_) => Failure::Bug(text),
            RunError::File(_) | RunError::Threads(_) => Failure::System(text),
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(failure) = start_log(arguments.log) {
        return end(failure);
    }
    // A panic is a bug of ours: it is told as one, without the words of the language.
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        complain(&format!("{message}{place}"));
    }));
    let result = panic::catch_unwind(|| match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Schema(_) => schema::print_schema(),
    });
    match result {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => end(failure),
        Err(_) => end(Failure::Panic),
    }
}

fn end(failure: Failure) -> ExitCode {
    match failure {
        Failure::Said(code) => ExitCode::from(code),
        Failure::Input(text) => {
            complain(&text);
            ExitCode::from(2)
        }
        Failure::System(text) => {
            complain(&text);
            ExitCode::from(4)
        }
        Failure::Bug(text) => {
            complain(&text);
            end(Failure::Panic)
        }
        Failure::Panic => {
            complain(
                "this is a bug of gridpact, not of your input; please report it with the \
                 scenario, the seed and this message",
            );
            ExitCode::from(3)
        }
    }
}

fn complain(text: &str) {
    say(&format!("error: {text}"));
}

/// Prints a line to standard error; where that is closed, nobody wants to know.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints to standard output; a reader that went away is no error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::System(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// True where errors may be in color.
fn color() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Logs to standard error what the environment variable `GRIDPACT_LOG` asks for.
fn start_log(format: LogFormat) -> Result<(), Failure> {
    let Ok(wanted) = std::env::var("GRIDPACT_LOG") else {
        return Ok(());
    };
    let filter = EnvFilter::try_new(&wanted)
        .map_err(|error| Failure::Input(format!("GRIDPACT_LOG={wanted}: {error}")))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(color())
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::CLOSE);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
