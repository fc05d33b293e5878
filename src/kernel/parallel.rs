//! Work on all threads of a pool, with results in order.
//!
//! The loop itself is compiled once, for all types. A parallel iterator would be compiled again for each
//! closure that it runs.

use std::sync::Mutex;

use rayon::prelude::*;

/// Calls `one` for each number below `count` on the threads of the current pool, and returns the results
/// in the order of the numbers.
pub fn map<T: Send>(count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|number| {
        let result = one(number);
        if let Ok(mut slot) = slots[number].lock() {
            *slot = Some(result);
        }
    });
    let taken = slots.into_iter().map(|slot| slot.into_inner().ok().flatten());
    taken.map(|result| result.expect("each number was called once")).collect()
}

fn for_each(count: usize, one: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(one);
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        assert_eq!(super::map(1000, |n| n * n), (0..1000).map(|n| n * n).collect::<Vec<_>>());
        assert!(super::map(0, |n| n).is_empty());
    }

    #[test]
    #[should_panic(expected = "of one")]
    fn a_panic_goes_on() {
        super::map(8, |n| assert!(n < 5, "of one"));
    }
}
