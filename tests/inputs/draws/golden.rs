//! Digests of what is drawn, so that a dependency that changes a sample is noticed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{ARRIVALS, SIZE, arrivals, jobs, profile, sizes, streams, whole};

const KEPT: &str = "tests/golden/draws.txt";

fn digest(text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for job in jobs(text, 2000) {
        for ticks in [job.submit.ticks(), job.runtime.ticks(), job.estimate.ticks()] {
            hasher.update(&ticks.to_le_bytes());
        }
        hasher.update(&job.processors.to_le_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[test]
fn draws_are_what_they_were() {
    let arrivals = arrivals::ALL.map(|text| (format!("arrivals.{text}"), SIZE.to_owned()));
    let sizes = sizes::ALL.map(|text| (format!("size.{text}"), ARRIVALS.to_owned()));
    let base = format!("{ARRIVALS}\n{SIZE}");
    let more = whole::WIDTHS
        .map(|text| format!("processors.{text}"))
        .into_iter()
        .chain(arrivals::BATCHES.map(|text| format!("batches.{text}")))
        .chain(whole::ESTIMATES.map(|text| format!("estimates.{text}")))
        .chain(profile::all())
        .map(|text| (text, base.clone()));
    let mut found = String::new();
    for (text, rest) in arrivals.into_iter().chain(sizes).chain(more) {
        let name: String = text.chars().take(60).collect();
        let _ = writeln!(found, "{} {name}", digest(&format!("{rest}\n{text}")));
    }
    for (index, text) in streams::combinations().iter().enumerate() {
        let _ = writeln!(found, "{} combination {index}", digest(text));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(KEPT);
    if std::env::var_os("GRIDPACT_BLESS").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, kept,
        "{KEPT}: draws changed; if that is meant, say so in the changelog and run with \
         GRIDPACT_BLESS=1"
    );
}
