//! What happened in bins of simulated time, of one replication or of several.

use serde::{Deserialize, Serialize};

use crate::kernel::time::Time;

/// Bins at which neighbours are merged: from then on there are half as many to as many as this.
pub const MOST: usize = 512;
/// The width of the first bins in ticks: a 64th of a unit, so that widths are 1/64, 1/32 ... 1, 2,
/// 4 ... units.
pub const FINEST: i64 = 15_625;

/// What happened on one cluster, or on all together, in one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Jobs that came, without those that were rejected.
    pub arrivals: u64,
    /// Jobs that started.
    pub starts: u64,
    /// Jobs that ended.
    pub ends: u64,
    /// Job-ticks waited.
    pub waiting: i128,
    /// Job-ticks run.
    pub running: i128,
    /// Processor-ticks in use.
    pub busy: i128,
}

impl Cell {
    /// Adds what happened elsewhere or at another time.
    pub fn merge(&mut self, other: &Cell) {
        self.arrivals += other.arrivals;
        self.starts += other.starts;
        self.ends += other.ends;
        self.waiting += other.waiting;
        self.running += other.running;
        self.busy += other.busy;
    }
}

/// Bins next to each other, each with a [`Cell`] for every row: the clusters, or all together.
///
/// They stand at whole multiples of their width, so that those of two replications can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bins {
    pub(super) width: i64,
    /// The first bin stands at this multiple of the width.
    pub(super) first: i64,
    pub(super) rows: usize,
    /// By bin, then by row.
    pub(super) cells: Vec<Cell>,
    /// By bin, how many ticks of it were seen, summed over replications; the first and the last
    /// may be cut.
    pub(super) seen: Vec<i128>,
    /// When the first replication began.
    pub(super) begun: Time,
    /// When the last one ended.
    pub(super) end: Time,
}

/// One bin.
#[derive(Clone, Copy, Debug)]
pub struct Bin<'a> {
    /// Its beginning; of the first, the first submission.
    pub from: Time,
    /// Its end; of the last, that of the run.
    pub until: Time,
    /// How many ticks of it were seen, summed over replications.
    pub seen: i128,
    /// By row.
    pub cells: &'a [Cell],
}

impl Bin<'_> {
    /// What happened on all clusters together.
    pub fn all(&self) -> Cell {
        let mut all = Cell::default();
        self.cells.iter().for_each(|cell| all.merge(cell));
        all
    }

    /// A mean over the bin's time, of something summed over its ticks; none where no time passed.
    pub fn mean(&self, area: i128) -> Option<f64> {
        (self.seen > 0).then(|| area as f64 / self.seen as f64)
    }
}

impl Bins {
    /// The bins, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Bin<'_>> {
        let cells = self.cells.chunks_exact(self.rows.max(1));
        cells.zip(&self.seen).zip(self.first..).map(|((cells, &seen), index)| Bin {
            from: Time::from_ticks(index * self.width).max(self.begun),
            until: Time::from_ticks((index + 1) * self.width).min(self.end),
            seen,
            cells,
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// True where nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Rows of each bin.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The width of a bin, in ticks.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// When the first replication began, with its first submission.
    pub fn begun(&self) -> Time {
        self.begun
    }

    /// When the last replication ended.
    pub fn end(&self) -> Time {
        self.end
    }

    /// The same with one row, of all clusters together.
    pub fn together(&self) -> Bins {
        let cells = self.iter().map(|bin| bin.all()).collect();
        Bins { rows: 1, cells, seen: self.seen.clone(), ..*self }
    }

    /// Merges each bin that stands at an even multiple of the width with the next.
    pub(super) fn widen(&mut self) {
        let rows = self.rows;
        let first = self.first.div_euclid(2);
        let place = |index: usize| ((self.first + index as i64).div_euclid(2) - first) as usize;
        for index in 0..self.seen.len() {
            let to = place(index);
            // Where two become one, or the first stays alone, it is left where it is read from.
            let is_new = index == 0 || place(index - 1) != to;
            for row in 0..rows {
                let cell = self.cells[index * rows + row];
                let target = &mut self.cells[to * rows + row];
                if is_new { *target = cell } else { target.merge(&cell) }
            }
            self.seen[to] =
                if is_new { self.seen[index] } else { self.seen[to] + self.seen[index] };
        }
        let bins = self.seen.len().checked_sub(1).map_or(0, |last| place(last) + 1);
        self.cells.truncate(bins * rows);
        self.seen.truncate(bins);
        self.first = first;
        self.width *= 2;
    }

    /// Takes in the bins of another replication of the same grid.
    pub fn merge(&mut self, other: &Bins) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other.clone();
            return;
        }
        assert_eq!(self.rows, other.rows, "replications are of the same grid");
        let mut other = std::borrow::Cow::Borrowed(other);
        loop {
            let first = self.first.min(other.first);
            let next = |bins: &Bins| bins.first + bins.seen.len() as i64;
            if self.width < other.width {
                self.widen();
            } else if other.width < self.width {
                other.to_mut().widen();
            } else if next(self).max(next(&other)) - first > MOST as i64 {
                self.widen();
            } else {
                let rows = self.rows;
                let bins = (next(self).max(next(&other)) - first) as usize;
                let before = (self.first - first) as usize;
                self.cells.splice(..0, (0..before * rows).map(|_| Cell::default()));
                self.seen.splice(..0, (0..before).map(|_| 0));
                self.first = first;
                self.cells.resize(bins * rows, Cell::default());
                self.seen.resize(bins, 0);
                let at = (other.first - first) as usize;
                let cells = self.cells[at * rows..].iter_mut().zip(&other.cells);
                cells.for_each(|(own, other)| own.merge(other));
                let seen = self.seen[at..].iter_mut().zip(&other.seen);
                seen.for_each(|(own, other)| *own += other);
                self.begun = self.begun.min(other.begun);
                self.end = self.end.max(other.end);
                return;
            }
        }
    }
}
