//! Schwiegelshohn, Tchernykh and Yahyapour, "Online Scheduling in Grids".
//!
//! Rigid jobs of unknown length on clusters of many sizes. Where the paper's figures are garbled, the
//! reading that keeps its lemmas is taken, and the others are shown to break them.
//!
//! Scenarios answer what is said of streams. Code answers what is said of every instance: it draws grids
//! too, which no scenario does (`drawn`, `lemmas`, `orders`), plays the pseudo-code by the letter
//! (`printed`), and builds the paper's examples (`examples`).

mod drawn;
mod examples;
mod lemmas;
mod orders;
mod printed;

use std::sync::LazyLock;

use super::Study;
use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;

/// The rule; the paper proves and samples nothing, so that many random instances are tried of each kind.
const RULE: Rule = Rule::proved(2000, "instances");

/// Functions that answer what no scenario says.
const CODE: &[(&str, Code)] = &[
    ("instances", drawn::instances),
    ("letter", drawn::letter),
    ("example", examples::example),
    ("partition", examples::partition),
    ("adversary", orders::adversary),
];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[("online-grid", include_str!("../../../scenarios/online-grid.toml"))];
    let register =
        Register::read("src/studies/online_grids/claims.toml", include_str!("claims.toml"));
    register.played_by(RULE, scenarios).counted_by(CODE)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 60 };
