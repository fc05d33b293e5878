//! One line of a trace: blank, comment, job or malformed.

use std::fmt;

use crate::decimal::{self, Unfit};
use kernel::time::TICKS_PER_UNIT;

/// The relevant columns of a job's line. Times are in ticks; negative means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub number: u64,
    pub submit: i64,
    pub wait: i64,
    pub runtime: i64,
    pub allocated: i64,
    pub requested: i64,
    pub estimate: i64,
    pub status: i64,
    pub user: i64,
    pub group: i64,
    pub queue: i64,
    pub partition: i64,
    /// It comes after another job, or a time after one.
    pub follows: bool,
    /// There are more columns than those of a job.
    pub has_more: bool,
}

impl Record {
    /// Is a part of a job's execution, and not a whole job.
    #[inline]
    pub fn is_part(&self) -> bool {
        (2..=4).contains(&self.status)
    }
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    Blank,
    Comment,
    Job(Record),
}

/// Number of required columns.
const COLUMNS: u32 = 18;

/// The reason why a line is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Columns {
        found: u32,
    },
    /// Lines are joined, as where a carriage return alone ends them.
    Joined,
    Field {
        column: u32,
        unfit: Unfit,
    },
}

/// The fault together with the text at its place.
pub(super) struct Described<'a>(pub Fault, pub &'a [u8]);

impl fmt::Display for Described<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, unfit) = match self.0 {
            Fault::Columns { found } => {
                return write!(out, "the line has {found} of {COLUMNS} columns");
            }
            Fault::Joined => {
                return out.write_str(
                    "several lines are joined in this one; each must end with LF or CR LF, so turn \
                     a CR alone into LF (`tr '\\r' '\\n'`)",
                );
            }
            Fault::Field { column, unfit } => (column, unfit),
        };
        let mut text = self.1.split(|&byte| blank(byte)).filter(|text| !text.is_empty());
        let text = text.nth(column as usize - 1).unwrap_or_default();
        let short: String = String::from_utf8_lossy(text).chars().take(40).collect();
        let expected = match unfit {
            Unfit::NotANumber => "is not a number",
            Unfit::NotWhole => "is not a whole number",
            Unfit::TooLarge => "is out of range",
        };
        write!(
            out,
            "column {column} ({}) is `{}`, which {expected}",
            name(column),
            short.escape_debug()
        )
    }
}

fn name(column: u32) -> &'static str {
    match column {
        1 => "job number",
        2 => "submit time",
        4 => "run time",
        5 => "allocated processors",
        8 => "requested processors",
        9 => "requested time",
        11 => "status",
        12 => "user",
        13 => "group",
        15 => "queue",
        16 => "partition",
        _ => "not read",
    }
}

#[inline]
fn blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Parses any line, carefully.
#[inline]
pub(super) fn parse(line: &[u8]) -> Result<Parsed, Fault> {
    let at = line.iter().position(|&byte| !blank(byte)).unwrap_or(line.len());
    match line.get(at) {
        None => return Ok(Parsed::Blank),
        Some(b';') if is_joined(line) => return Err(Fault::Joined),
        Some(b';') => return Ok(Parsed::Comment),
        Some(_) => {}
    }
    match job(line, at) {
        Ok(record) => Ok(Parsed::Job(record)),
        Err(fault) => Err(counted(line, fault)),
    }
}

/// Reports too few columns first, whatever else is wrong with a line.
#[cold]
fn counted(line: &[u8], fault: Fault) -> Fault {
    let columns = line.split(|&byte| blank(byte)).filter(|text| !text.is_empty());
    match columns.count() as u32 {
        found if found < COLUMNS => Fault::Columns { found },
        _ => fault,
    }
}

/// True if a carriage return stands before other text.
fn is_joined(line: &[u8]) -> bool {
    let end = line.iter().rposition(|&byte| !blank(byte)).unwrap_or(0);
    line[..end].contains(&b'\r')
}

#[inline]
fn job(line: &[u8], at: usize) -> Result<Record, Fault> {
    record(&mut Careful { line, at, column: 0 })
}

/// The columns of a line from left to right; each call takes the next one.
pub(super) trait Columns {
    /// Why a column is refused.
    type Refusal;

    /// Reads a whole number of at most `limit`; any negative one means unknown.
    fn whole(&mut self, limit: i64) -> Result<i64, Self::Refusal>;

    /// Reads seconds, in ticks.
    fn ticks(&mut self) -> Result<i64, Self::Refusal>;

    /// Reads seconds, in ticks; a column that is no time means unknown.
    fn ticks_if_known(&mut self) -> Result<i64, Self::Refusal>;

    /// Passes over a column.
    fn skip(&mut self) -> Result<(), Self::Refusal>;

    /// Reads whether a column has a number above 0.
    fn is_positive(&mut self) -> Result<bool, Self::Refusal>;

    /// Reads whether there are more columns.
    fn has_more(&mut self) -> Result<bool, Self::Refusal>;

    /// Refuses a number that is out of range.
    fn out_of_range(&self) -> Self::Refusal;
}

/// Reads a job's 18 columns.
#[inline(always)]
pub(super) fn record<C: Columns>(columns: &mut C) -> Result<Record, C::Refusal> {
    let number = columns.whole(i64::MAX)?;
    let number = u64::try_from(number).map_err(|_| columns.out_of_range())?;
    let submit = columns.ticks()?;
    let wait = columns.ticks_if_known()?;
    let runtime = columns.ticks()?;
    let allocated = columns.whole(U32)?;
    columns.skip()?;
    columns.skip()?;
    let requested = columns.whole(U32)?;
    let estimate = columns.ticks()?;
    columns.skip()?;
    let status = columns.whole(i64::MAX)?;
    let user = columns.whole(U32)?;
    let group = columns.whole(U32)?;
    columns.skip()?;
    let queue = columns.whole(i64::MAX)?;
    let partition = columns.whole(i64::MAX)?;
    let follows = columns.is_positive()? | columns.is_positive()?;
    let has_more = columns.has_more()?;
    Ok(Record {
        number,
        submit,
        wait,
        runtime,
        allocated,
        requested,
        estimate,
        status,
        user,
        group,
        queue,
        partition,
        follows,
        has_more,
    })
}

const U32: i64 = u32::MAX as i64;

/// The columns of any line, each an exact decimal.
struct Careful<'a> {
    line: &'a [u8],
    at: usize,
    column: u32,
}

impl<'a> Careful<'a> {
    /// Takes the text of the next column.
    fn next(&mut self) -> Result<&'a [u8], Fault> {
        let rest = &self.line[self.at..];
        let Some(begin) = rest.iter().position(|&byte| !blank(byte)) else {
            return Err(Fault::Columns { found: self.column });
        };
        let rest = &rest[begin..];
        let length = rest.iter().position(|&byte| blank(byte)).unwrap_or(rest.len());
        self.at += begin + length;
        self.column += 1;
        Ok(&rest[..length])
    }

    #[cold]
    fn fault(&self, unfit: Unfit) -> Fault {
        Fault::Field { column: self.column, unfit }
    }
}

impl Columns for Careful<'_> {
    type Refusal = Fault;

    fn whole(&mut self, limit: i64) -> Result<i64, Fault> {
        let value = decimal::whole(self.next()?).map_err(|unfit| self.fault(unfit))?;
        if value > limit { Err(self.out_of_range()) } else { Ok(value) }
    }

    fn ticks(&mut self) -> Result<i64, Fault> {
        let text = self.next()?;
        match decimal::ticks(text) {
            Ok(ticks) => Ok(ticks.max(-TICKS_PER_UNIT)),
            Err(Unfit::TooLarge) if text[0] == b'-' => Ok(-TICKS_PER_UNIT),
            Err(unfit) => Err(self.fault(unfit)),
        }
    }

    fn ticks_if_known(&mut self) -> Result<i64, Fault> {
        match self.ticks() {
            Err(Fault::Field { .. }) => Ok(-TICKS_PER_UNIT),
            other => other,
        }
    }

    fn skip(&mut self) -> Result<(), Fault> {
        self.next().map(|_| ())
    }

    fn is_positive(&mut self) -> Result<bool, Fault> {
        self.next().map(|text| matches!(text[0], b'1'..=b'9'))
    }

    fn has_more(&mut self) -> Result<bool, Fault> {
        let more = (0..COLUMNS).take_while(|_| self.next().is_ok()).count() as u32;
        if more == COLUMNS || more > 0 && is_joined(self.line) {
            return Err(Fault::Joined);
        }
        Ok(more > 0)
    }

    fn out_of_range(&self) -> Fault {
        self.fault(Unfit::TooLarge)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fast;
    use super::super::input::AHEAD;
    use super::*;
    use proptest::prelude::*;

    /// Runs the fast parser on a line followed by other text.
    fn usual(line: &str, after: &str) -> Option<Record> {
        let mut buffer = format!("{line}\n{after}").into_bytes();
        buffer.resize(buffer.len() + AHEAD, b'7');
        let (length, record) = fast::usual(buffer.first_chunk().unwrap())?;
        assert_eq!(length, line.len());
        Some(record)
    }

    const S: i64 = TICKS_PER_UNIT;

    const USUAL: Record = Record {
        number: 15,
        submit: 599_850 * S,
        wait: -S,
        runtime: 3477 * S,
        allocated: 4,
        requested: 8,
        estimate: 53_940 * S,
        status: 1,
        user: 12,
        group: 7,
        queue: -1,
        partition: 3,
        follows: false,
        has_more: false,
    };

    #[track_caller]
    fn check(line: &str, expected: Result<Parsed, &str>) {
        let found =
            parse(line.as_bytes()).map_err(|fault| Described(fault, line.as_bytes()).to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{line:?}");
    }

    #[test]
    fn a_line_of_18_columns_is_a_job_however_it_is_spaced() {
        for line in [
            "   15   599850     -1   3477    4     -1    -1    8  53940    -1  1  12   7  -1 -1  3 -1 -1",
            "15\t599850\t-1\t3477\t4\t-1\t-1\t8\t53940\t-1\t1\t12\t7\t-1\t-1\t3\t-1\t-1\r",
        ] {
            check(line, Ok(Parsed::Job(USUAL)));
        }
        let line =
            "15 599850.0 n/a 3477 4.0 14.5 -1 8 5.394e4 -1 1 12 7 word -1 3 -1 -1 19 20 more";
        check(line, Ok(Parsed::Job(Record { has_more: true, ..USUAL })));
        let line = "15 599850 -1 3477 4 -1 -1 8 53940 -1 1 12 7 -1 -1 3 14 60";
        check(line, Ok(Parsed::Job(Record { follows: true, ..USUAL })));
        let line = "15 599850 192180.5 3477 4 -1 -1 8 53940 -1 1 12 7 -1 -1 3 -1 -1";
        check(line, Ok(Parsed::Job(Record { wait: 192_180 * S + S / 2, ..USUAL })));
    }

    #[test]
    fn what_is_not_a_job() {
        check("", Ok(Parsed::Blank));
        check(" \t\r", Ok(Parsed::Blank));
        check("; MaxProcs: 100", Ok(Parsed::Comment));
        check("  ;", Ok(Parsed::Comment));
    }

    #[test]
    fn a_malformed_line_is_described() {
        let with = |column: usize, text: &str| {
            let mut columns = ["1"; 18];
            columns[column - 1] = text;
            columns.join(" ")
        };
        check("1 2 3", Err("the line has 3 of 18 columns"));
        check(&"1 ".repeat(17), Err("the line has 17 of 18 columns"));
        check(&with(4, "long"), Err("column 4 (run time) is `long`, which is not a number"));
        check(
            &with(5, "2.5"),
            Err("column 5 (allocated processors) is `2.5`, which is not a whole number"),
        );
        check(&with(1, "-3"), Err("column 1 (job number) is `-3`, which is out of range"));
        check(
            &with(8, "4294967296"),
            Err("column 8 (requested processors) is `4294967296`, which is out of range"),
        );
        check(
            &with(2, "1152921504607"),
            Err("column 2 (submit time) is `1152921504607`, which is out of range"),
        );
        check(
            &with(9, "99999999999999999999"),
            Err("column 9 (requested time) is `99999999999999999999`, which is out of range"),
        );
        let joined = "several lines are joined in this one; each must end with LF or CR LF, so turn \
                      a CR alone into LF (`tr '\\r' '\\n'`)";
        check(&"1 ".repeat(36), Err(joined));
        check(&format!("{}\r1 2", with(1, "1")), Err(joined));
        check("; MaxProcs: 100\r1 2 3\r", Err(joined));
        check(&with(12, "-"), Err("column 12 (user) is `-`, which is not a number"));
    }

    proptest! {
        /// Compares two parsers on one line: any result of the fast one equals the careful one's.
        #[test]
        fn the_fast_reading_is_the_careful_one(
            fields in proptest::collection::vec(
                prop_oneof![
                    6 => "-1|[0-9]{1,6}",
                    2 => "-?[0-9]{1,19}",
                    1 => "-?[0-9]{0,4}\\.[0-9]{0,3}|-|x|[0-9]{1,9}[-:;a/]|[0-9]{1,9}\u{e9}",
                ],
                17..21,
            ),
            gaps in proptest::collection::vec(
                prop_oneof![8 => "[ \t]{1,2}|[ ]{1,5}", 1 => "[\0-\x09\x0b-\x1f]"],
                21,
            ),
            edges in ("[ ]{0,9}", "[ \r]{0,3}"),
            after in "[0-9 -]{0,9}",
        ) {
            let pairs = fields.iter().zip(&gaps);
            let middle: String = pairs.flat_map(|(field, gap)| [gap.as_str(), field]).collect();
            let line = format!("{}{}{}", edges.0, &middle[gaps[0].len()..], edges.1);
            if let Some(record) = usual(&line, &after) {
                prop_assert_eq!(parse(line.as_bytes()), Ok(Parsed::Job(record)));
            }
        }

        #[test]
        fn usual_lines_are_read_fast(
            fields in proptest::collection::vec("-1|[1-9][0-9]{0,7}", 18),
            before in "[ ]{0,5}",
            after in "[0-9 -]{0,9}",
        ) {
            let mut fields = fields;
            fields[0] = fields[0].replace("-1", "0");
            let line = before + &fields.join(" ");
            prop_assume!(line.len() < 128);
            let record = usual(&line, &after);
            prop_assert!(record.is_some());
            prop_assert_eq!(parse(line.as_bytes()), Ok(Parsed::Job(record.unwrap_or_default())));
        }

        /// Against a slow parser: split the line, then convert every column as an exact decimal.
        #[test]
        fn the_fast_path_reads_what_the_slow_one_reads(
            fields in proptest::collection::vec(
                "-?[0-9]{1,20}|-?[0-9]{1,4}\\.[0-9]{0,8}|x",
                17..20,
            ),
            gap in "[ \t]{1,3}",
        ) {
            let line = fields.join(&gap);
            let ticks = |column: usize| decimal::ticks(fields[column - 1].as_bytes());
            let whole = |column: usize| decimal::whole(fields[column - 1].as_bytes());
            match parse(line.as_bytes()) {
                Ok(Parsed::Job(record)) => {
                    prop_assert_eq!(Ok(record.number as i64), whole(1));
                    let times = [(2, record.submit), (4, record.runtime), (9, record.estimate)];
                    for (column, value) in times {
                        let unknown = value < 0 && fields[column - 1].starts_with('-');
                        prop_assert!(ticks(column) == Ok(value) || unknown);
                    }
                    match ticks(3) {
                        Ok(wait) if wait >= 0 => prop_assert_eq!(record.wait, wait),
                        _ => prop_assert!(record.wait < 0),
                    }
                    let numbers =
                        [(5, record.allocated), (11, record.status), (16, record.partition)];
                    for (column, value) in numbers {
                        prop_assert_eq!(whole(column), Ok(value));
                    }
                }
                Ok(_) => prop_assert!(false, "a line of fields is neither blank nor a comment"),
                Err(Fault::Joined) => prop_assert!(false, "a line has fewer than 36 fields"),
                Err(Fault::Columns { found }) => prop_assert_eq!(found as usize, fields.len()),
                Err(Fault::Field { column, .. }) => {
                    let column = column as usize;
                    let timed = [2, 4, 9].contains(&column);
                    let refused = if timed {
                        ticks(column).is_err()
                    } else {
                        whole(column).map_or(true, |value| !(0..=U32).contains(&value))
                    };
                    prop_assert!(refused);
                }
            }
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Err(fault) = parse(&bytes) {
                let _ = Described(fault, &bytes).to_string();
            }
        }
    }
}
