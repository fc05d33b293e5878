//! Games that are solved and not played.

use super::{Resolver, path};
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::{Solvable, SolvedGame};
use crate::raw::PayoffsForm;
use crate::resolve::name_trouble;

/// Keys of games that are played.
const OF_PLAY: [&str; 6] = ["run", "player", "dynamics", "output", "game.actions", "game.noise"];

impl Resolver<'_> {
    /// Returns the game, if it is valid; for payoffs of another form there is none. `words` name its
    /// kind.
    pub(super) fn solved(&mut self, words: &str) -> Option<SolvedGame> {
        let at = path("game.payoffs").key(self.raw.game.payoffs.name());
        let worth = |(players, game)| (players, Solvable::Coalitional(game));
        let game = match &self.raw.game.payoffs {
            PayoffsForm::Sizes(worths) => self.sizes(worths, &at).map(worth),
            PayoffsForm::Coalitions(form) => self.coalitions(form, &at).map(worth),
            PayoffsForm::Dedicated(form) => self
                .dedicated(form, &at)
                .map(|game| (form.players.clone(), Solvable::Dedicated(game))),
            _ => return None,
        };
        for key in OF_PLAY.map(path) {
            if self.is_written(&key) {
                let message = format!("{words} is solved, not played");
                self.help(key, message, "leave this out: the game is its `payoffs` alone");
            }
        }
        let (players, game) = game.filter(|_| self.errors.is_empty())?;
        Some(SolvedGame { players, game })
    }

    /// Refuses names of players that cannot be, or that are not apart.
    pub(super) fn player_names(&mut self, players: &[String], at: &Path) {
        for (index, name) in players.iter().enumerate() {
            let at = at.clone().index(index);
            if let Some((message, help)) = name_trouble(name) {
                self.help(at, message, help);
            } else if players[..index].contains(name) {
                let message = format!("there are two players called `{}`", show(name));
                self.help(at, message, "give one of them another name");
            }
        }
    }
}
