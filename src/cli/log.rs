//! Logging on standard error: `-v`, or the environment variable `GRIDPACT_LOG`.
//!
//! The variable takes precedence.

use std::io::{self, Write};
use std::str::FromStr as _;

use clap::{ArgAction, Args, ValueEnum};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::prelude::*;

use super::{Failure, color};

/// Environment variable with the log filter.
const VARIABLE: &str = "GRIDPACT_LOG";

/// The options of the log.
#[derive(Clone, Copy, Debug, Args)]
pub struct Log {
    /// Log progress on standard error; -vv: also each decision, -vvv: all.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Format of the log of `-v` and `GRIDPACT_LOG` on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    #[arg(hide_short_help = true)]
    log: LogFormat,
}

/// Format of a log line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    /// A line of text.
    Text,
    /// A JSON object.
    Json,
}

impl Log {
    /// Starts logging with the filter of `GRIDPACT_LOG`, or else that of the number of `-v`.
    ///
    /// The variable also turns on the durations of all spans.
    pub(super) fn start(self) -> Result<(), Failure> {
        let asked = std::env::var(VARIABLE).ok().filter(|asked| !asked.is_empty());
        let is_asked = asked.is_some();
        let wanted = match (asked, self.verbose) {
            (Some(asked), _) => asked,
            (None, 0) => return Ok(()),
            (None, 1) => "gridpact=info".to_owned(),
            (None, 2) => "gridpact=debug".to_owned(),
            (None, _) => "gridpact=trace".to_owned(),
        };
        // A module of the library is a crate of its own; decisions have a name of theirs.
        let directive = |one: &str| match one.trim().strip_prefix("gridpact::") {
            Some(module) if !module.starts_with("decision") => format!("gridpact_{module}"),
            _ => one.trim().to_owned(),
        };
        let filtered: Vec<String> = wanted.split(',').map(directive).collect();
        let filter = Targets::from_str(&filtered.join(","))
            .map_err(|error| Failure::Input(format!("{VARIABLE}={wanted}: {error}")))?;
        let spans = if is_asked { FmtSpan::CLOSE } else { FmtSpan::NONE };
        let log = || {
            fmt::layer()
                .with_writer(|| StandardError)
                .with_ansi(color())
                .with_span_events(spans.clone())
        };
        let log = match self.log {
            LogFormat::Json => log().json().boxed(),
            LogFormat::Text if is_asked => log().boxed(),
            LogFormat::Text => log().with_timer(uptime()).with_target(false).boxed(),
        };
        // In a host that calls several commands, the log of the first goes on.
        let _ = tracing_subscriber::registry().with(log.with_filter(filter)).try_init();
        Ok(())
    }
}

/// Standard error; the log ignores write errors, since its reader may be gone.
struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
