//! `gridpact schema`.

use clap::Args;
use gridpact::scenario::root::Root;
use gridpact::scenario::schema::schema_of;

use super::{Failure, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print the schema of game files, for `gridpact game`.
    #[arg(long)]
    game: bool,
}

pub(super) fn schema(arguments: &Arguments) -> Result<(), Failure> {
    let root = if arguments.game { Root::Game } else { Root::Grid };
    print(&format!("{:#}\n", schema_of(root)))
}
