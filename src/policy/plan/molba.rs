//! The Multi-Organization Load Balancing Algorithm, MOLBA(alpha), of Pascual, Rzadca and Trystram,
//! Cooperation in multi-organization scheduling (2009), section 4.1.
//!
//! It starts from the local schedules. With W the work to be done, M all processors and p the longest
//! job, the jobs that start after 2 W / M are taken from organizations that end at alpha W / M + p or
//! later, and placed into gaps, the widest first, each at its earliest start. No other job moves.
//!
//! On clusters of one size, all idle at first, no organization ends later than alone, and the last end
//! is within alpha + 1 times the larger of W / M and p: proven for 3, for 2 only if the last job needs
//! at most half of a cluster, and never seen broken. The thresholds are compared in whole numbers.
//!
//! Settled where the paper is unclear: of clusters with the same earliest start the first takes the
//! job; jobs are taken after 2 W / M whatever alpha is; jobs wider than their organization's clusters
//! join those that were taken.

use super::schedule::Schedule;
use super::{Planner, Plans, Problem};
use crate::model::bounds::{Bounds, parameters};
use crate::state_of_fields;

/// The factor of the threshold.
const ALPHA: Bounds<'_> = Bounds::of("a factor").unit("a whole number").from(1.0).to(1000.0);

parameters! {
    /// Parameters of MOLBA.
    #[serde(default)]
    pub struct Options {
        /// Organizations give jobs away if they end at alpha times the average work of a processor, plus
        /// the longest job, or later. There is no proof for less than 2.
        alpha: u32 as ALPHA = 2,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Molba {
    alpha: u32,
}

impl Molba {
    /// A planner without memory.
    pub fn new(options: &Options) -> Molba {
        Molba { alpha: options.alpha }
    }
}

pub(super) fn schedule(problem: &Problem, alpha: u32) -> Schedule<'_> {
    let work = problem.work();
    let threshold =
        i128::from(alpha) * work + problem.processors() * i128::from(problem.longest().ticks());
    let ends = problem.ends_alone();
    let givers = ends.iter().filter(|(_, end)| problem.scaled(*end) >= threshold);
    let givers: Vec<_> = givers.map(|(owner, _)| *owner).collect();
    let stays = |(job, place): (&super::Known, &Option<_>)| {
        let gives =
            |start| problem.scaled(start) > 2 * work && givers.binary_search(&job.owner()).is_ok();
        place.filter(|&(_, start)| !gives(start))
    };
    let places: Vec<_> = problem.jobs.iter().zip(&problem.alone).map(stays).collect();
    let mut schedule = Schedule::of(problem, &places);
    let taken = (0..).zip(&places).filter(|(_, place)| place.is_none());
    schedule.place_widest_first(taken.map(|(job, _)| job).collect());
    schedule
}

impl Planner for Molba {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        schedule(problem, self.alpha).write("molba", out);
    }
}

state_of_fields!(Molba {});
