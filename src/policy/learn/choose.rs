//! The common part of learners that choose among a finite number of actions by their payoffs.
//!
//! A [`Rule`] knows neither coalitions nor games: it has choices, numbered from 0, probabilities
//! for drawing the next one (its *law*), and utilities, i.e. payoffs scaled to [0, 1]. A
//! [`Chooser`] connects it to a game: in a coalition its choices are staying out and taking part,
//! or participation levels; in a menu they are its entries.

use rand::RngExt as _;

use super::lies::Lies;
use super::support::{LEVEL, LEVELS, PROBABILITIES, declared};
use super::{Learner, Stance};
use game::payoffs::Payoffs;
use game::stage::{
    Act, Actions, Info, KnowsActs, KnowsInstead, KnowsRules, KnowsStayedOut, Seen, Terms,
};
use kernel::rng::Draws;
use kernel::state::{Corrupt, State, put, take};
use model::bounds::{Inside, Many, PROBABILITY, parameters};
use model::invalid::Invalid;

/// Default range of payoffs, scaled to 0 and 1: the scores of a coalition.
pub const SCORES: [f64; 2] = [-2.0, 2.0];

/// A rule for choosing among a finite number of actions, given the utilities of past rounds.
pub trait Rule: State {
    /// Its information label.
    type Sees: Info;

    /// Its parameters.
    type Options;

    /// Creates the rule, before it knows the number of choices.
    fn new(options: &Self::Options) -> Self;

    /// Sees the range of the payoffs of a game, and the entry of the action that cooperates, if the
    /// game names one. A coalition shows nothing.
    fn read(&mut self, _: [f64; 2], _: Option<u32>) {}

    /// Prepares for the first round: one choice for each probability, the first drawn from these.
    fn begin(&mut self, first: &[f64]);

    /// Learns from a round.
    fn learn(&mut self, round: &Round<'_, Self::Sees>, draws: &mut Draws<'_>);

    /// Writes the probabilities of the choices in the next round. False if they have no closed
    /// form; such a rule provides its own `choose`.
    fn law(&self, law: &mut [f64]) -> bool;

    /// The choice of the next round, drawn from the law.
    fn choose(&mut self, law: &[f64], draws: &mut Draws<'_>) -> usize {
        drawn(law, draws)
    }

    /// See [`Learner::is_searching`].
    fn is_searching(&self) -> bool {
        false
    }
}

/// Draws a choice. A certain one uses no random number. Of two choices, the second corresponds to
/// small numbers, as for participation with a probability.
pub fn drawn(law: &[f64], draws: &mut Draws<'_>) -> usize {
    if let Some(sure) = law.iter().position(|&probability| probability >= 1.0) {
        return sure;
    }
    let mut rest = draws.rng().random::<f64>();
    for (choice, &probability) in law.iter().enumerate().rev() {
        if rest < probability {
            return choice;
        }
        rest -= probability;
    }
    law.iter().position(|&probability| probability > 0.0).unwrap_or(0)
}

/// A round as seen by a rule, restricted to its label.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a, I> {
    seen: Seen<'a, I>,
    choices: usize,
    played: usize,
    least: f64,
    width: f64,
}

impl<I: Info> Round<'_, I> {
    /// Number of choices.
    pub fn choices(&self) -> usize {
        self.choices
    }

    /// The choice played.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Its payoff.
    pub fn payoff(&self) -> f64 {
        self.seen.payoff()
    }

    /// Its utility, in [0, 1].
    pub fn utility(&self) -> f64 {
        self.scaled(self.payoff())
    }

    /// Scales a payoff to [0, 1]: 0 at the lower end of the range, 1 at the upper end, clipped
    /// beyond. Payoffs may be infinite.
    pub fn scaled(&self, payoff: f64) -> f64 {
        ((payoff - self.least) / self.width).clamp(0.0, 1.0)
    }
}

impl<I: KnowsStayedOut> Round<'_, I> {
    /// Counterfactual payoff of staying out; `None` if it did stay out.
    pub fn stayed_out(&self) -> Option<f64> {
        self.seen.stayed_out()
    }
}

impl<I: KnowsInstead> Round<'_, I> {
    /// Utility of a choice, actual or counterfactual.
    pub fn instead(&self, choice: usize) -> f64 {
        self.scaled(self.seen.instead()[choice])
    }
}

impl<I: KnowsActs> Round<'_, I> {
    /// Its own number among the players.
    pub fn me(&self) -> usize {
        self.seen.me()
    }

    /// Actions of all players, including its own.
    pub fn acts(&self) -> &[Act] {
        self.seen.acts()
    }

    /// True if the player was present, in or out.
    pub fn is_present(&self, player: usize) -> bool {
        self.seen.is_present(player)
    }
}

impl<I: KnowsRules> Round<'_, I> {
    /// Payoffs of all profiles; `None` if the game is not defined by its payoffs.
    pub fn rules(&self) -> Option<&Payoffs> {
        self.seen.rules()
    }
}

parameters! {
    /// The choices of a learner that chooses among actions: `choices = { ... }` beside the learner, whose
    /// rule may be any.
    #[serde(default)]
    pub struct Choices {
        /// Probability of taking part in the first round; in a game with two actions, that of the
        /// second. With more choices all are equally likely at first.
        initial: f64 as PROBABILITY = 0.5,
        /// Probabilities of all choices in the first round, if there are more than two or they are
        /// not equally likely.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        first: Vec<f64> as PROBABILITIES = Vec::new(),
        /// Participation level declared when taking part, in units of work; without it there is no
        /// bound.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<f64> as LEVEL = None,
        /// Participation levels to choose among, increasing, in units of work; without them the
        /// choice is out or in.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        levels: Vec<f64> as LEVELS = Vec::new(),
        /// Lies to choose among in a pool, besides taking part without any of them. The rounds of an
        /// exclusion count for the lie before them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        lies: Vec<Lies> as (Many::new(0, 100, Inside)) = Vec::new(),
        /// With `levels` or `lies`: allow staying out as a further choice.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        out: bool = false,
        /// Payoffs that are scaled to 0 and to 1 [-2 and 2 for the scores of a coalition; the
        /// smallest and the largest payoff of a game].
        #[serde(skip_serializing_if = "Option::is_none")]
        payoffs: Option<[f64; 2]> = None,
    }
    where fit
}

impl Choices {
    /// Checks the relations between the parameters.
    fn fit(&self) -> Result<(), Invalid> {
        if let Some(pair) = self.levels.windows(2).find(|pair| pair[0] >= pair[1]) {
            let message = format!("levels grow; {} does not come before {}", pair[0], pair[1]);
            return Err(Invalid::new("levels", message));
        }
        if !self.levels.is_empty() && self.level.is_some() {
            let message = "it chooses among `levels`; leave out the fixed `level`, or the levels";
            return Err(Invalid::new("level", message));
        }
        if !self.levels.is_empty() && !self.lies.is_empty() {
            let message = "it chooses among `levels` or among lies; leave one of them out";
            return Err(Invalid::new("lies", message));
        }
        if self.lies.iter().any(|lie| lie.of.is_some()) {
            let message = "each organization chooses for itself; leave out `of` of these lies";
            return Err(Invalid::new("lies", message));
        }
        if self.out && self.is_out_or_in() {
            let message =
                "without `levels` or `lies` staying out is a choice anyway; leave out `out`";
            return Err(Invalid::new("out", message));
        }
        let sum: f64 = self.first.iter().sum();
        if !self.first.is_empty() && (sum - 1.0).abs() > 1e-9 {
            let message = format!("the probabilities of the first round add up to {sum}, not to 1");
            return Err(Invalid::new("first", message));
        }
        if let Some([least, most]) = self.payoffs
            && !(least < most && least.is_finite() && most.is_finite())
        {
            let message = format!(
                "[{least}, {most}] is no range of payoffs; give the payoff that counts as 0 and a \
                 larger one that counts as 1"
            );
            return Err(Invalid::new("payoffs", message));
        }
        Ok(())
    }

    /// Checks that the parameters fit this number of choices.
    ///
    /// # Errors
    /// The field that does not fit.
    pub fn check_for(&self, choices: usize) -> Result<(), Invalid> {
        let given = self.first.len();
        if given == 0 || given == choices {
            return Ok(());
        }
        let message = format!(
            "there are {choices} choices, and the number of probabilities is {given}; give one for each"
        );
        Err(Invalid::new("first", message))
    }

    /// Probabilities of the first round, for this number of choices.
    pub fn first_law(&self, choices: usize) -> Vec<f64> {
        if !self.first.is_empty() {
            assert_eq!(self.first.len(), choices, "the parameters were checked to fit the game");
            return self.first.clone();
        }
        match choices {
            2 if self.is_out_or_in() => vec![1.0 - self.initial, self.initial],
            _ => vec![1.0 / choices as f64; choices],
        }
    }

    /// The actions to choose among in a coalition.
    pub fn menu(&self) -> Vec<Act> {
        if self.is_out_or_in() {
            return vec![Act::Out, Act::In(declared(self.level))];
        }
        let levels = self.levels.iter().map(|&level| Act::In(declared(Some(level))));
        let lies = 0..=self.lies.len() as u32;
        let lies = lies.filter(|_| self.levels.is_empty());
        let lies = lies.map(|lie| Act::In(Terms { lie, ..declared(self.level) }));
        self.out.then_some(Act::Out).into_iter().chain(levels).chain(lies).collect()
    }

    /// True if the choice is to stay out or to take part.
    fn is_out_or_in(&self) -> bool {
        self.levels.is_empty() && self.lies.is_empty()
    }
}

/// A rule as a learner in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Chooser<R> {
    rule: R,
    common: Choices,
    /// Actions to choose among in a coalition.
    menu: Vec<Act>,
    payoffs: [f64; 2],
    /// Choice of the last round.
    played: usize,
    /// The last choice that was played and not prevented by an exclusion, if it chooses among lies.
    last: Option<usize>,
    /// Probabilities of the next round; empty before the first.
    law: Vec<f64>,
    /// True if the probabilities are known.
    is_known: bool,
}

impl<R: Rule> Chooser<R> {
    /// Creates the learner, before its first round, with the choices of a coalition: out or in.
    pub fn new(options: &R::Options) -> Chooser<R> {
        let common = Choices::default();
        Chooser {
            rule: R::new(options),
            menu: common.menu(),
            payoffs: SCORES,
            common,
            played: 0,
            last: None,
            law: Vec::new(),
            is_known: true,
        }
    }

    /// The rule.
    pub fn rule(&self) -> &R {
        &self.rule
    }

    /// Probabilities of the first round.
    fn first(&self, choices: usize) -> Vec<f64> {
        self.common.first_law(choices)
    }

    /// Starts with this number of choices, unless it has started.
    fn begin(&mut self, choices: usize) {
        if self.law.is_empty() {
            self.law = self.first(choices);
            self.rule.begin(&self.law);
            self.renew();
        }
    }

    fn renew(&mut self) {
        self.is_known = self.rule.law(&mut self.law);
    }

    /// Probability of taking part and median level of participation, given the probabilities.
    fn told(&self, law: &[f64]) -> (f64, Option<f64>) {
        let levels = &self.common.levels;
        if levels.is_empty() {
            let joins = self.menu.iter().zip(law).filter(|(act, _)| act.is_in());
            let joins = joins.map(|(_, probability)| probability).sum::<f64>();
            let is_sure = self.menu.iter().all(|act| act.is_in());
            return (if is_sure { 1.0 } else { joins.min(1.0) }, self.common.level);
        }
        let of_levels = &law[law.len() - levels.len()..];
        let takes_part: f64 = of_levels.iter().sum();
        let mut rest = takes_part / 2.0;
        let median = levels.iter().zip(of_levels).find(|&(_, probability)| {
            rest -= probability;
            rest <= 0.0
        });
        let is_sure = self.menu.len() == levels.len();
        (if is_sure { 1.0 } else { takes_part.min(1.0) }, median.map(|(&level, _)| level))
    }
}

impl<R: Rule> Learner for Chooser<R> {
    type Sees = R::Sees;

    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        let choices = match actions {
            Actions::Menu { count, .. } => count as usize,
            Actions::Coalition | Actions::Absent => self.menu.len(),
        };
        self.begin(choices);
        assert_eq!(self.law.len(), choices, "a game offers as many choices in each round");
        self.played = self.rule.choose(&self.law, draws);
        match actions {
            Actions::Menu { .. } => Act::Choose(self.played as u32),
            Actions::Coalition | Actions::Absent => self.menu[self.played],
        }
    }

    fn learn(&mut self, seen: Seen<'_, R::Sees>, draws: &mut Draws<'_>) {
        let [least, most] = self.payoffs;
        let is_excluded = !self.common.lies.is_empty()
            && seen.act() == Act::Out
            && self.menu[self.played] != Act::Out;
        self.played = match seen.act() {
            Act::Choose(entry) => entry as usize,
            // A newcomer's probation has no cause.
            Act::Out if is_excluded => match self.last {
                Some(last) => last,
                None => return,
            },
            act => self.menu.iter().position(|&one| one == act).unwrap_or(self.played),
        };
        self.last = (!self.common.lies.is_empty()).then_some(self.played);
        self.begin(self.menu.len());
        let (choices, played) = (self.law.len(), self.played);
        let round = Round { seen, choices, played, least, width: most - least };
        self.rule.learn(&round, draws);
        self.renew();
    }

    fn stance(&self) -> Stance {
        let choices = self.menu.len();
        let first = match self.law.is_empty() && self.common.check_for(choices).is_ok() {
            true => self.first(choices),
            false => Vec::new(),
        };
        let law = if self.law.is_empty() { &first[..] } else { &self.law[..] };
        if !self.is_known || law.len() != self.menu.len() {
            let level = self.common.level;
            return Stance { probability: None, level, declared: declared(level).level };
        }
        let (probability, level) = self.told(law);
        Stance { probability: Some(probability), level, declared: declared(level).level }
    }

    fn choices(&self) -> Option<&Choices> {
        Some(&self.common)
    }

    fn choose_among(&mut self, choices: &Choices) {
        self.menu = choices.menu();
        self.payoffs = choices.payoffs.unwrap_or(SCORES);
        self.common = choices.clone();
    }

    fn law(&self) -> &[f64] {
        if self.is_known { &self.law } else { &[] }
    }

    fn read(&mut self, payoffs: [f64; 2], cooperate: Option<u32>) {
        self.payoffs = self.common.payoffs.unwrap_or(payoffs);
        self.rule.read(payoffs, cooperate);
    }

    fn is_searching(&self) -> bool {
        self.rule.is_searching()
    }
}

impl<R: Rule> State for Chooser<R> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.law.len(), self.played, self.last), out);
        self.rule.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let choices;
        (choices, self.played, self.last) = take(from)?;
        let most = self.last.unwrap_or(0).max(self.played);
        if choices > (1 << 24) || most > choices {
            return Err(Corrupt::Content(format!("a choice of {choices}")));
        }
        self.law = if choices == 0 { Vec::new() } else { self.first(choices) };
        if choices > 0 {
            self.rule.begin(&self.law);
        }
        self.rule.load(from)?;
        if choices > 0 {
            self.renew();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cross;
    use super::super::tests::shown;
    use super::*;
    use kernel::rng::Streams;

    /// Out, in, and in with one lie, of which it plays the last first.
    fn liar() -> cross::Cross {
        let mut learner = Chooser::new(&cross::Options::default());
        let lies = vec![Lies { factor: 1.5, ..Lies::default() }];
        learner.choose_among(&Choices {
            lies,
            out: true,
            first: vec![0.0, 0.1, 0.9],
            ..Choices::default()
        });
        learner
    }

    fn act(learner: &mut cross::Cross) -> Act {
        Learner::act(learner, Actions::Coalition, &mut Streams::new(1).draws("act"))
    }

    #[test]
    fn the_rounds_of_an_exclusion_count_for_the_lie_before_them() {
        let lie = Act::In(Terms { lie: 1, ..Terms::ANY });
        let (mut excluded, mut lying) = (liar(), liar());
        // During a probation nothing is learned.
        act(&mut excluded);
        shown(&mut excluded, Act::Out, 0.0, 0);
        assert_eq!(Learner::law(&excluded), [0.0, 0.1, 0.9]);
        for learner in [&mut excluded, &mut lying] {
            act(learner);
            shown(learner, lie, 1.5, 2);
        }
        assert_ne!(act(&mut excluded), Act::Out);
        shown(&mut excluded, Act::Out, 0.0, 0);
        act(&mut lying);
        shown(&mut lying, lie, 0.0, 2);
        assert_eq!(Learner::law(&excluded), Learner::law(&lying));
        assert!(Learner::stance(&lying).probability.is_some_and(|joins| joins > 0.999));
    }

    #[test]
    fn lies_have_a_menu_of_their_own() {
        let refused = |choices: Choices| choices.check().unwrap_err().message;
        let lies = vec![Lies::default()];
        let levels = Choices { lies: lies.clone(), levels: vec![5.0], ..Choices::default() };
        assert!(refused(levels).contains("leave one of them out"));
        let of = vec![Lies { of: Some(1), ..Lies::default() }];
        assert!(refused(Choices { lies: of, ..Choices::default() }).contains("leave out `of`"));
        let menu = Choices { lies, level: Some(5.0), ..Choices::default() }.menu();
        assert_eq!(menu.len(), 2);
        assert!(menu.iter().all(|act| act.is_in()));
    }
}
