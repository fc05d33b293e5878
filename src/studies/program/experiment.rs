//! Experiments: `gridpact study tipping-point` and others. Each is a question, with what was expected.

use clap::Args;
use report::table::{Column, Format, Table, columns};
use report::words::wrapped::wrapped;

use super::reproduce::{Options, width};
use crate::row::Row;
use crate::{EXPERIMENTS, Wanted, told};
use cli::Failure;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    options: Options,
}

/// Plays an experiment, by the name of its claim.
pub(super) fn play(name: &str, Arguments { options }: &Arguments) -> Result<(), Failure> {
    let missing = || Failure::Bug(format!("there is no experiment `{name}`"));
    let study = EXPERIMENTS.study.ok_or_else(missing)?;
    let claim = study.claim(name).ok_or_else(missing)?;
    let wanted = Wanted { claim: Some(name.to_owned()), ..Wanted::default() };
    let (stamp, found) = options.play(&EXPERIMENTS, study, &wanted)?;
    let told = study.register.told.iter().find(|told| told.claims.iter().any(|id| id == name));
    let question = told.map_or("", |told| &told.says);
    options.print(study, &stamp, &found.rows, || {
        let lines = [question.to_owned(), format!("expected: {}", claim.says)];
        let lines = lines.map(|line| wrapped(&line, Some(width())));
        let table = table(&found.rows).render(Format::Text, Some(width()));
        format!("{}\n{table}{}\n", lines.join("\n"), told::expected(&found.rows))
    })
}

/// Expectations beside what was found.
fn table(rows: &[Row]) -> Table {
    let columns = columns![|row: &&Row|
        Column::prose("figure") => row.what.as_str(),
        Column::text("in").rank(1) => row.place.as_str(),
        Column::figure("expected") => row.paper.cell(),
        Column::figure("found") => row.ours.cell(),
        Column::figure("±").note("±: half-width of the 95% confidence interval") => row.ours.error(),
        Column::text("verdict") => row.verdict.name(),
        Column::prose("note") => row.said(),
    ];
    Table::by_columns("expectations", rows.iter(), columns)
}
