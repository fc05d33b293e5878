//! Handlers for termination signals and for the file-size signal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

use super::{Failure, STOPPED};

/// Installs the handlers: the first signal sets the flag, a second one ends the program.
///
/// Ending it at once loses nothing that was saved. SIGHUP, sent when a connection drops, is handled
/// unless it is ignored, as with `nohup`. SIGXCPU, which is repeated every second beyond the
/// processor-time limit, only sets the flag.
pub(super) fn listen(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let told = |signal| move |error| Failure::System(format!("signal {signal}: {error}"));
    for &signal in TERM_SIGNALS {
        both(signal, stop).map_err(told(signal))?;
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGXCPU};
        if !is_ignored(SIGHUP) {
            both(SIGHUP, stop).map_err(told(SIGHUP))?;
        }
        flag::register(SIGXCPU, Arc::clone(stop)).map_err(told(SIGXCPU))?;
    }
    Ok(())
}

fn both(signal: i32, stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    // The order matters: the first signal must not see the flag that it sets itself.
    flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(stop))?;
    flag::register(signal, Arc::clone(stop)).map(drop)
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
