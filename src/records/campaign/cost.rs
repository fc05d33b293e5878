//! Costs in records: exact decimals.

use std::io::Write as _;

use crate::field::{Field, Kind};
use crate::text::Text;

/// Digits after the point: millionths of a price times millionths of a unit of time.
const DIGITS: usize = 12;
/// Parts of a unit of cost.
const UNIT: u128 = 10_u128.pow(DIGITS as u32);

/// A cost, in millionths of a price times ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost(pub i128);

impl Field<'_> for Cost {
    const KIND: Kind = Kind::Number;
    const FORM: &'static str = "a cost";

    fn put(&self, line: &mut Text) {
        let amount = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let _ = write!(line, "{sign}{}", amount / UNIT);
        if !amount.is_multiple_of(UNIT) {
            let digits = format!("{:0DIGITS$}", amount % UNIT);
            let _ = write!(line, ".{}", digits.trim_end_matches('0'));
        }
    }

    fn parse(text: &str) -> Option<Cost> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
        if !is_number(whole.strip_prefix('-').unwrap_or(whole))
            || !is_number(part)
            || part.len() > DIGITS
        {
            return None;
        }
        let amount = format!("{whole}{part:0<DIGITS$}");
        amount.parse().ok().map(Cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_exact_decimals() {
        let text = |cost: i128| {
            let mut line = Text::default();
            Cost(cost).put(&mut line);
            String::from_utf8(line.into_bytes()).unwrap()
        };
        for (cost, written) in [
            (0, "0"),
            (1, "0.000000000001"),
            (-2_500_000_000_000, "-2.5"),
            (3_000_000_000_000, "3"),
        ] {
            assert_eq!(text(cost), written);
            assert_eq!(Cost::parse(written), Some(Cost(cost)));
        }
        for wrong in ["", ".5", "1.", "1e3", "--1", "1.0000000000001"] {
            assert_eq!(Cost::parse(wrong), None, "{wrong}");
        }
    }
}
