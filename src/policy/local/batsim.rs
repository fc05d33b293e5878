//! A scheduler of Batsim, which listens on a socket of ZeroMQ.
//!
//! It is told of submissions and ends in the instant in which they happen. It sees processors and the
//! expected runtime, as the walltime.

use super::{Setup, process::Process};
use crate::peer::{Command, Sees, TIMEOUT, Turns, refused};
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Parameters of a scheduler of Batsim.
    #[serde(default)]
    pub struct Options {
        /// The address at which it listens, such as `tcp://127.0.0.1:28000`.
        socket: String = String::new(),
        /// Seconds that it may take for an answer.
        timeout: f64 as TIMEOUT = 60.0,
    }
    where has_socket
}

impl Options {
    fn has_socket(&self) -> Result<(), Invalid> {
        let wrong = match &*self.socket {
            "" => "there is no socket".to_owned(),
            socket => match refused(socket) {
                Some(wrong) => format!("`{}` {wrong}", socket.escape_debug()),
                None => return Ok(()),
            },
        };
        let give = "give the address at which the scheduler listens, as `tcp://127.0.0.1:28000`";
        Err(Invalid::new("socket", format!("{wrong}; {give}")))
    }
}

/// The scheduler. A decision costs what the scheduler takes, and some fifty microseconds.
pub type Batsim = Process<Options>;

impl Batsim {
    /// A scheduler that is connected to at its first question.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Batsim {
        let command = Command::of_batsim(&options.socket);
        let turns = Turns::new(&command, options.timeout, Sees::Expected, setup.streams);
        Process::asked(turns, setup, true)
    }
}
