//! Header comments of a trace: `; MaxProcs: 100` and the like.

use serde::Serialize;

/// Maximum text kept of a header, in bytes; comments may appear anywhere in a trace.
const KEPT: usize = 1 << 20;

/// The directives of a trace's header, in order. A key may occur more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Header {
    entries: Vec<(String, String)>,
    #[serde(skip)]
    size: usize,
    /// True if the next comment may continue the last one.
    #[serde(skip)]
    open: bool,
}

impl Header {
    /// Creates a header without directives.
    pub fn new() -> Header {
        Header::default()
    }

    /// Returns the directives, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the value of the first directive with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries().find(|entry| entry.0.eq_ignore_ascii_case(key)).map(|entry| entry.1)
    }

    /// Adds a directive.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Header {
        self.push(key, value.to_string());
        self
    }

    /// Returns the number of processors of the traced system.
    pub fn max_procs(&self) -> Option<u32> {
        self.number("MaxProcs")
    }

    /// Returns the number of nodes of the traced system.
    pub fn max_nodes(&self) -> Option<u32> {
        self.number("MaxNodes")
    }

    /// Returns the start of the trace, in seconds since 1970.
    pub fn unix_start_time(&self) -> Option<i64> {
        self.number("UnixStartTime")
    }

    /// Returns the seconds by which local time is ahead of that of Greenwich.
    pub fn time_zone(&self) -> Option<i64> {
        self.number("TimeZone")
    }

    /// Returns the name of the traced system.
    pub fn computer(&self) -> Option<&str> {
        self.get("Computer")
    }

    /// Returns the acknowledgment due in publications that use the trace.
    pub fn acknowledge(&self) -> Option<&str> {
        self.get("Acknowledge")
    }

    /// Parses the number at the start of a value: archives write `338 (batch partition)`, and some
    /// `1,024`.
    fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        let value = self.get(key)?.trim_start();
        let digits = |byte: char| byte.is_ascii_digit() || byte == '-';
        let end = value.find(|byte| !digits(byte)).unwrap_or(value.len());
        let (number, mut rest) = value.split_at(end);
        let mut number = number.to_owned();
        while let Some(group) = thousands(rest).filter(|_| (1..=3).contains(&end)) {
            number.push_str(group);
            rest = &rest[1 + group.len()..];
        }
        number.parse().ok()
    }

    /// Parses a comment line, including its semicolon.
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

    /// Continues a value on a further, indented comment line.
    fn go_on(&mut self, content: &str) {
        self.size = self.size.saturating_add(content.len() + 1);
        self.open = self.size <= KEPT;
        if let Some((_, value)) = self.entries.last_mut().filter(|_| self.open) {
            value.push('\n');
            value.push_str(content);
        }
    }
}

/// Returns the three digits after a leading comma, unless a fourth follows.
fn thousands(text: &str) -> Option<&str> {
    let group = text.strip_prefix(',')?;
    let digits = group.bytes().take_while(u8::is_ascii_digit).count();
    (digits == 3).then(|| &group[..3])
}

/// Splits `Key: value`, where the key is one word (`http://` is not one).
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
    fn thousands_may_be_set_off_by_commas() {
        for (text, number) in [
            ("1,024", Some(1024)),
            ("1,152 (144 nodes)", Some(1152)),
            ("2,097,152", Some(2_097_152)),
            ("338, 512 in all", Some(338)),
            ("100,5", Some(100)),
            ("1024,512", Some(1024)),
            ("16,", Some(16)),
            ("many", None),
        ] {
            assert_eq!(Header::new().with("MaxProcs", text).max_procs(), number, "{text}");
        }
    }

    #[test]
    fn a_header_is_bounded() {
        let mut header = Header::new();
        let long = format!("; Note: {}", "x".repeat(10_000));
        (0..1000).for_each(|_| header.comment(long.as_bytes()));
        assert!(header.entries.len() < 110);
    }
}
