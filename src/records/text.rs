//! The text of a CSV file as it is written, number by number.
//!
//! A run may write a thousand million numbers. So eight digits at once come from a few
//! multiplications, and are stored at once.

use std::io::{self, Write};

/// Text being written.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The text, and room behind it.
    bytes: Vec<u8>,
    length: usize,
}

/// Numbers below this have at most eight digits.
const EIGHT: u64 = 100_000_000;

/// Ticks are millionths of a unit.
const UNIT: u64 = kernel::time::TICKS_PER_UNIT as u64;

/// Eight bytes `0`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

impl Text {
    /// Empties it, but keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// The text so far.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The text so far.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Writes the beginning of `bytes`, up to the length.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N], length: usize) {
        let rest = self.bytes.get_mut(self.length..).unwrap_or_default();
        match rest.first_chunk_mut() {
            Some(room) => *room = bytes,
            None => self.put_behind(bytes),
        }
        self.length += length;
    }

    /// Makes room for bytes and writes them there.
    #[cold]
    #[inline(never)]
    fn put_behind(&mut self, bytes: impl AsRef<[u8]>) {
        self.bytes.truncate(self.length);
        self.bytes.extend_from_slice(bytes.as_ref());
        self.bytes.resize((2 * self.bytes.len()).max(256), 0);
    }

    /// Writes a byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.put([byte], 1);
    }

    /// Takes the last byte back, if there is any.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    /// Writes a whole number.
    #[inline]
    pub fn whole(&mut self, value: u64) {
        if value < EIGHT {
            self.short(value);
        } else {
            self.long(value);
        }
    }

    /// Writes a number of at most eight digits.
    #[inline(always)]
    fn short(&mut self, value: u64) {
        let digits = eight_digits(value);
        // The last one stays, even if it is zero.
        let zeros = (digits | 1 << 56).trailing_zeros() & !7;
        self.put(((digits | ZEROS) >> zeros).to_le_bytes(), 8 - zeros as usize / 8);
    }

    #[inline(never)]
    fn long(&mut self, value: u64) {
        self.whole(value / EIGHT);
        self.put((eight_digits(value % EIGHT) | ZEROS).to_le_bytes(), 8);
    }

    /// Writes ticks in units: an exact decimal without zeros at its end.
    #[inline]
    pub fn units(&mut self, ticks: u64) {
        self.whole(ticks / UNIT);
        // Nearly all amounts of traces are whole units.
        if !ticks.is_multiple_of(UNIT) {
            self.part(ticks % UNIT);
        }
    }

    /// Writes the decimals of ticks beyond whole units.
    #[inline(never)]
    fn part(&mut self, ticks: u64) {
        self.push(b'.');
        // The last two of eight digits are zeros.
        let digits = eight_digits(ticks * 100);
        let zeros = digits.leading_zeros() as usize / 8;
        self.put((digits | ZEROS).to_le_bytes(), 8 - zeros);
    }

    /// Writes bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.put_if(bytes, |_| true);
    }

    /// Writes a text, quoted if CSV requires it (RFC 4180).
    #[inline]
    pub fn quoted(&mut self, text: &str) {
        if !self.put_if(text.as_bytes(), is_plain) {
            self.quoted_slowly(text);
        }
    }

    /// Writes bytes, unless `is_right` is false of eight of them; nothing is written then.
    #[inline(always)]
    fn put_if(&mut self, bytes: &[u8], is_right: impl Fn(u64) -> bool) -> bool {
        let length = bytes.len();
        // In two pieces of the same length, which may overlap.
        if let Some((first, last)) = ends::<16>(bytes).filter(|_| length <= 32) {
            let is_right = |half: [u8; 16]| {
                let both = u128::from_le_bytes(half);
                is_right(both as u64) && is_right((both >> 64) as u64)
            };
            let is_right = is_right(first) && is_right(last);
            if is_right {
                self.put(first, length - 16);
                self.put(last, 16);
            }
            is_right
        } else if let Some((first, last)) = ends::<8>(bytes).filter(|_| length <= 16) {
            let is_right =
                is_right(u64::from_le_bytes(first)) && is_right(u64::from_le_bytes(last));
            if is_right {
                self.put(first, length - 8);
                self.put(last, 8);
            }
            is_right
        } else if let Some((first, last)) = ends::<4>(bytes).filter(|_| length <= 8) {
            let [first_half, last_half] = [u32::from_le_bytes(first), u32::from_le_bytes(last)];
            let is_right = is_right(u64::from(first_half) | u64::from(last_half) << 32);
            if is_right {
                self.put(first, length - 4);
                self.put(last, 4);
            }
            is_right
        } else {
            self.put_others_if(bytes, is_right)
        }
    }

    /// The same for a few bytes, or for many.
    #[inline]
    fn put_others_if(&mut self, bytes: &[u8], is_right: impl Fn(u64) -> bool) -> bool {
        let is_right = |&byte: &u8| is_right(0x0101_0101_0101_0101 * u64::from(byte));
        let is_all_right = bytes.iter().all(is_right);
        if is_all_right {
            let end = self.length + bytes.len();
            match self.bytes.get_mut(self.length..end) {
                Some(room) => room.copy_from_slice(bytes),
                None => self.put_behind(bytes),
            }
            self.length = end;
        }
        is_all_right
    }

    #[cold]
    #[inline(never)]
    fn quoted_slowly(&mut self, text: &str) {
        if text.contains([',', '"', '\n', '\r']) {
            self.push(b'"');
            self.bytes(text.replace('"', "\"\"").as_bytes());
            self.push(b'"');
        } else {
            self.bytes(text.as_bytes());
        }
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text { length: bytes.len(), bytes }
    }
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The first and the last bytes of a text that has so many.
#[inline(always)]
fn ends<const N: usize>(bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*bytes.first_chunk()?, *bytes.last_chunk()?))
}

/// Digits of a number below 10⁸, one per byte, the highest first.
#[inline(always)]
fn eight_digits(value: u64) -> u64 {
    debug_assert!(value < EIGHT);
    // Two of four digits, four of two, eight of one; each pair is quotient and remainder. The
    // products stand for divisions by 100 and by 10, exact for numbers this small.
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = (fours.wrapping_mul(10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours.wrapping_sub(hundreds.wrapping_mul(100)) << 16);
    let tens = (twos.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    tens | (twos.wrapping_sub(tens.wrapping_mul(10)) << 8)
}

/// True if no byte can be one that CSV quotes, as all are above a comma.
#[inline(always)]
fn is_plain(word: u64) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let over = u64::from(0x7f - b',') * 0x0101_0101_0101_0101;
    ((word & !HIGH).wrapping_add(over) | word) & HIGH == HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::time::Units;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut Text)) -> String {
        let mut text = Text::from(b"x".to_vec());
        write(&mut text);
        String::from_utf8(text.into_bytes()).unwrap().split_off(1)
    }

    #[test]
    fn numbers_at_the_ends_of_each_length_are_right() {
        for power in 0..20 {
            for value in [10_u64.pow(power) - 1, 10_u64.pow(power), u64::MAX - u64::from(power)] {
                assert_eq!(written(|text| text.whole(value)), value.to_string());
            }
        }
    }

    #[test]
    fn digits_of_all_parts_are_right() {
        for value in 0..10_000 {
            for value in [value, value * 10_000, value * 10_000 + 9999 - value] {
                let digits: Vec<u8> = format!("{value:08}").bytes().map(|one| one - b'0').collect();
                assert_eq!(eight_digits(value).to_le_bytes(), digits[..], "{value}");
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_are_written_as_the_library_writes_them(value in any::<u64>(), less in 0..64_u32) {
            let value = value >> less;
            prop_assert_eq!(written(|text| text.whole(value)), value.to_string());
            for ticks in [value, value / 1000 * 1000, value / UNIT * UNIT] {
                prop_assert_eq!(written(|text| text.units(ticks)), Units(ticks.into()).to_string());
            }
        }

        #[test]
        fn bytes_are_as_they_are(
            parts in proptest::collection::vec("[ -~]{0,40}|[a-z]{90,100}", 0..20),
        ) {
            let found = written(|text| parts.iter().for_each(|part| text.bytes(part.as_bytes())));
            prop_assert_eq!(found, parts.concat());
        }

        #[test]
        fn texts_are_quoted_where_they_must_be(
            texts in proptest::collection::vec("[a-z,\"\n\r -]{0,40}|[-a-z]{0,40}[ -~]?", 1..5),
        ) {
            let expected = |text: &String| match text.contains([',', '"', '\n', '\r']) {
                true => format!("\"{}\"", text.replace('"', "\"\"")),
                false => text.clone(),
            };
            let expected: String = texts.iter().map(expected).collect();
            prop_assert_eq!(written(|out| texts.iter().for_each(|one| out.quoted(one))), expected);
        }
    }
}
