//! MOLBA and ILBA by the letter of sections 4.1 and 5.1, to compare with what the grid plays.

use super::laws::{self, Size};
use bounds::instance::Placement;
use bounds::promise::Owned;
use kernel::time::Time;

/// Places of the jobs that have one.
type Places = [Option<Placement>];

/// The earliest start of a job on a cluster, beside the jobs that are placed: 0, or the end of one
/// of them.
pub(super) fn earliest(owned: &Owned, places: &Places, job: usize, cluster: usize) -> Time {
    let tasks = &owned.instance.tasks;
    let here: Vec<(Time, Time, u32)> = places
        .iter()
        .zip(tasks)
        .filter_map(|(place, task)| {
            let place = place.filter(|place| place.cluster == cluster)?;
            Some((place.start, place.start + task.length, task.processors))
        })
        .collect();
    let task = tasks[job];
    let fits = |start: &Time| {
        let end = *start + task.length;
        let starts = here.iter().map(|one| one.0).filter(|at| *start < *at && *at < end);
        starts.chain([*start]).all(|at| {
            let busy = here.iter().filter(|one| one.0 <= at && at < one.1).map(|one| one.2);
            busy.sum::<u32>() + task.processors <= owned.instance.clusters[cluster]
        })
    };
    let ends = here.iter().map(|one| one.1);
    ends.chain([Time::ZERO]).filter(fits).min().expect("after all ends it fits")
}

/// Places a job at its earliest start on one of some clusters; of equal starts, on the first.
fn place(owned: &Owned, places: &mut Places, job: usize, clusters: impl Iterator<Item = usize>) {
    let starts = clusters.map(|cluster| (earliest(owned, places, job, cluster), cluster));
    let best = starts.min_by_key(|one| one.0);
    let (start, cluster) = best.expect("there is a cluster");
    places[job] = Some(Placement { start, cluster });
}

/// MOLBA(alpha), from the local schedules.
pub(super) fn molba(
    owned: &Owned,
    size: &Size,
    alpha: i128,
    local: &[Placement],
) -> Vec<Placement> {
    let given = laws::given(owned, size, alpha, local);
    let mut places: Vec<Option<Placement>> = local.iter().copied().map(Some).collect();
    let mut given: Vec<usize> = (0..local.len()).filter(|&job| given[job]).collect();
    given.iter().for_each(|&job| places[job] = None);
    given.sort_by_key(|&job| std::cmp::Reverse(owned.instance.tasks[job].processors));
    for job in given {
        place(owned, &mut places, job, 0..owned.of_cluster.len());
    }
    places.into_iter().flatten().collect()
}

/// ILBA, from a schedule.
pub(super) fn ilba(owned: &Owned, from: &[Placement]) -> Vec<Placement> {
    let ends = laws::ends_of_clusters(owned, from);
    let mut ranks: Vec<usize> = (0..owned.of_cluster.len()).collect();
    ranks.sort_by_key(|&cluster| ends[cluster]);
    let mut places: Vec<Option<Placement>> = vec![None; from.len()];
    for (rank, &cluster) in ranks.iter().enumerate() {
        let mut jobs: Vec<usize> =
            (0..from.len()).filter(|&job| from[job].cluster == cluster).collect();
        jobs.sort_by_key(|&job| from[job].start);
        for job in jobs {
            match rank {
                0 => places[job] = Some(from[job]),
                // The own cluster first, then those of lower rank.
                _ => {
                    let lower = ranks[..rank].iter().copied();
                    place(owned, &mut places, job, std::iter::once(cluster).chain(lower));
                }
            }
        }
    }
    places.into_iter().flatten().collect()
}
