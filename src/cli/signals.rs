//! Handlers for termination signals and for the file-size signal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGTERM, TERM_SIGNALS};
use signal_hook::flag;

use super::{Failure, STOPPED};

/// Installs the handlers: the first signal sets the flag, and a second one from the keyboard (SIGINT,
/// SIGQUIT) ends the program.
///
/// Ending it at once loses nothing that was saved. Batch systems send SIGTERM several times, to a task
/// and to each of its processes, and SIGXCPU is repeated every second beyond the processor-time limit:
/// these only set the flag. So does SIGHUP, sent when a connection drops, unless it is ignored, as with
/// `nohup`.
pub(super) fn listen(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let told = |signal| move |error| Failure::System(format!("signal {signal}: {error}"));
    for &signal in TERM_SIGNALS {
        match signal {
            SIGTERM => once(signal, stop),
            _ => twice(signal, stop),
        }
        .map_err(told(signal))?;
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGXCPU};
        if !is_ignored(SIGHUP) {
            once(SIGHUP, stop).map_err(told(SIGHUP))?;
        }
        once(SIGXCPU, stop).map_err(told(SIGXCPU))?;
    }
    Ok(())
}

fn once(signal: i32, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    flag::register(signal, Arc::clone(stop)).map(drop)
}

fn twice(signal: i32, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    // The order matters: the first signal must not see the flag that it sets itself.
    flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(stop))?;
    once(signal, stop)
}

/// True if the program was started with the signal ignored, as far as the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Makes a write beyond the file-size limit (`ulimit -f`) fail instead of killing the program.
///
/// The error is then reported.
pub(super) fn survive_long_files() {
    #[cfg(unix)]
    {
        use signal_hook::consts::signal::SIGXFSZ;
        // If the signal cannot be caught the system kills the program, which a run survives.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
