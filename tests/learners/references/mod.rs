//! What is known of each learner, checked: an exact step, a bound of its regret on every sequence,
//! where it ends in a game. A registered learner without such a test fails.

mod best_reply;
mod conditional_regret;
mod cross;
mod fictitious_play;
mod follow_the_leader;
mod genetic;
mod grim;
mod hedge;
mod memory;
mod moods;
mod regret_matching;
mod sequence;
mod table;
mod tit_for_tat;
mod win_stay;

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
        hedge: the_regret_is_within_its_bound_on_every_sequence, fair_coins_cost_what_luck_brings;
        regret_matching: the_regret_is_within_its_bound_on_every_sequence,
            rock_paper_scissors_is_mixed_evenly, hawk_and_dove_end_at_a_pure_equilibrium;
        conditional_regret: one_step_is_as_written, joint_play_becomes_a_correlated_equilibrium;
        fictitious_play: matching_pennies_go_to_one_half, games_of_two_actions_settle,
            shapleys_game_runs_in_ever_longer_circles,
            the_smooth_form_rests_at_the_logit_equilibrium;
        best_reply: it_is_absorbed_in_a_pure_equilibrium, inertia_ends_stepping_past_each_other,
            it_never_rests_in_matching_pennies;
        follow_the_leader: an_alternating_sequence_beats_it_in_every_round,
            independent_rounds_cost_little;
        moods: play_is_that_of_the_chain, less_noise_selects_the_largest_sum;
        tit_for_tat: errors_halve_its_cooperation, generosity_restores_it,
            it_joins_where_enough_of_the_others_did;
        grim: one_round_is_the_memory_one_rule, it_stays_out_for_so_many_rounds;
        win_stay: two_of_them_correct_errors, it_goes_round_the_list_until_it_is_enough;
        genetic: it_finds_the_optimum_in_most_runs;
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
