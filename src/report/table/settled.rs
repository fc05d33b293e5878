//! Columns of convergence, which several tables have.

use super::{Column, ColumnOf, columns};
use findings::rounds::settled::Settled;

/// The columns.
pub(crate) fn settled<'a>() -> Vec<ColumnOf<'a, Settled>> {
    columns![|one: &Settled|
        Column::figure("settled") => one.share_settled(),
        Column::figure("rounds_to_settle") => one.rounds(),
        Column::figure("drifting") => one.share_drifting(),
        Column::figure("cycles") => one.share_in_cycles(),
        Column::figure("period") => one.period(),
    ]
}
