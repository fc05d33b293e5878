//! A tiny event loop around a scheduler.

use std::collections::BTreeMap;

use crate::grid::{Asking, Batches, Literal, Site};
use kernel::time::Span;

/// A job; times are in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub processors: u32,
    pub length: i64,
    pub release: i64,
    pub owner: u32,
    pub group: usize,
}

/// A grid and its jobs in order of submission.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub sites: Vec<Site>,
    pub groups: Vec<Vec<usize>>,
    pub rows: Vec<Row>,
}

/// A scheduler.
pub(super) trait Grid {
    fn submit(&mut self, job: Asking);
    fn freed(&mut self, site: usize, processors: u32);
    fn decide(&mut self) -> Vec<(usize, usize)>;
}

macro_rules! grids {
    ($($grid:ty),*) => {$(
        impl Grid for $grid {
            fn submit(&mut self, job: Asking) {
                self.submit(job);
            }
            fn freed(&mut self, site: usize, processors: u32) {
                self.freed(site, processors);
            }
            fn decide(&mut self) -> Vec<(usize, usize)> {
                self.decide()
            }
        }
    )*};
}

grids!(Literal, Batches);

impl Row {
    pub fn asking(&self, id: usize) -> Asking {
        let &Row { processors, length, owner, group, .. } = self;
        Asking { id, processors, expected: Some(Span::from_ticks(length)), owner, group }
    }
}

/// Runs the jobs; returns start and site of each that ever starts.
pub(super) fn run(grid: &mut impl Grid, rows: &[Row]) -> Vec<Option<(i64, usize)>> {
    let mut starts = vec![None; rows.len()];
    let mut ends: BTreeMap<i64, Vec<(usize, u32)>> = BTreeMap::new();
    let mut submitted = 0;
    loop {
        let next_end = ends.first_key_value().map(|(&end, _)| end);
        let next = rows.get(submitted).map(|row| row.release);
        let Some(now) = next_end.into_iter().chain(next).min() else { return starts };
        for (site, processors) in ends.remove(&now).unwrap_or_default() {
            grid.freed(site, processors);
        }
        while let Some(row) = rows.get(submitted).filter(|row| row.release == now) {
            grid.submit(row.asking(submitted));
            submitted += 1;
        }
        loop {
            let mut has_ended = false;
            for (id, site) in grid.decide() {
                let Row { processors, length, .. } = rows[id];
                assert_eq!(starts[id].replace((now, site)), None, "job {id} starts twice");
                if length == 0 {
                    has_ended = true;
                    grid.freed(site, processors);
                } else {
                    ends.entry(now + length).or_default().push((site, processors));
                }
            }
            if !has_ended {
                break;
            }
        }
    }
}
