//! Fairness of a distribution of amounts.

use serde::{Deserialize, Serialize};

/// Jain's fairness index of nonnegative amounts: 1 if all are equal, 1/n if one has all (Jain,
/// Chiu, Hawe 1984: `(sum x)^2 / (n sum x^2)`). `None` if there are none or all are zero.
pub fn jain(amounts: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut jain = Jain::default();
    amounts.into_iter().for_each(|amount| jain.add(amount));
    jain.index()
}

/// Sums of amounts, one at a time, for Jain's index of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jain {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Jain {
    /// Adds an amount.
    pub fn add(&mut self, amount: f64) {
        self.count += 1.0;
        self.sum += amount;
        self.squares += amount * amount;
    }

    /// Adds all amounts of another.
    pub fn add_all(&mut self, other: &Jain) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The index; `None` if there are no amounts or all are zero.
    pub fn index(&self) -> Option<f64> {
        (self.squares > 0.0).then(|| self.sum * self.sum / (self.count * self.squares))
    }
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
