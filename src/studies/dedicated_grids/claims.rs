//! All testable claims of the paper, in our words.

use crate::claim::{Answer, Claim, claims};

const ROWS: Answer = Answer::Rows;

const FEDERATIONS: Answer = Answer::Later("the scheduling game repeated by federations");

const fn checked(tests: &'static [&'static str]) -> Answer {
    Answer::Checked(tests)
}

/// The claims, in the order of the paper.
pub const CLAIMS: &[Claim] = claims! {
    "DG-M-01" "2.1" checked(&["both_reference_schedules_are_met"]) =>
        "each owner has a processor, each job is bound to one, and an owner minimizes the sum of \
         completion times of its jobs";
    "DG-F1" "Figure 1" ROWS => "an example with two owners of 7 and 5 jobs";
    "DG-T-SPT" "2.1" ROWS =>
        "on one processor with one owner, shortest first has the least sum of completion times";
    "DG-P-1" "Proposition 1" checked(&["own_jobs_out_of_order_are_dominated"]) =>
        "an order with an owner's jobs not shortest first is dominated by one with them so";
    "DG-P-1b" "2.3" ROWS => "switching jobs of two owners gives no dominating schedule";
    "DG-N-01" "2.3" ROWS =>
        "a processor of two owners has C(n1 + n2, n2) orders, and each is a multiset of places";
    "DG-N-02" "2.3" ROWS => "the Pareto front can grow exponentially with the jobs";
    "DG-E-01" "3.1" ROWS => "axioms of equity: symmetry, monotony, transfers";
    "DG-E-02" "3.1" ROWS => "cumulative ordered outcomes";
    "DG-T-1" "Theorem 1" checked(&["it_is_the_relation_of_the_axioms"]) =>
        "equitable dominance is dominance of cumulative ordered outcomes";
    "DG-C-1" "Corollary 1" checked(&["fronts_are_those_of_all_schedules"]) =>
        "the equitable front is the Pareto front of cumulative outcomes, inside the Pareto front";
    "DG-A-01" "3.2" ROWS => "the deterioration of a switch";
    "DG-C-2" "Corollary 2" ROWS => "shortest first is equitable";
    "DG-T-SPT2" "3.2" checked(&["shortest_first_has_the_least_sum"]) =>
        "shortest first has the least sum over all owners";
    "DG-A-02" "3.2" checked(&["walks_are_exact_in_order", "the_walk_is_its_definition"]) =>
        "the Equitable Walk, with a taboo list, and its cleaning";
    "DG-A-03" "3.2" ROWS => "the first and the second schedule of the walk are equitable";
    "DG-A-04" "3.2" ROWS => "the walk may miss a part of the equitable front";
    "DG-G-01" "4" ROWS => "the game in normal form: payoffs are gains over everybody's my jobs first";
    "DG-G-02" "4, 4.1" checked(&["equilibria_are_those_of_the_table"]) =>
        "my jobs first is prudent and dominant for each owner";
    "DG-G-03" "4.1" ROWS => "my jobs first is the only equilibrium";
    "DG-G-04" "4" ROWS => "my jobs first is very often dominated";
    "DG-G-05" "4.1" ROWS =>
        "a prisoner's dilemma: who betrays a proposal gains and the others lose; if all do, nobody gains";
    "DG-F2" "Figure 2" ROWS => "sums of completion times in an example with large local jobs";
    "DG-N-03" "4.1" ROWS => "the price of anarchy in that example tends to 2n + 2";
    "DG-G-06" "4.1" FEDERATIONS => "repeated without end, cooperation can be kept by punishment";
    "DG-G-07" "4.1" FEDERATIONS => "repeated a known number of times, all betray";
    "DG-A-05" "4.2" ROWS =>
        "the walk on payoffs may find no feasible schedule, and shortest first may be infeasible";
    "DG-G-08" "4.2" ROWS =>
        "two owners may gain by serving each other first: a fair proposal need not be in the core";
    "DG-G-09" "4.2" ROWS => "another schedule might replace payments to those who would leave";
    "DG-T1-01" "Table 1" ROWS => "dominated and feasible instances, up to 3 jobs";
    "DG-T1-02" "Table 1" ROWS => "dominated and feasible instances, up to 4 jobs";
    "DG-T1-03" "Table 1" ROWS => "dominated and feasible instances, up to 5 jobs";
    "DG-T1-04" "5" ROWS => "almost 90% of the instances are equitable, fewer if more or longer jobs";
    "DG-T1-05" "5" ROWS => "a feasible schedule is found in all but 3 of 1200 instances";
    "DG-C-03" "1.2, 7" ROWS => "without control the loss is arbitrarily large";
    "DG-W-01" "7" ROWS => "off-line algorithms serve online systems in batches";
    "DG-W-02" "7" ROWS => "estimates with a prediction of runtimes are enough";
    "DG-W-03" "7" Answer::Later("coalitions that form over rounds") => "players form any coalitions";
    "DG-W-04" "7" checked(&["planners_know_speeds"]) =>
        "owners with clusters of different speeds";
    "DG-W-05" "7" checked(&["the_walk_with_local_knowledge_is_its_definition"]) =>
        "distributed algorithms for equitable schedules";
};
