//! The repeated game: decide, play, observe.
//!
//! A round is a *stage game*: every player acts, the game is played, and each player sees as much
//! of the outcome as its information label allows. The label is a type: information that it lacks
//! has no method.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::payoffs::Payoffs;
use kernel::state::State;
use kernel::time::Span;

/// Terms on which a player takes part in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Declared participation level: the most that it sends, and the longest queue that foreign
    /// work may leave it with. `None` if it sets no bound.
    pub level: Option<Span>,
    /// It takes part only in balancings at which its queue is longer than this.
    pub above: Option<Span>,
    /// Number of the lie that it tells, from 1, among those that it chooses from; 0 for none of them.
    pub lie: u32,
}

impl Terms {
    /// Without any condition.
    pub const ANY: Terms = Terms { level: None, above: None, lie: 0 };

    /// At a participation level.
    pub const fn level(level: Span) -> Terms {
        Terms { level: Some(level), ..Terms::ANY }
    }
}

/// A player's action in a round; to the world it is a standing rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// It stays out.
    Out,
    /// It takes part.
    In(Terms),
    /// It plays an entry of its menu.
    Choose(u32),
}

impl Act {
    /// The actions of an organization in a coalition: stay out, or take part at each of these levels;
    /// without levels, take part without a bound.
    pub fn menu(levels: &[f64]) -> Vec<Act> {
        let level = |&level: &f64| Some(Act::In(Terms::level(Span::from_units(level).ok()?)));
        let levels: Vec<Act> = levels.iter().filter_map(level).collect();
        let any = levels.is_empty().then_some(Act::In(Terms::ANY));
        std::iter::once(Act::Out).chain(levels).chain(any).collect()
    }

    /// Menu index of the action; staying out is the first, taking part the second.
    pub fn entry(self) -> u32 {
        match self {
            Act::Choose(entry) => entry,
            Act::Out => 0,
            Act::In(_) => 1,
        }
    }

    /// True if it takes part.
    pub fn is_in(self) -> bool {
        matches!(self, Act::In(_))
    }

    /// Its terms, if it takes part.
    pub fn terms(self) -> Option<Terms> {
        match self {
            Act::In(terms) => Some(terms),
            Act::Out | Act::Choose(_) => None,
        }
    }
}

/// Feasible actions of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// [`Act::Out`], or [`Act::In`] on any terms.
    Coalition,
    /// [`Act::Choose`] from this many entries.
    Menu {
        /// Number of entries.
        count: u32,
        /// The entry of taking part, which cooperates; the first of the others is staying out.
        cooperate: u32,
    },
    /// None: it is absent in this round.
    Absent,
}

impl Actions {
    /// A menu of this many entries of which the second, if there is one, is taking part.
    pub const fn menu(count: u32) -> Actions {
        Actions::Menu { count, cooperate: (count > 1) as u32 }
    }

    /// The action of staying out.
    pub fn staying_out(self) -> Act {
        match self {
            Actions::Coalition | Actions::Absent => Act::Out,
            Actions::Menu { count, cooperate } => {
                Act::Choose(u32::from(cooperate == 0 && count > 1))
            }
        }
    }

    /// The action of taking part.
    pub fn taking_part(self, terms: Terms) -> Act {
        match self {
            Actions::Coalition => Act::In(terms),
            Actions::Menu { cooperate, .. } => Act::Choose(cooperate),
            Actions::Absent => Act::Out,
        }
    }

    /// The law of taking part with this probability, else of staying out.
    pub fn law(self, probability: f64) -> Vec<f64> {
        let Actions::Menu { count, .. } = self else { return vec![1.0 - probability, probability] };
        let mut law = vec![0.0; count as usize];
        law[self.staying_out().entry() as usize] += 1.0 - probability;
        law[self.taking_part(Terms::ANY).entry() as usize] += probability;
        law
    }

    /// True if the action is feasible.
    pub fn allow(self, act: Act) -> bool {
        match (self, act) {
            (Actions::Coalition, Act::Out | Act::In(_)) | (Actions::Absent, Act::Out) => true,
            (Actions::Menu { count, .. }, Act::Choose(entry)) => entry < count,
            _ => false,
        }
    }
}

/// Rounds in which a player is present; in others a game answers [`Actions::Absent`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// First round.
    pub first: u64,
    /// Last round; `None` if it stays.
    pub last: Option<u64>,
}

impl Presence {
    /// True if it is present.
    pub fn has(&self, round: u64) -> bool {
        self.first <= round && self.last.is_none_or(|last| round <= last)
    }
}

/// Counterfactuals that a player asks for; others are not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The payoff of staying out, when in.
    pub stayed_out: bool,
    /// The payoff of every entry of its menu.
    pub instead: bool,
    /// The payoffs of the whole game, if known.
    pub rules: bool,
}

/// Outcome of a round, for all players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Action of each player.
    pub acts: Vec<Act>,
    /// Payoff of each player; in a coalition its score.
    pub payoffs: Vec<f64>,
    /// Counterfactual payoff of staying out, by player. `None` if it did stay out or nobody asked.
    pub stayed_out: Vec<Option<f64>>,
    /// Counterfactual payoffs by player and entry of its menu, all others unchanged; empty if
    /// nobody asked.
    pub instead: Vec<Vec<f64>>,
    /// Number of players that took part.
    pub members: u32,
    /// Payoffs of the whole game, if they are known and somebody asked.
    pub rules: Option<Arc<Payoffs>>,
    /// Presence of each player; empty if all were. Set by the repeated game, not the stage game.
    pub present: Vec<bool>,
}

impl Outcome {
    /// The outcome of a round of a coalition, whose payoffs compare with staying out, which has 0. Of the
    /// alternatives that somebody asked for, those that were not played have 0 until they are set.
    pub fn score(
        &mut self,
        acts: &[Act],
        wanted: &[Wanted],
        menus: &[Vec<Act>],
        scores: impl Iterator<Item = f64>,
    ) {
        self.acts.clear();
        self.acts.extend_from_slice(acts);
        self.members = acts.iter().filter(|act| act.is_in()).count() as u32;
        self.payoffs.clear();
        self.payoffs.extend(scores);
        self.stayed_out.clear();
        self.rules = None;
        self.instead.resize(acts.len(), Vec::new());
        for (player, (&act, wanted)) in acts.iter().zip(wanted).enumerate() {
            self.stayed_out.push((act.is_in() && wanted.stayed_out).then_some(0.0));
            let (own, instead) = (self.payoffs[player], &mut self.instead[player]);
            instead.clear();
            let asked = menus[player].iter().filter(|_| wanted.instead);
            instead.extend(asked.map(|&other| if other == act { own } else { 0.0 }));
        }
    }
}

/// A stage game. A round may be long, so it is begun, advanced and then read; its state can be
/// saved between any two calls of `advance`, even in the middle of a round.
pub trait StageGame: State {
    /// An error outside the model.
    type Error;

    /// Number of players; they are numbered from 0.
    fn players(&self) -> usize;

    /// Feasible actions of a player in a round.
    fn actions(&self, player: usize, round: u64) -> Actions;

    /// Begins a round; `acts` and `wanted` by player. Independent rounds depend on nothing else.
    ///
    /// # Errors
    /// Fails if something outside the model fails.
    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error>;

    /// Advances by an instant or part of one; false once the round is over. A table has nothing to
    /// advance.
    ///
    /// # Errors
    /// Fails if something outside the model fails.
    fn advance(&mut self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Reads the outcome of the finished round.
    ///
    /// # Errors
    /// Fails if something outside the model fails.
    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error>;
}

/// An information label: the part of an outcome that a learner may see.
pub trait Info: Copy {
    /// Counterfactuals that it needs.
    const WANTED: Wanted;
    /// Its name.
    const NAME: &'static str;
}
/// A label with the counterfactual payoff of staying out.
pub trait KnowsStayedOut: Info {}
/// A label with the counterfactual payoff of each own action.
pub trait KnowsInstead: KnowsStayedOut {}
/// A label with everybody's actions.
pub trait KnowsActs: Info {}
/// A label with the payoff of every profile to every player.
pub trait KnowsRules: KnowsInstead + KnowsActs {}

macro_rules! label {
    (
        $(#[$doc:meta])*
        $label:ident, $name:literal, $out:literal, $instead:literal, $rules:literal:
        $($known:ident),*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $label;
        impl Info for $label {
            const WANTED: Wanted = Wanted { stayed_out: $out, instead: $instead, rules: $rules };
            const NAME: &'static str = $name;
        }
        $(impl $known for $label {})*
    };
}

label! {
    /// The own payoff of the action played.
    OwnPayoff, "own payoff", false, false, false:
}
label! {
    /// The same, and when in: the payoff of staying out (one-sided, as in practice).
    OwnAndOut, "own payoff and had I stayed out", true, false, false: KnowsStayedOut
}
label! {
    /// The own payoff and everybody's actions.
    OwnAndActs, "own payoff and who joined", false, false, false: KnowsActs
}
label! {
    /// The payoff of each own action.
    OwnEach, "own payoff of each action", true, true, false: KnowsStayedOut, KnowsInstead
}
label! {
    /// The payoff of each own action, and everybody's actions.
    Everyone, "own payoff of each action and who joined", true, true, false:
    KnowsStayedOut, KnowsInstead, KnowsActs
}
label! {
    /// The same, and the payoff of every profile to every player.
    Rules, "payoffs of the whole game and who joined", true, true, true:
    KnowsStayedOut, KnowsInstead, KnowsActs, KnowsRules
}

/// An outcome as seen by one player under one label.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a, I> {
    outcome: &'a Outcome,
    me: usize,
    label: PhantomData<I>,
}

impl<'a, I: Info> Seen<'a, I> {
    /// Restricts an outcome to the label.
    pub fn cut(outcome: &'a Outcome, me: usize) -> Seen<'a, I> {
        Seen { outcome, me, label: PhantomData }
    }

    /// Its own number among the players.
    pub fn me(&self) -> usize {
        self.me
    }

    /// Its action.
    pub fn act(&self) -> Act {
        self.outcome.acts[self.me]
    }

    /// Its payoff.
    pub fn payoff(&self) -> f64 {
        self.outcome.payoffs[self.me]
    }

    /// True for a coalition's only member: members see if there is anyone else.
    pub fn was_alone(&self) -> bool {
        self.act().is_in() && self.outcome.members == 1
    }
}

impl<I: KnowsStayedOut> Seen<'_, I> {
    /// Counterfactual payoff of staying out; `None` if it did stay out.
    pub fn stayed_out(&self) -> Option<f64> {
        self.outcome.stayed_out[self.me]
    }
}

impl<I: KnowsInstead> Seen<'_, I> {
    /// Payoff of each entry of its own menu, all others unchanged.
    pub fn instead(&self) -> &[f64] {
        &self.outcome.instead[self.me]
    }
}

impl<I: KnowsActs> Seen<'_, I> {
    /// Everybody's actions.
    pub fn acts(&self) -> &[Act] {
        &self.outcome.acts
    }

    /// True if the player was present, in or out.
    pub fn is_present(&self, player: usize) -> bool {
        self.outcome.present.get(player).is_none_or(|&is_here| is_here)
    }
}

impl<I: KnowsRules> Seen<'_, I> {
    /// Payoffs of every profile to every player; `None` if the game is not defined by its payoffs.
    pub fn rules(&self) -> Option<&Payoffs> {
        self.outcome.rules.as_deref()
    }
}
