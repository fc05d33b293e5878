//! Loads a scenario for a subcommand and reports problems on standard error.

use kernel::map::Set;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use findings::measure::{Measure, Metric};
use game::orders::{Orders, passed};
use rayon::prelude::*;
use scenario::diagnostics::{Blame, Diagnostic, Severity, render, show};
use scenario::files::{Files, MAX_BYTES};
use scenario::origin::Origin;
use scenario::plan::{Organization, Plan};
use scenario::sweep::{Design, MOST_POINTS, Study};
use scenario::{self, Input, Overrides};
use stats::shown::{count, counted, figure};

use super::{Failure, host, say, shell};

/// Name of the scenario that is read from standard input.
const STDIN: &str = "<stdin>";

/// Scenario arguments of a subcommand.
#[derive(Debug, Args)]
pub struct Scenario {
    /// Scenario, a TOML file; `-` reads it from standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    changes: Changes,
}

/// Game arguments of a subcommand.
#[derive(Debug, Args)]
pub(super) struct Game {
    /// Game, a TOML file with `[game]` and players; `-` reads it from standard input.
    ///
    /// `gridpact new game` writes one; a scenario with a grid is for `gridpact run`.
    // An option, since a subcommand takes its place.
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    #[command(flatten)]
    changes: Changes,
}

/// Arguments of a game that is solved.
#[derive(Debug, Args)]
pub(super) struct Solved {
    /// Game, a TOML file with `[game]`; `-` reads it from standard input. It needs no players.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

/// Arguments of a sweep.
#[derive(Clone, Debug, Args)]
pub(super) struct Sweep {
    /// Sweep, a scenario or game with `[sweep]`.
    // An option, since a subcommand may take its place.
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Vary who takes part in a coalition, as `gridpact lab` does: every number of organizations of each
    /// entry.
    #[arg(long, hide_short_help = true, conflicts_with = "learners")]
    members: bool,
    /// Play only the coalitions that so many drawn orders of joining pass, for the Shapley values of many.
    ///
    /// Each order is drawn with its reverse. If all coalitions are no more than so many orders may pass, they
    /// are all played, as without.
    #[arg(
        long,
        value_name = "N",
        hide_short_help = true,
        conflicts_with = "learners",
        value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_ORDERS))
    )]
    pub(super) orders: Option<u32>,
    #[command(flatten)]
    tournament: Tournament,
    #[command(flatten)]
    changes: Changes,
}

/// Most orders of joining.
pub(super) const MOST_ORDERS: u32 = 10_000;

/// A tournament of learners.
#[derive(Clone, Debug, Args)]
struct Tournament {
    /// Let one organization follow each of these learners among others that follow each of them.
    ///
    /// They are those of the largest `count` of a coalition, a federation or a game. A name stands for
    /// the defaults; parameters are TOML: `--learners cross,hedge,'ucb={bonus=0.2}'`.
    #[arg(long, value_name = "NAMES", hide_short_help = true)]
    learners: Option<String>,
    /// Rounds between the first rounds of those organizations, which come one after the other.
    #[arg(
        long,
        value_name = "ROUNDS",
        value_delimiter = ',',
        requires = "learners",
        hide_short_help = true
    )]
    starts: Vec<u64>,
}

impl Tournament {
    /// Its options, as a shell takes them, each after a blank.
    fn options(&self) -> String {
        let learners = self.learners.iter();
        let starts = self.starts.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let mut options: String =
            learners.map(|all| format!(" --learners {}", shell::word(Path::new(all)))).collect();
        if !starts.is_empty() {
            options += &format!(" --starts {starts}");
        }
        options
    }

    /// Settings that let every learner meet every other.
    fn settings(&self, names: &str, plan: &Plan) -> Result<Vec<String>, Failure> {
        let organizations: Vec<(&str, Option<usize>)> = match plan.game() {
            Some(game) => {
                game.game.players.iter().map(|one| (&*one.name, Some(one.entry))).collect()
            }
            None => plan.organizations.iter().map(|one| (&*one.name, one.entry)).collect(),
        };
        let (table, measure) = match (plan.coalition(), plan.game()) {
            (Some(_), _) => ("organization", "final_score"),
            (None, Some(_)) => ("player", "final_payoff"),
            (None, None) => {
                return Err(Failure::Input(
                    "nobody learns here: this is no coalition, federation or game\nhelp: `gridpact new \
                     coalition` and `gridpact new game` begin one"
                        .to_owned(),
                ));
            }
        };
        let mut largest: &[(&str, Option<usize>)] = &[];
        for entry in organizations.chunk_by(|one, other| one.1 == other.1) {
            if entry.len() > largest.len() {
                largest = entry;
            }
        }
        let Some(name) = largest.first().and_then(|one| one.0.strip_suffix("-1")) else {
            return Err(Failure::Input(format!(
                "no `[[{table}]]` has a `count` of two or more, so nobody can be one among others\nhelp: \
                 write those that are alike as one, with `count = 2`"
            )));
        };
        let mut depth = 0;
        let parts = names.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        let learner = |part: &str| match part.trim() {
            part if part.contains('=') => format!("{{{part}}}"),
            part => format!("{{{part}={{}}}}"),
        };
        let learners = parts.map(learner).collect::<Vec<_>>().join(",");
        let key = format!("{table}.{}", bare(name));
        let mut settings = vec![
            format!("sweep.grid.{key}.learner=[{learners}]"),
            format!("sweep.grid.{key}.mutants.learner=[{learners}]"),
            format!("sweep.measure={measure:?}"),
            format!("sweep.unit={:?}", format!("{name}-1")),
        ];
        if !self.starts.is_empty() {
            settings.push(format!("sweep.grid.{key}.apart={:?}", self.starts));
        }
        Ok(settings)
    }
}

/// A name as a key of TOML.
fn bare(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.chars().all(is_bare) { name.to_owned() } else { format!("{name:?}") }
}

/// Changes to a scenario or a game.
#[derive(Clone, Debug, Args)]
struct Changes {
    #[command(flatten)]
    settings: Settings,
    /// Master seed, instead of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Settings of single values.
#[derive(Clone, Debug, Args)]
struct Settings {
    /// Set a value of the file; may be repeated.
    ///
    /// KEY is a path such as `run.replications` or `organization.physics.count`. The end of a path
    /// is enough if the file contains such a key, or tables of one kind that can have it:
    /// `scheduler=fcfs` sets every scheduler, `import.load.factor=1.1` scales every trace. VALUE is
    /// TOML, or text without quotes. Setting one alternative of a choice removes the others.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Scenario {
    /// Loads the plan of a scenario; prints warnings.
    ///
    /// # Errors
    /// Fails if the scenario cannot be read or has mistakes.
    pub fn load(&self) -> Result<Plan, Failure> {
        read(&self.file, &self.changes.overrides(None), scenario::load, "nothing was run")
    }

    /// Loads the plan, with the data that is needed to read it again.
    pub(super) fn load_kept(&self) -> Result<(Plan, Origin), Failure> {
        let overrides = self.changes.overrides(None);
        read_kept(&self.file, &overrides, scenario::load, "nothing was run")
    }

    /// Loads the plans of a scenario with each of several settings on top, which follow from its plan.
    ///
    /// # Errors
    /// Fails if the scenario cannot be read or has mistakes, with any of the settings.
    pub fn load_several(
        &self,
        settings: impl FnOnce(&Plan) -> Result<Vec<Vec<String>>, Failure>,
    ) -> Result<Vec<Plan>, Failure> {
        let (plan, origin) = self.load_kept()?;
        let settings = settings(&plan)?;
        let told = |one: usize| format!("this is the scenario with {}", settings[one].join(", "));
        several(&origin, settings.len(), |one| settings[one].clone(), told)
    }

    /// Loads the plan of a scenario or a game, or a sweep.
    pub(super) fn load_any(&self) -> Result<Loaded, Failure> {
        let load = |input: Input<'_>, overrides: &Overrides, files: &mut Files| {
            if scenario::is_sweep(input.clone(), &mut Files::new()) {
                let design = scenario::load_sweep(input, overrides, files)?;
                return Ok((Err(design.expect("it has a sweep")), Vec::new()));
            }
            scenario::load_any(input, overrides, files).map(|(plan, warnings)| (Ok(plan), warnings))
        };
        let overrides = self.changes.overrides(None);
        let (loaded, origin) = read_kept(&self.file, &overrides, load, "nothing was run")?;
        Ok(match loaded {
            Ok(plan) => Loaded::Plan(Box::new(plan)),
            Err(design) => Loaded::Sweep(Box::new(study(design, &origin)?), origin),
        })
    }
}

/// A file that was loaded, of whatever kind.
pub(super) enum Loaded {
    /// A scenario or a game.
    Plan(Box<Plan>),
    /// A sweep.
    Sweep(Box<Study>, Origin),
}

impl Game {
    /// Loads the plan of a game, with the data that is needed to read it again; `set` overrides all
    /// other settings.
    pub(super) fn load_kept(&self, set: Option<String>) -> Result<(Plan, Origin), Failure> {
        let file = self.file.as_ref().expect("the parser asks for it");
        let overrides = self.changes.overrides(set);
        read_kept(file, &overrides, scenario::load_game, "nothing was played")
    }
}

impl Solved {
    /// Loads a game to solve it.
    pub(super) fn load(&self) -> Result<Plan, Failure> {
        let overrides = Overrides { seed: None, set: self.settings.set.clone() };
        read(&self.file, &overrides, scenario::load_to_solve, "nothing was solved")
    }
}

impl Changes {
    /// The changes, and one that overrides them.
    fn overrides(&self, last: Option<String>) -> Overrides {
        let set = self.settings.set.iter().cloned();
        Overrides { seed: self.seed, set: set.chain(last).collect() }
    }
}

/// Reads a scenario or a game with settings, and the data that is needed to read it again. `said` holds
/// the warnings that were printed before, which are not repeated.
pub(super) fn read_one_of_several(
    file: &Path,
    overrides: &Overrides,
    said: &mut Set<String>,
) -> Result<(Plan, Origin), Failure> {
    let load = |input: Input<'_>, overrides: &Overrides, files: &mut Files| {
        let (plan, warnings) = scenario::load_any(input, overrides, files)?;
        let is_new =
            |one: &Diagnostic| said.insert(render(std::slice::from_ref(one), files, false));
        Ok((plan, warnings.into_iter().filter(is_new).collect()))
    };
    read_kept(file, overrides, load, "nothing was compared")
}

impl Sweep {
    /// Loads the points of a sweep and the plan of each; prints warnings. `members` varies who takes part.
    pub(super) fn load(
        &self,
        set: Option<String>,
        members: bool,
    ) -> Result<(Study, Origin), Failure> {
        let mut overrides = self.changes.overrides(set);
        if let Some(learners) = &self.tournament.learners {
            let plan = read(self.file(), &overrides, scenario::load_any, "nothing was run")?;
            overrides.set.extend(self.tournament.settings(learners, &plan)?);
        } else if members || self.members || self.orders.is_some() {
            // Other keys may vary, too.
            let mut one = overrides.clone();
            one.set.retain(|set| !set.trim_start().starts_with("sweep."));
            let plan = read(self.file(), &one, scenario::load, "nothing was run")?;
            overrides.set.extend(every_membership(&plan, self.orders)?);
        }
        let load = |input: Input<'_>, overrides: &Overrides, files: &mut Files| {
            let design = scenario::load_sweep(input, overrides, files)?;
            Ok((design, Vec::new()))
        };
        let (design, origin) = read_kept(self.file(), &overrides, load, "nothing was run")?;
        let Some(design) = design else {
            return Err(Failure::Input(format!(
                "{}: this is no sweep: it has no `[sweep]`\nhelp: `gridpact run` runs it as it is; to vary \
                 keys, add `[sweep.grid]` and below it keys with lists of values",
                self.file().display()
            )));
        };
        let key = |set: &'_ String| set.split('=').next().unwrap_or_default().trim().to_owned();
        let mut set = self.changes.settings.set.iter().map(key);
        if let Some(key) = set.find(|key| design.keys.iter().any(|one| one.name == *key)) {
            return Err(Failure::Input(format!(
                "--set {}: the sweep varies this key\nhelp: set its values instead, such as `--set \
                 'sweep.grid.{key}=[...]'`",
                show(&key)
            )));
        }
        Ok((study(design, &origin)?, origin))
    }

    /// The file.
    pub(super) fn file(&self) -> &Path {
        self.file.as_ref().expect("the parser asks for it")
    }

    /// Its changes, as a shell takes them, each after a blank.
    pub(super) fn options(&self) -> String {
        let Changes { settings, seed } = &self.changes;
        let set = settings.set.iter().map(|set| format!(" --set {}", shell::word(Path::new(set))));
        let members = self.members.then(|| " --members".to_owned());
        let orders = self.orders.map(|orders| format!(" --orders {orders}"));
        let all =
            set.chain(seed.map(|seed| format!(" --seed {seed}"))).chain(members).chain(orders);
        all.chain([self.tournament.options()]).collect()
    }
}

/// Settings that let every number of organizations of each entry take part, or those that so many orders of
/// joining pass.
fn every_membership(plan: &Plan, orders: Option<u32>) -> Result<Vec<String>, Failure> {
    if plan.coalition().is_none() {
        return Err(Failure::Input(
            "nobody decides whether to take part here: this is no coalition\nhelp: `gridpact new coalition` \
             and `gridpact new federation` begin one"
                .to_owned(),
        ));
    }
    let entries = plan.organizations.chunk_by(|one, other| one.entry == other.entry);
    let class = |organizations: &[Organization]| {
        let (name, count) = (&organizations[0].name, organizations.len());
        let name = if count > 1 { name.strip_suffix("-1").unwrap_or(name) } else { name };
        (format!("organization.{}.members", bare(name)), count)
    };
    let (keys, sizes): (Vec<String>, Vec<usize>) = entries.map(class).unzip();
    let coalitions: f64 = sizes.iter().map(|&size| (size + 1) as f64).product();
    let passed_by = |orders: u32| f64::from(orders) * sizes.iter().sum::<usize>() as f64;
    let Some(orders) = orders.filter(|&orders| coalitions > passed_by(orders)) else {
        if coalitions > MOST_POINTS as f64 {
            return Err(Failure::Input(format!(
                "these organizations form {} coalitions, and a sweep has at most {}\nhelp: `--orders 40` \
                 plays those that 40 orders of joining pass, for Shapley values",
                figure(coalitions),
                count(MOST_POINTS as u64)
            )));
        }
        let setting = |(key, size): (&String, usize)| {
            let all: Vec<String> = (0..=size).map(|members| members.to_string()).collect();
            format!("sweep.grid.{key}=[{}]", all.join(","))
        };
        return Ok(keys.iter().zip(sizes).map(setting).collect());
    };
    let mut seen = Set::new();
    let pairs = Orders::new(&sizes).take(orders.div_ceil(2) as usize).flatten();
    let passed = pairs.flat_map(|order| passed(&order, sizes.len()).collect::<Vec<_>>());
    let point = |counts: Vec<usize>| {
        let each = keys.iter().zip(counts).map(|(key, count)| format!("{key}={count}"));
        format!("{{{}}}", each.collect::<Vec<_>>().join(","))
    };
    let points: Vec<String> = passed.filter(|one| seen.insert(one.clone())).map(point).collect();
    Ok(vec![format!("sweep.list=[{}]", points.join(","))])
}

/// Points of a sweep that are read before the first of them is looked at.
const READ_AT_ONCE: usize = 256;

/// Reads the plan of each point of a sweep.
pub(super) fn study(design: Design, origin: &Origin) -> Result<Study, Failure> {
    let told = |point: usize| format!("this is the point with {}", design.told(point));
    let plans = several(origin, design.points.len(), |point| design.settings(point), told)?;
    let shown = design.shown.unwrap_or_else(|| lead(&plans[0]));
    Ok(Study { design, plans, shown })
}

/// Reads a scenario with each of several settings; prints what is new among the warnings.
fn several(
    origin: &Origin,
    count: usize,
    settings: impl Fn(usize) -> Vec<String> + Sync,
    told: impl Fn(usize) -> String,
) -> Result<Vec<Plan>, Failure> {
    let read = |one: usize| {
        let mut files = Files::new();
        let read = origin.point(settings(one), &mut files);
        (read, files)
    };
    let mut said = Set::new();
    let mut plans = Vec::new();
    // Some at a time: a mistake of all points is told after the first of them.
    while plans.len() < count {
        let next = plans.len()..count.min(plans.len() + READ_AT_ONCE);
        let read: Vec<_> = next.into_par_iter().map(read).collect();
        for (read, files) in read {
            match read {
                Ok((plan, warnings)) => {
                    let is_new = |one: &Diagnostic| said.insert(one.message.clone());
                    let new: Vec<Diagnostic> = warnings.into_iter().filter(is_new).collect();
                    tell(&new, &files);
                    plans.push(plan);
                }
                Err(wrong) => {
                    let what = format!("{}; nothing was run", told(plans.len()));
                    return Err(refused(&wrong, &files, &what));
                }
            }
        }
    }
    Ok(plans)
}

/// Reads the points of a sweep again.
pub(super) fn study_again(origin: &Origin) -> Result<Study, Failure> {
    let mut files = Files::new();
    match origin.sweep(&mut files) {
        Ok(Some(design)) => study(design, origin),
        Ok(None) => {
            Err(Failure::Input(format!("{}: no sweep is here", origin.scenario().display())))
        }
        Err(wrong) => {
            tell(&wrong, &files);
            Err(Failure::Input("the sweep cannot be read again".to_owned()))
        }
    }
}

/// Reads a file like [`read`]; also returns the data that is needed to read it again.
fn read_kept<T>(
    file: &Path,
    overrides: &Overrides,
    load: impl FnOnce(Input<'_>, &Overrides, &mut Files) -> Read<T>,
    nothing: &str,
) -> Result<(T, Origin), Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::System(format!("the current folder: {error}")))?;
    let mut origin = None;
    let load = |input: Input<'_>, overrides: &Overrides, files: &mut Files| {
        let read = load(input.clone(), overrides, files)?;
        origin = Some(Origin::new(&input, overrides, files, &here));
        Ok(read)
    };
    let plan = read(file, overrides, load, nothing)?;
    Ok((plan, origin.expect("it was read")))
}

/// Reads a file and prints its warnings, or its errors.
fn read<T>(
    file: &Path,
    overrides: &Overrides,
    load: impl FnOnce(Input<'_>, &Overrides, &mut Files) -> Read<T>,
    nothing: &str,
) -> Result<T, Failure> {
    let mut files = Files::new();
    let shown = file.display().to_string();
    let (input, name) = if let Some(bytes) = host::text(file) {
        (Input::Bytes { name: &shown, bytes }, &*shown)
    } else if file == Path::new("-") {
        (Input::Bytes { name: STDIN, bytes: standard_input()? }, STDIN)
    } else {
        (Input::File(file), &*shown)
    };
    match load(input, overrides, &mut files) {
        Ok((plan, warnings)) => {
            tell(&warnings, &files);
            Ok(plan)
        }
        Err(wrong) => {
            let errors = wrong.iter().filter(|wrong| wrong.severity == Severity::Error).count();
            let errors = counted(errors as u64, "error", "errors");
            Err(refused(&wrong, &files, &format!("{name}: {errors}; {nothing}")))
        }
    }
}

/// A plan with its warnings, or its errors.
type Read<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Reads standard input, up to just beyond the size limit of a scenario.
fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::System(format!("standard input: {error}")))?;
    Ok(bytes)
}

/// The failure that comes with these errors, which are printed.
pub(super) fn refused(wrong: &[Diagnostic], files: &Files, what: &str) -> Failure {
    tell(wrong, files);
    say(what);
    let is_system = wrong.iter().any(|wrong| wrong.blame == Blame::System);
    Failure::Said(if is_system { 4 } else { 2 })
}

pub(super) fn tell(diagnostics: &[Diagnostic], files: &Files) {
    host::diagnosed(diagnostics, files);
    if !diagnostics.is_empty() {
        super::say_styled(render(diagnostics, files, super::color()).trim_end());
    }
}

/// The measure that a precision is about, if none is named.
pub(super) fn lead(plan: &Plan) -> &'static Measure {
    let metric = match plan.game() {
        Some(game) if game.game.dynamics.is_some() => Metric::FinalShare,
        Some(_) => Metric::Welfare,
        None => Metric::Flow,
    };
    metric.measure()
}
