//! `gridpact game export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use records::files;
use report::game::forms::{self, Form};

use crate::{Failure, load, print, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: load::Solved,
    /// Format of the file.
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// File to write; it replaces one that is there [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// Gambit's strategic form.
    Nfg,
    /// The same without names of actions, for OpenSpiel's `nfg_game`.
    Openspiel,
    /// The JSON of gameanalysis: each player is a role.
    Gameanalysis,
    /// A line for each profile and player, which `gridpact game` reads too.
    Csv,
}

pub(super) fn export(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.game.load()?;
    let form = match arguments.to {
        To::Nfg => Form::Nfg,
        To::Openspiel => Form::OpenSpiel,
        To::Gameanalysis => Form::GameAnalysis,
        To::Csv => Form::Csv,
    };
    let game = plan
        .game()
        .ok_or("it has no payoffs of action profiles\nhelp: only games with actions have");
    let text = game.and_then(|game| {
        forms::written(game, form)
            .ok_or("it has more than 2^24 payoffs\nhelp: none; these formats list all")
    });
    let text =
        text.map_err(|wrong| Failure::Input(format!("this game cannot be exported: {wrong}")))?;
    match &arguments.out {
        Some(out) => {
            files::written(out, text.as_bytes())?.publish()?;
            say(&out.display().to_string());
            Ok(())
        }
        None => print(text.trim_end_matches('\n')),
    }
}
