//! `gridpact contest`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gridpact::policy::learn::REGISTRY;
use gridpact::report::files::written;
use gridpact::report::table::Format;
use gridpact::scenario::diagnostics::{nearest, show};
use gridpact::study::contest::{self, Effort, Progress, Wanted, table};

use super::{Failure, format, print, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// On these clusters [default: both].
    #[arg(long, value_name = "GRID")]
    grid: Vec<Grid>,
    /// With this way to balance load [default: both].
    #[arg(long, value_name = "BALANCER")]
    balancer: Vec<Balancer>,
    /// Whether to take part is learned, or how far [default: both].
    #[arg(long, value_name = "WHAT")]
    play: Vec<Play>,
    /// A registered learner; may be said again [default: all].
    #[arg(long, value_name = "NAME")]
    learner: Vec<String>,
    /// Whom a learner meets [default: both].
    #[arg(long, value_name = "WHOM")]
    against: Vec<Against>,
    /// The probability of taking part in the first round; may be said again
    /// [default: 0.1, 0.5 and 0.9].
    #[arg(long, value_name = "P", value_parser = probability)]
    start: Vec<f64>,
    /// The scores that learners read as 0 and as 1 [default: -2 and 2].
    #[arg(long, value_names = ["LEAST", "MOST"], num_args = 2, allow_negative_numbers = true)]
    payoffs: Vec<f64>,
    /// A learner's parameter, such as `ucb.bonus=0.2`; may be said again.
    #[arg(long, value_name = "LEARNER.PARAMETER=VALUE")]
    set: Vec<String>,
    /// How many rounds a run has [default: 2000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..=1_000_000))]
    rounds: Option<u64>,
    /// How many runs an entry has, each on other jobs [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seeds: Option<u32>,
    /// Play 40 rounds and 3 seeds, to see the shape; nobody is done by then.
    ///
    /// Unless something else is said, from 0.5 alone and whether to take part alone.
    #[arg(long)]
    quick: bool,
    /// The master seed of all draws.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many threads play [default: one for each core].
    ///
    /// It changes no result.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// A file into which the table is written too, as CSV.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the file if it is there.
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    choice: format::Choice,
    /// Print nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// A choice of the command line, and what it is to the study.
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
        /// All queues become equal.
        Averaging,
        /// Iterative balancing within bounds.
        Bilb,
    }
}
choice! {
    Play of contest::Play {
        /// Whether to take part.
        Joins,
        /// How far, under BILB.
        Levels,
    }
}
choice! {
    Against of contest::Against {
        /// All follow the learner.
        #[value(name = "self")]
        Itself,
        /// All others follow the paper's rule.
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

pub(super) fn contest(arguments: &Arguments) -> Result<(), Failure> {
    let format = arguments.choice.format;
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
    if let Some(file) = &arguments.output {
        // Better told now than after the rounds; what is not published is gone again.
        written(file, &[])?;
    }
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool
        .map_err(|error| Failure::System(format!("the threads could not be started: {error}")))?;
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
    let plain = table::table(&found);
    if let Some(file) = &arguments.output {
        let text = plain.render(Format::Csv, None);
        written(file, text.as_bytes())?.publish()?;
    }
    if arguments.quiet {
        return Ok(());
    }
    let shown = match format.is_for_people() {
        true => table::explained(&found, &unseated, effort),
        false => plain,
    };
    print(&shown.render(format, format::width()))
}

/// What is wanted, if there is such a thing.
fn wanted(arguments: &Arguments) -> Result<Wanted, Failure> {
    for name in &arguments.learner {
        if !REGISTRY.iter().any(|entry| entry.name == name) {
            let near = nearest(name, REGISTRY.iter().map(|entry| entry.name));
            let help =
                near.first().map_or("`gridpact list learners` names them".to_owned(), |near| {
                    format!("did you mean `{near}`?")
                });
            let name = show(name);
            return Err(Failure::Input(format!(
                "there is no learner called `{name}`\nhelp: {help}"
            )));
        }
    }
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

/// Why nothing was played.
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
