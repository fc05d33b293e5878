//! Would the same jobs save more as divisible load? Rigid jobs on space-shared clusters that all pool, and
//! the same work averaged over time-shared ones, each against nobody in.

use super::change::{Change, change, changed};
use super::{Flows, StudyError, played};
use policy::coalition::BalancerOptions;
use report::table::{Column, Table};
use scenario::plan::{Coalition, Plan, Seat};
use stats::interval::Level;
use stats::shown::figure;

/// The word for the question.
pub const NAME: &str = "divisible";
/// The question in words.
pub const ABOUT: &str = "would the same jobs save more as divisible load, if everybody is in?";
/// Settings of its worlds.
pub const SETTINGS: [&str; 2] = ["learner=never", "learner=always"];

/// Said of another scenario.
pub const NONE: &str = "this scenario is no federation\nhelp: `gridpact new federation` writes one";

/// The same owners and jobs as divisible load on time-shared clusters, which are averaged.
fn divisible(plan: &Plan, coalition: &Coalition) -> Option<Coalition> {
    let count = plan.organizations.len();
    let owner = |organization: usize| {
        let mut own = (0..plan.workloads.len()).filter(|&workload| {
            plan.workloads[workload].kind.owners(count) == (organization..organization + 1)
        });
        own.next().filter(|_| own.next().is_none())
    };
    let seat = |(at, seat): (usize, &Seat)| {
        let workload = Some(owner(at)?);
        (seat.processors > 0).then(|| Seat { workload, ..seat.clone() })
    };
    let seats: Option<Vec<Seat>> = coalition.seats.iter().enumerate().map(seat).collect();
    let seats = seats.filter(|_| plan.workloads.len() == count)?;
    let balancer = Some(BalancerOptions::Averaging(Default::default()));
    Some(Coalition { balancer, seats, ..coalition.clone() })
}

/// The change of the mean flow time by pooling everybody: of rigid jobs, and of divisible load. Both intervals
/// hold together. `plans` have the [settings](SETTINGS).
///
/// # Errors
/// Fails if the plans are of no federation in which each organization has a workload of its own, or if a
/// run cannot go on.
pub fn changes(plans: &[Plan]) -> Result<[Change; 2], StudyError> {
    let federation = |plan: &Plan| plan.coalition().filter(|one| one.is_federation()).cloned();
    let coalitions = plans.iter().map(federation).collect::<Option<Vec<Coalition>>>();
    let coalitions = coalitions.ok_or_else(|| StudyError(NONE.to_owned()))?;
    let loads = plans.iter().zip(&coalitions).map(|(plan, one)| divisible(plan, one));
    let loads = loads.collect::<Option<Vec<Coalition>>>().ok_or_else(|| {
        let help = "help: write a `workload` below each `[[organization]]`";
        StudyError(format!("not every organization has one workload of its own\n{help}"))
    })?;
    let level = Level::default().of_each(2);
    let whose = plans[0].organizations.len();
    let of = |worlds: &[Coalition]| -> Result<Change, StudyError> {
        let flows = |at: usize| Ok(played(&plans[at], &worlds[at], false)?.flows);
        let [alone, whole]: [Flows; 2] = [flows(0)?, flows(1)?];
        Ok(change(plans[0].replications == 1, [&alone, &whole], whose, level))
    };
    Ok([of(&coalitions)?, of(&loads)?])
}

/// A row for each kind of load.
pub fn table(changes: &[Change; 2]) -> Table {
    let mut table = Table::new(
        "worlds",
        [
            Column::text("load"),
            Column::figure("alone").note("alone: mean flow time of all jobs with nobody in"),
            Column::figure("flow").note("flow: the same with everybody in"),
            Column::figure("change"),
            Column::figure("interval")
                .note("both intervals hold together with a confidence of 95%"),
        ],
    );
    for (name, one) in ["rigid jobs", "divisible"].into_iter().zip(changes) {
        let range = one.relative.map(|is| format!("{} to {}", changed(is.low), changed(is.high)));
        table.row([
            name.into(),
            figure(one.before).into(),
            figure(one.after).into(),
            changed(one.after / one.before - 1.0).into(),
            range.into(),
        ]);
    }
    table
}

/// The answer in a sentence.
pub fn verdict(changes: &[Change; 2]) -> &'static str {
    match changes.each_ref().map(|one| one.relative) {
        [Some(rigid), Some(load)] if load.high < rigid.low => {
            "divisible load is an upper bound here of what rigid jobs save"
        }
        [Some(rigid), Some(load)] if load.low > rigid.high => {
            "divisible load is no upper bound here of what rigid jobs save"
        }
        _ => "whether divisible load is an upper bound of what rigid jobs save cannot be told",
    }
}
