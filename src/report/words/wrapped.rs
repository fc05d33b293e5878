//! Lines of text that are broken between words to fit a width.

/// Extra indent of the second and later lines of a broken line.
const HANGING: usize = 2;
/// Minimum room for words, however narrow the terminal is.
const NARROWEST: usize = 20;

/// Breaks a line between words, with a hanging indent; without a width it stays as it is.
///
/// Quotes in backticks, numbers with separated thousands, and numbers joined by `±` stay whole. A
/// word that is longer than the width has a line of its own.
pub fn wrapped(line: &str, width: Option<usize>) -> String {
    let Some(width) = width.filter(|&width| line.chars().count() > width) else {
        return line.to_owned();
    };
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let width = width.max(indent + HANGING + NARROWEST);
    let mut out = " ".repeat(indent);
    let (mut length, mut is_first) = (indent, true);
    for word in words(line.trim_start_matches(' '), width - indent - HANGING) {
        let long = word.chars().count();
        if !is_first && length + 1 + long > width {
            let indent = indent + HANGING;
            out.push('\n');
            out += &" ".repeat(indent);
            length = indent;
        } else if !is_first {
            out.push(' ');
            length += 1;
        }
        out += word;
        length += long;
        is_first = false;
    }
    out
}

/// Parts of a line that are not broken.
fn words(line: &str, room: usize) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_end();
    while !rest.is_empty() {
        let end = end_of_word(rest, room);
        words.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(' ');
    }
    words
}

fn end_of_word(text: &str, room: usize) -> usize {
    let mut ticks = 0;
    for (at, c) in text.char_indices() {
        match c {
            '`' => ticks += 1,
            ' ' => {
                let is_quoted = ticks % 2 == 1 && closes(&text[at..], room - at.min(room));
                if !is_quoted && !is_glued(&text[..at], &text[at + 1..]) {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// True if the quote ends within `room` characters.
fn closes(text: &str, room: usize) -> bool {
    text.chars().take(room).any(|c| c == '`')
}

/// True if a blank between these two is part of a number.
fn is_glued(before: &str, after: &str) -> bool {
    let thousands = before.ends_with(|c: char| c.is_ascii_digit())
        && after.chars().take_while(char::is_ascii_digit).count() == 3;
    thousands || before.ends_with('±') || after.starts_with('±')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_never_within_a_number_or_a_quote() {
        let line = "the mean flow is 27 992 ± 1 034, known after `gridpact resume results/x` only";
        for width in [32, 40, 50, 60, 76, 77, 78, 200] {
            let text = wrapped(line, Some(width));
            assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), line);
            let lines = || text.lines();
            assert!(lines().all(|line| line.chars().count() <= width), "{width}: {text}");
            assert!(lines().any(|line| line.contains("27 992 ± 1 034")), "{width}: {text}");
            assert!(lines().any(|line| line.contains("`gridpact resume results/x`")), "{text}");
            assert!(lines().skip(1).all(|line| line.starts_with("  ") && !line.ends_with(' ')));
        }
        assert_eq!(wrapped(line, None), line);
        assert_eq!(wrapped(line, Some(77)), line);
        assert_ne!(wrapped(line, Some(76)), line);
    }

    #[test]
    fn indents_hang_and_long_words_stand_alone() {
        let text = wrapped("  rule: one two three four", Some(14));
        assert_eq!(text, "  rule: one two three\n    four");
        let long = "x".repeat(40);
        assert_eq!(wrapped(&format!("a {long} b"), Some(30)), format!("a\n  {long}\n  b"));
        // A quote that does not close is no quote.
        assert_eq!(
            wrapped("`open a b c d e f g h i j k", Some(22)),
            "`open a b c d e f g h\n  i j k"
        );
    }
}
