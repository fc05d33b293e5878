//! Reasons of the worst scores of section 6.2.6.

use super::cases::{Algorithm, each, played};
use super::instances::{JOBS, ORGANIZATIONS, PROCESSORS, points};
use super::laws::{self, Size, Stretch};
use crate::row::Row;
use crate::{Bench, StudyError};
use bounds::promise::Owned;
use kernel::time::TICKS_PER_UNIT;
use policy::plan::WithoutJobs;

/// One in so many instances is among the worst.
const RARE: usize = 100;

/// MO-N-10.
pub(super) fn reasons(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let points = points(&[false], &ORGANIZATIONS, &JOBS, &PROCESSORS);
    let found = each(bench, "the uniform instances of section 6.1", &points, |owned| {
        Algorithm::ALL.map(|algorithm| Reason::of(&owned, algorithm))
    })?;
    let mut all: Vec<[Reason; 3]> = found.into_iter().flatten().collect();
    let count = (all.len() / RARE).max(1);
    let rows = Algorithm::ALL.into_iter().enumerate().map(|(at, algorithm)| {
        // The largest first; of equal ones the first.
        all.sort_by(|one, other| other[at].score.total_cmp(&one[at].score));
        let worst: Vec<&Reason> = all[..count].iter().map(|one| &one[at]).collect();
        told(algorithm, &worst)
    });
    Ok(rows.collect())
}

/// Why an instance has its makespan.
struct Reason {
    /// Its makespan over the lower bound.
    score: f64,
    /// True if it is as the paper says.
    holds: bool,
    /// The same in words.
    words: String,
}

impl Reason {
    fn of(owned: &Owned, algorithm: Algorithm) -> Reason {
        let size = Size::of(owned, true);
        let play = |algorithm: Algorithm| {
            played(algorithm.options(), owned, WithoutJobs::LeftOut).played.schedule
        };
        let (local, schedule) = (play(Algorithm::Local), play(algorithm));
        let last = laws::makespan(owned, &schedule);
        let jobs = 0..schedule.len();
        let job = jobs.clone().rev().find(|&job| laws::end(owned, &schedule, job) == last);
        let job = job.expect("some job is the last");
        let owner = owned.of_task[job];
        let task = owned.instance.tasks[job];
        let share = |length: f64| length * TICKS_PER_UNIT as f64 / size.longest as f64;
        let score = size.score(last);
        match algorithm {
            Algorithm::Local => {
                let own = jobs.filter(|&one| owned.of_task[one] == owner);
                let lengths: Vec<f64> =
                    own.map(|one| owned.instance.tasks[one].length.as_units()).collect();
                let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
                Reason {
                    score,
                    holds: lengths.iter().all(|&length| 10.0 * length <= last.as_units()),
                    words: format!(
                        "{} jobs of one organization, on average {:.2} of the longest",
                        lengths.len(),
                        share(mean)
                    ),
                }
            }
            Algorithm::Molba => {
                let is_late = laws::late(owned, &size, 2, &local)[owner as usize];
                let end = laws::ends(owned, &local)[owner as usize];
                Reason {
                    score,
                    holds: !is_late && end == last && size.scaled(end) > 2 * size.work,
                    words: format!(
                        "its organization {} and ends at 2 W / N m + {:.2} p_max alone",
                        if is_late { "gives jobs away" } else { "keeps its jobs" },
                        (size.scaled(end) - 2 * size.work) as f64
                            / (size.processors * size.longest) as f64
                    ),
                }
            }
            Algorithm::Ilba => {
                let (place, processors) = (schedule[job], owned.instance.clusters[0]);
                let is_low = |one: &&Stretch| 2 * one.busy <= i64::from(processors);
                let stretches = &laws::stretches(owned, &schedule)[place.cluster];
                let mut before =
                    stretches.iter().filter(|one| one.to <= place.start.ticks()).filter(is_low);
                let is_high = 2 * task.processors > processors;
                let length = share(task.length.as_units());
                let follows = before.next().is_some();
                Reason {
                    score,
                    holds: is_high && length > 0.5 && follows,
                    words: format!(
                        "a {} job of {length:.2} p_max, {} a time of low use",
                        if is_high { "high" } else { "low" },
                        if follows { "after" } else { "without" }
                    ),
                }
            }
        }
    }
}

/// MO-N-10: the reason of the worst, and how often it is that of the worst hundredth.
fn told(algorithm: Algorithm, reasons: &[&Reason]) -> Row {
    let claim = match algorithm {
        Algorithm::Local => "no job of the organization takes a tenth of the makespan",
        Algorithm::Molba => {
            "the last job is of an organization that keeps its jobs, which ends between 2 W / N m and \
             2 W / N m + p_max alone"
        }
        Algorithm::Ilba => {
            "the last job is high, longer than half of the longest, and starts after a time of low use"
        }
    };
    let often = reasons.iter().filter(|one| one.holds).count();
    let note = format!("{}; so it is on {often} of the {} worst", reasons[0].words, reasons.len());
    let what = format!("worst instance of {}: {claim}", algorithm.name());
    let cause = "the paper tells of its own worst instance; other bad ones have other reasons";
    Row::new("MO-N-10", "6.2.6", what).holds(reasons[0].holds).note(note).because(cause)
}
