//! What the paper says of the two balancers (section 6.2), on random loads.
