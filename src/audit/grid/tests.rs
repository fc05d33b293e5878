//! Properties of the literal schedulers on small grids and jobs at random.

mod checker;
mod lists;
mod random;
mod simulate;
mod steps;

use super::*;

use random::{Draw, Shape};
use simulate::{Case, Grid, Row, run};

/// A site that treats the jobs of all owners alike.
fn open(processors: u32) -> Site {
    Site { processors, owner: 0, foreign: Foreign::Always }
}

/// All rules, with lists in all orders.
fn rules() -> Vec<GridRule> {
    use ListOrder::{Largest, LargestArea, Longest, Shortest, Smallest, SmallestArea, Submit};
    let orders = [Submit, Smallest, Largest, Shortest, Longest, SmallestArea, LargestArea];
    let mut rules: Vec<GridRule> = orders.map(GridRule::List).into();
    rules.extend([GridRule::BestFit, GridRule::Submission]);
    rules.extend([GridRule::StealNear, GridRule::StealBig]);
    rules
}

/// The jobs' starts and sites under a rule.
fn literal(rule: GridRule, case: &Case) -> Vec<Option<(i64, usize)>> {
    run(&mut Literal::new(rule, case.sites.clone(), case.groups.clone()), &case.rows)
}
