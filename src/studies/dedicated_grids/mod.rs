//! Rzadca, Trystram and Wierzbicki, "Fair Game-Theoretic Resource Management in Dedicated Grids".
//!
//! Jobs bound to the processors of several owners. What the paper tries on 100 instances a row is
//! tried here on fifty times as many as are asked for, since the exact fronts take no time.
//!
//! All is code: lists are judged by exact fronts, which are enumerated (`drawn`, `table`, `cover`), games
//! by their tables of payoffs (`games`, `theory`), and no scenario draws jobs that are bound to clusters or
//! users that repeat themselves (`streams`).

mod cover;
mod drawn;
mod games;
mod streams;
mod table;
mod theory;

use std::sync::LazyLock;

use super::claim::Register;
use super::verdict::Rule;
use super::{Part, Study};

static REGISTER: LazyLock<Register> = LazyLock::new(|| Register::read(include_str!("claims.toml")));

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: Rule::of(100, "instances"),
    quick: 10,
    parts: &[
        Part {
            claims: &[
                "DG-M-01",
                "DG-F1",
                "DG-T-SPT",
                "DG-P-1",
                "DG-P-1b",
                "DG-N-01",
                "DG-N-02",
                "DG-C-1",
                "DG-A-01",
                "DG-T-SPT2",
                "DG-A-02",
            ],
            ..part(theory::schedules)
        },
        Part { claims: &["DG-E-01", "DG-E-02", "DG-T-1"], ..part(theory::equity) },
        Part {
            table: Some("1"),
            claims: &["DG-T1-01", "DG-T1-02", "DG-T1-03", "DG-T1-04", "DG-T1-05"],
            ..part(table::table_1)
        },
        Part {
            claims: &["DG-C-2", "DG-A-03", "DG-A-04", "DG-G-04", "DG-A-05"],
            ..part(table::rates)
        },
        Part { claims: &["DG-A-04"], ..part(cover::cover) },
        Part { claims: &["DG-W-04"], ..part(table::speeds) },
        Part { claims: &["DG-W-05"], ..part(cover::local) },
        Part { claims: &["DG-G-01", "DG-G-02", "DG-G-03", "DG-G-05"], ..part(games::game) },
        Part { figures: &["2"], claims: &["DG-F2", "DG-N-03"], ..part(games::figure_2) },
        Part { claims: &["DG-G-08", "DG-G-09"], ..part(games::core) },
        Part { claims: &["DG-W-01", "DG-W-02"], ..part(streams::streams) },
        Part { figures: &["control"], claims: &["DG-C-03"], ..part(games::control) },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
