//! A workload of Batsim: a JSON file of jobs and profiles.
//!
//! A job whose profile is a delay runs for that time. What the other profiles last depends on the
//! platform, which is not simulated here, and their jobs are left out. Every job that a rule left out or
//! changed is in the [`Ledger`].
//!
//! Source: <https://batsim.readthedocs.io/en/v4.1.0/input-workload.html>

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::jobs::Tags;
use super::ledger::{Ledger, rules};
use super::sacct::{self, OverLimit};
use kernel::order::InOrder as _;
use kernel::time::{LIMIT_TICKS, Span, TICKS_PER_UNIT, Time};
use model::ids::OrganizationId;
use model::job::Job;
use model::recorded::Recorded;

/// A workload converted to jobs.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The jobs in order of submission, at the times of the file; their numbers are their positions,
    /// from 1.
    pub jobs: Vec<Job>,
    /// Their profiles as partitions, and their ids.
    pub tags: Tags,
    /// Processors that the workload was made for.
    pub processors: u32,
    /// The effects of all rules.
    pub ledger: Ledger,
}

/// The reason why a workload could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {wrong}", file.display())]
pub struct BatsimError {
    file: PathBuf,
    wrong: String,
    /// True for a file that cannot be read, whatever is in it.
    pub is_unreadable: bool,
}

const HAS: &str = "a workload of Batsim has `nb_res`, `profiles`, and `jobs` with `id`, `subtime`, `res` and \
                   `profile`";

#[derive(Deserialize)]
struct Workload {
    nb_res: u32,
    jobs: Vec<Written>,
    profiles: BTreeMap<String, Profile>,
}

/// A job as it is written.
#[derive(Deserialize)]
struct Written {
    id: Value,
    subtime: f64,
    walltime: Option<f64>,
    res: u32,
    profile: String,
    dependencies: Option<Vec<Value>>,
}

#[derive(Deserialize)]
struct Profile {
    #[serde(rename = "type")]
    kind: String,
    delay: Option<f64>,
}

rules! {
    over_limit: OverLimit;
    Profile => ("profile", Dropped, "dropped: the profile is no delay, so only the platform tells how long it takes"),
    TooWide => ("res", Dropped, "dropped: asks for more than `nb_res`"),
    NoWalltime => ("no_walltime", Changed, "given the delay as estimate: no walltime"),
    OverWalltime => match over_limit {
        OverLimit::Cut => ("over_walltime", Changed, "cut to the walltime, at which Batsim ends it"),
        OverLimit::Raise => {
            ("over_walltime", Changed, "given the delay as estimate: longer than the walltime")
        }
        OverLimit::Keep => ("over_walltime", Noted, "kept: runs longer than its estimate"),
    },
    Dependencies => ("dependencies", Changed, "waits for no other job: dependencies are left out"),
}

/// Reads a workload, plain or gzip; `-` is standard input.
///
/// # Errors
/// A file that cannot be read or is no workload, a job that makes no sense, or no job left.
pub fn read(file: &Path, over_limit: OverLimit) -> Result<Imported, BatsimError> {
    let wrong = |wrong: String| BatsimError { file: file.to_owned(), wrong, is_unreadable: false };
    let mut text = Vec::new();
    let read = sacct::unpacked(file).and_then(|mut open| open.read_to_end(&mut text));
    read.map_err(|error| BatsimError {
        is_unreadable: true,
        ..wrong(format!("cannot be read: {error}"))
    })?;
    let written: Workload =
        serde_json::from_slice(&text).map_err(|error| wrong(format!("{error}\nhelp: {HAS}")))?;
    let mut ledger = ledger(&over_limit);
    ledger.item = "job";
    let mut jobs = Vec::new();
    for (place, one) in (1..).zip(&written.jobs) {
        let id = one.id.as_str().map_or_else(|| one.id.to_string(), str::to_owned);
        let wrong = |what: String| wrong(format!("job `{}`: {what}", id.escape_debug()));
        let time = |name: &str, seconds: f64| {
            let ticks = (seconds * TICKS_PER_UNIT as f64).round();
            let is_time = ticks >= 0.0 && ticks <= LIMIT_TICKS as f64;
            let why = || wrong(format!("`{name}` is {seconds}, and no time that is simulated"));
            is_time.then_some(Span::from_ticks(ticks as i64)).ok_or_else(why)
        };
        let profile = written.profiles.get(&one.profile);
        let profile = profile.ok_or_else(|| {
            wrong(format!("there is no profile `{}`", one.profile.escape_debug()))
        })?;
        if one.res == 0 {
            return Err(wrong("`res` is 0".to_owned()));
        }
        ledger.read += 1;
        // The name since version 5, and that before.
        let is_delay = matches!(&*profile.kind, "delay" | "DelayProfile");
        let Some(delay) = profile.delay.filter(|_| is_delay) else {
            ledger.drop(Rule::Profile, place, None);
            continue;
        };
        let mut runtime = time("delay", delay)?;
        let area = Some(i128::from(one.res) * i128::from(runtime.ticks()));
        ledger.add(area);
        if one.res > written.nb_res {
            ledger.drop(Rule::TooWide, place, area);
            continue;
        }
        // -1 stands for none.
        let walltime = one.walltime.filter(|&walltime| walltime != -1.0);
        let mut estimate = match walltime {
            Some(walltime) => time("walltime", walltime)?,
            None => {
                ledger.note(Rule::NoWalltime, place);
                runtime
            }
        };
        if runtime > estimate {
            ledger.note(Rule::OverWalltime, place);
            match over_limit {
                OverLimit::Cut => runtime = estimate,
                OverLimit::Raise => estimate = runtime,
                OverLimit::Keep => {}
            }
        }
        if one.dependencies.as_ref().is_some_and(|others| !others.is_empty()) {
            ledger.note(Rule::Dependencies, place);
        }
        let job = Job {
            number: 0,
            source: 0,
            submit: Time::ZERO + time("subtime", one.subtime)?,
            runtime,
            estimate,
            processors: one.res,
            user: 0,
            organization: OrganizationId(0),
            recorded: Recorded::new(None, None),
        };
        jobs.push((job, &*one.profile, id));
    }
    ledger.kept = jobs.len() as u64;
    ledger.weigh();
    if jobs.is_empty() {
        return Err(wrong(format!("no job is left: {ledger}")));
    }
    jobs.order_by_key(|(job, ..)| job.submit);
    let mut tags = Tags::default();
    for ((job, profile, id), number) in jobs.iter_mut().zip(1..) {
        job.number = number;
        tags.insert(number, ["", profile, id]);
    }
    let jobs = jobs.into_iter().map(|(job, ..)| job).collect();
    Ok(Imported { jobs, tags, processors: written.nb_res, ledger })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKLOAD: &str = r#"{ "nb_res": 4, "description": "x",
        "jobs": [
            { "id": "late", "subtime": 12.5, "walltime": 30, "res": 4, "profile": "short" },
            { "id": 7, "subtime": 3, "res": 1, "profile": "short", "dependencies": [1] },
            { "id": "over", "subtime": 4, "walltime": 20, "res": 2, "profile": "short" },
            { "id": "wide", "subtime": 4, "walltime": 30, "res": 5, "profile": "short" },
            { "id": "cpu", "subtime": 5, "walltime": 30, "res": 2, "profile": "work" }
        ],
        "profiles": {
            "short": { "type": "delay", "delay": 20.2, "other": true },
            "work": { "type": "parallel_homogeneous", "cpu": 1e6, "com": 0 }
        } }"#;

    fn read_text(text: &str, over_limit: OverLimit) -> Result<Imported, BatsimError> {
        let name = format!("batsim-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("the folder of temporary files takes one");
        let read = read(&path, over_limit);
        std::fs::remove_file(&path).expect("it was written");
        read
    }

    #[test]
    fn every_job_is_kept_changed_or_left_out_by_a_rule() {
        let read = read_text(WORKLOAD, OverLimit::Cut).expect("it is a workload");
        let rows: Vec<_> =
            read.ledger.rows().map(|row| (row.rule, row.count, row.first_line)).collect();
        let expected = [
            ("profile", 1, 5),
            ("res", 1, 4),
            ("no_walltime", 1, 2),
            ("over_walltime", 1, 3),
            ("dependencies", 1, 2),
        ];
        assert_eq!(rows, expected);
        assert_eq!((read.ledger.read, read.ledger.kept, read.processors), (5, 3, 4));
        let job = |job: &Job| {
            (job.submit.ticks(), job.runtime.ticks(), job.estimate.ticks(), job.processors)
        };
        let jobs: Vec<_> = read.jobs.iter().map(job).collect();
        let expected = [
            (3_000_000, 20_200_000, 20_200_000, 1),
            (4_000_000, 20_000_000, 20_000_000, 2),
            (12_500_000, 20_200_000, 30_000_000, 4),
        ];
        assert_eq!(jobs, expected);
        assert_eq!(read.tags.of(3), ["", "short", "late"]);
        assert_eq!(read.ledger.to_string().lines().next(), Some("5 jobs read, 3 jobs kept"));
        let kept = read_text(WORKLOAD, OverLimit::Keep).expect("it is a workload");
        assert_eq!(
            (kept.jobs[1].runtime.ticks(), kept.jobs[1].estimate.ticks()),
            (20_200_000, 20_000_000)
        );
    }

    #[test]
    fn what_is_no_workload_is_told_with_its_place() {
        for (from, to, wrong) in [
            ("\"res\": 1, ", "", "missing field `res` at line 4"),
            (
                "\"subtime\": 3",
                "\"subtime\": -3",
                "job `7`: `subtime` is -3, and no time that is simulated",
            ),
            ("\"res\": 1,", "\"res\": 0,", "job `7`: `res` is 0"),
            ("\"profile\": \"work\"", "\"profile\": \"x\"", "job `cpu`: there is no profile `x`"),
            ("\"delay\": 20.2", "\"delay\": 1e300", "`delay` is 1000000000"),
            ("\"nb_res\": 4,", "\"nb_res\": 0,", "no job is left: 5 jobs read, 0 jobs kept"),
            ("\"profiles\"", "\"profile\"", "missing field `profiles`"),
        ] {
            let error = read_text(&WORKLOAD.replace(from, to), OverLimit::Cut).expect_err(wrong);
            assert!(error.to_string().contains(wrong), "{error}");
        }
    }
}
