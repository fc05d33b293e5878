//! The game's entry in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use game::noise::Noise;
use policy::learn::LearnerOptions;
use scenario::plan::GamePlan;
use scenario::raw::{DynamicsForm, NoiseForm, NormalNoise};

/// A game in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameEntry {
    /// Rounds or steps in each replication.
    pub rounds: u64,
    /// Format in which the payoffs were given.
    pub payoffs: String,
    /// Payoffs that learners scale to 0 and 1, unless they set their own range.
    pub range: [f64; 2],
    /// Distribution of the payoffs' noise, if there is any.
    pub noise: Option<NoiseForm>,
    /// The players, in their order.
    pub players: Vec<PlayerEntry>,
    /// Dynamics that moved the play instead of learners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<DynamicsForm>,
}

/// A player in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerEntry {
    /// Name of the player.
    pub player: String,
    /// Names of its actions.
    pub actions: Vec<String>,
    /// Learner that chooses for it, with its parameters.
    pub learner: LearnerOptions,
    /// Information label: the part of a round that it sees.
    pub sees: String,
}

impl GameEntry {
    /// The entry of a plan.
    pub fn new(plan: GamePlan<'_>) -> GameEntry {
        let players = plan.game.players.iter().map(|player| PlayerEntry {
            player: player.name.clone(),
            actions: player.actions.clone(),
            learner: player.learner.clone(),
            sees: player.learner.label().to_owned(),
        });
        GameEntry {
            rounds: plan.rounds(),
            payoffs: plan.game.form.to_owned(),
            range: plan.game.range(),
            noise: plan.game.noise.map(|noise| match noise {
                Noise::Normal { deviation } => NoiseForm::Normal(NormalNoise { deviation }),
                Noise::Coin => NoiseForm::Coin {},
            }),
            players: players.collect(),
            dynamics: plan.game.dynamics.as_ref().map(|dynamics| dynamics.form.clone()),
        }
    }
}
