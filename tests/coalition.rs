//! The pool against a literal, slow simulator, against the exact vectors, and its promises.

#[path = "coalition/common.rs"]
mod common;
#[path = "coalition/differential.rs"]
mod differential;
#[path = "coalition/forks.rs"]
mod forks;
#[path = "coalition/reference.rs"]
mod reference;
#[path = "coalition/traces.rs"]
mod traces;
#[path = "coalition/zero.rs"]
mod zero;
