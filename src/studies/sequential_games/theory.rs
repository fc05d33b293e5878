//! The model, the equations, and what the sequential game really converges to.

use super::drawn::{Instance, Shape};
use super::letter::{Letter, Matrix, Stage};
use super::played::shared;
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use policy::tasks::game_quick::{Budgets, GameQuick, Options};
use policy::tasks::{Plan, Problem, Share, TaskPlanner, least_makespan, replay};

/// A sum counts as higher if it is by this part, which rounding does not do.
const RISE: f64 = 1e-12;

/// Largest difference of two matrices, in parts of the largest entry.
fn difference(one: &Matrix, other: &Matrix) -> f64 {
    let largest = one.iter().flatten().copied().fold(1e-300, f64::max);
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(one, other)| (one - other).abs() / largest).fold(0.0, f64::max)
}

/// Game-quick without a repeated game: it answers as it did at first.
fn first_game(instance: &Instance) -> f64 {
    let letter = Letter::of(instance);
    let theta = shared(&instance.problem(), &GameQuick::new(&Options::default()));
    letter.ends(&theta).into_iter().fold(0.0, f64::max)
}

/// Game-quick that drops what is below a processor in every stage, as equation 4 and constraint 3 say. A
/// class keeps its largest part, or it would have none.
struct Dropping(u32);

impl TaskPlanner for Dropping {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let classes: Vec<_> =
            problem.classes.iter().filter(|class| class.after.is_empty()).collect();
        let times = |class: &&policy::tasks::Class<'_>| {
            class.times.iter().map(|time| time.as_units()).collect()
        };
        let count =
            |site: &policy::tasks::Site| site.free.iter().map(|free| free.processors as f64).sum();
        let letter = Letter {
            times: classes.iter().map(times).collect(),
            tasks: classes.iter().map(|class| class.tasks).collect(),
            processors: problem.sites.iter().map(count).collect(),
            prices: vec![1.0; problem.sites.len()],
        };
        let weights = letter.weights();
        let mut delta = letter.first();
        let mut theta = Matrix::new();
        for _ in 0..self.0 {
            theta = letter.divided(&delta, &weights);
            for row in &mut theta {
                let most = row.iter().copied().fold(0.0, f64::max);
                row.iter_mut().filter(|one| **one < 1.0 && **one < most).for_each(|one| *one = 0.0);
            }
            delta = letter.distributed(&theta);
        }
        for (class, row) in classes.iter().zip(theta) {
            let some = (0..).zip(row).filter(|(_, processors)| *processors > 0.0);
            let class = class.number;
            out.shares.extend(some.map(|(site, processors)| Share { class, site, processors }));
        }
    }
}

/// Differences of equations 1 to 7 from what they give by hand, on the inconsistent half of table 2; and
/// shares of a processor or more after a stage, where four classes are on four sites of one.
pub(super) fn equations(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let case = Instance::bag(&[3, 2], &[5, 5], &[&[15.0, 10.0], &[8.0, 9.0]]);
    let letter = Letter::of(&case);
    let Stage { theta, delta, times } = letter.stage();
    // Work times weight at the sites is 2.5 * 6 and 2.5 * 6, and 135/43 * 72/17 and 80/43 * 72/17.
    let [one, other] = [135.0, 80.0].map(|work| work / 43.0 * 72.0 / 17.0);
    let known = [
        ("activities", letter.first(), [2.5, 2.5, 135.0 / 43.0, 80.0 / 43.0]),
        ("weights", letter.weights(), [0.4, 0.6, 9.0 / 17.0, 8.0 / 17.0]),
        (
            "processors",
            theta.clone(),
            [
                3.0 * 15.0 / (15.0 + one),
                2.0 * 15.0 / (15.0 + other),
                3.0 * one / (15.0 + one),
                2.0 * other / (15.0 + other),
            ],
        ),
    ];
    let mut all: Vec<(&str, f64)> = Vec::new();
    for (what, ours, by_hand) in known {
        let by_hand: Matrix = by_hand.chunks(2).map(<[f64]>::to_vec).collect();
        all.push((what, difference(&by_hand, &ours)));
    }
    let rate = theta[0][0] / 15.0 + theta[0][1] / 10.0;
    all.push(("time", (times[0] * rate / 5.0 - 1.0).abs()));
    all.push(("distribution", (delta[0][0] * 15.0 * rate / (5.0 * theta[0][0]) - 1.0).abs()));
    // One processor and one activity each: nobody ever has a whole processor.
    let square: Vec<Vec<f64>> =
        (0..4).map(|k| (0..4).map(|i| f64::from(3 + (k + i) % 4)).collect()).collect();
    let square: Vec<&[f64]> = square.iter().map(Vec::as_slice).collect();
    let theta = Letter::of(&Instance::bag(&[1; 4], &[1; 4], &square)).stage().theta;
    let whole = theta.iter().flatten().filter(|theta| **theta >= 1.0).count();
    all.push(("whole shares", whole as f64));
    Ok(exact(all))
}

/// Results of the game on one instance.
fn told(instance: &Instance, stages: u32) -> Result<Vec<(&'static str, f64)>, StudyError> {
    let letter = Letter::of(instance);
    let (mut before, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut most, mut falls) = (0.0_f64, 0_u32);
    let mut theta = Matrix::new();
    let mut is_over = false;
    letter.play(stages, |stage, now| {
        let sum = now.sum();
        let welfare = letter.welfare(&now.theta);
        if stage >= 2 {
            most = most.max(sum / before - 1.0);
            falls += u32::from(welfare < last - RISE * last.abs());
            if !is_over && before - sum <= 0.0 {
                is_over = true;
                theta.clone_from(&now.theta);
            }
        }
        (before, last) = (sum, welfare);
        if stage == stages && !is_over {
            theta.clone_from(&now.theta);
        }
        false
    });
    let problem = instance.problem();
    let options = Options { stages, ..Options::default() };
    let adaptive = Options { budgets: Budgets::Adaptive, ..options.clone() };
    let [options, adaptive] = [&options, &adaptive].map(GameQuick::new);
    let own = shared(&problem, &options);
    let bound = least_makespan(&problem, false)
        .ok_or_else(|| StudyError("the linear program was given up".to_owned()))?;
    let over = |makespan: f64| makespan / bound.value;
    let mut more = problem.clone();
    more.classes.iter_mut().for_each(|class| class.tasks *= 100.0);
    let few = GameQuick::new(&Options { stages: 20, epsilon: 0.0, ..Options::default() });
    let fluid = over(replay(&problem, &options).makespan());
    let dropping = over(replay(&problem, &Dropping(stages.min(200))).makespan());
    Ok(vec![
        ("off", difference(&theta, &own)),
        ("scaled", difference(&shared(&problem, &few), &shared(&more, &few))),
        ("rises", f64::from(u8::from(most > RISE))),
        ("most rise", most),
        ("falls", f64::from(falls)),
        ("fluid", fluid),
        ("again", over(first_game(instance)) - fluid),
        ("dropping", dropping / fluid),
        ("adaptive", over(replay(&problem, &adaptive).makespan())),
    ])
}

/// The stages of the game on random instances.
pub(super) fn stages(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| told(&shape.draw(asked.seed, sample)?, shape.stages))
}
