//! A summary on a screen: what matters most in 25 lines of 80 columns, or all of it.
//!
//! Each part of a summary has an order of its own, the most important first. A short one shows the
//! beginning of every part, as much as there is room for, and ends by saying how much it left out. The
//! legend of its table goes before a sentence does.

use std::collections::BTreeMap;

use super::wrapped::wrapped;
use crate::table::Brief;
use stats::shown::{Times, counted};

/// Most columns of a line.
const COLUMNS: usize = 80;
/// Most lines of a short summary.
const LINES: usize = 25;

/// The way in which a summary is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// Columns of the terminal, if it is known; lines have at most 80.
    pub columns: Option<usize>,
    /// True for all of it: every row and column, sentence and warning.
    pub is_whole: bool,
    /// Form of times, where a unit is a second.
    pub times: Times,
}

/// Parts of a summary, in the order in which they are shown.
#[derive(Debug)]
pub(crate) struct Screen {
    /// One line.
    pub title: String,
    /// On what was run.
    pub head: Vec<String>,
    /// The table: all of it, or the rows of a short summary.
    pub table: Brief,
    /// Legend of `±` in the sentences, if the table has none.
    pub legend: Option<String>,
    /// The findings in sentences.
    pub statements: Vec<String>,
    /// The warnings.
    pub warnings: Vec<String>,
    /// On what was read.
    pub notes: Vec<String>,
    /// Lines that are always shown.
    pub end: Vec<String>,
}

/// Parts of which a beginning may be shown.
#[derive(Clone, Copy)]
enum Part {
    Head,
    Rows,
    Statements,
    Warnings,
    Notes,
}
use Part::{Head, Notes, Rows, Statements, Warnings};

/// The parts that find room first; then all take turns.
const FIRST: [Part; 4] = [Head, Rows, Statements, Warnings];
const TURNS: [Part; 5] = [Statements, Warnings, Rows, Head, Notes];
/// Single rows that come before the turns.
const ROWS: usize = 5;

/// Number of lines or rows of each part that are shown.
type Kept = [usize; 5];

impl Screen {
    /// Renders it; times are in a form that fits their unit.
    pub fn text(&self, view: View, times: Times) -> String {
        let width = view.columns.unwrap_or(COLUMNS).min(COLUMNS);
        let lengths = [&self.head, &self.statements, &self.warnings, &self.notes].map(Vec::len);
        let [head, statements, warnings, notes] = lengths;
        let all: Kept = [head, self.table.len(), statements, warnings, notes];
        if view.is_whole {
            return self.shown(all, &self.table.whole(times, width), None, width);
        }
        // A legend goes before a sentence does.
        let (text, kept) = self.short(all, true, times, width);
        if kept[Statements as usize] == statements {
            return text;
        }
        let (bare, more) = self.short(all, false, times, width);
        if more[Statements as usize] > kept[Statements as usize] { bare } else { text }
    }

    /// As much of all parts as there is room for, with the table's legend or without it.
    fn short(&self, all: Kept, has_legend: bool, times: Times, width: usize) -> (String, Kept) {
        let mut drawn = BTreeMap::new();
        let mut shown = |kept: Kept| {
            let rows = kept[Rows as usize];
            let (table, columns) = drawn
                .entry(rows)
                .or_insert_with(|| self.table.text(rows, has_legend, times, width));
            let left = |part: Part| (all[part as usize] - kept[part as usize]) as u64;
            let (things, [one, several]) = self.table.left(rows);
            let left = [
                (things, one, several),
                (*columns as u64, "column", "columns"),
                (u64::from(!has_legend), "legend", "legends"),
                (left(Statements), "sentence", "sentences"),
                (left(Warnings), "warning", "warnings"),
                (left(Head) + left(Notes), "note", "notes"),
            ];
            let left = left.iter().filter(|(number, ..)| *number > 0);
            let left = left.map(|&(number, one, several)| counted(number, one, several));
            self.shown(kept, table, Some(left.collect()), width)
        };
        let mut kept = Kept::default();
        let mut open = all.map(|number| number > 0);
        let mut step = self.table.step();
        let rows = [Rows].repeat(if step == 1 { ROWS } else { 0 });
        for part in FIRST.into_iter().chain(rows).chain(TURNS.into_iter().cycle()) {
            if !open.contains(&true) {
                break;
            }
            let at = part as usize;
            if !open[at] {
                continue;
            }
            let is_first_row = matches!(part, Rows) && kept[at] == 0;
            let mut more = kept;
            more[at] = all[at].min(kept[at] + if matches!(part, Rows) { step } else { 1 });
            // There is one row, however much room its legend takes.
            if is_first_row && step == 1 || shown(more).lines().count() <= LINES {
                kept = more;
                open[at] = kept[at] < all[at];
            } else {
                open[at] = is_first_row;
                step = if is_first_row { 1 } else { step };
            }
        }
        (shown(kept), kept)
    }

    /// The text of these parts; a short summary says what it leaves out.
    fn shown(&self, kept: Kept, table: &str, left: Option<Vec<String>>, width: usize) -> String {
        let is_whole = left.is_none();
        let fits = |line: &str| wrapped(line, Some(width)) + "\n";
        let first = |line: &str| if is_whole { fits(line) } else { cut(&fits(line), width) };
        let part = |part: Part, lines: &[String], before: &str| -> String {
            lines[..kept[part as usize]]
                .iter()
                .map(|line| fits(&format!("{before}{line}")))
                .collect()
        };
        let head = self.head[..kept[Head as usize]].iter().map(|line| first(line)).collect();
        let statements = part(Statements, &self.statements, "");
        let has_margin = statements.contains('±') && !table.contains('±');
        let legend = self.legend.as_deref().filter(|_| has_margin).map(fits).unwrap_or_default();
        let left = left
            .filter(|left| !left.is_empty())
            .map(|left| fits(&format!("not shown: {} (`--all` shows them)", left.join(", "))));
        [
            first(&self.title),
            head,
            table.to_owned(),
            legend,
            "\n".to_owned(),
            statements,
            part(Warnings, &self.warnings, "warning: "),
            part(Notes, &self.notes, ""),
            self.end.iter().map(|line| fits(line)).collect(),
            left.unwrap_or_default(),
        ]
        .concat()
    }
}

/// The first lines of a text, with a sign that there were more.
fn cut(text: &str, width: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let [first, second, _, ..] = lines[..] else { return text.to_owned() };
    let second: String = second.chars().take(width - 1).collect();
    format!("{first}\n{second}…\n")
}
