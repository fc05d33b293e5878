//! Rules for which lines of a log become jobs, and their rows in the ledger.

use crate::ledger::rules;
use crate::owners::OwnersFile;

/// The owner of jobs whose line names none.
pub(super) const NO_OWNER: &str = "no owner";

/// Rules that turn a log into jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The program that wrote the log.
    pub form: Form,
    /// Column whose names become organizations.
    pub owner: Owner,
    /// Organizations of these owners by name, in their place.
    pub organizations: Option<OwnersFile>,
    /// Unit in which processors are counted.
    pub unit: Unit,
    /// Jobs to keep by their state.
    pub states: States,
    /// Jobs submitted before this time are left out, in seconds since 1970.
    pub since: Option<i64>,
    /// Treatment of jobs that ran longer than their time limit.
    pub over_limit: OverLimit,
    /// Treatment of lines that are not a job.
    pub malformed: Malformed,
    /// Delimiter between columns.
    pub delimiter: u8,
    /// Names of the columns of logs without a header, with commas between.
    pub columns: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            form: Form::default(),
            owner: Owner::default(),
            organizations: None,
            unit: Unit::default(),
            states: States::default(),
            since: None,
            over_limit: OverLimit::default(),
            malformed: Malformed::default(),
            delimiter: b'|',
            columns: None,
        }
    }
}

/// The form of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The output of Slurm's `sacct --parsable2`.
    #[default]
    Sacct,
    /// The text format of the Grid Workloads Archive.
    Gwf,
}

/// The column whose names become organizations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// `Account`.
    #[default]
    Account,
    /// `Partition`.
    Partition,
    /// `User`.
    User,
    /// `Group`.
    Group,
    /// `Cluster`, for the log of a federation.
    Cluster,
}

impl Owner {
    /// Returns its column, as spelled by `sacct`.
    pub fn column(self) -> &'static str {
        match self {
            Owner::Account => "Account",
            Owner::Partition => "Partition",
            Owner::User => "User",
            Owner::Group => "Group",
            Owner::Cluster => "Cluster",
        }
    }
}

/// The unit in which processors are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Logical processors: `AllocCPUS`.
    #[default]
    Cpus,
    /// Whole nodes: `AllocNodes` or `NNodes`, for centers that give each node to one job at a time.
    Nodes,
    /// Accelerators: `gres/gpu` of `AllocTRES`; jobs without any are dropped.
    Gpus,
}

impl Unit {
    /// Returns its column, as spelled by `sacct`.
    pub fn column(self) -> &'static str {
        match self {
            Unit::Cpus => "AllocCPUS",
            Unit::Nodes => "AllocNodes",
            Unit::Gpus => "AllocTRES",
        }
    }
}

/// The jobs to keep by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum States {
    /// All jobs that ran, in any final state: they held processors.
    #[default]
    All,
    /// Jobs in state `COMPLETED`.
    Completed,
}

/// The treatment of jobs that ran longer than their limit (Slurm grants a grace period).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverLimit {
    /// Shorten the runtime to the limit.
    #[default]
    Cut,
    /// Extend the limit to the runtime.
    Raise,
    /// Let it overrun its limit in the simulation too.
    Keep,
}

/// The treatment of lines that are not a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Malformed {
    /// Abort the import.
    #[default]
    Error,
    /// Drop the line.
    Drop,
}

rules! {
    options: Options;
    Header => ("header", Dropped, "dropped: the header line again"),
    Malformed => ("malformed", Dropped, "dropped: the line is not a job"),
    Step => ("step", Dropped, "dropped: a step, which its job's line covers"),
    Array => ("array", Dropped, "dropped: tasks of an array that had not started, as in `12_[3-9]`"),
    Running => ("running", Dropped, "dropped: still running when the log was taken"),
    NotStarted => ("not_started", Dropped, "dropped: had not started"),
    State => ("state", Dropped, "dropped: not completed"),
    NoSubmit => ("no_submit", Dropped, "dropped: no submit time"),
    Since => ("since", Dropped, "dropped: submitted too early"),
    NoProcessors => match options.unit {
        Unit::Gpus => ("no_processors", Dropped, "dropped: held no GPU"),
        Unit::Cpus | Unit::Nodes => ("no_processors", Dropped, "dropped: no processors"),
    },
    NoRuntime => ("no_runtime", Dropped, "dropped: ended as it started"),
    Repeated => ("repeated", Dropped, "dropped: the line of a run that was read before"),
    NoLimit => ("no_limit", Changed, "given the run time as estimate: no time limit"),
    PartitionLimit => (
        "partition_limit",
        Changed,
        "given the run time as estimate: the limit is that of the partition, which the log \
         does not tell",
    ),
    OverLimit => match options.over_limit {
        OverLimit::Cut => ("over_limit", Changed, "cut to the time limit"),
        OverLimit::Raise => {
            ("over_limit", Changed, "given the run time as estimate: ran beyond the limit")
        }
        OverLimit::Keep => ("over_limit", Noted, "kept: runs longer than its estimate"),
    },
    EarlyStart => ("early_start", Noted, "kept: starts before it is submitted"),
    Clocks => (
        "clocks",
        Noted,
        "kept: ends an hour from its start and run time, since clocks changed meanwhile; waits over \
         that are wrong by an hour: take the log with `TZ=UTC` or `SLURM_TIME_FORMAT=%s`",
    ),
    Component =>
        ("component", Noted, "kept: a component of a heterogeneous job, as a job of its own"),
    UnknownWait => ("unknown_wait", Noted, "kept: its wait is not known, and taken as 0"),
    Requeued => ("requeued", Noted, "kept: a further run of a job that was requeued"),
    Renumbered => (
        "renumbered",
        Noted,
        "kept: the number of another user's job; it was given twice, or clusters share the log \
         without the column `Cluster`",
    ),
    Nodes => ("nodes", Noted, ""),
    Rounded => (
        "rounded",
        Noted,
        "kept: sacct rounded its processors, as in `1.95K`; take the log with `--noconvert`",
    ),
    NotText => ("not_text", Noted, "kept: a name that is not UTF-8, with \u{fffd} for what is not"),
    UnknownState => ("unknown_state", Noted, "kept as ended: its state is none of Slurm's"),
    NoOwner => ("no_owner", Changed, "given to `no owner`: the column is empty"),
    ShiftToZero => ("shift_to_zero", Changed, ""),
}
