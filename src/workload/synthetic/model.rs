//! A synthetic workload ready to draw from.

use super::BLOCK;
use super::options::SyntheticOptions;
use crate::batches::BatchDraw;
use crate::draw::{AnyDraw, Draw as _, Moments, below, fraction};
use crate::estimates::Estimates;
use crate::parameters::end;
use crate::profile::TimeChange;
use crate::rounding::{Rounding, nearest};
use crate::values::ValuesError;
use crate::widths::{WidthDraw, Widths};
use kernel::rng::Rng;
use kernel::time::{Span, TICKS_PER_UNIT, Time};

/// A synthetic workload with valid parameters and its files read. Its streams share it.
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
    /// Maximum number of jobs.
    pub(super) jobs: u64,
    /// First instant from which on no job arrives.
    pub(super) until: Time,
}

impl SyntheticModel {
    /// Checks the parameters and reads the files; paths are used unchanged.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn new(options: SyntheticOptions) -> Result<SyntheticModel, ValuesError> {
        let SyntheticOptions { arrivals, batches, profile, size, processors, .. } = &options;
        options.check()?;
        let gap = arrivals.sampler()?;
        let batch = batches.as_ref().map(|batches| batches.sampler());
        let batch = batch.transpose().map_err(|invalid| invalid.within("batches"))?;
        let change = profile.as_ref().map(|profile| profile.time_change());
        let change = change.transpose().map_err(|invalid| invalid.within("profile"))?;
        let size = size.sampler()?;
        let width = processors.sampler()?;
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

    /// Returns the parameters as written.
    pub fn options(&self) -> &SyntheticOptions {
        &self.options
    }

    /// Returns mean and variance of interarrival times, in units. A profile preserves the mean.
    pub fn gaps(&self) -> Moments {
        self.gap.moments().times(UNIT)
    }

    /// Returns true if jobs arrive one by one, at times neither transformed nor rounded.
    pub fn has_independent_gaps(&self) -> bool {
        self.batch.is_none()
            && self.change.is_none()
            && self.round_arrivals.is_none()
            && !self.options.is_at_once()
    }

    /// Returns mean and variance of the number of jobs per arrival.
    pub fn batches(&self) -> Moments {
        self.batch.map_or(Moments { mean: 1.0, variance: 0.0 }, |batch| batch.moments())
    }

    /// Returns mean and variance of independent runtimes, in units; `None` if they are rounded to whole
    /// units, and if users repeat theirs.
    pub fn sizes(&self) -> Option<Moments> {
        let are_drawn = self.round_size.is_none() && self.options.users.is_none();
        are_drawn.then(|| self.sizes_before_rounding())
    }

    /// Returns mean and variance of the distribution of runtimes, in units, before rounding to whole
    /// units.
    pub fn sizes_before_rounding(&self) -> Moments {
        self.size.moments().times(UNIT)
    }

    /// Returns the distribution of processors.
    pub fn widths(&self) -> &WidthDraw {
        &self.width
    }

    /// Returns the mean number of busy processors while jobs arrive, provided all can run. It is
    /// the mean area over the mean time between jobs; with users, over all that may be drawn. It is
    /// `None` if unknown, that is, if runtimes are rounded to whole units, and if all jobs come at
    /// once.
    pub fn offered_area_rate(&self) -> Option<f64> {
        let rate = self.batches().mean / self.gaps().mean;
        let is_known = self.round_size.is_none() && !self.options.is_at_once();
        is_known.then(|| rate * self.sizes_before_rounding().mean * self.width.moments().mean)
    }

    /// Returns the digest of data read from files, if any.
    pub fn digest(&self) -> Option<String> {
        let size = if let AnyDraw::Empirical(table) = &self.size { Some(table) } else { None };
        let listed = matches!(self.options.processors, Widths::Empirical(_));
        let width = if let WidthDraw::Table(table) = &self.width { Some(table) } else { None };
        let tables = size.into_iter().chain(width.filter(|_| listed));
        let digests: Vec<String> =
            tables.map(|table| table.digest().to_hex().to_string()).collect();
        (!digests.is_empty()).then(|| digests.concat())
    }

    /// Converts a time of the process's own clock to the submission time.
    #[inline]
    pub(super) fn submit(&self, clock: Time) -> Time {
        let time = self.change.as_ref().map_or(clock, |change| change.at(clock));
        match self.round_arrivals {
            None => time,
            Some(rounding) => Time::from_ticks(rounding.round(time.ticks())),
        }
    }

    /// Draws gaps between arrivals, and runtimes.
    #[inline]
    pub(super) fn fill(&self, arrivals: &mut Rng, sizes: &mut Rng, places: &mut [(Span, Span)]) {
        let mut drawn = [0.0; BLOCK];
        let drawn = &mut drawn[..places.len()];
        self.gap.fill(arrivals, drawn);
        places.iter_mut().zip(&*drawn).for_each(|(place, &gap)| place.0 = nearest(gap));
        self.size.fill(sizes, drawn);
        places.iter_mut().zip(&*drawn).for_each(|(place, &size)| place.1 = self.rounded(size));
    }

    /// Draws a runtime.
    #[inline]
    pub(super) fn runtime(&self, rng: &mut Rng) -> Span {
        self.rounded(self.size.draw(rng))
    }

    /// Draws the usual runtime of each user, in ticks; `None` without users.
    pub(super) fn usual(&self, rng: &mut Rng) -> Option<Vec<f64>> {
        let users = self.options.users?;
        Some((0..users.count).map(|_| self.size.draw(rng)).collect())
    }

    /// Draws a user, by its number from 1, and the runtime of its next job.
    pub(super) fn repeated(&self, usual: &[f64], rng: &mut Rng) -> (u32, Span) {
        let spread = self.options.users.map_or(0.0, |users| users.spread);
        let user = below(rng, usual.len() as u64);
        let factor = 1.0 - spread + 2.0 * spread * fraction(rng);
        (user as u32 + 1, self.rounded(usual[user as usize] * factor))
    }

    #[inline]
    fn rounded(&self, size: f64) -> Span {
        let runtime = nearest(size);
        match self.round_size {
            None => runtime,
            Some(rounding) => Span::from_ticks(rounding.round(runtime.ticks())),
        }
    }

    /// Returns true if it uses streams other than those of arrivals and sizes.
    pub(super) fn draws_more(&self) -> bool {
        let constant_width = matches!(self.width, WidthDraw::Constant(_));
        !constant_width
            || self.batch.is_some()
            || self.estimates.draws()
            || self.options.users.is_some()
    }
}

const UNIT: f64 = 1.0 / TICKS_PER_UNIT as f64;
