//! Pascual, Rzadca and Trystram, "Cooperation in multi-organization scheduling".
//!
//! Rigid jobs of known length, all at once, on equal clusters that belong to organizations. What
//! the paper leaves open was settled by its own figures: organizations without jobs are left out
//! together with their clusters, equal widths are in order of submission.
//!
//! Scenarios answer the experiments of section 6, the batches of section 8, and who accepts a plan.
//! Code answers what is said of every schedule, by its definition (`laws`, `letter`, `small`, `worst`),
//! examples and found instances (`examples`, `figure5`), another order of equal widths (`readings`), and
//! optima, clusters of several sizes, a relaxed constraint and orders of balancing (`beyond`).

mod beyond;
mod cases;
mod examples;
mod figure5;
mod instances;
mod laws;
mod letter;
mod readings;
mod small;
mod worst;

use std::sync::LazyLock;

use super::Study;
use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;

/// The rule; the paper draws so many instances of each of its 96 settings.
const RULE: Rule = Rule::of(50, "instances");

/// The instances of section 6.1.
const INSTANCES: &str = include_str!("instances.toml");

/// Functions that answer what no scenario says.
const CODE: &[(&str, Code)] = &[
    ("partition", examples::partition),
    ("figure 1", examples::figure_1),
    ("figure 2", examples::figure_2),
    ("figure 3", examples::figure_3),
    ("list by hand", examples::list_by_hand),
    ("one cluster", examples::lists),
    ("counterexample", examples::counterexample),
    ("small", small::theorems),
    ("high jobs", small::all_high),
    ("figure 5", figure5::example),
    ("worst", worst::reasons),
    ("longest first", readings::longest),
    ("orders", beyond::orders),
    ("several sizes", beyond::sizes),
    ("relaxed", beyond::relaxed),
    ("few", beyond::few),
];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[
        ("accept", include_str!("accept.toml")),
        ("batches", include_str!("batches.toml")),
        ("instances", INSTANCES),
    ];
    let register = Register::read("src/studies/mosp/claims.toml", include_str!("claims.toml"));
    register.played_by(RULE, scenarios).counted_by(CODE)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 5 };
