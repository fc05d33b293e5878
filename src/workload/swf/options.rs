//! Every choice that decides which lines of a trace become jobs, and which jobs.
//!
//! The rules are applied to a line in this order: `malformed`, `partial`, `status`, the selection
//! by `queues`, `partitions`, `users` and `groups`, `no_submit`, the window `from`/`until`,
//! `processors` with `no_processors`, `no_runtime`, `no_estimate`, `over_estimate`, `unsorted`,
//! `first`, `shift_to_zero`, `load`. A job that one rule drops is not seen by the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::Span;
use crate::workload::invalid::Invalid;

/// How a trace becomes jobs. The defaults are the common cleaning of simulation studies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "snake_case")]
pub struct Options {
    /// Which column says how many processors a job uses: `"allocated_then_requested"` (default:
    /// column 5 where it is above 0, else column 8), `"requested_then_allocated"`, `"allocated"`
    /// or `"requested"`.
    pub processors: Processors,
    /// What to do with a job without processors: `"drop"` (default), `"one"` (it uses 1) or
    /// `"error"`.
    pub no_processors: NoProcessors,
    /// What to do with a job that did not run (column 4 is 0 or less): `"drop"` (default), `"zero"`
    /// (a run time of 0 is kept, an unknown one is still dropped) or `"error"`.
    pub no_runtime: NoRuntime,
    /// What to do with a job without an estimate (column 9 is 0 or less): `"runtime"` (default: the
    /// run time is taken), `"drop"` or `"error"`.
    pub no_estimate: NoEstimate,
    /// What to do with a job that ran longer than its estimate: `"cut"` (default: the run time
    /// becomes the estimate), `"raise"` (the estimate becomes the run time), `"keep"` or `"drop"`.
    pub over_estimate: OverEstimate,
    /// What to do with a job without a submit time (column 2 is negative): `"drop"` (default) or
    /// `"error"`.
    pub no_submit: NoSubmit,
    /// What to do with a job submitted before one that stands above it: `"sort"` (default: jobs are
    /// put in the order of submission, equal times in the order of the file; all jobs of such a
    /// trace are held in memory), `"clamp"` (it is submitted with the latest above it), `"drop"`
    /// or `"error"`.
    pub unsorted: Unsorted,
    /// What to do with a line that is not a job: too few columns, not numbers, out of range:
    /// `"error"` (default) or `"drop"`.
    pub malformed: Malformed,
    /// What to do with the lines of a job's parts (status 2, 3 and 4), which some traces list below
    /// the line of the whole job: `"drop"` (default: the whole job is counted once) or `"keep"`.
    pub partial: Partial,
    /// Which jobs count by their status in column 11: `"all"` (default) or `"completed"` (status
    /// 1).
    pub status: Status,
    /// Whether the first job comes at time 0 (default) instead of at its time in the trace.
    pub shift_to_zero: bool,
    /// Keep this many jobs, the first in the order of submission. The file is still read to its
    /// end.
    #[schemars(range(min = 1))]
    pub first: Option<u64>,
    /// Keep jobs submitted at this time of the trace (in seconds) or later.
    #[schemars(range(min = 0))]
    pub from: Option<f64>,
    /// Keep jobs submitted before this time of the trace (in seconds).
    #[schemars(range(min = 0))]
    pub until: Option<f64>,
    /// Keep jobs of these queues (column 15, as in the file; -1 where it is not known).
    #[schemars(length(min = 1))]
    pub queues: Option<Vec<i64>>,
    /// Keep jobs of these partitions (column 16).
    #[schemars(length(min = 1))]
    pub partitions: Option<Vec<i64>>,
    /// Keep jobs of these users (column 12).
    #[schemars(length(min = 1))]
    pub users: Option<Vec<i64>>,
    /// Keep jobs of these groups (column 13).
    #[schemars(length(min = 1))]
    pub groups: Option<Vec<i64>>,
    /// Make the load heavier or lighter.
    pub load: Option<Load>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            processors: Processors::default(),
            no_processors: NoProcessors::default(),
            no_runtime: NoRuntime::default(),
            no_estimate: NoEstimate::default(),
            over_estimate: OverEstimate::default(),
            no_submit: NoSubmit::default(),
            unsorted: Unsorted::default(),
            malformed: Malformed::default(),
            partial: Partial::default(),
            status: Status::default(),
            shift_to_zero: true,
            first: None,
            from: None,
            until: None,
            queues: None,
            partitions: None,
            users: None,
            groups: None,
            load: None,
        }
    }
}

impl Options {
    /// The options that change as little as can be: what [`SwfWriter`](super::SwfWriter) wrote is
    /// read back as it was.
    pub fn verbatim() -> Options {
        Options {
            no_runtime: NoRuntime::Zero,
            over_estimate: OverEstimate::Keep,
            partial: Partial::Keep,
            shift_to_zero: false,
            ..Options::default()
        }
    }

    /// Whether the options make sense.
    ///
    /// # Errors
    /// The first field that does not.
    pub fn validate(&self) -> Result<(), Invalid> {
        let time = |field: &str, units: Option<f64>| match units.map(Span::from_units) {
            Some(Err(error)) => Err(Invalid::new(field, error.to_string())),
            _ => Ok(()),
        };
        time("from", self.from)?;
        time("until", self.until)?;
        if let (Some(from), Some(until)) = (self.from, self.until)
            && from >= until
        {
            let message = format!("the window is empty: from = {from} is not before {until}");
            return Err(Invalid::new("until", message));
        }
        if self.first == Some(0) {
            return Err(Invalid::new("first", "0 jobs leave nothing to run; give at least 1"));
        }
        let lists = [
            ("queues", &self.queues),
            ("partitions", &self.partitions),
            ("users", &self.users),
            ("groups", &self.groups),
        ];
        for (field, list) in lists {
            if list.as_ref().is_some_and(Vec::is_empty) {
                let message = "an empty list keeps no job; leave the key out to keep all";
                return Err(Invalid::new(field, message));
            }
        }
        let factor = self.load.map_or(1.0, |load| load.factor);
        if !(factor.is_finite() && factor > 0.0) {
            let message = format!("{factor} is not a factor; 1.2 means 20% more load");
            return Err(Invalid::new("load.factor", message));
        }
        Ok(())
    }
}

/// A change of the load. Times are rounded to the nearest tick, halves to the even one (computed in
/// double precision, exact to a tick within the first 285 years).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// How many times the load of the trace.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub factor: f64,
    /// What is changed: `"arrivals"` (default: submit times are divided by the factor),
    /// `"runtimes"` (run times and estimates are multiplied by it) or `"processors"` (multiplied
    /// and rounded to the nearest whole number, at least 1).
    #[serde(default)]
    pub by: LoadBy,
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$each])* $variant),* }
    };
}

choice! {
    /// Which column says how many processors a job uses.
    Processors {
        /// Column 5 where it is above 0, else column 8.
        #[default]
        AllocatedThenRequested,
        /// Column 8 where it is above 0, else column 5.
        RequestedThenAllocated,
        /// Column 5.
        Allocated,
        /// Column 8.
        Requested,
    }
}
choice! {
    /// What to do with a job without processors.
    NoProcessors {
        /// It is left out.
        #[default]
        Drop,
        /// It uses one.
        One,
        /// The import fails.
        Error,
    }
}
choice! {
    /// What to do with a job that did not run.
    NoRuntime {
        /// It is left out.
        #[default]
        Drop,
        /// A run time of 0 is kept, an unknown one left out.
        Zero,
        /// The import fails.
        Error,
    }
}
choice! {
    /// What to do with a job without an estimate.
    NoEstimate {
        /// Its run time is its estimate.
        #[default]
        Runtime,
        /// It is left out.
        Drop,
        /// The import fails.
        Error,
    }
}
choice! {
    /// What to do with a job that ran longer than its estimate.
    OverEstimate {
        /// It runs as long as its estimate.
        #[default]
        Cut,
        /// Its estimate becomes its run time.
        Raise,
        /// It outruns its estimate in the simulation too.
        Keep,
        /// It is left out.
        Drop,
    }
}
choice! {
    /// What to do with a job without a submit time.
    NoSubmit {
        /// It is left out.
        #[default]
        Drop,
        /// The import fails.
        Error,
    }
}
choice! {
    /// What to do with a job submitted before one that stands above it.
    Unsorted {
        /// Jobs are put in order.
        #[default]
        Sort,
        /// It is submitted with the latest above it.
        Clamp,
        /// It is left out.
        Drop,
        /// The import fails.
        Error,
    }
}
choice! {
    /// What to do with a line that is not a job.
    Malformed {
        /// The import fails.
        #[default]
        Error,
        /// It is left out.
        Drop,
    }
}
choice! {
    /// What to do with the lines of a job's parts.
    Partial {
        /// They are left out; the line of the whole job stands above them.
        #[default]
        Drop,
        /// Each is a job.
        Keep,
    }
}
choice! {
    /// Which jobs count by their status.
    Status {
        /// All.
        #[default]
        All,
        /// Those that completed.
        Completed,
    }
}
choice! {
    /// How the load is changed.
    LoadBy {
        /// Jobs come faster.
        #[default]
        Arrivals,
        /// Jobs run longer.
        Runtimes,
        /// Jobs are wider.
        Processors,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(), &str>) {
        let found = toml::from_str::<Options>(text)
            .map_err(|error| error.message().to_owned())
            .and_then(|options| options.validate().map_err(|invalid| invalid.to_string()));
        match (found, expected) {
            (Ok(()), Ok(())) => {}
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}: {found}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }

    #[test]
    fn the_defaults_are_written_out_and_read_back() {
        let options: Options = toml::from_str("").unwrap();
        assert_eq!(options, Options::default());
        let text = toml::to_string(&options).unwrap();
        assert!(text.contains("processors = \"allocated_then_requested\""), "{text}");
        assert_eq!(toml::from_str::<Options>(&text).unwrap(), options);
    }

    #[test]
    fn options_are_checked() {
        check(
            "load = { factor = 1.2 }\nfirst = 10\nfrom = 5\nuntil = 5.5\nqueues = [-1, 2]",
            Ok(()),
        );
        check("unsorted = \"clamp\"\nload = { factor = 0.5, by = \"runtimes\" }", Ok(()));
        check("sorted = \"clamp\"", Err("unknown field `sorted`"));
        check("unsorted = \"shuffle\"", Err("unknown variant `shuffle`"));
        check("from = 5\nuntil = 5", Err("until: the window is empty"));
        check("from = -5.0", Err("from: -5 is not a time"));
        check("first = 0", Err("first: "));
        check("users = []", Err("users: an empty list"));
        check("load = { factor = 0.0 }", Err("load.factor: 0 is not a factor"));
        check("load = { factor = nan }", Err("load.factor: "));
    }
}
