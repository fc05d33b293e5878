//! Rules for the import of a trace: which lines become jobs, and how.
//!
//! The rules apply to a line in this order: `malformed`, `partial`, `status`, the selection by
//! `queues`, `partitions`, `users` and `groups`, `no_submit`, the window `from`/`until`,
//! `processors` with `no_processors`, `no_runtime`, `no_estimate`, `over_estimate`, `unsorted`,
//! `skip`, `first`, `shift_to_zero`, `arrivals`, `load`. A job dropped by one rule is not seen by the
//! next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;
use kernel::time::Span;
use model::bounds::{Bounds, Inside, Many, ONE_OR_MORE, parameters};

/// A time of a trace.
const TIME: Bounds<'_> = Bounds::of("a time").unit("seconds").from(0.0);
/// Numbers of a column, of which there must be one.
const NUMBERS: Many<Bounds<'_>> = Many::new(1, usize::MAX, Bounds::of("a number"));
/// A factor of the load.
const FACTOR: Bounds<'_> = Bounds::of("a factor").above(0.0);

parameters! {
    /// Rules that turn a trace into jobs. The defaults are the common cleaning of simulation studies.
    #[serde(default, rename_all = "snake_case")]
    pub struct Options {
        /// Column with the number of processors: `"allocated_then_requested"` (default: column 5 if it
        /// is above 0, else column 8), `"requested_then_allocated"`, `"allocated"` or `"requested"`.
        processors: Processors = Processors::default(),
        /// Treatment of jobs without processors: `"drop"` (default), `"one"` (set to 1) or `"error"`.
        no_processors: NoProcessors = NoProcessors::default(),
        /// Treatment of jobs that did not run (column 4 is 0 or less): `"drop"` (default), `"zero"` (a
        /// runtime of 0 is kept, an unknown one is still dropped) or `"error"`.
        no_runtime: NoRuntime = NoRuntime::default(),
        /// Treatment of jobs without an estimate (column 9 is 0 or less): `"runtime"` (default: use the
        /// runtime), `"drop"` or `"error"`.
        no_estimate: NoEstimate = NoEstimate::default(),
        /// Treatment of jobs that ran longer than their estimate: `"cut"` (default: shorten the runtime
        /// to the estimate), `"raise"` (extend the estimate to the runtime), `"keep"` or `"drop"`.
        over_estimate: OverEstimate = OverEstimate::default(),
        /// Treatment of jobs without a submission time (column 2 is negative): `"drop"` (default) or
        /// `"error"`.
        no_submit: NoSubmit = NoSubmit::default(),
        /// Treatment of jobs submitted earlier than a line above them: `"sort"` (default: sort by
        /// submission time, ties in the order of the file; all jobs of such a trace are held in
        /// memory), `"clamp"` (move the submission to the latest time above it), `"drop"` or `"error"`.
        unsorted: Unsorted = Unsorted::default(),
        /// Treatment of lines that are not a job (too few columns, not numbers, out of range):
        /// `"error"` (default) or `"drop"`.
        malformed: Malformed = Malformed::default(),
        /// Treatment of partial executions (status 2, 3 and 4). Some traces list these below the line
        /// of the whole job. Values: `"drop"` (default: the whole job counts once; parts without a
        /// whole are put together to one job) or `"keep"`.
        partial: Partial = Partial::default(),
        /// Jobs to keep by their status in column 11: `"all"` (default) or `"completed"` (status 1).
        status: Status = Status::default(),
        /// Shift all times so that the first job arrives at time 0 (default).
        shift_to_zero: bool = true,
        /// Submission times of the jobs: `"recorded"` (default) or `"at_once"` (all jobs at time 0, in
        /// the order of their submission; recorded waiting times are left out).
        #[serde(skip_serializing_if = "TraceArrivals::are_recorded")]
        arrivals: TraceArrivals = TraceArrivals::default(),
        /// Leave out this many jobs, the first in order of submission. With `first` it cuts a trace in
        /// batches: `skip = 200, first = 100` is the third one of 100 jobs.
        #[serde(skip_serializing_if = "is_zero")]
        skip: u64 = 0,
        /// Keep only this many jobs, the first in order of submission. The file is still read to its
        /// end.
        first: Option<u64> as ONE_OR_MORE = None,
        /// Keep jobs submitted at this time of the trace (in seconds) or later.
        from: Option<f64> as TIME = None,
        /// Keep jobs submitted before this time of the trace (in seconds).
        until: Option<f64> as TIME = None,
        /// Keep jobs of these queues (column 15, as in the file; -1 if unknown).
        queues: Option<Vec<i64>> as NUMBERS = None,
        /// Keep jobs of these partitions (column 16).
        partitions: Option<Vec<i64>> as NUMBERS = None,
        /// Keep jobs of these users (column 12).
        users: Option<Vec<i64>> as NUMBERS = None,
        /// Keep jobs of these groups (column 13).
        groups: Option<Vec<i64>> as NUMBERS = None,
        /// Scaling of the load.
        load: Option<Load> as Inside = None,
    }
    where relations_hold
}

impl Options {
    /// Returns the factor by which times of submission are divided; 1 unless the load is scaled by
    /// arrivals.
    pub fn compressed(&self) -> f64 {
        let by_arrivals = self.load.filter(|load| load.by == LoadBy::Arrivals);
        by_arrivals.map_or(1.0, |load| load.factor)
    }

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

    /// Checks that the window is one of representable times, and not empty, and that arrivals that are
    /// left out are not scaled.
    fn relations_hold(&self) -> Result<(), Invalid> {
        let scales = matches!(self.load, Some(Load { by: LoadBy::Arrivals, .. }));
        if self.arrivals == TraceArrivals::AtOnce && scales {
            let message = "all jobs come at one instant, so there are no arrivals to scale; \
                           scale by \"runtimes\" or \"processors\", or leave out `load`";
            return Err(Invalid::new("load.by", message));
        }
        for (field, units) in [("from", self.from), ("until", self.until)] {
            let time = units.map_or(Ok(Span::ZERO), Span::from_units);
            time.map_err(|error| Invalid::new(field, error.to_string()))?;
        }
        match (self.from, self.until) {
            (Some(from), Some(until)) if from >= until => {
                let message = format!("the window is empty: from = {from} is not before {until}");
                Err(Invalid::new("until", message))
            }
            _ => Ok(()),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl TraceArrivals {
    #[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
    fn are_recorded(&self) -> bool {
        *self == TraceArrivals::Recorded
    }
}

parameters! {
    /// Scaling of the load. Times are rounded to the nearest tick, ties to even (computed in double
    /// precision, exact to a tick within the first 285 years).
    #[derive(Copy)]
    pub struct Load {
        /// Factor by which the load is multiplied.
        factor: f64 as FACTOR,
        /// Quantity to scale: `"arrivals"` (default: submission times are divided by the factor),
        /// `"runtimes"` (runtimes and estimates are multiplied by it) or `"processors"` (multiplied
        /// and rounded to the nearest whole number, at least 1).
        #[serde(default)]
        by: LoadBy,
    }
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
    /// The submission times of the jobs.
    TraceArrivals {
        /// Those of the trace.
        #[default]
        Recorded,
        /// All jobs at time 0.
        AtOnce,
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
        /// Drop them where the line of the whole job precedes them; put others together.
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
            .and_then(|options| options.check().map_err(|invalid| invalid.to_string()));
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
        check("arrivals = \"at_once\"\nskip = 200\nfirst = 100", Ok(()));
        check("arrivals = \"at_once\"\nload = { factor = 2.0 }", Err("load.by: all jobs come"));
        check("skip = -1", Err(""));
        check("users = []", Err("users: this list is empty"));
        check("load = { factor = 0.0 }", Err("load.factor: 0 is not a factor"));
        check("load = { factor = nan }", Err("load.factor: "));
    }
}
