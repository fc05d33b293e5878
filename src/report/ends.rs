//! Figures and the ends of their intervals, as text in a CSV file.

use stats::interval::Interval;

/// A figure, if there is one.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value}"))
}

/// A figure and the ends of its interval.
pub(super) fn estimated(figure: Option<f64>, interval: Option<Interval>) -> [String; 3] {
    let interval = interval.filter(|_| figure.is_some());
    let high = interval.map(|one| one.high).filter(|high| high.is_finite());
    [figure, interval.map(|one| one.low), high].map(number)
}
