//! `gridpact game solve`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use game::memory_one::MemoryOne;
use report::game::solved::{self, Request};
use report::table::Table;
use scenario::diagnostics::{listed, show};

use crate::{Failure, format, load, print_prose, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: load::Solved,
    /// Precisions of logit equilibria: from 0, where all play at random, to best replies.
    #[arg(long, value_name = "LAMBDA", default_value = "1", value_delimiter = ',',
          value_parser = |text: &str| number(text, 1e9))]
    logit: Vec<f64>,
    /// Intensity of selection for alpha-rank and fixation; 0 is neutral drift.
    #[arg(long, value_name = "ALPHA", default_value = "1",
          value_parser = |text: &str| number(text, 1e9))]
    alpha: f64,
    /// Size of a population for alpha-rank and fixation; games by counts have their own.
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(2..=100_000))]
    population: u32,
    /// Memory-one strategy, by name or by its probabilities to cooperate after mutual cooperation,
    /// only its own, only the other's, and none; may be repeated [default: all names].
    ///
    /// The names are always, never, tit_for_tat, win_stay and grim.
    #[arg(long, value_name = "NAME|P,P,P,P", value_parser = strategy)]
    memory_one: Vec<(String, MemoryOne)>,
    /// Probability that a memory-one strategy does the opposite.
    #[arg(long, value_name = "P", default_value = "0.01",
          value_parser = |text: &str| number(text, 0.5))]
    error: f64,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only what this solver found.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(solved::NAMES))]
    table: Option<String>,
}

/// Named strategies.
const STRATEGIES: [(&str, MemoryOne); 5] = [
    ("always", MemoryOne::ALWAYS),
    ("never", MemoryOne::NEVER),
    ("tit_for_tat", MemoryOne::TIT_FOR_TAT),
    ("win_stay", MemoryOne::WIN_STAY),
    ("grim", MemoryOne::GRIM),
];

/// A number from 0 to `most`.
fn number(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("give a number from 0 to {most}"))
}

fn strategy(text: &str) -> Result<(String, MemoryOne), String> {
    if let Some((name, strategy)) = STRATEGIES.iter().find(|(name, _)| *name == text) {
        return Ok(((*name).to_owned(), *strategy));
    }
    let numbers: Result<Vec<f64>, String> = text.split(',').map(|text| number(text, 1.0)).collect();
    let four = numbers.ok().and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
    let names = STRATEGIES.map(|(name, _)| name);
    four.map(|four| (text.replace(',', " "), MemoryOne(four))).ok_or_else(|| {
        let names = listed(&names, "or");
        format!("give {names}, or four probabilities such as `1,0,1,0`")
    })
}

pub(super) fn solve(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.load()?;
    let strategies = match &arguments.memory_one[..] {
        [] => STRATEGIES.map(|(name, strategy)| (name.to_owned(), strategy)).to_vec(),
        given => given.to_vec(),
    };
    let request = Request {
        logit: arguments.logit.clone(),
        alpha: arguments.alpha,
        population: arguments.population,
        strategies,
        error: arguments.error,
    };
    let solved = solved::solve(&game, &request);
    let choice = &arguments.choice;
    let for_people = choice.format.is_for_people();
    let Some(name) = arguments.table.as_deref() else {
        let tables = || if for_people { solved.by_solver(true) } else { solved.tables() };
        let text = || print_prose(&solved::text(&game, &solved, format::width()));
        return choice.print_tables(None, "solution", tables, text);
    };
    let all = solved.by_solver(for_people);
    let reasons = solved.skipped.iter().filter(|(skipped, _)| *skipped == name);
    let reasons: Vec<&str> = reasons.map(|(_, reason)| &**reason).collect();
    let Some(table) = all.iter().find(|table| table.name() == name) else {
        let reason = match &reasons[..] {
            [] => "this game has no such table".to_owned(),
            reasons => reasons.join("; "),
        };
        let names: Vec<&str> = all.iter().map(Table::name).collect();
        let help = format!("help: the tables of this game are {}", listed(&names, "and"));
        return Err(Failure::Input(format!("no table `{}`: {reason}\n{help}", show(name))));
    };
    reasons.iter().for_each(|reason| say(&format!("note: {reason}")));
    choice.print(table)
}
