//! The log of final states of a run: a header and a frame for each.

use kernel::map::Map;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use crate::control::Control;
use records::files::{self, FileError};

/// Identifies an entry of the log: the beginning of a digest of its plan, seed and number.
pub type Key = [u8; 16];

/// Log of final states: a header and a frame for each.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) path: PathBuf,
    file: File,
    /// Byte range of the latest frame of each entry.
    pub(super) frames: Frames,
    pub(super) length: u64,
}

/// Length of an entry's header: its key and the length of its frame.
const HEAD: usize = 24;

/// Byte range of the latest frame of each entry.
pub(super) type Frames = Map<Key, (u64, u64)>;

/// Reads the entries of a log up to the first damaged one: where each is, and where they end.
pub(super) fn read_frames(file: &mut File) -> io::Result<(Frames, u64)> {
    let all = file.metadata()?.len();
    let mut frames = Map::new();
    let mut length = 0;
    let mut head = [0; HEAD];
    while length + (HEAD as u64) <= all {
        file.seek(SeekFrom::Start(length))?;
        file.read_exact(&mut head)?;
        let key: Key = head[..16].try_into().expect("sixteen bytes");
        let size = u64::from_le_bytes(head[16..].try_into().expect("eight bytes"));
        let start = length + HEAD as u64;
        let Some(end) = start.checked_add(size).filter(|&end| end <= all) else { break };
        frames.insert(key, (start, end));
        length = end;
    }
    Ok((frames, length))
}

impl Ended {
    /// Reads the log; it is truncated at the first damaged entry.
    pub(super) fn open(path: PathBuf, control: &Control) -> Result<Ended, FileError> {
        let wrong = || FileError::of(&path);
        let mut options = File::options();
        let options = options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(wrong())?;
        let all = file.metadata().map_err(wrong())?.len();
        let (frames, length) = read_frames(&mut file).map_err(wrong())?;
        if length < all {
            control.note(format!(
                "{}: the end of this file is damaged; what it said of replications is found \
                 otherwise or simulated again",
                path.display()
            ));
            file.set_len(length).map_err(wrong())?;
        }
        Ok(Ended { path, file, frames, length })
    }

    pub(super) fn read(&mut self, key: &Key) -> Result<Option<Vec<u8>>, FileError> {
        let Some(&(start, end)) = self.frames.get(key) else { return Ok(None) };
        let mut frame = vec![0; (end - start) as usize];
        let read = self.file.seek(SeekFrom::Start(start));
        let read = read.and_then(|_| self.file.read_exact(&mut frame));
        read.map_err(FileError::of(&self.path))?;
        Ok(Some(frame))
    }

    /// Rewrites the log without obsolete entries, if there are any; returns its length.
    pub(super) fn compact(mut self) -> Result<u64, FileError> {
        let needed = |&(start, end): &(u64, u64)| HEAD as u64 + end - start;
        let needed: u64 = self.frames.values().map(needed).sum();
        if needed == self.length {
            return Ok(needed);
        }
        let mut draft = files::Draft::begin(&self.path)?;
        let entries: Vec<Key> = self.frames.keys().copied().collect();
        for key in entries {
            let frame = self.read(&key)?.unwrap_or_default();
            let written = draft.write_all(&head(&key, &frame));
            let written = written.and_then(|()| draft.write_all(&frame));
            written.map_err(FileError::of(&self.path))?;
        }
        draft.complete()?.publish()?;
        Ok(needed)
    }

    pub(super) fn append(&mut self, key: Key, frame: &[u8]) -> Result<(), FileError> {
        let mut entry = Vec::with_capacity(HEAD + frame.len());
        entry.extend_from_slice(&head(&key, frame));
        entry.extend_from_slice(frame);
        let written = self.file.seek(SeekFrom::Start(self.length));
        let written = written.and_then(|_| self.file.write_all(&entry));
        written.map_err(FileError::of(&self.path))?;
        let start = self.length + HEAD as u64;
        self.length += entry.len() as u64;
        self.frames.insert(key, (start, self.length));
        Ok(())
    }
}

fn head(key: &Key, frame: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..16].copy_from_slice(key);
    head[16..].copy_from_slice(&(frame.len() as u64).to_le_bytes());
    head
}
