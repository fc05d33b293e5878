//! Balancers against exact vectors, against a slow version written straight from the definition,
//! and against what the paper says of them; what accepting foreign work costs.

mod averaging;
mod bilb;
mod claims;
mod delay_cost;
mod favors;
mod literal;
mod support;

use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{BalancerOptions, REGISTRY};

use support::{balanced, random_members, rng};

/// Runs the checks of `balanced` on all that is registered: a new balancer is tested once it has
/// its line.
#[test]
fn every_registered_balancer_keeps_the_rules() {
    let all = BalancerOptions::defaults();
    let names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
    assert_eq!(all.iter().map(BalancerOptions::name).collect::<Vec<_>>(), names);
    for options in all {
        let mut rng = rng(options.name());
        let (mut one, mut again) = (options.build(), options.build());
        for instance in 0..2000 {
            let unit = [options.unit(), Span::TICK, Span::UNIT][instance % 3];
            let members = random_members(&mut rng, unit, instance % 4 == 3);
            let found = balanced(&mut one, unit, &members);
            assert!(found.interval >= 0);
            assert!(options.spacing().step(Span::from_ticks(found.interval)).is_some());
            assert_eq!(found, balanced(&mut again, unit, &members), "{}", options.name());
        }
    }
}
