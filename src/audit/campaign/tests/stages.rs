//! Stages of games and searches.

use super::fluid::fluid;
use super::*;

fn stage(stage: u32, [total, longest]: [f64; 2]) -> StageFacts {
    let (total_time, makespan) = (Some(total), Some(longest));
    StageFacts { plan: 0, time: at(0), stage, total_time, makespan, cost: None }
}

const GAME: GameFacts =
    GameFacts { by_cost: false, never_rises: false, epsilon: Some(0.5), most: 9, is_played: true };

#[track_caller]
fn breaks(change: impl FnOnce(&mut WorldFacts, &mut CampaignFacts), is_broken: bool) {
    let (mut world, mut campaign) = (world(Mode::Fluid), fluid());
    world.games = vec![GAME];
    // Two classes share three processors: 16 and 14 units of time. Then the last one has all.
    let last = StageFacts { plan: 1, time: at(16), ..stage(1, [4.0, 4.0]) };
    let end = StageFacts { stage: 2, ..last };
    campaign.stages = vec![stage(1, [33.0, 18.0]), stage(2, [30.25, 16.5]), stage(3, [30.0, 16.0])];
    campaign.stages.extend([last, end]);
    change(&mut world, &mut campaign);
    let report = audit(&world, [&campaign]);
    assert_eq!(broken(&report), if is_broken { vec!["stages"] } else { vec![] }, "{report}");
}

#[test]
fn stages_go_by_the_rule_of_their_game() {
    breaks(|_, _| {}, false);
    // Gaps, other numbers, and more of them than there may be.
    breaks(|_, campaign| campaign.stages[1].stage = 3, true);
    breaks(|_, campaign| campaign.stages[0].stage = 0, true);
    breaks(|world, _| world.games[0].most = 2, true);
    breaks(|_, campaign| campaign.stages[2].plan = 2, true);
    breaks(|_, campaign| campaign.stages[1].time = at(1), true);
    breaks(|_, campaign| campaign.stages.reverse(), true);
    // The game should have ended before, or goes on.
    breaks(|_, campaign| campaign.stages[1].total_time = Some(30.5), false);
    breaks(|_, campaign| campaign.stages[1].total_time = Some(33.0), true);
    breaks(|_, campaign| campaign.stages[1].total_time = Some(30.75), true);
    // The longest is no longer than all together, and the last stage is what is played.
    breaks(|_, campaign| campaign.stages[0].makespan = Some(34.0), true);
    breaks(|_, campaign| campaign.stages[2].makespan = Some(15.0), true);
    breaks(|_, campaign| campaign.stages[2].total_time = Some(29.9), true);
    breaks(|_, campaign| campaign.stages[4].makespan = Some(3.5), true);
    // A game by times has no costs, and a game by cost begins with a placement.
    breaks(|_, campaign| campaign.stages[1].cost = Some(3.0), true);
    breaks(|world, _| world.games[0].by_cost = true, true);
}

#[test]
fn a_search_never_gets_longer_and_ends_with_its_plan() {
    let searched = |change: &dyn Fn(&mut CampaignFacts)| {
        let (mut world, mut campaign) = (world(Mode::Whole), campaign());
        world.games = vec![GameFacts { never_rises: true, epsilon: None, ..GAME }];
        for class in &mut campaign.classes {
            (class.after, class.needs) = (Vec::new(), [0; 2]);
        }
        campaign.applications.truncate(1);
        campaign.classes.iter_mut().for_each(|class| class.application = 0);
        let end = campaign.classes.iter().filter_map(|class| class.expected).max().unwrap();
        let end = (end - at(0)).as_units();
        let stage = |number, aim: f64| StageFacts { total_time: None, ..stage(number, [aim; 2]) };
        campaign.stages = vec![stage(1, end + 2.0), stage(2, end + 2.0), stage(3, end)];
        change(&mut campaign);
        audit(&world, [&campaign]).check("stages").unwrap().count
    };
    assert_eq!(searched(&|_| {}), 0);
    assert_eq!(searched(&|campaign| campaign.stages[1].makespan = Some(1000.0)), 1);
    assert_eq!(searched(&|campaign| campaign.stages[2].makespan = Some(1.0)), 1);
}
