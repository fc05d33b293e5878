//! Weights of jobs that replace their sizes in a bound by area.
//!
//! A set of weights and a capacity is valid if jobs that run at the same time on the cluster never
//! weigh more than the capacity. The weighted area of the jobs then bounds the makespan as their
//! area does. Sizes are valid weights. Others are often tighter: two jobs wider than half of the
//! cluster never overlap, so they may weigh the whole of it. They are the dual feasible functions
//! of bin packing (Fekete & Schepers 2001, "New classes of fast lower bounds for bin packing
//! problems").

use super::Job;

/// Number of weights in use at a time.
pub(super) const LAYERS: usize = 3;

/// Largest number of sums of sizes that is listed.
const MOST_SUMS: usize = 512;

/// Valid weights of the jobs on one cluster.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Bound of the total weight of jobs that run at the same time.
    pub(super) capacity: i64,
    /// The weight of each job.
    pub(super) of: Vec<i64>,
}

impl Weights {
    /// Returns `capacity * (deadline - rho)` less the weighted area of the jobs released at `rho`
    /// or later: if it is negative, they do not all end by the deadline.
    pub(super) fn slack(&self, jobs: &[Job], deadline: i64, rho: i64) -> i128 {
        let later = jobs.iter().zip(&self.of).filter(|(job, _)| job.release >= rho);
        let area: i128 =
            later.map(|(job, &weight)| i128::from(job.length) * i128::from(weight)).sum();
        i128::from(self.capacity) * i128::from(deadline - rho) - area
    }
}

/// Returns the most promising weights for jobs on a cluster of `processors`, or `None` if one of
/// them proves that the jobs do not all end by the deadline. All jobs fit on the cluster, and
/// `releases` holds their releases.
pub(super) fn choose(
    jobs: &[Job],
    processors: i64,
    deadline: i64,
    releases: &[i64],
) -> Option<Vec<Weights>> {
    let mut ranked: Vec<(i128, Weights)> = Vec::new();
    for weights in candidates(jobs, processors) {
        let mut least = i128::MAX;
        for &rho in releases {
            let slack = weights.slack(jobs, deadline, rho);
            if slack < 0 {
                return None;
            }
            least = least.min(slack / i128::from(weights.capacity));
        }
        if !ranked.iter().any(|(_, other)| is_multiple(other, &weights)) {
            ranked.push((least, weights));
        }
    }
    ranked.sort_by_key(|&(slack, _)| slack);
    ranked.truncate(LAYERS);
    Some(ranked.into_iter().map(|(_, weights)| weights).collect())
}

/// Returns whether two sets of weights bound the same.
fn is_multiple(a: &Weights, b: &Weights) -> bool {
    let across = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let same = |(&x, &y)| across(x, b.capacity) == across(y, a.capacity);
    a.of.iter().zip(&b.of).all(same)
}

fn candidates(jobs: &[Job], processors: i64) -> Vec<Weights> {
    let mut sizes: Vec<i64> = jobs.iter().map(|job| job.size).collect();
    let of = |weight: &dyn Fn(i64) -> i64| jobs.iter().map(|job| weight(job.size)).collect();
    let mut all = Vec::new();
    // Sizes; no more processors are ever busy than the largest sum of sizes that fits.
    all.push(Weights { capacity: largest_sum(&sizes, processors), of: of(&|size| size) });
    sizes.sort_unstable();
    sizes.dedup();
    for &least in &sizes {
        // Jobs of at least this size, counted.
        let capacity = processors / least;
        all.push(Weights { capacity, of: of(&|size| i64::from(size >= least)) });
        if 2 * least <= processors {
            // A job that leaves less room than this takes it all, and smaller ones are ignored.
            let weight = |size| match size {
                size if size > processors - least => processors,
                size if size < least => 0,
                size => size,
            };
            all.push(Weights { capacity: processors, of: of(&weight) });
        }
    }
    // A job takes whole k-ths of the cluster, rounded down from k + 1-ths.
    for k in 1..=3 {
        let weight = |size: i64| {
            let parts = (k + 1) * size;
            if parts % processors == 0 { size * k } else { parts / processors * processors }
        };
        all.push(Weights { capacity: processors * k, of: of(&weight) });
    }
    all
}

/// Returns the largest sum of some of the sizes that is at most `limit`; `limit` if there are too
/// many sums to list.
fn largest_sum(sizes: &[i64], limit: i64) -> i64 {
    let mut sums = vec![0];
    for &size in sizes {
        let more: Vec<i64> =
            sums.iter().map(|&sum| sum + size).filter(|&sum| sum <= limit).collect();
        sums.extend(more);
        sums.sort_unstable();
        sums.dedup();
        if sums.len() > MOST_SUMS {
            return limit;
        }
    }
    sums.last().copied().unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn jobs_that_fit_together_weigh_at_most_the_capacity() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..500 {
            let processors = rng.random_range(1..30);
            let jobs: Vec<Job> = (0..rng.random_range(1..8))
                .map(|_| Job {
                    size: rng.random_range(1..=processors),
                    length: 1,
                    release: 0,
                    due: i64::MAX,
                })
                .collect();
            let all = candidates(&jobs, processors);
            for subset in 0_u32..1 << jobs.len() {
                let sum = |value: &dyn Fn(usize) -> i64| -> i64 {
                    (0..jobs.len()).filter(|j| subset >> j & 1 == 1).map(value).sum()
                };
                if sum(&|j| jobs[j].size) <= processors {
                    for weights in &all {
                        let weight = sum(&|j| weights.of[j]);
                        assert!(weight <= weights.capacity, "{jobs:?} {weights:?} {subset:b}");
                    }
                }
            }
        }
    }
}
