//! Table 1, and rates on the same instances.

use super::STUDY;
use super::drawn::{Case, Cases, Shape, cases, share};
use crate::count::Count;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};

/// Counts of 100 instances: up to so many jobs, sizes up to so much, dominated lists of the walk on
/// sums and on payoffs, and feasible ones. The third printed column of parameters repeats the first
/// block's numbers of others and is left out.
const PRINTED: [(u64, u64, [f64; 3]); 12] = [
    (3, 5, [2.0, 2.0, 99.0]),
    (3, 10, [3.0, 4.0, 100.0]),
    (3, 20, [4.0, 5.0, 100.0]),
    (3, 50, [10.0, 7.0, 100.0]),
    (4, 5, [4.0, 3.0, 100.0]),
    (4, 10, [16.0, 11.0, 100.0]),
    (4, 20, [12.0, 16.0, 100.0]),
    (4, 50, [16.0, 12.0, 100.0]),
    (5, 5, [1.0, 4.0, 99.0]),
    (5, 10, [14.0, 16.0, 99.0]),
    (5, 20, [33.0, 28.0, 100.0]),
    (5, 50, [26.0, 24.0, 100.0]),
];

const WORDS: [&str; 3] = [
    "% of instances with a dominated schedule in the walk's list",
    "% of instances with a dominated schedule in the list of the walk on payoffs",
    "% of instances with a feasible schedule",
];

fn hits(cases: &[Case], is: impl Fn(&Case) -> bool) -> Measured {
    share(cases.iter().filter(|case| is(case)).count(), cases.len())
}

fn columns(cases: &[Case]) -> [Count; 3] {
    let is: [fn(&Case) -> bool; 3] =
        [|case| case.walks[0].is_dominated, |case| case.walks[1].is_dominated, Case::is_feasible];
    let count = |is: fn(&Case) -> bool| cases.iter().filter(|case| is(case)).count() as u64;
    is.map(|is| Count { hits: count(is), of: cases.len() as u64 })
}

/// A count of so many instances, with the error that it has if our share is the true one.
fn printed(percent: f64, ours: &Measured, instances: f64) -> Printed {
    // Counts near 0 or 100 are not free of error, though their share says so.
    let share = ((ours.value + ours.half_width.min(1.0)) / 100.0).clamp(0.0, 1.0);
    let share = share.min(1.0 - (ours.half_width.min(1.0)) / 100.0);
    let error = 100.0 * (share * (1.0 - share)).sqrt();
    let of_a_hundred = STUDY.rule.estimated(percent, 0.0, error);
    Printed { sampling: of_a_hundred.sampling * (100.0 / instances).sqrt(), ..of_a_hundred }
}

fn all(bench: &Bench) -> Result<Vec<Cases>, StudyError> {
    PRINTED.iter().map(|&(jobs, size, _)| cases(bench, &Shape::of(2, jobs, size), false)).collect()
}

/// Table 1 and what the text says of it.
pub(super) fn table_1(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let all = all(bench)?;
    let mut rows = Vec::new();
    let mut sums = [[0.0; 2]; 3];
    let mut errors = [0.0; 3];
    for (&(jobs, size, paper), cases) in PRINTED.iter().zip(&all) {
        let claim = ["DG-T1-01", "DG-T1-02", "DG-T1-03"][jobs as usize - 3];
        for (column, ours) in columns(cases).into_iter().enumerate() {
            let what = format!("up to {jobs} jobs of size up to {size}: {}", WORDS[column]);
            let printed = Count { hits: paper[column] as u64, of: 100 };
            rows.push(Row::new(claim, "Table 1", what).counted(printed, ours));
            let ours = share(ours.hits as usize, ours.of as usize);
            sums[column][0] += paper[column] / 12.0;
            sums[column][1] += ours.value / 12.0;
            errors[column] += ours.half_width * ours.half_width / 144.0;
        }
    }
    for (column, [paper, ours]) in sums.into_iter().enumerate() {
        let ours = Measured { value: ours, half_width: errors[column].sqrt() };
        let claim = if column == 2 { "DG-T1-05" } else { "DG-T1-04" };
        let what = format!("mean of all rows: {}", WORDS[column]);
        rows.push(Row::new(claim, "Table 1", what).compared(printed(paper, &ours, 1200.0), ours));
    }
    let dominated = |row: usize, column: usize| columns(&all[row])[column].percent();
    for (column, name) in ["sums", "payoffs"].into_iter().enumerate() {
        let grows = |pairs: &[(usize, usize)]| {
            pairs.iter().all(|&(few, many)| dominated(few, column) < dominated(many, column))
        };
        let what = format!("walk on {name}: more are dominated with more jobs, for each size");
        let jobs: Vec<(usize, usize)> = (0..8).map(|row| (row, row + 4)).collect();
        rows.push(Row::new("DG-T1-04", "5", what).holds(grows(&jobs)));
        let what = format!("walk on {name}: more are dominated with sizes up to 50 than up to 5");
        rows.push(Row::new("DG-T1-04", "5", what).holds(grows(&[(0, 3), (4, 7), (8, 11)])));
    }
    Ok(rows)
}

/// Rates at which the paper's claims hold.
pub(super) fn rates(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const TIES: Verdict = Verdict::Errs(
        "with equal sizes an order of the ties may be fairer than another: the corollary says that \
         the least sum is equitable, and shortest first is one of several with it",
    );
    const SECOND: Verdict = Verdict::Errs(
        "the first switch may overshoot: the new largest sum is no less than the old one, and the \
         whole is worse, so shortest first dominates it",
    );
    let mut rows = Vec::new();
    let shapes = [
        Shape::of(2, 5, 5),
        Shape::of(2, 5, 10),
        Shape::of(2, 5, 50),
        Shape { apart: true, ..Shape::of(2, 5, 50) },
    ];
    for shape in shapes {
        let cases = cases(bench, &shape, false)?;
        let words = shape.words();
        let zero = |claim, place, what: &str, ours: Measured, why: &Verdict| {
            let row = Row::new(claim, place, format!("{words}: {what}"));
            let verdict = Verdict::of(ours.value == 0.0);
            row.found(0.0, ours, verdict).or(why.clone())
        };
        let first = hits(&cases, |case| case.walks[0].first);
        let what = "% of instances in which shortest first is dominated";
        rows.push(zero("DG-C-2", "Corollary 2", what, first, &TIES));
        let second = hits(&cases, |case| case.walks[0].second == Some(true));
        let what = "% of instances in which the walk's second schedule is dominated";
        rows.push(zero("DG-A-03", "3.2", what, second, &SECOND));
    }
    for (jobs, size) in [(3, 10), (5, 10), (5, 50)] {
        let shape = Shape::of(2, jobs, size);
        let cases = cases(bench, &shape, false)?;
        let words = shape.words();
        let improved = hits(&cases, |case| case.can_improve);
        let what = format!("{words}: % of instances in which my jobs first is dominated");
        rows.push(Row::new("DG-G-04", "4", what).found(
            "very often",
            improved,
            improved.above(50.0),
        ));
        let missed = hits(&cases, |case| !case.is_feasible());
        let what =
            format!("{words}: % of instances in which the walk on payoffs finds none feasible");
        let verdict = Verdict::of(missed.value > 0.0);
        let verdict = if missed.value > 0.0 { verdict } else { Verdict::Open };
        rows.push(Row::new("DG-A-05", "4.2", what).found("some", missed, verdict));
        let spt = hits(&cases, |case| case.spt_is_feasible);
        let what = format!("{words}: % of instances in which shortest first is feasible");
        rows.push(Row::new("DG-A-05", "4.2", what).found("not all", spt, spt.below(100.0)));
    }
    for (owners, jobs, size) in [(2, 3, 10), (3, 1, 10), (3, 2, 10), (4, 1, 10)] {
        let shape = Shape::of(owners, jobs, size);
        let cases = cases(bench, &shape, owners > 2)?;
        let covered = cases.iter().map(|case| 100.0 * case.walks[0].covered);
        let covered = mean(covered);
        let words = shape.words();
        let what = format!("{words}: % of the equitable front that the walk visits");
        let verdict = covered.below(100.0);
        let visited: usize = cases.iter().map(|case| case.walks[0].visited).sum();
        let visited = visited as f64 / cases.len().max(1) as f64;
        let row = Row::new("DG-A-04", "3.2", what).found("not all", covered, verdict);
        rows.push(row.note(format!("it visits {visited:.1} schedules on average")));
        let dominated = hits(&cases, |case| case.walks[0].is_dominated);
        let what = format!("{words}: {}", WORDS[0]);
        rows.push(Row::new("DG-A-04", "3.2", what).shown(dominated));
    }
    Ok(rows)
}

/// The walk where one owner's processor is faster than the others'.
pub(super) fn speeds(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    for (owners, jobs) in [(2, 3), (3, 1)] {
        for faster in [1, 2, 4] {
            let shape = Shape { faster, ..Shape::of(owners, jobs, 10) };
            let cases = cases(bench, &shape, owners > 2)?;
            let words = shape.words();
            let covered = mean(cases.iter().map(|case| 100.0 * case.walks[0].covered));
            let what = format!("{words}: % of the equitable front that the walk visits");
            let dominated = hits(&cases, |case| case.walks[0].is_dominated);
            let note = format!(
                "a schedule of its list is dominated in {:.1}% of instances",
                dominated.value
            );
            rows.push(Row::new("DG-W-04", "7", what).shown(covered).note(note));
            let feasible = hits(&cases, Case::is_feasible);
            let what = format!("{words}: {}", WORDS[2]);
            let improved = hits(&cases, |case| case.can_improve);
            let note = format!("my jobs first is dominated in {:.1}%", improved.value);
            rows.push(Row::new("DG-W-04", "7", what).shown(feasible).note(note));
        }
    }
    Ok(rows)
}
