//! All testable claims of the paper, in our words.

use crate::claim::{Answer, Claim, claims};

const ROWS: Answer = Answer::Rows;

const fn checked(tests: &'static [&'static str]) -> Answer {
    Answer::Checked(tests)
}

/// The claims, in the order of the paper.
pub const CLAIMS: &[Claim] = claims! {
    "MO-M-01" "2.1, 2.2" ROWS =>
        "rigid jobs on N clusters of m processors; the makespan of all is minimized, and no \
         organization ends later than alone";
    "MO-M-02" "2.2" ROWS => "with one cluster of two processors the problem is that of partition";
    "MO-F1" "Figure 1" ROWS => "alone, the makespan can be N times the optimum";
    "MO-F2" "Figure 2" ROWS => "wide beside narrow jobs can let both organizations end sooner";
    "MO-F3" "Figure 3" ROWS => "the constraint can cost a factor of 3/2: optimum 2, best allowed 3";
    "MO-A-01" "3.1" checked(&["every_start_and_cluster_of_the_vectors_is_met"]) =>
        "list scheduling: the first job that fits, else the next completion";
    "MO-T-LS" "3.1" ROWS => "on one cluster, any order is within 2 - 1/m of the optimum";
    "MO-P-1" "Proposition 1, Figure 4" ROWS =>
        "widest first, more than half of a cluster is busy up to some time, and at most half after it";
    "MO-A-02" "4.1" checked(&[
        "every_start_and_cluster_of_the_vectors_is_met",
        "the_vectors_give_away_these_jobs"
    ]) =>
        "MOLBA(alpha)";
    "MO-E-01" "4.1" ROWS => "two lower bounds: the average work and the longest job";
    "MO-A-03" "4.1" ROWS => "no job that moves delays one that stays";
    "MO-F5" "4.2, Figure 5" ROWS =>
        "five organizations, of which only the first exceeds the threshold; MOLBA(2) moves jobs to two \
         clusters, and ILBA improves three organizations";
    "MO-L-1" "Lemma 1" ROWS =>
        "after MOLBA, the zone of low use of a cluster is no longer than the longest job";
    "MO-L-2" "Lemma 2" ROWS => "after MOLBA, half of some cluster is idle at twice the average work";
    "MO-P-2" "Proposition 2, Figure 6" ROWS =>
        "MOLBA(3) is within 4 times the optimum, and no organization ends later than alone";
    "MO-S-1" "4.4" ROWS =>
        "with wide jobs alone: own jobs first is within 2 - 1/N, and nobody ends later than alone";
    "MO-P-3" "Proposition 3" ROWS => "MOLBA(2) is within 3 times the optimum if the last job is low";
    "MO-A-04" "5.1" checked(&["every_start_and_cluster_of_the_vectors_is_met"]) => "ILBA";
    "MO-P-4" "Proposition 4" ROWS => "ILBA delays no job";
    "MO-A-05" "5.1" ROWS =>
        "the least loaded first also shortens the lightly loaded clusters; other orders are possible";
    "MO-A-06" "6.1" ROWS => "MOLBA(2), else MOLBA(3); this was never needed";
    "MO-X-01" "6.1" ROWS => "4800 instances of two kinds, with owners by Zipf's law";
    "MO-N-01" "6.2.1" ROWS => "mean score of local scheduling on uni, by organizations";
    "MO-N-02" "6.2.1" ROWS => "correlation of organizations and the score of local scheduling";
    "MO-N-03" "6.2.1" ROWS => "the loss without cooperation grows in proportion to N";
    "MO-N-04" "6.2.2" ROWS => "mean scores of MOLBA(2) and ILBA";
    "MO-N-05" "6.2.2" ROWS => "shares of optimal schedules";
    "MO-N-06" "6.2.3" ROWS => "swf is easier; with 10 jobs, ILBA is optimal on all of it";
    "MO-N-07" "6.2.4" ROWS => "scores over the number of jobs";
    "MO-N-08" "6.2.5" ROWS => "the processors of a cluster do not matter";
    "MO-N-09" "6.2.6" ROWS => "worst scores";
    "MO-N-10" "6.2.6" ROWS => "reasons of the worst scores";
    "MO-F7" "Figure 7" ROWS => "mean scores and deviations by jobs and by organizations";
    "MO-N-11" "6.3" ROWS => "no organization ends later than alone; swf gains less than uni";
    "MO-G-01" "7" Answer::Later("proposals that organizations may refuse") =>
        "to accept the proposal is an equilibrium";
    "MO-G-02" "1" Answer::Later("organizations that leave a grid which costs more than it gives") =>
        "an organization leaves if its gain is below the cost of taking part";
    "MO-W-01" "8" ROWS => "works online, in batches";
    "MO-W-02" "8" ROWS => "works on clusters of different sizes";
    "MO-W-03" "8" ROWS => "not later than beta times alone: a trade-off";
};
