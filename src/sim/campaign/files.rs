//! Files that tasks leave at their sites, until nobody needs them.
//!
//! The storage of a task's files is taken from the start of the task. Files are deleted as soon as all
//! classes that wait for theirs are done, or when their application is done. Those of a class that
//! nobody waits for are results: they leave the site with their task, unless files are kept.

use serde::{Deserialize, Serialize};

use super::Campaign;
use kernel::time::Time;
use model::campaign::{Campaign as Work, Files};
use policy::tasks::TaskPlanner;

/// Storage that files of finished tasks take, in millionths of units.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stored {
    /// Files of finished runs, by organization and then of all.
    now: Vec<i128>,
    /// The most so far, likewise.
    most: Vec<i128>,
    /// Classes whose files nobody needs any more, and which are deleted at the end of the instant.
    unneeded: Vec<u32>,
}

impl Stored {
    /// No files yet; empty if no class leaves any.
    pub fn new(work: &Work) -> Stored {
        if work.classes.iter().all(|class| class.output == 0) {
            return Stored::default();
        }
        let owners = work.applications.iter().map(|one| one.owner.index() + 1).max().unwrap_or(0);
        Stored { now: vec![0; owners + 1], most: vec![0; owners + 1], unneeded: Vec::new() }
    }

    fn add(sums: &mut [i128], owner: usize, amount: i128) {
        sums[owner] += amount;
        if let Some(all) = sums.last_mut() {
            *all += amount;
        }
    }
}

impl<P: TaskPlanner> Campaign<P> {
    /// The largest storage that files of finished tasks took at a time up to now, at all sites, in
    /// millionths: of an organization, or of all without one.
    pub fn footprint(&self, owner: Option<usize>, now: Time) -> i128 {
        let stored = self.with_runs(now);
        let all = stored.most.len().saturating_sub(1);
        let at = owner.filter(|&owner| owner < all).map_or((owner.is_none()).then_some(all), Some);
        at.and_then(|at| stored.most.get(at).copied()).unwrap_or(0)
    }

    fn owner(&self, class: u32) -> usize {
        let application = self.work.classes[class as usize].application;
        self.work.applications[application as usize].owner.index()
    }

    /// True if somebody needs the files of a class that is not deleted.
    fn is_needed(&self, class: u32) -> bool {
        match self.settings.files {
            Files::Kept => true,
            Files::Deleted => self.behind[class as usize]
                .iter()
                .any(|&next| self.progress[next as usize].finish.is_none()),
        }
    }

    /// Finished tasks leave their files.
    pub(super) fn leave_files(&mut self, site: u32, class: u32, tasks: u64) {
        let output = self.work.classes[class as usize].output;
        if output == 0 || !self.is_needed(class) {
            return;
        }
        self.states[site as usize].store(class, tasks, output);
        let owner = self.owner(class);
        Stored::add(&mut self.stored.now, owner, i128::from(output) * i128::from(tasks));
    }

    /// Finds the files that nobody needs any more, as a class is done.
    pub(super) fn release_files(&mut self, class: u32) {
        if self.stored.now.is_empty() {
            return;
        }
        let of = &self.work.classes[class as usize];
        match self.settings.files {
            Files::Deleted => {
                for &before in &of.after {
                    if !self.is_needed(before) {
                        self.stored.unneeded.push(before);
                    }
                }
            }
            Files::Kept if self.open[of.application as usize] == 0 => {
                let application = &self.work.applications[of.application as usize];
                self.stored.unneeded.extend(application.first..application.end);
            }
            Files::Kept => {}
        }
    }

    /// Deletes the files that nobody needs any more, after everything that ended at this instant.
    pub(super) fn delete_files(&mut self, now: Time) {
        if self.stored.unneeded.is_empty() {
            return;
        }
        self.stored = self.with_runs(now);
        for class in std::mem::take(&mut self.stored.unneeded) {
            let (output, owner) = (self.work.classes[class as usize].output, self.owner(class));
            if output > 0 {
                let freed: u64 =
                    self.states.iter_mut().map(|site| site.delete(class, output)).sum();
                let freed = i128::from(output) * i128::from(freed);
                Stored::add(&mut self.stored.now, owner, -freed);
            }
        }
    }

    /// The storage of files with the most up to now. Files only grow between two deletions, so it is
    /// enough to look before each.
    fn with_runs(&self, now: Time) -> Stored {
        let mut stored = self.stored.clone();
        if stored.now.is_empty() {
            return stored;
        }
        let mut sums = stored.now.clone();
        for lane in self.states.iter().flat_map(|site| &site.lanes) {
            let Some(run) = lane.now else { continue };
            let output = self.work.classes[run.class as usize].output;
            if output > 0 && self.is_needed(run.class) {
                let tasks = i128::from(run.finished(now)) * i128::from(lane.processors);
                Stored::add(&mut sums, self.owner(run.class), i128::from(output) * tasks);
            }
        }
        for (most, sum) in stored.most.iter_mut().zip(sums) {
            *most = (*most).max(sum);
        }
        stored
    }
}
