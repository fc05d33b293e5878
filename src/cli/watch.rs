//! `gridpact watch`: a run that goes on, as a screen; and the same screen for `--watch`.
//!
//! It reads `live.json` alone, so it can be left and entered at any time. What its trends show is what it
//! has seen itself.

use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use clap::{Args, ValueHint};
use model::name::escaped;
use report::words::wrapped::wrapped;
use run::glance::Glance;
use run::live::{EVERY, LIVE, State, Status};
use run::pulse::Pulse;
use stats::shown::{count, counted, figure, lasting, percent};

use super::trend::Trend;
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

/// Reads the status of a run.
fn read(folder: &Path) -> Result<Status<'static>, Failure> {
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

/// Figures with a trend.
#[derive(Clone, Copy)]
struct Line {
    name: &'static str,
    of: fn(&Glance) -> Option<f64>,
}

const LINES: [Line; 4] = [
    Line { name: "rounds/s", of: |glance| glance.rounds_per_second },
    Line { name: "jobs/s", of: |glance| glance.jobs_per_second },
    Line { name: "waiting", of: |glance| glance.waiting().map(|all| all as f64) },
    Line { name: "members", of: |glance| glance.members().map(|all| all as f64) },
];

/// The trend of each line, as far as it was seen.
#[derive(Debug, Default)]
struct Seen([Trend; LINES.len()]);

impl Seen {
    fn add(&mut self, glance: &Glance) {
        for (line, trend) in LINES.iter().zip(&mut self.0) {
            (line.of)(glance).into_iter().for_each(|now| trend.put(now));
        }
    }
}

/// The screen, line by line. `silent` is the time since the run last told something.
fn frame(status: &Status<'_>, seen: &Seen, width: usize, silent: Duration) -> Vec<String> {
    let Status { name, seed, pid, state, started, glance, .. } = status;
    let goes_on = *state == State::Running;
    let lasts = if goes_on { "for" } else { "after" };
    let state = format!("{} {lasts} {}", state.word(), lasting(status.seconds));
    let mut lines = vec![
        escaped(name).into_owned(),
        format!("seed {seed}, process {pid}, {state}, begun {started}"),
        String::new(),
    ];
    if let Some(share) = glance.share {
        let room = width.saturating_sub(10).clamp(10, 50);
        let done = (share.clamp(0.0, 1.0) * room as f64) as usize;
        lines.push("█".repeat(done) + &"░".repeat(room - done) + " " + &percent(share));
    }
    lines.extend(wrapped(&glance.to_string(), Some(width)).lines().map(str::to_owned));
    lines.push(String::new());
    for (line, trend) in LINES.iter().zip(&seen.0) {
        if let Some(now) = (line.of)(glance).filter(|_| goes_on) {
            lines.push(format!("{:9}{:>12}  {}", line.name, figure(now), trend.bars()));
        }
    }
    for Pulse { replication, time, rounds, .. } in glance.running.iter().take(8) {
        let rounds = rounds
            .map_or(String::new(), |rounds| format!(", {}", counted(rounds, "round", "rounds")));
        lines.push(format!("replication {replication}: at time {}{rounds}", figure(*time)));
    }
    lines.extend(glance.memory_bytes.map(|bytes| format!("memory {} MB", count(bytes >> 20))));
    lines.extend(status.last_checkpoint.as_ref().map(|at| format!("last checkpoint {at}")));
    if goes_on && silent > 5 * EVERY {
        let silent = lasting(silent.as_secs_f64());
        lines.push(format!("no news for {silent}: is process {pid} still there?"));
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
        let status = read(&self.folder)?;
        self.seen.add(&status.glance);
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
        Ok(status.state == State::Running)
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
    let status = read(folder)?;
    let mut seen = Seen::default();
    seen.add(&status.glance);
    let lines = frame(&status, &seen, format::width().unwrap_or(80), silent(folder));
    print(&(lines.join("\n") + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &str = r#"{"gridpact": "0.2.0", "name": "Ten", "seed": 7, "pid": 12,
        "state": "running", "scenario_digest": "a", "written": "2026-11-27T01:02:09Z", "started": "2026-11-27T01:01:04Z", "seconds": 65.0, "share": 0.25,
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
            status.glance.to_mut().rounds_per_second = Some(rate);
            seen.add(&status.glance);
        }
        let told = frame(&status, &seen, 80, Duration::ZERO).join("\n");
        for part in [
            "seed 7, process 12, running for 1 min 5 s, begun",
            "░ 25.0%",
            "40 rounds (6/s), 3 min 15 s left, flow 12.50 +- 0.25, 5 waiting, 3 members,",
            "replication 1 of 4 done",
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
        status.state = State::Done;
        let done = frame(&status, &seen, 80, Duration::from_secs(60)).join("\n");
        assert!(done.contains("done after 1 min 5 s") && !done.contains("no news"), "{done}");
    }
}
