//! `manifest.json` of a game: what was played, by whom, and what was written.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::noise::Noise;
use crate::policy::learn::LearnerOptions;
use crate::scenario::plan::GamePlan;
use crate::scenario::raw::{DynamicsForm, NoiseForm, NormalNoise};

/// What was played.
#[derive(Clone, Debug, Serialize)]
pub struct GameManifest {
    /// The version of gridpact.
    pub gridpact: String,
    /// What the game is called.
    pub name: String,
    /// BLAKE3 of the game with its defaults, but for the seed.
    pub scenario_digest: String,
    /// The master seed.
    pub seed: u64,
    /// How many replications were played.
    pub replications: u32,
    /// Rounds in each.
    pub rounds: u64,
    /// The form in which the payoffs were written.
    pub payoffs: &'static str,
    /// The payoffs that count as 0 and as 1 where a learner does not say otherwise.
    pub range: [f64; 2],
    /// How payoffs were drawn, where they were not sure.
    pub noise: Option<NoiseForm>,
    /// The players, in their order.
    pub players: Vec<PlayerEntry>,
    /// How play moved where nobody learns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<DynamicsForm>,
    /// BLAKE3 of the other result files, by name.
    pub files: BTreeMap<String, String>,
}

/// A player in the manifest.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerEntry {
    /// Its name.
    pub player: String,
    /// The names of its actions.
    pub actions: Vec<String>,
    /// What chooses, with its parameters.
    pub learner: LearnerOptions,
    /// What it sees of a round.
    pub sees: &'static str,
}

impl GameManifest {
    /// Of a plan that was played; `files` are the digests of what was written.
    pub fn new(plan: &GamePlan, files: BTreeMap<String, String>) -> GameManifest {
        let players = plan.players.iter().map(|player| PlayerEntry {
            player: player.name.clone(),
            actions: player.actions.clone(),
            learner: player.learner.clone(),
            sees: player.learner.label(),
        });
        GameManifest {
            gridpact: env!("CARGO_PKG_VERSION").to_owned(),
            name: plan.name.clone(),
            scenario_digest: plan.digest.clone(),
            seed: plan.seed,
            replications: plan.replications,
            rounds: plan.rounds,
            payoffs: plan.form,
            range: plan.range(),
            noise: plan.noise.map(|noise| match noise {
                Noise::Normal { deviation } => NoiseForm::Normal(NormalNoise { deviation }),
                Noise::Coin => NoiseForm::Coin {},
            }),
            players: players.collect(),
            dynamics: plan.dynamics.as_ref().map(|dynamics| dynamics.form.clone()),
            files,
        }
    }
}
