//! Sorting of lists that are sorted once in a while.
//!
//! The standard library's sorts are compiled for every type and every order, some thousand lines of
//! machine code each. Here the places of the elements are sorted, by one sort for all; what a run sorts
//! all the time takes the standard library's.

use std::cmp::Ordering;

/// Stable sorts of a list, without much code for each type.
pub trait InOrder<T> {
    /// Sorts by an order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, which is asked for at every comparison.
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = places(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        swaps(order, &mut |one, other| self.swap(one, other));
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// The places of elements in their order, given how two places compare.
#[inline(never)]
fn places(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

/// Brings each element to its place in the order, by swaps of two places.
#[inline(never)]
fn swaps(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(list: Vec<(u8, u16)>) {
            let mut expected = list.clone();
            expected.sort_by_key(|one| one.0);
            let mut ours = list.clone();
            ours.order_by_key(|one| one.0);
            prop_assert_eq!(&ours, &expected);
            expected.sort_by(|one, other| other.cmp(one));
            ours.order_by(|one, other| other.cmp(one));
            prop_assert_eq!(ours, expected);
        }
    }
}
