//! A value in a field of a CSV file: how it is written, and how it is read back.
//!
//! Reading is strict: a field that no run writes is refused.

use std::borrow::Cow;
use std::io::Write as _;

use super::text::Text;
use kernel::time::{Span, Time, Units};
use model::interval_set::IntervalSet;
use workload::decimal::exact;

/// The type of a column's values, for readers with typed columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Yes or no: `1` and `0`, or `true` and `false`.
    Flag,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Texts, and lists.
    Text,
}

impl Kind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Flag => "flag",
            Kind::Whole => "whole",
            Kind::Number => "number",
            Kind::Text => "text",
        }
    }
}

/// A value in a field.
pub trait Field<'a>: Sized {
    /// Its type.
    const KIND: Kind = Kind::Text;
    /// Its form, for errors.
    const FORM: &'static str;
    /// Appends it.
    fn put(&self, line: &mut Text);
    /// Parses it; `None` if it has another form.
    fn parse(text: &'a str) -> Option<Self>;
}

macro_rules! whole {
    ($($type:ty)*) => { $(
        impl Field<'_> for $type {
            const KIND: Kind = Kind::Whole;
            const FORM: &'static str = "a whole number in its range";
            #[inline]
            fn put(&self, line: &mut Text) {
                line.whole(u64::from(*self));
            }
            fn parse(text: &str) -> Option<$type> {
                text.parse().ok()
            }
        }
    )* };
}

whole!(u32 u64);

/// Yes or no.
impl Field<'_> for bool {
    const KIND: Kind = Kind::Flag;
    const FORM: &'static str = "0 or 1";
    #[inline]
    fn put(&self, line: &mut Text) {
        line.push(b'0' + u8::from(*self));
    }
    fn parse(text: &str) -> Option<bool> {
        ["0", "1"].iter().position(|&word| word == text).map(|place| place == 1)
    }
}

/// A number with all its digits.
impl Field<'_> for f64 {
    const KIND: Kind = Kind::Number;
    const FORM: &'static str = "a number";
    #[inline]
    fn put(&self, line: &mut Text) {
        /// Numbers that are so many parts of a power of two have decimals that end soon.
        const PARTS: f64 = (1 << 25) as f64;
        let number = *self;
        if !(1e-5..PARTS).contains(&number) {
            let _ = write!(line, "{number}");
        } else if number == number.trunc() {
            line.whole(number as u64);
        } else if (number * PARTS).fract() == 0.0 {
            // The last digit may be halfway between two, of which the standard library takes the
            // higher one.
            let _ = write!(line, "{number}");
        } else {
            line.bytes(zmij::Buffer::new().format_finite(number).as_bytes());
        }
    }
    fn parse(text: &str) -> Option<f64> {
        text.parse().ok()
    }
}

/// A sum of ticks, as an exact decimal in units.
impl Field<'_> for i128 {
    const KIND: Kind = Kind::Number;
    const FORM: &'static str = "a number with at most six decimals";
    #[inline]
    fn put(&self, line: &mut Text) {
        match u64::try_from(*self) {
            Ok(ticks) => line.units(ticks),
            Err(_) => other_sum(*self, line),
        }
    }
    fn parse(text: &str) -> Option<i128> {
        exact(text)
    }
}

/// A sum that is negative or very large.
#[cold]
fn other_sum(ticks: i128, line: &mut Text) {
    let _ = write!(line, "{}", Units(ticks));
}

/// A span in units: neither negative nor endless, so differences cannot overflow.
impl Field<'_> for Span {
    const KIND: Kind = Kind::Number;
    const FORM: &'static str = "a time: from 0 to 9223372036854, with at most six decimals";
    #[inline]
    fn put(&self, line: &mut Text) {
        i128::from(self.ticks()).put(line);
    }
    fn parse(text: &str) -> Option<Span> {
        let ticks = i64::try_from(exact(text)?).ok()?;
        (0..i64::MAX).contains(&ticks).then(|| Span::from_ticks(ticks))
    }
}

/// A time in units, as a span from 0.
impl Field<'_> for Time {
    const KIND: Kind = Kind::Number;
    const FORM: &'static str = <Span as Field>::FORM;
    #[inline]
    fn put(&self, line: &mut Text) {
        (*self - Time::ZERO).put(line);
    }
    fn parse(text: &str) -> Option<Time> {
        Some(Time::ZERO + Span::parse(text)?)
    }
}

/// A text, quoted if CSV requires it (RFC 4180).
impl<'a> Field<'a> for &'a str {
    const FORM: &'static str = "a text";
    #[inline]
    fn put(&self, line: &mut Text) {
        line.quoted(self);
    }
    fn parse(text: &'a str) -> Option<&'a str> {
        Some(text)
    }
}

impl<'a> Field<'a> for Cow<'a, str> {
    const FORM: &'static str = "a text";
    #[inline]
    fn put(&self, line: &mut Text) {
        Field::put(&&**self, line);
    }
    fn parse(text: &'a str) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(text))
    }
}

/// Processors, as Batsim writes them.
impl Field<'_> for Cow<'_, IntervalSet> {
    const FORM: &'static str = "processors";
    #[inline]
    fn put(&self, line: &mut Text) {
        for (place, interval) in self.intervals().enumerate() {
            if place > 0 {
                line.push(b' ');
            }
            line.whole(u64::from(*interval.start()));
            if interval.start() != interval.end() {
                line.push(b'-');
                line.whole(u64::from(*interval.end()));
            }
        }
    }
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Cow::Owned)
    }
}

/// Numbers separated by blanks; an empty field has none.
impl Field<'_> for Cow<'_, [f64]> {
    const FORM: &'static str = "numbers with blanks between";
    #[inline]
    fn put(&self, line: &mut Text) {
        for (place, number) in self.iter().enumerate() {
            if place > 0 {
                line.push(b' ');
            }
            number.put(line);
        }
    }
    fn parse(text: &str) -> Option<Self> {
        text.split_ascii_whitespace().map(f64::parse).collect::<Option<Vec<f64>>>().map(Cow::Owned)
    }
}

/// A value that may be missing; the field is empty then.
impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    const KIND: Kind = T::KIND;
    const FORM: &'static str = T::FORM;
    #[inline]
    fn put(&self, line: &mut Text) {
        if let Some(value) = self {
            value.put(line);
        }
    }
    fn parse(text: &'a str) -> Option<Option<T>> {
        if text.is_empty() { Some(None) } else { T::parse(text).map(Some) }
    }
}
