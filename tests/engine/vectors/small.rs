//! Small instances by hand, with every start.

use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::policy::local::{LocalOptions, conservative, easy};
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::clairvoyance::{Clairvoyance, Correction, Predicted};
use gridpact::sim::grid::Settings;
use gridpact::sim::phase::PhaseOrder;
use gridpact::workload::jobs::ListSource;

use super::Starts;
use crate::common::{one_cluster, run};

/// Submission, run time, estimate, processors and user.
type Line = (i64, i64, i64, u32, u32);

/// When each job starts, in units; nothing is killed.
fn starts(
    processors: u32,
    scheduler: &LocalOptions,
    (clairvoyance, phase_order): (Clairvoyance, PhaseOrder),
    jobs: &[Line],
) -> Vec<i64> {
    let job = |(&(submit, runtime, estimate, processors, user), number)| Job {
        number,
        source: 0,
        submit: Time::ZERO + Span::units(submit),
        runtime: Span::units(runtime),
        estimate: Span::units(estimate),
        processors,
        user,
        organization: OrganizationId(0),
        ..Job::default()
    };
    let list = ListSource::new(jobs.iter().zip(1..).map(job).collect());
    let scheduler = scheduler.clone();
    let machine = Machine::new(processors);
    let kind = ClusterKind::SpaceShared { machine, scheduler: Some(scheduler) };
    let settings = Settings { clairvoyance, phase_order, ..Settings::default() };
    let plan = Plan { settings, ..one_cluster(kind, WorkloadKind::List(list)) };
    let starts = run(&plan, 0, Starts::default());
    let units = |start: Time| (start - Time::ZERO).ticks() / Span::UNIT.ticks();
    starts.jobs.iter().map(|&(_, start)| units(start)).collect()
}

fn easy(backfill: easy::Backfill) -> LocalOptions {
    LocalOptions::Easy(easy::Options { backfill, ..Default::default() })
}

fn predicted(correction: Correction) -> (Clairvoyance, PhaseOrder) {
    (Clairvoyance::Predicted(Predicted { correction }), PhaseOrder::Instant)
}

/// The first job teaches that user 1 runs for 10; the second is the same user's and runs for 1000.
/// It is expected to end at 20, then, corrected, at 80, 380 and 1280. The third needs both
/// processors and waits for it. So the fourth, which takes 30, can go before the third from 20 on,
/// and the last, which takes 100, from 380 on.
const EXPIRES: [Line; 5] = [
    (0, 10, 2000, 1, 1),
    (10, 1000, 2000, 1, 1),
    (11, 50, 50, 2, 2),
    (12, 30, 30, 1, 3),
    (379, 100, 100, 1, 4),
];

#[test]
fn an_expired_prediction_is_corrected_and_its_scheduler_told() {
    let conservative = LocalOptions::Conservative(conservative::Options {});
    let gradual = predicted(Correction::Gradual);
    for scheduler in [easy(easy::Backfill::InOrder), conservative.clone()] {
        assert_eq!(starts(2, &scheduler, gradual, &EXPIRES), [0, 10, 1010, 20, 380]);
    }
    // Else its end is always expected at once, so nothing may go before the third.
    let none = predicted(Correction::None);
    for scheduler in [easy(easy::Backfill::InOrder), conservative] {
        assert_eq!(starts(2, &scheduler, none, &EXPIRES), [0, 10, 1010, 1060, 1060]);
    }
}

#[test]
fn no_correction_goes_beyond_the_estimate() {
    let mut jobs = EXPIRES;
    // Up to 49, and not 80: the fourth would end at 50.
    jobs[1].2 = 39;
    let gradual = predicted(Correction::Gradual);
    let scheduler = easy(easy::Backfill::InOrder);
    assert_eq!(starts(2, &scheduler, gradual, &jobs), [0, 10, 1010, 1060, 1060]);
    jobs[1].2 = 40;
    assert_eq!(starts(2, &scheduler, gradual, &jobs), [0, 10, 1010, 20, 1060]);
}

/// At 4 one processor is free until 10, when the second job is to start: for the third job or for
/// the fourth, which is shorter.
#[test]
fn the_shortest_is_backfilled_first() {
    let jobs =
        [(0, 10, 10, 3, 0), (0, 4, 6, 1, 0), (1, 5, 5, 4, 0), (2, 6, 6, 1, 0), (3, 3, 3, 1, 0)];
    let usual = (Clairvoyance::Estimate, PhaseOrder::Instant);
    let in_order = starts(4, &easy(easy::Backfill::InOrder), usual, &jobs);
    assert_eq!(in_order, [0, 0, 10, 4, 15]);
    let shortest = starts(4, &easy(easy::Backfill::ShortestFirst), usual, &jobs);
    assert_eq!(shortest, [0, 0, 10, 15, 4]);
}

/// At 3 the last job comes and the first ends, as was expected. Event by event its submission comes
/// first and takes the idle processor; the others leave too few for the third job. As pyss reads
/// it, the three processors of the first job are free when the last job comes.
#[test]
fn a_job_that_ends_when_it_is_due_gives_its_processors_back_first() {
    let jobs = [(0, 3, 3, 3, 0), (2, 4, 4, 2, 0), (2, 2, 4, 2, 0), (3, 4, 4, 1, 0)];
    let scheduler = easy(easy::Backfill::InOrder);
    let with = |order| starts(4, &scheduler, (Clairvoyance::Estimate, order), &jobs);
    assert_eq!(with(PhaseOrder::PerEvent), [0, 3, 7, 3]);
    assert_eq!(with(PhaseOrder::PerEventFreeWhenDue), [0, 3, 3, 5]);
}
