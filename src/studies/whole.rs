//! Whole tables: a reading of the paper that would rescue one row is judged on all of them.
//!
//! A paper leaves choices open, and a program that tries many finds one that meets any single row. So
//! a row *depends* on a reading only if the reading meets the row's whole table or figure.

use super::row::Row;
use super::verdict::Verdict;

/// Largest share of figures that differ if a table is matched; by chance it is one in twenty.
const MET: f64 = 0.1;

/// Numbers of figures by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    agree: usize,
    differ: usize,
    open: usize,
}

impl Counts {
    /// Counts the rows of a whole table; every one must be a comparison.
    pub fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Counts {
        let mut counts = Counts::default();
        for row in rows {
            match row.verdict {
                Verdict::Agrees | Verdict::Compatible => counts.agree += 1,
                Verdict::Open => counts.open += 1,
                _ => counts.differ += 1,
            }
        }
        counts
    }

    /// Share of the figures that differ.
    pub fn share(&self) -> f64 {
        self.differ as f64 / (self.agree + self.differ + self.open).max(1) as f64
    }

    /// True if no more figures differ than a matched table may have.
    pub(crate) fn is_met(&self) -> bool {
        self.share() <= MET
    }

    /// Verdict on a table; if most figures are undecided it is open, even if none differs.
    pub fn verdict(&self) -> Verdict {
        match (self.is_met(), self.open > self.agree + self.differ) {
            (false, _) => Verdict::Differs,
            (true, true) => Verdict::Open,
            (true, false) => Verdict::Agrees,
        }
    }

    /// The counts in words.
    pub fn told(&self) -> String {
        let Counts { agree, differ, open } = self;
        format!("{agree} agree, {differ} differ, {open} are too close to tell")
    }
}

/// Marks rows that differ as dependent on a reading, if the reading meets the whole table.
///
/// `rows` are all rows of a table or figure that test a reading, and `read` the same under the other
/// reading. Returns true if the reading meets them.
pub fn depend<'r>(rows: impl IntoIterator<Item = &'r mut Row>, read: &[Row], reason: &str) -> bool {
    let is_met = Counts::of(read.iter()).verdict() == Verdict::Agrees;
    for row in rows.into_iter().filter(|_| is_met) {
        row.verdict = row.verdict.clone().or(Verdict::Depends(reason.to_owned()));
    }
    is_met
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(agree: usize, differ: usize, open: usize) -> Counts {
        Counts { agree, differ, open }
    }

    #[test]
    fn a_table_is_met_as_a_whole_or_not() {
        assert_eq!(counts(45, 5, 0).verdict(), Verdict::Agrees);
        assert_eq!(counts(44, 6, 0).verdict(), Verdict::Differs);
        assert_eq!(counts(20, 4, 26).verdict(), Verdict::Open);
    }

    /// One row that a reading meets does not depend on it, if the reading misses another row.
    #[test]
    fn a_reading_must_meet_all_rows() {
        let row = |holds| Row::new("T-1", "1", "it holds").holds(holds);
        for (read, expected) in [([true, true], "depends"), ([true, false], "differs")] {
            let mut own = [row(false), row(true)];
            assert_eq!(depend(&mut own, &read.map(row), "if read so"), expected == "depends");
            assert_eq!(own.map(|row| row.verdict.name()), [expected, "agrees"]);
        }
    }
}
