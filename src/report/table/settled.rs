//! Columns of convergence, which several tables have.

use super::{Column, ColumnOf, columns};
use findings::rounds::settled::Settled;

/// The columns.
pub(crate) fn settled<'a>() -> Vec<ColumnOf<'a, Settled>> {
    columns![|one: &Settled|
        Column::figure("settled").told("share of members and replications that settled; empty where nothing moves and of fewer than 200 rounds") => one.share_settled(),
        Column::figure("rounds_to_settle").told("median of the rounds that took") => one.rounds(),
        Column::figure("drifting").told("share that still moves on, or still searches") => one.share_drifting(),
        Column::figure("cycles").told("share that goes in cycles") => one.share_in_cycles(),
        Column::figure("period").told("their median period in rounds") => one.period(),
    ]
}
