//! Min-min at any number of tasks: between two events every site works for one class.
//!
//! The class of a site is the one whose next task would end first there. It stays the same until the
//! class has no tasks left, until another class is better because its release has come near, or until
//! a new class may start. Each class knows when its last task would end on its sites; the earliest of
//! these events comes next. Sites are only brought up to date when their class changes.

use super::fill::{By, Fill};
use super::ground::Ground;
use super::work::{NEVER, Work};
use crate::tasks::{Plan, Problem};

/// Min-min by phases.
#[derive(Debug)]
pub(in crate::tasks) struct Phases {
    work: Work,
    ground: Ground,
    /// Class for which each site works, and when its first processor is free from which another is
    /// better.
    doing: Vec<Option<(usize, i64)>>,
    /// The sites of each class.
    sites: Vec<Vec<u32>>,
    /// End of the last task of each class, if it keeps its sites.
    last: Vec<i64>,
}

/// The next event: when it happens, and of which class, and whether a site leaves the class before its
/// end.
type Event = (i64, usize, Option<u32>);

impl Phases {
    /// Writes the plan of a problem.
    pub fn plan(problem: &Problem<'_>, out: &mut Plan) {
        let work = Work::new(problem);
        let ground = Ground::new(problem, &work);
        let (sites, classes) = (work.sites, work.left.len());
        let mut phases = Phases {
            work,
            ground,
            doing: vec![None; sites],
            sites: vec![Vec::new(); classes],
            last: vec![NEVER; classes],
        };
        phases.choose((0..sites as u32).collect());
        while let Some((time, class, site)) = phases.next() {
            match site {
                Some(site) => phases.leave(site, time, class),
                None => phases.end(time, class),
            }
        }
        phases.ground.write(&phases.work, out);
    }

    /// The next event. A class that ends comes before its sites that would leave it then.
    fn next(&self) -> Option<Event> {
        let ends = self.work.eligible().iter().map(|&class| class as usize);
        let ends = ends.filter(|&class| !self.sites[class].is_empty());
        let ends = ends.map(|class| (self.last[class], class, None));
        let leaves = self.doing.iter().enumerate().filter_map(|(site, &doing)| {
            let (class, until) = doing.filter(|&(_, until)| until < NEVER)?;
            Some((self.left_at(site, class, until), class, Some(site as u32)))
        });
        ends.chain(leaves).min()
    }

    /// Time by which all processors of a site that are free before `until` have ended their tasks of a
    /// class.
    fn left_at(&self, site: usize, class: usize, until: i64) -> i64 {
        let (time, release) = (self.work.time(class, site), self.work.release[class]);
        let groups = self.ground.sites[site].iter().filter(|group| group.at < until);
        let end = |at: i64| {
            let first = at.max(release).saturating_add(time);
            let more = (until.saturating_sub(first)).max(0);
            first.saturating_add((more / time + i64::from(more % time > 0)).saturating_mul(time))
        };
        groups.map(|group| end(group.at)).max().unwrap_or(0)
    }

    /// Gives out all tasks of a class that is next to end.
    fn end(&mut self, time: i64, class: usize) {
        let sites = std::mem::take(&mut self.sites[class]);
        let fill = Fill { class, sites: &sites, by: By::End, until: NEVER };
        let (_, end) = fill.give(&self.work, &mut self.ground, self.work.left[class]);
        let before = self.work.eligible().len();
        self.work.assign(class, self.work.left[class], end);
        if self.work.eligible().len() < before {
            self.choose(sites);
            return;
        }
        // New classes may be better anywhere.
        for site in 0..self.work.sites as u32 {
            if let Some((other, _)) = self.doing[site as usize].filter(|&(other, _)| other != class)
            {
                self.update(site, other, time - i64::from(other > class));
            }
        }
        self.sites.iter_mut().for_each(Vec::clear);
        self.choose((0..self.work.sites as u32).collect());
    }

    /// Takes a site away from a class, at the end of its last task there.
    fn leave(&mut self, site: u32, time: i64, class: usize) {
        self.update(site, class, time);
        self.sites[class].retain(|&other| other != site);
        self.last[class] = self.time_of(class);
        self.choose(vec![site]);
    }

    /// Gives out the tasks of a class that end by a time at a site.
    fn update(&mut self, site: u32, class: usize, time: i64) {
        let fill = Fill { class, sites: &[site], by: By::End, until: NEVER };
        let (given, end) = fill.give_all(&self.work, &mut self.ground, time);
        self.work.assign(class, given, end);
    }

    /// End of the last task of a class.
    fn time_of(&self, class: usize) -> i64 {
        let fill = Fill { class, sites: &self.sites[class], by: By::End, until: NEVER };
        fill.time_of(&self.work, &self.ground, self.work.left[class])
    }

    /// Lets sites that are up to date choose their classes.
    fn choose(&mut self, mut sites: Vec<u32>) {
        sites.sort_unstable();
        let mut changed: Vec<usize> = Vec::new();
        for site in sites {
            self.doing[site as usize] = self.best(site as usize);
            if let Some((class, _)) = self.doing[site as usize] {
                let all = &mut self.sites[class];
                all.insert(all.partition_point(|&other| other < site), site);
                changed.push(class);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for class in changed {
            self.last[class] = self.time_of(class);
        }
    }

    /// The class whose next task ends first at a site, and when its first processor is free from which
    /// another is better.
    fn best(&self, site: usize) -> Option<(usize, i64)> {
        let (work, front) = (&self.work, self.ground.front(site).0);
        let classes = work.eligible().iter().map(|&class| class as usize);
        let classes = classes.filter(|&class| work.time(class, site) != NEVER);
        let end =
            |class: usize| front.max(work.release[class]).saturating_add(work.time(class, site));
        let best = classes.clone().min_by_key(|&class| (end(class), class))?;
        // A shorter class that is not better yet waits for its release.
        let time = work.time(best, site);
        let shorter = classes.filter(|&class| (work.time(class, site), class) < (time, best));
        let until = shorter.map(|class| {
            let equal = work.release[class] - (time - work.time(class, site));
            equal + i64::from(class > best)
        });
        Some((best, until.min().unwrap_or(NEVER)))
    }
}
