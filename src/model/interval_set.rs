//! Sets of processor numbers as disjoint intervals, for outputs that name processors.
