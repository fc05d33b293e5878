//! What is told on standard error while the program works: `-v`, or the environment variable
//! `GRIDPACT_LOG`, which wins.

use std::io;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;

use super::{Failure, color};

/// The variable that says what is logged.
const VARIABLE: &str = "GRIDPACT_LOG";

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogFormat {
    /// A line of text.
    Text,
    /// A JSON object.
    Json,
}

/// Begins to log: what `GRIDPACT_LOG` asks for, with the lengths of all spans, or else what so many
/// `-v` mean.
pub(super) fn start(format: LogFormat, verbose: u8) -> Result<(), Failure> {
    let asked = std::env::var(VARIABLE).ok().filter(|asked| !asked.is_empty());
    let is_asked = asked.is_some();
    let wanted = match (asked, verbose) {
        (Some(asked), _) => asked,
        (None, 0) => return Ok(()),
        (None, 1) => "gridpact=info".to_owned(),
        (None, 2) => "gridpact=debug".to_owned(),
        (None, _) => "gridpact=trace".to_owned(),
    };
    let filter = EnvFilter::try_new(&wanted)
        .map_err(|error| Failure::Input(format!("{VARIABLE}={wanted}: {error}")))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(color())
        .with_span_events(if is_asked { FmtSpan::CLOSE } else { FmtSpan::NONE });
    match format {
        LogFormat::Json => log.json().init(),
        LogFormat::Text if is_asked => log.init(),
        LogFormat::Text => log.with_timer(uptime()).with_target(false).init(),
    }
    Ok(())
}
