//! Beyond the paper: how much of the equitable front the walk and the local search find for more than
//! two owners.

use super::drawn::{Shape, share};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::{Bench, StudyError};
use game::dedicated::{Acting, Dedicated, Fronts, Limit};
use game::equity::{Points, cumulated, pareto_dominates};

/// Shapes whose exact fronts take no time.
const SHAPES: [Shape; 4] =
    [Shape::of(3, 1, 10), Shape::of(3, 2, 10), Shape::of(3, 2, 50), Shape::of(4, 1, 10)];

/// Moves of the planner unless it is told otherwise.
const MOVES: usize = 1000;

const NAMES: [&str; 3] = [
    "the walk's list",
    "the list of a local search with as many moves",
    "the list of a local search of 1000 moves",
];

/// A list of schedules, judged by the exact front.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    /// Percentage of the front's cumulative outcomes that it holds.
    covered: f64,
    /// Percentage of its schedules that are not on the front.
    dominated: f64,
    /// Number of its schedules, and of those visited.
    length: f64,
    visited: f64,
    /// True if one of them dominates my jobs first, or none can.
    is_feasible: bool,
}

/// Judges a list given by the sums of its schedules, the number of those visited, and the cumulative
/// outcomes of the front.
fn listed(
    list: &Points,
    visited: usize,
    offset: &[i64],
    best: &Points,
    target: Option<&[i64]>,
) -> Listed {
    let costs = cumulated(list, offset);
    let on_front: Vec<&[i64]> = costs.iter().filter(|costs| best.holds(costs)).collect();
    let dominated = costs.len() - on_front.len();
    let met = Points::of(best.width(), on_front).sorted();
    Listed {
        covered: 100.0 * met.len() as f64 / best.len() as f64,
        dominated: 100.0 * dominated as f64 / costs.len() as f64,
        length: costs.len() as f64,
        visited: visited as f64,
        is_feasible: target.is_none_or(|sums| list.iter().any(|one| pareto_dominates(one, sums))),
    }
}

/// The walks with local knowledge: how many processors act on an announcement.
const LOCAL: [(Acting, &str); 2] = [
    (Acting::One, "a processor at a time with local knowledge"),
    (Acting::All, "all processors at once with local knowledge"),
];

/// The sums of a list, and the number of schedules visited.
type Found = (Points, usize);

/// Judges the lists that are found for an offset of the costs, on sums and on payoffs.
fn judged(
    instance: &Dedicated,
    find: impl Fn(&[i64]) -> [Found; 3],
) -> Result<[[Listed; 3]; 2], StudyError> {
    let wrong = |wrong: game::dedicated::TooLarge| StudyError(wrong.to_string());
    let fronts = Fronts::of(instance, Limit::default()).map_err(wrong)?;
    let alone = instance.sums(&instance.own_first());
    let target = fronts.some_dominates(&alone).map_err(wrong)?.then_some(&alone[..]);
    let mut all = [[Listed::default(); 3]; 2];
    for (all, offset) in all.iter_mut().zip([vec![0; alone.len()], instance.payoff_offset()]) {
        let best = cumulated(&fronts.equitable(&offset).map_err(wrong)?, &offset).sorted();
        *all = find(&offset).map(|(list, visited)| listed(&list, visited, &offset, &best, target));
    }
    Ok(all)
}

/// The lists of the walk, and of those of [`LOCAL`], on sums and on payoffs.
fn walks(instance: &Dedicated) -> Result<[[Listed; 3]; 2], StudyError> {
    judged(instance, |offset| {
        let walk = instance.equitable_walk(offset, usize::MAX);
        let [one, all] = LOCAL.map(|(acting, _)| {
            let walk = instance.local_equitable_walk(offset, MOVES, acting);
            (walk.sums.chosen(&walk.cleaned(offset)), walk.sums.len())
        });
        [(walk.sums.chosen(&walk.cleaned(offset)), walk.sums.len()), one, all]
    })
}

/// Rows of the walk with local knowledge, for two owners and more.
pub(super) fn local(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let mut rows = Vec::new();
    for shape in [Shape::of(2, 3, 10)].into_iter().chain(SHAPES) {
        let words = shape.words();
        bench.log(Record::drawn(&format!("random instances, {words}"), bench, samples));
        let all = bench.each(samples.into(), |sample| walks(&shape.instance(seed, sample)))?;
        for (kind, costs) in ["sums", "payoffs"].into_iter().enumerate() {
            for (which, (_, name)) in (1..).zip(LOCAL) {
                let of = |which: usize, figure: fn(&Listed) -> f64| {
                    mean(all.iter().map(|one| figure(&one[kind][which])))
                };
                let less =
                    mean(all.iter().map(|one| one[kind][which].covered - one[kind][0].covered));
                let what = format!("{words}, {costs}: % of the equitable front by {name}");
                let mut note = format!(
                    "{:+.1} ± {:.1} points against the walk; {:.1} schedules, of which {:.1}% are \
                     dominated",
                    less.value,
                    less.half_width,
                    of(which, |one| one.length).value,
                    of(which, |one| one.dominated).value,
                );
                if kind == 1 {
                    let feasible = |which: usize| {
                        let hits = all.iter().filter(|one| one[kind][which].is_feasible).count();
                        share(hits, all.len()).value
                    };
                    let [own, walk] = [which, 0].map(feasible);
                    note += &format!(
                        "; a feasible one in {own:.1}% of instances, by the walk in {walk:.1}%"
                    );
                }
                let covered = of(which, |one| one.covered);
                rows.push(Row::new("DG-W-05", "7", what).shown(covered).note(note));
                let what = format!("{words}, {costs}: announcements by {name}");
                let visited = of(0, |one| one.visited).value;
                let note = format!("the walk visits {visited:.1} schedules");
                let announced = of(which, |one| one.visited);
                rows.push(Row::new("DG-W-05", "7", what).shown(announced).note(note));
            }
        }
    }
    Ok(rows)
}

/// The lists of [`NAMES`], on sums and on payoffs.
fn lists(instance: &Dedicated) -> Result<[[Listed; 3]; 2], StudyError> {
    judged(instance, |offset| {
        let walk = instance.equitable_walk(offset, usize::MAX);
        let [few, many] = [walk.moves.len(), MOVES].map(|moves| {
            let found = instance.equitable_local_search(offset, moves);
            (found.sums.chosen(&found.kept), found.sums.len())
        });
        [(walk.sums.chosen(&walk.cleaned(offset)), walk.sums.len()), few, many]
    })
}

/// Rows of all shapes, on sums and on payoffs.
pub(super) fn cover(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let mut rows = Vec::new();
    for shape in SHAPES {
        let words = shape.words();
        bench.log(Record::drawn(&format!("random instances, {words}"), bench, samples));
        let all = bench.each(samples.into(), |sample| lists(&shape.instance(seed, sample)))?;
        for (kind, costs) in ["sums", "payoffs"].into_iter().enumerate() {
            for (which, name) in NAMES.into_iter().enumerate() {
                let of = |figure: fn(&Listed) -> f64| {
                    mean(all.iter().map(|one| figure(&one[kind][which])))
                };
                let what = format!("{words}, {costs}: % of the equitable front in {name}");
                let mut note = format!(
                    "{:.1} schedules, of which {:.1}% are dominated; {:.1} visited",
                    of(|one| one.length).value,
                    of(|one| one.dominated).value,
                    of(|one| one.visited).value,
                );
                if kind == 1 {
                    let hits = all.iter().filter(|one| one[kind][which].is_feasible).count();
                    let feasible = share(hits, all.len()).value;
                    note += &format!("; a feasible one in {feasible:.1}% of instances");
                }
                rows.push(Row::new("DG-A-04", "3.2", what).shown(of(|one| one.covered)).note(note));
            }
        }
    }
    Ok(rows)
}
