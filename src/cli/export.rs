//! `gridpact export`: the jobs of a results folder, as other tools read them.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use records::field::Kind;
use records::files::{Draft, FileError, read_regular};
use records::jobs;
use records::parquet::Parquet;
use records::recorded::{RecordedError, Row, Rows};
use report::files::Manifest;

use super::{Failure, say};
use stats::shown::counted;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folder of a run with `jobs.csv`.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Format of the file.
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// File to write; it replaces one that is there [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Replication whose jobs are written, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replication: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// Trace events in JSON: a process for each cluster, a thread for each processor, for the Perfetto
    /// viewer; a job is on the first of its processors.
    Perfetto,
    /// The Standard Workload Format, with the waits of this run.
    Swf,
    /// The lines of jobs.csv of this replication, for evalys and other tools of Batsim.
    Evalys,
    /// The columns of jobs.csv of this replication, with their types.
    Parquet,
}

/// Why jobs are not written.
enum Wrong {
    Read(RecordedError),
    Write(io::Error),
}

impl From<RecordedError> for Wrong {
    fn from(error: RecordedError) -> Wrong {
        Wrong::Read(error)
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Wrong {
        Wrong::Write(error)
    }
}

pub(super) fn export(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let path = folder.join("manifest.json");
    let damaged = |what: &str| {
        let help = "`gridpact export` wants the folder that `gridpact run` wrote";
        Failure::Input(format!("{}: {what}\nhelp: {help}", path.display()))
    };
    let text = read_regular(&path).map_err(|error| match error.error.kind() {
        io::ErrorKind::NotFound => damaged("there are no results here"),
        _ => Failure::from(error),
    })?;
    let manifest = Manifest::read(&text).map_err(|wrong| damaged(&wrong))?;
    let names = || manifest.files.keys().map(String::as_str);
    let has_jobs = names().any(|name| name.starts_with("jobs") && name.contains(".csv"));
    if !has_jobs || manifest.clusters.is_empty() {
        return Err(damaged("this run kept no jobs on clusters"));
    }
    if arguments.replication >= manifest.replications {
        let replications = counted(manifest.replications.into(), "replication", "replications");
        let number = arguments.replication;
        return Err(Failure::Input(format!(
            "--replication {number}: the run has {replications}\nhelp: they are counted from 0"
        )));
    }
    let rows = || Rows::named(folder, "jobs", names());
    let is_list = |row: &Row<'_>| row.columns.iter().any(|one| one == "allocated_resources");
    if !rows().and_then(|mut rows| Ok(rows.read()?.as_ref().is_none_or(is_list))).map_err(unread)? {
        return Err(damaged("jobs of divisible load have no processors of their own"));
    }
    let write = |out: &mut dyn Write| -> Result<(), Wrong> {
        let rows = rows()?;
        match arguments.to {
            To::Perfetto => perfetto(&manifest, rows, arguments.replication, out),
            To::Swf => swf(&manifest, rows, arguments.replication, out),
            To::Evalys => evalys(rows, arguments.replication, out),
            To::Parquet => parquet(rows, arguments.replication, out),
        }
    };
    let to = |path: &Path| {
        let path = path.to_owned();
        move |wrong: Wrong| match wrong {
            Wrong::Read(error) => unread(error),
            Wrong::Write(error) => Failure::from(FileError::of(&path)(error)),
        }
    };
    match &arguments.out {
        Some(path) => {
            let mut draft = Draft::begin(path)?;
            write(&mut draft).map_err(to(path))?;
            draft.complete()?.publish()?;
            say(&path.display().to_string());
            Ok(())
        }
        None if arguments.to == To::Parquet
            && io::stdout().is_terminal()
            && !super::host::is_there() =>
        {
            let help = "help: name a file with `--out`, or redirect the output";
            Err(Failure::Input(format!("Parquet is not for a terminal\n{help}")))
        }
        None => {
            let mut out = BufWriter::new(super::host::standard_output());
            match write(&mut out).and_then(|()| Ok(out.flush()?)) {
                // A closed pipe is not an error.
                Err(Wrong::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written.map_err(to(Path::new("standard output"))),
            }
        }
    }
}

fn unread(error: RecordedError) -> Failure {
    Failure::Input(error.to_string())
}

/// Acts on the rows of one replication.
fn each(
    mut rows: Rows,
    replication: u32,
    mut act: impl FnMut(&Row<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    while let Some(row) = rows.read()? {
        if row.get::<u32>("replication")? == replication {
            act(&row)?;
        }
    }
    Ok(())
}

/// A number of a column; `None` where it is empty.
fn number(row: &Row<'_>, column: &str) -> Result<Option<f64>, RecordedError> {
    let text: &str = row.get(column)?;
    match text.parse() {
        Ok(value) => Ok(Some(value)),
        Err(_) if text.is_empty() => Ok(None),
        Err(_) => Err(row.wrong(column, text, "a number")),
    }
}

/// Names with their numbers from 1.
fn ranks<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, usize> {
    names.map(String::as_str).zip(1..).collect()
}

/// Trace events as the Perfetto viewer and others read them: complete events (`X`) with a start and a
/// length in microseconds. A unit of time is a second there.
fn perfetto(
    manifest: &Manifest,
    rows: Rows,
    replication: u32,
    out: &mut dyn Write,
) -> Result<(), Wrong> {
    let clusters = ranks(manifest.clusters.iter().map(|one| &one.name));
    out.write_all(b"{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n")?;
    for (name, rank) in &clusters {
        let args = serde_json::json!({ "name": name });
        let event =
            serde_json::json!({ "ph": "M", "name": "process_name", "pid": rank, "args": args });
        writeln!(out, "{event},")?;
    }
    each(rows, replication, |row| {
        let start = number(row, "starting_time")?;
        let (Some(start), Some(finish)) = (start, number(row, "finish_time")?) else {
            return Ok(());
        };
        let resources: &str = row.get("allocated_resources")?;
        let first = resources.split(['-', ' ']).next().unwrap_or_default();
        let cluster: &str = row.get("cluster")?;
        let args = serde_json::json!({
            "organization": row.get::<&str>("organization")?,
            "processors": row.get::<u32>("requested_number_of_resources")?,
            "allocated": resources,
            "submitted": number(row, "submission_time")?,
            "waited": number(row, "waiting_time")?,
        });
        let event = serde_json::json!({
            "ph": "X",
            "name": format!("job {}", row.get::<&str>("job_id")?),
            "cat": row.get::<&str>("organization")?,
            "pid": clusters.get(cluster).copied().unwrap_or(0),
            "tid": first.parse::<u32>().unwrap_or(0) + 1,
            "ts": start * 1e6,
            "dur": (finish - start) * 1e6,
            "args": args,
        });
        Ok(writeln!(out, "{event},")?)
    })?;
    // An event without a job, as there is no comma after the last one.
    Ok(out.write_all(b"{\"ph\": \"M\", \"name\": \"end\", \"pid\": 0, \"args\": {}}\n]}\n")?)
}

/// A line of 18 fields for each job that came, with `-1` for what is not known.
fn swf(
    manifest: &Manifest,
    rows: Rows,
    replication: u32,
    out: &mut dyn Write,
) -> Result<(), Wrong> {
    let owners = ranks(manifest.organizations.iter());
    let clusters = ranks(manifest.clusters.iter().map(|one| &one.name));
    let processors: u64 = manifest.clusters.iter().map(|one| u64::from(one.processors)).sum();
    writeln!(out, "; Version: 2.2\n; Computer: simulated by gridpact\n; MaxProcs: {processors}")?;
    for (name, rank) in &owners {
        writeln!(out, "; Note: group {rank} is {name}")?;
    }
    for (name, rank) in &clusters {
        writeln!(out, "; Partition: {rank} {name}")?;
    }
    each(rows, replication, |row| {
        let told = |value: Option<f64>| value.map_or("-1".to_owned(), |value| value.to_string());
        let state: &str = row.get("final_state")?;
        let status = match (row.get::<u32>("success")?, number(row, "finish_time")?) {
            (1, _) => 1,
            (_, Some(_)) if state.contains("WALLTIME") => 5,
            (_, Some(_)) => 0,
            (_, None) => -1,
        };
        let width: u32 = row.get("requested_number_of_resources")?;
        let start = number(row, "starting_time")?;
        let rank = |all: &BTreeMap<&str, usize>, column: &str| -> Result<i64, RecordedError> {
            Ok(all.get(row.get::<&str>(column)?).map_or(-1, |&rank| rank as i64))
        };
        Ok(writeln!(
            out,
            "{} {} {} {} {} -1 -1 {width} {} -1 {status} {} {} -1 -1 {} -1 -1",
            row.get::<&str>("job_id")?,
            told(number(row, "submission_time")?),
            told(start.and(number(row, "waiting_time")?)),
            told(start.and(number(row, "execution_time")?)),
            if start.is_some() { i64::from(width) } else { -1 },
            told(number(row, "requested_time")?),
            row.get::<&str>("user")?,
            rank(&owners, "organization")?,
            rank(&clusters, "cluster")?,
        )?)
    })
}

/// The lines of a replication, with the header.
fn evalys(rows: Rows, replication: u32, out: &mut dyn Write) -> Result<(), Wrong> {
    let mut lines = csv::Writer::from_writer(out);
    let wrong = |error: csv::Error| Wrong::Write(io::Error::other(error));
    lines.write_record(rows.columns()).map_err(wrong)?;
    each(rows, replication, |row| lines.write_record(row.record).map_err(wrong))?;
    Ok(lines.flush()?)
}

/// The columns of a replication, with the types that jobs.csv has.
fn parquet(rows: Rows, replication: u32, out: &mut dyn Write) -> Result<(), Wrong> {
    let known = jobs::described();
    let column = |name: &str| {
        let kind = known.iter().find(|one| one.0 == name).map_or(Kind::Text, |one| one.2);
        (name.to_owned(), kind)
    };
    let columns: Vec<(String, Kind)> = rows.columns().iter().map(column).collect();
    let mut file = Parquet::begin(out, columns)?;
    each(rows, replication, |row| Ok(file.row(row.record)?))?;
    Ok(file.end()?)
}
