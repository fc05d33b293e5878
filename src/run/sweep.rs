//! A parameter study as one world: its replications are the *cells*, the replications of all points,
//! point by point.
//!
//! A cell is known by its plan, seed and replication alone. Its saved state is therefore taken up
//! wherever a study needs the same cell: after a kill, from a shard, or when points were added.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::any::{AnyFindings, AnyHead, AnyOutcome, AnyReplica, AnyWorld};
use super::error::RunError;
use super::pulse::Pulse;
use super::versus::single;
use super::world::{NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::Findings as _;
use findings::measure::Measure;
use findings::swept::{AtPoint, Swept};
use kernel::state::{Corrupt, State};
use report::coalition::warnings::TOO_LITTLE;
use report::grid::offered;
use report::sweep::{Compared, Lab, SweepReport, is_lab, lab};
use report::world::Report;
use scenario::plan::Plan;
use scenario::sweep::Study;

/// Most cells of a study.
pub const MOST_CELLS: u64 = 10_000_000;

/// An error that makes plans impossible to run as one study.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAStudy {
    /// A point adds replications by itself.
    #[error(
        "{0}: a sweep has a fixed number of replications, and this point has a target precision"
    )]
    Precision(String),
    /// There are too many.
    #[error("{0} replications of all points are more than {MOST_CELLS}")]
    Cells(u64),
    /// Two points are the same.
    #[error("the points {0} and {1} are the same: they would give the same results")]
    Alike(String, String),
}

/// The plan of a whole study. The plans of its points get the output of a study, which writes no
/// records.
///
/// # Errors
/// Fails if the points cannot be run as one study.
pub fn joint(study: &mut Study) -> Result<Plan, NotAStudy> {
    let told = |point: usize| study.design.told(point);
    let mut known: FxHashMap<(&str, u64), usize> = FxHashMap::default();
    for (at, plan) in study.plans.iter().enumerate() {
        if plan.precision.is_some() {
            return Err(NotAStudy::Precision(told(at)));
        }
        if let Some(other) = known.insert((&plan.digest, plan.seed), at)
            && !study.design.is_drawn
        {
            return Err(NotAStudy::Alike(told(other), told(at)));
        }
    }
    let cells: u64 = study.plans.iter().map(|plan| u64::from(plan.replications)).sum();
    if cells > MOST_CELLS {
        return Err(NotAStudy::Cells(cells));
    }
    let mut plan = study.plans[0].clone();
    single(&mut plan);
    plan.replications = cells as u32;
    let own: Vec<&str> = study.design.keys.iter().map(|key| &*key.name).collect();
    plan.changes.retain(|change| {
        let key = change.split('=').next().unwrap_or_default().trim();
        !own.contains(&key)
    });
    let mut hasher = blake3::Hasher::new();
    for (point, values) in study.plans.iter().zip(&study.design.points) {
        hasher.update(point.digest.as_bytes());
        values.iter().for_each(|value| _ = hasher.update(value.toml().as_bytes()).update(b","));
    }
    hasher.update(own.join(",").as_bytes());
    plan.digest = hasher.finalize().to_hex().to_string();
    plan.lineage.clone_from(&plan.digest);
    study.plans.iter_mut().for_each(single);
    Ok(plan)
}

/// The cells of a study.
pub struct Sweep<'a> {
    study: &'a Study,
    joint: &'a Plan,
    points: Vec<Point<'a>>,
    /// Number of the first cell of each point, and that of all cells.
    firsts: Vec<u32>,
    /// The share whose cells are run; `None` for all.
    share: Option<Share>,
    /// The differences between points, once all have ended.
    compared: OnceLock<Option<Compared>>,
    /// The game that it measured, once all have ended.
    lab: OnceLock<Option<Box<dyn Lab>>>,
}

/// A point of a study, with its world.
struct Point<'a> {
    plan: &'a Plan,
    world: AnyWorld<'a>,
}

/// One of several equal shares of a study's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Its number, from 1.
    pub number: u32,
    /// Number of shares.
    pub of: u32,
}

impl<'a> Sweep<'a> {
    /// The world of a study; `joint` is its [plan](joint).
    ///
    /// # Errors
    /// Fails if a plan cannot be run.
    pub fn new(study: &'a Study, joint: &'a Plan) -> Result<Sweep<'a>, RunError> {
        let point = |plan: &'a Plan| Ok(Point { plan, world: AnyWorld::of(plan)? });
        let points = study.plans.iter().map(point).collect::<Result<Vec<_>, RunError>>()?;
        let mut firsts = vec![0];
        for plan in &study.plans {
            firsts.push(firsts[firsts.len() - 1] + plan.replications);
        }
        Ok(Sweep {
            study,
            joint,
            points,
            firsts,
            share: None,
            compared: OnceLock::new(),
            lab: OnceLock::new(),
        })
    }

    /// The measures of the first point.
    pub fn measures(&self) -> Vec<&'static Measure> {
        let found = self.points[0].world.findings();
        let figures = found.figures_of(found.sample().all(), found.sample().level());
        figures.iter().map(|figure| figure.measure).collect()
    }

    /// The units of the first point.
    pub fn units(&self) -> Vec<String> {
        let found = self.points[0].world.findings();
        found.sample().units().iter().map(|unit| unit.name.clone()).collect()
    }

    /// The largest half-width of a Shapley value's interval by orders of joining, once all have ended.
    pub fn error_by_orders(&self) -> Option<f64> {
        self.lab.get()?.as_ref()?.error_by_orders()
    }

    /// The replications that would tell what a lab cannot tell yet, once all have ended: `None` if it
    /// tells everything, `Some(None)` if it is too near to nothing to say.
    pub fn undecided(&self) -> Option<Option<u64>> {
        self.lab.get()?.as_ref()?.undecided()
    }

    /// Number of cells.
    pub fn cells(&self) -> u32 {
        self.firsts[self.points.len()]
    }

    /// The point of a cell, and its replication.
    pub fn at(&self, cell: u32) -> (usize, u32) {
        let point = self.firsts.partition_point(|first| *first <= cell) - 1;
        (point, cell - self.firsts[point])
    }

    /// The share that a cell belongs to, from 1. Where first runs find the end of the warm-up, the
    /// cells of a point stay together, so that these are run once.
    pub fn share_of(&self, cell: u32, shares: u32) -> u32 {
        let (point, _) = self.at(cell);
        let number = if self.points[point].plan.found.warm_up { point as u32 } else { cell };
        number % shares + 1
    }

    /// The cells of a share.
    pub fn of_share(&self, share: Share) -> Vec<u32> {
        (0..self.cells()).filter(|&cell| self.share_of(cell, share.of) == share.number).collect()
    }

    /// The same study, of which only the cells of a share are run.
    #[must_use]
    pub fn within(self, share: Share) -> Sweep<'a> {
        Sweep { share: Some(share), ..self }
    }
}

impl Runnable for Sweep<'_> {
    type Replica<'a>
        = Cell<'a>
    where
        Self: 'a;
    type Head = AnyHead;
    type Outcome = AnyOutcome;
    type Findings = StudyFindings;

    fn saved_as(&self, number: u32) -> Option<(&Plan, u32)> {
        let (point, replication) = self.at(number);
        Some((self.points[point].plan, replication))
    }

    /// First runs are made before any cell begins, since they run in parallel themselves.
    fn prepare(&self, context: &RunContext<'_>) -> Result<(), RunError> {
        for (at, point) in self.points.iter().enumerate() {
            let mut cells = self.firsts[at]..self.firsts[at + 1];
            let is_run = self.share.is_none_or(|share| {
                cells.any(|cell| self.share_of(cell, share.of) == share.number)
            });
            if is_run {
                let session = context.session.map(|session| session.of_one(point.plan));
                point.world.prepare(&RunContext { session: session.as_ref(), ..*context })?;
            }
        }
        Ok(())
    }

    fn begin<'a>(
        &'a self,
        new: NewReplication<'_>,
        head: Option<&AnyHead>,
    ) -> Result<Cell<'a>, RunError> {
        let (point, number) = self.at(new.number);
        let Point { plan, world } = &self.points[point];
        let session = new.context.session.map(|session| session.of_one(plan));
        let context = RunContext { session: session.as_ref(), ..*new.context };
        let new = NewReplication { number, sheets: Vec::new(), context: &context };
        Ok(Cell(world.begin(new, head)?))
    }

    fn passes(
        &self,
        head: &AnyHead,
        number: u32,
        context: &RunContext<'_>,
    ) -> Result<bool, RunError> {
        let (point, replication) = self.at(number);
        let Point { plan, world } = &self.points[point];
        let session = context.session.map(|session| session.of_one(plan));
        let context = RunContext { session: session.as_ref(), ..*context };
        world.passes(head, replication, &context)
    }

    fn findings(&self) -> StudyFindings {
        let level = self.points[0].world.findings().sample().level();
        StudyFindings { swept: Swept::new(level), open: None }
    }

    fn add(&self, findings: &mut StudyFindings, outcome: AnyOutcome) {
        // Cells are added in the order of their numbers.
        let (at, _) = self.at(findings.swept.sample().replications());
        let Point { plan, world } = &self.points[at];
        let open = findings.open.get_or_insert_with(|| world.findings());
        world.add(open, outcome);
        findings.swept.sample_mut().end_replication();
        if open.sample().replications() == plan.replications {
            open.close();
            let compares = self.study.design.compared.is_some();
            let mut warnings = offered::beside(plan, world.report(open).warnings());
            // A lab says itself which intervals a single replication has.
            let batches = is_lab(self.study);
            warnings.retain(|one| !(batches && one.contains(TOO_LITTLE)));
            findings.swept.points.push(AtPoint::of(open, warnings, compares, batches));
            findings.open = None;
        }
    }

    fn name(&self) -> &'static str {
        "sweep"
    }

    fn report<'a>(&'a self, findings: &'a StudyFindings) -> Box<dyn Report + 'a> {
        let swept = &findings.swept;
        let is_whole = swept.points.len() == self.points.len();
        let compared = is_whole.then(|| {
            self.compared.get_or_init(|| Compared::of(self.study, swept, self.joint.seed))
        });
        let compared = compared.and_then(Option::as_ref);
        let lab = is_whole.then(|| self.lab.get_or_init(|| lab(self.study, swept)));
        let lab = lab.and_then(Option::as_deref);
        Box::new(SweepReport::new(self.joint, self.study, swept, compared, lab))
    }
}

/// Findings of a study, and those of the point whose replications are being added.
#[derive(Debug)]
pub struct StudyFindings {
    swept: Swept,
    open: Option<AnyFindings>,
}

impl findings::Findings for StudyFindings {
    fn sample(&self) -> &findings::sample::Sample {
        self.swept.sample()
    }
    fn sample_mut(&mut self) -> &mut findings::sample::Sample {
        self.swept.sample_mut()
    }
}

/// A replication of a point, which writes no records and leaves no landmark.
pub struct Cell<'a>(AnyReplica<'a>);

impl State for Cell<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.0.load(from)
    }
}

impl Replica for Cell<'_> {
    type Head = AnyHead;
    type Outcome = AnyOutcome;

    fn finish(self) -> Result<(AnyOutcome, Sheets), RunError> {
        Ok((self.0.finish()?.0, Vec::new()))
    }
    fn head(&self) -> AnyHead {
        self.0.head()
    }
    fn rank(head: &AnyHead) -> u64 {
        AnyReplica::rank(head)
    }
    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        self.0.advance(instants)
    }
    fn seen(&self) -> Seen {
        self.0.seen()
    }
    fn resumed(&mut self, head: &AnyHead) {
        self.0.resumed(head);
    }
    fn pulse(&self) -> Pulse {
        self.0.pulse()
    }
    fn flow(&self) -> (i128, u64) {
        self.0.flow()
    }
}
