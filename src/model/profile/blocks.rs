//! Steps in blocks, for long profiles. Searches pass over blocks.

use super::runs::{Run, Runs};
use super::{Cut, Search, Step, changed, newly_free};
use kernel::time::Time;

/// Maximum number of steps in a block; longer ones are split.
const MOST: usize = 64;

/// Blocks of consecutive steps.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// At least one, each with at least one step, strictly increasing in time.
    blocks: Vec<Block>,
    /// Times for which processors stay free, by block.
    runs: Runs,
    /// Number of leading steps of the first block that are past.
    past: usize,
    /// Scratch space of a change: the steps before and after it.
    scratch: [Vec<Step>; 2],
}

#[derive(Clone, Debug)]
struct Block {
    /// Time of the first step.
    begin: Time,
    steps: Vec<Step>,
}

/// Position of a step: its block, and its index there.
type Place = (usize, usize);

impl Block {
    fn new(steps: Vec<Step>) -> Block {
        Block { begin: steps[0].from, steps }
    }
}

impl Blocks {
    /// Blocks of these steps, at least one, in the order of time.
    pub fn of(steps: &[Step]) -> Blocks {
        let most = steps.iter().map(|step| step.free).max().unwrap_or(0);
        let blocks: Vec<Block> =
            steps.chunks(MOST / 2).map(|steps| Block::new(steps.to_vec())).collect();
        Blocks { runs: Runs::new(most, blocks.len()), blocks, past: 0, scratch: Default::default() }
    }

    pub fn advance(&mut self, now: Time) {
        let mut whole = 0;
        while self.blocks.get(whole + 1).is_some_and(|next| next.begin <= now) {
            whole += 1;
        }
        if whole > 0 {
            self.blocks.drain(..whole);
            self.runs.drop_first(whole);
            self.past = 0;
        }
        let steps = &mut self.blocks[0].steps;
        while steps.get(self.past + 1).is_some_and(|next| next.from <= now) {
            self.past += 1;
        }
    }

    /// Returns the steps that are not past.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.blocks.iter().flat_map(|block| &block.steps).skip(self.past).copied()
    }

    /// Returns an estimate of the number of steps.
    pub fn len(&self) -> usize {
        self.blocks.len() * (MOST * 3 / 4)
    }

    pub fn free_at(&self, time: Time) -> u32 {
        let (block, index) = self.step_at(time);
        self.blocks[block].steps[index].free
    }

    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        let first = self.step_at(from);
        for (at, block) in self.blocks.iter().enumerate().skip(first.0) {
            let begin = if at == first.0 { first.1 } else { 0 };
            let lacking = block.steps[begin..].iter().find(|step| step.free < processors);
            if let Some(step) = lacking {
                return Some(step.from.max(from)).filter(|&at| at < until);
            }
            if block.begin >= until {
                break;
            }
        }
        None
    }

    pub fn earliest(&mut self, search: Search) -> Option<Time> {
        let Search { processors, length, now, latest, own } = search;
        // Step by step at first: a search that knows where to begin ends soon.
        let first = self.step_at(now);
        let behind = first.0 + 2;
        let until = self.blocks.get(behind).map_or(Time::NEVER, |block| block.begin);
        let found = self.among(first, until, search);
        if found.is_some() || until >= latest {
            return found;
        }
        // Since when the processors may be free without a break, if they are.
        let mut since = Time::NEVER;
        for at in behind..self.blocks.len() {
            let run = self.run(at, processors);
            let next = self.blocks.get(at + 1).map_or(Time::NEVER, |next| next.begin);
            if since == Time::NEVER && run.lack > run.begin {
                since = run.begin.max(now);
            }
            if (if since == Time::NEVER { run.begin } else { since }) >= latest {
                return None;
            }
            if since != Time::NEVER {
                let until = run.lack.min(next);
                if until >= own || since.saturating_add(length) <= until {
                    let found = self.among(self.step_at(since), until, search);
                    if found.is_some() {
                        return found;
                    }
                    since = next;
                }
                if run.lack == Time::NEVER {
                    continue;
                }
            }
            if run.longest >= length || own < next {
                let found = self.among((at, self.first_of(at)), next, search);
                if found.is_some() {
                    return found;
                }
            }
            since = if run.open == Time::NEVER { run.open } else { run.open.max(now) };
        }
        match since {
            Time::NEVER => None,
            _ => self.among(self.step_at(since), Time::NEVER, search),
        }
    }

    pub fn last(&self) -> Time {
        let last = &self.blocks[self.blocks.len() - 1].steps;
        last[last.len() - 1].from
    }

    /// See [`Profile::gained`](super::Profile::gained).
    pub fn gained(
        &mut self,
        (from, to): (Time, Time),
        processors: u32,
        mut tell: impl FnMut(usize, Time, Time),
    ) {
        let begin = self.step_at(from);
        let inside = self.between(begin, self.behind(to)).take_while(|step| step.from < to);
        let mut classes = inside.fold(0, |all, step| all | newly_free(step.free, processors));
        while classes > 0 {
            let class = classes.trailing_zeros();
            classes &= classes - 1;
            let mut at = begin;
            while let Some(block) = self.blocks.get(at.0) {
                let Some(step) = block.steps.get(at.1) else {
                    at = (at.0 + 1, 0);
                    continue;
                };
                if step.from >= to {
                    break;
                }
                if newly_free(step.free, processors) >> class & 1 == 0 {
                    at.1 += 1;
                    continue;
                }
                let begin = self.begin_of_run(at, 1 << class);
                let (end, until) = self.end_of_run(at, 1 << class);
                tell(class as usize, begin, until);
                at = end;
            }
        }
    }

    /// Returns since when so many processors, a power of two, are free without a break up to a step
    /// at which they are.
    fn begin_of_run(&mut self, (block, index): Place, processors: u32) -> Time {
        let lacks = |step: &Step| step.free < processors;
        let first = self.first_of(block);
        let steps = &self.blocks[block].steps;
        if let Some(lack) = steps[first..index].iter().rposition(lacks) {
            return steps[first + lack + 1].from;
        }
        let mut begin = steps[first].from;
        for at in (0..block).rev() {
            let run = self.run(at, processors);
            if run.open == Time::NEVER {
                break;
            }
            begin = run.open;
            if run.lack != Time::NEVER {
                break;
            }
        }
        begin
    }

    /// Returns the first step behind one at which so many processors, a power of two, are free, at
    /// which they are not, and its time.
    fn end_of_run(&mut self, (block, index): Place, processors: u32) -> (Place, Time) {
        let lacks = |step: &Step| step.free < processors;
        let steps = &self.blocks[block].steps;
        if let Some(lack) = steps[index..].iter().position(lacks) {
            return ((block, index + lack), steps[index + lack].from);
        }
        for at in block + 1..self.blocks.len() {
            if self.run(at, processors).lack != Time::NEVER {
                let steps = &self.blocks[at].steps;
                let lack = steps.iter().position(lacks).expect("they are not free throughout");
                return ((at, lack), steps[lack].from);
            }
        }
        ((self.blocks.len(), 0), Time::NEVER)
    }

    /// Searches the starts from a position on and before a time, step by step.
    fn among(&self, from: Place, until: Time, search: Search) -> Option<Time> {
        let Search { processors, length, now, latest, own } = search;
        let until = until.min(latest);
        // The start that is tried, and the end that it needs.
        let mut tried: Option<(Time, Time)> = None;
        for (at, block) in self.blocks.iter().enumerate().skip(from.0) {
            let begin = if at == from.0 { from.1 } else { 0 };
            for step in &block.steps[begin..] {
                match tried {
                    Some((begun, end)) if step.from >= end => return Some(begun),
                    None if step.from >= until => return None,
                    _ => {}
                }
                if step.free < processors {
                    tried = None;
                } else if tried.is_none() {
                    let begun = step.from.max(now);
                    if begun >= latest {
                        return None;
                    }
                    tried = Some((begun, begun.saturating_add(length).min(own)));
                }
            }
        }
        tried.map(|(begun, _)| begun)
    }

    /// Returns the position of the step that `time`, which must not be past, is in.
    #[inline]
    fn step_at(&self, time: Time) -> Place {
        let block = self.block_at(time);
        let first = self.first_of(block);
        let behind = self.blocks[block].steps[first..].partition_point(|step| step.from <= time);
        (block, first + behind.max(1) - 1)
    }

    /// Returns the index of the first step of a block that is not past.
    #[inline]
    fn first_of(&self, block: usize) -> usize {
        if block == 0 { self.past } else { 0 }
    }

    /// Returns the last block that begins by `time`, or the first.
    #[inline]
    fn block_at(&self, time: Time) -> usize {
        self.blocks.partition_point(|block| block.begin <= time).max(1) - 1
    }

    /// Makes changes, which end at the last cut.
    pub fn change(&mut self, cuts: &[Cut]) {
        let (first, last) = (self.step_before(cuts[0].at), self.behind(cuts[cuts.len() - 1].at));
        let [mut steps, mut all] = std::mem::take(&mut self.scratch);
        match first.0 == last.0 {
            true => changed(&self.blocks[first.0].steps[first.1..last.1], cuts, &mut all),
            false => {
                steps.clear();
                steps.extend(self.between(first, last));
                changed(&steps, cuts, &mut all);
            }
        }
        let mut rest = &all[..];
        for at in first.0..=last.0 {
            let steps = &mut self.blocks[at].steps;
            let begin = if at == first.0 { first.1 } else { 0 };
            let end = if at == last.0 { last.1 } else { steps.len() };
            let count = if at == last.0 { rest.len() } else { rest.len().min(end - begin) };
            match count == end - begin {
                true => steps[begin..end].copy_from_slice(&rest[..count]),
                false => _ = steps.splice(begin..end, rest[..count].iter().copied()),
            }
            rest = &rest[count..];
            self.runs.forget(at);
        }
        self.scratch = [steps, all];
        for at in (first.0..=last.0).rev() {
            let block = &mut self.blocks[at];
            match block.steps.first() {
                Some(first) => block.begin = first.from,
                None => self.remove(at),
            }
        }
        self.resize(last.0);
        self.resize(first.0);
    }

    /// Returns the position of the last step before `time`, or of the first one.
    fn step_before(&self, time: Time) -> Place {
        let at = self.block_at(time);
        let first = self.first_of(at);
        let before = self.blocks[at].steps[first..].partition_point(|step| step.from < time);
        match before {
            0 if at > 0 => (at - 1, self.blocks[at - 1].steps.len() - 1),
            _ => (at, first + before.max(1) - 1),
        }
    }

    /// Returns the position behind the steps up to `time`, and behind one at least.
    fn behind(&self, time: Time) -> Place {
        let (block, index) = self.step_at(time);
        (block, index + 1)
    }

    /// Returns the steps from one position on, and before another.
    fn between(&self, first: Place, last: Place) -> impl Iterator<Item = &Step> {
        self.blocks[first.0..=last.0].iter().zip(first.0..).flat_map(move |(block, at)| {
            let begin = if at == first.0 { first.1 } else { 0 };
            let end = if at == last.0 { last.1 } else { block.steps.len() };
            &block.steps[begin..end]
        })
    }

    /// Splits a long block, and joins a short one with a neighbour.
    fn resize(&mut self, at: usize) {
        let Some(length) = self.blocks.get(at).map(|block| block.steps.len()) else { return };
        if length > MOST {
            let first = self.first_of(at);
            let behind = self.blocks[at].steps.split_off(first + (length - first) / 2);
            self.blocks.insert(at + 1, Block::new(behind));
            self.runs.insert(at + 1);
            self.runs.forget(at);
        } else if self.are_short(at, at + 1) {
            self.join(at);
        } else if at > 0 && self.are_short(at - 1, at) {
            self.join(at - 1);
        }
    }

    /// Returns true if two blocks, of which the second may not exist, are better one.
    fn are_short(&self, at: usize, next: usize) -> bool {
        let next = self.blocks.get(next).map(|block| block.steps.len());
        next.is_some_and(|next| self.blocks[at].steps.len() + next <= MOST / 2)
    }

    /// Joins a block with the next one.
    fn join(&mut self, at: usize) {
        let behind = std::mem::take(&mut self.blocks[at + 1].steps);
        self.remove(at + 1);
        self.blocks[at].steps.extend(behind);
        self.runs.forget(at);
    }

    fn remove(&mut self, at: usize) {
        self.blocks.remove(at);
        self.runs.remove(at);
    }

    /// Returns the run of a block for the class nearest below a number of processors.
    #[inline]
    fn run(&mut self, at: usize, processors: u32) -> Run {
        if !self.runs.is_known(at) {
            let first = self.first_of(at);
            self.runs.look(at, &self.blocks[at].steps[first..]);
        }
        self.runs.below(processors)[at]
    }
}
