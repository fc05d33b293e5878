//! Errors about invalid parameters: the field and the problem.

/// An invalid parameter. The scenario locates it in its file by the path of the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct Invalid {
    /// Path of the field, such as `arrivals.poisson.rate`; empty if the table as a whole is invalid.
    pub field: String,
    /// The problem and the valid values.
    pub message: String,
}

impl Invalid {
    /// Creates an error about one field.
    pub fn new(field: &str, message: impl Into<String>) -> Invalid {
        Invalid { field: field.to_owned(), message: message.into() }
    }

    /// Prefixes the field with its enclosing table.
    #[must_use]
    pub fn within(self, table: &str) -> Invalid {
        let field = match &*self.field {
            "" => table.to_owned(),
            field => format!("{table}.{field}"),
        };
        Invalid { field, message: self.message }
    }
}
