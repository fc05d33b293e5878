//! The jobs of a surveyed trace as a stream into a run.

use std::sync::Arc;

use super::canonical::Canonical;
use super::error::SwfError;
use super::import::{Import, Placing};
use super::input::Trace;
use super::options::Options;
use super::survey::Survey;
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::workload::owners::Assignment;
use crate::workload::{Source, SourceError};

/// What all clones of a source share.
#[derive(Debug)]
struct Plan {
    trace: Trace,
    options: Options,
    placing: Placing,
    jobs: u64,
    assignment: Assignment,
}

/// The jobs of a surveyed trace, in the order of their submission.
///
/// It replays the jobs that the survey holds, or reads the file again as the run goes on, with
/// constant memory. Its state is the number of jobs handed out; a loaded or cloned source that
/// reads the file opens it again at its next use and skips what was handed out.
pub struct SwfSource {
    plan: Arc<Plan>,
    held: Option<Arc<[Canonical]>>,
    /// The number of this source among the scenario's.
    source: u32,
    /// The organization that the assignment's 0 stands for.
    base: OrganizationId,
    yielded: u64,
    /// The file at job `yielded`, where the jobs are not held.
    open: Option<Box<Import>>,
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
        SwfSource { plan, held, open: None, ..*self }
    }
}

impl SwfSource {
    /// The jobs of `survey` from the beginning. `source` numbers it among the scenario's sources;
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
            assignment,
        };
        let held = survey.held.clone();
        SwfSource { plan: Arc::new(plan), held, source, base, yielded: 0, open: None }
    }

    #[inline]
    fn job(&self, job: &Canonical) -> Job {
        let organization = self.base.0 + self.plan.assignment.of(job.user, job.group);
        job.job(self.source, OrganizationId(organization))
    }

    /// The next job from the file, which is opened first where needed.
    fn read(&mut self) -> Result<Canonical, SwfError> {
        let Plan { trace, options, placing, jobs, .. } = &*self.plan;
        let file = &trace.name;
        let changed = |found| SwfError::Changed { file: file.clone(), expected: *jobs, found };
        let import = match &mut self.open {
            Some(import) => import,
            closed => {
                let mut import = Box::new(Import::open(trace, options, false)?);
                for found in 0..self.yielded {
                    import.next()?.ok_or_else(|| changed(found))?;
                }
                closed.insert(import)
            }
        };
        let (line, mut job) = import.next()?.ok_or_else(|| changed(self.yielded))?;
        placing.place_in(file, line, &mut job)?;
        if job.submit < 0 {
            return Err(changed(self.yielded));
        }
        Ok(job)
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
