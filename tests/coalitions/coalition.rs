//! The pool against a literal, slow simulator, against the exact vectors, and its promises.

mod common;
mod differential;
mod exclusion;
mod forks;
mod reference;
mod traces;
mod zero;
