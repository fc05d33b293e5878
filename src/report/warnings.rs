//! What a reader of the figures must know before he believes them: samples that are too small,
//! batches that depend on each other, loads above one and queues that grow, warm-ups without an
//! end.

use super::enough::Known;
use super::figure::{count, counted, figure, percent};
use super::loads::{self, Overload};
use super::precision::{Method, Precision};
use super::results::Results;
use super::timeline::overload::Grows;
use crate::model::ids::ClusterId;
use crate::scenario::plan::Plan;
use crate::sim::accounts::{Account, COARSE_ORGANIZATIONS};
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
    let is_drawn = results.differs.iter().any(|&differs| differs);
    let several = results.replications.len() > 1;
    if several && !is_drawn {
        warnings.push(
            "replications of given jobs are all alike: they tell nothing of how sure the figures \
             are, and one is enough"
                .to_owned(),
        );
    } else if several || grid.jobs.finished >= FEWEST_JOBS || loads::draws(plan).contains(&true) {
        samples(plan, results, &grid, &mut warnings);
    }
    warnings.extend(results.known.as_ref().and_then(Known::warning));
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

/// An organization, or the whole grid, as it is judged.
struct Judged<'a> {
    name: String,
    account: &'a Account,
    precision: Precision,
    /// From one replication to the next, where there are several.
    differs: bool,
}

fn samples(plan: &Plan, results: &Results, grid: &Account, warnings: &mut Vec<String>) {
    let accounts = results.accounts.organizations();
    let of_grid = results.precision(accounts.len(), grid);
    let several = results.replications.len() as u64;
    let is_drawn = results.differs.iter().any(|&differs| differs);
    let remedy = match of_grid.method {
        _ if !is_drawn => "only more jobs help",
        _ if plan.precision.is_some() => "ask for more precision",
        Some(Method::Replications { .. }) => "take more `run.replications`",
        _ => "run longer, or more `run.replications`",
    };
    match of_grid.method {
        None if grid.jobs.finished == 0 => {
            let uncounted = results.accounts.uncounted();
            warnings.push(if uncounted.before + uncounted.after > 0 {
                "no job that counts has ended: the warm-up and the cool-down leave too little, or \
                 nothing; run longer, or cut less"
                    .to_owned()
            } else {
                "no job that counts has ended".to_owned()
            });
            return;
        }
        None => {
            warnings.push(format!(
                "the sample is too small for intervals: {} of {}; {remedy}",
                counted(grid.jobs.finished, "job", "jobs"),
                counted(several, "replication", "replications")
            ));
            return;
        }
        Some(method) if method.sections() < FEWEST_SECTIONS => warnings.push(format!(
            "the sample is small ({method}), so the intervals are rough themselves; {remedy}"
        )),
        Some(_) => {}
    }
    let ended = accounts.iter().enumerate().filter(|(_, account)| account.jobs.finished > 0);
    let mut all: Vec<Judged<'_>> = ended
        .map(|(index, account)| {
            let name = format!("`{}`", plan.organizations[index].name);
            let differs = several == 1 || results.differs[index];
            Judged { name, account, precision: results.precision(index, account), differs }
        })
        .collect();
    if several > 1 {
        let is_own = loads::draws(plan);
        let given: Vec<String> = (accounts.iter().enumerate())
            .filter(|&(index, account)| account.jobs.finished > 0 && !is_own[index])
            .map(|(index, _)| format!("`{}`", plan.organizations[index].name))
            .collect();
        if !given.is_empty() {
            warnings.push(format!(
                "the jobs of {} are given and the same in every replication: their intervals, \
                 where there are any, only tell what is drawn besides them",
                named(given.iter())
            ));
        }
    }
    let silent = all.iter().filter(|one| one.differs && one.precision.method.is_none());
    let silent: Vec<&String> = silent.map(|one| &one.name).collect();
    if !silent.is_empty() && (several > 1 || accounts.len() <= COARSE_ORGANIZATIONS) {
        let names = named(silent.into_iter());
        warnings.push(format!("the sample is too small for intervals of {names}; {remedy}"));
    }
    if accounts.len() > 1 {
        let name = "the whole grid".to_owned();
        all.insert(0, Judged { name, account: grid, precision: of_grid, differs: true });
    }
    rough(&all, &of_grid, remedy, warnings);
    wide(&all, remedy, warnings);
    dependent(&all, accounts.len() > 1, (is_drawn, plan.precision.is_some()), warnings);
}

/// Those whose intervals come from few sections, where those of the grid come from enough.
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
        "the intervals of {} are rough themselves: they come from fewer than {FEWEST_SECTIONS} \
         {sections}; {remedy}",
        named(few.into_iter())
    ));
}

/// Those whose mean flow is hardly known.
fn wide(all: &[Judged<'_>], remedy: &str, warnings: &mut Vec<String>) {
    let wide: Vec<(&String, f64)> = (all.iter())
        .filter_map(|one| Some((&one.name, relative(one.account, &one.precision)?)))
        .filter(|(_, error)| *error > WIDEST)
        .collect();
    if let Some(most) = wide.iter().map(|(_, error)| *error).max_by(f64::total_cmp) {
        warnings.push(format!(
            "the sample is small: the mean flow of {} is known only within {}; {remedy}",
            named(wide.iter().map(|(name, _)| *name)),
            percent(most)
        ));
    }
}

/// The half-width of the interval of the mean flow as a share of it.
fn relative(account: &Account, precision: &Precision) -> Option<f64> {
    let half_width = precision.distributions[0].mean?.interval.half_width();
    let mean = account.flow.mean().filter(|mean| *mean > 0.0)?;
    Some(half_width / mean)
}

/// Those whose batches, of flow or of wait, are more alike than chance has it. Chance has more
/// occasions with many organizations, which share one [`CHANCE`]; the grid, judged first, has one
/// of its own.
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
            false => "",
            true if is_for_precision => "; ask for more precision, or add replications with `each`",
            true => "; run longer, or several `run.replications`",
        };
        warnings.push(format!(
            "the batches of {} still depend on each other, so the intervals are too narrow{remedy}",
            named(depends.into_iter())
        ));
    }
}

/// The first of some names, and how many more there are.
pub(super) fn named<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut text: Vec<&str> = Vec::new();
    let mut names = names;
    text.extend(names.by_ref().take(NAMED).map(String::as_str));
    let text = text.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// Loads above one, and queues that grow: one statement for both where they belong together.
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
                "the load of {names} is {}, above one, and {what} {}",
                figure(load),
                without_limit(&grows)
            ),
            (Overload::Expected(load), None) => format!(
                "the load of {names} is {}, above one: queues grow as long as jobs come, so means \
                 depend on the length of the run",
                figure(load)
            ),
            (Overload::Measured(load), Some((what, grows))) => format!(
                "the jobs of {names} asked for {} of what the processors that they may use could \
                 do while they came, and {what} {}",
                percent(load),
                without_limit(&grows)
            ),
            (Overload::Measured(load), None) => format!(
                "the jobs of {names} asked for {} of what the processors that they may use could \
                 do while they came: queues grow as long as that goes on, so means depend on the \
                 length of the run",
                percent(load)
            ),
        });
    }
    if told.len() > NAMED {
        let more = counted((told.len() - NAMED) as u64, "more group", "more groups");
        told.truncate(NAMED);
        told.push(format!("the load of {more} of organizations is above one"));
    }
    warnings.append(&mut told);
    // What no load tells: jobs that do not fit together, or are sent to the wrong cluster.
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

/// Queues that grow, taken together.
fn together(all: &[Grows]) -> Option<Grows> {
    let most = *all.iter().max_by_key(|grows| grows.replications)?;
    Some(Grows { rate: all.iter().map(|grows| grows.rate).sum(), ..most })
}

/// How fast a queue grows, and what that means.
pub(super) fn without_limit(grows: &Grows) -> String {
    let rate = grows.rate;
    let every =
        if rate < 1.0 { format!(" (a job every {})", figure(1.0 / rate)) } else { String::new() };
    let some = if grows.replications < grows.of {
        format!(", in {} of {} replications", count(grows.replications), count(grows.of))
    } else {
        String::new()
    };
    let jobs = if figure(rate) == "1.000" { "job" } else { "jobs" };
    format!(
        "by {} {jobs} a unit of time{every}{some}: averages have no limit, and depend on how long \
         the run is",
        figure(rate)
    )
}
