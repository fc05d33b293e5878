//! The example run of section 4.2. The paper draws its instance and does not print it, so another
//! one with the same properties was searched for and is kept here.

use super::cases::{Algorithm, molba, played};
use super::laws::{self, Size};
use super::small::owned;
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use kernel::time::Time;
use policy::plan::WithoutJobs;

/// Owner, length and width of each job, on five clusters of ten processors.
const JOBS: [(u32, i64, u32); 19] = [
    (1, 4, 6),
    (2, 6, 4),
    (3, 7, 4),
    (4, 10, 1),
    (0, 10, 7),
    (0, 9, 3),
    (0, 7, 9),
    (0, 10, 6),
    (0, 5, 7),
    (1, 5, 10),
    (0, 2, 3),
    (3, 7, 3),
    (0, 7, 2),
    (0, 1, 3),
    (0, 7, 4),
    (3, 7, 5),
    (0, 9, 2),
    (1, 7, 4),
    (0, 8, 6),
];

/// The paper's statements about its run that this one meets, and the score of MOLBA(2).
pub(super) fn example(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let owned = owned(5, 10, &JOBS);
    let size = Size::of(&owned, false);
    let play = |options| played(options, &owned, WithoutJobs::Kept).played.schedule;
    let local = play(Algorithm::Local.options());
    let two = play(molba(2));
    let ilba = play(Algorithm::Ilba.options());
    let [alone, molba, better] = [&local, &two, &ilba].map(|one| laws::ends(&owned, one));
    let [long, shorter, shortest] = [&local, &two, &ilba].map(|one| laws::makespan(&owned, one));
    let late = laws::late(&owned, &size, 2, &local);
    let mut hosts: Vec<usize> =
        (0..two.len()).filter(|&job| two[job] != local[job]).map(|job| two[job].cluster).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let sooner: Vec<bool> = better.iter().zip(&molba).map(|(one, than)| one < than).collect();
    let is_busy = alone.iter().all(|&end| end > Time::ZERO);
    let score = size.score(shorter);
    let statements = [
        // Only the first organization is at the threshold, and it determines the makespan alone.
        is_busy && late == [true, false, false, false, false] && alone[0] == long,
        // MOLBA(2) moves jobs, and only to the third and the fifth cluster.
        hosts == [2, 4],
        shorter < long,
        laws::later(&owned, &two, &local) + laws::later(&owned, &ilba, &two) == 0,
        // ILBA shortens the makespan, and the first, second and fourth organization end sooner.
        shortest < shorter && sooner == [true, true, false, true, false],
        score <= 4.0,
    ];
    let met = statements.iter().filter(|met| **met).count();
    Ok(exact([("statements", met as f64), ("score", score)]))
}
