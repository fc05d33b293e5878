//! Reads ahead on a separate thread, since unpacking a trace costs as much as parsing it.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes handed over at once.
const CHUNK: usize = 1 << 17;
/// Chunks in the queue.
const WAITING: usize = 4;

/// A reader whose input is read by another thread, which ends at its end or when this is dropped.
pub(super) struct ReadAhead {
    chunks: Receiver<io::Result<Vec<u8>>>,
    used: SyncSender<Vec<u8>>,
    current: Vec<u8>,
    at: usize,
}

impl ReadAhead {
    /// Starts reading.
    pub fn start(mut reader: impl Read + Send + 'static) -> io::Result<ReadAhead> {
        let (full, chunks) = sync_channel(WAITING);
        let (used, empty) = sync_channel::<Vec<u8>>(WAITING + 2);
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            loop {
                let mut chunk = empty.try_recv().unwrap_or_default();
                chunk.clear();
                let got = reader.by_ref().take(CHUNK as u64).read_to_end(&mut chunk);
                let ends = !matches!(got, Ok(1..));
                // Data unpacked before an error is valid.
                if !chunk.is_empty() && full.send(Ok(chunk)).is_err() {
                    return;
                }
                if let Err(error) = got {
                    // The receiver may be gone.
                    let _ = full.send(Err(error));
                }
                if ends {
                    return;
                }
            }
        })?;
        Ok(ReadAhead { chunks, used, current: Vec::new(), at: 0 })
    }
}

impl Read for ReadAhead {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.current.len() {
            let Ok(next) = self.chunks.recv() else { return Ok(0) };
            let used = std::mem::replace(&mut self.current, next?);
            self.at = 0;
            // The thread may have ended.
            let _ = self.used.try_send(used);
        }
        let rest = &self.current[self.at..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields this many bytes in small pieces, then an error.
    struct Breaks(usize);
    impl Read for Breaks {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::other("broken"));
            }
            let length = into.len().min(1000).min(self.0);
            self.0 -= length;
            into[..length].fill(self.0 as u8);
            Ok(length)
        }
    }

    #[test]
    fn what_is_read_ahead_is_what_is_read() {
        let content: Vec<u8> = (0..1_000_003_u32).map(|n| (n % 251) as u8).collect();
        let mut read = Vec::new();
        let source = io::Cursor::new(content.clone());
        ReadAhead::start(source).unwrap().read_to_end(&mut read).unwrap();
        assert!(read == content);
    }

    #[test]
    fn an_error_comes_after_what_was_good() {
        let mut read = Vec::new();
        let error = ReadAhead::start(Breaks(500_000)).unwrap().read_to_end(&mut read).unwrap_err();
        assert_eq!(error.to_string(), "broken");
        assert_eq!(read.len(), 500_000);
    }

    #[test]
    fn dropping_it_early_does_not_hang() {
        let mut ahead = ReadAhead::start(io::repeat(7)).unwrap();
        ahead.read_exact(&mut [0; 10]).unwrap();
    }
}
