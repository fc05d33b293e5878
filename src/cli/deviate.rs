//! `gridpact deviate`.

use clap::Args;
use gridpact::game::stage::Act;
use gridpact::policy::learn::Player as _;
use gridpact::report::coalition::deviations;
use gridpact::report::table::Format;
use gridpact::run::Progress;
use gridpact::run::deviate::{self, Inquiry, menu};
use gridpact::scenario::diagnostics::{listed, nearest, show};
use gridpact::scenario::plan::{Coalition, Plan, Until};

use super::{Failure, format, load, print, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    /// The organization whose action is swept; may be given several times [default: the first of
    /// each group of organizations].
    #[arg(long, value_name = "NAME")]
    organization: Vec<String>,
    /// The participation levels that are swept, in units of work [default: those that it learns
    /// among; with BILB 1,2,3,4,5,6,8,10,20,50,100,1000; else none, just out and in].
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    levels: Vec<f64>,
    /// How many rounds the organizations learn before they are held where they stand [default: as
    /// many as the scenario has].
    #[arg(long, value_name = "N")]
    after: Option<u64>,
    /// How many rounds are compared.
    #[arg(long, value_name = "N", default_value = "400",
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    rounds: u32,
    /// How many threads sweep [default: one for each core]. It changes no result.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    choice: format::Choice,
    /// Print nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// The levels that are swept where nothing says which.
const LEVELS: [f64; 12] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 50.0, 100.0, 1000.0];

pub(super) fn deviate(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.scenario.load(arguments.quiet)?;
    let Some(coalition) = &plan.coalition else {
        return Err(Failure::Input(
            "nobody can take part or stay out: the scenario has no coalition\nhelp: `gridpact new \
             coalition` writes one that has"
                .to_owned(),
        ));
    };
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let organizations = organizations(&plan, coalition, &names, &arguments.organization)?;
    let Until::Rounds(rounds) = plan.until else {
        unreachable!("a coalition's scenario says how many rounds there are")
    };
    let threads = arguments.threads.map_or(0, usize::from);
    let progress = Progress::default();
    let after = arguments.after.unwrap_or(rounds);
    let compared = u64::from(arguments.rounds);
    let sweeps = sweeps(coalition, &organizations, arguments)?;
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
    let table = deviations::table(&swept, &names);
    let format = arguments.choice.format;
    let text = table.render(format, format::width());
    if format != Format::Text {
        return print(&text);
    }
    let verdicts = swept.iter().map(|one| one.verdict(&names[one.organization]) + "\n");
    let verdicts: String = verdicts.collect();
    print(&format!(
        "{}: {after} rounds learned, {compared} compared\n{text}\n{verdicts}",
        plan.name
    ))
}

/// The organizations whose actions are swept.
fn organizations(
    plan: &Plan,
    coalition: &Coalition,
    names: &[String],
    wanted: &[String],
) -> Result<Vec<usize>, Failure> {
    if wanted.is_empty() {
        let first = gridpact::run::classes_of(plan, coalition).into_iter();
        return Ok(first.map(|class| class.members.start).collect());
    }
    let find = |name: &String| {
        names.iter().position(|one| one == name).ok_or_else(|| {
            let near = nearest(name, names.iter().map(String::as_str));
            let help = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let some: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
                    format!("there are {}", listed(&some, "and"))
                }
            };
            Failure::Input(format!(
                "there is no organization called `{}`\nhelp: {help}",
                show(name)
            ))
        })
    };
    let mut found = wanted.iter().map(find).collect::<Result<Vec<usize>, Failure>>()?;
    let mut seen = Vec::new();
    found.retain(|one| {
        !seen.contains(one) && {
            seen.push(*one);
            true
        }
    });
    Ok(found)
}

/// What is swept of each organization; they may choose among different levels.
fn sweeps(
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
    if !arguments.levels.is_empty() && coalition.balancer.name() != "bilb" && !arguments.quiet {
        super::say(&format!(
            "warning: the balancer `{}` does not look at participation levels; `balancer.bilb = {{}}` \
             does",
            coalition.balancer.name()
        ));
    }
    let levels = |organization: usize| -> Vec<f64> {
        let learner = coalition.seats[organization].learner.build();
        let own = learner.choices().map_or(Vec::new(), |choices| choices.levels.clone());
        if !arguments.levels.is_empty() {
            let mut levels = arguments.levels.clone();
            levels.sort_unstable_by(f64::total_cmp);
            levels.dedup();
            levels
        } else if !own.is_empty() {
            own
        } else if coalition.balancer.name() == "bilb" {
            LEVELS.to_vec()
        } else {
            Vec::new()
        }
    };
    Ok(organizations.iter().map(|&one| (one, menu(&levels(one)))).collect())
}
