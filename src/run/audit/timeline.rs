//! `timeline.csv` against the jobs: every bin is summed up anew, from the list.

use std::collections::BTreeMap;
use std::path::Path;

use super::{AuditError, Row, read_table};
use crate::audit::{Check, Facts, JobFacts, Violation};
use crate::kernel::time::Time;

/// How many violations of a rule are told.
const TOLD: usize = 5;

/// Sums over the bins of one replication, on one cluster or on all, in ticks.
#[derive(Default)]
struct Bins {
    /// Where each bin begins, and last where the last ends.
    edges: Vec<i64>,
    /// By bin: arrivals, starts and ends.
    counts: Vec<[u64; 3]>,
    /// By bin: waiting, running and processors in use.
    areas: Vec<[i128; 3]>,
    /// What begins and ceases to cover whole bins.
    changes: Vec<[i128; 3]>,
    /// Something lies outside.
    is_outside: bool,
}

impl Bins {
    fn new(edges: Vec<i64>) -> Bins {
        let bins = edges.len() - 1;
        Bins {
            counts: vec![[0; 3]; bins],
            areas: vec![[0; 3]; bins],
            changes: vec![[0; 3]; bins + 1],
            edges,
            is_outside: false,
        }
    }

    fn last(&self) -> i64 {
        *self.edges.last().expect("there is an end")
    }

    /// The bin of a moment; what happens at the end of all belongs to the last.
    fn bin(&self, at: i64) -> Option<usize> {
        let behind = self.edges.partition_point(|&edge| edge <= at);
        let is_end = at == self.last();
        behind.checked_sub(1 + usize::from(is_end)).filter(|&bin| bin < self.counts.len())
    }

    fn count(&mut self, which: usize, at: Option<Time>) {
        let Some(at) = at else { return };
        match self.bin(at.ticks()) {
            Some(bin) => self.counts[bin][which] += 1,
            None => self.is_outside = true,
        }
    }

    /// Something covers the time from one moment to another.
    fn cover(&mut self, which: usize, from: i64, until: i64, amount: i128) {
        if from >= until {
            return;
        }
        let (Some(first), Some(last)) = (self.bin(from), self.bin(until - 1)) else {
            self.is_outside = true;
            return;
        };
        if first == last {
            self.areas[first][which] += amount * i128::from(until - from);
            return;
        }
        self.areas[first][which] += amount * i128::from(self.edges[first + 1] - from);
        self.areas[last][which] += amount * i128::from(until - self.edges[last]);
        self.changes[first + 1][which] += amount;
        self.changes[last][which] -= amount;
    }

    fn add(&mut self, job: &JobFacts) {
        self.count(0, Some(job.submit));
        self.count(1, job.start);
        self.count(2, job.finish);
        let end = Time::from_ticks(self.last());
        let start = job.start.unwrap_or(end).ticks();
        self.cover(0, job.submit.ticks(), start, 1);
        if job.start.is_some() {
            let finish = job.finish.unwrap_or(end).ticks();
            self.cover(1, start, finish, 1);
            self.cover(2, start, finish, i128::from(job.processors));
        }
    }

    /// All jobs are there.
    fn finish(&mut self) {
        let mut covers = [0; 3];
        for (bin, areas) in self.areas.iter_mut().enumerate() {
            let length = i128::from(self.edges[bin + 1] - self.edges[bin]);
            for (which, area) in areas.iter_mut().enumerate() {
                covers[which] += self.changes[bin][which];
                *area += covers[which] * length;
            }
        }
    }
}

/// Whose lines: the replication, and the cluster if it is not the whole grid.
type Whose = (u32, Option<usize>);

/// Compares each line with what follows from the jobs.
pub(super) fn compare(facts: &Facts, path: &Path, check: &mut Check) -> Result<(), AuditError> {
    let table = read_table(path)?;
    let names = facts.clusters.iter().map(|cluster| cluster.name.clone()).zip(0..).collect();
    let mut lines: BTreeMap<Whose, Vec<Row<'_>>> = BTreeMap::new();
    for row in table.lines() {
        let cluster = match row.text("cluster")? {
            "*" => None,
            name => Some(row.known("cluster", name, &names)?),
        };
        lines.entry((row.number("replication")?, cluster)).or_default().push(row);
    }
    let mut all: BTreeMap<Whose, Bins> = BTreeMap::new();
    for (&whose, rows) in &lines {
        let mut edges = Vec::new();
        for row in rows {
            let (from, until) = (row.span("from")?.ticks(), row.span("until")?.ticks());
            if edges.last().is_some_and(|&last| last != from) || until < from {
                tell(check, whose, facts, Some(from), "bins do not follow each other".to_owned());
                return Ok(());
            }
            if edges.is_empty() {
                edges.push(from);
            }
            edges.push(until);
        }
        all.insert(whose, Bins::new(edges));
    }
    // One that was rejected has no cluster, and never waits.
    for job in facts.jobs.iter().filter(|job| job.cluster.is_some()) {
        for cluster in [None, job.cluster] {
            if let Some(bins) = all.get_mut(&(job.replication, cluster)) {
                bins.add(job);
            }
        }
    }
    let processors: u64 = facts.clusters.iter().map(|one| u64::from(one.processors)).sum();
    for (whose, mut bins) in all {
        bins.finish();
        if bins.is_outside {
            tell(check, whose, facts, None, "jobs were there outside of its bins".to_owned());
        }
        let processors = whose.1.map_or(processors, |one| facts.clusters[one].processors.into());
        for (bin, row) in lines[&whose].iter().enumerate() {
            if let Some(text) = wrong(&bins, bin, processors, row)? {
                tell(check, whose, facts, Some(bins.edges[bin]), text);
            }
        }
    }
    Ok(())
}

/// What is wrong with a line.
fn wrong(
    bins: &Bins,
    bin: usize,
    processors: u64,
    row: &Row<'_>,
) -> Result<Option<String>, AuditError> {
    for (column, count) in ["arrivals", "starts", "ends"].into_iter().zip(bins.counts[bin]) {
        let said: u64 = row.number(column)?;
        if said != count {
            return Ok(Some(format!("{column} are {said}, and {count} over the jobs")));
        }
    }
    let length = i128::from(bins.edges[bin + 1] - bins.edges[bin]);
    let [waiting, running, busy] = bins.areas[bin];
    let means = [
        ("waiting", waiting, length),
        ("running", running, length),
        ("processors_in_use", busy, length),
        ("utilization", busy, length * i128::from(processors)),
    ];
    for (column, area, over) in means {
        let said: Option<f64> = row.optional(column, |row, column| row.number(column))?;
        let found = (over > 0).then(|| area as f64 / over as f64);
        // Both are the nearest to the same quotient of two whole numbers.
        if said != found {
            let (said, found) = (super::in_words(said), super::in_words(found));
            return Ok(Some(format!("{column} is {said}, and {found} over the jobs")));
        }
    }
    Ok(None)
}

fn tell(check: &mut Check, whose: Whose, facts: &Facts, from: Option<i64>, text: String) {
    check.count += 1;
    if check.violations.len() >= TOLD {
        return;
    }
    check.violations.push(Violation {
        replication: whose.0,
        round: None,
        cluster: whose.1.map(|cluster| facts.clusters[cluster].name.clone()),
        jobs: Vec::new(),
        time: from.map(Time::from_ticks),
        text: format!("timeline.csv: {text}"),
    });
}
