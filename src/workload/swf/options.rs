//! Rules for the import of a trace: which lines become jobs, and how.
//!
//! The rules apply to a line in this order: `malformed`, `partial`, `status`, the selection by
//! `queues`, `partitions`, `users` and `groups`, `no_submit`, the window `from`/`until`,
//! `processors` with `no_processors`, `no_runtime`, `no_estimate`, `over_estimate`, `unsorted`,
//! `first`, `shift_to_zero`, `load`. A job dropped by one rule is not seen by the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::Span;
use crate::workload::invalid::Invalid;

/// Rules that turn a trace into jobs. The defaults are the common cleaning of simulation studies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "snake_case")]
pub struct Options {
    /// Column with the number of processors: `"allocated_then_requested"` (default: column 5 if it
    /// is above 0, else column 8), `"requested_then_allocated"`, `"allocated"` or `"requested"`.
    pub processors: Processors,
    /// Treatment of jobs without processors: `"drop"` (default), `"one"` (set to 1) or `"error"`.
    pub no_processors: NoProcessors,
    /// Treatment of jobs that did not run (column 4 is 0 or less): `"drop"` (default), `"zero"` (a
    /// runtime of 0 is kept, an unknown one is still dropped) or `"error"`.
    pub no_runtime: NoRuntime,
    /// Treatment of jobs without an estimate (column 9 is 0 or less): `"runtime"` (default: use the
    /// runtime), `"drop"` or `"error"`.
    pub no_estimate: NoEstimate,
    /// Treatment of jobs that ran longer than their estimate: `"cut"` (default: shorten the runtime
    /// to the estimate), `"raise"` (extend the estimate to the runtime), `"keep"` or `"drop"`.
    pub over_estimate: OverEstimate,
    /// Treatment of jobs without a submission time (column 2 is negative): `"drop"` (default) or
    /// `"error"`.
    pub no_submit: NoSubmit,
    /// Treatment of jobs submitted earlier than a line above them: `"sort"` (default: sort by
    /// submission time, ties in the order of the file; all jobs of such a trace are held in
    /// memory), `"clamp"` (move the submission to the latest time above it), `"drop"` or `"error"`.
    pub unsorted: Unsorted,
    /// Treatment of lines that are not a job (too few columns, not numbers, out of range):
    /// `"error"` (default) or `"drop"`.
    pub malformed: Malformed,
    /// Treatment of partial executions (status 2, 3 and 4). Some traces list these below the line
    /// of the whole job. Values: `"drop"` (default: the whole job counts once) or `"keep"`.
    pub partial: Partial,
    /// Jobs to keep by their status in column 11: `"all"` (default) or `"completed"` (status 1).
    pub status: Status,
    /// Shift all times so that the first job arrives at time 0 (default).
    pub shift_to_zero: bool,
    /// Keep only this many jobs, the first in order of submission. The file is still read to its
    /// end.
    #[schemars(range(min = 1))]
    pub first: Option<u64>,
    /// Keep jobs submitted at this time of the trace (in seconds) or later.
    #[schemars(range(min = 0))]
    pub from: Option<f64>,
    /// Keep jobs submitted before this time of the trace (in seconds).
    #[schemars(range(min = 0))]
    pub until: Option<f64>,
    /// Keep jobs of these queues (column 15, as in the file; -1 if unknown).
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
    /// Scaling of the load.
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
    /// Returns the options that change as little as possible. Output of
    /// [`SwfWriter`](super::SwfWriter) is read back unchanged.
    pub fn verbatim() -> Options {
        Options {
            no_runtime: NoRuntime::Zero,
            over_estimate: OverEstimate::Keep,
            partial: Partial::Keep,
            shift_to_zero: false,
            ..Options::default()
        }
    }

    /// Checks the options.
    ///
    /// # Errors
    /// The first invalid field.
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

/// Scaling of the load. Times are rounded to the nearest tick, ties to even (computed in double
/// precision, exact to a tick within the first 285 years).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Factor by which the load is multiplied.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub factor: f64,
    /// Quantity to scale: `"arrivals"` (default: submission times are divided by the factor),
    /// `"runtimes"` (runtimes and estimates are multiplied by it) or `"processors"` (multiplied and
    /// rounded to the nearest whole number, at least 1).
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
    /// The column with the number of processors.
    Processors {
        /// Column 5 if it is above 0, else column 8.
        #[default]
        AllocatedThenRequested,
        /// Column 8 if it is above 0, else column 5.
        RequestedThenAllocated,
        /// Column 5.
        Allocated,
        /// Column 8.
        Requested,
    }
}
choice! {
    /// The treatment of jobs without processors.
    NoProcessors {
        /// Drop the job.
        #[default]
        Drop,
        /// Set it to one processor.
        One,
        /// Abort the import.
        Error,
    }
}
choice! {
    /// The treatment of jobs that did not run.
    NoRuntime {
        /// Drop the job.
        #[default]
        Drop,
        /// Keep a runtime of 0; drop an unknown one.
        Zero,
        /// Abort the import.
        Error,
    }
}
choice! {
    /// The treatment of jobs without an estimate.
    NoEstimate {
        /// Use the runtime as the estimate.
        #[default]
        Runtime,
        /// Drop the job.
        Drop,
        /// Abort the import.
        Error,
    }
}
choice! {
    /// The treatment of jobs that ran longer than their estimate.
    OverEstimate {
        /// Shorten the runtime to the estimate.
        #[default]
        Cut,
        /// Extend the estimate to the runtime.
        Raise,
        /// Let it overrun its estimate in the simulation too.
        Keep,
        /// Drop the job.
        Drop,
    }
}
choice! {
    /// The treatment of jobs without a submission time.
    NoSubmit {
        /// Drop the job.
        #[default]
        Drop,
        /// Abort the import.
        Error,
    }
}
choice! {
    /// The treatment of jobs submitted earlier than a line above them.
    Unsorted {
        /// Sort the jobs by submission time.
        #[default]
        Sort,
        /// Move the submission to the latest time above it.
        Clamp,
        /// Drop the job.
        Drop,
        /// Abort the import.
        Error,
    }
}
choice! {
    /// The treatment of lines that are not a job.
    Malformed {
        /// Abort the import.
        #[default]
        Error,
        /// Drop the line.
        Drop,
    }
}
choice! {
    /// The treatment of partial executions of a job.
    Partial {
        /// Drop them; the line of the whole job precedes them.
        #[default]
        Drop,
        /// Treat each as a job.
        Keep,
    }
}
choice! {
    /// The jobs to keep by their status.
    Status {
        /// All jobs.
        #[default]
        All,
        /// Completed jobs only.
        Completed,
    }
}
choice! {
    /// The quantity that scales the load.
    LoadBy {
        /// Jobs arrive faster.
        #[default]
        Arrivals,
        /// Jobs run longer.
        Runtimes,
        /// Jobs need more processors.
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
