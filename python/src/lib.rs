//! The Python package `gridpact`, as far as it is in Rust.
//!
//! It runs commands in the process of Python (`call`), asks policies in Python (`policy`), and reads result
//! files as typed columns (`table`) that other libraries take over by Arrow's C data interface (`arrow`).
//! Everything else is in the folder `gridpact` beside it.

mod arrow;
mod call;
mod column;
mod module;
mod policy;
mod table;
