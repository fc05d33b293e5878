//! `gridpact schema`.

use clap::Args;
use report::files::schema::{self, ResultFile};
use scenario::root::Root;
use scenario::schema::text_of;

use super::format::{Word, words};
use super::{Failure, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print the schema of game files, for `gridpact game`.
    #[arg(long)]
    game: bool,
    /// Print the schema of the lines between gridpact and a program that decides.
    #[arg(long, conflicts_with = "game")]
    process: bool,
    /// Print the schema of a JSON file of results.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "process"], value_parser = words(FILES))]
    results: Option<ResultFile>,
}

const FILES: [Word<ResultFile>; 4] = [
    ("summary", Some("The findings: `summary.json`"), ResultFile::Summary),
    ("manifest", Some("What ran: `manifest.json`"), ResultFile::Manifest),
    ("timing", Some("What it cost: `timing.json`"), ResultFile::Timing),
    ("report", Some("What the page shows: `report.json`"), ResultFile::Page),
];

pub(super) fn schema(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(file) = arguments.results {
        return print(&format!("{:#}\n", schema::schema_of(file)));
    }
    if arguments.process {
        return print(policy::peer::SCHEMA);
    }
    let root = if arguments.game { Root::Game } else { Root::Grid };
    print(&text_of(root))
}
