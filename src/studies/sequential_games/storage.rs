//! Games of Game-storage and Game-storage-cost, plan by plan.

use super::drawn::{Instance, Shape};
use super::letter::{Letter, Matrix};
use super::played::{play, player};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use model::campaign::{Site, UNLIMITED};
use policy::tasks::game_cost::{self, GameCost};
use policy::tasks::game_quick::GameQuick;
use policy::tasks::game_storage::{self, GameStorage, Repair};
use policy::tasks::game_storage_cost::{self, GameStorageCost};
use policy::tasks::{Plan, Problem, TaskPlanner};

/// Sites at which equation 22 takes more storage than there is. It does not hold the limit, and gives
/// the same again.
fn endless(instance: &Instance) -> u64 {
    let letter = Letter::of(instance);
    let delta = letter.first();
    let needs: Vec<f64> = instance.work.classes.iter().map(|class| class.needs[0] as f64).collect();
    let held = |theta: &Matrix, site: usize| -> f64 {
        theta.iter().zip(&needs).map(|(row, need)| row[site] * need).sum()
    };
    let by_storage = needs.iter().map(|need| vec![1.0 / need; instance.sites.len()]).collect();
    let (first, repaired) =
        (letter.divided(&delta, &letter.weights()), letter.divided(&delta, &by_storage));
    let is_over = |(site, one): &(usize, &Site)| {
        let limit = one.limits[0] as f64;
        held(&first, *site) > limit && held(&repaired, *site) > limit
    };
    instance.sites.iter().enumerate().filter(is_over).count() as u64
}

/// Plans of two planners on a problem, and whether they are the same to the last bit.
fn equal(problem: &Problem<'_>, one: &impl TaskPlanner, other: &impl TaskPlanner) -> bool {
    let mut plans = [Plan::default(), Plan::default()];
    one.plan(problem, &mut plans[0]);
    other.plan(problem, &mut plans[1]);
    plans[0] == plans[1]
}

/// Plans without limits that are not those of the games without storage, whether memory is as storage, and
/// sites that take too much.
pub(super) fn games(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (shape, seed): (Shape, u64) = (asked.options()?, asked.seed);
    let options = game_storage::Options { repair: Repair::Scale, ..Default::default() };
    asked.each(1, |sample| {
        let instance = shape.draw(seed, sample)?;
        let free = instance.limited(|_| UNLIMITED);
        let makespan = play(&free, &player("min_min={}"), seed)?.makespan();
        let due = free.due(2.0 * makespan);
        let cost = game_cost::Options { rule: game_cost::Rule::Sound, ..Default::default() };
        let stored = GameStorageCost::new(&game_storage_cost::Options::default());
        let quick = GameQuick::new(&Default::default());
        let is_quick = equal(&free.problem(), &GameStorage::new(&options), &quick);
        let is_cost = equal(&due.problem(), &stored, &GameCost::new(&cost));
        // Memory is a limit like storage.
        let mut other = Instance::clone(&instance);
        let sites = other.sites.iter();
        let turned = |site: &Site| Site { limits: [site.limits[1], site.limits[0]], ..*site };
        other.sites = sites.map(turned).collect();
        let work = std::sync::Arc::make_mut(&mut other.work);
        work.classes.iter_mut().for_each(|class| class.needs.swap(0, 1));
        let by = |instance: &Instance| play(instance, &player("game_storage={}"), seed);
        let is_same = by(&instance)?.ends == by(&other)?.ends;
        let not = |is: bool| f64::from(u8::from(!is));
        Ok(vec![
            ("not Game-quick", not(is_quick)),
            ("not Game-cost", not(is_cost)),
            ("memory differs", not(is_same)),
            ("endless", endless(&instance) as f64),
        ])
    })
}

/// Two classes hold 3 a task and a site of four has 6: both hold the same, so equation 22 divides the
/// processors and takes storage for all.
pub(super) fn equation_22(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let even = Letter::of(&Instance::bag(&[4], &[8, 8], &[&[1.0], &[1.0]]));
    let theta = even.divided(&even.first(), &vec![vec![1.0 / 3.0]; 2]);
    let held = theta.iter().flatten().map(|theta| 3.0 * theta).sum();
    Ok(exact([("held", held)]))
}
