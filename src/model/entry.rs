//! Sources of the choices that a scenario offers.

use serde::Serialize;

/// The name and source of a registered part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in a scenario.
    pub name: &'static str,
    /// Source.
    pub citation: &'static str,
}

impl Entry {
    /// Creates an entry.
    pub const fn new(name: &'static str, citation: &'static str) -> Entry {
        Entry { name, citation }
    }
}
