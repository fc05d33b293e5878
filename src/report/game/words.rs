//! What came out of a game, in sentences.

use super::Frame;
use super::ends::End;
use super::played::Played;
use super::solution::Solution;
use crate::report::figure::{count, figure, percent, rough};
use crate::scenario::plan::GamePlan;

/// Profiles that are told one by one.
const SHOWN: usize = 6;
/// The share of the range of payoffs below which a gain is nothing.
const NOTHING: f64 = 1e-3;

/// The sentences.
pub(super) fn words(plan: &GamePlan, played: &Played, solution: Option<&Solution>) -> Vec<String> {
    let mut words = Vec::new();
    let ends = played.ends.all();
    words.extend(ends.iter().take(SHOWN).map(|end| ended(plan, played, end)));
    if ends.len() > SHOWN {
        words.push(format!(
            "{} more profiles are in profiles.csv",
            count((ends.len() - SHOWN) as u64)
        ));
    }
    words.extend(mixed(played));
    words.extend(cycles(played));
    words.push(distance(plan, played));
    if let Some(solution) = solution {
        let welfare = figure(played.final_welfare().0);
        words.push(format!("{}; at last they got {welfare}", of_game(&played.frame, solution)));
    }
    words
}

/// The part of the replications that a number is: nothing of a single one.
fn part(played: &Played, number: u32) -> String {
    match played.frame.replications {
        1 => String::new(),
        all => format!(" in {} of the replications", percent(f64::from(number) / f64::from(all))),
    }
}

fn ended(plan: &GamePlan, played: &Played, end: &End) -> String {
    let frame = &played.frame;
    let all_stay = end.rounds.len() == end.replications as usize;
    let verb = if all_stay { "absorbed" } else { "came to rest" };
    let mut told =
        format!("{verb} at {}{}", frame.told(&end.profile), part(played, end.replications));
    if let Some(rounds) = end.median_rounds() {
        let median = if end.rounds.len() > 1 { " (median)" } else { "" };
        told += &format!(", after {} rounds{median}", count(rounds as u64));
    }
    match end.temptation(&plan.payoffs) {
        None => told += ": an equilibrium",
        Some((player, gain, action)) => {
            let action = &frame.actions[player][action as usize];
            let (name, gain) = (&frame.names[player], figure(gain));
            told += &format!(": not an equilibrium, {name} would gain {gain} by {action}");
        }
    }
    told
}

fn mixed(played: &Played) -> Option<String> {
    let mixed = played.ends.mixed;
    (mixed > 0).then(|| {
        format!("no rest at a pure profile{}: somebody went on mixing", part(played, mixed))
    })
}

/// Who goes in cycles.
fn cycles(played: &Played) -> Option<String> {
    let frame = &played.frame;
    let cycling: Vec<String> = frame
        .classes
        .iter()
        .filter_map(|class| {
            let share = played.class(class).settled.share_in_cycles()?;
            (share > 0.0).then(|| format!("{} ({})", class.name, percent(share)))
        })
        .take(SHOWN)
        .collect();
    (!cycling.is_empty()).then(|| format!("probabilities go in cycles: {}", cycling.join(", ")))
}

fn distance(plan: &GamePlan, played: &Played) -> String {
    let (mean, estimate) = played.distance();
    let [least, most] = plan.range();
    let error = estimate.map(|one| format!(" ± {}", rough(one.interval.half_width())));
    let error = error.unwrap_or_default();
    let near = NOTHING * (most - least);
    match mean {
        0.0 => "where the players stand at the end is an equilibrium".to_owned(),
        _ if mean <= near => format!(
            "where the players stand at the end is an equilibrium to within {mean:.0e}: no reply \
             would bring more than that"
        ),
        _ => format!(
            "where the players stand at the end is no equilibrium: a best reply would bring \
             {}{error} more to who gains most",
            figure(mean)
        ),
    }
}

/// What the game is by itself.
pub(super) fn of_game(frame: &Frame, solution: &Solution) -> String {
    let listed = |profiles: &[Vec<u32>]| {
        let told: Vec<String> = profiles.iter().take(SHOWN).map(|one| frame.told(one)).collect();
        let more = profiles.len().saturating_sub(SHOWN);
        let more = match more {
            0 => String::new(),
            more => format!(" and {} more", count(more as u64)),
        };
        format!("{}{more}", told.join(", "))
    };
    let equilibria = match &solution.equilibria[..] {
        [] => "no pure equilibrium".to_owned(),
        [one] => format!("one pure equilibrium, {}", frame.told(one)),
        several => format!("{} pure equilibria, {}", several.len(), listed(several)),
    };
    let best = figure(solution.best);
    match &solution.optima[..] {
        _ if solution.all_are_best => {
            format!("the game has {equilibria}; every profile pays {best} to all together")
        }
        best_ones => format!(
            "the game has {equilibria}; best for all together is {} with {best}",
            listed(best_ones)
        ),
    }
}
