//! Text for people: [lines that fit a width](super::wrapped), and tables between them.

use std::path::Path;

use super::wrapped::wrapped;
use crate::page::PAGE;

/// Text under construction, at most `width` characters wide where words allow it.
#[derive(Clone, Debug)]
pub(crate) struct Prose {
    text: String,
    width: Option<usize>,
}

impl Prose {
    /// An empty text; without a width no line is broken.
    pub fn new(width: Option<usize>) -> Prose {
        Prose { text: String::new(), width }
    }

    /// Adds a line, or several if it holds newlines.
    pub fn line(&mut self, line: impl AsRef<str>) {
        for line in line.as_ref().split('\n') {
            self.text += &wrapped(line, self.width);
            self.text.push('\n');
        }
    }

    /// The text, ending in a newline unless it is empty.
    pub fn done(self) -> String {
        self.text
    }
}

/// Lines that name the results folder and the page or the pictures in it.
pub(crate) fn results(folder: Option<&Path>) -> Vec<String> {
    let Some(folder) = folder else { return Vec::new() };
    let mut lines = vec![format!("results: {}", folder.display())];
    let page = folder.join(PAGE);
    if page.exists() {
        lines.push(format!("page: {}", page.display()));
        return lines;
    }
    let pictures = PICTURES.iter().map(|name| folder.join(name)).filter(|path| path.exists());
    let pictures: Vec<String> = pictures.map(|path| path.display().to_string()).collect();
    if !pictures.is_empty() {
        let word = if pictures.len() == 1 { "picture" } else { "pictures" };
        lines.push(format!("{word}: {}", pictures.join(", ")));
    }
    lines
}

/// Pictures that runs write.
const PICTURES: [&str; 3] = ["learning.svg", "timeline.svg", "warm-up.svg"];
