//! What `--help` says below the options: examples, exit codes, environment. The examples are
//! commands for a shell; a test runs them.

/// The end of every page.
macro_rules! page {
    ($($line:literal)*) => {
        concat!($($line, "\n",)* "
Exit codes:
  0   done
  1   an audit found something
  2   the input is wrong: a message says where, why and what to write instead
  3   a bug of gridpact
  4   a file could not be read or written
  75  stopped before its end by a signal or `--wall-clock`; `gridpact resume` goes on

Environment:
  GRIDPACT_LOG   what is logged on standard error, such as gridpact=debug; wins over -v
  COLUMNS        how wide tables are, where standard output is no terminal
  NO_COLOR       no colors, if it is set")
    };
}

pub(super) const SHORT: &str = "`--help` shows examples, exit codes and environment.";

pub(super) const PROGRAM: &str = page! {
    "Examples:"
    "  gridpact new queue > my.toml            # a starter, every key explained"
    "  gridpact check my.toml                  # is it right, and what would run?"
    "  gridpact run my.toml                    # a summary, and files in results/a-queue"
    "  gridpact audit results/a-queue          # was every rule kept?"
    "  gridpact run my.toml --no-files --format csv > table.csv"
};

pub(super) const RUN: &str = page! {
    "Examples:"
    "  gridpact run scenarios/kth-sp2-easy.toml"
    "  gridpact run scenarios/kth-sp2-easy.toml --seed 7 --out seed-7"
    "  gridpact run scenarios/kth-sp2-easy.toml --no-files --format json > figures.json"
    "  gridpact run scenarios/kth-sp2-easy.toml -v    # tell each step on standard error"
    "  gridpact run scenarios/kth-sp2-easy.toml --live    # how far is it? see live.json"
    ""
    "With a format other than text, standard output is one table: a row for each organization and"
    "one, called `*` (`whole grid` in markdown), for the whole grid. Its columns are named as in"
    "organizations.csv. Of a coalition it is learning.csv: also a row for each class of several,"
    "and `*` where all are not one class; markdown has fewer columns, and calls it `all`."
};

pub(super) const RESUME: &str = page! {
    "Examples:"
    "  gridpact run scenarios/mm1.toml --out results/long --wall-clock 1s || true"
    "  gridpact resume results/long                      # goes on where it was stopped"
    "  gridpact resume results/long --replications 12    # only the new ones are run"
    "  gridpact resume results/long                      # a finished run: nothing to do"
    ""
    "The scenario is read from what the run kept of it, not from its file, which may have changed."
    "Traces and lists of jobs must be what they were."
};

pub(super) const EXPLAIN: &str = page! {
    "Examples:"
    "  gridpact run scenarios/ten-jobs.toml --set output.decisions=true"
    "  gridpact explain results/ten-jobs-by-hand --job 5"
    "  gridpact explain results/ten-jobs-by-hand --at 4.5"
    "  gridpact explain results/ten-jobs-by-hand --job 2 --format json > why.json"
    ""
    "Of a job: when it came and what it needs, who ran and who was ahead, what it waited for until"
    "when, whose end let it start, and who overtook it and whether that pushed its reservation back."
    "Of a time: who runs, who waits and for what, on every cluster or on --cluster. Without"
    "decisions.csv, which `output.decisions = true` writes, the same without the reasons."
    ""
    "Of a job of a coalition: the queue in front of it, what was promised, and which balancings moved"
    "work; for that the run has to write jobs.csv and moves.csv."
    ""
    "The tables, of a job: job, candidates, ahead, freed, overtakers and stages; of a time: clusters,"
    "running and waiting; of a coalition's job: job, in_front and balancings. json is an object with"
    "an array for each, csv is the one that --table names, the last unless it is said."
};

pub(super) const DEVIATE: &str = page! {
    "Examples:"
    "  gridpact deviate scenarios/selfish-lb-figure-3b.toml --after 100 --rounds 50"
    "  gridpact deviate scenarios/selfish-lb-figure-5a.toml --organization typical --levels 1,5,20"
    "  gridpact deviate scenarios/selfish-lb-figure-5a.toml --after 0 --format csv > gains.csv"
    ""
    "Rounds are compared in a replication that nobody learned from. In continuing rounds an action"
    "is done in all of them, and intervals are over batches."
};

pub(super) const GAME: &str = page! {
    "Examples:"
    "  gridpact new game > hunt.toml           # a starter, every key explained"
    "  gridpact game hunt.toml"
    "  gridpact game hunt.toml --replications 400 --set run.until.rounds=20000 --force"
    "  gridpact game hunt.toml --no-files --set 'learner.hedge={}' --format csv > players.csv"
    "  gridpact check hunt.toml                # and what are its equilibria?"
    ""
    "The summary tells for every player what it got and regrets, then in which profiles the"
    "replications ended and whether these are equilibria. Files: players.csv, actions.csv,"
    "profiles.csv, rounds.csv (up to a million lines unless `output.rounds` says), summary.json,"
    "learning.svg. With a format other than text, standard output is one table, that of"
    "players.csv; markdown has fewer columns."
};

pub(super) const CHECK: &str = page! {
    "Examples:"
    "  gridpact check scenarios/kth-sp2-users.toml"
    "  gridpact check scenarios/kth-sp2-users.toml --format json > plan.json"
    "  gridpact check scenarios/kth-sp2-users.toml --format csv --table imports > ledger.csv"
    ""
    "The tables: run (what is run, in one row), organizations, clusters, workloads, and imports"
    "(what was left out of each trace or changed in it, by rule). json is an object with an array"
    "for each, markdown has a heading over each, csv is the one that --table names, organizations"
    "unless it is said."
};

pub(super) const WORKLOAD: &str = page! {
    "Examples:"
    "  gridpact workload show scenarios/three-organizations.toml"
    "  gridpact workload export scenarios/ten-jobs.toml --to csv > list.csv"
    ""
    "`gridpact workload show --help` and `gridpact workload export --help` tell more."
};

pub(super) const WORKLOAD_SHOW: &str = page! {
    "Examples:"
    "  gridpact workload show scenarios/zipf-owners.toml"
    "  gridpact workload show scenarios/mm1.toml --jobs 10000 --seed 7"
    "  gridpact workload show scenarios/kth-sp2-easy.toml --format json > profile.json"
    "  gridpact workload show scenarios/kth-sp2-easy.toml --format csv --table hours > hours.csv"
    ""
    "Nothing is run. All sources are drawn in the order of time, up to the end of the run or of the"
    "jobs, at most --jobs of them. Offered load is the area of the jobs (run time x processors) by"
    "what the processors could do from the first submission to the last; above 1, queues grow."
    ""
    "The tables: workload (all in one row), organizations, quantiles, histograms, hours and days."
    "json is an object with an array for each, markdown has a heading over each, csv is the one"
    "that --table names, organizations unless it is said."
};

pub(super) const WORKLOAD_EXPORT: &str = page! {
    "Examples:"
    "  gridpact workload export scenarios/zipf-owners.toml --to csv --output list.csv"
    "  gridpact workload export scenarios/mm1.toml --to swf --jobs 1000 --output mm1.swf.gz"
    "  gridpact workload export scenarios/mm1.toml --to swf --jobs 1000 --whole-seconds > mm1.swf"
    ""
    "The CSV file is a list that `workload.jobs = { file = ... }` reads back exactly, so that other"
    "programs get the very jobs of a run. In a trace the group of a job is its organization, as"
    "the header says; without --whole-seconds, times that are not whole are decimals, which other"
    "readers of traces may not take. gridpact reads them exactly, but `workload.swf` then cleans"
    "the trace; to keep it as it is, say `import = { no_runtime = \"zero\", over_estimate = \"keep\","
    "shift_to_zero = false }`."
    ""
    "Jobs of a workload with `estimates.none` are written without an estimate (an empty cell, or"
    "-1). Read back, they have their run time for one, as if their users knew it."
};

pub(super) const LIST: &str = page! {
    "Examples:"
    "  gridpact list                           # every choice of every kind"
    "  gridpact list schedulers                # with parameters, defaults and sources"
    "  gridpact list keys                      # every key, what it takes, its default"
    "  gridpact list keys --format csv > keys.csv"
    "  gridpact list game-keys                 # the same of games"
};

pub(super) const SCHEMA: &str = page! {
    "Examples:"
    "  gridpact schema > gridpact.schema.json"
    "  gridpact schema --game > gridpact-game.schema.json"
    ""
    "With Even Better TOML, or whatever else is built on taplo, an editor completes and checks a"
    "scenario that names the schema in its first line:"
    "  #:schema ./gridpact.schema.json"
};

pub(super) const AUDIT: &str = page! {
    "Examples:"
    "  gridpact run scenarios/ten-jobs.toml"
    "  gridpact audit results/ten-jobs-by-hand"
    "  gridpact audit results/ten-jobs-by-hand --format csv > rules.csv"
    ""
    "With a format other than text, standard output is the table of rules, and violations are told"
    "on standard error."
};

pub(super) const REPRODUCE: &str = page! {
    "Examples:"
    "  gridpact reproduce                      # the papers"
    "  gridpact reproduce selfish-lb --claim LB-Q-03"
    "  gridpact reproduce selfish-lb --table 1"
    "  gridpact reproduce selfish-lb --figure 2a --format csv > surface.csv"
    "  gridpact reproduce selfish-lb --claim LB-E-01 --output studies"
    ""
    "A row for each claim, or each figure of it: what the paper says, what we find with half of its"
    "95% interval, and a verdict. The rule is told below the table. `--rounds 1000`, as many as the"
    "paper has, is meant unless `--quick` is said, which shows the shape within seconds: intervals"
    "are wider then, and more rows stay open."
    ""
    "With a format other than text nothing else is printed; json has the counts of verdicts beside"
    "the rows. --output writes PAPER.csv and PAPER.md to a folder."
};

pub(super) const CONTEST: &str = page! {
    "Examples:"
    "  gridpact contest --play levels --learner unison --quick"
    "  gridpact contest --learner cross --start 0.5 --grid homogeneous --against self --quick"
    "  gridpact contest --learner cross --play levels --rounds 40 --payoffs -1 5 --output cross.csv"
    "  gridpact contest --learner ucb --play levels --rounds 40 --set ucb.bonus=0.2"
    ""
    "A row for each learner on each grid: how often it takes part at last, its score, and what it"
    "gains over the paper's rule, each with half of its 95% interval over seeds; at last is in the"
    "last quarter of the rounds. All learners have their default parameters, but for what --set says;"
    "those that cannot play are named below the table. The grids are the scenarios in"
    "scenarios/learners/, so that any row can be run by itself with `gridpact run`."
    ""
    "Without options all of it is played, which takes an hour or more: name what is wanted. Learners"
    "that ask what each action would have brought take the longest."
};

pub(super) const NEW: &str = page! {
    "Examples:"
    "  gridpact new                            # the kinds, a line each"
    "  gridpact new coalition > my.toml"
    "  gridpact new trace scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz > kth.toml"
    ""
    "Nothing is asked and no file is made: the scenario goes to standard output. It runs as it"
    "stands; `trace` and `users` do if they are given a trace, which is named in the scenario as it"
    "is here: paths are relative to where the scenario is."
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
    "A page that gridpact wrote before is replaced; any other file of that name stays, and then"
    "nothing is written."
};
