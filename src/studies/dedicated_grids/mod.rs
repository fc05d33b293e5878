//! Rzadca, Trystram and Wierzbicki, "Fair Game-Theoretic Resource Management in Dedicated Grids".
//!
//! Jobs bound to the processors of several owners. What the paper tries on 100 instances a row is
//! tried here on fifty times as many as are asked for, since the exact fronts take no time.
//!
//! Code answers nearly all lines: lists are judged by exact fronts, which are enumerated (`lists`,
//! `theory`), and games by their tables of payoffs (`games`, `repeated`). Scenarios answer what is said of
//! jobs over time.

mod drawn;
mod games;
mod lists;
mod repeated;
mod theory;

use std::sync::LazyLock;

use super::Study;
use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;

const RULE: Rule = Rule::of(100, "instances");

/// Functions that answer what no scenario says.
const CODE: &[(&str, Code)] = &[
    ("schedules", theory::schedules),
    ("growth", theory::growth),
    ("axioms", theory::axioms),
    ("walks", lists::walks),
    ("lists", lists::lists),
    ("games", games::games),
    ("coalitions", games::coalitions),
    ("control", games::control),
    ("figure 1", games::figure_1),
    ("figure 2", games::figure_2),
    ("repeated", repeated::repeated),
];

const SCENARIOS: &[(&str, &str)] =
    &[("streams", include_str!("streams.toml")), ("three", include_str!("three.toml"))];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    Register::read("src/studies/dedicated_grids/claims.toml", include_str!("claims.toml"))
        .played_by(RULE, SCENARIOS)
        .counted_by(CODE)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 10 };
