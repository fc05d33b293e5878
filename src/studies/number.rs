//! Numbers of kept parts, as text: JSON has no word for those that are infinite or unknown.

use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de::Error};

/// Writes a number.
pub fn serialize<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(number)
}

/// Reads the same number.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// The same for a number that may be missing.
pub mod if_known {
    use super::*;

    /// Writes a number.
    pub fn serialize<S: Serializer>(number: &Option<f64>, out: S) -> Result<S::Ok, S::Error> {
        number.map(|number| number.to_string()).serialize(out)
    }

    /// Reads the same number.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
