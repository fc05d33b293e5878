//! Points of equal width in one piece of memory.

/// Points of equal width, one number a party, in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points<N = i64> {
    width: usize,
    numbers: Vec<N>,
}

impl<N: Copy + Ord> Points<N> {
    /// No points of this width.
    ///
    /// # Panics
    /// Panics if the width is 0.
    pub fn new(width: usize) -> Points<N> {
        assert!(width > 0, "a point has a number for each party");
        Points { width, numbers: Vec::new() }
    }

    /// The given points.
    ///
    /// # Panics
    /// Panics if one has another width.
    pub fn of<'n>(width: usize, points: impl IntoIterator<Item = &'n [N]>) -> Points<N>
    where
        N: 'n,
    {
        let mut all = Points::new(width);
        points.into_iter().for_each(|point| all.push(point));
        all
    }

    /// Width of each point.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.width
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Adds a point.
    ///
    /// # Panics
    /// Panics if it has another width.
    pub fn push(&mut self, point: &[N]) {
        assert_eq!(point.len(), self.width, "all points are of the same parties");
        self.numbers.extend_from_slice(point);
    }

    /// The point at an index.
    pub fn at(&self, index: usize) -> &[N] {
        &self.numbers[index * self.width..][..self.width]
    }

    /// The points in their order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, N> {
        self.numbers.chunks_exact(self.width)
    }

    /// The points in ascending lexicographic order, each once.
    #[must_use]
    pub fn sorted(&self) -> Points<N> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&a, &b| self.at(a).cmp(self.at(b)));
        order.dedup_by(|a, b| self.at(*a) == self.at(*b));
        self.chosen(&order)
    }

    /// True if a point is among these, which must be in ascending lexicographic order.
    pub fn holds(&self, point: &[N]) -> bool {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.at(middle).cmp(point) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }

    /// The points at these indices.
    pub fn chosen(&self, order: &[usize]) -> Points<N> {
        let mut numbers = Vec::with_capacity(order.len() * self.width);
        order.iter().for_each(|&index| numbers.extend_from_slice(self.at(index)));
        Points { width: self.width, numbers }
    }
}
