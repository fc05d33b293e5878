//! The CSV files that runs leave, and what their columns mean: for the reference, `gridpact list` and the
//! schema of the summary.

use std::borrow::Cow;

use super::figures;
use crate::grid::{self, alone, timeline, welch};
use crate::table::{HIGH, LOW, described};
use crate::{coalition, comparison, game, sweep};
use records::field::Kind;
use records::{campaign, decisions, jobs, plans};

/// A column, its meaning and its type.
pub type Described = (Cow<'static, str>, Cow<'static, str>, Kind);

/// A CSV file of one world, or of all.
#[derive(Clone, Debug)]
pub struct CsvFile {
    /// World that leaves it, or `every run`.
    pub world: &'static str,
    /// Name of the file.
    pub name: &'static str,
    /// Things that it has a line for.
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: Vec<Described>,
}

impl CsvFile {
    /// The name without `.csv`, by which the summary calls the same lines.
    pub fn stem(&self) -> &'static str {
        self.name.trim_end_matches(".csv")
    }

    /// The columns for people: the ends of an interval are told with their figure.
    pub fn grouped(&self) -> Vec<(&str, String)> {
        let mut all: Vec<(&str, String)> = Vec::new();
        for (name, meaning, _) in &self.columns {
            match (&**meaning, all.last_mut()) {
                (LOW, Some((figure, told))) => {
                    let end = name.strip_prefix(*figure).unwrap_or(name);
                    told.push_str(&format!("; `{end}` and"));
                }
                (HIGH, Some((figure, told))) => {
                    let end = name.strip_prefix(*figure).unwrap_or(name);
                    told.push_str(&format!(" `{end}`: the ends of its interval"));
                }
                (meaning, _) => all.push((name, meaning.to_owned())),
            }
        }
        all
    }
}

/// A line for each file: world, name, what it has a line for, columns.
macro_rules! csv_files {
    ($($world:literal $name:literal $about:literal: $columns:expr;)+) => {
        vec![$(CsvFile { world: $world, name: $name, about: $about, columns: $columns }),+]
    };
}

/// All CSV files. Sweeps and comparisons put leading columns before those of figures.
pub fn all() -> Vec<CsvFile> {
    let plain = |all: &[(&'static str, &'static str, Kind)]| {
        all.iter().map(|&(name, meaning, kind)| (name.into(), meaning.into(), kind)).collect()
    };
    let mut organizations = described(&grid::organizations::columns());
    organizations.extend(described(&grid::organizations::recorded()));
    organizations.extend(described(&alone::columns()));
    let mut of_coalition = described(&coalition::organizations::columns());
    of_coalition.extend(described(&coalition::organizations::of_grid()));
    of_coalition.extend(described(&coalition::organizations::alone()));
    csv_files! {
        "every run" "figures.csv" "figure of every unit": described(&figures::columns(None));
        "every run" "replications.csv" "figure in every replication": plain(&figures::REPLICATIONS);
        "grid" "organizations.csv" "organization, and one for the whole grid": organizations;
        "grid" "jobs.csv" "job": plain(&jobs::described());
        "grid" "decisions.csv" "start, and every change of the reason why a job waits": plain(&decisions::described());
        "grid" "plans.csv" "job of every candidate of a plan": plain(&plans::described());
        "grid" "timeline.csv" "bin of time, for the grid and each cluster": plain(&timeline::csv::described());
        "grid" "warm-up.csv" "group of jobs in the order of their ends": plain(&welch::described());
        "coalition" "organizations.csv" "organization, and one for all": of_coalition;
        "coalition" "learning.csv" "organization, each class and all": described(&coalition::learning::columns());
        "coalition" "alternatives.csv" "action that was taken and one that could have been": described(&coalition::verdicts::columns());
        "coalition" "timeline.csv" "round, or group of rounds": described(&coalition::timeline::columns());
        "coalition" "rounds.csv" "organization in every round": plain(&records::coalition::rounds::described());
        "coalition" "moves.csv" "move of load": plain(&records::coalition::moves::described());
        "coalition" "jobs.csv" "job that counts; a federation has the grid's": plain(&records::coalition::jobs::described());
        "campaign" "applications.csv" "application": plain(&campaign::records::applications::described());
        "campaign" "classes.csv" "class": plain(&campaign::records::classes::described());
        "campaign" "runs.csv" "run: tasks of a class, one after the other": plain(&campaign::records::runs::described());
        "campaign" "stages.csv" "stage of a game, or generation of a search, behind a plan": plain(&campaign::records::stages::described());
        "game" "players.csv" "player, and each class of several": described(&game::players::columns());
        "game" "actions.csv" "action of each of these": described(&game::actions::columns());
        "game" "profiles.csv" "profile at which replications came to rest": described(&game::profiles::columns());
        "game" "rounds.csv" "player in every round": plain(&records::game::rounds::described());
        "dynamics" "dynamics.csv" "time, population and action": described(&game::solved::columns());
        "comparison" "comparison.csv" "run but the base, unit and measure": described(&comparison::columns());
        "sweep" "points.csv" "point": described(&sweep::columns());
        "sweep" "sensitivity.csv" "measure and key": described(&sweep::sensitivity::columns());
        "sweep" "lab.csv" "figure of the game of joining": described(&game::solved::columns());
    }
}
