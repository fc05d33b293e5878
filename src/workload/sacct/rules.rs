//! Rules for which lines of a log become jobs, and their rows in the ledger.

use crate::ledger::{Kind, Ledger};
use crate::owners::OwnersFile;

/// The owner of jobs whose line names none.
pub(super) const NO_OWNER: &str = "no owner";

/// Rules that turn a log into jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            owner: Owner::default(),
            organizations: None,
            unit: Unit::default(),
            states: States::default(),
            since: None,
            over_limit: OverLimit::default(),
            malformed: Malformed::default(),
            delimiter: b'|',
        }
    }
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

/// The rules, in order of application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Header,
    Malformed,
    Step,
    Running,
    NotStarted,
    State,
    NoSubmit,
    Since,
    NoProcessors,
    NoRuntime,
    Repeated,
    NoLimit,
    PartitionLimit,
    OverLimit,
    EarlyStart,
    Component,
    Requeued,
    NoOwner,
    ShiftToZero,
}

impl From<Rule> for usize {
    fn from(rule: Rule) -> usize {
        rule as usize
    }
}

const RULES: [Rule; 19] = [
    Rule::Header,
    Rule::Malformed,
    Rule::Step,
    Rule::Running,
    Rule::NotStarted,
    Rule::State,
    Rule::NoSubmit,
    Rule::Since,
    Rule::NoProcessors,
    Rule::NoRuntime,
    Rule::Repeated,
    Rule::NoLimit,
    Rule::PartitionLimit,
    Rule::OverLimit,
    Rule::EarlyStart,
    Rule::Component,
    Rule::Requeued,
    Rule::NoOwner,
    Rule::ShiftToZero,
];

/// Creates an empty ledger of the rules under these options.
pub(super) fn ledger(options: &Options) -> Ledger {
    Ledger::new(RULES.iter().map(|&rule| describe(rule, options)))
}

/// Returns a rule's name, kind and effect under these options.
fn describe(rule: Rule, options: &Options) -> (&'static str, Kind, String) {
    use Kind::{Changed, Dropped, Noted};
    let (name, kind, effect) = match rule {
        Rule::Header => ("header", Dropped, "dropped: the header line again"),
        Rule::Malformed => ("malformed", Dropped, "dropped: the line is not a job"),
        Rule::Step => ("step", Dropped, "dropped: a step, which its job's line covers"),
        Rule::Running => ("running", Dropped, "dropped: still running when the log was taken"),
        Rule::NotStarted => ("not_started", Dropped, "dropped: had not started"),
        Rule::State => ("state", Dropped, "dropped: not completed"),
        Rule::NoSubmit => ("no_submit", Dropped, "dropped: no submit time"),
        Rule::Since => ("since", Dropped, "dropped: submitted too early"),
        Rule::NoProcessors => match options.unit {
            Unit::Gpus => ("no_processors", Dropped, "dropped: held no GPU"),
            Unit::Cpus | Unit::Nodes => ("no_processors", Dropped, "dropped: no processors"),
        },
        Rule::NoRuntime => ("no_runtime", Dropped, "dropped: ended as it started"),
        Rule::Repeated => ("repeated", Dropped, "dropped: the line of a run that was read before"),
        Rule::NoLimit => ("no_limit", Changed, "given the run time as estimate: no time limit"),
        Rule::PartitionLimit => (
            "partition_limit",
            Changed,
            "given the run time as estimate: the limit is that of the partition, which the log \
             does not tell",
        ),
        Rule::OverLimit => match options.over_limit {
            OverLimit::Cut => ("over_limit", Changed, "cut to the time limit"),
            OverLimit::Raise => {
                ("over_limit", Changed, "given the run time as estimate: ran beyond the limit")
            }
            OverLimit::Keep => ("over_limit", Noted, "kept: runs longer than its estimate"),
        },
        Rule::EarlyStart => ("early_start", Noted, "kept: starts before it is submitted"),
        Rule::Component => {
            ("component", Noted, "kept: a component of a heterogeneous job, as a job of its own")
        }
        Rule::Requeued => ("requeued", Noted, "kept: a further run of a job that was requeued"),
        Rule::NoOwner => ("no_owner", Changed, "given to `no owner`: the column is empty"),
        Rule::ShiftToZero => ("shift_to_zero", Changed, ""),
    };
    (name, kind, effect.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_at_its_place() {
        for (index, &rule) in RULES.iter().enumerate() {
            assert_eq!(usize::from(rule), index);
        }
    }
}
