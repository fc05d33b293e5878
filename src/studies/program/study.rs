//! `gridpact study`: studies of gridpact's own, which belong to no paper.
//!
//! A study is a file beside this one and an entry of `studies`, and a file or folder of this crate.

use clap::{Args, Subcommand};
use report::table::{Column, Table};

use super::{command, contest, federation, help};
use cli::{Failure, format, print};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    study: Option<Study>,
    #[command(flatten)]
    choice: format::Choice,
}

/// Makes a subcommand of every study: its module, the name of its type, and its help.
macro_rules! studies {
    ($($(#[$attribute:meta])* $name:ident($module:ident),)*) => {
        #[derive(Debug, Subcommand)]
        enum Study {
            $($(#[$attribute])* $name($module::Arguments),)*
        }

        impl Study {
            fn play(&self) -> Result<(), Failure> {
                match self {
                    $(Study::$name(arguments) => $module::play(arguments),)*
                }
            }
        }
    };
}

studies! {
    /// Let learners compete on the first paper's grids, and compare results.
    ///
    /// Every registered learner plays against itself and against the paper's rule, all on the same
    /// jobs, seed by seed.
    #[command(after_help = cli::help::SHORT, after_long_help = help::CONTEST)]
    Contest(contest),
    /// Play every coalition of a federation, or its world in several settings, on the same draws.
    ///
    /// Coalitions: each subset of up to 12 organizations pools its clusters in all rounds while the others
    /// stay alone; learners of the scenario do not decide. `--ask` has questions about schedulers,
    /// levels, learners, promises and the length of the game.
    #[command(after_help = cli::help::SHORT, after_long_help = help::FEDERATION)]
    Federation(federation),
}

pub(super) fn study(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.study {
        Some(study) => study.play(),
        None => print(&listed().render(arguments.choice.format, format::width())),
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
