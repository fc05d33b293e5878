//! The interface of a world that can be run: replications that can be saved, and their findings.
//!
//! [`conduct`](super::conduct::conduct) does the rest for every world: threads, records, checkpoints
//! and their resumption, the target precision, progress, and the files of the results.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::RunError;
use super::pulse::Pulse;
use super::session::Session;
use super::settings::RunSettings;
use super::sheet::{OpenRecords, Sheet};
use findings::Findings;
use findings::ended::Ended;
use kernel::state::State;
use report::world::{Plain, Report};
use scenario::plan::Plan;

pub use super::progress::Seen;

/// A kind of records: its file name and a function that writes its header.
pub type Kind = (&'static str, fn(&mut Vec<u8>) -> io::Result<()>);

/// The open records of a replication, in the order of [`Runnable::records`]; `None` for those that
/// are not written.
pub type Sheets = Vec<Option<Sheet>>;

/// A world whose replications can be run.
///
/// The findings of a replication may depend on the world, the plan's seed and its number
/// alone; then the same run gives the same bytes on any number of threads, resumed or not.
pub trait Runnable: Sync {
    /// A replication under settings.
    type Replica<'a>: Replica<Head = Self::Head, Outcome = Self::Outcome>
    where
        Self: 'a;
    /// The data saved before a replica's state; see [`Replica::head`].
    type Head: Serialize + DeserializeOwned;
    /// The findings of one replication.
    type Outcome: Send;
    /// The findings of all of them.
    type Findings: Findings + Send;

    /// The records that a replication writes, with `None` for those that are not wanted.
    fn records(&self) -> Vec<Option<Kind>> {
        Vec::new()
    }

    /// Works out what all replications depend on, before the first of them.
    ///
    /// # Errors
    /// Fails if a simulation does.
    fn prepare(&self, _ground: &RunContext<'_>) -> Result<(), RunError> {
        Ok(())
    }

    /// The plan and the number under which a replication is saved, if it is one of several plans that
    /// are run together; by default there is one plan, the run's own.
    ///
    /// Such states are all kept, and taken up wherever a run needs the same replication.
    fn saved_as(&self, _number: u32) -> Option<(&Plan, u32)> {
        None
    }

    /// Begins a replication. If it is then loaded from a saved state, `head` is what stands before
    /// that state.
    ///
    /// # Errors
    /// Fails if a source cannot be opened.
    fn begin<'a>(
        &'a self,
        new: NewReplication<'_>,
        head: Option<&Self::Head>,
    ) -> Result<Self::Replica<'a>, RunError>;

    /// True if this run passes through a state that was saved with this head, perhaps by a run of
    /// another length.
    ///
    /// # Errors
    /// Fails if a simulation does.
    fn passes(
        &self,
        head: &Self::Head,
        number: u32,
        context: &RunContext<'_>,
    ) -> Result<bool, RunError>;

    /// Findings without any replication.
    fn findings(&self) -> Self::Findings;

    /// Adds the next replication, in the order of their numbers.
    fn add(&self, findings: &mut Self::Findings, outcome: Self::Outcome);

    /// An objection to the intervals of a run that had a target precision, in words.
    fn objection(&self, _findings: &Self::Findings, _ended: &Ended) -> Option<String> {
        None
    }

    /// Name of the world in files.
    fn name(&self) -> &'static str;

    /// The report of what was found; by default, of the figures alone.
    fn report<'a>(&'a self, findings: &'a Self::Findings) -> Box<dyn Report + 'a> {
        Box::new(Plain { world: self.name(), findings })
    }
}

/// A replication under settings; its [`State`] holds everything needed to resume it.
pub trait Replica: State + Sized {
    /// The data that a later run must have before it loads the state.
    type Head: Serialize + DeserializeOwned;
    /// The result of the replication.
    type Outcome;

    /// The head of the state as it is now.
    fn head(&self) -> Self::Head;

    /// Progress of a saved state; of several, the furthest is resumed.
    fn rank(head: &Self::Head) -> u64;

    /// Advances by about this many instants; false once it has ended.
    ///
    /// # Errors
    /// Fails if the simulation does.
    fn advance(&mut self, instants: u64) -> Result<bool, RunError>;

    /// Ends it, and gives back its records.
    ///
    /// # Errors
    /// Fails if the last lines cannot be written.
    fn finish(self) -> Result<(Self::Outcome, Sheets), RunError>;

    /// Its progress.
    fn seen(&self) -> Seen;

    /// Called once after a saved state was loaded, with its head.
    fn resumed(&mut self, _head: &Self::Head) {}

    /// Its records, in the order of [`Runnable::records`].
    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        Vec::new()
    }

    /// True if a longer run can be resumed from here, but not from the end of this one.
    fn is_landmark(&self) -> bool {
        false
    }

    /// Its current state for a display; the number of the replication and what was
    /// [`seen`](Replica::seen) are filled in by the caller.
    fn pulse(&self) -> Pulse {
        Pulse::default()
    }

    /// Sum in ticks and number of the flow times of its jobs, for a display.
    fn flow(&self) -> (i128, u64) {
        (0, 0)
    }
}

/// A replication that is about to begin.
#[derive(Debug)]
pub struct NewReplication<'a> {
    /// Its number, from 0.
    pub number: u32,
    /// Its records.
    pub sheets: Sheets,
    /// The context that all replications share.
    pub context: &'a RunContext<'a>,
}

/// The context that the replications of a run share: how it is run, and where it is saved.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    pub(super) settings: &'a RunSettings<'a>,
    pub(super) session: Option<&'a Session<'a>>,
}
