//! Output files of a study, in a folder of their own.
//!
//! `PAPER.csv`, `PAPER.md` and the page `PAPER.html` hold the rows, `PAPER-figure-3a.svg` and `.csv` a figure and its series,
//! `PAPER-played.csv` what was played, and the folder `PAPER-played` its scenarios.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::played;
use super::resume::PARTS;
use super::row::{self, Row};
use super::told;
use super::{EXPERIMENTS, Effort, Found, PAPERS, Paper, Study, Wanted};
use records::files::{FileError, is_draft, probe, sync_folder, written};
use report::files::FORMAT;
use report::page::{Clock, Named, Page, html};
use report::picture::svg::Size;
use report::table::{Format, Table};
use run::folder::FolderError;

/// First lines of `PAPER.md`, which identify the settings; equal stamps mean equal rows.
pub fn stamp(paper: &Paper, study: &Study, effort: Effort, wanted: &Wanted) -> String {
    let (Effort { samples, quick, seed, seeds }, unit) = (effort, study.rule.unit);
    let mut part = String::new();
    let parts = [("table", &wanted.table), ("figure", &wanted.figure), ("claim", &wanted.claim)];
    for (kind, name) in parts {
        if let Some(name) = name {
            part.push_str(&format!(", {kind} {name}"));
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let quick = if quick { ", quick" } else { "" };
    format!(
        "# {}\n\n{}\n\ngridpact {version}, {samples} {unit}, seed {seed}, {seeds} in \
         all{quick}{part}\n",
        paper.title, paper.authors
    )
}

/// True for experiments, of which one sentence says whether what was expected holds.
fn is_asked(study: &Study) -> bool {
    EXPERIMENTS.study.is_some_and(|experiments| std::ptr::eq(experiments, study))
}

/// The main results of a paper, the causes of differences, and the rows.
fn tables(study: &Study, rows: &[Row]) -> Vec<Table> {
    let results = (!is_asked(study)).then(|| told::results(&study.register.told, rows));
    results.into_iter().chain([told::differences(rows), row::table(rows)]).collect()
}

/// The main results, the causes of differences and the rows for a person, under the stamp.
pub fn markdown(stamp: &str, study: &Study, rows: &[Row]) -> String {
    let tables = tables(study, rows);
    let told = tables.iter().filter(|table| !table.is_empty());
    let told: Vec<String> = told.map(|table| table.render(Format::Markdown, None)).collect();
    let (tables, summary) = (told.join("\n"), row::summary(rows));
    format!("{stamp}\n{tables}\n{summary}\n\n{}\n", study.rule.words())
}

/// The page of a study: main results, differences with their causes, figures and all rows.
fn page(paper: &Paper, study: &Study, stamp: &str, found: &Found) -> Page {
    let rows = &found.rows;
    let tables = tables(study, rows);
    let pictures = found
        .pictures
        .iter()
        .map(|one| Named { name: format!("Figure {}", one.told().0), picture: one.picture() });
    let asked = is_asked(study).then(|| told::expected(rows));
    let effort = stamp.lines().nth(4).unwrap_or_default().to_owned();
    Page {
        format: FORMAT,
        title: paper.title.to_owned(),
        about: vec![paper.authors.to_owned(), effort],
        answer: asked.into_iter().chain([row::summary(rows)]).collect(),
        warnings: Vec::new(),
        tables: tables.iter().map(Table::shown).collect(),
        pictures: pictures.collect(),
        notes: vec![study.rule.words()],
        facts: Vec::new(),
        clock: Clock::default(),
    }
}

/// Creates the folder, or checks that it is safe to write to.
///
/// It may hold only study files, and no other results of the same paper; with `force`, anything.
///
/// # Errors If it holds something else, or cannot be created.
pub fn prepare(folder: &Path, paper: &Paper, stamp: &str, force: bool) -> Result<(), FolderError> {
    if folder.is_file() {
        let error = io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder");
        return Err(FileError::of(folder)(error).into());
    }
    fs::create_dir_all(folder).map_err(FileError::of(folder))?;
    // Fail now rather than after the rounds.
    probe(folder)?;
    let mut foreign = Vec::new();
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let name = entry.map_err(FileError::of(folder))?.file_name();
        if is_draft(&name) {
            let draft = folder.join(name);
            fs::remove_file(&draft).map_err(FileError::of(&draft))?;
        } else {
            let is_ours = |name: &&str| {
                *name == PARTS || PAPERS.iter().chain([paper]).any(|paper| is_of(paper, name))
            };
            foreign.extend(name.to_str().filter(|name| !is_ours(name)).map(str::to_owned));
        }
    }
    if force {
        return Ok(());
    }
    if let Some(file) = foreign.into_iter().min() {
        return Err(FolderError::Foreign { folder: folder.to_owned(), file });
    }
    let [csv, markdown] = ["csv", "md"].map(|end| folder.join(format!("{}.{end}", paper.name)));
    let found = fs::read_to_string(&markdown).ok();
    if found.as_deref().is_some_and(|text| text.starts_with(stamp))
        || !csv.exists() && !markdown.exists()
    {
        return Ok(());
    }
    let told = found.as_deref().and_then(|text| text.lines().nth(4)).unwrap_or("unknown effort");
    let what = format!("other rows of `{}` ({told})", paper.name);
    Err(FolderError::Taken { folder: folder.to_owned(), what })
}

/// Writes the files atomically, each complete or not at all, and removes older ones of the paper.
///
/// # Errors If the disk does not accept them.
pub fn write(
    folder: &Path,
    paper: &Paper,
    study: &Study,
    stamp: &str,
    found: &Found,
) -> Result<(), FileError> {
    let (name, scenarios) = (paper.name, format!("{}-played", paper.name));
    let mut text = markdown(stamp, study, &found.rows);
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for picture in &found.pictures {
        let (figure, title, caption) = picture.told();
        let file = format!("{name}-figure-{figure}");
        text.push_str(&format!("\n![Figure {figure}: {title}]({file}.svg)\n\n{caption}\n"));
        let svg = picture.picture().svg(Size::Screen);
        files.extend([(format!("{file}.svg"), svg), (format!("{file}.csv"), picture.csv())]);
    }
    let table = played::table(&found.played, study.rule.unit).render(Format::Csv, None);
    files.insert(format!("{scenarios}.csv"), table.into_bytes());
    let rows = row::table(&found.rows).render(Format::Csv, None);
    files.insert(format!("{name}.csv"), rows.into_bytes());
    files.insert(format!("{name}.md"), text.into_bytes());
    files.insert(format!("{name}.html"), html::render(&page(paper, study, stamp, found), None));
    let with_scenario = found.played.iter().filter(|one| !one.scenario.is_empty());
    let toml: BTreeMap<String, Vec<u8>> = with_scenario
        .map(|one| (format!("{}.toml", one.configuration), one.scenario.clone().into_bytes()))
        .collect();
    let inner = folder.join(scenarios);
    fs::create_dir_all(&inner).map_err(FileError::of(&inner))?;
    publish(&inner, &toml, |file| file.ends_with(".toml"))?;
    publish(folder, &files, |file| file.strip_prefix(name).is_some_and(is_figure))
}

/// Writes files, and removes those beside them that are older ones of the same kind.
fn publish(
    folder: &Path,
    files: &BTreeMap<String, Vec<u8>>,
    is_older: impl Fn(&str) -> bool,
) -> Result<(), FileError> {
    for (name, content) in files {
        written(&folder.join(name), content)?.publish()?;
    }
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let path = entry.map_err(FileError::of(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_older(name) && !files.contains_key(name) {
            fs::remove_file(&path).map_err(FileError::of(&path))?;
        }
    }
    sync_folder(folder)
}

/// True for a file that a study of the paper may have written.
fn is_of(paper: &Paper, file: &str) -> bool {
    file.strip_prefix(paper.name).is_some_and(|rest| {
        [".csv", ".html", ".md", "-played.csv", "-played"].contains(&rest) || is_figure(rest)
    })
}

/// True for what follows the paper's name in the file of a figure.
fn is_figure(rest: &str) -> bool {
    rest.starts_with("-figure-") && [".csv", ".svg"].iter().any(|end| rest.ends_with(end))
}
