//! The worst scores of section 6.2.6, and what makes them.

use super::RULE;
use super::cases::{Algorithm, Cases, played};
use super::instances::{Kind, Point, Sources};
use super::laws::{self, Size, Stretch};
use crate::row::Row;
use crate::verdict::Verdict;
use crate::{Bench, StudyError};
use kernel::time::TICKS_PER_UNIT;
use policy::plan::WithoutJobs;

/// The largest score of each algorithm in the paper, with its organizations and jobs.
const PAPER: [(f64, &str); 3] =
    [(12.12, "N = 20, n = 100"), (2.98, "N = 20, n = 50"), (1.92, "N = 20, n = 50")];

/// One in so many instances is among the worst.
const RARE: usize = 100;

/// MO-N-09 and MO-N-10.
pub(super) fn rows(bench: &Bench, cases: &Cases) -> Result<Vec<Row>, StudyError> {
    let places = cases.places(|point| point.kind == Kind::Uni);
    let sources = Sources::new()?;
    let mut rows = Vec::new();
    for (algorithm, (value, setting)) in Algorithm::ALL.into_iter().zip(PAPER) {
        let mut scores: Vec<(f64, u64, usize)> = (cases.of(&places))
            .map(|(sample, place, case)| (case.score(algorithm), sample, place))
            .collect();
        // The largest first; of equal ones the first.
        scores.sort_by(|one, other| other.0.total_cmp(&one.0));
        let all = scores.len() as u64;
        let of_paper = u64::from(RULE.samples) * places.len() as u64;
        let (largest, _, place) = scores[0];
        let Point { organizations, jobs, processors, .. } = cases.points[place];
        let reaching = scores.iter().filter(|one| one.0 >= value - 0.005).count() as u64;
        let what = format!("uni: largest score of {}", algorithm.name());
        let note = format!(
            "N = {organizations}, n = {jobs}, m = {processors}; in the paper {setting}; {reaching} of \
             ours reach the paper's"
        );
        let verdict = Verdict::of_largest(reaching, all, of_paper);
        rows.push(Row::new("MO-N-09", "6.2.6", what).found(value, largest, verdict).note(note));
        let count = (scores.len() / RARE).max(1);
        let found: Result<Vec<Reason>, StudyError> = scores[..count]
            .iter()
            .map(|&(_, sample, place)| {
                Reason::of(&sources, algorithm, cases.points[place], bench.effort.seed, sample)
            })
            .collect();
        rows.push(told(algorithm, &found?));
    }
    let swf = cases.places(|point| point.kind == Kind::Swf);
    for algorithm in Algorithm::ALL {
        let scores = cases.of(&swf).map(|(_, _, case)| case.score(algorithm));
        let what = format!("swf: largest score of {}", algorithm.name());
        rows.push(Row::new("MO-N-09", "6.2.6", what).shown(scores.fold(0.0, f64::max)));
    }
    Ok(rows)
}

/// Why an instance has its makespan.
struct Reason {
    /// True if it is as the paper says.
    holds: bool,
    /// The same in words.
    words: String,
}

impl Reason {
    fn of(
        sources: &Sources,
        algorithm: Algorithm,
        point: Point,
        seed: u64,
        sample: u64,
    ) -> Result<Reason, StudyError> {
        let owned = sources.instance(point, seed, sample)?;
        let size = Size::of(&owned, true);
        let play = |algorithm: Algorithm| {
            played(algorithm.options(), &owned, WithoutJobs::LeftOut).played.schedule
        };
        let (local, schedule) = (play(Algorithm::Local), play(algorithm));
        let last = laws::makespan(&owned, &schedule);
        let jobs = 0..schedule.len();
        let job = jobs.clone().rev().find(|&job| laws::end(&owned, &schedule, job) == last);
        let job = job.expect("some job is the last");
        let owner = owned.of_task[job];
        let task = owned.instance.tasks[job];
        let share = |length: f64| length * TICKS_PER_UNIT as f64 / size.longest as f64;
        Ok(match algorithm {
            Algorithm::Local => {
                let own = jobs.filter(|&one| owned.of_task[one] == owner);
                let lengths: Vec<f64> =
                    own.map(|one| owned.instance.tasks[one].length.as_units()).collect();
                let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
                Reason {
                    holds: lengths.iter().all(|&length| 10.0 * length <= last.as_units()),
                    words: format!(
                        "{} jobs of one organization, on average {:.2} of the longest",
                        lengths.len(),
                        share(mean)
                    ),
                }
            }
            Algorithm::Molba => {
                let is_late = laws::late(&owned, &size, 2, &local)[owner as usize];
                let end = laws::ends(&owned, &local)[owner as usize];
                Reason {
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
                let place = schedule[job];
                let is_low = |one: &&Stretch| 2 * one.busy <= i64::from(point.processors);
                let stretches = &laws::stretches(&owned, &schedule)[place.cluster];
                let mut before =
                    stretches.iter().filter(|one| one.to <= place.start.ticks()).filter(is_low);
                let is_high = 2 * task.processors > point.processors;
                let length = share(task.length.as_units());
                let follows = before.next().is_some();
                Reason {
                    holds: is_high && length > 0.5 && follows,
                    words: format!(
                        "a {} job of {length:.2} p_max, {} a time of low use",
                        if is_high { "high" } else { "low" },
                        if follows { "after" } else { "without" }
                    ),
                }
            }
        })
    }
}

/// MO-N-10: the reason of the worst, and how often it is that of the worst hundredth.
fn told(algorithm: Algorithm, reasons: &[Reason]) -> Row {
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
    Row::new("MO-N-10", "6.2.6", what).holds(reasons[0].holds).note(note)
}
