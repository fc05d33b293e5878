//! Warnings that a reader needs before trusting the figures.
//!
//! They are about samples that are too small, correlated batches, loads above one, queues that
//! grow, and warm-ups without an end.

mod tails;

use super::{loads, steady};
use crate::words::warnings::{FEWEST_SECTIONS, NAMED, named, without_limit};
use findings::estimate::Method;
use findings::grid::loads::Overload;
use findings::grid::precision::Precision;
use findings::grid::results::Results;
use findings::growing::Grows;
use findings::known::Known;
use model::ids::ClusterId;
use scenario::plan::Plan;
use sim::accounts::{Account, COARSE_ORGANIZATIONS};
use stats::shown::{counted, figure, percent};

/// Relative half-width above which a mean counts as poorly known.
pub const WIDEST: f64 = 0.1;
/// Fewer jobs than this are an instance and not a sample, unless they were drawn.
pub const FEWEST_JOBS: u64 = 64;
/// Significance level: probability of reporting independent batches as correlated.
const CHANCE: f64 = 0.01;

/// The warnings, in sentences.
pub fn of(plan: &Plan, results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    let grid = results.accounts.grid();
    let is_drawn = results.differs.iter().any(|&differs| differs);
    let several = results.replications.len() > 1;
    if several && !is_drawn {
        warnings.push(
            "the jobs are given, so all replications are identical: they say nothing about \
             precision, and one is enough"
                .to_owned(),
        );
    } else if several || grid.jobs.finished >= FEWEST_JOBS || loads::draws(plan).contains(&true) {
        samples(plan, results, &grid, &mut warnings);
    }
    warnings.extend(results.sample.known.as_ref().and_then(Known::warning));
    loads(plan, results, &mut warnings);
    warnings.extend(steady::warnings(plan, results));
    warnings
}

/// An organization, or the whole grid, as the warnings see it.
struct Judged<'a> {
    name: String,
    account: &'a Account,
    precision: Precision,
    /// True if there are several replications and they differ.
    differs: bool,
    /// True if jobs are drawn.
    draws: bool,
}

fn samples(plan: &Plan, results: &Results, grid: &Account, warnings: &mut Vec<String>) {
    let accounts = results.accounts.organizations();
    let of_grid = results.precision(accounts.len(), grid);
    let several = results.replications.len() as u64;
    let is_drawn = results.differs.iter().any(|&differs| differs);
    let remedy = match of_grid.method {
        _ if !is_drawn => "only a longer trace would tell more",
        _ if plan.precision.is_some() => "ask for more precision",
        Some(Method::Replications { .. }) => "increase `run.replications`",
        _ => "run longer, or increase `run.replications`",
    };
    match of_grid.method {
        None if grid.jobs.finished == 0 => {
            let uncounted = results.accounts.uncounted();
            warnings.push(if uncounted.before + uncounted.after > 0 {
                "no job that counts has finished: the warm-up and the cool-down leave too little or \
                 nothing; run longer, or remove less"
                    .to_owned()
            } else {
                "no job that counts has finished".to_owned()
            });
            return;
        }
        None if several == 1 && grid.is_one_instant() => {
            warnings.push(
                "all jobs were submitted at one instant, so one run tells nothing of chance and \
                 there are no confidence intervals; draw the jobs and use several \
                 `run.replications`"
                    .to_owned(),
            );
            return;
        }
        None => {
            warnings.push(format!(
                "the sample is too small for confidence intervals: {} in {}; {remedy}",
                counted(grid.jobs.finished, "job", "jobs"),
                counted(several, "replication", "replications")
            ));
            return;
        }
        Some(method) if method.sections() < FEWEST_SECTIONS => warnings.push(format!(
            "the sample is small ({method}), so the intervals are only rough; {remedy}"
        )),
        Some(_) => {}
    }
    let draws = loads::draws(plan);
    let ended = accounts.iter().enumerate().filter(|(_, account)| account.jobs.finished > 0);
    let mut all: Vec<Judged<'_>> = ended
        .map(|(index, account)| {
            let name = format!("`{}`", plan.organizations[index].name);
            let differs = several == 1 || results.differs[index];
            let (precision, draws) = (results.precision(index, account), draws[index]);
            Judged { name, account, precision, differs, draws }
        })
        .collect();
    if several > 1 {
        let given: Vec<String> = (accounts.iter().enumerate())
            .filter(|&(index, account)| account.jobs.finished > 0 && !draws[index])
            .map(|(index, _)| format!("`{}`", plan.organizations[index].name))
            .collect();
        if !given.is_empty() {
            warnings.push(format!(
                "the jobs of {} are given and the same in every replication: their intervals, if \
                 any, only reflect the other jobs, which are drawn",
                named(given.iter())
            ));
        }
    }
    let silent = all.iter().filter(|one| one.differs && one.precision.method.is_none());
    let silent: Vec<&String> = silent.map(|one| &one.name).collect();
    if !silent.is_empty() && (several > 1 || accounts.len() <= COARSE_ORGANIZATIONS) {
        let names = named(silent.into_iter());
        warnings
            .push(format!("the sample is too small for confidence intervals of {names}; {remedy}"));
    }
    if accounts.len() > 1 {
        let name = "the whole grid".to_owned();
        let draws = draws.contains(&true);
        all.insert(0, Judged { name, account: grid, precision: of_grid, differs: true, draws });
    }
    rough(&all, &of_grid, remedy, warnings);
    wide(&all, remedy, warnings);
    tails::sizes(&all, remedy, warnings);
    tails::sections(&all, remedy, warnings);
    dependent(&all, accounts.len() > 1, (is_drawn, plan.precision.is_some()), warnings);
}

/// Warns about intervals from few sections, unless the grid's own interval has few too.
fn rough(all: &[Judged<'_>], of_grid: &Precision, remedy: &str, warnings: &mut Vec<String>) {
    let is_few = |precision: &Precision| {
        precision.method.is_some_and(|method| method.sections() < FEWEST_SECTIONS)
    };
    let few: Vec<&String> =
        all.iter().filter(|one| is_few(&one.precision)).map(|one| &one.name).collect();
    if few.is_empty() || is_few(of_grid) {
        return;
    }
    let sections = match of_grid.method {
        Some(Method::Replications { .. }) => "replications",
        _ => "batches",
    };
    warnings.push(format!(
        "the intervals of {} are only rough: they come from fewer than {FEWEST_SECTIONS} \
         {sections}; {remedy}",
        named(few.into_iter())
    ));
}

/// Warns about mean flow times that are poorly known.
fn wide(all: &[Judged<'_>], remedy: &str, warnings: &mut Vec<String>) {
    let wide: Vec<(&String, f64)> = (all.iter())
        .filter_map(|one| Some((&one.name, relative(one.account, &one.precision)?)))
        .filter(|(_, error)| *error > WIDEST)
        .collect();
    if let Some(most) = wide.iter().map(|(_, error)| *error).max_by(f64::total_cmp) {
        warnings.push(format!(
            "the sample is small: the mean flow time of {} is known only to within {}; {remedy}",
            named(wide.iter().map(|(name, _)| *name)),
            percent(most)
        ));
    }
}

/// Relative half-width of the interval of the mean flow time.
fn relative(account: &Account, precision: &Precision) -> Option<f64> {
    let half_width = precision.distributions[0].mean?.interval.half_width();
    let mean = account.flow.mean().filter(|mean| *mean > 0.0)?;
    Some(half_width / mean)
}

/// Warns about significantly correlated batches of flow or waiting time.
///
/// With many organizations there are more chance findings, so together they share one [`CHANCE`];
/// the grid is tested first and has one of its own.
fn dependent(
    all: &[Judged<'_>],
    has_grid: bool,
    (is_drawn, is_for_precision): (bool, bool),
    warnings: &mut Vec<String>,
) {
    let of = |one: &Judged<'_>| {
        let [flow, wait, ..] = one.precision.distributions;
        [flow.dependence, wait.dependence]
    };
    let tested = all.iter().filter(|one| of(one).iter().any(Option::is_some)).count();
    let organizations = tested.saturating_sub(has_grid.into()).max(1);
    let depends = (all.iter().enumerate()).filter(|(at, one)| {
        let is_grid = has_grid && *at == 0;
        let level = if is_grid { CHANCE } else { CHANCE / organizations as f64 };
        of(one).into_iter().flatten().any(|dependence| dependence.is_beyond(level))
    });
    let depends: Vec<&String> = depends.map(|(_, one)| &one.name).collect();
    if !depends.is_empty() {
        let remedy = match is_drawn {
            false => {
                ", or a queue grows (see timeline.svg) and the means depend on how long the trace is"
            }
            true if is_for_precision => {
                "; ask for more precision, or set `run.until.precision.each`"
            }
            true => "; run longer, or use several `run.replications`",
        };
        warnings.push(format!(
            "the batches of {} are still correlated, so the intervals are too narrow{remedy}",
            named(depends.into_iter())
        ));
    }
}

/// Warns about loads above one and growing queues, in one sentence if they belong together.
fn loads(plan: &Plan, results: &Results, warnings: &mut Vec<String>) {
    let accounts = results.accounts.organizations();
    let overloads = results.timelines.as_ref().map(|timelines| &timelines.overloads);
    let growing: Vec<(usize, Grows)> =
        overloads.map(|overloads| overloads.clusters().collect()).unwrap_or_default();
    let mut of_grid =
        overloads.filter(|_| growing.is_empty()).and_then(|overloads| overloads.grid());
    let mut is_told = vec![false; plan.clusters.len()];
    let mut told = Vec::new();
    for part in results.loads.parts() {
        let Some(overload) = part.overload().filter(|_| part.jobs >= FEWEST_JOBS) else { continue };
        let with_jobs = part.organizations.iter().filter(|&&one| accounts[one].jobs.submitted > 0);
        let names: Vec<String> =
            with_jobs.map(|&one| format!("`{}`", plan.organizations[one].name)).collect();
        let names = named(names.iter());
        part.clusters.iter().for_each(|cluster| is_told[cluster.index()] = true);
        let own: Vec<Grows> = (growing.iter())
            .filter(|(cluster, _)| part.clusters.contains(&ClusterId(*cluster as u32)))
            .map(|(_, grows)| *grows)
            .collect();
        let grows = match own[..] {
            [] => of_grid.take().map(|grows| ("the queue of the whole grid grows", grows)),
            [one] => Some(("the queue grows", one)),
            _ => together(&own).map(|all| ("the queues together grow", all)),
        };
        told.push(match (overload, grows) {
            (Overload::Expected(load), Some((what, grows))) => format!(
                "the load of {names} is {}, {}, and {what} {}",
                figure(load),
                not_below_one(load),
                without_limit(&grows)
            ),
            (Overload::Expected(load), None) => format!(
                "the load of {names} is {}, {}: queues grow as long as jobs arrive, so means \
                 depend on the length of the run",
                figure(load),
                not_below_one(load)
            ),
            (Overload::Measured(load), Some((what, grows))) => format!(
                "while they arrived, the jobs of {names} needed {} of the capacity that they may \
                 use, and {what} {}",
                percent(load),
                without_limit(&grows)
            ),
            (Overload::Measured(load), None) => format!(
                "while they arrived, the jobs of {names} needed {} of the capacity that they may \
                 use: queues grow as long as that goes on, so means depend on the length of the \
                 run",
                percent(load)
            ),
        });
    }
    if told.len() > NAMED {
        let more = counted((told.len() - NAMED) as u64, "more group", "more groups");
        told.truncate(NAMED);
        told.push(format!("the load of {more} of organizations is above 1"));
    }
    warnings.append(&mut told);
    // Queues that no load explains: jobs do not fit together, or go to the wrong cluster.
    let others = growing.iter().filter(|(cluster, _)| !is_told[*cluster]);
    let others: Vec<(String, Grows)> = others
        .map(|&(cluster, grows)| (format!("`{}`", plan.clusters[cluster].name), grows))
        .collect();
    let rates: Vec<Grows> = others.iter().map(|(_, grows)| *grows).collect();
    let names = named(others.iter().map(|(name, _)| name));
    match (together(&rates), &rates[..]) {
        (Some(grows), [_]) if plan.clusters.len() == 1 => {
            warnings.push(format!("the queue grows {}", without_limit(&grows)));
        }
        (Some(grows), [_]) => {
            warnings.push(format!("the queue of {names} grows {}", without_limit(&grows)));
        }
        (Some(grows), _) => {
            let limit = without_limit(&grows);
            warnings.push(format!("the queues of {names} together grow {limit}"));
        }
        (None, _) => {}
    }
    if let Some(grows) = of_grid {
        warnings.push(format!("the queue of the whole grid grows {}", without_limit(&grows)));
    }
}

/// Describes a load that is not below one.
fn not_below_one(load: f64) -> &'static str {
    if load > 1.0 + 1e-9 { "above 1" } else { "so a queue grows without limit if anything varies" }
}

/// Growth of several queues taken together.
fn together(all: &[Grows]) -> Option<Grows> {
    let most = *all.iter().max_by_key(|grows| grows.replications)?;
    Some(Grows { rate: all.iter().map(|grows| grows.rate).sum(), ..most })
}
