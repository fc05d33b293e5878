//! `manifest.json` of a game: the game, its players and the files written.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::noise::Noise;
use crate::policy::learn::LearnerOptions;
use crate::scenario::plan::GamePlan;
use crate::scenario::raw::{DynamicsForm, NoiseForm, NormalNoise};

/// Manifest of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameManifest {
    /// Version of gridpact.
    pub gridpact: String,
    /// Name of the game.
    pub name: String,
    /// Overrides from the command line, as `key=value`.
    ///
    /// The length of the run and the number of replications are below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// BLAKE3 digest of the game with its defaults, without the seed.
    pub scenario_digest: String,
    /// Master seed.
    pub seed: u64,
    /// Number of replications played.
    pub replications: u32,
    /// Rounds in each replication.
    pub rounds: u64,
    /// Format in which the payoffs were given.
    pub payoffs: &'static str,
    /// Payoffs that learners scale to 0 and 1, unless they set their own range.
    pub range: [f64; 2],
    /// Distribution of the payoffs' noise, if there is any.
    pub noise: Option<NoiseForm>,
    /// The players, in their order.
    pub players: Vec<PlayerEntry>,
    /// Dynamics that moved the play instead of learners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<DynamicsForm>,
    /// BLAKE3 digests of the other result files, by name.
    pub files: BTreeMap<String, String>,
}

/// A player in the manifest.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerEntry {
    /// Name of the player.
    pub player: String,
    /// Names of its actions.
    pub actions: Vec<String>,
    /// Learner that chooses for it, with its parameters.
    pub learner: LearnerOptions,
    /// Information label: the part of a round that it sees.
    pub sees: &'static str,
}

impl GameManifest {
    /// The manifest of a plan that was played; `files` are the digests of the files written.
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
            changes: plan.changes.clone(),
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
