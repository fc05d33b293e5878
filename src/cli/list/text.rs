//! Lists for people, wrapped at the width of the terminal.

use std::fmt::Write as _;

use scenario::catalog::{Choice, Key, Kind};

/// Maximum line width, however wide the terminal is.
const WIDEST: usize = 100;
/// Minimum room for words in a very narrow terminal.
const NARROWEST: usize = 30;

/// Kinds with their choices.
pub(super) fn kinds(kinds: &[Kind], width: Option<usize>) -> String {
    let mut out = Out::new(width);
    for (index, kind) in kinds.iter().enumerate() {
        if index > 0 {
            out.text.push('\n');
        }
        out.line(0, &format!("{}: {}", kind.plural, kind.meaning));
        out.line(0, &written_at(&kind.keys));
        for choice in &kind.choices {
            out.choice(choice);
        }
    }
    out.text
}

/// Keys that take a kind, shortened if there are many.
fn written_at(keys: &[String]) -> String {
    match keys {
        [first, _, rest @ ..] if !rest.is_empty() => {
            format!("written at {first} and {} other keys", keys.len() - 1)
        }
        _ => format!("written at {}", keys.join(" or ")),
    }
}

/// All keys.
pub(super) fn keys(keys: &[Key], width: Option<usize>) -> String {
    let mut out = Out::new(width);
    for key in keys {
        out.line(0, &format!("{} ({})", key.key, takes(key)));
        out.line(4, &key.meaning);
    }
    out.text
}

/// Values of a key: `number, at least 0; default 1`.
pub(super) fn takes(key: &Key) -> String {
    match &key.default {
        _ if key.required => format!("{}; required", key.value),
        Some(default) => format!("{}; default {default}", key.value),
        None => key.value.clone(),
    }
}

struct Out {
    text: String,
    width: usize,
}

impl Out {
    fn new(width: Option<usize>) -> Out {
        Out { text: String::new(), width: width.map_or(WIDEST, |width| width.min(WIDEST)) }
    }

    fn choice(&mut self, choice: &Choice) {
        self.text.push('\n');
        self.line(2, &choice.name);
        self.line(6, &choice.summary);
        if !["table", "empty table"].contains(&choice.value.as_str()) {
            self.line(6, &format!("takes: {}", choice.value));
        }
        for key in &choice.parameters {
            self.line(6, &format!("- {} ({}): {}", key.key, takes(key), key.meaning));
        }
        if let Some(citation) = choice.citation {
            self.line(6, &format!("source: {citation}"));
        }
    }

    /// Appends words at an indent, wrapped at the width.
    fn line(&mut self, indent: usize, words: &str) {
        let room = self.width.saturating_sub(indent).max(NARROWEST);
        let hang = if words.starts_with("- ") { 2 } else { 0 };
        let mut used = 0;
        for word in words.split_whitespace() {
            let length = word.chars().count();
            if used == 0 {
                let _ = write!(self.text, "{:indent$}{word}", "");
                used = length;
            } else if used + 1 + length <= room {
                let _ = write!(self.text, " {word}");
                used += 1 + length;
            } else {
                let _ = write!(self.text, "\n{:1$}{word}", "", indent + hang);
                used = hang + length;
            }
        }
        self.text.push('\n');
    }
}
