//! One stream of jobs with random owners: the stream determines the jobs, and a draw for each job
//! its owner.

use super::draw::Alias;
use super::invalid::Invalid;
use super::{Source, SourceError};
use kernel::rng::{Rng, Streams};
use kernel::state::{Corrupt, State, put, take};
use model::bounds::{Bounds, parameters};
use model::entry::Entry;
use model::ids::OrganizationId;
use model::job::Job;

/// Sources of the distributions of owners.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "zipf",
    "Zipf, Human Behavior and the Principle of Least Effort, 1949; the exponent: Pascual, Rzadca and \
     Trystram, Cooperation in multi-organization scheduling, 2009",
)];

/// The exponent where none is given.
const USUAL_EXPONENT: f64 = 1.4267;
/// The exponent of a power law.
const EXPONENT: Bounds<'_> = Bounds::of("an exponent").from(0.0).to(100.0);

parameters! {
    /// The distribution of a stream's owners. Draws are independent of each other and of the jobs.
    #[derive(Copy)]
    pub enum DrawnOwners {
        /// Zipf's law: the k-th organization of the scenario has a share proportional to k to the
        /// power of -exponent. Copies of an entry with a count are consecutive.
        Zipf {
            /// Exponent of inequality; at 0 all shares are equal.
            #[serde(default = "usual_exponent")]
            exponent: f64 as EXPONENT where { "default": USUAL_EXPONENT },
        },
        /// Equal shares for all organizations.
        Uniform {},
    }
}

/// Returns the exponent of studies of grids of selfish organizations.
fn usual_exponent() -> f64 {
    USUAL_EXPONENT
}

impl Default for DrawnOwners {
    fn default() -> DrawnOwners {
        DrawnOwners::Zipf { exponent: usual_exponent() }
    }
}

impl DrawnOwners {
    /// Returns the name in a scenario.
    pub fn name(&self) -> &'static str {
        match self {
            DrawnOwners::Zipf { .. } => "zipf",
            DrawnOwners::Uniform {} => "uniform",
        }
    }

    /// Builds the sampling table of owners among `organizations`.
    ///
    /// # Errors
    /// The first invalid parameter.
    ///
    /// # Panics
    /// If there is no organization.
    pub fn table(&self, organizations: usize) -> Result<Alias, Invalid> {
        self.check()?;
        let weight = |rank: usize| match *self {
            DrawnOwners::Zipf { exponent } => libm::pow(rank as f64, -exponent),
            DrawnOwners::Uniform {} => 1.0,
        };
        let weights: Vec<f64> = (1..=organizations).map(weight).collect();
        Ok(Alias::new(&weights).expect("the first weighs 1, and there is a first"))
    }
}

/// A source whose jobs get random owners.
///
/// Owners come from a separate random stream, `<name>/owners`, one word per job, so that another
/// distribution changes the owners and nothing else. Its state is that stream and the source's.
#[derive(Clone, Debug)]
pub struct Dealt<S> {
    source: S,
    name: String,
    table: Alias,
    owners: Rng,
}

impl<S: Source<Load = Job>> Dealt<S> {
    /// Assigns the jobs of `source`; number n of the table is organization n. `name` selects the
    /// random stream of the owners.
    pub fn new(source: S, table: Alias, name: &str, streams: &Streams) -> Dealt<S> {
        let owners = stream(name, streams);
        Dealt { source, name: name.to_owned(), table, owners }
    }
}

fn stream(name: &str, streams: &Streams) -> Rng {
    streams.stream(&format!("{name}/owners"))
}

impl<S: Source<Load = Job>> Source for Dealt<S> {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        let Some(job) = self.source.next()? else { return Ok(None) };
        let organization = OrganizationId(self.table.draw(&mut self.owners) as u32);
        Ok(Some(Job { organization, ..job }))
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.owners = stream(&self.name, streams);
        self.source.restart(streams)
    }
}

impl<S: State> State for Dealt<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.owners, out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.owners = take(from)?;
        self.source.load(from)
    }
}

#[cfg(test)]
mod tests;
