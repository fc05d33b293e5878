//! Fairness of a distribution of amounts.

/// Jain's fairness index of nonnegative amounts: 1 if all are equal, 1/n if one has all (Jain,
/// Chiu, Hawe 1984: `(sum x)^2 / (n sum x^2)`). `None` if there are none or all are zero.
pub fn jain(amounts: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for amount in amounts {
        count += 1.0;
        sum += amount;
        squares += amount * amount;
    }
    (squares > 0.0).then(|| sum * sum / (count * squares))
}

#[cfg(test)]
mod tests {
    use super::jain;

    #[test]
    fn even_is_one_and_one_for_all_is_a_share() {
        assert_eq!(jain([3.0, 3.0, 3.0]), Some(1.0));
        assert_eq!(jain([0.0, 5.0, 0.0, 0.0]), Some(0.25));
        assert_eq!(jain([1.0, 2.0]), Some(0.9));
        assert_eq!(jain([]), None);
        assert_eq!(jain([0.0]), None);
    }
}
