//! The scored jobs of a round, and whose work ran where.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use kernel::state_of_fields;
use kernel::time::Time;
use model::ids::{OrganizationId, Uses};
use model::job::Job;

use super::super::accounts::Owned;
use super::super::alone::Widest;
use super::super::observer::{Finished, Observer, Started, Submitted};
use super::stakes::Stakes;

/// Sums of a round for one organization: work in processors times ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Scored {
    /// Scored jobs: submitted in the window, and such as it could run alone.
    pub jobs: u64,
    /// Those of them that have not ended.
    pub open: u64,
    /// Flow times of those that have, in ticks.
    pub flow: i128,
    /// Their measure, by which the round is judged.
    pub measure: i128,
    /// Work of the scored jobs.
    pub brought: i128,
    /// Own work that started abroad.
    pub sent: i128,
    /// Work of others that started on its clusters.
    pub received: i128,
}

/// The scored jobs of a round, added up; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Tally {
    widest: Widest,
    stakes: Stakes,
    /// Start of the round.
    begun: Time,
    /// Submissions that are scored.
    window: Range<Time>,
    pub(super) scored: Vec<Scored>,
}

state_of_fields!(Tally { begun, window, scored });

impl Tally {
    /// No round yet, given the clusters, those that each organization may use, and lists of clusters
    /// that jobs may be bound to.
    pub(super) fn new(
        clusters: Vec<Owned>,
        uses: &[Uses],
        lists: &[(OrganizationId, Uses)],
        stakes: Stakes,
    ) -> Tally {
        let widest = Widest::new(clusters, uses.iter().map(|uses| &**uses), lists);
        let scored = vec![Scored::default(); uses.len()];
        Tally { widest, stakes, begun: Time::ZERO, window: Time::ZERO..Time::ZERO, scored }
    }

    /// A round begins.
    pub(super) fn begin(&mut self, begun: Time, window: Range<Time>) {
        self.begun = begun;
        self.window = window;
        self.scored.fill(Scored::default());
    }

    /// True if scored jobs of somebody, or of anybody, have not ended.
    pub(super) fn is_open(&self, whose: Option<usize>) -> bool {
        match whose {
            Some(organization) => self.scored[organization].open > 0,
            None => self.scored.iter().any(|one| one.open > 0),
        }
    }

    fn of(&mut self, job: &Job) -> Option<&mut Scored> {
        let is_scored = self.window.contains(&job.submit) && self.widest.admits(job);
        is_scored.then(|| &mut self.scored[job.organization.index()])
    }
}

/// Work of a job at unit speed.
fn work(job: &Job) -> i128 {
    i128::from(job.processors) * i128::from(job.runtime.ticks())
}

impl Observer for Tally {
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        let work = work(job);
        if let Some(own) = self.of(job) {
            own.jobs += 1;
            own.open += 1;
            own.brought += work;
        }
    }

    fn started(&mut self, Started { job, cluster, .. }: Started<'_>) {
        let host = self.widest.owner(cluster);
        if host != job.organization {
            self.scored[job.organization.index()].sent += work(job);
            self.scored[host.index()].received += work(job);
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        let flow = i128::from(finished.flow().ticks());
        let Stakes { score, tau, .. } = self.stakes;
        let begun = self.begun;
        if let Some(own) = self.of(finished.job) {
            own.open -= 1;
            own.flow += flow;
            score.add(&mut own.measure, &finished, begun, tau);
        }
    }
}
