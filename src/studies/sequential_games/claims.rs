//! All testable claims of the paper, in our words.

use crate::claim::{Answer, Claim, claims};

const ROWS: Answer = Answer::Rows;

const fn checked(tests: &'static [&'static str]) -> Answer {
    Answer::Checked(tests)
}

/// The claims, in the order of the paper.
pub const CLAIMS: &[Claim] = claims! {
    "SG-M-01" "Definition 1" checked(&["the_engine_plays_what_the_vectors_say"]) =>
        "an application is a directed graph of classes of identical independent activities, with an \
         expected time by class and site";
    "SG-M-02" "2.3, Figure 2" ROWS =>
        "the manager of an application keeps a queue for each site and feeds it at the site's rate";
    "SG-M-03" "2.2, Figure 1" ROWS => "the workflows of WIEN2k and ASTRO";
    "SG-M-04" "2.2" ROWS => "sequential activities go to the fastest free processor on demand";
    "SG-E-01" "equations 1-5" ROWS => "times, weights, allocation and distribution of activities";
    "SG-E-02" "equation 4" ROWS => "a class with less than a processor at a site has nothing there";
    "SG-E-03" "equation 6" ROWS => "the sum of the times falls in each stage";
    "SG-E-04" "3.1" ROWS => "the smallest sum of times stands for the smallest makespan";
    "SG-A-01" "Algorithm 1" ROWS => "Game-quick, with a new game whenever a class is done";
    "SG-A-02" "3.2" ROWS => "users exclude sites by weights of zero";
    "SG-F4" "Figure 4" ROWS => "an example of four classes on four sites";
    "SG-F5" "Figure 5" ROWS => "over 90% is done after 30 to 40 of 600 stages";
    "SG-T2-01" "Table 2" ROWS => "a small inconsistent case";
    "SG-T2-02" "Table 2" ROWS => "a small consistent case";
    "SG-T2-03" "3.4" ROWS => "Game-quick is optimal on small cases";
    "SG-C-01" "3.5" ROWS => "effort grows with stages, classes and sites, not with activities";
    "SG-T3a" "Table 3a" ROWS => "310 to 632 stages, and at most 1000";
    "SG-T3b" "Table 3b" ROWS => "Game-quick is faster than the list heuristics by far";
    "SG-C-02" "3.5" ROWS =>
        "MET piles work on one site; HEFT becomes Min-min; a genetic algorithm is 5 to 10% better";
    "SG-T4" "Table 4" ROWS => "eight settings of 10 sites and 10 classes, 10% of pairs dependent";
    "SG-F6a" "Figure 6a" ROWS =>
        "the order of the times taken: Game-quick, MET, OLB, MCT, Min-min, Max-min, Sufferage";
    "SG-F6b" "Figure 6b" ROWS =>
        "consistent: Game-quick 10% (LoHi) or 5% better than Min-min, which is second; MET is worst, \
         OLB second worst";
    "SG-F6c" "Figure 6c" ROWS => "Game-quick has a fairness of 0.99, Min-min a low one";
    "SG-C-03" "3.6.1" ROWS =>
        "MCT is good at high, poor at low machine heterogeneity, where Sufferage is 5 to 10% better";
    "SG-C-04" "3.6.1" ROWS => "with fairness, efficiency is improved too";
    "SG-F7" "Figure 7" ROWS =>
        "inconsistent: Game-quick is best and MET worst; OLB, Max-min, MCT and Sufferage are worse \
         than if consistent, Min-min is better";
    "SG-C-05" "3.6.2" ROWS =>
        "MET beats OLB if the fastest sites of the classes are evenly distributed";
    "SG-T5" "Table 5" ROWS => "the testbed: four sites of four processors, with prices";
    "SG-F8" "Figure 8" ROWS =>
        "Min-min 258 with a fairness of 0.9466; Game-quick 12.17% shorter, fairness 0.9979";
    "SG-C-06" "3.7, 4.7" ROWS =>
        "the game keeps the activities of a class together, Min-min interleaves them";
    "SG-D-04" "4.1, Figure 9" ROWS => "effective deadlines, and phases that divide work evenly";
    "SG-E-05" "equations 11-15" ROWS => "cost, weights with prices, deadlines";
    "SG-E-06" "equations 16, 17" ROWS => "the cost falls in each stage";
    "SG-A-03" "Algorithm 2" ROWS => "Game-cost, where losers go on to the next site";
    "SG-F10" "Figure 10" ROWS => "an example of two classes on two sites, 47 stages";
    "SG-N-01" "4.3" ROWS => "the deadline is missed by less than 1% of the activities";
    "SG-F11" "Figure 11" ROWS =>
        "nearly done after 20 to 30 of 50 stages, with peaks; 100 stages are enough";
    "SG-T6" "Table 6" ROWS => "the setting of the experiments on cost";
    "SG-F12" "Figure 12" ROWS =>
        "Game-cost is 27% cheaper than MCT, 45% than Sufferage, 50% than the others";
    "SG-A-04" "4.6" ROWS => "with tight deadlines, Game-quick first and then Game-cost";
    "SG-F13" "Figure 13" ROWS =>
        "Game-cost 45.35% cheaper than Min-min, within 300, with nothing on the dearest site";
    "SG-C-07" "4.7" ROWS => "cost and makespan pull apart";
    "SG-D-06" "Algorithm 3" ROWS => "shares are repaired where storage is short";
    "SG-C-08" "5.1, 5.2" ROWS =>
        "with storage for all, Game-storage is Game-quick and Game-storage-cost is Game-cost";
    "SG-F14" "Figures 14, 15" ROWS => "an example with storage limits";
    "SG-F16" "Figure 16" ROWS => "Game-storage converges faster, with fluctuations";
    "SG-C-09" "5.2" ROWS => "the effort of Game-storage-cost grows with the squares of A and M";
    "SG-T7" "Table 7" ROWS => "the setting of the experiments on storage";
    "SG-F17a" "Figure 17a" ROWS => "the games take 198 ms, much less than the others";
    "SG-F17b" "Figure 17b" ROWS =>
        "the order Game-storage, Min-min, Sufferage, MCT, Max-min, OLB, MET; 33% better with storage";
    "SG-F17c" "Figure 17c" ROWS => "Game-storage has a fairness of 0.99";
    "SG-F17d" "Figure 17d" ROWS => "Game-storage-cost is 74% cheaper, others cost twice as much";
    "SG-R-01" "6.1" Answer::Later("data files that outlive the activities that write them") =>
        "storage-aware OLB deletes data as soon as no one needs them";
    "SG-R-02" "6.2" ROWS => "other measures of fairness: max-min, slowdown, waiting";
    "SG-W-01" "7" ROWS => "the larger the system, the larger the lead";
    "SG-W-02" "7" ROWS => "memory and other resources as limits";
    "SG-W-03" "7" Answer::Later("a second rule of pricing for sites") => "other models of prices";
};
