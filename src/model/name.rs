//! Detects characters and names that mislead readers.

use std::borrow::Cow;

/// Returns true for an invisible character that changes how the text around it is displayed. These
/// are control characters, and those that change the writing direction (Unicode Standard Annex 9).
pub fn is_control(c: char) -> bool {
    let turns = matches!(
        c,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Escapes a text for display in a terminal. Control characters except line ends and tabs become
/// JSON escapes such as `\u001b`.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let harms = |c: char| is_control(c) && c != '\n' && c != '\t';
    if !text.contains(harms) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if harms(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Returns true for a name that a spreadsheet would execute as a formula. Such a name begins with
/// `=`, `+`, `-`, `@`, a tab or a carriage return, and is not a number.
pub fn is_formula(name: &str) -> bool {
    name.starts_with(['=', '+', '-', '@', '\t', '\r']) && name.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_the_cursor_or_turns_the_line_is_escaped() {
        for (text, shown) in [
            ("a\nb\tc", "a\nb\tc"),
            ("caf\u{e9} \u{5d0}", "caf\u{e9} \u{5d0}"),
            ("\u{1b}[31mred", "\\u001b[31mred"),
            ("over\rwritten", "over\\u000dwritten"),
            ("\u{9b}2J", "\\u009b2J"),
            ("a\u{202e}b\u{2066}", "a\\u202eb\\u2066"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }

    #[test]
    fn formulas_are_told_from_numbers() {
        for name in ["=1+1", "+cmd|' /C calc'!A0", "-a", "@SUM(A1)", "\tx", "-1-1"] {
            assert!(is_formula(name), "{name}");
        }
        for name in ["a=b", "physics-1", "-1", "+0.5", "1-1"] {
            assert!(!is_formula(name), "{name}");
        }
    }
}
