//! The figures of a grid's replications and organizations, computed again from its jobs.

use std::collections::BTreeMap;

use super::figures::{DISTRIBUTIONS, QUANTILES, Values, copies, figure_of, places};
use super::printed::Printed;
use super::table::{Compared, Table};
use audit::estimates::{Section, Spread, jain};
use audit::{Check, Facts, JobFacts};
use kernel::time::{LIMIT_TICKS, TICKS_PER_UNIT, Time, Units, round_ties_even, sum_as_units};
use report::files::Manifest;

/// Up to this many organizations have quantiles within a thousandth, then within a tenth, then none.
const EXACT: usize = 64;
const ROUGH: usize = 4096;

/// The jobs of an organization, or of all, in one replication.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// Sum in ticks and number of jobs, by distribution.
    sections: [(i128, u64); 4],
    /// First submission and last finish.
    first: Option<Time>,
    last: Option<Time>,
    /// Processor-ticks in use in the counted window.
    busy: i128,
}

/// Sums over the jobs; the unit after the last organization is the whole grid.
pub(super) struct Measured<'a> {
    manifest: &'a Manifest,
    world: &'a Facts,
    /// Bound of the bounded slowdown, where the scenario is there.
    tau: Option<i64>,
    /// The end of each replication, as the summary has it.
    ends: Vec<Option<Time>>,
    /// The first submission of each.
    begun: Vec<Time>,
    replications: BTreeMap<(u32, usize), Sums>,
    spreads: Vec<[Spread; 4]>,
    killed: Vec<u64>,
    /// By unit: its clusters, and their processors.
    owned: Vec<[u64; 2]>,
    /// By replication: jobs that were submitted before the counted window, and after it.
    left_out: Vec<[u64; 2]>,
}

impl<'a> Measured<'a> {
    pub fn new(
        manifest: &'a Manifest,
        world: &'a Facts,
        tau: Option<i64>,
        printed: &Printed,
    ) -> Measured<'a> {
        let units = world.organizations.len() + 1;
        let mut owned = vec![[0; 2]; units];
        for cluster in &world.clusters {
            for unit in cluster.owner.into_iter().chain([units - 1]) {
                owned[unit][0] += 1;
                owned[unit][1] += u64::from(cluster.processors);
            }
        }
        let end = |replication| {
            let end = printed.number(&format!("windows[{replication}].end"))?;
            Some(Time::from_ticks(round_ties_even(end * TICKS_PER_UNIT as f64) as i64))
        };
        Measured {
            manifest,
            world,
            tau,
            ends: (0..manifest.replications).map(end).collect(),
            begun: vec![Time::NEVER; manifest.replications as usize],
            replications: BTreeMap::new(),
            spreads: vec![Default::default(); units],
            killed: vec![0; units],
            owned,
            left_out: vec![[0; 2]; manifest.replications as usize],
        }
    }

    fn grid(&self) -> usize {
        self.world.organizations.len()
    }

    /// Adds a job, which may be killed.
    pub fn add(&mut self, job: &JobFacts, is_killed: bool) {
        let (replication, grid) = (job.replication, self.grid());
        let at = replication as usize;
        let Some(counted) = self.manifest.counted.get(at).filter(|_| at < self.begun.len()) else {
            return;
        };
        if !job.is_rejected() {
            self.begun[at] = self.begun[at].min(job.submit);
        }
        let window = |time: Time| {
            let until = counted.until.into_iter().chain(self.ends[at]).min();
            time.max(counted.from).min(until.unwrap_or(Time::NEVER)).ticks()
        };
        if let (Some(start), Some(cluster)) = (job.start, job.cluster) {
            let ran = window(job.finish.unwrap_or(Time::NEVER)) - window(start);
            let owner = self.world.clusters[cluster].owner;
            for unit in owner.into_iter().chain([grid]) {
                let sums = self.replications.entry((replication, unit)).or_default();
                sums.busy += i128::from(ran) * i128::from(job.processors);
            }
        }
        if !counted.counts(job.submit) {
            self.left_out[at][usize::from(job.submit >= counted.from)] += 1;
            return;
        }
        if job.is_rejected() {
            return;
        }
        let values = self.values_of(job);
        for unit in [job.organization, grid] {
            self.killed[unit] += u64::from(is_killed);
            let sums = self.replications.entry((replication, unit)).or_default();
            sums.first = sums.first.into_iter().chain([job.submit]).min();
            sums.last = sums.last.max(job.finish);
            for (which, value) in values.into_iter().enumerate() {
                let Some(value) = value else { continue };
                sums.sections[which].0 += i128::from(value);
                sums.sections[which].1 += 1;
                self.spreads[unit][which].add(value);
            }
        }
    }

    /// Flow and wait in ticks, slowdowns in millionths, of a job that ended.
    fn values_of(&self, job: &JobFacts) -> [Option<i64>; 4] {
        let (Some(start), Some(finish)) = (job.start, job.finish) else { return [None; 4] };
        let (flow, ran) = ((finish - job.submit).ticks(), (finish - start).ticks());
        let ratio = |over: i64, under: i64| {
            let ratio = over as f64 / under as f64 * TICKS_PER_UNIT as f64;
            (under > 0).then(|| round_ties_even(ratio) as i64)
        };
        let bounded =
            self.tau.map(|tau| tau.max(ran)).and_then(|under| ratio(flow.max(under), under));
        [Some(flow), Some((start - job.submit).ticks()), ratio(flow, ran), bounded]
    }

    /// The values of the replications.
    fn values(&self) -> Values {
        let mut all = Values::new();
        let names = self.world.organizations.iter().map(String::as_str).chain(["*"]);
        let names: Vec<&str> = names.collect();
        for (&(replication, unit), sums) in &self.replications {
            let mut put = |measure: &str, sum: f64, weight: f64| {
                let key = (replication.into(), names[unit].to_owned(), measure.to_owned());
                all.insert(key, Section { sum, weight });
            };
            let known = if self.tau.is_some() { 4 } else { 3 };
            for (which, (sum, count)) in sums.sections.into_iter().enumerate().take(known) {
                put(DISTRIBUTIONS[which], sum_as_units(sum), count as f64);
            }
            if let Some((first, last)) = sums.first.zip(sums.last) {
                put("makespan", (last - first).as_units(), 1.0);
            }
        }
        for at in (0..self.begun.len() as u32).filter(|_| self.grid() > 1) {
            let flow = |unit| {
                let [(sum, count), ..] = self.replications.get(&(at, unit))?.sections;
                (count > 0).then(|| sum_as_units(sum) / count as f64)
            };
            let flows: Vec<f64> = (0..self.grid()).filter_map(flow).collect();
            if let Some(sum) = jain(&flows) {
                let key = (at.into(), "*".to_owned(), "fairness".to_owned());
                all.insert(key, Section { sum, weight: 1.0 });
            }
        }
        for (at, counted) in self.manifest.counted.iter().enumerate().take(self.begun.len()) {
            let Some(end) = self.ends[at].filter(|_| self.begun[at] < Time::NEVER) else {
                continue;
            };
            let until = counted.until.map_or(end, |until| until.min(end));
            let begun = self.begun[at].max(counted.from).min(until);
            for (unit, name) in names.iter().enumerate() {
                let time = i128::from(self.owned[unit][1]) * i128::from((until - begun).ticks());
                let sums = self.replications.get(&(at as u32, unit));
                let busy = sums.map_or(0, |sums| sums.busy);
                let section = Section { sum: sum_as_units(busy), weight: sum_as_units(time) };
                all.insert((at as u64, (*name).to_owned(), "utilization".to_owned()), section);
            }
        }
        all
    }

    /// Checks the tables of the run, and returns the values of the replications.
    pub fn check(&self, printed: &Printed, checks: &mut Vec<Check>) -> Values {
        let means = "organizations.csv has the sums, the quantiles and the largest over the jobs, and \
                     the figures of figures.csv";
        let mut check = Compared::new("organizations", means, "over the jobs and in figures.csv");
        if let Some(table) = printed.table("organizations.csv") {
            self.organizations(&mut check, table, printed);
            copies(&mut check, printed, table, |column| {
                let is_figure = ["_mean", "_low", "_high"].iter().any(|end| column.ends_with(end))
                    || QUANTILES.iter().any(|(name, _)| column.ends_with(&format!("_{name}")))
                    || ["utilization", "gain"].contains(&column);
                Some(figure_of(column)).filter(|_| is_figure && !column.starts_with("recorded_"))
            });
        }
        let values = self.values();
        self.summary(&mut check, printed, &values);
        checks.push(check.check);
        values
    }

    /// Checks what the summary alone has: makespans, windows and fairness.
    fn summary(&self, check: &mut Compared, printed: &Printed, values: &Values) {
        let names = self.world.organizations.iter().map(String::as_str).chain(["*"]);
        for (unit, name) in names.enumerate() {
            let mut spread = Spread::default();
            for replication in 0..u64::from(self.manifest.replications) {
                let key = (replication, name.to_owned(), "makespan".to_owned());
                let makespan = values.get(&key).map(|one| one.sum * TICKS_PER_UNIT as f64);
                makespan.into_iter().for_each(|ticks| spread.add(round_ties_even(ticks) as i64));
            }
            let units = |ticks: i64| Units(ticks.into()).to_string();
            let place = format!("{}.makespan", self.place(unit));
            let has = spread.count() > 0;
            let largest = if has { units(spread.largest) } else { String::new() };
            for (key, found) in [
                ("count", spread.count().to_string()),
                ("sum", Units(spread.sum).to_string()),
                ("min", spread.least.map_or(String::new(), units)),
                ("max", largest),
            ] {
                printed.compare(check, &format!("{place}.{key}"), &found);
            }
            for (key, share) in QUANTILES.into_iter().filter(|_| spread.largest <= LIMIT_TICKS) {
                let found = spread.quantile(share).map(|ticks| ticks / TICKS_PER_UNIT as f64);
                let error = found.map_or(0.0, |found| found * 0.0013 + 2e-6);
                printed.near(check, &format!("{place}.{key}"), found, error);
            }
        }
        for (at, counted) in self.manifest.counted.iter().enumerate().take(self.left_out.len()) {
            let units = |time: Time| Units(time.ticks().into()).to_string();
            let [before, after] = self.left_out[at].map(|count| count.to_string());
            for (key, found) in [
                ("replication", at.to_string()),
                ("counted_from", units(counted.from)),
                ("counted_until", counted.until.map_or(String::new(), units)),
                ("left_out_before", before),
                ("left_out_after", after),
            ] {
                printed.compare(check, &format!("windows[{at}].{key}"), &found);
            }
            // Utilization goes by it.
            printed.see(&format!("windows[{at}].end"));
        }
    }

    /// The path of a unit in the summary.
    fn place(&self, unit: usize) -> String {
        if unit == self.grid() { "grid".to_owned() } else { format!("organizations[{unit}]") }
    }

    fn organizations(&self, check: &mut Compared, table: &Table, printed: &Printed) {
        let organizations = self.world.organizations.len();
        let figures = printed.table("figures.csv");
        let places = figures.map(places).unwrap_or_default();
        let mut names = self.world.organizations.iter().map(String::as_str).chain(["*"]);
        for (unit, line) in (0..table.len()).enumerate() {
            let at = (table, line);
            check.same(at, "organization", names.next().unwrap_or("nobody"));
            let Some(spreads) = self.spreads.get(unit) else { continue };
            let [clusters, processors] = self.owned[unit];
            check.same(at, "clusters", &clusters.to_string());
            check.same(at, "processors", &processors.to_string());
            check.same(at, "killed", &self.killed[unit].to_string());
            let error = if organizations <= EXACT || unit == organizations { 0.001 } else { 0.1 };
            let known = if self.tau.is_some() { 4 } else { 3 };
            for (spread, name) in spreads.iter().zip(DISTRIBUTIONS).take(known) {
                let is_any = spread.count() > 0;
                let (sum, largest) = (Units(spread.sum).to_string(), Units(spread.largest.into()));
                check.same(at, &format!("{name}_sum"), &sum);
                let largest = if is_any { largest.to_string() } else { String::new() };
                check.same(at, &format!("{name}_max"), &largest);
                let place = self.place(unit);
                let least =
                    spread.least.map_or(String::new(), |least| Units(least.into()).to_string());
                printed.compare(check, &format!("{place}.{name}.min"), &least);
                printed.compare(
                    check,
                    &format!("{place}.{name}.count"),
                    &spread.count().to_string(),
                );
                // Beyond the longest job histograms are not exact.
                let is_too_long = spread.largest > LIMIT_TICKS;
                if is_too_long || organizations > ROUGH && unit < organizations {
                    continue;
                }
                for (quantile, share) in QUANTILES {
                    let column = format!("{name}_{quantile}");
                    // A run may leave them out.
                    if table.number(line, &column).is_none() {
                        continue;
                    }
                    check.quantile(at, &column, spread.quantile(share), error);
                    let key = (table.text(line, "organization"), &*column);
                    if let Some((figures, line)) = figures.zip(places.get(&key)) {
                        figures.see(*line, "mean");
                    }
                }
            }
        }
    }
}
