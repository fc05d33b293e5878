//! Files of other kinds that are given in place of a scenario: traces, lists of jobs, results.
//!
//! They are not TOML, so the parser would complain about a sign in their first line. [`instead`]
//! looks at that line and says what the file is and what to type.

use super::diagnostics::{Diagnostic, show};
use super::files::{FileId, Files};
use super::root::Root;
use workload::foreign::Foreign;

/// Fields of a job in the Standard Workload Format.
const SWF_FIELDS: usize = 18;

/// A file that is no scenario, by its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A trace in the Standard Workload Format.
    Trace,
    /// The log of Slurm's `sacct`.
    Log,
    /// A CSV file of jobs, which a scenario can name.
    Jobs,
    /// `jobs.csv` of a run's results.
    Ran,
    /// Any other CSV file.
    Csv,
    /// A JSON file.
    Json,
}

fn kind(text: &str) -> Option<Kind> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next()?.trim_start_matches('\u{feff}');
    if first.starts_with(';') {
        return Some(Kind::Trace);
    }
    let numbers = first.split_whitespace().filter(|word| word.parse::<f64>().is_ok());
    if numbers.count() == SWF_FIELDS && first.split_whitespace().count() == SWF_FIELDS {
        return Some(Kind::Trace);
    }
    if first.starts_with('{') {
        return Some(Kind::Json);
    }
    if first.contains('|') && first.split('|').any(|column| column == "JobID") {
        return Some(Kind::Log);
    }
    // TOML has no line of nothing but words and commas.
    let is_word = |column: &str| {
        let is_sign = |c: char| c.is_alphanumeric() || "_- ".contains(c);
        !column.trim().is_empty() && column.chars().all(is_sign)
    };
    let columns: Vec<&str> =
        first.split(',').map(|column| column.trim().trim_matches('"')).collect();
    if columns.len() < 2 || !columns.iter().all(|column| is_word(column)) {
        return None;
    }
    let has = |name: &str| columns.iter().any(|column| column.trim() == name);
    if has("submit") && has("runtime") {
        return Some(Kind::Jobs);
    }
    let is_ran = has("submission_time") && (has("starting_time") || has("final_state"));
    Some(if is_ran { Kind::Ran } else { Kind::Csv })
}

/// Says what a text that cannot be read as a scenario is instead. `None` if it looks like a scenario
/// with a mistake.
pub(super) fn instead(files: &Files, id: FileId, root: Root) -> Option<Diagnostic> {
    let name = show(files.name(id)?);
    let (what, wanted) = match root.is_game() {
        false => ("scenario", "`gridpact run` takes the scenario, a TOML file"),
        true => ("game", "`gridpact game` takes the game, a TOML file"),
    };
    if let Some(is) = Foreign::of(files.text(id)?) {
        let wrong = Diagnostic::error(format!("`{name}` is not a {what}: it is {}", is.name()));
        return Some(wrong.help(is.help()));
    }
    let kind = kind(files.text(id)?)?;
    let (looks, help) = match kind {
        Kind::Trace => (
            "a trace",
            "`gridpact new trace FILE` writes a scenario that has it: `gridpact new trace FILE > \
             my.toml`, then `gridpact run my.toml`",
        ),
        Kind::Log => (
            "a log of Slurm's sacct",
            "`gridpact workload import --from sacct FILE` writes a list of its jobs and a scenario",
        ),
        Kind::Jobs => (
            "a list of jobs",
            "name it in a scenario, as the jobs of an organization: `workload.jobs.file = \
             \"jobs.csv\"`; `gridpact new queue > my.toml` writes a scenario to put it into",
        ),
        Kind::Ran => (
            "the jobs of a run",
            "`gridpact explain FOLDER` and `gridpact audit FOLDER` read the folder of its results",
        ),
        Kind::Csv => ("a CSV file", "results are files to read, not to run"),
        Kind::Json => ("a JSON file", "results are files to read, not to run"),
    };
    let wrong = Diagnostic::error(format!("`{name}` is not a {what}: it looks like {looks}"));
    let wrong = wrong.help(help);
    Some(if matches!(kind, Kind::Ran | Kind::Csv | Kind::Json) {
        wrong.help(wanted)
    } else {
        wrong
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_first_line() {
        let job = "1 0 5 10 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n";
        for (text, expected) in [
            ("; Version: 2\n1 0 5\n", Some(Kind::Trace)),
            (job, Some(Kind::Trace)),
            ("submit,runtime,processors\n0,1,1\n", Some(Kind::Jobs)),
            ("\n\"id\", \"submit\", \"runtime\"\n", Some(Kind::Jobs)),
            ("job_id,submission_time,starting_time\n", Some(Kind::Ran)),
            ("organization,jobs\n", Some(Kind::Csv)),
            ("{\n  \"name\": \"x\"\n", Some(Kind::Json)),
            ("JobID|User|Submit\n", Some(Kind::Log)),
            ("# one, two\nname = \"x\"\n", None),
            ("name = \"x, y\"\n", None),
            ("[run]\nseed = 1\n", None),
            ("name, seed = 1\n", None),
            ("", None),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
