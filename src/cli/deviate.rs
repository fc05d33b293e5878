//! `gridpact deviate`.

use clap::Args;
use findings::unit::Class;
use game::stage::Act;
use policy::learn::Player as _;
use report::coalition::deviations;
use report::table::Format;
use run::Progress;
use run::deviate::{self, Inquiry};
use scenario::diagnostics::{listed, show};
use scenario::plan::{Coalition, Plan, Until};

use super::tips::meant;
use super::{Failure, Threads, format, load, print_prose, progress};
use kernel::order::InOrder as _;
use stats::shown::counted;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    /// Organization whose actions are swept; may be repeated [default: the first of each group of
    /// organizations with one `count`].
    ///
    /// The name of such a group, `small` or `small-1..3`, stands for its first organization.
    #[arg(long, value_name = "NAME")]
    organization: Vec<String>,
    /// Participation levels to sweep, in units of work [default: those that it learns among; with
    /// BILB 1,2,3,4,5,6,8,10,20,50,100,1000; else none, just out and in].
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    levels: Vec<f64>,
    /// Rounds that the organizations learn before their strategies are frozen [default: as many as
    /// the scenario has].
    #[arg(long, value_name = "N")]
    after: Option<u64>,
    /// Rounds to compare.
    #[arg(long, value_name = "N", default_value = "400",
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    rounds: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Default participation levels of the sweep, in units of work.
const LEVELS: [f64; 12] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 50.0, 100.0, 1000.0];

pub(super) fn deviate(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.scenario.load()?;
    let Some(coalition) = plan.coalition() else {
        return Err(Failure::Input(
            "the scenario has no coalition, so there is nothing to join or leave\nhelp: `gridpact new \
             coalition` writes one that has"
                .to_owned(),
        ));
    };
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let organizations = organizations(&plan, coalition, &names, &arguments.organization)?;
    let Until::Rounds(rounds) = plan.until else {
        unreachable!("a coalition's scenario says how many rounds there are")
    };
    let threads = arguments.threads.number();
    let progress = Progress::default();
    let after = arguments.after.unwrap_or(rounds);
    let compared = u64::from(arguments.rounds);
    let sweeps = sweeps(&plan, coalition, &organizations, arguments)?;
    let entries: usize = sweeps.iter().map(|(_, menu)| menu.len() + 1).sum();
    let all = (after + compared * entries as u64) as f64;
    let share = || Some(progress.rounds() as f64 / all);
    let inquiry = Inquiry { sweeps, after, rounds: compared };
    let swept = progress::shown(&progress, share, arguments.quiet, || {
        deviate::deviate(&plan, coalition, &inquiry, threads, &progress)
    })?;
    if arguments.quiet {
        return Ok(());
    }
    for warning in deviations::warnings(&swept, &names) {
        super::say(&format!("warning: {warning}"));
    }
    let format = arguments.choice.format;
    let table = deviations::table(&swept, &names, plan.counting.level);
    if format != Format::Text {
        return arguments.choice.print(&table);
    }
    let text = table.render(format, format::width());
    let verdicts = swept.iter().map(|one| one.verdict(&names[one.organization]) + "\n");
    let verdicts: String = verdicts.collect();
    print_prose(&format!(
        "{}: {} of learning, {} compared\n{text}\n{verdicts}",
        plan.title(),
        counted(after, "round", "rounds"),
        counted(compared, "round", "rounds")
    ))
}

/// The organizations whose actions are swept.
fn organizations(
    plan: &Plan,
    coalition: &Coalition,
    names: &[String],
    wanted: &[String],
) -> Result<Vec<usize>, Failure> {
    let classes = run::classes_of(plan, coalition);
    if wanted.is_empty() {
        return Ok(classes.into_iter().map(|class| class.members.start).collect());
    }
    let find = |name: &String| {
        let exact = names.iter().position(|one| one == name);
        let is_meant = |class: &&Class| {
            let first = &names[class.members.start];
            let group = first.rsplit_once('-').filter(|_| !class.is_single());
            class.name == *name || group.is_some_and(|(group, _)| group == name)
        };
        let first_of = || classes.iter().find(is_meant).map(|class| class.members.start);
        exact.or_else(first_of).ok_or_else(|| {
            let help = meant(name, names.iter().map(String::as_str), || {
                let groups = classes.iter().take(12).map(|class| class.name.as_str());
                format!("the organizations are {}", listed(&groups.collect::<Vec<_>>(), "and"))
            });
            Failure::Input(format!(
                "there is no organization called `{}`\nhelp: {help}",
                show(name)
            ))
        })
    };
    let mut found = Vec::new();
    for name in wanted {
        let one = find(name)?;
        if !found.contains(&one) {
            found.push(one);
        }
    }
    Ok(found)
}

/// The actions to sweep for each organization, whose levels may differ.
fn sweeps(
    plan: &Plan,
    coalition: &Coalition,
    organizations: &[usize],
    arguments: &Arguments,
) -> Result<Vec<(usize, Vec<Act>)>, Failure> {
    if let Some(wrong) = arguments.levels.iter().find(|level| !(0.0..=1e9).contains(*level)) {
        return Err(Failure::Input(format!(
            "{wrong} is not a level\nhelp: give units of work, at least 0 and at most 10^9, such as \
             `--levels 1,5,20`"
        )));
    }
    if !arguments.levels.is_empty() && !coalition.heeds_levels() {
        super::say(&format!(
            "warning: the {} does not look at participation levels; `balancer.bilb = {{}}` does",
            plan.pooling(coalition)
        ));
    }
    let levels = |organization: usize| -> Vec<f64> {
        let learner = coalition.seats[organization].player();
        let own = learner.choices().map_or(Vec::new(), |choices| choices.levels.clone());
        if !arguments.levels.is_empty() {
            let mut levels = arguments.levels.clone();
            levels.order_by(f64::total_cmp);
            levels.dedup();
            levels
        } else if !own.is_empty() {
            own
        } else if coalition.heeds_levels() && !coalition.is_federation() {
            LEVELS.to_vec()
        } else {
            Vec::new()
        }
    };
    Ok(organizations.iter().map(|&one| (one, Act::menu(&levels(one)))).collect())
}
