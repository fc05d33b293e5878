//! Game-cost: table 6 and figure 12, and how it keeps deadlines.
//!
//! The paper does not tell its deadlines. They are swept here, in the makespan of Min-min.

use super::drawn::{Instance, Shape};
use super::letter::Letter;
use super::played::{play, player};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use policy::tasks::game_cost::{GameCost, Options};
use policy::tasks::{
    Deadlines, Replans, Rounding, TaskPlanned, TaskPlannerOptions, least_cost, replay,
};

/// Heuristics in the paper's order, and all their parameters but what they choose by.
const OTHERS: [[&str; 3]; 5] = [
    ["MCT", "mct", "order='random',deadline=true"],
    ["Sufferage", "sufferage", "deadline=true"],
    ["Min-min", "min_min", "deadline=true"],
    ["Max-min", "max_min", "deadline=true"],
    ["OLB", "olb", "order='random',deadline=true"],
];

/// Results on one instance with one deadline.
fn case(shape: &Shape, seed: u64, sample: u64) -> Result<Vec<(String, f64)>, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let seed = seed ^ sample;
    let deadline = shape.factor * play(&instance, &player("min_min={}"), seed)?.makespan();
    let instance = instance.due(deadline);
    let of = |text: &str| play(&instance, &player(text), seed);
    let own = of("game_cost={}")?;
    let mut all = vec![("log cost of Game-cost".to_owned(), libm::log(own.cost))];
    for [name, key, with] in OTHERS {
        // The next free processor is no question of cost.
        let by_cost = (key != "olb").then_some((",chooses='cost'", " by cost"));
        for (chooses, by) in [("", "")].into_iter().chain(by_cost) {
            let other = of(&format!("{key}={{{with}{chooses}}}"))?.cost;
            all.push((format!("saved of {name}{by}"), 100.0 * (1.0 - own.cost / other)));
            all.push((format!("log cost of {name}{by}"), libm::log(other)));
        }
    }
    let deferred = of("game_cost={rule='sound'}")?;
    let after = of("game_cost={first='game_quick'}")?;
    let quick = of("game_quick={}")?;
    let course = Letter::of(&instance).play_cost(deadline, 100);
    let least = least_cost(&instance.problem(), deadline, false);
    let least = least.map_or(f64::NAN, |found| found.value);
    let more = [
        ("over the least", own.cost / least),
        ("deferred over the least", deferred.cost / least),
        ("after Game-quick over the least", after.cost / least),
        ("rises", course.rises() as f64),
        ("endless", f64::from(u8::from(!course.ended))),
        ("unplaced", 100.0 * course.unplaced),
        ("late", 100.0 * own.late),
        ("late after Game-quick", 100.0 * after.late),
        ("Game-quick in the deadline", quick.makespan() / deadline),
        ("log makespan", libm::log(own.makespan())),
        ("tasks", own.tasks.iter().flatten().sum()),
    ];
    all.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Ok(all)
}

/// Table 6 and figure 12.
pub(super) fn costs(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| case(&shape, asked.seed, sample))
}

/// Deadlines of classes that wait for others, in makespans of Game-quick: even, as written, and in
/// proportion.
pub(super) fn phases(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (shape, seed): (Shape, u64) = (asked.options()?, asked.seed);
    asked.each(1, |sample| {
        let instance = shape.draw(seed, sample)?;
        let deadline = shape.factor * play(&instance, &player("game_quick={}"), seed)?.makespan();
        let due = instance.due(deadline);
        let least = least_cost(&due.problem(), deadline, false).map_or(f64::NAN, |one| one.value);
        let mut all = Vec::new();
        for (deadlines, name) in
            [(Deadlines::Literal, "even"), (Deadlines::Proportional, "in proportion")]
        {
            let game = Options { deadlines, ..Options::default() };
            let fluid = replay(&due.problem(), &GameCost::new(&game)).makespan() / deadline;
            let (asked, rounding) = (Some(Replans::Classes), Some(Rounding::Processors));
            let game = TaskPlanned::new(TaskPlannerOptions::GameCost(game));
            let played = play(&due, &TaskPlanned { asked, rounding, ..game }, seed)?;
            let kept = f64::from(u8::from(fluid <= 1.0 + 1e-6));
            all.extend([
                (format!("{name}: kept"), kept),
                (format!("{name}: late graphs"), 1.0 - kept),
                (format!("{name}: fluid"), fluid),
                (format!("{name}: late"), 100.0 * played.late),
                (format!("{name}: cost"), played.cost / least),
            ]);
        }
        Ok(all)
    })
}

/// Equations 11, 13 and 14 and Definition 4 by hand, on the inconsistent half of table 2 with prices 10
/// and 4.
pub(super) fn weights(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let mut instance = Instance::bag(&[3, 2], &[5, 5], &[&[15.0, 10.0], &[8.0, 9.0]]);
    let prices = [10_000_000, 4_000_000];
    let sites = instance.sites.iter().zip(prices);
    instance.sites = sites.map(|(site, price)| model::campaign::Site { price, ..*site }).collect();
    let letter = Letter::of(&instance);
    let weights = letter.cost_weights();
    // 1/150 and 1/40; 1/80 and 1/36.
    let by_hand = [[40.0 / 190.0, 150.0 / 190.0], [36.0 / 116.0, 80.0 / 116.0]];
    let pairs = weights.iter().flatten().zip(by_hand.iter().flatten());
    let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    let delta = vec![vec![2.0, 3.0], vec![5.0, 0.0]];
    let cost = (letter.cost(&delta) / (2.0 * 150.0 + 3.0 * 40.0 + 5.0 * 80.0) - 1.0).abs();
    // Definition 4: the remaining time of each class at each site, times the price.
    let theta = letter.divided(&delta, &weights);
    let times = |k: usize, i: usize| match theta[k][i] > 0.0 {
        true => letter.times[k][i] * delta[k][i] / theta[k][i] * letter.prices[i],
        false => 0.0,
    };
    let remaining: f64 = (0..2).map(|k| times(k, 0) + times(k, 1)).sum();
    // The price of a site cancels there: with its weight over the price, shares are the same.
    let dear = Letter { prices: vec![20.0, 4.0], ..letter.clone() };
    let alone = dear.cost_weights();
    let scaled: Vec<f64> = (0..2).map(|k| alone[k][0] / weights[k][0]).collect();
    let mut changed = weights.clone();
    changed.iter_mut().for_each(|row| row[0] *= 0.5);
    let other = letter.divided(&delta, &changed);
    let cancels = (theta[0][0] - other[0][0]).abs();
    Ok(exact([
        ("definition 4", remaining / letter.cost(&delta)),
        ("weights", off),
        ("cost", cost),
        ("halved", cancels),
        ("first of a price twice as high", scaled[0]),
        ("second of a price twice as high", scaled[1]),
    ]))
}

#[cfg(test)]
mod tests {
    use super::super::drawn::span;
    use super::super::played::planned;
    use super::*;
    use policy::tasks::{Plan, TaskPlanner as _};

    /// The stages of the planner are those of equations 13, 14 and 19.
    #[test]
    fn stages_of_the_planner_are_those_of_the_equations() {
        let shape = Shape { eighth: true, heterogeneity: [10.0, 10.0], ..Shape::default() };
        for (factor, sample) in [1.1, 1.25, 1.5, 2.0, 3.0, 5.0]
            .into_iter()
            .flat_map(|factor| (0..4).map(move |sample| (factor, sample)))
        {
            let instance = shape.draw(1, sample).unwrap();
            let deadline = span(factor * planned(&instance, &player("min_min={}"))).as_units();
            let instance = instance.due(deadline);
            let costs = Letter::of(&instance).play_cost(deadline, 100).costs;
            let mut plan = Plan::default();
            GameCost::new(&Options::default()).plan(&instance.problem(), &mut plan);
            assert_eq!(plan.stages.len(), costs.len(), "{factor}, {sample}");
            for (stage, cost) in plan.stages.iter().zip(costs) {
                assert!((stage.cost.unwrap() / cost - 1.0).abs() <= 1e-9, "{factor}, {sample}");
            }
        }
    }
}
