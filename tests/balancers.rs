//! Balancers against exact vectors, against a slow version written straight from the definition,
//! and against what the paper says of them.

#[path = "balancers/averaging.rs"]
mod averaging;
#[path = "balancers/bilb.rs"]
mod bilb;
#[path = "balancers/claims.rs"]
mod claims;
#[path = "balancers/literal.rs"]
mod literal;
#[path = "balancers/support.rs"]
mod support;
