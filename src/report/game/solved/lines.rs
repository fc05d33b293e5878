//! One shape for what every solver and all dynamics find: a line a figure.
//!
//! Programs get the lines as they are. People get a table for each solver, in which the figures of one
//! profile, player and action stand side by side.

use crate::table::{Cell, Column, ColumnOf, Table, columns};

/// A figure that a solver found.
#[derive(Clone, Debug)]
pub struct Line {
    solver: &'static str,
    profile: Cell,
    player: Option<String>,
    action: Option<String>,
    quantity: &'static str,
    value: Cell,
    ends: Option<(f64, f64)>,
}

impl Line {
    /// True if the player and the action of another line are among those that this one is about.
    fn holds_of(&self, other: &Line) -> bool {
        (self.player.is_none() || self.player == other.player)
            && (self.action.is_none() || self.action == other.action)
    }

    fn is_about_the_same(&self, other: &Line) -> bool {
        self.holds_of(other) && other.holds_of(self)
    }
}

/// The columns of the lines.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, &'a Line>> {
    columns![|line: &&'a Line|
        Column::text("solver").told("solver or dynamics that found the figure") => line.solver,
        Column::text("profile").told("profile, number of an equilibrium, schedule or division that it is about; of `dynamics.csv` the time")
            => line.profile.clone(),
        Column::text("player").told("a player, a class of several alike, a coalition (`a + b`) or a population; empty: all together")
            => line.player.clone(),
        Column::text("action").told("an action of it; empty: all that it does") => line.action.clone(),
        Column::text("quantity").told("name of the figure") => line.quantity,
        Column::figure("value").told("the figure; 1 for yes and 0 for no; empty where there is none") => match line.value {
            Cell::Flag(flag) => Cell::Count(flag.into()),
            ref value => value.clone(),
        },
        Column::figure("low").told("lower end of its interval, or the least of those that it is a mean or sum of; of `dynamics.csv` what 10% of the replications do not exceed, to 1/256")
            => line.ends.map(|ends| ends.0),
        Column::figure("high").told("upper end, or the most of those; of `dynamics.csv` what 90% of the replications do not exceed")
            => line.ends.map(|ends| ends.1),
    ]
}

/// The lines of all solvers, and what is missing.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    lines: Vec<Line>,
    /// The solvers that found something or nothing, with a note on their figures for people.
    solvers: Vec<(&'static str, String)>,
    /// Solvers that did not run or whose lines are cut short, with the reason.
    pub skipped: Vec<(&'static str, String)>,
}

impl Solved {
    /// Begins the lines of a solver.
    pub(crate) fn solver(&mut self, solver: &'static str, note: impl Into<String>) -> Put<'_> {
        self.solvers.push((solver, note.into()));
        let (profile, player, action) = (Cell::Missing, None, None);
        let at = Line {
            solver,
            profile,
            player,
            action,
            quantity: "",
            value: Cell::Missing,
            ends: None,
        };
        Put { lines: &mut self.lines, at }
    }

    pub(super) fn skip(&mut self, solver: &'static str, reason: impl Into<String>) {
        self.skipped.push((solver, reason.into()));
    }

    /// All lines, for programs.
    pub fn table(&self) -> Table {
        Table::by_columns("solution", &self.lines, columns())
    }

    /// All lines and the table of what is missing, for programs.
    pub fn tables(&self) -> Vec<Table> {
        vec![self.table(), self.missing()]
    }

    /// A table for each solver, for people or for programs, and that of what is missing.
    pub fn by_solver(&self, for_people: bool) -> Vec<Table> {
        let of = |solver: &'static str| self.lines.iter().filter(move |line| line.solver == solver);
        let tables = self.solvers.iter().map(|(solver, note)| match (for_people, &**note) {
            (false, _) => Table::by_columns(solver, of(solver), columns()),
            (true, "") => side_by_side(solver, &self.lines),
            (true, note) => side_by_side(solver, &self.lines).with_note(note),
        });
        tables.chain([self.missing()]).collect()
    }

    fn missing(&self) -> Table {
        let columns = columns![|(solver, reason): &&(&str, String)|
            Column::text("solver") => *solver,
            Column::prose("reason") => &**reason,
        ];
        Table::by_columns("skipped", &self.skipped, columns)
    }
}

/// A line for each profile, player and action of a solver, a column for each quantity. A figure of a whole
/// profile or player stands beside those of each of its parts. Actions that equilibria do not take are
/// left out.
fn side_by_side(solver: &'static str, lines: &[Line]) -> Table {
    let is_taken = |line: &&Line| {
        solver != "mixed_equilibria"
            || line.quantity != "probability"
            || line.value != Cell::Number(0.0)
    };
    let lines: Vec<&Line> =
        lines.iter().filter(|line| line.solver == solver).filter(is_taken).collect();
    let mut quantities: Vec<(&'static str, bool)> = Vec::new();
    for line in &lines {
        match quantities.iter_mut().find(|(name, _)| *name == line.quantity) {
            Some((_, has_ends)) => *has_ends |= line.ends.is_some(),
            None => quantities.push((line.quantity, line.ends.is_some())),
        }
    }
    let rows = lines.chunk_by(|one, other| one.profile == other.profile).flat_map(|all| {
        let is_shown = move |&(at, line): &(usize, &&Line)| {
            !all[..at].iter().any(|other| other.is_about_the_same(line))
                && all.iter().all(|other| !line.holds_of(other) || other.holds_of(line))
        };
        all.iter().enumerate().filter(is_shown).map(move |(_, line)| (*line, all))
    });
    let mut columns = columns![|(line, all): &(&Line, &[&Line])|
        Column::text("profile").if_any() => line.profile.clone(),
        Column::text("player").if_any() => line.player.clone(),
        Column::text("action").if_any() => line.action.clone(),
    ];
    for (quantity, has_ends) in quantities {
        let found = move |row: &(&Line, &[&Line])| {
            let all = row.1.iter().filter(|one| one.quantity == quantity && one.holds_of(row.0));
            let nearest = all.max_by_key(|one| (one.player.is_some(), one.action.is_some()));
            nearest.map(|one| (one.value.clone(), one.ends))
        };
        columns.push(Column::figure(quantity).of(move |row| found(row).map(|one| one.0).into()));
        if has_ends {
            let end = move |row: &(&Line, &[&Line])| found(row).and_then(|one| one.1);
            let head = |end: &str| Column::figure(format!("{quantity}_{end}")).called(end);
            columns.push(head("low").of(move |row| end(row).map(|ends| ends.0).into()));
            columns.push(head("high").of(move |row| end(row).map(|ends| ends.1).into()));
        }
    }
    Table::by_columns(solver, rows, columns)
}

/// Puts lines of a solver.
pub(crate) struct Put<'a> {
    lines: &'a mut Vec<Line>,
    /// The next line, without its figure.
    at: Line,
}

impl Put<'_> {
    /// The next lines are about this profile.
    pub(crate) fn profile(&mut self, profile: impl Into<Cell>) -> &mut Self {
        (self.at.profile, self.at.player, self.at.action) = (profile.into(), None, None);
        self
    }

    /// The next lines are about this player, and this profile.
    pub(crate) fn player(&mut self, player: impl Into<String>) -> &mut Self {
        (self.at.player, self.at.action) = (Some(player.into()), None);
        self
    }

    /// The next lines are about this action of this player.
    pub(crate) fn action(&mut self, action: impl Into<String>) -> &mut Self {
        self.at.action = Some(action.into());
        self
    }

    /// Adds a line.
    pub(crate) fn put(&mut self, quantity: &'static str, value: impl Into<Cell>) -> &mut Self {
        self.range(quantity, value, None)
    }

    /// Adds a line with the ends of an interval or of a range.
    pub(crate) fn range(
        &mut self,
        quantity: &'static str,
        value: impl Into<Cell>,
        ends: Option<(f64, f64)>,
    ) -> &mut Self {
        self.lines.push(Line { quantity, value: value.into(), ends, ..self.at.clone() });
        self
    }
}
