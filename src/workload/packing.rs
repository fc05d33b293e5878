//! Compressed files, recognized by their first bytes. Readers unpack gzip and refuse the others.

use std::io;
use std::path::Path;

/// A way to compress files that is not read.
struct Foreign {
    /// First bytes of every such file.
    magic: &'static [u8],
    name: &'static str,
    /// Command that unpacks a file and keeps it.
    command: &'static str,
}

const GZIP: &[u8] = &[0x1f, 0x8b];

const FOREIGN: [Foreign; 5] = [
    Foreign { magic: b"\xfd7zXZ\0", name: "xz", command: "xz -dk" },
    Foreign { magic: b"\x28\xb5\x2f\xfd", name: "zstd", command: "zstd -d" },
    Foreign { magic: b"BZh", name: "bzip2", command: "bzip2 -dk" },
    Foreign { magic: b"PK\x03\x04", name: "zip", command: "unzip" },
    Foreign { magic: b"7z\xbc\xaf\x27\x1c", name: "7-Zip", command: "7z x" },
];

/// Returns true if a file begins as gzip does.
pub fn is_gzip(first: &[u8]) -> bool {
    first.starts_with(GZIP)
}

/// Returns the name of a packing that is not read, and the command that unpacks the file; `None` if
/// the first bytes are of none.
pub fn foreign(first: &[u8], file: &Path) -> Option<(&'static str, String)> {
    let packing = FOREIGN.iter().find(|packing| first.starts_with(packing.magic))?;
    let name = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._-+/".contains(c);
    // Other names would need quotes, which differ from shell to shell.
    let is_typed = name.chars().all(is_plain) && !name.starts_with('-') && !name.is_empty();
    let name = if is_typed { &name } else { "FILE" };
    Some((packing.name, format!("{} {name}", packing.command)))
}

/// Returns true for gzip, and false for a file that is not compressed.
///
/// # Errors
/// `InvalidData` for any other packing, with the command that unpacks the file.
pub(super) fn gzip(first: &[u8], file: &Path) -> io::Result<bool> {
    match foreign(first, file) {
        None => Ok(is_gzip(first)),
        Some((name, command)) => {
            let wrong = format!(
                "it is compressed by {name}, and only gzip and plain text are read; unpack it: \
                 `{command}`"
            );
            Err(io::Error::new(io::ErrorKind::InvalidData, wrong))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packings_are_told_apart_by_their_first_bytes() {
        let gzip = |first: &[u8], file: &str| {
            gzip(first, Path::new(file)).map_err(|error| error.to_string())
        };
        assert_eq!(gzip(b"\x1f\x8b\x08", "t.swf.gz"), Ok(true));
        assert_eq!(gzip(b"; Version: 2", "t.swf.xz"), Ok(false));
        assert_eq!(gzip(b"BZ", "t.swf"), Ok(false));
        for (first, file, command) in [
            (&b"\xfd7zXZ\0\0"[..], "a/t.swf.xz", "xz: `xz -dk a/t.swf.xz`"),
            (b"\x28\xb5\x2f\xfd\x04", "t.zst", "zstd: `zstd -d t.zst`"),
            (b"BZh91AY", "t.bz2", "bzip2: `bzip2 -dk t.bz2`"),
            (b"PK\x03\x04", "my trace.zip", "zip: `unzip FILE`"),
        ] {
            let (name, typed) = command.split_once(": ").expect("two parts");
            let told = gzip(first, file).expect_err("it is refused");
            assert!(told.starts_with(&format!("it is compressed by {name}, ")), "{told}");
            assert!(told.ends_with(&format!("unpack it: {typed}")), "{told}");
        }
    }
}
