//! A coalition as a world that can be run: rounds of load balancing between organizations that
//! learn.

mod everyone_in;
mod stage;

use serde::{Deserialize, Serialize};

use everyone_in::EveryoneIn;
pub use stage::AnyStage;

use super::error::RunError;
use super::pulse::{Estimate, Pulse};
use super::record_files::record_files;
use super::sheet::{OpenRecords, Sheet};
use super::watch;
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::coalition::course::Course;
use findings::coalition::flows::Flows;
use findings::coalition::frame::{Asking, Frame, RoundRow};
use findings::coalition::learned::{Learned, Rounds};
use findings::unit::{Class, classes};
use game::stage::{Act, Outcome, StageGame};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use policy::coalition::AnyBalancer;
use policy::learn::{AnyLearner, Player as _, Stance};
use records::coalition::jobs::{self, Owner, PoolJobsCsv};
use records::coalition::moves::{self, MovesCsv};
use records::coalition::rounds::{self, RoundsCsv};
use records::jobs::{self as rigid, JobsCsv};
use records::windows::{self, RoundWindows};
use report::coalition::CoalitionReport;
use report::world::Report;
use scenario::parts::AnySource;
use scenario::plan::{self, Cluster, Coalition, Plan, Until};
use sim::federation::{FederationGame, Grounds};
use sim::observer::Observer;
use sim::pool::{Loads, PoolGame, PoolObserver};
use sim::repeated::{Asked, Repeated};
use workload::jobs::ListSource;

/// A pool as built from a plan.
pub type Game<O> = PoolGame<AnySource, AnyBalancer, O>;

/// A federation as built from a plan.
pub type Federation<O> = FederationGame<AnySource, O>;

/// The observers of a pool or a federation, of which each writes its own `jobs.csv`.
type Watch = (
    (Flows, Option<RoundWindows<Sheet>>),
    (Option<PoolJobsCsv<Sheet>>, (Option<MovesCsv<Sheet>>, Option<JobsCsv<Sheet>>)),
);

record_files! {
    /// The record files of a coalition.
    Files of plan: &Plan, begun with of: (&CoalitionWorld<'_>, u32), on sheet;
    rounds.lines: RoundsCsv<Sheet> = "rounds.csv", match is_measured(plan) {
        true => rounds::write_wide_header,
        false => rounds::write_header,
    }, if plan.output.rounds
        => RoundsCsv::new(sheet, of.0.frame.names.clone(), of.0.frame.window, is_measured(of.0.plan));
    moves.lines: MovesCsv<Sheet> = "moves.csv", moves::write_header, if plan.output.moves
        => MovesCsv::new(sheet, of.0.frame.names.clone(), of.1);
    jobs.lines: PoolJobsCsv<Sheet> = "jobs.csv", jobs::write_header,
        if plan.writes_jobs() && !is_federation(plan)
        => PoolJobsCsv::new(sheet, owners(of.0.plan, of.0.coalition), of.1);
    windows.windows.out: RoundWindows<Sheet> = "windows.hlog", windows::write_header,
        if plan.windows().is_some() => of.0.windows(sheet, of.1);
    rigid.lines: JobsCsv<Sheet> = "jobs.csv", rigid::write_wide_header,
        if plan.writes_jobs() && is_federation(plan)
        => JobsCsv::new(sheet, watch::names(of.0.plan), of.1, true);
}

/// True if its clusters are space-shared.
fn is_federation(plan: &Plan) -> bool {
    plan.coalition().is_some_and(Coalition::is_federation)
}

/// True if its rounds are judged by another measure than flow time.
fn is_measured(plan: &Plan) -> bool {
    plan.coalition().is_some_and(|coalition| !coalition.score.is_flow())
}

/// Instants between two checks for a stop.
const BETWEEN_LOOKS: u32 = 4096;

/// The coalition of a plan.
#[derive(Debug)]
pub struct CoalitionWorld<'a> {
    plan: &'a Plan,
    coalition: &'a Coalition,
    frame: Frame,
}

/// Result of one replication.
#[derive(Debug)]
pub struct CoalitionOutcome {
    course: Course,
    flows: Flows,
}

/// Groups organizations into classes: those of one `count` that also have the same learner, terms
/// and cluster size.
pub fn classes_of(plan: &Plan, coalition: &Coalition) -> Vec<Class> {
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let alike = |one: usize, other: usize| {
        let (one, other) = (&coalition.seats[one], &coalition.seats[other]);
        let terms = |seat: &plan::Seat| (seat.entry, seat.first, seat.last, seat.processors);
        (&one.learner, &one.choices) == (&other.learner, &other.choices)
            && terms(one) == terms(other)
    };
    classes(&names, alike)
}

/// The players and the length of the game.
fn frame(plan: &Plan, coalition: &Coalition) -> Frame {
    let learners: Vec<AnyLearner> = coalition.seats.iter().map(|seat| seat.player()).collect();
    let (rounds, classes) = (plan.rounds(), classes_of(plan, coalition));
    Frame {
        level: plan.counting.level,
        asking: asking(plan, coalition, &learners, &classes, rounds),
        learns: coalition.seats.iter().map(|seat| seat.learner.learns()).collect(),
        classes,
        names: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        processors: coalition.seats.iter().map(|seat| seat.processors).collect(),
        rounds,
        replications: plan.replications,
        period: coalition.period,
        score: coalition.score,
        counts_seconds: plan.counts_seconds(),
        window: coalition.window.end - coalition.window.start,
    }
}

/// The owners of jobs, for their lines.
fn owners(plan: &Plan, coalition: &Coalition) -> Vec<Owner> {
    let owner = |(organization, seat): (&plan::Organization, &plan::Seat)| Owner {
        organization: organization.name.clone(),
        cluster: (seat.cluster)
            .map_or_else(String::new, |cluster| plan.clusters[cluster.index()].name.clone()),
        processors: seat.processors,
        workload: seat.workload.map_or_else(String::new, |at| plan.workloads[at].name.clone()),
    };
    plan.organizations.iter().zip(&coalition.seats).map(owner).collect()
}

/// Chooses the organizations and rounds for counterfactuals in the last quarter: some members of
/// each class, in so few rounds that the extra play costs at most about half the run itself.
fn asking(
    plan: &Plan,
    coalition: &Coalition,
    learners: &[AnyLearner],
    classes: &[Class],
    rounds: u64,
) -> Asking {
    let mut menus = vec![Vec::new(); learners.len()];
    if plan.output.alternatives {
        let each = (Asking::MOST / classes.len().max(1)).max(1);
        for class in classes.iter().take(Asking::MOST) {
            for player in class.members.clone().take(each) {
                menus[player] = alternatives(coalition, &learners[player]);
            }
        }
    }
    let plays: usize = menus.iter().flatten().filter(|act| act.is_in()).count();
    let asked = Asked {
        from: rounds - rounds.div_ceil(4),
        every: (plays as u64).div_ceil(2),
        players: menus.iter().map(|menu| !menu.is_empty()).collect(),
    };
    Asking { asked, menus }
}

/// Levels tried as counterfactuals for organizations that may declare any level.
const LEVELS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 1000.0];

/// The same in a federation, as parts of the declared level.
const PARTS: [f64; 7] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// The alternatives of an organization: its own choices if it has a menu; otherwise staying out or
/// taking part, at several levels if it declares one.
fn alternatives(coalition: &Coalition, learner: &AnyLearner) -> Vec<Act> {
    if let Some(choices) = learner.choices() {
        return choices.menu();
    }
    let Some(level) = learner.stance().declared.filter(|_| coalition.heeds_levels()) else {
        return Act::menu(&[]);
    };
    match coalition.is_federation() {
        true => Act::menu(&PARTS.map(|part| part * level.as_units())),
        false => Act::menu(&LEVELS),
    }
}

/// Builds the pool of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
pub fn pool<O: PoolObserver>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Game<O>, RunError> {
    let mut sources: Vec<Option<AnySource>> = plan.sources(number)?.into_iter().map(Some).collect();
    let unit = coalition.balancing().unit;
    let loads = coalition.seats.iter().map(|seat| {
        let source = seat.workload.and_then(|workload| sources[workload].take());
        let source = source.unwrap_or_else(|| AnySource::List(ListSource::new(Vec::new())));
        Loads::new(source, seat.as_load(unit))
    });
    Ok(PoolGame::new(
        loads.collect(),
        coalition.seats.iter().map(plan::Seat::presence).collect(),
        coalition.balancer().build(),
        coalition.balancing(),
        coalition.season(),
        Streams::new(plan.seed).in_replication(u64::from(number)),
        observer,
    )?)
}

/// Builds the federation of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
fn federation<O: Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Federation<O>, RunError> {
    let grounds = Grounds {
        clusters: plan.owned(),
        uses: plan.organizations.iter().map(|one| one.uses.clone()).collect(),
        lists: plan.lists.clone(),
        shares: coalition.shares.clone(),
        stakes: plan.stakes(coalition),
    };
    let site = |cluster: &Cluster, streams: &Streams| plan.site(cluster, streams);
    Ok(FederationGame::new(
        |watched| plan.build_with(number, watched, site),
        grounds,
        coalition.seats.iter().map(plan::Seat::presence).collect(),
        coalition.season(),
        plan.streams(number),
        observer,
    )?)
}

/// Builds the stage game of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
fn stage<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<AnyStage<O>, RunError> {
    Ok(match coalition.is_federation() {
        true => AnyStage::Federation(Box::new(federation(plan, coalition, number, observer)?)),
        false => AnyStage::Pool(Box::new(pool(plan, coalition, number, observer)?)),
    })
}

/// Builds the repeated game of one replication: its stage game and its players.
///
/// # Errors
/// Fails if a source cannot be opened.
pub fn table<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    players: Vec<(String, AnyLearner)>,
    observer: O,
) -> Result<Repeated<AnyStage<O>, AnyLearner>, RunError> {
    let mut game = stage(plan, coalition, number, observer)?;
    for (player, (_, learner)) in players.iter().enumerate() {
        if let Some(choices) = learner.choices() {
            game.offer(player, choices.menu());
        }
    }
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    Ok(Repeated::new(game, players, streams))
}

/// The same with the players of the plan, before the first round.
///
/// # Errors
/// Fails if a source cannot be opened.
pub fn seated<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Repeated<AnyStage<O>, AnyLearner>, RunError> {
    let players = plan.organizations.iter().zip(&coalition.seats);
    let players = players.map(|(one, seat)| (one.name.clone(), seat.player())).collect();
    table(plan, coalition, number, players, observer)
}

impl<'a> CoalitionWorld<'a> {
    /// The coalition of a plan.
    pub fn new(plan: &'a Plan, coalition: &'a Coalition) -> CoalitionWorld<'a> {
        CoalitionWorld { plan, coalition, frame: frame(plan, coalition) }
    }

    /// The writer of distributions by windows of whole rounds.
    fn windows(&self, sheet: Sheet, number: u32) -> RoundWindows<Sheet> {
        let width = self.plan.windows().unwrap_or_default();
        RoundWindows::new(sheet, width, self.frame.period, &self.frame.names, number)
    }

    /// Builds the pool in which everyone takes part, if the plan asks for it.
    fn everyone_in(&self, number: u32) -> Result<Option<EveryoneIn>, RunError> {
        let CoalitionWorld { plan, coalition, frame } = self;
        if !plan.output.everyone_in {
            return Ok(None);
        }
        let from = match coalition.rounds {
            plan::Rounds::Independent => frame.late(),
            // The start of a round depends on all rounds before it.
            plan::Rounds::Continuing => 0,
        };
        let game = stage(plan, coalition, number, ())?.unscored();
        Ok(Some(EveryoneIn { game, from, acts: Vec::new(), outcome: Outcome::default() }))
    }
}

/// Head of a saved state: where the run was to end, and how far it came.
#[derive(Debug, Serialize, Deserialize)]
pub struct CoalitionHead {
    until: Until,
    round: u64,
    is_between: bool,
    batches: bool,
}

impl Runnable for CoalitionWorld<'_> {
    type Replica<'a>
        = CoalitionReplica<'a>
    where
        Self: 'a;
    type Head = CoalitionHead;
    type Outcome = CoalitionOutcome;
    type Findings = Rounds;

    fn records(&self) -> Vec<Option<Kind>> {
        Files::kinds(self.plan)
    }

    fn begin<'a>(
        &'a self,
        NewReplication { number, sheets, .. }: NewReplication<'_>,
        head: Option<&CoalitionHead>,
    ) -> Result<CoalitionReplica<'a>, RunError> {
        let CoalitionWorld { plan, coalition, frame } = self;
        let Files { rounds, moves, jobs, windows, rigid } = Files::begin((self, number), sheets);
        let flows = Flows::new(frame.names.len(), plan.counting.quantiles);
        let observer = ((flows.in_season(coalition.season()), windows), (jobs, (moves, rigid)));
        let mut table =
            seated(plan, coalition, number, observer)?.asking(frame.asking.asked.clone());
        for (player, menu) in frame.asking.menus.iter().enumerate() {
            if !menu.is_empty() {
                table.game_mut().offer(player, menu.clone());
            }
        }
        let course = Course::new(frame);
        let has_batches = head.is_some_and(|head| head.batches);
        let course = if has_batches { course.with_batches() } else { course };
        let everyone_in = self.everyone_in(number)?;
        let stances: Vec<Stance> = table.stances().collect();
        let rows = Vec::with_capacity(stances.len());
        Ok(CoalitionReplica {
            of: self,
            number,
            table,
            course,
            everyone_in,
            stances,
            lines: rounds,
            rows,
            is_beside: false,
        })
    }

    fn passes(&self, head: &CoalitionHead, _: u32, _: &RunContext<'_>) -> Result<bool, RunError> {
        // What was added up over the last quarter can be dropped, but not made up for; and what was
        // asked in it and written of it stays, so the state must be from before either quarter.
        let Until::Rounds(rounds) = head.until else { return Ok(false) };
        let late = self.frame.late().min(rounds - rounds.div_ceil(4));
        let is_before = head.round < late || head.round == late && head.is_between;
        let can_go_on = head.until == self.plan.until || is_before;
        Ok(can_go_on && (self.frame.replications > 1 || head.batches))
    }

    fn findings(&self) -> Rounds {
        let frame = &self.frame;
        let keeps_all = self.plan.output.all_replications;
        Rounds {
            learned: Learned::new(frame.clone(), keeps_all),
            flows: Flows::new(frame.names.len(), self.plan.counting.quantiles),
        }
    }

    fn add(&self, findings: &mut Rounds, CoalitionOutcome { course, flows }: CoalitionOutcome) {
        findings.flows.merge(&flows);
        findings.learned.add(course);
    }

    fn name(&self) -> &'static str {
        "coalition"
    }

    fn report<'a>(&'a self, findings: &'a Rounds) -> Box<dyn Report + 'a> {
        Box::new(CoalitionReport { plan: self.plan, coalition: self.coalition, found: findings })
    }
}

/// A running replication.
#[derive(Debug)]
pub struct CoalitionReplica<'a> {
    of: &'a CoalitionWorld<'a>,
    number: u32,
    table: Repeated<AnyStage<Watch>, AnyLearner>,
    course: Course,
    everyone_in: Option<EveryoneIn>,
    /// Stances of the players before the round.
    stances: Vec<Stance>,
    lines: Option<RoundsCsv<Sheet>>,
    rows: Vec<RoundRow>,
    /// True while the finished round is replayed with everyone in.
    is_beside: bool,
}

impl State for CoalitionReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        self.table.save(out);
        self.course.save(out);
        put(&self.stances, out);
        put(&(self.everyone_in.is_some(), self.is_beside), out);
        if let Some(everyone_in) = &self.everyone_in {
            everyone_in.game.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.table.load(from)?;
        self.course.load(from)?;
        self.stances = take(from)?;
        let there: bool;
        (there, self.is_beside) = take(from)?;
        if there != self.everyone_in.is_some() || self.stances.len() != self.of.frame.names.len() {
            return Err(Corrupt::Content("another number of players or pools".to_owned()));
        }
        self.everyone_in.as_mut().map_or(Ok(()), |everyone_in| everyone_in.game.load(from))
    }
}

impl CoalitionReplica<'_> {
    /// Folds a finished round into the course and writes its lines.
    fn fold(&mut self) -> Result<(), RunError> {
        let CoalitionReplica {
            of, number, table, course, everyone_in, stances, lines, rows, ..
        } = self;
        let (frame, number) = (&of.frame, *number);
        let round = table.round() - 1;
        rows.clear();
        let turns = table.game().turns().zip(table.stances()).zip(stances);
        rows.extend(turns.enumerate().map(|(organization, ((turn, next), stance))| {
            let stance = std::mem::replace(stance, next);
            RoundRow { replication: number, round, organization, turn: *turn, stance, next }
        }));
        if let Some(lines) = lines {
            let chosen = rows.iter().zip(table.laws()).zip(&table.outcome().instead);
            chosen.into_iter().for_each(|((row, law), instead)| lines.write(row, law, instead));
        }
        course.round(rows);
        let streams = Streams::new(of.plan.seed).in_replication(u64::from(number));
        if frame.asking.asked.in_round(round, streams) {
            course.asked(table.outcome());
        }
        if let Some(everyone_in) = everyone_in.as_mut().filter(|one| round >= one.from) {
            everyone_in.begin(round, rows)?;
            self.is_beside = true;
        }
        Ok(())
    }

    /// Advances the replay of the round with everyone in; true once it is finished.
    fn beside(&mut self) -> Result<bool, RunError> {
        let round = self.table.round() - 1;
        let Some(everyone_in) = &mut self.everyone_in else { return Ok(true) };
        if everyone_in.game.advance()? {
            return Ok(false);
        }
        everyone_in.game.outcome(&mut everyone_in.outcome)?;
        if round >= self.of.frame.late() {
            self.course.everyone_in(everyone_in.game.turns());
        }
        self.is_beside = false;
        Ok(true)
    }

    /// True between rounds, when no part of a round is pending.
    fn is_between(&self) -> bool {
        self.table.is_between() && !self.is_beside
    }
}

impl Replica for CoalitionReplica<'_> {
    type Head = CoalitionHead;
    type Outcome = CoalitionOutcome;

    fn finish(self) -> Result<(CoalitionOutcome, Sheets), RunError> {
        let CoalitionReplica { of, table, mut course, lines, .. } = self;
        if of.frame.replications > 1 {
            course.forget_batches();
        }
        course.end(table.players().map(|player| player.is_searching()));
        let ((flows, mut windows), (jobs, (moves, rigid))) = table.into_game().into_observer();
        windows.iter_mut().for_each(RoundWindows::close);
        let sheets = Files { rounds: lines, moves, jobs, windows, rigid }.finish()?;
        Ok((CoalitionOutcome { course, flows }, sheets))
    }

    fn head(&self) -> CoalitionHead {
        let (until, round) = (self.of.plan.until, self.table.round());
        let is_between = self.is_between();
        CoalitionHead { until, round, is_between, batches: self.course.is_batched() }
    }

    fn rank(head: &CoalitionHead) -> u64 {
        head.round
    }

    fn advance(&mut self, _: u64) -> Result<bool, RunError> {
        if self.is_between() && self.table.round() >= self.of.frame.rounds {
            return Ok(false);
        }
        // A step covers many instants, but never more than a round, nor more than the game runs
        // without a pause.
        for _ in 0..BETWEEN_LOOKS {
            if self.is_beside {
                let is_over = self.beside()?;
                let is_tired = |one: &EveryoneIn| one.game.is_tired();
                if is_over || self.everyone_in.as_ref().is_some_and(is_tired) {
                    break;
                }
            } else if !self.table.advance(&mut ())? {
                self.fold()?;
                if !self.is_beside {
                    break;
                }
            } else if self.table.game().is_tired() {
                break;
            }
        }
        Ok(true)
    }

    fn seen(&self) -> Seen {
        let game = self.table.game();
        Seen {
            jobs: game.observer().0.0.jobs(),
            over: game.observer().0.0.jobs(),
            rounds: self.table.round(),
            ticks: 0,
            wakes: game.wakes(),
        }
    }

    fn resumed(&mut self, head: &CoalitionHead) {
        if head.until != self.of.plan.until {
            self.course.forget_late();
        }
    }

    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        let ((_, windows), (jobs, (moves, rigid))) = self.table.game_mut().observer_mut();
        Files::opened(&mut self.lines, moves, jobs, windows, rigid)
    }

    fn is_landmark(&self) -> bool {
        self.is_between() && self.table.round() == self.of.frame.late()
    }

    fn pulse(&self) -> Pulse {
        let game = self.table.game();
        let flows = &game.observer().0.0;
        let members = game.turns().filter(|turn| turn.present && turn.act.is_in()).count();
        Pulse {
            time: game.now().as_units(),
            finished: flows.jobs(),
            flow: Estimate::of(flows.sum()),
            rounds: Some(self.table.round()),
            members: Some(members as u64),
            ..Pulse::default()
        }
    }

    fn flow(&self) -> (i128, u64) {
        self.table.game().observer().0.0.sum()
    }
}
