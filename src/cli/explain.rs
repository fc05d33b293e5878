//! `gridpact explain`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueHint};
use kernel::time::Time;
use records::recorded::RecordedError;
use report::table::Table;
use review::explain::{self, ExplainError, Named, WhichClass, WhichJob};

use super::{Failure, format, print_prose, say};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("question").required(true).args(["job", "at", "class"])))]
pub(super) struct Arguments {
    /// Results folder of a run.
    #[arg(value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Explain why this job waited: its number, which is `job_id` in jobs.csv, or its label in `metadata`.
    #[arg(long, value_name = "ID")]
    job: Option<String>,
    /// Show what was running and waiting at this time.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    at: Option<f64>,
    /// Explain when this class of tasks ran and what it had of each site, in a campaign.
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// Application of the class, if several have one of that name.
    #[arg(long, value_name = "NAME", requires = "class")]
    application: Option<String>,
    /// Organization of the job.
    #[arg(long, value_name = "NAME", requires = "job")]
    organization: Option<String>,
    /// Workload of the job.
    #[arg(long, value_name = "NAME", requires = "job")]
    workload: Option<String>,
    /// Round of the job, in a coalition.
    #[arg(long, value_name = "NUMBER", requires = "job")]
    round: Option<u64>,
    /// Show only this cluster.
    #[arg(long, value_name = "NAME", requires = "at")]
    cluster: Option<String>,
    /// Replication to look at.
    #[arg(long, value_name = "NUMBER")]
    replication: Option<u32>,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only this table.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Failure {
        match error {
            ExplainError::Recorded(RecordedError::File(error)) => Failure::System(format!(
                "{error}\nhelp: `gridpact explain` wants the folder that `gridpact run` wrote"
            )),
            other => Failure::Input(other.to_string()),
        }
    }
}

pub(super) fn explain(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let manifest = explain::manifest(folder)?;
    for file in explain::changed(folder, &manifest)? {
        say(&format!(
            "warning: {file} is not the file that the run wrote, so this story may be false\n\
             help: `gridpact audit {}` says what is wrong with it",
            folder.display()
        ));
    }
    if arguments.class.is_none() && manifest.campaign.is_some() {
        return Err(Failure::Input(
            "a campaign has no jobs\nhelp: ask about a class of tasks: `--class NAME`; classes.csv has \
             their names"
                .to_owned(),
        ));
    }
    let named =
        arguments.job.as_deref().map(|job| explain::named(folder, &manifest, job)).transpose()?;
    if let Some(Named { number, other: Some(other) }) = &named {
        say(&format!(
            "warning: {number} is the label of job {other} too\nhelp: `--job label={number}` asks for that"
        ));
    }
    let number = named.map(|named| named.number);
    let (text, tables) = match (number, &manifest.coalition) {
        _ if arguments.class.is_some() => {
            let which = WhichClass {
                class: arguments.class.clone().unwrap_or_default(),
                application: arguments.application.clone(),
                replication: arguments.replication,
            };
            let why = explain::why_class(folder, &manifest, &which)?;
            (why.text(), why.tables())
        }
        (None, _) => {
            let at = arguments.at.unwrap_or_default();
            let time = Time::from_units(at).ok().filter(|&time| time >= Time::ZERO);
            let time = time.ok_or_else(|| {
                Failure::Input(format!(
                    "`--at {at}` is no time of a run\nhelp: write one from 0 on, in the units of \
                     the scenario"
                ))
            })?;
            let cluster = arguments.cluster.as_deref();
            let at = explain::at(folder, &manifest, time, cluster, arguments.replication)?;
            (at.text(), at.tables())
        }
        (Some(number), None) => {
            let why = explain::why(folder, &manifest, &arguments.which(number))?;
            (why.text(), why.tables())
        }
        (Some(number), Some(coalition)) if coalition.balancer.is_none() => {
            let which = arguments.which(number);
            let why = explain::why_pooled(folder, &manifest, coalition, &which)?;
            (why.text(), why.tables())
        }
        (Some(number), Some(coalition)) => {
            let which = arguments.which(number);
            let why = explain::why_shared(folder, &manifest, coalition, &which)?;
            (why.text(), why.tables())
        }
    };
    let last = tables.last().map_or("", Table::name);
    let wanted = arguments.table.as_deref();
    arguments.choice.print_tables(wanted, last, || tables, || print_prose(&text))
}

impl Arguments {
    fn which(&self, number: u64) -> WhichJob {
        WhichJob {
            number,
            organization: self.organization.clone(),
            workload: self.workload.clone(),
            replication: self.replication,
            round: self.round,
        }
    }
}
