//! A run of a coalition: rounds of load balancing between organizations that learn.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::pulse::{Answered, Estimate, Pulse};
use super::records::{Leavings, Records, Sheets};
use super::{Cost, Progress, RunError, each, rounded};
use crate::game::stage::{Act, Actions, Outcome, StageGame, Terms, Wanted};
use crate::kernel::engine::Stopped;
use crate::kernel::rng::Streams;
use crate::policy::coalition::AnyBalancer;
use crate::policy::learn::{AnyLearner, Player as _, Stance};
use crate::report::coalition::flows::Flows;
use crate::report::coalition::instead::Asking;
use crate::report::coalition::jobs::{self, PoolJobsCsv};
use crate::report::coalition::moves::{self, MovesCsv};
use crate::report::coalition::rounds::{self, RoundsCsv};
use crate::report::coalition::{
    Class, Course, Frame, Learned, RoundRow, Rounds, classes, histograms, json, learning,
    organizations, picture, verdicts,
};
use crate::report::files::FileError;
use crate::report::json::{Manifest, Timing};
use crate::report::table::Format;
use crate::scenario::parts::AnySource;
use crate::scenario::plan::{self, Coalition, Plan, Until};
use crate::sim::pool::{Loads, PoolError, PoolGame, PoolObserver};
use crate::sim::repeated::{Asked, Repeated};
use crate::workload::jobs::ListSource;

/// A pool as a plan builds it.
pub(crate) type Game<O> = PoolGame<AnySource, AnyBalancer, O>;

/// The records of a run, where they are written.
pub(super) struct Recorded([Option<Records>; 3]);

/// Their places.
const ROUNDS: usize = 0;
const MOVES: usize = 1;
const JOBS: usize = 2;

/// The organizations in classes of those that are alike.
pub fn classes_of(plan: &Plan, coalition: &Coalition) -> Vec<Class> {
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    let alike = |one: usize, other: usize| {
        let (one, other) = (&coalition.seats[one], &coalition.seats[other]);
        let terms = |seat: &plan::Seat| (seat.first, seat.last, seat.processors);
        one.learner == other.learner && terms(one) == terms(other)
    };
    classes(&names, alike)
}

/// Who plays, and how long.
fn frame(plan: &Plan, coalition: &Coalition) -> Frame {
    let learners: Vec<AnyLearner> =
        coalition.seats.iter().map(|seat| seat.learner.build()).collect();
    let (rounds, classes) = (rounds_of(plan), classes_of(plan, coalition));
    Frame {
        asking: asking(plan, coalition, &learners, &classes, rounds),
        learns: coalition.seats.iter().map(|seat| seat.learner.learns()).collect(),
        classes,
        names: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        rounds,
        replications: plan.replications,
        period: coalition.period,
        window: coalition.window.end - coalition.window.start,
    }
}

/// Of whom it is asked what else they could have done in the last quarter: of some of each class,
/// in so many rounds that this plays about half as many rounds as the run itself at most.
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

/// The levels that are asked about of who may declare any.
const LEVELS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 1000.0];

/// What an organization could do: what it chooses among, else to stay out or to take part, at one
/// of some levels where it declares one.
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

/// What one replication found.
struct Replication {
    course: Course,
    flows: Flows,
    balancings: u64,
    /// The lines of its records.
    parts: [Option<File>; 3],
}

/// Runs all replications; gives what they found, what they cost, and their records.
pub(super) fn run(
    plan: &Plan,
    coalition: &Coalition,
    folder: Option<&Path>,
    threads: usize,
    progress: &Progress,
) -> Result<(Rounds, Cost, Recorded), RunError> {
    let begin = |wanted: bool, name: &str, header: fn(&mut _) -> io::Result<()>| {
        let path = folder.filter(|_| wanted).map(|folder| folder.join(name));
        path.map(|path| Records::begin(&path, header)).transpose()
    };
    let mut recorded = [
        begin(plan.output.rounds, "rounds.csv", rounds::write_header)?,
        begin(plan.output.moves, "moves.csv", moves::write_header)?,
        begin(plan.writes_jobs(), "jobs.csv", jobs::write_header)?,
    ];
    let mut sheets = [None, None, None];
    for (sheets, records) in sheets.iter_mut().zip(&recorded) {
        *sheets = records.as_ref().map(Records::sheets).transpose()?;
    }
    let frame = frame(plan, coalition);
    let mut flows = Flows::new(frame.names.len(), plan.counting.quantiles);
    let mut learned = Learned::new(frame.clone());
    let mut wakes = 0;
    each(
        plan.replications,
        threads,
        |number| replicate((plan, coalition), &frame, number, &sheets, progress),
        |replication: Replication| {
            flows.merge(&replication.flows);
            learned.add(replication.course);
            wakes += replication.balancings;
            for (records, part) in recorded.iter_mut().zip(replication.parts) {
                if let Some((records, part)) = records.as_mut().zip(part) {
                    records.append(part)?;
                }
            }
            Ok(())
        },
    )?;
    let played = frame.rounds * u64::from(frame.replications);
    let cost = Cost { jobs: flows.jobs(), wakes, rounds: Some(played) };
    Ok((Rounds { learned, flows }, cost, Recorded(recorded)))
}

/// Writes the files of a run.
pub(super) fn leave(
    plan: &Plan,
    coalition: &Coalition,
    found: &Rounds,
    timing: &Timing,
    recorded: Recorded,
    folder: &Path,
) -> Result<(), FileError> {
    let Rounds { learned, flows } = found;
    let mut leavings = Leavings::new(folder);
    for records in recorded.0 {
        leavings.records(records)?;
    }
    leavings.write("organizations.csv", &organizations::render(learned, flows))?;
    leavings.write("learning.csv", &learning::render(learned))?;
    leavings.write(
        "alternatives.csv",
        verdicts::alternatives(learned).render(Format::Csv, None).as_bytes(),
    )?;
    leavings.write("learning.svg", &picture::render(&plan.name, learned))?;
    if plan.counting.quantiles {
        leavings.write("histograms.hlog", &histograms::render(found))?;
    }
    leavings.write("summary.json", &json::render(plan, coalition, found))?;
    leavings.publish(timing, |digests| {
        Manifest::of_rounds(plan, coalition, learned.frame.rounds, digests)
    })
}

fn replicate(
    (plan, coalition): (&Plan, &Coalition),
    frame: &Frame,
    number: u32,
    sheets: &[Option<Sheets>; 3],
    progress: &Progress,
) -> Result<Replication, RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    let names = || frame.names.clone();
    let sheet = |which: usize| -> Result<Option<BufWriter<File>>, FileError> {
        let file = sheets[which].as_ref().map(|sheets| sheets.of(number)).transpose()?;
        Ok(file.map(|file| BufWriter::with_capacity(1 << 16, file)))
    };
    let wrong = |which: usize| {
        let path = sheets[which].as_ref().map_or(Path::new(""), Sheets::path);
        FileError::of(path)
    };
    let lines = sheet(ROUNDS)?.map(|out| RoundsCsv::new(out, names(), frame.window));
    let jobs = sheet(JOBS)?.map(|out| PoolJobsCsv::new(out, names(), number));
    let flows = Flows::new(frame.names.len(), plan.counting.quantiles);
    let mut play = Play { plan, coalition, frame, number, lines, progress };
    // Balancings are looked at only where somebody wants to hear of them.
    let (played, (flows, jobs), moves) = match sheet(MOVES)? {
        None => {
            let (played, observed) = play.watched_by((flows, jobs), |(flows, _)| flows)?;
            (played, observed, None)
        }
        Some(out) => {
            let moves = MovesCsv::new(out, names(), number);
            let (played, (observed, moves)) =
                play.watched_by(((flows, jobs), moves), |((flows, _), _)| flows)?;
            (played, observed, Some(moves))
        }
    };
    let (course, balancings) = played.map_err(|error| match error {
        Halt::Game(error) => RunError::Rounds(error),
        Halt::Rounds(error) => wrong(ROUNDS)(error).into(),
    })?;
    let rounds = play.lines.map(|lines| unbuffered(lines.into_inner())).transpose();
    let moves = moves.map(|moves| moves.finish().and_then(unbuffered)).transpose();
    let jobs = jobs.map(|jobs| jobs.finish().and_then(unbuffered)).transpose();
    let parts =
        [rounds.map_err(wrong(ROUNDS))?, moves.map_err(wrong(MOVES))?, jobs.map_err(wrong(JOBS))?];
    let everyone = flows.everyone();
    progress.board.ended(number, (everyone.sum(), everyone.count()));
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(rounds = frame.rounds, jobs = flows.jobs(), seconds, "replication ended");
    Ok(Replication { course, flows, balancings, parts })
}

fn unbuffered(out: BufWriter<File>) -> io::Result<File> {
    out.into_inner().map_err(|error| error.into_error())
}

/// The pool of one replication.
///
/// # Errors
/// When a source cannot be opened.
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

/// The table of one replication: its pool, and those who play.
///
/// # Errors
/// When a source cannot be opened.
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
/// When a source cannot be opened.
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

/// How a replication is between two rounds.
fn of_table<O: PoolObserver>(
    replication: u32,
    table: &Repeated<Game<O>, AnyLearner>,
    flows: fn(&O) -> &Flows,
) -> Pulse {
    let flows = flows(table.game().observer());
    let members = table.game().turns().filter(|turn| turn.present && turn.act.is_in()).count();
    Pulse {
        replication,
        time: table.game().now().as_units(),
        finished: flows.jobs(),
        flow: Estimate::of(flows.everyone()),
        rounds: Some(table.round()),
        members: Some(members as u64),
        ..Pulse::default()
    }
}

/// Why rounds stop before their end.
enum Halt {
    Game(Stopped<PoolError>),
    Rounds(io::Error),
}

/// What it takes to play a replication.
struct Play<'a> {
    plan: &'a Plan,
    coalition: &'a Coalition,
    frame: &'a Frame,
    number: u32,
    lines: Option<RoundsCsv<BufWriter<File>>>,
    progress: &'a Progress,
}

/// The rounds folded, and the balancings.
type Played = Result<(Course, u64), Halt>;

impl Play<'_> {
    /// Plays all rounds before an observer, which knows the flow times, and gives it back.
    fn watched_by<O: PoolObserver>(
        &mut self,
        observer: O,
        flows: fn(&O) -> &Flows,
    ) -> Result<(Played, O), RunError> {
        let mut table = seated(self.plan, self.coalition, self.number, observer)?
            .asking(self.frame.asking.asked.clone());
        for (player, menu) in self.frame.asking.menus.iter().enumerate() {
            if !menu.is_empty() {
                table.game_mut().offer(player, menu.clone());
            }
        }
        let mut everyone_in = self.everyone_in()?;
        let played = self.rounds(&mut table, everyone_in.as_mut(), flows);
        Ok((played, table.into_game().into_observer()))
    }

    /// A pool in which everyone takes part, where the plan asks for it.
    fn everyone_in(&self) -> Result<Option<EveryoneIn>, RunError> {
        if !self.plan.output.everyone_in {
            return Ok(None);
        }
        let Play { plan, coalition, number, .. } = *self;
        let from = match coalition.rounds {
            plan::Rounds::Independent => self.frame.late(),
            // What a round begins with depends on all before it.
            plan::Rounds::Continuing => 0,
        };
        let game = pool(plan, coalition, number, ())?;
        Ok(Some(EveryoneIn { game, from, acts: Vec::new(), outcome: Outcome::default() }))
    }

    fn rounds<O: PoolObserver>(
        &mut self,
        table: &mut Repeated<Game<O>, AnyLearner>,
        mut everyone_in: Option<&mut EveryoneIn>,
        flows: fn(&O) -> &Flows,
    ) -> Played {
        let mut answered = Answered::default();
        let Play { frame, number, progress, .. } = *self;
        let mut course = Course::new(frame);
        let streams = Streams::new(self.plan.seed).in_replication(u64::from(number));
        let mut stances: Vec<Stance> = table.stances().collect();
        let mut rows: Vec<RoundRow> = Vec::with_capacity(stances.len());
        for round in 0..frame.rounds {
            while table.advance(&mut ()).map_err(Halt::Game)? {}
            rows.clear();
            let turns = table.game().turns().zip(table.stances()).zip(&mut stances);
            rows.extend(turns.enumerate().map(|(organization, ((turn, next), stance))| {
                let stance = std::mem::replace(stance, next);
                RoundRow { replication: number, round, organization, turn: *turn, stance, next }
            }));
            if let Some(lines) = &mut self.lines {
                rows.iter().try_for_each(|row| lines.write(row)).map_err(Halt::Rounds)?;
            }
            course.round(&rows);
            if frame.asking.asked.in_round(round, streams) {
                course.asked(table.outcome());
            }
            if let Some(everyone_in) = everyone_in.as_mut().filter(|one| round >= one.from) {
                everyone_in.play(round, &rows).map_err(Halt::Game)?;
                if round >= frame.late() {
                    course.everyone_in(everyone_in.game.turns());
                }
            }
            progress.rounds.fetch_add(1, Ordering::Relaxed);
            progress.board.look(&mut answered, || of_table(number, table, flows));
        }
        Ok((course, table.game().balancings()))
    }
}

/// The same rounds with everyone in.
struct EveryoneIn {
    game: Game<()>,
    /// The first round that has to be played.
    from: u64,
    acts: Vec<Act>,
    outcome: Outcome,
}

impl EveryoneIn {
    /// Plays a round in which everyone who is there takes part, at the level that it declares.
    fn play(&mut self, round: u64, rows: &[RoundRow]) -> Result<(), Stopped<PoolError>> {
        self.acts.clear();
        for (player, row) in rows.iter().enumerate() {
            let level = row.stance.declared;
            self.acts.push(match self.game.actions(player, round) {
                Actions::Absent => Act::Out,
                _ => Act::In(Terms { level, above: None }),
            });
        }
        self.game.begin(round, &self.acts, &vec![Wanted::default(); rows.len()])?;
        while self.game.advance()? {}
        self.game.outcome(&mut self.outcome)
    }
}
