//! Saving and loading the state of a run.
//!
//! A run is *rebuilt* from its scenario and then each part's state is *loaded in place*, so only
//! changing data is saved. [`seal`] frames saved state with a version, a kind and a checksum;
//! [`open`] rejects anything else.

use std::mem;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The reason why a saved state could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// The bytes are not the frame of a saved state, or were truncated.
    #[error("this is not a saved state, or it was cut short")]
    NotAFrame,
    /// A version with an unsupported format wrote it.
    #[error("the state is of format {found}, this version reads format {FORMAT}")]
    Version {
        /// The format number found.
        found: u32,
    },
    /// It was saved from another run.
    #[error("the state belongs to another run (kind or scenario differ)")]
    Foreign,
    /// The data was damaged.
    #[error("the checksum does not match: the state is damaged")]
    Checksum,
    /// The checksum is right but the content does not fit the part it is loaded into.
    #[error("the state does not fit: {0}")]
    Content(String),
}

/// A part of a run whose changing data can be saved and restored.
///
/// `load` is called on a part freshly rebuilt from the same scenario. Saving a loaded part gives
/// the same bytes, and a run continues from a loaded state exactly as without interruption. The
/// conformance test checks both for every registered part.
pub trait State {
    /// Appends this part's state to `out`.
    fn save(&self, out: &mut Vec<u8>);

    /// Consumes this part's state from the front of `from`.
    ///
    /// # Errors
    /// Bytes that do not fit this part; it is then unusable and must be rebuilt.
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt>;
}

/// Appends one serializable value.
pub fn put<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    let more = postcard::to_extend(value, mem::take(out));
    *out = more.expect("plain data serializes into memory");
}

/// Consumes one value written by [`put`].
///
/// # Errors
/// Bytes that are not such a value.
pub fn take<T: DeserializeOwned>(from: &mut &[u8]) -> Result<T, Corrupt> {
    let (value, rest) =
        postcard::take_from_bytes(from).map_err(|error| Corrupt::Content(error.to_string()))?;
    *from = rest;
    Ok(value)
}

/// Implements [`State`] for a type by the serde form of the named fields.
///
/// ```
/// use gridpact_kernel::{state::State, state_of_fields};
///
/// struct Counter { step: u64, count: u64 }
/// state_of_fields!(Counter { count });
///
/// let mut bytes = Vec::new();
/// Counter { step: 2, count: 6 }.save(&mut bytes);
/// let mut rebuilt = Counter { step: 2, count: 0 };
/// rebuilt.load(&mut bytes.as_slice()).unwrap();
/// assert_eq!(rebuilt.count, 6);
/// ```
#[macro_export]
macro_rules! state_of_fields {
    ($type:ty { $($field:tt),* $(,)? }) => {
        impl $crate::state::State for $type {
            #[allow(unused_variables)]
            fn save(&self, out: &mut Vec<u8>) {
                $($crate::state::put(&self.$field, out);)*
            }
            #[allow(unused_variables)]
            fn load(&mut self, from: &mut &[u8]) -> Result<(), $crate::state::Corrupt> {
                $(self.$field = $crate::state::take(from)?;)*
                Ok(())
            }
        }
    };
}

impl State for () {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
        self.1.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.0.load(from)?;
        self.1.load(from)
    }
}

impl<T: State + ?Sized> State for &mut T {
    fn save(&self, out: &mut Vec<u8>) {
        (**self).save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (**self).load(from)
    }
}

impl<T: State> State for Option<T> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.is_some(), out);
        if let Some(part) = self {
            part.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let there: bool = take(from)?;
        match self {
            Some(part) if there => part.load(from),
            None if !there => Ok(()),
            _ => Err(Corrupt::Content("an optional part is not the same".to_owned())),
        }
    }
}

impl<T: State> State for [T] {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.len(), out);
        for part in self {
            part.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let saved: usize = take(from)?;
        if saved != self.len() {
            return Err(Corrupt::Content(format!(
                "{saved} parts were saved, the scenario has {}",
                self.len()
            )));
        }
        self.iter_mut().try_for_each(|part| part.load(from))
    }
}

/// Version of the frame's layout and its content; any change to either raises it.
pub const FORMAT: u32 = 13;

const MAGIC: &[u8; 8] = b"gridpact";
const HEAD: usize = MAGIC.len() + 4 + 32 + 8;
const CHECKSUM: usize = 32;

/// Frames the state of `part`; `kind` identifies its owner (a digest of the scenario, say).
pub fn seal(part: &(impl State + ?Sized), kind: &[u8]) -> Vec<u8> {
    seal_with(kind, |out| part.save(out))
}

/// Frames the bytes that `write` appends.
pub fn seal_with(kind: &[u8], write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + 1024);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&FORMAT.to_le_bytes());
    out.extend_from_slice(blake3::hash(kind).as_bytes());
    out.extend_from_slice(&[0; 8]);
    write(&mut out);
    let length = (out.len() - HEAD) as u64;
    out[HEAD - 8..HEAD].copy_from_slice(&length.to_le_bytes());
    let checksum = blake3::hash(&out);
    out.extend_from_slice(checksum.as_bytes());
    out
}

/// Loads a frame made by [`seal`] into a part rebuilt from the same `kind`.
///
/// # Errors
/// A frame that is truncated, damaged, of another format or kind, or does not fit the part. Nothing
/// is loaded before the checksum is verified.
pub fn open(part: &mut (impl State + ?Sized), kind: &[u8], framed: &[u8]) -> Result<(), Corrupt> {
    let mut rest = content(kind, framed)?;
    part.load(&mut rest)?;
    all_taken(rest)
}

/// Returns the content of a frame made by [`seal_with`] for the same `kind`.
///
/// # Errors
/// A frame that is truncated, damaged, or of another format or kind.
pub fn content<'a>(kind: &[u8], framed: &'a [u8]) -> Result<&'a [u8], Corrupt> {
    if framed.len() < HEAD + CHECKSUM || &framed[..MAGIC.len()] != MAGIC {
        return Err(Corrupt::NotAFrame);
    }
    let number = |range: std::ops::Range<usize>| {
        let mut bytes = [0; 8];
        bytes[..range.len()].copy_from_slice(&framed[range]);
        u64::from_le_bytes(bytes)
    };
    let found = number(MAGIC.len()..MAGIC.len() + 4) as u32;
    if found != FORMAT {
        return Err(Corrupt::Version { found });
    }
    if number(HEAD - 8..HEAD) != (framed.len() - HEAD - CHECKSUM) as u64 {
        return Err(Corrupt::NotAFrame);
    }
    let (content, checksum) = framed.split_at(framed.len() - CHECKSUM);
    if blake3::hash(content).as_bytes() != checksum {
        return Err(Corrupt::Checksum);
    }
    if content[MAGIC.len() + 4..HEAD - 8] != *blake3::hash(kind).as_bytes() {
        return Err(Corrupt::Foreign);
    }
    Ok(&content[HEAD..])
}

/// Checks that the saved state was consumed completely.
///
/// # Errors
/// Bytes left over.
pub fn all_taken(rest: &[u8]) -> Result<(), Corrupt> {
    if rest.is_empty() {
        Ok(())
    } else {
        Err(Corrupt::Content(format!("{} bytes are left over", rest.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Part(Vec<u32>);
    impl State for Part {
        fn save(&self, out: &mut Vec<u8>) {
            put(&self.0, out);
        }
        fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
            self.0 = take(from)?;
            Ok(())
        }
    }

    #[test]
    fn what_was_sealed_opens_and_seals_to_the_same_bytes() {
        let sealed = seal(&Part(vec![1, 2, 300]), b"scenario");
        let mut part = Part(Vec::new());
        open(&mut part, b"scenario", &sealed).unwrap();
        assert_eq!(part.0, [1, 2, 300]);
        assert_eq!(seal(&part, b"scenario"), sealed);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_refused() {
        let sealed = seal(&Part(vec![1, 2, 300]), b"scenario");
        for byte in 0..sealed.len() {
            for bit in 0..8 {
                let mut flipped = sealed.clone();
                flipped[byte] ^= 1 << bit;
                assert!(open(&mut Part(Vec::new()), b"scenario", &flipped).is_err());
            }
            assert!(open(&mut Part(Vec::new()), b"scenario", &sealed[..byte]).is_err());
        }
    }

    #[test]
    fn a_state_of_another_run_is_refused() {
        let sealed = seal(&Part(vec![1]), b"this");
        assert_eq!(open(&mut Part(Vec::new()), b"that", &sealed), Err(Corrupt::Foreign));
    }
}
