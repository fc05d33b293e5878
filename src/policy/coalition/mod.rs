//! Balancers, which move load within a coalition, and the cost of accepting foreign work.
//!
//! To add a balancer: copy the smallest neighbour (`none.rs`), and add its line to the registry
//! below.

use kernel::state::State;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::bounds::Bounds;
use model::invalid::Invalid;
use model::registry::registry;

/// Defines the parameters of a balancer that moves whole units at a spacing, with the default of its grid; more
/// parameters may follow.
macro_rules! paced {
    ($(#[$($meta:tt)*])* pub struct Options, grid = $grid:literal $(; $($more:tt)+)?) => {
        model::bounds::parameters! {
            $(#[$($meta)*])*
            #[serde(default)]
            pub struct Options {
                /// Granularity: work moves in multiples of this, in units of time; one tick (1e-6) if left
                /// out.
                #[serde(skip_serializing_if = "Option::is_none")]
                unit: Option<f64> as UNIT = None,
                /// Minimum time between balancings, in units of time.
                least: f64 as TIME = 5.0,
                /// Round the time between balancings up to a multiple of this, in units of time; 0 for no
                /// rounding.
                grid: f64 as TIME = $grid,
                $($($more)+)?
            }
            where grid_rounds
        }

        impl Options {
            fn grid_rounds(&self) -> Result<(), model::invalid::Invalid> {
                super::grid_rounds(self.grid)
            }

            pub(super) fn unit(&self) -> kernel::time::Span {
                super::unit(self.unit)
            }

            pub(super) fn spacing(&self) -> super::Spacing {
                super::Spacing { least: super::span(self.least), grid: super::span(self.grid) }
            }
        }
    };
}

pub mod averaging;
pub mod bilb;
pub mod delay_cost;
pub mod favors;
pub mod none;
pub mod one_shot;
pub mod threshold;

/// A member of the coalition as seen by a balancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number among all organizations, for balancers that remember whom they met.
    pub who: u32,
    /// Remaining own work behind the last foreign work: the most that may be sent. Sending work
    /// ahead of it would delay jobs beyond their promises.
    pub local: Span,
    /// Remaining work up to the end of the last foreign work.
    pub foreign: Span,
    /// Declared participation level; `None` if it sets no bound.
    pub level: Option<Span>,
}

impl Member {
    /// Total remaining work.
    #[inline]
    pub fn load(&self) -> Span {
        self.local + self.foreign
    }

    /// Load in units, rounded up. A fraction of a unit is never moved, and rounding up keeps queues
    /// within their promises.
    #[inline]
    fn load_in(&self, unit: Span) -> i64 {
        whole(self.load().ticks() + unit.ticks() - 1, unit)
    }

    /// Work that it may send, in whole units.
    #[inline]
    fn sendable_in(&self, unit: Span) -> i64 {
        whole(self.local.ticks(), unit)
    }

    /// Participation level, rounded to the nearest unit, halves up.
    #[inline]
    fn level_in(&self, unit: Span) -> i64 {
        let unit = unit.ticks();
        let nearest = |level: Span| level.ticks().saturating_add(unit / 2) / unit;
        self.level.map_or(i64::MAX, nearest)
    }
}

/// Whole units in an amount of ticks. Fast path: amounts are nearly always whole units.
#[inline]
fn whole(ticks: i64, unit: Span) -> i64 {
    match unit.ticks() {
        1 => ticks,
        TICKS_PER_UNIT => ticks / TICKS_PER_UNIT,
        unit => ticks / unit,
    }
}

/// Work taken from the tail of one member's own jobs and appended to another's queue.
///
/// Moves are carried out in order: those of one sender are adjacent, and a member that sends and
/// receives sends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Sender, as an index into the list of members.
    pub from: u32,
    /// Receiver, as an index into the list of members.
    pub to: u32,
    /// Amount of work.
    pub amount: Span,
    /// Latest return of the results. A job with sent parts finishes no earlier than this for each
    /// of its parts.
    pub promised: Time,
}

/// Moves load between the members of a coalition.
pub trait Balancer: State {
    /// Pushes moves onto `out`, which is empty. `unit` is the indivisible amount (a tick, or a
    /// whole unit of time). If a load is no multiple of it, whole units are moved and promised.
    ///
    /// Returns the time for which the balanced work keeps the members busy; the next balancing
    /// comes no earlier.
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span;
}

/// Spacing of balancings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// Minimum time between them.
    pub least: Span,
    /// Their spacing is rounded up to a multiple of this; not at all if it is zero.
    pub grid: Span,
}

impl Spacing {
    /// Time from a balancing that keeps its members busy for `interval` to the next: the larger of
    /// that and the minimum, rounded up to the grid. `None` if this is zero: the next balancing
    /// then comes with the next job.
    pub fn step(&self, interval: Span) -> Option<Span> {
        let (step, grid) = (interval.max(self.least).ticks(), self.grid.ticks());
        let step = if grid > 0 { (step + grid - 1) / grid * grid } else { step };
        (step > 0).then(|| Span::from_ticks(step))
    }
}

registry! {
    /// A balancer by its name in a scenario, with its parameters.
    options BalancerOptions;

    /// A registered balancer, built.
    #[derive(Clone, Debug)]
    #[allow(clippy::large_enum_variant)]
    built AnyBalancer, saved;

    each each;

    Averaging, averaging::Averaging,
        "Averaging: makes all queues equally long.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 4.2.1";
    Bilb, bilb::Bilb,
        "Bounded iterative load balancing: serves the least loaded first, within the declared levels.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 6.1";
    Favors, favors::Favors,
        "Network of favours: gives its room first to whom it owes most work.",
        "Andrade, Brasileiro, Cirne and Mowbray, Journal of Parallel and Distributed Computing 67(8), 2007, \
         section 3";
    None, none::Nothing,
        "No balancing: each cluster serves its own jobs.",
        "Rzadca and Trystram, European Journal of Operational Research 199(3), 2009, section 4.1";
}

impl BalancerOptions {
    /// Builds the balancer.
    pub fn build(&self) -> AnyBalancer {
        each!(self, Part, options => Part::new(options).into())
    }

    /// The indivisible amount of work.
    ///
    /// # Panics
    /// Panics if the parameters are not valid.
    pub fn unit(&self) -> Span {
        each!(self, options => options.unit())
    }

    /// The spacing of balancings.
    ///
    /// # Panics
    /// Panics if the parameters are not valid.
    pub fn spacing(&self) -> Spacing {
        each!(self, options => options.spacing())
    }
}

impl Balancer for AnyBalancer {
    #[inline]
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span {
        each!(self, balancer => balancer.balance(now, unit, members, out))
    }
}

/// The indivisible amount set in a scenario: one tick by default.
fn unit(written: Option<f64>) -> Span {
    written.map_or(Span::TICK, span)
}

fn span(units: f64) -> Span {
    Span::from_units(units).expect("the parameters are valid")
}

/// An amount of work.
const UNIT: Bounds<'_> = Bounds::of("an amount of work").unit("units of time").from(1e-6).to(1e9);
/// A distance of balancings.
const TIME: Bounds<'_> = Bounds::of("a time").unit("units of time").from(0.0).to(1e9);

/// Checks that a grid of balancings is not finer than a tick.
fn grid_rounds(grid: f64) -> Result<(), Invalid> {
    if grid == 0.0 || grid * (TICKS_PER_UNIT as f64) >= 1.0 {
        return Ok(());
    }
    let message = "a grid finer than a tick, 1e-6, rounds nothing; give 0 for none";
    Err(Invalid::new("grid", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_long_as_the_queues_and_fall_on_the_grid() {
        let step = |least: i64, grid: i64, interval: i64| {
            let spacing = Spacing { least: Span::units(least), grid: Span::units(grid) };
            spacing.step(Span::from_ticks(interval * TICKS_PER_UNIT / 2)).map(Span::as_units)
        };
        assert_eq!(step(5, 5, 0), Some(5.0));
        assert_eq!(step(5, 5, 11), Some(10.0));
        assert_eq!(step(5, 1, 11), Some(6.0));
        assert_eq!(step(5, 0, 11), Some(5.5));
        assert_eq!(step(0, 1, 1), Some(1.0));
        assert_eq!(step(0, 1, 0), None);
        assert_eq!(step(0, 0, 0), None);
    }

    #[test]
    fn what_is_no_amount_and_no_time_is_refused() {
        let bilb = |unit, least, grid| {
            let options = bilb::Options { unit, least, grid, ..bilb::Options::default() };
            BalancerOptions::Bilb(options).check().map_err(|wrong| wrong.field)
        };
        assert_eq!(bilb(Some(1.0), 0.0, 0.0), Ok(()));
        assert_eq!(bilb(Some(0.0), 5.0, 1.0), Err("bilb.unit".to_owned()));
        assert_eq!(bilb(Some(f64::NAN), 5.0, 1.0), Err("bilb.unit".to_owned()));
        assert_eq!(bilb(None, -1.0, 1.0), Err("bilb.least".to_owned()));
        assert_eq!(bilb(None, 5.0, f64::INFINITY), Err("bilb.grid".to_owned()));
        assert_eq!(bilb(None, 5.0, 1e-7), Err("bilb.grid".to_owned()));
        for options in BalancerOptions::defaults() {
            assert_eq!(options.check(), Ok(()));
        }
    }

    #[test]
    fn loads_count_up_and_what_is_sent_counts_down_to_whole_units() {
        let member = |local: f64, foreign: f64, level: f64| Member {
            who: 0,
            local: span(local),
            foreign: span(foreign),
            level: Some(span(level)),
        };
        let in_units = |member: Member| {
            let unit = Span::UNIT;
            (member.load_in(unit), member.sendable_in(unit), member.level_in(unit))
        };
        assert_eq!(in_units(member(2.5, 0.25, 1.49)), (3, 2, 1));
        assert_eq!(in_units(member(2.0, 1.0, 1.5)), (3, 2, 2));
    }
}
