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

    /// Prefixes the field with its enclosing table or list.
    #[must_use]
    pub fn within(self, table: &str) -> Invalid {
        let between = if self.field.is_empty() || self.field.starts_with('[') { "" } else { "." };
        Invalid { field: format!("{table}{between}{}", self.field), message: self.message }
    }

    /// Prefixes the field with a key, if it is not empty, and the choice that the key is of.
    #[must_use]
    pub fn of_choice(self, variant: &str, key: &str) -> Invalid {
        let inside = if key.is_empty() { self } else { self.within(key) };
        inside.within(&snake_case(variant))
    }
}

/// Writes the name of a choice as a scenario does: `log_uniform` for `LogUniform`.
pub fn snake_case(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
