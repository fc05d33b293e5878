//! `gridpact compare`.

mod arms;
mod folders;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use findings::measure::{Measure, Metric};
use findings::target::{By, MOST_REPLICATIONS, Precision, Width};
use run::Progress;
use run::folder;
use run::kept::{Comparison, SavedRun};
use run::versus::{Arm, NotComparable, Question, REPLICATIONS, Versus, joint};
use run::world::Runnable as _;
use scenario::diagnostics::{nearest, show};
use scenario::plan::Plan;

use super::Failure;
use super::run::{PreparedRun, RunOptions};

/// Most runs that are compared at once.
const MOST_RUNS: usize = 100;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Scenarios or games, the base first; or folders with finished results, and the jobs.csv of other
    /// programs.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// Compare values of a key; may be repeated, for all combinations.
    ///
    /// KEY is a path as for `--set`, or its end. The values stand between commas; the first one is
    /// that of the base.
    #[arg(long, value_name = "KEY=VALUE,VALUE,...")]
    vary: Vec<String>,
    /// Set a value in every run; may be repeated. See `gridpact run --help`.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Master seed of every run, instead of the files'.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of replications of every run.
    ///
    /// By default as many as the scenarios say, or 20 if they say one. Given jobs are run once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    replications: Option<u32>,
    /// Add replications until the differences are known so well, such as `relative=0.02`.
    ///
    /// `relative` is a share of the base, `absolute` an amount. It is about the judged measures if
    /// `--measure` names some, else about flow or welfare. `--replications` is the maximum.
    #[arg(long, value_name = "WIDTH")]
    until: Option<String>,
    /// Judge this measure; may be repeated.
    ///
    /// By default flow, wait, bounded_slowdown, flow_p99, makespan and gain of grids and coalitions
    /// are judged, payoff and welfare of games. Verdicts on all judged measures hold together. The
    /// files have all measures. `gridpact list measures` explains them.
    #[arg(long, value_name = "NAME")]
    measure: Vec<String>,
    #[command(flatten)]
    options: RunOptions,
}

pub(super) fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let is_finished =
        |file: &PathBuf| file.is_dir() || file.extension().is_some_and(|end| end == "csv");
    let are_folders: Vec<bool> = arguments.files.iter().map(is_finished).collect();
    if are_folders.iter().all(|is_folder| *is_folder) {
        return folders::compare(arguments);
    }
    if let Some(at) = are_folders.iter().position(|is_folder| *is_folder) {
        return Err(Failure::Input(format!(
            "{}: these are results, and the others are scenarios\nhelp: compare scenarios, or folders \
             with finished results",
            arguments.files[at].display()
        )));
    }
    let (runs, arms) = arms::read(arguments)?;
    let asked = Comparison {
        runs,
        replications: arguments.replications,
        until: arguments.until.clone(),
        measures: arguments.measure.clone(),
    };
    let ready = Ready::of(arms, &asked)?;
    let origin = asked.runs[0].1.clone();
    let kept = |every, folder: &Path| SavedRun {
        comparison: Some(asked),
        ..SavedRun::new(&ready.joint, origin, every, folder)
    };
    let folder = folder::of_several("compare", &ready.joint);
    ready.go(&arguments.options.ready(&ready.joint, folder, None, kept, begun)?)
}

/// A comparison that is ready to run.
pub(super) struct Ready {
    arms: Vec<Arm>,
    pub(super) joint: Plan,
    question: Question,
}

impl Ready {
    /// The comparison of these plans, as it was asked for.
    pub(super) fn of(mut arms: Vec<Arm>, asked: &Comparison) -> Result<Ready, Failure> {
        let measures = measures(&asked.measures)?;
        let is_precise = asked.until.is_some();
        let mut question = Question { replications: asked.replications, precision: None, measures };
        if is_precise && question.replications.is_none() {
            question.replications = Some(MOST_REPLICATIONS as u32);
        }
        if let Some(until) = &asked.until {
            let width = width(until)?;
            let first = arms.first().map(|arm| &arm.plan);
            let metrics = match (&question.measures[..], first) {
                ([], Some(plan)) => vec![super::load::lead(plan)],
                (some, _) => some.to_vec(),
            };
            let at_most = u64::from(question.replications.unwrap_or(1));
            question.precision = Some(Precision {
                metrics,
                width,
                organizations: None,
                by: By::Replications,
                at_least: REPLICATIONS.into(),
                at_most,
            });
        }
        let joint = joint(&mut arms, &question).map_err(not_comparable)?;
        let ready = Ready { arms, joint, question };
        ready.have_the_measures(&asked.measures)?;
        Ok(ready)
    }

    /// Checks that the runs have the measures that were named.
    fn have_the_measures(&self, named: &[String]) -> Result<(), Failure> {
        let world = Versus::new(&self.arms, &self.joint, &self.question)?;
        let common = world.findings().measures();
        let lacks = |name: &&String| !common.iter().any(|measure| measure.name == **name);
        let Some(name) = named.iter().find(lacks) else { return Ok(()) };
        let names: Vec<&str> = common.iter().map(|measure| measure.name).collect();
        Err(Failure::Input(format!(
            "--measure {}: these runs have no such figure\nhelp: they have {}",
            show(name),
            names.join(", ")
        )))
    }

    /// Runs it.
    pub(super) fn go(&self, run: &PreparedRun<'_>) -> Result<(), Failure> {
        let world = Versus::new(&self.arms, &self.joint, &self.question)?;
        run.go(&world, &Progress::of_several(self.arms.len()))
    }
}

/// The measures of these names.
fn measures(names: &[String]) -> Result<Vec<&'static Measure>, Failure> {
    let all = || Metric::ALL.iter().map(|metric| metric.measure());
    let find = |name: &String| {
        all().find(|measure| measure.name == name).ok_or_else(|| {
            let near = nearest(name, all().map(|measure| measure.name));
            let near = near.first().map(|near| format!("did you mean `{near}`? "));
            Failure::Input(format!(
                "--measure {}: there is no such measure\nhelp: {}`gridpact list measures` shows all",
                show(name),
                near.unwrap_or_default()
            ))
        })
    };
    let mut found: Vec<&'static Measure> = Vec::new();
    for name in names {
        let measure = find(name)?;
        if !found.contains(&measure) {
            found.push(measure);
        }
    }
    Ok(found)
}

/// The width that `--until` asks for.
fn width(until: &str) -> Result<Width, Failure> {
    let wrong = || {
        Failure::Input(format!(
            "--until {}: this is no precision of a difference\nhelp: give `relative=0.02`, a share of \
             the base, or `absolute=5`, an amount",
            show(until)
        ))
    };
    let (kind, number) = until.split_once('=').ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    match kind.trim() {
        "relative" if number > 0.0 && number < 1.0 => Ok(Width::Relative(number)),
        "absolute" if number > 0.0 && number.is_finite() => Ok(Width::Absolute(number)),
        _ => Err(wrong()),
    }
}

/// Plans that cannot be compared, with what to do.
fn not_comparable(wrong: NotComparable) -> Failure {
    let help = match &wrong {
        NotComparable::One => {
            "`--vary scheduler=fcfs,easy` compares two schedulers on one scenario"
        }
        NotComparable::Alike(..) => "leave one of them out",
        NotComparable::Seeds(..) => "give all of them one with `--seed`",
        NotComparable::Worlds(..) => {
            "compare grids with grids, coalitions with coalitions, and games with games"
        }
    };
    Failure::Input(format!("{wrong}\nhelp: {help}"))
}

/// A comparison that is read again, to be resumed.
pub(super) fn ready(asked: &Comparison) -> Result<Ready, Failure> {
    Ready::of(arms::again(asked)?, asked)
}
