//! Pascual, Rzadca and Trystram, "Cooperation in multi-organization scheduling".
//!
//! Rigid jobs of known length, all at once, on equal clusters that belong to organizations. What
//! the paper leaves open was settled by its own figures: organizations without jobs are left out
//! together with their clusters, equal widths are in order of submission.
//!
//! Scenarios answer the experiments of section 6 and the batches of section 8. Code answers what is
//! said of every schedule, by its definition (`laws`, `letter`, `small`, `worst`), examples and found
//! instances (`examples`, `figure5`), another order of equal widths (`readings`), and optima and orders
//! of balancing beyond the paper (`beyond`).

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

use super::claim::Register;
use super::verdict::{Rule, Verdict};
use super::{Part, Study};

/// The rule; the paper draws so many instances of each of its 96 settings.
const RULE: Rule = Rule::of(50, "instances");

/// The instances of section 6.1.
const INSTANCES: &str = include_str!("instances.toml");

/// Reason of what breaks Lemma 1.
const LEMMA_1: Verdict = Verdict::Errs(
    "a high job of another owner may go behind the low end of a cluster, and a later low one behind it: \
     two low zones, which the proof overlooks",
);

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[("batches", include_str!("batches.toml")), ("instances", INSTANCES)];
    Register::read("src/studies/mosp/claims.toml", include_str!("claims.toml"))
        .played_by(RULE, scenarios)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: RULE,
    quick: 5,
    parts: &[
        Part {
            figures: &["1", "2", "3"],
            claims: &[
                "MO-M-02", "MO-F1", "MO-F2", "MO-F3", "MO-A-01", "MO-T-LS", "MO-E-01", "MO-L-1",
            ],
            ..part(examples::examples)
        },
        Part {
            claims: &[
                "MO-M-01", "MO-P-1", "MO-A-02", "MO-A-03", "MO-L-1", "MO-L-2", "MO-P-2", "MO-P-3",
                "MO-A-04", "MO-P-4", "MO-A-06",
            ],
            ..part(small::theorems)
        },
        Part { figures: &["5"], claims: &["MO-F5"], ..part(figure5::example) },
        Part { claims: &["MO-S-1", "MO-E-01"], ..part(small::all_high) },
        Part { claims: &["MO-N-10"], ..part(worst::reasons) },
        Part { claims: &["MO-N-05"], ..part(readings::longest) },
        Part { claims: &["MO-A-05"], ..part(beyond::orders) },
        Part { claims: &["MO-W-02"], ..part(beyond::sizes) },
        Part { figures: &["beta"], claims: &["MO-W-03"], ..part(beyond::relaxed) },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
