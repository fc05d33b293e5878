//! No header claims a figure that nothing compares.
//!
//! A table lists, by scenario, phrases of its header, each with where its number comes from:
//!
//! - `grid.wait_mean` or `ctc.wait_p95`: a figure of `summary.json`, of the grid or of an
//!   organization, rounded as it is written (a number with `%` is a share);
//! - `fairness.jain_of_mean_flow`: one of its fairness;
//! - `kth-sp2-easy: grid.wait_mean`: one of another scenario;
//! - `learning typical-1..9 final_level`, `social as_learned flow_mean`: of a coalition, a row of
//!   one of its tables and a column;
//! - `served`: how many organizations had jobs that ended;
//! - `starts 3 1 2`: when these jobs started, one number each;
//! - `set`: the numbers stand in the scenario below its header;
//! - `word`: no figure of the run: a year, a quantile, arithmetic.
//!
//! Each phrase must occur, and each number of a header in a phrase.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::gallery::Shown;

/// Phrases and where their numbers come from, by scenario.
pub type Table = BTreeMap<String, BTreeMap<String, String>>;

/// A number as it is written, and where it begins in its text.
#[derive(Debug, PartialEq)]
struct Number {
    at: usize,
    /// Without the blanks between thousands.
    digits: String,
    is_percent: bool,
}

/// The numbers of a text: `6 419`, `86.4`, `80.0%`; not those within a name such as KTH-SP2.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let in_name = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if !digit(at) || in_name {
            at += 1;
            continue;
        }
        let mut end = at;
        loop {
            end += bytes[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let point = bytes.get(end) == Some(&b'.') && digit(end + 1);
            let thousand = bytes.get(end) == Some(&b' ')
                && (1..=3).all(|ahead| digit(end + ahead))
                && !digit(end + 4);
            if !point && !thousand {
                break;
            }
            end += 1;
        }
        let is_percent = bytes.get(end) == Some(&b'%');
        // A name may begin with digits.
        if !bytes.get(end).is_some_and(u8::is_ascii_alphabetic) {
            // A minus sign stands behind a blank or nothing and before a digit; else it is a dash.
            let is_minus = at > 0
                && bytes[at - 1] == b'-'
                && (at == 1 || matches!(bytes[at - 2], b' ' | b'(' | b'\n'));
            let digits = text[at..end].replace(' ', "");
            let digits = if is_minus { format!("-{digits}") } else { digits };
            found.push(Number { at, digits, is_percent });
        }
        at = end;
    }
    found
}

impl Number {
    /// Is this the value, rounded to as many decimals as are written?
    fn states(&self, value: f64) -> bool {
        let decimals = self.digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let value = if self.is_percent { value * 100.0 } else { value };
        format!("{value:.decimals$}") == self.digits
    }
}

/// A figure of a run.
fn figure(shown: &Shown, path: &str) -> Option<f64> {
    let organizations = shown.summary["organizations"].as_array()?;
    if path == "served" {
        let each = organizations.split_last()?.1;
        return Some(each.iter().filter(|one| one["finished"] != 0).count() as f64);
    }
    if let [table, name, column] = path.split(' ').collect::<Vec<_>>()[..] {
        let rows = shown.summary[table].as_array()?;
        let key = if table == "social" { "outcome" } else { "organization" };
        return rows.iter().find(|row| row[key] == name)?[column].as_f64();
    }
    let (owner, path) = path.split_once('.')?;
    let name = if owner == "grid" { "*" } else { owner };
    let of = match owner {
        "fairness" => &shown.summary[owner],
        _ => organizations.iter().find(|one| one["organization"] == name)?,
    };
    match &of[path] {
        Value::String(sum) => sum.parse().ok(),
        value => value.as_f64(),
    }
}

/// The error in a phrase, if any.
fn check(
    gallery: &BTreeMap<String, Shown>,
    shown: &Shown,
    stated: &[Number],
    source: &str,
) -> Result<(), String> {
    if source == "word" {
        return Ok(());
    }
    let values: Vec<Option<f64>> = if source == "set" {
        let set: Vec<f64> =
            numbers(&shown.header.body).iter().filter_map(|one| one.digits.parse().ok()).collect();
        let find = |one: &Number| set.iter().copied().find(|&value| one.states(value));
        stated.iter().map(find).collect()
    } else if let Some(jobs) = source.strip_prefix("starts ") {
        let start = |job: &str| shown.starts.get(&job.parse().ok()?).copied();
        jobs.split(' ').map(start).collect()
    } else if let Some((other, path)) = source.split_once(": ") {
        vec![gallery.get(other).and_then(|other| figure(other, path))]
    } else {
        vec![figure(shown, source)]
    };
    if values.len() != stated.len() {
        return Err(format!("{} numbers, but {} of `{source}`", stated.len(), values.len()));
    }
    for (number, value) in stated.iter().zip(values) {
        let Some(value) = value else { return Err(format!("there is no such `{source}`")) };
        if !number.states(value) {
            return Err(format!("`{source}` is {value}"));
        }
    }
    Ok(())
}

/// All that is wrong with the headers or with the table.
pub fn compare(gallery: &BTreeMap<String, Shown>, table: &Table) -> Vec<String> {
    let mut wrong = Vec::new();
    for name in table.keys().filter(|name| !gallery.contains_key(*name)) {
        wrong.push(format!("{name}: there is no such scenario"));
    }
    let nothing = BTreeMap::new();
    for (name, shown) in gallery {
        let text = format!("{} {}", shown.header.question, shown.header.expectation);
        let stated = numbers(&text);
        let mut covered = vec![false; stated.len()];
        for (phrase, source) in table.get(name).unwrap_or(&nothing) {
            let Some(at) = text.find(phrase) else {
                wrong.push(format!("{name}: the header does not say `{phrase}`"));
                continue;
            };
            let inside = |number: &&Number| (at..at + phrase.len()).contains(&number.at);
            let first = stated.iter().take_while(|number| number.at < at).count();
            let count = stated.iter().filter(inside).count();
            covered[first..first + count].fill(true);
            if let Err(why) = check(gallery, shown, &stated[first..first + count], source) {
                wrong.push(format!("{name}: `{phrase}`: {why}"));
            }
        }
        for (number, _) in stated.iter().zip(covered).filter(|(_, covered)| !covered) {
            wrong.push(format!("{name}: nothing compares `{}` of the header", number.digits));
        }
    }
    wrong
}

#[test]
fn numbers_are_found_and_rounded() {
    let found = |text| numbers(text).into_iter().map(|one| one.digits).collect::<Vec<_>>();
    assert_eq!(
        found("KTH-SP2 (27 992 jobs): 6 419 s, 0, 10, 2 and 80.0%. 1996-1997; 1 / (1 - 0.8)"),
        ["27992", "6419", "0", "10", "2", "80.0", "1996", "1997", "1", "1", "0.8"]
    );
    assert_eq!(found("p95 of M/M/1, 3rd, 12 of 100 000 000 at 5."), ["1", "12", "100000000", "5"]);
    let states = |text: &str, value| numbers(text)[0].states(value);
    assert_eq!(found("a score of -0.44, 5 - 3, x-2 and (-7)"), ["-0.44", "5", "3", "2", "-7"]);
    assert!(states("-0.44", -0.4361) && !states("-0.44", 0.4361));
    assert!(states("6 419 s", 6419.03) && states("80.0%", 0.79961) && states("0.25", 0.2499));
    assert!(!states("6 419 s", 6419.6) && !states("80.0%", 0.79) && !states("4", 5.0));
}
