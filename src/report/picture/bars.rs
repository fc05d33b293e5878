//! Small bar charts for a terminal.

use std::fmt::Write as _;

use stats::shown::percent;

/// Characters that bars are drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// Unicode block elements, with a resolution of an eighth of a character.
    #[default]
    Blocks,
    /// `#`, for terminals without Unicode.
    Ascii,
}

/// Length of the longest bar, in characters.
const LONGEST: usize = 40;
/// Last character of a bar, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

impl Ink {
    /// A bar for a length between 0 and 1; any positive length is visible.
    fn bar(self, length: f64, longest: usize) -> String {
        let parts = if self == Ink::Blocks { 8 } else { 1 };
        let scaled = length * (longest * parts) as f64;
        let whole = if length > 0.0 { scaled.round().max(1.0) as usize } else { 0 };
        match self {
            Ink::Blocks => "█".repeat(whole / 8) + EIGHTHS[whole % 8],
            Ink::Ascii => "#".repeat(whole),
        }
    }
}

/// A line for each label with its bar and its percentage of the total.
///
/// Bars get shorter to keep lines within `width` characters, if a width is given.
pub fn bars(title: &str, counts: &[(String, u64)], ink: Ink, width: Option<usize>) -> String {
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
    let label = counts.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    // Two blanks before the label, one after it, and the percentage.
    let beside = label + 3 + " 100.0%".len();
    let longest = width.map_or(LONGEST, |width| width.saturating_sub(beside).clamp(8, LONGEST));
    let mut out = format!("{title}\n");
    for (text, count) in counts {
        let bar = ink.bar(*count as f64 / most.max(1) as f64, longest);
        let share = percent(*count as f64 / all.max(1) as f64);
        let _ = writeln!(out, "  {text:>label$} {bar} {share}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_shares() {
        let counts = [("below 1", 1), ("1 - 2", 800), ("2 - 5", 199), ("5 - 10", 0)];
        let counts = counts.map(|(label, count)| (label.to_owned(), count));
        let expected = "time\n  below 1 ▏ 0.1%\n    1 - 2 ████████████████████████████████████████ \
                        80.0%\n    2 - 5 █████████▉ 19.9%\n   5 - 10  0.0%\n";
        assert_eq!(bars("time", &counts, Ink::Blocks, None), expected.replace("█▉", "██"));
        let narrow = bars("time", &counts, Ink::Ascii, Some(30));
        let lines: Vec<&str> = narrow.lines().collect();
        assert_eq!(lines[2], "    1 - 2 ############# 80.0%");
        assert_eq!(lines[1], "  below 1 # 0.1%");
        assert!(lines.iter().all(|line| line.chars().count() <= 30));
    }
}
