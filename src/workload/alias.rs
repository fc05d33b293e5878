//! Draws of a number from weights, in constant time: Walker's alias method, set up as Vose does.
//!
//! Every number has a column of equal width; a column is split between its own number and one
//! other. A draw takes one random word: its product with the number of columns tells the column by
//! its upper half, and the place within by its lower half.

use std::sync::Arc;

use rand::Rng as _;

use crate::kernel::rng::Rng;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    /// Places below this, of 2^64, are the column's own number.
    own: u64,
    /// Whose the others are.
    alias: u32,
}

/// The table; clones share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    columns: Arc<[Column]>,
}

/// Places in a column.
const PLACES: f64 = 18_446_744_073_709_551_616.0;

impl Alias {
    /// The table of numbers from 0 that come in proportion to their weights. O(weights).
    ///
    /// # Panics
    /// When there is no weight, there are more than 2^32, one is negative or no number, or their
    /// sum is 0 or not finite.
    pub fn new(weights: &[f64]) -> Alias {
        assert!(u32::try_from(weights.len()).is_ok(), "at most 2^32 weights");
        let sum: f64 = weights.iter().sum();
        let can_be = weights.iter().all(|&weight| weight >= 0.0) && sum > 0.0 && sum.is_finite();
        assert!(can_be, "weights of at least 0, not all 0");
        let count = weights.len() as f64;
        // How much of a column each number fills; 1 on average.
        let mut fill: Vec<f64> = weights.iter().map(|weight| weight / sum * count).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..fill.len()).partition(|&number| fill[number] < 1.0);
        // What is left alone in its column fills it, but for rounding.
        let full = |number| Column { own: u64::MAX, alias: number as u32 };
        let mut columns: Vec<Column> = (0..fill.len()).map(full).collect();
        while let (Some(&short), Some(&long)) = (small.last(), large.last()) {
            small.pop();
            // A share below 1 is a whole number of places below 2^64.
            columns[short] = Column { own: (fill[short] * PLACES) as u64, alias: long as u32 };
            fill[long] = (fill[long] + fill[short]) - 1.0;
            if fill[long] < 1.0 {
                large.pop();
                small.push(long);
            }
        }
        Alias { columns: columns.into() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Never true: there is always a number.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A number; takes one word from the generator.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        let product = u128::from(rng.next_u64()) * self.columns.len() as u128;
        let (column, place) = ((product >> 64) as usize, product as u64);
        let Column { own, alias } = self.columns[column];
        if place < own { column as u32 } else { alias }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rng::Streams;
    use proptest::prelude::*;

    /// The probability of each number by the table: places are counted, not drawn.
    fn probabilities(alias: &Alias) -> Vec<f64> {
        let mut places = vec![0_u128; alias.len()];
        for (number, column) in alias.columns.iter().enumerate() {
            places[number] += u128::from(column.own);
            places[column.alias as usize] += (1 << 64) - u128::from(column.own);
        }
        places.into_iter().map(|places| places as f64 / PLACES / alias.len() as f64).collect()
    }

    #[track_caller]
    fn check(weights: &[f64]) {
        let sum: f64 = weights.iter().sum();
        // Each column rounds its share a few times, and a number may fill all columns.
        let error = 4.0 * f64::EPSILON * weights.len() as f64;
        for (found, weight) in probabilities(&Alias::new(weights)).iter().zip(weights) {
            assert!((found - weight / sum).abs() <= error, "{found} instead of {}", weight / sum);
        }
    }

    #[test]
    fn the_table_has_the_probabilities_of_the_weights() {
        check(&[1.0]);
        check(&[0.0, 3.0, 0.0]);
        check(&[1.0, 1.0, 1.0]);
        check(&[1e-300, 1.0, 1e300]);
        check(&(1..=1000).map(|k| libm::pow(f64::from(k), -1.4267)).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn any_weights_have_their_probabilities(weights in proptest::collection::vec(
            prop_oneof![Just(0.0), 0.0..1.0, 1e-9..1e9], 1..200,
        )) {
            prop_assume!(weights.iter().sum::<f64>() > 0.0);
            check(&weights);
        }
    }

    #[test]
    fn a_number_without_weight_never_comes() {
        let alias = Alias::new(&[0.0, 1.0, 0.0, 2.0]);
        let mut rng = Streams::new(1).stream("alias");
        assert!((0..10_000).all(|_| alias.draw(&mut rng) % 2 == 1));
    }

    #[test]
    fn one_draw_takes_one_word() {
        let alias = Alias::new(&[1.0, 5.0, 2.0]);
        let (mut drawn, mut skipped) = (Streams::new(1).stream("a"), Streams::new(1).stream("a"));
        for _ in 0..100 {
            alias.draw(&mut drawn);
            skipped.next_u64();
        }
        assert_eq!(drawn.next_u64(), skipped.next_u64());
    }
}
