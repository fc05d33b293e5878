//! Observers of a counted replication of a grid: accounts and writers of records.

use super::record_files::record_files;
use super::sheet::{OpenRecords, Sheet};
use super::world::{Kind, Sheets};
use findings::grid::steady::Early;
use findings::grid::trace_waits::TraceWaits;
use findings::grid::typical::Typical;
use findings::grid::watch::Watch as Patience;
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use model::job::Job;
use records::decisions::{self, DecisionsCsv};
use records::files::FileError;
use records::jobs::{self, JobsCsv, Names};
use records::plans::{self, PlansCsv};
use records::windows::{self, Windows};
use report::grid::{self, trace_waits};
use scenario::plan::Plan;
use sim::accounts::{Accounts, Counting};
use sim::alone::CouldRunAlone;
use sim::bounding::Bounding;
use sim::observer::{
    Chosen, Decided, Finished, Observer, PlanMade, Sent, Started, Submitted, Unfinished,
};
use sim::promises::Promises;
use sim::scout::Scout;
use sim::timeline::Timeline;
use sim::weeks::Weeks;

/// All observers of a replication.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) kept: Kept,
    records: Records,
    /// True if there is one of those that few runs have; the others pay for one check only.
    has_few: bool,
}

record_files! {
    /// The record files of a grid.
    Records of plan: &Plan, begun with of: &Beginning<'_>, on sheet;
    jobs.lines: JobsCsv<Sheet> = "jobs.csv", match plan.holds_jobs() {
        true => jobs::sent_time::write_header,
        false => jobs::write_header,
    }, if plan.writes_jobs()
        => JobsCsv::new(sheet, of.names.clone(), of.number, of.plan.holds_jobs());
    windows.out: Windows<Sheet> = "windows.hlog", windows::write_header, if plan.windows().is_some()
        => Windows::new(sheet, of.width(), of.counting, &of.names.organizations, of.number);
    decisions.lines: DecisionsCsv<Sheet> = "decisions.csv", decisions::write_header,
        if plan.writes_decisions() => DecisionsCsv::new(sheet, of.names.clone(), of.number);
    plans.lines: PlansCsv<Sheet> = "plans.csv", plans::write_header,
        if plan.writes_plans() => PlansCsv::new(sheet, of.names.clone(), of.number);
}

/// The facts that the writers of a replication begin with.
struct Beginning<'a> {
    plan: &'a Plan,
    number: u32,
    counting: Counting,
    names: Names,
}

impl Beginning<'_> {
    /// Width of the windows, if they are written.
    fn width(&self) -> Span {
        self.plan.windows().unwrap_or_default()
    }
}

/// The observers that wrote no records.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) accounts: Accounts,
    pub(super) timeline: Option<Timeline>,
    /// Stopping rule of a run in batches that ends at a given precision.
    pub(super) patience: Option<Patience>,
    pub(super) typical: Typical,
    pub(super) trace_waits: TraceWaits,
    pub(super) early: Early,
    /// Flow times for Welch's plot.
    pub(super) welch: Option<Scout>,
    /// Jobs that are compared with those of organizations alone.
    pub(super) compared: Option<CouldRunAlone>,
    /// Bounds of the makespan.
    pub(super) bounds: Option<Bounding>,
    /// Promises of plans, if they are counted.
    pub(super) promises: Option<Promises>,
    /// Sums by week, if the run is compared with others of the same jobs.
    pub(super) weeks: Option<Weeks>,
}

/// The kinds of records that a plan writes, in the order of their sheets.
pub(super) fn kinds(plan: &Plan) -> Vec<Option<Kind>> {
    Records::kinds(plan)
}

/// An observer of the jobs that are compared with those of organizations alone.
pub(super) fn compared(plan: &Plan, counting: Counting) -> CouldRunAlone {
    let uses = plan.organizations.iter().map(|one| &*one.uses);
    CouldRunAlone::new(counting, plan.owned(), uses, &plan.lists)
}

/// The names in the lines of jobs.
pub(super) fn names(plan: &Plan) -> Names {
    Names {
        organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        clusters: (plan.clusters.iter())
            .map(|cluster| (cluster.name.clone(), cluster.processors()))
            .collect(),
        workloads: plan.workloads.iter().map(|workload| workload.name.clone()).collect(),
        tags: plan.workloads.iter().map(|workload| workload.kind.tags().cloned()).collect(),
    }
}

impl Watch {
    /// Creates the observers of a replication, with sheets in the order of `kinds`.
    pub(super) fn new(plan: &Plan, number: u32, counting: Counting, sheets: Sheets) -> Watch {
        let names = names(plan);
        let kept = Kept {
            accounts: Accounts::new(plan.organizations.len(), plan.owned(), counting),
            timeline: plan.output.timeline.then(|| Timeline::new(plan.timeline_rows())),
            patience: Patience::new(plan.precision.as_ref(), counting),
            typical: grid::typical(plan),
            trace_waits: trace_waits::of(plan, counting),
            early: Early::new(counting),
            welch: plan.plots_warm_up(number).then(|| Scout::new(true)),
            compared: plan.output.alone.then(|| compared(plan, counting)),
            bounds: plan.output.bounds.then(|| plan.bounding()),
            promises: plan.promises(),
            weeks: (counting.weeks)
                .map(|width| Weeks::new(counting, width, plan.organizations.len())),
        };
        let records = Records::begin(&Beginning { plan, number, counting, names }, sheets);
        let watch = Watch { kept, records, has_few: false };
        Watch { has_few: watch.has_any_of_few(), ..watch }
    }

    /// True once the batches are precise enough; checked only when due.
    #[inline]
    pub(super) fn is_enough(&mut self) -> bool {
        let Kept { accounts, patience, typical, .. } = &mut self.kept;
        let Some(patience) = patience else { return false };
        patience.is_over() || patience.is_due() && patience.look(accounts, typical)
    }

    /// The records that are being written.
    pub(super) fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        let Records { jobs, windows, decisions, plans } = &mut self.records;
        Records::opened(jobs, windows, decisions, plans)
    }

    /// The sheets and the other observers.
    pub(super) fn finish(self) -> Result<(Sheets, Kept), FileError> {
        Ok((self.records.finish()?, self.kept))
    }
}

/// Forwards events to each part and saves the parts in order.
macro_rules! parts {
    (all: $($in:ident.$part:ident),*; few: $($few_in:ident.$few:ident),*) => {
        impl Watch {
            /// True if there is one of the few.
            fn has_any_of_few(&self) -> bool {
                $(self.$few_in.$few.is_some())||*
            }
        }

        impl State for Watch {
            fn save(&self, out: &mut Vec<u8>) {
                $(self.$in.$part.save(out);)*
                $(self.$few_in.$few.save(out);)*
            }
            fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
                $(self.$in.$part.load(from)?;)*
                $(self.$few_in.$few.load(from)?;)*
                Ok(())
            }
        }

        impl Observer for Watch {
            #[inline]
            fn submitted(&mut self, submitted: Submitted<'_>) {
                $(self.$in.$part.submitted(submitted);)*
                if self.has_few {
                    $(self.$few_in.$few.submitted(submitted);)*
                }
            }
            #[inline]
            fn sent(&mut self, sent: Sent<'_>) {
                $(self.$in.$part.sent(sent);)*
                $(self.$few_in.$few.sent(sent);)*
            }
            fn planned(&mut self, made: PlanMade<'_>) {
                $(self.$in.$part.planned(made);)*
                $(self.$few_in.$few.planned(made);)*
            }
            #[inline]
            fn rejected(&mut self, job: &Job, now: Time) {
                $(self.$in.$part.rejected(job, now);)*
                $(self.$few_in.$few.rejected(job, now);)*
            }
            #[inline]
            fn started(&mut self, started: Started<'_>) {
                $(self.$in.$part.started(started);)*
                if self.has_few {
                    $(self.$few_in.$few.started(started);)*
                }
            }
            #[inline]
            fn finished(&mut self, finished: Finished<'_>) {
                $(self.$in.$part.finished(finished);)*
                if self.has_few {
                    $(self.$few_in.$few.finished(finished);)*
                }
            }
            #[inline]
            fn asks_why(&self) -> bool {
                self.has_few && ($(self.$few_in.$few.asks_why())||*)
            }
            fn chosen(&mut self, chosen: Chosen<'_>) {
                $(self.$few_in.$few.chosen(chosen);)*
            }
            fn decided(&mut self, decided: Decided<'_>) {
                $(self.$few_in.$few.decided(decided);)*
            }
            fn unfinished(&mut self, unfinished: Unfinished<'_>) {
                $(self.$in.$part.unfinished(unfinished);)*
                $(self.$few_in.$few.unfinished(unfinished);)*
            }
            fn ended(&mut self, now: Time) {
                $(self.$in.$part.ended(now);)*
                $(self.$few_in.$few.ended(now);)*
            }
        }
    };
}

parts!(
    all: kept.accounts, kept.timeline, kept.patience, kept.typical, kept.trace_waits, kept.early;
    few: kept.welch, kept.compared, kept.weeks, kept.bounds, kept.promises, records.jobs,
    records.windows, records.decisions, records.plans
);
