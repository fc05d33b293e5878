//! `gridpact new`: scenarios to start from, printed to standard output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use workload::foreign::Foreign;
use workload::swf::{self, Survey};

use super::format::{Word, words};
use super::{Failure, elsewhere, print, shell};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Kind of scenario [default: list the kinds].
    kind: Option<Kind>,
    /// Trace for `trace` or `users`, in the Standard Workload Format, plain or gzip.
    #[arg(value_name = "TRACE", value_hint = ValueHint::FilePath)]
    trace: Option<PathBuf>,
    /// Spread of the times of tasks, for `applications`: between classes, then between sites
    /// [default: lolo].
    #[arg(long, value_name = "RANGES", value_parser = words(RANGES))]
    heterogeneity: Option<&'static str>,
    /// Language of a `process-scheduler` [default: python].
    #[arg(long)]
    language: Option<Language>,
    #[command(flatten)]
    worse: Worse,
}

/// A language of programs to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Python, without packages.
    Python,
    /// Rust, with serde_json.
    Rust,
    /// Julia, with JSON.jl.
    Julia,
}

impl Language {
    /// A scheduler.
    fn scheduler(self) -> &'static str {
        match self {
            Language::Python => include_str!("new/process/scheduler.py"),
            Language::Rust => include_str!("new/process/scheduler.rs.txt"),
            Language::Julia => include_str!("new/process/scheduler.jl"),
        }
    }
}

/// Options of `worst-case`, passed on to `gridpact-studies`.
#[derive(Debug, Args)]
struct Worse {
    /// Family of bad cases for `worst-case` [default: list the families].
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// Size of the family's member.
    #[arg(long, value_name = "K", requires = "family")]
    k: Option<u64>,
    /// Another parameter of the family; may be repeated.
    #[arg(long = "with", value_name = "NAME=N", requires = "family")]
    with: Vec<String>,
}

impl Worse {
    /// The words that `gridpact-studies` reads.
    fn words(&self) -> Vec<OsString> {
        let family = self.family.iter().map(|name| format!("--family={name}"));
        let k = self.k.iter().map(|k| format!("--k={k}"));
        let with = self.with.iter().map(|one| format!("--with={one}"));
        let words = family.chain(k).chain(with).map(OsString::from);
        [OsString::from("worst-case")].into_iter().chain(words).collect()
    }
}

/// The ranges that the starter has.
const LOLO: &str = "tasks = 10, machines = 10";

/// Ranges of the times that Braun and others (2001) draw, as a starter says them.
const RANGES: [Word<&str>; 4] = [
    ("hihi", Some("Much between classes and between sites"), "tasks = 1000, machines = 100"),
    ("hilo", Some("Much between classes, little between sites"), "tasks = 1000, machines = 10"),
    ("lohi", Some("Little between classes, much between sites"), "tasks = 10, machines = 100"),
    ("lolo", Some("Little between both"), LOLO),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A single server with random jobs (M/M/1): the shortest scenario.
    Queue,
    /// Ten jobs written out one by one, easy to follow by hand.
    Jobs,
    /// A real trace on its own machine.
    Trace,
    /// The users of a trace as organizations on one machine.
    Users,
    /// Three organizations that use each other's clusters.
    Sharing,
    /// Ten organizations that learn whether to balance their load.
    Coalition,
    /// Three sites that learn whether to pool their clusters.
    Federation,
    /// Applications of many identical tasks on sites with prices, planned together.
    Applications,
    /// A repeated game between two learners, without a grid.
    Game,
    /// A bad case of a grid scheduler, from a family of such.
    WorstCase,
    /// A scheduler as a program of its own, in Python, Rust or Julia.
    ProcessScheduler,
}

/// Placeholders in a starter, used until a trace is given.
const FILE: &str = "file = \"my-trace.swf.gz\"";
const PROCESSORS: &str = "processors = 128";

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Kind::Queue => include_str!("new/queue.toml"),
            Kind::Jobs => include_str!("new/jobs.toml"),
            Kind::Trace => include_str!("new/trace.toml"),
            Kind::Users => include_str!("new/users.toml"),
            Kind::Sharing => include_str!("new/sharing.toml"),
            Kind::Coalition => include_str!("new/coalition.toml"),
            Kind::Federation => include_str!("new/federation.toml"),
            Kind::Applications => include_str!("new/applications.toml"),
            Kind::Game => include_str!("new/game.toml"),
            // The studies build it.
            Kind::WorstCase => "",
            Kind::ProcessScheduler => Language::Python.scheduler(),
        }
    }

    fn takes_trace(self) -> bool {
        matches!(self, Kind::Trace | Kind::Users)
    }
}

pub(super) fn new(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.worse.family.is_some() && arguments.kind != Some(Kind::WorstCase) {
        return Err(Failure::Input(
            "`--family` belongs to `worst-case`\nhelp: write `gridpact new worst-case --family ...`"
                .to_owned(),
        ));
    }
    let heterogeneity = arguments.heterogeneity;
    if heterogeneity.is_some() && arguments.kind != Some(Kind::Applications) {
        return Err(Failure::Input(
            "`--heterogeneity` belongs to `applications`\nhelp: write `gridpact new applications \
             --heterogeneity ...`"
                .to_owned(),
        ));
    }
    if arguments.language.is_some() && arguments.kind != Some(Kind::ProcessScheduler) {
        return Err(Failure::Input(
            "`--language` belongs to `process-scheduler`\nhelp: write `gridpact new \
             process-scheduler --language ...`"
                .to_owned(),
        ));
    }
    match (arguments.kind, &arguments.trace) {
        (Some(Kind::ProcessScheduler), None) => {
            print(arguments.language.unwrap_or(Language::Python).scheduler())
        }
        (Some(Kind::Applications), None) => {
            print(&Kind::Applications.text().replace(LOLO, heterogeneity.unwrap_or(LOLO)))
        }
        (Some(Kind::WorstCase), None) => elsewhere::start(&arguments.worse.words()),
        (None, _) => print(&kinds()),
        (Some(kind), None) => print(kind.text()),
        (Some(kind), Some(trace)) if kind.takes_trace() => print(&filled(kind, trace)?),
        (Some(_), Some(trace)) => Err(Failure::Input(format!(
            "{}: this kind of scenario has no trace\nhelp: `gridpact new trace {}` has one",
            trace.display(),
            shell::word(trace),
        ))),
    }
}

fn kinds() -> String {
    let mut out = "Scenarios to start from, with every key explained:\n\n".to_owned();
    for value in Kind::value_variants().iter().filter_map(Kind::to_possible_value) {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        out.push_str(&format!("  {:<17} {help}\n", value.get_name()));
    }
    out + "\nFor example:\n\n  gridpact new queue > my.toml\n  gridpact run my.toml\n\n\
        A `game` is played by `gridpact game`. Give `trace` and `users` a trace, and it is filled \
        in:\n\n  gridpact new trace my-trace.swf.gz > my.toml\n"
}

/// A starter with the trace's name and its machine, with comments on their source.
fn filled(kind: Kind, trace: &Path) -> Result<String, Failure> {
    let survey = swf::survey(trace, &swf::Options::default()).map_err(|error| {
        if error.is_unreadable() {
            Failure::System(error.to_string())
        } else {
            let is = Foreign::of_file(trace);
            let told = is.map(|is| format!("\nhelp: this is {}: {}", is.name(), is.help()));
            Failure::Input(error.to_string() + &told.unwrap_or_default())
        }
    })?;
    let Some(path) = trace.to_str() else {
        let trace = trace.display();
        return Err(Failure::Input(format!(
            "{trace}: the path is not UTF-8, and could not stand in a scenario\nhelp: rename it"
        )));
    };
    if survey.jobs == 0 {
        return Err(Failure::Input(format!("{path}: there are no jobs in this trace")));
    }
    let (processors, from) = machine(&survey);
    let file = toml::Value::String(path.to_owned());
    Ok(kind
        .text()
        .replace("name = \"My trace", &format!("name = \"{}", title(trace)))
        .replace(PROCESSORS, &format!("{from}\nprocessors = {processors}"))
        .replace(FILE, &format!("file = {file}")))
}

/// Processors of the traced machine, and a comment on the source of the number.
fn machine(survey: &Survey) -> (u32, String) {
    let header = &survey.header;
    let told = (header.max_procs().map(|number| (number, "MaxProcs")))
        .or_else(|| header.max_nodes().map(|number| (number, "MaxNodes")));
    let most = survey.max_processors;
    match told {
        Some((number, key)) if number >= most => (number, format!("# {key} of the trace.")),
        Some((number, key)) => {
            (most, format!("# What its largest job needs; {key} of the trace says {number}."))
        }
        None => (most, "# What its largest job needs; the trace does not tell.".to_owned()),
    }
}

/// Name of a scenario about a trace: the file name, restricted to valid characters.
///
/// The computer's name would not do: several traces could have the same, and their results would
/// share a folder.
fn title(trace: &Path) -> String {
    let file = trace.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.trim_end_matches(".gz").trim_end_matches(".swf");
    let sign = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { ' ' };
    let text: String = stem.chars().map(sign).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = words.join(" ").trim_start_matches('.').to_owned();
    if name.chars().any(char::is_alphanumeric) { name } else { "My trace".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_stands_once_in_each_starter_with_a_trace() {
        for &kind in Kind::value_variants() {
            let times = usize::from(kind.takes_trace());
            for part in [FILE, PROCESSORS, "name = \"My trace"] {
                assert_eq!(kind.text().matches(part).count(), times, "{kind:?}: {part}");
            }
        }
    }
}
