//! One Poisson stream whose owners are drawn is a Poisson stream for each owner, independent of the
//! others: with a time-shared cluster each, every organization is an M/M/1 queue of its own.

use crate::common::run;
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::sim::accounts::Accounts;

const REPLICATIONS: u32 = 30;
/// The 99.95% quantile of Student's t with 29 degrees of freedom.
const STUDENT: f64 = 3.659;

/// Zipf with exponent 1 among three: 6, 3 and 2 of 11 jobs.
const SCENARIO: &str = r#"
name = "thinned"
run.until.jobs = 60000
output.warm_up.fixed = 2000
[[organization]]
name = "a"
count = 3
cluster.time_shared = {}
[workload.shared]
source.synthetic = { arrivals.poisson.rate = 1.1, size.exponential.mean = 1 }
owners.zipf = { exponent = 1 }
"#;

/// Mean, and half the width of its interval.
fn interval(figures: &[f64]) -> (f64, f64) {
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let squares = figures.iter().map(|figure| (figure - mean) * (figure - mean)).sum::<f64>();
    (mean, STUDENT * (squares / (count - 1.0) / count).sqrt())
}

#[test]
fn every_owner_is_a_queue_of_its_own() {
    let input = Input::Bytes { name: "it", bytes: SCENARIO.into() };
    let mut files = Files::new();
    let plan = scenario::load(input, &Overrides::default(), &mut files);
    let plan = plan.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false))).0;
    let mut waits = [vec![], vec![], vec![]];
    let mut shares = [vec![], vec![], vec![]];
    for replication in 0..REPLICATIONS {
        let accounts = Accounts::new(3, plan.owned(), plan.counting);
        let accounts = run(&plan, replication, accounts);
        let all = accounts.grid().jobs.finished as f64;
        for (owner, account) in accounts.organizations().iter().enumerate() {
            waits[owner].push(account.wait.mean().expect("it has jobs"));
            shares[owner].push(account.jobs.finished as f64 / all);
        }
    }
    for (owner, load) in [0.6, 0.3, 0.2].into_iter().enumerate() {
        let (share, band) = interval(&shares[owner]);
        assert!((share - load / 1.1).abs() <= band, "{owner}: {share} +- {band} of the jobs");
        let (wait, band) = interval(&waits[owner]);
        let closed = load / (1.0 - load);
        assert!((wait - closed).abs() <= band, "{owner}: {wait} +- {band}, should be {closed}");
        assert!(band < 0.05 * closed, "{owner}: a band of {band} says nothing");
    }
}
