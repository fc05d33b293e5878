//! A parameter that cannot be: which field, and what is wrong with it.

/// A parameter that cannot be. The scenario finds the place in its file by the path of the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct Invalid {
    /// The path of the field, such as `arrivals.poisson.rate`.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Invalid {
    /// A complaint about one field.
    pub fn new(field: &str, message: impl Into<String>) -> Invalid {
        Invalid { field: field.to_owned(), message: message.into() }
    }

    /// The same complaint seen from the table above.
    #[must_use]
    pub fn within(self, table: &str) -> Invalid {
        Invalid { field: format!("{table}.{}", self.field), message: self.message }
    }
}
