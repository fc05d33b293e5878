//! `gridpact workload import --from batsim`.

use std::io;
use std::path::Path;

use workload::batsim::{self, BatsimError};
use workload::jobs::{JobsWriter, MoreColumns};
use workload::sacct::{Malformed, Owner, Unit};

use super::{Arguments, deliver, named, plain, quoted, relative, title};
use crate::{Failure, say};

pub(super) fn import(arguments: &Arguments) -> Result<(), Failure> {
    let of_logs = [
        ("--center", !arguments.center.is_empty()),
        ("--columns", arguments.columns.is_some()),
        ("--by", arguments.by != Owner::Account),
        ("--owners", arguments.owners.is_some()),
        ("--processors", arguments.processors != Unit::Cpus),
        ("--since", arguments.since.is_some()),
        ("--completed", arguments.completed),
        ("--malformed", arguments.malformed != Malformed::Error),
        ("--delimiter", arguments.delimiter != "|"),
    ];
    if let Some((flag, _)) = of_logs.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::Input(format!(
            "`{flag}` belongs to logs of batch systems\nhelp: leave it out for a workload of Batsim"
        )));
    }
    let [file] = &arguments.files[..] else {
        let message = "one workload of Batsim is imported at a time\nhelp: give one file";
        return Err(Failure::Input(message.to_owned()));
    };
    let failure = |error: BatsimError| {
        let of = if error.is_unreadable { Failure::System } else { Failure::Input };
        of(error.to_string())
    };
    let imported = batsim::read(file, arguments.over_limit).map_err(failure)?;
    let title = title(arguments);
    let names = named([&*title].into_iter(), "workload");
    let tags = imported.tags.clone().spelled(plain);
    let list = |out: &mut dyn io::Write| -> io::Result<()> {
        let more = MoreColumns { tags: true, ..MoreColumns::default() };
        let mut writer = JobsWriter::new(out, &names, more)?;
        let mut jobs = imported.jobs.iter();
        jobs.try_for_each(|job| writer.row(job, Some(job.estimate), tags.of(job.number)))
    };
    let processors = imported.processors;
    let sketch = |scenario: &Path, list: &Path| {
        let list = relative(list, scenario)?;
        Ok(format!(
            "# The jobs of a workload of Batsim, on as many processors as it was made for.\n\
             # A scheduler of Batsim decides with\n\
             #   scheduler.batsim = {{ socket = \"tcp://127.0.0.1:28000\" }}\n\n\
             name = {}\n\n[[organization]]\nname = {}\n\
             cluster.space_shared = {{ processors = {processors}, scheduler.easy = {{}} }}\n\n\
             [workload.jobs]\nfile = {}\n",
            quoted(&title),
            quoted(&names[0]),
            quoted(&list),
        ))
    };
    deliver(arguments, list, sketch)?;
    if !arguments.quiet {
        let mut told = format!("{}: {}", file.display(), imported.ledger);
        if let Some(scenario) = &arguments.scenario {
            told.push_str(&format!("scenario: {}", scenario.display()));
        }
        say(told.trim_end());
    }
    Ok(())
}
