//! Parts shared by several miniatures: a source that is a list, the phases, jobs in whole units.

use gridpact::kernel::calendar::Phase;
use gridpact::kernel::rng::Streams;
use gridpact::kernel::state::{Corrupt, State, put, take};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{JobId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::view::{Blind, Submission};
use gridpact::workload::{Arrives, Source, SourceError};

/// The phases of one instant, in their order.
pub const FINISH: Phase = Phase(0);
/// Jobs are submitted.
pub const SUBMIT: Phase = Phase(2);
/// The schedulers decide.
pub const SCHEDULE: Phase = Phase(4);

/// A source that is a list.
#[derive(Clone)]
pub struct Listed<L> {
    list: Vec<L>,
    place: usize,
}

impl<L> Listed<L> {
    pub fn new(list: Vec<L>) -> Listed<L> {
        Listed { list, place: 0 }
    }
}

impl<L> State for Listed<L> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.place, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.place = take(from)?;
        Ok(())
    }
}

impl<L: Arrives + Copy> Source for Listed<L> {
    type Load = L;
    fn next(&mut self) -> Result<Option<L>, SourceError> {
        let load = self.list.get(self.place).copied();
        self.place += usize::from(load.is_some());
        Ok(load)
    }
    fn restart(&mut self, _: &Streams) -> Result<(), SourceError> {
        self.place = 0;
        Ok(())
    }
}

/// A source and the one arrival that it is ahead: what a world needs in order to say when it acts
/// next.
#[derive(Clone)]
pub struct Ahead<S: Source> {
    source: S,
    first: Option<S::Load>,
}

impl<S: Source<Load: Copy>> Ahead<S> {
    pub fn new(mut source: S) -> Result<Ahead<S>, SourceError> {
        let first = source.next()?;
        Ok(Ahead { source, first })
    }

    /// When the next arrival comes.
    pub fn at(&self) -> Option<Time> {
        self.first.as_ref().map(Arrives::at)
    }

    /// The next arrival if it comes no later than `now`.
    pub fn take(&mut self, now: Time) -> Result<Option<S::Load>, SourceError> {
        match self.first {
            Some(load) if load.at() <= now => {
                self.first = self.source.next()?;
                Ok(Some(load))
            }
            _ => Ok(None),
        }
    }
}

impl<S: Source<Load: serde::Serialize + serde::de::DeserializeOwned>> State for Ahead<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.first, out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.first = take(from)?;
        self.source.load(from)
    }
}

/// A time of whole units.
pub fn at(units: i64) -> Time {
    Time::ZERO + Span::units(units)
}

/// A job in whole units.
pub fn job(number: u64, submit: i64, processors: u32, runtime: i64, estimate: i64) -> Job {
    Job {
        number,
        source: 0,
        submit: at(submit),
        runtime: Span::units(runtime),
        estimate: Span::units(estimate),
        processors,
        user: 0,
        organization: OrganizationId(0),
        ..Job::default()
    }
}

/// The part of a job that the world hands out; `id` is its slot.
pub fn submission(id: JobId, job: &Job) -> Submission {
    Submission {
        job: Blind {
            id,
            submit: job.submit,
            processors: job.processors,
            user: job.user,
            organization: job.organization,
        },
        expected: Some(job.estimate),
    }
}

/// The state of a part as bytes.
pub fn saved(part: &impl State) -> Vec<u8> {
    let mut bytes = Vec::new();
    part.save(&mut bytes);
    bytes
}

/// Loads `bytes` into a rebuilt part and checks that saving gives the same bytes again.
pub fn load(rebuilt: &mut impl State, bytes: &[u8]) {
    let mut rest = bytes;
    rebuilt.load(&mut rest).expect("the part was rebuilt as it was");
    assert!(rest.is_empty(), "{} bytes are left over", rest.len());
    assert_eq!(saved(rebuilt), bytes, "what was loaded saves to the same bytes");
}
