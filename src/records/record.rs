//! One type for a line of each CSV file. It names the columns once, in order; the run writes lines by
//! it, and the audit and `explain` read them back.
//!
//! A line is written without an allocation, as files may have millions of them.

use super::field::Kind;
use super::recorded::{RecordedError, Row};
use super::text::Text;

/// A line of a CSV file.
pub trait Record<'a>: Sized {
    /// Types of the columns, in order.
    const KINDS: &'static [Kind];

    /// Appends the line.
    fn put(&self, out: &mut Text);

    /// Reads the line of a row; columns may be in any order.
    ///
    /// # Errors
    /// If a column is missing or has something else in it.
    fn read(row: &Row<'a>) -> Result<Self, RecordedError>;
}

/// Defines the type of a line from one line for each column: name, type and meaning.
///
/// Beside it, `COLUMNS` are the names in order, `described` has their meanings and types too, and `write_header`
/// writes the names. A column after a `+` is a last one that not every file has, and none has two of: in
/// others its field is `None`. Its name is a module with the `write_header` of files that have it.
#[macro_export]
#[doc(hidden)]
macro_rules! record {
    ($(#[$doc:meta])* $Record:ident<$a:lifetime>; $($columns:tt)+) => {
        $crate::record::record! { @ $(#[$doc])* $Record [<$a>] $a; $($columns)+ }
    };
    ($(#[$doc:meta])* $Record:ident; $($columns:tt)+) => {
        $crate::record::record! { @ $(#[$doc])* $Record [] 'a; $($columns)+ }
    };
    (
        @ $(#[$doc:meta])* $Record:ident [$($generics:tt)*] $a:lifetime;
        $($column:ident: $type:ty, $about:literal;)+
        $(+ $extra:ident: $of_extra:ty, $about_extra:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Record $($generics)* {
            $(#[doc = $about] pub $column: $type,)+
            $(#[doc = $about_extra] pub $extra: Option<$of_extra>,)*
        }

        /// Column names, in order.
        pub const COLUMNS: &[&str] = &[$(stringify!($column)),+];

        /// Names, meanings and types of the columns, and of those that not every file has.
        pub fn described() -> Vec<(&'static str, &'static str, $crate::field::Kind)> {
            let names = [$(stringify!($column),)+ $(stringify!($extra),)*];
            let meanings = [$($about,)+ $($about_extra,)*];
            let kinds = <$Record as $crate::record::Record<'_>>::KINDS;
            let columns = names.into_iter().zip(meanings).zip(kinds);
            columns.map(|((name, meaning), &kind)| (name, meaning, kind)).collect()
        }

        /// Writes the header line.
        ///
        /// # Errors
        /// If `out` does.
        pub fn write_header(out: &mut impl std::io::Write) -> std::io::Result<()> {
            writeln!(out, "{}", COLUMNS.join(","))
        }

        $(
            /// Writes the header line of a file that has this last column.
            pub mod $extra {
                /// Writes the header line with the column.
                ///
                /// # Errors
                /// If `out` does.
                pub fn write_header(out: &mut impl std::io::Write) -> std::io::Result<()> {
                    writeln!(out, "{},{}", super::COLUMNS.join(","), stringify!($extra))
                }
            }
        )*

        impl<$a> $crate::record::Record<$a> for $Record $($generics)* {
            const KINDS: &'static [$crate::field::Kind] = &[
                $(<$type as $crate::field::Field<$a>>::KIND,)+
                $(<$of_extra as $crate::field::Field<$a>>::KIND,)*
            ];

            #[inline]
            fn put(&self, out: &mut $crate::text::Text) {
                $($crate::field::Field::put(&self.$column, out); out.push(b',');)+
                $(if let Some(extra) = &self.$extra {
                    $crate::field::Field::put(extra, out);
                    out.push(b',');
                })*
                out.pop();
                out.push(b'\n');
            }

            fn read(
                row: &$crate::recorded::Row<$a>,
            ) -> Result<Self, $crate::recorded::RecordedError> {
                let mut place = 0..;
                let mut next = || place.next().unwrap_or_default();
                let is_there = row.begins(COLUMNS);
                Ok($Record {
                    $($column: row.field_at(is_there, next(), stringify!($column))?,)+
                    $($extra: row.has(stringify!($extra)).then(|| row.field(next(), stringify!($extra))).transpose()?,)*
                })
            }
        }
    };
}

pub use record;

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::path::Path;

    use super::*;
    use crate::field::Field;
    use crate::recorded::Layout;
    use kernel::time::{Span, Time, Units};
    use model::interval_set::IntervalSet;
    use proptest::prelude::*;

    record! {
        /// A line with a column of each type.
        Line<'a>;
        whole: u64, "A whole number.";
        is_so: bool, "Yes or no.";
        number: f64, "A number.";
        sum: i128, "A sum.";
        span: Option<Span>, "A span.";
        time: Time, "A time.";
        name: &'a str, "A text.";
        processors: Option<Cow<'a, IntervalSet>>, "Processors.";
        law: Cow<'a, [f64]>, "Numbers.";
    }

    fn read(text: &str) -> Result<(), RecordedError> {
        assert!(described().iter().map(|one| one.0).eq(COLUMNS.iter().copied()));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        let (path, line, number) = (Path::new("x.csv"), 2, 2);
        let layout = &Layout::default();
        let row = Row { record: &record, columns: &columns, path, line, number, layout };
        let line = Line::read(&row)?;
        let mut again = Text::default();
        write_header(&mut again).unwrap();
        line.put(&mut again);
        assert_eq!(String::from_utf8(again.into_bytes()).unwrap(), text);
        Ok(())
    }

    const HEADER: &str = "whole,is_so,number,sum,span,time,name,processors,law\n";

    proptest! {
        /// Lines survive reading and writing; the CSV reader of another crate reads them too.
        #[test]
        fn lines_are_read_as_they_were_written(
            whole in any::<u64>(),
            is_so in any::<bool>(),
            numbers in proptest::collection::vec(-1e300_f64..1e300, 1..4),
            sum in -(i128::from(i64::MAX) * 5)..i128::from(i64::MAX) * 5,
            span in proptest::option::of(0..i64::MAX),
            name in "[ -~]{0,9}|[,\"a\n]{0,5}",
        ) {
            let processors: IntervalSet = "1 3-5".parse().unwrap();
            let line = Line {
                whole,
                is_so,
                number: numbers[0],
                sum,
                span: span.map(Span::from_ticks),
                time: Time::from_ticks(1_500_000),
                name: &name,
                processors: is_so.then_some(Cow::Borrowed(&processors)),
                law: Cow::Borrowed(&numbers[1..]),
            };
            let mut text = Text::from(HEADER.as_bytes().to_vec());
            line.put(&mut text);
            read(&String::from_utf8(text.into_bytes()).unwrap()).unwrap();
        }

        /// Files have the digits that the standard library writes.
        #[test]
        fn numbers_and_sets_are_written_as_the_standard_library_writes_them(
            number in prop_oneof![
                any::<f64>(),
                -1e4..1e4_f64,
                (any::<u32>(), 1..9_000_000_u32).prop_map(|(a, b)| f64::from(a) / f64::from(b)),
                (0..1_u64 << 54).prop_map(|whole| whole as f64),
                (-30..30_i32).prop_map(|power| 10_f64.powi(power)),
                (any::<u64>(), 0..64_u32, 0..64_i32)
                    .prop_map(|(a, less, power)| (a >> less) as f64 / 2_f64.powi(power)),
            ],
            sum in any::<i128>(),
            less in 0..128_u32,
            processors in proptest::collection::btree_set(0..200_u32, 0..30),
        ) {
            fn written<'a>(field: impl Field<'a>) -> String {
                let mut text = Text::default();
                field.put(&mut text);
                String::from_utf8(text.into_bytes()).unwrap()
            }
            prop_assert_eq!(written(number), number.to_string());
            let sum = sum >> less;
            prop_assert_eq!(written(sum), Units(sum).to_string());
            let words: Vec<String> = processors.iter().map(u32::to_string).collect();
            let processors: IntervalSet = words.join(" ").parse().unwrap();
            prop_assert_eq!(written(Cow::Borrowed(&processors)), processors.to_string());
        }
    }

    #[test]
    fn what_no_run_writes_is_refused_by_column() {
        let told = |line: &str| read(&format!("{HEADER}{line}\n")).unwrap_err().to_string();
        assert_eq!(told("1,2,1,1,1,1,a,,"), "x.csv: line 2: is_so is `2`, not 0 or 1");
        assert!(told("-1,1,1,1,1,1,a,,").contains("whole is `-1`, not a whole number"));
        assert!(told("1,1,1,1e3,1,1,a,,").contains("sum is `1e3`"));
        assert!(told("1,1,1,1,-1,1,a,,").contains("span is `-1`, not a time: from 0"));
        assert!(told("1,1,1,1,1,,a,,").contains("time is ``"));
        assert!(told("1,1,1,1,1,1,a,9-1,").contains("processors is `9-1`, not processors"));
        assert!(told("1,1,1,1,1,1,a,,0.5;1").contains("law is `0.5;1`, not numbers with blanks"));
        let missing = read("whole,is_so\n1,1\n").unwrap_err().to_string();
        assert_eq!(missing, "x.csv: there is no column `number`");
    }
}
