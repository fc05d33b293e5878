//! Durations as people write them, such as `3h` or `30 days`. Times of a scenario have no units; a
//! mistake of this kind is answered with the value in seconds.

/// Converts a duration with a unit to seconds, as typed; `None` for any other text.
pub(super) fn seconds(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')?;
    let number: f64 = text[..end].replace('_', "").parse().ok()?;
    let unit = match text[end..].trim().to_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        "w" | "week" | "weeks" => 604_800.0,
        _ => return None,
    };
    let seconds = number * unit;
    // Larger sums of floats have no exact seconds.
    (seconds < 1e15).then(|| format!("{seconds}"))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn units_become_seconds_and_other_texts_nothing() {
        for (text, expected) in [
            ("3h", Some("10800")),
            ("1.5 hours", Some("5400")),
            ("30d", Some("2592000")),
            (" 10 Min ", Some("600")),
            ("2 weeks", Some("1209600")),
            ("0.25s", Some("0.25")),
            ("5", None),
            ("h", None),
            ("1.2.3h", None),
            ("5m", None),
            ("1_000s", Some("1000")),
            ("99999999999999999999d", None),
        ] {
            assert_eq!(seconds(text).as_deref(), expected, "{text}");
        }
    }
}
