//! The queue of one time-shared cluster that serves divisible load first come first served.
//!
//! What is in the queue has its end planned, so nothing has to happen while work is done: a job
//! costs one entry when it comes and one removal when it is over. Only a balancing changes plans: it
//! takes own work from the tail, or appends foreign work.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::{Span, Time};

/// A job of a cluster's own organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Its number in its source.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// Its work: the time that it takes on a cluster alone.
    pub size: Span,
    /// Its latest finish, told at its submission.
    pub promise: Time,
    /// When it would have ended had its organization stayed out of the round.
    pub alone: Time,
    /// True where it was submitted in the window of the round that is being played.
    pub counts: bool,
}

/// A job that is over, or whose end nothing can change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The job.
    pub job: Local,
    /// When its last part was or will be finished.
    pub finish: Time,
}

impl Done {
    /// From submission to finish.
    #[inline]
    pub fn flow(&self) -> Span {
        self.finish - self.job.submit
    }
}

/// A part of a queue: what is left here of an own job, or work of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    /// How long it is served in all, what is served already included.
    length: Span,
    /// When it ends.
    end: Time,
    /// When all of the job's parts that were sent are back; zero where none were.
    back: Time,
    /// The own job; `None` of foreign work.
    job: Option<Local>,
}

impl Part {
    fn finish(&self, job: Local) -> Done {
        Done { job, finish: self.end.max(self.back) }
    }
}

/// Which own work a cluster sends first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sends {
    /// The last jobs of the queue, the last of them perhaps in part.
    #[default]
    Tail,
    /// The first jobs of the queue, which may then end later than was promised to them. The paper
    /// does not say which; this serves to compare.
    Head,
}

/// The work that a cluster has to do, in the order in which it does it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    parts: VecDeque<Part>,
    /// When all of it is done, or was.
    end: Time,
    /// When the last foreign work is done, or was.
    foreign_end: Time,
}

impl Queue {
    /// Empties the queue.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.end = Time::ZERO;
        self.foreign_end = Time::ZERO;
    }

    /// When all that is in it is done, or was.
    #[inline]
    pub fn end(&self) -> Time {
        self.end
    }

    /// Entries, those that are over and not yet taken out included.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// True where it has no entries.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// All work that is left at `now`.
    #[inline]
    pub fn load(&self, now: Time) -> Span {
        if self.end > now { self.end - now } else { Span::ZERO }
    }

    /// The work that is left at `now` up to the end of the last foreign work: nothing of it may be
    /// sent, or the promises for what stands behind it would not hold.
    #[inline]
    pub fn bound(&self, now: Time) -> Span {
        if self.foreign_end > now { self.foreign_end - now } else { Span::ZERO }
    }

    /// A job comes: it is served when all that is there is done. `None` where its end lies beyond
    /// the range of times.
    #[inline]
    pub fn submit(
        &mut self,
        number: u64,
        submit: Time,
        size: Span,
        alone: Time,
        counts: bool,
    ) -> Option<Time> {
        let end = self.end.max(submit).checked_add(size).filter(|&end| end < Time::NEVER)?;
        self.end = end;
        let job = Local { number, submit, size, promise: end, alone, counts };
        self.parts.push_back(Part { length: size, end, back: Time::ZERO, job: Some(job) });
        Some(end)
    }

    /// Takes out what is over at `now`, and tells each own job among it.
    #[inline]
    pub fn serve(&mut self, now: Time, mut done: impl FnMut(Done)) {
        while let Some(part) = self.parts.front() {
            if part.end > now {
                break;
            }
            if let Some(job) = part.job {
                done(part.finish(job));
            }
            self.parts.pop_front();
        }
    }

    /// Appends foreign work; returns when it will be done, or `None` beyond the range of times.
    pub fn receive(&mut self, now: Time, amount: Span) -> Option<Time> {
        let end = self.end.max(now).checked_add(amount).filter(|&end| end < Time::NEVER)?;
        match self.parts.back_mut() {
            Some(part) if part.job.is_none() && part.end > now => {
                part.length += amount;
                part.end = end;
            }
            _ => self.parts.push_back(Part { length: amount, end, back: Time::ZERO, job: None }),
        }
        self.end = end;
        self.foreign_end = end;
        Some(end)
    }

    /// Sends own work, no more than there is behind the last foreign work; nothing that is over may
    /// still be in the queue. What was sent is back at `back`: the jobs that it was part of end no
    /// earlier. A job of which nothing stays is told; it ends with the own work that stays, if that
    /// is later, since the parts of a queue's jobs that are sent together are not told apart.
    #[inline]
    pub fn send(
        &mut self,
        now: Time,
        amount: Span,
        back: Time,
        sends: Sends,
        done: impl FnMut(Done),
    ) {
        match sends {
            Sends::Tail => self.send_tail(amount, back, done),
            Sends::Head => self.send_head(now, amount, back, done),
        }
    }

    /// The queue is cut where the rest ends.
    #[inline]
    fn send_tail(&mut self, amount: Span, back: Time, mut done: impl FnMut(Done)) {
        let cut = self.end - amount;
        self.end = cut;
        while let Some(part) = self.parts.back_mut() {
            if part.end <= cut {
                break;
            }
            part.back = part.back.max(back);
            if part.end - part.length < cut {
                part.length -= part.end - cut;
                part.end = cut;
                break;
            }
            let job = part.job.expect("no foreign work is sent");
            done(Done { job, finish: part.back.max(cut) });
            self.parts.pop_back();
        }
    }

    /// The own work that is served first is sent, and what stays moves up.
    fn send_head(&mut self, now: Time, mut amount: Span, back: Time, mut done: impl FnMut(Done)) {
        let foreign = self.parts.iter().rposition(|part| part.job.is_none());
        let first = foreign.map_or(0, |place| place + 1);
        let Some(front) = self.parts.get(first) else { return };
        let mut end = front.end - front.length;
        let mut index = first;
        while let Some(part) = self.parts.get_mut(index) {
            if amount > Span::ZERO {
                let taken = part.length.min(part.end - now).min(amount);
                part.length -= taken;
                amount -= taken;
                part.back = part.back.max(back);
            }
            end += part.length;
            part.end = end;
            match part.job {
                Some(job) if part.length == Span::ZERO && part.back > Time::ZERO => {
                    done(Done { job, finish: part.back });
                    self.parts.remove(index);
                }
                _ => index += 1,
            }
        }
        self.end = end;
    }

    /// What own jobs that count are still there, with the ends that are planned for them; from now
    /// on they do not count.
    pub fn close(&mut self, mut done: impl FnMut(Done)) {
        for part in &mut self.parts {
            if let Some(job) = part.job.as_mut().filter(|job| job.counts) {
                done(Done { job: *job, finish: part.end.max(part.back) });
                job.counts = false;
            }
        }
    }

    /// Plans anew how the own jobs would end if the organization stayed out from `now` on: behind
    /// each other, without the foreign work. Returns when the last is done.
    pub fn alone(&mut self, now: Time) -> Time {
        let mut end = now;
        for part in &mut self.parts {
            if let Some(job) = &mut part.job {
                end += part.length.min(part.end - now);
                job.alone = end.max(part.back);
            }
        }
        end
    }
}
