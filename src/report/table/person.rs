//! Tables for people: rounded figures, notes below.

use std::fmt::Write as _;
use std::ops::Range;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cell, Column, Format, Kind, Table};
use crate::words::wrapped::wrapped;
use stats::shown::{Times, count, percent};

/// A cell as a person reads it, on one line.
fn shown(table: &Table, row: &[Cell], at: usize) -> String {
    let cell = row[at].value();
    let is_time = table.columns[at].is_time || matches!(cell, Cell::Time(_));
    let times = if is_time { table.times } else { Times::Units };
    match cell {
        Cell::Missing => "-".to_owned(),
        Cell::Text(text) => on_one_line(text),
        Cell::Count(number) => count(*number),
        Cell::Number(number) | Cell::Time(number) => times.told(*number),
        Cell::Error(error) => times.margin(*error),
        Cell::Ends(below, above) => {
            format!("-{} +{}", times.margin(*below), times.margin(*above))
        }
        Cell::Share(share) => percent(*share),
        Cell::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
    }
}

fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// A table as people read it, cell by cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// Its name, with blanks.
    pub name: String,
    /// Headings, each with its kind: `text`, `prose` or `figure`.
    pub columns: Vec<(String, String)>,
    /// Cells by row.
    pub rows: Vec<Vec<String>>,
    /// Lines below it.
    pub notes: Vec<String>,
}

impl Table {
    /// The table as people read it.
    pub fn shown(&self) -> Shown {
        let columns = self.read_by(true);
        let head = |&at: &usize| {
            let column = &self.columns[at];
            let kind = match column.kind {
                Kind::Text => "text",
                Kind::Prose => "prose",
                Kind::Figure => "figure",
            };
            (column.label.clone(), kind.to_owned())
        };
        let cells = |row: &Vec<Cell>| columns.iter().map(|&at| shown(self, row, at)).collect();
        Shown {
            name: self.name.replace('_', " "),
            columns: columns.iter().map(head).collect(),
            rows: self.rows.iter().map(cells).collect(),
            notes: notes(self, &columns),
        }
    }
}

/// Lines below a table: its own notes, then one line with those of the columns shown.
fn notes(table: &Table, shown: &[usize]) -> Vec<String> {
    let of_columns = shown.iter().filter_map(|&index| table.columns[index].note.as_deref());
    // Columns may share a note, which is given once.
    let mut seen: Vec<&str> = Vec::new();
    let of_columns = of_columns.filter(|note| {
        !seen.contains(note) && {
            seen.push(note);
            true
        }
    });
    let of_columns: Vec<&str> = of_columns.collect();
    let mut notes = table.notes.clone();
    if !of_columns.is_empty() {
        notes.push(of_columns.join("; "));
    }
    notes
}

pub(crate) fn text(table: &Table, width: Option<usize>) -> String {
    let (mut text, left) = fitted(table, width, width);
    if left > 0 {
        let note = "more columns fit a wider terminal; `--format csv` has them all";
        text = text + &wrapped(note, width) + "\n";
    }
    text
}

/// The table within a width, with its notes within another, and the number of columns left out.
pub(crate) fn fitted(
    table: &Table,
    width: Option<usize>,
    of_notes: Option<usize>,
) -> (String, usize) {
    let all = table.read_by(true);
    let mut columns = all.clone();
    let mut text = draw(table, &columns, width, Kind::Prose);
    let is_wide = |text: &str| width.is_some_and(|width| width_of(text) > width);
    let mut dropped = Vec::new();
    while is_wide(&text) {
        let Some(least) = least_important(table, &columns) else { break };
        dropped.push(columns.drain(least).collect::<Vec<usize>>());
        text = draw(table, &columns, width, Kind::Prose);
    }
    // A narrow column may fit where a wide one did not.
    for again in dropped.into_iter().rev() {
        let mut more = [&columns[..], &again].concat();
        more.sort_unstable();
        let wider = draw(table, &more, width, Kind::Prose);
        if !is_wide(&wider) {
            (columns, text) = (more, wider);
        }
    }
    if is_wide(&text) {
        text = draw(table, &columns, width, Kind::Text);
    }
    // Figures are not broken: the last ones go.
    while is_wide(&text) && columns.len() > 2 {
        columns.pop();
        text = draw(table, &columns, width, Kind::Text);
    }
    for note in notes(table, &columns) {
        let _ = write!(text, "\n{}", wrapped(&note, of_notes));
    }
    (text + "\n", all.len() - columns.len())
}

/// The places of the column of the highest rank and of its margins; `None` if none may be dropped.
fn least_important(table: &Table, columns: &[usize]) -> Option<Range<usize>> {
    let is_margin = |at: usize| columns.get(at).is_some_and(|&at| table.columns[at].is_margin);
    let rank = |at: usize| table.columns[columns[at]].rank;
    let figures = (0..columns.len()).filter(|&at| !is_margin(at));
    let least = figures.max_by_key(|&at| rank(at)).filter(|&at| rank(at) > 0)?;
    let margins = (least + 1..).take_while(|&at| is_margin(at)).count();
    Some(least..least + 1 + margins)
}

/// Width of the table, taken from its upper border: one character for each terminal column.
fn width_of(text: &str) -> usize {
    text.lines().next().unwrap_or_default().chars().count()
}

/// Draws some columns; `soft` is the kind whose cells are broken if the table is too wide.
///
/// If that is [`Kind::Text`], sentences are broken too.
fn draw(table: &Table, columns: &[usize], width: Option<usize>, soft: Kind) -> String {
    let is_soft = |column: &Column| column.kind == Kind::Prose || column.kind == soft;
    let mut drawn = comfy_table::Table::new();
    let style = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    drawn.load_style(style);
    let chosen = || columns.iter().map(|&index| &table.columns[index]);
    drawn.set_header(chosen().map(|column| set(column, &column.label)));
    for row in &table.rows {
        let cells =
            columns.iter().map(|&index| set(&table.columns[index], &shown(table, row, index)));
        drawn.add_row(cells);
    }
    if let Some(width) = width.filter(|_| chosen().any(is_soft)) {
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        drawn.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        let firm =
            chosen().map(|column| (!is_soft(column)).then_some(ColumnConstraint::ContentWidth));
        for (column, constraint) in drawn.column_iter_mut().zip(firm) {
            if let Some(constraint) = constraint {
                column.set_constraint(constraint);
            }
        }
    }
    drawn.trim_fmt()
}

fn set(column: &Column, text: &str) -> comfy_table::Cell {
    let side = match column.kind {
        Kind::Figure => CellAlignment::Right,
        Kind::Text | Kind::Prose => CellAlignment::Left,
    };
    comfy_table::Cell::new(text).set_alignment(side)
}

/// Text escaped for a Markdown table.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\|*`<[".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

pub(crate) fn one_markdown(table: &Table) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| {
        cells.fold("|".to_owned(), |line, cell| line + " " + &cell + " |") + "\n"
    };
    let all = table.read_by(true);
    let columns = || all.iter().map(|&at| &table.columns[at]);
    let mut out = line(&mut columns().map(|column| escaped(&column.label)));
    out += &line(&mut columns().map(|column| match column.kind {
        Kind::Figure => "---:".to_owned(),
        Kind::Text | Kind::Prose => "---".to_owned(),
    }));
    for row in &table.rows {
        out += &line(&mut all.iter().map(|&at| escaped(&shown(table, row, at))));
    }
    for note in notes(table, &all) {
        let _ = write!(out, "\n{}\n", escaped(&note));
    }
    out
}

/// Text as LaTeX prints it.
fn printed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str(r"\textbackslash{}"),
            '~' => out.push_str(r"\textasciitilde{}"),
            '^' => out.push_str(r"\textasciicircum{}"),
            '±' => out.push_str(r"$\pm$"),
            '<' | '>' | '|' => out.extend(['$', c, '$']),
            c => out.push(c),
        }
    }
    out
}

pub(crate) fn one_latex(table: &Table) -> String {
    let all = table.read_by(true);
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let columns = || all.iter().map(|&at| &table.columns[at]);
    let sides = columns().map(|column| if column.kind == Kind::Figure { 'r' } else { 'l' });
    let mut out = format!("\\begin{{tabular}}{{{}}}\n\\toprule\n", sides.collect::<String>());
    out += &line(columns().map(|column| printed(&column.label)).collect());
    out += "\\midrule\n";
    for row in &table.rows {
        out += &line(all.iter().map(|&at| printed(&shown(table, row, at))).collect());
    }
    out += "\\bottomrule\n\\end{tabular}\n";
    for note in notes(table, &all) {
        let _ = writeln!(out, "% {}", on_one_line(&note));
    }
    out
}

/// Several tables in Markdown, each under a heading, or in LaTeX, each under a comment with its name.
pub fn several(tables: &[Table], format: Format) -> String {
    let start = if format == Format::Latex { "% " } else { "## " };
    let end = if format == Format::Latex { "\n" } else { "\n\n" };
    let one = |table: &Table| {
        format!("{start}{}{end}{}", table.name.replace('_', " "), table.render(format, None))
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}
