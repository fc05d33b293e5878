//! The header comments of a trace: `; MaxProcs: 100` and the like.

use serde::Serialize;

/// The most text that is kept of a header, in bytes; comments may stand anywhere in a trace.
const KEPT: usize = 1 << 20;

/// The directives of a trace's header, in their order. A key may come more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Header {
    entries: Vec<(String, String)>,
    #[serde(skip)]
    size: usize,
    /// Whether the last comment can be continued by the next one.
    #[serde(skip)]
    open: bool,
}

impl Header {
    /// A header without directives.
    pub fn new() -> Header {
        Header::default()
    }

    /// The directives, in their order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of the first directive with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries().find(|entry| entry.0.eq_ignore_ascii_case(key)).map(|entry| entry.1)
    }

    /// Adds a directive.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Header {
        self.push(key, value.to_string());
        self
    }

    /// Processors of the traced system.
    pub fn max_procs(&self) -> Option<u32> {
        self.number("MaxProcs")
    }

    /// Nodes of the traced system.
    pub fn max_nodes(&self) -> Option<u32> {
        self.number("MaxNodes")
    }

    /// When the trace begins, in seconds since 1970.
    pub fn unix_start_time(&self) -> Option<i64> {
        self.number("UnixStartTime")
    }

    /// The traced system.
    pub fn computer(&self) -> Option<&str> {
        self.get("Computer")
    }

    /// Where the traced system stood.
    pub fn installation(&self) -> Option<&str> {
        self.get("Installation")
    }

    /// Whom a publication that uses the trace should thank.
    pub fn acknowledge(&self) -> Option<&str> {
        self.get("Acknowledge")
    }

    /// The number that a value begins with: archives write `338 (batch partition)`.
    fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        let value = self.get(key)?.trim_start();
        let digits = |byte: char| byte.is_ascii_digit() || byte == '-';
        let end = value.find(|byte| !digits(byte)).unwrap_or(value.len());
        value[..end].parse().ok()
    }

    /// Takes in a comment line, with its semicolon.
    pub(super) fn comment(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let text = line.trim_start().trim_start_matches(';');
        let content = text.trim();
        if let Some((key, value)) = directive(content) {
            self.push(key, value.to_owned());
        } else if self.open && text.len() - text.trim_start().len() > 1 && !content.is_empty() {
            self.go_on(content);
        } else {
            self.open = false;
        }
    }

    fn push(&mut self, key: &str, value: String) {
        self.size = self.size.saturating_add(key.len() + value.len() + 1);
        self.open = self.size <= KEPT;
        if self.open {
            self.entries.push((key.to_owned(), value));
        }
    }

    /// A value may go on in further comment lines, indented.
    fn go_on(&mut self, content: &str) {
        self.size = self.size.saturating_add(content.len() + 1);
        self.open = self.size <= KEPT;
        if let Some((_, value)) = self.entries.last_mut().filter(|_| self.open) {
            value.push('\n');
            value.push_str(content);
        }
    }
}

/// `Key: value`, where the key is one word (`http://` is none).
fn directive(content: &str) -> Option<(&str, &str)> {
    let (key, value) = content.split_once(':')?;
    let word = key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.chars().all(|each| each.is_ascii_alphanumeric() || each == '_');
    (word && !value.starts_with('/')).then_some((key, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(lines: &[&str]) -> Header {
        let mut header = Header::new();
        lines.iter().for_each(|line| header.comment(line.as_bytes()));
        header
    }

    #[test]
    fn directives_are_read_with_their_continuations() {
        let header = header(&[
            "; Version: 2.2",
            ";Computer: IBM SP2",
            "; Information: http://www.tc.example/",
            ";              http://www.example.org/a:b",
            ";",
            ";              belongs to nothing",
            "; MaxNodes: 338 (batch partition; 512 total)",
            "; MaxProcs:338",
            "; UnixStartTime: 835823160",
            ";; Acknowledge: Dan Dwyer \u{fffd}",
            "; plain words",
        ]);
        let entries: Vec<_> = header.entries().collect();
        assert_eq!(
            entries,
            [
                ("Version", "2.2"),
                ("Computer", "IBM SP2"),
                ("Information", "http://www.tc.example/\nhttp://www.example.org/a:b"),
                ("MaxNodes", "338 (batch partition; 512 total)"),
                ("MaxProcs", "338"),
                ("UnixStartTime", "835823160"),
                ("Acknowledge", "Dan Dwyer \u{fffd}"),
            ]
        );
        assert_eq!(header.max_nodes(), Some(338));
        assert_eq!(header.max_procs(), Some(338));
        assert_eq!(header.unix_start_time(), Some(835_823_160));
        assert_eq!(header.get("version"), Some("2.2"));
    }

    #[test]
    fn a_header_is_bounded() {
        let mut header = Header::new();
        let long = format!("; Note: {}", "x".repeat(10_000));
        (0..1000).for_each(|_| header.comment(long.as_bytes()));
        assert!(header.entries.len() < 110);
    }
}
