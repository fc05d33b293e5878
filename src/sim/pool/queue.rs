//! The queue of a time-shared cluster that serves divisible load first come first served.
//!
//! The finish of everything in the queue is planned, so no events are needed while work is done: a
//! job costs one entry on arrival and one removal at its end. Only a balancing changes plans: it
//! takes own work from the tail, or appends foreign work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fifo::Fifo;
use kernel::time::{Span, Time};

/// A job of a cluster's own organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Its number in its source.
    pub number: u64,
    /// Submission time.
    pub submit: Time,
    /// Its work, as the runtime on a dedicated cluster.
    pub size: Span,
    /// Latest finish, promised at submission.
    pub promise: Time,
    /// Counterfactual finish, had its organization stayed out of the round.
    pub alone: Time,
    /// True if it was submitted in the window of the current round.
    pub counts: bool,
}

/// A job that has finished, or whose finish is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The job.
    pub job: Local,
    /// Time at which its last part finished or will finish.
    pub finish: Time,
}

impl Done {
    /// Flow time: submission to finish.
    #[inline]
    pub fn flow(&self) -> Span {
        self.finish - self.job.submit
    }
}

/// The part of an own job that stays on this cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    job: Local,
    /// Total service time, including work already done.
    length: Span,
    /// End of that service.
    end: Time,
    /// Return time of the parts sent away; zero if none were.
    back: Time,
}

impl Part {
    #[inline]
    fn done(&self) -> Done {
        Done { job: self.job, finish: self.end.max(self.back) }
    }
}

/// The own work that a cluster sends first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sends {
    /// The last jobs of the queue; one of them may be split.
    #[default]
    Tail,
    /// Like `tail`, but a job that is sent whole finishes no earlier than the own work that stays.
    /// The paper does not specify this; for comparison.
    TailTogether,
    /// Like `tail`, but every own job in the queue finishes no earlier than the work sent. That may
    /// be later than promised. The paper does not specify this; for comparison.
    AllTogether,
    /// The first jobs of the queue, which may then finish later than promised. The paper does not
    /// specify this; for comparison.
    Head,
}

/// The work of a cluster in order of service. Foreign work has no entry: only the end of its last
/// part is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    parts: Fifo<Part>,
    /// Time at which all work is done.
    end: Time,
    /// Time at which the last foreign work is done.
    foreign_end: Time,
    /// Time by which foreign work may be done later than it could be, for own jobs that come later.
    pub(super) delay: Span,
    /// Remainder of the delay for the last foreign work.
    spare: Span,
    /// End of what stands before the last foreign work.
    ahead: Time,
}

impl Queue {
    /// Empties the queue.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.end = Time::ZERO;
        self.foreign_end = Time::ZERO;
        self.spare = Span::ZERO;
        self.ahead = Time::ZERO;
    }

    /// Time at which everything in the queue is done.
    #[inline]
    pub fn end(&self) -> Time {
        self.end
    }

    /// Number of own jobs, including finished ones not yet removed.
    #[inline]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// True if there are no own jobs.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Work remaining at `now`.
    #[inline]
    pub fn load(&self, now: Time) -> Span {
        if self.end > now { self.end - now } else { Span::ZERO }
    }

    /// Work remaining at `now` up to the end of the last foreign work. None of it may be sent, or
    /// the promises for the work behind it would not hold.
    #[inline]
    pub fn bound(&self, now: Time) -> Span {
        if self.foreign_end > now { self.foreign_end - now } else { Span::ZERO }
    }

    /// Appends a job, which is served after everything already queued, or before the last foreign work if
    /// that may be delayed so long. `None` if its finish lies beyond the range of times.
    #[inline]
    pub fn submit(
        &mut self,
        number: u64,
        submit: Time,
        size: Span,
        alone: Time,
        counts: bool,
    ) -> Option<Time> {
        let mut end = self.end.max(submit).checked_add(size).filter(|&end| end < Time::NEVER)?;
        let goes_first = self.spare > Span::ZERO
            && self.spare >= size
            && self.end == self.foreign_end
            && submit < self.end;
        self.end = end;
        if goes_first {
            self.spare -= size;
            self.foreign_end = end;
            self.ahead = self.ahead.max(submit) + size;
            end = self.ahead;
        }
        let job = Local { number, submit, size, promise: end, alone, counts };
        self.parts.push(Part { job, length: size, end, back: Time::ZERO });
        Some(end)
    }

    /// Removes the jobs finished by `now` and reports them.
    #[inline]
    pub fn serve(&mut self, now: Time, mut done: impl FnMut(Done)) {
        let ended = self.parts.iter().take_while(|part| part.end <= now);
        let count = ended.inspect(|part| done(part.done())).count();
        self.parts.drop_first(count);
    }

    /// Appends foreign work; returns when its results are sent back, or `None` beyond the range of times.
    pub fn receive(&mut self, now: Time, amount: Span) -> Option<Time> {
        let begins = self.end.max(now);
        let end = begins.checked_add(amount)?;
        let is_new = self.end != self.foreign_end || self.end <= now;
        let sent = end.checked_add(self.delay).filter(|&end| end < Time::NEVER)?;
        if is_new {
            (self.ahead, self.spare) = (begins, self.delay);
        }
        (self.end, self.foreign_end) = (end, end);
        Some(sent)
    }

    /// Sends own work, at most the amount behind the last foreign work. Finished jobs must have
    /// been removed before. All work sent together is back at `back`: the affected jobs finish no
    /// earlier. A job of which nothing stays is reported, and finishes then.
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
            Sends::AllTogether => {
                self.send_tail(amount, back, Time::ZERO, done);
                self.parts.iter_mut().for_each(|part| part.back = part.back.max(back));
            }
            Sends::Head => self.send_head(now, amount, back, done),
        }
    }

    /// Cuts the queue at the end of the remaining work; jobs sent whole finish no earlier than
    /// `earliest`.
    #[inline]
    fn send_tail(&mut self, amount: Span, back: Time, earliest: Time, mut done: impl FnMut(Done)) {
        let cut = self.end - amount;
        self.end = cut;
        while let Some(part) = self.parts.last_mut() {
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
            self.parts.drop_last();
        }
    }

    /// Sends the own work that is served first; the rest moves up.
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

    /// Reports the counted own jobs still queued with their planned finish; from now on they do not
    /// count.
    pub fn close(&mut self, mut done: impl FnMut(Done)) {
        for part in self.parts.iter_mut().filter(|part| part.job.counts) {
            done(part.done());
            part.job.counts = false;
        }
    }

    /// Recomputes the counterfactual finishes of the own jobs if the organization stays out. From
    /// `now` on they run one after the other, without the foreign work. Returns the last finish.
    pub fn alone(&mut self, now: Time) -> Time {
        let mut end = now;
        for part in self.parts.iter_mut() {
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

    /// A queue of own jobs that came at 0 with these sizes, numbered by index.
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

    /// Numbers and finishes, in units, that an action reports.
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

    /// The remaining own jobs with their planned finishes.
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
        // The first five of the ten units at time 2 may not be sent.
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
    fn all_jobs_of_a_sender_end_with_what_it_sent() {
        // Ends 3, 7, 9: the last job and one unit of the one before are back at 8.
        let mut queue = queue(&[3, 4, 2]);
        assert_eq!(send(&mut queue, 0, 3, 8, Sends::AllTogether), [(2, 8)]);
        assert_eq!((queue.end(), left(&queue)), (at(6), vec![(0, 8), (1, 8)]));
        // Later jobs are served behind them as usual.
        assert_eq!(submit(&mut queue, 3, 1, 1), at(7));
        assert_eq!(serve(&mut queue, 7), [(0, 8), (1, 8), (3, 7)]);
    }

    #[test]
    fn the_head_is_sent_from_what_is_being_served_on_and_the_rest_moves_up() {
        // At 1 the first job has two units left: they go, and one unit of the second.
        let mut queue = queue(&[3, 4, 2]);
        assert_eq!(send(&mut queue, 1, 3, 8, Sends::Head), []);
        assert_eq!(serve(&mut queue, 1), [(0, 8)], "what was served of it is over");
        // The remaining part of the second is done at 4, the part sent is back at 8.
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
