//! Random instances.

use serde::Deserialize;

use crate::StudyError;
use game::dedicated::{Dedicated, Fronts, Limit};
use kernel::rng::Streams;
use workload::draw::below;

/// Limits within which instances are drawn: every cell has 1 to `jobs` jobs of size 1 to `size`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    owners: usize,
    jobs: u64,
    size: u64,
    /// True if all sizes of an instance are different.
    #[serde(default)]
    apart: bool,
    /// Speed of the last owner's processor, in that of the others.
    #[serde(default = "one")]
    faster: i64,
    /// Instances for each sample that is asked for.
    #[serde(default = "one")]
    pub(super) times: u32,
}

fn one<T: From<u8>>() -> T {
    1.into()
}

impl Shape {
    /// The instance of a sample.
    pub(super) fn instance(&self, seed: u64, sample: u64) -> Dedicated {
        let Shape { owners, jobs, size, apart, faster, .. } = *self;
        let name = format!("dedicated-grids/{owners}/{jobs}/{size}");
        let rng = &mut Streams::new(seed).in_replication(sample).stream(&name);
        let mut sizes = vec![vec![Vec::new(); owners]; owners];
        for cell in sizes.iter_mut().flatten() {
            let count = 1 + below(rng, jobs);
            cell.extend((0..count).map(|_| 1 + below(rng, size) as i64));
        }
        if apart {
            // Sizes keep their order; equal ones are told apart in the order of the cells.
            let mut all: Vec<(i64, usize)> =
                sizes.iter().flatten().flatten().copied().zip(0..).collect();
            all.sort_unstable();
            let mut rank = vec![0; all.len()];
            all.iter().enumerate().for_each(|(place, &(_, job))| rank[job] = place as i64);
            let count = all.len() as i64;
            let jobs = sizes.iter_mut().flatten().flatten();
            jobs.zip(rank).for_each(|(size, rank)| *size = *size * count + rank);
        }
        // In the time that the fastest processor takes for a unit of work.
        let slow = sizes.iter_mut().flat_map(|cells| cells[..owners - 1].iter_mut());
        slow.flatten().for_each(|size| *size *= faster);
        Dedicated::square(&sizes).expect("sizes are small and positive")
    }
}

/// The exact fronts of an instance.
pub(super) fn fronts(instance: &Dedicated) -> Result<Fronts, StudyError> {
    Fronts::of(instance, Limit::default()).map_err(wrong)
}

/// An error of the enumeration, as one of the study.
pub(super) fn wrong(error: impl std::fmt::Display) -> StudyError {
    StudyError(error.to_string())
}
