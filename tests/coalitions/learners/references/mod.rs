//! Known results on each learner, checked: an exact step, a bound of its regret on every sequence,
//! where it ends in a game. A registered learner without such a test fails.

mod best_reply;
mod boltzmann_q;
mod bush_mosteller;
mod conditional_regret;
mod cross;
mod echelon;
mod epsilon_greedy;
mod exp3;
mod exp3_ix;
mod exp3_s;
mod fictitious_play;
mod follow_the_leader;
mod genetic;
mod grid;
mod grim;
mod hedge;
mod memory;
mod moods;
mod phc;
mod play;
mod regret_matching;
mod reward_penalty;
mod roth_erev;
mod sequence;
mod table;
mod thompson;
mod tit_for_tat;
mod ucb;
mod unison;
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
        cross: one_step_drifts_as_the_replicator_does, the_dilemma_ends_with_neither,
            the_stag_hunt_ends_where_it_began, hawk_and_dove_share_out;
        reward_penalty: the_mean_step_leads_to_three_quarters, the_mean_is_that_of_the_penalties,
            a_small_penalty_leaves_little_to_the_worse_action, in_the_coalition_it_matches;
        bush_mosteller: the_self_correcting_points_are_those_of_the_three_dilemmas,
            the_mean_step_in_the_dilemma_is_the_closed_form;
        roth_erev: propensities_grow_like_powers_of_each_other;
        exp3: the_mean_regret_of_two_arms_is_within_its_bound,
            the_mean_regret_is_within_its_bound_on_sequences,
            in_the_coalition_only_exploration_is_left;
        exp3_ix: the_regret_is_within_its_bound_in_every_run;
        exp3_s: the_regret_against_a_changing_arm_is_within_its_bound;
        ucb: the_mean_regret_of_two_arms_is_within_its_bound, the_next_arm_has_the_largest_bound,
            who_remembers_all_plays_as_ucb1, who_forgets_follows_arms_that_change;
        epsilon_greedy: the_share_of_the_better_arm_goes_to_one,
            constant_exploration_leaves_half_of_it_to_the_worse_arm,
            a_constant_step_follows_a_change, in_the_coalition_only_exploration_is_left,
            of_equal_means_the_first_is_played;
        thompson: the_mean_regret_of_two_arms_is_far_below_ucb,
            the_regret_grows_as_that_of_lai_and_robbins, normal_beliefs_explore_more;
        boltzmann_q: it_rests_at_the_logit_equilibria,
            two_of_them_stay_at_the_equilibrium_of_the_dilemma,
            the_temperature_falls_to_the_coldest, a_state_has_values_of_its_own,
            the_mean_step_at_the_equilibrium_is_of_second_order,
            in_the_coalition_it_does_what_is_better;
        phc: without_chance_wolf_falls_to_the_middle, in_play_wolf_stays_near_the_middle;
        hedge: the_regret_is_within_its_bound_on_every_sequence, fair_coins_cost_what_luck_brings;
        regret_matching: the_regret_is_within_its_bound_on_every_sequence,
            rock_paper_scissors_is_mixed_evenly, hawk_and_dove_end_at_a_pure_equilibrium;
        conditional_regret: one_step_is_as_written, joint_play_becomes_a_correlated_equilibrium;
        fictitious_play: matching_pennies_go_to_one_half, games_of_two_actions_settle,
            shapleys_game_runs_in_ever_longer_circles,
            the_smooth_form_rests_at_the_logit_equilibrium, of_equal_replies_the_first_is_played;
        best_reply: it_is_absorbed_in_a_pure_equilibrium, inertia_ends_stepping_past_each_other,
            it_never_rests_in_matching_pennies;
        follow_the_leader: an_alternating_sequence_beats_it_in_every_round,
            independent_rounds_cost_little, of_equal_sums_the_first_leads;
        moods: play_is_that_of_the_chain, less_noise_selects_the_largest_sum;
        tit_for_tat: errors_halve_its_cooperation, generosity_restores_it,
            it_joins_where_enough_of_the_others_did;
        grim: one_round_is_the_memory_one_rule, it_stays_out_for_so_many_rounds;
        win_stay: two_of_them_correct_errors, it_goes_round_the_list_until_it_is_enough;
        genetic: it_finds_the_optimum_in_most_runs;
        unison: the_timetable_is_kept, the_better_arm_is_found,
            together_it_cooperates_and_is_not_exploited;
        echelon: the_timetable_is_kept, those_who_begin_apart_cooperate,
            scores_count_as_logarithms_and_payoffs_as_they_are;
    }
}

/// Learners whose checks are elsewhere: those of the paper in `updates`, `mean_field` and the tests
/// of their own files; the controls have nothing to check but that they stay as they are.
const ELSEWHERE: [&str; 7] = ["ratio", "level", "threshold", "process", "fixed", "always", "never"];

#[test]
fn every_registered_learner_has_a_reference() {
    let registered: BTreeSet<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
    let checked: BTreeSet<&str> = tests::OF.iter().copied().chain(ELSEWHERE).collect();
    assert_eq!(checked, registered, "write a test of what is known of each");
}
