//! `gridpact study contest`.

use std::path::PathBuf;

use crate::contest::{self, Effort, Progress, Wanted, table};
use clap::{Args, ValueEnum, ValueHint};

use super::study::{Answered, differences, registered, writable};
use cli::{Failure, Threads, format, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Clusters to play on [default: both].
    #[arg(long, value_name = "GRID")]
    grid: Vec<Grid>,
    /// Load balancer [default: both].
    #[arg(long, value_name = "BALANCER")]
    balancer: Vec<Balancer>,
    /// Decision to learn: whether to join, or at which level [default: both].
    #[arg(long, value_name = "WHAT")]
    play: Vec<Play>,
    /// A registered learner; may be repeated [default: all].
    #[arg(long, value_name = "NAME")]
    learner: Vec<String>,
    /// Opponents of a learner [default: both].
    #[arg(long, value_name = "WHOM")]
    against: Vec<Against>,
    /// Initial probability of joining; may be repeated [default: 0.1, 0.5 and 0.9].
    #[arg(long, value_name = "P", value_parser = probability)]
    start: Vec<f64>,
    /// Scores that learners scale to 0 and 1 [default: -2 and 2].
    #[arg(long, value_names = ["LEAST", "MOST"], num_args = 2, allow_negative_numbers = true)]
    payoffs: Vec<f64>,
    /// A learner's parameter, such as `ucb.bonus=0.2`; may be repeated.
    #[arg(long, value_name = "LEARNER.PARAMETER=VALUE")]
    set: Vec<String>,
    /// Rounds per run [default: 2000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..=1_000_000))]
    rounds: Option<u64>,
    /// Runs per entry, each on other jobs [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seeds: Option<u32>,
    /// Play only 40 rounds and 3 seeds, to see the shape; no learner converges that fast.
    ///
    /// Unless other options say otherwise, only joining is learned, from a probability of 0.5.
    #[arg(long)]
    quick: bool,
    /// Master seed of all random draws.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Also write the table to this file, as CSV, or a page if its name ends in `.html`.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Defines a command-line choice and its counterpart in the study.
macro_rules! choice {
    ($name:ident of $study:ty { $($(#[$doc:meta])* $variant:ident,)* }) => {
        #[derive(Clone, Copy, Debug, ValueEnum)]
        enum $name {
            $($(#[$doc])* $variant,)*
        }
        impl From<$name> for $study {
            fn from(choice: $name) -> $study {
                match choice {
                    $($name::$variant => <$study>::$variant,)*
                }
            }
        }
    };
}

choice! {
    Grid of contest::Grid {
        /// Nine typical clusters and an overloaded one.
        Heterogeneous,
        /// Ten typical clusters.
        Homogeneous,
    }
}
choice! {
    Balancer of contest::Balancing {
        /// Equalizes all queues.
        Averaging,
        /// Iterative load balancing within bounds.
        Bilb,
    }
}
choice! {
    Play of contest::Play {
        /// Joining or staying out.
        Joins,
        /// The participation level, with BILB.
        Levels,
    }
}
choice! {
    Against of contest::Against {
        /// All organizations use the learner.
        #[value(name = "self")]
        Itself,
        /// All others use the paper's rule.
        Paper,
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(one) if (0.0..=1.0).contains(&one) => Ok(one),
        _ => Err("give a probability from 0 to 1".to_owned()),
    }
}

fn all<A: Copy, B: From<A>>(chosen: &[A]) -> Vec<B> {
    chosen.iter().copied().map(B::from).collect()
}

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = wanted(arguments)?;
    let (rounds, seeds) =
        if arguments.quick { Effort::QUICK } else { (Effort::ROUNDS, Effort::SEEDS) };
    let effort = Effort {
        rounds: arguments.rounds.unwrap_or(rounds),
        seeds: arguments.seeds.unwrap_or(seeds),
        seed: arguments.seed,
    };
    if let Some(file) = arguments.output.as_ref().filter(|file| file.exists() && !arguments.force) {
        return Err(Failure::Input(format!(
            "{} is there already\nhelp: give another file with `--output FILE`, or replace it with \
             `--force`",
            file.display()
        )));
    }
    writable(arguments.output.as_deref())?;
    let pool = arguments.threads.pool()?;
    let at = Progress::default();
    let message = || {
        let (done, all) = at.runs();
        format!("{done} of {all} runs")
    };
    let share = || {
        let (done, all) = at.runs();
        Some(done as f64 / all.max(1) as f64)
    };
    let work = || pool.install(|| contest::contest(&wanted, effort, &at));
    let played = progress::shown_with(message, share, arguments.quiet, work);
    let (found, unseated) = played.map_err(|error| Failure::Bug(error.to_string()))?;
    if found.is_empty() {
        return Err(Failure::Input(nobody(&unseated)));
    }
    let named = |one: &contest::Found| {
        let start = one.start.map(|start| format!(" from {start}")).unwrap_or_default();
        let place = [one.grid.name(), one.balancing.name(), one.play.name()].join(" ");
        format!("{} against {}{start}, {place}", one.learner, one.against.name())
    };
    let gain = |one: &contest::Found| (named(one), one.gain.value, Some(one.gain.interval()));
    let (title, axis) = ("Contest of learners", "score over that of the paper's rule");
    let answered = Answered {
        title: title.to_owned(),
        plain: table::table(&found),
        shown: table::explained(&found, &unseated, effort),
        sentences: Vec::new(),
        pictures: vec![differences(title, axis, found.iter().map(gain).collect())],
    };
    if let Some(file) = &arguments.output {
        answered.write(file)?;
    }
    match arguments.quiet {
        true => Ok(()),
        false => answered.print(arguments.choice.format),
    }
}

/// The choices of the command line, checked.
fn wanted(arguments: &Arguments) -> Result<Wanted, Failure> {
    registered(&arguments.learner)?;
    let payoffs = match arguments.payoffs[..] {
        [least, most] if least < most && least.is_finite() && most.is_finite() => {
            Some([least, most])
        }
        [] => None,
        _ => {
            return Err(Failure::Input(
                "`--payoffs` is no range\nhelp: give the payoff that counts as 0 and a larger one \
                 that counts as 1, such as `--payoffs -1 5`"
                    .to_owned(),
            ));
        }
    };
    Ok(Wanted {
        grids: all(&arguments.grid),
        balancers: all(&arguments.balancer),
        plays: match &arguments.play[..] {
            [] if arguments.quick && arguments.learner.is_empty() => vec![contest::Play::Joins],
            plays => all(plays),
        },
        learners: arguments.learner.clone(),
        against: all(&arguments.against),
        starts: match &arguments.start[..] {
            [] if arguments.quick => vec![0.5],
            starts => starts.to_vec(),
        },
        payoffs,
        changed: contest::changed(&arguments.set).map_err(Failure::Input)?,
    })
}

/// Explains why nothing was played.
fn nobody(unseated: &[contest::Unseated]) -> String {
    let mut text = "nobody plays".to_owned();
    for contest::Unseated { name, reason } in unseated {
        text.push_str(&format!("\n  `{name}`: {reason}"));
    }
    if !unseated.is_empty() {
        return text + "\nhelp: name another learner, or play something else with `--play`";
    }
    text + "\nhelp: levels are learned under `--balancer bilb` only, and the paper's own rule meets \
            itself with `--against self`"
}
