//! Import rules for traces, as rows of the import ledger.

use super::options::*;
use crate::ledger::rules;

rules! {
    options: Options;
    Malformed => ("malformed", Dropped, "dropped: the line is not a job"),
    Number => ("number", Noted, "kept: a job above has the same number"),
    Partial => ("partial", Dropped, "dropped: part of a job listed as a whole"),
    Piece => ("partial", Dropped, "added to the first part of its job, which is not listed as a whole"),
    Joined => ("partial", Changed, "read as a job: a first part, and no whole is listed above"),
    Status => ("status", Dropped, "dropped: not completed"),
    Queues => ("queues", Dropped, "not selected"),
    Partitions => ("partitions", Dropped, "not selected"),
    Users => ("users", Dropped, "not selected"),
    Groups => ("groups", Dropped, "not selected"),
    NoSubmit => ("no_submit", Dropped, "dropped: no submit time"),
    Window => ("from/until", Dropped, "not selected: outside the time window"),
    OtherProcessors => match options.processors {
        Processors::RequestedThenAllocated => {
            ("processors", Changed, "given the allocated processors: none are requested")
        }
        _ => ("processors", Changed, "given the requested processors: none are allocated"),
    },
    NoProcessors => match options.no_processors {
        NoProcessors::One => ("no_processors", Changed, "given one processor"),
        _ => ("no_processors", Dropped, "dropped: no processors"),
    },
    NoRuntime => ("no_runtime", Dropped, "dropped: did not run"),
    ZeroRuntime => ("no_runtime", Noted, "kept with a run time of 0"),
    NoEstimate => match options.no_estimate {
        NoEstimate::Runtime => ("no_estimate", Changed, "given the run time as estimate"),
        _ => ("no_estimate", Dropped, "dropped: no estimate"),
    },
    OverEstimate => match options.over_estimate {
        OverEstimate::Cut => ("over_estimate", Changed, "cut to the estimate"),
        OverEstimate::Raise => {
            ("over_estimate", Changed, "given the run time as estimate: ran longer than it")
        }
        OverEstimate::Keep => ("over_estimate", Noted, "kept: runs longer than its estimate"),
        OverEstimate::Drop => ("over_estimate", Dropped, "dropped: ran longer than estimated"),
    },
    Unsorted => match options.unsorted {
        Unsorted::Clamp => {
            ("unsorted", Changed, "submitted later: with the latest job that stands above")
        }
        Unsorted::Drop => ("unsorted", Dropped, "dropped: submitted before a job above"),
        _ => (
            "unsorted",
            Changed,
            "put in the order of submission (all jobs of the trace are held in memory)",
        ),
    },
    Follows => ("preceding", Noted, "kept: comes after another job or a think time, which are not read (columns 17 and 18)"),
    HasMore => ("columns", Noted, "kept: has more than 18 columns, which are not read"),
    Skip => ("skip", Dropped, "not selected: among the first, which are skipped"),
    First => ("first", Dropped, "not selected: not among the first"),
    ShiftToZero => ("shift_to_zero", Changed, ""),
    Arrivals => ("arrivals", Changed, ""),
    Load => ("load", Changed, ""),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_says_what_was_done_and_where_first() {
        let mut ledger = ledger(&Options::default());
        ledger.note(Rule::NoRuntime, 30);
        ledger.note(Rule::NoRuntime, 31);
        ledger.note(Rule::OverEstimate, 7);
        (ledger.read, ledger.kept) = (10, 8);
        assert_eq!(
            ledger.to_string(),
            "10 lines read, 8 jobs kept\n  \
             no_runtime: 2 dropped: did not run (first in line 30)\n  \
             over_estimate: 1 cut to the estimate (first in line 7)\n"
        );
        assert_eq!(ledger.dropped(), 2);
        let json = serde_json::to_string(&ledger).unwrap();
        assert!(
            json.starts_with(
                r#"{"read":10,"kept":8,"rows":[{"rule":"no_runtime","kind":"dropped""#
            ),
            "{json}"
        );
    }
}
