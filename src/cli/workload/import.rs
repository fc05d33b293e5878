//! `gridpact workload import`.

mod batsim;

use kernel::map::Set;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use records::files::{Draft, FileError};
use report::table::{Cell, Column, Format, Table};
use scenario::resolve::name_trouble;
use stats::shown::{count, counted, figure};
use workload::foreign::Foreign;
use workload::jobs::{JobsWriter, MoreColumns, is_user};
use workload::owners::{OwnersError, OwnersFile};
use workload::sacct::{
    self, Early, Form, Imported, Log, Malformed, Options, OverLimit, Owner, Party, SacctError,
    States, Unit,
};

use super::free;
use crate::format::{Word, words};
use crate::{Failure, format, print, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Batch system that wrote the log.
    #[arg(long, value_name = "SYSTEM")]
    from: From,
    /// Log files, plain or gzip, each with its header; `-` is standard input.
    #[arg(value_name = "LOG", required_unless_present = "center", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Log of a center, in place of LOG; may be repeated. Accounts, users and numbers of jobs of
    /// different centers are kept apart.
    #[arg(long, value_name = "NAME=FILE", conflicts_with = "files", value_parser = center)]
    center: Vec<(String, PathBuf)>,
    /// Names of the columns of a log without a header, such as `JobID,User,Account,...`.
    #[arg(long, value_name = "NAMES")]
    columns: Option<String>,
    /// Column whose names become organizations.
    #[arg(long, value_name = "COLUMN", default_value = "account", value_parser = words(COLUMNS))]
    by: Owner,
    /// CSV file with the columns `user` and `organization`: makes organizations of these users. The
    /// user `*` stands for all others.
    #[arg(long, value_name = "FILE", conflicts_with = "by", value_hint = ValueHint::FilePath)]
    owners: Option<PathBuf>,
    /// Unit in which processors are counted.
    #[arg(long, value_name = "UNIT", default_value = "cpus", value_parser = words(UNITS))]
    processors: Unit,
    /// Leave out jobs submitted before this time, such as 2026-03-02T12:00:00.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<i64>,
    /// Keep only jobs in state COMPLETED, instead of all that ran.
    #[arg(long)]
    completed: bool,
    /// Treatment of jobs that ran longer than their time limit.
    #[arg(long, value_name = "RULE", default_value = "cut", value_parser = words(OVER_LIMIT))]
    over_limit: OverLimit,
    /// Treatment of lines that are not jobs.
    #[arg(long, value_name = "RULE", default_value = "error", value_parser = words(MALFORMED))]
    malformed: Malformed,
    /// Column separator.
    #[arg(long, value_name = "SIGN", default_value = "|")]
    delimiter: String,
    /// Job list to write [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Also write a scenario with these jobs, a cluster for each organization.
    #[arg(long, value_name = "FILE", requires = "output", value_hint = ValueHint::FilePath)]
    scenario: Option<PathBuf>,
    /// Replace existing files.
    #[arg(long, requires = "output")]
    force: bool,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// Slurm: the output of `sacct --parsable2`.
    Sacct,
    /// The text format of the Grid Workloads Archive; an account is its GroupID, a partition its
    /// QueueID, and a cluster its OrigSiteID.
    Gwf,
    /// A workload of Batsim, in JSON; jobs whose profile is a delay.
    Batsim,
}

const COLUMNS: [Word<Owner>; 5] = [
    ("account", None, Owner::Account),
    ("partition", None, Owner::Partition),
    ("user", None, Owner::User),
    ("group", None, Owner::Group),
    ("cluster", None, Owner::Cluster),
];

const UNITS: [Word<Unit>; 3] = [
    ("cpus", Some("Logical processors"), Unit::Cpus),
    ("nodes", Some("Whole nodes"), Unit::Nodes),
    ("gpus", Some("Accelerators; jobs without one are left out"), Unit::Gpus),
];

const OVER_LIMIT: [Word<OverLimit>; 3] = [
    ("cut", Some("Cut its run time to the limit"), OverLimit::Cut),
    ("raise", Some("Raise its estimate to its run time"), OverLimit::Raise),
    (
        "keep",
        Some("Keep both, so that it outruns its estimate in the simulation too"),
        OverLimit::Keep,
    ),
];

const MALFORMED: [Word<Malformed>; 2] = [
    ("error", Some("Reject the file"), Malformed::Error),
    ("drop", Some("Leave the line out"), Malformed::Drop),
];

pub(super) fn import(arguments: &Arguments) -> Result<(), Failure> {
    let form = match arguments.from {
        From::Sacct => Form::Sacct,
        From::Gwf => Form::Gwf,
        From::Batsim => return batsim::import(arguments),
    };
    let options = options(arguments, form)?;
    let logs = arguments.logs();
    let imported =
        sacct::read(&logs, &options).map_err(|error| failure(&error, &logs, options.form))?;
    let column = column(arguments);
    let names = named(imported.parties.iter().map(|party| &*party.name), &column);
    let users = users(&imported);
    let tags = imported.tags.clone().spelled(plain);
    let clusters = named(imported.partitions.iter().map(|(party, _)| &*party.name), "partition");
    let more = MoreColumns {
        waits: true,
        users: &users,
        uses: (!clusters.is_empty()).then_some((&clusters, &[])),
        tags: true,
    };
    let list = |out: &mut dyn io::Write| -> io::Result<()> {
        let mut writer = JobsWriter::new(out, &names, more)?;
        let mut jobs = imported.jobs.iter();
        jobs.try_for_each(|job| writer.row(job, Some(job.estimate), tags.of(job.number)))
    };
    deliver(arguments, list, |scenario, output| {
        sketch(&imported, (&names, &clusters), arguments, scenario, output)
    })?;
    for (name, party) in names.iter().zip(&imported.parties) {
        if *name != party.name {
            say(&format!("warning: `{}` is called `{name}`", party.name.escape_debug()));
        }
    }
    let idle = options.organizations.as_ref().and_then(|owners| idle(owners, &imported));
    idle.iter().for_each(|warning| say(warning));
    imported.early.iter().for_each(warn_of_early);
    if !arguments.quiet {
        say(&told(&imported, &names, arguments));
    }
    Ok(())
}

/// Writes the list, and the scenario with it.
fn deliver(
    arguments: &Arguments,
    list: impl Fn(&mut dyn io::Write) -> io::Result<()>,
    sketch: impl Fn(&Path, &Path) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let place = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| free(path, arguments.force)).transpose()
    };
    let Some(output) = place(&arguments.output)? else {
        let mut text = Vec::new();
        list(&mut text).map_err(|error| Failure::System(error.to_string()))?;
        return print(&String::from_utf8_lossy(&text));
    };
    let scenario = place(&arguments.scenario)?;
    let mut drafts = vec![written(&output, list)?];
    if let Some(path) = scenario {
        let text = sketch(&path, &output)?;
        drafts.push(written(&path, |out| out.write_all(text.as_bytes()))?);
    }
    for draft in drafts {
        draft.complete().and_then(|complete| complete.publish())?;
    }
    Ok(())
}

fn moment(text: &str) -> Result<i64, String> {
    sacct::moment(text).ok_or_else(|| "expected a time such as 2026-03-02T12:00:00".to_owned())
}

fn options(arguments: &Arguments, form: Form) -> Result<Options, Failure> {
    let &[delimiter] = arguments.delimiter.as_bytes() else {
        return Err(Failure::Input(format!(
            "`--delimiter {}`: expected one ASCII sign, such as `,`",
            arguments.delimiter
        )));
    };
    let organizations = arguments.owners.as_deref().map(OwnersFile::read).transpose();
    let organizations = organizations.map_err(|error| match &error {
        OwnersError::Read { error: cause, .. } if cause.is_io_error() => {
            Failure::System(error.to_string())
        }
        _ => Failure::Input(error.to_string()),
    })?;
    Ok(Options {
        form,
        owner: if organizations.is_some() { Owner::User } else { arguments.by },
        organizations,
        unit: arguments.processors,
        since: arguments.since,
        states: if arguments.completed { States::Completed } else { States::All },
        over_limit: arguments.over_limit,
        malformed: arguments.malformed,
        delimiter,
        columns: arguments.columns.clone(),
    })
}

/// Parses the log of a center.
fn center(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.into(), file.into()))
        }
        _ => Err("expected the name of a center and its log, such as `north=north.txt`".to_owned()),
    }
}

impl Arguments {
    fn logs(&self) -> Vec<Log> {
        let plain = self.files.iter().cloned().map(Log::from);
        let of_centers = self.center.iter().cloned();
        plain.chain(of_centers.map(|(name, file)| Log { file, center: Some(name) })).collect()
    }
}

/// Names what becomes an organization.
fn column(arguments: &Arguments) -> String {
    match arguments.owners {
        Some(_) => "owner".to_owned(),
        None => format!("{:?}", arguments.by).to_lowercase(),
    }
}

fn failure(error: &SacctError, logs: &[Log], form: Form) -> Failure {
    let text = error.to_string();
    if error.is_unreadable() {
        return Failure::System(text);
    }
    let foreign = logs.iter().find_map(|log| Some((&log.file, Foreign::of_file(&log.file)?)));
    let foreign = foreign.filter(|&(_, is)| form != Form::Gwf || is != Foreign::Gwf);
    Failure::Input(match foreign {
        Some((file, is))
            if matches!(error, SacctError::Header { .. } | SacctError::Malformed { .. }) =>
        {
            format!("{}: this is {}\nhelp: {}", file.display(), is.name(), is.help())
        }
        _ => text,
    })
}

/// A draft of a file with its content; it is renamed once all files are complete.
fn written(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<Draft, Failure> {
    let mut draft = Draft::begin(path)?;
    write(&mut draft).map_err(FileError::of(path))?;
    Ok(draft)
}

/// Maximum number of users named.
const NAMED: usize = 8;

/// Warns of users in the file of owners that have no job in the log.
fn idle(owners: &OwnersFile, imported: &Imported) -> Option<String> {
    let active: Set<&str> = imported.users.iter().map(String::as_str).collect();
    let idle: Vec<&str> = owners.users().filter(|user| !active.contains(user)).collect();
    let file = owners.path().display();
    let more = if idle.len() > NAMED { ", ..." } else { "" };
    let names = idle[..idle.len().min(NAMED)].join(", ");
    match idle.len() {
        0 => None,
        1 => Some(format!("warning: 1 user of {file} has no job: {names}")),
        n => Some(format!("warning: {n} users of {file} have no job: {names}{more}")),
    }
}

/// Warns of jobs that were submitted long before all others.
fn warn_of_early(early: &Early) {
    let jobs = counted(early.jobs, "job was", "jobs were");
    let days = figure(early.seconds as f64 / 86_400.0);
    say(&format!(
        "warning: {jobs} submitted up to {days} days before the others: more than half of the time \
         of the log is nearly empty, and loads are too low\n\
         help: sacct also prints jobs submitted before `--starttime`; leave them out with \
         `--since {}`",
        early.next
    ));
}

/// The output in words: the ledger, and a row for each organization.
fn told(imported: &Imported, names: &[String], arguments: &Arguments) -> String {
    let files: Vec<String> =
        arguments.logs().iter().map(|log| log.file.display().to_string()).collect();
    let mut text = format!("{}: {}", files.join(", "), imported.ledger);
    let all: f64 = imported.parties.iter().map(|party| party.area).sum();
    let share = |area: f64| Cell::Share(area / all);
    let mut table = Table::of("organizations", names.iter().zip(&imported.parties).take(SHOWN))
        .text("organization", |(name, _)| &**name)
        .figure("jobs", |(_, party)| party.jobs)
        .column(Column::figure("of_area").called("of work"), |(_, party)| share(party.area))
        .column(Column::figure("peak").called("at once"), |(_, party)| party.peak)
        .column(Column::figure("wait").called("mean wait"), |(_, party)| party.wait)
        .table();
    let unit = match arguments.processors {
        Unit::Cpus => "CPUs",
        Unit::Nodes => "nodes",
        Unit::Gpus => "GPUs",
    };
    table
        .note(format!("at once: the most {unit} held at one moment; waits in seconds, of the log"));
    text.push_str(&table.render(Format::Text, format::width()));
    if imported.parties.len() > SHOWN {
        let more = (imported.parties.len() - SHOWN) as u64;
        let more = counted(more, "organization", "organizations");
        let _ = writeln!(text, "and {more} with less work");
    }
    if let Some(scenario) = &arguments.scenario {
        let _ = write!(text, "scenario: {}", scenario.display());
    }
    text.trim_end().to_owned()
}

/// Maximum number of organizations shown.
const SHOWN: usize = 20;

/// A scenario in which each organization has a cluster of its own.
fn sketch(
    imported: &Imported,
    (names, clusters): (&[String], &[String]),
    arguments: &Arguments,
    scenario: &Path,
    list: &Path,
) -> Result<String, Failure> {
    let list = relative(list, scenario)?;
    let name = title(arguments);
    let column = column(arguments);
    let each = match column.as_str() {
        "cluster" if !clusters.is_empty() => {
            "an organization for each of its clusters, with a cluster for each partition.\n\
             # The column `uses` of the list binds each job to its partition; partitions that share\n\
             # nodes count these twice"
                .to_owned()
        }
        "cluster" => "an organization for each of its clusters".to_owned(),
        other => format!("each {other} with a cluster of its own"),
    };
    let mut text = format!(
        "# The jobs of a log, {each}.\n#\n\
         # The log does not tell who owns how much: each cluster has the most processors that its\n\
         # {} jobs held at once, {} if all is put together. Put the real numbers in their\n\
         # place.\n",
        if clusters.is_empty() { "owner's" } else { "own" },
        count(imported.peak)
    );
    if names.len() <= SHOWN && clusters.is_empty() {
        let all: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let _ = write!(
            text,
            "#\n# What if all shared?\n#   gridpact run {} --out results/shared \\\n\
             #     --set 'organization.*.uses=[{}]'\n",
            scenario.display(),
            all.join(", ")
        );
    }
    let _ = write!(text, "\nname = {}\n", quoted(&name));
    let waited = |party: &Party| {
        let jobs = counted(party.jobs, "job", "jobs");
        format!("# {jobs}, which waited {} s on average in the log.", figure(party.wait))
    };
    let kind = |party: &Party| {
        format!("space_shared = {{ processors = {}, scheduler.easy = {{}} }}", party.peak)
    };
    for (name, party) in names.iter().zip(&imported.parties) {
        let _ = write!(text, "\n{}\n[[organization]]\nname = {}\n", waited(party), quoted(name));
        if clusters.is_empty() {
            let _ = writeln!(text, "cluster.{}", kind(party));
        }
    }
    for (name, (party, owner)) in clusters.iter().zip(&imported.partitions) {
        let _ = write!(
            text,
            "\n{}\n[[cluster]]\nname = {}\nowner = {}\nkind.{}\n",
            waited(party),
            quoted(name),
            quoted(&names[*owner as usize]),
            kind(party)
        );
    }
    let start = quoted(&sacct::written(imported.start));
    let _ = write!(text, "\n[workload.jobs]\nfile = {}\nstart = {start}\n", quoted(&list));
    Ok(text)
}

/// A name for a scenario, after the file.
fn title(arguments: &Arguments) -> String {
    let stem = match &arguments.files[..] {
        [only] if only.as_os_str() != sacct::STANDARD_INPUT => only.file_stem(),
        _ => None,
    };
    let stem = stem.unwrap_or_default().to_string_lossy();
    let sign = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { ' ' };
    let name: String = stem.chars().map(sign).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { "Imported jobs".to_owned() } else { name }
}

/// Path of a list as written in a scenario: the file name if both share a folder.
///
/// Otherwise it is the full path.
fn relative(list: &Path, scenario: &Path) -> Result<String, Failure> {
    let folder = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        fs::canonicalize(folder.unwrap_or(Path::new(".")))
            .map_err(|error| Failure::System(FileError::of(path)(error).to_string()))
    };
    let (own, other) = (folder(list)?, folder(scenario)?);
    let name = Path::new(list.file_name().unwrap_or_default());
    let path = if own == other { name.to_owned() } else { own.join(name) };
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::Input(format!(
            "{}: the path is not UTF-8, and could not stand in a scenario\nhelp: rename it",
            path.display()
        ))
    })
}

/// Text in TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Names that a scenario accepts.
///
/// Characters that CSV files, tables or terminals mishandle become `_`; words that other programs
/// take for a missing value are prefixed with the name of their column.
fn named<'a>(names: impl Iterator<Item = &'a str>, column: &str) -> Vec<String> {
    let mut taken = Set::new();
    let own = names.map(|name| {
        let mut name: String = plain(name);
        if name_trouble(&name).is_some() {
            name = format!("{column} {name}");
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    });
    own.collect()
}

/// Names of users as a list takes them: what looks like a number and is none of a user gets a word
/// before it.
fn users(imported: &Imported) -> Vec<String> {
    let own = imported.users.iter().map(|user| {
        let name = plain(user);
        if is_user(&name) { name } else { format!("user {name}") }
    });
    own.collect()
}

/// Replaces characters that CSV files, tables or terminals mishandle.
fn plain(text: &str) -> String {
    text.trim().chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || " -_.+@:/()[]&#%~".contains(c)
}
