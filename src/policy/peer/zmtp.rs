//! A ZeroMQ socket of type REQ: it asks and waits for the answer, over TCP or a Unix socket.
//!
//! ZMTP 3.0 (<https://rfc.zeromq.org/spec/23/>) with the mechanism NULL is a greeting, a handshake and
//! frames, and a request has an empty frame before its message (<https://rfc.zeromq.org/spec/28/>). The
//! crate `zeromq` would bring an asynchronous runtime and some sixty crates for that.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use super::child::LONGEST;

/// Flags of a frame.
const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

/// A stream of bytes whose reads and writes have a time limit.
trait Wire: Read + Write + Send {
    fn limit(&self, limit: Duration) -> io::Result<()>;
}

macro_rules! wire {
    ($Stream:ty) => {
        impl Wire for $Stream {
            fn limit(&self, limit: Duration) -> io::Result<()> {
                self.set_read_timeout(Some(limit))?;
                self.set_write_timeout(Some(limit))
            }
        }
    };
}

wire! { TcpStream }
#[cfg(unix)]
wire! { std::os::unix::net::UnixStream }

/// A socket that is connected.
pub(super) struct Request {
    wire: BufReader<Box<dyn Wire>>,
    limit: Duration,
    deadline: Instant,
}

fn wrong(message: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message.into())
}

/// Says why an address is none that can be connected to, if it is none.
pub(crate) fn refused(address: &str) -> Option<&'static str> {
    match address.split_once("://") {
        Some(("tcp", at)) => match at.rsplit_once(':') {
            Some(("*" | "", _)) => Some("names no machine; with `127.0.0.1` it is this one"),
            Some((_, port)) if port.parse::<u16>().is_ok_and(|port| port > 0) => None,
            _ => Some("names no port"),
        },
        Some(("ipc", path)) if cfg!(unix) && !path.is_empty() => None,
        _ => Some("is no address of a socket"),
    }
}

fn connected(address: &str, limit: Duration) -> io::Result<Box<dyn Wire>> {
    #[cfg(unix)]
    if let Some(path) = address.strip_prefix("ipc://") {
        return Ok(Box::new(std::os::unix::net::UnixStream::connect(path)?));
    }
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for at in address.trim_start_matches("tcp://").to_socket_addrs()? {
        match TcpStream::connect_timeout(&at, limit) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(Box::new(stream));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Request {
    /// Connects to a socket of type REP, such as `tcp://127.0.0.1:28000`. This and each answer may take
    /// as long as `limit`.
    ///
    /// # Errors
    /// Whatever is wrong with the network, an answer that is late, or a peer of another kind
    /// ([`ErrorKind::InvalidData`]).
    pub fn connect(address: &str, limit: Duration) -> io::Result<Request> {
        let wire = connected(address, limit)?;
        wire.limit(limit)?;
        let mut socket =
            Request { wire: BufReader::new(wire), limit, deadline: Instant::now() + limit };
        socket.greet()?;
        socket.shake_hands()?;
        Ok(socket)
    }

    /// Sets the time limit of what follows.
    pub fn set_limit(&mut self, limit: Duration) -> io::Result<()> {
        self.limit = limit;
        self.wire.get_ref().limit(limit)
    }

    /// Asks, and returns the answer.
    ///
    /// # Errors
    /// As [`connect`](Request::connect). After one no more can be asked.
    pub fn ask(&mut self, message: &[u8]) -> io::Result<Vec<u8>> {
        self.deadline = Instant::now() + self.limit;
        let mut frames = vec![MORE, 0];
        frame(0, message, &mut frames);
        self.send(&frames)?;
        let (flags, delimiter) = self.frame()?;
        if flags & MORE == 0 || !delimiter.is_empty() {
            return Err(wrong("answers without the empty frame of a reply"));
        }
        let (flags, message) = self.frame()?;
        if flags & MORE != 0 {
            return Err(wrong("answers in several parts"));
        }
        Ok(message)
    }

    /// Exchanges the greeting of 64 bytes: signature, version, mechanism and filler.
    fn greet(&mut self) -> io::Result<()> {
        let mut greeting = [0; 64];
        (greeting[0], greeting[9], greeting[10]) = (0xff, 0x7f, 3);
        greeting[12..16].copy_from_slice(b"NULL");
        self.send(&greeting)?;
        let (mut signature, mut version) = ([0; 10], [0; 1]);
        self.fill(&mut signature)?;
        if (signature[0], signature[9] & 1) != (0xff, 1) {
            return Err(wrong("is no ZeroMQ socket"));
        }
        self.fill(&mut version)?;
        if version[0] < 3 {
            return Err(wrong("speaks an old version of ZeroMQ's protocol; take ZeroMQ 4"));
        }
        let mut rest = [0; 53];
        self.fill(&mut rest)?;
        let mechanism = String::from_utf8_lossy(&rest[1..21]);
        match mechanism.trim_end_matches('\0') {
            "NULL" => Ok(()),
            other => Err(wrong(format!(
                "asks for the mechanism {}, and only NULL is known here",
                other.escape_debug()
            ))),
        }
    }

    /// Exchanges the command READY with the types of the sockets.
    fn shake_hands(&mut self) -> io::Result<()> {
        let mut ready = Vec::new();
        frame(COMMAND, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ", &mut ready);
        self.send(&ready)?;
        let (_, ready) = self.frame()?;
        if let Some(reason) = ready.strip_prefix(b"\x05ERROR") {
            let reason = String::from_utf8_lossy(reason.get(1..).unwrap_or_default());
            return Err(wrong(format!("refuses the connection: {}", reason.escape_debug())));
        }
        let mut rest = ready.strip_prefix(b"\x05READY").ok_or_else(|| wrong("does not greet"))?;
        let mut socket = "unknown".to_owned();
        while let Some((name, after)) = split(rest, 1) {
            let Some((value, after)) = split(after, 4) else { break };
            if name.eq_ignore_ascii_case(b"Socket-Type") {
                socket = String::from_utf8_lossy(value).into_owned();
            }
            rest = after;
        }
        match &*socket {
            "REP" | "ROUTER" => Ok(()),
            _ => Err(wrong(format!("is a socket of type {}, not REP", socket.escape_debug()))),
        }
    }

    /// Reads a frame of a message; before the handshake, one of a command.
    fn frame(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let (mut flags, mut short, mut long) = ([0; 1], [0; 1], [0; 8]);
        self.fill(&mut flags)?;
        let size = if flags[0] & LONG == 0 {
            self.fill(&mut short)?;
            u64::from(short[0])
        } else {
            self.fill(&mut long)?;
            long.iter().fold(0, |size, &byte| size << 8 | u64::from(byte))
        };
        if size > LONGEST {
            return Err(wrong(format!("sends a frame of {size} bytes")));
        }
        let mut content = vec![0; size as usize];
        self.fill(&mut content)?;
        Ok((flags[0], content))
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.wire.get_mut().write_all(bytes)
    }

    /// Reads as many bytes.
    fn fill(&mut self, mut bytes: &mut [u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if Instant::now() > self.deadline {
                return Err(ErrorKind::TimedOut.into());
            }
            let read = match self.wire.fill_buf() {
                Ok([]) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Err(ErrorKind::TimedOut.into());
                }
                Err(error) => return Err(error),
            };
            let count = read.len().min(bytes.len());
            let (now, rest) = bytes.split_at_mut(count);
            now.copy_from_slice(&read[..count]);
            self.wire.consume(count);
            bytes = rest;
        }
        Ok(())
    }
}

/// Appends a frame.
fn frame(flags: u8, content: &[u8], out: &mut Vec<u8>) {
    match u8::try_from(content.len()) {
        Ok(size) => out.extend([flags, size]),
        Err(_) => {
            out.push(flags | LONG);
            out.extend((content.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(content);
}

/// Splits off what its length, a number of so many bytes, stands before.
fn split(bytes: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    let (size, rest) = bytes.split_at_checked(length)?;
    rest.split_at_checked(size.iter().fold(0, |size, &byte| size << 8 | usize::from(byte)))
}
