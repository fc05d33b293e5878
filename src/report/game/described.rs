//! Describes a game before it is played.

use std::fmt::Write as _;

use super::words::of_game;
use super::{dynamics, frame};
use crate::table::{Column, Table, columns};
use findings::game::solution::Solution;
use game::dedicated::Effort;
use game::noise::Noise;
use policy::learn::LearnerOptions;
use scenario::plan::{GamePlan, Plan, Solvable, SolvedGame};
use stats::shown::{counted, figure};

/// Maximum number of players that are listed one by one.
const SHOWN: usize = 20;

/// The description: length, players with their actions, and the analysis of the stage game.
pub fn text(plan: GamePlan<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: this game is valid", plan.title());
    if let Some(moved) = &plan.game.dynamics {
        let _ = writeln!(
            out,
            "seed {}, {}, dynamics {}: {}",
            plan.seed,
            counted(plan.replications.into(), "replication", "replications"),
            moved.form.name(),
            counted(moved.steps, "step", "steps"),
        );
        for population in dynamics::populations(plan, moved) {
            let _ =
                writeln!(out, "  {}: actions {}", population.name, population.actions.join(", "));
        }
        return out;
    }
    let frame = frame(plan);
    let _ = writeln!(
        out,
        "seed {}, {}, {}",
        plan.seed,
        counted(plan.replications.into(), "replication", "replications"),
        counted(plan.rounds(), "round", "rounds"),
    );
    let _ = writeln!(out, "{}", scale(plan));
    let _ = writeln!(out, "\n{}", counted(frame.names.len() as u64, "player", "players"));
    for class in frame.classes.iter().take(SHOWN) {
        let seat = &plan.game.players[class.members.start];
        let learner = &seat.learner;
        let actions = seat.actions.join(", ");
        let _ = writeln!(
            out,
            "  {}:{} learner {} (sees {}), actions {actions}{}",
            class.name,
            if seat.first > 0 { format!(" from round {},", seat.first) } else { String::new() },
            learner.name(),
            learner.label(),
            told(plan, class.members.start).map_or(String::new(), |told| format!("; {told}"))
        );
    }
    if frame.classes.len() > SHOWN {
        let more = (frame.classes.len() - SHOWN) as u64;
        let _ = writeln!(out, "  and {}", counted(more, "more class", "more classes"));
    }
    if let Some(solution) = Solution::of(&frame, &plan.game.payoffs) {
        let _ = writeln!(out, "\n{}", of_game(&frame, &solution));
    }
    out
}

/// The rule of a player in words, if its name and parameters do not say it all.
fn told(plan: GamePlan<'_>, player: usize) -> Option<String> {
    let seat = &plan.game.players[player];
    let action = plan.game.cooperate[player].map_or("", |entry| &*seat.actions[entry as usize]);
    seat.learner.told(plan.game.range(), action)
}

/// The description of a game that is solved and not played.
pub fn solved(plan: &Plan, game: &SolvedGame) -> String {
    let SolvedGame { players, game } = game;
    let effort = match game {
        Solvable::Coalitional(_) => String::new(),
        Solvable::Dedicated(instance) => format!("exact fronts: {}\n", Effort::of(instance)),
    };
    format!(
        "{}: this game is valid\n{}: {}\n{effort}`gridpact game solve FILE` solves it; it is not \
         played\n",
        plan.name,
        counted(players.len() as u64, "player", "players"),
        players.join(", ")
    )
}

/// A row for each player.
pub fn table(plan: GamePlan<'_>) -> Table {
    let moved = plan.game.dynamics.iter().flat_map(|moved| dynamics::populations(plan, moved));
    let moved = moved.map(|one| (one.name, None, one.actions));
    let players = plan.game.players.iter();
    let players = players.map(|one| (one.name.clone(), Some(&one.learner), one.actions.clone()));
    let columns = columns![|(name, learner, actions): &(String, Option<&LearnerOptions>, Vec<String>)|
        Column::text("player") => &**name,
        Column::text("learner") => learner.map_or("", |one| one.name()),
        Column::text("sees") => learner.map_or("", |one| one.label()),
        Column::text("actions") => actions.join(" "),
    ];
    Table::by_columns("players", moved.chain(players), columns)
}

/// Scale by which learners read payoffs.
pub(super) fn scale(plan: GamePlan<'_>) -> String {
    let [least, most] = plan.game.range();
    if plan.game.payoffs.range().0 == plan.game.payoffs.range().1 && plan.game.noise.is_none() {
        return format!("every payoff is {}", figure(least));
    }
    let noise = match plan.game.noise {
        Some(Noise::Normal { deviation }) => {
            format!("; payoffs have normal noise with standard deviation {}", figure(deviation))
        }
        Some(Noise::Coin) => {
            "; a coin flip makes each payoff the largest or the smallest".to_owned()
        }
        None => String::new(),
    };
    let own = plan.game.players.iter().any(|player| {
        let built = player.player();
        policy::learn::Player::choices(&built).is_some_and(|common| common.payoffs.is_some())
    });
    let but = if own { " unless a learner has its own range" } else { "" };
    format!("learners see payoffs from {} to {} as 0 to 1{but}{noise}", figure(least), figure(most))
}
