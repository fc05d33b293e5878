//! A good campaign passes, every planted fault is found, and figures are those computed by hand.

use super::*;
use kernel::time::Span;

fn at(unit: i64) -> Time {
    Time::ZERO + Span::units(unit)
}

fn site(name: &str, processors: u64, price: i64, limits: [Option<i64>; 2]) -> SiteFacts {
    let name = name.to_owned();
    SiteFacts { name, processors, price: price * 1_000_000, limits }
}

fn world(mode: Mode) -> WorldFacts {
    WorldFacts {
        organizations: vec!["physics".to_owned(), "biology".to_owned()],
        sites: vec![
            site("farm", 3, 2, [Some(10_000_000), Some(2_000_000)]),
            site("tower", 1, 5, [None; 2]),
        ],
        mode,
        keeps_files: false,
        second_price: false,
        games: Vec::new(),
    }
}

fn class(
    (name, application, tasks): (&str, usize, u64),
    after: &[usize],
    needs: [i64; 2],
    times: [i64; 2],
    [ready, start, finish]: [i64; 3],
) -> ClassFacts {
    ClassFacts {
        name: name.to_owned(),
        application,
        tasks,
        after: after.to_vec(),
        needs: needs.map(|need| need * 1_000_000),
        output: 0,
        times: times.map(|time| (time > 0).then(|| Span::units(time))).to_vec(),
        ready: Some(at(ready)),
        start: Some(at(start)),
        finish: Some(at(finish)),
        // Each was expected one later.
        expected: Some(at(finish + 1)),
    }
}

fn application(name: &str, owner: usize, times: [i64; 3], cost: i128) -> ApplicationFacts {
    let [submit, deadline, finish] = times.map(at);
    let (name, deadline, finish) = (name.to_owned(), Some(deadline), Some(finish));
    ApplicationFacts { name, owner, submit, deadline, finish, cost: Some(cost * UNIT) }
}

fn run(
    class: usize,
    site: usize,
    [processors, tasks]: [f64; 2],
    [start, end]: [i64; 2],
) -> RunFacts {
    RunFacts { class, site, processors, tasks, start: at(start), finish: at(end) }
}

/// A cost of one unit.
const UNIT: i128 = 1_000_000_000_000;

/// Two applications on two sites. `work` waits for `prepare`, which cannot run on the tower.
fn campaign() -> CampaignFacts {
    CampaignFacts {
        replication: 0,
        applications: vec![
            application("a1", 0, [0, 20, 11], 54),
            application("a2", 1, [2, 10, 6], 28),
        ],
        classes: vec![
            class(("prepare", 0, 4), &[], [2, 0], [3, 0], [0, 0, 6]),
            class(("work", 0, 3), &[0], [3, 1], [5, 2], [6, 6, 11]),
            class(("bag", 1, 2), &[], [5, 0], [4, 4], [2, 2, 6]),
        ],
        stages: Vec::new(),
        runs: vec![
            run(0, 0, [2.0, 4.0], [0, 6]),
            run(2, 0, [1.0, 1.0], [2, 6]),
            run(2, 1, [1.0, 1.0], [2, 6]),
            run(1, 0, [2.0, 2.0], [6, 11]),
            run(1, 1, [1.0, 1.0], [6, 8]),
        ],
        end: None,
        costs: Some(vec![54 * UNIT, 28 * UNIT]),
        figures: Some(Figures {
            makespan: Some(Span::units(11)),
            mean_flow: Some(7.5),
            fairness: Some(441.0 / 519.0),
            // 7 from the submission, 5 from the end of `prepare`, 5 from the submission at 2.
            prediction_error: Some(3.0 / 17.0),
            late: 0,
            footprint: 0,
        }),
    }
}

fn broken(report: &Report) -> Vec<&'static str> {
    report.checks.iter().filter(|check| !check.passed()).map(|check| check.name).collect()
}

/// Changes the good campaign and tells which checks must fail.
#[track_caller]
fn breaks(change: impl FnOnce(&mut WorldFacts, &mut CampaignFacts), names: &[&str]) -> Report {
    let (mut world, mut campaign) = (world(Mode::Whole), campaign());
    change(&mut world, &mut campaign);
    let report = audit(&world, [&campaign]);
    assert_eq!(broken(&report), names, "{report}");
    report
}

#[track_caller]
fn says(report: &Report, check: &str, text: &str) {
    let found = report.check(check).unwrap().violations[0].to_string();
    assert_eq!(found, text);
}

/// The four tasks of `prepare` leave a quarter of a unit each, until `work` is done. While `bag` runs,
/// two of them run (4.5 units), two have left files (0.5), and `bag` holds 5 of the 10 units.
#[test]
fn files_count_until_nobody_needs_them() {
    let leave = |amount: i64, campaign: &mut CampaignFacts| {
        campaign.classes[0].output = amount;
        if let Some(figures) = &mut campaign.figures {
            figures.footprint = 4 * i128::from(amount);
        }
    };
    for keeps in [false, true] {
        let fits = |world: &mut WorldFacts, campaign: &mut CampaignFacts| {
            world.keeps_files = keeps;
            leave(250_000, campaign);
        };
        breaks(fits, &[]);
    }
    let report = breaks(|_, campaign| leave(250_001, campaign), &["limits"]);
    let said = "farm: at 3: files of class prepare of application a1 take room, so that 10.000004 of 10 \
                units of storage are in use";
    says(&report, "limits", said);
    let report = breaks(|_, campaign| campaign.classes[0].output = 250_000, &["figures"]);
    says(&report, "figures", "the footprint of files is given as 0 and is 1 by the runs");
    // Nobody waits for `bag`, so its files go with their tasks, unless files are kept.
    breaks(|_, campaign| campaign.classes[2].output = 1, &[]);
    breaks(
        |world, campaign| {
            world.keeps_files = true;
            campaign.classes[2].output = 1;
        },
        &["figures"],
    );
    // What waits for files is never done, so they stay for ever.
    let endless = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        leave(250_000, campaign);
        campaign.runs.truncate(3);
        campaign.classes[1].start = None;
        campaign.classes[1].finish = None;
        (campaign.applications[0].finish, campaign.applications[0].cost) = (None, Some(24 * UNIT));
        campaign.costs = Some(vec![24 * UNIT, 28 * UNIT]);
        campaign.figures = None;
        // Another application would find 9 units.
        campaign.applications.push(application("a3", 1, [20, 30, 24], 8));
        campaign.classes.push(class(("late", 2, 1), &[], [9, 0], [4, 0], [20, 20, 24]));
        campaign.runs.push(run(3, 0, [1.0, 1.0], [20, 24]));
        campaign.costs = Some(vec![24 * UNIT, 36 * UNIT]);
    };
    breaks(endless, &[]);
    breaks(
        |world, campaign| {
            endless(world, campaign);
            campaign.classes[3].needs[0] += 1;
        },
        &["limits"],
    );
}

#[test]
fn second_prices_are_those_of_the_cheapest_other_site() {
    // `bag` costs 8 on the farm and 20 on the tower by use; `work` costs 10 on both.
    let second = |world: &mut WorldFacts, campaign: &mut CampaignFacts| {
        world.second_price = true;
        campaign.applications[1].cost = Some(40 * UNIT);
        campaign.costs = Some(vec![54 * UNIT, 40 * UNIT]);
    };
    breaks(second, &[]);
    let report = breaks(|world, _| world.second_price = true, &["costs"]);
    says(&report, "costs", "application a2 is said to cost 28 and costs 40 by its runs");
}

#[test]
fn a_good_campaign_passes_with_its_figures() {
    let report = breaks(|_, _| {}, &[]);
    // It has no game.
    let mut checks = report.checks.iter();
    assert!(checks.all(|check| check.looked_at > 0 || check.name == "stages"), "{report}");
    let world = world(Mode::Whole);
    let mut campaign = campaign();
    (campaign.figures, campaign.costs) = (None, None);
    let own = Auditor::new(&world).add(&campaign).unwrap();
    // Completion times 6, 11 and 4: 21 * 21 / (3 * 173).
    assert_eq!(own.figures.makespan, Some(Span::units(11)));
    assert_eq!(own.figures.mean_flow, Some(7.5));
    assert!((own.figures.fairness.unwrap() - 0.849_710_982_658_959_5).abs() < 1e-12);
    assert_eq!(own.figures.prediction_error, Some(3.0 / 17.0));
    assert_eq!(own.figures.late, 0);
    assert_eq!(own.costs, [54 * UNIT, 28 * UNIT]);
}

#[test]
fn sites_where_a_class_cannot_run_are_found() {
    let report = breaks(|_, campaign| campaign.classes[0].times[0] = None, &["allowed sites"]);
    let text = "farm: class prepare of application a1 runs at 0, which it must not here";
    says(&report, "allowed sites", text);
}

#[test]
fn wrong_lengths_are_found() {
    let change = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.classes[0].times[0] = Some(Span::from_ticks(2_999_999));
    };
    let report = breaks(change, &["lengths"]);
    let text = "farm: class prepare of application a1 runs from 0 to 6, but 4 tasks on 2 \
                processors take 5.999998";
    says(&report, "lengths", text);
}

#[test]
fn runs_that_come_too_early_are_found() {
    let early = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.applications[1].submit = Time::from_ticks(2_000_001);
        campaign.classes[2].ready = Some(Time::from_ticks(2_000_001));
        campaign.figures = None;
    };
    let report = breaks(early, &["precedence"]);
    let text = "class bag of application a2 starts at 2 and may not before 2.000001";
    says(&report, "precedence", &format!("farm: {text}"));
    let overlap = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        let time = |unit| Some(at(unit));
        (campaign.classes[1].start, campaign.classes[1].finish) = (time(5), time(10));
        campaign.applications[0].finish = time(10);
        campaign.figures = None;
        (campaign.runs[3].start, campaign.runs[3].finish) = (at(5), at(10));
    };
    let report = breaks(overlap, &["precedence", "capacity", "limits"]);
    let text = "farm: class work of application a1 starts at 5 and may not before 6";
    says(&report, "precedence", text);
    let never = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.classes[0].tasks = 6;
        (campaign.classes[0].finish, campaign.classes[1].ready) = (None, None);
        (campaign.applications[0].finish, campaign.figures) = (None, None);
    };
    let report = breaks(never, &["precedence"]);
    let text = "farm: class work of application a1 starts at 6, but class prepare of application \
                a1 never finishes";
    says(&report, "precedence", text);
}

#[test]
fn tasks_that_are_lost_or_repeated_are_found() {
    let report = breaks(|_, campaign| campaign.classes[0].tasks = 3, &["tasks"]);
    says(&report, "tasks", "class prepare of application a1 did 4 of 3 tasks");
    let lost = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.classes[1].tasks = 4;
        campaign.figures = None;
    };
    breaks(lost, &["tasks", "class times"]);
}

#[test]
fn sites_that_are_too_full_are_found() {
    let report = breaks(|world, _| world.sites[0].processors = 2, &["capacity"]);
    let text = "class bag of application a2 starts at 2, so that 3 of 2 processors are in use";
    says(&report, "capacity", &format!("farm: {text}"));
    let storage = |world: &mut WorldFacts, _: &mut CampaignFacts| {
        world.sites[0].limits[0] = Some(8_999_999);
    };
    let report = breaks(storage, &["limits"]);
    let text = "class bag of application a2 starts at 2, so that 9 of 8.999999 units of storage are in use";
    says(&report, "limits", &format!("farm: {text}"));
    breaks(|world, _| world.sites[0].limits[0] = Some(9_000_000), &[]);
    breaks(|world, _| world.sites[0].limits[1] = Some(1_999_999), &["limits"]);
}

#[test]
fn times_of_classes_and_applications_that_are_wrong_are_found() {
    let tick = Span::TICK;
    let later = |time: &mut Option<Time>| *time = time.map(|time| time + tick);
    breaks(|_, campaign| later(&mut campaign.classes[1].ready), &["class times"]);
    breaks(|_, campaign| later(&mut campaign.classes[1].start), &["class times"]);
    let report = breaks(|_, campaign| later(&mut campaign.classes[2].finish), &["class times"]);
    let text = "class bag of application a2 is said to be finished at 6.000001, and by the runs \
                finished at 6";
    says(&report, "class times", text);
    let report = breaks(|_, campaign| campaign.applications[0].finish = None, &["class times"]);
    let text = "application a1 is said to be never finished, and by the runs finished at 11";
    says(&report, "class times", text);
}

#[test]
fn costs_that_are_wrong_are_found() {
    let report = breaks(|_, campaign| campaign.applications[0].cost = Some(1), &["costs"]);
    let text = "application a1 is said to cost 0.000000000001 and costs 54 by its runs";
    says(&report, "costs", text);
    let swapped = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.costs = Some(vec![28 * UNIT, 54 * UNIT]);
    };
    let report = breaks(swapped, &["costs"]);
    says(&report, "costs", "organization physics is said to cost 28 and costs 54 by its runs");
    breaks(|world, _| world.sites[1].price += 1, &["costs"]);
    breaks(|_, campaign| campaign.costs = Some(vec![54 * UNIT]), &["costs"]);
}

#[test]
fn figures_that_are_wrong_are_found() {
    let change = |change: fn(&mut Figures)| {
        breaks(
            |_, campaign| change(campaign.figures.as_mut().expect("the campaign has figures")),
            &["figures"],
        )
    };
    let report = change(|figures| figures.makespan = None);
    says(&report, "figures", "the makespan is given as none and is 11 by the runs");
    change(|figures| figures.mean_flow = Some(7.500_001));
    change(|figures| figures.fairness = Some(f64::NAN));
    change(|figures| figures.prediction_error = Some(3.0 / 24.0));
    change(|figures| figures.prediction_error = None);
    change(|figures| figures.late = 1);
    // a2 finishes at 6.
    breaks(|_, campaign| campaign.applications[1].deadline = Some(at(5)), &["figures"]);
    breaks(|_, campaign| campaign.applications[1].deadline = Some(at(6)), &[]);
}

#[test]
fn records_that_make_no_sense_are_found() {
    let last = |change: fn(&mut RunFacts)| {
        let report = {
            let (world, mut campaign) = (world(Mode::Whole), campaign());
            change(&mut campaign.runs[4]);
            audit(&world, [&campaign])
        };
        assert!(broken(&report).contains(&"records"), "{report}");
    };
    last(|run| run.class = 3);
    last(|run| run.site = 2);
    last(|run| run.processors = f64::NAN);
    last(|run| run.processors = 0.0);
    last(|run| run.processors = f64::INFINITY);
    last(|run| run.tasks = 1.5);
    last(|run| run.tasks = -1.0);
    last(|run| (run.processors, run.tasks) = (2.0, 3.0));
    last(|run| run.finish = run.start);
    breaks(|_, campaign| campaign.applications[0].owner = 2, &["records"]);
    breaks(|_, campaign| campaign.classes[2].application = 2, &["records"]);
    breaks(|_, campaign| campaign.classes[2].after = vec![0], &["records"]);
    breaks(|_, campaign| campaign.classes[2].after = vec![2], &["records"]);
    breaks(|_, campaign| campaign.classes[2].needs[0] = -1, &["records"]);
    breaks(|_, campaign| campaign.classes[2].times.clear(), &["records"]);
    let nothing = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.classes[2].times[0] = Some(Span::ZERO);
    };
    let report = breaks(nothing, &["records"]);
    let text = "class bag of application a2 has a time of less than a tick";
    says(&report, "records", text);
}

#[test]
fn a_replication_that_ended_early_need_not_tell_what_came_later() {
    let end = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.end = Some(at(9));
        campaign.classes[1].finish = None;
        campaign.applications[0].finish = None;
    };
    breaks(end, &[]);
    let cut = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        end(&mut world(Mode::Whole), campaign);
        campaign.runs.truncate(4);
        campaign.applications[0].cost = Some(44 * UNIT);
        campaign.costs = Some(vec![44 * UNIT, 28 * UNIT]);
        // prepare and bag: 6 and 4. Of a1, nothing is late before its deadline.
        let figures = Figures {
            makespan: None,
            mean_flow: Some(4.0),
            fairness: Some(100.0 / 104.0),
            prediction_error: Some(2.0 / 12.0),
            late: 0,
            footprint: 0,
        };
        campaign.figures = Some(figures);
    };
    breaks(cut, &[]);
    let late = |world: &mut WorldFacts, campaign: &mut CampaignFacts| {
        cut(world, campaign);
        campaign.applications[0].deadline = Some(at(8));
    };
    breaks(late, &["figures"]);
}

#[test]
fn a_class_without_tasks_is_done_when_it_is_ready() {
    let empty = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        let mut last = class(("tidy", 0, 0), &[1], [0, 0], [1, 1], [11, 0, 11]);
        last.start = None;
        campaign.classes.push(last);
        campaign.figures = None;
    };
    breaks(empty, &[]);
}

#[test]
fn replications_are_judged_one_by_one() {
    let world = world(Mode::Whole);
    let (good, mut bad) = (campaign(), campaign());
    (bad.replication, bad.classes[0].tasks) = (3, 3);
    let report = audit(&world, [&good, &bad, &good]);
    assert_eq!(broken(&report), ["tasks"]);
    says(&report, "tasks", "class prepare of application a1 did 4 of 3 tasks (replication 3)");
}

mod fluid;
mod random;
mod stages;
