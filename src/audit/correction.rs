//! Expiry and correction of predicted runtimes (Tsafrir, Etsion and Feitelson 2007). A prediction
//! that expires while its job is running grows by 1, 5, 15 and 30 minutes, then by 1, 2, 5, 10, 20,
//! 50 and 100 hours, then to the estimate, which it never exceeds.

use super::facts::JobFacts;
use kernel::time::{Span, Time};

/// Correction steps in seconds.
const STEPS: [i64; 11] =
    [60, 300, 900, 1_800, 3_600, 7_200, 18_000, 36_000, 72_000, 180_000, 360_000];

/// Successive expected ends of a job that keeps running.
pub(super) fn ends(start: Time, predicted: Span, estimate: Span) -> impl Iterator<Item = Time> {
    let most = start.saturating_add(estimate);
    let mut steps = STEPS.iter();
    let mut next = Some(start.saturating_add(predicted));
    std::iter::from_fn(move || {
        let end = next?;
        next = (end < most).then(|| {
            let step = steps.next().map(|&seconds| Span::units(seconds));
            step.map_or(most, |step| end.saturating_add(step).min(most))
        });
        Some(end)
    })
}

/// Times at which the expectation of a started job is corrected: those before its end and before
/// its estimate.
pub(super) fn expiries(
    job: &JobFacts,
    start: Time,
    predicted: Span,
) -> impl Iterator<Item = Time> + use<> {
    let (most, finish) = (start.saturating_add(job.requested), job.finish);
    ends(start, predicted, job.requested)
        .take_while(move |end| *end < most && finish.is_none_or(|finish| *end < finish))
}

/// Latest announced end at `now` of a job running since `start`. It is that before or after the
/// corrections of `now`, and lies before `now` if no further correction is due.
pub(super) fn told_end(
    start: Time,
    predicted: Span,
    estimate: Span,
    now: Time,
    corrected: bool,
) -> Time {
    if start == now {
        return start.saturating_add(predicted);
    }
    let mut told = start;
    for end in ends(start, predicted, estimate) {
        told = end;
        if end > now || end == now && !corrected {
            break;
        }
    }
    told
}
