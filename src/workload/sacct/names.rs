//! Names and their numbers.

use kernel::map::Map;

/// Names in order of first appearance.
#[derive(Default)]
pub(super) struct Names {
    numbers: Map<String, u32>,
    pub names: Vec<String>,
}

impl Names {
    /// The number of a name.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}
