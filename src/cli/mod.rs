//! The command line: one file a subcommand. Only here is anything printed.

mod audit;
mod check;
mod completions;
mod contest;
mod deviate;
mod explain;
mod format;
mod game;
mod help;
mod list;
mod load;
mod log;
mod man;
mod new;
mod progress;
mod reproduce;
mod resume;
mod run;
mod schema;
mod signals;
mod tips;
mod workload;

use std::io::{self, IsTerminal, Write as _};
use std::panic;
use std::process::ExitCode;

use clap::{ArgAction, CommandFactory, Parser, Subcommand};

use gridpact::report::files::FileError;
use gridpact::run::RunError;

/// Simulates grids whose clusters belong to different, selfish organizations.
///
/// A scenario, a TOML file, says who owns which cluster, what jobs arrive and who schedules.
/// `gridpact new` writes one to start from, `gridpact run` simulates it and tells for every
/// organization what it got.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
#[command(after_help = help::SHORT, after_long_help = help::PROGRAM)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Tell what is done on standard error; -vv: each decision, -vvv: all.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// The format of what `-v` and `GRIDPACT_LOG` log on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    log: log::LogFormat,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scenario and report per organization.
    ///
    /// The results are also written to a folder, and never over those of another run unless
    /// `--force` says so.
    #[command(after_help = help::SHORT, after_long_help = help::RUN)]
    Run(run::Arguments),
    /// Go on with a run that was interrupted, or extend one.
    ///
    /// The result files are those of an unbroken run, byte by byte.
    #[command(after_help = help::SHORT, after_long_help = help::RESUME)]
    Resume(resume::Arguments),
    /// Let learners play a game again and again, without a grid.
    ///
    /// A game is written in TOML: what every profile of actions pays, and who plays. The results
    /// are also written to a folder, and never over those of another run unless `--force` says so.
    #[command(after_help = help::SHORT, after_long_help = help::GAME)]
    Game(game::Arguments),
    /// Say whether a scenario is right, and what would run.
    #[command(after_help = help::SHORT, after_long_help = help::CHECK)]
    Check(check::Arguments),
    /// Look at the jobs that a scenario brings, or export them, without running it.
    #[command(after_help = help::SHORT, after_long_help = help::WORKLOAD)]
    Workload(workload::Arguments),
    /// Replay the results of a run and check that every rule was kept.
    #[command(after_help = help::SHORT, after_long_help = help::AUDIT)]
    Audit(audit::Arguments),
    /// Tell why a job waited, or what was going on at some time.
    ///
    /// Who was ahead, who ran, who overtook it, and, where `output.decisions = true` recorded it,
    /// what each job waited for and when it was expected to start.
    #[command(after_help = help::SHORT, after_long_help = help::EXPLAIN)]
    Explain(explain::Arguments),
    /// Say whether anybody would gain by doing something else alone.
    ///
    /// The organizations of a coalition learn, and are then held where they stand. One by one, an
    /// organization does each thing that it could, on the same rounds with the same draws.
    #[command(after_help = help::SHORT, after_long_help = help::DEVIATE)]
    Deviate(deviate::Arguments),
    /// Redo what a paper claims, and set it beside what the paper says.
    ///
    /// Without a paper, those that gridpact is about are listed.
    #[command(after_help = help::SHORT, after_long_help = help::REPRODUCE)]
    Reproduce(reproduce::Arguments),
    /// Let learners meet on the paper's grids, and tell what became of each.
    ///
    /// Every registered learner plays against itself and against the paper's rule, all on the same
    /// jobs, seed by seed.
    #[command(after_help = help::SHORT, after_long_help = help::CONTEST)]
    Contest(contest::Arguments),
    /// Write a scenario to start from to standard output.
    #[command(after_help = help::SHORT, after_long_help = help::NEW)]
    New(new::Arguments),
    /// List what a scenario can be made of: every choice and every key.
    #[command(after_help = help::SHORT, after_long_help = help::LIST)]
    List(list::Arguments),
    /// Print the JSON Schema of scenarios, by which editors complete and check them.
    #[command(after_help = help::SHORT, after_long_help = help::SCHEMA)]
    Schema(schema::Arguments),
    /// Print a script that lets a shell complete commands, options and files.
    #[command(after_help = help::SHORT, after_long_help = help::COMPLETIONS)]
    Completions(completions::Arguments),
    /// Print a page of the manual in roff, or write all of them.
    #[command(after_help = help::SHORT, after_long_help = help::MAN)]
    Man(man::Arguments),
}

/// The program's arguments, for what is made of their definition.
fn command() -> clap::Command {
    Arguments::command()
}

/// The exit code of a run that was stopped and can go on, as `EX_TEMPFAIL` of sysexits.h.
const STOPPED: u8 = 75;

/// Why the program ends other than well; each has its exit code.
#[derive(Debug)]
enum Failure {
    /// What is to be said was said; the exit code.
    Said(u8),
    /// The input is wrong.
    Input(String),
    /// A file could not be read or written.
    System(String),
    /// The run was stopped before its end.
    Stopped(String),
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
            RunError::Source(_)
            | RunError::Pool(_)
            | RunError::Stopped(Stopped::World(_))
            | RunError::Rounds(Stopped::World(_)) => Failure::Input(text),
            RunError::Stopped(_) | RunError::Rounds(_) => Failure::Bug(text),
            RunError::File(_) | RunError::Threads(_) | RunError::Folder(_) => Failure::System(text),
            RunError::Interrupted => Failure::Stopped(text),
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|wrong| tips::tell(wrong).exit());
    if let Err(failure) = log::start(arguments.log, arguments.verbose) {
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
        Command::Resume(arguments) => resume::resume(&arguments),
        Command::Game(arguments) => game::game(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Workload(arguments) => workload::workload(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Deviate(arguments) => deviate::deviate(&arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
        Command::Contest(arguments) => contest::contest(&arguments),
        Command::New(arguments) => new::new(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Schema(arguments) => schema::schema(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => man::man(&arguments),
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
        Failure::Stopped(text) => {
            say(&text);
            ExitCode::from(STOPPED)
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
