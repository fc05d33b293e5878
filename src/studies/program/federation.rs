//! `gridpact study federation`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use scenario::plan::Plan;
use stats::interval::Interval;

use super::study::Answered;
use crate::StudyError;
use crate::federation::questions::{QUESTIONS, Question, ask};
use crate::federation::{Change, Members, Verdict, study, table};
use cli::load::Scenario;
use cli::{Failure, format, threads};

/// The question about all coalitions.
const COALITIONS: &str = "coalitions";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: Scenario,
    /// The question.
    #[arg(long, value_name = "QUESTION", default_value = COALITIONS, value_parser = words())]
    ask: String,
    /// Threads that play [default: one for each core].
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Also write the table to this file, as CSV, or a page if its name ends in `.html`.
    ///
    /// It replaces one that is there.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    choice: format::Choice,
}

fn words() -> PossibleValuesParser {
    let all = (COALITIONS, "who gains, who would leave or join, which coalition is stable?");
    let all = [all].into_iter().chain(QUESTIONS.map(|one| (one.name, one.about)));
    PossibleValuesParser::new(all.map(|(name, about)| PossibleValue::new(name).help(about)))
}

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let pool = threads(arguments.threads)?;
    let question = QUESTIONS.into_iter().find(|one| one.name == arguments.ask);
    let wrong = |wrong: StudyError| Failure::Input(wrong.to_string());
    let answered = match question {
        None => {
            let plan = arguments.scenario.load()?;
            pool.install(|| coalitions(&plan)).map_err(wrong)?
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

fn coalitions(plan: &Plan) -> Result<Answered, StudyError> {
    let found = study(plan)?;
    // One member alone is as if it were out.
    let all = (0..=found.whole()).filter(|members: &Members| members.count_ones() != 1);
    let verdicts: Vec<Verdict> = all.map(|members| found.judged(members)).collect();
    let differences = verdicts.iter().map(|one| (found.named(one), &one.all));
    Ok(Answered {
        title: plan.title(),
        plain: table::table(&found, &verdicts),
        shown: table::explained(&found, &verdicts),
        sentences: table::sentences(&found, &verdicts),
        differences: differences.map(relative).collect(),
        axis: "mean flow time of all jobs against that with everybody alone (%)",
    })
}

fn answer(question: Question, plans: &[Plan]) -> Result<Answered, StudyError> {
    let answer = ask(question, plans)?;
    let all = answer.names.len();
    let differences = answer
        .worlds
        .iter()
        .filter_map(|world| Some(relative((world.name.to_owned(), &answer.saved(world, all)?))));
    Ok(Answered {
        title: plans[0].title(),
        plain: table::worlds(&answer),
        shown: table::answered(&answer),
        sentences: table::leaders(&answer),
        differences: differences.collect(),
        axis: "mean flow time of all jobs against that with nobody taking part (%)",
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
        true => {
            "this scenario is no federation\nhelp: `gridpact new federation` writes one".to_owned()
        }
        false => format!(
            "`--ask {}` is no question about this federation\nhelp: ask {}",
            question.name,
            fit.join(", ")
        ),
    }))
}
