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

/// What is left here of an own job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    job: Local,
    /// How long it is served in all, what is served already included.
    length: Span,
    /// When that ends.
    end: Time,
    /// When all that was sent of it is back; zero where nothing was.
    back: Time,
}

impl Part {
    #[inline]
    fn done(&self) -> Done {
        Done { job: self.job, finish: self.end.max(self.back) }
    }
}

/// Which own work a cluster sends first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sends {
    /// The last jobs of the queue, one of them perhaps in part.
    #[default]
    Tail,
    /// The same, but a job of which nothing stays ends no earlier than the own work that stays. The
    /// paper does not say which; this serves to compare.
    TailTogether,
    /// The first jobs of the queue, which may then end later than was promised to them. The paper
    /// does not say which; this serves to compare.
    Head,
}

/// The work that a cluster has to do, in the order in which it does it. Foreign work has no entry:
/// all that has to be known of it is when the last of it ends.
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

    /// Own jobs in it, those that are over and not yet taken out included.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// True where no own job is in it.
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
        self.parts.push_back(Part { job, length: size, end, back: Time::ZERO });
        Some(end)
    }

    /// Takes out the jobs that are over at `now`, and tells them.
    #[inline]
    pub fn serve(&mut self, now: Time, mut done: impl FnMut(Done)) {
        while let Some(part) = self.parts.front() {
            if part.end > now {
                break;
            }
            done(part.done());
            self.parts.pop_front();
        }
    }

    /// Appends foreign work; returns when it will be done, or `None` beyond the range of times.
    pub fn receive(&mut self, now: Time, amount: Span) -> Option<Time> {
        let end = self.end.max(now).checked_add(amount).filter(|&end| end < Time::NEVER)?;
        self.end = end;
        self.foreign_end = end;
        Some(end)
    }

    /// Sends own work, no more than there is behind the last foreign work; nothing that is over may
    /// still be in the queue. All that is sent together is back at `back`: the jobs that it was part
    /// of end no earlier. A job of which nothing stays is told, and ends then.
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
            Sends::Tail => self.send_tail(amount, back, Time::ZERO, done),
            Sends::TailTogether => self.send_tail(amount, back, self.end - amount, done),
            Sends::Head => self.send_head(now, amount, back, done),
        }
    }

    /// The queue is cut where the rest ends; what is sent as a whole ends at `earliest` or later.
    #[inline]
    fn send_tail(&mut self, amount: Span, back: Time, earliest: Time, mut done: impl FnMut(Done)) {
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
            done(Done { job: part.job, finish: part.back.max(earliest) });
            self.parts.pop_back();
        }
    }

    /// The own work that is served first is sent, and what stays moves up.
    fn send_head(&mut self, now: Time, mut amount: Span, back: Time, mut done: impl FnMut(Done)) {
        let foreign = self.foreign_end;
        let first = self.parts.iter().position(|part| part.end - part.length >= foreign);
        let Some(first) = first.or_else(|| (foreign <= now).then_some(0)) else { return };
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
            if part.length == Span::ZERO && part.back > Time::ZERO {
                done(Done { job: part.job, finish: part.back });
                self.parts.remove(index);
            } else {
                index += 1;
            }
        }
        self.end = end;
    }

    /// What own jobs that count are still there, with the ends that are planned for them; from now
    /// on they do not count.
    pub fn close(&mut self, mut done: impl FnMut(Done)) {
        for part in self.parts.iter_mut().filter(|part| part.job.counts) {
            done(part.done());
            part.job.counts = false;
        }
    }

    /// Plans anew how the own jobs would end if the organization stayed out from `now` on: behind
    /// each other, without the foreign work. Returns when the last is done.
    pub fn alone(&mut self, now: Time) -> Time {
        let mut end = now;
        for part in &mut self.parts {
            end += part.length.min(part.end - now);
            part.job.alone = end.max(part.back);
        }
        end
    }
}
