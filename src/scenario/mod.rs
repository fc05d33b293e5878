//! Reading scenario files: text with places, typed values, and errors that point at the spot.
//!
//! [`tree`] parses TOML into nodes that remember where they were written, [`de`] reads a node into
//! any serde type and reports every mistake it can find at once, and [`diagnostics`] shows mistakes
//! with file, line, caret and remedy. What the keys mean is decided by the types that are read.

pub mod de;
pub mod diagnostics;
pub mod files;
pub mod path;
pub mod tree;
