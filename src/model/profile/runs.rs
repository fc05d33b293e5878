//! The longest times for which many processors are free, block by block of a profile.
//!
//! Numbers of processors are in classes of powers of two. A search for a number of processors looks
//! at the class below it, so what it learns is a bound: where the class has too few processors, or
//! for too short a time, so has the search.

use super::Step;
use kernel::time::{Span, Time};

/// Summary of a block for one class: the times at which the class's processors are free.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// Begin of the block, without what is past.
    pub begin: Time,
    /// First time at which they are not free; `NEVER` if they are free throughout.
    pub lack: Time,
    /// Time from which they are free up to the end of the block; `NEVER` if they are not at its end.
    pub open: Time,
    /// Longest time for which they are free between two times of the block at which they are not.
    pub longest: Span,
}

/// The runs of all classes.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// By class, then by block.
    classes: Vec<Vec<Run>>,
    /// By block: false if it changed since it was looked at.
    known: Vec<bool>,
}

/// Returns the number of classes that so many processors are enough for.
fn level(processors: u32) -> usize {
    (u32::BITS - processors.leading_zeros()) as usize
}

impl Runs {
    /// Creates those of so many blocks, for up to so many processors.
    pub fn new(processors: u32, blocks: usize) -> Runs {
        Runs {
            classes: vec![vec![Run::default(); blocks]; level(processors).max(1)],
            known: vec![false; blocks],
        }
    }

    /// Returns the runs of all blocks of the class that is nearest below a number of processors.
    #[inline]
    pub fn below(&self, processors: u32) -> &[Run] {
        &self.classes[level(processors).clamp(1, self.classes.len()) - 1]
    }

    /// Looks at the steps of a block, of which there is at least one.
    pub fn look(&mut self, block: usize, steps: &[Step]) {
        let begin = steps[0].from;
        let run = Run { begin, lack: Time::NEVER, open: begin, longest: Span::ZERO };
        let mut runs = [run; u32::BITS as usize];
        // Number of classes whose processors are free at the step before.
        let mut free = self.classes.len();
        for step in steps {
            let now = level(step.free).min(self.classes.len());
            for run in runs.iter_mut().take(free).skip(now) {
                if run.lack == Time::NEVER {
                    run.lack = step.from;
                } else {
                    run.longest = run.longest.max(step.from - run.open);
                }
                run.open = Time::NEVER;
            }
            for run in runs.iter_mut().take(now).skip(free) {
                run.open = step.from;
            }
            free = now;
        }
        for (of_class, run) in self.classes.iter_mut().zip(runs) {
            of_class[block] = run;
        }
        self.known[block] = true;
    }

    /// Returns true if a block did not change since it was looked at.
    #[inline]
    pub fn is_known(&self, block: usize) -> bool {
        self.known[block]
    }

    /// Notes that a block changed.
    pub fn forget(&mut self, block: usize) {
        self.known[block] = false;
    }

    /// Makes room for a block.
    pub fn insert(&mut self, block: usize) {
        self.classes.iter_mut().for_each(|runs| runs.insert(block, Run::default()));
        self.known.insert(block, false);
    }

    /// Removes the first blocks.
    pub fn drop_first(&mut self, blocks: usize) {
        self.classes.iter_mut().for_each(|runs| drop(runs.drain(..blocks)));
        self.known.drain(..blocks);
    }

    /// Removes a block.
    pub fn remove(&mut self, block: usize) {
        self.classes.iter_mut().for_each(|runs| _ = runs.remove(block));
        self.known.remove(block);
    }
}
