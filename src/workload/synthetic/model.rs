//! A synthetic workload that is ready to be drawn from.

use super::options::SyntheticOptions;
use crate::kernel::rng::Rng;
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::workload::batches::BatchDraw;
use crate::workload::draw::{AnyDraw, Draw as _, Moments};
use crate::workload::estimates::Estimates;
use crate::workload::parameters::end;
use crate::workload::profile::TimeChange;
use crate::workload::rounding::{Rounding, nearest};
use crate::workload::values::ValuesError;
use crate::workload::widths::{WidthDraw, Widths};

/// A synthetic workload whose parameters can be and whose files were read. Its streams share it.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticModel {
    options: SyntheticOptions,
    pub(super) gap: AnyDraw,
    pub(super) batch: Option<BatchDraw>,
    change: Option<TimeChange>,
    size: AnyDraw,
    pub(super) width: WidthDraw,
    pub(super) estimates: Estimates,
    round_arrivals: Option<Rounding>,
    round_size: Option<Rounding>,
    /// The most jobs.
    pub(super) jobs: u64,
    /// The first instant at which nothing comes.
    pub(super) until: Time,
}

impl SyntheticModel {
    /// Checks the parameters and reads the files, whose paths are taken as they are.
    ///
    /// # Errors
    /// The first field that cannot be, or what is wrong with a file.
    pub fn new(options: SyntheticOptions) -> Result<SyntheticModel, ValuesError> {
        let SyntheticOptions { arrivals, batches, profile, size, processors, .. } = &options;
        let gap = arrivals.sampler().map_err(|invalid| invalid.within("arrivals"))?;
        let batch = batches.as_ref().map(|batches| batches.sampler());
        let batch = batch.transpose().map_err(|invalid| invalid.within("batches"))?;
        let change = profile.as_ref().map(|profile| profile.time_change());
        let change = change.transpose().map_err(|invalid| invalid.within("profile"))?;
        let size = size.sampler().map_err(|error| error.within("size"))?;
        let width = processors.sampler().map_err(|error| error.within("processors"))?;
        options.estimates.validate().map_err(|invalid| invalid.within("estimates"))?;
        let until = end(options.until)?;
        Ok(SyntheticModel {
            gap,
            batch,
            change,
            size,
            width,
            estimates: options.estimates.clone(),
            round_arrivals: options.rounding.arrivals,
            round_size: options.rounding.size,
            jobs: options.jobs.unwrap_or(u64::MAX),
            until,
            options,
        })
    }

    /// What was written.
    pub fn options(&self) -> &SyntheticOptions {
        &self.options
    }

    /// The gaps between arrivals, in units: mean and variance. A profile keeps their mean.
    pub fn gaps(&self) -> Moments {
        self.gap.moments().times(UNIT)
    }

    /// The jobs that come at an arrival: mean and variance.
    pub fn batches(&self) -> Moments {
        self.batch.map_or(Moments { mean: 1.0, variance: 0.0 }, |batch| batch.moments())
    }

    /// The run times, in units: mean and variance; none where they are rounded to whole units.
    pub fn sizes(&self) -> Option<Moments> {
        self.round_size.is_none().then(|| self.sizes_before_rounding())
    }

    /// The run times before any is rounded to whole units, in units: mean and variance.
    pub fn sizes_before_rounding(&self) -> Moments {
        self.size.moments().times(UNIT)
    }

    /// The numbers of processors.
    pub fn widths(&self) -> &WidthDraw {
        &self.width
    }

    /// The processors that its jobs keep busy on average while they come, if all can run: their
    /// mean area over the mean time from one to the next. None where that is not known: where run
    /// times are rounded to whole units.
    pub fn offered_area_rate(&self) -> Option<f64> {
        let rate = self.batches().mean / self.gaps().mean;
        self.sizes().map(|sizes| rate * sizes.mean * self.width.moments().mean)
    }

    /// The digest of what was read from files, where something was.
    pub fn digest(&self) -> Option<String> {
        let size = if let AnyDraw::Table(table) = &self.size { Some(table) } else { None };
        let listed = matches!(self.options.processors, Widths::Empirical { .. });
        let width = if let WidthDraw::Table(table) = &self.width { Some(table) } else { None };
        let tables = size.into_iter().chain(width.filter(|_| listed));
        let digests: Vec<String> =
            tables.map(|table| table.digest().to_hex().to_string()).collect();
        (!digests.is_empty()).then(|| digests.concat())
    }

    /// When jobs are submitted that come at this time of the process's own clock.
    #[inline]
    pub(super) fn submit(&self, clock: Time) -> Time {
        let time = self.change.as_ref().map_or(clock, |change| change.at(clock));
        match self.round_arrivals {
            None => time,
            Some(rounding) => Time::from_ticks(rounding.round(time.ticks())),
        }
    }

    /// A run time.
    #[inline]
    pub(super) fn runtime(&self, rng: &mut Rng) -> Span {
        let runtime = nearest(self.size.draw(rng));
        match self.round_size {
            None => runtime,
            Some(rounding) => Span::from_ticks(rounding.round(runtime.ticks())),
        }
    }

    /// Does it draw from other streams than those of arrivals and sizes?
    pub(super) fn draws_more(&self) -> bool {
        let constant_width = matches!(self.width, WidthDraw::Constant(_));
        !constant_width || self.batch.is_some() || self.estimates.draws()
    }
}

const UNIT: f64 = 1.0 / TICKS_PER_UNIT as f64;
