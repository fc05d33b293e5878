//! Paths to values: `organization[2].cluster.space_shared.processors`.
//!
//! A path identifies a value in a message, in a policy's parameter error or in a `--set` argument.
//! Array elements count from 0.

use std::fmt;
use std::str::FromStr;

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Into a table.
    Key(String),
    /// Into an array, from 0.
    Index(usize),
}

/// The steps from the root of a tree to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    segments: Vec<Segment>,
}

impl Path {
    /// Returns the path of the root itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// Extends the path by a table key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.segments.push(Segment::Key(key.into()));
        self
    }

    /// Extends the path by an array index, from 0.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.segments.push(Segment::Index(index));
        self
    }

    /// Appends `rest`, which turns a part's own field path into one from the root.
    #[must_use]
    pub fn join(mut self, rest: &Self) -> Self {
        self.segments.extend_from_slice(&rest.segments);
        self
    }

    /// Returns true for a value inside the one at `outer`.
    pub(crate) fn is_in(&self, outer: &Path) -> bool {
        self.segments.len() > outer.segments.len() && self.segments.starts_with(&outer.segments)
    }

    /// Returns the path as the catalog writes it: `organization[].count`.
    pub(crate) fn plain(&self) -> String {
        let mut plain = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Key(key) if plain.is_empty() => plain.push_str(key),
                Segment::Key(key) => plain.extend([".", key]),
                Segment::Index(_) => plain.push_str("[]"),
            }
        }
        plain
    }

    /// Returns the path without places in lists: `organization.count`.
    pub(crate) fn without_indices(&self) -> String {
        self.plain().replace("[]", "")
    }

    /// Returns the steps, from the root.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self { segments: segments.into_iter().collect() }
    }
}

/// Returns true if TOML allows the key without quotes.
fn is_bare(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) => {
                    let dot = if at == 0 { "" } else { "." };
                    if is_bare(key) {
                        write!(f, "{dot}{key}")?;
                    } else {
                        write!(f, "{dot}{key:?}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// An error: the text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a path at byte {at}: write it like `organization[2].cluster`")]
pub struct BadPath {
    /// Position of the first invalid byte.
    pub at: usize,
}

impl FromStr for Path {
    type Err = BadPath;

    /// Parses the output of [`Path`]'s `Display`; the empty text is the root.
    fn from_str(text: &str) -> Result<Self, BadPath> {
        let mut path = Self::root();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let taken = if let Some(inside) = rest.strip_prefix('[') {
                let digits = inside.find(']').ok_or(BadPath { at })?;
                let index = inside[..digits].parse().map_err(|_| BadPath { at })?;
                path = path.index(index);
                digits + 2
            } else {
                let dot = usize::from(!path.segments.is_empty());
                let (key, taken) = rest
                    .get(dot..)
                    .filter(|_| dot == 0 || rest.starts_with('.'))
                    .and_then(leading_key)
                    .ok_or(BadPath { at })?;
                path = path.key(key);
                dot + taken
            };
            at += taken;
        }
        Ok(path)
    }
}

/// Parses a leading key; returns it with its length in bytes.
fn leading_key(text: &str) -> Option<(String, usize)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let length = text.find(['.', '[']).unwrap_or(text.len());
        let key = &text[..length];
        return is_bare(key).then(|| (key.to_owned(), length));
    };
    let mut key = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((key, at + 2)),
            '\\' => key.push(unescaped(&mut chars)?),
            c => key.push(c),
        }
    }
    None
}

/// Decodes the character after a backslash in Rust's debug form of a string.
fn unescaped(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    match chars.next()?.1 {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        'u' => {
            let (_, '{') = chars.next()? else { return None };
            let mut code = 0u32;
            loop {
                match chars.next()?.1 {
                    '}' => return char::from_u32(code),
                    digit => {
                        code = code.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
                    }
                }
            }
        }
        c @ ('"' | '\\' | '\'') => Some(c),
        _ => None,
    }
}
