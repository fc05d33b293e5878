//! The alias method: draws an index with given weights by a single table look-up.

use std::sync::Arc;

use rand::Rng as _;

use kernel::rng::Rng;

/// Draws indices in proportion to weights: Walker's alias method, built as by Vose 1991.
///
/// Clones share the table. Building is O(n). A draw uses one random `u64`: its high part chooses a
/// column, its low part one of the column's two indices. Probabilities are exact to about n in
/// 2^53.
///
/// ```
/// use kernel::rng::Streams;
/// use gridpact_workload::draw::Alias;
///
/// let alias = Alias::new(&[1.0, 0.0, 3.0]).unwrap();
/// let mut rng = Streams::new(1).stream("indices");
/// let count = (0..1000).filter(|_| alias.draw(&mut rng) == 2).count();
/// assert!((700..800).contains(&count));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    columns: Arc<[Column]>,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    /// Share of the column, in units of 2^-64, that goes to its own index.
    own: u64,
    /// Index that gets the rest.
    other: u32,
}

impl Alias {
    /// Builds a table of these weights. Returns `None` if a weight is negative or not finite, if
    /// all are 0, or if there are none or more than 2^32.
    pub fn new(weights: &[f64]) -> Option<Alias> {
        let count = u32::try_from(weights.len()).ok()?;
        let sum: f64 = weights.iter().sum();
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if !weights.iter().all(is_weight) || !sum.is_finite() || sum <= 0.0 {
            return None;
        }
        let share = |weight: &f64| weight / sum * f64::from(count);
        let mut shares: Vec<f64> = weights.iter().map(share).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) =
            (0..count).partition(|&index| shares[index as usize] < 1.0);
        let mut columns: Vec<Column> =
            (0..count).map(|other| Column { own: u64::MAX, other }).collect();
        while let (Some(&less), Some(&more)) = (small.last(), large.last()) {
            small.pop();
            let own = shares[less as usize];
            columns[less as usize] = Column { own: (own * TWO_64) as u64, other: more };
            let rest = (shares[more as usize] + own) - 1.0;
            shares[more as usize] = rest;
            if rest < 1.0 {
                large.pop();
                small.push(more);
            }
        }
        // Columns left over by rounding are full; but an index of weight 0 is never drawn.
        let heaviest = (0..count)
            .max_by(|&a, &b| weights[a as usize].total_cmp(&weights[b as usize]).then(b.cmp(&a)))?;
        for index in small {
            if weights[index as usize] == 0.0 {
                columns[index as usize] = Column { own: 0, other: heaviest };
            }
        }
        Some(Alias { columns: columns.into() })
    }

    /// Returns the number of indices.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns the indices with positive probability, in no particular order, some more than once.
    pub(super) fn drawn(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .flat_map(|(index, &Column { own, other })| {
                [(own > 0).then_some(index), (own < u64::MAX).then_some(other as usize)]
            })
            .flatten()
    }

    /// Adds everything that draws depend on to a digest.
    pub(super) fn hash(&self, hasher: &mut blake3::Hasher) {
        for column in &*self.columns {
            hasher.update(&column.own.to_le_bytes()).update(&column.other.to_le_bytes());
        }
    }

    /// Draws an index.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> usize {
        let wide = u128::from(rng.next_u64()) * self.columns.len() as u128;
        let index = (wide >> 64) as usize;
        let Column { own, other } = self.columns[index];
        if (wide as u64) < own { index } else { other as usize }
    }
}

const TWO_64: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Recovers the probabilities from a table.
    fn probabilities(alias: &Alias) -> Vec<f64> {
        let mut found = vec![0.0; alias.len()];
        for (index, column) in alias.columns.iter().enumerate() {
            let own = column.own as f64 / TWO_64;
            found[index] += own;
            found[column.other as usize] += 1.0 - own;
        }
        found.iter().map(|mass| mass / alias.len() as f64).collect()
    }

    #[test]
    fn what_are_no_weights_make_no_table() {
        for wrong in [&[][..], &[0.0], &[1.0, -1.0], &[f64::NAN], &[f64::INFINITY], &[1e308, 1e308]]
        {
            assert_eq!(Alias::new(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn a_table_stands_for_its_weights(
            weights in prop::collection::vec(prop_oneof![Just(0.0), 1e-9_f64..1.0], 1..200),
        ) {
            let Some(alias) = Alias::new(&weights) else {
                prop_assert!(weights.iter().all(|&weight| weight == 0.0));
                return Ok(());
            };
            let sum: f64 = weights.iter().sum();
            for (found, weight) in probabilities(&alias).iter().zip(&weights) {
                prop_assert!((found - weight / sum).abs() < 1e-13, "{found} {}", weight / sum);
                prop_assert!(*weight > 0.0 || *found == 0.0);
            }
        }
    }
}
