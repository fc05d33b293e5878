//! The same rounds with everyone in, as a counterfactual.

use super::AnyStage;
use crate::error::RunError;
use findings::coalition::frame::RoundRow;
use game::stage::{Act, Actions, Outcome, StageGame as _, Terms, Wanted};

/// The game that is replayed, and its state.
#[derive(Debug)]
pub(super) struct EveryoneIn {
    pub game: AnyStage<()>,
    /// The first round to replay.
    pub from: u64,
    pub acts: Vec<Act>,
    pub outcome: Outcome,
}

impl EveryoneIn {
    /// Starts a round in which everyone present takes part, at the declared level.
    pub fn begin(&mut self, round: u64, rows: &[RoundRow]) -> Result<(), RunError> {
        self.acts.clear();
        for (player, row) in rows.iter().enumerate() {
            let level = row.stance.declared;
            self.acts.push(match self.game.actions(player, round) {
                Actions::Absent => Act::Out,
                _ => Act::In(Terms { level, above: None }),
            });
        }
        self.game.begin(round, &self.acts, &vec![Wanted::default(); rows.len()])
    }
}
