//! Replications that end apart, whose mean is where hardly any of them is.

/// Least number of values that can show a mixture.
const LEAST: usize = 20;

/// Means of the values in the lower and in the upper half of their range, where they are a mixture: each
/// half has at least a twentieth of them, and less than a tenth is in the middle half of the range.
pub fn halves(values: &[f64]) -> Option<[f64; 2]> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |value: f64| (value - low) / (high - low);
    let between = values.iter().filter(|&&value| (0.25..0.75).contains(&place(value))).count();
    let half = |is_high: bool| {
        let half = values.iter().filter(|&&value| (place(value) >= 0.5) == is_high);
        let (count, sum) = half.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
        (count, sum / count as f64)
    };
    let (halves, all) = ([half(false), half(true)], values.len());
    let has_both = halves.iter().all(|half| 20 * half.0 >= all);
    let is_mixture = all >= LEAST && high > low && has_both && 10 * between < all;
    is_mixture.then(|| halves.map(|half| half.1))
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn values_at_both_ends_are_a_mixture() {
        let of = |parts: &[(f64, usize)]| -> Vec<f64> {
            parts.iter().flat_map(|&(value, times)| vec![value; times]).collect()
        };
        assert_eq!(halves(&of(&[(1.0, 5), (9.0, 15)])), Some([1.0, 9.0]));
        assert_eq!(halves(&of(&[(1.0, 9), (5.0, 2), (9.0, 9)])), None, "a tenth between");
        assert_eq!(halves(&of(&[(1.0, 4), (9.0, 15)])), None, "too few");
        assert_eq!(halves(&of(&[(1.0, 30), (9.0, 1)])), None, "one apart");
        assert_eq!(halves(&of(&[(3.0, 40)])), None);
        let even: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(halves(&even), None);
    }
}
