//! Runs a coalition: rounds of load balancing between organizations that learn.

mod everyone_in;
mod watching;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use everyone_in::EveryoneIn;
use watching::{Watch, Watching};

use super::pulse::{Estimate, Pulse};
use super::records::{Desk, Gathered, Leavings, Marks, Sheets, form};
use super::session::{self, NotBegun, Replica, Session};
use super::sheet::Sheet;
use super::{Cost, Progress, RunError, Way, each, rounded};
use crate::game::stage::{Act, Outcome, StageGame};
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, all_taken, put, take};
use crate::policy::coalition::AnyBalancer;
use crate::policy::learn::{AnyLearner, Player as _, Stance};
use crate::report::coalition::flows::Flows;
use crate::report::coalition::instead::Asking;
use crate::report::coalition::jobs::{self, PoolJobsCsv};
use crate::report::coalition::moves::{self, MovesCsv};
use crate::report::coalition::rounds::{self, RoundsCsv};
use crate::report::coalition::{
    Class, Course, Frame, Learned, RoundRow, Rounds, classes, histograms, json, learning,
    organizations, picture, timeline, verdicts,
};
use crate::report::enough::{self, Goal, Known};
use crate::report::files::FileError;
use crate::report::json::{Manifest, Timing};
use crate::report::table::Format;
use crate::report::windows::{self, RoundWindows};
use crate::scenario::parts::AnySource;
use crate::scenario::plan::{self, Coalition, Plan, Until};
use crate::sim::pool::{Loads, PoolGame, PoolObserver};
use crate::sim::repeated::{Asked, Repeated};
use crate::workload::jobs::ListSource;

/// A pool as built from a plan.
pub(crate) type Game<O> = PoolGame<AnySource, AnyBalancer, O>;

/// Instants between two checks for a stop.
const BETWEEN_LOOKS: u32 = 4096;

/// Groups organizations into classes: those of one `count` that also have the same learner, terms
/// and cluster size.
pub fn classes_of(plan: &Plan, coalition: &Coalition) -> Vec<Class> {
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let alike = |one: usize, other: usize| {
        let (one, other) = (&coalition.seats[one], &coalition.seats[other]);
        let terms = |seat: &plan::Seat| (seat.entry, seat.first, seat.last, seat.processors);
        one.learner == other.learner && terms(one) == terms(other)
    };
    classes(&names, alike)
}

/// The players and the length of the game.
fn frame(plan: &Plan, coalition: &Coalition) -> Frame {
    let learners: Vec<AnyLearner> =
        coalition.seats.iter().map(|seat| seat.learner.build()).collect();
    let (rounds, classes) = (rounds_of(plan), classes_of(plan, coalition));
    Frame {
        level: plan.counting.level,
        asking: asking(plan, coalition, &learners, &classes, rounds),
        learns: coalition.seats.iter().map(|seat| seat.learner.learns()).collect(),
        classes,
        names: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        rounds,
        replications: plan.replications,
        period: coalition.period,
        counts_seconds: plan.counts_seconds(),
        window: coalition.window.end - coalition.window.start,
    }
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

/// The alternatives of an organization: its own choices if it has a menu; otherwise staying out or
/// taking part, at several levels if it declares one.
fn alternatives(coalition: &Coalition, learner: &AnyLearner) -> Vec<Act> {
    if let Some(choices) = learner.choices() {
        return choices.menu();
    }
    let level = learner.stance().declared;
    let levels =
        if level.is_some() && coalition.balancer.name() == "bilb" { &LEVELS[..] } else { &[] };
    super::deviate::menu(levels)
}

/// Rounds in a replication.
fn rounds_of(plan: &Plan) -> u64 {
    match plan.until {
        Until::Rounds(rounds) => rounds,
        Until::Time(_) | Until::Drained | Until::Jobs(_) => {
            unreachable!("a coalition's scenario says how many rounds there are")
        }
    }
}

/// Result of one replication.
struct Played {
    course: Course,
    flows: Flows,
    balancings: u64,
    sheets: Sheets,
}

/// Runs all replications; returns their results, their cost and their records.
pub(super) fn run(
    plan: &Plan,
    coalition: &Coalition,
    way: &Way<'_>,
) -> Result<(Rounds, Cost, Gathered), RunError> {
    let kinds = vec![
        plan.output.rounds.then_some(("rounds.csv", rounds::write_header as _)),
        plan.output.moves.then_some(("moves.csv", moves::write_header as _)),
        plan.writes_jobs().then_some(("jobs.csv", jobs::write_header as _)),
        plan.windows().map(|_| ("windows.hlog", windows::write_header as _)),
    ];
    let desk = way.claim.map(|claim| Desk::new(claim, form(plan), kinds));
    let mut gathered = desk.as_ref().map(Desk::gather).unwrap_or_default();
    let session = way.session(plan)?;
    let frame = frame(plan, coalition);
    let mut flows = Flows::new(frame.names.len(), plan.counting.quantiles);
    let mut learned = Learned::new(frame.clone());
    let mut wakes = 0;
    let of = |number| Seated {
        plan,
        coalition,
        frame: &frame,
        number,
        desk: desk.as_ref(),
        progress: way.progress,
    };
    let mut goal = Goal::new(plan);
    each(
        &mut goal,
        way.threads,
        |number| replicate(of(number), session.as_ref(), way),
        |played: Played, goal| {
            flows.merge(&played.flows);
            learned.add(played.course);
            goal.added(learned.replications, |precision| enough::of_rounds(precision, &learned));
            wakes += played.balancings;
            Ok(gathered.add(played.sheets)?)
        },
    )?;
    learned.known = goal.ended().and_then(|ended| Known::of_rounds(plan, &learned, ended));
    let played = frame.rounds * u64::from(learned.replications);
    let spent = session.map(|session| session.spent()).unwrap_or_default();
    let cost = Cost { jobs: flows.jobs(), wakes, rounds: Some(played), spent };
    Ok((Rounds { learned, flows }, cost, gathered))
}

/// Writes the files of a run.
pub(super) fn leave(
    plan: &Plan,
    coalition: &Coalition,
    found: &Rounds,
    timing: &Timing,
    records: Gathered,
    way: &Way<'_>,
) -> Result<(), FileError> {
    let Some(claim) = way.claim else { return Ok(()) };
    let Rounds { learned, flows } = found;
    let mut leavings = Leavings::new(claim);
    leavings.records(records)?;
    leavings.write("organizations.csv", &organizations::render(learned, flows))?;
    leavings.write("learning.csv", &learning::render(learned))?;
    leavings.write(
        "alternatives.csv",
        verdicts::alternatives(learned).render(Format::Csv, None).as_bytes(),
    )?;
    leavings.write("learning.svg", &picture::render(&plan.title(), learned))?;
    if plan.output.timeline {
        let (frame, timelines) = (&learned.frame, &learned.timelines);
        leavings.write("timeline.csv", &timeline::render(timelines))?;
        leavings.write("timeline.svg", &timeline::picture(&plan.title(), frame, timelines))?;
    }
    if plan.counting.quantiles {
        leavings.write("histograms.hlog", &histograms::render(found))?;
    }
    leavings.write("summary.json", &json::render(plan, coalition, found))?;
    leavings.publish(timing, |digests| Manifest::of_rounds(plan, coalition, learned, digests))
}

fn replicate(
    of: Seated<'_>,
    session: Option<&Session<'_>>,
    way: &Way<'_>,
) -> Result<Played, RunError> {
    let span = tracing::info_span!("replication", number = of.number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    // Balancings are only observed if `moves.csv` is written.
    let played = if of.plan.output.moves && of.desk.is_some() {
        of.play::<(Watch, MovesCsv<Sheet>)>(session, way)?
    } else {
        of.play::<Watch>(session, way)?
    };
    let everyone = played.flows.everyone();
    way.progress.board.ended(of.number, (everyone.sum(), everyone.count()));
    let seconds = rounded(begun.elapsed().as_secs_f64());
    let (rounds, jobs) = (of.frame.rounds, played.flows.jobs());
    tracing::info!(rounds, jobs, seconds, "replication ended");
    Ok(played)
}

/// Builds the pool of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
fn pool<O: PoolObserver>(
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
        coalition.balancer.build(),
        coalition.balancing(),
        coalition.season(),
        Streams::new(plan.seed).in_replication(u64::from(number)),
        observer,
    )?)
}

/// Builds the repeated game of one replication: its pool and its players.
///
/// # Errors
/// Fails if a source cannot be opened.
pub(crate) fn table<O: PoolObserver>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    players: Vec<(String, AnyLearner)>,
    observer: O,
) -> Result<Repeated<Game<O>, AnyLearner>, RunError> {
    let mut game = pool(plan, coalition, number, observer)?;
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
pub(crate) fn seated<O: PoolObserver>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Repeated<Game<O>, AnyLearner>, RunError> {
    let players = plan.organizations.iter().zip(&coalition.seats);
    let players = players.map(|(one, seat)| (one.name.clone(), seat.learner.build())).collect();
    table(plan, coalition, number, players, observer)
}

/// Everything needed to start a replication.
#[derive(Clone, Copy)]
struct Seated<'a> {
    plan: &'a Plan,
    coalition: &'a Coalition,
    frame: &'a Frame,
    number: u32,
    desk: Option<&'a Desk>,
    progress: &'a Progress,
}

/// A running replication.
struct Running<'a, O> {
    of: Seated<'a>,
    table: Repeated<Game<O>, AnyLearner>,
    course: Course,
    everyone_in: Option<EveryoneIn>,
    /// Stances of the players before the round.
    stances: Vec<Stance>,
    lines: Option<RoundsCsv<Sheet>>,
    rows: Vec<RoundRow>,
    /// True while the finished round is replayed with everyone in.
    is_beside: bool,
}

/// Header saved before a replication's state, so that its target can be built before loading.
#[derive(Serialize, Deserialize)]
struct Head {
    until: Until,
    round: u64,
    batches: bool,
    marks: Marks,
}

impl<'a> Seated<'a> {
    fn play<O: Watching>(
        self,
        session: Option<&Session<'_>>,
        way: &Way<'_>,
    ) -> Result<Played, RunError> {
        let replica: Running<'_, O> =
            session::play(session, way, self.number, |saved| match saved {
                None => self.begin().map_err(NotBegun::Run),
                Some(saved) => self.resume(saved),
            })?;
        replica.finish()
    }

    fn begin<O: Watching>(self) -> Result<Running<'a, O>, RunError> {
        let sheets = self.desk.map(|desk| desk.begin(self.number)).transpose()?;
        self.seat(sheets.unwrap_or_default(), Course::new(self.frame))
    }

    /// Starts before the first round, with sheets for its records.
    fn seat<O: Watching>(self, sheets: Sheets, course: Course) -> Result<Running<'a, O>, RunError> {
        let Seated { plan, frame, number, .. } = self;
        let names = || frame.names.clone();
        let mut sheets = sheets.into_iter();
        let mut next = || sheets.next().flatten();
        let lines = next().map(|out| RoundsCsv::new(out, names(), frame.window));
        let moves = next().map(|out| MovesCsv::new(out, names(), number));
        let jobs = next().map(|out| PoolJobsCsv::new(out, names(), number));
        let windows = next()
            .zip(plan.windows())
            .map(|(out, width)| RoundWindows::new(out, width, frame.period, &frame.names, number));
        let flows = Flows::new(frame.names.len(), plan.counting.quantiles);
        let observer = O::new(((flows, windows), jobs), moves);
        let mut table =
            seated(plan, self.coalition, number, observer)?.asking(frame.asking.asked.clone());
        for (player, menu) in frame.asking.menus.iter().enumerate() {
            if !menu.is_empty() {
                table.game_mut().offer(player, menu.clone());
            }
        }
        let everyone_in = self.everyone_in()?;
        let stances: Vec<Stance> = table.stances().collect();
        let rows = Vec::with_capacity(stances.len());
        Ok(Running { of: self, table, course, everyone_in, stances, lines, rows, is_beside: false })
    }

    /// Resumes from a saved state.
    fn resume<O: Watching>(self, mut saved: &[u8]) -> Result<Running<'a, O>, NotBegun> {
        let head: Head = take(&mut saved)?;
        let is_same = head.until == self.plan.until;
        // The last quarter's records can be dropped, but not created after the fact.
        let can_go_on = is_same || head.round <= self.frame.late();
        if !can_go_on || self.frame.replications == 1 && !head.batches {
            return Err(NotBegun::Past);
        }
        let sheets = match self.desk {
            None => Vec::new(),
            Some(desk) => desk.reopen(self.number, &head.marks)?.ok_or_else(|| {
                NotBegun::Unfit("its records are not there, or not what they were".to_owned())
            })?,
        };
        let course = Course::new(self.frame);
        let course = if head.batches { course.with_batches() } else { course };
        let mut running = self.seat(sheets, course)?;
        running.load(&mut saved)?;
        all_taken(saved)?;
        if !is_same {
            running.course.forget_late();
        }
        self.progress.rounds.fetch_add(running.table.round(), Ordering::Relaxed);
        Ok(running)
    }

    /// Builds the pool in which everyone takes part, if the plan asks for it.
    fn everyone_in(self) -> Result<Option<EveryoneIn>, RunError> {
        if !self.plan.output.everyone_in {
            return Ok(None);
        }
        let Seated { plan, coalition, number, .. } = self;
        let from = match coalition.rounds {
            plan::Rounds::Independent => self.frame.late(),
            // The start of a round depends on all rounds before it.
            plan::Rounds::Continuing => 0,
        };
        let game = pool(plan, coalition, number, ())?;
        Ok(Some(EveryoneIn { game, from, acts: Vec::new(), outcome: Outcome::default() }))
    }
}

impl<O: Watching> State for Running<'_, O> {
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

impl<O: Watching> Running<'_, O> {
    /// Folds a finished round into the course and writes its lines.
    fn fold(&mut self) -> Result<(), RunError> {
        let Running { of, table, course, everyone_in, stances, lines, rows, .. } = self;
        let (frame, number) = (of.frame, of.number);
        let round = table.round() - 1;
        rows.clear();
        let turns = table.game().turns().zip(table.stances()).zip(stances);
        rows.extend(turns.enumerate().map(|(organization, ((turn, next), stance))| {
            let stance = std::mem::replace(stance, next);
            RoundRow { replication: number, round, organization, turn: *turn, stance, next }
        }));
        if let Some(lines) = lines {
            let chosen = rows.iter().zip(table.laws()).zip(&table.outcome().instead);
            let written = chosen
                .into_iter()
                .try_for_each(|((row, law), instead)| lines.write(row, law, instead));
            written.map_err(|error| lines.out_mut().wrong(error))?;
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
        of.progress.rounds.fetch_add(1, Ordering::Relaxed);
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

    /// The open sheets, in the order of their kinds.
    fn sheets(&mut self) -> Result<[Option<&mut Sheet>; 4], RunError> {
        let wrong = || FileError::of(self.of.desk.map_or(Path::new(""), Desk::folder));
        let wrong = (wrong(), wrong(), wrong());
        let (moves, jobs, windows) = self.table.game_mut().observer_mut().records();
        let moves = moves.map(MovesCsv::out_mut).transpose().map_err(wrong.0)?;
        let jobs = jobs.map(PoolJobsCsv::out_mut).transpose().map_err(wrong.1)?;
        let windows = windows.map(RoundWindows::out_mut).transpose().map_err(wrong.2)?;
        let lines = self.lines.as_mut().map(RoundsCsv::out_mut);
        Ok([lines, moves, jobs, windows])
    }

    fn finish(self) -> Result<Played, RunError> {
        let Running { of, table, mut course, lines, .. } = self;
        if of.frame.replications > 1 {
            course.forget_batches();
        }
        course.end(table.players().map(|player| player.is_searching()));
        let balancings = table.game().balancings();
        let (((flows, windows), jobs), moves) = table.into_game().into_observer().parts();
        let wrong = || FileError::of(of.desk.map_or(Path::new(""), Desk::folder));
        let moves = moves.map(MovesCsv::finish).transpose().map_err(wrong())?;
        let jobs = jobs.map(PoolJobsCsv::finish).transpose().map_err(wrong())?;
        let windows = windows.map(RoundWindows::finish).transpose().map_err(wrong())?;
        let sheets = vec![lines.map(RoundsCsv::into_inner), moves, jobs, windows];
        Ok(Played { course, flows, balancings, sheets })
    }
}

impl<O: Watching> Replica for Running<'_, O> {
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
                self.sheets()?;
                if !self.is_beside {
                    break;
                }
            } else if self.table.game().is_tired() {
                break;
            }
        }
        Ok(true)
    }

    fn seen(&self) -> (u64, u64) {
        (self.table.game().observer().flows().jobs(), self.table.round())
    }

    fn rank(mut saved: &[u8]) -> Option<u64> {
        take::<Head>(&mut saved).ok().map(|head| head.round)
    }

    fn is_landmark(&self) -> bool {
        self.is_between() && self.table.round() == self.of.frame.late()
    }

    fn pulse(&self) -> Pulse {
        let game = self.table.game();
        let flows = game.observer().flows();
        let members = game.turns().filter(|turn| turn.present && turn.act.is_in()).count();
        Pulse {
            replication: self.of.number,
            time: game.now().as_units(),
            finished: flows.jobs(),
            flow: Estimate::of(flows.everyone()),
            rounds: Some(self.table.round()),
            members: Some(members as u64),
            ..Pulse::default()
        }
    }

    fn save(&mut self, safely: bool, out: &mut Vec<u8>) -> Result<(), RunError> {
        let mut marks = Vec::new();
        for sheet in self.sheets()? {
            marks.push(sheet.map(|sheet| sheet.mark(safely)).transpose()?);
        }
        let (until, round) = (self.of.plan.until, self.table.round());
        put(&Head { until, round, batches: self.course.is_batched(), marks }, out);
        State::save(self, out);
        Ok(())
    }
}
