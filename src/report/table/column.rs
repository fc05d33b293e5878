//! Columns: what they are called, and the cell that a row of some type has in them.

use std::borrow::Cow;

use super::Cell;
use crate::table::margin;
use findings::estimate::Estimate;
use findings::measure::Unit;
use stats::interval::Interval;

/// Kind of a column, which decides on alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Short texts, left-aligned.
    Text,
    /// Sentences, left-aligned and wrapped if the table is too wide.
    Prose,
    /// Figures, right-aligned.
    Figure,
}

/// Readers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    All,
    People,
    Programs,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: Cow<'static, str>,
    pub(crate) label: String,
    /// Meaning, for reference pages and schemas.
    pub(crate) told: Cow<'static, str>,
    pub(crate) note: Option<String>,
    pub(crate) rank: u8,
    pub(crate) kind: Kind,
    pub(crate) is_whole: bool,
    pub(crate) is_margin: bool,
    pub(crate) is_time: bool,
    pub(crate) readers: Readers,
    pub(crate) is_left_out_if_empty: bool,
}

impl Column {
    fn new(name: Cow<'static, str>, kind: Kind) -> Column {
        let label = name.replace('_', " ");
        let readers = Readers::All;
        let (note, rank, is_left_out_if_empty) = (None, 0, false);
        let (is_whole, is_margin, is_time) = (false, false, false);
        let told = Cow::Borrowed("");
        Column {
            name,
            label,
            told,
            note,
            rank,
            kind,
            is_whole,
            is_margin,
            is_time,
            readers,
            is_left_out_if_empty,
        }
    }

    /// A column of short texts.
    ///
    /// Programs know it by its name, in `lower_case_with_underscores`; people read the name with
    /// blanks, unless [`called`](Column::called) sets another heading.
    pub fn text(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Text)
    }

    /// A column of sentences, which are wrapped on a narrow terminal.
    pub fn prose(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Prose)
    }

    /// A column of numbers, shares or flags.
    pub fn figure(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Figure)
    }

    /// A column of whole numbers.
    pub fn count(name: impl Into<Cow<'static, str>>) -> Column {
        Column { is_whole: true, ..Column::figure(name) }
    }

    /// A column of error margins, with the heading `±`.
    ///
    /// The margins are those of the nearest figure to the left. A narrow terminal shows both columns
    /// or none of them: the rank is that of the figure.
    pub fn margin(name: impl Into<Cow<'static, str>>) -> Column {
        Column { is_margin: true, ..Column::figure(name).called("±") }
    }

    /// Sets the heading for people, with the unit if there is one: `run (s)`.
    #[must_use]
    pub fn called(mut self, label: impl Into<String>) -> Column {
        self.label = label.into();
        self
    }

    /// Sets the meaning of a column of a file, with its unit if that is no unit of time or work.
    #[must_use]
    pub fn told(mut self, meaning: impl Into<Cow<'static, str>>) -> Column {
        self.told = meaning.into();
        self
    }

    /// Sets a note that people see below a table with this column.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Column {
        self.note = Some(note.into());
        self
    }

    /// Sets the rank by which columns are dropped on a narrow terminal: highest first.
    ///
    /// Columns of rank 0, the default, are never dropped.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Column {
        self.rank = rank;
        self
    }

    /// Sets the unit of its figures: people may be told times by the clock.
    #[must_use]
    pub fn unit(self, unit: Unit) -> Column {
        Column { is_time: unit == Unit::Time, ..self }
    }

    /// Leaves the column out if no row has a value in it.
    #[must_use]
    pub fn if_any(self) -> Column {
        Column { is_left_out_if_empty: true, ..self }
    }

    /// For people only.
    #[must_use]
    pub fn for_people(self) -> Column {
        Column { readers: Readers::People, ..self }
    }

    /// For programs only.
    #[must_use]
    pub fn for_programs(self) -> Column {
        Column { readers: Readers::Programs, ..self }
    }

    /// The figure with its confidence interval: programs get both ends, in columns `_low` and `_high`,
    /// people a margin with this legend, `_half_width`.
    pub fn with_interval(self, legend: Option<&str>) -> Estimated {
        let end = |end: &str| Column::figure(format!("{}{end}", self.name));
        let [low, high] =
            [end("_low").told(LOW), end("_high").told(HIGH)].map(Column::for_programs);
        let margin = Column::margin(format!("{}_half_width", self.name)).for_people();
        let (note, is_time) = (legend.map(str::to_owned), self.is_time);
        let margin = Column { note, is_time, ..margin };
        Estimated { columns: [self, low, high, margin] }
    }

    /// The column of rows of a type, with the cell that a row has in it.
    pub fn of<'a, R>(self, cell: impl Fn(&R) -> Cell + 'a) -> ColumnOf<'a, R> {
        let cells = Box::new(move |row: &R, cells: &mut Vec<Cell>| cells.push(cell(row)));
        ColumnOf { heads: vec![self], cells }
    }

    /// True if somebody reads both columns.
    pub(crate) fn shares_readers(&self, other: &Column) -> bool {
        self.readers == other.readers || [self, other].iter().any(|one| one.readers == Readers::All)
    }

    /// True for a column of margins that people read.
    pub(crate) fn is_shown_margin(&self) -> bool {
        self.is_margin && self.readers != Readers::Programs
    }

    /// Adds to the legend of margins that some are two distances.
    pub(crate) fn tell_both_ends(&mut self) {
        if let Some(legend) = self.note.as_mut().filter(|_| self.is_margin) {
            legend.push_str(margin::BOTH_ENDS);
        }
    }
}

/// Meanings of the ends of an interval.
pub(crate) const LOW: &str = "lower end of its interval";
pub(crate) const HIGH: &str = "upper end of its interval";

/// Columns of a figure, of the ends of its interval, and of its margin.
#[derive(Clone, Debug)]
pub struct Estimated {
    columns: [Column; 4],
}

impl Estimated {
    /// Calls the ends of the interval by these names.
    #[must_use]
    pub fn with_ends(self, names: [&'static str; 2]) -> Estimated {
        let ([figure, .., margin], [low, high]) = (self.columns, names.map(Column::figure));
        let [low, high] = [low.told(LOW), high.told(HIGH)].map(Column::for_programs);
        Estimated { columns: [figure, low, high, margin] }
    }

    /// Leaves the margin out if no row has one.
    #[must_use]
    pub fn margin_if_any(self) -> Estimated {
        let [figure, low, high, margin] = self.columns;
        Estimated { columns: [figure, low, high, margin.if_any()] }
    }

    /// The columns of rows of a type, with the figure that a row has in them.
    pub fn of<'a, R>(self, figure: impl Fn(&R) -> Figured + 'a) -> ColumnOf<'a, R> {
        let cells = Box::new(move |row: &R, cells: &mut Vec<Cell>| {
            let Figured(figure, interval) = figure(row);
            let [low, high, margin] = margin::cells(figure, interval);
            cells.extend([figure.into(), low, high, margin]);
        });
        ColumnOf { heads: self.columns.into(), cells }
    }
}

/// A figure with its interval, if they are known.
#[derive(Clone, Copy, Debug)]
pub struct Figured(Option<f64>, Option<Interval>);

impl From<(Option<f64>, Option<Interval>)> for Figured {
    fn from((figure, interval): (Option<f64>, Option<Interval>)) -> Figured {
        Figured(figure, interval.filter(|_| figure.is_some()))
    }
}

impl From<(Option<f64>, Option<Estimate>)> for Figured {
    fn from((figure, estimate): (Option<f64>, Option<Estimate>)) -> Figured {
        (figure, estimate.map(|one| one.interval)).into()
    }
}

impl From<(f64, Option<Estimate>)> for Figured {
    fn from((figure, estimate): (f64, Option<Estimate>)) -> Figured {
        (Some(figure), estimate).into()
    }
}

/// One column or several of rows of type `R`, with what a row has in them.
pub struct ColumnOf<'a, R> {
    pub(crate) heads: Vec<Column>,
    pub(crate) cells: Box<Cells<'a, R>>,
}

impl<'a, R: 'a> ColumnOf<'a, R> {
    /// Several columns, with all that a row has in them.
    pub fn several(heads: Vec<Column>, cells: impl Fn(&R) -> Vec<Cell> + 'a) -> ColumnOf<'a, R> {
        ColumnOf { heads, cells: Box::new(move |row, all| all.extend(cells(row))) }
    }

    /// The same columns of rows that have such rows within.
    pub fn within<S: 'a>(self, row: impl Fn(&S) -> &R + 'a) -> ColumnOf<'a, S> {
        let cells = self.cells;
        ColumnOf { heads: self.heads, cells: Box::new(move |outer, all| cells(row(outer), all)) }
    }
}

/// Adds what a row has in a column, or in several.
type Cells<'a, R> = dyn Fn(&R, &mut Vec<Cell>) + 'a;

/// Names, meanings and types of the columns that programs read.
pub fn described<R>(
    columns: &[ColumnOf<'_, R>],
) -> Vec<(Cow<'static, str>, Cow<'static, str>, records::field::Kind)> {
    use records::field::Kind as Type;
    let kind = |one: &Column| match (one.kind, one.is_whole) {
        (Kind::Figure, true) => Type::Whole,
        (Kind::Figure, false) => Type::Number,
        (Kind::Text | Kind::Prose, _) => Type::Text,
    };
    let heads = columns.iter().flat_map(|one| &one.heads);
    let heads = heads.filter(|one| one.readers != Readers::People);
    heads.map(|one| (one.name.clone(), one.told.clone(), kind(one))).collect()
}

/// The columns of a table, a line each: what it is called, and what a row has in it.
///
/// `columns![|row: &Player| Column::text("player") => row.name, Column::figure("gain") => row.gain]` is
/// a list of [`ColumnOf`] rows of type `Player`. A row may be a tuple with names for its parts.
#[macro_export]
#[doc(hidden)]
macro_rules! columns {
    (|$row:ident: $Row:ty| $($column:expr => $cell:expr),+ $(,)?) => {
        vec![$($column.of(move |$row: $Row| {
            let _ = $row;
            ($cell).into()
        })),+]
    };
    (|$parts:tt: $Row:ty| $($column:expr => $cell:expr),+ $(,)?) => {
        vec![$($column.of(move |row: $Row| $crate::cell_of!($parts = row => $cell))),+]
    };
}

/// The cell of a row that is a tuple with names for its parts.
#[macro_export]
#[doc(hidden)]
macro_rules! cell_of {
    (($($part:ident),+) = $row:ident => $cell:expr) => {{
        let ($($part),+) = $row;
        $(let _ = $part;)+
        ($cell).into()
    }};
}
