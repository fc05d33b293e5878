//! What is known of each learner, checked: an exact step, a bound of its regret on every sequence,
//! where it ends in a game. A registered learner without such a test fails.

mod cross;
mod hedge;
mod unison;

use std::collections::BTreeSet;

use gridpact::policy::learn::REGISTRY;

/// One line a learner: the checks of what is known of it, each a test of its own.
macro_rules! references {
    ($($learner:ident: $($check:ident),+;)*) => {
        $(mod $learner {
            $(#[test]
            fn $check() {
                super::super::$learner::$check();
            })+
        })*
        /// The learners that have checks.
        pub const OF: &[&str] = &[$(stringify!($learner)),*];
    };
}

/// The checks as tests.
mod tests {
    references! {
        cross: one_step_drifts_as_the_replicator_does;
        hedge: the_regret_is_within_its_bound_on_every_sequence;
        unison: the_timetable_is_kept, the_better_arm_is_found,
            together_it_cooperates_and_is_not_exploited, ten_clusters_come_to_the_best_level;
    }
}

/// Learners whose checks are elsewhere: those of the paper in `updates`, `mean_field` and the tests
/// of their own files; the controls have nothing to check but that they stay as they are.
const ELSEWHERE: [&str; 6] = ["ratio", "level", "threshold", "fixed", "always", "never"];

#[test]
fn every_registered_learner_has_a_reference() {
    let registered: BTreeSet<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
    let checked: BTreeSet<&str> = tests::OF.iter().copied().chain(ELSEWHERE).collect();
    assert_eq!(checked, registered, "write a test of what is known of each");
}
