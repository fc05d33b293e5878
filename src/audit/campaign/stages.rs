//! Stages of the games and searches behind plans: they are counted without gaps, go by their rule, and
//! lead to what is played.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{CampaignFacts, GameFacts, Mode, StageFacts, WorldFacts};
use super::found::FLUID;
use super::{Check, violation};
use kernel::time::{TICKS_PER_UNIT, Time};

/// Relative difference of sums that rounding explains.
const TOLERANCE: f64 = 1e-9;

/// The check of stages, before any.
pub(super) fn check() -> Check {
    Check::new(
        "stages",
        "stages of planners are counted, go by their rule, and lead to what is played",
    )
}

/// Checks the stages of a campaign.
pub(super) fn compare(world: &WorldFacts, facts: &CampaignFacts, check: &mut Check) {
    let ends = facts.runs.iter().map(|run| run.finish);
    let moments: BTreeSet<Time> =
        facts.applications.iter().map(|one| one.submit).chain(ends).collect();
    let mut before: Option<&StageFacts> = None;
    for stages in facts.stages.chunk_by(|one, other| one.plan == other.plan) {
        check.looked_at += stages.len() as u64;
        let first = &stages[0];
        let mut wrong = Vec::new();
        if before.is_some_and(|one| one.plan >= first.plan || one.time > first.time) {
            wrong.push((first, "stands behind a later plan".to_owned()));
        }
        let is_at = |stage: &StageFacts| stage.time == first.time && moments.contains(&stage.time);
        let others = stages.iter().filter(|&stage| facts.end.is_none() && !is_at(stage));
        let nothing = "is at a time at which its plan was not made";
        wrong.extend(others.map(|stage| (stage, nothing.to_owned())));
        match world.games.iter().find(|game| game.by_cost == first.cost.is_some()) {
            Some(game) => wrong.extend(rule(game, stages)),
            None => wrong.push((first, "is of no game of its planner".to_owned())),
        }
        for (stage, text) in wrong {
            let text = format!("stage {} of plan {} {text}", stage.stage, stage.plan);
            check.violated(|| violation(facts, None, Some(stage.time), text));
        }
        before = Some(first);
    }
    match &world.games[..] {
        [game] if !game.is_played || facts.end.is_some() => {}
        [game] if game.never_rises => expected(facts, check),
        [_] if world.mode == Mode::Fluid => played(facts, check),
        _ => {}
    }
}

/// Stages that break the rule of the game, and what is wrong with them.
fn rule<'s>(game: &GameFacts, stages: &'s [StageFacts]) -> Vec<(&'s StageFacts, String)> {
    let mut wrong = Vec::new();
    let from = u32::from(!game.by_cost);
    let last = stages.len() - 1;
    for (at, stage) in stages.iter().enumerate() {
        let due = from + at as u32;
        if stage.stage != due || stage.stage > game.most {
            wrong.push((stage, format!("stands where stage {due} of {} does", game.most)));
        }
        if let (Some(total), Some(longest)) = (stage.total_time, stage.makespan)
            && !(longest >= 0.0 && longest <= total * (1.0 + TOLERANCE))
        {
            wrong.push((stage, format!("takes {longest}, and {total} for all classes")));
        }
        let is_placed = stage.stage == 0;
        if stage.cost.is_some() != game.by_cost || is_placed && stage.makespan.is_some() {
            wrong.push((stage, "has figures that its game does not know, or lacks one".to_owned()));
        }
        let rises = at > 0 && stages[at - 1].makespan < stage.makespan;
        if game.never_rises && rises {
            wrong.push((stage, "is longer than the one before".to_owned()));
        }
        let (Some(epsilon), Some(before)) = (game.epsilon, at.checked_sub(1)) else { continue };
        let aim = |stage: &StageFacts| if game.by_cost { stage.cost } else { stage.total_time };
        let aims = [&stages[before], stage].map(|stage| aim(stage).unwrap_or(f64::INFINITY));
        // Without stages there is nothing to fall from.
        let is_over = stage.stage >= 2 && aims[0] - aims[1] <= epsilon;
        let is_last = at == last && stage.stage < game.most;
        // A game by cost goes on until deadlines are kept as well, which stages do not tell.
        if is_last != is_over && (is_last || !game.by_cost && at < last) {
            let what = if is_last { "ends" } else { "does not end" };
            let text = format!("{what} its game, with {} after {}", aims[1], aims[0]);
            wrong.push((stage, text));
        }
    }
    wrong
}

/// Compares the last stage of an only plan with the ends that it expects, where no task waits for others.
fn expected(facts: &CampaignFacts, check: &mut Check) {
    let plans = facts.stages.chunk_by(|one, other| one.plan == other.plan).count();
    let is_simple = |class: &super::ClassFacts| class.after.is_empty() && class.needs == [0; 2];
    let (Some(stage), 1) = (facts.stages.last(), plans) else { return };
    if !facts.classes.iter().all(is_simple) || facts.applications.len() > 1 {
        return;
    }
    check.looked_at += 1;
    let ends = facts.classes.iter().filter_map(|class| class.expected);
    let own =
        ends.max().map(|end| (end.ticks() - stage.time.ticks()) as f64 / TICKS_PER_UNIT as f64);
    let differs = |(one, other): (f64, f64)| (one - other).abs() > TOLERANCE * other;
    if stage.makespan.zip(own).is_none_or(differs) {
        let [stated, own] = [stage.makespan, own].map(Option::unwrap_or_default);
        let text =
            format!("the last stage ends after {stated}, and classes are expected after {own}");
        check.violated(|| violation(facts, None, Some(stage.time), text));
    }
}

/// Compares the last stages with the shares that were played: the tasks that were left of each class,
/// over the rate of its shares.
fn played(facts: &CampaignFacts, check: &mut Check) {
    let mut runs: Vec<_> = facts.runs.iter().filter(|run| run.finish > run.start).collect();
    runs.sort_by_key(|run| run.start);
    let mut last: BTreeMap<Time, &StageFacts> = BTreeMap::new();
    for stage in &facts.stages {
        last.insert(stage.time, stage);
    }
    let mut left: Vec<f64> = facts.classes.iter().map(|class| class.tasks as f64).collect();
    for runs in runs.chunk_by(|one, other| one.start == other.start) {
        let mut rates: BTreeMap<usize, f64> = BTreeMap::new();
        for run in runs {
            let time = facts.classes[run.class].times.get(run.site).copied().flatten();
            let ticks = time.map_or(f64::INFINITY, |time| time.ticks() as f64);
            *rates.entry(run.class).or_default() += run.processors / ticks;
        }
        let times = rates.iter().map(|(&class, rate)| left[class] / rate / TICKS_PER_UNIT as f64);
        let (total, longest) =
            times.fold((0.0, 0.0_f64), |(total, longest), time| (total + time, longest.max(time)));
        for run in runs {
            left[run.class] -= run.tasks;
        }
        let Some(stage) = last.get(&runs[0].start) else { continue };
        check.looked_at += 1;
        for (name, stated, own) in [
            ("all classes", stage.total_time, total),
            ("the longest class", stage.makespan, longest),
        ] {
            let Some(stated) = stated else { continue };
            if (stated - own).abs() > FLUID * own.abs() {
                let text = format!(
                    "the last stage of plan {} gives {name} {stated}, its shares {own}",
                    stage.plan
                );
                check.violated(|| violation(facts, None, Some(stage.time), text));
            }
        }
    }
}
