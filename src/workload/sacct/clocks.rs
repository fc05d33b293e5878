//! Local times over changes of clocks, put back on the clock before the first of them.
//!
//! A job that runs over such a change ends an hour from its start and run time. A change is mended if
//! the jobs that show it agree on its hour, and no time of the log speaks against it.

use kernel::order::InOrder as _;

pub(super) const HOUR: i64 = 3600;

/// Fewest jobs that show a change: a single one may have been suspended for an hour.
const FEWEST: usize = 2;

/// Times of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub submit: i64,
    pub start: i64,
    /// `None` if the log does not tell.
    pub end: Option<i64>,
    /// Seconds that it ended later than its start and run time say.
    pub over: i64,
    /// One of them was in an hour that came twice.
    pub is_unclear: bool,
}

/// A change of clocks.
#[derive(Clone, Copy)]
struct Change {
    /// Its moment by the clock before.
    at: i64,
    /// Seconds that clocks were put forward by.
    forward: i64,
}

impl Change {
    /// Returns a local time as one before the change, and as one after it, by the clock before. An hour
    /// that comes twice is both, one that never comes neither.
    fn readings(self, local: i64) -> [Option<i64>; 2] {
        let back = local - self.forward;
        [(local < self.at).then_some(local), (back >= self.at).then_some(back)]
    }

    /// Reads the times of a job; `None` if the change cannot have been then. Of several readings, it is
    /// the one with the shortest wait.
    fn read(self, job: &Times) -> Option<Times> {
        let [before, after] = self.readings(job.start);
        let end = job.end.map(|end| end - self.forward);
        let is_over = job.over == self.forward && end.is_some_and(|end| end >= self.at);
        let runs = match before {
            Some(start) if is_over => [Some((start, end, 0)), None],
            _ => {
                let ends_before = job.end.is_none_or(|end| end <= self.at);
                let before = before.filter(|_| ends_before);
                [
                    before.map(|start| (start, job.end, job.over)),
                    after.map(|start| (start, end, job.over)),
                ]
            }
        };
        let times = runs.into_iter().flatten().flat_map(|(start, end, over)| {
            let submits = self.readings(job.submit).into_iter().flatten();
            submits.map(move |submit| Times {
                submit,
                start,
                end,
                over,
                is_unclear: job.is_unclear,
            })
        });
        let is_possible = |times: &Times| times.submit <= times.start || job.submit > job.start;
        let possible: Vec<Times> = times.filter(is_possible).collect();
        let best = possible.iter().min_by_key(|times| (times.start - times.submit).abs());
        best.map(|&best| Times { is_unclear: job.is_unclear || possible.len() > 1, ..best })
    }

    fn read_all(self, jobs: &[Times]) -> Option<Vec<Times>> {
        jobs.iter().map(|job| self.read(job)).collect()
    }
}

/// Mends all changes of clocks that the jobs show, and returns their moments, by the clock before the
/// first; `None` if one of them is not clear.
pub(super) fn mend(jobs: &mut Vec<Times>) -> Option<Vec<i64>> {
    let mut moments = Vec::new();
    while let Some((lowest, highest, forward)) = first_shown(jobs)? {
        let at = |hour: i64| Change { at: HOUR * hour, forward };
        // The full hours of which each is possible by the jobs that show the change.
        let mut hours = lowest.div_euclid(HOUR) + 1..=highest.div_euclid(HOUR);
        let (hour, times) = hours.find_map(|hour| Some((hour, at(hour).read_all(jobs)?)))?;
        let last = hours.rev().find_map(|hour| at(hour).read_all(jobs));
        if last.is_some_and(|last| last != times) {
            return None;
        }
        moments.push(HOUR * hour);
        *jobs = times;
    }
    Some(moments)
}

/// Returns bounds of the first change that jobs show, by the clock before it, and the seconds that
/// clocks were put forward by; an inner `None` if no job shows one, an outer if too few do.
fn first_shown(jobs: &[Times]) -> Option<Option<(i64, i64, i64)>> {
    let mut shown: Vec<&Times> = jobs.iter().filter(|job| job.over.abs() == HOUR).collect();
    shown.order_by_key(|job| job.start);
    let Some(&first) = shown.first() else { return Some(None) };
    let forward = first.over;
    let (mut lowest, mut highest, mut count) = (first.start, i64::MAX, 0);
    for job in shown {
        let end = job.end.unwrap_or(job.start) - forward;
        if job.start >= highest || job.over != forward {
            break;
        }
        (lowest, highest, count) = (job.start, highest.min(end), count + 1);
    }
    (count >= FEWEST).then_some(Some((lowest, highest, forward)))
}
