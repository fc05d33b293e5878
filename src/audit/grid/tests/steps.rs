//! Each single decision under each rule: capacity, groups, owners, and the choice of the site.

use std::collections::BTreeMap;

use super::*;

/// A scheduler with a plain account of its sites, which every decision is compared with.
struct Watched<'a> {
    rule: GridRule,
    case: &'a Case,
    grid: Literal,
    idle: Vec<u32>,
    waiting: BTreeMap<usize, Asking>,
}

impl<'a> Watched<'a> {
    fn new(rule: GridRule, case: &'a Case) -> Watched<'a> {
        let grid = Literal::new(rule, case.sites.clone(), case.groups.clone());
        let idle = case.sites.iter().map(|site| site.processors).collect();
        Watched { rule, case, grid, idle, waiting: BTreeMap::new() }
    }

    /// True if a site of the job's group could start it now.
    fn can(&self, job: &Asking, site: usize) -> bool {
        let Site { processors, owner, foreign } = self.case.sites[site];
        let waits = |own: &Asking| {
            own.owner == owner
                && own.processors <= processors
                && self.case.groups[own.group].contains(&site)
        };
        let refused = match foreign {
            Foreign::Always => false,
            Foreign::WhenNoneWaits => owner != job.owner && self.waiting.values().any(waits),
            Foreign::Never => owner != job.owner,
        };
        job.processors <= self.idle[site] && !refused
    }

    /// Sites that could start a job now, in the order of sites.
    fn sites_for(&self, job: &Asking) -> Vec<usize> {
        let mut sites: Vec<usize> = (0..self.case.sites.len()).collect();
        sites.sort_by_key(|&site| self.case.sites[site].processors);
        sites.retain(|site| self.case.groups[job.group].contains(site) && self.can(job, *site));
        sites
    }
}

impl Grid for Watched<'_> {
    fn submit(&mut self, job: Asking) {
        self.waiting.insert(job.id, job);
        self.grid.submit(job);
    }

    fn freed(&mut self, site: usize, processors: u32) {
        self.idle[site] += processors;
        assert!(self.idle[site] <= self.case.sites[site].processors);
        self.grid.freed(site, processors);
    }

    fn decide(&mut self) -> Vec<(usize, usize)> {
        let starts = self.grid.decide();
        for &(id, site) in &starts {
            let job = self.waiting[&id];
            let sites = self.sites_for(&job);
            assert!(sites.contains(&site), "{:?}: job {id} on {site}: {:?}", self.rule, self.case);
            match self.rule {
                GridRule::List(_) => assert_eq!(sites[0], site),
                GridRule::BestFit => {
                    let left = |site: usize| self.idle[site] - job.processors;
                    let least = sites.iter().map(|&site| left(site)).min();
                    let best = sites.iter().find(|&&site| Some(left(site)) == least);
                    assert_eq!(best, Some(&site));
                }
                _ => {}
            }
            self.waiting.remove(&id);
            self.idle[site] -= job.processors;
        }
        let ids: Vec<usize> = self.grid.all_waiting().map(|job| job.id).collect();
        assert_eq!(ids, self.waiting.keys().copied().collect::<Vec<usize>>());
        if matches!(self.rule, GridRule::List(_) | GridRule::BestFit) {
            for job in self.waiting.values() {
                assert!(self.sites_for(job).is_empty(), "{:?}: job {} waits", self.rule, job.id);
            }
        }
        assert!(self.grid.decide().is_empty(), "nothing has happened since");
        starts
    }
}

fn cases(seed: u64, shape: Shape, mut look: impl FnMut(&Case)) {
    let mut draw = Draw::new(seed);
    (0..600).for_each(|_| look(&draw.case(shape)));
}

#[test]
fn every_start_is_allowed_and_every_job_starts() {
    for restricted in [false, true] {
        let shape = Shape { over_time: true, instantaneous: true, restricted, selfish: false };
        cases(1, shape, |case| {
            for rule in rules() {
                let starts = run(&mut Watched::new(rule, case), &case.rows);
                assert!(starts.iter().all(Option::is_some), "{rule:?}: {case:?}");
            }
        });
    }
}

#[test]
fn sites_that_prefer_their_owner_refuse_others_only_while_one_of_its_jobs_waits() {
    let shape = Shape { over_time: true, instantaneous: true, restricted: true, selfish: true };
    let mut refused = 0;
    cases(2, shape, |case| {
        let mut same = case.clone();
        same.sites.iter_mut().for_each(|site| site.foreign = Foreign::Always);
        for rule in rules() {
            let starts = run(&mut Watched::new(rule, case), &case.rows);
            if matches!(rule, GridRule::List(_) | GridRule::BestFit) {
                assert!(starts.iter().all(Option::is_some), "{rule:?}: {case:?}");
            }
            refused += usize::from(starts != literal(rule, &same));
        }
    });
    assert!(refused > 500, "{refused}");
}

#[test]
fn a_list_is_scanned_again_once_a_site_no_longer_waits_for_its_owner() {
    let sites = vec![Site { processors: 4, owner: 1, foreign: Foreign::WhenNoneWaits }];
    let row = |processors, owner| Row { processors, length: 5, release: 0, owner, group: 0 };
    let rows = vec![row(1, 0), row(2, 1), row(1, 0)];
    let case = Case { sites, groups: vec![vec![0]], rows };
    for rule in [GridRule::List(ListOrder::Submit), GridRule::BestFit] {
        let mut grid = Literal::new(rule, case.sites.clone(), case.groups.clone());
        for (id, row) in case.rows.iter().enumerate() {
            grid.submit(row.asking(id));
        }
        assert_eq!(grid.decide(), [(1, 0), (0, 0), (2, 0)]);
    }
}

/// A site may wait for a job of its owner that its list does not hold yet, behind a job of another
/// owner that it refuses meanwhile.
#[test]
fn with_lists_a_site_that_prefers_its_owner_can_wait_forever() {
    let sites = vec![Site { processors: 10, owner: 1, foreign: Foreign::WhenNoneWaits }];
    let row = |processors, owner| Row { processors, length: 5, release: 0, owner, group: 0 };
    let case = Case { sites, groups: vec![vec![0]], rows: vec![row(6, 0), row(2, 1)] };
    for rule in [GridRule::Submission, GridRule::StealNear, GridRule::StealBig] {
        assert_eq!(literal(rule, &case), [None, None]);
    }
    assert_eq!(literal(GridRule::BestFit, &case), [Some((0, 0)), Some((0, 0))]);
}

#[test]
fn jobs_that_no_site_could_run_are_ignored() {
    for rule in rules() {
        let mut grid = Literal::new(rule, vec![open(4), open(2)], vec![vec![0, 1], vec![1]]);
        let job =
            |id, processors, group| Asking { id, processors, expected: None, owner: 0, group };
        [job(0, 3, 1), job(1, 5, 0), job(2, 0, 0)].into_iter().for_each(|job| grid.submit(job));
        assert_eq!((grid.decide(), grid.all_waiting().count()), (vec![], 0));
    }
}

#[test]
fn batches_are_runs_of_their_own() {
    let shape = Shape { over_time: true, ..Shape::default() };
    cases(3, shape, |case| {
        for rule in [GridRule::Submission, GridRule::List(ListOrder::Largest)] {
            let mut grid = Batches::new(rule, case.sites.clone(), case.groups.clone());
            let starts = run(&mut grid, &case.rows);
            let (mut first, mut now) = (0, 0);
            while first < case.rows.len() {
                now = now.max(case.rows[first].release);
                let next = case.rows.partition_point(|row| row.release <= now);
                let mut batch = Case { rows: case.rows[first..next].to_vec(), ..case.clone() };
                batch.rows.iter_mut().for_each(|row| row.release = 0);
                let alone = literal(rule, &batch);
                let shifted =
                    |start: &Option<(i64, usize)>| start.map(|(at, site)| (at + now, site));
                let expected: Vec<Option<(i64, usize)>> = alone.iter().map(shifted).collect();
                assert_eq!(starts[first..next], expected);
                let ends = expected.iter().zip(&batch.rows);
                let ends = ends.map(|(start, row)| start.map_or(0, |(at, _)| at + row.length));
                now = ends.max().unwrap_or(now);
                first = next;
            }
        }
    });
}
