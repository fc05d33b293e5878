//! Words of other fields and programs, with the names that the same things have here.
//!
//! A student writes `learning_rate`, an operator of Slurm `partition`, a reader of the paper
//! `alpha`. Wherever a name is looked up (keys, choices, settings, `gridpact list`), a word of this
//! table is answered with our name and whose word it is. Unit tests hold every name to the catalog.

use super::diagnostics::{listed, nearest};

/// Words of others for one thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    /// The words, in lower case with underscores.
    words: &'static [&'static str],
    source: Source,
    /// Our names, the nearest first; `gamma.shape` means only the `shape` of a `gamma`. Empty for
    /// what is not modelled.
    pub(super) ours: &'static [&'static str],
    /// Ends of the paths of our name, told where the table itself has no such key.
    pub(super) at: &'static [&'static str],
    /// Follows our names in the sentence.
    note: &'static str,
    equals: Equals,
}

/// Origin of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Everyday language; the word needs no explanation.
    Everyday,
    /// A field of science; many use the word.
    Field,
    /// A single program or text, in the possessive.
    Of(&'static str),
}

/// Relation of a word to our names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equals {
    /// Another name for the same thing; a value written under the word can be read as ours.
    Same,
    /// Another name, with other values.
    Name,
    /// Our nearest equivalent, which differs as the note says.
    Near,
}

const SLURM: Source = Source::Of("Slurm's ");
const PAPER: Source = Source::Of("the paper's ");
const LEARNING: Source = Source::Field;
const SCHEDULING: Source = Source::Field;
const QUEUEING: Source = Source::Field;
const GAMES: Source = Source::Field;
const EVERYDAY: Source = Source::Everyday;

type Words = &'static [&'static str];

/// Another word for exactly the same thing.
const fn same(words: Words, source: Source, ours: Words, at: Words) -> Alias {
    Alias { words, source, ours, at, note: "", equals: Equals::Same }
}

/// Another word for the same thing, whose values are written otherwise.
const fn like(words: Words, source: Source, ours: Words, at: Words, note: &'static str) -> Alias {
    Alias { words, source, ours, at, note, equals: Equals::Name }
}

/// A word whose nearest equivalent differs as the note says.
const fn near(words: Words, source: Source, ours: Words, at: Words, note: &'static str) -> Alias {
    Alias { words, source, ours, at, note, equals: Equals::Near }
}

/// Something that is not modelled.
const fn none(words: Words, source: Source, note: &'static str) -> Alias {
    Alias { words, source, ours: &[], at: &[], note, equals: Equals::Name }
}

/// A word for a choice.
const fn choice(words: Words, source: Source, ours: Words, note: &'static str) -> Alias {
    Alias { words, source, ours, at: &[], note, equals: Equals::Same }
}

/// Words for keys. Symbols of Rzadca and Trystram (European Journal of Operational Research 199(3),
/// 2009) come first.
#[rustfmt::skip]
const KEYS: &[Alias] = &[
    same(&["alpha", "α"], PAPER, &["gamma.shape"], &[]),
    same(&["beta", "β"], PAPER, &["gamma.scale"], &[]),
    same(&["lambda", "λ"], PAPER, &["poisson.rate"], &[]),
    same(&["sigma", "σ"], PAPER, &["ratio.rate", "level.rate"], &[]),

    same(&["learning_rate", "lr", "step_size"], LEARNING, &["rate", "step"], &["learner.hedge.rate"]),
    same(&["eta", "η"], LEARNING, &["hedge.rate", "exp3_ix.rate"], &[]),
    same(&["alpha", "α"], LEARNING, &["boltzmann_q.rate", "phc.rate", "epsilon_greedy.step"], &[]),
    same(&["epsilon", "eps", "ε", "exploration_rate"], LEARNING,
        &["epsilon_greedy.exploration", "phc.exploration"], &["learner.epsilon_greedy.exploration"]),
    same(&["gamma", "γ"], LEARNING, &["exp3.exploration", "exp3_s.exploration"], &[]),
    none(&["discount_factor", "discount"], LEARNING,
        ": a learner weighs only the round that it has played; `learner.ucb.memory.discount` forgets old ones"),
    none(&["gamma", "γ"], LEARNING, " as a discount factor: a learner weighs only the round that it has played"),
    same(&["tau", "τ"], LEARNING, &["boltzmann_q.temperature"], &[]),
    near(&["beta", "inverse_temperature"], LEARNING, &["boltzmann_q.temperature"], &[],
        ", of which it is the inverse"),
    same(&["random_seed", "random_state", "rng", "rng_seed"], LEARNING, &["seed"], &["seed"]),
    like(&["episodes", "epochs", "iterations", "num_rounds", "n_rounds", "max_rounds"], LEARNING, &["until.rounds"],
        &["until.rounds"], ""),
    like(&["repetitions", "repeats", "trials", "n_runs", "num_runs", "runs"], LEARNING, &["replications"],
        &["run.replications"], ""),
    like(&["agent", "agents"], LEARNING, &["organization", "player"], &["organization", "player"], ""),
    like(&["strategy", "policy", "algorithm"], GAMES, &["learner"], &["organization.learner", "player.learner"],
        ", or `scheduler` for a cluster"),
    like(&["payoff_matrix", "matrix", "utility", "utilities", "reward", "rewards"], GAMES, &["payoffs"], &["game.payoffs"], ""),

    same(&["nodes", "node", "nnodes", "cpus", "ncpus", "cores", "procs", "slots", "ntasks", "gpus",
        "alloccpus", "alloc_cpus", "reqcpus", "req_cpus", "num_processors", "n_processors"], SLURM,
        &["processors"], &["cluster.space_shared.processors"]),
    like(&["partition", "partitions", "queue"], SLURM, &["cluster"], &["organization.cluster"],
        ", if it has nodes of its own"),
    same(&["walltime", "wall_time", "timelimit", "time_limit", "requested_time", "req_time"], SLURM,
        &["job.estimate"], &[]),
    like(&["walltime", "wall_time", "timelimit", "time_limit", "requested_time", "req_time", "limit"], SLURM,
        &["estimates"], &["workload.synthetic.estimates"], ", for drawn jobs"),
    same(&["elapsed", "run_time", "duration", "length"], SLURM, &["job.runtime"], &[]),
    same(&["submit_time", "submission_time", "release_time", "release_date", "release", "arrival_time"], SLURM,
        &["job.submit"], &[]),
    same(&["account", "project", "association"], SLURM, &["job.organization"], &[]),
    like(&["account", "accounts", "project", "association", "tenant", "vo"], SLURM, &["organization"], &["organization"], ""),
    near(&["federation"], SLURM, &["uses"], &["organization.uses"],
        ": a grid is a federation, and `uses` says which clusters an organization may use"),
    like(&["overtimelimit", "over_time_limit", "killwait", "kill_wait", "kill"], SLURM, &["kill_at_estimate"],
        &["cluster.space_shared.kill_at_estimate"], ""),
    like(&["schedulertype", "scheduler_type", "sched"], SLURM, &["scheduler"],
        &["cluster.space_shared.scheduler"], ""),
    none(&["qos", "priority", "prioritytype", "fairshare", "fair_share", "nice"], SLURM,
        ": jobs wait in the order of submission, or in one of `scheduler.list.order`"),
    none(&["maxjobs", "max_jobs", "grpjobs", "grptres", "maxtres", "limits"], SLURM,
        ": an organization may have any number of jobs at once"),
    none(&["preempt", "preemption", "preemptmode", "preempt_mode", "suspend", "requeue"], SLURM,
        ": a started job runs to its end"),
    none(&["dependency", "dependencies", "begin", "hold", "reservation", "reservations"], SLURM,
        ": a job may start as soon as it is submitted"),
    none(&["mem", "memory", "licenses", "topology", "oversubscribe", "exclusive", "gres", "tres", "features",
        "constraint"], SLURM, ": a job needs nothing but processors"),
];

/// Words for choices.
#[rustfmt::skip]
const CHOICES: &[Alias] = &[
    choice(&["fifo", "builtin", "sched/builtin", "first_come_first_served"], SCHEDULING, &["fcfs"], ""),
    like(&["backfill", "backfilling", "sched/backfill"], SLURM, &["conservative", "easy"], &[],
        ": the first plans a start for every waiting job, the second protects only the first in the queue"),
    choice(&["aggressive", "aggressive_backfilling"], SCHEDULING, &["easy"], ""),
    like(&["easy++", "easypp", "easy_plus_plus"], SCHEDULING, &["easy"], &[],
        ": write `scheduler.easy.backfill = \"shortest_first\"` and `run.clairvoyance = \"predicted\"`, which corrects \
         predictions that expire"),
    like(&["sjbf", "easy_sjbf"], SCHEDULING, &["easy"], &[], ": write `scheduler.easy.backfill = \"shortest_first\"`"),
    like(&["sjf", "spt", "shortest_job_first"], SCHEDULING, &["list"], &[], ": write `list.order = \"shortest\"`"),
    like(&["ljf", "lpt", "longest_job_first"], SCHEDULING, &["list"], &[], ": write `list.order = \"longest\"`"),
    choice(&["sjf", "spt", "shortest_job_first"], SCHEDULING, &["shortest", "shortest_first"], ""),
    choice(&["ljf", "lpt", "longest_job_first"], SCHEDULING, &["longest"], ""),
    choice(&["fcfs", "fifo"], SCHEDULING, &["submit", "in_order"], ""),
    near(&["priority", "multifactor", "fairshare", "fair_share", "priority/multifactor"], SLURM, &["list"], &[],
        ": it keeps a fixed order; priorities and fair share are not modelled"),
    like(&["batch", "parallel", "rigid", "hpc", "slurm", "nodes", "exclusive"], EVERYDAY, &["space_shared"], &[], ""),

    choice(&["trace", "log"], EVERYDAY, &["swf"], ""),
    choice(&["sacct", "csv", "list"], EVERYDAY, &["jobs"], ""),
    like(&["random", "generated", "generator", "drawn", "model", "poisson"], EVERYDAY, &["synthetic"], &[], ""),
    choice(&["exponential", "memoryless", "markovian"], QUEUEING, &["poisson"], ""),
    choice(&["periodic", "regular", "fixed", "constant"], EVERYDAY, &["deterministic"], ""),
    choice(&["fixed", "deterministic"], EVERYDAY, &["constant"], ""),
    choice(&["walltime", "wall_time", "timelimit", "time_limit", "limit"], SLURM, &["estimate"], ""),
    choice(&["perfect", "clairvoyant", "known", "true"], SCHEDULING, &["runtime"], ""),
    choice(&["nonclairvoyant", "non_clairvoyant", "blind", "unknown"], SCHEDULING, &["none"], ""),
    choice(&["account", "per_account"], SLURM, &["per_group"], ""),
    choice(&["episodes", "epochs", "iterations", "steps"], LEARNING, &["rounds"], ""),
    choice(&["horizon", "duration", "makespan"], EVERYDAY, &["time"], ""),

    choice(&["average", "mean", "equal"], EVERYDAY, &["averaging"], ""),
    choice(&["off", "no", "null"], EVERYDAY, &["none"], ""),

    choice(&["q_learning", "qlearning", "q", "softmax", "boltzmann", "softmax_q"], LEARNING, &["boltzmann_q"], ""),
    choice(&["multiplicative_weights", "mwu", "mw", "exponential_weights", "ewa", "exp2", "ftrl"], LEARNING,
        &["hedge"], ""),
    choice(&["bandit", "adversarial_bandit"], LEARNING, &["exp3"], ""),
    choice(&["e_greedy", "eps_greedy", "greedy", "ε_greedy"], LEARNING, &["epsilon_greedy"], ""),
    choice(&["ts", "posterior_sampling"], LEARNING, &["thompson"], ""),
    choice(&["wolf", "wolf_phc", "policy_hill_climbing"], LEARNING, &["phc"], ""),
    choice(&["rm", "cfr", "regret"], GAMES, &["regret_matching"], ""),
    choice(&["ftl"], LEARNING, &["follow_the_leader"], ""),
    choice(&["best_response", "br"], GAMES, &["best_reply"], ""),
    choice(&["fp"], GAMES, &["fictitious_play"], ""),
    choice(&["cooperate", "all_c", "always_cooperate"], GAMES, &["always"], ""),
    choice(&["defect", "all_d", "always_defect"], GAMES, &["never"], ""),
    choice(&["tft"], GAMES, &["tit_for_tat"], ""),
    choice(&["trigger"], GAMES, &["grim"], ""),
    choice(&["pavlov", "wsls"], GAMES, &["win_stay"], ""),
    choice(&["l_ri", "linear_reward_inaction", "reward_inaction"], LEARNING, &["cross"], ""),
    choice(&["l_rp", "linear_reward_penalty"], LEARNING, &["reward_penalty"], ""),
    choice(&["ga", "evolutionary", "evolution"], LEARNING, &["genetic"], ""),
    choice(&["random", "mixed"], GAMES, &["fixed"], ""),
    choice(&["normal_form", "matrix"], GAMES, &["table", "bimatrix"], ""),
];

/// Returns a word as the tables have it.
fn plain(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}

/// Returns the last part of a path.
fn last(path: &'static str) -> &'static str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Returns true if a key ends in these parts.
pub(super) fn ends_in(key: &str, end: &str) -> bool {
    key.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

fn with(table: &'static [Alias], word: &str) -> impl Iterator<Item = &'static Alias> {
    let word = plain(word);
    table.iter().filter(move |alias| alias.words.contains(&&*word))
}

/// Returns the meanings that a word has as a key.
pub(super) fn keys(word: &str) -> impl Iterator<Item = &'static Alias> {
    with(KEYS, word)
}

/// Returns the keys of a table that a word of others means, and whether its value can be read as
/// theirs. `None` if the word is not known; an empty list if this table has no such key.
pub(super) fn of_table(
    word: &str,
    table: &str,
    fields: &[&'static str],
) -> Option<(Vec<&'static str>, bool)> {
    let table = table.replace("[]", "");
    let is_here = |ours: &&'static str| {
        fields.contains(&last(ours)) && ends_in(&format!("{table}.{}", last(ours)), ours)
    };
    let mut any = keys(word).peekable();
    any.peek()?;
    let found = any.find_map(|alias| {
        let here: Vec<_> = alias.ours.iter().copied().filter(is_here).map(last).collect();
        (!here.is_empty()).then_some((here, alias.equals == Equals::Same))
    });
    Some(found.unwrap_or_default())
}

/// Known names that a wrong one may mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meant<'k> {
    /// The names; empty if nothing is near.
    pub names: Vec<&'k str>,
    /// A sentence with our name for it, if it is a word of another field.
    pub why: Option<String>,
    /// True if the first name means exactly the same.
    pub(super) is_same: bool,
}

impl<'k> Meant<'k> {
    /// Returns the lines of help: the question, then the reason. Empty if nothing is near.
    pub fn help(&self) -> Option<String> {
        let ask = (!self.names.is_empty())
            .then(|| format!("did you mean {}?", listed(&self.names, "or")))?;
        Some(match &self.why {
            Some(why) => format!("{ask}\nhelp: {why}"),
            None => ask,
        })
    }
}

/// Returns the choices that a wrong name may mean: by the word of another field, or else by its
/// letters.
pub fn choice_meant<'k>(word: &str, known: &[&'k str]) -> Meant<'k> {
    let find = |alias: &'static Alias| {
        let name = |ours: &&'static str| known.iter().copied().find(|name| name == ours);
        let names: Vec<&'k str> = alias.ours.iter().filter_map(name).collect();
        (!names.is_empty()).then(|| Meant {
            why: alias.sentence(word, &names),
            names,
            is_same: alias.equals == Equals::Same,
        })
    };
    with(CHOICES, word).find_map(find).unwrap_or_else(|| {
        let names = nearest(word, known.iter().copied());
        Meant { is_same: names.len() == 1, names, why: None }
    })
}

/// Returns the sentences about every meaning of a word, as a key or as a choice.
pub fn sentences(word: &str) -> Vec<String> {
    let all = keys(word).chain(with(CHOICES, word));
    let mut sentences = Vec::new();
    for sentence in all.filter_map(|alias| alias.sentence(word, &alias.names())) {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences
}

impl Alias {
    /// Returns our names, without the paths.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.ours.iter().map(|ours| last(ours)).collect();
        names.dedup();
        names
    }

    /// Translates a word: "Slurm's `walltime` is called `estimate` here".
    pub(super) fn sentence(&self, word: &str, names: &[&str]) -> Option<String> {
        let (word, note) = (plain(word), self.note);
        let word = match self.source {
            Source::Everyday => return None,
            Source::Field => format!("`{word}`"),
            Source::Of(whose) => format!("{whose}`{word}`"),
        };
        let names = listed(names, "or");
        Some(match self.equals {
            _ if self.ours.is_empty() => format!("{word} is not modelled{note}"),
            Equals::Near => format!("the nearest to {word} is {names}{note}"),
            Equals::Same | Equals::Name => format!("{word} is called {names} here{note}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{catalog, keys_in};
    use crate::root::Root;

    #[test]
    fn every_name_of_ours_is_one() {
        let known: Vec<String> = [Root::Grid, Root::Game]
            .into_iter()
            .flat_map(keys_in)
            .map(|key| key.key.replace("[]", ""))
            .collect();
        for alias in KEYS {
            for ours in alias.ours.iter().chain(alias.at) {
                assert!(known.iter().any(|key| ends_in(key, ours)), "{ours}: {alias:?}");
            }
        }
        let catalog = catalog();
        let names: Vec<&str> =
            catalog.iter().flat_map(|kind| &kind.choices).map(|choice| &*choice.name).collect();
        for ours in CHOICES.iter().flat_map(|alias| alias.ours) {
            assert!(names.contains(ours), "{ours}");
        }
    }

    /// A word means one thing among the choices of one kind, and is not itself one of them where
    /// what it means is another.
    #[test]
    fn no_word_is_ambiguous_within_a_kind() {
        for kind in catalog() {
            let names: Vec<&str> = kind.choices.iter().map(|choice| &*choice.name).collect();
            let here: Vec<&Alias> = CHOICES
                .iter()
                .filter(|alias| alias.ours.iter().any(|o| names.contains(o)))
                .collect();
            let mut seen = Vec::new();
            for word in here.iter().flat_map(|alias| alias.words) {
                assert!(!seen.contains(word), "{word} means two {}", kind.plural);
                seen.push(word);
            }
        }
    }

    #[test]
    fn words_are_as_they_are_looked_up() {
        for word in KEYS.iter().chain(CHOICES).flat_map(|alias| alias.words) {
            assert_eq!(plain(word), *word);
        }
        let told = |word: &str| sentences(word).join("; ");
        assert_eq!(told("Nodes"), "Slurm's `nodes` is called `processors` here");
        assert_eq!(told("learning-rate"), "`learning_rate` is called `rate` or `step` here");
        assert_eq!(told("nothing"), "");
        assert!(told("qos").starts_with("Slurm's `qos` is not modelled: "));
        assert!(told("easy++").ends_with(
            "`run.clairvoyance = \"predicted\"`, which corrects predictions that expire"
        ));
        assert!(told("fairshare").contains("the nearest to Slurm's `fairshare` is `list`: "));
        assert!(told("walltime").contains("Slurm's `walltime` is called `estimate` here"));
    }
}
