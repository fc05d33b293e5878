//! Progress display during a run: a bar on a terminal, otherwise occasional log lines.
//!
//! It is only for work that takes longer than a moment, goes to standard error, and is the only
//! part that looks at a clock.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use run::Progress;
use run::glance::{Glance, Pace, Schedule, status};
use run::live::{EVERY, Live, State};
use run::pulse::Pulse;
use scenario::plan::Plan;
use tracing::level_filters::LevelFilter;

use super::host::{self, Host};
use super::trend::Trend;
use super::{say, watch};
use stats::shown::counted;

/// Runs that end sooner show no progress.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);
/// Length of the bar in steps; progress is a share of it.
const STEPS: u64 = 1000;

/// Runs `work` and shows its progress meanwhile, unless `quiet`.
///
/// `share` is the part done, if it can be told.
pub(super) fn shown<T>(
    progress: &Progress,
    share: impl Fn() -> Option<f64> + Send,
    quiet: bool,
    work: impl FnOnce() -> T,
) -> T {
    shown_with(
        || match progress.rounds() {
            0 => counted(progress.jobs(), "job", "jobs"),
            rounds => counted(rounds, "round", "rounds"),
        },
        share,
        quiet,
        work,
    )
}

/// Like `shown`, with a custom message.
pub fn shown_with<T>(
    message: impl Fn() -> String + Send,
    share: impl Fn() -> Option<f64> + Send,
    quiet: bool,
    work: impl FnOnce() -> T,
) -> T {
    let mut screen = Screen::new(quiet);
    if matches!(screen, Screen::None | Screen::Log(_)) {
        return work();
    }
    beside(
        move |at| {
            let told = || match (share(), message()) {
                (Some(share), message) => format!("{:.1}% done, {message}", share * 100.0),
                (None, message) => message,
            };
            screen.show(at, share(), &message, told);
        },
        work,
    )
}

/// Runs the replications of a plan and shows their progress meanwhile.
///
/// Also writes `live`. Returns the result of `work`.
pub(super) fn watched<T>(
    (progress, plan): (&Progress, &Plan),
    live: Option<&Live<'_>>,
    mut screen: Screen,
    work: impl FnOnce() -> T,
) -> T {
    if matches!(screen, Screen::None) && live.is_none() {
        return work();
    }
    let mut pace = Pace::default();
    let mut sheet = Sheet { live, next: Duration::ZERO, is_broken: false };
    let mut course = Course::default();
    beside(
        move |at| {
            let glance = pace.look(progress, plan, at);
            sheet.write(at, &glance, progress);
            course.add(&glance);
            screen.show(at, glance.share, || format!("{course}{glance}"), || status(&glance));
        },
        work,
    )
}

/// Writes the final state to `live.json`; a write error is only a warning.
pub(super) fn ended((progress, plan): (&Progress, &Plan), live: Option<&Live<'_>>, state: State) {
    let Some(live) = live else { return };
    let glance = Pace::default().look(progress, plan, Duration::ZERO);
    if let Err(error) = live.write(state, &glance, progress) {
        say(&format!("warning: {error}"));
    }
}

/// Runs `work` and calls `look` repeatedly meanwhile, after an initial moment.
fn beside<T>(mut look: impl FnMut(Duration) + Send, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, waits) = mpsc::channel::<()>();
        scope.spawn(move || {
            let begun = Instant::now();
            let is_over =
                |wait| !matches!(waits.recv_timeout(wait), Err(mpsc::RecvTimeoutError::Timeout));
            while !is_over(BETWEEN) {
                look(begun.elapsed());
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Destination of the progress display.
pub(super) enum Screen {
    None,
    /// The program that called.
    Host(Arc<Host>),
    /// All of a terminal, which shows what `live.json` tells.
    Whole(watch::Screen),
    /// A terminal; the bar appears after the first moment.
    Terminal(Option<ProgressBar>),
    /// Standard error that a batch system keeps in a file.
    Lines(Schedule),
    /// The log, if one was requested.
    Log(Schedule),
}

impl Screen {
    /// All of a terminal, if there is one.
    pub(super) fn of(folder: &Path) -> Screen {
        match io::stderr().is_terminal() && !host::is_there() {
            true => Screen::Whole(watch::Screen::of(folder)),
            false => Screen::new(false),
        }
    }

    pub(super) fn new(quiet: bool) -> Screen {
        if let Some(host) = host::current() {
            Screen::Host(host)
        } else if quiet {
            Screen::None
        } else if LevelFilter::current() >= LevelFilter::INFO {
            Screen::Log(Schedule::default())
        } else if io::stderr().is_terminal() {
            Screen::Terminal(None)
        } else {
            Screen::Lines(Schedule::default())
        }
    }

    /// Shows a message beside the bar, or logs it if there is no bar.
    fn show(
        &mut self,
        at: Duration,
        share: Option<f64>,
        message: impl FnOnce() -> String,
        told: impl FnOnce() -> String,
    ) {
        match self {
            Screen::Host(host) => {
                let status = message();
                let mut heard = host.heard();
                (heard.share, heard.status) = (share, status);
            }
            // What cannot be read now is there a second later.
            Screen::Whole(screen) => drop(screen.show("Ctrl-C stops the run and saves its state")),
            Screen::Terminal(shown) if at >= PATIENCE => {
                let bar = shown.get_or_insert_with(|| bar(share.is_some()));
                if let Some(share) = share {
                    bar.set_position((share * STEPS as f64) as u64);
                }
                bar.set_message(message());
            }
            Screen::Lines(schedule) => {
                if schedule.is_due(at) {
                    say(&format!("{}: {}", clock(at), told()));
                }
            }
            Screen::Log(schedule) => {
                if schedule.is_due(at) {
                    tracing::info!("{}", told());
                }
            }
            Screen::Terminal(_) | Screen::None => {}
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Screen::Terminal(Some(bar)) = self {
            bar.finish_and_clear();
        }
    }
}

/// The course of the figure that tells most, before the line of progress: `▁▂▃▆█ waiting, `.
#[derive(Debug, Default)]
struct Course {
    of: &'static str,
    trend: Trend,
}

impl Course {
    /// Adds the number of members or of waiting jobs or, where neither is known, the speed.
    fn add(&mut self, glance: &Glance) {
        let members = match glance.running[..] {
            [Pulse { members: Some(members), .. }] => Some(members),
            _ => None,
        };
        let counts = members.map(|members| ("members", members));
        let counts = counts.or_else(|| glance.waiting().map(|waiting| ("waiting", waiting)));
        let speed = glance.jobs_per_second.or(glance.rounds_per_second);
        let counts = counts.map(|(of, count)| (of, count as f64));
        if let Some((of, value)) = counts.or_else(|| speed.map(|speed| ("speed", speed))) {
            self.put(of, value);
        }
    }

    fn put(&mut self, of: &'static str, value: f64) {
        if self.of != of {
            *self = Course { of, trend: Trend::default() };
        }
        self.trend.put(value);
    }
}

impl fmt::Display for Course {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bars = self.trend.bars();
        match bars.chars().count() < 4 || self.trend.is_nothing() {
            true => Ok(()),
            false => write!(out, "{bars} {}, ", self.of),
        }
    }
}

/// Elapsed time of a run: `0:00:10`.
fn clock(at: Duration) -> String {
    let seconds = at.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A progress bar, or a spinner if no share can be told.
fn bar(has_share: bool) -> ProgressBar {
    let (bar, template) = match has_share {
        true => (ProgressBar::new(STEPS), "{bar:20} {percent}%  {wide_msg}"),
        false => (ProgressBar::new_spinner(), "{spinner} {elapsed}  {wide_msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is valid"))
}

/// `live.json`, if it was requested.
struct Sheet<'a> {
    live: Option<&'a Live<'a>>,
    next: Duration,
    is_broken: bool,
}

impl Sheet<'_> {
    /// Writes the file when it is due; a write error does not end the run and is reported once.
    fn write(&mut self, at: Duration, glance: &Glance, progress: &Progress) {
        let Some(live) = self.live.filter(|_| at >= self.next) else { return };
        self.next = at + EVERY;
        match live.write(State::Running, glance, progress) {
            Err(error) if !self.is_broken => {
                self.is_broken = true;
                say(&format!("warning: {error}; the run goes on"));
            }
            written => self.is_broken &= written.is_err(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_is_that_of_one_figure_that_is_not_nothing() {
        let mut course = Course::default();
        (0..3).for_each(|value| course.put("waiting", f64::from(value)));
        assert_eq!(course.to_string(), "");
        course.put("waiting", 3.0);
        assert_eq!(course.to_string(), "▁▃▆█ waiting, ");
        // Of another figure it begins anew, and of nothing it says nothing.
        (0..9).for_each(|_| course.put("speed", 0.0));
        assert_eq!((course.to_string(), Course::default().to_string()), Default::default());
    }
}
