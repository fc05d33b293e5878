//! `gridpact study federation`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use records::files::written;
use report::table::Format;

use crate::federation::{Members, Verdict, study, table};
use cli::load::Scenario;
use cli::{Failure, format, print, threads};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: Scenario,
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

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.scenario.load()?;
    let pool = threads(arguments.threads)?;
    let found = pool.install(|| study(&plan)).map_err(|wrong| Failure::Input(wrong.to_string()))?;
    // One member alone is as if it were out.
    let all = (0..=found.whole()).filter(|members: &Members| members.count_ones() != 1);
    let verdicts: Vec<Verdict> = all.map(|members| found.judged(members)).collect();
    let plain = table::table(&found, &verdicts);
    if let Some(file) = &arguments.output {
        let text = plain.render(Format::Csv, None);
        written(file, text.as_bytes())?.publish()?;
    }
    let format = arguments.choice.format;
    let shown = match format.is_for_people() {
        true => table::explained(&found, &verdicts),
        false => plain,
    };
    print(&shown.render(format, format::width()))
}
