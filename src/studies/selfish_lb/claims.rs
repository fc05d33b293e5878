//! All testable claims of the paper, in our words.

use crate::claim::{Answer, Claim, claims};

const ROWS: Answer = Answer::Rows;

/// Features that open claims wait for.
const MISBEHAVIOUR: Answer = Answer::Later("members that misbehave");
const SPACE_SHARED: Answer = Answer::Later("coalitions of space-shared clusters");
const RIVALS: Answer = Answer::Later("rival policies");

const fn checked(tests: &'static [&'static str]) -> Answer {
    Answer::Checked(tests)
}

/// The claims, in the order of the paper.
pub const CLAIMS: &[Claim] = claims! {
    "LB-M-01" "3.1" checked(&["the_engine_agrees_with_a_literal_simulator"]) =>
        "each owner has one cluster that serves its jobs one after another at speed 1; its goal \
         is the sum of the flow times of its own jobs";
    "LB-M-02" "3.1" ROWS =>
        "in theory jobs come as a Poisson process and have exponential sizes, so a cluster alone \
         is an M/M/1 queue";
    "LB-M-03" "3.1, 7" checked(&["the_engine_agrees_with_a_literal_simulator"]) =>
        "a latest finish time is told at submission and never missed";
    "LB-M-04" "4.2" checked(&["the_engine_agrees_with_a_literal_simulator"]) =>
        "a job starts no later than the end of what was there at the last balancing and what came \
         with it";
    "LB-M-05" "3.2" SPACE_SHARED =>
        "on space-shared clusters small foreign jobs fill holes for nothing, so time-shared \
         results are a worst case for them";
    "LB-M-06" "4.2" checked(&["the_engine_agrees_with_a_literal_simulator"]) =>
        "who is a member is decided between rounds; outsiders run exactly their own jobs";
    "LB-F1" "Figure 1" ROWS =>
        "the next local job is delayed by all, part or nothing of the foreign load, depending on \
         when it comes";
    "LB-E-01" "3.3" ROWS => "closed form of the expected delay EG for exponential gaps";
    "LB-E-02" "3.3" ROWS => "EG is not linear in the size of the foreign load";
    "LB-E-03" "3.3" ROWS =>
        "EG is less than the foreign load, so sending gains more than receiving costs";
    "LB-F2a" "Figure 2a" ROWS => "the surface EG(L, Phi) at rate 0.2";
    "LB-F2b" "Figure 2b" ROWS =>
        "the surface Phi - EG(L, Phi): largest at a short queue and a large foreign load";
    "LB-G-01" "Table 1a" ROWS => "payoffs of the one-shot game of sender and receiver";
    "LB-G-02" "4.1" ROWS =>
        "to send and accept is best for both together, yet accepting is dominated";
    "LB-G-03" "4.1" ROWS =>
        "the sum of payoffs tends to the mean gap for an empty receiver and falls with its queue";
    "LB-G-04" "Table 1b" ROWS => "committed players share the gain, and cooperating dominates";
    "LB-G-05" "1, 4.1" ROWS =>
        "cooperation pays each only over periods much longer than jobs, among similar loads";
    "LB-A-01" "4.2.1" checked(&[
        "the_vectors_are_exact_in_ticks_and_in_whole_units",
        "the_exact_traces"
    ]) =>
        "averaging: members end at the mean load together";
    "LB-A-02" "4.2.1" checked(&[
        "the_desire_is_the_cut_score",
        "p_moves_towards_the_desire_of_who_took_part"
    ]) =>
        "the rule by which a member changes its probability of joining";
    "LB-A-03" "4.2.1" checked(&[
        "who_is_absent_is_not_asked_and_who_is_out_is_told_what_its_label_knows",
        "p_moves_towards_the_desire_of_who_took_part"
    ]) =>
        "who stayed out learns nothing";
    "LB-A-04" "4.2.2" ROWS => "jobs count that come between 0.2 and 0.8 of the period";
    "LB-X-01" "4.2.2" ROWS => "50 repetitions with ten clusters look alike";
    "LB-X-02" "4.2.2" ROWS => "loads of 80% and 20%, an overloaded cluster beside them";
    "LB-F3a" "Figure 3a" ROWS =>
        "ten equal clusters: the probability of joining moves between 0.8 and 0.9 and never \
         settles at 1";
    "LB-F3a2" "4.2.2" ROWS => "the more clusters, the higher the final probability";
    "LB-F3b" "Figure 3b" ROWS =>
        "with one overloaded member the others stay near 0.1, itself a little above Figure 3a";
    "LB-F3b2" "4.2.2" ROWS => "the others' probability jumps up and decays slowly";
    "LB-S-01" "4.2.2" checked(&["the_exact_traces"]) =>
        "the score: 1 at half the flow time, -1 at twice of it";
    "LB-T2-01" "Table 2" ROWS => "averaging, equal clusters, heavy load";
    "LB-T2-02" "Table 2" ROWS => "averaging, equal clusters, light load";
    "LB-T2-03" "Table 2" ROWS => "averaging, one overloaded among heavily loaded clusters";
    "LB-T2-04" "Table 2" ROWS => "averaging, one overloaded among lightly loaded clusters";
    "LB-T2-05" "4.2.2" ROWS =>
        "equal clusters gain 50% to 237%, more in larger grids, little under light load, with a \
         large spread";
    "LB-T2-06" "4.2.2" ROWS =>
        "beside an overloaded member the others gain only in the largest grids";
    "LB-Q-01" "5" checked(&["of_two_the_longer_sends_half_the_difference"]) =>
        "of two clusters the longer queue sends half of the difference";
    "LB-Q-02" "5" ROWS => "the law of a cluster's queue: an atom at 0, then exponential";
    "LB-Q-03" "5" ROWS =>
        "balancing pays above the mean queue; of a partner that knows this, above that plus a \
         mean, and so on";
    "LB-Q-04" "5" ROWS => "players who reason k steps balance ever less as k grows";
    "LB-Q-05" "5" ROWS => "in the long run each sends what it receives, so balancing pays";
    "LB-B-01" "6.1" ROWS => "BILB as printed";
    "LB-B-02" "6.1" checked(&[
        "levels_bound_what_is_sent_and_what_is_received",
        "the_engine_agrees_with_a_literal_simulator"
    ]) =>
        "after BILB no receiver's queue is above its level, and no sender sent more than that";
    "LB-B-03" "6.1" ROWS => "BILB takes O(n^2)";
    "LB-B-04" "6.2" checked(&["each_sends_at_least_what_averaging_would_make_it_send"]) =>
        "each sends at least what averaging would send; only the least loaded sends nothing";
    "LB-B-05" "6.2" checked(&[
        "jobs_end_no_later_than_under_averaging",
        "with_levels_jobs_may_end_later_than_under_averaging"
    ]) =>
        "known jobs end no later than under averaging";
    "LB-B-06" "6.2" ROWS => "the longer the own queue, the more accepting costs";
    "LB-L-01" "6.3" checked(&["the_level_follows_the_sign_and_the_size_of_the_score"]) =>
        "the rule by which a member changes its level";
    "LB-F4a" "Figure 4a" ROWS => "two equal clusters: levels soon reach their bound";
    "LB-F4b" "Figure 4b" ROWS => "ten equal clusters: the same";
    "LB-F5a" "Figure 5a" ROWS => "beside an overloaded cluster the other's level falls below 1.5";
    "LB-F5a2" "6.3" ROWS => "it would fall to 0 if balancing came before submission";
    "LB-F5b" "Figure 5b" ROWS => "ten clusters, one overloaded: all levels reach the bound";
    "LB-T3-01" "Table 3" ROWS => "BILB, two equal clusters, score by level";
    "LB-T3-02" "Table 3" ROWS => "BILB, ten equal clusters, score by level";
    "LB-T3-03" "6.3" ROWS => "taking part wholly is best, but hardly better than a level of 4";
    "LB-T3-04" "6.3" ROWS => "the lower the level, the lower the standard deviation";
    "LB-T4-01" "Table 4" ROWS => "BILB, two clusters, one overloaded, score by level";
    "LB-T4-02" "Table 4" ROWS => "BILB, ten clusters, one overloaded, score by level";
    "LB-T4-03" "6.3" ROWS => "the best level of the others is 1 of two clusters, 5 of ten";
    "LB-T4-04" "6.3" ROWS =>
        "a level of 5 is the mean gap, so half of the local jobs would be delayed";
    "LB-T4-05" "6.3" ROWS => "better learners would find the best level";
    "LB-T5-01" "Table 5" ROWS => "BILB, equal clusters, heavy load";
    "LB-T5-02" "Table 5" ROWS => "BILB, equal clusters, light load";
    "LB-T5-03" "Table 5" ROWS => "BILB, one overloaded among heavily loaded clusters";
    "LB-T5-04" "Table 5" ROWS => "BILB, one overloaded among lightly loaded clusters";
    "LB-T5-05" "6.3" ROWS =>
        "BILB beats averaging among equals and lets all gain beside an overloaded cluster";
    "LB-C-01" "8" ROWS => "BILB is better than averaging in every configuration";
    "LB-D-01" "7" ROWS =>
        "nobody rides free: who is underloaded shares, who is overloaded gets what is left";
    "LB-D-02" "7" MISBEHAVIOUR =>
        "who delays foreign work is seen at once, and exclusion makes it not pay";
    "LB-D-03" "7" MISBEHAVIOUR => "to overstate the own queue often hurts the liar";
    "LB-D-04" "7" MISBEHAVIOUR => "with lies the game is a repeated Prisoner's Dilemma";
    "LB-D-05" "7" MISBEHAVIOUR => "an auditor with probe jobs can tell who lies";
    "LB-D-06" "7" RIVALS => "large systems may balance in overlapping parts";
    "LB-R-01" "2.2" RIVALS => "barter of favours, which cancels foreign jobs when a local one comes";
    "LB-W-01" "8" ROWS => "results should vary less from round to round";
};
