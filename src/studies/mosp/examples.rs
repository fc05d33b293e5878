//! The small examples: Figures 1 to 3, list scheduling, partition, and the counterexample of Lemma
//! 1.

use super::cases::{Algorithm, molba, played};
use super::laws::{self, Size, Zone};
use super::small::{NODES, count, one_cluster, owned};
use crate::played::Record;
use crate::row::Row;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use bounds::instance::{Instance, Placement};
use bounds::optimum::optimum;
use bounds::promise::Owned;
use bounds::promise::optimum_under_promise;
use kernel::rng::Streams;
use kernel::time::Time;
use model::order::Order;
use policy::grid::{GridOptions, list};
use policy::plan::WithoutJobs;
use run::instance::makespan;
use workload::draw::below;

/// Ends of the organizations in units of time.
fn units(owned: &Owned, schedule: &[Placement]) -> Vec<f64> {
    laws::ends(owned, schedule).into_iter().map(Time::as_units).collect()
}

fn local(owned: &Owned) -> Vec<Placement> {
    played(Algorithm::Local.options(), owned, WithoutJobs::Kept).played.schedule
}

/// The least makespan in units of time.
fn least(instance: &Instance) -> Option<f64> {
    optimum(instance, NODES).ok()?.makespan.proved().map(Time::as_units)
}

fn exact(row: Row, paper: f64, ours: Option<f64>) -> Row {
    match ours {
        Some(ours) => row.compared(Printed::calculated(paper, 0.0), Measured::exact(ours)),
        None => row.note("the search for the optimum gave up"),
    }
}

/// Rows of sections 2 and 3, and Lemma 1.
pub(super) fn examples(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = partition(bench)?;
    rows.extend(figures());
    rows.extend(lists(bench)?);
    rows.extend(counterexample());
    Ok(rows)
}

/// MO-M-02: one cluster of two processors is the problem of partition.
fn partition(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let samples = count(bench) / 10;
    let seed = bench.effort.seed;
    bench.log(Record::drawn("sets of 3 to 12 whole numbers up to 40", bench, samples as u32));
    let same = bench.each(samples, |sample| {
        let rng = &mut Streams::new(seed).in_replication(sample).stream("partition");
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
        Ok(found.map(|found| half == Some(found as i64)))
    })?;
    let other = same.iter().filter(|&&same| same == Some(false)).count() as u64;
    let solved = same.iter().flatten().count();
    let what = "one cluster of 2 processors: optima that are not the best partition";
    let note = format!("of {solved} sets of numbers with a proved optimum");
    Ok(vec![Row::new("MO-M-02", "2.2", what).never(other).note(note)])
}

/// Figures 1 to 3.
fn figures() -> Vec<Row> {
    let mut rows = Vec::new();
    for organizations in [3, 5] {
        let jobs = vec![(0, 1, 4); organizations as usize];
        let one = owned(organizations, 4, &jobs);
        let alone = laws::makespan(&one, &local(&one)).as_units();
        let ratio = least(&one.instance).map(|least| alone / least);
        let what = format!("N = {organizations} wide jobs of one owner: local / optimum");
        let row = Row::new("MO-F1", "Figure 1", what);
        rows.push(exact(row, organizations.into(), ratio));
        let best = played(Algorithm::Ilba.options(), &one, WithoutJobs::Kept);
        let what = format!("N = {organizations} wide jobs of one owner: makespan of ILBA");
        let ours = Some(best.played.makespan.as_units());
        rows.push(exact(Row::new("MO-F1", "Figure 1", what), 1.0, ours));
    }
    // Jobs of 3 and of 1 of 4 processors fit side by side.
    let two = owned(2, 4, &[(0, 2, 3), (0, 1, 3), (1, 2, 4), (1, 2, 1)]);
    let place = "Figure 2";
    let alone = units(&two, &local(&two));
    let mut best: Option<Vec<f64>> = None;
    each_active(&two, &mut |schedule: &[Placement]| {
        let ends = units(&two, schedule);
        if ends.iter().zip(&alone).all(|(end, alone)| end < alone)
            && best.as_ref().is_none_or(|best| ends < *best)
        {
            best = Some(ends);
        }
    });
    let what = "some schedule lets both organizations end sooner than alone";
    let note = match &best {
        Some(ends) => format!("at {ends:?} instead of {alone:?}; every schedule was tried"),
        None => format!("alone they end at {alone:?}"),
    };
    rows.push(Row::new("MO-F2", place, what).holds(best.is_some()).note(note));
    let three = owned(2, 2, &[(0, 1, 1), (0, 1, 1), (1, 2, 1), (1, 2, 1), (1, 2, 1)]);
    let place = "Figure 3";
    let allowed = optimum_under_promise(&three, 1.0, NODES).ok();
    let allowed = allowed.and_then(|one| one.makespan.proved()).map(Time::as_units);
    let optimal = least(&three.instance);
    rows.push(exact(Row::new("MO-F3", place, "least makespan"), 2.0, optimal));
    let what = "least makespan if no organization ends later than alone";
    rows.push(exact(Row::new("MO-F3", place, what), 3.0, allowed));
    let what = "ratio of both";
    rows.push(exact(
        Row::new("MO-F3", place, what),
        1.5,
        optimal.zip(allowed).map(|(least, allowed)| allowed / least),
    ));
    rows
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

/// MO-A-01 and MO-T-LS: list scheduling on one cluster.
fn lists(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let one = owned(1, 10, &[(0, 5, 6), (0, 3, 5), (0, 2, 4), (0, 4, 4)]);
    let starts: Vec<f64> = local(&one).iter().map(|place| place.start.as_units()).collect();
    let what = "6, 5, 4 and 4 of 10 processors for 5, 3, 2 and 4 units: starts";
    let note = "the second job does not fit beside the first, and the third goes first";
    let holds = starts == [0.0, 5.0, 0.0, 2.0];
    let mut rows = vec![
        Row::new("MO-A-01", "3.1", what)
            .found(
                "0, 5, 0, 2",
                starts.iter().map(f64::to_string).collect::<Vec<_>>().join(", "),
                Verdict::of(holds),
            )
            .note(note),
    ];
    let samples = count(bench) / 10;
    let seed = bench.effort.seed;
    bench.log(Record::drawn("3 to 9 jobs on one cluster", bench, samples as u32));
    let orders = [Order::Submit, Order::Largest, Order::Smallest, Order::Random];
    let all = bench.each(samples, |sample| {
        let owned = one_cluster(seed, sample);
        let Some(least) =
            optimum(&owned.instance, NODES).ok().and_then(|one| one.makespan.proved())
        else {
            return Ok(None);
        };
        let ticks = |time: Time| i128::from(time.ticks());
        let processors = i128::from(owned.instance.clusters[0]);
        let bound = Size::of(&owned, false).bound();
        let is_above = orders.map(|order| {
            let options = GridOptions::List(list::Options { order });
            let ours = ticks(makespan(&options, &owned.instance));
            ours * processors > (2 * processors - 1) * ticks(least)
        });
        Ok(Some((is_above, bound > processors * ticks(least))))
    })?;
    let solved = all.iter().flatten().count();
    for (index, order) in orders.into_iter().enumerate() {
        let above = all.iter().flatten().filter(|one| one.0[index]).count() as u64;
        let what = format!("one cluster, list in the order {order:?}: makespans above 2 - 1/m");
        let note = format!("of {solved} instances with a proved optimum");
        rows.push(Row::new("MO-T-LS", "3.1", what).never(above).note(note));
    }
    let above = all.iter().flatten().filter(|one| one.1).count() as u64;
    let what = "one cluster: lower bounds above the optimum";
    let note = format!("of {solved} instances with a proved optimum");
    rows.push(Row::new("MO-E-01", "4.1", what).never(above).note(note));
    Ok(rows)
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

/// MO-L-1: Lemma 1 is false.
fn counterexample() -> Vec<Row> {
    let one = owned(5, 2, &LEMMA_1);
    let size = Size::of(&one, false);
    let schedule = played(molba(2), &one, WithoutJobs::Kept).played.schedule;
    let zones = laws::stretches(&one, &schedule);
    let zones: Vec<Zone> = zones.iter().map(|all| laws::zone(all, 2)).collect();
    let length = |zone: &Zone| zone.end.map_or(0, |end| end - zone.start);
    let longest = zones.iter().map(length).max().unwrap_or(0);
    let what = "17 jobs on 5 clusters: the longest low zone is no longer than the longest job";
    let [longest, limit] =
        [longest, size.longest as i64].map(|ticks| Time::from_ticks(ticks).as_units());
    let note = format!("{longest} against {limit} units");
    vec![Row::new("MO-L-1", "Lemma 1", what).holds(longest <= limit).or(super::LEMMA_1).note(note)]
}
