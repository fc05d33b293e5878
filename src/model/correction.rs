//! Corrections of expired runtime predictions: how far the prediction of a running job is extended.

use kernel::time::{Span, TICKS_PER_UNIT};

/// Steps of the corrections, in minutes.
const MINUTES: [i64; 11] = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000];

/// Total extension by the first corrections.
const TOTALS: [i64; MINUTES.len() + 1] = {
    let mut totals = [0; MINUTES.len() + 1];
    let mut step = 0;
    while step < MINUTES.len() {
        totals[step + 1] = totals[step] + MINUTES[step] * 60 * TICKS_PER_UNIT;
        step += 1;
    }
    totals
};

/// Returns a predicted runtime after `times` corrections. The first correction adds a minute, the
/// next ones 5, 15 and 30 minutes, 1, 2, 5, 10, 20, 50 and 100 hours; the unit of time is the
/// second. The result never exceeds the user's estimate, which is what any further correction
/// gives.
///
/// Tsafrir, Etsion and Feitelson, "Backfilling using system-generated predictions rather than user
/// runtime estimates", IEEE TPDS 18(6), 2007, on the correction of predictions.
#[inline]
pub fn corrected(predicted: Span, estimate: Span, times: u32) -> Span {
    match TOTALS.get(times as usize) {
        // Most jobs are never corrected, and a prediction does not exceed the estimate.
        Some(0) => predicted,
        Some(&total) => Span::from_ticks(predicted.ticks().saturating_add(total)).min(estimate),
        None => estimate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_grow_by_the_steps_of_the_paper_up_to_the_estimate() {
        let hours = 3600;
        let steps = [60, 300, 900, 1800, hours, 2 * hours, 5 * hours, 10 * hours, 20 * hours];
        let steps = steps.into_iter().chain([50 * hours, 100 * hours]);
        let (start, estimate) = (Span::units(10), Span::units(2_000_000));
        let mut length = start;
        for (step, times) in steps.zip(1..) {
            length += Span::units(step);
            assert_eq!(corrected(start, estimate, times), length, "{times}");
        }
        assert_eq!(corrected(start, estimate, 0), start);
        assert_eq!(corrected(start, estimate, 12), estimate);
        assert_eq!(corrected(start, Span::units(40), 1), Span::units(40));
        assert_eq!(corrected(start, Span::units(371), 2), Span::units(370));
    }
}
