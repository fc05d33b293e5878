//! Output files of a study: `PAPER.csv` and `PAPER.md` in a folder of their own.

use std::fs;
use std::io;
use std::path::Path;

use super::row::{self, Row};
use super::verdict::RULE;
use super::{Effort, PAPERS, Paper, Wanted};
use crate::report::files::{FileError, is_draft, probe, sync_folder, written};
use crate::report::table::Format;
use crate::run::folder::FolderError;

/// First lines of `PAPER.md`, which identify the settings; equal stamps mean equal rows.
pub fn stamp(paper: &Paper, effort: Effort, wanted: &Wanted) -> String {
    let Effort { rounds, quick, seed, seeds } = effort;
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
        "# {}\n\n{}\n\ngridpact {version}, {rounds} rounds, seed {seed}, {seeds} in \
         all{quick}{part}\n",
        paper.title, paper.authors
    )
}

/// The rows for a person, under the stamp.
pub fn markdown(paper: &Paper, effort: Effort, wanted: &Wanted, rows: &[Row]) -> String {
    let stamp = stamp(paper, effort, wanted);
    let table = row::table(rows).render(Format::Markdown, None);
    format!("{stamp}\n{table}\n{}\n\n{RULE}\n", row::summary(rows))
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
            foreign.extend(name.to_str().filter(|name| !is_ours(name)).map(str::to_owned));
        }
    }
    if force {
        return Ok(());
    }
    if let Some(file) = foreign.into_iter().min() {
        return Err(FolderError::Foreign { folder: folder.to_owned(), file });
    }
    let [csv, markdown] = files(paper).map(|name| folder.join(name));
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

/// Writes the files atomically, each complete or not at all.
///
/// # Errors If the disk does not accept them.
pub fn write(folder: &Path, paper: &Paper, rows: &[Row], markdown: &str) -> Result<(), FileError> {
    let [csv, md] = files(paper).map(|name| folder.join(name));
    let table = row::table(rows).render(Format::Csv, None);
    let files = [written(&csv, table.as_bytes())?, written(&md, markdown.as_bytes())?];
    for file in files {
        file.publish()?;
    }
    sync_folder(folder)
}

/// Names of a paper's files.
fn files(paper: &Paper) -> [String; 2] {
    ["csv", "md"].map(|end| format!("{}.{end}", paper.name))
}

fn is_ours(name: &str) -> bool {
    PAPERS.iter().any(|paper| files(paper).iter().any(|file| file == name))
}
