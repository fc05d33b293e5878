//! Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids": clusters of selfish
//! owners balance divisible load, and learn whether to.
//!
//! The definitions that the paper leaves open are settled as in [`crate::sim::pool`]; what is
//! printed wrongly is said where it is redone.

mod claims;
pub mod printed;
mod theory;

use super::{Part, Study};

/// How it is reproduced.
pub const STUDY: Study = Study {
    claims: claims::CLAIMS,
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
    ],
};

/// A part that redoes no table and no figure.
const fn part(play: super::Play) -> Part {
    Part { table: None, figures: &[], claims: &[], play }
}
