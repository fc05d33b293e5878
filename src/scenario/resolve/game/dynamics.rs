//! `[dynamics]`: checks that the rule fits the game, and the initial state both.

use super::{Resolver, path};
use crate::path::Path;
use crate::plan::{DynamicsPlan, Flow, Motion};
use crate::raw::{DynamicsForm, ImitationForm, ImitationRule, PayoffsForm};
use game::counts::Counts;
use game::dynamics::Populations;
use game::dynamics::imitation::Imitation;
use game::payoffs::Payoffs;
use stats::shown::counted;

/// Maximum number of steps.
const MOST_STEPS: u64 = 1_000_000_000;
/// Maximum size of a population that imitates.
const MOST: u32 = 100_000;
/// Tolerance for shares that should sum to 1.
const NEAR: f64 = 1e-9;
/// Maximum of a replicator's step times the range of payoffs.
const LONGEST: f64 = 0.5;

impl Resolver<'_> {
    /// Rejects replications of dynamics that draw nothing.
    pub(super) fn replications(&mut self, form: Option<&DynamicsForm>) {
        let form = form.filter(|form| !form.is_random() && self.raw.run.replications > 1);
        if let Some(form) = form {
            let message = format!("`{}` goes the same way in every replication", form.name());
            self.help(path("run.replications"), message, "leave it out, or make it 1");
        }
    }

    /// Returns the number of players, where the payoffs leave it to the dynamics.
    pub(super) fn dynamic_players(&mut self, form: &DynamicsForm) -> usize {
        let at = path("dynamics").key(form.name());
        let (key, own) = match form {
            DynamicsForm::Turns(form) => ("players", form.players),
            DynamicsForm::LogLinear(form) => ("players", form.players),
            DynamicsForm::Imitation(form) => ("population", form.population),
            _ => ("players", None),
        };
        let is_imitation = matches!(form, DynamicsForm::Imitation(_));
        let at = at.key(key);
        let most = if is_imitation { MOST } else { super::MOST_PLAYERS as u32 };
        let own = own.filter(|&own| {
            let is_right = (2..=most).contains(&own);
            if !is_right {
                let message = format!("{own} is no number of players here");
                self.help(at.clone(), message, format!("give a number from 2 to {most}"));
            }
            is_right
        });
        let by_payoffs = match &self.raw.game.payoffs {
            PayoffsForm::Symmetric(_) | PayoffsForm::ZeroSum(_) | PayoffsForm::Bimatrix(_)
                if is_imitation =>
            {
                None
            }
            _ => self.players_by_payoffs(),
        };
        match (by_payoffs, own) {
            (Some(wanted), Some(own)) if wanted != own as usize => {
                let message = format!("{own} play, but the payoffs are for {wanted}");
                self.help(at, message, format!("leave out `{key}`, or change the payoffs"));
                wanted
            }
            (Some(wanted), _) => wanted,
            // A symmetric game is played pairwise in a population: its payoffs are for two players.
            (None, Some(_)) if matches!(self.raw.game.payoffs, PayoffsForm::Symmetric(_)) => 2,
            (None, Some(own)) => own as usize,
            (None, None) => {
                let is_flow = !form.is_random() && !matches!(form, DynamicsForm::Turns(_));
                if !is_flow && self.raw.game.payoffs.name() != "zero_sum" {
                    let message = "how many play is not said";
                    self.help(at, message, format!("give `{key}`, such as `{key} = 10`"));
                }
                2
            }
        }
    }

    /// Returns the number of players, where the payoffs determine it.
    pub(super) fn players_by_payoffs(&self) -> Option<usize> {
        match &self.raw.game.payoffs {
            PayoffsForm::Counts(form) => Some(form.out.len()),
            PayoffsForm::Table(form) => Some(form.choices.len()),
            PayoffsForm::Symmetric(_) | PayoffsForm::ZeroSum(_) | PayoffsForm::Bimatrix(_) => {
                Some(2)
            }
            PayoffsForm::Pairwise(_)
            | PayoffsForm::Sizes(_)
            | PayoffsForm::Coalitions(_)
            | PayoffsForm::Dedicated(_) => None,
        }
    }

    /// Returns the dynamics, if they are valid.
    pub(super) fn dynamics(
        &mut self,
        form: &DynamicsForm,
        payoffs: &Payoffs,
        actions: &[Vec<String>],
    ) -> Option<DynamicsPlan> {
        if !self.errors.is_empty() {
            return None;
        }
        let at = path("dynamics").key(form.name());
        let mut step = 1.0;
        let (motion, steps) = match form {
            DynamicsForm::Replicator(flow) | DynamicsForm::BestReply(flow) => {
                let steps = self.steps_of(flow.until, flow.step, &at);
                step = flow.step;
                let is_replicator = matches!(form, DynamicsForm::Replicator(_));
                let (least, most) = payoffs.range();
                if is_replicator && steps.is_some() && flow.step * (most - least) > LONGEST {
                    let message = format!(
                        "steps of {step} are too long for payoffs that differ by {}",
                        most - least
                    );
                    let help = format!("give at most {}", LONGEST / (most - least));
                    self.help(at.clone().key("step"), message, help);
                }
                let rule = if is_replicator { Flow::Replicator } else { Flow::BestReply };
                (self.flow(rule, &flow.from, payoffs, &at), steps)
            }
            DynamicsForm::Generations(form) => {
                let least = payoffs.range().0;
                if !(form.background.is_finite() && form.background + least > 0.0) {
                    let message = format!("with it the least payoff, {least}, is not above 0");
                    let help = format!("give `background` a number above {}", -least);
                    self.help(at.clone().key("background"), message, help);
                }
                let rule = Flow::Generations { background: form.background };
                (self.flow(rule, &form.from, payoffs, &at), Some(form.steps))
            }
            DynamicsForm::Gradient(form) => {
                let steps = self.steps_of(form.until, form.step, &at);
                step = form.step;
                if payoffs.players() != 2 || (0..2).any(|player| payoffs.choices(player) != 2) {
                    let help = "take `dynamics.replicator` or `dynamics.best_reply`";
                    let message = "gradients are of two players with two actions each";
                    self.help(at.clone(), message, help);
                } else if form.from.len() == 1 {
                    let message = "gradients are of two players, each with a beginning of its own";
                    let help = "give two lists: `from = [[0.9, 0.1], [0.3, 0.7]]`";
                    self.help(at.clone().key("from"), message, help);
                }
                let rule = Flow::Gradient { winning: form.winning, losing: form.losing };
                (self.flow(rule, &form.from, payoffs, &at), steps)
            }
            DynamicsForm::Turns(form) => {
                let from = self.profile(form.from.as_deref(), actions, payoffs, &at);
                (from.map(|from| Motion::Turns { from }), Some(form.steps))
            }
            DynamicsForm::LogLinear(form) => {
                let from = self.profile(form.from.as_deref(), actions, payoffs, &at);
                let temperature = form.temperature;
                let motion = from.map(|from| Motion::LogLinear { temperature, from });
                (motion, Some(form.steps))
            }
            DynamicsForm::Imitation(form) => (self.imitation(form, payoffs, &at), Some(form.steps)),
        };
        let (motion, steps) = motion.zip(steps).filter(|_| self.errors.is_empty())?;
        Some(DynamicsPlan { form: form.clone(), motion, steps, step })
    }

    /// Returns the names of the actions, by player.
    pub(super) fn common_actions(&mut self, payoffs: &Payoffs) -> Vec<Vec<String>> {
        let named = self.raw.game.actions.as_ref();
        if let Some(named) = named {
            self.actions(named, &path("game.actions"));
        }
        let mut unnamed = None;
        let names = (0..payoffs.players()).map(|player| {
            let count = payoffs.choices(player);
            match named {
                Some(named) if named.len() == count as usize => named.clone(),
                Some(_) => {
                    unnamed.get_or_insert(count);
                    Vec::new()
                }
                None => (1..=count).map(|number| number.to_string()).collect(),
            }
        });
        let names = names.collect();
        if let (Some(count), Some(named)) = (unnamed, named) {
            let named = counted(named.len() as u64, "action is", "actions are");
            let message = format!("{named} named, but by the payoffs there are {count}");
            let help = "name as many as the payoffs have, or leave them out: numbers from 1 then";
            self.help(path("game.actions"), message, help);
        }
        names
    }

    /// Returns the number of steps up to a time.
    fn steps_of(&mut self, until: f64, step: f64, at: &Path) -> Option<u64> {
        let steps = (until / step).round();
        if steps < 1.0 || steps > MOST_STEPS as f64 {
            let message = format!("to {until} there are {steps} steps of {step}");
            let help = format!("give a step that fits 1 to {MOST_STEPS} times");
            self.help(at.clone().key("step"), message, help);
            return None;
        }
        Some(steps as u64)
    }

    /// Resolves dynamics of population shares.
    fn flow(
        &mut self,
        flow: Flow,
        from: &[Vec<f64>],
        payoffs: &Payoffs,
        at: &Path,
    ) -> Option<Motion> {
        let before = self.errors.len();
        let at = at.clone().key("from");
        let players = payoffs.players();
        let populations = match from.len() {
            1 => Populations::One,
            many if many == players => Populations::Each,
            many => {
                let message = format!("{many} lists of shares are given for {players} players");
                let help = "give one list for a population that plays against itself, or one for \
                            each player";
                self.help(at, message, help);
                return None;
            }
        };
        if populations == Populations::One && !self.are_alike() {
            let message = "one population needs a game of players who are alike";
            let help = "give a list for each player: `from = [[0.5, 0.5], [0.2, 0.8]]`";
            self.help(at, message, help);
            return None;
        }
        for (population, shares) in from.iter().enumerate() {
            let at = at.clone().index(population);
            let count = payoffs.choices(population) as usize;
            let sum: f64 = shares.iter().sum();
            if shares.len() != count {
                let given = counted(shares.len() as u64, "share is", "shares are");
                let actions = counted(count as u64, "action", "actions");
                let message = format!("{given} given for {actions}");
                self.help(at, message, "give one for each action, in the order of the payoffs");
            } else if shares.iter().any(|&share| !(share.is_finite() && share >= 0.0)) {
                self.help(at, "a share is negative", "give shares from 0 to 1");
            } else if (sum - 1.0).abs() > NEAR {
                let message = format!("these shares sum to {sum}");
                self.help(at, message, "give shares that sum to 1");
            }
        }
        let from = from.to_vec();
        (self.errors.len() == before).then_some(Motion::Flow { flow, populations, from })
    }

    /// Returns true if players are identical except for their actions.
    fn are_alike(&self) -> bool {
        matches!(self.raw.game.payoffs.name(), "symmetric" | "counts" | "pairwise")
    }

    /// Returns the initial profile of actions.
    fn profile(
        &mut self,
        from: Option<&[String]>,
        actions: &[Vec<String>],
        payoffs: &Payoffs,
        at: &Path,
    ) -> Option<Vec<u32>> {
        let players = payoffs.players();
        let Some(from) = from else { return Some(vec![0; players]) };
        let at = at.clone().key("from");
        if from.len() != 1 && from.len() != players {
            let message = format!(
                "{} given for {}",
                counted(from.len() as u64, "action is", "actions are"),
                counted(players as u64, "player", "players")
            );
            self.help(at, message, "give one for each player, or a single one for all");
            return None;
        }
        let before = self.errors.len();
        let mut profile = Vec::with_capacity(players);
        for (player, known) in actions.iter().enumerate() {
            let place = if from.len() == 1 { 0 } else { player };
            let found = known.iter().position(|name| *name == from[place]);
            if found.is_none() {
                self.unknown(at.clone().index(place), "action", &from[place], known.iter());
            }
            profile.push(found.unwrap_or(0) as u32);
        }
        (self.errors.len() == before).then_some(profile)
    }

    fn imitation(&mut self, form: &ImitationForm, payoffs: &Payoffs, at: &Path) -> Option<Motion> {
        let game = match (&self.raw.game.payoffs, payoffs) {
            (_, Payoffs::Counts(counts)) => counts.clone(),
            (PayoffsForm::Symmetric(rows) | PayoffsForm::Pairwise(rows), _) if rows.len() == 2 => {
                let population = form.population.unwrap_or(2) as usize;
                Counts::of_meetings(
                    population.max(2),
                    [[rows[0][0], rows[0][1]], [rows[1][0], rows[1][1]]],
                )
            }
            _ => {
                let message = "imitation is of many alike with two actions";
                let help = "write `payoffs.symmetric` or `payoffs.pairwise` with two rows, or \
                            `payoffs.counts`";
                self.help(at.clone(), message, help);
                return None;
            }
        };
        let of_rule = at.clone().key("rule");
        let rule = match form.rule {
            ImitationRule::Fermi(form) => Imitation::Fermi { intensity: form.intensity },
            ImitationRule::Moran(form) => Imitation::Moran { selection: form.selection },
            ImitationRule::Proportional {} => Imitation::Proportional,
        };
        match rule {
            Imitation::Moran { selection } if !rule.fits(&game) => {
                let at = of_rule.key("moran").key("selection");
                let message = format!("with the selection {selection} a fitness is not above 0");
                let help = "give less, or add a constant to all payoffs";
                self.help(at, message, help);
                return None;
            }
            _ => {}
        }
        let from = form.from.map_or(game.players() / 2, |from| from as usize);
        if from > game.players() {
            let message = format!("{from} are more than the {} who play", game.players());
            self.help(at.clone().key("from"), message, "give how many play the second action");
            return None;
        }
        Some(Motion::Imitation { rule, game, from })
    }
}
