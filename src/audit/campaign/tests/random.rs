//! Random schedules pass, and random faults are found.

use super::*;
use proptest::prelude::*;
use proptest::sample::Index;

/// Classes of two applications, by tasks, times on two sites and whether they wait for the one before.
fn classes() -> impl Strategy<Value = Vec<(u64, [i64; 2], bool, u64)>> {
    let time = 0_i64..9;
    let class = (1_u64..12, [time.clone(), time], any::<bool>(), 1_u64..4);
    proptest::collection::vec(class, 1..8)
}

/// Runs classes one by one: each processor takes so many tasks of a class at its earliest time.
fn schedule(classes: &[(u64, [i64; 2], bool, u64)]) -> CampaignFacts {
    let mut free = [vec![0; 3], vec![0; 1]];
    let mut campaign = campaign();
    campaign.classes.clear();
    campaign.runs.clear();
    (campaign.figures, campaign.costs) = (None, None);
    for (number, &(tasks, times, waits, bite)) in classes.iter().enumerate() {
        let times = if times == [0, 0] { [1, 0] } else { times };
        let application = number % 2;
        let after: Vec<usize> = number.checked_sub(2).filter(|_| waits).into_iter().collect();
        let done = |&before: &usize| campaign.classes[before].finish.unwrap_or_default();
        let ready = after.iter().map(done).max().unwrap_or_default();
        let ready = ready.max(campaign.applications[application].submit).ticks() / 1_000_000;
        let (mut left, mut site, first) = (tasks, number % 2, campaign.runs.len());
        while left > 0 {
            let processor = free[site].iter_mut().min().unwrap();
            let (bite, time) = (bite.min(left), times[site]);
            site = 1 - site;
            if time == 0 {
                continue;
            }
            let start = ready.max(*processor);
            *processor = start + bite as i64 * time;
            let span = [start, *processor];
            campaign.runs.push(run(number, 1 - site, [1.0, bite as f64], span));
            left -= bite;
        }
        let runs = &campaign.runs[first..];
        let mut class = class(("c", application, tasks), &after, [0, 0], times, [ready, 0, 0]);
        class.start = runs.iter().map(|run| run.start).min();
        class.finish = runs.iter().map(|run| run.finish).max();
        campaign.classes.push(class);
    }
    for (number, application) in campaign.applications.iter_mut().enumerate() {
        let own = campaign.classes.iter().filter(|class| class.application == number);
        let last = own.filter_map(|class| class.finish).max();
        application.finish = last.max(Some(application.submit));
        application.cost = None;
    }
    campaign
}

/// Most processors of a site in use, counted at each start.
fn peak(campaign: &CampaignFacts, site: usize) -> u64 {
    let runs = || campaign.runs.iter().filter(|run| run.site == site);
    let at = |time| runs().filter(move |run| run.start <= time && time < run.finish);
    let used = |time| at(time).map(|run| run.processors as u64).sum();
    runs().map(|run| used(run.start)).max().unwrap_or(0)
}

/// Changes one number of a campaign; every one is checked.
fn damage(campaign: &mut CampaignFacts, kind: usize, place: Index, ticks: i64) {
    let by = Span::from_ticks(ticks);
    let move_by = |time: &mut Option<Time>| *time = time.map(|time| time + by);
    let run = place.index(campaign.runs.len());
    let class = place.index(campaign.classes.len());
    let application = place.index(campaign.applications.len());
    match kind {
        0 => campaign.runs[run].start += by,
        1 => campaign.runs[run].finish += by,
        // Runs of the good campaign start as early as they may; a later one could be right.
        2 => {
            let earlier = Span::from_ticks(-ticks.abs());
            campaign.runs[run].start += earlier;
            campaign.runs[run].finish += earlier;
        }
        3 => campaign.runs[run].processors += 1.0,
        4 => campaign.runs[run].tasks += 1.0,
        5 => campaign.runs[run].class = (campaign.runs[run].class + 1) % 3,
        6 => campaign.runs[run].site = 1 - campaign.runs[run].site,
        7 => {
            campaign.runs.remove(run);
        }
        8 => {
            let run = campaign.runs[run];
            campaign.runs.push(run);
        }
        9 => move_by(&mut campaign.classes[class].ready),
        10 => move_by(&mut campaign.classes[class].start),
        11 => move_by(&mut campaign.classes[class].finish),
        12 => campaign.classes[class].tasks += 1,
        13 => move_by(&mut campaign.applications[application].finish),
        _ => {
            let cost = &mut campaign.applications[application].cost;
            *cost = cost.map(|cost| cost + i128::from(ticks));
        }
    }
}

proptest! {
    #[test]
    fn schedules_pass_on_as_many_processors_as_they_use(classes in classes()) {
        let campaign = schedule(&classes);
        let mut world = world(Mode::Whole);
        world.sites[0].limits = [None; 2];
        for site in 0..2 {
            world.sites[site].processors = peak(&campaign, site);
        }
        let report = audit(&world, [&campaign]);
        prop_assert!(report.passed(), "{report}");
        for site in 0..2 {
            let Some(fewer) = world.sites[site].processors.checked_sub(1) else { continue };
            let mut world = world.clone();
            world.sites[site].processors = fewer;
            let report = audit(&world, [&campaign]);
            prop_assert_eq!(broken(&report), ["capacity"]);
            prop_assert_eq!(report.checks[5].violations[0].cluster.as_ref(), Some(&world.sites[site].name));
        }
    }

    #[test]
    fn every_fault_is_found(
        kind in 0_usize..15,
        place: Index,
        ticks in prop_oneof![-3_000_000_i64..-1, 1_i64..3_000_000, Just(1_000_000), Just(-1_000_000)],
    ) {
        let mut campaign = campaign();
        damage(&mut campaign, kind, place, ticks);
        let report = audit(&world(Mode::Whole), [&campaign]);
        prop_assert!(!report.passed(), "kind {kind}: {campaign:?}");
    }

    #[test]
    fn lost_and_repeated_runs_of_schedules_are_found(
        classes in classes(), kind in 7_usize..9, place: Index,
    ) {
        let mut campaign = schedule(&classes);
        damage(&mut campaign, kind, place, 0);
        let mut world = world(Mode::Whole);
        world.sites[0].limits = [None; 2];
        prop_assert!(broken(&audit(&world, [&campaign])).contains(&"tasks"));
    }

    /// Numbers of any kind do no harm.
    #[test]
    fn odd_numbers_do_not_panic(
        processors: f64, tasks: f64, start: i64, finish: i64, need in 0..i64::MAX, price: i64,
        is_fluid: bool,
    ) {
        let mode = if is_fluid { Mode::Fluid } else { Mode::Whole };
        let (mut world, mut campaign) = (world(mode), campaign());
        world.sites[0].price = price;
        campaign.classes[0].needs = [need; 2];
        let [start, finish] = [start, finish].map(Time::from_ticks);
        campaign.runs[0] = RunFacts { class: 0, site: 0, processors, tasks, start, finish };
        campaign.runs.push(RunFacts { processors: (1_u64 << 53) as f64, ..campaign.runs[0] });
        audit(&world, [&campaign]);
    }
}
