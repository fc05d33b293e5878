//! `histograms.hlog`: distributions in HdrHistogram's log format, readable by its tools.
//!
//! There is a line for each distribution, with the tag `organization/metric` (`*` stands for the
//! whole grid). Values are millionths: ticks for time spans, millionths for slowdowns. The log's
//! maximum values are in units. Blanks and commas in names become underscores, since tags cannot
//! have them.

use std::time::{Duration, UNIX_EPOCH};

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use findings::grid::results::Results;
use kernel::time::TICKS_PER_UNIT;
use stats::distribution::Distribution;

/// Renders the file.
pub fn render<'a>(organizations: impl Iterator<Item = &'a str>, results: &Results) -> Vec<u8> {
    let last = results.replications.iter().map(|replication| replication.end).max();
    let length = Duration::from_micros(last.map_or(0, |end| end.ticks() as u64));
    let grid = results.accounts.grid();
    let accounts = results.accounts.organizations();
    let mut lines = Vec::new();
    for ((owner, account), makespans) in
        organizations.chain(["*"]).zip(accounts.iter().chain([&grid])).zip(&results.makespans)
    {
        for (metric, distribution) in account.distributions() {
            lines.push((owner, metric, distribution));
        }
        lines.push((owner, "makespan", makespans));
    }
    log(length, &lines)
}

/// Header of a log: values are ticks or millionths, maximum values are in units.
pub fn builder(tags: &str) -> IntervalLogWriterBuilder {
    let mut builder = IntervalLogWriterBuilder::new();
    builder
        .add_comment(&format!("[gridpact: values are millionths of a unit; {tags}]"))
        .with_base_time(UNIX_EPOCH)
        .with_max_value_divisor(TICKS_PER_UNIT as f64);
    builder
}

/// A text as a valid tag.
pub fn tag(text: &str) -> String {
    text.replace([',', ' ', '\n', '\r', '\t'], "_")
}

/// Renders a log of distributions over a length of time.
///
/// Each distribution comes with its owner and its metric.
///
/// # Panics
/// Never: writing into memory does not fail, and tags are made valid.
pub fn log(length: Duration, lines: &[(&str, &str, &Distribution)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut serializer = V2DeflateSerializer::new();
    let builder = builder("the tag is organization/metric");
    let mut writer =
        builder.begin_log_with(&mut out, &mut serializer).expect("memory takes the header");
    for &(owner, metric, distribution) in lines {
        let Some(histogram) = distribution.histogram() else { continue };
        let tag = tag(&format!("{owner}/{metric}"));
        let tag = Tag::new(&tag).expect("a tag without commas and blanks is valid");
        writer
            .write_histogram(&*histogram, Duration::ZERO, length, Some(tag))
            .expect("memory takes a histogram");
    }
    out
}
