//! The games behind the plans of a campaign: how many stages they take, and how they converge.

use serde::{Deserialize, Serialize};

use kernel::time::Time;
use policy::tasks::Stage;

/// Relative change of a figure that rounding explains.
const ROUNDING: f64 = 1e-9;

/// A game that was played for a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Number of the plan in its replication, from 0.
    pub plan: u64,
    /// Time of the plan.
    pub time: Time,
    /// The stages with their numbers; 0 is the placement before the first one.
    pub stages: Vec<(u32, Stage)>,
}

impl Game {
    /// The game of a plan with these stages. Games for a small cost tell their first placement.
    pub(super) fn new(plan: u64, time: Time, stages: Vec<Stage>) -> Game {
        let first = u32::from(stages.first().is_some_and(|stage| stage.cost.is_none()));
        Game { plan, time, stages: (first..).zip(stages).collect() }
    }
}

/// The games of a replication, added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Games {
    /// Number of games.
    pub games: u64,
    /// Stages of all games.
    pub stages: u64,
    /// Stages until a tenth of all changes of the aim is left, in all games.
    pub settled: u64,
    /// Stages of all games between a rise and a fall of the aim.
    pub peaks: u64,
    /// Sum of the aims in the last stages, each over that in the first stage of its game.
    pub change: f64,
    /// Stages of the first game with their aims: its cost, or else its makespan.
    pub first: Vec<(u32, f64)>,
}

impl Games {
    pub(super) fn add(&mut self, game: &Game) {
        let aims = game.stages.iter().filter_map(|&(stage, of)| Some((stage, of.aim()?)));
        let aims: Vec<(u32, f64)> = aims.collect();
        let (Some(first), Some(last)) = (aims.first(), aims.last()) else { return };
        self.games += 1;
        self.stages += u64::from(last.0);
        self.settled += u64::from(settled(&aims));
        self.peaks += peaks(&aims);
        self.change += last.1 / first.1;
        if self.games == 1 {
            self.first = aims;
        }
    }
}

/// First stage from which at most a tenth of the largest distance from the end is left.
fn settled(aims: &[(u32, f64)]) -> u32 {
    let end = aims[aims.len() - 1].1;
    let far = |aim: f64| (aim - end).abs();
    let most = aims.iter().map(|&(_, aim)| far(aim)).fold(0.0, f64::max);
    let last = aims.iter().rposition(|&(_, aim)| far(aim) > 0.1 * most);
    last.map_or(aims[0].0, |last| aims[last].0 + 1)
}

/// Stages between a rise and a fall that rounding does not explain.
fn peaks(aims: &[(u32, f64)]) -> u64 {
    let is_peak = |three: &&[(u32, f64)]| {
        three[1].1 > three[0].1 * (1.0 + ROUNDING) && three[2].1 < three[1].1 * (1.0 - ROUNDING)
    };
    aims.windows(3).filter(is_peak).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The third aim is a peak, and the fifth one is the first within a tenth of 3 of the end.
    #[test]
    fn games_are_added_up() {
        let aims = [4.0, 3.0, 5.0, 2.4, 2.1, 2.2, 2.0];
        let stage = |aim: f64| Stage { makespan: Some(aim), ..Stage::default() };
        let mut games = Games::default();
        let mut game = Game::new(0, Time::ZERO, aims.map(stage).to_vec());
        games.add(&game);
        assert_eq!((games.games, games.stages, games.settled, games.peaks), (1, 7, 5, 2));
        assert_eq!((games.change, games.first[2]), (0.5, (3, 5.0)));
        // The same costs stand behind a first placement.
        let cost = |aim: f64| Stage { cost: Some(aim), ..Stage::default() };
        game = Game::new(1, Time::ZERO, aims.map(cost).to_vec());
        games.add(&game);
        assert_eq!((games.games, games.stages, games.settled, games.peaks), (2, 13, 9, 4));
        // Without stages there is no game.
        games.add(&Game::new(2, Time::ZERO, Vec::new()));
        assert_eq!((games.games, games.first.len()), (2, 7));
    }
}
