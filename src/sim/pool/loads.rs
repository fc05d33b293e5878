//! Divisible load: the work that a source of jobs brings to one cluster.

use serde::{Deserialize, Serialize};

use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::job::Job;
use workload::{Source, SourceError};

/// A job as divisible load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Its number in its source.
    pub number: u64,
    /// Submission time.
    pub submit: Time,
    /// Work, as the time that the whole cluster needs for it.
    pub size: Span,
}

/// Conversion of a rigid job to divisible load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsLoad {
    /// Processors of the cluster; all work on one job at a time.
    pub processors: u32,
    /// Granularity: sizes are rounded up to a multiple of this.
    pub unit: Span,
}

impl AsLoad {
    /// The load of a job: its processors times its runtime, divided by the cluster's processors.
    /// `None` if that exceeds the longest span.
    #[inline]
    pub fn size(&self, job: &Job) -> Option<Span> {
        let unit = self.unit.ticks();
        if job.processors == self.processors && (unit == 1 || job.runtime.ticks() % unit == 0) {
            return Some(job.runtime);
        }
        let all = i128::from(self.processors) * i128::from(unit);
        let units = (job.area() + all - 1).div_euclid(all);
        i64::try_from(units * i128::from(unit)).ok().map(Span::from_ticks)
    }
}

/// Number of jobs read ahead at once. A cluster's generators then stay in the cache for several
/// jobs, which matters for a pool of a thousand clusters.
const BLOCK: usize = 16;

/// A read-ahead buffer that turns a source's jobs into loads.
#[derive(Clone, Debug)]
pub struct Loads<S> {
    /// Submission time of the next job; `Time::NEVER` at the end.
    at: Time,
    /// Jobs read ahead, the next one last.
    ready: Vec<Load>,
    source: S,
    kind: AsLoad,
}

impl<S: Source<Load = Job>> Loads<S> {
    /// The loads of a source's jobs. Nothing is read before the first [`Loads::restart`].
    pub fn new(source: S, kind: AsLoad) -> Loads<S> {
        Loads { at: Time::NEVER, ready: Vec::with_capacity(BLOCK), source, kind }
    }

    /// Submission time of the next job; `Time::NEVER` at the end.
    #[inline]
    pub fn at(&self) -> Time {
        self.at
    }

    /// Restarts with the streams of another replication or round.
    ///
    /// # Errors
    /// Fails if the source cannot be opened or read.
    pub fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.source.restart(streams)?;
        self.ready.clear();
        self.read()
    }

    /// Ends the stream of jobs.
    pub fn close(&mut self) {
        self.ready.clear();
        self.at = Time::NEVER;
    }

    /// Takes the next job.
    ///
    /// # Errors
    /// Fails if the jobs after it cannot be read.
    #[inline]
    pub fn take(&mut self) -> Result<Option<Load>, SourceError> {
        let load = self.ready.pop();
        match self.ready.last() {
            Some(next) => self.at = next.submit,
            None => self.read()?,
        }
        Ok(load)
    }

    #[cold]
    #[inline(never)]
    fn read(&mut self) -> Result<(), SourceError> {
        let Loads { at, ready, source, kind } = self;
        *at = Time::NEVER;
        let mut too_long = None;
        source.next_some(BLOCK - ready.len(), |job| match kind.size(&job) {
            Some(size) => ready.push(Load { number: job.number, submit: job.submit, size }),
            None => too_long = too_long.or(Some(job.number)),
        })?;
        if let Some(number) = too_long {
            let message = format!("job {number} brings more work than can be counted");
            return Err(SourceError(message));
        }
        self.ready.reverse();
        if let Some(next) = self.ready.last() {
            self.at = next.submit;
        }
        Ok(())
    }
}

impl<S: Source<Load = Job>> State for Loads<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.at, &self.ready), out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.at, self.ready) = take(from)?;
        self.source.load(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ids::OrganizationId;
    use workload::jobs::ListSource;

    fn job(number: u64, submit: i64, runtime: Span, processors: u32) -> Job {
        Job {
            number,
            source: 0,
            submit: Time::ZERO + Span::units(submit),
            runtime,
            estimate: runtime,
            processors,
            user: 0,
            organization: OrganizationId(0),
            ..Job::default()
        }
    }

    fn size(processors: u32, unit: i64, runtime: i64, wide: u32) -> Option<i64> {
        let kind = AsLoad { processors, unit: Span::from_ticks(unit) };
        kind.size(&job(0, 0, Span::from_ticks(runtime), wide)).map(Span::ticks)
    }

    #[test]
    fn a_job_is_the_time_that_the_whole_cluster_works_for_it() {
        assert_eq!(size(4, 1, 12, 4), Some(12));
        assert_eq!(size(4, 1, 12, 2), Some(6));
        assert_eq!(size(4, 1, 12, 8), Some(24), "wider than the cluster it takes longer");
        assert_eq!(size(1, 1, 0, 1), Some(0));
    }

    #[test]
    fn what_is_between_units_is_rounded_up() {
        assert_eq!(size(4, 1, 13, 2), Some(7));
        assert_eq!(size(1, 10, 20, 1), Some(20));
        assert_eq!(size(1, 10, 21, 1), Some(30));
        assert_eq!(size(4, 10, 80, 2), Some(40));
        assert_eq!(size(4, 10, 82, 2), Some(50));
        assert_eq!(size(4, 10, 0, 2), Some(0));
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        assert_eq!(size(1, 1, i64::MAX, 1), Some(i64::MAX));
        assert_eq!(size(1, 1, i64::MAX, 2), None);
        assert_eq!(size(1, 10, i64::MAX, 1), None, "rounded up it is too long");
        let source = ListSource::new(vec![job(7, 0, Span::MAX, 2)]);
        let mut loads = Loads::new(source, AsLoad { processors: 1, unit: Span::TICK });
        let wrong = loads.restart(&Streams::new(1)).unwrap_err();
        assert_eq!(wrong.0, "job 7 brings more work than can be counted");
    }

    /// More jobs than are read ahead at once.
    fn many() -> Loads<ListSource> {
        let jobs =
            (0..3 * BLOCK as u64 + 1).map(|number| job(number, number as i64, Span::UNIT, 1));
        Loads::new(ListSource::new(jobs.collect()), AsLoad { processors: 1, unit: Span::TICK })
    }

    /// The numbers of the remaining jobs.
    fn rest(loads: &mut Loads<ListSource>) -> Vec<u64> {
        let next = || {
            let at = loads.at();
            let load = loads.take().expect("a list can be read");
            assert_eq!(load.map_or(Time::NEVER, |load| load.submit), at);
            load.map(|load| load.number)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn all_jobs_come_in_their_order_and_once_more_after_a_restart() {
        let mut loads = many();
        assert_eq!(loads.at(), Time::NEVER, "nothing is read before a restart");
        for _ in 0..2 {
            loads.restart(&Streams::new(1)).expect("a list can be read");
            assert!(rest(&mut loads).into_iter().eq(0..3 * BLOCK as u64 + 1));
            assert_eq!(loads.at(), Time::NEVER);
        }
    }

    #[test]
    fn nothing_comes_of_closed_loads_until_they_are_restarted() {
        let mut loads = many();
        loads.restart(&Streams::new(1)).expect("a list can be read");
        loads.take().expect("a list can be read");
        loads.close();
        assert_eq!(loads.at(), Time::NEVER);
        loads.restart(&Streams::new(1)).expect("a list can be read");
        assert_eq!(rest(&mut loads).len(), 3 * BLOCK + 1);
    }

    #[test]
    fn saved_in_the_middle_they_go_on() {
        let mut loads = many();
        loads.restart(&Streams::new(1)).expect("a list can be read");
        (0..BLOCK + 3).for_each(|_| drop(loads.take()));
        let (mut bytes, mut rebuilt) = (Vec::new(), many());
        loads.save(&mut bytes);
        rebuilt.restart(&Streams::new(1)).expect("a list can be read");
        rebuilt.load(&mut bytes.as_slice()).expect("it was saved");
        assert_eq!(rest(&mut rebuilt), rest(&mut loads));
    }
}
