//! Audits the folder of a campaign: reads its applications, classes and runs, and judges them.

use kernel::map::Map;
use std::path::Path;

use super::figures::Values;
use super::printed::Printed;
use super::table::Table;
use super::{AuditError, collect};
use audit::Report;
use audit::campaign::{
    ApplicationFacts, Auditor, CampaignFacts, ClassFacts, Figures, GameFacts, Mode, RunFacts,
    SiteFacts, StageFacts, WorldFacts,
};
use audit::estimates::Section;
use kernel::time::{Span, sum_as_units};
use model::campaign::{Files, Pricing};
use policy::tasks::game_cost::{First, Rule};
use policy::tasks::game_quick::{self, Budgets, Sequential};
use policy::tasks::{Executor, TaskPlannerOptions};
use records::campaign::records::{applications, classes, runs, stages};
use records::record::Record as _;
use records::recorded::Row;
use report::campaign::entry::CampaignEntry;
use report::files::{Manifest, Stop};

/// The columns of the records that are looked at.
const APPLICATIONS: &str =
    "replication application organization submission_time deadline finish_time cost";
const CLASSES: &str = "replication application class tasks after times ready_time start_time finish_time \
    expected_finish_time";
const RUNS: &str = "replication application class cluster processors tasks start_time finish_time";

/// Figures of stages in the middle of a game are checked by its rule alone, so they are not named.
const STAGES: &str = "replication plan time stage";

/// The records of one replication, and where what they name is.
struct Read {
    facts: CampaignFacts,
    applications: Map<String, usize>,
    classes: Map<(usize, String), usize>,
}

/// Audits the campaign.
pub(super) fn audit(
    manifest: &Manifest,
    campaign: &CampaignEntry,
    folder: &Path,
    printed: &mut Printed,
) -> Result<(Report, Values), AuditError> {
    let sites: Map<&str, usize> =
        manifest.clusters.iter().enumerate().map(|(at, one)| (&*one.name, at)).collect();
    let owners: Map<&str, usize> =
        manifest.organizations.iter().enumerate().map(|(at, one)| (&**one, at)).collect();
    let mut read: Map<u32, Read> = Map::new();
    collect(manifest, folder, "applications", |row| {
        let line = applications::Line::read(row)?;
        let of = read.get_or_insert_with(line.replication, || begun(manifest, line.replication));
        let owner = known(row, "organization", line.organization, &owners)?;
        of.applications.insert(line.application.to_owned(), of.facts.applications.len());
        of.facts.applications.push(ApplicationFacts {
            name: line.application.to_owned(),
            owner,
            submit: line.submission_time,
            deadline: line.deadline,
            finish: line.finish_time,
            cost: Some(line.cost.0),
        });
        Ok(())
    })?;
    collect(manifest, folder, "classes", |row| class(row, &mut read))?;
    collect(manifest, folder, "runs", |row| run(row, &mut read, &sites))?;
    if campaign.planner.has_stages() {
        collect(manifest, folder, "stages", |row| stage(row, &mut read))?;
        printed.sees("stages", STAGES);
    }
    if let Some(table) = printed.table("replications.csv") {
        figures(table, &mut read)?;
    }
    let world = world(manifest, campaign);
    let mut auditor = Auditor::new(&world);
    for read in read.values() {
        auditor.add(&read.facts);
    }
    printed.sees("applications", APPLICATIONS);
    printed.sees("classes", CLASSES);
    printed.sees("runs", RUNS);
    Ok((auditor.finish(), values(manifest, &read)))
}

/// The values of the replications that follow from the applications alone.
fn values(manifest: &Manifest, read: &Map<u32, Read>) -> Values {
    let mut all = Values::new();
    let names = manifest.organizations.iter().map(String::as_str).chain(["*"]);
    let names: Vec<&str> = names.collect();
    for (&replication, Read { facts, .. }) in read.iter() {
        for (unit, name) in names.iter().enumerate() {
            let is_own = |one: &&ApplicationFacts| unit + 1 == names.len() || one.owner == unit;
            let own = || facts.applications.iter().filter(is_own);
            let mut put = |measure: &str, sum: f64, weight: f64| {
                let key = (replication.into(), (*name).to_owned(), measure.to_owned());
                all.insert(key, Section { sum, weight });
            };
            let flows: Vec<i64> =
                own().filter_map(|one| Some((one.finish? - one.submit).ticks())).collect();
            let flow: i128 = flows.iter().map(|&flow| i128::from(flow)).sum();
            put("flow", sum_as_units(flow), flows.len() as f64);
            let first = own().map(|one| one.submit).min();
            let last = own().filter_map(|one| one.finish).max();
            if let Some((first, last)) = first.zip(last).filter(|_| flows.len() == own().count()) {
                put("makespan", (last - first).as_units(), 1.0);
            }
            if *name == "*" {
                games(&facts.stages, put);
            }
        }
    }
    all
}

/// The figures of the games.
fn games(stages: &[StageFacts], mut put: impl FnMut(&str, f64, f64)) {
    let mut sums = [0.0; 4];
    let mut count = 0.0;
    for game in stages.chunk_by(|one, other| one.plan == other.plan) {
        let aims = game.iter().filter_map(|one| Some((one.stage, one.cost.or(one.makespan)?)));
        let aims: Vec<(u32, f64)> = aims.collect();
        let (Some(&(from, first)), Some(&(to, end))) = (aims.first(), aims.last()) else {
            continue;
        };
        let off = |aim: f64| (aim - end).abs();
        let most = aims.iter().fold(0.0, |most: f64, &(_, aim)| most.max(off(aim)));
        let far = aims.iter().rfind(|&&(_, aim)| off(aim) > 0.1 * most);
        let has_peak = |at: &usize| {
            let [before, now, then] = [at - 1, *at, at + 1].map(|at| aims[at].1);
            now > before * (1.0 + 1e-9) && then < now * (1.0 - 1e-9)
        };
        let peaks = (1..aims.len().saturating_sub(1)).filter(has_peak).count();
        count += 1.0;
        let settled = far.map_or(from, |&(stage, _)| stage + 1);
        let own = [f64::from(to), f64::from(settled), peaks as f64, end / first];
        sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    for (measure, sum) in
        ["stages", "settled_stages", "stage_peaks", "stage_change"].into_iter().zip(sums)
    {
        put(measure, sum, count);
    }
}

fn world(manifest: &Manifest, campaign: &CampaignEntry) -> WorldFacts {
    let sites = manifest.clusters.iter().zip(&campaign.sites).map(|(cluster, site)| SiteFacts {
        name: cluster.name.clone(),
        processors: cluster.processors.into(),
        price: millionths(site.price),
        limits: [site.storage, site.memory].map(|limit| limit.map(millionths)),
    });
    let mode = match campaign.executor {
        Executor::Whole => Mode::Whole,
        Executor::Fluid => Mode::Fluid,
    };
    WorldFacts {
        organizations: manifest.organizations.clone(),
        sites: sites.collect(),
        mode,
        keeps_files: campaign.files == Files::Kept,
        second_price: campaign.pricing == Pricing::SecondPrice,
        games: games_of(campaign),
    }
}

/// The games that the planner may play.
fn games_of(campaign: &CampaignEntry) -> Vec<GameFacts> {
    use TaskPlannerOptions as T;
    let quick = |of: &game_quick::Options| GameFacts {
        by_cost: false,
        never_rises: false,
        epsilon: (of.budgets == Budgets::Weights).then_some(of.epsilon),
        most: of.stages,
        is_played: of.sequential == Sequential::Game && !campaign.estimated,
    };
    let cost = |epsilon, most| GameFacts {
        by_cost: true,
        never_rises: false,
        epsilon,
        most,
        is_played: false,
    };
    match &campaign.planner {
        T::GameQuick(of) => vec![quick(of)],
        T::GameStorage(of) => vec![quick(&of.game)],
        T::GameCost(of) => {
            let epsilon = (of.rule == Rule::Literal).then_some(of.epsilon);
            // Where tasks are late, the shares are those of Game-quick.
            let quick = (of.first == First::GameQuick).then(|| quick(&of.game_quick));
            [cost(epsilon, of.stages)].into_iter().chain(quick).collect()
        }
        T::GameStorageCost(of) => vec![cost(None, of.stages)],
        T::GeneticMapping(of) => vec![GameFacts {
            by_cost: false,
            never_rises: true,
            epsilon: None,
            most: of.generations,
            is_played: !campaign.estimated,
        }],
        _ => Vec::new(),
    }
}

fn begun(manifest: &Manifest, replication: u32) -> Read {
    let facts = CampaignFacts {
        replication,
        applications: Vec::new(),
        classes: Vec::new(),
        runs: Vec::new(),
        stages: Vec::new(),
        end: match manifest.until {
            Stop::Drained => None,
            Stop::Time(time) => Some(time),
        },
        costs: None,
        figures: None,
    };
    Read { facts, applications: Map::new(), classes: Map::new() }
}

/// Number of a name that a line has.
fn known(
    row: &Row<'_>,
    column: &str,
    name: &str,
    all: &Map<&str, usize>,
) -> Result<usize, AuditError> {
    all.get(name).copied().ok_or_else(|| row.wrong(column, name, "one of the run's"))
}

/// The replication and the application that a line is of.
fn of<'a>(
    row: &Row<'_>,
    read: &'a mut Map<u32, Read>,
    (replication, application): (u32, &str),
) -> Result<(&'a mut Read, usize), AuditError> {
    let of = read.get_mut(&replication);
    let of = of.filter(|of| of.applications.contains_key(application));
    let of = of.ok_or_else(|| row.wrong("application", application, "one of applications.csv"))?;
    let number = of.applications[application];
    Ok((of, number))
}

fn class(row: &Row<'_>, read: &mut Map<u32, Read>) -> Result<(), AuditError> {
    let line = classes::Line::read(row)?;
    let (of, application) = of(row, read, (line.replication, line.application))?;
    let mut after = Vec::new();
    for name in line.after.split_whitespace() {
        let number = of.classes.get(&(application, name.to_owned())).copied();
        after
            .push(number.ok_or_else(|| row.wrong("after", name, "a class of a line before this"))?);
    }
    let mut times = Vec::new();
    for text in line.times.split_whitespace() {
        let time = text.parse::<f64>().ok().and_then(|units| Span::from_units(units).ok());
        if time.is_none() && text != "-" {
            return Err(row.wrong("times", text, "a time or `-`"));
        }
        times.push(time);
    }
    of.classes.insert((application, line.class.to_owned()), of.facts.classes.len());
    of.facts.classes.push(ClassFacts {
        name: line.class.to_owned(),
        application,
        tasks: line.tasks,
        after,
        needs: [line.storage, line.memory].map(millionths),
        output: millionths(line.output),
        times,
        ready: line.ready_time,
        start: line.start_time,
        finish: line.finish_time,
        expected: line.expected_finish_time,
    });
    Ok(())
}

fn run(
    row: &Row<'_>,
    read: &mut Map<u32, Read>,
    sites: &Map<&str, usize>,
) -> Result<(), AuditError> {
    let line = runs::Line::read(row)?;
    let site = known(row, "cluster", line.cluster, sites)?;
    let (of, application) = of(row, read, (line.replication, line.application))?;
    let class = of.classes.get(&(application, line.class.to_owned())).copied();
    let class = class.ok_or_else(|| row.wrong("class", line.class, "one of classes.csv"))?;
    of.facts.runs.push(RunFacts {
        class,
        site,
        processors: line.processors,
        tasks: line.tasks,
        start: line.start_time,
        finish: line.finish_time,
    });
    Ok(())
}

fn stage(row: &Row<'_>, read: &mut Map<u32, Read>) -> Result<(), AuditError> {
    let line = stages::Line::read(row)?;
    let of = read.get_mut(&line.replication);
    let of = of.ok_or_else(|| {
        row.wrong("replication", &line.replication.to_string(), "one of applications.csv")
    })?;
    let stages::Line { plan, time, stage, total_time, makespan, cost, .. } = line;
    of.facts.stages.push(StageFacts { plan, time, stage, total_time, makespan, cost });
    Ok(())
}

/// Reads what the run says of each replication.
fn figures(table: &Table, read: &mut Map<u32, Read>) -> Result<(), AuditError> {
    for of in read.values_mut() {
        of.facts.figures = Some(Figures::default());
    }
    for row in table.lines() {
        if row.get::<&str>("unit")? != "*" {
            continue;
        }
        let (value, weight): (f64, f64) = (row.get("value")?, row.get("weight")?);
        let of = read.get_mut(&row.get::<u32>("replication")?);
        let Some(figures) = of.and_then(|of| of.facts.figures.as_mut()) else { continue };
        match row.get::<&str>("measure")? {
            "makespan" => figures.makespan = Span::from_units(value).ok(),
            "flow" => figures.mean_flow = Some(value),
            "class_fairness" => figures.fairness = Some(value),
            "prediction_error" => figures.prediction_error = Some(value),
            "footprint" => figures.footprint = millionths(value).into(),
            "late" => figures.late = (value * weight).round() as u64,
            _ => {}
        }
    }
    Ok(())
}

/// An amount in millionths.
fn millionths(amount: f64) -> i64 {
    (amount * 1e6).round_ties_even() as i64
}
