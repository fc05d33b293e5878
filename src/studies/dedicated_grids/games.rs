//! The scheduling game, its price, and coalitions, on random instances and on the paper's examples.

use serde::Deserialize;

use super::drawn::{Shape, fronts, wrong};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use crate::picture::{Drawing, gantt};
use game::dedicated::{Dedicated, Limit, OneShot, Schedule};
use game::ntu::{Ending, Gap};
use report::picture::rows::{Job, Rows};

type Named = Vec<(&'static str, f64)>;

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Payoffs, best replies, equilibria and betrayals of one game.
fn shown(instance: &Dedicated) -> Named {
    let game = OneShot::new(instance);
    let not_zero = game.payoffs(&instance.own_first()).iter().filter(|&&one| one != 0).count();
    let mut better = 0;
    for processor in instance.processors() {
        let own = processor.owner() as usize;
        let sum = |order: &[u32]| {
            let mut sums = vec![0; instance.owners()];
            processor.add_sums(order, &mut sums);
            sums[own]
        };
        let mine = sum(&processor.own_first());
        better += processor.all_orders().filter(|order| sum(order) < mine).count();
    }
    let equilibria = game.equilibria().map_or(0, |found| found.count);
    let [betrayals, broken] = betrayals(instance, &game);
    vec![
        ("payoffs that are not zero", not_zero as f64),
        ("better orders", better as f64),
        ("equilibria", equilibria as f64),
        ("betrayals", betrayals),
        ("betrayals that do not pay", broken),
    ]
}

/// Owners who could betray the first proposal by which all gain, and those who do not gain by it, or do
/// not harm the others.
fn betrayals(instance: &Dedicated, game: &OneShot<'_>) -> [f64; 2] {
    let walk = instance.equitable_walk(&instance.payoff_offset(), usize::MAX);
    let mut schedules = (0..walk.sums.len()).map(|index| walk.schedule(instance, index));
    let gains = |payoffs: &[i64]| payoffs.iter().all(|&one| one > 0);
    let Some(proposal) = schedules.find(|one| gains(&game.payoffs(one))) else { return [0.0; 2] };
    let proposed = game.payoffs(&proposal);
    let mut found = [0.0; 2];
    for owner in 0..instance.owners() as u32 {
        let betrayed = game.betrayed(&proposal, |one| one == owner);
        if betrayed == proposal {
            continue;
        }
        let after = game.payoffs(&betrayed);
        let own = owner as usize;
        let others = (0..after.len()).filter(|&other| other != own);
        let lose = others.map(|other| after[other] - proposed[other]).sum::<i64>() < 0;
        // Foreign jobs that change places among each other leave the betrayer as it was.
        let is_own = game.is_equilibrium(&game.betrayed(&proposal, |one| one != owner));
        let holds = after[own] > proposed[own] && lose || is_own;
        found = [found[0] + 1.0, found[1] + flag(!holds)];
    }
    found
}

/// Games of random instances.
pub(super) fn games(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| Ok(shown(&shape.instance(asked.seed, sample))))
}

/// The instance of Figure 2: a large job of each owner on its own processor, and `jobs` small ones of the
/// other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Large {
    jobs: usize,
    large: i64,
    #[serde(default)]
    is_drawn: bool,
}

/// Figure 2, the price of anarchy, and the price if one of the owners is under control.
pub(super) fn figure_2(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Large { jobs, large, is_drawn } = asked.options()?;
    let foreign = vec![1; jobs];
    let sizes = [vec![vec![large], foreign.clone()], vec![foreign, vec![large]]];
    let instance = Dedicated::square(&sizes).map_err(|_| wrong("sizes are positive"))?;
    let schedules =
        [("my jobs first", instance.own_first()), ("shortest first", instance.shortest_first())];
    if is_drawn {
        let title =
            format!("large local jobs of size {large}, {jobs} small foreign ones of size 1");
        asked.bench.draw(Drawing::Rows("2", chart(title, &instance, &schedules)));
    }
    let control = instance.control();
    let price = OneShot::new(&instance).equilibria().map_or(f64::NAN, |all| all.price_of_anarchy());
    let sums = schedules.map(|(name, schedule)| (name, instance.sums(&schedule)[0] as f64));
    let prices = [
        ("price of anarchy", price),
        ("none under control", control[0].mean),
        ("one under control", control[1].mean),
    ];
    Ok(exact(sums.into_iter().chain(prices)))
}

/// Schedules as a chart: a row for each processor.
fn chart(title: String, instance: &Dedicated, schedules: &[(&str, Schedule)]) -> Rows {
    let mut rows = Vec::new();
    for (name, schedule) in schedules {
        for (at, (processor, order)) in instance.processors().iter().zip(schedule).enumerate() {
            let mut next = vec![0; instance.owners()];
            let mut now = 0.0;
            let job = |&owner: &u32| {
                let size = processor.sizes(owner)[next[owner as usize]];
                next[owner as usize] += 1;
                let span = (now, now + size as f64);
                now = span.1;
                Job { span, processors: 1, series: owner as usize, label: size.to_string() }
            };
            let jobs = order.iter().map(job).collect();
            rows.push((format!("{name}: processor {}", at + 1), 1, jobs));
        }
    }
    let owners = (1..=instance.owners()).map(|owner| format!("jobs of owner {owner}")).collect();
    gantt(title, "jobs with their sizes, in the order of each processor", rows, owners)
}

/// An instance of the shape of Figure 1, 7 jobs of the first owner and 5 of the second.
pub(super) fn figure_1(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let sizes = [vec![vec![2, 3, 1, 2], vec![2, 1, 4]], vec![vec![2, 1], vec![3, 2, 1]]];
    let instance = Dedicated::square(&sizes).map_err(|_| wrong("sizes are positive"))?;
    let schedules = [("shortest first", instance.shortest_first())];
    let title = "a grid of the figure's shape, with sizes of ours".to_owned();
    asked.bench.draw(Drawing::Rows("1", chart(title, &instance, &schedules)));
    let sums = instance.sums(&schedules[0].1);
    Ok(exact([("first", sums[0] as f64), ("second", sums[1] as f64)]))
}

/// The ways to answer those who block a proposal, by what is near.
const GAPS: [(Gap, [&str; 2]); 2] = [
    (Gap::Short, ["least lack: once", "least lack: at last"]),
    (Gap::Both, ["nearest: once", "nearest: at last"]),
];

/// Coalitions that block the fairest proposal, the one whose worst-off owner is best off; what follows is
/// of blocked proposals only.
fn blocked(instance: &Dedicated) -> Result<Named, StudyError> {
    let game = instance.cooperation(Limit::default()).map_err(wrong)?;
    let offset = instance.payoff_offset();
    let fair = fronts(instance)?.equitable(&offset).map_err(wrong)?;
    let payoffs = |sums: &[i64]| -> Vec<i64> {
        sums.iter().zip(&offset).map(|(sum, offset)| -(sum + offset)).collect()
    };
    let least = |payoffs: &[i64]| payoffs.iter().copied().min().unwrap_or(0);
    let all: Vec<Vec<i64>> = fair.iter().map(payoffs).collect();
    // Of several the first.
    let proposal = all.iter().rev().max_by_key(|one| least(one));
    let proposal = proposal.ok_or_else(|| wrong("a front is never empty"))?;
    let is_blocked = game.blocking(proposal).is_some();
    let core = game.core();
    let nearest = core.iter().map(least).max().filter(|_| is_blocked);
    let own = least(proposal);
    let loss = nearest.map_or(f64::NAN, |nearest| match own {
        1.. => 100.0 * (own - nearest).max(0) as f64 / own as f64,
        _ => 0.0,
    });
    let of_blocked = |value: f64| if is_blocked { value } else { f64::NAN };
    let mut found = vec![
        ("blocked", flag(is_blocked)),
        ("has core", of_blocked(flag(!core.is_empty()))),
        ("loss", loss),
    ];
    for (gap, [once, last]) in GAPS {
        let answers = is_blocked.then(|| game.answers(proposal, gap));
        let is_over = answers.as_ref().is_some_and(|all| all.ending == Ending::Unblocked);
        let is_one = answers.is_some_and(|all| all.outcomes.len() <= 2);
        found.extend([
            (once, of_blocked(flag(is_over && is_one))),
            (last, of_blocked(flag(is_over))),
        ]);
    }
    Ok(found)
}

/// Coalitions that serve each other first.
pub(super) fn coalitions(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| blocked(&shape.instance(asked.seed, sample)))
}

/// The price of leaving owners to themselves, by the percentage of them that is under control.
pub(super) fn control(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| {
        let found = shape.instance(asked.seed, sample).control();
        let last = found.len() - 1;
        Ok(found
            .iter()
            .enumerate()
            .map(|(at, one)| ((100 * at / last).to_string(), one.mean))
            .collect())
    })
}
