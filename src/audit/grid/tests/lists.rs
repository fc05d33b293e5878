//! Lists of Grid Over-Time-Submission, and the paper's claims.

use super::*;
use crate::grid::chain::Chain;

/// Checks the lists after each decision.
struct Checked(Literal);

impl Grid for Checked {
    fn submit(&mut self, job: Asking) {
        self.0.submit(job);
    }

    fn freed(&mut self, site: usize, processors: u32) {
        self.0.freed(site, processors);
    }

    fn decide(&mut self) -> Vec<(usize, usize)> {
        let starts = self.0.decide();
        let Keeper::Chains(chains) = &self.0.keeper else { panic!("the rule has lists") };
        for (group, chain) in chains.chains().iter().enumerate() {
            let of_group = self.0.all_waiting().filter(|job| job.group == group);
            let waiting: Vec<(usize, u32)> = of_group.map(|job| (job.id, job.processors)).collect();
            assert!(chain.keeps_the_promise());
            for i in 0..chain.links.len() {
                let list: Vec<usize> = chain.links[i].l.iter().map(|job| job.id).collect();
                assert_eq!(list, closed_form(chain, i, &waiting));
            }
        }
        starts
    }
}

/// The list of a site as a function of the waiting jobs alone: the band of sizes between two bounds
/// that follow from the widest job that fits on it.
fn closed_form(chain: &Chain, i: usize, waiting: &[(usize, u32)]) -> Vec<usize> {
    let m = |at: usize| chain.links[at].processors;
    let Some(widest) = waiting.iter().map(|job| job.1).filter(|&size| size <= m(i)).max() else {
        return Vec::new();
    };
    let own = (0..=i).find(|&at| m(at) >= widest).expect("it fits on the site itself");
    let below = if own == 0 { 0 } else { m(own - 1) };
    let half = (0..=i).rev().find(|&at| m(at) < 2 * widest);
    let is_in = |size: u32| match half {
        Some(half) if half >= own => 2 * size > m(half) && size > below && size <= m(own),
        _ => size > below && 2 * size <= m(own),
    };
    waiting.iter().filter(|job| is_in(job.1)).map(|job| job.0).collect()
}

/// True if every site has more than half of its processors busy from `since` until its last start
/// (lemma 5.2).
fn keeps_busy(case: &Case, starts: &[Option<(i64, usize)>], since: i64) -> bool {
    case.sites.iter().enumerate().all(|(site, &Site { processors, .. })| {
        let here = case.rows.iter().zip(starts).filter_map(|(row, start)| {
            let (at, on) = start.expect("all jobs start");
            (on == site).then_some((at, at + row.length, row.processors))
        });
        let here: Vec<(i64, i64, u32)> = here.collect();
        let last = here.iter().map(|run| run.0).max().unwrap_or(0);
        (since..last).all(|now| {
            let running = here.iter().filter(|run| run.0 <= now && now < run.1);
            2 * running.map(|run| run.2).sum::<u32>() > processors
        })
    })
}

#[test]
fn lists_are_functions_of_the_waiting_jobs() {
    let mut draw = Draw::new(4);
    for number in 0..2000 {
        let shape = Shape {
            over_time: number % 2 == 0,
            restricted: number % 3 == 0,
            selfish: number % 5 == 0,
            instantaneous: number % 7 == 0,
        };
        let case = draw.case(shape);
        let grid = Literal::new(GridRule::Submission, case.sites.clone(), case.groups.clone());
        run(&mut Checked(grid), &case.rows);
    }
}

#[test]
fn more_than_half_of_a_site_is_busy_before_its_last_start() {
    let mut draw = Draw::new(5);
    for _ in 0..2500 {
        let case = draw.case(Shape::default());
        for rule in [GridRule::Submission, GridRule::StealBig] {
            assert!(keeps_busy(&case, &literal(rule, &case), 0), "{rule:?}: {case:?}");
        }
        // Later, once everything has come and the jobs that ran then have ended.
        let case = draw.case(Shape { over_time: true, ..Shape::default() });
        let last = case.rows.last().map_or(0, |row| row.release);
        let longest = case.rows.iter().map(|row| row.length).max().unwrap_or(0);
        assert!(keeps_busy(&case, &literal(GridRule::Submission, &case), last + longest));
    }
}

#[test]
fn stealing_from_the_nearest_site_can_leave_half_of_a_site_idle() {
    let mut draw = Draw::new(6);
    let mut idle = 0;
    for _ in 0..2000 {
        let case = draw.case(Shape::default());
        idle += usize::from(!keeps_busy(&case, &literal(GridRule::StealNear, &case), 0));
    }
    assert!((1..200).contains(&idle), "{idle}");
}

#[test]
fn groups_have_lists_of_their_own() {
    // Group 0 may use both sites, group 1 only the larger one; there its jobs of 3 processors are
    // in `B` and wait until its job of 6 in `A` has started.
    let sites = vec![open(10), open(4)];
    let row = |processors, group| Row { processors, length: 1, release: 0, owner: 0, group };
    let rows = vec![row(3, 1), row(3, 0), row(6, 1), row(7, 0), row(3, 1)];
    let case = Case { sites, groups: vec![vec![0, 1], vec![0]], rows };
    let starts = literal(GridRule::Submission, &case);
    let expected = [(0, 0), (0, 1), (0, 0), (1, 0), (1, 0)];
    assert_eq!(starts, expected.map(Some));
}
