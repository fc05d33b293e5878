//! `gridpact study federation`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use records::files::written;
use report::table::{Format, Table};
use scenario::plan::Plan;

use crate::StudyError;
use crate::federation::questions::{QUESTIONS, Question, ask};
use crate::federation::{Members, Verdict, study, table};
use cli::load::Scenario;
use cli::{Failure, format, print, threads};

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
    /// Also write the table to this file, as CSV; it replaces one that is there.
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

/// An answer for programs, and for people.
type Answered = (Table, Table);

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let pool = threads(arguments.threads)?;
    let question = QUESTIONS.into_iter().find(|one| one.name == arguments.ask);
    let wrong = |wrong: StudyError| Failure::Input(wrong.to_string());
    let (plain, shown) = match question {
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
        let text = plain.render(Format::Csv, None);
        written(file, text.as_bytes())?.publish()?;
    }
    let format = arguments.choice.format;
    let shown = if format.is_for_people() { shown } else { plain };
    print(&shown.render(format, format::width()))
}

fn coalitions(plan: &Plan) -> Result<Answered, StudyError> {
    let found = study(plan)?;
    // One member alone is as if it were out.
    let all = (0..=found.whole()).filter(|members: &Members| members.count_ones() != 1);
    let verdicts: Vec<Verdict> = all.map(|members| found.judged(members)).collect();
    Ok((table::table(&found, &verdicts), table::explained(&found, &verdicts)))
}

fn answer(question: Question, plans: &[Plan]) -> Result<Answered, StudyError> {
    let answer = ask(question, plans)?;
    Ok((table::worlds(&answer), table::answered(&answer)))
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
