//! Text of `--help` below the options.
//!
//! The examples are shell commands, and a test runs them.

use cli::page;

pub(super) const ADVERSARY: &str = page! {
    "Examples:"
    "  gridpact adversary grid_submission --evaluations 2000 > bad.toml"
    "  gridpact run bad.toml"
    "  gridpact adversary 'list={order=\"largest\"}' --clusters 3 --evaluations 2000 --output bad.toml"
    "  gridpact adversary grid_submission --jobs 11 --releases --evaluations 2000 --quiet > bad.toml"
    ""
    "Only the ratio is searched for; the instance is then made simpler, as long as its ratio does not"
    "fall. Known families of bad cases: `gridpact new worst-case`."
};

pub(super) const REPRODUCE: &str = page! {
    "Examples:"
    "  gridpact reproduce                      # the papers"
    "  gridpact reproduce selfish-lb --claim LB-Q-03"
    "  gridpact reproduce selfish-lb --table 1"
    "  gridpact reproduce selfish-lb --figure 2a --format csv > surface.csv"
    "  gridpact reproduce selfish-lb --claim LB-E-01 --output studies"
    ""
    "There is a row for each claim, or each figure of it: the paper's value, ours with the half-width"
    "of its 95% confidence interval, and a verdict, by the rule below the table. The default is as"
    "many samples as in the paper (1000 rounds); `--quick` shows the shape within seconds, with wider"
    "intervals and more rows left open."
    ""
    "With a format other than text, nothing else is printed; json also has the counts of verdicts."
    "--output writes to a folder: PAPER.csv and PAPER.md, the rows; PAPER-figure-3a.svg and .csv, a"
    "figure with the paper's values beside ours, and its series; PAPER-played.csv, what each part"
    "played, with seeds and rounds; and PAPER-played, its scenarios, which `gridpact run` plays."
};

pub(super) const STUDY: &str = page! {
    "Examples:"
    "  gridpact study                          # the studies, one line each"
    "  gridpact study contest --quick          # one of them"
    ""
    "See also `gridpact study contest --help`."
};

pub(super) const CONTEST: &str = page! {
    "Examples:"
    "  gridpact study contest --play levels --learner unison --quick"
    "  gridpact study contest --learner cross --start 0.5 --grid homogeneous --against self --quick"
    "  gridpact study contest --learner cross --play levels --rounds 40 --payoffs -1 5 --output cross.csv"
    "  gridpact study contest --learner ucb --play levels --rounds 40 --set ucb.bonus=0.2"
    ""
    "There is a row for each learner on each grid: how often it takes part, its score, and its gain"
    "over the paper's rule, all in the last quarter of the rounds, with the half-width of the 95%"
    "confidence interval over seeds. Learners have their default parameters, except for --set; those"
    "that cannot play are named below the table. The grids are the scenarios in scenarios/learners/, so"
    "any row can be run on its own with `gridpact run`."
    ""
    "Without options everything is played, which takes an hour or more, so restrict it with options."
    "Learners that ask what each action would have paid take the longest."
};
