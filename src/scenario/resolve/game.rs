//! Resolves a game file: payoffs that are consistent, players and learners that match them.

mod coalitional;
mod dedicated;
mod dynamics;
mod payoffs;
mod solved;

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashSet;

use super::mistakes::Mistakes;
use super::precision::{measured, metric_at};
use super::{numbered, path, title_trouble};
use crate::diagnostics::{Diagnostic, listed, show};
use crate::files::Files;
use crate::nfg::LARGEST;
use crate::path::Path;
use crate::plan::{Game, GameSeat, MOST_LINES, Plan, Until, World};
use crate::raw::{self, Each, GameUntil, Mutants, first_round};
use crate::root::Root;
use crate::tree::Node;
use findings::target::{By, Precision};
use game::noise::Noise;
use policy::learn::LearnerOptions;
use sim::accounts::Counting;
use stats::interval::Level;
use stats::shown::counted;

/// The name of this world among those of measures.
const GAME: &str = "game";
/// Maximum number of players.
const MOST_PLAYERS: u64 = 10_000;
/// Maximum number of rounds in a replication.
const MOST_ROUNDS: u64 = 10_000_000_000;
/// Maximum number of action names in a list.
const MOST_ACTIONS: u64 = 1000;

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
    files: &Files,
    purpose: Purpose,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver { raw, files, mistakes: Mistakes::new(tree, Root::Game) };
    let rounds = resolver.rounds();
    resolver.head(rounds);
    if let Some(words) = raw.game.payoffs.is_solved() {
        if purpose == Purpose::Play {
            let message = format!("{words} is solved, not played");
            let at = path("game.payoffs").key(raw.game.payoffs.name());
            resolver.help(at, message, "`gridpact game solve FILE` solves it");
        }
        let Some(game) = resolver.solved() else { return Err(resolver.mistakes.errors) };
        let (world, digest) = (World::Solved(game), digest(raw));
        let plan = Plan { world, seed: raw.seed, digest, ..Plan::new(raw.name.clone()) };
        return Ok((plan, Vec::new()));
    }
    let names = resolver.names();
    let precision = resolver.precision(&names);
    if names.is_empty() && !raw.player.is_empty() {
        // Too many players, or none by their counts: there is nothing more to report.
        return Err(resolver.mistakes.errors);
    }
    let form = raw.dynamics.as_ref();
    resolver.belonging_elsewhere();
    resolver.replications(form);
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
    let own = players.iter().map(|seat| &seat.actions[..]);
    let all: Vec<&[String]> = own.chain(actions.iter().map(|all| &all[..])).collect();
    let cooperate = resolver.cooperate(&all, &players);
    let rounds = dynamics.as_ref().map_or(rounds, |dynamics| dynamics.steps);
    let level = raw.output.confidence.and_then(Level::new).unwrap_or_default();
    let errors = resolver.mistakes.errors;
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
        cooperate,
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
    files: &'a Files,
    mistakes: Mistakes<'a>,
}

impl<'a> Deref for Resolver<'a> {
    type Target = Mistakes<'a>;

    fn deref(&self) -> &Mistakes<'a> {
        &self.mistakes
    }
}

impl DerefMut for Resolver<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.mistakes
    }
}

fn player(index: usize) -> Path {
    path("player").index(index)
}

impl Resolver<'_> {
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
    fn precision(&mut self, names: &[(String, usize)]) -> Option<Precision> {
        let raw = self.raw;
        let GameUntil::Precision(written) = &raw.run.until else { return None };
        for (index, metric) in written.metric.0.iter().enumerate() {
            if !metric.is_of(GAME) {
                let message = format!("the players of a game have no {}", metric.words());
                let help = format!("take one of {}", measured(GAME));
                self.help(metric_at(written, index), message, help);
            }
        }
        let organizations = written.organization.as_ref().and_then(|name| {
            let is_meant =
                |(one, entry): &(String, usize)| one == name || raw.player[*entry].name == *name;
            let Some(first) = names.iter().position(is_meant) else {
                let at = path("run.until.precision.organization");
                self.unknown(at, "player", name, raw.player.iter().map(|entry| &entry.name));
                return None;
            };
            Some(first..first + names.iter().filter(|one| is_meant(one)).count())
        });
        self.mistakes.precision(written, By::Replications, raw.run.replications, organizations)
    }

    fn head(&mut self, rounds: u64) {
        if let Some((message, help)) = title_trouble(&self.raw.name) {
            self.help(path("name"), message, help);
        }
        let at = path("run.until.rounds");
        self.at_most(MOST_ROUNDS, rounds, "rounds", at, "play fewer rounds");
    }

    /// Returns the number of players of a game that names none.
    fn unnamed_players(&mut self) -> usize {
        let players = self.players_by_payoffs().unwrap_or(2);
        let at = path("game.payoffs");
        self.at_most(MOST_PLAYERS, players as u64, "players", at, "take fewer players");
        players
    }

    /// Returns the names of the players, each with its entry.
    fn names(&mut self) -> Vec<(String, usize)> {
        let raw = self.raw;
        let all: u64 = raw.player.iter().map(|written| u64::from(written.count)).sum();
        if !self.at_most(MOST_PLAYERS, all, "players", path("player"), "lower a `count`") {
            return Vec::new();
        }
        let mut names: Vec<(String, usize)> = Vec::new();
        let mut known = FxHashSet::default();
        for (index, written) in raw.player.iter().enumerate() {
            let at = player(index).key("name");
            self.check_name(&written.name, &at);
            for name in numbered(&written.name, written.count) {
                self.check_name(&name, &at);
                self.check_single(&name, at.clone());
                if !known.insert(name.clone()) {
                    self.twice(at.clone(), "players", &name);
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
                let named = counted(actions.len() as u64, "action is", "actions are");
                let counts = counts.join(", ");
                let message =
                    format!("{named} named, but by the payoffs the players have {counts}");
                self.help(path("game.actions"), message, "name as many as the payoffs have");
            }
        }
        let mut seats: Vec<GameSeat> = Vec::with_capacity(names.len());
        let mut copy = 0;
        for (number, (name, entry)) in names.iter().enumerate() {
            let written = &raw.player[*entry];
            copy = if seats.last().is_some_and(|seat| seat.entry == *entry) { copy + 1 } else { 0 };
            let count = choices(number) as usize;
            let at = player(*entry).key("actions");
            let actions = match (&written.actions, &raw.game.actions) {
                (Some(own), _) => {
                    self.actions(own, &at);
                    if own.len() != count {
                        let named = counted(own.len() as u64, "action is", "actions are");
                        let name = show(name);
                        let message =
                            format!("{named} named, but by the payoffs `{name}` has {count}");
                        self.help(at, message, "name each once, in the order of the payoffs");
                    }
                    own.clone()
                }
                (None, Some(all)) if all.len() == count => all.clone(),
                (None, Some(all)) => {
                    let message = format!(
                        "`{}` has {} by the payoffs, and {} named for all",
                        show(name),
                        counted(count as u64, "action", "actions"),
                        counted(all.len() as u64, "is", "are")
                    );
                    self.help(at, message, "give this player `actions` of its own");
                    Vec::new()
                }
                (None, None) => (1..=count).map(|number| number.to_string()).collect(),
            };
            let own = Mutants::or(written.mutants.as_ref(), &written.learner, copy);
            let at = player(*entry);
            let at = if *own == written.learner { at } else { at.key("mutants") }.key("learner");
            self.learner(own, *entry, at.clone(), count);
            let (choices, mutants) = (written.choices.as_ref(), written.mutants.as_ref());
            self.choices(choices, own, mutants, player(*entry), Some(count));
            if let (Some(mutants), 0) = (&written.mutants, copy) {
                let at = player(*entry).key("mutants");
                self.mutants(mutants, &written.learner, written.count, &written.name, &at);
            }
            let (name, mut learner) = (name.clone(), own.clone());
            self.place_command(self.files, &at, learner.command());
            let choices = written.choices.clone().unwrap_or_default();
            let first = first_round(written.first_round, written.apart, copy);
            seats.push(GameSeat { name, learner, choices, actions, entry: *entry, first });
        }
        seats
    }

    /// Checks that names of actions are distinct and valid in tables.
    fn actions(&mut self, names: &[String], at: &Path) {
        let help = "take fewer actions";
        if self.at_most(MOST_ACTIONS, names.len() as u64, "actions", at.clone(), help) {
            self.check_names(names, "actions", at);
        }
    }

    /// Returns the action of each player that cooperates, if it is named or known, and checks that
    /// learners that need it find it.
    fn cooperate(&mut self, actions: &[&[String]], players: &[GameSeat]) -> Vec<Option<u32>> {
        if !self.errors.is_empty() {
            return Vec::new();
        }
        let raw = self.raw;
        let is_counted = matches!(raw.game.payoffs, raw::PayoffsForm::Counts(_));
        let mut entries = Vec::new();
        for (number, all) in actions.iter().enumerate() {
            let seat = players.get(number);
            let own = seat.and_then(|seat| {
                let name = raw.player[seat.entry].cooperate.as_ref()?;
                Some((name, player(seat.entry).key("cooperate")))
            });
            let common = raw.game.cooperate.as_ref().map(|name| (name, path("game.cooperate")));
            let Some((name, at)) = own.or(common) else {
                let asks = seat
                    .filter(|seat| !is_counted && (seat.learner.cooperates() || seat.first > 0));
                if let Some(seat) = asks {
                    self.asks_for_cooperation(seat);
                    return Vec::new();
                }
                entries.push(is_counted.then_some(1));
                continue;
            };
            let Some(entry) = all.iter().position(|one| one == name) else {
                let message = format!("`{}` is no action of every player", show(name));
                let help = format!(
                    "some player has the actions {}; name its own with `player.cooperate`",
                    listed(all, "and")
                );
                self.help(at, message, help);
                return Vec::new();
            };
            entries.push(Some(entry as u32));
        }
        let looks = |seat: &GameSeat| {
            matches!(seat.learner, LearnerOptions::TitForTat(_) | LearnerOptions::Grim(_))
        };
        let looks = players.iter().find(|seat| looks(seat));
        let is_alike = entries.windows(2).all(|two| two[0] == two[1]);
        if let (Some(seat), false) = (looks, is_alike) {
            let learner = seat.learner.name();
            let message =
                format!("`{learner}` looks for one action of all players, at the same place");
            let help = "name for each the action that cooperates, and order the payoffs alike";
            self.help(player(seat.entry).key("learner").key(learner), message, help);
        }
        entries
    }

    /// Reports that a learner cooperates or does not, and that the game does not say by which action.
    fn asks_for_cooperation(&mut self, seat: &GameSeat) {
        let learner = seat.learner.name();
        let at = player(seat.entry);
        let (at, why) = match seat.learner.cooperates() {
            true => (at.key("learner").key(learner), format!("`{learner}` cooperates or does not")),
            false if self.raw.player[seat.entry].apart.is_some() => {
                (at.key("apart"), "who is not there does not cooperate".to_owned())
            }
            false => (
                at.key("first_round"),
                format!("before round {} it does not cooperate", seat.first),
            ),
        };
        let message = format!("{why}, and the game does not say which action cooperates");
        let actions: Vec<String> =
            seat.actions.iter().take(4).map(|name| format!("{name:?}")).collect();
        let help = format!("name it in `[game]`: `cooperate = {}`", actions.join("` or `"));
        self.help(at, message, help);
    }

    /// Checks that a learner can choose among `count` actions.
    fn learner(&mut self, learner: &LearnerOptions, entry: usize, at: Path, count: usize) {
        let own = at.clone().key(learner.name());
        if self.valid(at, learner.check()).is_none() {
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
        let at = player(entry).key("choices").key("initial");
        if count != 2 && self.is_written(&at) {
            let message = format!("`initial` is for two actions, and here are {count}");
            self.help(at, message, "give `first`, the probability of each action");
        }
    }
}
