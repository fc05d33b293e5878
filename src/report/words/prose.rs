//! Text for people: [lines that fit a width](super::wrapped), and tables between them.

use std::path::Path;

use super::wrapped::wrapped;
use crate::page::PAGE;
use crate::table::{Format, Table};

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

    /// Adds a table, then `legend` if the table has no `±` but a later sentence of `rest` does.
    pub fn table(&mut self, table: &Table, legend: Option<&str>, rest: &[String]) {
        let text = table.render(Format::Text, self.width);
        self.text += &text;
        let is_later = rest.iter().any(|sentence| sentence.contains('±'));
        if let Some(legend) = legend.filter(|_| is_later && !text.contains('±')) {
            self.line(legend);
        }
        self.text.push('\n');
    }

    /// Names the results folder and the pictures in it.
    pub fn results(&mut self, folder: Option<&Path>) {
        let Some(folder) = folder else { return };
        self.line(format!("results: {}", folder.display()));
        let page = folder.join(PAGE);
        if page.exists() {
            self.line(format!("page: {}", page.display()));
            return;
        }
        let pictures = PICTURES.iter().map(|name| folder.join(name)).filter(|path| path.exists());
        let pictures: Vec<String> = pictures.map(|path| path.display().to_string()).collect();
        if !pictures.is_empty() {
            let word = if pictures.len() == 1 { "picture" } else { "pictures" };
            self.line(format!("{word}: {}", pictures.join(", ")));
        }
    }

    /// The text, ending in a newline unless it is empty.
    pub fn done(self) -> String {
        self.text
    }
}

/// Pictures that runs write.
const PICTURES: [&str; 3] = ["learning.svg", "timeline.svg", "warm-up.svg"];
