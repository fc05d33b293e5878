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

    /// The lower and the upper end.
    pub(crate) fn ends(self) -> (f64, f64) {
        let (Scale::Linear(low, high) | Scale::Log(low, high)) = self;
        (low, high)
    }

    /// Position of a value along the axis, from 0 to 1; values beyond an end are below 0 or above 1.
    pub(super) fn place(self, value: f64) -> f64 {
        let (value, low, high) = match self {
            Scale::Linear(low, high) => (value, low, high),
            Scale::Log(low, high) => {
                let value = value.max(f64::MIN_POSITIVE);
                (libm::log10(value), libm::log10(low), libm::log10(high))
            }
        };
        let place = if high > low { (value - low) / (high - low) } else { 0.5 };
        let is_rounded = (-ROUNDING..=1.0 + ROUNDING).contains(&place);
        if is_rounded { place.clamp(0.0, 1.0) } else { place.clamp(-FARTHEST, FARTHEST) }
    }

    /// The pieces of a line that lie between the ends, with the points where it crosses these.
    pub(super) fn inside(self, points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        let mut pieces = vec![Vec::new()];
        let mut last = None;
        for &point in points {
            let crossings = last.map_or_else(Vec::new, |last| self.crossings(last, point));
            let is_inside = (0.0..=1.0).contains(&self.place(point.1));
            for here in crossings.into_iter().chain(is_inside.then_some(point)) {
                pieces.last_mut().expect("there is one").push(here);
            }
            if !is_inside {
                pieces.push(Vec::new());
            }
            last = Some(point);
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// The points between two where a line crosses an end.
    fn crossings(self, from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
        let (below, above) = (self.place(from.1), self.place(to.1));
        let ends = [(0.0, self.ends().0), (1.0, self.ends().1)].into_iter().enumerate();
        let mut found: Vec<(f64, f64)> = ends
            .filter(|(at, (end, _))| {
                let is_beyond = |place: f64| if *at == 0 { place < *end } else { place > *end };
                is_beyond(below) != is_beyond(above)
            })
            .map(|(_, (end, value))| {
                let part = (end - below) / (above - below);
                (from.0 + part * (to.0 - from.0), value)
            })
            .collect();
        if above < below {
            found.reverse();
        }
        found
    }

    /// The farthest point of each part of a line that lies beyond an end.
    pub(super) fn beyond(self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let place = |point: &(f64, f64)| self.place(point.1);
        let side = |point: &(f64, f64)| (place(point) > 1.0, place(point) < 0.0);
        let parts = points.chunk_by(|one, other| side(one) == side(other));
        let farthest = |part: &[(f64, f64)]| {
            let far = part.iter().filter(|point| side(point) != (false, false));
            far.copied().max_by(|one, other| place(one).abs().total_cmp(&place(other).abs()))
        };
        parts.filter_map(farthest).collect()
    }
}

/// Part of an axis by which values beyond its ends may differ from these by rounding.
const ROUNDING: f64 = 1e-9;
/// No place lies farther from an axis, in its lengths.
const FARTHEST: f64 = 1e6;

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

    /// By hand, on an axis from 0 to 10: a line from 5 up to 20, and down again to -10.
    #[test]
    fn lines_end_where_they_leave_the_axis() {
        let line = [(0.0, 5.0), (3.0, 20.0), (6.0, -10.0)];
        let axis = Scale::Linear(0.0, 10.0);
        let pieces = [vec![(0.0, 5.0), (1.0, 10.0)], vec![(4.0, 10.0), (5.0, 0.0)]];
        assert_eq!(axis.inside(&line), pieces);
        assert_eq!(axis.beyond(&line), [(3.0, 20.0), (6.0, -10.0)]);
        assert_eq!(axis.inside(&line[1..2]), Vec::<Vec<(f64, f64)>>::new());
        let within = [(0.0, 0.0), (1.0, 10.0 + 1e-12), (2.0, 7.0)];
        assert_eq!((axis.inside(&within), axis.beyond(&within)), (vec![within.to_vec()], vec![]));
        let log = Scale::Log(1.0, 100.0);
        assert_eq!(log.inside(&[(0.0, 10.0), (2.0, 1000.0)]), [[(0.0, 10.0), (1.0, 100.0)]]);
        assert_eq!(log.beyond(&[(0.0, 0.0), (1.0, f64::INFINITY)]).len(), 2);
        assert!(log.inside(&[(0.0, f64::NAN), (1.0, f64::NAN)]).is_empty());
    }
}
