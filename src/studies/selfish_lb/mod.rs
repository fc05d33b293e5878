//! Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! Clusters of selfish owners balance divisible load, and learn whether to join. Definitions that
//! the paper leaves open are settled as in [`sim::pool`]; misprints are noted where the
//! result is reproduced.

mod exact;
mod theory;

use std::sync::LazyLock;

use super::claim::Register;
use super::verdict::Rule;
use super::{Part, Study};

/// Every figure of the paper is a mean over 1000 rounds.
const RULE: Rule = Rule::of(1000, "rounds");

/// The claims, and the scenarios that answer them.
static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[
        ("equal", include_str!("equal.toml")),
        ("mixed", include_str!("mixed.toml")),
        ("pair", include_str!("pair.toml")),
        ("queue", include_str!("queue.toml")),
    ];
    Register::read("src/studies/selfish_lb/claims.toml", include_str!("claims.toml"))
        .played_by(RULE, scenarios)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: RULE,
    quick: 40,
    parts: &[
        Part { figures: &["1"], claims: &["LB-F1"], ..part(theory::figure_1) },
        Part { claims: &["LB-E-01", "LB-E-02", "LB-E-03", "LB-B-06"], ..part(theory::delays) },
        Part { figures: &["2a", "2b"], claims: &["LB-F2a", "LB-F2b"], ..part(theory::figure_2) },
        Part {
            table: Some("1"),
            claims: &["LB-G-01", "LB-G-02", "LB-G-03", "LB-G-04"],
            ..part(theory::games)
        },
        Part { claims: &["LB-M-02", "LB-Q-03"], ..part(theory::thresholds) },
        Part {
            claims: &["LB-X-02", "LB-T3-03", "LB-T4-04", "LB-T5-03"],
            ..part(theory::arithmetic)
        },
        Part { claims: &["LB-B-03"], ..part(theory::cost) },
        Part { claims: &["LB-M-01", "LB-M-03", "LB-M-04", "LB-M-06"], ..part(exact::records) },
        Part {
            claims: &["LB-A-01", "LB-Q-01", "LB-B-02", "LB-B-04", "LB-B-05", "LB-D-01"],
            ..part(exact::balancers)
        },
        Part {
            claims: &["LB-A-02", "LB-A-03", "LB-F3b2", "LB-S-01", "LB-L-01"],
            ..part(exact::rules)
        },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
