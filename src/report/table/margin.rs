//! Intervals as cells of a table: both ends for programs, a margin for people.

use super::Cell;
use stats::interval::{Interval, Level};

/// The two ends of an interval are shown apart if one is so many times as far from the figure.
const LOPSIDED: f64 = 1.5;

/// Added to the legend of margins if some of them are shown as two distances.
pub(crate) const BOTH_ENDS: &str = ", or the distances to its ends if they differ much";

/// The lower end, the upper end and the margin: half of the width, or the distances to both ends if
/// one side is much longer.
///
/// An upper end that the sample does not tell is missing.
pub(crate) fn cells(figure: Option<f64>, interval: Option<Interval>) -> [Cell; 3] {
    let ends = [interval.map(|one| one.low), interval.map(|one| one.high)];
    let [low, high] = ends.map(Cell::from);
    let margin = || -> Option<Cell> {
        let (figure, interval) = (figure?, interval?);
        Some(match ends_apart(figure, interval) {
            Some([below, above]) => Cell::Ends(below.max(0.0), above.max(0.0)),
            None => Cell::Error(interval.half_width()),
        })
    };
    [low, high, margin().unwrap_or(Cell::Missing)]
}

/// The distances to both ends, if half of the width would not do: one side is much longer, or the figure
/// with that margin would be on both sides of 0 while the interval is not.
fn ends_apart(figure: f64, interval: Interval) -> Option<[f64; 2]> {
    let ends = [figure - interval.low, interval.high - figure];
    let [below, above] = ends;
    let half = interval.half_width();
    let is_lopsided = above.max(below) > LOPSIDED * above.min(below);
    let crosses = interval.low > 0.0 && figure <= half || interval.high < 0.0 && -figure <= half;
    (above.is_finite() && (is_lopsided || crosses)).then_some(ends)
}

/// The margin of a figure in a sentence: ` ± 3.1`, or ` (0.4 to 60)` where that would not do, given how
/// half of the width and the ends are written.
pub(crate) fn told(
    figure: f64,
    interval: Interval,
    [half, end]: [&dyn Fn(f64) -> String; 2],
) -> String {
    match ends_apart(figure, interval) {
        Some(_) => format!(" ({} to {})", end(interval.low), end(interval.high)),
        None => format!(" ± {}", half(interval.half_width())),
    }
}

/// Legend of the margins.
pub(crate) fn legend(level: Level, method: &str) -> String {
    format!("±: half-width of the {level} confidence interval ({method})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::shown::rough;

    #[test]
    fn a_lopsided_interval_is_told_by_the_distances_to_its_ends() {
        let cells = |low: f64, high: f64| cells(Some(1.0), Some(Interval { low, high }));
        let even = cells(0.5, 1.5);
        assert_eq!(even, [Cell::Number(0.5), Cell::Number(1.5), Cell::Error(0.5)]);
        assert_eq!(cells(0.75, 2.0)[2], Cell::Ends(0.25, 1.0));
        // A margin of 0.3 about 0.27 would contradict an interval above 0.
        assert_eq!(
            super::cells(Some(0.25), Some(Interval { low: 0.007_812_5, high: 0.5625 }))[2],
            Cell::Ends(0.242_187_5, 0.3125)
        );
        let told = |low| super::told(0.27, Interval { low, high: 0.6 }, [&rough, &rough]);
        assert_eq!([told(0.01), told(-0.06)], [" (0.010 to 0.60)", " ± 0.33"]);
        let none = [Cell::Missing, Cell::Missing, Cell::Missing];
        assert_eq!(super::cells(Some(1.0), None), none);
    }
}
