//! The checker on right and wrong runs.

use std::collections::BTreeSet;

use super::*;
use kernel::time::Time;

/// A run to be judged: start and site of each job that starts.
type Starts = [Option<(i64, usize)>];

/// Judges a run; returns the first deviation. No job is looked at after that.
fn judge(checker: &mut Checker, case: &Case, starts: &Starts) -> Option<Deviation> {
    let jobs = || case.rows.iter().zip(starts).enumerate();
    let mut instants: BTreeSet<i64> = case.rows.iter().map(|row| row.release).collect();
    for (_, (row, start)) in jobs() {
        instants.extend(start.iter().flat_map(|&(at, _)| [at, at + row.length]));
    }
    let mut first = None;
    for now in instants {
        let (mut ended, mut submitted, mut started) = (vec![], vec![], vec![]);
        for (job, (row, start)) in jobs() {
            if row.release == now {
                submitted.push(row.asking(job));
            }
            let Some((at, site)) = *start else { continue };
            if at == now {
                started.push(Started { job, site, ends_now: row.length == 0 });
            } else if at + row.length == now {
                ended.push((job, site, row.processors));
            }
        }
        let deviation = checker.instant(Time::from_ticks(now), &ended, &submitted, &started);
        assert!(deviation.is_none() || first.is_none(), "only one is told");
        first = first.or(deviation);
        assert_eq!(checker.is_judging(), first.is_none());
    }
    first
}

/// A checker of a rule, which gets the jobs in batches or not.
fn checker(rule: GridRule, case: &Case, in_batches: bool) -> Checker {
    let (sites, groups) = (case.sites.clone(), case.groups.clone());
    match in_batches {
        true => Checker::in_batches(Batches::new(rule, sites, groups)),
        false => Checker::new(Literal::new(rule, sites, groups)),
    }
}

/// Starts under a rule, in batches or not.
fn right(rule: GridRule, case: &Case, in_batches: bool) -> Vec<Option<(i64, usize)>> {
    match in_batches {
        true => run(&mut Batches::new(rule, case.sites.clone(), case.groups.clone()), &case.rows),
        false => literal(rule, case),
    }
}

/// Right runs at random.
fn runs(
    seed: u64,
    mut look: impl FnMut(&mut Draw, GridRule, bool, &Case, Vec<Option<(i64, usize)>>),
) {
    let mut draw = Draw::new(seed);
    for number in 0..300 {
        let shape = Shape {
            over_time: true,
            restricted: number % 2 == 0,
            selfish: number % 3 == 0,
            instantaneous: number % 4 < 2,
        };
        let case = draw.case(shape);
        for rule in rules() {
            for in_batches in [false, true] {
                let starts = right(rule, &case, in_batches);
                look(&mut draw, rule, in_batches, &case, starts);
            }
        }
    }
}

#[test]
fn right_runs_pass() {
    runs(7, |_, rule, in_batches, case, starts| {
        let deviation = judge(&mut checker(rule, case, in_batches), case, &starts);
        assert_eq!(deviation, None, "{rule:?}, batches {in_batches}: {case:?}");
    });
}

#[test]
fn a_start_that_comes_late_early_or_elsewhere_is_told() {
    let mut kinds = [0; 3];
    runs(8, |draw, rule, in_batches, case, starts| {
        let job = draw.index(starts.len());
        let Some((at, site)) = starts[job] else { return };
        let mut told = |kind: usize, start: Option<(i64, usize)>, when: i64| {
            let mut wrong = starts.clone();
            wrong[job] = start;
            let deviation = judge(&mut checker(rule, case, in_batches), case, &wrong);
            let deviation = deviation.expect("the run is wrong");
            let right = (deviation.time, deviation.job) == (Time::from_ticks(when), job);
            assert!(right, "{rule:?}: {case:?}, {starts:?}: {start:?} but {deviation}");
            kinds[kind] += 1;
        };
        told(0, Some((at + 1, site)), at);
        told(0, None, at);
        let other = draw.index(case.sites.len());
        if other != site {
            told(1, Some((at, other)), at);
        }
        let early = case.rows[job].release;
        if early < at {
            told(2, Some((early, other)), early);
        }
    });
    assert!(kinds.iter().all(|&count| count > 500), "{kinds:?}");
}

/// Jobs of one group for two sites of 4 and 10 processors, which belong to owner 0.
fn two_sites(rows: &[(u32, i64, i64)]) -> Case {
    let row = |&(processors, length, release): &(u32, i64, i64)| Row {
        processors,
        length,
        release,
        owner: 0,
        group: 0,
    };
    let rows = rows.iter().map(row).collect();
    Case { sites: vec![open(4), open(10)], groups: vec![vec![0, 1]], rows }
}

/// The sentence about a wrong run.
fn sentence(rule: GridRule, case: &Case, starts: &Starts) -> String {
    let deviation = judge(&mut checker(rule, case, false), case, starts);
    let name = |site: usize| ["mill", "tower"][site];
    deviation.expect("the run is wrong").text(|job| job + 1, name).replace("0.00000", "")
}

#[test]
fn missing_and_misplaced_starts_are_told() {
    let case = two_sites(&[(3, 5, 0), (6, 5, 0), (4, 5, 0)]);
    let list = GridRule::List(ListOrder::Submit);
    let right = [(0, 0), (0, 1), (0, 1)].map(Some);
    assert_eq!(literal(list, &case), right);
    assert_eq!(
        sentence(list, &case, &[right[0], Some((5, 1)), right[2]]),
        "job 2 (6 processors) did not start on tower at 0 although list scheduling starts it there \
         then (10 idle)",
    );
    assert_eq!(
        sentence(list, &case, &[right[0], right[1], Some((5, 0))]),
        "job 3 (4 processors) did not start on tower at 0 although list scheduling starts it there \
         then (4 idle)",
    );
    assert_eq!(
        sentence(list, &case, &[Some((0, 1)), right[1], right[2]]),
        "job 1 (3 processors) started on tower at 0 although list scheduling starts it on mill",
    );
    let case = two_sites(&[(10, 5, 0), (4, 5, 0), (3, 5, 0)]);
    assert_eq!(
        sentence(list, &case, &[Some((0, 1)), Some((5, 0)), Some((0, 0))]),
        "job 2 (4 processors) did not start on mill at 0 although list scheduling starts it there \
         then (4 idle); job 3 did",
    );
}

#[test]
fn wrong_starts_are_told_with_the_reason() {
    let lists = GridRule::Submission;
    // Only job 1 is in the list of the tower, where two more jobs would fit.
    let case = two_sites(&[(6, 5, 0), (6, 5, 0), (4, 5, 0), (3, 5, 0), (1, 5, 2)]);
    let right = [(0, 1), (5, 1), (0, 0), (5, 0), (5, 0)].map(Some);
    assert_eq!(literal(lists, &case), right);
    let changed = |job: usize, start: (i64, usize)| {
        let mut starts = right;
        starts[job] = Some(start);
        sentence(lists, &case, &starts)
    };
    assert_eq!(
        changed(3, (0, 1)),
        "job 4 (3 processors) started on tower at 0 although Grid Over-Time-Submission lets that \
         site wait for others, job 2 first",
    );
    assert_eq!(
        changed(3, (0, 0)),
        "job 4 (3 processors) started on mill at 0 although only 0 processors were left there",
    );
    assert_eq!(
        changed(3, (3, 0)),
        "job 4 (3 processors) started on mill at 3, when nothing was submitted and nothing ended",
    );
    assert_eq!(changed(4, (0, 1)), "job 5 started on tower at 0 although it did not wait then");
}

#[test]
fn starts_that_owners_groups_and_batches_forbid_are_told() {
    let mut case = two_sites(&[(6, 5, 0), (6, 5, 0), (1, 5, 0), (1, 5, 0)]);
    case.sites[1].foreign = Foreign::WhenNoneWaits;
    case.groups = vec![vec![1], vec![0]];
    case.rows[2].owner = 1;
    case.rows[3].group = 1;
    let list = GridRule::List(ListOrder::Submit);
    let right = [(0, 1), (5, 1), (5, 1), (0, 0)].map(Some);
    assert_eq!(literal(list, &case), right);
    assert_eq!(
        sentence(list, &case, &[right[0], right[1], Some((0, 1)), right[3]]),
        "job 3 (1 processor) started on tower at 0 although job 2 of that site's owner waited",
    );
    assert_eq!(
        sentence(list, &case, &[right[0], right[1], Some((0, 0)), right[3]]),
        "job 3 (1 processor) started on mill at 0 although it may not run there",
    );
    let case = two_sites(&[(6, 5, 0), (1, 5, 1)]);
    let mut checker = checker(GridRule::Submission, &case, true);
    let deviation = judge(&mut checker, &case, &[Some((0, 1)), Some((1, 0))]);
    assert_eq!(
        deviation.unwrap().text(|job| job, |site| site).replace("0.00000", ""),
        "job 1 (1 processor) started on 0 at 1 although the batch before its own had not ended",
    );
}

#[test]
fn jobs_that_end_as_they_start_leave_room_within_the_instant() {
    let case = two_sites(&[(10, 0, 0), (10, 0, 0), (10, 3, 0), (10, 0, 0)]);
    for rule in [GridRule::List(ListOrder::Submit), GridRule::Submission, GridRule::StealBig] {
        let right = [(0, 1), (0, 1), (0, 1), (3, 1)].map(Some);
        assert_eq!(literal(rule, &case), right);
        let text = sentence(rule, &case, &[right[0], right[1], Some((1, 1)), right[3]]);
        assert!(text.starts_with("job 3 (10 processors) did not start on tower at 0 "), "{text}");
    }
}
