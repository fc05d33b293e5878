//! Where the choices that a scenario offers come from.

use serde::Serialize;

/// What a list of registered parts says of one of them besides its documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in a scenario.
    pub name: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
}

impl Entry {
    /// An entry.
    pub const fn new(name: &'static str, citation: &'static str) -> Entry {
        Entry { name, citation }
    }
}
