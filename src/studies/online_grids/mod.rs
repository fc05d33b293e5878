//! Schwiegelshohn, Tchernykh and Yahyapour, "Online Scheduling in Grids".
//!
//! Rigid jobs of unknown length on clusters of many sizes. Where the paper's figures are garbled, the
//! reading that keeps its lemmas is taken, and the others are shown to break them.
//!
//! Scenarios answer what is said of streams. Code answers what is said of every instance: it draws grids
//! too, which no scenario does (`drawn`, `factors`, `lemmas`, `orders`), plays the pseudo-code by the
//! letter (`printed`), and builds the paper's examples (`examples`).

mod drawn;
mod examples;
mod factors;
mod lemmas;
mod orders;
mod printed;

use std::sync::LazyLock;

use super::claim::Register;
use super::verdict::Rule;
use super::{Part, Study};

/// The rule; the paper proves and samples nothing, so that many random instances are tried of each kind.
const RULE: Rule = Rule::proved(2000, "instances");

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[("online-grid", include_str!("../../../scenarios/online-grid.toml"))];
    Register::read(include_str!("claims.toml")).played_by(RULE, scenarios)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: RULE,
    quick: 60,
    parts: &[
        Part {
            claims: &["OG-M-01", "OG-M-02", "OG-E-01", "OG-D-51a", "OG-D-51b"],
            ..part(factors::model)
        },
        Part { claims: &["OG-T-31"], ..part(examples::partition) },
        Part { claims: &["OG-T-GG"], ..part(factors::one_cluster) },
        Part {
            figures: &["1"],
            claims: &["OG-X-41a", "OG-X-41b", "OG-X-41c"],
            ..part(examples::example_4_1)
        },
        Part { figures: &["2"], claims: &["OG-X-42"], ..part(examples::example_4_2) },
        Part {
            table: Some("1"),
            figures: &["3"],
            claims: &["OG-X-43a", "OG-X-43b", "OG-X-43c", "OG-T1-k3", "OG-T1-k4"],
            ..part(examples::example_4_3)
        },
        Part { claims: &["OG-Q-01"], ..part(orders::static_orders) },
        Part {
            claims: &["OG-L-52", "OG-L-53", "OG-A-01", "OG-A-62", "OG-A-02", "OG-A-03", "OG-T-61b"],
            ..part(factors::lemmas)
        },
        Part {
            figures: &["6"],
            claims: &["OG-X-55", "OG-X-55b", "OG-X-218"],
            ..part(examples::example_5_5)
        },
        Part { claims: &["OG-T-54", "OG-T-61", "OG-A-04", "OG-A-61"], ..part(factors::factors) },
        Part { claims: &["OG-T-54b", "OG-T-61c"], ..part(examples::families) },
        Part {
            figures: &["ratios-a", "ratios-b", "ratios-c", "ratios-d"],
            claims: &["OG-Q-01", "OG-D-01", "OG-D-02"],
            ..part(factors::ratios)
        },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
