//! A repeated game as a world that can be run: learners play it round by round.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::error::RunError;
use super::pulse::Pulse;
use super::record_files::record_files;
use super::sheet::{OpenRecords, Sheet};
use super::world::{Kind, NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use ::game::stage::{Actions, Presence};
use ::game::table::Table;
use findings::game::course::Course;
use findings::game::frame::{Frame, Round};
use findings::game::played::Played;
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use policy::learn::{AnyLearner, Player as _};
use records::game::rounds::{self, RoundsCsv};
use report::game::{self, PlayedReport};
use report::world::Report;
use scenario::plan::{GamePlan, Until};
use sim::repeated::{Asked, Repeated};

/// The game of a plan, and the learners who play it.
#[derive(Debug)]
pub struct GameWorld<'a> {
    plan: GamePlan<'a>,
    frame: Frame,
}

impl<'a> GameWorld<'a> {
    /// The game of a plan.
    pub fn new(plan: GamePlan<'a>) -> GameWorld<'a> {
        GameWorld { plan, frame: game::frame(plan) }
    }
}

record_files! {
    /// The record file of a game.
    Files<'a> of plan: GamePlan<'_>, begun with frame: &'a Frame, on sheet;
    rounds.lines: RoundsCsv<'a, Sheet> = "rounds.csv", rounds::write_header, if plan.output.rounds
        => RoundsCsv::new(sheet, frame);
}

/// Head of a saved state: where the run was to end, and how far it came.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameHead {
    until: Until,
    round: u64,
    batches: bool,
}

impl Runnable for GameWorld<'_> {
    type Replica<'a>
        = GameReplica<'a>
    where
        Self: 'a;
    type Head = GameHead;
    type Outcome = Course;
    type Findings = Played;

    fn records(&self) -> Vec<Option<Kind>> {
        Files::kinds(self.plan)
    }

    fn begin<'a>(
        &'a self,
        NewReplication { number, sheets, .. }: NewReplication<'_>,
        head: Option<&GameHead>,
    ) -> Result<GameReplica<'a>, RunError> {
        let course = Course::new(&self.frame);
        let has_batches = head.is_some_and(|head| head.batches);
        Ok(GameReplica {
            of: self,
            number,
            table: seated(self.plan, number),
            course: if has_batches { course.with_batches() } else { course },
            laws: first_laws(self.plan),
            profile: Vec::with_capacity(self.frame.names.len()),
            files: Files::begin(&self.frame, sheets),
        })
    }

    fn passes(&self, head: &GameHead, _: u32, _: &RunContext<'_>) -> Result<bool, RunError> {
        // What was added up over the last quarter can be dropped, but not made up for.
        let can_go_on = head.until == self.plan.until || head.round <= self.frame.late();
        Ok(can_go_on && (self.frame.replications > 1 || head.batches))
    }

    fn findings(&self) -> Played {
        Played::new(self.frame.clone())
    }

    fn add(&self, played: &mut Played, course: Course) {
        played.add(&course);
    }

    fn name(&self) -> &'static str {
        "game"
    }

    fn report<'a>(&'a self, played: &'a Played) -> Box<dyn Report + 'a> {
        Box::new(PlayedReport { plan: self.plan, played })
    }
}

/// A running replication.
#[derive(Debug)]
pub struct GameReplica<'a> {
    of: &'a GameWorld<'a>,
    number: u32,
    table: Repeated<Table, AnyLearner>,
    course: Course,
    /// Mixed strategies of the players before the round; empty if not known.
    laws: Vec<Vec<f64>>,
    profile: Vec<u32>,
    files: Files<'a>,
}

impl State for GameReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        self.table.save(out);
        self.course.save(out);
        put(&self.laws, out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.table.load(from)?;
        self.course.load(from)?;
        let laws: Vec<Vec<f64>> = take(from)?;
        if laws.len() != self.laws.len() {
            return Err(Corrupt::Content("rounds of other players".to_owned()));
        }
        self.laws = laws;
        Ok(())
    }
}

impl GameReplica<'_> {
    /// Plays a round.
    fn round(&mut self) {
        let GameReplica { of, number, table, course, laws, profile, files } = self;
        let round = table.round();
        while table.advance(&mut ()).unwrap_or_else(|never| match never {}) {}
        let outcome = table.outcome();
        profile.clear();
        profile.extend(outcome.acts.iter().map(|act| act.entry()));
        let row = Round {
            replication: *number,
            round,
            profile,
            payoffs: &outcome.payoffs,
            laws,
            instead: &outcome.instead,
        };
        course.round(&row, &of.plan.game.payoffs);
        if let Some(lines) = &mut files.rounds {
            lines.write(&row);
        }
        for (number, (law, player)) in laws.iter_mut().zip(table.players()).enumerate() {
            let first = of.plan.game.players[number].first;
            match (round + 1).cmp(&first) {
                Ordering::Less => {}
                Ordering::Equal => *law = first_law(of.plan, number),
                Ordering::Greater => stands(player, menu(of.plan, number), law),
            }
        }
    }
}

impl Replica for GameReplica<'_> {
    type Head = GameHead;
    type Outcome = Course;

    fn finish(self) -> Result<(Course, Sheets), RunError> {
        let GameReplica { of, table, mut course, laws, files, .. } = self;
        if of.frame.replications > 1 {
            course.forget_batches();
        }
        let searching = table.players().map(|player| player.is_searching());
        course.end(&laws, searching, &of.plan.game.payoffs);
        Ok((course, files.finish()?))
    }

    fn head(&self) -> GameHead {
        let (until, round) = (self.of.plan.until, self.table.round());
        GameHead { until, round, batches: self.course.is_batched() }
    }

    fn rank(head: &GameHead) -> u64 {
        head.round
    }

    fn advance(&mut self, rounds: u64) -> Result<bool, RunError> {
        // A longer run is gone on with from the landmark, so a step ends there.
        let (now, late) = (self.table.round(), self.of.frame.late());
        let end = if now < late { late } else { self.of.frame.rounds };
        for _ in 0..rounds.min(end - now) {
            self.round();
        }
        Ok(self.table.round() < self.of.frame.rounds)
    }

    fn seen(&self) -> Seen {
        Seen { rounds: self.table.round(), ..Seen::default() }
    }

    fn resumed(&mut self, head: &GameHead) {
        if head.until != self.of.plan.until {
            self.course.forget_late();
        }
    }

    fn records(&mut self) -> Vec<Option<&mut dyn OpenRecords>> {
        Files::opened(&mut self.files.rounds)
    }

    fn is_landmark(&self) -> bool {
        self.table.round() == self.of.frame.late()
    }

    fn pulse(&self) -> Pulse {
        Pulse { rounds: Some(self.table.round()), ..Pulse::default() }
    }
}

/// The repeated game of a replication, with its players.
fn seated(plan: GamePlan<'_>, number: u32) -> Repeated<Table, AnyLearner> {
    let cooperate = &plan.game.cooperate;
    let players = plan.game.players.iter().enumerate().map(|(number, seat)| {
        let mut player = seat.player();
        player.read(plan.game.range(), cooperate[number]);
        (seat.name.clone(), player)
    });
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    let mut table = Table::of((*plan.game.payoffs).clone()).with_cooperation(cooperate);
    for (number, seat) in plan.game.players.iter().enumerate() {
        table = table.with_presence(number, Presence { first: seat.first, last: None });
    }
    let table = match plan.game.noise {
        Some(noise) => table.with_noise(noise, streams),
        None => table,
    };
    let table = Repeated::new(table, players, streams);
    if plan.output.rounds { table.asking(Asked::always(plan.game.players.len())) } else { table }
}

/// Initial mixed strategies.
fn first_laws(plan: GamePlan<'_>) -> Vec<Vec<f64>> {
    let seats = plan.game.players.iter().enumerate();
    let law = seats.map(|(number, seat)| match seat.first {
        0 => first_law(plan, number),
        _ => menu(plan, number).law(0.0),
    });
    law.collect()
}

/// Mixed strategy of a player in the first round in which it is there.
fn first_law(plan: GamePlan<'_>, number: usize) -> Vec<f64> {
    let seat = &plan.game.players[number];
    let (player, count) = (seat.player(), seat.actions.len());
    match player.choices() {
        Some(common) => common.first_law(count),
        None => {
            let mut law = vec![0.0; count];
            stands(&player, menu(plan, number), &mut law);
            law
        }
    }
}

/// The actions of a player.
fn menu(plan: GamePlan<'_>, player: usize) -> Actions {
    let count = plan.game.players[player].actions.len() as u32;
    let cooperate = plan.game.cooperate[player];
    cooperate.map_or(Actions::menu(count), |cooperate| Actions::Menu { count, cooperate })
}

/// Writes a player's mixed strategy to `law`, or clears it if unknown. `law` has one entry for each
/// action, or none.
fn stands(player: &AnyLearner, menu: Actions, law: &mut Vec<f64>) {
    let known = player.law();
    if !known.is_empty() {
        law.clear();
        law.extend_from_slice(known);
    } else if player.choices().is_some() {
        law.clear();
    } else if let (Some(probability), 2..) = (player.stance().probability, law.len()) {
        *law = menu.law(probability);
    }
}
