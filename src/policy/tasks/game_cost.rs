//! Game-cost, the game for a small cost within deadlines, of Duan, Prodan and Li, Future Generation
//! Computer Systems, 2014, algorithm 2.
//!
//! Each class wants its cheapest sites, competes there, and takes what it loses to the next one.
//! Equation 19 does not keep to the number of tasks, so it is capped, in the order of cost; what is left
//! goes on to sites where the class has no processors yet. Equation 16 does not hold: the first
//! distribution is the cheapest there is and does not fit, so the cost rises first.
//!
//! Tasks without room in the end move to where room is left. The processors follow from where the tasks
//! are: each class works at the same pace everywhere, so that it is done everywhere at once.

use super::deadlines::{Deadlines, Phase};
use super::game_quick;
use super::placement::Placement;
use super::{Plan, Problem, Stage, TaskPlanner};
use model::bounds::{Bounds, Inside, ONE_OR_MORE, parameters};

/// A cost that may be nothing.
const EPSILON: Bounds<'_> = Bounds::of("a cost").from(0.0);
/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;
/// A deadline counts as kept if it is missed by this part, which is rounding.
const SLACK: f64 = 1e-9;

parameters! {
    /// Parameters of Game-cost.
    #[serde(default)]
    pub struct Options {
        /// Rule by which classes compete.
        rule: Rule as INSIDE = Rule::Literal,
        /// Rule that derives the deadlines of classes from their application's.
        deadlines: Deadlines as INSIDE = Deadlines::Proportional,
        /// Initial placement of the tasks.
        first: First as INSIDE = First::Cheapest,
        /// The parameters of Game-quick where it is played first.
        game_quick: game_quick::Options as INSIDE = game_quick::Options::default(),
        /// The game ends with a stage, from the second on, in which the cost falls by at most this much
        /// and all deadlines are kept.
        epsilon: f64 as EPSILON = 0.0,
        /// The game ends with this stage at the latest.
        stages: u32 as ONE_OR_MORE = 100,
    }
}

parameters! {
    /// Rule by which classes compete.
    #[derive(Copy, Eq)]
    pub enum Rule {
        /// As in the paper, in proportion to work times weight, with the necessary cap.
        Literal,
        /// Deferred acceptance: a site takes from each class the part for which it has room, and what it
        /// rejects goes to the next site of the class and never comes back. It always ends with
        /// everything placed if there is room, and is 2 to 15 % dearer.
        Sound,
    }
}

parameters! {
    /// Initial placement of the tasks.
    #[derive(Copy, Eq)]
    pub enum First {
        /// At the cheapest sites.
        Cheapest,
        /// The placement of Game-quick, for tight deadlines (section 4.6 of the paper). If tasks
        /// are late in the end, the game begins again at the cheapest sites, and if tasks are late then,
        /// the shares are those of Game-quick.
        GameQuick,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct GameCost {
    options: Options,
}

impl GameCost {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> GameCost {
        GameCost { options: options.clone() }
    }
}

/// Places the tasks in proportion to the rates of processors, by class and site.
fn place_as(theta: &[f64], placement: &mut Placement<'_>) {
    let players = placement.players;
    let sites = players.sites();
    for class in 0..players.classes() {
        let row = class * sites..(class + 1) * sites;
        let rates = theta[row.clone()].iter().zip(&players.rates[row.clone()]);
        let rates: Vec<f64> = rates.map(|(theta, rate)| theta * rate).collect();
        let all: f64 = rates.iter().sum();
        if all > 0.0 {
            for (delta, rate) in placement.delta[row].iter_mut().zip(rates) {
                *delta = players.tasks[class] * (rate / all);
            }
            placement.unplaced[class] = 0.0;
        }
    }
}

/// Places the tasks that are not placed at the cheapest sites, as if each class were alone.
pub(super) fn place_cheapest(placement: &mut Placement<'_>) {
    for class in 0..placement.players.classes() {
        placement.fill(class, |placement, site| placement.room(class, site));
    }
}

/// Plays the stages of algorithm 2 and adds them to those before, the first placement as well; returns
/// the last processors by class and site.
pub(super) fn play_literal(
    placement: &mut Placement<'_>,
    epsilon: f64,
    last: u32,
    stages: &mut Vec<Stage>,
) -> Vec<f64> {
    let players = placement.players;
    let (classes, sites) = (players.classes(), players.sites());
    let mut theta = vec![0.0; classes * sites];
    let mut times = vec![0.0; classes];
    let mut before = placement.cost();
    stages.push(Stage { cost: Some(before), ..Stage::default() });
    for stage in 1..=last {
        divide(placement, &mut theta);
        placement.delta.fill(0.0);
        for class in 0..classes {
            placement.unplaced[class] = players.tasks[class];
            let theta = &theta[class * sites..][..sites];
            placement.fill(class, |placement, site| match theta[site] > 0.0 {
                true => placement.length * theta[site] * players.row(class)[site],
                false => placement.room(class, site),
            });
            let rates = theta.iter().zip(players.row(class));
            let rate: f64 = rates.map(|(theta, rate)| theta * rate).sum();
            times[class] = players.tasks[class] / rate;
        }
        let cost = placement.cost();
        stages.push(Stage::of(&times, Some(cost)));
        let longest = times.iter().copied().fold(0.0, f64::max);
        let is_kept = longest <= placement.length * (1.0 + SLACK);
        if stage >= 2 && before - cost <= epsilon && is_kept {
            return theta;
        }
        before = cost;
    }
    theta
}

/// Divides the sites in proportion to work times weight (equation 13).
fn divide(placement: &Placement<'_>, theta: &mut [f64]) {
    let sites = placement.players.sites();
    let mut sums = vec![0.0; sites];
    for (at, theta) in theta.iter_mut().enumerate() {
        let rate = placement.players.rates[at];
        let is_there = placement.delta[at] > 0.0;
        *theta = if is_there { placement.delta[at] / rate * placement.weights[at] } else { 0.0 };
        sums[at % sites] += *theta;
    }
    for (at, theta) in theta.iter_mut().enumerate().filter(|(_, theta)| **theta > 0.0) {
        *theta *= placement.players.processors[at % sites] / sums[at % sites];
    }
}

/// Plays deferred acceptance and adds the stages to those before, the first placement as well; returns the
/// last processors by class and site.
pub(super) fn play_sound(
    placement: &mut Placement<'_>,
    last: u32,
    stages: &mut Vec<Stage>,
) -> Vec<f64> {
    let (classes, sites) = (placement.players.classes(), placement.players.sites());
    let mut theta = vec![0.0; classes * sites];
    let mut is_closed = vec![false; classes * sites];
    stages.push(Stage { cost: Some(placement.cost()), ..Stage::default() });
    for _ in 1..=last {
        let mut rejects = vec![false; classes];
        for site in 0..sites {
            for (class, accepted) in placement.accepted(site).into_iter().enumerate() {
                let at = class * sites + site;
                theta[at] = accepted;
                if accepted < placement.need(class, site) {
                    placement.reject(class, site, accepted);
                    (is_closed[at], rejects[class]) = (true, true);
                }
            }
        }
        for class in (0..classes).filter(|&class| rejects[class]) {
            placement.fill(class, |placement, site| match is_closed[class * sites + site] {
                true => 0.0,
                false => placement.room(class, site) - placement.delta[class * sites + site],
            });
        }
        let rate = |class: usize| {
            let rates = theta[class * sites..][..sites].iter().zip(placement.players.row(class));
            rates.map(|(theta, rate)| theta * rate).sum::<f64>()
        };
        let times: Vec<f64> =
            (0..classes).map(|class| placement.players.tasks[class] / rate(class)).collect();
        stages.push(Stage::of(&times, Some(placement.cost())));
        if !rejects.contains(&true) {
            return theta;
        }
    }
    theta
}

impl Options {
    /// Plays from a start, for its stages anew; returns true if no task is late.
    fn play(&self, placement: &mut Placement<'_>, stages: &mut Vec<Stage>) -> bool {
        stages.clear();
        place_cheapest(placement);
        match self.rule {
            Rule::Literal => play_literal(placement, self.epsilon, self.stages, stages),
            Rule::Sound => play_sound(placement, self.stages, stages),
        };
        placement.repair()
    }
}

impl TaskPlanner for GameCost {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let Phase { players, length } = self.options.deadlines.phase(problem);
        if players.is_empty() {
            return;
        }
        let cheapest = Placement::new(&players, length, false);
        let mut placement = cheapest.clone();
        if self.options.first == First::GameQuick {
            let (quick, stages) = self.options.game_quick.play(problem, &players, |_, _| {});
            place_as(&quick, &mut placement);
            if !self.options.play(&mut placement, &mut out.stages) {
                placement = cheapest;
                if !self.options.play(&mut placement, &mut out.stages) {
                    out.stages = stages;
                    players.write(&quick, out);
                    return;
                }
            }
        } else {
            self.options.play(&mut placement, &mut out.stages);
        }
        players.write(&placement.processors(), out);
    }
}
