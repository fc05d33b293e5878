//! Jobs for the Gantt chart of a page, packed: one column after the other, deflated.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::Clock;
use crate::files::Manifest;
use crate::picture::rows::{Mark, Row as Lane, Shape};
use crate::picture::{self, Scale};
use kernel::map::Map;
use records::decisions::Line;
use records::record::Record as _;
use records::recorded::{RecordedError, Row, Rows};
use stats::shown::{count, counted};

/// Jobs of the first replication, as they ran.
#[derive(Debug)]
pub struct Gantt {
    /// A sentence on which jobs these are.
    pub told: String,
    about: About,
    /// Submission, start and end of each job, its arrival on its cluster if it waited in the grid, and
    /// the start that it was first promised, in units; NaN where there is none.
    times: [Vec<f64>; 5],
    /// Owner and cluster of each job.
    places: [Vec<u32>; 2],
    /// Place of each job's first run of processors, and of that after the last job's.
    runs_at: Vec<u32>,
    /// First and last processor of each run.
    runs: [Vec<u32>; 2],
    /// Numbers of the jobs.
    numbers: Vec<String>,
}

/// Names, lengths and clock, by which the script unpacks and draws the columns.
#[derive(Debug, Serialize)]
struct About {
    jobs: usize,
    runs: usize,
    organizations: Vec<String>,
    clusters: Vec<Site>,
    clock: Clock,
}

/// A cluster.
#[derive(Debug, Serialize)]
struct Site {
    name: String,
    /// Index of its owner.
    owner: usize,
    processors: u32,
}

/// Most jobs that are drawn unless more are asked for, so that pages stay small.
pub const USUAL: usize = 5_000;

/// Most organizations and clusters of a chart.
const MOST_NAMES: usize = 10_000;
/// Most lanes of a picture.
const MOST_LANES: u32 = 256;

/// Reads at most so many jobs of the first replication of a results folder; `None` if it keeps no jobs
/// on processors.
///
/// # Errors
/// Fails if the file of jobs cannot be read.
pub fn read(
    folder: &Path,
    manifest: &Manifest,
    clock: Clock,
    most: usize,
) -> Result<Option<Gantt>, RecordedError> {
    let names = || manifest.files.keys().map(String::as_str);
    let has_jobs = names().any(|name| name.starts_with("jobs") && name.contains(".csv"));
    let names_of = manifest.organizations.len() + manifest.clusters.len();
    if !has_jobs || manifest.clusters.is_empty() || most == 0 || names_of > MOST_NAMES {
        return Ok(None);
    }
    let promised = promised(folder, names)?;
    let mut rows = Rows::named(folder, "jobs", names())?;
    let mut gantt = Gantt::new(manifest, clock);
    let mut has_more = false;
    let place = |names: Vec<&str>| -> Map<String, u32> {
        names.into_iter().map(str::to_owned).zip(0..).collect()
    };
    let owners = place(manifest.organizations.iter().map(String::as_str).collect());
    let sites = place(manifest.clusters.iter().map(|one| &*one.name).collect());
    while let Some(row) = rows.read()? {
        if !row.columns.iter().any(|column| column == "allocated_resources")
            || row.get::<u32>("replication")? > 0
        {
            break;
        }
        if gantt.numbers.len() == most {
            has_more = true;
            break;
        }
        gantt.add(&row, &owners, &sites, &promised)?;
    }
    gantt.told(has_more, manifest.replications);
    Ok((!gantt.numbers.is_empty()).then_some(gantt))
}

/// Starts that jobs of the first replication were promised first, by workload and number.
type Promised = Map<(String, u64), f64>;

/// Reads them, if the run recorded its decisions.
fn promised<'a, I: Iterator<Item = &'a str>>(
    folder: &Path,
    names: impl Fn() -> I,
) -> Result<Promised, RecordedError> {
    let mut promised = Promised::default();
    if !names().any(|name| name.starts_with("decisions")) {
        return Ok(promised);
    }
    let mut rows = Rows::named(folder, "decisions", names())?;
    while let Some(row) = rows.read()? {
        let line = Line::read(&row)?;
        if line.replication > 0 {
            break;
        }
        if let Some(start) = line.expected_start.filter(|_| line.decision.is_reason()) {
            let job = (line.workload_name.to_owned(), line.job_id);
            if promised.get(&job).is_none() {
                promised.insert(job, start.as_units());
            }
        }
    }
    Ok(promised)
}

impl Gantt {
    fn new(manifest: &Manifest, clock: Clock) -> Gantt {
        let owner = |name: &String| {
            manifest.organizations.iter().position(|one| one == name).unwrap_or_default()
        };
        let site = |one: &crate::grid::entry::ClusterEntry| Site {
            name: one.name.clone(),
            owner: owner(&one.owner),
            processors: one.processors,
        };
        Gantt {
            told: String::new(),
            about: About {
                jobs: 0,
                runs: 0,
                organizations: manifest.organizations.clone(),
                clusters: manifest.clusters.iter().map(site).collect(),
                clock,
            },
            times: Default::default(),
            places: Default::default(),
            runs_at: vec![0],
            runs: Default::default(),
            numbers: Vec::new(),
        }
    }

    /// Adds a job that ran on processors.
    fn add(
        &mut self,
        row: &Row<'_>,
        owners: &Map<String, u32>,
        sites: &Map<String, u32>,
        promised: &Promised,
    ) -> Result<(), RecordedError> {
        let processors: &str = row.get("allocated_resources")?;
        let time = |column| row.get::<&str>(column).ok()?.parse::<f64>().ok();
        let [submit, start] = ["submission_time", "starting_time"].map(time);
        let number: &str = row.get("job_id")?;
        let owner = owners.get(row.get::<&str>("organization")?);
        let site = sites.get(row.get::<&str>("cluster")?);
        let (Some(submit), Some(start), Some(&owner), Some(&site)) = (submit, start, owner, site)
        else {
            return Ok(());
        };
        let runs = processors.split(' ').filter_map(|run| {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            Some([first.parse::<u32>().ok()?, last.parse::<u32>().ok()?])
        });
        let before = self.runs[0].len();
        for [first, last] in runs {
            self.runs[0].push(first);
            self.runs[1].push(last);
        }
        if self.runs[0].len() == before {
            return Ok(());
        }
        let name = (row.get::<&str>("workload_name")?.to_owned(), number.parse().unwrap_or(0));
        let rest = [time("finish_time"), time("sent_time"), promised.get(&name).copied()];
        let rest = rest.map(|time| time.unwrap_or(f64::NAN));
        let times = [submit, start].into_iter().chain(rest);
        self.times.iter_mut().zip(times).for_each(|(all, one)| all.push(one));
        self.places.iter_mut().zip([owner, site]).for_each(|(all, one)| all.push(one));
        self.runs_at.push(self.runs[0].len() as u32);
        self.numbers.push(number.to_owned());
        Ok(())
    }

    /// Says which jobs these are.
    fn told(&mut self, has_more: bool, replications: u32) {
        let jobs = self.numbers.len();
        (self.about.jobs, self.about.runs) = (jobs, self.runs[0].len());
        let of = if replications > 1 { " of the first replication" } else { "" };
        self.told = match has_more {
            true => format!(
                "The first {} jobs in jobs.csv{of}; `gridpact report FOLDER --jobs N` draws more.",
                count(jobs as u64)
            ),
            false => format!("All {} that ran{of}.", counted(jobs as u64, "job", "jobs")),
        };
    }

    /// The jobs as a picture: a row for each cluster, a lane for each processor, or for several of them
    /// where there are many.
    pub fn picture(&self, title: &str) -> picture::rows::Rows {
        let About { clusters, organizations, clock, .. } = &self.about;
        let all: u32 = clusters.iter().map(|site| site.processors).sum();
        let merged = all.div_ceil(MOST_LANES).max(1);
        let [_, starts, ends, ..] = &self.times;
        let until = starts.iter().chain(ends).copied().fold(0.0, f64::max);
        let clock = picture::clock::Clock::of(clock.counts_seconds, until);
        // Some machines count processors from 1.
        let mut base = vec![1; clusters.len()];
        let runs = |job: usize| self.runs_at[job] as usize..self.runs_at[job + 1] as usize;
        let [owners, sites] = &self.places;
        for job in 0..owners.len() {
            let least = runs(job).map(|run| self.runs[0][run]).min().unwrap_or(1);
            let base = &mut base[sites[job] as usize];
            *base = least.min(*base);
        }
        let mut rows: Vec<Lane> = (clusters.iter())
            .map(|site| Lane {
                name: site.name.clone(),
                lanes: site.processors.div_ceil(merged) as usize,
                marks: Vec::new(),
            })
            .collect();
        for (job, number) in self.numbers.iter().enumerate() {
            let site = sites[job] as usize;
            rows[site].marks.extend(runs(job).map(|run| {
                let lane = |processor: u32| ((processor - base[site]) / merged) as usize;
                let [first, last] = [self.runs[0][run], self.runs[1][run]].map(lane);
                Mark {
                    series: owners[job] as usize,
                    lane: first,
                    lanes: last + 1 - first,
                    from: clock.amount(starts[job]),
                    // A job without an end was running to the last.
                    to: clock.amount(if ends[job].is_nan() { until } else { ends[job] }),
                    shape: Shape::Bar(number.clone()),
                }
            }));
        }
        let told = self.told.split(';').next().unwrap_or_default().trim_end_matches('.');
        let told = told.replacen("All", "all", 1).replacen("The", "the", 1);
        let lanes = match merged {
            1 => String::new(),
            _ => format!("; a line for {merged} processors"),
        };
        picture::rows::Rows {
            title: title.to_owned(),
            subtitle: format!("colours: owners of the jobs; {told}{lanes}"),
            x: format!("time ({})", clock.name()),
            scale: Scale::Linear(0.0, clock.amount(until)),
            rows,
            series: organizations.iter().take(picture::svg::MOST_SERIES).cloned().collect(),
        }
    }

    /// Names, lengths and clock as JSON.
    pub(super) fn about(&self) -> String {
        serde_json::to_string(&self.about).expect("memory takes it")
    }

    /// The columns in little-endian order, then the numbers of the jobs line by line, deflated.
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for column in &self.times {
            out.extend(column.iter().flat_map(|one| one.to_le_bytes()));
        }
        for column in [&self.runs_at, &self.runs[0], &self.runs[1]] {
            out.extend(column.iter().flat_map(|one| one.to_le_bytes()));
        }
        for column in &self.places {
            out.extend(column.iter().flat_map(|one| one.to_le_bytes()));
        }
        out.extend(self.numbers.join("\n").into_bytes());
        deflated(&out)
    }
}

/// Bytes deflated, without a header.
pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).and_then(|()| out.finish()).expect("memory takes it")
}
