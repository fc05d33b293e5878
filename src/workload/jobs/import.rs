//! Import rules for lists: a part of the jobs, and another load. They are those of traces.

use super::{JobsError, Listed};
use crate::invalid::Invalid;
use crate::ledger::{Ledger, rules};
use crate::swf::{self, Load, Placing};
use kernel::time::{Span, Time};
use model::bounds::{Bounds, Inside, parameters};
use model::recorded::Recorded;
use std::path::Path;

/// A time of a list.
const TIME: Bounds<'_> = Bounds::of("a time").unit("units").from(0.0);

parameters! {
    /// Rules that select jobs of a list and scale their load.
    #[serde(default)]
    pub struct ListOptions {
        /// Keep jobs submitted at this time of the list or later.
        from: Option<f64> as TIME = None,
        /// Keep jobs submitted before this time of the list.
        until: Option<f64> as TIME = None,
        /// Shift all times so that the first job arrives at time 0.
        shift_to_zero: bool = false,
        /// Scaling of the load.
        load: Option<Load> as Inside = None,
    }
    where relations_hold
}

rules! {
    _options: ListOptions;
    Window => ("from/until", Dropped, "not selected: outside the time window"),
    ShiftToZero => ("shift_to_zero", Changed, ""),
    Load => ("load", Changed, ""),
    Waits => ("load", Noted, "kept without its recorded wait, which is that of another load"),
}

impl ListOptions {
    /// Returns true if no rule is set.
    pub fn is_plain(&self) -> bool {
        *self == ListOptions::default()
    }

    fn as_of_traces(&self) -> swf::Options {
        let ListOptions { from, until, shift_to_zero, load } = *self;
        swf::Options { from, until, shift_to_zero, load, ..swf::Options::default() }
    }

    fn relations_hold(&self) -> Result<(), Invalid> {
        self.as_of_traces().check()
    }

    /// Applies the rules. Returns the ledger, and the time by which jobs are submitted earlier. Where
    /// the load is scaled, recorded waits are left out.
    ///
    /// # Errors
    /// A job that becomes too large.
    pub fn apply(&self, file: &Path, listed: &mut Listed) -> Result<(Ledger, Span), JobsError> {
        let mut ledger = ledger(self);
        ledger.read = listed.jobs.len() as u64;
        let time = |units: Option<f64>| {
            units.and_then(|units| Span::from_units(units).ok()).map(|span| Time::ZERO + span)
        };
        let window = time(self.from).unwrap_or(Time::ZERO)..time(self.until).unwrap_or(Time::NEVER);
        let lines = std::mem::take(&mut listed.lines);
        let mut next = lines.iter();
        listed.jobs.retain(|job| {
            let line = next.next().copied().unwrap_or_default();
            let is_in = window.contains(&job.submit);
            ledger.add(Some(job.area()));
            if is_in {
                listed.lines.push(line);
            } else {
                ledger.drop(Rule::Window, line, Some(job.area()));
            }
            is_in
        });
        ledger.weigh();
        ledger.kept = listed.jobs.len() as u64;
        let Some((first, line)) =
            listed.jobs.iter().zip(&listed.lines).map(|(job, &line)| (job.submit, line)).min()
        else {
            return Ok((ledger, Span::ZERO));
        };
        let placing = Placing::new(&self.as_of_traces(), first.ticks());
        let is_scaled = self.load.is_some_and(|load| load.factor != 1.0);
        for (job, &line) in listed.jobs.iter_mut().zip(&listed.lines) {
            *job = placing.place_job(job).map_err(|field| JobsError::Scaled {
                file: file.to_owned(),
                line,
                field,
            })?;
            if is_scaled && job.recorded.wait().is_some() {
                ledger.note(Rule::Waits, line);
                job.recorded = Recorded::default();
            }
        }
        let shift = Span::from_ticks(placing.shift);
        if shift > Span::ZERO {
            let effect = format!("submitted {shift} units earlier than in the list");
            ledger.note_all(Rule::ShiftToZero, effect, line);
        }
        if let Some(effect) = placing.load_effect() {
            ledger.note_all(Rule::Load, effect, line);
        }
        Ok((ledger, shift))
    }
}
