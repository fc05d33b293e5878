//! A sweep in parts: its points, its shares, and what puts them together.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use records::files::FileError;
use report::table::{Cell, Column, Table};
use run::control::Control;
use run::folder::{Claim, FolderError};
use run::kept::{NotKept, Part, SavedRun};
use run::shards::{self, NotMerged};
use run::sweep::{Share, Sweep};
use stats::shown::counted;

use super::{Ready, SweepFile};
use crate::run::{Execution, RunOptions, no_folder};
use crate::{Failure, format, print, print_prose, say};

#[derive(Debug, Args)]
pub(super) struct Plan {
    #[command(flatten)]
    of: SweepFile,
    #[command(flatten)]
    choice: format::Choice,
}

/// Most points that are listed for people.
const SHOWN: usize = 100;

pub(super) fn plan(arguments: &Plan) -> Result<(), Failure> {
    let ready = arguments.of.read(false)?;
    let design = &ready.study.design;
    let format = arguments.choice.format;
    let names = design.keys.iter().map(|key| Column::text(key.name.clone()));
    let rest = [Column::figure("replications"), Column::text("scenario_digest")];
    let rest = rest.into_iter().take(if format.is_for_people() { 1 } else { 2 });
    let columns = std::iter::once(Column::figure("point")).chain(names).chain(rest);
    let mut table = Table::new("points", columns);
    let most = if format.is_for_people() { SHOWN } else { usize::MAX };
    for (at, (values, plan)) in design.points.iter().zip(&ready.study.plans).enumerate().take(most)
    {
        let mut cells: Vec<Cell> = vec![(at as u64).into()];
        cells.extend(values.iter().map(|value| Cell::from(value.shown())));
        cells.push(u64::from(plan.replications).into());
        if !format.is_for_people() {
            cells.push(plan.digest.as_str().into());
        }
        table.row(cells);
    }
    if design.points.len() > most {
        let left = (design.points.len() - most) as u64;
        table.note(format!("{} not shown", counted(left, "more point is", "more points are")));
    }
    let shown = table.render(format, format::width());
    if !format.is_for_people() {
        return print(&shown);
    }
    print_prose(&format!("{}: {}\n\n{shown}", ready.joint.title(), ready.size()))
}

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    of: SweepFile,
    /// The share to run, such as `3/7`: the third of seven.
    #[arg(long, value_name = "K/N")]
    shard: Share,
    /// Folder for the results of the whole sweep [default: results/sweep- and the name].
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    #[command(flatten)]
    execution: Execution,
}

pub(super) fn run(arguments: &Run) -> Result<(), Failure> {
    let begun = Instant::now();
    let ready = arguments.of.read(false)?;
    let share = arguments.shard;
    let results = arguments.out.clone().unwrap_or_else(|| ready.folder());
    let folder = share.folder(&results);
    std::fs::create_dir_all(&folder).map_err(FileError::of(&folder))?;
    // Another task may still run the share, on a node that its system has given up: try again later.
    let claim = Claim::of(&folder).map_err(|error| match error {
        FolderError::Busy { .. } => Failure::Stopped(format!(
            "{error}\nhelp: it may be this very share; the same command goes on once that has ended"
        )),
        other => no_folder(other),
    })?;
    if let Err(version @ NotKept::Version { .. }) = SavedRun::read(&folder) {
        return Err(Failure::Input(format!(
            "{}: {version}\nhelp: end the share with that version, or remove the folder to run it anew",
            folder.display()
        )));
    }
    let every = arguments.execution.checkpoint_every.unwrap_or_default();
    ready.kept(Part::Share(share), every, &folder).write(&claim)?;
    claim.tidy()?;
    ready.go_share(share, &arguments.execution.prepared(&ready.joint, Some(claim), every, begun))
}

/// A sweep, and the folder of its results.
#[derive(Debug, Args)]
struct Begun {
    #[command(flatten)]
    of: SweepFile,
    /// Folder of the results.
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    begun: Begun,
    #[command(flatten)]
    choice: format::Choice,
}

/// The cells that have ended, in the folder of the results and in those of shares.
struct Ended {
    results: PathBuf,
    folders: Vec<PathBuf>,
    /// In the results themselves.
    merged: Vec<bool>,
    /// In each share.
    each: Vec<Vec<bool>>,
}

impl Ended {
    fn of(ready: &Ready, world: &Sweep<'_>, out: Option<&PathBuf>) -> Result<Ended, Failure> {
        let results = out.cloned().unwrap_or_else(|| ready.folder());
        let folders = shards::folders(&results)?;
        Ended::in_folders(ready, world, results, folders)
    }

    fn in_folders(
        ready: &Ready,
        world: &Sweep<'_>,
        results: PathBuf,
        folders: Vec<PathBuf>,
    ) -> Result<Ended, Failure> {
        let ended = |folder: &Path| shards::ended(world, &ready.joint, folder);
        let merged = ended(&results)?;
        let each = folders.iter().map(|folder| ended(folder)).collect::<Result<_, FileError>>()?;
        Ok(Ended { results, folders, merged, each })
    }

    /// True for a cell that has ended anywhere.
    fn has(&self, cell: usize) -> bool {
        self.merged[cell] || self.each.iter().any(|each| each[cell])
    }

    /// The number of shares, by the names of the folders.
    fn shares(&self) -> Option<u32> {
        let number = |folder: &PathBuf| {
            folder.file_name()?.to_str()?.rsplit_once("-of-")?.1.parse::<u32>().ok()
        };
        self.folders.iter().filter_map(number).max()
    }

    /// The shares of which a cell is missing.
    fn missing(&self, world: &Sweep<'_>, shares: u32) -> Vec<u32> {
        let cells = (0..world.cells()).filter(|&cell| !self.has(cell as usize));
        let mut missing: Vec<u32> = cells.map(|cell| world.share_of(cell, shares)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}

pub(super) fn status(arguments: &Status) -> Result<(), Failure> {
    let ready = arguments.begun.of.read(false)?;
    let world = ready.world()?;
    let ended = Ended::of(&ready, &world, arguments.begun.out.as_ref())?;
    let shares = ended.folders.iter().zip(&ended.each).map(|(folder, each)| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let cells = name.replacen("-of-", "/", 1).parse().ok().map(|share| world.of_share(share));
        let has_ended = |cells: &Vec<u32>| cells.iter().all(|&cell| each[cell as usize]);
        let state = match Claim::of(folder) {
            Err(FolderError::Busy { .. }) => "running",
            _ if matches!(SavedRun::read(folder), Err(NotKept::Version { .. })) => {
                "of another version"
            }
            _ if cells.as_ref().is_some_and(has_ended) => "ended",
            _ => "stopped",
        };
        let done = each.iter().filter(|ended| **ended).count();
        (name.into_owned(), cells.map(|cells| cells.len()), done, state)
    });
    let shares: Vec<_> = shares.collect();
    let table = Table::of("status", &shares)
        .text("share", |(share, ..)| &**share)
        .figure("cells", |&(_, cells, ..)| cells)
        .figure("ended", |&(_, _, done, _)| done)
        .text("state", |&(.., state)| state)
        .table();
    let format = arguments.choice.format;
    let shown = table.render(format, format::width());
    if !format.is_for_people() {
        return print(&shown);
    }
    let all = world.cells() as usize;
    let done = (0..all).filter(|&cell| ended.has(cell)).count();
    let line = format!(
        "{}: {done} of {} have ended ({})",
        ended.results.display(),
        counted(all as u64, "replication", "replications"),
        ready.size()
    );
    match table.is_empty() {
        true => print_prose(&format!("{line}\nno share has begun\n")),
        false => print_prose(&format!("{line}\n\n{shown}")),
    }
}

#[derive(Debug, Args)]
pub(super) struct Missing {
    #[command(flatten)]
    begun: Begun,
    /// Number of shares [default: that of the folders that are there].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    shards: Option<u32>,
}

pub(super) fn missing(arguments: &Missing) -> Result<(), Failure> {
    let ready = arguments.begun.of.read(false)?;
    let world = ready.world()?;
    let ended = Ended::of(&ready, &world, arguments.begun.out.as_ref())?;
    let Some(shares) = arguments.shards.or(ended.shares()) else {
        return Err(Failure::Input(format!(
            "{}: no share has begun, so their number is not known\nhelp: give it with `--shards N`",
            ended.results.display()
        )));
    };
    let missing = ended.missing(&world, shares);
    if missing.is_empty() {
        say("nothing is missing; `gridpact sweep merge` writes the results");
        return Ok(());
    }
    print(&format!("{}\n", ranges(&missing)))
}

/// Numbers in order as `3,5-7`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let told = ranges.iter().map(|&(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    told.collect::<Vec<_>>().join(",")
}

#[derive(Debug, Args)]
pub(super) struct Merge {
    #[command(flatten)]
    of: SweepFile,
    /// Folder of a share; may be repeated [default: all that are below the results].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    from: Vec<PathBuf>,
    #[command(flatten)]
    options: RunOptions,
}

pub(super) fn merge(arguments: &Merge) -> Result<(), Failure> {
    let begun = Instant::now();
    let ready = arguments.of.read(false)?;
    let world = ready.world()?;
    let results = arguments.options.folder_or(ready.folder())?;
    let folders = match &arguments.from[..] {
        [] => shards::folders(&results)?,
        some => some.to_vec(),
    };
    let ended = Ended::in_folders(&ready, &world, results, folders)?;
    let all = world.cells() as usize;
    let gaps = (0..all).filter(|&cell| !ended.has(cell)).count();
    if gaps > 0 {
        let shares = ended.shares().map(|shares| ended.missing(&world, shares));
        let which = shares.map(|shares| format!(", of the shares {}", ranges(&shares)));
        return Err(Failure::Input(format!(
            "{gaps} of {} have not ended{}\nhelp: run these shares again; they go on where they were",
            counted(all as u64, "replication", "replications"),
            which.unwrap_or_default()
        )));
    }
    let run = ready.whole(&arguments.options, begun)?;
    let claim = run.claim.as_ref().expect("a merge has a folder");
    let control = Control::default();
    let merged = shards::merge(&world, claim, &ended.folders, &control);
    control.notes().iter().for_each(|note| say(&format!("note: {note}")));
    merged.map_err(not_merged)?;
    ready.go(&run)
}

fn not_merged(wrong: NotMerged) -> Failure {
    match wrong {
        NotMerged::Kept(wrong) => Failure::Input(format!(
            "{wrong}\nhelp: shares of one version of gridpact are merged by the same version"
        )),
        NotMerged::Folder(wrong) => no_folder(wrong),
        NotMerged::Differs { .. } => Failure::Input(format!(
            "{wrong}\nhelp: the same replication gives the same results everywhere; remove the folder \
             that is wrong, and run its share again"
        )),
        NotMerged::File(wrong) => wrong.into(),
    }
}
