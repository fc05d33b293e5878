//! How an organization learns whether and how far to take part.
//!
//! To add a learner: copy the smallest neighbour (`always.rs`), and add its line to the registry
//! below. The scenario reader, the list of parts, the conformance test and the saved state pick it
//! up from there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::stage::{Act, Actions, Info, Outcome, Seen, Wanted};
use crate::kernel::rng::Draws;
use crate::kernel::state::{Corrupt, State};
use crate::kernel::time::Span;
use crate::model::entry::Entry;
use crate::model::invalid::Invalid;

pub mod always;
pub mod best_reply;
pub mod boltzmann_q;
pub mod bush_mosteller;
pub mod choose;
pub mod conditional_regret;
pub mod cross;
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
pub mod moods;
pub mod never;
pub mod phc;
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

/// What a learner tells of itself, for tables and pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// The probability with which it takes part in the next round, where it has one.
    pub probability: Option<f64>,
    /// The participation level where it stands, in units, where it has one.
    pub level: Option<f64>,
    /// The level that it declares where it takes part: the one where it stands, perhaps rounded.
    pub declared: Option<Span>,
}

/// Decides whether and how far an organization takes part. It draws from streams of its own, named
/// for the round and the purpose, so that no generator has to be saved.
pub trait Learner: State {
    /// Its information label.
    type Sees: Info;

    /// What it does in the next round.
    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act;

    /// Learns from what it is shown of the round.
    fn learn(&mut self, seen: Seen<'_, Self::Sees>, draws: &mut Draws<'_>);

    /// Where it stands.
    fn stance(&self) -> Stance;

    /// What it chooses among and how it reads payoffs, if it chooses among a finite number of acts.
    fn choices(&self) -> Option<&Choices> {
        None
    }

    /// The probabilities of its choices in the next round; empty where they are not known, or
    /// before the first.
    fn law(&self) -> &[f64] {
        &[]
    }

    /// Says which payoffs of the game are to be read as 0 and as 1, where its parameters do not.
    fn read(&mut self, _: [f64; 2]) {}
}

/// A learner whose label is forgotten, so that players with different labels sit at one table.
pub trait Player: State {
    /// What has to be computed for it.
    fn wanted(&self) -> Wanted;
    /// See [`Learner::act`].
    fn decide(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act;
    /// Shows it its part of the outcome.
    fn observe(&mut self, outcome: &Outcome, me: usize, draws: &mut Draws<'_>);
    /// See [`Learner::stance`].
    fn stance(&self) -> Stance;
    /// See [`Learner::choices`].
    fn choices(&self) -> Option<&Choices>;
    /// See [`Learner::law`].
    fn law(&self) -> &[f64];
    /// See [`Learner::read`].
    fn read(&mut self, payoffs: [f64; 2]);
}

impl<L: Learner> Player for L {
    fn wanted(&self) -> Wanted {
        L::Sees::WANTED
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
    fn law(&self) -> &[f64] {
        Learner::law(self)
    }
    fn read(&mut self, payoffs: [f64; 2]) {
        Learner::read(self, payoffs);
    }
}

/// One line a learner: its variant, its module, its type, its summary and its source.
macro_rules! registry {
    ($($variant:ident, $module:ident::$type:ident, $summary:literal, $citation:literal;)*) => {
        /// A learner as a scenario names it, with its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum LearnerOptions {
            $(#[doc = $summary] $variant($module::Options),)*
        }

        /// A registered learner, built.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyLearner {
            $(#[doc = $summary] $variant($module::$type),)*
        }

        /// All registered learners, in the order in which they are listed.
        pub const REGISTRY: &[Entry] = &[
            $(Entry::new(stringify!($module), $citation),)*
        ];

        impl LearnerOptions {
            /// Builds the learner; its parameters were found right.
            pub fn build(&self) -> AnyLearner {
                match self {
                    $(Self::$variant(options) => {
                        AnyLearner::$variant($module::$type::new(options))
                    })*
                }
            }

            /// Can the parameters be?
            ///
            /// # Errors
            /// The first field that cannot.
            pub fn check(&self) -> Result<(), Invalid> {
                match self {
                    $(Self::$variant(options) => options.check(),)*
                }
                .map_err(|invalid| invalid.within(self.name()))
            }

            /// Its name in a scenario.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($module),)*
                }
            }

            /// What its information label is called.
            pub fn label(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => <$module::$type as Learner>::Sees::NAME,)*
                }
            }

            /// What its information label knows.
            pub fn wanted(&self) -> Wanted {
                match self {
                    $(Self::$variant(_) => <$module::$type as Learner>::Sees::WANTED,)*
                }
            }

            /// Every learner with its default parameters.
            pub fn defaults() -> Vec<LearnerOptions> {
                vec![$(Self::$variant($module::Options::default()),)*]
            }
        }

        impl State for AnyLearner {
            fn save(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant(learner) => learner.save(out),)*
                }
            }
            fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
                match self {
                    $(Self::$variant(learner) => learner.load(from),)*
                }
            }
        }

        /// Each sees what its own label allows.
        impl Player for AnyLearner {
            fn wanted(&self) -> Wanted {
                match self {
                    $(Self::$variant(learner) => learner.wanted(),)*
                }
            }
            fn decide(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
                match self {
                    $(Self::$variant(learner) => learner.decide(actions, draws),)*
                }
            }
            fn observe(&mut self, outcome: &Outcome, me: usize, draws: &mut Draws<'_>) {
                match self {
                    $(Self::$variant(learner) => learner.observe(outcome, me, draws),)*
                }
            }
            fn stance(&self) -> Stance {
                match self {
                    $(Self::$variant(learner) => Player::stance(learner),)*
                }
            }
            fn choices(&self) -> Option<&Choices> {
                match self {
                    $(Self::$variant(learner) => Player::choices(learner),)*
                }
            }
            fn law(&self) -> &[f64] {
                match self {
                    $(Self::$variant(learner) => Player::law(learner),)*
                }
            }
            fn read(&mut self, payoffs: [f64; 2]) {
                match self {
                    $(Self::$variant(learner) => Player::read(learner, payoffs),)*
                }
            }
        }
    };
}

registry! {
    Ratio, ratio::Ratio,
        "The probability to take part follows the ratio of flow times with and without the others.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 4.2.1";
    Level, level::Level,
        "Always in; the declared level grows or shrinks with the ratio of flow times.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 6.3";
    Threshold, threshold::Threshold,
        "In at those balancings that find the own queue longer than a threshold.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 5";
    Cross, cross::Cross,
        "What brought much is done more often: the linear reward-inaction automaton.",
        "Cross, Quarterly Journal of Economics 87(2), 1973; Sastry, Phansalkar and Thathachar, IEEE Transactions on Systems, Man, and Cybernetics 24(5), 1994";
    Hedge, hedge::Hedge,
        "Exponential weights of what each action would have brought.",
        "Freund and Schapire, Journal of Computer and System Sciences 55(1), 1997";
    RewardPenalty, reward_penalty::RewardPenalty,
        "What brought much is done more often, what brought little less often: L_R-P and L_R-eP.",
        "Narendra and Thathachar, IEEE Transactions on Systems, Man, and Cybernetics 4(4), 1974";
    BushMosteller, bush_mosteller::BushMosteller,
        "What satisfies an aspiration is done more often, what does not less often.",
        "Bush and Mosteller, Stochastic Models for Learning, Wiley 1955; Macy and Flache, Proceedings of the National Academy of Sciences 99(suppl. 3), 2002";
    RothErev, roth_erev::RothErev,
        "An action is chosen in proportion to what it has brought so far.",
        "Roth and Erev, Games and Economic Behavior 8(1), 1995; Erev and Roth, American Economic Review 88(4), 1998";
    Exp3, exp3::Exp3,
        "Exponential weights of own payoffs, each weighed by how seldom it is seen.",
        "Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 3";
    Exp3Ix, exp3_ix::Exp3Ix,
        "Exponential weights of own payoffs with implicit exploration.",
        "Neu, Advances in Neural Information Processing Systems 28, 2015";
    Exp3S, exp3_s::Exp3S,
        "Exponential weights of own payoffs that follow what is best as it changes.",
        "Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 8";
    Ucb, ucb::Ucb,
        "The action that is best if it is as good as it can still be.",
        "Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002; Garivier and Moulines, Algorithmic Learning Theory 2011";
    EpsilonGreedy, epsilon_greedy::EpsilonGreedy,
        "The action that was best so far, now and then another.",
        "Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, section 4";
    Thompson, thompson::Thompson,
        "The action that is best in a draw from what is believed of each.",
        "Thompson, Biometrika 25(3/4), 1933; Agrawal and Goyal, Conference on Learning Theory 2012";
    BoltzmannQ, boltzmann_q::BoltzmannQ,
        "Moving averages of own payoffs, drawn by their exponentials over a temperature.",
        "Watkins and Dayan, Machine Learning 8, 1992; Leslie and Collins, SIAM Journal on Control and Optimization 44(2), 2005";
    Phc, phc::Phc,
        "Small steps towards the best action, larger ones when losing: PHC and WoLF-PHC.",
        "Bowling and Veloso, Artificial Intelligence 136(2), 2002";
    RegretMatching, regret_matching::RegretMatching,
        "In proportion to what each action would have brought beyond what was got.",
        "Hart and Mas-Colell, Econometrica 68(5), 2000; Blackwell, Pacific Journal of Mathematics 6(1), 1956";
    ConditionalRegret, conditional_regret::ConditionalRegret,
        "Leaves its last action in proportion to what another would have brought in its place.",
        "Hart and Mas-Colell, Econometrica 68(5), 2000";
    FictitiousPlay, fictitious_play::FictitiousPlay,
        "The best reply to how often each of the others did what.",
        "Brown, in Activity Analysis of Production and Allocation, 1951; Fudenberg and Levine, Journal of Economic Dynamics and Control 19(5), 1995";
    BestReply, best_reply::BestReply,
        "Moves, with inertia, to an action that would have been best in the last round.",
        "Young, Strategic Learning and its Limits, Oxford 2004; Marden, Arslan and Shamma, IEEE Transactions on Systems, Man, and Cybernetics B 39(6), 2009";
    FollowTheLeader, follow_the_leader::FollowTheLeader,
        "The action that would have brought most in all past rounds together.",
        "Hannan, in Contributions to the Theory of Games III, 1957; Cesa-Bianchi and Lugosi, Prediction, Learning, and Games, Cambridge 2006";
    Moods, moods::Moods,
        "Content, it seldom tries anything else; discontent, it tries anything.",
        "Marden, Young and Pao, SIAM Journal on Control and Optimization 52(5), 2014";
    TitForTat, tit_for_tat::TitForTat,
        "In while enough of the others were in the last round.",
        "Axelrod, The Evolution of Cooperation, 1984; Nowak and Sigmund, Nature 355, 1992";
    Grim, grim::Grim,
        "In until it is let down, then out for some rounds or for ever.",
        "Friedman, Review of Economic Studies 38(1), 1971; Green and Porter, Econometrica 52(1), 1984";
    WinStay, win_stay::WinStay,
        "Repeats what brought enough, and shifts to the next action else.",
        "Nowak and Sigmund, Nature 364, 1993";
    Genetic, genetic::Genetic,
        "A population of actions of which the fitter are bred.",
        "Goldberg and Deb, in Foundations of Genetic Algorithms 1, 1991; Eshelman and Schaffer, in Foundations of Genetic Algorithms 2, 1993";
    Unison, unison::Unison,
        "Choices are tried in turn, in step with the others, and the worse half is dropped each time.",
        "gridpact's own, in step; halving: Karnin, Koren and Somekh, Proceedings of ICML 2013, PMLR 28(3)";
    Fixed, fixed::Fixed,
        "In with a fixed probability, at a fixed level; it learns nothing.",
        "a control; Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, tables 2 to 5";
    Always, always::Always,
        "Always in; it learns nothing.",
        "a control";
    Never, never::Never,
        "Always out; it learns nothing.",
        "a control";
}

impl LearnerOptions {
    /// Can the parameters be, of one that chooses what there is in a coalition?
    ///
    /// # Errors
    /// The first field that cannot.
    pub fn check_in_coalition(&self) -> Result<(), Invalid> {
        self.check()?;
        let learner = self.build();
        let choices = learner.choices();
        choices
            .map_or(Ok(()), |choices| choices.check_for(choices.menu().len()))
            .map_err(|invalid| invalid.within(self.name()))
    }

    /// False of controls, which go on as they begin.
    pub fn learns(&self) -> bool {
        use LearnerOptions::{Always, Fixed, Never, Threshold};
        !matches!(self, Always(_) | Fixed(_) | Never(_) | Threshold(_))
    }
}

#[cfg(test)]
mod tests {
    use super::support::gain;
    use super::*;
    use crate::game::stage::{OwnAndOut, Terms};
    use crate::kernel::rng::Streams;

    /// The score of section 4.2.2 of the paper.
    pub fn score(flow: f64, alone: f64) -> f64 {
        if flow < alone { alone / flow - 1.0 } else { 1.0 - flow / alone }
    }

    /// Shows a learner a round in which it did something and got a score; staying out brings 0.
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
