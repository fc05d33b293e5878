//! Duan, Prodan and Li, "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple
//! Large-scale Applications in Grids".
//!
//! Classes of identical activities on the processors of sites. The paper prints ranges, one instance of
//! each setting, and bars without numbers; so ours are means over instances, and what it tells of one is
//! compared with the spread of one. What it leaves open is told with each row: the order of MCT, among
//! what Sufferage looks for its second choice, deadlines, limits of storage.

mod claims;
mod drawn;
mod letter;
mod played;
mod table4;

use super::verdict::Rule;
use super::{Part, Study};

/// Study that reproduces the paper.
pub const STUDY: Study = Study {
    claims: claims::CLAIMS,
    rule: Rule::one_each(24, "instances"),
    quick: 4,
    parts: &[Part {
        table: Some("4"),
        figures: &["6", "7"],
        claims: &[
            "SG-T4", "SG-F6b", "SG-F6c", "SG-F7", "SG-C-02", "SG-C-03", "SG-C-04", "SG-R-02",
        ],
        play: table4::experiments,
    }],
};

/// A part that reproduces no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
