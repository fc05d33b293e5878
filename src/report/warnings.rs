//! What a reader of the figures must know before he believes them: samples that are too small,
//! batches that depend on each other, loads above one, warm-ups without an end.

use super::figure::{counted, figure, percent};
use super::precision::{Method, Precision};
use super::results::Results;
use crate::scenario::plan::Plan;
use crate::sim::accounts::Account;
use crate::stats::mser::{self, Doubt};

/// With fewer sections an interval is itself uncertain: the standard deviation of its width is
/// 1 / sqrt(2 (sections - 1)) of it, 24% with ten.
pub const FEWEST_SECTIONS: u64 = 10;
/// A mean whose interval is wider than this, to each side, is hardly known.
pub const WIDEST: f64 = 0.1;
/// Fewer jobs than this are an instance and no sample, unless they were drawn.
pub const FEWEST_JOBS: u64 = 64;
/// The probability with which independent batches are said to depend on each other.
const CHANCE: f64 = 0.01;
/// Organizations that a warning names.
const NAMED: usize = 5;

/// The warnings, in sentences.
pub fn of(plan: &Plan, results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    let grid = results.accounts.grid();
    let is_drawn = plan.workloads.iter().any(|one| one.kind.drawn().is_some());
    if is_drawn || grid.jobs.finished >= FEWEST_JOBS {
        samples(plan, results, &grid, &mut warnings);
    }
    loads(plan, results, &mut warnings);
    warm_ups(results, &mut warnings);
    warnings
}

/// Warm-ups whose end was not found.
fn warm_ups(results: &Results, warnings: &mut Vec<String>) {
    let windows = || results.replications.iter().map(|replication| replication.window);
    let all = counted(results.replications.len() as u64, "replication", "replications");
    let late = windows().filter(|window| window.doubt == Some(Doubt::Late)).count();
    if late > 0 {
        warnings.push(format!(
            "no steady state was found in {late} of {all}, and half of the run was cut; run longer"
        ));
    }
    let short = windows().filter(|window| window.doubt == Some(Doubt::Short)).count();
    if short > 0 {
        warnings.push(format!(
            "no warm-up was cut in {short} of {all}: fewer than {} jobs ended, too few for MSER-5 \
             to tell; run longer",
            mser::FEWEST
        ));
    }
}

fn samples(plan: &Plan, results: &Results, grid: &Account, warnings: &mut Vec<String>) {
    let accounts = results.accounts.organizations();
    let all: Vec<(String, &Account, Precision)> = (accounts.iter().enumerate())
        .map(|(index, account)| {
            let name = format!("`{}`", plan.organizations[index].name);
            (name, account, results.precision(index, account))
        })
        .filter(|(_, account, _)| account.jobs.finished > 0)
        .collect();
    let of_grid = results.precision(accounts.len(), grid);
    match of_grid.method {
        None if grid.jobs.finished == 0 => {
            warnings.push("no job that counts has ended".to_owned());
            return;
        }
        None => {
            warnings.push(format!(
                "the sample is too small for intervals: {} of one replication; run longer, or more \
                 `run.replications`",
                counted(grid.jobs.finished, "job", "jobs")
            ));
            return;
        }
        Some(method) if method.sections() < FEWEST_SECTIONS => {
            let remedy = match method {
                Method::Replications { .. } => "take more `run.replications`",
                Method::BatchMeans { .. } => "run longer",
            };
            warnings.push(format!(
                "the sample is small ({method}), so the intervals are rough themselves; {remedy}"
            ));
        }
        Some(_) => {}
    }
    let wide = all.iter().filter_map(|(name, account, precision)| {
        let error = relative(account, precision)?;
        (error > WIDEST).then_some((name, error))
    });
    let wide: Vec<(&String, f64)> = wide.collect();
    if let Some(most) = wide.iter().map(|(_, error)| *error).max_by(f64::total_cmp) {
        warnings.push(format!(
            "the sample is small: the mean flow of {} is known only within {}; run longer, or \
             more `run.replications`",
            named(wide.iter().map(|(name, _)| *name)),
            percent(most)
        ));
    }
    let silent = all.iter().filter(|(_, _, precision)| precision.method.is_none());
    let silent: Vec<&String> = silent.map(|(name, ..)| name).collect();
    if !silent.is_empty() && accounts.len() <= crate::sim::accounts::COARSE_ORGANIZATIONS {
        warnings.push(format!(
            "the sample is too small for intervals of {}",
            named(silent.into_iter())
        ));
    }
    let depends = all.iter().filter(|(_, _, precision)| is_dependent(precision));
    let depends: Vec<&String> = depends.map(|(name, ..)| name).collect();
    if !depends.is_empty() {
        warnings.push(format!(
            "the batches of {} still depend on each other, so the intervals are too narrow; run \
             longer, or several `run.replications`",
            named(depends.into_iter())
        ));
    }
}

/// The half-width of the interval of the mean flow as a share of it.
fn relative(account: &Account, precision: &Precision) -> Option<f64> {
    let half_width = precision.distributions[0].mean?.interval.half_width();
    let mean = account.flow.mean().filter(|mean| *mean > 0.0)?;
    Some(half_width / mean)
}

/// Are the batches of flow or of wait more alike than chance has it?
fn is_dependent(precision: &Precision) -> bool {
    let is_alike = |index: usize| {
        let dependence = precision.distributions[index].dependence;
        dependence.is_some_and(|dependence| dependence.is_beyond(CHANCE))
    };
    is_alike(0) || is_alike(1)
}

fn named<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut text: Vec<&str> = Vec::new();
    let mut names = names;
    text.extend(names.by_ref().take(NAMED).map(String::as_str));
    let text = text.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

fn loads(plan: &Plan, results: &Results, warnings: &mut Vec<String>) {
    for part in results.loads.parts() {
        let Some(load) = part.load().filter(|load| *load > 1.0) else { continue };
        if part.jobs < FEWEST_JOBS {
            continue;
        }
        let names: Vec<String> = (part.organizations.iter())
            .map(|&index| format!("`{}`", plan.organizations[index].name))
            .collect();
        warnings.push(format!(
            "the load of {} is {}, above one: queues grow as long as jobs come, so means depend on \
             the length of the run",
            named(names.iter()),
            figure(load)
        ));
    }
}
