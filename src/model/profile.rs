//! Availability over time: the number of free processors, given the running jobs and the
//! reservations.
//!
//! The profile is a sorted list of steps; the last one lasts for ever. A profile of few steps is a
//! plain list, and every operation is linear in the number of steps that it visits. A long one is in
//! blocks of some dozen steps. Of each block it is known for how long one, two, four, ... processors
//! are free, so a search passes over the blocks in which the time is too short. With n steps it
//! costs a small part of n besides the steps of the other blocks. A change costs the steps of the
//! blocks that it touches; what is known of them is found again when a search comes by.

mod blocks;
mod list;
mod runs;
#[cfg(test)]
mod tests;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use blocks::Blocks;
use kernel::time::{Span, Time};
use list::List;

/// Maximum number of steps of a list; a longer one becomes blocks.
const LONG: usize = 2048;
/// Number of steps below which blocks become a list.
const SHORT: usize = 512;

/// The free processors of a cluster over all future time.
#[derive(Clone, Debug)]
pub struct Profile {
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    List(List),
    Blocks(Blocks),
}

/// A step: from time `from` on, `free` processors are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    from: Time,
    free: u32,
}

/// A change: from time `at` on, `more` processors are free than without it.
#[derive(Clone, Copy, Debug)]
struct Cut {
    at: Time,
    more: i64,
}

impl Cut {
    fn of((at, more): (Time, i64)) -> Cut {
        Cut { at, more }
    }
}

/// Adds to a number of free processors.
///
/// # Panics
/// If it becomes negative.
#[inline]
fn plus(free: u32, more: i64) -> u32 {
    u32::try_from(i64::from(free) + more).expect("only free processors are taken")
}

/// Changes steps, of which the first begins before the first cut if there is such a step, and the last
/// is the one at the last cut. Cuts are in the order of time, and at `NEVER` there is none.
///
/// # Panics
/// If a number becomes negative, or if the first cut is before the first step.
fn changed(steps: &[Step], cuts: &[Cut], out: &mut Vec<Step>) {
    out.clear();
    let put = |from: Time, free: u32, out: &mut Vec<Step>| {
        if out.last().is_none_or(|last| last.free != free) {
            out.push(Step { from, free });
        }
    };
    let (mut next, mut more) = (0, 0);
    for (place, cut) in cuts.iter().enumerate() {
        let from = next;
        while let Some(step) = steps.get(next).filter(|step| step.from < cut.at) {
            let free = plus(step.free, more);
            if next == from {
                put(step.from, free, out);
            } else {
                out.push(Step { from: step.from, free });
            }
            next += 1;
        }
        more += cut.more;
        // Only the last of cuts at the same time counts, and none at the end of time.
        let is_last = cuts.get(place + 1).is_none_or(|other| other.at > cut.at);
        let begins = steps.get(next).is_some_and(|step| step.from == cut.at);
        if is_last && !begins && cut.at < Time::NEVER {
            let before = next.checked_sub(1).expect("the past is not changed");
            put(cut.at, plus(steps[before].free, more), out);
        }
    }
    for step in &steps[next..] {
        put(step.from, plus(step.free, more), out);
    }
}

/// A search: processors that are free for a length, or until `own`, from a time on that is not
/// before `now` but before `latest`, which is not behind `own`. The length is a tick at least.
#[derive(Clone, Copy, Debug)]
struct Search {
    processors: u32,
    length: Span,
    now: Time,
    latest: Time,
    own: Time,
}

/// The classes that have a number of processors newly free at a step, by bits, if some were returned
/// there.
fn newly_free(free: u32, returned: u32) -> u32 {
    match free {
        0 => 0,
        _ => (2 << free.ilog2()) - (1 << (free - returned + 1).ilog2()),
    }
}

/// Calls a method of the form.
macro_rules! form {
    ($self:expr, $form:ident => $call:expr) => {
        match $self {
            Form::List($form) => $call,
            Form::Blocks($form) => $call,
        }
    };
}

impl Profile {
    /// Creates a profile with all of `processors` free from `now` on.
    pub fn new(processors: u32, now: Time) -> Profile {
        Profile { form: Form::List(List::new(processors, now)) }
    }

    /// Resets it to all of `processors` free from `now` on.
    pub fn reset(&mut self, processors: u32, now: Time) {
        match &mut self.form {
            Form::List(list) => list.reset(processors, now),
            Form::Blocks(_) => *self = Profile::new(processors, now),
        }
    }

    /// Discards everything before `now`.
    pub fn advance(&mut self, now: Time) {
        form!(&mut self.form, form => form.advance(now));
    }

    /// Returns the free processors at `time`, which must not be past.
    pub fn free_at(&self, time: Time) -> u32 {
        form!(&self.form, form => form.free_at(time))
    }

    /// Returns the earliest time from `now` on at which `processors` are free for `length`. `now` is not
    /// before the time last passed to [`advance`](Profile::advance). Returns [`Time::NEVER`] if that
    /// many are never free: processors taken up to the end of time are not returned.
    pub fn earliest(&mut self, now: Time, processors: u32, length: Span) -> Time {
        self.earliest_onto(Time::NEVER, Time::NEVER, now, processors, length).unwrap_or(Time::NEVER)
    }

    /// Returns an earlier time to which a job can move its reservation. The job has `processors`
    /// reserved from `own` on, for `length`. The result is the earliest time from `now` on, before
    /// both `latest` and `own`, at which the processors are free for `length` or until `own`, where
    /// its own reservation begins. Even a job of no length needs them at its start.
    pub fn earliest_onto(
        &mut self,
        own: Time,
        latest: Time,
        now: Time,
        processors: u32,
        length: Span,
    ) -> Option<Time> {
        let (length, latest) = (length.max(Span::TICK), latest.min(own));
        let search = Search { processors, length, now, latest, own };
        form!(&mut self.form, form => form.earliest(search))
    }

    /// Returns true if it has so few steps that knowing where to search saves nothing.
    pub fn is_short(&self) -> bool {
        matches!(&self.form, Form::List(list) if list.steps().len() <= 32)
    }

    /// Returns the first time at which fewer than `processors` are free. The search covers `from`,
    /// which must not be past, up to but not including `until`.
    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        form!(&self.form, form => form.first_lack(from, until, processors))
    }

    /// Takes `processors` from `from` until `to`.
    ///
    /// # Panics
    /// If they are not free.
    pub fn take(&mut self, from: Time, to: Time, processors: u32) {
        self.change(from, to, -i64::from(processors));
    }

    /// Returns `processors` to the free ones from `from` until `to`.
    pub fn give(&mut self, from: Time, to: Time, processors: u32) {
        self.change(from, to, i64::from(processors));
    }

    /// Moves `processors` that are taken from `from` on, for a length, to the same length from `to` on,
    /// which is earlier.
    ///
    /// # Panics
    /// If they are not free there.
    pub fn shift(&mut self, from: Time, to: Time, processors: u32, length: Span) {
        let (end, left) = (to.saturating_add(length), from.saturating_add(length));
        match &mut self.form {
            // It is one pass over the steps from the first to the last.
            Form::Blocks(blocks) if from <= end => {
                let more = i64::from(processors);
                blocks
                    .change(&[(to, -more), (from, more), (end, more), (left, -more)].map(Cut::of));
            }
            _ => {
                self.give(from.max(end), left, processors);
                self.take(to, end.min(from), processors);
            }
        }
    }

    /// Tells the runs that the return of `processors` from `from` until `to` brought about, right after
    /// [`give`](Profile::give) or [`shift`](Profile::shift). Class `c` is of 2^c processors, and not of
    /// twice as many. If one of its numbers is newly free at a time of the interval, `tell` gets the
    /// class, and begin and end of the time around it for which 2^c processors are free.
    pub fn gained(
        &mut self,
        from: Time,
        to: Time,
        processors: u32,
        tell: impl FnMut(usize, Time, Time),
    ) {
        if from < to {
            form!(&mut self.form, form => form.gained((from, to), processors, tell));
        }
    }

    /// Returns the time of the last step.
    pub fn last(&self) -> Time {
        form!(&self.form, form => form.last())
    }

    fn change(&mut self, from: Time, to: Time, more: i64) {
        if from >= to {
            return;
        }
        match &mut self.form {
            Form::List(list) => {
                list.change(from, to, more);
                if list.steps().len() > LONG {
                    self.form = Form::Blocks(Blocks::of(list.steps()));
                }
            }
            Form::Blocks(blocks) => {
                blocks.change(&[(from, more), (to, -more)].map(Cut::of));
                if blocks.len() < SHORT {
                    self.form = Form::List(List::of(blocks.steps().collect()));
                }
            }
        }
    }

    /// Returns the steps that are not past.
    fn steps(&self) -> Vec<Step> {
        match &self.form {
            Form::List(list) => list.steps().to_vec(),
            Form::Blocks(blocks) => blocks.steps().collect(),
        }
    }
}

/// Writes the steps that are not past; the form is of no consequence.
impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.steps().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Profile, D::Error> {
        let steps: Vec<Step> = Vec::deserialize(deserializer)?;
        if steps.is_empty() || steps.windows(2).any(|pair| pair[0].from >= pair[1].from) {
            return Err(D::Error::custom("the steps of a profile are not in the order of time"));
        }
        Ok(Profile {
            form: match steps.len() {
                ..=LONG => Form::List(List::of(steps)),
                _ => Form::Blocks(Blocks::of(&steps)),
            },
        })
    }
}
