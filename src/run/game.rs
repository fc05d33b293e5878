//! Runs a game: learners play it repeatedly.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::Serialize;

use super::folder::Claim;
use super::records::{Desk, Leavings, Sheets};
use super::sheet::Sheet;
use super::{Progress, RunError, each, peak_memory, rounded};
use crate::game::table::Table;
use crate::kernel::rng::Streams;
use crate::policy::learn::{AnyLearner, Player as _};
use crate::report::enough::Goal;
use crate::report::files::FileError;
use crate::report::game::manifest::GameManifest;
use crate::report::game::rounds::{self, RoundsCsv};
use crate::report::game::{
    Course, Frame, Played, Round, actions, json, picture, players, profiles,
};
use crate::report::packed::Form;
use crate::scenario::plan::GamePlan;
use crate::sim::repeated::{Asked, Repeated};

/// Cost of a game's run; only this may differ between two runs of the same plan.
#[derive(Clone, Debug, Serialize)]
pub struct GameTiming {
    /// Seconds to read the game.
    pub read_seconds: f64,
    /// Seconds to play, writing `rounds.csv` included.
    pub run_seconds: f64,
    /// Rounds of all replications.
    pub rounds: u64,
    /// Rounds a second while playing.
    pub rounds_per_second: f64,
    /// Peak memory of the process in bytes, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// Threads that ran replications.
    pub threads: usize,
}

impl GameTiming {
    /// Cost of the given number of rounds, played since `begun`.
    pub(super) fn new(rounds: u64, read_seconds: f64, begun: Instant, threads: usize) -> Self {
        let run_seconds = begun.elapsed().as_secs_f64();
        GameTiming {
            read_seconds,
            run_seconds,
            rounds,
            rounds_per_second: rounds as f64 / run_seconds.max(1e-9),
            peak_memory_bytes: peak_memory(),
            threads,
        }
    }
}

/// Rounds between two progress updates.
const TOLD: u64 = 1024;

/// Plays a game. With a folder, its files are written there, the manifest last.
///
/// The folder must exist and be this run's own; see [`prepare`](super::folder::prepare).
///
/// # Errors
/// See [`RunError`]; no file is left half-written.
pub fn run(
    plan: &GamePlan,
    folder: Option<&Path>,
    threads: usize,
    read_seconds: f64,
    progress: &Progress,
) -> Result<(Played, GameTiming), RunError> {
    let span = tracing::info_span!("game", name = plan.name, seed = plan.seed);
    let _entered = span.enter();
    let begun = Instant::now();
    let threads = threads.clamp(1, plan.replications as usize);
    let frame = Frame::new(plan);
    let claim = folder.map(Claim::of).transpose()?;
    let kinds = vec![plan.writes_rounds.then_some(("rounds.csv", rounds::write_header as _))];
    let desk = claim.as_ref().map(|claim| Desk::new(claim, Form::default(), kinds));
    let mut gathered = desk.as_ref().map(Desk::gather).unwrap_or_default();
    let mut played = Played::new(frame.clone());
    each(
        &mut Goal::fixed(plan.replications),
        threads,
        |number| replicate(plan, &frame, number, desk.as_ref(), progress),
        |(course, sheets), _| {
            played.add(&course);
            Ok(gathered.add(sheets)?)
        },
    )?;
    let rounds = plan.rounds * u64::from(plan.replications);
    let timing = GameTiming::new(rounds, read_seconds, begun, threads);
    tracing::info!(rounds, seconds = rounded(timing.run_seconds), threads, "game ended");
    if let Some(claim) = &claim {
        let mut leavings = Leavings::new(claim);
        leavings.records(gathered)?;
        leavings.write("players.csv", &players::render(plan, &played))?;
        leavings.write("actions.csv", &actions::render(&played))?;
        leavings.write("profiles.csv", &profiles::render(plan, &played))?;
        leavings.write("learning.svg", &picture::render(&plan.title(), &played))?;
        leavings.write("summary.json", &json::render(plan, &played))?;
        leavings.publish(&timing, |digests| GameManifest::new(plan, digests))?;
        claim.forget()?;
    }
    Ok((played, timing))
}

/// Course of a replication and the sheets with its rounds.
type Replication = (Course, Sheets);

fn replicate(
    plan: &GamePlan,
    frame: &Frame,
    number: u32,
    desk: Option<&Desk>,
    progress: &Progress,
) -> Result<Replication, RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    let begun = Instant::now();
    let sheets = desk.map(|desk| desk.begin(number)).transpose()?.unwrap_or_default();
    let sheet: Option<Sheet> = sheets.into_iter().next().flatten();
    let mut lines = sheet.map(|out| RoundsCsv::new(out, frame));
    let wrong = |error| FileError::of(desk.map_or(Path::new(""), Desk::folder))(error);
    let mut table = seated(plan, number);
    let mut course = Course::new(frame);
    let mut laws: Vec<Vec<f64>> = first_laws(plan);
    let mut profile: Vec<u32> = Vec::with_capacity(frame.names.len());
    for round in 0..plan.rounds {
        while table.advance(&mut ()).unwrap_or_else(|never| match never {}) {}
        let outcome = table.outcome();
        profile.clear();
        profile.extend(outcome.acts.iter().map(|act| act.entry()));
        let row = Round {
            replication: number,
            round,
            profile: &profile,
            payoffs: &outcome.payoffs,
            laws: &laws,
            instead: &outcome.instead,
        };
        course.round(&row, &plan.payoffs);
        if let Some(lines) = &mut lines {
            lines.write(&row).map_err(wrong)?;
        }
        for (law, player) in laws.iter_mut().zip(table.players()) {
            stands(player, law);
        }
        if round % TOLD == TOLD - 1 {
            progress.rounds.fetch_add(TOLD, Ordering::Relaxed);
        }
    }
    progress.rounds.fetch_add(plan.rounds % TOLD, Ordering::Relaxed);
    let searching = table.players().map(|player| player.is_searching());
    course.end(&laws, searching, &plan.payoffs);
    let sheets = vec![lines.map(RoundsCsv::into_inner)];
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(rounds = plan.rounds, seconds, "replication ended");
    Ok((course, sheets))
}

/// The repeated game of a replication, with its players.
fn seated(plan: &GamePlan, number: u32) -> Repeated<Table, AnyLearner> {
    let players = plan.players.iter().map(|seat| {
        let mut player = seat.learner.build();
        player.read(plan.range());
        (seat.name.clone(), player)
    });
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    let table = Table::of((*plan.payoffs).clone());
    let table = match plan.noise {
        Some(noise) => table.with_noise(noise, streams),
        None => table,
    };
    let table = Repeated::new(table, players, streams);
    if plan.writes_rounds { table.asking(Asked::always(plan.players.len())) } else { table }
}

/// Initial mixed strategies.
fn first_laws(plan: &GamePlan) -> Vec<Vec<f64>> {
    let first = plan.players.iter().map(|seat| {
        let player = seat.learner.build();
        let count = seat.actions.len();
        match player.choices() {
            Some(common) => common.first_law(count),
            None => {
                let mut law = vec![0.0; count];
                stands(&player, &mut law);
                law
            }
        }
    });
    first.collect()
}

/// Writes a player's mixed strategy to `law`, or clears it if unknown. `law` has one entry for each
/// action, or none.
fn stands(player: &AnyLearner, law: &mut Vec<f64>) {
    let known = player.law();
    if !known.is_empty() {
        law.clear();
        law.extend_from_slice(known);
    } else if player.choices().is_some() {
        law.clear();
    } else if let (Some(probability), count @ 2..) = (player.stance().probability, law.len()) {
        // A participation probability is the probability of the second action.
        law.fill(0.0);
        law[0] = 1.0 - probability;
        law[1.min(count - 1)] = probability;
    }
}
