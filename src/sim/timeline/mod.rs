//! Timeline of a grid in a bounded number of bins: waiting and running jobs, processors in use,
//! arrivals, starts and ends; an [`Observer`].
//!
//! All values are exact integrals over a bin. When there are too many bins, neighbours are merged,
//! so memory depends neither on the length of the run nor on its planned length. Up to
//! [`MOST_CLUSTERS`] clusters are kept apart; the whole grid is their sum, so the cost of a job is
//! the same either way.
//!
//! The first events are listed, and put into bins when there are many or the bins are asked for.
//! The width that is needed is known by then, so a short run does not fill finer bins first.

pub mod bins;

use serde::{Deserialize, Serialize};

use self::bins::{Bins, Cell, FINEST, MOST};
use super::observer::{Finished, Observer, Started, Submitted};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;
use model::ids::ClusterId;

/// Maximum number of clusters kept apart; with more, only the whole grid is tracked.
pub const MOST_CLUSTERS: usize = 64;

/// Current numbers of waiting and running jobs, and processors in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Level {
    waiting: i64,
    running: i64,
    busy: i64,
}

/// One cluster, or all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    level: Level,
    /// The open bin, integrated to its end as if nothing more happened.
    open: Cell,
}

/// An event on a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Change {
    Arrival,
    /// A start of a job of this many processors.
    Start(u32),
    /// An end of one.
    End(u32),
}

impl Row {
    /// Applies an event that leaves `rest` ticks of the open bin.
    #[inline(always)]
    fn apply(&mut self, change: Change, rest: i64) {
        let Row { level, open } = self;
        match change {
            Change::Arrival => {
                level.waiting += 1;
                open.arrivals += 1;
                open.waiting += i128::from(rest);
            }
            Change::Start(processors) => {
                level.waiting -= 1;
                level.running += 1;
                level.busy += i64::from(processors);
                open.starts += 1;
                open.waiting -= i128::from(rest);
                open.running += i128::from(rest);
                open.busy += area(processors, rest);
            }
            Change::End(processors) => {
                level.running -= 1;
                level.busy -= i64::from(processors);
                open.ends += 1;
                open.running -= i128::from(rest);
                open.busy -= area(processors, rest);
            }
        }
    }
}

/// Maximum number of listed events. They take half the memory of the bins of one cluster.
const LISTED: usize = 1024;

/// The observer.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// Times, rows and changes of the first events, until there are bins.
    listed: Vec<(i64, u8, Change)>,
    rows: Vec<Row>,
    /// True if there is a row for each cluster.
    is_apart: bool,
    /// End of the open bin; the minimum while events are listed.
    end: i64,
    now: Time,
    /// The finished bins.
    closed: Bins,
}

impl Timeline {
    /// Timeline of a grid with this many clusters, before its start.
    pub fn new(clusters: usize) -> Timeline {
        let is_apart = clusters <= MOST_CLUSTERS;
        let rows = if is_apart { clusters } else { 1 };
        Timeline {
            listed: Vec::new(),
            rows: vec![Row::default(); rows],
            is_apart,
            end: i64::MIN,
            now: Time::ZERO,
            closed: Bins {
                width: FINEST,
                first: 0,
                rows,
                cells: Vec::new(),
                seen: Vec::new(),
                begun: Time::NEVER,
                end: Time::ZERO,
            },
        }
    }

    /// Number of arrivals of the row that has most, if that is known before there are bins.
    pub fn most_arrivals(&self) -> Option<u64> {
        let is_listed = self.end == i64::MIN;
        let mut arrivals = [0; MOST_CLUSTERS];
        for (_, row, change) in &self.listed {
            arrivals[usize::from(*row)] += u64::from(*change == Change::Arrival);
        }
        arrivals.into_iter().max().filter(|_| is_listed)
    }

    /// The bins up to now, with one row for all clusters together.
    pub fn into_bins_together(mut self) -> Bins {
        if self.end > i64::MIN {
            return self.into_bins().together();
        }
        self.rows.truncate(1);
        self.closed.rows = self.rows.len();
        self.listed.iter_mut().for_each(|(_, row, _)| *row = 0);
        self.into_bins()
    }

    /// The bins up to now, including the open one. Events at the final instant belong to the bin
    /// that ends with it.
    pub fn into_bins(mut self) -> Bins {
        if self.closed.begun == Time::NEVER {
            return Bins { end: self.now, ..self.closed };
        }
        self.bin();
        let mut bins = self.closed;
        bins.end = self.now;
        let now = self.now.ticks();
        let begins = (self.end - 1).div_euclid(bins.width) * bins.width;
        let from = begins.max(bins.begun.ticks());
        let rest = i128::from(self.end - now);
        let cells = self.rows.iter().map(|Row { level, open }| Cell {
            waiting: open.waiting - i128::from(level.waiting) * rest,
            running: open.running - i128::from(level.running) * rest,
            busy: open.busy - i128::from(level.busy) * rest,
            ..*open
        });
        if from < now || bins.seen.is_empty() {
            bins.cells.extend(cells);
            bins.seen.push(i128::from(now - from));
        } else {
            let last = bins.cells.len() - bins.rows;
            bins.cells[last..].iter_mut().zip(cells).for_each(|(last, cell)| last.merge(&cell));
        }
        bins
    }

    // Always inlined, since the change is known at each of its three calls.
    #[inline(always)]
    fn change(&mut self, cluster: ClusterId, now: Time, change: Change) {
        let row = if self.is_apart { cluster.index() } else { 0 };
        self.now = now;
        if now.ticks() >= self.end && self.is_listed(row, change) {
            return;
        }
        self.rows[row].apply(change, self.end - now.ticks());
    }

    /// Lists an event that happens now; false if it belongs into the bin that is open then.
    #[cold]
    #[inline(never)]
    fn is_listed(&mut self, row: usize, change: Change) -> bool {
        let now = self.now.ticks();
        if self.end == i64::MIN && self.listed.len() < LISTED {
            self.closed.begun = self.closed.begun.min(self.now);
            self.listed.push((now, row as u8, change));
            return true;
        }
        self.bin();
        self.reach(now);
        false
    }

    /// Puts the listed events into bins of the width that the time up to now takes.
    fn bin(&mut self) {
        if self.end > i64::MIN {
            return;
        }
        let (bins, now) = (&mut self.closed, self.now.ticks());
        let index = |at: i64, width: i64| at.div_euclid(width);
        while index(now, bins.width) - index(bins.begun.ticks(), bins.width) >= MOST as i64 {
            bins.width *= 2;
        }
        bins.first = index(bins.begun.ticks(), bins.width);
        bins.cells.reserve((index(now, bins.width) - bins.first + 1) as usize * bins.rows);
        self.end = (bins.first + 1).saturating_mul(bins.width);
        for (at, row, change) in std::mem::take(&mut self.listed) {
            self.reach(at);
            self.rows[usize::from(row)].apply(change, self.end - at);
        }
        self.reach(now);
    }

    /// Closes bins until a time is in the open one.
    fn reach(&mut self, at: i64) {
        while at >= self.end {
            self.close();
        }
    }

    /// Closes the open bin and opens the next.
    fn close(&mut self) {
        let bins = &mut self.closed;
        let from = (self.end - bins.width).max(bins.begun.ticks());
        bins.seen.push(i128::from(self.end - from));
        bins.cells.extend(self.rows.iter().map(|row| row.open));
        self.rows.iter_mut().for_each(|row| row.open = Cell::default());
        let begins = self.end;
        if bins.seen.len() == MOST {
            bins.widen();
            // The last bin may be only half covered: then it becomes the open one again.
            if begins.rem_euclid(bins.width) != 0 {
                let cells = bins.cells.drain(bins.cells.len() - bins.rows..);
                self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.open = cell);
                bins.seen.pop();
            }
        }
        // The last bin of all time is cut, since no time lies beyond it.
        self.end = (begins.div_euclid(bins.width) + 1).saturating_mul(bins.width);
        let more = i128::from(self.end - begins);
        for Row { level, open } in &mut self.rows {
            open.waiting += i128::from(level.waiting) * more;
            open.running += i128::from(level.running) * more;
            open.busy += i128::from(level.busy) * more;
        }
    }
}

/// Product that never overflows: one multiplication without a check.
#[inline]
fn area(processors: u32, ticks: i64) -> i128 {
    i128::from(processors).wrapping_mul(i128::from(ticks))
}

impl Observer for Timeline {
    #[inline]
    fn submitted(&mut self, Submitted { cluster, now, .. }: Submitted<'_>) {
        // Where jobs wait in the grid there is one row for all clusters.
        self.change(cluster.unwrap_or(ClusterId(0)), now, Change::Arrival);
    }

    #[inline]
    fn started(&mut self, started: Started<'_>) {
        self.change(started.cluster, started.start, Change::Start(started.job.processors));
    }

    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        self.change(finished.cluster, finished.finish, Change::End(finished.job.processors));
    }

    fn ended(&mut self, now: Time) {
        if self.closed.begun != Time::NEVER {
            self.now = now;
            if self.listed.is_empty() {
                self.reach(now.ticks());
            }
        }
    }
}

impl State for Timeline {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.listed, &self.rows, self.end, self.now, &self.closed), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let rows = self.rows.len();
        (self.listed, self.rows, self.end, self.now, self.closed) = take(from)?;
        let bins = &self.closed;
        let is_whole = bins.width >= FINEST
            && bins.rows == rows
            && self.rows.len() == rows
            && self.listed.iter().all(|&(_, row, _)| usize::from(row) < rows)
            && bins.seen.len() < MOST
            && bins.cells.len() == bins.seen.len() * rows;
        is_whole.then_some(()).ok_or_else(|| Corrupt::Content("bins of another grid".to_owned()))
    }
}

#[cfg(test)]
mod tests;
