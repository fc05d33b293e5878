//! `gridpact game`.

use std::time::Instant;

use clap::Args;

use super::{Failure, load, run};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: load::Game,
    /// Number of replications, instead of the file's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
    #[command(flatten)]
    how: run::How,
}

pub(super) fn game(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let set = arguments.replications.map(|number| format!("run.replications={number}"));
    let (plan, origin) = arguments.game.load_kept(set)?;
    arguments.how.run(&plan, origin, begun)
}
