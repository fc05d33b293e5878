//! Exact conversion of decimal text to integers, without floating point between file and ticks.

use kernel::time::{LIMIT_TICKS, TICKS_PER_UNIT};

/// The reason why a text is not the expected number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Not a decimal number at all.
    NotANumber,
    /// A fraction where a whole number was expected.
    NotWhole,
    /// Beyond the range.
    TooLarge,
}

/// Decimal places of a tick.
const PLACES: i64 = 6;

/// Significant digits kept; the rest only counts as "more than nothing".
const DIGITS: u32 = 30;

/// Parses a number of units (`-1`, `3.25`, `1e3`) into ticks: the nearest, ties to even. The
/// magnitude is at most [`LIMIT_TICKS`].
pub fn ticks(text: &[u8]) -> Result<i64, Unfit> {
    if let Some(whole) = short_integer(text) {
        return in_range(i128::from(whole) * i128::from(TICKS_PER_UNIT), LIMIT_TICKS);
    }
    let number = Decimal::parse(text)?;
    in_range(number.scaled(PLACES)?.0, LIMIT_TICKS)
}

/// Parses a whole number (`-1`, `12`, `12.0`).
pub fn whole(text: &[u8]) -> Result<i64, Unfit> {
    if let Some(whole) = short_integer(text) {
        return Ok(whole);
    }
    match Decimal::parse(text)?.scaled(0)? {
        (whole, true) => in_range(whole, i64::MAX),
        (_, false) => Err(Unfit::NotWhole),
    }
}

/// Parses a sum in units as results have it, in ticks: a sign, digits and at most six places.
pub fn exact(text: &str) -> Option<i128> {
    // Nearly always they are whole and not negative.
    if let Some(whole) = digits(text.as_bytes()) {
        return Some(i128::from(whole) * i128::from(TICKS_PER_UNIT));
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > PLACES as usize || !plain(whole) || !plain(part) {
        return None;
    }
    if let Some(whole) = short_integer(text.as_bytes()) {
        return Some(i128::from(whole) * i128::from(TICKS_PER_UNIT));
    }
    let (ticks, is_exact) = Decimal::parse(text.as_bytes()).ok()?.scaled(PLACES).ok()?;
    is_exact.then_some(ticks)
}

fn in_range(value: i128, limit: i64) -> Result<i64, Unfit> {
    if value.unsigned_abs() <= limit.unsigned_abs().into() {
        Ok(value as i64)
    } else {
        Err(Unfit::TooLarge)
    }
}

/// Parses 1 to 18 digits.
#[inline]
fn digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    text.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| value * 10 + i64::from(digit))
    })
}

/// Parses the common case: a sign and up to 18 digits.
fn short_integer(text: &[u8]) -> Option<i64> {
    let (negative, plain) = sign(text);
    let value = digits(plain)?;
    Some(if negative { -value } else { value })
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// `mantissa * 10^exponent`, with a flag if non-zero digits beyond it were dropped.
struct Decimal {
    negative: bool,
    mantissa: i128,
    exponent: i64,
    more: bool,
}

impl Decimal {
    fn parse(text: &[u8]) -> Result<Decimal, Unfit> {
        let (negative, text) = sign(text);
        let power = text.iter().position(|&byte| byte == b'e' || byte == b'E');
        let (digits, power) = match power {
            Some(at) => (&text[..at], exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let mut number = Decimal { negative, mantissa: 0, exponent: power, more: false };
        let (mut seen, mut kept, mut point) = (false, 0, false);
        for &byte in digits {
            match byte {
                b'.' if !point => point = true,
                b'0'..=b'9' => {
                    seen = true;
                    let digit = byte - b'0';
                    if kept < DIGITS {
                        number.mantissa = number.mantissa * 10 + i128::from(digit);
                        kept += u32::from(number.mantissa != 0);
                        number.exponent -= i64::from(point);
                    } else {
                        number.more |= digit != 0;
                        number.exponent += i64::from(!point);
                    }
                }
                _ => return Err(Unfit::NotANumber),
            }
        }
        if seen { Ok(number) } else { Err(Unfit::NotANumber) }
    }

    /// Returns the value times `10^places`, rounded to an integer, and true if that is exact. It
    /// takes the nearest integer, ties to even.
    fn scaled(&self, places: i64) -> Result<(i128, bool), Unfit> {
        if self.mantissa == 0 {
            return Ok((0, !self.more));
        }
        let power = self.exponent + places;
        let value = if power >= 0 {
            let power = u32::try_from(power).map_err(|_| Unfit::TooLarge)?;
            let factor = 10_i128.checked_pow(power).ok_or(Unfit::TooLarge)?;
            (self.mantissa.checked_mul(factor).ok_or(Unfit::TooLarge)?, !self.more)
        } else if power < -36 {
            (0, false)
        } else {
            let unit = 10_i128.pow((-power) as u32);
            let (quotient, rest) = (self.mantissa / unit, self.mantissa % unit);
            let odd = quotient % 2 == 1;
            let up = 2 * rest > unit || (2 * rest == unit && (self.more || odd));
            (quotient + i128::from(up), rest == 0 && !self.more)
        };
        Ok(if self.negative { (-value.0, value.1) } else { value })
    }
}

fn exponent(text: &[u8]) -> Result<i64, Unfit> {
    match short_integer(text) {
        Some(power) if power.abs() <= 1000 => Ok(power),
        Some(_) => Err(Unfit::TooLarge),
        None => Err(Unfit::NotANumber),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<i64, Unfit>) {
        assert_eq!(ticks(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn decimals_become_the_nearest_tick_and_halves_the_even_one() {
        check("12", Ok(12_000_000));
        check("-1", Ok(-1_000_000));
        check("+3.25", Ok(3_250_000));
        check(".5", Ok(500_000));
        check("7.", Ok(7_000_000));
        check("1.5e3", Ok(1_500_000_000));
        check("25E-1", Ok(2_500_000));
        check("0.0000005", Ok(0));
        check("0.0000015", Ok(2));
        check("0.0000025", Ok(2));
        check("0.000002500000000000000000000000000000000000001", Ok(3));
        check("0.00000000000000000000000000000000000000000000000000000001", Ok(0));
        check("1e-1000", Ok(0));
        check("0e999", Ok(0));
        check("000000000000000000000000000000000000000000001", Ok(1_000_000));
        check("1152921504606.846976", Ok(LIMIT_TICKS));
    }

    #[test]
    fn what_is_no_number_or_too_large_is_said() {
        for text in ["", "-", "+", ".", "e5", "1e", "nan", "inf", "1.2.3", "0x10", "1_0", "--1"] {
            check(text, Err(Unfit::NotANumber));
        }
        for text in ["1152921504606.846977", "9999999999999999999999", "1e300", "1e99999"] {
            check(text, Err(Unfit::TooLarge));
        }
        let huge = format!("1{}", "0".repeat(5000));
        check(&huge, Err(Unfit::TooLarge));
    }

    #[test]
    fn whole_numbers_may_be_written_as_decimals() {
        assert_eq!(whole(b"9223372036854775807"), Ok(i64::MAX));
        assert_eq!(whole(b"9223372036854775808"), Err(Unfit::TooLarge));
        assert_eq!(whole(b"4.000"), Ok(4));
        assert_eq!(whole(b"4.5"), Err(Unfit::NotWhole));
        assert_eq!(whole(b"-1.0"), Ok(-1));
    }

    #[test]
    fn results_are_read_strictly() {
        assert_eq!(exact("-92233720368547.75807"), Some(-10 * i128::from(i64::MAX)));
        assert_eq!(exact("12"), Some(12_000_000));
        for text in ["", "-", ".5", "+1", "1e3", "--1", "1.2.3", "1.0000001", " 1", "1,5"] {
            assert_eq!(exact(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_a_span_prints_is_read_back(value in -LIMIT_TICKS..=LIMIT_TICKS) {
            let text = kernel::time::Span::from_ticks(value).to_string();
            prop_assert_eq!(ticks(text.as_bytes()), Ok(value));
            prop_assert_eq!(exact(&text), Some(value.into()));
        }

        #[test]
        fn no_text_panics(text in "[-+0-9.eE]{0,60}") {
            let _ = (ticks(text.as_bytes()), whole(text.as_bytes()));
        }
    }
}
