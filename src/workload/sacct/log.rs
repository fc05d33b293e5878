//! Logs as they are opened: files, plain or packed, or standard input.

use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::SacctError;
use crate::opened;
use crate::packing;

/// A log, and the center that it is of, if logs of several centers are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Its file.
    pub file: PathBuf,
    /// Name of the center, which comes before the names of its owners and users.
    pub center: Option<String>,
}

impl From<PathBuf> for Log {
    fn from(file: PathBuf) -> Log {
        Log { file, center: None }
    }
}

/// The file name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Opens a file or standard input, and unpacks gzip.
pub(super) fn open(file: &Path) -> Result<Box<dyn Read>, SacctError> {
    unpacked(file).map_err(|error| SacctError::Open { file: file.to_owned(), error })
}

/// [`open`] for files of other systems.
pub(crate) fn unpacked(file: &Path) -> io::Result<Box<dyn Read>> {
    let content: Box<dyn Read> = if file == Path::new(STANDARD_INPUT) {
        Box::new(io::stdin())
    } else {
        Box::new(opened::open(file)?)
    };
    let mut plain = BufReader::with_capacity(1 << 16, content);
    let is_gzip = packing::gzip(plain.fill_buf()?, file)?;
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(plain)) } else { Box::new(plain) })
}

/// The names of all files, for messages on all of them.
pub(super) fn named(logs: &[Log]) -> PathBuf {
    let names: Vec<String> = logs.iter().map(|log| log.file.display().to_string()).collect();
    names.join(", ").into()
}
