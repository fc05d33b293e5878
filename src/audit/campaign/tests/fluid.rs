//! Shares of processors: rounding is allowed, more is not.

use super::*;

/// Two classes share three processors. `x` does 6 tasks of 4 units on a share of 1.5; `y` does 3 of 7
/// on the same, and then `z` has all.
pub(super) fn fluid() -> CampaignFacts {
    let mut campaign = campaign();
    campaign.applications = vec![application("a", 0, [0, 30, 20], 120)];
    campaign.applications[0].cost = Some((24 + 21 + 12) * 2 * UNIT);
    campaign.classes = vec![
        class(("x", 0, 6), &[], [4, 0], [4, 0], [0, 0, 16]),
        class(("y", 0, 3), &[], [2, 0], [7, 0], [0, 0, 14]),
        class(("z", 0, 2), &[0], [0, 0], [6, 0], [16, 16, 20]),
    ];
    campaign.runs = vec![
        run(0, 0, [1.5, 6.0], [0, 16]),
        run(1, 0, [1.5, 3.0], [0, 14]),
        run(2, 0, [3.0, 2.0], [16, 20]),
    ];
    campaign.costs = None;
    campaign.figures = None;
    campaign
}

#[track_caller]
fn breaks(change: impl FnOnce(&mut WorldFacts, &mut CampaignFacts), names: &[&str]) {
    let (mut world, mut campaign) = (world(Mode::Fluid), fluid());
    change(&mut world, &mut campaign);
    let report = audit(&world, [&campaign]);
    assert_eq!(broken(&report), names, "{report}");
}

#[test]
fn shares_are_checked_up_to_rounding() {
    breaks(|_, _| {}, &[]);
    breaks(|_, campaign| campaign.runs[0].processors = 1.5 + 1e-12, &[]);
    breaks(|_, campaign| campaign.runs[0].processors = 1.5 + 1e-7, &["capacity"]);
    breaks(|_, campaign| campaign.runs[0].processors = 1.5 - 1e-7, &[]);
    breaks(|_, campaign| campaign.runs[0].processors = 1.5 - 1e-4, &["lengths", "costs"]);
    breaks(|_, campaign| campaign.runs[0].tasks = 6.000_001, &[]);
    breaks(|_, campaign| campaign.runs[0].tasks = 6.001, &["lengths", "tasks"]);
    breaks(|_, campaign| campaign.classes[1].tasks = 2, &["tasks"]);
    breaks(|_, campaign| campaign.runs.push(run(2, 0, [3.0, 1e-7], [18, 18])), &[]);
    breaks(
        |_, campaign| campaign.runs.push(run(2, 0, [3.0, 1.0], [18, 18])),
        &["lengths", "tasks"],
    );
    breaks(|_, campaign| campaign.runs.push(run(2, 0, [3.0, 1e-7], [18, 17])), &["records"]);
    // 1.5 tasks of x hold 6, 1.5 of y hold 3.
    breaks(|world, _| world.sites[0].limits[0] = Some(9_000_000), &[]);
    breaks(|world, _| world.sites[0].limits[0] = Some(8_999_000), &["limits"]);
    breaks(|_, campaign| campaign.applications[0].cost = Some(115 * UNIT), &["costs"]);
    let early = |_: &mut WorldFacts, campaign: &mut CampaignFacts| {
        campaign.classes[2].after = vec![0, 1];
        campaign.runs[1].finish += Span::units(3);
        campaign.runs[1].processors = 21.0 / 17.0;
    };
    breaks(early, &["precedence", "capacity", "class times"]);
}

mod any {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Classes on random shares of one site, in phases whose ends are rounded to ticks.
        #[test]
        fn rounding_to_ticks_is_no_fault(
            weights in proptest::collection::vec(0.01_f64..1.0, 1..12),
            times in proptest::collection::vec(1_i64..50_000_000, 12),
            lengths in proptest::collection::vec(0.5_f64..40.0, 1..6),
        ) {
            let total: f64 = weights.iter().sum();
            let shares: Vec<f64> = weights.iter().map(|weight| 7.0 * weight / total).collect();
            let mut classes = Vec::new();
            let mut runs = Vec::new();
            for (number, &share) in shares.iter().enumerate() {
                let (mut done, mut clock) = (0.0, 0.0);
                for &length in &lengths {
                    let tasks = share * length * 1e6 / times[number] as f64;
                    let tick = |units: f64| Time::from_units(units).unwrap();
                    let (start, finish) = (tick(clock), tick(clock + length));
                    runs.push(RunFacts {
                        class: number, site: 0, processors: share, tasks, start, finish,
                    });
                    (done, clock) = (done + tasks, clock + length);
                }
                let mut class = class(("c", 0, 1), &[], [0, 0], [1, 0], [0, 0, 0]);
                class.times[0] = Some(Span::from_ticks(times[number]));
                class.tasks = done.ceil() as u64;
                class.finish = None;
                classes.push((class, done));
            }
            // The last phase of each class does what is missing to a whole number.
            let end = Time::from_units(lengths.iter().sum()).unwrap();
            for (number, (class, done)) in classes.iter_mut().enumerate() {
                let missing = class.tasks as f64 - *done;
                let length = (missing * times[number] as f64 / shares[number]).round() as i64;
                let finish = end + Span::from_ticks(length);
                if length > 0 {
                    let (processors, tasks) = (shares[number], missing);
                    runs.push(RunFacts { class: number, site: 0, processors, tasks, start: end, finish });
                }
                class.finish = Some(finish);
            }
            let finish = classes.iter().filter_map(|(class, _)| class.finish).max();
            let mut campaign = fluid();
            campaign.applications[0].finish = finish;
            campaign.applications[0].cost = None;
            campaign.classes = classes.into_iter().map(|(class, _)| class).collect();
            campaign.runs = runs;
            let mut world = world(Mode::Fluid);
            world.sites[0].processors = 7;
            let report = audit(&world, [&campaign]);
            prop_assert!(report.passed(), "{report}");
            world.sites[0].processors = 6;
            prop_assert_eq!(broken(&audit(&world, [&campaign])), ["capacity"]);
        }
    }
}
