//! Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! Clusters of selfish owners balance divisible load, and learn whether to join. Definitions that
//! the paper leaves open are settled as in [`sim::pool`]; misprints are noted where the
//! result is reproduced.
//!
//! Scenarios answer the experiments, and their audits the rules of rounds and learners. Code answers what
//! follows from definitions (`theory`), and asks balancers about random coalitions (`balancers`).

mod balancers;
mod theory;

use std::sync::LazyLock;

use super::Study;
use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;

/// Every figure of the paper is a mean over 1000 rounds.
const RULE: Rule = Rule::of(1000, "rounds");

/// Functions that answer what no scenario says.
const CODE: &[(&str, Code)] = &[
    ("figure 1", theory::figure_1),
    ("delays", theory::delays),
    ("figure 2", theory::figure_2),
    ("games", theory::games),
    ("thresholds", theory::thresholds),
    ("cost", theory::cost),
    ("arithmetic", theory::arithmetic),
    ("balancers", balancers::balancers),
];

/// The claims, and the scenarios that answer them.
static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[
        ("divisible", include_str!("divisible.toml")),
        ("equal", include_str!("equal.toml")),
        ("mixed", include_str!("mixed.toml")),
        ("pair", include_str!("pair.toml")),
        ("queue", include_str!("queue.toml")),
        ("rigid", include_str!("rigid.toml")),
    ];
    let file = "src/studies/selfish_lb/claims.toml";
    Register::read(file, include_str!("claims.toml")).played_by(RULE, scenarios).counted_by(CODE)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 40 };
