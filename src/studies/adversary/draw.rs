//! Random instances, and random values for parts of an instance.
//!
//! Bad instances live on boundaries: jobs that just fit beside another one or just do not, jobs of
//! half a cluster, jobs that are tiny. So such values are drawn more often than others.

use rand::{Rng as _, RngExt as _};
use rand_chacha::ChaCha8Rng;

use super::Settings;
use bounds::instance::{Instance, Task};
use kernel::time::{Span, Time};

/// Draws within the limits of a search.
pub(super) struct Draw<'a> {
    pub(super) settings: &'a Settings,
    pub(super) rng: &'a mut ChaCha8Rng,
}

/// Draws 0 with probability 1/2, 1 with probability 1/4, and so on.
pub(super) fn halvings(rng: &mut ChaCha8Rng) -> u32 {
    rng.next_u64().leading_zeros()
}

impl Draw<'_> {
    /// Draws a number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }

    /// Draws true once in `times`.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    /// Draws the index of a job.
    pub(super) fn job(&mut self, instance: &Instance) -> usize {
        self.below(instance.tasks.len())
    }

    /// Draws an instance.
    pub(super) fn instance(&mut self) -> Instance {
        let mut clusters: Vec<u32> = (0..self.settings.clusters)
            .map(|_| self.rng.random_range(1..=self.settings.most_processors))
            .collect();
        clusters.sort_unstable();
        let mut instance = Instance { clusters, tasks: Vec::new() };
        for _ in 0..self.rng.random_range(1..=self.settings.jobs) {
            let task = self.task(&instance);
            instance.tasks.push(task);
        }
        instance.tasks.sort_by_key(|task| task.release);
        instance
    }

    /// Draws a job.
    pub(super) fn task(&mut self, instance: &Instance) -> Task {
        Task {
            processors: self.size(instance),
            length: self.length(instance),
            release: self.release(instance),
        }
    }

    /// Draws a number of processors for a job.
    pub(super) fn size(&mut self, instance: &Instance) -> u32 {
        let i = self.below(instance.clusters.len());
        let cluster = instance.clusters[i];
        let smaller = if i == 0 { 0 } else { instance.clusters[i - 1] };
        let size = match self.rng.random_range(0..6_u32) {
            0 => self.rng.random_range(1..=cluster),
            1 => [cluster / 2, cluster / 2 + 1, cluster.div_ceil(2)][self.below(3)],
            2 => [smaller + 1, smaller, cluster, 1][self.below(4)],
            // Just what fits beside one or two others, or one more.
            3 | 4 if !instance.tasks.is_empty() => {
                let mut rest = cluster;
                for _ in 0..=self.below(2) {
                    let other = self.job(instance);
                    rest = rest.saturating_sub(instance.tasks[other].processors);
                }
                rest + u32::from(self.once_in(2))
            }
            5 if !instance.tasks.is_empty() => {
                let other = self.job(instance);
                instance.tasks[other].processors
            }
            _ => self.rng.random_range(1..=cluster),
        };
        let most = instance.clusters.last().copied().unwrap_or(1);
        size.clamp(1, most)
    }

    /// Draws a length.
    pub(super) fn length(&mut self, instance: &Instance) -> Span {
        let most = Span::units(i64::from(self.settings.most_length));
        let length = match self.rng.random_range(0..8_u32) {
            0 => self.settings.tiny,
            // Just as long as one other job, or as two in turn.
            1 | 2 if !instance.tasks.is_empty() => {
                let (one, two) = (self.job(instance), self.job(instance));
                let (one, two) = (instance.tasks[one].length, instance.tasks[two].length);
                match self.below(3) {
                    0 => one,
                    1 => one + two,
                    _ => one - two,
                }
            }
            _ => Span::units(i64::from(self.rng.random_range(1..=self.settings.most_length))),
        };
        length.clamp(self.settings.tiny, most)
    }

    /// Draws a release: zero, or if jobs are submitted over time, often just after a job may end.
    pub(super) fn release(&mut self, instance: &Instance) -> Time {
        if !self.settings.releases || self.once_in(3) {
            return Time::ZERO;
        }
        let most = i64::from(self.settings.most_length);
        let mut release = match self.rng.random_range(0..4_u32) {
            0 => Time::ZERO,
            1 | 2 if !instance.tasks.is_empty() => {
                let other = instance.tasks[self.job(instance)];
                if self.once_in(2) { other.release } else { other.release + other.length }
            }
            _ => Time::ZERO + Span::units(self.rng.random_range(0..=most)),
        };
        if self.once_in(3) {
            release += self.settings.tiny;
        }
        release.min(Time::ZERO + Span::units(most))
    }
}
