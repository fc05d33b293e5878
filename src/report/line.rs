//! Building blocks of CSV lines, for files with millions of them.

use std::io::Write;

use super::organizations::decimal;
use crate::kernel::time::{Span, TICKS_PER_UNIT};

/// Appends a whole number.
pub(super) fn integer(line: &mut Vec<u8>, number: u64) {
    line.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a comma and a whole number.
pub(super) fn comma_integer(line: &mut Vec<u8>, number: u64) {
    line.push(b',');
    integer(line, number);
}

/// Appends a comma and a span in units, as an exact decimal; empty for `None`.
///
/// Whole units take the fast path.
pub(super) fn span(line: &mut Vec<u8>, span: Option<Span>) {
    line.push(b',');
    let Some(span) = span else { return };
    if span.ticks() % TICKS_PER_UNIT == 0 {
        line.extend_from_slice(
            itoa::Buffer::new().format(span.ticks() / TICKS_PER_UNIT).as_bytes(),
        );
    } else {
        let _ = write!(line, "{span}");
    }
}

/// Appends a comma and a field, quoted if CSV requires it (RFC 4180).
pub(super) fn text(line: &mut Vec<u8>, field: &str) {
    line.push(b',');
    if field.contains([',', '"', '\n', '\r']) {
        let _ = write!(line, "\"{}\"", field.replace('"', "\"\""));
    } else {
        line.extend_from_slice(field.as_bytes());
    }
}

/// Appends a comma and a sum of ticks, as an exact decimal in units.
pub(super) fn sum(line: &mut Vec<u8>, ticks: i128) {
    match i64::try_from(ticks) {
        Ok(ticks) => span(line, Some(Span::from_ticks(ticks))),
        Err(_) => {
            line.push(b',');
            line.extend_from_slice(decimal(ticks).as_bytes());
        }
    }
}

/// Appends a comma and a number with all its digits; empty for `None`.
pub(super) fn number(line: &mut Vec<u8>, number: Option<f64>) {
    line.push(b',');
    if let Some(number) = number {
        let _ = write!(line, "{number}");
    }
}
