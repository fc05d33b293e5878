//! Import rules for traces, as rows of the import ledger.

use super::options::*;
use crate::ledger::{Kind, Ledger};

/// The rules, in order of application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Malformed,
    Number,
    Partial,
    Status,
    Queues,
    Partitions,
    Users,
    Groups,
    NoSubmit,
    Window,
    OtherProcessors,
    NoProcessors,
    NoRuntime,
    ZeroRuntime,
    NoEstimate,
    OverEstimate,
    Unsorted,
    Skip,
    First,
    ShiftToZero,
    Arrivals,
    Load,
}

impl From<Rule> for usize {
    fn from(rule: Rule) -> usize {
        rule as usize
    }
}

/// Creates an empty ledger of the rules under these options.
pub(super) fn ledger(options: &Options) -> Ledger {
    Ledger::new(RULES.iter().map(|&rule| describe(rule, options)))
}

const RULES: [Rule; 22] = [
    Rule::Malformed,
    Rule::Number,
    Rule::Partial,
    Rule::Status,
    Rule::Queues,
    Rule::Partitions,
    Rule::Users,
    Rule::Groups,
    Rule::NoSubmit,
    Rule::Window,
    Rule::OtherProcessors,
    Rule::NoProcessors,
    Rule::NoRuntime,
    Rule::ZeroRuntime,
    Rule::NoEstimate,
    Rule::OverEstimate,
    Rule::Unsorted,
    Rule::Skip,
    Rule::First,
    Rule::ShiftToZero,
    Rule::Arrivals,
    Rule::Load,
];

/// Returns a rule's name, kind and effect under these options.
fn describe(rule: Rule, options: &Options) -> (&'static str, Kind, String) {
    use Kind::{Changed, Dropped, Noted};
    let (name, kind, effect) = match rule {
        Rule::Malformed => ("malformed", Dropped, "dropped: the line is not a job"),
        Rule::Number => ("number", Noted, "kept: a job above has the same number"),
        Rule::Partial => ("partial", Dropped, "dropped: part of a job listed as a whole"),
        Rule::Status => ("status", Dropped, "dropped: not completed"),
        Rule::Queues => ("queues", Dropped, "not selected"),
        Rule::Partitions => ("partitions", Dropped, "not selected"),
        Rule::Users => ("users", Dropped, "not selected"),
        Rule::Groups => ("groups", Dropped, "not selected"),
        Rule::NoSubmit => ("no_submit", Dropped, "dropped: no submit time"),
        Rule::Window => ("from/until", Dropped, "not selected: outside the time window"),
        Rule::OtherProcessors => match options.processors {
            Processors::RequestedThenAllocated => {
                ("processors", Changed, "given the allocated processors: none are requested")
            }
            _ => ("processors", Changed, "given the requested processors: none are allocated"),
        },
        Rule::NoProcessors => match options.no_processors {
            NoProcessors::One => ("no_processors", Changed, "given one processor"),
            _ => ("no_processors", Dropped, "dropped: no processors"),
        },
        Rule::NoRuntime => ("no_runtime", Dropped, "dropped: did not run"),
        Rule::ZeroRuntime => ("no_runtime", Noted, "kept with a run time of 0"),
        Rule::NoEstimate => match options.no_estimate {
            NoEstimate::Runtime => ("no_estimate", Changed, "given the run time as estimate"),
            _ => ("no_estimate", Dropped, "dropped: no estimate"),
        },
        Rule::OverEstimate => match options.over_estimate {
            OverEstimate::Cut => ("over_estimate", Changed, "cut to the estimate"),
            OverEstimate::Raise => {
                ("over_estimate", Changed, "given the run time as estimate: ran longer than it")
            }
            OverEstimate::Keep => ("over_estimate", Noted, "kept: runs longer than its estimate"),
            OverEstimate::Drop => ("over_estimate", Dropped, "dropped: ran longer than estimated"),
        },
        Rule::Unsorted => match options.unsorted {
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
        Rule::Skip => ("skip", Dropped, "not selected: among the first, which are skipped"),
        Rule::First => ("first", Dropped, "not selected: not among the first"),
        Rule::ShiftToZero => ("shift_to_zero", Changed, ""),
        Rule::Arrivals => ("arrivals", Changed, ""),
        Rule::Load => ("load", Changed, ""),
    };
    (name, kind, effect.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_at_its_place() {
        for (index, &rule) in RULES.iter().enumerate() {
            assert_eq!(rule as usize, index);
        }
    }

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
