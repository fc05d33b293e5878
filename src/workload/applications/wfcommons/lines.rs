//! Lines of tasks in the text of an instance, found again when an error needs them.

/// The text of an instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Lines at which tasks begin.
    tasks: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        Lines { text, tasks: text.find("\"specification\"").unwrap_or(0) }
    }

    /// Returns the line of a task's identifier; 1 if it is not found, as when it is spelled by codes
    /// of characters.
    pub(super) fn task(&self, task: &str) -> u64 {
        self.line(self.place(task).unwrap_or(0))
    }

    /// Returns the line where a task names another one.
    pub(super) fn relation(&self, task: &str, other: &str) -> u64 {
        let from = self.place(task).unwrap_or(self.tasks);
        let literal = literal(other);
        let found = self.text.get(from..).and_then(|text| text.find(&literal));
        found.map_or_else(|| self.task(task), |place| self.line(from + place))
    }

    /// Returns the line of a key at the top, such as `schemaVersion`.
    pub(super) fn key(&self, key: &str) -> u64 {
        self.line(self.text.find(&literal(key)).unwrap_or(0))
    }

    /// Returns the place of a task's identifier, behind the key `id` or `name`.
    fn place(&self, task: &str) -> Option<usize> {
        let literal = literal(task);
        let text = self.text.get(self.tasks..)?;
        let places = || text.match_indices(&literal).map(|(place, _)| self.tasks + place);
        let is_under = |place: &usize, key: &str| {
            let before = self.text[..*place].trim_ascii_end().strip_suffix(':');
            before.is_some_and(|before| before.trim_ascii_end().ends_with(key))
        };
        let under = |key: &str| places().find(|place| is_under(place, key));
        under("\"id\"").or_else(|| under("\"name\""))
    }

    fn line(&self, place: usize) -> u64 {
        1 + self.text.as_bytes()[..place].iter().filter(|&&byte| byte == b'\n').count() as u64
    }
}

/// A text as JSON has it.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
