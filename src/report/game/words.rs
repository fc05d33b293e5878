//! Verdicts on a game, in sentences.

use findings::coalition::absorbed::FEWEST;
use findings::estimate::Estimate;
use findings::game::ends::End;
use findings::game::frame::Frame;
use findings::game::played::{Played, Unit};
use findings::game::solution::Solution;
use findings::measure::Metric;
use findings::rounds::settled::Settled;
use findings::unit::Class;
use scenario::plan::GamePlan;
use stats::shown::counted;
use stats::shown::{count, figure, percent, rough};

/// Maximum number of profiles that are listed one by one.
const SHOWN: usize = 6;
/// Gains below this share of the payoff range count as zero.
const NOTHING: f64 = 1e-3;

/// The verdicts.
pub(super) fn words(
    plan: GamePlan<'_>,
    played: &Played,
    solution: Option<&Solution>,
) -> Vec<String> {
    let mut words = Vec::new();
    let ends = played.ends.all();
    words.extend(ends.iter().take(SHOWN).map(|end| ended(plan, played, end)));
    if ends.len() > SHOWN {
        let more = counted((ends.len() - SHOWN) as u64, "more profile", "more profiles");
        words.push(format!("profiles.csv has {more}"));
    }
    words.extend(restless(played));
    words.extend(short(played));
    words.extend(drifting(played));
    words.extend(cycles(played));
    // Where all came to rest at one profile, it says so itself.
    let is_one = matches!(&ends[..], [end] if end.replications == played.replications()
        && end.rounds.len() == end.replications as usize);
    if !is_one {
        words.push(distance(plan, played));
    }
    if let Some(solution) = solution {
        let welfare = figure(played.together(Metric::FinalWelfare).0);
        words.push(format!(
            "{}; in the last quarter of the rounds they got {welfare}",
            of_game(&played.frame, solution)
        ));
    }
    words
}

/// Share of the replications in words; empty if there is only one.
fn part(played: &Played, number: u32) -> String {
    match played.replications() {
        1 => String::new(),
        all => format!(" in {} of the replications", percent(f64::from(number) / f64::from(all))),
    }
}

fn ended(plan: GamePlan<'_>, played: &Played, end: &End) -> String {
    let frame = &played.frame;
    let all_stay = end.rounds.len() == end.replications as usize;
    let verb = if all_stay { "stopped changing" } else { "came to rest" };
    let mut told =
        format!("{verb} at {}{}", frame.told(&end.profile), part(played, end.replications));
    if let Some(rounds) = end.median_rounds() {
        let median = if end.rounds.len() > 1 { "median: " } else { "" };
        let when = match rounds as u64 {
            0 => "from the first round on".to_owned(),
            rounds => format!("after {}", counted(rounds, "round", "rounds")),
        };
        told += &format!(" ({median}{when})");
    }
    match end.temptation(&plan.game.payoffs) {
        None => told += "; this is an equilibrium",
        Some((player, gain, action)) => {
            let action = &frame.actions[player][action as usize];
            let (name, gain) = (&frame.names[player], figure(gain));
            told += &format!("; not an equilibrium: {name} would gain {gain} by playing {action}");
        }
    }
    told
}

/// Reports play that did not come to rest: in cycles, drifting on, or mixed.
fn restless(played: &Played) -> Vec<String> {
    let ends = &played.ends;
    let told =
        |number: u32, why: &str| (number > 0).then(|| format!("{why}{}", part(played, number)));
    let cycles = ends.cycles.iter().take(SHOWN).filter_map(|(period, &number)| {
        told(number, &format!("play repeated every {} rounds", count(*period)))
    });
    let cycling: u32 = ends.cycles.values().sum();
    let mixing = ends.mixed - cycling - ends.pure;
    let pure = told(ends.pure, "some player kept changing its action, without mixing");
    cycles.chain(pure).chain(told(mixing, "some player kept mixing its actions")).collect()
}

/// Reports that nothing can be said of where play ends.
fn short(played: &Played) -> Option<String> {
    (played.ends.short > 0).then(|| {
        format!(
            "too few rounds to tell where play ends{}: {} rounds or more would tell",
            part(played, played.ends.short),
            4 * FEWEST - 3
        )
    })
}

/// Reports the players that had not converged.
fn drifting(played: &Played) -> Option<String> {
    let who = of_classes(played, |settled| {
        Some((settled.share_drifting().filter(|_| settled.is_drifting())?, String::new()))
    })?;
    Some(format!("still drifting at the end: {who}; more rounds would show where that leads"))
}

/// Reports the players that cycle.
fn cycles(played: &Played) -> Option<String> {
    let who = of_classes(played, |settled| {
        let period = settled.told_period().map_or(String::new(), |period| {
            let median = if settled.cycles > 1 { "median period" } else { "period" };
            format!(", {median} {period} rounds")
        });
        Some((settled.share_in_cycles().filter(|_| settled.is_in_cycles())?, period))
    })?;
    Some(format!("cycling: {who}"))
}

/// Lists the classes with a positive share of players and replications, with these shares.
fn of_classes(
    played: &Played,
    share: impl Fn(&Settled) -> Option<(f64, String)>,
) -> Option<String> {
    let of = |class: &Class| {
        let (share, more) = share(&played.class(class).settled)?;
        (share > 0.0).then(|| format!("{} ({}{more})", class.name, percent(share)))
    };
    let told: Vec<String> = played.frame.classes.iter().filter_map(of).take(SHOWN).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The most that a player would gain by its best reply. Payoffs of two players may have units of their
/// own, so a gain is small or large against what its player's payoffs span.
fn distance(plan: GamePlan<'_>, played: &Played) -> String {
    let (mean, estimate) = played.together(Metric::Distance);
    let span = |player: usize| {
        let (least, most) = plan.game.payoffs.range_of(player);
        most - least
    };
    let singles = || played.units().filter(|unit| unit.members.len() == 1);
    let share = |unit: &Unit<'_>| match unit.mean(Metric::BestReplyGain) {
        Some(gain) if gain > 0.0 => gain / span(unit.members.start),
        _ => 0.0,
    };
    let farthest = singles().max_by(|one, other| share(one).total_cmp(&share(other)));
    let Some(farthest) = farthest else { return String::new() };
    let first = span(0);
    let is_one_span = singles().all(|unit| (span(unit.members.start) - first).abs() <= 0.0);
    let lead = "the final strategies are";
    let near = if is_one_span { mean <= NOTHING * first } else { share(&farthest) <= NOTHING };
    if mean <= 0.0 {
        return format!("{lead} an equilibrium");
    }
    let error = |estimate: Option<Estimate>| match estimate {
        Some(one) => format!(" ± {}", rough(one.interval.half_width())),
        None => String::new(),
    };
    match (near, is_one_span) {
        (true, true) => {
            let gain = if mean < 1.0 { format!("{mean:.0e}") } else { rough(mean) };
            format!(
                "{lead} an equilibrium to within {gain}: no player would gain more than that by \
                 another action"
            )
        }
        (true, false) => format!(
            "{lead} an equilibrium to within {} of what each player's payoffs span: no player would \
             gain more than that by another action",
            percent(NOTHING)
        ),
        (false, true) => format!(
            "{lead} not an equilibrium: the player with most to gain would gain {}{} per round by its \
             best reply",
            figure(mean),
            error(estimate)
        ),
        (false, false) => format!(
            "{lead} not an equilibrium: {} would gain {}{} per round by its best reply, {} of what its \
             payoffs span",
            farthest.name,
            figure(farthest.mean(Metric::BestReplyGain).unwrap_or_default()),
            error(farthest.interval(Metric::BestReplyGain)),
            percent(share(&farthest))
        ),
    }
}

/// Describes the stage game by its equilibria and social optima.
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
    // A profile of players that are alike stands for all in which they change places.
    let is_renamed = |profile: &Vec<u32>| {
        let mut classes = frame.classes.iter().filter(|class| !class.is_single());
        let acts = |class: &Class| &profile[class.members.clone()];
        frame.is_symmetric
            && classes.any(|class| acts(class).windows(2).any(|two| two[0] != two[1]))
    };
    let is_renamed = solution.equilibria.iter().any(is_renamed);
    let renamed = if is_renamed { " up to renaming players" } else { "" };
    let equilibria = match &solution.equilibria[..] {
        [] => "no pure equilibrium".to_owned(),
        [one] => format!("one pure equilibrium{renamed}, {}", frame.told(one)),
        several => format!("{} pure equilibria{renamed}, {}", several.len(), listed(several)),
    };
    let best = figure(solution.best);
    match &solution.optima[..] {
        _ if solution.all_are_best => {
            format!("the game has {equilibria}; the payoffs of every profile add up to {best}")
        }
        best_ones => format!(
            "the game has {equilibria}; the largest total payoff is {best}, at {}",
            listed(best_ones)
        ),
    }
}
