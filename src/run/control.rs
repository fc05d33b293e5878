//! Controls a run from outside: stop requests and the interval between checkpoints.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Stops a run on request: each replication is saved at its next check and its thread ends.
#[derive(Debug, Default)]
pub struct Control {
    watch: Watch,
    notes: Mutex<Vec<String>>,
}

impl Control {
    /// A control that stops the run once the flag is set.
    pub fn new(stop: Arc<AtomicBool>) -> Control {
        Control { watch: Watch { stop, ..Watch::default() }, ..Control::default() }
    }

    /// Adds a deadline for this process.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Control {
        self.watch.deadline = Some(deadline);
        self
    }

    /// True once the run should stop.
    pub fn stops(&self) -> bool {
        self.watch.stops()
    }

    /// True once the deadline has passed.
    pub fn is_out_of_time(&self) -> bool {
        self.watch.is_out_of_time()
    }

    /// A handle for another thread to see whether replications are slow to stop.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Marks a replication as running until the guard is dropped.
    pub(super) fn plays(&self) -> Playing<'_> {
        self.watch.deaf.fetch_add(1, Ordering::Relaxed);
        Playing(&self.watch.deaf)
    }

    /// Records a warning for whoever started the run; the run goes on.
    pub(super) fn note(&self, what: String) {
        tracing::warn!("{what}");
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// The recorded warnings, in order of occurrence.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Guard of a running replication.
#[derive(Debug)]
pub(super) struct Playing<'a>(&'a AtomicUsize);

impl Drop for Playing<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A view of a run for another thread.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Running replications that have not yet noticed the stop request.
    deaf: Arc<AtomicUsize>,
}

impl Watch {
    /// True if the run should stop and some replication has not noticed yet: it is in a step that
    /// cannot be interrupted.
    pub fn is_deaf(&self) -> bool {
        self.stops() && self.deaf.load(Ordering::Relaxed) > 0
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_out_of_time()
    }

    fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Interval between checkpoints of a replication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Every {
    /// Wall time.
    Time(Duration),
    /// Number of its jobs.
    Jobs(u64),
    /// Number of its rounds.
    Rounds(u64),
    /// Only on a stop.
    Never,
}

impl Default for Every {
    /// Ten minutes.
    fn default() -> Every {
        Every::Time(Duration::from_secs(600))
    }
}

impl fmt::Display for Every {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Every::Time(time) => write!(out, "{}", Span(*time)),
            Every::Jobs(jobs) => write!(out, "{jobs} jobs"),
            Every::Rounds(rounds) => write!(out, "{rounds} rounds"),
            Every::Never => out.write_str("never"),
        }
    }
}

impl FromStr for Every {
    type Err = String;
    fn from_str(text: &str) -> Result<Every, String> {
        let text = text.trim();
        if text == "never" {
            return Ok(Every::Never);
        }
        let wrong = || {
            format!(
                "`{text}` is no interval: give a time such as `10m`, `90s` or `2h`, a number from 1 \
                 to 1e18 of jobs or rounds such as `1e8 jobs` or `500 rounds`, or `never`"
            )
        };
        let number = |digits: &str| -> Option<u64> {
            let digits = digits.trim().replace('_', "");
            let whole = digits.parse::<u64>().ok();
            let read = || {
                let value = digits.parse::<f64>().ok()?;
                (value.fract() == 0.0 && (1.0..1e18).contains(&value)).then_some(value as u64)
            };
            whole.or_else(read).filter(|&number| number > 0)
        };
        for (ends, make) in [
            (["jobs", "job"], Every::Jobs as fn(u64) -> Every),
            (["rounds", "round"], Every::Rounds),
        ] {
            for end in ends {
                if let Some(digits) = text.strip_suffix(end) {
                    return number(digits).map(make).ok_or_else(wrong);
                }
            }
        }
        text.parse::<Span>().map(|Span(time)| Every::Time(time)).map_err(|_| wrong())
    }
}

/// A wall-clock duration as people write it: `90s`, `10m`, `2h`, `1d`, `1h30m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(
    /// The duration.
    pub Duration,
);

/// Units with their length in milliseconds, the longest first.
const UNITS: [(&str, u64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0.as_millis() as u64;
        if left == 0 {
            return out.write_str("0s");
        }
        for (unit, length) in UNITS {
            if left >= length {
                write!(out, "{}{unit}", left / length)?;
                left %= length;
            }
        }
        Ok(())
    }
}

impl FromStr for Span {
    type Err = String;
    fn from_str(text: &str) -> Result<Span, String> {
        let wrong =
            || format!("`{text}` is no length of time: give one such as `90s`, `10m` or `2h`");
        let mut rest = text.trim();
        let mut sum = 0.0;
        if rest.is_empty() {
            return Err(wrong());
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
            let value: f64 = rest[..digits].parse().map_err(|_| wrong())?;
            rest = rest[digits..].trim_start();
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let unit =
                UNITS.iter().find(|(unit, _)| *unit == &rest[..letters]).ok_or_else(wrong)?;
            sum += value * unit.1 as f64;
            rest = rest[letters..].trim_start();
        }
        if !(1.0..=1e15).contains(&sum) {
            return Err(wrong());
        }
        Ok(Span(Duration::from_millis(sum as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_replication_that_does_not_look_up_is_deaf() {
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::new(Arc::clone(&stop));
        let watch = control.watch();
        let (first, second) = (control.plays(), control.plays());
        assert!(!watch.is_deaf(), "nothing is to stop");
        stop.store(true, Ordering::Relaxed);
        assert!(watch.is_deaf());
        drop(first);
        assert!(watch.is_deaf());
        drop(second);
        assert!(!watch.is_deaf(), "all have heard");
        let late = Control::default().until(Instant::now());
        let _playing = late.plays();
        assert!(late.watch().is_deaf());
    }

    #[test]
    fn intervals_are_read_as_people_write_them() {
        let seconds = |text: &str| text.parse::<Span>().unwrap().0.as_secs_f64();
        assert_eq!(
            ["90s", "10m", "2h", "1h30m", "0.5s", "1d"].map(seconds),
            [90.0, 600.0, 7200.0, 5400.0, 0.5, 86400.0]
        );
        for (text, every) in [
            ("10m", Every::default()),
            ("1e8 jobs", Every::Jobs(100_000_000)),
            ("2000jobs", Every::Jobs(2000)),
            ("500 rounds", Every::Rounds(500)),
            ("never", Every::Never),
        ] {
            assert_eq!(text.parse(), Ok(every));
            assert_eq!(every.to_string().parse(), Ok(every));
        }
        for text in
            ["", "10", "m", "0s", "-3s", "0 jobs", "1.5 jobs", "jobs", "1e400 jobs", "3 apples"]
        {
            assert!(text.parse::<Every>().is_err(), "{text}");
        }
    }
}
