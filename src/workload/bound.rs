//! Jobs that are each bound to one cluster, as on dedicated grids: a draw for each job says which.

use std::sync::Arc;

use super::draw::{below, fraction};
use super::per_job::{Draw, PerJob};
use kernel::rng::Rng;
use model::bounds::{SHARE, parameters};
use model::ids::ClusterId;
use model::job::Job;

parameters! {
    /// `bound = { ... }` of an organization.
    #[derive(Copy)]
    pub struct BoundOptions {
        /// Probability that a job is bound to one of its organization's own clusters, each as likely
        /// as the others; else it is bound to one of the others that it may use.
        own: f64 as SHARE,
    }
}

/// The clusters that an organization's jobs are bound to.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Probability of one of its own.
    own: f64,
    mine: Vec<ClusterId>,
    others: Vec<ClusterId>,
}

impl Binding {
    /// Binds jobs to the own clusters of their organization and to others; without the clusters that
    /// no draw can name. `None` if there are none where there must be some.
    pub fn new(
        options: BoundOptions,
        mine: Vec<ClusterId>,
        others: Vec<ClusterId>,
    ) -> Option<Binding> {
        let BoundOptions { own } = options;
        let drawn = |clusters: Vec<ClusterId>, chance: f64| match chance > 0.0 {
            true => Some(clusters).filter(|clusters| !clusters.is_empty()),
            false => Some(Vec::new()),
        };
        Some(Binding { own, mine: drawn(mine, own)?, others: drawn(others, 1.0 - own)? })
    }

    /// Returns the clusters that jobs may be bound to.
    pub fn clusters(&self) -> impl Iterator<Item = ClusterId> {
        self.mine.iter().chain(&self.others).copied()
    }

    fn draw(&self, rng: &mut Rng) -> ClusterId {
        let clusters = if fraction(rng) < self.own { &self.mine } else { &self.others };
        clusters[below(rng, clusters.len() as u64) as usize]
    }
}

/// The binding of each organization that has one.
pub type Bindings = Arc<[Option<Arc<Binding>>]>;

/// A source whose jobs are bound to clusters, if their organization has a [`Binding`] and they name
/// none themselves. It takes two words of the stream `<name>/clusters` for a job that is bound.
pub type Bound<S> = PerJob<S, Bindings>;

impl Draw for Bindings {
    const STREAM: &'static str = "clusters";
    #[inline]
    fn give(&self, job: &mut Job, rng: &mut Rng) {
        let names_some = job.recorded.cluster().is_some() || job.recorded.list().is_some();
        if let Some(binding) = &self[job.organization.index()]
            && !names_some
        {
            job.recorded = job.recorded.bound_to(binding.draw(rng));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::jobs::ListSource;
    use kernel::rng::Streams;
    use kernel::state::State;
    use model::ids::OrganizationId;
    use model::recorded::Recorded;

    fn source(own: f64) -> Bound<ListSource> {
        let clusters = |numbers: [u32; 2]| numbers.map(ClusterId).to_vec();
        let options = BoundOptions { own };
        let binding = Binding::new(options, clusters([0, 3]), clusters([1, 2])).unwrap();
        let jobs = (1..=9000).map(|number| Job {
            number,
            organization: OrganizationId((number % 3 == 0).into()),
            recorded: match number % 9 {
                1 => Recorded::new(None, Some(ClusterId(7))),
                _ => Recorded::default(),
            },
            ..Job::default()
        });
        let list = ListSource::new(jobs.collect());
        Bound::new(list, [Some(Arc::new(binding)), None].into(), "x", &Streams::new(7))
    }

    fn all(source: &mut Bound<ListSource>) -> Vec<Option<u32>> {
        let next = || Some(source.next().unwrap()?.recorded.cluster().map(|cluster| cluster.0));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn clusters_are_drawn_as_often_as_asked_for() {
        let found = all(&mut source(0.7));
        let count = |cluster| found.iter().filter(|one| **one == cluster).count();
        // A third of the jobs are of an organization without a binding, and 1000 name a cluster.
        assert_eq!((count(None), count(Some(7))), (3000, 1000));
        for (cluster, share) in [(0, 0.35), (3, 0.35), (1, 0.15), (2, 0.15)] {
            // Four standard errors of a share of 5000.
            let error = 4.0 * f64::sqrt(share * (1.0 - share) / 5000.0);
            assert!((count(Some(cluster)) as f64 / 5000.0 - share).abs() < error, "{cluster}");
        }
        let [never, always] = [0.0, 1.0].map(|own| all(&mut source(own)));
        assert!(never.iter().all(|one| !matches!(one, Some(0 | 3))));
        assert!(always.iter().all(|one| !matches!(one, Some(1 | 2))));
    }

    #[test]
    fn there_must_be_clusters_to_draw() {
        let binding = |own, mine: &[u32], others: &[u32]| {
            let [mine, others] = [mine, others].map(|all| all.iter().copied().map(ClusterId));
            Binding::new(BoundOptions { own }, mine.collect(), others.collect())
        };
        assert!(binding(0.5, &[], &[1]).is_none() && binding(0.5, &[1], &[]).is_none());
        assert!(binding(0.0, &[], &[1]).is_some() && binding(1.0, &[1], &[]).is_some());
        let only: Vec<ClusterId> = binding(1.0, &[1], &[2]).unwrap().clusters().collect();
        assert_eq!(only, [ClusterId(1)]);
    }

    #[test]
    fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
        let (mut whole, mut part) = (source(0.5), source(0.5));
        let clusters = all(&mut whole);
        for _ in 0..377 {
            part.next().unwrap();
        }
        let mut saved = Vec::new();
        part.save(&mut saved);
        whole.load(&mut saved.as_slice()).unwrap();
        assert_eq!(all(&mut whole), clusters[377..]);
        part.restart(&Streams::new(7)).unwrap();
        assert_eq!(all(&mut part), clusters);
        part.restart(&Streams::new(8)).unwrap();
        assert_ne!(all(&mut part), clusters);
    }
}
