//! `gridpact check`.

use clap::Args;
use findings::target::{By, Precision, Width};
use model::asked::Asked;
use model::foreign::Foreign;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::plan::{Planned, PlaysBy};
use report::game::described;
use report::grid::{offered, planned};
use report::table::{Format, Table};
use report::words::imports;
use scenario::drawn::Drawn;
use scenario::plan::{
    Cluster, ClusterKind, Coalition, GamePlan, Organization, Plan, Plays, Seat, SolvedGame, Until,
    Workload, WorkloadKind, World,
};
use stats::shown;
use workload::synthetic::Users;

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
            let (wanted, tables) = (arguments.table.as_deref(), || planned::tables(plan).into());
            let text = || print_prose(&describe(plan));
            arguments.choice.print_tables(wanted, "organizations", tables, text)
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
    let until = match plan.until {
        Until::Drained if plan.campaign().is_some() => "until all applications are done".to_owned(),
        Until::Drained => "until all jobs have finished".to_owned(),
        Until::Time(time) => format!("until time {time}"),
        Until::Jobs(jobs) => {
            let jobs = shown::counted(jobs, "job was", "jobs were");
            format!("until {jobs} submitted, and all of these have finished")
        }
        Until::Rounds(_) => plan.rounds_in_words(),
    };
    let length = match &plan.precision {
        None => format!("{}, {until}", counted(plan.replications as usize, "replication")),
        Some(precision) => sought(precision, &until),
    };
    let mut lines = vec![
        format!("{}: this scenario is valid", plan.title()),
        format!("seed {}, {length}", plan.seed),
    ];
    if plan.found.anything() {
        let what = if plan.found.warm_up { "MSER-5 finds the warm-up" } else { "the end is found" };
        lines.push(match plan.first_runs() {
            first if first == plan.replications => {
                format!("every replication is run twice: {what} in the first run")
            }
            1 => format!("the first replication is run twice: {what} in its first run"),
            first => {
                format!("the first {first} replications are run twice: {what} in their first runs")
            }
        });
    }
    if let Some(coalition) = plan.coalition() {
        lines.push(described_coalition(plan, coalition));
        lines.extend(coalition.conversion());
        lines.extend(coalition.misbehaviour());
    }
    if let Some(campaign) = plan.campaign() {
        lines.push(report::campaign::head(campaign));
        lines.extend(report::campaign::imports(campaign));
    }
    let is_federation = plan.coalition().is_some_and(Coalition::is_federation);
    if let Some(scheduler) = plan.grid_scheduler.as_ref().filter(|_| !is_federation) {
        lines.push(described_grid_scheduler(plan, scheduler));
        lines.extend(described_others(plan).filter(|_| scheduler.starts()));
    }
    if let Some(planned) = plan.planned.as_ref().filter(|_| !is_federation) {
        lines.push(described_planner(plan, planned));
        lines.extend(described_others(plan));
    }
    let organizations = plan.organizations.iter().enumerate();
    lines.extend(section(
        "organization",
        organizations.map(|(at, one)| match plan.campaign() {
            Some(_) => one.name.clone(),
            None => organization(plan, at, one),
        }),
    ));
    lines.extend(section(
        "cluster",
        plan.clusters.iter().enumerate().map(|(at, one)| cluster(plan, at, one)),
    ));
    if plan.campaign().is_none() {
        lines.extend(section("workload", plan.workloads.iter().map(workload)));
        let loads = offered::lines(plan);
        if !loads.is_empty() {
            lines.push("\noffered load".to_owned());
        }
        lines.extend(loads.iter().map(|line| format!("  {line}")));
        let imports = imports::imports(plan);
        if !imports.is_empty() {
            lines.push(String::new());
        }
        lines.extend(imports);
    }
    lines.join("\n") + "\n"
}

/// A heading with the number of its lines, and the first of these.
fn section(what: &str, mut lines: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let all = lines.len();
    let mut told = vec![format!("\n{}", counted(all, what))];
    told.extend(lines.by_ref().take(SHOWN).map(|line| format!("  {line}")));
    told.extend((all > SHOWN).then(|| format!("  and {} more", all - SHOWN)));
    told
}

fn cluster(plan: &Plan, at: usize, cluster: &Cluster) -> String {
    let placer = match (plan.campaign(), &plan.planned) {
        (Some(campaign), _) => campaign.campaign.planned.planner.name(),
        (None, Some(_)) => "the planner",
        (None, None) => "the grid scheduler",
    };
    let owner = &plan.organizations[cluster.owner.index()].name;
    let what = match &cluster.kind {
        ClusterKind::TimeShared { processors: 1 } => "time-shared".to_owned(),
        ClusterKind::TimeShared { processors } => {
            format!("time-shared, {processors} processors a job")
        }
        ClusterKind::Own { processors, scheduler } => {
            format!("{}, {scheduler}", counted(*processors as usize, "processor"))
        }
        ClusterKind::SpaceShared { machine, scheduler } => {
            let speed = match machine.speed {
                Speed::ONE => String::new(),
                other => format!(" of speed {}", other.value()),
            };
            let by = scheduler.as_ref().map_or(placer, |one| one.name());
            let kills = if machine.kill_at_estimate { ", killing at the estimate" } else { "" };
            let processors = counted(machine.processors as usize, "processor");
            format!("{processors}{speed} under {by}{kills}")
        }
    };
    let terms = match cluster.foreign {
        Foreign::Always => "",
        Foreign::WhenNoneWaits => ", others' jobs while none of the owner's waits",
        Foreign::Never => ", no jobs of others",
    };
    let shares = plan.coalition().map_or(&[][..], |coalition| &coalition.shares);
    let share = shares.get(at).copied().flatten();
    let share = share.map_or(String::new(), |share| format!(", others on at most {share}"));
    format!("{} of {owner}: {what}{terms}{share}", cluster.name)
}

fn workload(workload: &Workload) -> String {
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
}

/// The grid scheduler, and the clusters that it fills.
fn described_grid_scheduler(plan: &Plan, scheduler: &GridOptions) -> String {
    let name = scheduler.name();
    if !scheduler.starts() {
        return format!("grid scheduler {name}: sends jobs to the clusters' own schedulers");
    }
    let filled = plan.clusters.iter().filter(|one| one.is_bare()).count();
    format!("grid scheduler {name}: starts jobs on {}", counted(filled, "cluster"))
}

/// The planner, when it is asked, and on which clusters it plans jobs.
fn described_planner(plan: &Plan, planned: &Planned) -> String {
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
    let (name, filled) = (planned.planner.name(), counted(filled, "cluster"));
    format!("planner {name}: plans jobs on {filled}, asked {asked}; they start {by}")
}

/// The clusters that have schedulers of their own beside those that a grid fills.
fn described_others(plan: &Plan) -> impl Iterator<Item = String> {
    let mut others = plan.clusters.iter().filter(|one| !one.is_bare()).map(|one| &one.name);
    let others = others.next().map(|first| {
        let (more, own, it) = match others.count() {
            0 => (String::new(), "a scheduler of its own", "it"),
            more => (format!(" and {more} more"), "schedulers of their own", "one of them"),
        };
        format!(
            "`{first}`{more} with {own}: only jobs of organizations that name {it} in `uses` run there"
        )
    });
    others.into_iter()
}

/// The rules of a coalition.
fn described_coalition(plan: &Plan, coalition: &Coalition) -> String {
    let Coalition { plays, score, costs, .. } = coalition;
    let whether = match plays {
        Plays::Share => "",
        Plays::Follow => ", which owners follow or not",
    };
    let judged = match score.is_flow() {
        true => String::new(),
        false => format!(", by their {}", score.in_words()),
    };
    let mut cost: Vec<String> = [(costs.job, "to each job"), (costs.delay, "before each start")]
        .into_iter()
        .filter(|(units, _)| *units > 0.0)
        .map(|(units, what)| format!("abroad adds {units} units {what}"))
        .collect();
    if costs.round > 0.0 {
        cost.push(format!("a round costs a member {} of its score", costs.round));
    }
    let cost: String = cost.iter().map(|one| format!("; {one}")).collect();
    format!(
        "{}: {}{whether}, {} rounds of {} units; jobs submitted from {} to {} of a round count{judged}{cost}",
        if coalition.is_federation() { "federation" } else { "coalition" },
        plan.pooling(coalition),
        coalition.rounds.name(),
        coalition.period,
        coalition.window.start,
        coalition.window.end
    )
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
            let of_users = |users: Users| format!(", by {}", counted(users.count as usize, "user"));
            format!(
                "drawn from distributions{}{}",
                model.options().users.map(of_users).unwrap_or_default(),
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
    if !foreign && owned == one.uses.len() && one.binding.is_none() {
        return one.name.clone();
    }
    let names: Vec<&str> =
        one.uses.iter().take(SHOWN_IN_A_LINE).map(|id| &*plan.clusters[id.index()].name).collect();
    let more = one.uses.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = if names.is_empty() { "no cluster".to_owned() } else { names.join(", ") };
    let bound = if one.binding.is_some() { "; each job is bound to one" } else { "" };
    format!("{} may use {names}{more}{bound}", one.name)
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
