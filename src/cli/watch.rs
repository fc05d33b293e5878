//! `gridpact watch`: a run that goes on, as a screen; and the same screen for `--watch`.
//!
//! It reads `live.json` alone, so it can be left and entered at any time. What its trends show is what it
//! has seen itself.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use clap::{Args, ValueHint};
use run::live::{EVERY, LIVE};
use serde::Deserialize;
use stats::shown::{count, counted, figure, lasting, percent, rough};

use super::{Failure, format, print, signals};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folder of a run that was started with `--live`.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Print how far the run is, and end.
    #[arg(long)]
    once: bool,
}

/// The part of `live.json` that is shown.
#[derive(Debug, Deserialize)]
struct Status {
    name: String,
    seed: u64,
    pid: u32,
    state: String,
    started: String,
    seconds: f64,
    share: Option<f64>,
    left_seconds: Option<f64>,
    jobs: u64,
    jobs_per_second: Option<f64>,
    rounds: Option<u64>,
    rounds_per_second: Option<f64>,
    replications: u32,
    replications_ended: u32,
    flow: Option<Estimate>,
    held: Option<String>,
    #[serde(default)]
    running: Vec<Pulse>,
    memory_bytes: Option<u64>,
    last_checkpoint: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Estimate {
    mean: f64,
    half_width: Option<f64>,
}

/// A replication that runs.
#[derive(Debug, Deserialize)]
struct Pulse {
    replication: u32,
    time: f64,
    waiting: Option<u64>,
    rounds: Option<u64>,
    members: Option<u64>,
}

impl Status {
    fn read(folder: &Path) -> Result<Status, Failure> {
        let path = folder.join(LIVE);
        let wrong = |what: &dyn std::fmt::Display| {
            Failure::Input(format!(
                "{}: {what}\nhelp: a run that is started with `--live` writes it every second",
                path.display()
            ))
        };
        let text = std::fs::read(&path).map_err(|error| wrong(&error))?;
        serde_json::from_slice(&text).map_err(|error| wrong(&error))
    }

    fn sum(&self, of: impl Fn(&Pulse) -> Option<u64>) -> Option<f64> {
        let mut told = self.running.iter().filter_map(of).peekable();
        told.peek().is_some().then(|| told.sum::<u64>() as f64)
    }

    fn is_running(&self) -> bool {
        self.state == "running"
    }
}

/// Figures with a trend.
#[derive(Clone, Copy)]
struct Line {
    name: &'static str,
    of: fn(&Status) -> Option<f64>,
}

const LINES: [Line; 4] = [
    Line { name: "rounds/s", of: |status| status.rounds_per_second },
    Line { name: "jobs/s", of: |status| status.jobs_per_second },
    Line { name: "waiting", of: |status| status.sum(|one| one.waiting) },
    Line { name: "members", of: |status| status.sum(|one| one.members) },
];

/// Most figures of a trend that are kept.
const MOST: usize = 200;

/// Figures of a run that were seen, by line.
#[derive(Debug, Default)]
struct Seen([Vec<f64>; LINES.len()]);

impl Seen {
    fn add(&mut self, status: &Status) {
        for (line, trend) in LINES.iter().zip(&mut self.0) {
            trend.extend((line.of)(status));
            let over = trend.len().saturating_sub(MOST);
            trend.drain(..over);
        }
    }
}

/// Heights of a trend's figures between its least and its largest.
pub(super) fn sparkline(trend: &[f64]) -> String {
    let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let least = trend.iter().copied().fold(f64::INFINITY, f64::min);
    let most = trend.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let height = |value: &f64| match most > least {
        true => ((value - least) / (most - least) * 7.0).round() as usize,
        false => 0,
    };
    trend.iter().map(|value| bars[height(value)]).collect()
}

/// The screen, line by line. `silent` is the time since the run last told something.
fn frame(status: &Status, seen: &Seen, width: usize, silent: Duration) -> Vec<String> {
    let mut lines = vec![
        status.name.clone(),
        format!(
            "seed {}, process {}, {} {} {}, begun {}",
            status.seed,
            status.pid,
            status.state,
            if status.is_running() { "for" } else { "after" },
            lasting(status.seconds),
            status.started
        ),
        String::new(),
    ];
    if let Some(share) = status.share {
        let room = width.saturating_sub(30).clamp(10, 50);
        let done = (share.clamp(0.0, 1.0) * room as f64) as usize;
        let bar = "█".repeat(done) + &"░".repeat(room - done);
        let left = status.left_seconds.filter(|_| status.is_running());
        let left = left.map_or(String::new(), |left| format!(", {} left", lasting(left)));
        lines.push(format!("{bar} {}{left}", percent(share)));
    }
    let mut done = counted(status.jobs, "job", "jobs");
    if let Some(rounds) = status.rounds {
        done = format!("{}, {done}", counted(rounds, "round", "rounds"));
    }
    if status.replications > 1 {
        let _ = write!(
            done,
            ", {} of {} replications ended",
            count(status.replications_ended.into()),
            count(status.replications.into())
        );
    }
    lines.push(done);
    if let Some(Estimate { mean, half_width }) = &status.flow {
        let error = half_width.map_or(String::new(), |error| format!(" ± {}", rough(error)));
        lines.push(format!("mean flow time {}{error}", figure(*mean)));
    }
    lines.extend(status.held.as_ref().map(|held| format!("it goes on: {held}")));
    lines.push(String::new());
    for (line, trend) in LINES.iter().zip(&seen.0) {
        if let Some(now) = (line.of)(status).filter(|_| status.is_running()) {
            let room = width.saturating_sub(24).max(1);
            let shown = &trend[trend.len().saturating_sub(room)..];
            lines.push(format!("{:9}{:>12}  {}", line.name, figure(now), sparkline(shown)));
        }
    }
    for Pulse { replication, time, rounds, .. } in status.running.iter().take(8) {
        let rounds = rounds
            .map_or(String::new(), |rounds| format!(", {}", counted(rounds, "round", "rounds")));
        lines.push(format!("replication {replication}: at time {}{rounds}", figure(*time)));
    }
    lines.extend(status.memory_bytes.map(|bytes| format!("memory {} MB", count(bytes >> 20))));
    lines.extend(status.last_checkpoint.as_ref().map(|at| format!("last checkpoint {at}")));
    if status.is_running() && silent > 5 * EVERY {
        let silent = lasting(silent.as_secs_f64());
        lines.push(format!("no news for {silent}: is process {} still there?", status.pid));
    }
    lines.into_iter().map(|line| line.chars().take(width).collect()).collect()
}

/// A terminal's second screen, which is left as it ends.
pub(super) struct Screen {
    folder: PathBuf,
    seen: Seen,
    next: Option<Instant>,
    is_open: bool,
}

impl Screen {
    /// The screen of a results folder.
    pub fn of(folder: &Path) -> Screen {
        Screen { folder: folder.to_owned(), seen: Seen::default(), next: None, is_open: false }
    }

    /// Shows what is known now, once a second. Returns false once the run is over.
    pub fn show(&mut self, leave: &str) -> Result<bool, Failure> {
        if self.next.is_some_and(|next| Instant::now() < next) {
            return Ok(true);
        }
        self.next = Some(Instant::now() + EVERY);
        let status = Status::read(&self.folder)?;
        self.seen.add(&status);
        let mut lines = frame(&status, &self.seen, width(), silent(&self.folder));
        lines.extend([String::new(), leave.to_owned()]);
        let mut text = String::new();
        if !std::mem::replace(&mut self.is_open, true) {
            text += "\x1b[?1049h\x1b[?25l";
        }
        text += "\x1b[H";
        for line in lines {
            text += &line;
            text += "\x1b[K\r\n";
        }
        text += "\x1b[J";
        let mut terminal = io::stderr().lock();
        // A terminal that is gone shows nothing; the run does not depend on it.
        let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
        Ok(status.is_running())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.is_open {
            let _ = io::stderr().write_all(b"\x1b[?25h\x1b[?1049l");
        }
    }
}

fn width() -> usize {
    format::width_of_errors().unwrap_or(80)
}

/// Time since the run last told something.
fn silent(folder: &Path) -> Duration {
    let written = std::fs::metadata(folder.join(LIVE)).and_then(|file| file.modified());
    written.ok().and_then(|at| SystemTime::now().duration_since(at).ok()).unwrap_or_default()
}

pub(super) fn watch(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    if !arguments.once && io::stderr().is_terminal() {
        let left = Arc::new(AtomicBool::new(false));
        signals::listen(&left)?;
        let mut screen = Screen::of(folder);
        while screen.show("Ctrl-C leaves; the run goes on")? && !left.load(Ordering::Relaxed) {
            sleep(EVERY / 10);
        }
    }
    let status = Status::read(folder)?;
    let mut seen = Seen::default();
    seen.add(&status);
    let lines = frame(&status, &seen, format::width().unwrap_or(80), silent(folder));
    print(&(lines.join("\n") + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &str = r#"{"gridpact": "0.2.0", "name": "Ten", "seed": 7, "pid": 12,
        "state": "running", "started": "2026-11-27T01:01:04Z", "seconds": 65.0, "share": 0.25,
        "left_seconds": 195.0, "jobs": 1200, "jobs_per_second": null, "rounds": 40,
        "rounds_per_second": 8.0, "replications": 4, "replications_ended": 1,
        "flow": {"mean": 12.5, "half_width": 0.25}, "running": [
        {"replication": 1, "time": 1240.0, "finished": 9, "rounds": 12, "members": 3, "waiting": 5}],
        "memory_bytes": 52428800, "peak_memory_bytes": 60137472, "checkpoints": 0}"#;

    #[test]
    fn a_frame_has_progress_estimates_and_trends_within_its_width() {
        let mut status: Status = serde_json::from_str(LIVE).unwrap();
        let mut seen = Seen::default();
        for rate in [8.0, 4.0, 6.0] {
            status.rounds_per_second = Some(rate);
            seen.add(&status);
        }
        let told = frame(&status, &seen, 80, Duration::ZERO).join("\n");
        for part in [
            "seed 7, process 12, running for 1 min 5 s, begun",
            "25.0%, 3 min 15 s left",
            "40 rounds, 1 200 jobs, 1 of 4 replications ended",
            "mean flow time 12.50 ± 0.25",
            "rounds/s        6.000  █▁▅",
            "members         3.000  ▁▁▁",
            "replication 1: at time 1 240, 12 rounds",
            "memory 50 MB",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        assert!(!told.contains("no news"), "{told}");
        for width in [1, 20, 79] {
            let lines = frame(&status, &seen, width, Duration::from_secs(60));
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
        }
        let silent = frame(&status, &seen, 80, Duration::from_secs(60)).join("\n");
        assert!(silent.contains("no news for 1 min"), "{silent}");
        status.state = "done".to_owned();
        let done = frame(&status, &seen, 80, Duration::from_secs(60)).join("\n");
        assert!(!done.contains("left") && !done.contains("no news"), "{done}");
    }
}
