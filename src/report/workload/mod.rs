//! Statistics of a workload before it is run.
//!
//! They cover demand by organization, run times, widths and interarrival times of jobs, and their
//! daily and weekly patterns.

mod bins;
pub mod entry;
mod measured;
mod tables;
mod text;

use crate::grid::loads;
use bins::{ByDecade, ByDoubling};
use findings::grid::loads::{Loads, Part, load};
use kernel::time::{TICKS_PER_UNIT, Time};
use measured::Measured;
use model::ids::OrganizationId;
use model::job::Job;
use scenario::plan::Plan;
use workload::swf::Share;

pub use tables::{NAMES, tables};
pub use text::render;

/// Units in an hour, if a unit is a second.
const HOUR: i64 = 3600;

/// Demand of an organization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Brought {
    /// Its jobs, with areas in ticks times processors.
    share: Share,
    /// Number of jobs that need more processors than any cluster they may use.
    too_large: u64,
}

/// Processors that an organization may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MayUse {
    all: u64,
    /// Processors of the largest cluster.
    largest: u32,
}

/// Statistics of a workload, collected job by job in the order of submission.
#[derive(Clone, Debug)]
pub struct Profile<'a> {
    plan: &'a Plan,
    replication: u32,
    /// True if more jobs would come than were added.
    is_cut: bool,
    first: Option<Time>,
    last: Time,
    brought: Vec<Brought>,
    may_use: Vec<MayUse>,
    parts: Loads,
    runtime: Measured,
    /// Ratio of estimate to run time, for jobs with a positive run time.
    overestimate: Measured,
    processors: Measured,
    gap: Measured,
    area: Measured,
    /// Number of jobs whose area exceeds the largest that can be recorded, and is recorded as that.
    clipped: u64,
    serial: u64,
    /// Number of jobs whose width is a power of two above 1.
    powers_of_two: u64,
    runtimes: ByDecade,
    gaps: ByDecade,
    widths: ByDoubling,
    hours: [u64; 24],
    days: [u64; 7],
}

impl<'a> Profile<'a> {
    /// A profile without jobs, for a replication of a plan.
    pub fn new(plan: &'a Plan, replication: u32) -> Profile<'a> {
        let may_use = plan.organizations.iter().map(|organization| {
            let used = organization.uses.iter().map(|id| plan.clusters[id.index()].processors());
            let all = used.clone().map(u64::from).sum();
            MayUse { all, largest: used.max().unwrap_or(0) }
        });
        Profile {
            plan,
            replication,
            is_cut: false,
            first: None,
            last: Time::ZERO,
            brought: vec![Brought::default(); plan.organizations.len()],
            may_use: may_use.collect(),
            parts: loads::of(plan),
            runtime: Measured::default(),
            overestimate: Measured::default(),
            processors: Measured::whole(),
            gap: Measured::default(),
            area: Measured::default(),
            clipped: 0,
            serial: 0,
            powers_of_two: 0,
            runtimes: ByDecade::default(),
            gaps: ByDecade::default(),
            widths: ByDoubling::default(),
            hours: [0; 24],
            days: [0; 7],
        }
    }

    /// Adds a job.
    pub fn add(&mut self, job: &Job) {
        let runtime = job.runtime.ticks().unsigned_abs();
        let area = i128::from(job.processors) * i128::from(runtime);
        if self.first.is_none() {
            self.first = Some(job.submit);
        } else {
            let gap = (job.submit - self.last).ticks().unsigned_abs();
            self.gap.record(gap);
            self.gaps.record(gap);
        }
        self.last = job.submit;
        let OrganizationId(organization) = job.organization;
        let brought = &mut self.brought[organization as usize];
        brought.share.add(Share::one(area, job.submit));
        let too_large = job.processors > self.may_use[organization as usize].largest;
        brought.too_large += u64::from(too_large);
        self.runtime.record(runtime);
        self.runtimes.record(runtime);
        if runtime > 0 {
            let millionths = i128::from(TICKS_PER_UNIT);
            let ratio = i128::from(job.estimate.ticks()) * millionths / i128::from(runtime);
            self.overestimate.record(u64::try_from(ratio).unwrap_or(u64::MAX));
        }
        self.processors.record(job.processors.into());
        self.widths.record(job.processors);
        self.area.record(u64::try_from(area).unwrap_or(u64::MAX));
        self.clipped += u64::from(u64::try_from(area).is_err());
        self.serial += u64::from(job.processors == 1);
        self.powers_of_two += u64::from(job.processors > 1 && job.processors.is_power_of_two());
        let hour = job.submit.ticks().div_euclid(HOUR * TICKS_PER_UNIT);
        self.hours[hour.rem_euclid(24) as usize] += 1;
        self.days[hour.div_euclid(24).rem_euclid(7) as usize] += 1;
    }

    /// Notes that more jobs would come.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Number of jobs added.
    pub fn jobs(&self) -> u64 {
        self.runtime.count()
    }

    /// Demand of all organizations together.
    fn whole(&self) -> Brought {
        Brought {
            share: Share::sum(self.brought.iter().map(|one| one.share)),
            too_large: self.brought.iter().map(|one| one.too_large).sum(),
        }
    }

    /// Number of processors of the whole grid.
    fn processors_of_grid(&self) -> u64 {
        self.plan.processors()
    }

    /// Time from the first submission to the last, in ticks; `None` if it is zero or unknown.
    fn span(&self) -> Option<i64> {
        let span = (self.last - self.first?).ticks();
        (span > 0).then_some(span)
    }

    /// Offered load of the whole grid.
    fn load(&self) -> Option<f64> {
        let Share { area, submits, .. } = self.whole().share;
        load(area, self.processors_of_grid(), submits)
    }

    /// Offered load of each organization: its work over what the processors that it may use can do
    /// while its jobs come, or those of others that may use nothing else.
    ///
    /// So the loads of organizations that share their clusters add up to the load of their part.
    fn loads(&self) -> Vec<Option<f64>> {
        let of = |part: &Part| {
            Share::sum(part.organizations.iter().map(|&index| self.brought[index].share)).submits
        };
        let submits: Vec<Option<(Time, Time)>> = self.parts.parts().iter().map(of).collect();
        let parts = self.parts.narrowest(self.brought.len());
        let organizations = self.brought.iter().zip(&self.may_use).zip(parts);
        let load = |((brought, may_use), part): ((&Brought, &MayUse), usize)| {
            load(brought.share.area, may_use.all, submits[part])
        };
        organizations.map(load).collect()
    }

    /// Warnings before a run: overload, jobs that fit no cluster, and misleading figures.
    pub fn warnings(&self) -> Vec<String> {
        text::warnings(self)
    }
}

#[cfg(test)]
mod tests;
