//! One stream of jobs with random owners: the stream determines the jobs, and a draw for each job
//! its owner.

use super::draw::Alias;
use super::invalid::Invalid;
use super::per_job::{Draw, PerJob};
use kernel::rng::Rng;
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

/// A source whose jobs get random owners: number n of the table is organization n. It takes one word of
/// the stream `<name>/owners` per job.
pub type Dealt<S> = PerJob<S, Alias>;

impl Draw for Alias {
    const STREAM: &'static str = "owners";
    #[inline]
    fn give(&self, job: &mut Job, rng: &mut Rng) {
        job.organization = OrganizationId(self.draw(rng) as u32);
    }
}

#[cfg(test)]
mod tests;
