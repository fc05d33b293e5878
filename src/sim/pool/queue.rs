//! The queue of one time-shared cluster that serves divisible load first come first served.
//!
//! What is in the queue has its end planned, so nothing has to happen while work is done: a job
//! costs one entry when it comes and one removal when it is over. Only a balancing changes plans:
//! it takes own work from the tail, or appends foreign work.

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
    /// still be in the queue. All that is sent together is back at `back`: the jobs that it was
    /// part of end no earlier. A job of which nothing stays is told, and ends then.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(units: i64) -> Time {
        Time::ZERO + Span::units(units)
    }

    /// A queue of own jobs that came at 0 with these sizes; numbers are their places.
    fn queue(sizes: &[i64]) -> Queue {
        let mut queue = Queue::default();
        for (number, &size) in sizes.iter().enumerate() {
            submit(&mut queue, number as u64, 0, size);
        }
        queue
    }

    fn submit(queue: &mut Queue, number: u64, now: i64, size: i64) -> Time {
        let alone = at(now + size);
        queue.submit(number, at(now), Span::units(size), alone, true).expect("it is within times")
    }

    /// Numbers and finishes, in units, of what an action tells.
    fn told(action: impl FnOnce(&mut dyn FnMut(Done))) -> Vec<(u64, i64)> {
        let mut told = Vec::new();
        action(&mut |done: Done| {
            let units = (done.finish - Time::ZERO).ticks() / Span::UNIT.ticks();
            told.push((done.job.number, units));
        });
        told
    }

    fn serve(queue: &mut Queue, now: i64) -> Vec<(u64, i64)> {
        told(|done| queue.serve(at(now), done))
    }

    fn send(queue: &mut Queue, now: i64, amount: i64, back: i64, sends: Sends) -> Vec<(u64, i64)> {
        told(|done| queue.send(at(now), Span::units(amount), at(back), sends, done))
    }

    /// What own jobs are left, with their planned finishes.
    fn left(queue: &Queue) -> Vec<(u64, i64)> {
        told(|done| queue.clone().close(done))
    }

    #[test]
    fn jobs_are_served_one_behind_the_other_and_taken_out_once() {
        let mut queue = queue(&[3, 4]);
        assert_eq!(submit(&mut queue, 2, 5, 1), at(8));
        // The cluster idles from 8 to 10.
        assert_eq!(submit(&mut queue, 3, 10, 2), at(12));
        assert_eq!((queue.len(), queue.end()), (4, at(12)));
        assert_eq!([2, 10, 12, 99].map(|now| queue.load(at(now))), [10, 2, 0, 0].map(Span::units));
        assert_eq!(serve(&mut queue, 2), []);
        assert_eq!(serve(&mut queue, 7), [(0, 3), (1, 7)]);
        assert_eq!(serve(&mut queue, 99), [(2, 8), (3, 12)]);
        assert!(queue.is_empty());
    }

    #[test]
    fn what_would_end_beyond_times_is_refused_and_changes_nothing() {
        let mut queue = queue(&[3]);
        let before = queue.clone();
        assert_eq!(queue.submit(1, at(0), Span::MAX, at(0), true), None);
        assert_eq!(queue.receive(at(0), Span::MAX), None);
        assert_eq!(queue, before);
    }

    #[test]
    fn foreign_work_stands_behind_own_work_and_is_waited_for() {
        let mut queue = queue(&[3]);
        assert_eq!(queue.bound(at(0)), Span::ZERO);
        assert_eq!(queue.receive(at(1), Span::units(4)), Some(at(7)));
        assert_eq!((queue.bound(at(1)), queue.load(at(1))), (Span::units(6), Span::units(6)));
        assert_eq!(submit(&mut queue, 1, 2, 5), at(12));
        // Of the ten units at 2 the first five may not be sent.
        assert_eq!((queue.bound(at(2)), queue.load(at(2))), (Span::units(5), Span::units(10)));
        // An empty queue receives from now on.
        assert_eq!(queue.receive(at(20), Span::units(1)), Some(at(21)));
    }

    #[test]
    fn the_tail_is_cut_through_a_job_which_ends_no_earlier_than_its_sent_part() {
        // Ends 3, 7, 9: five units off the tail are the last job and three of the one before.
        let mut queue = queue(&[3, 4, 2]);
        assert_eq!(send(&mut queue, 0, 5, 6, Sends::Tail), [(2, 6)]);
        assert_eq!((queue.end(), left(&queue)), (at(4), vec![(0, 3), (1, 6)]));
        // Cut again before the part is back: it ends with the later of the two.
        assert_eq!(send(&mut queue, 2, 1, 5, Sends::Tail), [(1, 6)]);
        assert_eq!((queue.end(), left(&queue)), (at(3), vec![(0, 3)]));
    }

    #[test]
    fn a_cut_between_two_jobs_splits_none() {
        let mut queue = queue(&[3, 4, 2]);
        assert_eq!(send(&mut queue, 0, 2, 4, Sends::Tail), [(2, 4)]);
        assert_eq!(left(&queue), [(0, 3), (1, 7)]);
        assert_eq!(send(&mut queue, 1, 6, 5, Sends::Tail), [(1, 5)]);
        assert_eq!(serve(&mut queue, 1), [(0, 5)], "what was served of it is over");
        assert!(queue.is_empty());
        assert_eq!(queue.load(at(1)), Span::ZERO);
    }

    #[test]
    fn a_job_without_work_goes_with_what_stands_before_it() {
        let mut tail = queue(&[3, 0]);
        assert_eq!(send(&mut tail, 0, 1, 2, Sends::Tail), [(1, 2)]);
        assert_eq!(left(&tail), [(0, 2)]);
        let mut idle = queue(&[0]);
        assert_eq!(serve(&mut idle, 0), [(0, 0)]);
    }

    #[test]
    fn jobs_sent_together_end_no_earlier_than_what_stays() {
        let mut queue = queue(&[6, 2]);
        assert_eq!(send(&mut queue, 0, 3, 2, Sends::TailTogether), [(1, 5)]);
        assert_eq!(left(&queue), [(0, 5)]);
    }

    #[test]
    fn the_head_is_sent_from_what_is_being_served_on_and_the_rest_moves_up() {
        // At 1 the first job has two units left: they go, and one unit of the second.
        let mut queue = queue(&[3, 4, 2]);
        assert_eq!(send(&mut queue, 1, 3, 8, Sends::Head), []);
        assert_eq!(serve(&mut queue, 1), [(0, 8)], "what was served of it is over");
        // The part that stays of the second is done at 4, what was sent of it is back at 8.
        assert_eq!((queue.end(), left(&queue)), (at(6), vec![(1, 8), (2, 6)]));
    }

    #[test]
    fn the_head_of_own_work_is_behind_foreign_work() {
        let mut queue = queue(&[2]);
        queue.receive(at(0), Span::units(3)).expect("it is within times");
        submit(&mut queue, 1, 0, 4);
        submit(&mut queue, 2, 0, 1);
        assert_eq!(send(&mut queue, 0, 4, 6, Sends::Head), [(1, 6)]);
        // Neither the job before the foreign work nor that work moved.
        assert_eq!((queue.bound(at(0)), queue.end()), (Span::units(5), at(6)));
        assert_eq!(left(&queue), [(0, 2), (2, 6)]);
    }

    #[test]
    fn alone_is_the_own_work_that_is_left_without_the_foreign() {
        let mut queue = queue(&[3]);
        queue.receive(at(0), Span::units(5)).expect("it is within times");
        submit(&mut queue, 1, 0, 4);
        submit(&mut queue, 2, 0, 3);
        assert_eq!(send(&mut queue, 0, 1, 20, Sends::Tail), []);
        // One unit of the first is over; four of the second and two of the third follow.
        assert_eq!(queue.alone(at(1)), at(9));
        let alone: Vec<Time> = queue.parts.iter().map(|part| part.job.alone).collect();
        assert_eq!(alone, [at(3), at(7), at(20)], "what was sent is waited for");
        assert_eq!(queue.end(), at(14), "plans stay as they are");
    }

    #[test]
    fn a_round_that_closes_tells_plans_once() {
        let mut queue = queue(&[3, 4]);
        queue.submit(2, at(0), Span::units(1), at(8), false).expect("it is within times");
        assert_eq!(told(|done| queue.close(done)), [(0, 3), (1, 7)]);
        assert_eq!(told(|done| queue.close(done)), []);
        assert_eq!(queue.len(), 3, "their work is left");
    }

    #[test]
    fn a_cleared_queue_is_a_new_one() {
        let mut queue = queue(&[3]);
        queue.receive(at(0), Span::units(5)).expect("it is within times");
        queue.clear();
        assert_eq!(queue, Queue::default());
    }
}
