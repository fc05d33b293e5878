//! Ten questions on cooperation, played by the lab of coalitions.
//!
//! What was expected stands in `claims.toml` beside each question. `gridpact study` has a command for
//! each. Their worlds are those of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational
//! Grids": ten equal organizations, and nine beside one with nearly twice what it can do.

mod delay;
mod lab;

use std::sync::LazyLock;

use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;
use super::{Paper, Study};

const RULE: Rule = Rule::of(1000, "rounds");

const CODE: &[(&str, Code)] = &[("delay", delay::delay), ("lab", lab::lab)];

const SCENARIOS: &[(&str, &str)] = &[
    ("equal", include_str!("../selfish_lb/equal.toml")),
    ("mixed", include_str!("../selfish_lb/mixed.toml")),
];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    Register::read("src/studies/experiments/claims.toml", include_str!("claims.toml"))
        .played_by(RULE, SCENARIOS)
        .counted_by(CODE)
});

static STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 40 };

/// The questions, in the place of a paper.
pub const EXPERIMENTS: Paper = Paper {
    name: "experiments",
    title: "Ten questions on cooperation",
    authors: "gridpact",
    study: Some(&STUDY),
};
