//! Account of one organization, or of all together: its jobs, its work, and the service that its jobs
//! received.

use serde::{Deserialize, Serialize};

use crate::observer::Finished;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, TICKS_PER_UNIT, Time, round_ties_even};
use stats::distribution::{Detail, Distribution, Mark};
use stats::largest::Largest;

/// Numbers of counted jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobCounts {
    /// Submitted jobs, including rejected ones.
    pub submitted: u64,
    /// Rejected jobs: larger than every cluster they may use.
    pub rejected: u64,
    /// Started jobs.
    pub started: u64,
    /// Finished jobs, including killed ones.
    pub finished: u64,
    /// Jobs killed at their estimate.
    pub killed: u64,
}

/// Processor-ticks of counted jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Areas {
    /// Work of own jobs that were submitted and can run, whether finished or not; for a killed job
    /// only the work it did.
    pub submitted: i128,
    /// Work of own finished jobs, wherever they ran.
    pub own: i128,
    /// Work of own jobs on other organizations' clusters.
    pub by_others: i128,
    /// Work of other organizations' jobs on own clusters.
    pub for_others: i128,
}

/// Account of one organization, or of all together.
// At the beginning of a cache line: its parts then take one line each, and visits touch few.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Account {
    /// Numbers of jobs.
    pub jobs: JobCounts,
    /// Amounts of work.
    pub areas: Areas,
    /// Flow time (submission to finish), in ticks.
    pub flow: Distribution,
    /// Waiting time (submission to start), in ticks.
    pub wait: Distribution,
    /// Slowdown (flow time over runtime), in millionths; jobs of length zero have none.
    pub slowdown: Distribution,
    /// Bounded slowdown: flow time over runtime, both at least tau, in millionths.
    pub bounded_slowdown: Distribution,
    /// First submission of a counted job; `NEVER` before there is one.
    pub first_submit: Time,
    /// Last submission of a counted job.
    pub last_submit: Time,
    /// Latest finish of a counted job.
    pub last_finish: Time,
    /// Weight of the largest finished jobs, by processor time in units.
    pub sizes: Largest,
}

impl Account {
    pub(super) fn new(detail: Detail, has_sections: bool) -> Account {
        let distribution =
            if has_sections { Distribution::with_sections } else { Distribution::new };
        Account {
            jobs: JobCounts::default(),
            areas: Areas::default(),
            flow: distribution(detail),
            wait: distribution(detail),
            slowdown: distribution(detail),
            bounded_slowdown: distribution(detail),
            first_submit: Time::NEVER,
            last_submit: Time::ZERO,
            last_finish: Time::ZERO,
            sizes: Largest::default(),
        }
    }

    /// The four distributions with their names.
    pub fn distributions(&self) -> [(&'static str, &Distribution); 4] {
        [
            ("flow", &self.flow),
            ("wait", &self.wait),
            ("slowdown", &self.slowdown),
            ("bounded_slowdown", &self.bounded_slowdown),
        ]
    }

    /// Closes its distributions, which are read from here on.
    pub(super) fn close(&mut self) {
        self.flow.close();
        self.wait.close();
        self.slowdown.close();
        self.bounded_slowdown.close();
    }

    /// Current sums of its distributions, in the same order.
    pub(super) fn mark(&self) -> [Mark; 4] {
        self.distributions().map(|(_, distribution)| distribution.mark())
    }

    /// Online makespan: latest finish minus first submission, over the counted jobs.
    pub fn makespan(&self) -> Option<Span> {
        (self.jobs.finished > 0).then(|| self.last_finish - self.first_submit)
    }

    /// True if all its jobs were submitted at one instant.
    pub fn is_one_instant(&self) -> bool {
        self.first_submit == self.last_submit
    }

    /// Adds another account to this one. A joint makespan only makes sense if both belong to the
    /// same replication.
    pub fn merge(&mut self, other: &Account) {
        let (jobs, more) = (&mut self.jobs, other.jobs);
        jobs.submitted += more.submitted;
        jobs.rejected += more.rejected;
        jobs.started += more.started;
        jobs.finished += more.finished;
        jobs.killed += more.killed;
        self.areas.submitted += other.areas.submitted;
        self.areas.own += other.areas.own;
        self.areas.by_others += other.areas.by_others;
        self.areas.for_others += other.areas.for_others;
        self.flow.merge(&other.flow);
        self.wait.merge(&other.wait);
        self.slowdown.merge(&other.slowdown);
        self.bounded_slowdown.merge(&other.bounded_slowdown);
        self.first_submit = self.first_submit.min(other.first_submit);
        self.last_submit = self.last_submit.max(other.last_submit);
        self.last_finish = self.last_finish.max(other.last_finish);
        self.sizes.merge(&other.sizes);
    }

    #[inline]
    pub(super) fn finished(&mut self, finished: &Finished<'_>, tau: Span) {
        self.jobs.finished += 1;
        self.jobs.killed += u64::from(finished.killed);
        self.last_finish = self.last_finish.max(finished.finish);
        let (flow, ran) = (finished.flow().ticks(), finished.ran().ticks());
        self.flow.record(flow as u64);
        self.wait.record(finished.wait().ticks() as u64);
        if ran > 0 {
            self.slowdown.record(ratio(flow, ran));
        }
        if let Some(slowdown) = bounded_slowdown(finished.flow(), finished.ran(), tau) {
            self.bounded_slowdown.record(slowdown);
        }
    }
}

/// Bounded slowdown of a job in millionths: flow time over runtime, both at least `tau`; `None` if
/// both are zero.
#[inline]
pub fn bounded_slowdown(flow: Span, ran: Span, tau: Span) -> Option<u64> {
    let (flow, bound) = (flow.ticks(), ran.max(tau).ticks());
    (bound > 0).then(|| ratio(flow.max(bound), bound))
}

/// A ratio in millionths, rounded to the nearest.
#[inline]
fn ratio(over: i64, under: i64) -> u64 {
    round_ties_even(over as f64 / under as f64 * TICKS_PER_UNIT as f64) as u64
}

impl State for Account {
    fn save(&self, out: &mut Vec<u8>) {
        let times = (self.first_submit, self.last_submit, self.last_finish);
        put(&(self.jobs, self.areas, times, self.sizes), out);
        self.distributions().iter().for_each(|(_, distribution)| distribution.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let times;
        (self.jobs, self.areas, times, self.sizes) = take(from)?;
        (self.first_submit, self.last_submit, self.last_finish) = times;
        self.flow.load(from)?;
        self.wait.load(from)?;
        self.slowdown.load(from)?;
        self.bounded_slowdown.load(from)
    }
}
