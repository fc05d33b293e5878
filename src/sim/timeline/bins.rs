//! Statistics in bins of simulated time, over one replication or several.

use serde::{Deserialize, Serialize};

use kernel::time::Time;

/// Number of bins at which neighbours are merged; after that there are between half of it and all.
pub const MOST: usize = 512;
/// Width of the first bins in ticks: a 64th of a unit, so that widths are 1/64, 1/32 ... 1, 2, 4
/// ... units.
pub const FINEST: i64 = 15_625;

/// Statistics of one bin, for one cluster or all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Jobs submitted, without rejected ones.
    pub arrivals: u64,
    /// Jobs started.
    pub starts: u64,
    /// Jobs finished.
    pub ends: u64,
    /// Integral of the number of waiting jobs, in job-ticks.
    pub waiting: i128,
    /// Integral of the number of running jobs, in job-ticks.
    pub running: i128,
    /// Busy time, in processor-ticks.
    pub busy: i128,
}

impl Cell {
    /// Adds the statistics of another cell.
    pub fn merge(&mut self, other: &Cell) {
        self.arrivals += other.arrivals;
        self.starts += other.starts;
        self.ends += other.ends;
        self.waiting += other.waiting;
        self.running += other.running;
        self.busy += other.busy;
    }
}

/// Adjacent bins, each with a [`Cell`] for every row: one for each cluster, or one for all.
///
/// Bins begin at multiples of their width, so that those of two replications can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bins {
    pub(super) width: i64,
    /// Index of the first bin: it begins at this multiple of the width.
    pub(super) first: i64,
    pub(super) rows: usize,
    /// Cells by bin, then by row.
    pub(super) cells: Vec<Cell>,
    /// Observed ticks of each bin, summed over replications; the first and the last bin may be cut.
    pub(super) seen: Vec<i128>,
    /// Start of the earliest replication.
    pub(super) begun: Time,
    /// End of the latest replication.
    pub(super) end: Time,
}

/// One bin.
#[derive(Clone, Copy, Debug)]
pub struct Bin<'a> {
    /// Beginning; for the first bin, the first submission.
    pub from: Time,
    /// End; for the last bin, the end of the run.
    pub until: Time,
    /// Observed ticks, summed over replications.
    pub seen: i128,
    /// Cells by row.
    pub cells: &'a [Cell],
}

impl Bin<'_> {
    /// Statistics of all clusters together.
    pub fn all(&self) -> Cell {
        let mut all = Cell::default();
        self.cells.iter().for_each(|cell| all.merge(cell));
        all
    }

    /// Time average of an integral over the bin; none if no time was observed.
    pub fn mean(&self, area: i128) -> Option<f64> {
        (self.seen > 0).then(|| area as f64 / self.seen as f64)
    }
}

impl Bins {
    /// The bins in order.
    pub fn iter(&self) -> impl Iterator<Item = Bin<'_>> {
        let cells = self.cells.chunks_exact(self.rows.max(1));
        cells.zip(&self.seen).zip(self.first..).map(|((cells, &seen), index)| Bin {
            from: Time::from_ticks(index * self.width).max(self.begun),
            until: Time::from_ticks((index + 1).saturating_mul(self.width)).min(self.end),
            seen,
            cells,
        })
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// True if nothing was observed.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Number of rows in each bin.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Width of a bin, in ticks.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// Start of the earliest replication, at its first submission.
    pub fn begun(&self) -> Time {
        self.begun
    }

    /// End of the latest replication.
    pub fn end(&self) -> Time {
        self.end
    }

    /// The same bins with one row for all clusters together.
    pub fn together(&self) -> Bins {
        let cells = self.iter().map(|bin| bin.all()).collect();
        Bins { rows: 1, cells, seen: self.seen.clone(), ..*self }
    }

    /// Doubles the width: merges each bin at an even multiple of the width with the next.
    pub(super) fn widen(&mut self) {
        let rows = self.rows;
        let first = self.first.div_euclid(2);
        let place = |index: usize| ((self.first + index as i64).div_euclid(2) - first) as usize;
        for index in 0..self.seen.len() {
            let to = place(index);
            // A merged pair, or a single first bin, is written at or before the place it is read
            // from.
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

    /// Merges the bins of another replication of the same grid.
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
