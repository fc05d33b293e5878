use schemars::schema_for;

use super::*;

const PART: Bounds<'_> = Bounds::of("a part").above(0.0).to(1.0);

parameters! {
    /// A table.
    #[serde(default)]
    pub struct Table {
        part: f64 as PART = 0.5,
        parts: Vec<f64> as (Many::new(1, 9, PART)) = vec![0.5],
    }
    where part_is_large
}

impl Table {
    fn part_is_large(&self) -> Result<(), Invalid> {
        if self.part < 0.5 { Err(Invalid::new("part", "it is small")) } else { Ok(()) }
    }
}

parameters! {
    /// A choice.
    pub enum Choice {
        Nothing {},
        OneNumber(number: f64 as PART),
        Table(table: Table as Inside),
        Keys {
            part: Option<f64> as PART,
        },
    }
}

#[test]
fn refusals_say_what_it_is_not_and_what_may_be_given() {
    let check = |bounds: Bounds<'_>, number: f64, expected: &str| {
        assert_eq!(bounds.refusal(number).unwrap_or_default(), expected, "{bounds:?} {number}");
    };
    check(PROBABILITY, 0.0, "");
    check(PROBABILITY, 1.0, "");
    check(PROBABILITY, 1.5, "1.5 is not a probability; give a number from 0 to 1");
    check(PROBABILITY, f64::NAN, "NaN is not a probability; give a number from 0 to 1");
    check(PART, 0.0, "0 is not a part; give a number above 0, at most 1");
    check(PART, f64::INFINITY, "inf is not a part; give a number above 0, at most 1");
    check(ONE_OR_MORE, 0.0, "0 is too small; give a whole number, 1 or more");
    let time = Bounds::of("a time").unit("units of time");
    check(time.from(1e-6).to(1e9), 0.0, "0 is not a time; give units of time from 1e-6 to 10^9");
    check(time.above(0.0), -1.0, "-1 is not a time; give units of time above 0");
    check(time.above(0.0), f64::INFINITY, "inf is not a time; give units of time above 0");
    check(time, f64::NAN, "NaN is not a time; give a finite number");
    let small = Bounds { below: Some(1.0), ..Bounds::of("").above(0.0) };
    check(small, 1.0, "1 is too large; give a number above 0, below 1");
    check(small, f64::NAN, "NaN is not a number; give a number above 0, below 1");
}

#[test]
fn lists_are_too_short_or_too_long() {
    let check = |length, least, most, expected: &str| {
        assert_eq!(count_refusal(length, least, most).unwrap_or_default(), expected);
    };
    check(24, 24, 24, "");
    check(7, 24, 24, "this list has 7; give 24");
    check(0, 1, usize::MAX, "this list is empty; give 1 or more");
    check(1, 2, usize::MAX, "this list has 1; give 2 or more");
    check(21, 0, 20, "this list has 21; give at most 20");
}

#[test]
fn a_choice_and_its_table_name_the_field_that_is_wrong() {
    let first = |options: &Choice| options.check().map_err(|wrong| wrong.field);
    let table = |part, parts| Table { part, parts };
    assert_eq!(first(&Choice::Table(table(0.5, vec![0.5]))), Ok(()));
    assert_eq!(first(&Choice::Nothing {}), Ok(()));
    assert_eq!(first(&Choice::Table(table(0.5, Vec::new()))), Err("table.parts".to_owned()));
    assert_eq!(first(&Choice::Table(table(0.5, vec![1.0, 0.0]))), Err("table.parts[1]".to_owned()));
    assert_eq!(first(&Choice::Table(table(0.25, vec![1.0]))), Err("table.part".to_owned()));
    assert_eq!(first(&Choice::OneNumber(2.0)), Err("one_number".to_owned()));
    assert_eq!(first(&Choice::Keys { part: Some(2.0) }), Err("keys.part".to_owned()));
    assert_eq!(first(&Choice::Keys { part: None }), Ok(()));
}

#[test]
fn the_schema_has_the_bounds_and_their_words() {
    let schema = schema_for!(Table);
    let part = json!({
        "type": "number", "format": "double", "default": 0.5,
        "maximum": 1, "exclusiveMinimum": 0, "words": ["a part", ""],
    });
    assert_eq!(schema.get("properties").unwrap()["part"], part);
    let parts = &schema.get("properties").unwrap()["parts"];
    assert_eq!((&parts["minItems"], &parts["items"]["maximum"]), (&json!(1), &json!(1)));
    let read = Bounds::of_schema(|keyword| part.get(keyword));
    assert_eq!(read, PART);
}
