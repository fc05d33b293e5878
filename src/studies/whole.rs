//! Whole tables: a reading of the paper that would rescue one row is judged on all of them.
//!
//! A paper leaves choices open, and a program that tries many finds one that meets any single row. So
//! a row *depends* on a reading only if the reading meets the row's whole table or figure.
//!
//! Of a table that is met, one row in twenty differs by chance. So its rows are tested together: it is
//! missed if for some k the k least likely of its n differences are each less likely than 5% k / n
//! (Simes, Biometrika 73, 1986). That holds for rows on the same draws, whose errors go together.

use super::row::Row;
use super::verdict::Verdict;
use stats::interval::Level;

/// Numbers of figures by verdict, and how likely their differences are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    agree: usize,
    differ: usize,
    open: usize,
    /// Probability of each difference by chance; 0 or 1 of what is no measured value.
    chances: Vec<f64>,
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
            let is_missed = matches!(row.verdict, Verdict::Differs | Verdict::Errs(_));
            counts.chances.push(row.chance.unwrap_or(if is_missed { 0.0 } else { 1.0 }));
        }
        counts
    }

    /// Share of the figures that differ.
    pub fn share(&self) -> f64 {
        self.differ as f64 / (self.agree + self.differ + self.open).max(1) as f64
    }

    /// True if the differences may all be chance.
    pub(crate) fn is_met(&self) -> bool {
        let mut chances = self.chances.clone();
        chances.sort_by(f64::total_cmp);
        let level = (1.0 - Level::default().share()) / chances.len().max(1) as f64;
        (1..).zip(chances).all(|(rank, chance)| chance > level * f64::from(rank))
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
        let Counts { agree, differ, open, .. } = self;
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

    /// One row of twenty may have a probability of 1%, but not of 0.2%; two may not both have 0.4%.
    #[test]
    fn a_table_is_met_as_a_whole_or_not() {
        let verdict = |least: &[f64], open: usize| {
            let mut chances = vec![0.5; 20];
            chances[..least.len()].copy_from_slice(least);
            let (agree, differ) = (20 - open - least.len(), least.len());
            Counts { agree, differ, open, chances }.verdict()
        };
        assert_eq!(verdict(&[0.01], 0), Verdict::Agrees);
        assert_eq!(verdict(&[0.002], 0), Verdict::Differs);
        assert_eq!(verdict(&[0.004, 0.004], 0), Verdict::Differs);
        assert_eq!(verdict(&[0.004], 0), Verdict::Agrees);
        assert_eq!(verdict(&[0.004], 12), Verdict::Open);
    }

    #[test]
    fn the_chance_of_a_difference_leaves_its_rounding_out() {
        use crate::verdict::{Measured, Printed};
        let printed = Printed { value: 2.0, unit: 0.1, sampling: 0.0, telling: 0.05 };
        let chance = |value| printed.against(Measured { value, half_width: 0.196 }).chance;
        assert!((chance(2.25) - 0.0455).abs() < 1e-3, "{}", chance(2.25));
        assert_eq!((chance(2.04), printed.against(Measured::exact(2.2)).chance), (1.0, 0.0));
    }

    /// One row that a reading meets does not depend on it, if the reading misses another row.
    #[test]
    fn a_reading_must_meet_all_rows() {
        let row = |holds| Row::new("T-1", "1", "it").found(true, holds, Verdict::of(holds));
        for (read, expected) in [([true, true], "depends"), ([true, false], "differs")] {
            let mut own = [row(false), row(true)];
            assert_eq!(depend(&mut own, &read.map(row), "if read so"), expected == "depends");
            assert_eq!(own.map(|row| row.verdict.name()), [expected, "agrees"]);
        }
    }
}
