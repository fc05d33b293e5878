//! State shared by the parts of a study: effort, earlier results, and a log of what was played.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::StudyError;
use super::lines::code::Figures;
use super::picture::Drawing;
use super::played::Record;
use kernel::parallel;
use run::{self, AnyFindings, Progress};
use scenario::diagnostics::render;
use scenario::files::Files;
use scenario::plan::Plan;
use scenario::{self, Input, Overrides};

/// Number of audits, which names their folders.
static AUDITS: AtomicU64 = AtomicU64::new(0);

/// Samples and seeds of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Samples of each configuration; their unit (rounds, instances, replications) is the study's.
    pub samples: u32,
    /// True if long runs are shortened and sweeps thinned out.
    pub quick: bool,
    /// Master seed.
    pub seed: u64,
    /// Number of seeds, consecutive from the master seed.
    ///
    /// Verdicts are those of the first seed; rows say if another seed gives another verdict.
    pub seeds: u32,
}

impl Effort {
    /// Default number of seeds.
    pub const SEEDS: u32 = 2;
}

/// State shared by the parts of a study.
#[derive(Debug)]
pub struct Bench {
    /// Samples and seeds.
    pub effort: Effort,
    /// True for seeds after the first: only the settled reading is judged, no others are tried.
    pub(super) is_again: bool,
    shelves: Shelves,
    done: AtomicU64,
    log: Mutex<Log>,
}

/// Record of what a part played and drew since it began.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Configurations, in an order that does not depend on threads.
    pub played: Vec<Record>,
    /// Pictures, in the order in which they were drawn.
    pub pictures: Vec<Drawing>,
}

/// Key of a run: its digest, its name with outputs, and its replications with their seed.
type Made = (String, String, (u32, u64));

/// A scenario to run: its name, its text, its settings, its replications with their seed.
type Wanted<'a> = (&'a str, &'a str, &'a [String], (u32, u64));

/// The key of a run.
fn made(plan: &Plan, name: &str, set: &[String], sampled: (u32, u64)) -> Made {
    let outputs: Vec<&str> =
        set.iter().filter(|one| one.starts_with("output")).map(String::as_str).collect();
    (plan.digest.clone(), format!("{name} {}", outputs.join(" ")), sampled)
}

/// Runs that were played.
#[derive(Default)]
struct Runs(Mutex<BTreeMap<Made, Arc<AnyFindings>>>);

/// Earlier results, one shelf for each type.
#[derive(Default)]
struct Shelves(Mutex<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl fmt::Debug for Shelves {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Shelves")
    }
}

impl Bench {
    /// A bench without results.
    pub fn new(effort: Effort) -> Bench {
        let (shelves, done, log) = Default::default();
        Bench { effort, is_again: false, shelves, done, log }
    }

    /// A bench without results for another of its seeds.
    pub(super) fn again(&self, other: u32) -> Bench {
        let seed = self.effort.seed.wrapping_add(other.into());
        let effort = Effort { seed, seeds: 1, ..self.effort };
        Bench { is_again: true, ..Bench::new(effort) }
    }

    /// The shelf of a type: empty at first, then whatever earlier parts put there.
    ///
    /// # Panics If a thread panicked while it took a shelf.
    pub fn shelf<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut shelves = self.shelves.0.lock().expect("nobody panics with it");
        let shelf = shelves.entry(TypeId::of::<T>()).or_insert_with(|| Arc::<T>::default());
        Arc::clone(shelf).downcast().expect("shelves are kept by their types")
    }

    /// Empties all shelves.
    ///
    /// # Panics If a thread panicked while it took a shelf.
    pub(super) fn forget(&self) {
        self.shelves.0.lock().expect("nobody panics with it").clear();
    }

    /// Number of samples played so far.
    pub fn samples(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Adds to the number of samples played.
    pub(crate) fn add_samples(&self, samples: u64) {
        self.done.fetch_add(samples, Ordering::Relaxed);
    }

    /// Plays samples in parallel, and returns their results by number.
    ///
    /// # Errors The first error by number.
    pub fn each<T: Send>(
        &self,
        samples: u64,
        one: impl Fn(u64) -> Result<T, StudyError> + Sync,
    ) -> Result<Vec<T>, StudyError> {
        let counted = |sample| {
            let found = one(sample);
            self.add_samples(1);
            found
        };
        parallel::map(samples as usize, |sample| counted(sample as u64)).into_iter().collect()
    }

    /// Runs a scenario for a number of replications with a seed, unless other settings have come to the
    /// same run, and logs it by its name.
    ///
    /// Settings are `key=value`, as after `--set`.
    ///
    /// # Errors A mistake in the scenario, or a run that cannot go on.
    pub fn run(
        &self,
        name: &str,
        scenario: &str,
        set: &[String],
        sampled: (u32, u64),
    ) -> Result<Arc<AnyFindings>, StudyError> {
        let (plan, record) = planned(name, scenario, set, sampled)?;
        self.log(record);
        let made = made(&plan, name, set, sampled);
        if let Some(found) = self.made(&made) {
            return Ok(found);
        }
        self.make(made, &plan)
    }

    /// Runs scenarios that have not come to a run yet side by side, for [`run`](Bench::run) to find. What
    /// is wrong with one is told there.
    pub(super) fn side_by_side<'a>(&self, wanted: impl Iterator<Item = Wanted<'a>>) {
        let mut plans: BTreeMap<Made, Plan> = BTreeMap::new();
        for (name, scenario, set, sampled) in wanted {
            if let Ok((plan, _)) = planned(name, scenario, set, sampled) {
                plans.insert(made(&plan, name, set, sampled), plan);
            }
        }
        plans.retain(|made, _| self.made(made).is_none());
        let plans: Vec<(Made, Plan)> = plans.into_iter().collect();
        parallel::map(plans.len(), |at| {
            let (made, plan) = &plans[at];
            self.make(made.clone(), plan).ok()
        });
    }

    /// An earlier run.
    fn made(&self, made: &Made) -> Option<Arc<AnyFindings>> {
        self.shelf::<Runs>().0.lock().expect("nobody panics with it").get(made).cloned()
    }

    fn make(&self, made: Made, plan: &Plan) -> Result<Arc<AnyFindings>, StudyError> {
        let found = Arc::new(self.play(None, plan)?);
        self.shelf::<Runs>().0.lock().expect("nobody panics with it").insert(made, found.clone());
        Ok(found)
    }

    /// Runs a scenario in the same way, with results in a folder, and audits these. Returns the number of
    /// violations by the names of the checks that had something to check.
    ///
    /// # Errors As [`run`](Bench::run), and files that cannot be written or read.
    pub fn audit(
        &self,
        name: &str,
        scenario: &str,
        set: &[String],
        sampled: (u32, u64),
    ) -> Result<Figures, StudyError> {
        let number = AUDITS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("gridpact-study-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let (plan, record) = planned(name, scenario, set, sampled)?;
        self.log(record);
        let found = self.play(Some(&folder), &plan).and_then(|_| {
            let audited = review::audit::audit(&folder);
            let checks = audited.map_err(|error| StudyError(error.to_string()))?.report.checks;
            let checks = checks.into_iter().filter(|check| check.looked_at > 0);
            Ok(checks.map(|check| (check.name.to_owned(), vec![check.count as f64])).collect())
        });
        // What the system removes sometime is no error.
        let _ = std::fs::remove_dir_all(&folder);
        found
    }

    fn play(&self, folder: Option<&Path>, plan: &Plan) -> Result<AnyFindings, StudyError> {
        let wrong = |error: &dyn fmt::Display| StudyError(error.to_string());
        let threads = rayon::current_num_threads();
        // The claim on a folder ends here, as the run has its own.
        let made = folder.map(|folder| run::folder::prepare(folder, plan, true).map(drop));
        made.transpose().map_err(|error| wrong(&error))?;
        let outcome = run::run(plan, folder, threads, 0.0, &Progress::default());
        let found = outcome.map_err(|error| wrong(&error))?.found;
        self.add_samples(plan.replications.into());
        Ok(found)
    }

    /// Logs a configuration that was played, or taken from a shelf.
    pub fn log(&self, played: Record) {
        self.open_log().played.push(played);
    }

    /// Adds a figure of the paper, as played here.
    pub fn draw(&self, picture: impl Into<Drawing>) {
        self.open_log().pictures.push(picture.into());
    }

    /// Takes what was logged since the last call.
    pub(super) fn take_log(&self) -> Log {
        std::mem::take(&mut *self.open_log())
    }

    fn open_log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().expect("nobody panics with it")
    }
}

/// The plan of a scenario for a number of replications with a seed, and its record.
///
/// # Errors A mistake in the scenario.
fn planned(
    name: &str,
    scenario: &str,
    set: &[String],
    (replications, seed): (u32, u64),
) -> Result<(Plan, Record), StudyError> {
    let replications_set = format!("run.replications={replications}");
    let set = set.iter().cloned().chain([replications_set]).collect();
    let overrides = Overrides { seed: Some(seed), set };
    let plan = plan_of(name, scenario, &overrides)?;
    let set: Vec<String> = overrides.set.iter().map(|set| format!("--set {set}")).collect();
    let record = Record {
        part: 0,
        configuration: name.to_owned(),
        reading: set.join(" "),
        seeds: (seed, 1),
        samples: replications.into(),
        scenario: scenario.to_owned(),
    };
    Ok((plan, record))
}

/// The plan of a scenario.
///
/// # Errors A mistake in the scenario.
pub(super) fn plan_of(
    name: &str,
    scenario: &str,
    overrides: &Overrides,
) -> Result<Plan, StudyError> {
    let mut files = Files::new();
    let input = Input::Bytes { name, bytes: scenario.as_bytes().to_vec() };
    let read = scenario::load(input, overrides, &mut files);
    read.map(|(plan, _)| plan).map_err(|wrong| StudyError(render(&wrong, &files, false)))
}
