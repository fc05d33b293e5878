//! Gantt charts of plans as they were played.

use super::drawn::Instance;
use super::played::watch;
use crate::StudyError;
use crate::picture::gantt;
use policy::tasks::TaskPlanned;
use report::picture::rows::{Job, Rows};

/// The chart of an instance under several planners: a row for each site, with a lane for each processor.
pub(super) fn chart(
    title: &str,
    subtitle: &str,
    (sites, classes): (&[&str], &[&str]),
    instance: &Instance,
    players: &[(&str, &TaskPlanned)],
) -> Result<Rows, StudyError> {
    let mut rows = Vec::new();
    for (name, player) in players {
        let mut jobs = vec![Vec::new(); sites.len()];
        watch(instance, player, 1, |ran| {
            let span = (ran.start.as_units(), ran.finish.as_units());
            let (series, processors) = (ran.class as usize, ran.processors.round() as usize);
            let label = classes[series].to_owned();
            jobs[ran.site as usize].push(Job { span, processors, series, label });
        })?;
        let places = sites.iter().zip(&*instance.sites).zip(jobs);
        rows.extend(
            places.map(|((place, of), jobs)| {
                (format!("{name}: {place}"), of.processors as usize, jobs)
            }),
        );
    }
    let classes = classes.iter().map(|&one| one.to_owned()).collect();
    Ok(gantt(title.to_owned(), subtitle, rows, classes))
}
