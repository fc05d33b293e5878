//! First lines on a paper: its main results with what became of them, then all differences by
//! their causes.

use super::claim::Told;
use super::row::Row;
use super::verdict::Verdict;
use report::table::{Column, Table, columns};

/// Rows of some claims, by what they say of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    hold: usize,
    errs: usize,
    fail: usize,
    open: usize,
}

impl Counts {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Counts {
        let mut counts = Counts::default();
        for row in rows {
            match row.verdict {
                Verdict::Agrees | Verdict::Compatible => counts.hold += 1,
                Verdict::Errs(_) => counts.errs += 1,
                Verdict::Differs | Verdict::Depends(_) => counts.fail += 1,
                Verdict::Open => counts.open += 1,
                Verdict::Shown => {}
            }
        }
        counts
    }

    /// The verdict on all of them together.
    fn words(self) -> &'static str {
        let Counts { hold, errs, fail, open } = self;
        match (hold, errs + fail) {
            (0, 0) if open == 0 => "not judged",
            (0, 1..) => "does not hold",
            (_, 0) if hold >= open.max(1) => "holds",
            (_, 0) => "cannot tell",
            (1.., _) if fail == 0 => "holds but for errata",
            (1.., _) => "holds in part",
        }
    }
}

/// The sentence on what an experiment expected.
pub fn expected(rows: &[Row]) -> String {
    let Counts { hold, errs, fail, open } = Counts::of(rows.iter());
    let all = hold + errs + fail + open;
    match (errs + fail, open) {
        (0, 0) => format!("PASS: all {all} expectations hold"),
        (0, open) => {
            format!("CANNOT TELL: {open} of {all} expectations need more rounds, none fails")
        }
        (fails, 0) => format!("FAIL: {fails} of {all} expectations do not hold"),
        (fails, open) => {
            format!("FAIL: {fails} of {all} expectations do not hold, {open} need more rounds")
        }
    }
}

/// The main results of a paper that rows are about, a line each.
pub fn results(told: &[Told], rows: &[Row]) -> Table {
    let is_there =
        |told: &&Told| rows.iter().any(|row| told.claims.iter().any(|id| id == row.claim));
    let of = |told: &Told| {
        Counts::of(rows.iter().filter(|row| told.claims.iter().any(|id| id == row.claim)))
    };
    let columns = columns![|(told, counts): &(&Told, Counts)|
        Column::prose("result") => told.says.as_str(),
        Column::text("verdict") => counts.words(),
        Column::figure("hold").note(
            "hold: rows that agree with the paper or are compatible with it; errata: rows in which the paper \
             contradicts itself; fail: rows that differ or depend on a choice that it leaves open; open: rows \
             that cannot tell",
        ) => counts.hold,
        Column::figure("errata") => counts.errs,
        Column::figure("fail") => counts.fail,
        Column::figure("open") => counts.open,
    ];
    Table::by_columns("results", told.iter().filter(is_there).map(|told| (told, of(told))), columns)
}

/// The causes of all differences, each with its rows: the paper's errata, the choices that it leaves
/// open, and what has no known cause.
pub fn differences(rows: &[Row]) -> Table {
    // Verdict, cause, claims, number of rows.
    let mut causes: Vec<(&'static str, String, Vec<&'static str>, usize)> = Vec::new();
    for row in rows {
        let cause = match &row.verdict {
            Verdict::Errs(_) | Verdict::Depends(_) | Verdict::Differs => row.why(),
            _ => continue,
        };
        let (name, cause) = (row.verdict.name(), cause.unwrap_or_else(|| UNKNOWN.to_owned()));
        let at = causes.iter().position(|one| one.0 == name && one.1 == cause);
        let at = at.unwrap_or_else(|| {
            causes.push((name, cause, Vec::new(), 0));
            causes.len() - 1
        });
        let (.., claims, count) = &mut causes[at];
        if !claims.contains(&row.claim) {
            claims.push(row.claim);
        }
        *count += 1;
    }
    // What nobody knows the cause of comes first, then what concerns most rows.
    causes.sort_by_key(|(name, .., rows)| (*name != "differs", usize::MAX - rows));
    let columns = columns![|(name, cause, claims, rows): &(&str, &str, String, usize)|
        Column::text("verdict") => *name,
        Column::figure("rows") => *rows,
        Column::prose("claims") => claims.as_str(),
        Column::prose("cause") => *cause,
    ];
    let rows = causes
        .iter()
        .map(|(name, cause, claims, rows)| (*name, cause.as_str(), claims.join(", "), *rows));
    Table::by_columns("differences", rows, columns)
}

/// The cause of a difference that nobody knows.
const UNKNOWN: &str = "not known";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Figure;
    use report::table::Format;

    fn told(says: &str, claims: &[&str]) -> Told {
        Told { says: says.to_owned(), claims: claims.iter().map(|&id| id.to_owned()).collect() }
    }

    #[test]
    fn a_result_holds_as_its_rows_do() {
        let row = |claim, verdict| Row { verdict, ..Row::new(claim, "1", "it holds") };
        let rows = [
            row("A-1", Verdict::Agrees),
            row("A-1", Verdict::Compatible),
            row("A-2", Verdict::Agrees),
            row("A-2", Verdict::Errs("a misprint")),
            row("A-3", Verdict::Differs),
            row("A-4", Verdict::Open),
            row("A-5", Verdict::Shown),
            row("A-6", Verdict::Errs("an oversight")),
        ];
        let all = [
            told("one", &["A-1"]),
            told("two", &["A-1", "A-2"]),
            told("three", &["A-3"]),
            told("four", &["A-4"]),
            told("five", &["A-5"]),
            told("six", &["A-1", "A-4"]),
            told("seven", &["A-2", "A-3"]),
            told("eight", &["A-6"]),
        ];
        let csv = results(&all, &rows).render(Format::Csv, None);
        let expected = "result,verdict,hold,errata,fail,open\none,holds,2,0,0,0\n\
             two,holds but for errata,3,1,0,0\nthree,does not hold,0,0,1,0\n\
             four,cannot tell,0,0,0,1\nfive,not judged,0,0,0,0\nsix,holds,2,0,0,1\n\
             seven,holds in part,1,1,1,0\neight,does not hold,0,1,0,0\n";
        assert_eq!(csv, expected);
        let csv = differences(&rows).render(Format::Csv, None);
        let expected = "verdict,rows,claims,cause\ndiffers,1,A-3,not known\n\
             the paper errs,1,A-2,a misprint\nthe paper errs,1,A-6,an oversight\n";
        assert_eq!(csv, expected);
        let shown = Row::new("A-1", "1", "x").found(Figure::None, 1.0, Verdict::Shown);
        assert!(differences(&[shown]).is_empty());
    }
}
