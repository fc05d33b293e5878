//! A coalition as a world that can be run: rounds of load balancing between organizations that
//! learn.

mod beside;
mod frame;
mod stage;

use serde::{Deserialize, Serialize};

use beside::Beside;
pub use frame::classes_of;
use frame::frame;
use stage::stage;
pub use stage::{AnyStage, seated, table};

use super::error::RunError;
use super::pulse::{Estimate, Pulse};
use super::record_files::record_files;
use super::sheet::{OpenRecords, Sheet};
use super::watch;
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::coalition::course::Course;
use findings::coalition::flows::Flows;
use findings::coalition::frame::{Frame, RoundRow};
use findings::coalition::learned::{Learned, Rounds};
use game::stage::Outcome;
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use policy::learn::{AnyLearner, Player as _};
use records::coalition::jobs::{self, Owner, PoolJobsCsv};
use records::coalition::moves::{self, MovesCsv};
use records::coalition::rounds::{self, Last, RoundsCsv};
use records::jobs::{self as rigid, JobsCsv};
use records::windows::{self, RoundWindows};
use report::coalition::CoalitionReport;
use report::world::Report;
use scenario::plan::{self, Coalition, Plan, Until};
use sim::accounts::{Accounts, Counting};
use sim::alone::CouldRunAlone;
use sim::pool::turn::Turn;
use sim::repeated::Repeated;

/// The observers of a pool or a federation, of which each writes its own `jobs.csv`.
type Watch = (
    ((Flows, Option<Accounts>), Option<RoundWindows<Sheet>>),
    (Option<PoolJobsCsv<Sheet>>, (Option<MovesCsv<Sheet>>, Option<JobsCsv<Sheet>>)),
);

record_files! {
    /// The record files of a coalition.
    Files of plan: &Plan, begun with of: (&CoalitionWorld<'_>, u32), on sheet;
    rounds.lines: RoundsCsv<Sheet> = "rounds.csv", match last(plan) {
        Last::Measures => rounds::measures::write_header,
        Last::Caught => rounds::caught::write_header,
        Last::None => rounds::write_header,
    }, if plan.output.rounds
        => RoundsCsv::new(sheet, of.0.frame.names.clone(), of.0.frame.window, last(of.0.plan));
    moves.lines: MovesCsv<Sheet> = "moves.csv", moves::write_header, if plan.output.moves
        => MovesCsv::new(sheet, of.0.frame.names.clone(), of.1);
    jobs.lines: PoolJobsCsv<Sheet> = "jobs.csv", jobs::write_header,
        if plan.writes_jobs() && !is_federation(plan)
        => PoolJobsCsv::new(sheet, owners(of.0.plan, of.0.coalition), of.1);
    windows.windows.out: RoundWindows<Sheet> = "windows.hlog", windows::write_header,
        if plan.windows().is_some() => of.0.windows(sheet, of.1);
    rigid.lines: JobsCsv<Sheet> = "jobs.csv", rigid::sent_time::write_header,
        if plan.writes_jobs() && is_federation(plan)
        => JobsCsv::new(sheet, watch::names(of.0.plan), of.1, true);
}

/// True if its clusters are space-shared.
fn is_federation(plan: &Plan) -> bool {
    plan.coalition().is_some_and(Coalition::is_federation)
}

/// The last column of its rounds: the measures if they are judged by another than flow time.
fn last(plan: &Plan) -> Last {
    match plan.coalition() {
        Some(coalition) if !coalition.score.is_flow() => Last::Measures,
        Some(coalition) if coalition.exclusion.is_some() => Last::Caught,
        _ => Last::None,
    }
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
    accounts: Option<Accounts>,
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

impl<'a> CoalitionWorld<'a> {
    /// The coalition of a plan.
    pub fn new(plan: &'a Plan, coalition: &'a Coalition) -> CoalitionWorld<'a> {
        CoalitionWorld { plan, coalition, frame: frame(plan, coalition) }
    }

    /// The organizations and the length of a replication.
    fn frame_of(&self, number: u32) -> Frame {
        let mut own = Frame { rounds: self.plan.rounds_of(number), ..self.frame.clone() };
        own.asking.asked.from = own.late();
        own
    }

    /// The writer of distributions by windows of whole rounds.
    fn windows(&self, sheet: Sheet, number: u32) -> RoundWindows<Sheet> {
        let width = self.plan.windows().unwrap_or_default();
        RoundWindows::new(sheet, width, self.frame.period, &self.frame.names, number)
    }

    /// The jobs of a federation that count.
    fn counting(&self) -> Counting {
        Counting {
            rounds: Some(self.coalition.season().windows()),
            batches: false,
            ..self.plan.counting
        }
    }

    /// The accounts of a federation's grid.
    fn accounts(&self) -> Option<Accounts> {
        let owned = || self.plan.owned();
        let count = self.frame.names.len();
        self.coalition.is_federation().then(|| Accounts::new(count, owned(), self.counting()))
    }

    /// Builds the games that the plan asks for beside its own: with everyone in, and with nobody.
    fn beside(&self, frame: &Frame, number: u32) -> Result<Vec<Beside>, RunError> {
        let CoalitionWorld { plan, coalition, .. } = self;
        let from = match coalition.rounds {
            plan::Rounds::Independent => frame.late(),
            // The start of a round depends on all rounds before it.
            plan::Rounds::Continuing => 0,
        };
        let game = |is_in: bool, from: u64| {
            let uses = plan.organizations.iter().map(|one| &*one.uses);
            let (owned, counting) = (plan.owned(), self.counting());
            let service = (!is_in).then(|| CouldRunAlone::new(counting, owned, uses, &plan.lists));
            let game = stage(plan, coalition, number, service)?.unscored();
            let (acts, turns, outcome) = (Vec::new(), Vec::new(), Outcome::default());
            Ok(Beside { game, is_in, from, acts, outcome, turns })
        };
        let asked = [(plan.output.everyone_in, true, from), (plan.output.alone, false, 0)];
        let asked = asked.into_iter().filter(|(is_asked, ..)| *is_asked);
        asked.map(|(_, is_in, from)| game(is_in, from)).collect()
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
        let CoalitionWorld { plan, coalition, .. } = self;
        let frame = self.frame_of(number);
        let Files { rounds, moves, jobs, windows, rigid } = Files::begin((self, number), sheets);
        let flows = Flows::new(frame.names.len(), plan.counting.quantiles);
        let flows = (flows.in_windows(coalition.season().windows()), self.accounts());
        let observer = ((flows, windows), (jobs, (moves, rigid)));
        let mut table =
            seated(plan, coalition, number, observer)?.asking(frame.asking.asked.clone());
        for (player, menu) in frame.asking.menus.iter().enumerate() {
            if !menu.is_empty() {
                table.game_mut().offer(player, menu.clone());
            }
        }
        let course = Course::new(&frame);
        let has_batches = head.is_some_and(|head| head.batches);
        let course = if has_batches { course.with_batches() } else { course };
        let beside = self.beside(&frame, number)?;
        let rows = Vec::with_capacity(table.players().len());
        Ok(CoalitionReplica {
            of: self,
            frame,
            number,
            table,
            course,
            beside,
            lines: rounds,
            rows,
            left: 0,
        })
    }

    fn passes(
        &self,
        head: &CoalitionHead,
        number: u32,
        _: &RunContext<'_>,
    ) -> Result<bool, RunError> {
        // What was added up over the last quarter can be dropped, but not made up for; and what was
        // asked in it and written of it stays, so the state must be from before either quarter.
        let Until::Rounds(rounds) = head.until else { return Ok(false) };
        let own = self.frame_of(number);
        let late = own.late().min(rounds - rounds.div_ceil(4));
        let is_before = head.round < late || head.round == late && head.is_between;
        let can_go_on = rounds == own.rounds || is_before;
        Ok(can_go_on && (self.frame.replications > 1 || head.batches))
    }

    fn findings(&self) -> Rounds {
        let frame = &self.frame;
        let keeps_all = self.plan.output.all_replications;
        Rounds {
            learned: Learned::new(frame.clone(), keeps_all),
            flows: Flows::new(frame.names.len(), self.plan.counting.quantiles),
            accounts: self.accounts(),
        }
    }

    fn add(&self, findings: &mut Rounds, found: CoalitionOutcome) {
        let CoalitionOutcome { course, flows, accounts } = found;
        findings.flows.merge(&flows);
        if let Some((all, accounts)) = findings.accounts.as_mut().zip(accounts) {
            all.merge(&accounts);
        }
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
    frame: Frame,
    number: u32,
    table: Repeated<AnyStage<Watch>, AnyLearner>,
    course: Course,
    beside: Vec<Beside>,
    lines: Option<RoundsCsv<Sheet>>,
    rows: Vec<RoundRow>,
    /// Games beside it that have yet to replay the finished round.
    left: u8,
}

impl State for CoalitionReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        self.table.save(out);
        self.course.save(out);
        put(&(self.beside.len() as u8, self.left), out);
        self.beside.iter().for_each(|beside| beside.game.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.table.load(from)?;
        self.course.load(from)?;
        let games: u8;
        (games, self.left) = take(from)?;
        if usize::from(games) != self.beside.len() || self.left > games {
            return Err(Corrupt::Content("another number of pools".to_owned()));
        }
        self.beside.iter_mut().try_for_each(|beside| beside.game.load(from))
    }
}

impl CoalitionReplica<'_> {
    /// Folds a finished round into the course and writes its lines.
    fn fold(&mut self) -> Result<(), RunError> {
        let CoalitionReplica { of, frame, number, table, course, .. } = self;
        let CoalitionReplica { beside, lines, rows, left, .. } = self;
        let number = *number;
        let round = table.round() - 1;
        rows.clear();
        let turns = table.game().turns().zip(table.stances()).zip(table.decided());
        rows.extend(turns.enumerate().map(|(organization, ((turn, next), &stance))| RoundRow {
            replication: number,
            round,
            organization,
            turn: *turn,
            stance,
            next,
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
        // Those that begin later come first.
        let due = beside.iter().filter(|one| round >= one.from).count();
        *left = due as u8;
        let first = beside.len() - due;
        beside[first..].iter_mut().try_for_each(|one| one.begin(round, rows))?;
        if due == 0 {
            self.told();
        }
        Ok(())
    }

    /// Adds what the grid of a federation told of the round, once it was replayed by all.
    fn told(&mut self) {
        let CoalitionReplica { table, course, beside, .. } = self;
        let game = table.game();
        let ((_, accounts), _) = &game.observer().0;
        if let Some(accounts) = accounts {
            let turns: Vec<Turn> = game.turns().copied().collect();
            let apart = beside.iter().find_map(Beside::apart);
            course.grid(table.round() - 1, &turns, accounts, apart);
        }
    }

    /// The game that replays the round.
    fn replaying(&mut self) -> Option<&mut Beside> {
        let at = self.beside.len().checked_sub(self.left.into())?;
        self.beside.get_mut(at)
    }

    /// Advances the replay of the round beside; true once a game has finished it.
    fn replay(&mut self) -> Result<bool, RunError> {
        let round = self.table.round() - 1;
        let Some(beside) = self.replaying() else { return Ok(true) };
        if !beside.advance()? {
            return Ok(false);
        }
        self.left -= 1;
        let at = self.beside.len() - 1 - usize::from(self.left);
        let beside = &self.beside[at];
        if beside.is_in && round >= self.frame.late() {
            self.course.everyone_in(&beside.turns);
        }
        if self.left == 0 {
            self.told();
        }
        Ok(true)
    }

    /// True between rounds, when no part of a round is pending.
    fn is_between(&self) -> bool {
        self.table.is_between() && self.left == 0
    }
}

impl Replica for CoalitionReplica<'_> {
    type Head = CoalitionHead;
    type Outcome = CoalitionOutcome;

    fn finish(self) -> Result<(CoalitionOutcome, Sheets), RunError> {
        let CoalitionReplica { frame, table, mut course, lines, .. } = self;
        if frame.replications > 1 {
            course.forget_batches();
        }
        let searching: Vec<bool> = table.players().map(|player| player.is_searching()).collect();
        let (((flows, accounts), mut windows), (jobs, (moves, rigid))) =
            table.into_game().into_observer();
        course.end(searching, accounts.as_ref());
        windows.iter_mut().for_each(RoundWindows::close);
        let sheets = Files { rounds: lines, moves, jobs, windows, rigid }.finish()?;
        Ok((CoalitionOutcome { course, flows, accounts }, sheets))
    }

    fn head(&self) -> CoalitionHead {
        let (until, round) = (Until::Rounds(self.frame.rounds), self.table.round());
        let is_between = self.is_between();
        CoalitionHead { until, round, is_between, batches: self.course.is_batched() }
    }

    fn rank(head: &CoalitionHead) -> u64 {
        head.round
    }

    fn advance(&mut self, _: u64) -> Result<bool, RunError> {
        if self.is_between() && self.table.round() >= self.frame.rounds {
            return Ok(false);
        }
        // A step covers many instants, but never more than a round, nor more than the game runs
        // without a pause.
        for _ in 0..BETWEEN_LOOKS {
            if self.left > 0 {
                let is_over = self.replay()?;
                if is_over || self.replaying().is_some_and(|one| one.game.is_tired()) {
                    break;
                }
            } else if !self.table.advance(&mut ())? {
                self.fold()?;
                if self.left == 0 {
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
            jobs: game.observer().0.0.0.jobs(),
            over: game.observer().0.0.0.jobs(),
            rounds: self.table.round(),
            ticks: 0,
            wakes: game.wakes(),
        }
    }

    fn resumed(&mut self, head: &CoalitionHead) {
        if head.until != Until::Rounds(self.frame.rounds) {
            self.course.forget_late();
        }
    }

    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        let ((_, windows), (jobs, (moves, rigid))) = self.table.game_mut().observer_mut();
        Files::opened(&mut self.lines, moves, jobs, windows, rigid)
    }

    fn is_landmark(&self) -> bool {
        self.is_between() && self.table.round() == self.frame.late()
    }

    fn pulse(&self) -> Pulse {
        let game = self.table.game();
        let flows = &game.observer().0.0.0;
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
        self.table.game().observer().0.0.0.sum()
    }
}
