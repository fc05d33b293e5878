//! `gridpact reproduce`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::resume::Parts;
use crate::row::{self, Row};
use crate::{Bench, Effort, Found, PAPERS, Paper, Study, Wanted, folder, is_of, told};
use clap::{Args, ValueHint};
use report::table::{self, Cell, Column, Format, Table};
use report::words::wrapped::wrapped;
use run::folder::FolderError;
use scenario::diagnostics::{listed, nearest, show};

use cli::{Failure, Threads, format, print, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Paper to reproduce [default: list the papers].
    #[arg(value_name = "PAPER")]
    paper: Option<String>,
    /// Table of the paper; if its setting leaves several choices, each is played.
    #[arg(long, value_name = "NUMBER", requires = "paper")]
    table: Option<String>,
    /// Figure of the paper, such as 3a; 3 stands for 3a and 3b.
    #[arg(long, value_name = "NAME", requires = "paper")]
    figure: Option<String>,
    /// Claim of the paper, such as LB-Q-03.
    #[arg(long, value_name = "ID", requires = "paper")]
    claim: Option<String>,
    /// Print every row, and not the main results and the causes of differences alone. A table, figure or
    /// claim is printed in full.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    options: Options,
}

/// Samples, seeds and output of a study.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Samples per configuration: rounds, instances or replications, whichever the paper counts
    /// [default: as many as in the paper].
    #[arg(long, alias = "rounds", value_name = "N",
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: Option<u32>,
    /// Play few samples and train learners briefly, to see the shape within seconds.
    #[arg(long)]
    quick: bool,
    /// Seed of all random draws.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of consecutive seeds to judge by; rows say if another seed gives another verdict
    /// [default: 2, with --quick 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    #[command(flatten)]
    threads: Threads,
    /// Folder for the rows, the paper's figures as pictures with their series, and records of what
    /// was played.
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,
    /// Replace other rows of the paper, and accept a folder with other files.
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

pub(super) fn reproduce(arguments: &Arguments) -> Result<(), Failure> {
    let format = arguments.options.choice.format;
    let Some(name) = &arguments.paper else {
        if arguments.options.output.is_some() {
            let wrong = "`--output` takes the results of one paper\nhelp: name it";
            return Err(Failure::Input(wrong.to_owned()));
        }
        return print(&papers().render(format, format::width()));
    };
    let paper = crate::paper(name).ok_or_else(|| unknown_paper(name))?;
    let study = paper.study.ok_or_else(|| not_yet(paper))?;
    let wanted = wanted(study, arguments)?;
    let options = &arguments.options;
    let (stamp, found) = options.play(paper, study, &wanted)?;
    let rows = &found.rows;
    options.print(study, &stamp, rows, || match arguments.all || wanted != Wanted::default() {
        true => told_all(study, rows),
        false => told_first(paper, study, rows),
    })
}

/// Every row, with the rule.
fn told_all(study: &Study, rows: &[Row]) -> String {
    let text = row::numbered(rows).render(Format::Text, Some(width()));
    format!("{text}\n{}\n\n{}\n", study.rule.words(), row::summary(rows))
}

impl Options {
    /// Plays rows of a study, and writes them where they are wanted. Returns the stamp of the results with them.
    pub(super) fn play(
        &self,
        paper: &Paper,
        study: &Study,
        wanted: &Wanted,
    ) -> Result<(String, Found), Failure> {
        let samples = if self.quick { study.quick } else { study.rule.samples };
        let effort = Effort {
            samples: self.samples.unwrap_or(samples),
            quick: self.quick,
            seed: self.seed,
            seeds: self.seeds.unwrap_or(if self.quick { 1 } else { Effort::SEEDS }),
        };
        let stamp = folder::stamp(paper, study, effort, wanted);
        if let Some(folder) = &self.output {
            folder::prepare(folder, paper, &stamp, self.force).map_err(refused)?;
        }
        let output = self.output.as_ref();
        let kept = output.map(|folder| Parts::of(folder, paper.name, &stamp)).unwrap_or_default();
        let found = played(study, wanted, effort, &kept, self)?;
        if let Some(folder) = output {
            folder::write(folder, paper, study, &stamp, &found)?;
            kept.clear();
        }
        Ok((stamp, found))
    }

    /// Prints rows; people get a text.
    pub(super) fn print(
        &self,
        study: &Study,
        stamp: &str,
        rows: &[Row],
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let table = row::table(rows);
        print(&match self.choice.format {
            Format::Text => text(),
            Format::Json => table::json(&[table, row::tally(rows)]),
            format @ (Format::Csv | Format::Latex) => table.render(format, None),
            Format::Markdown => folder::markdown(stamp, study, rows),
        })
    }
}

/// The most columns that rows are printed in.
const WIDEST: usize = 100;

pub(super) fn width() -> usize {
    format::width().map_or(WIDEST, |width| width.min(WIDEST))
}

/// The main results, then all differences by their causes, and how to see every row.
fn told_first(paper: &Paper, study: &Study, rows: &[Row]) -> String {
    let mut text = format!("{}\n{}\n", paper.title, paper.authors);
    text += &told::results(&study.register.told, rows).render(Format::Text, Some(width()));
    let differences = told::differences(rows);
    if !differences.is_empty() {
        text += &differences.render(Format::Text, Some(width()));
    }
    let more = format!(
        "every row: `gridpact-studies reproduce {} --all`, or `--claim ID`; the rule of verdicts stands \
         below the rows",
        paper.name
    );
    let lines = [row::summary(rows), more];
    let lines: Vec<String> = lines.into_iter().map(|line| wrapped(&line, Some(width()))).collect();
    format!("{text}\n{}\n", lines.join("\n"))
}

/// Plays the requested rows on the requested number of threads, with a progress display.
fn played(
    study: &Study,
    wanted: &Wanted,
    effort: Effort,
    kept: &Parts,
    options: &Options,
) -> Result<Found, Failure> {
    let pool = options.threads.pool()?;
    let bench = Bench::new(effort);
    let (at, all) = (AtomicUsize::new(0), AtomicUsize::new(1));
    let before = |number, of| {
        at.store(number, Ordering::Relaxed);
        all.store(of, Ordering::Relaxed);
    };
    let share = || {
        let all = all.load(Ordering::Relaxed).max(1) as f64;
        Some(at.load(Ordering::Relaxed) as f64 / all)
    };
    let message = || format!("{} {}", bench.samples(), study.rule.unit);
    let work = || pool.install(|| study.play(wanted, &bench, kept, before));
    let found = progress::shown_with(message, share, options.quiet, work);
    found.map_err(|error| Failure::Bug(error.to_string()))
}

fn papers() -> Table {
    let columns = [
        Column::text("paper"),
        Column::prose("title"),
        Column::prose("authors").rank(1),
        Column::figure("claims"),
        Column::figure("reproduced"),
    ];
    let mut table = Table::new("papers", columns);
    for paper in PAPERS {
        let claims = paper.study.map(|study| study.claims().len());
        table.row([
            paper.name.into(),
            paper.title.into(),
            paper.authors.into(),
            Cell::from(claims),
            paper.study.is_some().into(),
        ]);
    }
    table
}

fn unknown_paper(name: &str) -> Failure {
    let names = PAPERS.map(|paper| paper.name);
    Failure::Input(format!("there is no paper called `{}`\n{}", show(name), help(name, &names)))
}

fn help(name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()).first() {
        Some(near) => format!("help: did you mean `{near}`?"),
        None => there_are(names),
    }
}

fn there_are(names: &[&str]) -> String {
    format!("help: there are {}", listed(names, "and"))
}

fn not_yet(paper: &Paper) -> Failure {
    let done = PAPERS.into_iter().filter(|paper| paper.study.is_some());
    let done: Vec<&str> = done.map(|paper| paper.name).collect();
    Failure::Input(format!(
        "`{}` is not reproduced yet\nhelp: what can be reproduced is {}",
        paper.name,
        listed(&done, "and")
    ))
}

/// The requested rows, if the study has them.
fn wanted(study: &Study, arguments: &Arguments) -> Result<Wanted, Failure> {
    let known = |kind: &str, name: &Option<String>, names: &[&str]| match name {
        Some(name) if !names.iter().any(|known| is_of(known, name)) => {
            // Names of a letter or two are all similar to each other.
            let help = if kind == "claim" { help(name, names) } else { there_are(names) };
            Err(Failure::Input(format!("there is no {kind} called `{}`\n{help}", show(name))))
        }
        _ => Ok(()),
    };
    known("table", &arguments.table, &study.tables())?;
    known("figure", &arguments.figure, &study.figures())?;
    let claims: Vec<&str> = study.claims().iter().map(|claim| &*claim.id).collect();
    known("claim", &arguments.claim, &claims)?;
    Ok(Wanted {
        table: arguments.table.clone(),
        figure: arguments.figure.clone(),
        claim: arguments.claim.clone(),
    })
}

fn refused(error: FolderError) -> Failure {
    match error {
        FolderError::File(error) => Failure::System(format!(
            "{error}\nhelp: the rows need a folder that can be made and written to; give another \
             with `--output FOLDER`"
        )),
        taken => Failure::Input(format!(
            "{taken}\nhelp: give another folder with `--output FOLDER`, or write to it with \
             `--force`"
        )),
    }
}
