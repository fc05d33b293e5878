//! Resolves a game file: payoffs that are consistent, players and learners that match them.

mod coalitional;
mod dedicated;
mod dynamics;
mod payoffs;
mod solved;

use rustc_hash::FxHashSet;

use super::checks::level;
use super::precision::{bounds, measured, width};
use super::{name_trouble, numbered, path, title_trouble};
use crate::bounded;
use crate::diagnostics::{Diagnostic, show};
use crate::path::Path;
use crate::plan::{Game, GameSeat, MOST_LINES, Plan, Until, World};
use crate::raw::{self, Each, GameUntil};
use crate::root::Root;
use crate::tree::Node;
use findings::target::{By, Precision};
use game::noise::Noise;
use policy::learn::{LearnerOptions, Player as _};
use sim::accounts::Counting;
use stats::interval::Level;
use workload::invalid::Invalid;

/// Maximum number of players.
const MOST_PLAYERS: u64 = 10_000;
/// Maximum number of rounds in a replication.
const MOST_ROUNDS: u64 = 10_000_000_000;
/// Largest absolute payoff, and largest standard deviation of the noise.
const LARGEST: f64 = 1e12;
/// Maximum number of action names in a list.
const MOST_ACTIONS: usize = 1000;

/// The purpose for which a game is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is played, so coalitional games are refused.
    Play,
    /// It is described.
    Describe,
    /// It is solved, for which nobody needs to learn.
    Solve,
}

/// Turns a game file into a plan, or reports all mistakes. Diagnostics returned with a plan are
/// warnings.
///
/// # Errors
/// All mistakes, in the order in which they were found.
pub fn resolve(
    raw: &raw::Game,
    tree: &Node,
    purpose: Purpose,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver { raw, tree, errors: Vec::new(), told: FxHashSet::default() };
    for (at, refusal) in bounded::refusals(tree, Root::Game) {
        resolver.wrong(at, refusal);
    }
    let rounds = resolver.rounds();
    resolver.head(rounds);
    if let Some(words) = raw.game.payoffs.is_solved() {
        if purpose == Purpose::Play {
            let message = format!("{words} is solved, not played");
            let at = path("game.payoffs").key(raw.game.payoffs.name());
            resolver.help(at, message, "`gridpact game solve FILE` solves it");
        }
        let Some(game) = resolver.solved(words) else { return Err(resolver.errors) };
        let (world, digest) = (World::Solved(game), digest(raw));
        let plan = Plan { world, seed: raw.seed, digest, ..Plan::new(raw.name.clone()) };
        return Ok((plan, Vec::new()));
    }
    let names = resolver.names();
    let precision = resolver.precision();
    if names.is_empty() && !raw.player.is_empty() {
        // Too many players, or none by their counts: there is nothing more to report.
        return Err(resolver.errors);
    }
    let form = raw.dynamics.as_ref();
    if let Some(form) = form {
        resolver.nothing_of_learners(form);
    }
    let count = match form {
        Some(form) => resolver.dynamic_players(form),
        None if names.is_empty() && purpose != Purpose::Play => resolver.unnamed_players(),
        None => names.len(),
    };
    let payoffs = resolver.payoffs(count);
    let (mut players, mut actions, mut dynamics) = (Vec::new(), Vec::new(), None);
    match (&payoffs, form) {
        (Some(payoffs), None) if !names.is_empty() => {
            players = resolver.seats(&names, |player| payoffs.choices(player));
        }
        (Some(payoffs), _) => {
            actions = resolver.common_actions(payoffs);
            dynamics = form.and_then(|form| resolver.dynamics(form, payoffs, &actions));
        }
        (None, _) => {}
    }
    let rounds = dynamics.as_ref().map_or(rounds, |dynamics| dynamics.steps);
    let level = level(raw.output.confidence).unwrap_or_else(|message| {
        resolver.wrong(path("output.confidence"), message);
        Level::default()
    });
    let Resolver { errors, .. } = resolver;
    let Some(payoffs) = payoffs.filter(|_| errors.is_empty()) else { return Err(errors) };
    let lines = (players.len() as u64).saturating_mul(rounds);
    let lines = lines.saturating_mul(raw.run.replications.into());
    let game = Game {
        payoffs: payoffs.into(),
        form: raw.game.payoffs.name(),
        noise: raw.game.noise.as_ref().map(|form| match form {
            raw::NoiseForm::Normal(noise) => Noise::Normal { deviation: noise.deviation },
            raw::NoiseForm::Coin {} => Noise::Coin,
        }),
        players,
        dynamics,
        actions,
        rounds_are_too_many: raw.output.rounds.is_none() && lines > MOST_LINES,
    };
    tracing::info!(players = game.players.len(), rounds, "game read");
    let raw::GameOutput { rotate, compress, .. } = raw.output;
    let plan = Plan {
        seed: raw.seed,
        replications: match &precision {
            Some(precision) => u32::try_from(precision.at_most).unwrap_or(u32::MAX),
            None => raw.run.replications,
        },
        precision,
        until: Until::Rounds(rounds),
        counting: Counting { level, ..Counting::default() },
        output: raw::Output {
            jobs: Some(false),
            rounds: raw.output.rounds.unwrap_or(lines <= MOST_LINES),
            rotate,
            compress,
            ..raw::Output::default()
        },
        world: World::Game(game),
        digest: digest(raw),
        lineage: digest(&raw::Game { run: raw::GameRun::default(), ..raw.clone() }),
        ..Plan::new(raw.name.clone())
    };
    Ok((plan, Vec::new()))
}

/// Digests the file with its defaults, except the seed.
fn digest(raw: &raw::Game) -> String {
    let unseeded = raw::Game { seed: 0, ..raw.clone() };
    blake3::hash(&crate::json::compact(&unseeded)).to_hex().to_string()
}

struct Resolver<'a> {
    raw: &'a raw::Game,
    tree: &'a Node,
    errors: Vec<Diagnostic>,
    /// Places that already have a diagnostic.
    told: FxHashSet<Path>,
}

fn player(index: usize) -> Path {
    path("player").index(index)
}

impl Resolver<'_> {
    fn wrong(&mut self, at: Path, message: impl Into<String>) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message);
        if self.told.insert(at) {
            self.errors.push(diagnostic);
        }
    }

    fn help(&mut self, at: Path, message: impl Into<String>, help: impl Into<String>) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message).help(help);
        if self.told.insert(at) {
            self.errors.push(diagnostic);
        }
    }

    fn invalid(&mut self, at: Path, invalid: &Invalid) {
        let field = invalid.field.parse().unwrap_or_default();
        self.wrong(at.join(&field), invalid.message.clone());
    }

    /// Returns true if the file itself contains the key, even with its default value.
    fn is_written(&self, at: &Path) -> bool {
        self.tree.lookup(at).is_some()
    }

    /// Rounds of each replication.
    fn rounds(&mut self) -> u64 {
        match &self.raw.run.until {
            GameUntil::Rounds(rounds) => *rounds,
            GameUntil::Precision(written) => match written.each {
                Some(Each::Rounds(rounds)) => rounds,
                each => {
                    let help = "say how many rounds each replication has: `each.rounds = 1000`";
                    let at = path("run.until.precision");
                    let at = if each.is_some() { at.key("each") } else { at };
                    self.help(at, "a game is played in rounds", help);
                    1
                }
            },
        }
    }

    /// The precision that ends the run, if one is requested.
    fn precision(&mut self) -> Option<Precision> {
        let raw = self.raw;
        let GameUntil::Precision(written) = &raw.run.until else { return None };
        let at = || path("run.until.precision");
        let world = "game";
        if written.metric.0.is_empty() {
            let help = "name one or several: `metric = [\"payoff\", \"external_regret\"]`";
            self.help(at().key("metric"), "no metric is to be known", help);
        }
        for metric in &written.metric.0 {
            if !metric.is_of(world) {
                let message = format!("the players of a game have no {}", metric.words());
                self.help(at().key("metric"), message, format!("take one of {}", measured(world)));
            }
        }
        if raw.dynamics.is_some() {
            let help = "write `until.rounds`, and `replications` if the rule draws";
            self.help(at(), "dynamics have no target precision", help);
        }
        let replications = path("run.replications");
        if self.is_written(&replications) && raw.run.replications != 1 {
            let message = "`until.precision` finds how many replications are needed";
            let help = "leave it out; `at_least` and `at_most` of `until.precision` bound them";
            self.help(replications, message, help);
        }
        let organizations = written.organization.as_ref().and_then(|name| {
            let mut first = 0;
            for entry in &raw.player {
                let members = first..first + entry.count as usize;
                let number = name.strip_prefix(&entry.name).and_then(|rest| rest.strip_prefix('-'));
                match number.and_then(|number| number.parse::<usize>().ok()) {
                    _ if entry.name == *name => return Some(members),
                    Some(number) if (1..=members.len()).contains(&number) => {
                        return Some(first + number - 1..first + number);
                    }
                    _ => first = members.end,
                }
            }
            let message = format!("there is no player called `{}`", show(name));
            let help = "name a player, or an entry for all of its players";
            self.help(at().key("organization"), message, help);
            None
        });
        let mut wrong = |at: Path, message: String, help: &str| self.help(at, message, help);
        let width = width(written, &mut wrong);
        let (at_least, at_most) = bounds(written, By::Replications, &mut wrong);
        let metrics = written.metric.0.iter().map(|metric| metric.measure()).collect();
        let by = By::Replications;
        Some(Precision { metrics, width: width?, organizations, by, at_least, at_most })
    }

    fn head(&mut self, rounds: u64) {
        if let Some((message, help)) = title_trouble(&self.raw.name) {
            self.help(path("name"), message, help);
        }
        if rounds > MOST_ROUNDS {
            let message = format!("{rounds} rounds are too many: {MOST_ROUNDS} is the most");
            self.help(path("run.until.rounds"), message, "play fewer rounds");
        }
    }

    /// Returns the number of players of a game that names none.
    fn unnamed_players(&mut self) -> usize {
        let players = self.players_by_payoffs().unwrap_or(2);
        if players as u64 > MOST_PLAYERS {
            let message = format!("{players} players are too many: {MOST_PLAYERS} is the most");
            self.help(path("game.payoffs"), message, "take fewer players");
        }
        players
    }

    /// Returns the names of the players, each with its entry.
    fn names(&mut self) -> Vec<(String, usize)> {
        let raw = self.raw;
        let all: u64 = raw.player.iter().map(|written| u64::from(written.count)).sum();
        if all > MOST_PLAYERS {
            let message = format!("{all} players are too many: {MOST_PLAYERS} is the most");
            self.help(path("player"), message, "lower a `count`");
            return Vec::new();
        }
        let mut names: Vec<(String, usize)> = Vec::new();
        let mut known = FxHashSet::default();
        for (index, written) in raw.player.iter().enumerate() {
            let at = |key: &str| player(index).key(key);
            if let Some((message, help)) = name_trouble(&written.name) {
                self.help(at("name"), message, help);
            }
            for name in numbered(&written.name, written.count) {
                if let Some((message, help)) = name_trouble(&name) {
                    self.help(at("name"), message, help);
                } else if is_of_several(&name) {
                    let message = format!("`{}` is what several are called", show(&name));
                    let help = "`a-1..9` stands for `a-1` to `a-9`: choose another name";
                    self.help(at("name"), message, help);
                } else if !known.insert(name.clone()) {
                    let message = format!("there are two players called `{}`", show(&name));
                    self.help(at("name"), message, "give one of them another name");
                }
                names.push((name, index));
            }
        }
        names
    }

    /// Returns the players, each with its learner and its actions.
    fn seats(
        &mut self,
        names: &[(String, usize)],
        choices: impl Fn(usize) -> u32,
    ) -> Vec<GameSeat> {
        let raw = self.raw;
        if let Some(actions) = &raw.game.actions {
            self.actions(actions, &path("game.actions"));
            let fits = |number: usize| choices(number) as usize == actions.len();
            let is_used = (0..names.len())
                .any(|number| raw.player[names[number].1].actions.is_none() && fits(number));
            if !is_used && self.errors.is_empty() {
                let counts: Vec<String> =
                    (0..names.len()).take(4).map(|number| choices(number).to_string()).collect();
                let message = format!(
                    "{} actions are named, but by the payoffs the players have {}",
                    actions.len(),
                    counts.join(", ")
                );
                self.help(path("game.actions"), message, "name as many as the payoffs have");
            }
        }
        let mut seats = Vec::with_capacity(names.len());
        for (number, (name, entry)) in names.iter().enumerate() {
            let written = &raw.player[*entry];
            let count = choices(number) as usize;
            let at = player(*entry).key("actions");
            let actions = match (&written.actions, &raw.game.actions) {
                (Some(own), _) => {
                    self.actions(own, &at);
                    if own.len() != count {
                        let message = format!(
                            "{} actions are named, but by the payoffs `{}` has {count}",
                            own.len(),
                            show(name)
                        );
                        self.help(at, message, "name each once, in the order of the payoffs");
                    }
                    own.clone()
                }
                (None, Some(all)) if all.len() == count => all.clone(),
                (None, Some(all)) => {
                    let message = format!(
                        "`{}` has {count} actions by the payoffs, and {} are named for all",
                        show(name),
                        all.len()
                    );
                    self.help(at, message, "give this player `actions` of its own");
                    Vec::new()
                }
                (None, None) => (1..=count).map(|number| number.to_string()).collect(),
            };
            self.learner(&written.learner, *entry, count);
            let (name, learner) = (name.clone(), written.learner.clone());
            seats.push(GameSeat { name, learner, actions, entry: *entry });
        }
        seats
    }

    /// Checks that names of actions are distinct and valid in tables.
    fn actions(&mut self, names: &[String], at: &Path) {
        if names.len() > MOST_ACTIONS {
            let message = format!("{} actions are too many: 1000 is the most", names.len());
            self.wrong(at.clone(), message);
            return;
        }
        for (index, name) in names.iter().enumerate() {
            let at = at.clone().index(index);
            if let Some((_, help)) = name_trouble(name) {
                self.help(at, format!("`{}` is no name of an action", show(name)), help);
            } else if names[..index].contains(name) {
                let message = format!("there are two actions called `{}`", show(name));
                self.help(at, message, "give one of them another name");
            }
        }
    }

    /// Checks that a learner can choose among `count` actions.
    fn learner(&mut self, learner: &LearnerOptions, entry: usize, count: usize) {
        let at = player(entry).key("learner");
        let own = at.clone().key(learner.name());
        if let Err(invalid) = learner.check() {
            self.invalid(at, &invalid);
            return;
        }
        if let LearnerOptions::Level(_) | LearnerOptions::Threshold(_) = learner {
            let message = format!(
                "`{}` learns how far to take part in a coalition, and a game has no levels",
                learner.name()
            );
            let help = "choose a learner of actions, such as `learner.cross = {}` or \
                        `learner.hedge = {}`; `gridpact list learners` tells all of them";
            self.help(own, message, help);
            return;
        }
        if let LearnerOptions::Ratio(_) = learner
            && count > 2
        {
            let message = format!("`ratio` takes part or stays out, and here are {count} actions");
            let help = "choose a learner of any number of actions, such as `learner.cross = {}`";
            self.help(own, message, help);
            return;
        }
        for key in ["level", "levels", "out"] {
            let at = own.clone().key(key);
            if self.is_written(&at) {
                let message = "a game has no participation levels";
                self.help(at, message, format!("leave out `{key}`: the actions are the payoffs'"));
            }
        }
        if let Some(choices) = learner.build().choices() {
            if let Err(invalid) = choices.check_for(count) {
                self.invalid(own.clone(), &invalid);
            }
            let at = own.key("initial");
            if count != 2 && self.is_written(&at) {
                let message = format!("`initial` is for two actions, and here are {count}");
                self.help(at, message, "give `first`, the probability of each action");
            }
        }
    }
}

/// Returns true if a name looks like a class of several: `a-1..9`.
fn is_of_several(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let ends = name.rsplit_once('-').and_then(|(_, end)| end.split_once(".."));
    ends.is_some_and(|(first, last)| is_number(first) && is_number(last))
}
