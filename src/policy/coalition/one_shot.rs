//! Two-cluster games (Rzadca and Trystram 2009, section 4.1, Table 1): one played once, and one
//! with long-term commitment.

use super::delay_cost::{expected_delay, surplus};
use game::matrix::Matrix;
use stats::law::Law;

/// The row player of the basic game sends part of its load.
pub const SEND: u32 = 0;
/// The column player of the basic game accepts it.
pub const RECEIVE: u32 = 0;
/// Refuse to balance: compute locally, or reject.
pub const REFUSE: u32 = 1;
/// Take part in the cooperation game.
pub const COOPERATE: u32 = 0;

/// Table 1a: the sender gains the work it sends, the receiver pays the expected delay of its next
/// job; nothing happens unless both agree.
///
/// Receiving is (weakly) dominated: it costs nothing if nobody sends. Yet it is part of the social
/// optimum.
pub fn basic(gaps: &Law, load: f64, foreign: f64) -> Matrix {
    let delay = expected_delay(gaps, load, foreign);
    let nothing = (0.0, 0.0);
    Matrix::of_two([[(foreign, -delay), nothing], [nothing, nothing]])
}

/// Table 1b: a player that sends as often as it receives gains half of the surplus.
///
/// Cooperation is (weakly) dominant: alone it brings nothing. So mutual refusal is an equilibrium
/// too, but leaving it costs nobody anything.
pub fn committed(gaps: &Law, load: f64, foreign: f64) -> Matrix {
    let half = 0.5 * surplus(gaps, load, foreign);
    let nothing = (0.0, 0.0);
    Matrix::of_two([[(half, half), nothing], [nothing, nothing]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::matrix::Dominance;

    const PAPER: Law = Law::Exponential { mean: 5.0 };
    const CASES: [(f64, f64); 5] = [(0.0, 1.0), (0.0, 5.0), (5.0, 5.0), (40.0, 0.1), (1.0, 300.0)];

    /// LB-G-01.
    #[test]
    fn the_basic_game_pays_what_table_1a_says() {
        let game = basic(&PAPER, 5.0, 5.0);
        let cell = |profile: &[u32]| [0, 1].map(|player| game.payoff(player, profile));
        let [sender, receiver] = cell(&[SEND, RECEIVE]);
        assert_eq!(sender, 5.0);
        assert!((receiver + 3.837_279_210_326).abs() < 1e-12);
        for refused in [[SEND, REFUSE], [REFUSE, RECEIVE], [REFUSE, REFUSE]] {
            assert_eq!(cell(&refused), [0.0, 0.0]);
        }
    }

    /// LB-G-02: balancing is the only social optimum, and in no equilibrium.
    #[test]
    fn played_once_nobody_receives() {
        for (load, foreign) in CASES {
            let game = basic(&PAPER, load, foreign);
            assert_eq!(game.optima(), [[SEND, RECEIVE]]);
            assert_eq!(game.dominant(0), Some((SEND, Dominance::Weak)));
            assert_eq!(game.dominant(1), Some((REFUSE, Dominance::Weak)));
            assert_eq!(game.equilibria(), [[SEND, REFUSE], [REFUSE, REFUSE]]);
            assert_eq!(game.best_replies(1, &[SEND, RECEIVE]), [REFUSE]);
        }
    }

    /// LB-G-04.
    #[test]
    fn committed_players_cooperate() {
        for (load, foreign) in CASES {
            let game = committed(&PAPER, load, foreign);
            let both = game.payoff(0, &[COOPERATE, COOPERATE]);
            let basic = basic(&PAPER, load, foreign);
            assert!(both > 0.0 && (2.0 * both - basic.welfare(&[SEND, RECEIVE])).abs() < 1e-12);
            for player in [0, 1] {
                assert_eq!(game.dominant(player), Some((COOPERATE, Dominance::Weak)));
                assert_eq!(game.best_replies(player, &[COOPERATE, COOPERATE]), [COOPERATE]);
            }
            assert_eq!(game.optima(), [[COOPERATE, COOPERATE]]);
            assert_eq!(game.equilibria(), [[COOPERATE, COOPERATE], [REFUSE, REFUSE]]);
        }
    }

    /// If the next job is certain to arrive before the load is done, balancing gains nothing and
    /// committed players are indifferent: the paper's condition needs gaps that may be long.
    #[test]
    fn with_constant_gaps_there_may_be_nothing_to_gain() {
        let gaps = Law::Constant(5.0);
        assert_eq!(committed(&gaps, 5.0, 3.0).dominant(0), None);
        assert_eq!(basic(&gaps, 5.0, 3.0).optima().len(), 4);
        assert_eq!(committed(&gaps, 4.0, 3.0).dominant(0), Some((COOPERATE, Dominance::Weak)));
    }
}
