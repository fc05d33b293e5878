//! Tick marks of an axis and their labels.

use super::Scale;

/// Tick marks of a linear axis: multiples of 1, 2 or 5 times a power of ten.
///
/// There are between about `most / 2` and `most` of them.
pub(super) fn even(low: f64, high: f64, most: usize) -> Vec<f64> {
    let rough = (high - low) / most as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![low];
    }
    let power = libm::floor(libm::log10(rough));
    let ten = libm::pow(10.0, power);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * ten >= rough * 0.999_999);
    let step = step.unwrap_or(10.0) * ten;
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Tick marks of a logarithmic axis: the powers of ten.
///
/// On a short axis, 2 and 5 times these powers are marked too.
pub(super) fn by_factors(low: f64, high: f64) -> Vec<f64> {
    let first = libm::floor(libm::log10(low)) as i32;
    let last = libm::ceil(libm::log10(high)) as i32;
    let steps: &[f64] = if high < 100.0 * low { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = ((last - first) / 8 + 1) as usize;
    (first..=last)
        .step_by(every)
        .flat_map(|power| steps.iter().map(move |step| step * libm::pow(10.0, power.into())))
        .filter(|mark| (low * 0.999_999..=high * 1.000_001).contains(mark))
        .collect()
}

/// Label of a tick mark.
pub(super) fn label(mark: f64) -> String {
    let size = mark.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{mark:e}");
    }
    let rounded = format!("{mark:.6}");
    let text = rounded.trim_end_matches('0').trim_end_matches('.');
    match text.split_once('.') {
        None if size >= 10_000.0 => stats::shown::figure(mark),
        _ => text.to_owned(),
    }
}

impl Scale {
    /// Tick marks of the axis, about `most` of them.
    pub(super) fn marks(self, most: usize) -> Vec<f64> {
        match self {
            Scale::Linear(low, high) => even(low, high, most),
            Scale::Log(low, high) => by_factors(low, high),
        }
    }

    /// Position of a value along the axis, from 0 to 1; values beyond an end are clamped to it.
    pub(super) fn share(self, value: f64) -> f64 {
        let (value, low, high) = match self {
            Scale::Linear(low, high) => (value.clamp(low, high), low, high),
            Scale::Log(low, high) => {
                let value = value.clamp(low, high);
                (libm::log10(value), libm::log10(low), libm::log10(high))
            }
        };
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers() {
        assert_eq!(even(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(even(0.0, 1000.0, 8), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
        assert_eq!(even(0.0, 7.0, 8), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(even(3.0, 3.0, 8), [3.0]);
        assert_eq!(by_factors(1.0, 1000.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(by_factors(0.5, 20.0), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        let shown = [0.6000000000000001, 0.0, 1.0, 250.0, 20_000.0, 1e9].map(label);
        assert_eq!(shown, ["0.6", "0", "1", "250", "20 000", "1e9"]);
    }
}
