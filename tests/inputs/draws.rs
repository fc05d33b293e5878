//! Every draw of a synthetic workload against its closed form, at fixed seeds: means and variances
//! within four standard errors, and a goodness-of-fit test at significance 0.001 (Kolmogorov and
//! Smirnov's for real numbers, Pearson's for whole ones). No tolerance was chosen to fit.
//!
//! All is drawn through the streams that a grid draws from. Golden digests notice what a dependency
//! changes: `GRIDPACT_BLESS=1 cargo test --test inputs draws` writes them anew.

mod arrivals;
mod fit;
mod golden;
mod profile;
mod sizes;
mod streams;
mod whole;

use std::collections::BTreeSet;

use gridpact::kernel::rng::Streams;
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::scenario::catalog::kind;
use gridpact::workload::Source as _;
use gridpact::workload::synthetic::{Synthetic, SyntheticModel, SyntheticOptions};

/// Number of draws of a test.
const COUNT: usize = 100_000;

/// Defaults of these tests: a job a unit on average, of mean size 1.
const ARRIVALS: &str = "arrivals.poisson.rate = 1.0";
const SIZE: &str = "size.exponential.mean = 1.0";

fn options(text: &str) -> SyntheticOptions {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn model(text: &str) -> SyntheticModel {
    SyntheticModel::new(options(text)).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn source(text: &str) -> Synthetic {
    let streams = Streams::new(2026);
    let source = Synthetic::new(options(text), "organization/a", 0, OrganizationId(0), &streams);
    source.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The first jobs of a workload.
fn jobs(text: &str, count: usize) -> Vec<Job> {
    let mut source = source(text);
    (0..count).map_while(|_| source.next().unwrap()).collect()
}

/// Every choice of a kind is among those that are tried.
#[track_caller]
fn covers(name: &str, tried: impl IntoIterator<Item = &'static str>) {
    let tried: Vec<&str> = tried.into_iter().collect();
    let begins = |text: &&str, name: &str| {
        text.strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
    };
    let choices = kind(name).expect("it is a kind").choices;
    let missing: BTreeSet<String> = (choices.into_iter().map(|choice| choice.name))
        .filter(|name| !tried.iter().any(|text| begins(text, name)))
        .collect();
    assert!(missing.is_empty(), "no test of {missing:?}");
}
