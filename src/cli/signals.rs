//! Signals that ask the program to end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

use super::{Failure, STOPPED};

/// The first signal sets the flag; a second one ends the program at once, which loses nothing
/// that was saved.
pub(super) fn listen(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for &signal in TERM_SIGNALS {
        // In this order: the first signal must not find what it sets itself.
        flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(stop))
            .and_then(|_| flag::register(signal, Arc::clone(stop)))
            .map_err(|error| Failure::System(format!("signal {signal}: {error}")))?;
    }
    Ok(())
}
