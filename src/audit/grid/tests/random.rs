//! Cases at random.

use super::{Case, Row};
use crate::grid::Site;
use model::foreign::Foreign;

/// Random numbers by SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Draw(u64);

/// Features of a random case.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Jobs are submitted over time, not all at once.
    pub over_time: bool,
    /// Several groups.
    pub restricted: bool,
    /// Sites may prefer the jobs of their owners.
    pub selfish: bool,
    /// Some jobs end as they start.
    pub instantaneous: bool,
}

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("it is below a usize")
    }

    /// A number from 1 to `most`.
    pub fn upto(&mut self, most: u32) -> u32 {
        u32::try_from(self.below(most.into())).expect("it is below a u32") + 1
    }

    fn is_heads(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A grid of few sites, in any order, and a few jobs for them.
    pub fn case(&mut self, shape: Shape) -> Case {
        let widest = [4, 9, 20][self.index(3)];
        let count = 1 + self.index(5);
        let sites: Vec<Site> = (0..count).map(|_| self.site(widest, shape.selfish)).collect();
        let mut groups = vec![(0..count).collect::<Vec<usize>>()];
        for _ in 0..if shape.restricted { self.index(4) } else { 0 } {
            let group: Vec<usize> = (0..count).filter(|_| self.is_heads()).collect();
            if !group.is_empty() && !groups.contains(&group) {
                groups.push(group);
            }
        }
        let mut release = 0;
        let rows = (0..1 + self.index(22)).map(|_| {
            let group = self.index(groups.len());
            let widest = groups[group].iter().map(|&site| sites[site].processors).max();
            if shape.over_time && self.is_heads() {
                release += self.below(4).cast_signed();
            }
            let zero = shape.instantaneous && self.below(4) == 0;
            let length = if zero { 0 } else { 1 + self.below(8).cast_signed() };
            // Many narrow jobs, so that several run side by side.
            let most = widest.expect("no group is empty");
            let most = if self.is_heads() { most } else { most.div_ceil(3) };
            let owner = self.upto(3) - 1;
            Row { processors: self.upto(most), length, release, owner, group }
        });
        let rows = rows.collect();
        Case { sites, groups, rows }
    }

    fn site(&mut self, widest: u32, selfish: bool) -> Site {
        let prefers_own = selfish && self.is_heads();
        let foreign = if prefers_own { Foreign::WhenNoneWaits } else { Foreign::Always };
        Site { processors: self.upto(widest), owner: self.upto(3) - 1, foreign }
    }
}
