//! Fast path for common job lines, read eight bytes at a time.
//!
//! Column widths vary from line to line, so a loop over their bytes mispredicts at most column
//! ends. Here one pass over a block of fixed size marks the column starts and the line's end, and
//! each number is read from one word ("SIMD within a register", Lemire and others). Anything
//! unusual (decimals, long lines, errors) is left to the careful parser in `line.rs`.

use wide::u8x16;

use super::input::AHEAD;
use super::line::{Columns, Record, record};
use kernel::time::{LIMIT_TICKS, TICKS_PER_UNIT};

/// Longest line, in bytes with its newline, that this path handles.
const BLOCK: usize = 128;

/// Two words can be read after the last byte of the block and a sign.
const _: () = assert!(AHEAD >= BLOCK + 17);

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Parses a common line at the start of the text. Returns its length without the newline, and what
/// it says; `None` means that the careful parser must decide.
#[inline]
pub(super) fn usual(text: &[u8; AHEAD]) -> Option<(usize, Record)> {
    let mut columns = Marked::new(text)?;
    let record = record(&mut columns).ok()?;
    // Where no column is left, there are fewer, or there were fewer before.
    columns.is_complete.then_some((columns.length, record))
}

/// The columns of a common line, whose starts are marked.
struct Marked<'a> {
    text: &'a [u8; AHEAD],
    /// Length of the line.
    length: usize,
    /// Starts of the columns not yet reached: one bit per byte of the block.
    begins: u128,
    /// True if the last column taken was there.
    is_complete: bool,
}

impl<'a> Marked<'a> {
    /// Marks the columns. Returns `None` for a long line or an odd control character.
    #[inline(always)]
    fn new(text: &'a [u8; AHEAD]) -> Option<Marked<'a>> {
        let mut controls = mask(text, |bytes| bytes.simd_lt(u8x16::splat(b' ')));
        // Nearly always the first one is the newline.
        let length = loop {
            let at = controls.trailing_zeros() as usize;
            match text[at] {
                _ if at == BLOCK => return None,
                b'\n' => break at,
                b'\t'..=b'\r' => controls &= controls - 1,
                _ => return None,
            }
        };
        let filled = mask(text, |bytes| bytes.simd_gt(u8x16::splat(b' ')));
        let line = (1_u128 << length) - 1;
        Some(Marked { text, length, begins: filled & !(filled << 1) & line, is_complete: true })
    }

    /// Returns the start of the next column.
    #[inline(always)]
    fn begin(&mut self) -> usize {
        let at = self.begins.trailing_zeros() as usize;
        self.is_complete = self.begins != 0;
        self.begins &= self.begins.wrapping_sub(1);
        at
    }

    /// Parses an integer of up to 15 digits.
    #[inline(always)]
    fn number(&mut self) -> Option<i64> {
        let at = self.begin() & (BLOCK - 1);
        let negative = self.text[at] == b'-';
        let at = at + usize::from(negative);
        let (mut value, mut digits) = leading_digits(self.text, at);
        if digits == 8 {
            let (more, further) = leading_digits(self.text, at + 8);
            if further == 8 {
                return None;
            }
            value = value.wrapping_mul(TENS[further]).wrapping_add(more);
            digits += further;
        }
        if digits == 0 || self.text[at + digits] > b' ' {
            return None;
        }
        let value = value as i64;
        Some(if negative { value.wrapping_neg() } else { value })
    }
}

/// Whatever is unusual is refused, and left to the careful parser.
impl Columns for Marked<'_> {
    type Refusal = ();

    #[inline(always)]
    fn whole(&mut self, limit: i64) -> Result<i64, ()> {
        self.number().filter(|&value| value <= limit).ok_or(())
    }

    #[inline(always)]
    fn ticks(&mut self) -> Result<i64, ()> {
        let seconds = self.number().ok_or(())?;
        let usual = (-1..=LIMIT_TICKS / TICKS_PER_UNIT).contains(&seconds);
        if usual { Ok(seconds.wrapping_mul(TICKS_PER_UNIT)) } else { Err(()) }
    }

    #[inline(always)]
    fn ticks_if_known(&mut self) -> Result<i64, ()> {
        self.ticks()
    }

    #[inline(always)]
    fn skip(&mut self) -> Result<(), ()> {
        self.begin();
        Ok(())
    }

    #[inline(always)]
    fn is_positive(&mut self) -> Result<bool, ()> {
        let at = self.begin() & (BLOCK - 1);
        Ok(matches!(self.text[at], b'1'..=b'9'))
    }

    #[inline(always)]
    fn has_more(&mut self) -> Result<bool, ()> {
        if self.begins == 0 { Ok(false) } else { Err(()) }
    }

    fn out_of_range(&self) {}
}

/// Marks the bytes of the block for which a condition holds, one bit per byte.
#[inline(always)]
fn mask(text: &[u8; AHEAD], holds: impl Fn(u8x16) -> u8x16) -> u128 {
    let mut halves = [0; 2];
    for (at, sixteen) in text[..BLOCK].as_chunks().0.iter().enumerate() {
        let bits = holds(u8x16::new(*sixteen)).to_bitmask();
        halves[at / 4] |= u64::from(bits) << (16 * (at % 4));
    }
    u128::from(halves[0]) | u128::from(halves[1]) << 64
}

/// Parses up to 8 leading digits from `at`; returns their value and count.
#[inline(always)]
fn leading_digits(block: &[u8; AHEAD], at: usize) -> (u64, usize) {
    let Some(word) = block.get(at..).and_then(|rest| rest.first_chunk()) else { return (0, 0) };
    let word = u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030;
    // Digits are now bytes 0 to 9; the lowest mark of any other byte is exact.
    let others = ((word & LOW).wrapping_add(0x7676_7676_7676_7676) | word) & HIGH;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // By 64 bits less those of the digits.
    let digits = word.wrapping_shl((8 * count as u32).wrapping_neg());
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    let value = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
    (value, count)
}

const TENS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
