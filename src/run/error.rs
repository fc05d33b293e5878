//! Errors that end a run early.

use super::claim::FolderError;
use kernel::engine::Stopped;
use policy::peer::Failure;
use records::files::FileError;
use report::page::NoPage;
use sim::campaign::CampaignError;
use sim::grid::GridError;
use sim::pool::PoolError;
use workload::SourceError;

/// An error that ends a run early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A source of jobs could not be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The simulation stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped<GridError>),
    /// The rounds of a coalition stopped.
    #[error(transparent)]
    Rounds(#[from] Stopped<PoolError>),
    /// The pool of a coalition could not begin.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A campaign stopped.
    #[error(transparent)]
    Campaign(#[from] Stopped<CampaignError>),
    /// A program that decides failed.
    #[error(transparent)]
    Process(#[from] Failure),
    /// A result could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The results folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The run was asked to stop. Its state is saved if it has a folder.
    #[error("the run was stopped before its end")]
    Interrupted,
    /// A cluster's scheduler is built in code, and only an [`Experiment`](super::experiment::Experiment)
    /// can run it.
    #[error("the scheduler of the cluster `{0}` is built in code: run the experiment that has it")]
    Own(String),
    /// The plan is a game that is solved only.
    #[error("{0} is solved, not played; `gridpact game solve FILE` solves it")]
    Unplayed(&'static str),
    /// The page of the results could not be made.
    #[error(transparent)]
    Page(NoPage),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<NoPage> for RunError {
    fn from(wrong: NoPage) -> RunError {
        match wrong {
            NoPage::File(wrong) => RunError::File(wrong),
            wrong => RunError::Page(wrong),
        }
    }
}
