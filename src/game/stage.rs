//! The repeated game: decide, play, observe.
//!
//! A round is a *stage game*: every player does something, the game is played, and each player is
//! shown as much of the outcome as its information label allows. The label is a type: what it does
//! not know has no method.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::payoffs::Payoffs;
use crate::kernel::state::State;
use crate::kernel::time::Span;

/// The terms on which a player takes part in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The participation level that it declares: the most that it sends, and the longest queue
    /// that foreign work may leave it with. `None` where it sets no bound.
    pub level: Option<Span>,
    /// It takes part only in balancings that find its queue longer than this.
    pub above: Option<Span>,
}

impl Terms {
    /// Without any condition.
    pub const ANY: Terms = Terms { level: None, above: None };

    /// At a participation level.
    pub const fn level(level: Span) -> Terms {
        Terms { level: Some(level), above: None }
    }
}

/// What a player does in a round: a choice to it, a standing rule to the world.
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
    /// The entry of a menu that was chosen; staying out is the first, taking part the second.
    pub fn entry(self) -> u32 {
        match self {
            Act::Choose(entry) => entry,
            Act::Out => 0,
            Act::In(_) => 1,
        }
    }

    /// True where it takes part.
    pub fn is_in(self) -> bool {
        matches!(self, Act::In(_))
    }

    /// The terms on which it takes part, if it does.
    pub fn terms(self) -> Option<Terms> {
        match self {
            Act::In(terms) => Some(terms),
            Act::Out | Act::Choose(_) => None,
        }
    }
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// [`Act::Out`], or [`Act::In`] on any terms.
    Coalition,
    /// [`Act::Choose`] of this many entries, of which the first is staying out.
    Menu {
        /// Entries.
        count: u32,
    },
    /// Nothing: it is not there in this round.
    Absent,
}

impl Actions {
    /// Staying out: of a menu the first entry.
    pub fn staying_out(self) -> Act {
        match self {
            Actions::Coalition | Actions::Absent => Act::Out,
            Actions::Menu { .. } => Act::Choose(0),
        }
    }

    /// Taking part: of a menu the second entry, if it has one.
    pub fn taking_part(self, terms: Terms) -> Act {
        match self {
            Actions::Coalition => Act::In(terms),
            Actions::Menu { count } => Act::Choose(u32::from(count > 1)),
            Actions::Absent => Act::Out,
        }
    }

    /// True of what may be done.
    pub fn allow(self, act: Act) -> bool {
        match (self, act) {
            (Actions::Coalition, Act::Out | Act::In(_)) | (Actions::Absent, Act::Out) => true,
            (Actions::Menu { count }, Act::Choose(entry)) => entry < count,
            _ => false,
        }
    }
}

/// The rounds in which a player is there; what a game answers [`Actions::Absent`] by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The round that it arrives in.
    pub first: u64,
    /// The last round before it leaves; `None` where it stays.
    pub last: Option<u64>,
}

impl Presence {
    /// True where it is there.
    pub fn has(&self, round: u64) -> bool {
        self.first <= round && self.last.is_none_or(|last| round <= last)
    }
}

/// Which counterfactuals a player asks for; what nobody asks for is not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// "Had I stayed out", when in.
    pub stayed_out: bool,
    /// What else it could have done: every entry of its menu.
    pub instead: bool,
    /// The payoffs of the whole game, where they are known.
    pub rules: bool,
}

/// What came of a round, for all players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What each did.
    pub acts: Vec<Act>,
    /// What it brought each: in a coalition the score.
    pub payoffs: Vec<f64>,
    /// By player: had it stayed out. `None` where it did, or nobody wanted to know.
    pub stayed_out: Vec<Option<f64>>,
    /// By player, then by entry of its menu: had it done that, all others doing what they did;
    /// empty where nobody wanted to know.
    pub instead: Vec<Vec<f64>>,
    /// How many took part.
    pub members: u32,
    /// The payoffs of the whole game, where they are known and somebody wanted to know.
    pub rules: Option<Arc<Payoffs>>,
    /// By player: was it there? Empty where all were. Who lets players play says so, not the game.
    pub present: Vec<bool>,
}

/// What is played in a round. A round may be long, so it is begun, advanced and read: between two
/// calls of `advance` the state can be saved, in the middle of a round too.
pub trait StageGame: State {
    /// What can go wrong outside the model.
    type Error;

    /// Players, numbered from 0.
    fn players(&self) -> usize;

    /// What a player may do in a round.
    fn actions(&self, player: usize, round: u64) -> Actions;

    /// Begins a round; `acts` and `wanted` by player. Independent rounds depend on nothing else.
    ///
    /// # Errors
    /// When something outside the model fails.
    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error>;

    /// Plays on for one instant; false when the round is over. A table has nothing to play.
    ///
    /// # Errors
    /// When something outside the model fails.
    fn advance(&mut self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// What came of it; the round is over.
    ///
    /// # Errors
    /// When something outside the model fails.
    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error>;
}

/// An information label: what of an outcome a learner may see.
pub trait Info: Copy {
    /// What has to be computed for it.
    const WANTED: Wanted;
    /// What it is called.
    const NAME: &'static str;
}
/// A label that knows what staying out would have brought.
pub trait KnowsStayedOut: Info {}
/// A label that knows what each own action would have brought.
pub trait KnowsInstead: KnowsStayedOut {}
/// A label that knows who did what.
pub trait KnowsActs: Info {}
/// A label that knows what every profile pays to every player.
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
    /// That, and when in: what staying out would have brought (one-sided, as in practice).
    OwnAndOut, "own payoff and had I stayed out", true, false, false: KnowsStayedOut
}
label! {
    /// The own payoff, and who did what.
    OwnAndActs, "own payoff and who joined", false, false, false: KnowsActs
}
label! {
    /// The payoff of each own action.
    OwnEach, "own payoff of each action", true, true, false: KnowsStayedOut, KnowsInstead
}
label! {
    /// That, and who did what.
    Everyone, "own payoff of each action and who joined", true, true, false:
    KnowsStayedOut, KnowsInstead, KnowsActs
}
label! {
    /// That, and what every profile pays to every player.
    Rules, "payoffs of the whole game and who joined", true, true, true:
    KnowsStayedOut, KnowsInstead, KnowsActs, KnowsRules
}

/// An outcome through the eyes of one player under one label.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a, I> {
    outcome: &'a Outcome,
    me: usize,
    label: PhantomData<I>,
}

impl<'a, I: Info> Seen<'a, I> {
    /// Cuts an outcome down to the label.
    pub fn cut(outcome: &'a Outcome, me: usize) -> Seen<'a, I> {
        Seen { outcome, me, label: PhantomData }
    }

    /// Its own number among the players.
    pub fn me(&self) -> usize {
        self.me
    }

    /// What it did.
    pub fn act(&self) -> Act {
        self.outcome.acts[self.me]
    }

    /// What that brought.
    pub fn payoff(&self) -> f64 {
        self.outcome.payoffs[self.me]
    }

    /// True of a coalition's only member: whoever takes part sees whether there is anyone else.
    pub fn was_alone(&self) -> bool {
        self.act().is_in() && self.outcome.members == 1
    }
}

impl<I: KnowsStayedOut> Seen<'_, I> {
    /// What staying out would have brought; `None` to who stayed out.
    pub fn stayed_out(&self) -> Option<f64> {
        self.outcome.stayed_out[self.me]
    }
}

impl<I: KnowsInstead> Seen<'_, I> {
    /// What each entry of the own menu brought or would have brought, all others doing what they
    /// did.
    pub fn instead(&self) -> &[f64] {
        &self.outcome.instead[self.me]
    }
}

impl<I: KnowsActs> Seen<'_, I> {
    /// What each did.
    pub fn acts(&self) -> &[Act] {
        &self.outcome.acts
    }

    /// True of a player that was there, be it in or out.
    pub fn is_present(&self, player: usize) -> bool {
        self.outcome.present.get(player).is_none_or(|&is_here| is_here)
    }
}

impl<I: KnowsRules> Seen<'_, I> {
    /// What every profile pays to every player; `None` of a game that is not known by its payoffs.
    pub fn rules(&self) -> Option<&Payoffs> {
        self.outcome.rules.as_deref()
    }
}
