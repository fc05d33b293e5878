//! Values as printed by `sacct`: points in time, durations, numbers with a unit.

/// Returns the days from 1 January 1970 to a date of the proleptic Gregorian calendar. It is `None`
/// for a date that does not exist.
///
/// Years begin in March, so the leap day comes last and the lengths of the months before it follow
/// a linear formula: 153 days per five months.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    const LENGTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = LENGTHS.get(usize::try_from(month - 1).ok()?)? + i64::from(month == 2 && is_leap);
    if !(1..=length).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719 468 days from 1 March of year 0 to 1 January 1970.
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

/// A point in time has at most twelve digits of seconds, as any number here.
const MOST_SECONDS: i64 = 1_000_000_000_000;

/// Parses a point in time into seconds since 1970: `2026-03-01T12:00:00`, optionally followed by
/// `Z` or `+01:00`, or a number of seconds.
pub fn moment(text: &str) -> Option<i64> {
    if let Ok(seconds) = text.parse::<i64>() {
        return (0..MOST_SECONDS).contains(&seconds).then_some(seconds);
    }
    let (date, time) = text.split_once(['T', ' '])?;
    let date = numbers(date, '-', 3)?;
    if !(0..=9999).contains(&date[0]) {
        return None;
    }
    let zone = time.find(['Z', '+', '-']);
    let (time, zone) = time.split_at(zone.unwrap_or(time.len()));
    let time = numbers(time, ':', 3)?;
    let is_time =
        (0..24).contains(&time[0]) && (0..60).contains(&time[1]) && (0..=60).contains(&time[2]);
    if !is_time {
        return None;
    }
    let seconds = 3600 * time[0] + 60 * time[1] + time[2] - offset(zone)?;
    Some(86_400 * days(date[0], date[1], date[2])? + seconds)
}

/// Writes a point in time as `sacct` does: `2026-03-01T12:00:00`.
pub fn written(moment: i64) -> String {
    let (day, second) = (moment.div_euclid(86_400), moment.rem_euclid(86_400));
    let (year, month, day) = date(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

/// Returns the year, month and day of a number of days since 1 January 1970; the inverse of
/// [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let since_march = days + 719_468;
    let (era, day) = (since_march.div_euclid(146_097), since_march.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, year) = (day - (153 * month + 2) / 5 + 1, 400 * era + year);
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

/// Parses an offset ahead of UTC into seconds: an empty text, `Z`, `+0100` or `+01:00`.
fn offset(zone: &str) -> Option<i64> {
    let Some(sign) = zone.chars().next().filter(|&sign| sign != 'Z') else {
        return (zone.len() <= 1).then_some(0);
    };
    let digits = zone[1..].replace(':', "");
    if digits.len() != 4 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = (digits[..2].parse::<i64>().ok()?, digits[2..].parse::<i64>().ok()?);
    let seconds = 3600 * hours + 60 * minutes;
    Some(if sign == '-' { -seconds } else { seconds })
}

/// Parses a duration into seconds: `[days-]hours:minutes:seconds`, `minutes:seconds`, `days-hours`
/// or `days-hours:minutes`, as in the manual of Slurm. Fractions of a second are dropped.
pub(super) fn length(text: &str) -> Option<i64> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (Some(days), clock),
        None => (None, text),
    };
    let clock = clock.split_once('.').map_or(clock, |(whole, _)| whole);
    let parts: Vec<i64> = clock.split(':').map(number).collect::<Option<_>>()?;
    let seconds = match (days, &parts[..]) {
        (_, [hours, minutes, seconds]) => {
            hours.checked_mul(3600)?.checked_add(60 * minutes + seconds)?
        }
        (Some(_), [hours]) => hours.checked_mul(3600)?,
        (Some(_), [hours, minutes]) => hours.checked_mul(3600)?.checked_add(60 * minutes)?,
        (None, [minutes, seconds]) => minutes.checked_mul(60)?.checked_add(*seconds)?,
        _ => return None,
    };
    number(days.unwrap_or("0"))?.checked_mul(86_400)?.checked_add(seconds)
}

/// Counts GPUs in a list of resources: the total, or the sum over types if only these are listed.
/// Such a list is `billing=8,cpu=8,gres/gpu=2,gres/gpu:a100=2,node=1`.
pub(super) fn gpus(resources: &str) -> Option<i64> {
    let pairs = || resources.split(',').filter_map(|pair| pair.split_once('='));
    if let Some((_, total)) = pairs().find(|(name, _)| *name == "gres/gpu") {
        return number(total);
    }
    let typed: Vec<i64> = pairs()
        .filter(|(name, _)| name.starts_with("gres/gpu:"))
        .map(|(_, count)| number(count))
        .collect::<Option<_>>()?;
    Some(typed.iter().fold(0, |sum, count| sum.saturating_add(*count)))
}

/// Parses a number of processors as `sacct` prints it without `--noconvert`: `96`, `2K`, `1.95K`. A K is
/// 1024, and what it rounds is cut to whole processors.
pub(super) fn converted(text: &str) -> Option<i64> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let Some((text, shift)) =
        units.iter().find_map(|&(unit, shift)| Some((text.strip_suffix(unit)?, shift)))
    else {
        return number(text);
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = u32::try_from(part.len()).ok().filter(|&digits| digits <= 6)?;
    let (whole, part) = (number(whole).filter(|&whole| whole < 1 << 20)?, number(part)?);
    Some((whole << shift) + (part << shift) / 10_i64.pow(digits))
}

/// Parses an unsigned whole number of at most twelve digits.
pub(super) fn number(text: &str) -> Option<i64> {
    let is_number = (1..=12).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| text.parse().expect("twelve digits fit"))
}

fn numbers(text: &str, sign: char, count: usize) -> Option<Vec<i64>> {
    let parts: Vec<i64> = text.split(sign).map(number).collect::<Option<_>>()?;
    (parts.len() == count).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the calendar counted day by day.
    #[test]
    fn days_are_those_of_the_calendar() {
        let mut expected = 0;
        for year in 1970..2405 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(found) = days(year, month, day) {
                        assert_eq!(found, expected, "{year}-{month}-{day}");
                        assert_eq!(date(found), (year, month, day));
                        expected += 1;
                    }
                }
            }
        }
        // 435 years with 105 leap years: 2100, 2200 and 2300 are not.
        assert_eq!(expected, 435 * 365 + 105 + 1);
        assert_eq!([days(2026, 2, 29), days(2026, 13, 1), days(2026, 0, 1)], [None; 3]);
    }

    /// Expected value from `date -u -d 2026-03-01T12:34:56 +%s`: 1772368496.
    #[test]
    fn moments_are_seconds_since_1970() {
        assert_eq!(moment("1970-01-01T00:00:00"), Some(0));
        assert_eq!(moment("2026-03-01T12:34:56"), Some(1_772_368_496));
        assert_eq!(written(1_772_368_496), "2026-03-01T12:34:56");
        assert_eq!(moment("2026-03-01 12:34:56Z"), Some(1_772_368_496));
        assert_eq!(moment("2026-03-01T13:34:56+01:00"), Some(1_772_368_496));
        assert_eq!(moment("2026-03-01T04:04:56-0830"), Some(1_772_368_496));
        assert_eq!(moment("1772368496"), Some(1_772_368_496));
        assert_eq!(moment("900000000026-03-01T12:34:56"), None);
        assert_eq!(moment("9223372036854775807"), None);
        for wrong in [
            "2026-03-01",
            "12:34:56",
            "2026-02-30T00:00:00",
            "2026-03-01T24:00:00",
            "-5",
            "2026-03-01T12:34",
            "2026-03-01T12:34:56+1",
            "now",
            "",
        ] {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_in_every_form_of_the_manual() {
        for (text, expected) in [
            ("00:00:00", 0),
            ("01:02:03", 3723),
            ("2-01:02:03", 176_523),
            ("02:03", 123),
            ("02:03.456", 123),
            ("1-12", 129_600),
            ("1-12:30", 131_400),
        ] {
            assert_eq!(length(text), Some(expected), "{text}");
        }
        for wrong in ["", "UNLIMITED", "12", "-1:00:00", "1:2:3:4", "a:b", "1-"] {
            assert_eq!(length(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn converted_numbers_are_multiples_of_1024() {
        for (text, expected) in
            [("96", 96), ("2K", 2048), ("1.50K", 1536), ("1.95K", 1996), ("3M", 3 << 20)]
        {
            assert_eq!(converted(text), Some(expected), "{text}");
        }
        for wrong in ["K", "1.K", ".5K", "1.2.3K", "2k", "-1K", "1.1234567K", "99999999999G"] {
            assert_eq!(converted(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn gpus_are_counted_once() {
        assert_eq!(gpus("billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,node=1"), Some(2));
        assert_eq!(gpus("gres/gpu:a100=2,gres/gpu:v100=1"), Some(3));
        assert_eq!(gpus("cpu=8,mem=16G,node=1"), Some(0));
        assert_eq!(gpus("gres/gpu=x"), None);
    }
}
