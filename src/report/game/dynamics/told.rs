//! Verdicts on dynamics in words: where they end, and the kind of point that is.

use super::files;
use crate::files::{Manifest, Timing};
use crate::game::entry::GameEntry;
use crate::game::phase;
use crate::game::words::of_game;
use crate::picture::Picture;
use crate::table::{Format, Table};
use crate::world::{Common, Report};
use findings::Findings;
use findings::game::dynamics::{Moved, Outcome};
use findings::game::ends::{nothing, temptation};
use findings::game::solution::Solution;
use game::dynamics::log_linear;
use game::payoffs::Payoffs;
use scenario::plan::{DynamicsPlan, GamePlan, Motion};
use stats::shown::{Times, count, counted, figure, percent, rough, seconds};

/// Gains below this share of the payoff range count as zero.
const NOTHING: f64 = 1e-3;

/// The report of a game that moved by itself.
#[derive(Debug)]
pub struct MovedReport<'a> {
    /// The plan that ran.
    pub plan: GamePlan<'a>,
    /// Its path.
    pub moved: &'a Moved,
}

impl MovedReport<'_> {
    fn dynamics(&self) -> &DynamicsPlan {
        self.plan.game.dynamics.as_ref().expect("it moved by dynamics")
    }
}

impl Report for MovedReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.moved
    }

    fn world(&self) -> &'static str {
        "dynamics"
    }

    fn head(&self, _: Times) -> Vec<String> {
        let dynamics = self.dynamics();
        let steps = counted(dynamics.steps, "step", "steps");
        let of =
            if dynamics.step == 1.0 { String::new() } else { format!(" of {}", dynamics.step) };
        vec![format!("dynamics {}, {steps}{of}", dynamics.form.name())]
    }

    fn table(&self, format: Format) -> Table {
        let solved = files::ends(self.dynamics(), self.moved);
        match format.is_for_people() {
            true => solved.by_solver(true).remove(0),
            false => solved.table(),
        }
    }

    fn statements(&self, _: Times) -> Vec<String> {
        words(self.plan, self.dynamics(), self.moved)
    }

    fn cost(&self, timing: &Timing) -> String {
        format!("computed in {}", seconds(timing.run_seconds))
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("dynamics.csv", files::csv(self.dynamics(), self.moved))]
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let learning = Picture::Chart(files::chart(&self.plan.title(), self.moved));
        let phase = phase::moved(self.plan, self.dynamics(), self.moved);
        let phase = phase.map(|plane| ("phase", Picture::Plane(plane)));
        [("learning", learning)].into_iter().chain(phase).collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(files::json(self.plan, self.dynamics(), self.moved))
    }

    fn describe(&self, manifest: &mut Manifest) {
        manifest.game = Some(GameEntry::new(self.plan));
    }
}

/// The verdicts, in sentences.
fn words(plan: GamePlan<'_>, dynamics: &DynamicsPlan, moved: &Moved) -> Vec<String> {
    let mut words = match &dynamics.motion {
        Motion::Flow { .. } => of_flow(plan, dynamics, moved),
        Motion::Turns { .. } => of_turns(plan, dynamics, moved),
        Motion::LogLinear { temperature, .. } => of_log_linear(plan, *temperature, moved),
        Motion::Imitation { .. } => of_imitation(dynamics, moved),
    };
    let is_played = !matches!(dynamics.motion, Motion::Imitation { .. });
    let solution = is_played.then(|| Solution::of(&moved.frame, &plan.game.payoffs)).flatten();
    words.extend(solution.map(|solution| of_game(&moved.frame, &solution)));
    words
}

fn of_flow(plan: GamePlan<'_>, dynamics: &DynamicsPlan, moved: &Moved) -> Vec<String> {
    let unit = if dynamics.step == 1.0 { "generations" } else { "units of time" };
    let mut words = vec![match moved.swing {
        None => "the shares converged".to_owned(),
        Some(swing) => match swing.period {
            Some(period) => format!(
                "the shares cycle with a period of about {} {unit}",
                figure(period * dynamics.step)
            ),
            None => {
                format!(
                    "the shares still move: one of them by {} in the last half",
                    figure(swing.width)
                )
            }
        },
    }];
    if let Some(&Outcome::Gain(gain)) = moved.outcomes.first() {
        let [least, most] = plan.game.range();
        words.push(if gain <= 0.0 {
            "the end point is an equilibrium".to_owned()
        } else if gain <= NOTHING * (most - least) {
            format!(
                "the end point is an equilibrium to within {gain:.0e}: nobody would gain more than \
                 that by another action"
            )
        } else {
            format!(
                "the end point is not an equilibrium: whoever has most to gain would gain {} by a \
                 best reply",
                figure(gain)
            )
        });
    }
    words
}

fn of_turns(plan: GamePlan<'_>, dynamics: &DynamicsPlan, moved: &Moved) -> Vec<String> {
    let turns = |turns: u64| counted(turns, "turn", "turns");
    moved
        .outcomes
        .iter()
        .map(|outcome| match outcome {
            Outcome::Settled(after, profile) => {
                let payoffs = &plan.game.payoffs;
                let kind = match temptation(profile, payoffs, nothing(payoffs)) {
                    None => "an equilibrium",
                    Some(_) => "not an equilibrium",
                };
                let profile = moved.frame.told(profile);
                format!("settled at {profile} after {} per player: {kind}", turns(*after))
            }
            Outcome::Cycles(period) => {
                format!("never settles: play repeats every {} per player", turns(*period))
            }
            _ => format!(
                "not settled after {} per player, and no profile came twice",
                turns(dynamics.steps)
            ),
        })
        .collect()
}

fn of_log_linear(plan: GamePlan<'_>, temperature: f64, moved: &Moved) -> Vec<String> {
    let Payoffs::Counts(counts) = &*plan.game.payoffs else { return Vec::new() };
    let law = log_linear::stationary(counts, temperature);
    let players = counts.players();
    let mean: f64 = law.iter().enumerate().map(|(k, weight)| k as f64 * weight).sum();
    let (late, estimate) = moved.figures(1)[0];
    let error = estimate.map(|one| rough(one.interval.half_width() * players as f64));
    let error = error.map_or_else(String::new, |error| format!(" ± {error}"));
    let action = &moved.populations[0].actions[1];
    let (all, none) = (percent(law[players]), percent(law[0]));
    vec![
        format!(
            "in the last quarter {}{error} of {players} players played `{action}` on average; the \
             exact long-run mean is {}",
            figure(late * players as f64),
            figure(mean)
        ),
        format!("in the long run all play `{action}` {all} of the time, and nobody {none} of it"),
    ]
}

fn of_imitation(dynamics: &DynamicsPlan, moved: &Moved) -> Vec<String> {
    let Motion::Imitation { rule, game, from } = &dynamics.motion else { return Vec::new() };
    let actions = &moved.populations[0].actions;
    let all = moved.outcomes.len().max(1) as f64;
    let mut words = Vec::new();
    for (action, second) in actions.iter().zip([false, true]) {
        let mut steps: Vec<u64> = moved
            .outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Outcome::Fixed(steps, taken) if *taken == second => Some(*steps),
                _ => None,
            })
            .collect();
        steps.sort_unstable();
        if let Some(median) = steps.get(steps.len().saturating_sub(1) / 2) {
            words.push(format!(
                "everyone ended with {action} in {} of the replications (median: after {})",
                percent(steps.len() as f64 / all),
                counted(*median, "step", "steps")
            ));
        }
    }
    let left = moved.outcomes.iter().filter(|one| !matches!(one, Outcome::Fixed(..))).count();
    if left > 0 {
        let share = percent(left as f64 / all);
        words.push(format!(
            "both actions were still played at the end of {share} of the replications"
        ));
    }
    for (action, name) in actions.iter().enumerate() {
        let taken = rule.fixation(game, action as u32);
        words.push(format!(
            "a single {name} among {} takes over with probability {} (exact)",
            count(game.players() as u64 - 1),
            figure(taken)
        ));
    }
    words.push(format!("{from} of {} players started with {}", game.players(), actions[1]));
    words
}
