//! Jobs that held processors, and what they come to: their owners, the most processors in use at a time,
//! and jobs that came long before all others.

use super::clocks::Times;
use super::value;
use kernel::order::InOrder as _;

/// An execution of a job in the log; times are in seconds since 1970.
pub(super) struct Held {
    pub(super) id: Box<str>,
    pub(super) submit: i64,
    pub(super) start: i64,
    pub(super) end: Option<i64>,
    /// Seconds that it ended later than its start and run time say.
    pub(super) over: i64,
    /// The clock of its times: its center's, or seconds since 1970 there.
    pub(super) clock: u32,
    pub(super) runtime: i64,
    pub(super) limit: i64,
    pub(super) processors: u32,
    pub(super) owner: u32,
    pub(super) user: u32,
    pub(super) account: u32,
    pub(super) partition: u32,
    /// The partition of its owner.
    pub(super) pool: u32,
    pub(super) nodes: u32,
}

impl Held {
    pub(super) fn times(&self) -> Times {
        let &Held { submit, start, end, over, .. } = self;
        Times { submit, start, end, over, is_unclear: false }
    }

    /// Time from submission to start; 0 for a start before the submission.
    pub(super) fn wait(&self) -> i64 {
        (self.start - self.submit).max(0)
    }
}

/// An owner of imported jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Party {
    /// Its name in the log.
    pub name: String,
    /// Number of jobs kept.
    pub jobs: u64,
    /// Processor-seconds used.
    pub area: f64,
    /// Peak number of processors in use.
    pub peak: u64,
    /// Mean waiting time in the log, in seconds.
    pub wait: f64,
}

/// Jobs submitted so early that more than half of the log's time lies before all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Early {
    /// Number of these jobs, at most 1% of all or a single one.
    pub jobs: u64,
    /// Seconds from the first submission to that of the first other job.
    pub seconds: i64,
    /// The submission of the first other job, as `sacct` prints it.
    pub next: String,
}

/// Fewest jobs of which some may be called early.
const FEWEST: usize = 10;

/// Returns the jobs that came long before all others; `held` is in order of submission.
pub(super) fn early(held: &[Held]) -> Option<Early> {
    let (first, last) = (held.first()?.submit, held.last()?.submit);
    let jobs = (held.len() / 100).max(1);
    let next = held.get(jobs).filter(|_| held.len() >= FEWEST)?.submit;
    let seconds = next - first;
    let early = || Early { jobs: jobs as u64, seconds, next: value::written(next) };
    (seconds > last - next).then(early)
}

/// Returns the owners, or what else jobs are divided by, by decreasing processor time, ties by name; and
/// their positions by number.
pub(super) fn parties(
    held: &[Held],
    names: &[String],
    number: impl Fn(&Held) -> u32,
) -> (Vec<Party>, Vec<u32>) {
    let mut by_owner: Vec<Vec<&Held>> = names.iter().map(|_| Vec::new()).collect();
    held.iter().for_each(|one| by_owner[number(one) as usize].push(one));
    let mut parties: Vec<(i128, Party, usize)> = (names.iter().zip(by_owner).enumerate())
        .map(|(number, (name, own))| {
            let area = |one: &&Held| i128::from(one.runtime) * i128::from(one.processors);
            let area: i128 = own.iter().map(area).sum();
            let waits: i128 = own.iter().map(|one| i128::from(one.wait())).sum();
            let jobs = own.len() as u64;
            let party = Party {
                name: name.clone(),
                jobs,
                area: area as f64,
                peak: peak(own.into_iter()),
                wait: waits as f64 / jobs as f64,
            };
            (area, party, number)
        })
        .collect();
    parties.order_by(|(one, a, _), (other, b, _)| other.cmp(one).then_with(|| a.name.cmp(&b.name)));
    let mut places = vec![0; parties.len()];
    parties.iter().zip(0..).for_each(|(&(.., number), place)| places[number] = place);
    (parties.into_iter().map(|(_, party, _)| party).collect(), places)
}

/// Returns the peak number of processors in use; a job that ends frees them for one that starts.
pub(super) fn peak<'a>(held: impl Iterator<Item = &'a Held>) -> u64 {
    let mut changes: Vec<(i64, i64)> = held
        .flat_map(|one| {
            let processors = i64::from(one.processors);
            [(one.start, processors), (one.start + one.runtime, -processors)]
        })
        .collect();
    // At equal times, ends come first, since they are negative.
    changes.sort_unstable();
    let now = |now: &mut i64, (_, change): (i64, i64)| {
        *now += change;
        Some(*now)
    };
    changes.into_iter().scan(0, now).max().unwrap_or(0).unsigned_abs()
}
