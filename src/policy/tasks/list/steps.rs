//! Heuristics that look at all classes at every step: Max-min, Sufferage, and Min-min by price.

use super::fronts::{Fronts, open};
use super::ground::Ground;
use super::score::{Best, Key, NOWHERE, Rule};
use super::work::Work;
use crate::tasks::{Plan, Problem};

/// The class that assigns the next task. Of equal ones the lowest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tasks) enum Select {
    /// The class with the best task. Of equally cheap ones the first to end counts.
    Least,
    /// The class whose best is the worst.
    Most,
    /// The class that loses most if it gets its second best site.
    LosesSite,
    /// The class that loses most if it gets its second best processor.
    LosesProcessor,
}

/// One class after the other assigns tasks where the rule wants them.
#[derive(Clone, Copy, Debug)]
pub(in crate::tasks) struct Steps {
    /// Rule by which a task chooses its site.
    pub rule: Rule,
    /// The class that comes next.
    pub select: Select,
}

impl Steps {
    /// Writes the plan of a problem. Classes remember their best sites, and look at them again when one
    /// of them gets a task. Where a site has several processors with the same past, the same class comes
    /// next until all of them have a task, and they get it in one step, unless tasks wait for room.
    pub fn plan(self, problem: &Problem<'_>, out: &mut Plan) {
        let (mut work, mut ground, fronts) = open(self.rule, problem);
        let can_wait = fronts.can_wait();
        let mut state = State {
            steps: self,
            fronts,
            best: vec![None; work.left.len()],
            named: vec![[u32::MAX; 2]; work.left.len()],
            value: vec![0; work.left.len()],
        };
        state.look(&work, &ground, None);
        while let Some(class) = state.selected(&work) {
            let Some(best) = state.best[class] else { break };
            let site = best.first.site as usize;
            let mut processors = ground.front(site).1.min(work.left[class]);
            if self.select == Select::LosesProcessor {
                // The last processor of a group has another second one.
                processors = processors.min((ground.front(site).1 - 1).max(1));
            }
            if can_wait {
                processors = 1;
            }
            let before = state.fronts.free[site];
            let end = state.fronts.step(&work, &mut ground, class, site, processors);
            let is_done = work.assign(class, processors, end);
            let moved = state.fronts.free[site] != before;
            if moved || can_wait || self.select == Select::LosesProcessor {
                state.look(&work, &ground, Some(site as u32));
            }
            if is_done {
                state.look(&work, &ground, None);
            }
        }
        state.fronts.write(&work, ground, out);
    }
}

/// Scores of the sites for each class.
#[derive(Debug)]
struct State {
    steps: Steps,
    fronts: Fronts,
    best: Vec<Option<Best>>,
    /// The sites of each class whose changes concern it.
    named: Vec<[u32; 2]>,
    /// The number by which classes compare.
    value: Vec<i128>,
}

impl State {
    /// Looks again at a site, or for the first time at all sites.
    fn look(&mut self, work: &Work, ground: &Ground, site: Option<u32>) {
        let rule = self.steps.rule;
        let both = matches!(self.steps.select, Select::LosesSite | Select::LosesProcessor);
        for &class in work.eligible() {
            let class = class as usize;
            if site.is_some_and(|site| !self.named[class].contains(&site)) {
                continue;
            }
            let best = match &mut self.best[class] {
                Some(_) if site.is_none() => continue,
                Some(best) => {
                    best.refresh(rule, work, &self.fronts, class, both);
                    *best
                }
                none => *none.insert(Best::of(rule, work, &self.fronts, class)),
            };
            let other = if both { best.second } else { best.first };
            self.named[class] = [best.first.site, other.site];
            self.value[class] = self.steps.value(work, ground, &self.fronts, class, &best);
        }
    }

    /// The class that comes next.
    fn selected(&self, work: &Work) -> Option<usize> {
        let mut classes = work.eligible().iter().map(|&class| class as usize);
        if self.steps.select == Select::Least {
            return classes.min_by_key(|&class| {
                (self.value[class], self.best[class].map(|best| best.first.second), class)
            });
        }
        let mut most = classes.next()?;
        for class in classes {
            if self.value[class] > self.value[most] {
                most = class;
            }
        }
        Some(most)
    }
}

impl Steps {
    /// The number by which a class compares with others.
    fn value(
        self,
        work: &Work,
        ground: &Ground,
        fronts: &Fronts,
        class: usize,
        best: &Best,
    ) -> i128 {
        let value = |key: Key| self.rule.value(work, class, key);
        let mut second = best.second;
        match self.select {
            Select::Least | Select::Most => return value(best.first),
            Select::LosesSite => {}
            Select::LosesProcessor => {
                let site = best.first.site as usize;
                let here = ground.second(site);
                let key = here.map(|free| self.rule.key(work, fronts, class, site, free));
                second = second.min(key.unwrap_or(NOWHERE));
            }
        }
        let is_other = second != NOWHERE && second.is_late() == best.first.is_late();
        if is_other { value(second) - value(best.first) } else { i128::MAX }
    }
}
