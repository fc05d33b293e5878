//! `gridpact check`.

use std::fmt::Write as _;

use clap::Args;
use findings::target::{By, Precision, Width};
use model::asked::Asked;
use model::foreign::Foreign;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::plan::{Planned, PlaysBy};
use report::game::described;
use report::table::{Format, Table};
use report::{self, offered, planned, summary};
use scenario::drawn::Drawn;
use scenario::plan::{
    Cluster, ClusterKind, Coalition, GamePlan, Organization, Plan, Seat, SolvedGame, Until,
    WorkloadKind, World,
};
use stats::shown;

use super::{Failure, format, load, print_prose, say, sweep};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only this table.
    #[arg(long, value_name = "NAME", value_parser = planned::NAMES)]
    table: Option<String>,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Maximum number of lines in each list.
const SHOWN: usize = 20;
/// Maximum number of clusters named on a line.
const SHOWN_IN_A_LINE: usize = 6;

pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let plan = &*match arguments.scenario.load_any()? {
        load::Loaded::Plan(plan) => plan,
        load::Loaded::Sweep(study, origin) => {
            let told = sweep::described(*study, origin)?;
            return if arguments.quiet { Ok(()) } else { print_prose(&told) };
        }
    };
    if plan.is_grid() || plan.coalition().is_some() {
        offered::warnings(plan).iter().for_each(|one| say(&format!("warning: {one}")));
    }
    if arguments.quiet {
        return Ok(());
    }
    match &plan.world {
        World::Game(game) if game.players.is_empty() && game.dynamics.is_none() => {
            print_prose(&format!(
                "{}: this game is valid\nit names no players: `gridpact game solve FILE` solves it, and \
                 with `[[player]]` it can be played\n",
                plan.title()
            ))
        }
        World::Game(game) => self::game(GamePlan { plan, game }, arguments),
        World::Solved(game) => solved(plan, game, arguments),
        _ => {
            let (wanted, tables) = (arguments.table.as_deref(), planned::tables(plan));
            let text = || print_prose(&describe(plan));
            arguments.choice.print_tables(wanted, "organizations", &tables, text)
        }
    }
}

/// Prints the description of a game, which has a single table.
fn game(plan: GamePlan<'_>, arguments: &Arguments) -> Result<(), Failure> {
    match arguments.choice.format {
        _ if arguments.table.is_some() => Err(no_table()),
        Format::Text => print_prose(&described::text(plan)),
        _ => arguments.choice.print(&described::table(plan)),
    }
}

/// Prints the players of a game that is solved and not played.
fn solved(plan: &Plan, game: &SolvedGame, arguments: &Arguments) -> Result<(), Failure> {
    match arguments.choice.format {
        _ if arguments.table.is_some() => Err(no_table()),
        Format::Text => print_prose(&described::solved(plan, game)),
        _ => {
            let players = Table::of("players", &game.players).text("player", String::as_str);
            arguments.choice.print(&players.table())
        }
    }
}

fn no_table() -> Failure {
    let message = "this is a game, which has no such table\nhelp: leave out `--table`";
    Failure::Input(message.to_owned())
}

/// Describes the stopping rule of a run with a target precision.
fn sought(precision: &Precision, until: &str) -> String {
    let width = match precision.width {
        Width::Relative(share) => format!("{} %", share * 100.0),
        Width::Absolute(amount) => amount.to_string(),
    };
    let metric = precision.words();
    let (least, most) = (shown::count(precision.at_least), shown::count(precision.at_most));
    match precision.by {
        By::Replications => format!(
            "{least} to {most} replications, as many as needed to know the {metric} to within \
             {width}, each {until}"
        ),
        By::Batches => format!(
            "{least} to {most} jobs, as many as needed to know the {metric} to within {width} from \
             batches of one run"
        ),
    }
}

fn describe(plan: &Plan) -> String {
    let mut out = String::new();
    let until = match plan.until {
        Until::Drained if plan.campaign().is_some() => "until all applications are done".to_owned(),
        Until::Drained => "until all jobs have finished".to_owned(),
        Until::Time(time) => format!("until time {time}"),
        Until::Jobs(jobs) => {
            format!("until {} jobs were submitted and have finished", shown::count(jobs))
        }
        Until::Rounds(rounds) => counted(rounds as usize, "round"),
    };
    let _ = writeln!(out, "{}: this scenario is valid", plan.title());
    match &plan.precision {
        None => {
            let replications = counted(plan.replications as usize, "replication");
            let _ = writeln!(out, "seed {}, {replications}, {until}", plan.seed);
        }
        Some(precision) => {
            let _ = writeln!(out, "seed {}, {}", plan.seed, sought(precision, &until));
        }
    }
    if plan.found.anything() {
        let what = if plan.found.warm_up { "MSER-5 finds the warm-up" } else { "the end is found" };
        let _ = match (plan.first_runs(), plan.replications) {
            (first, all) if first == all => {
                writeln!(out, "every replication is run twice: {what} in the first run")
            }
            (first, _) => writeln!(
                out,
                "the first {first} replications are run twice: {what} in their first runs"
            ),
        };
    }
    if let Some(coalition) = plan.coalition() {
        describe_coalition(&mut out, coalition);
    }
    if let Some(campaign) = plan.campaign() {
        let _ = writeln!(out, "{}", report::campaign::head(campaign));
        report::campaign::imports(campaign).iter().for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
    }
    if let Some(scheduler) = &plan.grid_scheduler {
        describe_grid_scheduler(&mut out, plan, scheduler);
    }
    if let Some(planned) = &plan.planned {
        describe_planner(&mut out, plan, planned);
    }
    let _ = writeln!(out, "\n{}", counted(plan.organizations.len(), "organization"));
    some(
        &mut out,
        plan.organizations.iter().enumerate().map(|(at, one)| match plan.campaign() {
            Some(_) => one.name.clone(),
            None => organization(plan, at, one),
        }),
    );
    let placer = match (plan.campaign(), &plan.planned) {
        (Some(campaign), _) => campaign.campaign.planned.planner.name(),
        (None, Some(_)) => "the planner",
        (None, None) => "the grid scheduler",
    };
    let _ = writeln!(out, "\n{}", counted(plan.clusters.len(), "cluster"));
    some(
        &mut out,
        plan.clusters.iter().map(|cluster| {
            let owner = &plan.organizations[cluster.owner.index()].name;
            let what = match &cluster.kind {
                ClusterKind::TimeShared { processors: 1 } => "time-shared".to_owned(),
                ClusterKind::TimeShared { processors } => {
                    format!("time-shared, {processors} processors a job")
                }
                ClusterKind::Own { processors, scheduler } => format!(
                    "{}, {scheduler}",
                    shown::counted(u64::from(*processors), "processor", "processors"),
                ),
                ClusterKind::SpaceShared { processors, scheduler, kill_at_estimate, speed } => {
                    format!(
                        "{processors} processors{} under {}{}",
                        match *speed {
                            Speed::ONE => String::new(),
                            other => format!(" of speed {}", other.value()),
                        },
                        scheduler.as_ref().map_or(placer, |one| one.name()),
                        if *kill_at_estimate { ", killing at the estimate" } else { "" }
                    )
                }
            };
            let terms = match cluster.foreign {
                Foreign::Always => "",
                Foreign::WhenNoneWaits => ", others' jobs while none of the owner's waits",
                Foreign::Never => ", no jobs of others",
            };
            format!("{} of {owner}: {what}{terms}", cluster.name)
        }),
    );
    if plan.campaign().is_some() {
        return out;
    }
    let _ = writeln!(out, "\n{}", counted(plan.workloads.len(), "workload"));
    some(
        &mut out,
        plan.workloads.iter().map(|workload| {
            let until = workload.kind.drawn().and_then(Drawn::until);
            let jobs = match (workload.jobs(), until) {
                (Some(jobs), _) => counted(jobs as usize, "job"),
                (None, Some(until)) => format!("jobs until {until}"),
                (None, None) => "unlimited jobs".to_owned(),
            };
            let what = match &workload.kind {
                WorkloadKind::Swf { survey, .. } => survey.file.display().to_string(),
                WorkloadKind::List(_) => "explicit jobs".to_owned(),
                WorkloadKind::Drawn(model, _) => drawn(model),
                WorkloadKind::Shared { source, .. } => drawn(source),
            };
            let owners = workload.kind.drawn_owners();
            let owners = owners.map(|owners| format!(", owners by {}", owners.name()));
            format!("{}: {jobs}, {what}{}", workload.name, owners.unwrap_or_default())
        }),
    );
    let loads = offered::lines(plan);
    if !loads.is_empty() {
        let _ = writeln!(out, "\noffered load");
        loads.iter().for_each(|line| {
            let _ = writeln!(out, "  {line}");
        });
    }
    let imports = summary::imports(plan);
    if !imports.is_empty() {
        let _ = write!(out, "\n{}\n", imports.join("\n"));
    }
    out
}

/// Describes who places jobs, and on which clusters.
fn describe_grid_scheduler(out: &mut String, plan: &Plan, scheduler: &GridOptions) {
    let name = scheduler.name();
    if !scheduler.starts() {
        let _ = writeln!(out, "grid scheduler {name}: sends jobs to the clusters' own schedulers");
        return;
    }
    let filled = plan.clusters.iter().filter(|one| one.is_bare()).count();
    let _ = writeln!(out, "grid scheduler {name}: starts jobs on {}", counted(filled, "cluster"));
    describe_others(out, plan);
}

/// Describes a planner, when it is asked, and on which clusters it plans jobs.
fn describe_planner(out: &mut String, plan: &Plan, planned: &Planned) {
    let filled = plan.clusters.iter().filter(|one| one.is_bare()).count();
    let asked = match planned.planning.asked {
        Asked::Arrival => "at every submission".to_owned(),
        Asked::Batch => "when all jobs that it planned have ended".to_owned(),
        Asked::Once => "once".to_owned(),
        Asked::Every(units) => format!("at multiples of {}", shown::figure(units)),
    };
    let by = match planned.planning.plays_by {
        PlaysBy::Order => "in the planned order",
        PlaysBy::Time => "at the planned times",
    };
    let _ = writeln!(
        out,
        "planner {}: plans jobs on {}, asked {asked}; they start {by}",
        planned.planner.name(),
        counted(filled, "cluster")
    );
    describe_others(out, plan);
}

/// Describes the clusters that have schedulers of their own beside those that a grid fills.
fn describe_others(out: &mut String, plan: &Plan) {
    let mut others = plan.clusters.iter().filter(|one| !one.is_bare()).map(|one| &one.name);
    if let Some(first) = others.next() {
        let (more, own, it) = match others.count() {
            0 => (String::new(), "a scheduler of its own", "it"),
            more => (format!(" and {more} more"), "schedulers of their own", "one of them"),
        };
        let _ = writeln!(
            out,
            "`{first}`{more} with {own}: only jobs of organizations that name {it} in `uses` run there"
        );
    }
}

/// Describes the rules of a coalition.
fn describe_coalition(out: &mut String, coalition: &Coalition) {
    let _ = writeln!(
        out,
        "coalition: balancer {}, {} rounds of {} units; jobs submitted from {} to {} of a round count",
        coalition.balancer.name(),
        coalition.rounds.name(),
        coalition.period,
        coalition.window.start,
        coalition.window.end
    );
    if let Some(conversion) = coalition.conversion() {
        let _ = writeln!(out, "{conversion}");
    }
}

/// Describes the model that jobs are drawn from, and its offered work if known.
fn drawn(drawn: &Drawn) -> String {
    let busy = |rate| format!(", {} processors busy on average", shown::figure(rate));
    match drawn {
        Drawn::LublinFeitelson(model) if drawn.is_at_once() => format!(
            "Lublin-Feitelson model of {}, all at once",
            counted(model.options().processors as usize, "processor")
        ),
        Drawn::Synthetic(_) if drawn.is_at_once() => {
            "drawn from distributions, all at once".to_owned()
        }
        Drawn::Synthetic(model) => {
            format!(
                "drawn from distributions{}",
                model.offered_area_rate().map(busy).unwrap_or_default()
            )
        }
        Drawn::LublinFeitelson(model) => format!(
            "Lublin-Feitelson model of {}, offered load {}{}",
            counted(model.options().processors as usize, "processor"),
            shown::figure(model.offered_load()),
            match model.options().load {
                Some(_) => format!(", gaps x {}", shown::figure(model.gap_factor())),
                None => String::new(),
            }
        ),
    }
}

/// Describes an organization, with the clusters it may use unless these are just its own.
fn organization(plan: &Plan, at: usize, one: &Organization) -> String {
    let is_its = |cluster: &Cluster| cluster.owner.index() == at;
    let foreign = one.uses.iter().any(|cluster| !is_its(&plan.clusters[cluster.index()]));
    let owned = plan.clusters.iter().filter(|cluster| is_its(cluster)).count();
    if let Some(seat) = plan.coalition().and_then(|coalition| coalition.seats.get(at)) {
        return format!("{}: learner {}{}", one.name, seat.learner.name(), presence(seat));
    }
    if !foreign && owned == one.uses.len() {
        return one.name.clone();
    }
    let names: Vec<&str> =
        one.uses.iter().take(SHOWN_IN_A_LINE).map(|id| &*plan.clusters[id.index()].name).collect();
    let more = one.uses.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = if names.is_empty() { "no cluster".to_owned() } else { names.join(", ") };
    format!("{} may use {names}{more}", one.name)
}

/// Describes the rounds in which an organization is present, unless it always is.
fn presence(seat: &Seat) -> String {
    match (seat.first, seat.last) {
        (0, None) => String::new(),
        (first, None) => format!(", from round {first} on"),
        (first, Some(last)) => format!(", rounds {first} to {last}"),
    }
}

fn counted(number: usize, what: &str) -> String {
    shown::counted(number as u64, what, &format!("{what}s"))
}

fn some(out: &mut String, mut lines: impl ExactSizeIterator<Item = String>) {
    let all = lines.len();
    for line in lines.by_ref().take(SHOWN) {
        let _ = writeln!(out, "  {line}");
    }
    if all > SHOWN {
        let _ = writeln!(out, "  and {} more", all - SHOWN);
    }
}
