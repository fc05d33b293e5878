//! Best-reply dynamics: of large populations in continuous time, and of a profile in turns.
//!
//! Continuous: dx = b(x) - x, where b(x) is the best reply to the shares (Gilboa and Matsui,
//! *Social stability and equilibrium*, Econometrica 59, 1991; Hofbauer and Sigmund, *Evolutionary
//! games and population dynamics*, 1998, section 8.1). On profiles: players take turns, and each
//! switches to its best reply to the others (Cournot's adjustment). This ends in an equilibrium in
//! every potential game (Monderer and Shapley, *Potential games*, Games and Economic Behavior 14,
//! 1996).

use super::{Dynamics, Society};
use crate::payoffs::{Payoffs, Tally};

/// Tolerance for ties: payoffs this close to the best count as best.
const TIE: f64 = 1e-12;

/// Continuous best-reply dynamics. Within a step the best reply is fixed and the path towards it
/// exact; several best replies get equal shares.
#[derive(Clone, Copy, Debug)]
pub struct BestReply<'a>(pub Society<'a>);

impl Dynamics for BestReply<'_> {
    fn advance(&self, at: &mut [Vec<f64>], time: f64) {
        let left = libm::exp(-time);
        let pays = self.0.payoffs(at);
        for (shares, pays) in at.iter_mut().zip(pays) {
            let most = pays.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_best = |pays: f64| pays >= most - TIE * (1.0 + most.abs());
            let ties = pays.iter().filter(|&&pays| is_best(pays)).count() as f64;
            for (share, &pays) in shares.iter_mut().zip(&pays) {
                let goal = if is_best(pays) { 1.0 / ties } else { 0.0 };
                *share = goal + (*share - goal) * left;
            }
        }
    }
}

/// Outcome of taking turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Converged: nobody moves any more, a pure equilibrium.
    Settled,
    /// Cycles, with this many turns of everybody.
    Cycles(u64),
    /// Neither within the allowed number of turns.
    Unsettled,
}

/// Summary of taking turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The outcome.
    pub end: End,
    /// Number of turns of everybody.
    pub turns: u64,
    /// Number of moves.
    pub moves: u64,
}

/// Lets the players take turns in order until nobody moves, a profile recurs, or everybody had
/// `most` turns. A player with nothing to gain stays; ties go to the first best reply. The profile
/// is recounted once after each move; cycles are found by Brent's method, with one profile kept.
pub fn take_turns(game: &Payoffs, profile: &mut [u32], most: u64) -> Turns {
    let (mut tally, mut pays) = (Tally::default(), Vec::new());
    let (mut kept, mut kept_at, mut moves) = (profile.to_vec(), 0, 0);
    game.count(profile, &mut tally);
    for turn in 1..=most {
        let before = moves;
        for player in 0..profile.len() {
            game.instead_of(&tally, player, profile, &mut pays);
            let (mut reply, mut best) = (profile[player], pays[profile[player] as usize]);
            for (choice, &pays) in pays.iter().enumerate() {
                if pays > best + TIE * (1.0 + best.abs()) {
                    (reply, best) = (choice as u32, pays);
                }
            }
            if reply != profile[player] {
                profile[player] = reply;
                game.count(profile, &mut tally);
                moves += 1;
            }
        }
        if moves == before {
            return Turns { end: End::Settled, turns: turn, moves };
        }
        if *profile == *kept {
            return Turns { end: End::Cycles(turn - kept_at), turns: turn, moves };
        }
        if turn.is_power_of_two() {
            kept.copy_from_slice(profile);
            kept_at = turn;
        }
    }
    Turns { end: End::Unsettled, turns: most, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;
    use crate::dynamics::Populations::{Each, One};
    use crate::dynamics::tests::{doves, hunt, pennies};
    use crate::matrix::Matrix;

    #[test]
    fn flows_end_in_equilibria() {
        let game = hunt();
        let flow = BestReply(Society::new(&game, One));
        for (start, end) in [(0.67, 1.0), (0.66, 0.0)] {
            let mut at = vec![vec![start, 1.0 - start]];
            flow.run(&mut at, 0.01, 3000, |_, _| {});
            assert!((at[0][0] - end).abs() < 1e-9, "{at:?}");
        }
        // Until the reply changes the path is exact: x(t) = 1 - (1 - x) e^-t.
        let mut at = vec![vec![0.75, 0.25]];
        flow.run(&mut at, 0.01, 100, |_, _| {});
        assert!((at[0][1] - 0.25 * libm::exp(-1.0)).abs() < 1e-12);
        let game = doves();
        let mut at = vec![vec![0.1, 0.9]];
        BestReply(Society::new(&game, One)).run(&mut at, 1e-3, 20_000, |_, _| {});
        assert!((at[0][0] - 0.8).abs() < 1e-3, "{at:?}");
        // In zero-sum games it converges where the replicator circles. Since replies are fixed
        // within a step, an orbit of radius r loses about 8 r^2 and gains about 2 steps, so it
        // settles near half the square root of a step.
        let (game, step) = (pennies(), 1e-3_f64);
        let mut at = vec![vec![0.9, 0.1], vec![0.3, 0.7]];
        BestReply(Society::new(&game, Each)).run(&mut at, step, 40_000, |_, _| {});
        assert!(at.iter().all(|shares| (shares[0] - 0.5).abs() < step.sqrt()), "{at:?}");
    }

    #[test]
    fn turns_settle_or_cycle() {
        let mut profile = [0, 0];
        let cycling = take_turns(&pennies(), &mut profile, 1000);
        assert!(matches!(cycling.end, End::Cycles(_)), "{cycling:?}");
        assert_eq!(take_turns(&pennies(), &mut profile, 1).end, End::Unsettled);
        let mut profile = [0, 0];
        let settled = take_turns(&doves(), &mut profile, 1000);
        assert_eq!((settled.end, profile), (End::Settled, [1, 0]));
        assert_eq!((settled.turns, settled.moves), (2, 1));
        // A road for 300 of a thousand.
        let road = Counts::new(1000, |own, others| f64::from(own) * (299.5 - others as f64));
        let game = Payoffs::Counts(road.clone());
        let mut profile = vec![1; 1000];
        let settled = take_turns(&game, &mut profile, 10);
        assert_eq!((settled.end, settled.moves), (End::Settled, 700));
        let taking: u32 = profile.iter().sum();
        assert_eq!(road.equilibria(0.0), [taking as usize]);
    }

    /// Three players who each want to differ from the next one.
    #[test]
    fn where_there_is_no_equilibrium_it_never_settles() {
        let game = Payoffs::Table(Matrix::new(&[2, 2, 2], |player, profile| {
            f64::from(profile[player] != profile[(player + 1) % 3])
        }));
        let mut profile = [0, 0, 0];
        assert!(matches!(take_turns(&game, &mut profile, 1000).end, End::Cycles(2..)));
    }
}
