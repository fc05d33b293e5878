//! A snapshot of a running run: progress, speed and results so far.
//!
//! Sums what [`pulse`](super::pulse) collects and adds recent rates and the remaining time. Shown
//! on a terminal, logged, or written to `live.json`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::progress::Progress;
use super::pulse::{Estimate, Pulse};
use super::usage::memory;
use scenario::plan::Plan;
use stats::shown::{count, counted, figure, percent, rough, seconds};

/// Window for rates.
const RECENT: Duration = Duration::from_secs(10);

/// A snapshot of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Glance {
    /// Fraction done, if known.
    pub share: Option<f64>,
    /// Estimated remaining seconds, at the average speed since observation began.
    pub left_seconds: Option<f64>,
    /// Jobs so far in all replications, including first (pilot) runs.
    pub jobs: u64,
    /// Recent jobs per second.
    pub jobs_per_second: Option<f64>,
    /// Finished rounds of a coalition, in all replications.
    pub rounds: Option<u64>,
    /// Recent rounds per second.
    pub rounds_per_second: Option<f64>,
    /// Replications of the run.
    pub replications: u32,
    /// Finished replications.
    pub replications_ended: u32,
    /// Mean flow time so far.
    pub flow: Option<Estimate>,
    /// Reason why a run for precision goes on although its interval is narrow enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Cow<'static, str>>,
    /// The running replications with their latest pulses.
    pub running: Vec<Pulse>,
    /// Current memory of the process.
    pub memory_bytes: Option<u64>,
    /// Peak memory of the process.
    pub peak_memory_bytes: Option<u64>,
}

impl Glance {
    /// Jobs waiting in all running replications.
    pub fn waiting(&self) -> Option<u64> {
        self.sum(|pulse| pulse.waiting)
    }

    /// Organizations that took part in the last rounds of all running replications.
    pub fn members(&self) -> Option<u64> {
        self.sum(|pulse| pulse.members)
    }

    fn sum(&self, of: impl Fn(&Pulse) -> Option<u64>) -> Option<u64> {
        let mut told = self.running.iter().filter_map(of).peekable();
        told.peek().is_some().then(|| told.sum())
    }
}

/// Formats a line, most important first, since a terminal may cut it.
impl fmt::Display for Glance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = |rate: Option<f64>| match rate {
            Some(rate) => format!(" ({}/s)", count(rate.round() as u64)),
            None => String::new(),
        };
        match self.rounds {
            Some(rounds) => {
                let rounds = counted(rounds, "round", "rounds");
                write!(out, "{rounds}{}", rate(self.rounds_per_second))?;
            }
            None => {
                let jobs = counted(self.jobs, "job", "jobs");
                write!(out, "{jobs}{}", rate(self.jobs_per_second))?;
            }
        }
        if let Some(left) = self.left_seconds {
            write!(out, ", {} left", about(left))?;
        }
        if let Some(Estimate { mean, half_width }) = self.flow {
            write!(out, ", flow {}", figure(mean))?;
            if let Some(half_width) = half_width {
                write!(out, " +- {}", rough(half_width))?;
            }
        }
        if let Some(held) = &self.held {
            write!(out, " ({held})")?;
        }
        if let Some(waiting) = self.waiting() {
            write!(out, ", {} waiting", count(waiting))?;
        }
        if let [Pulse { members: Some(members), .. }] = self.running[..] {
            write!(out, ", {}", counted(members, "member", "members"))?;
        }
        if self.replications > 1 {
            write!(out, ", replication {} of {}", self.replications_ended, self.replications)?;
            out.write_str(" done")
        } else if let [pulse] = self.running[..] {
            write!(out, ", time {}", figure(pulse.time))
        } else {
            Ok(())
        }
    }
}

/// Formats an estimated wall time.
fn about(left: f64) -> String {
    match left {
        _ if left < 60.0 => format!("{left:.0} s"),
        _ if left < 3600.0 => seconds(left),
        _ => {
            let minutes = (left / 60.0).round();
            format!("{} h {:.0} min", count((minutes / 60.0) as u64), minutes % 60.0)
        }
    }
}

/// Counters at a moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Duration,
    jobs: u64,
    rounds: u64,
    share: Option<f64>,
}

/// Measures the speed of a run from successive samples.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    first: Option<Sample>,
    recent: VecDeque<Sample>,
    jumps: u64,
}

impl Pace {
    /// Samples a run at time `at` since observation began: asks its replications for pulses and
    /// returns what they have reported since the last call.
    pub fn look(&mut self, progress: &Progress, plan: &Plan, at: Duration) -> Glance {
        let told = progress.board().read();
        progress.board().ask();
        let rounds = (plan.rounds() > 0).then(|| progress.rounds());
        let mut glance = Glance {
            share: progress.share(plan),
            jobs: progress.jobs(),
            rounds,
            replications: plan.replications,
            replications_ended: told.ended,
            flow: told.flow(plan.counting.level),
            held: (told.held)
                .or_else(|| told.pulses.values().find_map(|pulse| pulse.held))
                .map(Cow::Borrowed),
            memory_bytes: memory("VmRSS:"),
            peak_memory_bytes: memory("VmHWM:"),
            ..Glance::default()
        };
        // Resumed work was not done at the current speed.
        if self.jumps != told.jumps {
            *self = Pace { jumps: told.jumps, ..Pace::default() };
        }
        glance.running = told.pulses.into_values().collect();
        self.judge(&mut glance, at);
        glance
    }

    /// Adds the rates and the remaining time.
    fn judge(&mut self, glance: &mut Glance, at: Duration) {
        let (jobs, rounds) = (glance.jobs, glance.rounds.unwrap_or(0));
        let now = Sample { at, jobs, rounds, share: glance.share };
        let first = *self.first.get_or_insert(now);
        self.recent.push_back(now);
        while self.recent.get(1).is_some_and(|second| at.saturating_sub(second.at) >= RECENT) {
            self.recent.pop_front();
        }
        let old = self.recent[0];
        let passed = at.saturating_sub(old.at).as_secs_f64();
        if passed > 0.0 {
            let rate = |new: u64, old: u64| new.saturating_sub(old) as f64 / passed;
            glance.jobs_per_second = Some(rate(jobs, old.jobs)).filter(|_| rounds == 0);
            glance.rounds_per_second = glance.rounds.map(|_| rate(rounds, old.rounds));
        }
        let gained = now.share.zip(first.share).map(|(now, first)| (now, now - first));
        glance.left_seconds = gained.filter(|&(_, gained)| gained > 0.0).map(|(share, gained)| {
            at.saturating_sub(first.at).as_secs_f64() / gained * (1.0 - share)
        });
    }
}

/// Times of log messages: after 10 seconds, then after as long again each time, but at least every
/// 10 minutes.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    next: Duration,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { next: Schedule::FIRST }
    }
}

impl Schedule {
    const FIRST: Duration = Duration::from_secs(10);
    const MOST: Duration = Duration::from_secs(600);

    /// True once for each due time.
    pub fn is_due(&mut self, at: Duration) -> bool {
        let is_due = at >= self.next;
        while at >= self.next {
            self.next += self.next.min(Schedule::MOST);
        }
        is_due
    }
}

/// Formats a log line: the share first.
pub fn status(glance: &Glance) -> String {
    let mut line = String::new();
    if let Some(share) = glance.share {
        let _ = write!(line, "{} done, ", percent(share));
    }
    let _ = write!(line, "{glance}");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn judged(pace: &mut Pace, seconds: u64, jobs: u64, share: Option<f64>) -> Glance {
        let mut glance = Glance { jobs, share, replications: 1, ..Glance::default() };
        pace.judge(&mut glance, at(seconds));
        glance
    }

    #[test]
    fn rates_are_of_the_last_seconds_and_what_is_left_of_all() {
        let mut pace = Pace::default();
        let first = judged(&mut pace, 0, 1000, Some(0.2));
        assert_eq!((first.jobs_per_second, first.left_seconds), (None, None));
        let second = judged(&mut pace, 10, 2000, Some(0.3));
        assert_eq!(second.jobs_per_second, Some(100.0));
        assert!((second.left_seconds.unwrap() - 70.0).abs() < 1e-9);
        // Twenty idle seconds: the rate drops to zero, the remaining time does not.
        assert_eq!(judged(&mut pace, 20, 2000, Some(0.3)).jobs_per_second, Some(0.0));
        let last = judged(&mut pace, 30, 2000, Some(0.3));
        assert_eq!(last.jobs_per_second, Some(0.0));
        assert!((last.left_seconds.unwrap() - 210.0).abs() < 1e-9);
        assert_eq!(judged(&mut Pace::default(), 9, 5, None).left_seconds, None);
    }

    #[test]
    fn a_line_says_what_matters_first() {
        let mut pace = Pace::default();
        judged(&mut pace, 0, 0, Some(0.0));
        let mut glance = judged(&mut pace, 8, 16_000_000, Some(0.25));
        glance.flow = Some(Estimate { mean: 12.345, half_width: Some(0.41) });
        glance.running = vec![Pulse { time: 1.5e6, waiting: Some(431), ..Pulse::default() }];
        assert_eq!(
            status(&glance),
            "25.0% done, 16 000 000 jobs (2 000 000/s), 24 s left, flow 12.35 +- 0.41, 431 \
             waiting, time 1 500 000"
        );
        glance.replications = 50;
        glance.replications_ended = 12;
        glance.left_seconds = Some(7500.0);
        assert!(glance.to_string().contains(", 2 h 5 min left, "));
        assert!(glance.to_string().ends_with(" waiting, replication 12 of 50 done"));
    }

    #[test]
    fn rounds_are_told_of_a_coalition() {
        let glance = Glance {
            rounds: Some(1200),
            rounds_per_second: Some(99.7),
            replications: 1,
            running: vec![Pulse { members: Some(7), time: 20.0, ..Pulse::default() }],
            ..Glance::default()
        };
        assert_eq!(status(&glance), "1 200 rounds (100/s), 7 members, time 20.00");
    }

    #[test]
    fn a_log_hears_at_growing_intervals() {
        let mut schedule = Schedule::default();
        let due: Vec<u64> = (0..4000).filter(|&second| schedule.is_due(at(second))).collect();
        assert_eq!(due, [10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440, 3040, 3640]);
        // After the machine slept, one message is due.
        assert!(schedule.is_due(at(100_000)));
        assert!(!schedule.is_due(at(100_001)));
    }
}
