//! `gridpact study`: studies of gridpact's own, which belong to no paper.
//!
//! A study is a file beside this one and an entry of `studies`, and a file or folder of this crate. An
//! experiment is a claim of [`EXPERIMENTS`](crate::EXPERIMENTS) and an entry.

use std::path::Path;

use clap::{Args, Subcommand};
use policy::learn::REGISTRY;
use records::files::written;
use report::files::FORMAT;
use report::page::{Clock, Named, Page, html};
use report::picture::Picture;
use report::picture::rows::{self, Labels};
use report::table::{Column, Format, Table};
use scenario::aliases::choice_meant;
use scenario::diagnostics::show;
use stats::interval::Interval;
use stats::shown::counted;

use super::{command, contest, experiment, federation, fingerprint, help};
use cli::{Failure, format, print};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    study: Option<Study>,
    #[command(flatten)]
    choice: format::Choice,
}

/// Makes a subcommand of every study and of every experiment: its module or its name, the name of its
/// type, and its help.
macro_rules! studies {
    (
        studies { $($(#[$attribute:meta])* $name:ident($module:ident),)* }
        experiments { $($(#[$about:meta])* $experiment:ident = $claim:literal,)* }
    ) => {
        #[derive(Debug, Subcommand)]
        enum Study {
            $($(#[$attribute])* $name($module::Arguments),)*
            $($(#[$about])* $experiment(experiment::Arguments),)*
        }

        impl Study {
            fn play(&self) -> Result<(), Failure> {
                match self {
                    $(Study::$name(arguments) => $module::play(arguments),)*
                    $(Study::$experiment(arguments) => experiment::play($claim, arguments),)*
                }
            }
        }
    };
}

studies! {
    studies {
        /// Let learners compete on the first paper's grids, and compare results.
        ///
        /// Every registered learner plays against itself and against the paper's rule, all on the same
        /// jobs, seed by seed.
        #[command(after_help = cli::help::SHORT, after_long_help = help::CONTEST)]
        Contest(contest),
        /// Play a federation in several settings on the same draws: schedulers, levels, learners, promises.
        ///
        /// Coalitions: each subset of up to 12 organizations pools its clusters in all rounds while the others
        /// stay alone; learners of the scenario do not decide. `--ask` has questions about schedulers,
        /// levels, learners, promises and the length of the game.
        #[command(after_help = cli::help::SHORT, after_long_help = help::FEDERATION)]
        Federation(federation),
        /// Map how often each learner takes part, by what that brings on average and how much it varies.
        #[command(after_help = cli::help::SHORT, after_long_help = help::FINGERPRINTS)]
        Fingerprints(fingerprint),
    }
    experiments {
        /// Ask why the ratio rule never settles at joining for sure.
        Matching = "matching",
        /// Ask whether one overloaded organization kills a coalition, or there is a tipping point.
        TippingPoint = "tipping-point",
        /// Ask whether a balancer with levels moves the tipping point.
        BetterBalancer = "better-balancer",
        /// Ask which learners find cooperation, and from where.
        Learners = "learners",
        /// Ask whether knowing more helps to cooperate.
        Information = "information",
        /// Ask who gains, who pays, and who would block.
        Blocking = "blocking",
        /// Ask whether one coalition forms, or several.
        Partitions = "partitions",
        /// Ask whether lying pays, and whether all would lie.
        Lying = "lying",
        /// Ask how much auditing is enough.
        Auditing = "auditing",
        /// Ask whether fair share is fair.
        FairShare = "fair-share",
    }
}

pub(super) fn study(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.study {
        Some(study) => study.play(),
        None => print(&listed().render(arguments.choice.format, format::width())),
    }
}

/// Most differences of a picture.
const MOST: usize = 60;

/// The answer of a study.
pub(super) struct Answered {
    pub(super) title: String,
    /// Its rows for programs.
    pub(super) plain: Table,
    /// Its rows for people, and what follows from them.
    pub(super) shown: Table,
    pub(super) sentences: Vec<String>,
    pub(super) pictures: Vec<Named>,
}

/// Refuses a name that no learner has.
pub(super) fn registered(learners: &[String]) -> Result<(), Failure> {
    let known: Vec<_> = REGISTRY.iter().map(|entry| entry.name).collect();
    let Some(name) = learners.iter().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let help = choice_meant(name, &known).help();
    let help = help.unwrap_or_else(|| "`gridpact list learners` names them".to_owned());
    let name = show(name);
    Err(Failure::Input(format!("there is no learner called `{name}`\nhelp: {help}")))
}

/// Tells before the work that a file cannot be written. A draft that is not published is removed.
pub(super) fn writable(file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| written(file, &[]).map(drop).map_err(Failure::from))
}

/// A picture of differences with their intervals.
pub(super) fn differences(
    title: &str,
    axis: &str,
    all: Vec<(String, f64, Option<Interval>)>,
) -> Named {
    let more = match all.len().saturating_sub(MOST) as u64 {
        0 => String::new(),
        more => format!("; {} not shown", counted(more, "other is", "others are")),
    };
    let labels = Labels {
        title: title.to_owned(),
        subtitle: format!("lines: confidence intervals{more}"),
        x: axis.to_owned(),
        series: Vec::new(),
    };
    let dots = all
        .into_iter()
        .take(MOST)
        .map(|(name, value, interval)| (name, vec![(0, value, interval)]));
    let picture = Picture::Rows(rows::dots(labels, dots.collect()));
    Named { name: "differences".to_owned(), picture }
}

impl Answered {
    /// Writes a file that replaces one that is there: the page if its name ends in `.html`, else the rows
    /// as CSV.
    pub(super) fn write(&self, file: &Path) -> Result<(), Failure> {
        let is_page = file.extension().is_some_and(|end| end == "html");
        let bytes = match is_page {
            true => html::render(&self.page(), None),
            false => self.plain.render(Format::Csv, None).into_bytes(),
        };
        written(file, &bytes)?.publish()?;
        Ok(())
    }

    /// Prints it.
    pub(super) fn print(mut self, format: Format) -> Result<(), Failure> {
        self.sentences.into_iter().for_each(|one| self.shown.note(one));
        let shown = if format.is_for_people() { self.shown } else { self.plain };
        print(&shown.render(format, format::width()))
    }

    fn page(&self) -> Page {
        Page {
            format: FORMAT,
            title: self.title.clone(),
            about: Vec::new(),
            answer: self.sentences.clone(),
            warnings: Vec::new(),
            tables: vec![self.shown.shown()],
            pictures: self.pictures.clone(),
            notes: Vec::new(),
            facts: vec![("gridpact".to_owned(), env!("CARGO_PKG_VERSION").to_owned())],
            clock: Clock::default(),
        }
    }
}

/// The studies, as the help page describes them.
fn listed() -> Table {
    let mut table = Table::new("studies", [Column::text("study"), Column::prose("about")]);
    let program = command();
    let studies =
        program.find_subcommand("study").into_iter().flat_map(clap::Command::get_subcommands);
    for study in studies {
        let about = study.get_about().map(ToString::to_string).unwrap_or_default();
        table.row([study.get_name().into(), about.into()]);
    }
    table
}
