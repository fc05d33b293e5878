//! Strict reading of a compressed file: its bytes must be those that compressing its lines gives.
//!
//! Gzip readers ignore meaningless bits of the header and the padding in the last byte of a block.
//! Our compressor writes the same bytes for the same lines, so each member is compressed again and
//! compared. A file that another program compressed is recognized by its headers, and then only its
//! lines count.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::member::{HEAD, Member};

/// Maximum size of a block, in bytes: we never write a larger one.
const MOST: usize = 1 << 26;

/// Header flag: the header holds a file name.
const HAS_NAME: u8 = 8;

/// Last system that RFC 1952 numbers; `HEAD` has "unknown".
const LAST_SYSTEM: u8 = 13;

/// Passes on the lines of a compressed file, chunk by chunk, and checks its bytes.
///
/// True if a run could have written the file, or if `gzip` or a similar program compressed it
/// later.
///
/// # Errors If it cannot be read or is not gzip.
pub(crate) fn is_as_packed(
    mut file: impl BufRead,
    mut lines: impl FnMut(&[u8]),
) -> io::Result<bool> {
    let (mut packer, mut block) = (Member::default(), Vec::new());
    let mut chunk = vec![0; 1 << 16];
    while !file.fill_buf()?.is_empty() {
        let mut member = Recorded { of: &mut file, bytes: Vec::new(), is_on: true };
        let is_foreign = match member.head()? {
            head if head == HEAD => false,
            head => head[3] & HAS_NAME != 0 || head[9] <= LAST_SYSTEM,
        };
        let is_ours = member.bytes == HEAD;
        member.is_on = is_ours;
        let behind = member.bytes.clone();
        // The header has been consumed for the check, so it is chained before the rest for the
        // decoder.
        let mut decoder = GzDecoder::new(io::BufReader::new(behind.as_slice()).chain(&mut member));
        block.clear();
        loop {
            let read = decoder.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            lines(&chunk[..read]);
            if is_ours {
                block.extend_from_slice(&chunk[..read]);
                if block.len() > MOST {
                    return Ok(false);
                }
            }
        }
        drop(decoder);
        let is_same = if is_ours { packer.pack(&block) == member.bytes } else { is_foreign };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A reader that records the bytes read, while it is switched on.
struct Recorded<R> {
    of: R,
    bytes: Vec<u8>,
    is_on: bool,
}

impl<R: BufRead> Recorded<R> {
    /// Reads the header of a member.
    fn head(&mut self) -> io::Result<[u8; 10]> {
        let mut head = [0; 10];
        self.read_exact(&mut head)?;
        Ok(head)
    }
}

impl<R: BufRead> Read for Recorded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Recorded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.of.fill_buf()
    }
    fn consume(&mut self, amount: usize) {
        if self.is_on {
            // The consumed bytes come from `fill_buf`, which returns them again here.
            if let Ok(bytes) = self.of.fill_buf() {
                self.bytes.extend_from_slice(&bytes[..amount.min(bytes.len())]);
            }
        }
        self.of.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(bytes: &[u8]) -> (io::Result<bool>, Vec<u8>) {
        let mut lines = Vec::new();
        let same = is_as_packed(bytes, |chunk| lines.extend_from_slice(chunk));
        (same, lines)
    }

    #[test]
    fn every_flipped_bit_of_a_packed_file_is_found() {
        let blocks: [&[u8]; 2] = [b"a,b\n1,2\n1,2\n1,2\n", b"3,4\n"];
        let packed: Vec<u8> =
            blocks.iter().flat_map(|block| Member::default().pack(block).to_vec()).collect();
        let (same, lines) = read(&packed);
        assert!(same.unwrap());
        assert_eq!(lines, blocks.concat());
        for bit in 0..packed.len() * 8 {
            let mut changed = packed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (same, lines) = read(&changed);
            // Damage shows as a read error, as different bytes, or as different lines.
            let is_found = !same.unwrap_or(false) || lines != blocks.concat();
            assert!(is_found, "bit {bit}");
        }
        for garbage in [&[0_u8][..], &[0x1f, 0x8b], b"line\n"] {
            let (same, _) = read(&[&packed, garbage].concat());
            assert!(!same.unwrap_or(false));
        }
    }

    #[test]
    fn a_file_packed_by_another_program_counts_by_its_lines() {
        for (name, system) in [(Some("jobs.csv"), 255), (None, 3)] {
            let mut header = flate2::GzBuilder::new().mtime(1_700_000_000).operating_system(system);
            if let Some(name) = name {
                header = header.filename(name);
            }
            let mut packer = header.write(Vec::new(), flate2::Compression::best());
            packer.write_all(b"a,b\n1,2\n").unwrap();
            let (same, lines) = read(&packer.finish().unwrap());
            assert!(same.unwrap());
            assert_eq!(lines, b"a,b\n1,2\n");
        }
    }
}
