//! Checks `timeline.csv` against the jobs: every bin is summed again from the job list.

use kernel::map::Map;
use std::path::Path;

use super::AuditError;
use super::jobs::place;
use super::table::{Table, read_table};
use audit::{Check, Facts, JobFacts, Violation};
use kernel::time::Time;
use records::record::Record as _;
use report::grid::timeline::csv::Line;

/// The columns that are compared.
pub(super) const COLUMNS: &str = "replication from until cluster arrivals starts ends waiting running processors_in_use \
    utilization";

/// Sums over the bins of one replication, for one cluster or for all, in ticks.
#[derive(Default)]
struct Bins {
    /// Edges of the bins: each beginning, then the end of the last.
    edges: Vec<i64>,
    /// Arrivals, starts and ends by bin.
    counts: Vec<[u64; 3]>,
    /// Integrals by bin: waiting jobs, running jobs and processors in use.
    areas: Vec<[i128; 3]>,
    /// Changes at each edge of the amounts that cover whole bins.
    changes: Vec<[i128; 3]>,
    /// True if something lies outside the bins.
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

    /// The bin of a moment. The final edge belongs to the last bin.
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

    /// Adds an amount that lasts from one moment to another.
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

    /// Completes the sums once all jobs are added.
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

/// Key of a set of lines: replication, and cluster (none for the whole grid).
type Whose = (u32, Option<usize>);

/// The lines of `timeline.csv` and the bins recomputed from the jobs.
pub(super) struct Lines {
    table: Table,
    /// Row indices in the table.
    lines: Map<Whose, Vec<usize>>,
    bins: Map<Whose, Bins>,
    /// The first place at which bins do not follow each other.
    gap: Option<(Whose, i64)>,
}

impl Lines {
    /// Reads the lines; no job is added yet.
    pub fn read(facts: &Facts, path: &Path) -> Result<Lines, AuditError> {
        let table = read_table(path)?;
        let names = facts.clusters.iter().map(|cluster| cluster.name.clone()).zip(0..).collect();
        let mut lines: Map<Whose, Vec<usize>> = Map::new();
        for (number, row) in table.lines().enumerate() {
            let cluster = match row.get("cluster")? {
                "*" => None,
                name => Some(place(&row, "cluster", name, &names)?),
            };
            lines.get_or_default((row.get("replication")?, cluster)).push(number);
        }
        let mut all: Map<Whose, Bins> = Map::new();
        let mut gap = None;
        for (&whose, places) in &lines {
            let mut edges = Vec::new();
            for &place in places {
                let row = table.line(place);
                let [from, until] = [row.get("from")?, row.get("until")?].map(Time::ticks);
                if edges.last().is_some_and(|&last| last != from) || until < from {
                    gap = gap.or(Some((whose, from)));
                }
                if edges.is_empty() {
                    edges.push(from);
                }
                edges.push(until);
            }
            all.insert(whose, Bins::new(edges));
        }
        Ok(Lines { table, lines, bins: all, gap })
    }

    /// Adds a job. Rejected jobs have no cluster and never wait.
    pub fn add(&mut self, job: &JobFacts) {
        if job.is_rejected() || self.gap.is_some() {
            return;
        }
        let of_cluster = job.cluster.is_some().then_some(job.cluster);
        for cluster in [None].into_iter().chain(of_cluster) {
            if let Some(bins) = self.bins.get_mut(&(job.replication, cluster)) {
                bins.add(job);
            }
        }
    }

    /// Compares each line with the sums over the jobs.
    pub fn compare(self, facts: &Facts, check: &mut Check) -> Result<(), AuditError> {
        if let Some((whose, from)) = self.gap {
            tell(check, whose, facts, Some(from), "bins do not follow each other".to_owned());
            return Ok(());
        }
        let processors: u64 = facts.clusters.iter().map(|one| u64::from(one.processors)).sum();
        for (whose, mut bins) in self.bins {
            bins.finish();
            if bins.is_outside {
                tell(check, whose, facts, None, "jobs were there outside of its bins".to_owned());
            }
            let own = whose.1.map_or(processors, |one| facts.clusters[one].processors.into());
            for (bin, &place) in self.lines[&whose].iter().enumerate() {
                let line = Line::read(&self.table.line(place))?;
                if let Some(text) = wrong(&bins, bin, own, &line) {
                    tell(check, whose, facts, Some(bins.edges[bin]), text);
                }
            }
        }
        Ok(())
    }
}

/// Describes the first difference in a line, if any.
fn wrong(bins: &Bins, bin: usize, processors: u64, line: &Line<'_>) -> Option<String> {
    let [arrivals, starts, ends] = bins.counts[bin];
    for (column, said, count) in [
        ("arrivals", line.arrivals, arrivals),
        ("starts", line.starts, starts),
        ("ends", line.ends, ends),
    ] {
        if said != count {
            return Some(format!("{column} are {said}, and {count} over the jobs"));
        }
    }
    let length = i128::from(bins.edges[bin + 1] - bins.edges[bin]);
    let [waiting, running, busy] = bins.areas[bin];
    let means = [
        ("waiting", line.waiting, waiting, length),
        ("running", line.running, running, length),
        ("processors_in_use", line.processors_in_use, busy, length),
        ("utilization", line.utilization, busy, length * i128::from(processors)),
    ];
    for (column, said, area, over) in means {
        let found = (over > 0).then(|| area as f64 / over as f64);
        // Both are the nearest float to the same quotient of integers.
        if said != found {
            let words = |it: Option<f64>| it.map_or("empty".to_owned(), |it| it.to_string());
            let (said, found) = (words(said), words(found));
            return Some(format!("{column} is {said}, and {found} over the jobs"));
        }
    }
    None
}

fn tell(check: &mut Check, whose: Whose, facts: &Facts, from: Option<i64>, text: String) {
    check.violated(|| Violation {
        cluster: whose.1.map(|cluster| facts.clusters[cluster].name.clone()),
        time: from.map(Time::from_ticks),
        ..Violation::new(whose.0, format!("timeline.csv: {text}"))
    });
}
