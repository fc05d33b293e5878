//! A run at a glance, while it runs: how far it is, how fast, and what it found so far.
//!
//! What [`pulse`](super::pulse) collects, added up, with rates over the last seconds and the time
//! that is left; shown on a terminal, told in a log, or written to `live.json`.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::time::Duration;

use serde::Serialize;

use super::Progress;
use super::pulse::{Estimate, Pulse};
use crate::report::figure::{count, counted, figure, percent, rough, seconds};
use crate::scenario::plan::Plan;

/// Rates are over this long.
const RECENT: Duration = Duration::from_secs(10);

/// A run at one moment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Glance {
    /// What part of it is done, if that can be told.
    pub share: Option<f64>,
    /// How long it will still take, in seconds, at the speed since it was first looked at.
    pub left_seconds: Option<f64>,
    /// Jobs so far, in all replications, in first runs too.
    pub jobs: u64,
    /// The same a second, lately.
    pub jobs_per_second: Option<f64>,
    /// Rounds of a coalition that are over, in all replications.
    pub rounds: Option<u64>,
    /// The same a second, lately.
    pub rounds_per_second: Option<f64>,
    /// Replications of the run.
    pub replications: u32,
    /// Those that ended.
    pub replications_ended: u32,
    /// The mean flow so far.
    pub flow: Option<Estimate>,
    /// The replications that run, with what they told last.
    pub running: Vec<Pulse>,
    /// What the process holds in memory.
    pub memory_bytes: Option<u64>,
    /// The most that it held.
    pub peak_memory_bytes: Option<u64>,
}

impl Glance {
    /// The jobs that wait in all replications that run.
    pub fn waiting(&self) -> Option<u64> {
        let mut told = self.running.iter().filter_map(|pulse| pulse.waiting).peekable();
        told.peek().is_some().then(|| told.sum())
    }
}

/// A line: what matters most first, as a terminal may cut it.
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

/// A length of wall time that is only guessed.
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

/// What was counted at a moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Duration,
    jobs: u64,
    rounds: u64,
    share: Option<f64>,
}

/// The speed of a run, from looks at it.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    first: Option<Sample>,
    recent: VecDeque<Sample>,
    jumps: u64,
}

impl Pace {
    /// Looks at a run, `at` being how long it is being looked at: asks its replications for their
    /// pulses, and tells what they said since the last look.
    pub fn look(&mut self, progress: &Progress, plan: &Plan, at: Duration) -> Glance {
        let told = progress.board().read();
        progress.board().ask();
        let rounds = plan.coalition.is_some().then(|| progress.rounds());
        let mut glance = Glance {
            share: progress.share(plan),
            jobs: progress.jobs(),
            rounds,
            replications: plan.replications,
            replications_ended: told.ended,
            flow: told.flow(),
            memory_bytes: super::memory("VmRSS:"),
            peak_memory_bytes: super::memory("VmHWM:"),
            ..Glance::default()
        };
        if plan.coalition.is_some() {
            // Of a coalition jobs are not counted one by one.
            glance.jobs = told.pulses.values().map(|pulse| pulse.finished).sum();
        }
        // What was there already was not done at any speed.
        if self.jumps != told.jumps {
            *self = Pace { jumps: told.jumps, ..Pace::default() };
        }
        glance.running = told.pulses.into_values().collect();
        self.judge(&mut glance, at);
        glance
    }

    /// Adds the rates and the time left.
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

/// When a log is told how far a run is: after 10 seconds, and each time after as long again, but at
/// least every 10 minutes.
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

    /// True once each time that it is due.
    pub fn is_due(&mut self, at: Duration) -> bool {
        let is_due = at >= self.next;
        while at >= self.next {
            self.next += self.next.min(Schedule::MOST);
        }
        is_due
    }
}

/// A line for a log: the share first.
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
        // Twenty seconds in which nothing came: the rate forgets, the time left does not.
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
        // A machine that slept tells once.
        assert!(schedule.is_due(at(100_000)));
        assert!(!schedule.is_due(at(100_001)));
    }
}
