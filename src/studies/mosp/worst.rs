//! Reasons of the worst scores of section 6.2.6.

use serde::Deserialize;

use super::cases::{Algorithm, each, played};
use super::instances::{JOBS, ORGANIZATIONS, PROCESSORS, points};
use super::laws::{self, Size, Stretch};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use bounds::promise::Owned;
use policy::plan::WithoutJobs;

/// One in so many instances is among the worst.
const RARE: usize = 100;

/// The algorithm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    algorithm: Algorithm,
}

/// MO-N-10: whether the worst instance is bad as the paper says, and the percentage of the worst hundredth
/// that is.
pub(super) fn reasons(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Options { algorithm } = asked.options()?;
    let points = points(&[false], &ORGANIZATIONS, &JOBS, &PROCESSORS);
    let found = each(asked, &points, |owned| reason(&owned, algorithm))?;
    let mut all: Vec<(f64, bool)> = found.into_iter().flatten().collect();
    let count = (all.len() / RARE).max(1);
    // The largest first; of equal ones the first.
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let often = all[..count].iter().filter(|one| one.1).count();
    let worst = f64::from(u8::from(all[0].1));
    Ok(exact([("worst", worst), ("often", 100.0 * often as f64 / count as f64)]))
}

/// The score of an instance, and whether it is as the paper says.
///
/// Local schedules: no job of the organization that ends last takes a tenth of the makespan. MOLBA(2): the
/// last job is of an organization that keeps its jobs, which ends between 2 W / N m and 2 W / N m + p_max
/// alone. ILBA: the last job is high, longer than half of the longest, and starts after a time of low use.
fn reason(owned: &Owned, algorithm: Algorithm) -> (f64, bool) {
    let size = Size::of(owned, true);
    let play = |algorithm: Algorithm| {
        played(algorithm.options(), owned, WithoutJobs::LeftOut).played.schedule
    };
    let (local, schedule) = (play(Algorithm::Local), play(algorithm));
    let last = laws::makespan(owned, &schedule);
    let mut jobs = 0..schedule.len();
    let job = jobs.clone().rev().find(|&job| laws::end(owned, &schedule, job) == last);
    let job = job.expect("some job is the last");
    let owner = owned.of_task[job];
    let task = owned.instance.tasks[job];
    let holds = match algorithm {
        Algorithm::Local => jobs.all(|one| {
            let length = owned.instance.tasks[one].length.as_units();
            owned.of_task[one] != owner || 10.0 * length <= last.as_units()
        }),
        Algorithm::Molba => {
            let is_late = laws::late(owned, &size, 2, &local)[owner as usize];
            let end = laws::ends(owned, &local)[owner as usize];
            !is_late && end == last && size.scaled(end) > 2 * size.work
        }
        Algorithm::Ilba => {
            let (place, processors) = (schedule[job], owned.instance.clusters[0]);
            let is_low = |one: &&Stretch| 2 * one.busy <= i64::from(processors);
            let stretches = &laws::stretches(owned, &schedule)[place.cluster];
            let mut before =
                stretches.iter().filter(|one| one.to <= place.start.ticks()).filter(is_low);
            let is_long = 2 * i128::from(task.length.ticks()) > size.longest;
            2 * task.processors > processors && is_long && before.next().is_some()
        }
    };
    (size.score(last), holds)
}
