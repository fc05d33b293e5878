//! Fast path for common job lines, read eight bytes at a time.
//!
//! Column widths vary from line to line, so a loop over their bytes mispredicts at most column
//! ends. Here one pass over a block of fixed size marks the column starts, and each number is read
//! from one word ("SIMD within a register", Lemire and others). Anything unusual (decimals, long
//! lines, errors) is left to the careful parser in `line.rs`.

use super::input::AHEAD;
use super::line::Record;
use crate::kernel::time::{LIMIT_TICKS, TICKS_PER_UNIT};

/// Longest line, in bytes, that this path handles.
const BLOCK: usize = 128;

/// Two words can be read after the last byte of the block and a sign.
const _: () = assert!(AHEAD >= BLOCK + 17);

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Parses a common line of `length` bytes followed by a newline. `None` means that the careful
/// parser must decide.
#[inline]
pub(super) fn usual(line: &[u8; AHEAD], length: usize) -> Option<Record> {
    let mut columns = Columns::new(line, length)?;
    let number = columns.number()?;
    let submit = columns.ticks()?;
    let wait = columns.ticks()?;
    let runtime = columns.ticks()?;
    let allocated = columns.count()?;
    columns.skip();
    columns.skip();
    let requested = columns.count()?;
    let estimate = columns.ticks()?;
    columns.skip();
    let status = columns.number()?;
    let user = columns.count()?;
    let group = columns.count()?;
    columns.skip();
    let queue = columns.number()?;
    let partition = columns.number()?;
    Some(Record {
        number: u64::try_from(number).ok()?,
        submit,
        wait,
        runtime,
        allocated,
        requested,
        estimate,
        status,
        user,
        group,
        queue,
        partition,
    })
}

struct Columns<'a> {
    block: &'a [u8; AHEAD],
    /// Starts of the columns not yet reached: one bit per byte, in the current half.
    begins: u64,
    /// The same bits for the second half, while the first is read.
    second: u64,
    /// Start of the current half.
    base: usize,
}

impl<'a> Columns<'a> {
    /// Marks the columns. Returns `None` for fewer than 18 columns or an odd control character.
    #[inline(always)]
    fn new(block: &'a [u8; AHEAD], length: usize) -> Option<Columns<'a>> {
        if length >= BLOCK {
            return None;
        }
        let text = &block[..BLOCK];
        if text.iter().fold(false, |odd, &byte| odd | is_odd(byte)) {
            return None;
        }
        let (first, second) = text.split_at(BLOCK / 2);
        let (first, second) = (filled(first), filled(second));
        let line = (1_u128 << length) - 1;
        let begins = first & !(first << 1) & line as u64;
        let second = second & !(second << 1 | first >> 63) & (line >> 64) as u64;
        (begins.count_ones() + second.count_ones() >= 18).then_some(Columns {
            block,
            begins,
            second,
            base: 0,
        })
    }

    /// Returns the start of the next column.
    #[inline(always)]
    fn begin(&mut self) -> usize {
        if self.begins == 0 {
            self.begins = self.second;
            self.base = BLOCK / 2;
        }
        let at = self.base + self.begins.trailing_zeros() as usize;
        self.begins &= self.begins.wrapping_sub(1);
        at
    }

    #[inline(always)]
    fn skip(&mut self) {
        self.begin();
    }

    /// Parses an integer of up to 15 digits.
    #[inline(always)]
    fn number(&mut self) -> Option<i64> {
        let at = self.begin() & (BLOCK - 1);
        let negative = self.block[at] == b'-';
        let at = at + usize::from(negative);
        let (mut value, mut digits) = leading_digits(self.block, at);
        if digits == 8 {
            let (more, further) = leading_digits(self.block, at + 8);
            if further == 8 {
                return None;
            }
            value = value.wrapping_mul(TENS[further]).wrapping_add(more);
            digits += further;
        }
        if digits == 0 || self.block[at + digits] > b' ' {
            return None;
        }
        let value = value as i64;
        Some(if negative { value.wrapping_neg() } else { value })
    }

    /// Parses a number of processors, a user or a group.
    #[inline(always)]
    fn count(&mut self) -> Option<i64> {
        self.number().filter(|&value| value <= u32::MAX.into())
    }

    /// Parses seconds, in ticks.
    #[inline(always)]
    fn ticks(&mut self) -> Option<i64> {
        let seconds = self.number()?;
        let usual = (-1..=LIMIT_TICKS / TICKS_PER_UNIT).contains(&seconds);
        usual.then(|| seconds.wrapping_mul(TICKS_PER_UNIT))
    }
}

/// Returns true for a control character that is not whitespace, and so separates no columns.
#[inline(always)]
fn is_odd(byte: u8) -> bool {
    byte < b' ' && byte.wrapping_sub(b'\t') > b'\r' - b'\t'
}

/// Returns a bit mask of 64 bytes, set where a byte is above a blank.
#[inline(always)]
fn filled(half: &[u8]) -> u64 {
    let words = half.as_chunks::<8>().0.iter().enumerate();
    words.fold(0, |bits, (index, word)| {
        let word = u64::from_le_bytes(*word);
        let above = ((word & LOW).wrapping_add(0x5f5f_5f5f_5f5f_5f5f) | word) & HIGH;
        let gathered = (above >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | gathered << (8 * index)
    })
}

/// Parses up to 8 leading digits from `at`; returns their value and count.
#[inline(always)]
fn leading_digits(block: &[u8; AHEAD], at: usize) -> (u64, usize) {
    let mut word = [0; 8];
    word.copy_from_slice(&block[at..at + 8]);
    let word = u64::from_le_bytes(word) ^ 0x3030_3030_3030_3030;
    // Digits are now bytes 0 to 9; the lowest mark of any other byte is exact.
    let others = ((word & LOW).wrapping_add(0x7676_7676_7676_7676) | word) & HIGH;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    let digits = word.wrapping_shl(64 - 8 * count as u32);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    let value = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
    (value, count)
}

const TENS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
