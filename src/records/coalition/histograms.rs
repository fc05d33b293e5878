//! `histograms.hlog` of a coalition: job flow times of each organization, and of all (`*`).

use std::time::Duration;

use crate::histograms::log;
use findings::coalition::learned::Rounds;

/// Renders the file.
pub fn render(Rounds { learned, flows, .. }: &Rounds) -> Vec<u8> {
    let frame = &learned.frame;
    let names = frame.names.iter().map(|name| &**name).chain(["*"]);
    let everyone = flows.everyone();
    let distributions = flows.organizations().iter().chain([&*everyone]);
    let lines: Vec<_> = names.zip(distributions).map(|(name, one)| (name, "flow", one)).collect();
    let ticks = frame.period.ticks() as u64;
    log(Duration::from_micros(ticks.saturating_mul(frame.rounds)), &lines)
}
