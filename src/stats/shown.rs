//! Number formatting for people: about four digits, thousands separated by blanks.

/// A figure with about four digits: `6 419`, `86.40`, `0.7041`.
pub fn figure(value: f64) -> String {
    let size = value.abs();
    let digits = match size {
        // If rounding would add a digit, show one less.
        _ if size >= 999.95 || size == 0.0 => 0,
        _ if size >= 99.995 => 1,
        _ if size >= 9.9995 => 2,
        _ if size >= 0.999_95 => 3,
        _ => 4,
    };
    thousands(&format!("{value:.digits$}"))
}

/// An error margin with two digits, or all digits before the decimal point.
pub fn rough(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 9.95 || size == 0.0 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0995 => 2,
        size if size >= 0.009_95 => 3,
        _ => 4,
    };
    thousands(&format!("{value:.digits$}"))
}

/// Separates the thousands of a whole number; other numbers stay as they are.
fn thousands(text: &str) -> String {
    if text.contains('.') {
        return text.to_owned();
    }
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let mut out = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// A whole number: `27 992`.
pub fn count(number: u64) -> String {
    thousands(&number.to_string())
}

/// An exact decimal with its thousands separated: `8 000`, `1 234.5`.
pub fn exact(decimal: &str) -> String {
    match decimal.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", thousands(whole)),
        None => thousands(decimal),
    }
}

/// A number of things: `1 job`, `27 992 jobs`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A share as a percentage: `70.4%`.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A duration in wall-clock time: `12 ms`, `3 min 20 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => format!("{:.0} ms", (seconds * 1000.0).max(1.0)),
        _ if seconds < 60.0 => format!("{seconds:.1} s"),
        _ => {
            let whole = seconds.round();
            format!("{:.0} min {:.0} s", (whole / 60.0).floor(), whole % 60.0)
        }
    }
}

/// Units of time with their lengths in seconds.
const UNITS: [(&str, f64); 4] = [("d", 86_400.0), ("h", 3_600.0), ("min", 60.0), ("s", 1.0)];

/// A span of simulated time in seconds, in at most two units: `1 h 47 min`, `3 d 4 h`, `12 s`.
pub fn lasting(seconds: f64) -> String {
    let size = seconds.abs();
    if size.is_nan() || size < 10.0 {
        return format!("{} s", figure(seconds));
    }
    let sign = if seconds < 0.0 { "-" } else { "" };
    let first = UNITS.iter().position(|unit| size >= unit.1).unwrap_or(3);
    let (name, length) = UNITS[first];
    let Some((small, step)) = UNITS.get(first + 1) else { return format!("{sign}{size:.0} s") };
    let steps = (size / step).round();
    let (whole, rest) = ((steps * step / length).floor(), steps % (length / step));
    match rest {
        0.0 => format!("{sign}{} {name}", count(whole as u64)),
        _ => format!("{sign}{} {name} {rest:.0} {small}", count(whole as u64)),
    }
}

/// The form in which people are told times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// As numbers of units: `6 419`.
    #[default]
    Units,
    /// By the clock, where a unit is a second: `1 h 47 min`.
    Clock,
}

impl Times {
    /// A time.
    pub fn told(self, units: f64) -> String {
        match self {
            Times::Units => figure(units),
            Times::Clock => lasting(units),
        }
    }

    /// The margin of a time, with two digits: `960`, or `16 min`.
    pub fn margin(self, units: f64) -> String {
        match self {
            Times::Units => rough(units),
            Times::Clock => {
                let [.., second] = UNITS;
                let unit = UNITS.into_iter().find(|unit| units.abs() >= unit.1).unwrap_or(second);
                format!("{} {}", rough(units / unit.1), unit.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_readable() {
        let shown = [6418.95, 86.397, 0.704_12, 1.0, 218_980.6, 0.0, 123.45, -1234.5];
        let expected = ["6 419", "86.40", "0.7041", "1.000", "218 981", "0", "123.5", "-1 234"];
        assert_eq!(shown.map(figure), expected);
        let shown = [1234.4, 9.96, 9.94, 0.164, 0.09, 0.0, 0.000_04];
        assert_eq!(shown.map(rough), ["1 234", "10", "9.9", "0.16", "0.090", "0", "0.0000"]);
        assert_eq!(count(27_992), "27 992");
        assert_eq!(percent(0.7041), "70.4%");
        assert_eq!(seconds(0.0123), "12 ms");
        assert_eq!(seconds(200.0), "3 min 20 s");
        assert_eq!(seconds(119.7), "2 min 0 s");
        let shown = [0.5, 12.4, 59.7, 60.0, 6418.95, 3599.9, 90_000.0, 31_536_000.0, -6_420.0];
        let expected = [
            "0.5000 s",
            "12 s",
            "60 s",
            "1 min",
            "1 h 47 min",
            "60 min",
            "1 d 1 h",
            "365 d",
            "-1 h 47 min",
        ];
        assert_eq!(shown.map(lasting), expected);
        let margins = [0.25, 42.4, 957.0, 3_600.0, 216_000.0].map(|one| Times::Clock.margin(one));
        assert_eq!(margins, ["0.25 s", "42 s", "16 min", "1.0 h", "2.5 d"]);
        assert_eq!(Times::Units.margin(957.0), "957");
    }
}
