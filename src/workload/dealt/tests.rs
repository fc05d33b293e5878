//! Tests: owners have the shares of their law, and drawing them changes no other draw.

use super::*;
use crate::Source;
use crate::synthetic::{Synthetic, SyntheticOptions};
use kernel::rng::Streams;
use kernel::state::State;

const JOBS: &str = "arrivals.poisson = { rate = 0.2 }\nsize.exponential = { mean = 4.0 }\n";

fn zipf(exponent: f64) -> DrawnOwners {
    DrawnOwners::Zipf { exponent }
}

fn source(owners: DrawnOwners, organizations: usize, jobs: u64) -> Dealt<Synthetic> {
    let options: SyntheticOptions = toml::from_str(&format!("{JOBS}jobs = {jobs}")).unwrap();
    let streams = Streams::new(7);
    let drawn = Synthetic::new(options, "shared", 0, OrganizationId(0), &streams).unwrap();
    Dealt::new(drawn, owners.table(organizations).unwrap(), "shared", &streams)
}

fn all(source: &mut impl Source<Load = Job>) -> Vec<Job> {
    std::iter::from_fn(|| source.next().unwrap()).collect()
}

fn counts(owners: DrawnOwners, organizations: usize, jobs: u64) -> Vec<u64> {
    let mut counts = vec![0; organizations];
    for job in all(&mut source(owners, organizations, jobs)) {
        counts[job.organization.index()] += 1;
    }
    counts
}

/// Returns Pearson's chi-square of counts against probabilities proportional to `weights`.
fn chi_square(counts: &[u64], weights: &[f64]) -> f64 {
    let (jobs, sum) = (counts.iter().sum::<u64>() as f64, weights.iter().sum::<f64>());
    let expected = weights.iter().map(|weight| weight / sum * jobs);
    counts.iter().zip(expected).map(|(&n, of)| (n as f64 - of) * (n as f64 - of) / of).sum()
}

/// The quantile .999 of chi-square with 19 degrees of freedom is 43.82.
#[test]
fn shares_are_those_of_the_law() {
    let law =
        |exponent: f64| (1..=20).map(|k| libm::pow(f64::from(k), -exponent)).collect::<Vec<f64>>();
    for (owners, weights) in [
        (zipf(1.4267), law(1.4267)),
        (zipf(0.5), law(0.5)),
        (zipf(0.0), law(0.0)),
        (DrawnOwners::Uniform {}, vec![1.0; 20]),
    ] {
        let found = chi_square(&counts(owners, 20, 200_000), &weights);
        assert!(found < 43.82, "{owners:?}: {found}");
    }
    // The test distinguishes exponents that differ by a twentieth.
    assert!(chi_square(&counts(zipf(1.4267), 20, 200_000), &law(1.3767)) > 43.82);
}

#[test]
fn another_law_changes_whose_the_jobs_are_and_nothing_else() {
    let unowned = |jobs: Vec<Job>| -> Vec<Job> {
        jobs.into_iter().map(|job| Job { organization: OrganizationId(0), ..job }).collect()
    };
    let jobs = all(&mut source(zipf(1.4267), 10, 1000));
    for mut other in [source(zipf(0.7), 10, 1000), source(DrawnOwners::Uniform {}, 30, 1000)] {
        let bare = all(&mut other.source.clone());
        let others = all(&mut other);
        assert!(jobs.iter().zip(&others).any(|(a, b)| a.organization != b.organization));
        assert_eq!(unowned(jobs.clone()), unowned(others));
        assert_eq!(unowned(jobs.clone()), bare);
    }
}

#[test]
fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
    let mut whole = source(zipf(1.0), 5, 1000);
    let jobs = all(&mut whole);
    let mut source = source(zipf(1.0), 5, 1000);
    for _ in 0..377 {
        source.next().unwrap();
    }
    let mut saved = Vec::new();
    source.save(&mut saved);
    whole.load(&mut saved.as_slice()).unwrap();
    assert_eq!(all(&mut whole), jobs[377..]);
    assert_eq!(all(&mut source.clone()), jobs[377..], "a fork goes on alike");
    source.restart(&Streams::new(7)).unwrap();
    assert_eq!(all(&mut source), jobs);
    source.restart(&Streams::new(7).in_replication(1)).unwrap();
    let owners = |jobs: &[Job]| jobs.iter().map(|job| job.organization).collect::<Vec<_>>();
    assert_ne!(owners(&all(&mut source)), owners(&jobs));
}

#[test]
fn exponents_that_cannot_be_are_named() {
    for wrong in [-0.1, 100.5, f64::NAN, f64::INFINITY] {
        let said = zipf(wrong).table(3).unwrap_err().to_string();
        let expected =
            format!("zipf.exponent: {wrong} is not an exponent; give a number from 0 to 100");
        assert_eq!(said, expected);
    }
    let read = |text| toml::from_str::<DrawnOwners>(text).unwrap();
    assert_eq!(read("zipf = {}"), DrawnOwners::default());
    assert_eq!(read("zipf.exponent = 2.0"), zipf(2.0));
    assert_eq!(read("uniform = {}"), DrawnOwners::Uniform {});
    // At the steepest exponent nothing is left for the others.
    assert_eq!(counts(zipf(100.0), 1000, 100)[0], 100);
}

/// Golden test: it detects any change of the table or of the random words it uses.
#[test]
fn the_first_owners_of_a_known_stream() {
    let jobs = all(&mut source(zipf(1.4267), 10, 16));
    let owners: Vec<u32> = jobs.iter().map(|job| job.organization.0).collect();
    assert_eq!(owners, GOLDEN);
}

const GOLDEN: [u32; 16] = [1, 0, 0, 1, 1, 6, 2, 0, 1, 0, 2, 0, 1, 0, 1, 0];
