//! The unjustified delay of a grid scheduler: how far the utilities of organizations are from those that
//! their Shapley values owe them (Skowron and Rzadca 2013).

use std::collections::BTreeMap;

use findings::Findings as _;
use findings::measure::Metric;
use serde::Deserialize;

use crate::StudyError;
use crate::lines::code::{Asked, Figures};

const SCENARIO: &str = include_str!("../../../scenarios/fair-share.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// The rule of fair sharing.
    by: String,
    /// End of the run.
    until: f64,
}

/// The delay in each replication, in units of time for each unit of processor time.
///
/// # Errors A run that cannot go on.
pub fn delay(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Options { by, until } = asked.options()?;
    let utilities = |by: &str| -> Result<Vec<Vec<f64>>, StudyError> {
        let set = [format!("grid_scheduler.fair.by={by}"), format!("run.until.time={until}")];
        let found = asked.bench.run("fair-share", SCENARIO, &set, (asked.samples, asked.seed))?;
        let sample = found.sample();
        let series = |unit: usize| sample.series(unit, Metric::Utility.measure());
        let values = |unit: usize| series(unit).map(|all| all.iter().map(|one| one[0]).collect());
        let organizations = (0..sample.units().len()).filter(|&at| sample.units()[at].is_single());
        let each = organizations.map(values).collect::<Option<Vec<_>>>();
        each.ok_or_else(|| StudyError("there is no utility".to_owned()))
    };
    let (own, owed) = (utilities(&by)?, utilities("shapley")?);
    let apart = |one: usize| -> f64 {
        own.iter().zip(&owed).map(|(own, owed)| (own[one] - owed[one]).abs()).sum()
    };
    let delays = (0..asked.samples as usize).map(apart).collect();
    Ok(BTreeMap::from([("unjustified delay".to_owned(), delays)]))
}
