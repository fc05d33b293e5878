//! A choice that the paper leaves open and no figure settles: the order of jobs of equal width.

use super::cases::{Algorithm, each, means, played};
use super::instances::{JOBS, ORGANIZATIONS, PROCESSORS, points};
use super::laws::Size;
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use policy::plan::WithoutJobs;

/// MO-N-05 if jobs of equal width are placed longest first and not in order of submission: shares of
/// instances with score 1, and mean scores on the second set.
pub(super) fn longest(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let points = points(&[false, true], &ORGANIZATIONS, &JOBS, &PROCESSORS);
    let algorithms = [Algorithm::Molba, Algorithm::Ilba];
    let all = each(asked, &points, |mut owned| {
        let mut order: Vec<usize> = (0..owned.of_task.len()).collect();
        order.sort_by_key(|&job| std::cmp::Reverse(owned.instance.tasks[job].length));
        owned.instance.tasks = order.iter().map(|&job| owned.instance.tasks[job]).collect();
        owned.of_task = order.iter().map(|&job| owned.of_task[job]).collect();
        let size = Size::of(&owned, true);
        algorithms.map(|algorithm| {
            size.score(played(algorithm.options(), &owned, WithoutJobs::LeftOut).played.makespan)
        })
    })?;
    let swf: Vec<Vec<[f64; 2]>> = all.iter().map(|one| one[points.len() / 2..].to_vec()).collect();
    let mut figures = Figures::new();
    for (at, name) in ["MOLBA(2)", "ILBA"].into_iter().enumerate() {
        let is_optimal = |one: &[f64; 2]| f64::from(u8::from(one[at] <= 1.0));
        figures.insert(format!("optimal {name}"), means(&all, is_optimal));
        figures.insert(format!("swf {name}"), means(&swf, |one| one[at]));
    }
    Ok(figures)
}
