//! Learners: an organization learns whether to take part in a coalition, and at what level.
//!
//! To add a learner: copy the smallest neighbour (`cross.rs`, of one that does not choose among actions
//! `always.rs`) and add its line to the registry below, before `never`. The scenario reader, the list of
//! parts, the conformance test and the saved state use the registry.

use serde::{Deserialize, Serialize};

use crate::peer::Command;
use game::stage::{Act, Actions, Info, Outcome, Seen, Wanted};
use kernel::rng::{Draws, Streams};
use kernel::state::State;
use kernel::time::Span;
use model::registry::registry;
use stats::shown::{figure, percent};

pub mod always;
pub mod best_reply;
pub mod boltzmann_q;
pub mod bush_mosteller;
pub mod choose;
pub mod conditional_regret;
pub mod cross;
pub mod echelon;
pub mod epsilon_greedy;
pub mod exp3;
pub mod exp3_ix;
pub mod exp3_s;
pub mod fictitious_play;
pub mod fixed;
pub mod follow_the_leader;
pub mod genetic;
pub mod grim;
pub mod hedge;
pub mod level;
pub mod lies;
pub mod moods;
pub mod never;
pub mod phc;
pub mod process;
pub mod ratio;
pub mod regret_matching;
pub mod reward_penalty;
pub mod roth_erev;
mod support;
pub mod thompson;
pub mod threshold;
pub mod tit_for_tat;
pub mod ucb;
pub mod unison;
pub mod win_stay;

use choose::Choices;

/// Published state of a learner, for tables and plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// Probability of taking part in the next round, if it has one.
    pub probability: Option<f64>,
    /// Participation level that it has learned, in units, if it has one.
    pub level: Option<f64>,
    /// Level that it declares when taking part: the learned one, possibly rounded.
    pub declared: Option<Span>,
}

/// Decides about an organization's participation and its level. Draws come from its own streams,
/// one for each round and purpose, so no generator needs saving.
pub trait Learner: State {
    /// Its information label.
    type Sees: Info;

    /// Its action in the next round.
    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act;

    /// Learns from its view of the round.
    fn learn(&mut self, seen: Seen<'_, Self::Sees>, draws: &mut Draws<'_>);

    /// Counterfactuals that it needs: those of its label.
    fn wants(&self) -> Wanted {
        Self::Sees::WANTED
    }

    /// Called before each round, with its actions then, the name of its stream, and the streams.
    fn meet(&mut self, _: Actions, _: &str, _: &Streams) {}

    /// Its current state.
    fn stance(&self) -> Stance;

    /// Its choices and its scaling of payoffs, if it chooses among a finite number of actions.
    fn choices(&self) -> Option<&Choices> {
        None
    }

    /// Sets its choices before the first round, if it chooses among a finite number of actions.
    fn choose_among(&mut self, _: &Choices) {}

    /// Probabilities of its choices in the next round; empty if unknown, or before the first.
    fn law(&self) -> &[f64] {
        &[]
    }

    /// Sets the payoffs of the game that are scaled to 0 and 1, unless its parameters do, and the
    /// entry of the action that cooperates, if the game names one.
    fn read(&mut self, _: [f64; 2], _: Option<u32>) {}

    /// True while it tries choices on a fixed schedule; its actions then do not reveal its later
    /// play.
    fn is_searching(&self) -> bool {
        false
    }
}

/// A learner with its label erased, so that players with different labels can play together.
pub trait Player: State {
    /// Counterfactuals that it needs.
    fn wanted(&self) -> Wanted;
    /// See [`Learner::meet`].
    fn meet(&mut self, actions: Actions, name: &str, streams: &Streams);
    /// See [`Learner::act`].
    fn decide(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act;
    /// Shows it its view of the outcome.
    fn observe(&mut self, outcome: &Outcome, me: usize, draws: &mut Draws<'_>);
    /// See [`Learner::stance`].
    fn stance(&self) -> Stance;
    /// See [`Learner::choices`].
    fn choices(&self) -> Option<&Choices>;
    /// See [`Learner::choose_among`].
    fn choose_among(&mut self, choices: &Choices);
    /// See [`Learner::law`].
    fn law(&self) -> &[f64];
    /// See [`Learner::read`].
    fn read(&mut self, payoffs: [f64; 2], cooperate: Option<u32>);
    /// See [`Learner::is_searching`].
    fn is_searching(&self) -> bool;
}

impl<L: Learner> Player for L {
    fn wanted(&self) -> Wanted {
        self.wants()
    }
    fn meet(&mut self, actions: Actions, name: &str, streams: &Streams) {
        Learner::meet(self, actions, name, streams);
    }
    fn decide(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        self.act(actions, draws)
    }
    fn observe(&mut self, outcome: &Outcome, me: usize, draws: &mut Draws<'_>) {
        self.learn(Seen::cut(outcome, me), draws);
    }
    fn stance(&self) -> Stance {
        Learner::stance(self)
    }
    fn choices(&self) -> Option<&Choices> {
        Learner::choices(self)
    }
    fn choose_among(&mut self, choices: &Choices) {
        Learner::choose_among(self, choices);
    }
    fn law(&self) -> &[f64] {
        Learner::law(self)
    }
    fn read(&mut self, payoffs: [f64; 2], cooperate: Option<u32>) {
        Learner::read(self, payoffs, cooperate);
    }
    fn is_searching(&self) -> bool {
        Learner::is_searching(self)
    }
}

registry! {
    /// A learner by its name in a scenario, with its parameters.
    options LearnerOptions;

    /// A registered learner, built.
    #[derive(Clone, Debug, PartialEq)]
    built AnyLearner, saved;

    each each;

    Ratio, ratio::Ratio,
        "The paper's rule: the participation probability follows the ratio of flow times in the coalition and alone.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 4.2.1";
    Level, level::Level,
        "Always takes part; its participation level grows or shrinks with the ratio of flow times.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 6.3";
    Threshold, threshold::Threshold,
        "Takes part in a balancing if its own queue is longer than a threshold.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 5";
    Cross, cross::Cross,
        "Linear reward-inaction: actions that pay well become more likely.",
        "Cross, Quarterly Journal of Economics 87(2), 1973; Sastry, Phansalkar and Thathachar, IEEE Transactions on Systems, Man, and Cybernetics 24(5), 1994";
    Hedge, hedge::Hedge,
        "Exponential weights on what each action would have paid.",
        "Freund and Schapire, Journal of Computer and System Sciences 55(1), 1997";
    RewardPenalty, reward_penalty::RewardPenalty,
        "Linear reward-penalty (L_R-P, L_R-eP): actions that pay well become more likely, others less.",
        "Narendra and Thathachar, IEEE Transactions on Systems, Man, and Cybernetics 4(4), 1974";
    BushMosteller, bush_mosteller::BushMosteller,
        "Actions that meet an aspiration become more likely, others less.",
        "Bush and Mosteller, Stochastic Models for Learning, Wiley 1955; Macy and Flache, Proceedings of the National Academy of Sciences 99(suppl. 3), 2002";
    RothErev, roth_erev::RothErev,
        "Chooses an action in proportion to its accumulated payoff.",
        "Roth and Erev, Games and Economic Behavior 8(1), 1995; Erev and Roth, American Economic Review 88(4), 1998";
    Exp3, exp3::Exp3,
        "Exponential weights on own payoffs, divided by the probability of the action.",
        "Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 3";
    Exp3Ix, exp3_ix::Exp3Ix,
        "Exponential weights on own payoffs, with implicit exploration.",
        "Neu, Advances in Neural Information Processing Systems 28, 2015";
    Exp3S, exp3_s::Exp3S,
        "Exponential weights on own payoffs that track a best action that changes.",
        "Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 8";
    Ucb, ucb::Ucb,
        "Optimism: the action with the largest upper confidence bound on its payoff.",
        "Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002; Garivier and Moulines, Algorithmic Learning Theory 2011";
    EpsilonGreedy, epsilon_greedy::EpsilonGreedy,
        "The best action so far, and sometimes a random one.",
        "Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, section 4";
    Thompson, thompson::Thompson,
        "The best action in a sample from the posterior of each.",
        "Thompson, Biometrika 25(3/4), 1933; Agrawal and Goyal, Conference on Learning Theory 2012";
    BoltzmannQ, boltzmann_q::BoltzmannQ,
        "Q-learning on own payoffs, with softmax choice at a temperature.",
        "Watkins and Dayan, Machine Learning 8, 1992; Leslie and Collins, SIAM Journal on Control and Optimization 44(2), 2005";
    Phc, phc::Phc,
        "Policy hill climbing (PHC, WoLF-PHC): small steps towards the best action, larger when losing.",
        "Bowling and Veloso, Artificial Intelligence 136(2), 2002";
    RegretMatching, regret_matching::RegretMatching,
        "Chooses each action in proportion to its regret.",
        "Hart and Mas-Colell, Econometrica 68(5), 2000; Blackwell, Pacific Journal of Mathematics 6(1), 1956";
    ConditionalRegret, conditional_regret::ConditionalRegret,
        "Switches from its last action in proportion to the regret of not having played another instead.",
        "Hart and Mas-Colell, Econometrica 68(5), 2000";
    FictitiousPlay, fictitious_play::FictitiousPlay,
        "The best response to how often each of the others has played each action.",
        "Brown, in Activity Analysis of Production and Allocation, 1951; Fudenberg and Levine, Journal of Economic Dynamics and Control 19(5), 1995";
    BestReply, best_reply::BestReply,
        "Switches, with inertia, to a best response to the last round.",
        "Young, Strategic Learning and its Limits, Oxford 2004; Marden, Arslan and Shamma, IEEE Transactions on Systems, Man, and Cybernetics B 39(6), 2009";
    FollowTheLeader, follow_the_leader::FollowTheLeader,
        "The action with the largest total payoff over all past rounds.",
        "Hannan, in Contributions to the Theory of Games III, 1957; Cesa-Bianchi and Lugosi, Prediction, Learning, and Games, Cambridge 2006";
    Moods, moods::Moods,
        "Seldom experiments while content, and tries anything while discontent.",
        "Marden, Young and Pao, SIAM Journal on Control and Optimization 52(5), 2014";
    TitForTat, tit_for_tat::TitForTat,
        "Takes part if enough of the others did in the last round.",
        "Axelrod, The Evolution of Cooperation, 1984; Nowak and Sigmund, Nature 355, 1992";
    Grim, grim::Grim,
        "Takes part until it is disappointed, then stays out for some rounds or forever.",
        "Friedman, Review of Economic Studies 38(1), 1971; Green and Porter, Econometrica 52(1), 1984";
    WinStay, win_stay::WinStay,
        "Repeats an action that paid enough, otherwise shifts to the next one.",
        "Nowak and Sigmund, Nature 364, 1993";
    Genetic, genetic::Genetic,
        "A genetic algorithm over a population of actions.",
        "Goldberg and Deb, in Foundations of Genetic Algorithms 1, 1991; Eshelman and Schaffer, in Foundations of Genetic Algorithms 2, 1993";
    Unison, unison::Unison,
        "Tries choices in turn, in step with the others, and drops the worse half each time.",
        "gridpact's own, in step; halving: Karnin, Koren and Somekh, Proceedings of ICML 2013, PMLR 28(3)";
    Echelon, echelon::Echelon,
        "Searches ordered choices in ever longer blocks and narrower windows; needs no common start.",
        "gridpact's own";
    Process, process::Process,
        "A program in any language decides, asked over lines of JSON.",
        "the user's own; after Dutot, Mercier, Poquet and Richard, Batsim, JSSPP 2015";
    Fixed, fixed::Fixed,
        "Takes part with a fixed probability, at a fixed level; does not learn.",
        "a control; Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, tables 2 to 5";
    Always, always::Always,
        "Always takes part; does not learn.",
        "a control";
    Never, never::Never,
        "Always stays out; does not learn.",
        "a control";
}

impl LearnerOptions {
    /// The program that decides, if one does.
    pub fn command(&mut self) -> Option<&mut Command> {
        match self {
            LearnerOptions::Process(options) => Some(&mut options.command),
            _ => None,
        }
    }

    /// Builds the learner from validated parameters.
    pub fn build(&self) -> AnyLearner {
        each!(self, Part, options => Part::new(options).into())
    }

    /// Builds the learner with these choices.
    pub fn choosing(&self, choices: &Choices) -> AnyLearner {
        let mut learner = self.build();
        learner.choose_among(choices);
        learner
    }

    /// True if it chooses among a finite number of actions, by the rule that it names.
    pub fn takes_choices(&self) -> bool {
        self.build().choices().is_some()
    }

    /// Name of its information label.
    pub fn label(&self) -> &'static str {
        if let LearnerOptions::Process(options) = self {
            return options.sees.name();
        }
        each!(self, Part, _ => <Part as Learner>::Sees::NAME)
    }

    /// Counterfactuals that its information label needs.
    pub fn wanted(&self) -> Wanted {
        if let LearnerOptions::Process(options) = self {
            return options.sees.wanted();
        }
        each!(self, Part, _ => <Part as Learner>::Sees::WANTED)
    }

    /// True if it takes part or stays out, so that a game must say which action cooperates.
    pub fn cooperates(&self) -> bool {
        use LearnerOptions::{Always, Fixed, Grim, Never, Ratio, TitForTat};
        matches!(self, Always(_) | Fixed(_) | Grim(_) | Never(_) | Ratio(_) | TitForTat(_))
    }

    /// The rule in words, where it follows from the parameters, the range of the payoffs and the
    /// name of the action that cooperates.
    pub fn told(&self, payoffs: [f64; 2], cooperate: &str) -> Option<String> {
        Some(match self {
            LearnerOptions::Always(_) => format!("always plays {cooperate}"),
            LearnerOptions::Never(_) => format!("never plays {cooperate}"),
            LearnerOptions::Fixed(fixed) => {
                format!("plays {cooperate} with probability {}", fixed.probability)
            }
            LearnerOptions::Ratio(_) => format!("learns to play {cooperate} or not"),
            LearnerOptions::TitForTat(rule) => {
                format!("plays {cooperate} while at least {} of the others do", percent(rule.share))
            }
            LearnerOptions::Grim(rule) => {
                let until = match rule.when {
                    grim::When::Score => {
                        format!("that pays less than {}", figure(rule.least_of(payoffs)))
                    }
                    grim::When::AnyoneOut => "anyone does not".to_owned(),
                };
                format!("plays {cooperate} until {until}")
            }
            LearnerOptions::WinStay(rule) => {
                format!("stays where it gets {} or more", figure(rule.aspiration_of(payoffs)))
            }
            _ => return None,
        })
    }

    /// False for controls, which never change.
    pub fn learns(&self) -> bool {
        use LearnerOptions::{Always, Fixed, Never, Threshold};
        !matches!(self, Always(_) | Fixed(_) | Never(_) | Threshold(_))
    }
}

/// Each learner sees what its own label allows.
impl Player for AnyLearner {
    fn wanted(&self) -> Wanted {
        each!(self, learner => learner.wanted())
    }
    fn meet(&mut self, actions: Actions, name: &str, streams: &Streams) {
        each!(self, learner => Player::meet(learner, actions, name, streams));
    }
    fn decide(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        each!(self, learner => learner.decide(actions, draws))
    }
    fn observe(&mut self, outcome: &Outcome, me: usize, draws: &mut Draws<'_>) {
        each!(self, learner => learner.observe(outcome, me, draws));
    }
    fn stance(&self) -> Stance {
        each!(self, learner => Player::stance(learner))
    }
    fn choices(&self) -> Option<&Choices> {
        each!(self, learner => Player::choices(learner))
    }
    fn choose_among(&mut self, choices: &Choices) {
        each!(self, learner => Player::choose_among(learner, choices));
    }
    fn law(&self) -> &[f64] {
        each!(self, learner => Player::law(learner))
    }
    fn read(&mut self, payoffs: [f64; 2], cooperate: Option<u32>) {
        each!(self, learner => Player::read(learner, payoffs, cooperate));
    }
    fn is_searching(&self) -> bool {
        each!(self, learner => Player::is_searching(learner))
    }
}

#[cfg(test)]
mod tests {
    use super::support::gain;
    use super::*;
    use game::stage::{OwnAndOut, Terms};
    use kernel::rng::Streams;

    /// Score by section 4.2.2 of the paper.
    pub fn score(flow: f64, alone: f64) -> f64 {
        if flow < alone { alone / flow - 1.0 } else { 1.0 - flow / alone }
    }

    /// Shows a learner a round with this action and score, in which staying out would have paid 0.
    pub fn shown(player: &mut impl Player, act: Act, score: f64, members: u32) {
        let outcome = Outcome {
            acts: vec![act],
            payoffs: vec![score],
            stayed_out: vec![act.is_in().then_some(0.0)],
            instead: vec![vec![0.0, score]],
            members,
            ..Outcome::default()
        };
        player.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
    }

    #[test]
    fn the_defaults_can_be_and_complaints_name_the_learner() {
        for options in LearnerOptions::defaults() {
            assert_eq!(options.check(), Ok(()), "{}", options.name());
        }
        let wrong = LearnerOptions::Ratio(ratio::Options { rate: 2.0, ..Default::default() });
        assert_eq!(wrong.check().unwrap_err().field, "ratio.rate");
    }

    #[test]
    fn an_infinite_score_is_a_large_one() {
        for options in LearnerOptions::defaults() {
            let after = |score| {
                let mut learner = options.build();
                shown(&mut learner, Act::In(Terms::ANY), score, 2);
                learner.stance()
            };
            for (infinite, large) in [(f64::INFINITY, 2.0), (f64::NEG_INFINITY, -2.0)] {
                assert_eq!(after(infinite), after(large), "{}", options.name());
            }
        }
        let outcome = Outcome {
            acts: vec![Act::In(Terms::ANY)],
            payoffs: vec![f64::INFINITY],
            stayed_out: vec![Some(f64::INFINITY)],
            ..Outcome::default()
        };
        assert_eq!(gain(&Seen::<OwnAndOut>::cut(&outcome, 0)), Some(0.0));
    }

    #[test]
    fn a_learner_asks_for_what_its_label_knows() {
        for options in LearnerOptions::defaults() {
            let label = options.label();
            let rules = label.contains("whole game");
            let instead = rules || label.contains("each action");
            let stayed_out = instead || label.contains("stayed out");
            let wanted = Wanted { stayed_out, instead, rules };
            assert_eq!(options.build().wanted(), wanted, "{}", options.name());
            assert_eq!(options.wanted(), wanted, "{}", options.name());
        }
        assert_eq!(LearnerOptions::defaults()[0].label(), "own payoff and had I stayed out");
    }
}
