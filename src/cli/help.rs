//! Text of `--help` below the options: examples, exit codes, environment.
//!
//! The examples are shell commands, and a test runs them.

/// Appends the common end of every help page.
#[macro_export]
macro_rules! page {
    ($($line:literal)*) => {
        concat!($($line, "\n",)* "
Exit codes:
  0   done
  1   an audit found a violation
  2   the input is invalid; a message says where, why and how to fix it
  3   a bug of gridpact
  4   a file could not be read or written
  75  stopped early by a signal or `--wall-clock`; `gridpact resume` continues

Environment:
  GRIDPACT_LOG   log filter for standard error, such as gridpact=debug; takes precedence over -v
  COLUMNS        width of the output in characters, if it is not a terminal
  NO_COLOR       no colors, if it is set
  CLICOLOR_FORCE colors even if the output is not a terminal")
    };
}

pub use page;

/// The last line of a short help page.
pub const SHORT: &str = "`--help` shows examples, exit codes and environment.";

pub(super) const PROGRAM: &str = page! {
    "Examples:"
    "  gridpact new queue > my.toml            # a starter with every key explained"
    "  gridpact check my.toml                  # is it valid, and what would it run?"
    "  gridpact run my.toml                    # a summary, and files in results/a-queue"
    "  gridpact audit results/a-queue          # were all rules kept?"
    "  gridpact run my.toml --no-files --format csv > table.csv"
};

/// The line that installs what the program does not have.
pub(super) const INSTALL_STUDIES: &str =
    "in gridpact's folder, `cargo install --path src/studies --locked` builds and installs it";

pub(super) const ELSEWHERE: &str = "\
A command of the program gridpact-studies. In gridpact's folder, this builds and installs it:
  cargo install --path src/studies --locked";

pub(super) const RUN: &str = page! {
    "Examples:"
    "  gridpact run scenarios/kth-sp2-easy.toml"
    "  gridpact run scenarios/kth-sp2-easy.toml --seed 7 --out seed-7"
    "  gridpact run scenarios/kth-sp2-easy.toml --no-files --format json > figures.json"
    "  gridpact run scenarios/kth-sp2-easy.toml -v    # log each step on standard error"
    "  gridpact run scenarios/kth-sp2-easy.toml --live    # progress in live.json"
    ""
    "With a format other than text, standard output is one table: a row for each organization and"
    "one for the whole grid, called `*` (`whole grid` in markdown). Its columns are those of"
    "organizations.csv. For a coalition, the table is learning.csv, which also has a row for each"
    "class of several organizations, and `*` for all (`all` in markdown) if there are several classes;"
    "markdown has fewer columns."
};

pub(super) const RESUME: &str = page! {
    "Examples:"
    "  gridpact run scenarios/mm1.toml --out results/long --wall-clock 1s || true"
    "  gridpact resume results/long                      # continues where it stopped"
    "  gridpact resume results/long --replications 12    # only the new ones are run"
    "  gridpact resume results/long                      # a finished run: nothing to do"
    ""
    "The scenario is read from the copy that the run kept, since its file may have changed. Traces and"
    "lists of jobs must be unchanged."
};

pub(super) const COMPARE: &str = page! {
    "Examples:"
    "  gridpact compare scenarios/ten-clusters.toml --vary scheduler=fcfs,easy --set until.jobs=5000"
    "  gridpact compare scenarios/games/stag-hunt.toml --vary learner=hedge,boltzmann_q"
    "  gridpact compare scenarios/ten-jobs.toml scenarios/three-schedulers.toml --no-files --format csv"
    ""
    "Every run sees the same jobs in a replication, so that what they have in common does not blur"
    "their difference. Intervals are Student's over the pairs of replications, or bootstrap-t where the"
    "differences are too skewed (Cochran's rule). Verdicts on the judged measures hold together, by"
    "Holm's correction."
    ""
    "Files: comparison.csv, with every difference; figures.csv and replications.csv, whose first column"
    "is the run; summary.json and manifest.json. No jobs are written: `gridpact run` with the same"
    "`--set` and `--seed` runs one of them alone, with all its files."
};

pub(super) const SWEEP: &str = page! {
    "Examples:"
    "  gridpact sweep scenarios/studies/load-and-scheduler.toml"
    "  gridpact sweep scenarios/studies/load-and-scheduler.toml --replications 25"
    "  gridpact sweep plot results/sweep-load-and-scheduler --y wait_p99"
    ""
    "`[sweep.grid]` lists values of keys, and every combination is a point:"
    "  [sweep.grid]"
    "  scheduler = [\"fcfs\", \"easy\"]"
    "  load = { from = 0.5, to = 0.9, steps = 5 }"
    "`[[sweep.list]]` has points one by one; `[sweep.latin_hypercube]` and `[sweep.sobol]` draw them."
    ""
    "Files: points.csv; figures.csv and replications.csv with the values of the point in front;"
    "comparison.csv if a key has words for values, such as schedulers; sensitivity.csv of a Sobol"
    "design; sweep.svg. A sweep that was stopped, or to which points or replications were added, goes"
    "on with the same command: what is known is not run again."
};

pub(super) const SWEEP_PLAN: &str = page! {
    "Examples:"
    "  gridpact sweep plan scenarios/studies/load-and-scheduler.toml"
    "  gridpact sweep plan scenarios/studies/load-and-scheduler.toml --format csv > points.csv"
};

pub(super) const SWEEP_RUN: &str = page! {
    "Examples:"
    "  cp scenarios/studies/load-and-scheduler.toml study.toml"
    "  gridpact sweep run study.toml --shard 3/7 --out results/study"
    "  seq 7 | parallel gridpact sweep run study.toml --shard {}/7 --threads 1 --out results/study"
    ""
    "The share is kept in FOLDER/shards/3-of-7. On SIGTERM it saves, and exits with 75; the same"
    "command goes on. Shares may run at once, on any machines; where first runs find the end of the"
    "warm-up, a point's replications are all in one share. One process at a time can run a share, if"
    "the file system's locks work across machines."
};

pub(super) const SWEEP_STATUS: &str = page! {
    "Examples:"
    "  cp scenarios/studies/load-and-scheduler.toml study.toml"
    "  gridpact sweep status study.toml --out results/study"
};

pub(super) const SWEEP_MISSING: &str = page! {
    "Examples:"
    "  cp scenarios/studies/load-and-scheduler.toml study.toml"
    "  gridpact sweep missing study.toml --shards 7 --out results/study"
    "  sbatch --array=$(gridpact sweep missing study.toml --out results/study) slurm.sbatch"
    ""
    "Nothing is printed on standard output if nothing is missing."
};

pub(super) const SWEEP_MERGE: &str = page! {
    "Examples:"
    "  cp scenarios/studies/load-and-scheduler.toml study.toml"
    "  gridpact sweep run study.toml --shard 1/2 --out results/study"
    "  gridpact sweep run study.toml --shard 2/2 --out results/study"
    "  gridpact sweep merge study.toml --out results/study"
    ""
    "`--from FOLDER` names the shares one by one, as they were copied from other machines."
    ""
    "The results are those of a run in one piece, byte by byte. Gaps, shares that contradict each other"
    "and shares of another version of gridpact are refused."
};

pub(super) const SWEEP_SUBMIT: &str = page! {
    "Examples:"
    "  cp scenarios/studies/load-and-scheduler.toml study.toml"
    "  gridpact sweep submit study.toml --engine slurm --shards 50 --time 2:00:00 --no-submit"
    ""
    "The script is FOLDER/shards/slurm.sbatch; it can be read, edited and submitted by hand. A task"
    "that is told to end saves its state and goes back to the queue. Afterwards `gridpact sweep"
    "missing` lists the shares to submit again, and `gridpact sweep merge` writes the results."
};

pub(super) const SWEEP_PLOT: &str = page! {
    "Examples:"
    "  gridpact sweep scenarios/studies/load-and-scheduler.toml"
    "  gridpact sweep plot results/sweep-load-and-scheduler --x load --y wait --by scheduler"
    "  gridpact sweep plot results/sweep-load-and-scheduler --y flow_p99 --where scheduler=easy"
    ""
    "The vertical axis has the mean of the measure over the replications, with its confidence interval"
    "as a band. Keys that are not named become part of the lines' names while there are at most ten"
    "lines; the rest are held at their first value, which the picture says."
};

pub(super) const EXPLAIN: &str = page! {
    "Examples:"
    "  gridpact run scenarios/ten-jobs.toml --set output.decisions=true"
    "  gridpact explain results/ten-jobs-by-hand --job 5"
    "  gridpact explain results/ten-jobs-by-hand --at 4.5"
    "  gridpact explain results/ten-jobs-by-hand --job 2 --format json > why.json"
    ""
    "For a job: when it was submitted and what it needs, which jobs were running or ahead of it, what"
    "it waited for and until when, which jobs made room for it, and which overtook it and whether that"
    "delayed its reservation. For a time: the running and waiting jobs, and what these wait for, on"
    "every cluster or on --cluster. Reasons need decisions.csv, which `output.decisions = true` writes."
    ""
    "For a job of a coalition: the queue in front of it, its promise, and the balancings that moved"
    "work; this needs jobs.csv and moves.csv."
    ""
    "Tables for a job: job, candidates, ahead, freed, overtakers and stages; for a time: clusters,"
    "running and waiting; for a coalition's job: job, in_front and balancings. json is an object with"
    "an array for each; csv is the table that --table names, by default the last."
};

pub(super) const DEVIATE: &str = page! {
    "Examples:"
    "  gridpact deviate scenarios/selfish-lb-figure-3b.toml --after 100 --rounds 50"
    "  gridpact deviate scenarios/selfish-lb-figure-5a.toml --organization typical --levels 1,5,20"
    "  gridpact deviate scenarios/selfish-lb-figure-5a.toml --after 0 --format csv > gains.csv"
    ""
    "Rounds are compared in a replication that was not used for learning. With continuing rounds, an"
    "action is taken in all of them, and intervals come from batches."
};

pub(super) const GAME: &str = page! {
    "Examples:"
    "  gridpact new game > hunt.toml           # a starter with every key explained"
    "  gridpact game hunt.toml"
    "  gridpact game hunt.toml --replications 400 --set run.until.rounds=2000 --force"
    "  gridpact game hunt.toml --no-files --set 'learner.hedge={}' --format csv > players.csv"
    "  gridpact check hunt.toml                # including its equilibria"
    ""
    "The summary shows the payoff and regret of every player, the profiles in which replications"
    "ended, and whether these are equilibria. Files: players.csv, actions.csv,"
    "profiles.csv, rounds.csv (up to a million lines, or more with `output.rounds`), summary.json,"
    "learning.svg. With a format other than text, standard output is one table, that of"
    "players.csv; markdown has fewer columns."
    ""
    "See also `gridpact game solve --help`."
};

pub(super) const GAME_SOLVE: &str = page! {
    "Examples:"
    "  gridpact game solve scenarios/games/stag-hunt.toml"
    "  gridpact game solve scenarios/games/stag-hunt.toml --logit 0,1,4 --table logit_equilibria"
    "  gridpact game solve scenarios/games/membership.toml --alpha 0.5 --format json > solved.json"
    "  gridpact game solve scenarios/games/stag-hunt.toml --memory-one tit_for_tat --error 0.01"
    "  gridpact game solve scenarios/games/gloves.toml"
    ""
    "Tables of a game with actions: pure_equilibria, mixed_equilibria (two players), efficiency (prices"
    "of anarchy and stability), dominance, logit_equilibria, alpha_rank, fixation (symmetric games),"
    "memory_one (two players with two actions). Of a game of coalitions: allocations (Shapley value,"
    "least core) and core. The table `skipped` says what is missing and why. json is an object with an"
    "array for each, markdown has a heading over each, csv is the table that --table names."
};

pub(super) const CHECK: &str = page! {
    "Examples:"
    "  gridpact check scenarios/kth-sp2-users.toml"
    "  gridpact check scenarios/kth-sp2-users.toml --format json > plan.json"
    "  gridpact check scenarios/kth-sp2-users.toml --format csv --table imports > ledger.csv"
    ""
    "Tables: run (a single row), organizations, clusters, workloads, and imports (the jobs of each"
    "trace that each rule dropped or changed). json is an object with an array for each, markdown has"
    "a heading over each, csv is the table that --table names, by default organizations."
};

pub(super) const WORKLOAD: &str = page! {
    "Examples:"
    "  gridpact workload show scenarios/three-organizations.toml"
    "  gridpact workload export scenarios/ten-jobs.toml --to csv > list.csv"
    "  gridpact workload import --from sacct scenarios/traces/sacct.txt.gz > jobs.csv"
    ""
    "See also `gridpact workload show --help`, `gridpact workload export --help` and"
    "`gridpact workload import --help`."
};

pub(super) const WORKLOAD_SHOW: &str = page! {
    "Examples:"
    "  gridpact workload show scenarios/zipf-owners.toml"
    "  gridpact workload show scenarios/mm1.toml --jobs 10000 --seed 7"
    "  gridpact workload show scenarios/kth-sp2-easy.toml --format json > profile.json"
    "  gridpact workload show scenarios/kth-sp2-easy.toml --format csv --table hours > hours.csv"
    ""
    "Nothing is simulated. Jobs of all sources are drawn in order of submission, up to the end of the"
    "run or of the jobs, and at most --jobs. The offered load is the area of the jobs (runtime x"
    "processors) divided by the capacity from the first submission to the last; above 1, queues grow."
    ""
    "Tables: workload (a single row), organizations, quantiles, histograms, hours and days. json is an"
    "object with an array for each, markdown has a heading over each, csv is the table that --table"
    "names, by default organizations."
};

pub(super) const WORKLOAD_EXPORT: &str = page! {
    "Examples:"
    "  gridpact workload export scenarios/zipf-owners.toml --to csv --output list.csv"
    "  gridpact workload export scenarios/mm1.toml --to swf --jobs 1000 --output mm1.swf.gz"
    "  gridpact workload export scenarios/mm1.toml --to swf --jobs 1000 --whole-seconds > mm1.swf"
    ""
    "The CSV file is a list that `workload.jobs = { file = ... }` reads back exactly, so other programs"
    "can use the very jobs of a run. In a trace, the group of a job is its organization, as the header"
    "says. Without --whole-seconds, fractional times are written as decimals, which other readers may"
    "reject. gridpact reads them exactly, but `workload.swf` cleans the trace; to keep it as it is, set"
    "`import = { no_runtime = \"zero\", over_estimate = \"keep\", shift_to_zero = false }`."
    ""
    "Jobs of a workload with `estimates.none` are written without an estimate (an empty cell, or -1)."
    "Read back, their estimate is their runtime."
};

pub(super) const WORKLOAD_IMPORT: &str = page! {
    "Examples:"
    "  gridpact workload import --from sacct scenarios/traces/sacct.txt.gz > jobs.csv"
    "  gridpact workload import --from sacct scenarios/traces/sacct.txt.gz --by user -q > users.csv"
    "  cp scenarios/traces/sacct.txt.gz log.gz"
    "  gridpact workload import --from sacct log.gz --output list.csv --scenario alone.toml"
    "  gridpact run alone.toml"
    ""
    "--owners owners.csv, with lines such as `u13,physics`, makes organizations of users by name; the"
    "list names the users too."
    ""
    "Create the log with"
    "  TZ=UTC sacct --allusers --parsable2 --starttime 2026-01-01 \\"
    "    --format JobID,User,Account,Partition,Submit,Start,Elapsed,Timelimit,AllocCPUS,State"
    "Columns may come in any order, with others between them; ElapsedRaw, TimelimitRaw, NCPUS, NNodes,"
    "AllocTRES and Cluster are understood too. The log may be gzipped, or come from standard input (-)."
    "Several logs are read as one."
    ""
    "Each job, array element and component of a heterogeneous job becomes a job; steps belong to their"
    "job. Standard error lists the jobs that every rule dropped or changed. The log does not say who"
    "owns how many processors, so the scenario gives each organization as many as it held at most at"
    "once; replace these by the real numbers."
};

pub(super) const LIST: &str = page! {
    "Examples:"
    "  gridpact list                           # every choice of every kind"
    "  gridpact list schedulers                # with parameters, defaults and sources"
    "  gridpact list learners hedge            # one of them; `gridpact list hedge` is enough"
    "  gridpact list keys                      # every key with its values and default"
    "  gridpact list keys --format csv > keys.csv"
    "  gridpact list game-keys                 # the same for games"
};

pub(super) const SCHEMA: &str = page! {
    "Examples:"
    "  gridpact schema > gridpact.schema.json"
    "  gridpact schema --game > gridpact-game.schema.json"
    ""
    "An editor with Even Better TOML, or another extension based on taplo, completes and checks a"
    "scenario that names the schema in its first line:"
    "  #:schema ./gridpact.schema.json"
};

pub(super) const AUDIT: &str = page! {
    "Examples:"
    "  gridpact run scenarios/ten-jobs.toml"
    "  gridpact audit results/ten-jobs-by-hand"
    "  gridpact audit results/ten-jobs-by-hand --format csv > rules.csv"
    ""
    "With a format other than text, standard output is the table of rules, and violations go to"
    "standard error."
};

pub(super) const NEW: &str = page! {
    "Examples:"
    "  gridpact new                            # the kinds, one line each"
    "  gridpact new coalition > my.toml"
    "  gridpact new trace scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz > kth.toml"
    ""
    "The scenario goes to standard output; nothing is asked, and no file is created. It runs as it is,"
    "except that `trace` and `users` need a trace. Its path is written as given here, and is relative"
    "to the folder of the scenario."
};

pub(super) const COMPLETIONS: &str = page! {
    "Examples, each once; a new shell then completes commands, options and files:"
    "  mkdir -p ~/.local/share/bash-completion/completions"
    "  gridpact completions bash > ~/.local/share/bash-completion/completions/gridpact"
    "  mkdir -p ~/.zfunc   # in ~/.zshrc: fpath=(~/.zfunc $fpath); autoload -U compinit; compinit"
    "  gridpact completions zsh > ~/.zfunc/_gridpact"
    "  mkdir -p ~/.config/fish/completions"
    "  gridpact completions fish > ~/.config/fish/completions/gridpact.fish"
    "  mkdir -p ~/.config/elvish/lib   # in ~/.config/elvish/rc.elv: use gridpact"
    "  gridpact completions elvish > ~/.config/elvish/lib/gridpact.elv"
    "  gridpact completions powershell > gridpact.ps1   # in $PROFILE: . PATH/TO/gridpact.ps1"
};

pub(super) const MAN: &str = page! {
    "Examples:"
    "  gridpact man run > gridpact-run.1       # then: man -l gridpact-run.1"
    "  gridpact man --out ~/.local/share/man/man1    # then: man gridpact-run"
    ""
    "Pages that gridpact wrote before are replaced; if any other file has such a name, nothing is"
    "written."
};
