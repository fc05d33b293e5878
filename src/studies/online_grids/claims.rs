//! All testable claims of the paper, in our words.

use crate::claim::{Answer, Claim, claims};

const ROWS: Answer = Answer::Rows;

const fn checked(tests: &'static [&'static str]) -> Answer {
    Answer::Checked(tests)
}

/// The claims, in the order of the paper.
pub const CLAIMS: &[Claim] = claims! {
    "OG-M-01" "2" ROWS =>
        "rigid jobs run on one cluster each, without interruption, not before their submission; no \
         cluster is overloaded";
    "OG-M-02" "2" ROWS => "C*max is the makespan to compare with";
    "OG-T-31" "Theorem 3.1" ROWS =>
        "no polynomial algorithm has a factor below 2, for it would solve partition problems";
    "OG-T-GG" "1, 4" ROWS => "on one cluster list scheduling stays within 2 - 1/m, also over time";
    "OG-X-41a" "Example 4.1" ROWS => "numbers of clusters and jobs";
    "OG-X-41b" "Example 4.1, Figure 1" ROWS =>
        "list scheduling, smallest first, takes k + 1 units where 2 are enough";
    "OG-X-41c" "Example 4.1" ROWS => "largest first is optimal here";
    "OG-X-42" "Example 4.2, Figure 2" ROWS =>
        "largest first still runs one large job beside many sequential ones";
    "OG-X-43a" "Example 4.3" ROWS => "2^(kappa - 1) jobs of a type fit on a cluster of theirs";
    "OG-X-43b" "Example 4.3, Figure 3" ROWS =>
        "largest first takes about k units where about 2 are enough";
    "OG-T1-k3" "Table 1" ROWS => "numbers of jobs and clusters for k = 3";
    "OG-T1-k4" "Table 1" ROWS => "numbers of jobs and clusters for k = 4";
    "OG-X-43c" "Example 4.3" ROWS => "a lies above b m / size and is at most twice that";
    "OG-Q-01" "4, 7" ROWS => "no fixed order by parallelism seems to give a constant factor";
    "OG-E-01" "5, equation 1" ROWS => "a lower bound of the makespan";
    "OG-D-51a" "Definition 5.1" ROWS =>
        "each job is in exactly one set A or B; B or H of a cluster is empty";
    "OG-D-51b" "5" ROWS =>
        "a job in H is in A or H of the next smaller cluster; if two H meet, the A between is in the \
         larger";
    "OG-A-01" "Figure 4" checked(&["every_start_and_cluster_of_the_vectors_is_met"]) =>
        "Grid Concurrent-Submission";
    "OG-A-02" "Figure 5" ROWS => "procedure Update, as printed";
    "OG-A-03" "5" ROWS => "no list is empty while one of a smaller cluster is not";
    "OG-A-04" "5" ROWS => "the lists need no particular order";
    "OG-L-52" "Lemma 5.2" ROWS =>
        "more than half of each cluster is busy before its last job starts";
    "OG-L-53" "Lemma 5.3" ROWS =>
        "where a smaller cluster is half idle, its jobs and those below do not matter";
    "OG-T-54" "Theorem 5.4" ROWS => "the makespan is below 3 times the optimum, all jobs at once";
    "OG-T-54b" "5" ROWS => "this factor is not tight";
    "OG-X-55" "Example 5.5, Figure 6" ROWS => "an example with a ratio that tends to 2.5";
    "OG-X-55b" "Example 5.5, Figure 6" ROWS => "starts in that example";
    "OG-X-218" "5" ROWS => "a more complicated example reaches 21/8";
    "OG-A-61" "6" ROWS => "in batches, the makespan is below 6 times the optimum over time";
    "OG-A-61b" "6" ROWS => "batches make new jobs wait, also if processors are idle";
    "OG-A-62" "6" checked(&[
        "every_start_and_cluster_of_the_vectors_is_met",
        "every_scheduler_is_its_literal_definition_on_random_grids"
    ]) =>
        "Grid Over-Time-Submission: dynamic sets, and new lists at each submission";
    "OG-T-61" "Theorem 6.1" ROWS => "the makespan is below 5 times the optimum over time";
    "OG-T-61b" "Theorem 6.1" ROWS =>
        "the lemmas hold after the last submission and the longest job";
    "OG-T-61c" "6" ROWS => "the factor of 5 is at least close to 4.5";
    "OG-D-01" "7" ROWS => "stealing needs messages between neighbours";
    "OG-D-02" "7" ROWS => "stealing may change the quality of the schedule";
    "OG-D-03" "1" ROWS => "estimates are unreliable, so jobs of unknown length are the fair model";
    "OG-D-04" "1" ROWS => "jobs bound to clusters at submission are balanced badly";
};
