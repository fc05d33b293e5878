//! The Pareto front of many points by divide and conquer.
//!
//! Kung, Luccio and Preparata, *On finding the maxima of a set of vectors*, Journal of the ACM 22,
//! 1975: sort by the first number, find the fronts of both halves, and remove from the second what
//! the first dominates in the other numbers, which again divides by one number at a time.

use super::Points;

/// Below this many pairs, points are compared one by one.
const FEW: usize = 64;

/// The points that no other one dominates (nowhere larger and somewhere smaller), in ascending
/// lexicographic order, each once. O(n log^(w-2) n) for n points of width w > 2, O(n log n) else.
pub fn pareto_front<N: Copy + Ord>(points: Points<N>) -> Points<N> {
    let points = points.sorted();
    let mut search = Search { points: &points, is_out: vec![false; points.len()] };
    match points.width() {
        1 => search.is_out.iter_mut().skip(1).for_each(|is_out| *is_out = true),
        2 => {
            let all: Vec<usize> = (0..points.len()).collect();
            search.staircase(&all);
        }
        _ => search.front(0..points.len()),
    }
    let kept: Vec<usize> = (0..points.len()).filter(|&at| !search.is_out[at]).collect();
    points.chosen(&kept)
}

struct Search<'p, N> {
    /// In ascending lexicographic order, each once.
    points: &'p Points<N>,
    /// True for points that another one dominates.
    is_out: Vec<bool>,
}

impl<N: Copy + Ord> Search<'_, N> {
    fn of(&self, index: usize, number: usize) -> N {
        self.points.at(index)[number]
    }

    /// Removes the points of width 2 that an earlier one dominates.
    fn staircase(&mut self, order: &[usize]) {
        let mut least: Option<N> = None;
        for &index in order {
            let height = self.of(index, 1);
            match least {
                Some(least) if least <= height => self.is_out[index] = true,
                _ => least = Some(height),
            }
        }
    }

    /// Removes what is dominated within a range.
    fn front(&mut self, range: std::ops::Range<usize>) {
        if range.len() < 2 {
            return;
        }
        let middle = usize::midpoint(range.start, range.end);
        self.front(range.start..middle);
        self.front(middle..range.end);
        let kept = |range: std::ops::Range<usize>| -> Vec<usize> {
            range.filter(|&index| !self.is_out[index]).collect()
        };
        let (mut first, mut second) = (kept(range.start..middle), kept(middle..range.end));
        self.marry(&mut first, &mut second, 1);
    }

    /// Removes from `second` what one of `first` equals or undercuts in each number from `from` on.
    fn marry(&mut self, first: &mut [usize], second: &mut [usize], from: usize) {
        if first.is_empty() || second.is_empty() {
            return;
        }
        if first.len().saturating_mul(second.len()) <= FEW {
            for &mut index in second {
                let point = &self.points.at(index)[from..];
                let undercuts = |&other: &usize| {
                    self.points.at(other)[from..].iter().zip(point).all(|(a, b)| a <= b)
                };
                if first.iter().any(undercuts) {
                    self.is_out[index] = true;
                }
            }
            return;
        }
        if from + 2 == self.points.width() {
            return self.sweep(first, second, from);
        }
        let both = || first.iter().chain(second.iter()).map(|&index| self.of(index, from));
        let (least, most) = both()
            .fold(None, |ends: Option<(N, N)>, one| {
                Some(ends.map_or((one, one), |(least, most)| (least.min(one), most.max(one))))
            })
            .expect("there are points");
        if least == most {
            return self.marry(first, second, from + 1);
        }
        // Both sides of the cut hold a point, as the least lies below it and the most does not.
        let mut all: Vec<N> = both().collect();
        let half = all.len() / 2;
        let (_, &mut median, _) = all.select_nth_unstable(half);
        let is_low = |one: N| if median == least { one == least } else { one < median };
        let split = |indices: &mut [usize]| {
            // A stable partition: the order within a side does not matter to the result.
            let mut low = 0;
            for at in 0..indices.len() {
                if is_low(self.of(indices[at], from)) {
                    indices.swap(low, at);
                    low += 1;
                }
            }
            low
        };
        let (low_of_first, low_of_second) = (split(first), split(second));
        let (first_low, first_high) = first.split_at_mut(low_of_first);
        let (second_low, second_high) = second.split_at_mut(low_of_second);
        self.marry(first_low, second_low, from);
        self.marry(first_high, second_high, from);
        let mut left: Vec<usize> =
            second_high.iter().copied().filter(|&index| !self.is_out[index]).collect();
        self.marry(first_low, &mut left, from + 1);
    }

    /// [`Self::marry`] for the last two numbers: a sweep by the first of them.
    fn sweep(&mut self, first: &mut [usize], second: &mut [usize], from: usize) {
        first.sort_unstable_by_key(|&index| self.of(index, from));
        second.sort_unstable_by_key(|&index| self.of(index, from));
        let mut before = first.iter().peekable();
        let mut least: Option<N> = None;
        for &mut index in second {
            let bound = self.of(index, from);
            while let Some(&&other) = before.peek().filter(|&&&other| self.of(other, from) <= bound)
            {
                let height = self.of(other, from + 1);
                least = Some(least.map_or(height, |least| least.min(height)));
                before.next();
            }
            if least.is_some_and(|least| least <= self.of(index, from + 1)) {
                self.is_out[index] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::pareto_dominates;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_front_is_what_nothing_dominates(
            (width, all, range) in (1..6_usize, 1..12_i64).prop_flat_map(|(width, range)| {
                let point = proptest::collection::vec(-range..range, width);
                (Just(width), proptest::collection::vec(point, 0..200), Just(range))
            }),
        ) {
            prop_assert!(range > 0);
            let front = pareto_front(Points::of(width, all.iter().map(|one| &one[..])));
            let mut expected: Vec<&[i64]> = all.iter().map(|one| &one[..]).collect();
            expected.retain(|one| !all.iter().any(|other| pareto_dominates(other, one)));
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(front.iter().collect::<Vec<_>>(), expected);
        }
    }
}
