//! Costs of applications and organizations: the price of a site times the processor time used there, or
//! that of the cheapest other site.

use super::facts::{CampaignFacts, Mode, RunFacts, WorldFacts};
use super::found::FLUID;
use super::{Check, violation};
use kernel::time::TICKS_PER_UNIT;

/// A cost, in millionths times ticks, and by how much it may be off.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    amount: i128,
    tick: f64,
}

/// The check of costs, before any.
pub(super) fn check() -> Check {
    Check::new(
        "costs",
        "an application costs what its runs cost, an organization what its applications cost",
    )
}

/// Returns the costs of all organizations by the runs, in millionths times ticks.
pub(super) fn costs(
    world: &WorldFacts,
    facts: &CampaignFacts,
    usable: &[bool],
    check: &mut Check,
) -> Vec<i128> {
    let mut applications = vec![Cost::default(); facts.applications.len()];
    for (run, _) in facts.runs.iter().zip(usable).filter(|&(_, &usable)| usable) {
        let price = world.sites[run.site].price;
        let ticks = i128::from(run.finish.ticks()) - i128::from(run.start.ticks());
        let amount = match world.mode {
            Mode::Whole => (run.processors as i128)
                .checked_mul(ticks)
                .and_then(|time| time.checked_mul(price.into()))
                .unwrap_or(i128::MAX),
            Mode::Fluid => (run.processors * ticks as f64 * price as f64).round() as i128,
        };
        let amount = amount.saturating_add(extra(world, facts, run));
        let cost = &mut applications[facts.classes[run.class].application];
        cost.amount = cost.amount.saturating_add(amount);
        cost.tick += run.processors * (price as f64).abs() + 1.0;
    }
    let mut owners = vec![Cost::default(); world.organizations.len()];
    for (application, cost) in facts.applications.iter().zip(&applications) {
        let owner = &mut owners[application.owner];
        owner.amount = owner.amount.saturating_add(cost.amount);
        owner.tick += cost.tick;
        if let Some(stated) = application.cost {
            let who = || format!("application {}", application.name);
            compare(world, facts, &who, (stated, *cost), check);
        }
    }
    if let Some(stated) = &facts.costs {
        if stated.len() != owners.len() {
            let text = format!("{} costs are given for {}", stated.len(), owners.len());
            check.violated(|| violation(facts, None, None, format!("{text} organizations")));
        }
        for ((stated, cost), name) in stated.iter().zip(&owners).zip(&world.organizations) {
            compare(world, facts, &|| format!("organization {name}"), (*stated, *cost), check);
        }
    }
    owners.into_iter().map(|cost| cost.amount).collect()
}

/// Cost of a run beyond its use, under second prices.
fn extra(world: &WorldFacts, facts: &CampaignFacts, run: &RunFacts) -> i128 {
    if !world.second_price {
        return 0;
    }
    let times = &facts.classes[run.class].times;
    let by_use = |site: usize| {
        let time = times[site]?;
        Some(i128::from(world.sites[site].price) * i128::from(time.ticks()))
    };
    let others = (0..times.len()).filter(|&site| site != run.site).filter_map(by_use).min();
    let Some((other, own)) = others.zip(by_use(run.site)) else { return 0 };
    let each = (other - own).max(0);
    match world.mode {
        Mode::Whole => each.saturating_mul(run.tasks as i128),
        Mode::Fluid => (each as f64 * run.tasks).round() as i128,
    }
}

/// Compares a stated cost with that of the runs.
fn compare(
    world: &WorldFacts,
    facts: &CampaignFacts,
    who: &dyn Fn() -> String,
    (stated, own): (i128, Cost),
    check: &mut Check,
) {
    check.looked_at += 1;
    let margin = match world.mode {
        Mode::Whole => 0.0,
        Mode::Fluid => FLUID * (own.amount as f64).abs() + own.tick,
    };
    let difference = stated.saturating_sub(own.amount);
    if difference != 0 && difference as f64 > margin || (difference as f64) < -margin {
        let [stated, own] = [stated, own.amount].map(decimal);
        let text = format!("{} is said to cost {stated} and costs {own} by its runs", who());
        check.violated(|| violation(facts, None, None, text));
    }
}

/// Shows a cost in units of prices, as an exact decimal.
fn decimal(cost: i128) -> String {
    let unit = u128::from(TICKS_PER_UNIT.unsigned_abs()) * 1_000_000;
    let (whole, part) = (cost.unsigned_abs() / unit, cost.unsigned_abs() % unit);
    let sign = if cost < 0 { "-" } else { "" };
    let digits = format!("{part:012}");
    match digits.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        digits => format!("{sign}{whole}.{digits}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn costs_are_shown_exactly() {
        let cases = [
            (0, "0"),
            (1, "0.000000000001"),
            (-2_500_000_000_000, "-2.5"),
            (3_000_000_000_000, "3"),
        ];
        for (cost, text) in cases {
            assert_eq!(super::decimal(cost), text);
        }
    }
}
