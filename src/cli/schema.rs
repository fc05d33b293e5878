//! `gridpact schema`.

use clap::{Args, ValueEnum};
use report::schema::{self, ResultFile};
use scenario::root::Root;
use scenario::schema::text_of;

use super::{Failure, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print the schema of game files, for `gridpact game`.
    #[arg(long)]
    game: bool,
    /// Print the schema of a JSON file of results.
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    results: Option<Results>,
}

/// A JSON file of results.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Results {
    /// The findings: `summary.json`.
    Summary,
    /// The plan that ran: `manifest.json`.
    Manifest,
    /// The cost of the run: `timing.json`.
    Timing,
}

pub(super) fn schema(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(file) = arguments.results {
        let file = match file {
            Results::Summary => ResultFile::Summary,
            Results::Manifest => ResultFile::Manifest,
            Results::Timing => ResultFile::Timing,
        };
        return print(&format!("{:#}\n", schema::schema_of(file)));
    }
    let root = if arguments.game { Root::Game } else { Root::Grid };
    print(&text_of(root))
}
