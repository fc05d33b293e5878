//! Streams the jobs of a surveyed trace into a run.

use std::sync::Arc;

use super::canonical::{BLOCK, Canonical, digest_of_block};
use super::error::SwfError;
use super::import::{Import, Placing};
use super::input::Trace;
use super::options::Options;
use super::routes::Routes;
use super::survey::Survey;
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::workload::owners::Assignment;
use crate::workload::{Source, SourceError};

/// Data shared by all clones of a source.
#[derive(Debug)]
struct Plan {
    trace: Trace,
    options: Options,
    placing: Placing,
    jobs: u64,
    blocks: Arc<[u64]>,
    assignment: Assignment,
}

/// The open file, positioned after a block of jobs.
struct Open {
    import: Import,
    block: Vec<Canonical>,
    /// Buffer for the binary form of a block.
    room: Vec<u8>,
}

/// The jobs of a surveyed trace, in order of submission.
///
/// It replays the jobs held by the survey, or rereads the file during the run in constant memory.
/// It then reads block by block and compares each block with the survey before delivering a job of
/// it, so no job of another trace enters a run. Its state is the number of jobs delivered. A loaded
/// or cloned source that reads the file reopens it at its next use and skips the jobs already
/// delivered.
pub struct SwfSource {
    plan: Arc<Plan>,
    held: Option<Arc<[Canonical]>>,
    /// Number of this source within the scenario.
    source: u32,
    /// Organization number of the assignment's 0.
    base: OrganizationId,
    /// Clusters of the partitions, if jobs are bound to them.
    routes: Routes,
    yielded: u64,
    /// The file at the block of job `yielded`, unless the jobs are held.
    open: Option<Box<Open>>,
}

impl std::fmt::Debug for SwfSource {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SwfSource { plan, source, base, yielded, .. } = self;
        out.debug_struct("SwfSource")
            .field("file", &plan.trace.name)
            .field("source", source)
            .field("base", base)
            .field("yielded", yielded)
            .finish_non_exhaustive()
    }
}

impl Clone for SwfSource {
    fn clone(&self) -> SwfSource {
        let (plan, held) = (Arc::clone(&self.plan), self.held.clone());
        SwfSource { plan, held, routes: self.routes.clone(), open: None, ..*self }
    }
}

impl SwfSource {
    /// Creates the source at its beginning. `source` is its number within the scenario;
    /// organization `n` of the assignment is `base + n` in the scenario.
    pub fn new(
        survey: &Survey,
        assignment: Assignment,
        source: u32,
        base: OrganizationId,
    ) -> SwfSource {
        let plan = Plan {
            trace: survey.trace.clone(),
            options: survey.options.clone(),
            placing: survey.placing,
            jobs: survey.jobs,
            blocks: Arc::clone(&survey.blocks),
            assignment,
        };
        let held = survey.held.clone();
        let routes = Routes::default();
        SwfSource { plan: Arc::new(plan), held, source, base, routes, yielded: 0, open: None }
    }

    /// Binds jobs to the clusters of their partitions.
    #[must_use]
    pub fn routed(mut self, routes: Routes) -> SwfSource {
        self.routes = routes;
        self
    }

    #[inline]
    fn job(&self, job: &Canonical) -> Job {
        let organization = self.base.0 + self.plan.assignment.of(job.user, job.group);
        job.job(self.source, OrganizationId(organization), self.routes.cluster(job.partition))
    }

    /// Returns the next job from the file, opening it if needed.
    fn read(&mut self) -> Result<Canonical, SwfError> {
        let within = (self.yielded % BLOCK as u64) as usize;
        if let Some(open) = self.open.as_ref().filter(|_| within > 0) {
            return Ok(open.block[within]);
        }
        let begin = self.yielded - within as u64;
        let plan = &*self.plan;
        if self.open.is_none() {
            let mut import = Import::open(&plan.trace, &plan.options, false)?;
            for found in 0..plan.options.skip + begin {
                let found = found.saturating_sub(plan.options.skip);
                import.next()?.ok_or_else(|| plan.shorter(found))?;
            }
            let block = Vec::with_capacity(BLOCK);
            self.open = Some(Box::new(Open { import, block, room: Vec::new() }));
        }
        let open = self.open.as_mut().expect("it was opened");
        plan.read_block(open, begin)?;
        Ok(open.block[within])
    }
}

impl Plan {
    fn shorter(&self, found: u64) -> SwfError {
        SwfError::Changed { file: self.trace.name.clone(), expected: self.jobs, found }
    }

    /// Reads the block of jobs that starts at `begin`, and checks it against the survey.
    fn read_block(&self, open: &mut Open, begin: u64) -> Result<(), SwfError> {
        let file = &self.trace.name;
        let count = (self.jobs - begin).min(BLOCK as u64);
        let replaced =
            || SwfError::Replaced { file: file.clone(), first: begin + 1, last: begin + count };
        open.block.clear();
        for place in 0..count {
            let (line, mut job) = open.import.next()?.ok_or_else(|| self.shorter(begin + place))?;
            self.placing.place_in(file, line, &mut job).map_err(|_| replaced())?;
            open.block.push(job);
        }
        let digest = digest_of_block(&open.block, &mut open.room);
        if self.blocks.get((begin / BLOCK as u64) as usize) != Some(&digest) {
            return Err(replaced());
        }
        Ok(())
    }
}

impl Source for SwfSource {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        if self.yielded == self.plan.jobs {
            return Ok(None);
        }
        let job = match &self.held {
            Some(held) => held[self.yielded as usize],
            None => self.read()?,
        };
        self.yielded += 1;
        Ok(Some(self.job(&job)))
    }

    fn restart(&mut self, _: &Streams) -> Result<(), SourceError> {
        self.yielded = 0;
        self.open = None;
        Ok(())
    }
}

impl State for SwfSource {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.yielded, out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let yielded: u64 = take(from)?;
        if yielded > self.plan.jobs {
            let message = format!("job {yielded} of a trace with {}", self.plan.jobs);
            return Err(Corrupt::Content(message));
        }
        self.yielded = yielded;
        self.open = None;
        Ok(())
    }
}
