//! The small examples: Figures 1 to 3, list scheduling, partition, and the counterexample of Lemma
//! 1.

use serde::Deserialize;

use super::cases::{Algorithm, NODES, least, molba, played};
use super::laws::{self, Size, Zone};
use super::small::{Times, one_cluster, owned};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use bounds::instance::Placement;
use bounds::promise::{Owned, optimum_under_promise};
use kernel::rng::Streams;
use kernel::time::Time;
use model::order::Order;
use policy::grid::{GridOptions, list};
use policy::plan::WithoutJobs;
use run::instance::makespan;
use workload::draw::below;

fn local(owned: &Owned) -> Vec<Placement> {
    played(Algorithm::Local.options(), owned, WithoutJobs::Kept).played.schedule
}

/// MO-M-02: one cluster of two processors is the problem of partition: optima that are not the best one.
pub(super) fn partition(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    asked.each(times, |sample| {
        let rng = &mut Streams::new(asked.seed).in_replication(sample).stream("partition");
        let lengths: Vec<i64> =
            (0..3 + below(rng, 10)).map(|_| 1 + below(rng, 40) as i64).collect();
        let jobs: Vec<(u32, i64, u32)> = lengths.iter().map(|&length| (0, length, 1)).collect();
        let found = least(&owned(1, 2, &jobs).instance);
        // Every sum that some of the numbers have.
        let sum: i64 = lengths.iter().sum();
        let mut is_sum = vec![false; sum as usize + 1];
        is_sum[0] = true;
        for length in lengths {
            for at in (length..=sum).rev() {
                is_sum[at as usize] |= is_sum[(at - length) as usize];
            }
        }
        let half = (0..=sum).filter(|&at| is_sum[at as usize]).map(|at| at.max(sum - at)).min();
        let differs = |found: Time| f64::from(u8::from(half != Some(found.as_units() as i64)));
        Ok(vec![("differs", found.map_or(f64::NAN, differs))])
    })
}

/// Number of organizations.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Organizations {
    organizations: u32,
}

/// Figure 1: wide jobs of one owner.
pub(super) fn figure_1(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Organizations { organizations } = asked.options()?;
    let one = owned(organizations, 4, &vec![(0, 1, 4); organizations as usize]);
    let alone = laws::makespan(&one, &local(&one)).as_units();
    let best = least(&one.instance).map_or(f64::NAN, Time::as_units);
    let ilba = played(Algorithm::Ilba.options(), &one, WithoutJobs::Kept).played.makespan;
    Ok(exact([("local over optimum", alone / best), ("ILBA", ilba.as_units())]))
}

/// Figure 2: jobs of 3 and of 1 of 4 processors fit side by side. The time by which each of two
/// organizations ends sooner than alone, in the schedule in which the one that gains least gains most.
pub(super) fn figure_2(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let two = owned(2, 4, &[(0, 2, 3), (0, 1, 3), (1, 2, 4), (1, 2, 1)]);
    let alone = laws::ends(&two, &local(&two));
    let mut best = i64::MIN;
    each_active(&two, &mut |schedule: &[Placement]| {
        let ends = laws::ends(&two, schedule);
        let gains = alone.iter().zip(&ends).map(|(alone, end)| alone.ticks() - end.ticks());
        best = best.max(gains.min().unwrap_or(0));
    });
    Ok(exact([("gain", Time::from_ticks(best).as_units())]))
}

/// Figure 3: what the constraint costs.
pub(super) fn figure_3(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let three = owned(2, 2, &[(0, 1, 1), (0, 1, 1), (1, 2, 1), (1, 2, 1), (1, 2, 1)]);
    let allowed = optimum_under_promise(&three, 1.0, NODES).ok();
    let allowed = allowed.and_then(|one| one.makespan.proved()).map_or(f64::NAN, Time::as_units);
    let best = least(&three.instance).map_or(f64::NAN, Time::as_units);
    Ok(exact([("least", best), ("allowed", allowed), ("ratio", allowed / best)]))
}

/// Calls with every schedule in which no job can start sooner if all others stay: each order of the
/// jobs and each choice of clusters, every job at its earliest start. One of them is best for every
/// measure that likes early ends.
fn each_active(owned: &Owned, call: &mut impl FnMut(&[Placement])) {
    let mut places = vec![None; owned.of_task.len()];
    place_next(owned, &mut places, call);
}

fn place_next(
    owned: &Owned,
    places: &mut [Option<Placement>],
    call: &mut impl FnMut(&[Placement]),
) {
    if places.iter().all(Option::is_some) {
        let schedule: Vec<Placement> = places.iter().flatten().copied().collect();
        call(&schedule);
        return;
    }
    for job in 0..places.len() {
        if places[job].is_some() {
            continue;
        }
        for cluster in 0..owned.of_cluster.len() {
            let start = super::letter::earliest(owned, places, job, cluster);
            places[job] = Some(Placement { start, cluster });
            place_next(owned, places, call);
            places[job] = None;
        }
    }
}

/// MO-A-01: starts of a list that are not those by hand. The second job does not fit beside the first, and
/// the third goes first.
pub(super) fn list_by_hand(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let one = owned(1, 10, &[(0, 5, 6), (0, 3, 5), (0, 2, 4), (0, 4, 4)]);
    let starts = local(&one).into_iter().map(|place| place.start.as_units());
    let other = starts.zip([0.0, 5.0, 0.0, 2.0]).filter(|(start, by_hand)| start != by_hand);
    Ok(exact([("other starts", other.count() as f64)]))
}

/// MO-T-LS: list scheduling on one cluster above 2 - 1/m, by order, and bounds above the optimum.
pub(super) fn lists(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Times { times } = asked.options()?;
    let orders = [
        ("Submit", Order::Submit),
        ("Largest", Order::Largest),
        ("Smallest", Order::Smallest),
        ("Random", Order::Random),
    ];
    asked.each(times, |sample| {
        let owned = one_cluster(asked.seed, sample);
        let Some(least) = least(&owned.instance) else { return Ok(Vec::new()) };
        let ticks = |time: Time| i128::from(time.ticks());
        let processors = i128::from(owned.instance.clusters[0]);
        let bound = Size::of(&owned, false).bound();
        let is_above = |order| {
            let ours =
                ticks(makespan(&GridOptions::List(list::Options { order }), &owned.instance));
            ours * processors > (2 * processors - 1) * ticks(least)
        };
        let mut all = vec![("bound above", bound > processors * ticks(least))];
        all.extend(orders.clone().map(|(name, order)| (name, is_above(order))));
        Ok(all.into_iter().map(|(name, is)| (name, f64::from(u8::from(is)))).collect())
    })
}

/// Jobs of an instance on which a high job of another owner goes behind the low end of a cluster,
/// and a later low one behind it, which makes two low zones: owner, length and width, with five
/// clusters of two processors.
const LEMMA_1: [(u32, i64, u32); 17] = [
    (4, 5, 1),
    (0, 14, 2),
    (0, 42, 1),
    (0, 30, 1),
    (0, 2, 2),
    (0, 39, 2),
    (0, 36, 1),
    (0, 18, 2),
    (0, 14, 1),
    (0, 7, 1),
    (0, 46, 2),
    (0, 12, 1),
    (0, 20, 2),
    (1, 42, 2),
    (2, 44, 1),
    (0, 8, 2),
    (0, 14, 1),
];

/// MO-L-1: Lemma 1 is false: the longest low zone, and the longest job.
pub(super) fn counterexample(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let one = owned(5, 2, &LEMMA_1);
    let size = Size::of(&one, false);
    let schedule = played(molba(2), &one, WithoutJobs::Kept).played.schedule;
    let zones = laws::stretches(&one, &schedule);
    let zones = zones.iter().map(|all| laws::zone(all, 2));
    let length = |zone: Zone| zone.end.map_or(0, |end| end - zone.start);
    let [low, longest] = [zones.map(length).max().unwrap_or(0), size.longest as i64]
        .map(|ticks| Time::from_ticks(ticks).as_units());
    Ok(exact([("low zone", low), ("longest job", longest)]))
}
