//! Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! Clusters of selfish owners balance divisible load, and learn whether to join. Definitions that
//! the paper leaves open are settled as in [`sim::pool`]; misprints are noted where the
//! result is reproduced.

mod contested;
mod exact;
mod figures;
mod over_time;
pub mod play;
pub mod printed;
mod queues;
mod readings;
mod setup;
mod sharing;
mod tables;
mod theory;

use std::sync::LazyLock;

use super::claim::Register;
use super::{Part, Study};

static REGISTER: LazyLock<Register> = LazyLock::new(|| Register::read(include_str!("claims.toml")));

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: printed::RULE,
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
            claims: &["LB-X-02", "LB-T3-03", "LB-T4-03", "LB-T4-04", "LB-C-01"],
            ..part(theory::arithmetic)
        },
        Part {
            table: Some("2"),
            claims: &["LB-T2-01", "LB-T2-02", "LB-T2-03", "LB-T2-04", "LB-T2-05", "LB-T2-06"],
            ..part(tables::table_2)
        },
        Part {
            table: Some("3"),
            claims: &["LB-T3-01", "LB-T3-02", "LB-T3-03", "LB-T3-04"],
            ..part(tables::table_3)
        },
        Part {
            table: Some("4"),
            claims: &["LB-T4-01", "LB-T4-02", "LB-T4-03"],
            ..part(tables::table_4)
        },
        Part {
            table: Some("5"),
            claims: &["LB-T5-01", "LB-T5-02", "LB-T5-03", "LB-T5-04"],
            ..part(tables::table_5)
        },
        Part { claims: &["LB-T5-05", "LB-C-01", "LB-W-01"], ..part(tables::rivals) },
        Part { claims: &["LB-B-03"], ..part(theory::cost) },
        Part { claims: &["LB-B-01"], ..part(tables::printed_bilb) },
        Part { claims: &["LB-D-01"], ..part(sharing::by_load) },
        Part { figures: &["3a"], claims: &["LB-F3a", "LB-F3a2"], ..part(figures::figure_3a) },
        Part { claims: &["LB-X-01"], ..part(figures::repetitions) },
        Part { figures: &["3b"], claims: &["LB-F3b", "LB-F3b2"], ..part(figures::figure_3b) },
        Part { figures: &["4a", "4b"], claims: &["LB-F4a", "LB-F4b"], ..part(figures::figure_4) },
        Part {
            figures: &["5a", "5b"],
            claims: &["LB-F5a", "LB-F5a2", "LB-F5b"],
            ..part(figures::figure_5)
        },
        Part { claims: &["LB-Q-02"], ..part(queues::law) },
        Part { claims: &["LB-Q-04"], ..part(queues::reasoning) },
        Part { claims: &["LB-Q-05"], ..part(queues::balance_of_trade) },
        Part { claims: &["LB-G-05"], ..part(queues::periods) },
        Part { claims: &["LB-G-05"], ..part(queues::learned) },
        Part { claims: &["LB-A-04"], ..part(queues::window) },
        Part { claims: &["LB-T4-05"], ..part(contested::better_learners) },
        Part { claims: &["LB-M-01", "LB-M-03", "LB-M-04", "LB-M-06"], ..part(exact::records) },
        Part {
            claims: &["LB-A-01", "LB-Q-01", "LB-B-02", "LB-B-04", "LB-B-05"],
            ..part(exact::balancers)
        },
        Part { claims: &["LB-A-02", "LB-A-03", "LB-S-01", "LB-L-01"], ..part(exact::rules) },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
