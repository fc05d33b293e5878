//! Lists of schedules that the walks and searches find, judged by the exact equitable front.

use super::drawn::{Shape, fronts, wrong};
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use game::dedicated::{Acting, Dedicated};
use game::equity::{Points, cumulated, pareto_dominates};

/// Moves of planners unless they are told otherwise.
const MOVES: usize = 1000;

/// A list given by the sums of its schedules, and the sums of all those visited.
type Listed = (Points, Points);

/// The walk's list, and its moves.
fn walk(instance: &Dedicated, offset: &[i64]) -> (Listed, usize) {
    let walk = instance.equitable_walk(offset, usize::MAX);
    ((walk.sums.chosen(&walk.cleaned(offset)), walk.sums.clone()), walk.moves.len())
}

/// The lists of local searches, with as many moves as the walk and with 1000, and of the walks with local
/// knowledge, in which one processor or all at once act on an announcement.
fn others(instance: &Dedicated, offset: &[i64], moves: usize) -> [(&'static str, Listed); 4] {
    let search = |moves| {
        let found = instance.equitable_local_search(offset, moves);
        (found.sums.chosen(&found.kept), found.sums)
    };
    let local = |acting| {
        let walk = instance.local_equitable_walk(offset, MOVES, acting);
        (walk.sums.chosen(&walk.cleaned(offset)), walk.sums)
    };
    [
        ("as many", search(moves)),
        ("1000 moves", search(MOVES)),
        ("one at a time", local(Acting::One)),
        ("all at once", local(Acting::All)),
    ]
}

/// Figures of an instance: of my jobs first and shortest first, of the walk on sums and on payoffs, and of
/// the other lists if `are_all`.
fn figures(instance: &Dedicated, are_all: bool) -> Result<Vec<(String, f64)>, StudyError> {
    let fronts = fronts(instance)?;
    let alone = instance.sums(&instance.own_first());
    let spt = instance.sums(&instance.shortest_first());
    let can_improve = fronts.some_dominates(&alone).map_err(wrong)?;
    let spt_is_feasible = spt.iter().zip(&alone).all(|(spt, alone)| spt <= alone);
    let flag = |is: bool| f64::from(u8::from(is));
    let mut all = vec![
        ("my jobs first is dominated".to_owned(), flag(can_improve)),
        ("shortest first is feasible".to_owned(), flag(spt_is_feasible)),
    ];
    for (kind, offset) in [("sums", vec![0; alone.len()]), ("payoffs", instance.payoff_offset())] {
        let best = cumulated(&fronts.equitable(&offset).map_err(wrong)?, &offset).sorted();
        let (own, moves) = walk(instance, &offset);
        let visited = cumulated(&own.1, &offset);
        let is_out = |at: usize| (at < visited.len()).then(|| flag(!best.holds(visited.at(at))));
        all.push((format!("first on {kind}"), is_out(0).unwrap_or(f64::NAN)));
        all.push((format!("second on {kind}"), flag(is_out(1) == Some(1.0))));
        let others = are_all.then(|| others(instance, &offset, moves)).into_iter().flatten();
        for (name, (list, visited)) in [("walk", own)].into_iter().chain(others) {
            let costs = cumulated(&list, &offset);
            let on_front: Vec<&[i64]> = costs.iter().filter(|one| best.holds(one)).collect();
            let dominated = (costs.len() - on_front.len()) as f64;
            let met = Points::of(best.width(), on_front).sorted().len() as f64;
            let improves = |all: &Points| all.iter().any(|sums| pareto_dominates(sums, &alone));
            let figures = [
                ("covered", 100.0 * met / best.len() as f64),
                ("is dominated", flag(dominated > 0.0)),
                ("dominated", 100.0 * dominated / costs.len() as f64),
                ("length", costs.len() as f64),
                ("visited", visited.len() as f64),
                ("feasible", flag(improves(&list) || !can_improve)),
                ("finds feasible", flag(improves(&visited) || !can_improve)),
                ("misses feasible", flag(!improves(&visited) && can_improve)),
            ];
            let named = |(figure, value)| (format!("{name}: {figure} on {kind}"), value);
            all.extend(figures.map(named));
        }
    }
    Ok(all)
}

/// The walk.
pub(super) fn walks(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| figures(&shape.instance(asked.seed, sample), false))
}

/// All lists.
pub(super) fn lists(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| figures(&shape.instance(asked.seed, sample), true))
}
