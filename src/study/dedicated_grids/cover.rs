//! Beyond the paper: how much of the equitable front the walk and the local search find for more than
//! two owners.

use super::drawn::{Shape, share};
use crate::game::dedicated::{Dedicated, Fronts, Limit};
use crate::game::equity::{Points, cumulated, pareto_dominates};
use crate::study::played::Record;
use crate::study::row::Row;
use crate::study::sample::mean;
use crate::study::{Bench, StudyError};

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

/// The lists of [`NAMES`], on sums and on payoffs.
fn lists(instance: &Dedicated) -> Result<[[Listed; 3]; 2], StudyError> {
    let wrong = |wrong: crate::game::dedicated::TooLarge| StudyError(wrong.to_string());
    let fronts = Fronts::of(instance, Limit::default()).map_err(wrong)?;
    let alone = instance.sums(&instance.own_first());
    let target = fronts.some_dominates(&alone).map_err(wrong)?.then_some(&alone[..]);
    let mut all = [[Listed::default(); 3]; 2];
    for (all, offset) in all.iter_mut().zip([vec![0; alone.len()], instance.payoff_offset()]) {
        let best = cumulated(&fronts.equitable(&offset).map_err(wrong)?, &offset).sorted();
        let walk = instance.equitable_walk(&offset, usize::MAX);
        let list = walk.sums.chosen(&walk.cleaned(&offset));
        all[0] = listed(&list, walk.sums.len(), &offset, &best, target);
        for (own, moves) in all[1..].iter_mut().zip([walk.moves.len(), MOVES]) {
            let found = instance.equitable_local_search(&offset, moves);
            let list = found.sums.chosen(&found.kept);
            *own = listed(&list, found.sums.len(), &offset, &best, target);
        }
    }
    Ok(all)
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
