//! The import ledger: an account of every job that an import rule dropped or changed.
//!
//! `read` equals `kept` plus the counts of the rows that dropped jobs, so no job is lost silently.

use kernel::time::Span;
use schemars::JsonSchema;
use serde::Serialize;
use stats::shown::count;

/// The effect of a rule on a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The job is dropped.
    Dropped,
    /// The job is kept with changed values.
    Changed,
    /// The job is kept unchanged; the row is informative.
    Noted,
}

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    /// The option that decides, as spelled in a scenario.
    pub rule: &'static str,
    /// Its effect on a job.
    pub kind: Kind,
    /// Description of the effect.
    pub effect: String,
    /// Number of jobs affected.
    pub count: u64,
    /// Line of the first of them, from 1.
    pub first_line: u64,
    /// The work that is lost with them; `None` if there is none, or other lines have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
}

/// The work of dropped jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Lost {
    /// Processor-seconds, as far as they are known.
    pub work: f64,
    /// Share of all work that was read.
    pub share: f64,
    /// Number of jobs whose work is unknown.
    pub unknown: u64,
    /// The work in processor-ticks.
    #[serde(skip)]
    area: i128,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Lost { work, share, unknown, .. } = *self;
        if work == 0.0 {
            return out.write_str("work unknown");
        }
        let least = if unknown > 0 { "at least " } else { "" };
        let work = count(work.round() as u64);
        write!(out, "{least}{work} processor-seconds, ")?;
        let of = if unknown > 0 { "known work" } else { "work" };
        match share {
            0.0..0.0005 => write!(out, "less than 0.1% of the {of}"),
            _ => write!(out, "{:.1}% of the {of}", 100.0 * share),
        }
    }
}

/// Effects of all rules on a trace. `read` equals `kept` plus the counts of the rows that dropped.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ledger {
    /// Lines that are neither blank nor comments.
    pub read: u64,
    /// Jobs of the canonical workload.
    pub kept: u64,
    /// All rules, in order of application.
    #[serde(serialize_with = "only_used")]
    rows: Vec<Row>,
    /// Work of all lines that tell it, in processor-ticks.
    #[serde(skip)]
    area: i128,
    /// The unit that is read and counted: `line` or `job`.
    #[serde(skip)]
    pub(super) item: &'static str,
}

fn only_used<S: serde::Serializer>(rows: &[Row], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(rows.iter().filter(|row| row.count > 0))
}

/// Defines the rules of an import in order of application, each with its name, kind and effect under
/// the options given.
macro_rules! rules {
    ($options:ident: $Options:ty; $($Rule:ident => $told:expr,)*) => {
        /// The rules, in order of application.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Rule {
            $($Rule,)*
        }

        impl From<Rule> for usize {
            fn from(rule: Rule) -> usize {
                rule as usize
            }
        }

        /// Creates an empty ledger of the rules under these options.
        pub(super) fn ledger($options: &$Options) -> $crate::ledger::Ledger {
            use $crate::ledger::Kind::{Changed, Dropped, Noted};
            $crate::ledger::Ledger::new([$($told,)*])
        }
    };
}

pub(crate) use rules;

impl Ledger {
    /// Creates an empty ledger of these rules, in order of application.
    pub(super) fn new<const N: usize>(rules: [(&'static str, Kind, &str); N]) -> Ledger {
        let row = |(rule, kind, effect): (_, _, &str)| Row {
            rule,
            kind,
            effect: effect.to_owned(),
            count: 0,
            first_line: 0,
            lost: None,
        };
        Ledger { read: 0, kept: 0, rows: rules.map(row).into(), area: 0, item: "line" }
    }

    /// Returns the number of lines read, in words, for a log in which not every line is a job.
    pub(super) fn lines(&self) -> String {
        format!("{} {}{}", self.read, self.item, if self.read == 1 { "" } else { "s" })
    }

    /// Returns the rules that had an effect, in order of application.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.count > 0)
    }

    /// Returns the number of dropped jobs among `read`.
    pub fn dropped(&self) -> u64 {
        self.rows().filter(|row| row.kind == Kind::Dropped).map(|row| row.count).sum()
    }

    /// Returns the number of jobs that a rule, given by its index, applied to.
    pub(super) fn count(&self, rule: impl Into<usize>) -> u64 {
        self.rows[rule.into()].count
    }

    /// Records a job that a rule applied to.
    #[inline]
    pub(super) fn note(&mut self, rule: impl Into<usize>, line: u64) {
        let row = &mut self.rows[rule.into()];
        if row.count == 0 {
            row.first_line = line;
        }
        row.count += 1;
    }

    /// Adds the work of a line that was read, in processor-ticks.
    #[inline]
    pub(super) fn add(&mut self, area: Option<i128>) {
        self.area += area.unwrap_or(0);
    }

    /// Records a job that a rule dropped, with its work in processor-ticks as far as it is known.
    #[inline(never)]
    pub(super) fn drop(&mut self, rule: impl Into<usize>, line: u64, area: Option<i128>) {
        let rule = rule.into();
        self.note(rule, line);
        if area != Some(0) {
            let lost = self.rows[rule].lost.get_or_insert_default();
            lost.unknown += u64::from(area.is_none());
            lost.area += area.unwrap_or(0);
        }
    }

    /// Weighs what was dropped, once all is read.
    pub(super) fn weigh(&mut self) {
        for lost in self.rows.iter_mut().filter_map(|row| row.lost.as_mut()) {
            lost.work = lost.area as f64 / Span::units(1).ticks() as f64;
            lost.share = lost.area as f64 / (self.area as f64).max(1.0);
        }
    }

    /// Says what a rule did to the jobs that it applied to, once all is read.
    pub(super) fn tell(&mut self, rule: impl Into<usize>, kind: Kind, effect: String) {
        let row = &mut self.rows[rule.into()];
        (row.kind, row.effect) = (kind, effect);
    }

    /// Records that a rule applied to all kept jobs.
    pub(super) fn note_all(&mut self, rule: impl Into<usize>, effect: String, first_line: u64) {
        let count = self.kept;
        let row = &mut self.rows[rule.into()];
        (row.effect, row.count, row.first_line) = (effect, count, first_line);
    }
}

impl std::fmt::Display for Ledger {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let jobs = if self.kept == 1 { "job" } else { "jobs" };
        writeln!(out, "{} read, {} {jobs} kept", self.lines(), self.kept)?;
        for Row { rule, effect, count, first_line, lost, .. } in self.rows() {
            let lost = lost.map_or(String::new(), |lost| format!("; {lost}"));
            let first = if self.item == "line" { "in line" } else { "is job" };
            writeln!(out, "  {rule}: {count} {effect} (first {first} {first_line}{lost})")?;
        }
        Ok(())
    }
}
