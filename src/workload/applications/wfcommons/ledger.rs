//! The import ledger of a workflow: how tasks were grouped, and what was changed or dropped.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

pub use crate::ledger::{Kind, Row};
use kernel::time::Span;
use stats::shown::counted;

/// The account of an import.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Ledger {
    /// Tasks read; all are in a class.
    pub tasks: u64,
    /// Pairs of tasks of which one waited for the other.
    pub relations: u64,
    /// Pairs of classes of which one waits for the other.
    pub class_relations: u64,
    /// Pairs of tasks of which one waits for the other now that classes do.
    pub implied_relations: u64,
    /// The classes.
    pub groups: Vec<Group>,
    /// Rules that had an effect, in order of application.
    pub rows: Vec<Row>,
}

/// The runtimes within a class. Times are in ticks when serialized.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Group {
    /// Name of the class.
    pub class: String,
    /// Its level, from 1.
    pub level: u32,
    /// Its tasks.
    pub tasks: u64,
    /// Tasks of known runtime.
    pub known: u64,
    /// Shortest runtime.
    pub shortest: Span,
    /// Mean runtime, which all tasks of the class now have.
    pub mean: Span,
    /// Longest runtime.
    pub longest: Span,
    /// Coefficient of variation of the runtimes: standard deviation / mean; 0 if all are 0.
    pub variation: f64,
}

impl Ledger {
    /// Records that a rule applied to so many tasks, classes or relations, the first in a line.
    pub(super) fn note(&mut self, rule: &'static str, kind: Kind, effect: &str, at: (u64, u64)) {
        let (count, first_line) = at;
        if count > 0 {
            self.rows.push(Row {
                rule,
                kind,
                effect: effect.to_owned(),
                count,
                first_line,
                lost: None,
            });
        }
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ledger { tasks, relations, class_relations, implied_relations, groups, rows } = self;
        let groups_are = counted(groups.len() as u64, "class", "classes");
        writeln!(out, "{} in {groups_are}", counted(*tasks, "task", "tasks"))?;
        writeln!(
            out,
            "precedences: {relations} of tasks became {class_relations} of classes, which stand for \
             {implied_relations} of tasks"
        )?;
        for Group { class, level, tasks, shortest, mean, longest, variation, .. } in groups {
            writeln!(
                out,
                "  {class} (level {level}): {} of {mean} s, recorded {shortest} to {longest} s, \
                 variation {variation:.3}",
                counted(*tasks, "task", "tasks"),
            )?;
        }
        for Row { rule, effect, count, first_line, .. } in rows {
            writeln!(out, "  {rule}: {effect}: {count} (first in line {first_line})")?;
        }
        Ok(())
    }
}
