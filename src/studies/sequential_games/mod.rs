//! Duan, Prodan and Li, "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple
//! Large-scale Applications in Grids".
//!
//! Classes of identical activities on the processors of sites. The paper prints ranges, one instance of
//! each setting, and bars without numbers; so ours are means over instances, and what it tells of one is
//! compared with the spread of one. What it leaves open is told with each row: the order of MCT, among
//! what Sufferage looks for its second choice, deadlines, limits of storage.
//!
//! Scenarios answer Figures 6b, 6c, 7 and 17, files and prices. Code answers what no run reports: stages
//! and equations (`theory`, `letter`, `course`, `convergence`, `stages`), deadlines in makespans of
//! another planner (`cost`), plans compared bit by bit (`storage`), brute force and found instances
//! (`small`, `testbed`, `gantt`), a genetic algorithm (`genetic`, `related`), and fairness of classes
//! beside Jain's index (`fairness`, `table4`).

mod convergence;
mod cost;
mod course;
mod drawn;
mod fairness;
mod gantt;
mod genetic;
mod letter;
mod played;
mod related;
mod small;
mod stages;
mod storage;
mod table4;
mod testbed;
mod theory;

use std::sync::LazyLock;

use super::claim::Register;
use super::count::Count;
use super::row::Row;
use super::verdict::{Measured, Printed, Rule, Verdict};
use super::{Part, Study};

/// The rule; the paper shows one instance of each setting.
const RULE: Rule = Rule::one_each(24, "instances");

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[
        ("chain", include_str!("chain.toml")),
        ("sites", include_str!("sites.toml")),
        ("storage", include_str!("storage.toml")),
        ("applications-prices", include_str!("../../../scenarios/applications-prices.toml")),
    ];
    Register::read("src/studies/sequential_games/claims.toml", include_str!("claims.toml"))
        .played_by(RULE, scenarios)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    register: &REGISTER,
    rule: RULE,
    quick: 4,
    parts: &[
        Part { claims: &["SG-T4", "SG-R-02"], ..part(table4::fairness_and_sizes) },
        Part {
            table: Some("2"),
            claims: &["SG-T2-01", "SG-T2-02", "SG-T2-03"],
            ..part(small::table_2)
        },
        Part { claims: &["SG-F4", "SG-F10", "SG-F14"], ..part(small::lost) },
        Part {
            claims: &["SG-E-01", "SG-E-02", "SG-E-03", "SG-E-04", "SG-A-01", "SG-C-01"],
            ..part(theory::equations_and_stages)
        },
        Part { claims: &["SG-M-01", "SG-A-02", "SG-M-04"], ..part(theory::model) },
        Part {
            table: Some("3"),
            figures: &["5", "6a", "17a"],
            claims: &["SG-T3a", "SG-F5", "SG-F6a", "SG-T3b", "SG-F17a"],
            ..part(stages::table_3)
        },
        Part {
            table: Some("6"),
            figures: &["11", "12"],
            claims: &[
                "SG-F12", "SG-T6", "SG-C-07", "SG-A-03", "SG-A-04", "SG-E-06", "SG-N-01", "SG-F11",
            ],
            ..part(cost::sweep)
        },
        Part { claims: &["SG-D-04", "SG-E-05"], ..part(cost::phases) },
        Part {
            claims: &["SG-C-08", "SG-D-06", "SG-C-09", "SG-W-02", "SG-F17d"],
            ..part(storage::games)
        },
        Part {
            table: Some("5"),
            figures: &["1", "8", "13"],
            claims: &["SG-T5", "SG-F8", "SG-F13", "SG-M-03", "SG-C-06"],
            ..part(testbed::testbed)
        },
        Part { claims: &["SG-W-01", "SG-C-05", "SG-M-02"], ..part(stages::beyond) },
        Part { claims: &["SG-C-02"], ..part(related::genetic) },
        Part { figures: &["11"], claims: &["SG-F11"], ..part(course::figure_11) },
        Part { figures: &["16"], claims: &["SG-F16"], ..part(convergence::figure_16) },
    ],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}

/// A share in percent with its exact interval.
fn share(hits: usize, of: usize) -> Measured {
    Count { hits: hits as u64, of: of as u64 }.measured()
}

/// A row on an example whose data stand in a picture of the paper: whether data that were found for the
/// purpose give all figures that are printed of it. Each figure has the printed value, the unit of its
/// last digit, and ours.
fn found_for(claim: &'static str, place: &str, figures: &[(&str, f64, f64, f64)]) -> Row {
    let is_met = |&(_, paper, unit, ours): &(&str, f64, f64, f64)| {
        Printed::calculated(paper, unit).judge(&Measured::exact(ours)) == Verdict::Agrees
    };
    let named = figures.iter().map(|(what, paper, _, ours)| {
        format!("{what} {paper} and {}", stats::shown::figure(*ours))
    });
    let what =
        "an instance found for the purpose gives all figures that are printed of the paper's own";
    Row::new(claim, place, what).holds(figures.iter().all(is_met)).note(format!(
        "the paper's stands in a picture; printed and found: {}",
        named.collect::<Vec<_>>().join("; ")
    ))
}
