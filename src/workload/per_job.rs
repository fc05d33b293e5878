//! A source of jobs each of which gets something by a draw: its owner, or the cluster that it is bound to.

use super::{Source, SourceError};
use kernel::rng::{Rng, Streams};
use kernel::state::{Corrupt, State, put, take};
use model::job::Job;

/// A draw for each job.
pub trait Draw {
    /// Name of its random stream, after that of the source.
    const STREAM: &'static str;
    /// Gives a job what is drawn.
    fn give(&self, job: &mut Job, rng: &mut Rng);
}

/// A source with a draw for each job, from a random stream of its own, `<name>/<stream>`, so that another
/// distribution changes what is drawn and nothing else. Its state is that stream and the source's.
#[derive(Clone, Debug)]
pub struct PerJob<S, D> {
    pub(crate) source: S,
    name: String,
    draw: D,
    rng: Rng,
}

impl<S: Source<Load = Job>, D: Draw> PerJob<S, D> {
    /// Gives the jobs of `source` what `draw` says. `name` selects the random stream.
    pub fn new(source: S, draw: D, name: &str, streams: &Streams) -> PerJob<S, D> {
        PerJob { source, name: name.to_owned(), draw, rng: stream::<D>(name, streams) }
    }
}

fn stream<D: Draw>(name: &str, streams: &Streams) -> Rng {
    streams.stream(&format!("{name}/{}", D::STREAM))
}

impl<S: Source<Load = Job>, D: Draw> Source for PerJob<S, D> {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        let Some(mut job) = self.source.next()? else { return Ok(None) };
        self.draw.give(&mut job, &mut self.rng);
        Ok(Some(job))
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.rng = stream::<D>(&self.name, streams);
        self.source.restart(streams)
    }
}

impl<S: State, D> State for PerJob<S, D> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.rng, out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.rng = take(from)?;
        self.source.load(from)
    }
}
