//! `gridpact study federation`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use scenario::plan::Plan;
use stats::interval::Interval;

use super::study::{Answered, differences, writable};
use crate::StudyError;
use crate::federation::questions::{QUESTIONS, Question, ask};
use crate::federation::{Change, divisible, table};
use cli::load::Scenario;
use cli::{Failure, Threads, format};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: Scenario,
    /// The question.
    #[arg(long, value_name = "QUESTION", value_parser = words())]
    ask: String,
    #[command(flatten)]
    threads: Threads,
    /// Also write the table to this file, as CSV, or a page if its name ends in `.html`.
    ///
    /// It replaces one that is there.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    choice: format::Choice,
}

fn words() -> PossibleValuesParser {
    let all = QUESTIONS.map(|one| (one.name, one.about));
    let all = all.into_iter().chain([(divisible::NAME, divisible::ABOUT)]);
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    writable(arguments.output.as_deref())?;
    let pool = arguments.threads.pool()?;
    let question = QUESTIONS.into_iter().find(|one| one.name == arguments.ask);
    let wrong = |wrong: StudyError| Failure::Input(wrong.to_string());
    let answered = match question {
        None => {
            let set = divisible::SETTINGS.map(|one| vec![one.to_owned()]).to_vec();
            let of = |plan: &Plan| {
                let is_one = plan.coalition().is_some_and(|one| one.is_federation());
                if is_one { Ok(set) } else { Err(Failure::Input(divisible::NONE.to_owned())) }
            };
            let plans = arguments.scenario.load_several(of)?;
            pool.install(|| as_divisible(&plans)).map_err(wrong)?
        }
        Some(question) => {
            let plans = arguments.scenario.load_several(|plan| settings(question, plan))?;
            pool.install(|| answer(question, &plans)).map_err(wrong)?
        }
    };
    if let Some(file) = &arguments.output {
        answered.write(file)?;
    }
    answered.print(arguments.choice.format)
}

fn as_divisible(plans: &[Plan]) -> Result<Answered, StudyError> {
    let changes = divisible::changes(plans)?;
    let named = ["rigid jobs", "divisible"].map(str::to_owned).into_iter().zip(&changes);
    Ok(Answered {
        title: plans[0].title(),
        plain: divisible::table(&changes),
        shown: divisible::table(&changes),
        sentences: vec![divisible::verdict(&changes).to_owned()],
        pictures: vec![differences(
            &plans[0].title(),
            "mean flow time of all jobs against that with nobody in (%)",
            named.map(relative).collect(),
        )],
    })
}

fn answer(question: Question, plans: &[Plan]) -> Result<Answered, StudyError> {
    let answer = ask(question, plans)?;
    let all = answer.names.len();
    let changes = answer
        .worlds
        .iter()
        .filter_map(|world| Some(relative((world.name.to_owned(), &answer.saved(world, all)?))));
    Ok(Answered {
        title: plans[0].title(),
        plain: table::worlds(&answer),
        shown: table::answered(&answer),
        sentences: table::leaders(&answer),
        pictures: vec![differences(
            &plans[0].title(),
            "mean flow time of all jobs against that with nobody taking part (%)",
            changes.collect(),
        )],
    })
}

/// A change in percent, with its interval.
fn relative((name, change): (String, &Change)) -> (String, f64, Option<Interval>) {
    let percent = |share: f64| 100.0 * share;
    let interval =
        change.relative.map(|one| Interval { low: percent(one.low), high: percent(one.high) });
    (name, percent(change.after / change.before - 1.0), interval)
}

/// The settings of a question, if this federation can answer it.
fn settings(question: Question, plan: &Plan) -> Result<Vec<Vec<String>>, Failure> {
    if question.fits(plan) {
        return Ok(question.settings());
    }
    let fit = QUESTIONS.iter().filter(|one| one.fits(plan)).map(|one| one.name);
    let fit: Vec<String> = fit.map(|name| format!("`--ask {name}`")).collect();
    Err(Failure::Input(match fit.is_empty() {
        true => divisible::NONE.to_owned(),
        false => format!(
            "`--ask {}` is no question about this federation\nhelp: ask {}",
            question.name,
            fit.join(", ")
        ),
    }))
}
