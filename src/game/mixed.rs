//! Mixed strategies: their payoffs and the gain from a best reply.
//!
//! A profile is a Nash equilibrium (1950) if nobody can gain, and an epsilon-equilibrium if nobody
//! can gain more than epsilon. So the largest gain measures the distance from equilibrium.

use super::payoffs::Payoffs;

/// Expected payoffs this close, relative to the largest, are equal: they differ by rounding.
const TIE: f64 = 1e-12;

/// Payoff and best reply of a player against the others' mixed strategies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Expected payoff of its own strategy.
    pub payoff: f64,
    /// Expected payoff of its best reply.
    pub best: f64,
    /// Its best reply; the first of several.
    pub reply: u32,
}

impl Standing {
    /// Gain from the best reply; never negative.
    pub fn gain(&self) -> f64 {
        (self.best - self.payoff).max(0.0)
    }
}

/// Standing of each player in a profile of mixed strategies (by player, then by choice). Identical
/// players with the same strategy are evaluated once; see [`Payoffs::expected`] for the cost of
/// one.
pub fn standings(game: &Payoffs, mixed: &[Vec<f64>]) -> Vec<Standing> {
    let mut all: Vec<Standing> = Vec::with_capacity(mixed.len());
    let (mut pays, mut firsts) = (Vec::new(), Vec::<usize>::new());
    for (player, law) in mixed.iter().enumerate() {
        let twin = firsts.iter().find(|&&first| game.are_alike() && mixed[first] == *law);
        if let Some(&twin) = twin {
            all.push(all[twin]);
            continue;
        }
        game.expected(player, mixed, &mut pays);
        all.push(standing(law, &pays));
        firsts.push(player);
    }
    all
}

/// Standing of a strategy, given the payoff of each choice.
fn standing(law: &[f64], pays: &[f64]) -> Standing {
    // Skip choices that are never played, even if their payoff is infinitely low.
    let played = law.iter().zip(pays).filter(|&(&probability, _)| probability > 0.0);
    let payoff = played.map(|(probability, pays)| probability * pays).sum();
    let best = pays.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let finite = pays.iter().copied().filter(|pays| pays.is_finite());
    let scale = finite.fold(0.0, |most: f64, pays| most.max(pays.abs()));
    let reply = pays.iter().position(|&pays| pays >= best - TIE * scale).unwrap_or(0);
    Standing { payoff, best, reply: reply as u32 }
}

/// Largest gain of any player: the profile is an epsilon-equilibrium for this epsilon.
pub fn epsilon(standings: &[Standing]) -> f64 {
    standings.iter().map(Standing::gain).fold(0.0, f64::max)
}

/// Converts a pure profile to mixed strategies.
pub fn sure(game: &Payoffs, profile: &[u32]) -> Vec<Vec<f64>> {
    let law = |(player, &choice): (usize, &u32)| {
        let mut law = vec![0.0; game.choices(player) as usize];
        law[choice as usize] = 1.0;
        law
    };
    profile.iter().enumerate().map(law).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;
    use crate::matrix::Matrix;
    use crate::pairwise::Pairwise;

    /// Against thirds both choices pay the same, which floats do not know: before, the second was named.
    #[test]
    fn of_best_replies_that_differ_by_rounding_the_first_is_named() {
        assert_eq!(standing(&[1.0, 0.0], &[0.3, 0.1 + 0.2]).reply, 0);
        assert_eq!(standing(&[1.0, 0.0], &[0.3, 0.3 + 1e-9]).reply, 1);
        assert_eq!(standing(&[1.0, 0.0], &[f64::NEG_INFINITY, -1.0]).reply, 1);
        assert_eq!(standing(&[1.0, 0.0], &[f64::NEG_INFINITY, f64::NEG_INFINITY]).reply, 0);
    }

    #[test]
    fn gains_are_zero_in_equilibria_and_by_hand_elsewhere() {
        let pennies = [[(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]];
        let pennies = Payoffs::Table(Matrix::of_two(pennies));
        let even = standings(&pennies, &[vec![0.5, 0.5], vec![0.5, 0.5]]);
        assert_eq!(epsilon(&even), 0.0);
        // The row player against (.75, .25): heads pay .5, tails -.5; it mixes evenly and gets 0.
        // The column player is indifferent.
        let uneven = standings(&pennies, &[vec![0.5, 0.5], vec![0.75, 0.25]]);
        assert_eq!(uneven[0], Standing { payoff: 0.0, best: 0.5, reply: 0 });
        assert_eq!((epsilon(&uneven), uneven[1].gain()), (0.5, 0.0));
        let dilemma = Matrix::of_two([[(3.0, 3.0), (0.0, 5.0)], [(5.0, 0.0), (1.0, 1.0)]]);
        let dilemma = Payoffs::Table(dilemma);
        let both = standings(&dilemma, &sure(&dilemma, &[0, 0]));
        assert_eq!((epsilon(&both), both[1].gain()), (2.0, 2.0));
        assert_eq!(epsilon(&standings(&dilemma, &sure(&dilemma, &[1, 1]))), 0.0);
    }

    /// Hawks and doves: at 80 % hawks nobody gains with any number of players, as payoffs are
    /// linear.
    #[test]
    fn many_alike_are_looked_at_once_and_right() {
        let pays = [[-0.5, 2.0], [0.0, 0.0]];
        let meetings = |players| {
            Payoffs::Pairwise(Pairwise::new(players, 2, |a, b| pays[a as usize][b as usize]))
        };
        let many = standings(&meetings(5000), &vec![vec![0.8, 0.2]; 5000]);
        assert!(epsilon(&many) < 1e-12, "{}", epsilon(&many));
        // Two kinds of mixed strategies, compared with the enumerated table.
        let mut mixed = vec![vec![0.9, 0.1]; 3];
        mixed.extend(vec![vec![0.2, 0.8]; 2]);
        let counts = Counts::new(5, |own, others| f64::from(own) * (1.3 - others as f64));
        for game in [meetings(5), Payoffs::Counts(counts)] {
            let table = Payoffs::Table(game.to_matrix().expect("it is small"));
            let pairs = standings(&game, &mixed).into_iter().zip(standings(&table, &mixed));
            for (ours, theirs) in pairs {
                assert!((ours.payoff - theirs.payoff).abs() < 1e-12);
                assert!((ours.best - theirs.best).abs() < 1e-12);
                assert_eq!(ours.reply, theirs.reply);
            }
        }
    }
}
