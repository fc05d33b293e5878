//! A learner in another process, in any language.
//!
//! It is greeted before its first round and told of each round that it was present in; each answer is its
//! next move, or none: then it is asked when its next round begins, after all have learned. It may leave the
//! draw to gridpact: then it draws as `ratio` does, from the same streams.

use std::fmt::Write as _;

use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::drawn;
use super::support::{HIGHEST, declared};
use super::{Learner, Stance};
use crate::peer::{Command, Peer, TIMEOUT, list};
use game::stage::{
    Act, Actions, Everyone, Info, OwnAndActs, OwnAndOut, OwnEach, OwnPayoff, Seen, Wanted,
};
use kernel::rng::{Draws, Streams};
use kernel::state::{Corrupt, State, put, take};
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Parameters of a learner in another process.
    #[serde(default)]
    pub struct Options {
        /// The program and its arguments; it runs in the folder of the scenario.
        command: Command = Command::default(),
        /// Seconds that it may take for an answer.
        timeout: f64 as TIMEOUT = 60.0,
        /// The part of a round that it sees.
        sees: Sees = Sees::default(),
    }
    where has_program
}

impl Options {
    fn has_program(&self) -> Result<(), Invalid> {
        self.command.check()
    }
}

/// The part of a round that a process sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// Its own payoff.
    #[default]
    Payoff,
    /// The same, and when in: the payoff of staying out.
    StayedOut,
    /// Its own payoff, and who joined.
    Acts,
    /// Its own payoff of each action.
    Each,
    /// Its own payoff of each action, and who joined.
    Everyone,
}

impl Sees {
    /// The information label: the counterfactuals that it needs, and its name.
    fn label(self) -> (Wanted, &'static str) {
        fn of<I: Info>() -> (Wanted, &'static str) {
            (I::WANTED, I::NAME)
        }
        match self {
            Sees::Payoff => of::<OwnPayoff>(),
            Sees::StayedOut => of::<OwnAndOut>(),
            Sees::Acts => of::<OwnAndActs>(),
            Sees::Each => of::<OwnEach>(),
            Sees::Everyone => of::<Everyone>(),
        }
    }

    /// The counterfactuals that it needs.
    pub fn wanted(self) -> Wanted {
        self.label().0
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.label().1
    }
}

/// A learner whose next move another process has told.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    peer: Peer,
    sees: Sees,
    /// Number of its actions, if they are a menu.
    actions: Option<u32>,
    next: Move,
}

/// A move: exactly one of `act`, `entry`, `probability` and `law`, and with the others a level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Move {
    hello: Option<u32>,
    act: Option<Side>,
    entry: Option<u32>,
    probability: Option<f64>,
    law: Vec<f64>,
    level: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    In,
    Out,
}

impl Move {
    /// Returns what is wrong with it, if anything is, given the number of actions of a menu.
    fn wrong(&self, actions: Option<u32>) -> Option<String> {
        let is_share = |share: &f64| (0.0..=1.0).contains(share);
        let kinds = [
            self.act.is_some(),
            self.entry.is_some(),
            self.probability.is_some(),
            !self.law.is_empty(),
        ];
        let count = actions.map_or(2, |count| count as usize);
        let sum: f64 = self.law.iter().sum();
        Some(match () {
            () if kinds.iter().filter(|&&is_told| is_told).count() != 1 => {
                "tells no move: give one of `act`, `entry`, `probability` and `law`".to_owned()
            }
            () if self.entry.is_some() && actions.is_none() => {
                "plays an entry of a menu, and a coalition has none: give `act`".to_owned()
            }
            () if self.entry.is_some_and(|entry| entry as usize >= count) => {
                format!("plays an entry that is not there: they are 0 to {}", count - 1)
            }
            () if !self.probability.iter().all(is_share) => {
                "gives a probability that is not between 0 and 1".to_owned()
            }
            () if !self.law.is_empty()
                && (self.law.len() != count
                    || !self.law.iter().all(is_share)
                    || (sum - 1.0).abs() > 1e-9) =>
            {
                format!("gives a law that is not {count} probabilities with the sum 1")
            }
            () if !self.level.iter().all(|level| (0.0..=HIGHEST).contains(level)) => {
                format!("gives a level that is not between 0 and {HIGHEST:e} units of work")
            }
            () => return None,
        })
    }

    /// Probability of taking part, if it is told as one.
    fn probability(&self) -> Option<f64> {
        self.probability.or(self.act.map(|side| f64::from(u8::from(side == Side::In))))
    }
}

/// A number of JSON, which has none that are infinite.
fn number(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-1e308, 1e308) }
}

/// An action as JSON.
fn action(act: Act) -> String {
    match act {
        Act::Out => "\"out\"".to_owned(),
        Act::In(_) => "\"in\"".to_owned(),
        Act::Choose(entry) => entry.to_string(),
    }
}

impl Process {
    /// A process that is started before its first round.
    pub fn new(options: &Options) -> Process {
        let Options { ref command, timeout, sees } = *options;
        Process { peer: Peer::new(command, timeout), sees, actions: None, next: Move::default() }
    }

    /// Takes the next move, which may be left open unless the round begins.
    fn take(&mut self, next: Option<Move>, begins: bool) {
        let Some(next) = next.map(|next| Move { hello: None, ..next }) else { return };
        let may_be = !begins && next == Move::default();
        match next.wrong(self.actions).filter(|_| !may_be) {
            Some(wrong) => self.peer.refuse(wrong),
            None => self.next = next,
        }
    }

    /// Says hello, and takes the first move.
    fn greet(&mut self, actions: Actions, name: &str, streams: &Streams) {
        let mut more = format!(",\"sees\":\"{}\",", self.sees.name());
        let told = match actions {
            Actions::Menu { count, cooperate } => {
                self.actions = Some(count);
                write!(more, "\"actions\":{count},\"cooperate\":{cooperate}")
            }
            Actions::Coalition | Actions::Absent => write!(more, "\"actions\":[\"out\",\"in\"]"),
        };
        told.expect("text grows");
        let name = name.strip_suffix("/learner/act").unwrap_or(name);
        let next = self.peer.hello("learner", name, streams, &more);
        self.take(next, false);
    }
}

impl Learner for Process {
    type Sees = Everyone;

    fn wants(&self) -> Wanted {
        self.sees.wanted()
    }

    fn meet(&mut self, actions: Actions, name: &str, streams: &Streams) {
        if !self.peer.has_met() {
            self.greet(actions, name, streams);
        }
        if self.next == Move::default() {
            let next = self.peer.ask("act", "");
            self.take(next, true);
        }
    }

    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        let terms = declared(self.next.level);
        let side = |is_in: bool| match is_in {
            true => actions.taking_part(terms),
            false => actions.staying_out(),
        };
        let Move { act, entry, probability, ref law, .. } = self.next;
        match (entry, probability) {
            (Some(entry), _) => Act::Choose(entry),
            (None, Some(probability)) => side(draws.rng().random::<f64>() < probability),
            (None, None) if law.is_empty() => side(act == Some(Side::In)),
            (None, None) => match actions {
                Actions::Menu { .. } => Act::Choose(drawn(law, draws) as u32),
                Actions::Coalition | Actions::Absent => side(drawn(law, draws) == 1),
            },
        }
    }

    fn learn(&mut self, seen: Seen<'_, Everyone>, _: &mut Draws<'_>) {
        let mut inside = format!(
            "\"act\":{},\"payoff\":{:?},\"alone\":{}",
            action(seen.act()),
            number(seen.payoff()),
            seen.was_alone()
        );
        let Wanted { stayed_out, instead, .. } = self.sees.wanted();
        if stayed_out {
            let out =
                seen.stayed_out().map_or("null".to_owned(), |out| format!("{:?}", number(out)));
            write!(inside, ",\"stayed_out\":{out}").expect("text grows");
        }
        if instead {
            let instead = seen.instead().iter().map(|&payoff| format!("{:?}", number(payoff)));
            write!(inside, ",\"instead\":{}", list(instead)).expect("text grows");
        }
        if matches!(self.sees, Sees::Acts | Sees::Everyone) {
            let acts = seen.acts().iter().enumerate().map(|(player, &act)| {
                if seen.is_present(player) { action(act) } else { "null".to_owned() }
            });
            write!(inside, ",\"me\":{},\"acts\":{}", seen.me(), list(acts)).expect("text grows");
        }
        let next = self.peer.ask("learn", &inside);
        self.take(next, false);
    }

    fn stance(&self) -> Stance {
        let Move { level, .. } = self.next;
        Stance { probability: self.next.probability(), level, declared: declared(level).level }
    }

    fn law(&self) -> &[f64] {
        &self.next.law
    }
}

impl State for Process {
    fn save(&self, out: &mut Vec<u8>) {
        self.peer.save(out);
        put(&(self.actions, &self.next), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.peer.load(from)?;
        (self.actions, self.next) = take(from)?;
        Ok(())
    }
}
