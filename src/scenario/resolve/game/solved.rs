//! Games that are solved and not played.

use super::{Resolver, path};
use crate::plan::{Solvable, SolvedGame};
use crate::raw::PayoffsForm;

impl Resolver<'_> {
    /// Returns the game, if it is valid; for payoffs of another form there is none.
    pub(super) fn solved(&mut self) -> Option<SolvedGame> {
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
        self.belonging_elsewhere();
        let (players, game) = game.filter(|_| self.errors.is_empty())?;
        Some(SolvedGame { players, game })
    }
}
