//! Streams the jobs of a surveyed trace into a run.

use std::sync::Arc;

use super::canonical::{BLOCK, Canonical, digest_of_block};
use super::error::SwfError;
use super::import::{Import, Placing};
use super::input::Trace;
use super::kept::Kept;
use super::options::Options;
use super::routes::Routes;
use super::survey::Survey;
use crate::owners::Assignment;
use crate::{Source, SourceError};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use model::ids::OrganizationId;
use model::job::Job;

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

/// The jobs of a surveyed trace, in order of submission.
///
/// It takes the jobs that the survey kept, or rereads the file during the run in constant memory.
/// It then compares each block of jobs with the survey before delivering a job of it, so no job of
/// another trace enters a run. Its state is the number of jobs delivered. A loaded or cloned source
/// that reads the file reopens it at its next use and skips the jobs already delivered.
pub struct SwfSource {
    plan: Arc<Plan>,
    kept: Option<Arc<Kept>>,
    /// Number of this source within the scenario.
    source: u32,
    /// Organization number of the assignment's 0.
    base: OrganizationId,
    /// Clusters of the partitions, if jobs are bound to them.
    routes: Routes,
    yielded: u64,
    /// The block of the job delivered last, or nothing after a jump.
    block: Vec<Canonical>,
    /// Buffer for the packed form of a block.
    packed: Vec<u8>,
    /// The file behind `block`, while jobs are reread.
    open: Option<Box<Open>>,
}

/// The open file.
struct Open {
    import: Import,
    /// Buffer for the binary form of a block.
    room: Vec<[u8; 4]>,
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
        SwfSource {
            plan: Arc::clone(&self.plan),
            kept: self.kept.clone(),
            routes: self.routes.clone(),
            block: Vec::new(),
            packed: Vec::new(),
            open: None,
            ..*self
        }
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
        SwfSource {
            plan: Arc::new(plan),
            kept: survey.kept.clone(),
            source,
            base,
            routes: Routes::default(),
            yielded: 0,
            block: Vec::new(),
            packed: Vec::new(),
            open: None,
        }
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

    /// Moves to a job.
    fn jump(&mut self, yielded: u64) {
        self.yielded = yielded;
        self.block.clear();
        self.open = None;
    }

    /// Fetches the block of the next job.
    #[cold]
    fn fetch(&mut self) -> Result<(), SwfError> {
        let plan = &*self.plan;
        let number = self.yielded / BLOCK as u64;
        let begin = number * BLOCK as u64;
        if let Some(kept) = &self.kept {
            let count = (plan.jobs - begin).min(BLOCK as u64) as usize;
            match kept.read(number as usize, count, &mut self.block, &mut self.packed) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    let file = plan.trace.name.display();
                    tracing::warn!(%file, %error, "the kept jobs cannot be read: the trace is");
                    self.kept = None;
                }
            }
        }
        if self.open.is_none() {
            let mut import = Import::open(&plan.trace, &plan.options, false)?;
            for found in 0..plan.options.skip + begin {
                let found = found.saturating_sub(plan.options.skip);
                import.next()?.ok_or_else(|| plan.shorter(found))?;
            }
            self.open = Some(Box::new(Open { import, room: Vec::new() }));
        }
        let open = self.open.as_mut().expect("it was opened");
        let read = plan.read_block(open, begin, &mut self.block);
        // Nothing of a block that is not right is delivered, however often it is asked for.
        read.inspect_err(|_| self.block.clear())
    }
}

impl Plan {
    fn shorter(&self, found: u64) -> SwfError {
        SwfError::Changed { file: self.trace.name.clone(), expected: self.jobs, found }
    }

    /// Reads the block of jobs that starts at `begin`, and checks it against the survey.
    fn read_block(
        &self,
        open: &mut Open,
        begin: u64,
        block: &mut Vec<Canonical>,
    ) -> Result<(), SwfError> {
        let file = &self.trace.name;
        let count = (self.jobs - begin).min(BLOCK as u64);
        let replaced =
            || SwfError::Replaced { file: file.clone(), first: begin + 1, last: begin + count };
        block.clear();
        for place in 0..count {
            let (line, mut job) = open.import.next()?.ok_or_else(|| self.shorter(begin + place))?;
            self.placing.place_in(file, line, &mut job).map_err(|_| replaced())?;
            block.push(job);
        }
        let digest = digest_of_block(block, &mut open.room);
        if self.blocks.get((begin / BLOCK as u64) as usize) != Some(&digest) {
            return Err(replaced());
        }
        Ok(())
    }
}

impl Source for SwfSource {
    type Load = Job;

    fn owner(&self) -> Option<OrganizationId> {
        (self.plan.assignment.names().len() == 1).then_some(self.base)
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        if self.yielded == self.plan.jobs {
            return Ok(None);
        }
        let within = (self.yielded % BLOCK as u64) as usize;
        if within == 0 || self.block.is_empty() {
            self.fetch()?;
        }
        let job = self.job(&self.block[within]);
        self.yielded += 1;
        Ok(Some(job))
    }

    fn restart(&mut self, _: &Streams) -> Result<(), SourceError> {
        self.jump(0);
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
        self.jump(yielded);
        Ok(())
    }
}
