//! The command line, with one file per subcommand. Only this crate prints.
//!
//! [`main`] is the `gridpact` program. [`program`] is what any program of the family does: it reads
//! arguments, starts the log, and turns a [`Failure`] or a panic into words and an exit code.

#![warn(clippy::unwrap_used)]

mod audit;
mod check;
mod compare;
mod completions;
mod deviate;
mod elsewhere;
mod explain;
mod export;
pub mod format;
mod game;
pub mod help;
pub mod host;
mod list;
pub mod load;
mod log;
mod man;
mod new;
mod page;
mod plot;
pub mod progress;
mod resume;
mod run;
mod schema;
mod shell;
mod signals;
mod sweep;
mod tips;
mod trend;
mod watch;
mod workload;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use log::Log;

use ::run::RunError;
use model::name::escaped;
use records::files::FileError;
use report::words::wrapped::wrapped;

/// Simulates grids whose clusters belong to different, selfish organizations.
///
/// A scenario, a TOML file, says who owns which cluster, what jobs arrive and who schedules.
/// `gridpact new` writes one to start from; `gridpact run` simulates it and reports the results of
/// every organization.
#[derive(Debug, Parser)]
#[command(name = "gridpact", version, about, max_term_width = 100)]
#[command(after_help = help::SHORT, after_long_help = help::page!("help/program.txt"))]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    log: Log,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scenario and report per organization.
    ///
    /// The results are also written to a folder; those of another run are only overwritten with
    /// `--force`.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/run.txt"))]
    Run(run::Arguments),
    /// Resume an interrupted run, or extend a finished one.
    ///
    /// The result files are byte-identical to those of an uninterrupted run.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/resume.txt"))]
    Resume(resume::Arguments),
    /// Let learners play a repeated game, without a grid.
    ///
    /// A game is a TOML file with the payoffs of every action profile, and the players. The results
    /// are also written to a folder; those of another run are only overwritten with `--force`.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/game.txt"))]
    Game(game::Arguments),
    /// Compare scenarios, or values of a key, on the same random draws.
    ///
    /// Every replication plays the same jobs under each of them, and the differences have confidence
    /// intervals. The first is the base.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/compare.txt"))]
    Compare(compare::Arguments),
    /// Run a parameter study: all points of a scenario's `[sweep]`.
    ///
    /// Every point is run with the same number of replications, on the same random draws. Started again,
    /// it runs only what is new. Without a subcommand all is done here; subcommands do it in parts, on
    /// several machines.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep.txt"))]
    Sweep(sweep::Arguments),
    /// Measure who gains by joining a coalition: equilibria, tipping points, fair shares, blocking.
    ///
    /// Every number of members of each entry is run on the same draws, learners set aside. What follows
    /// is told with intervals over replications, or as undecided. It is a sweep: started again, it runs
    /// only what is new, and `gridpact sweep submit --members` shares it among machines.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/lab.txt"))]
    Lab(sweep::Lab),
    /// Check a scenario, and describe what it would run.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/check.txt"))]
    Check(check::Arguments),
    /// Show, export or import jobs, without simulating them.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/workload.txt"))]
    Workload(workload::Arguments),
    /// Replay the results of a run and check that every rule was kept.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/audit.txt"))]
    Audit(audit::Arguments),
    /// Explain why a job waited, or show the state at a given time.
    ///
    /// The explanation names the jobs that were ahead, that were running, and that overtook it. If
    /// `output.decisions = true` recorded the decisions, it also has the reason for each job's wait
    /// and its expected start over time.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/explain.txt"))]
    Explain(explain::Arguments),
    /// Write the jobs of a results folder for other tools.
    ///
    /// These are the viewer of Perfetto, evalys, and whatever reads Parquet or traces in the Standard
    /// Workload Format.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/export.txt"))]
    Export(export::Arguments),
    /// Watch a run that goes on: progress, estimates, rates and trends.
    ///
    /// Leaving it stops nothing.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/watch.txt"))]
    Watch(watch::Arguments),
    /// Write the page of a results folder anew.
    ///
    /// Every run ends with a page. This draws all of its jobs; it needs only the folder.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/report.txt"))]
    Report(page::Arguments),
    /// Draw a figure of one or several runs as SVG, PDF or PNG.
    ///
    /// The figures are those of the page, and the jobs on their processors.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/plot.txt"))]
    Plot(plot::Arguments),
    /// Test if any organization would gain by a unilateral deviation.
    ///
    /// The organizations of a coalition learn first, and then their strategies are frozen. One
    /// organization at a time tries each of its actions, on the same rounds with the same random
    /// draws.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/deviate.txt"))]
    Deviate(deviate::Arguments),
    /// Search bad instances of a grid scheduler.
    ///
    /// Hill climbing on its makespan, divided by the exact optimum. The worst instance that was found is
    /// written as a scenario that `gridpact run` takes.
    #[command(after_help = help::ELSEWHERE, after_long_help = help::ELSEWHERE)]
    Adversary(elsewhere::Arguments),
    /// Reproduce the claims of a paper, and compare the results.
    ///
    /// Without an argument, the available papers are listed.
    #[command(after_help = help::ELSEWHERE, after_long_help = help::ELSEWHERE)]
    Reproduce(elsewhere::Arguments),
    /// Run a study that belongs to no paper.
    ///
    /// Without an argument, the studies are listed.
    #[command(after_help = help::ELSEWHERE, after_long_help = help::ELSEWHERE)]
    Study(elsewhere::Arguments),
    /// Print a scenario to start from.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/new.txt"))]
    New(new::Arguments),
    /// List every choice and every key of scenarios.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/list.txt"))]
    List(list::Arguments),
    /// Print the JSON Schema of scenarios, for use in editors.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/schema.txt"))]
    Schema(schema::Arguments),
    /// Print a script for shell completion.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/completions.txt"))]
    Completions(completions::Arguments),
    /// Print a manual page in roff, or write all of them.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/man.txt"))]
    Man(man::Arguments),
}

/// Definition of the program's arguments, for help pages, manuals and completions.
fn command() -> clap::Command {
    Arguments::command()
}

/// Exit code of a run that was stopped and can be resumed: `EX_TEMPFAIL` of sysexits.h.
const STOPPED: u8 = 75;

/// Failure of the program, with an exit code for each kind.
#[derive(Debug)]
pub enum Failure {
    /// Everything has been printed; holds the exit code.
    Said(u8),
    /// The input is wrong.
    Input(String),
    /// A file could not be read or written.
    System(String),
    /// The run was stopped before its end.
    Stopped(String),
    /// An invariant broke.
    Bug(String),
    /// An invariant broke, and the panic was already reported.
    Panic,
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::System(error.to_string())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        use kernel::engine::Stopped;
        let text = error.to_string();
        match error {
            RunError::Source(_)
            | RunError::Own(_)
            | RunError::Unplayed(_)
            | RunError::Pool(_)
            | RunError::Process(_)
            | RunError::Stopped(Stopped::World(_))
            | RunError::Rounds(Stopped::World(_))
            | RunError::Campaign(Stopped::World(_)) => Failure::Input(text),
            RunError::Stopped(_) | RunError::Rounds(_) | RunError::Campaign(_) => {
                Failure::Bug(text)
            }
            RunError::File(_) | RunError::Threads(_) | RunError::Folder(_) | RunError::Page(_) => {
                Failure::System(text)
            }
            RunError::Interrupted => Failure::Stopped(text),
        }
    }
}

/// Runs the `gridpact` program.
pub fn main() -> ExitCode {
    ExitCode::from(run_words(&words()))
}

/// The words that this process was started with.
fn words() -> Vec<OsString> {
    env::args_os().collect()
}

/// Runs the `gridpact` program with these words, of which the first is its name, and returns the exit
/// code.
pub fn run_words(words: &[OsString]) -> u8 {
    act_on(
        words,
        |arguments: &Arguments| &arguments.log,
        |arguments| match &arguments.command {
            Command::Run(arguments) => run::run(arguments),
            Command::Resume(arguments) => resume::resume(arguments),
            Command::Report(arguments) => page::report(arguments),
            Command::Plot(arguments) => plot::plot(arguments),
            Command::Export(arguments) => export::export(arguments),
            Command::Watch(arguments) => watch::watch(arguments),
            Command::Game(arguments) => game::game(arguments),
            Command::Compare(arguments) => compare::compare(arguments),
            Command::Sweep(arguments) => sweep::sweep(arguments),
            Command::Lab(arguments) => sweep::lab(arguments),
            Command::Check(arguments) => check::check(arguments),
            Command::Workload(arguments) => workload::workload(arguments),
            Command::Audit(arguments) => audit::audit(arguments),
            Command::Explain(arguments) => explain::explain(arguments),
            Command::Deviate(arguments) => deviate::deviate(arguments),
            Command::Adversary(_) | Command::Reproduce(_) | Command::Study(_) => {
                elsewhere::start(&words[1..])
            }
            Command::New(arguments) => new::new(arguments),
            Command::List(arguments) => list::list(arguments),
            Command::Schema(arguments) => schema::schema(arguments),
            Command::Completions(arguments) => completions::completions(arguments),
            Command::Man(arguments) => man::man(arguments),
        },
    )
}

/// Runs a program: reads its arguments, starts the log that they ask for, and acts.
///
/// Failures and panics end as a message and an exit code.
pub fn program<A: Parser>(
    log: impl Fn(&A) -> &Log,
    act: impl FnOnce(&A) -> Result<(), Failure>,
) -> ExitCode {
    ExitCode::from(act_on(&words(), log, act))
}

/// Runs a program with these words, and returns its exit code.
fn act_on<A: Parser>(
    words: &[OsString],
    log: impl Fn(&A) -> &Log,
    act: impl FnOnce(&A) -> Result<(), Failure>,
) -> u8 {
    if !host::is_there() {
        signals::survive_long_files();
    }
    let arguments = match A::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(wrong) => return unread(&tips::tell(wrong)),
    };
    if let Err(failure) = log(&arguments).start() {
        return end(failure);
    }
    // A panic is a bug of gridpact, and is reported as one without Rust's own message.
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        complain(&format!("{message}{place}"));
    }));
    match panic::catch_unwind(AssertUnwindSafe(|| act(&arguments))) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => end(failure),
        Err(_) => end(Failure::Panic),
    }
}

/// `--threads` of a command that plays in memory.
#[derive(Debug, clap::Args)]
pub struct Threads {
    /// Threads that play [default: one for each core]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Threads {
    /// Their number; 0 is one for each core.
    fn number(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }

    /// Starts them.
    ///
    /// # Errors
    /// Fails if they cannot be started.
    pub fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.number());
        pool.build()
            .map_err(|error| Failure::System(format!("the threads could not be started: {error}")))
    }
}

/// Prints help and version to standard output, and argument errors to standard error.
fn unread(told: &clap::Error) -> u8 {
    let is_wrong = told.use_stderr();
    if host::is_there() {
        let text = told.render().to_string();
        if is_wrong {
            host::failed(text.trim_end().trim_start_matches("error: "));
            say_styled(text.trim_end());
        } else {
            // The host takes all of it.
            let _ = print_raw(&text);
        }
        return if is_wrong { 2 } else { 0 };
    }
    if is_wrong {
        let _ = told.print();
        return 2;
    }
    match told.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            end(Failure::System(format!("standard output: {error}")))
        }
        _ => 0,
    }
}

fn end(failure: Failure) -> u8 {
    let (code, text) = match failure {
        Failure::Said(code) => return code,
        Failure::Stopped(text) => {
            say(&text);
            return STOPPED;
        }
        Failure::Bug(text) => {
            complain(&text);
            return end(Failure::Panic);
        }
        Failure::Input(text) => (2, text),
        Failure::System(text) => (4, text),
        Failure::Panic => {
            let report = "please report it with the scenario, the seed and this message";
            (3, format!("this is a bug of gridpact, not of your input; {report}"))
        }
    };
    host::failed(&text);
    complain(&text);
    code
}

fn complain(text: &str) {
    say(&format!("error: {text}"));
}

/// Prints lines to standard error, broken between words to its width, ignoring write errors.
///
/// Names may come from untrusted files, so control characters are escaped.
pub fn say(text: &str) {
    let text = broken(&escaped(text), format::width_of_errors());
    say_styled(&if color() { painted(&text) } else { text });
}

/// Prints text for people to standard output: like [`print`], but broken between words.
fn print_prose(text: &str) -> Result<(), Failure> {
    print_lines(&broken(&escaped(text), format::width()))
}

/// Prints lines for people to standard output as they are.
fn print_lines(text: &str) -> Result<(), Failure> {
    let text = escaped(text);
    if is_coloured(io::stdout().is_terminal()) {
        print_raw(&painted(&text))
    } else {
        print_raw(&text)
    }
}

/// Breaks lines between words; tables and plots stay as they are.
fn broken(text: &str, width: Option<usize>) -> String {
    let is_drawn = |line: &str| {
        let indent = line.chars().take_while(|c| *c == ' ').count();
        indent == 1 || line.contains(['─', '═', '█', '▏'])
    };
    let lines = text.split('\n').map(|line| match is_drawn(line) {
        true => line.to_owned(),
        false => wrapped(line, width),
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// Colours the word that a warning or an error begins with.
fn painted(text: &str) -> String {
    let paint = |line: &str| {
        for (word, style) in [("warning:", "1;33"), ("error:", "1;31"), ("help:", "1;36")] {
            if let Some(rest) = line.strip_prefix(word) {
                return format!("\x1b[{style}m{word}\x1b[0m{rest}");
            }
        }
        line.to_owned()
    };
    text.split('\n').map(paint).collect::<Vec<String>>().join("\n")
}

/// Prints text with our own colours; everything else in it is known to be harmless.
fn say_styled(text: &str) {
    match host::current() {
        Some(host) => host.heard().said.extend([text, "\n"]),
        None => drop(writeln!(io::stderr(), "{text}")),
    }
}

/// Prints to standard output, with control characters escaped.
///
/// A closed pipe is not an error.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    print_raw(&escaped(text))
}

/// Prints text in which everything is known to be harmless.
fn print_raw(text: &str) -> Result<(), Failure> {
    let mut out = host::standard_output();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::System(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// True if errors may be coloured.
fn color() -> bool {
    is_coloured(io::stderr().is_terminal())
}

/// True if output may be coloured: on a terminal or with `CLICOLOR_FORCE`, unless `NO_COLOR` is set.
fn is_coloured(is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_forced =
        is_set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE") != Some("0".into());
    (is_terminal || is_forced) && !is_set("NO_COLOR") && !host::is_there()
}
