//! Plays the entries, seed by seed.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::entrant::{Unseated, paper, seated};
use super::field::{Field, fields};
use super::{Against, Balancing, Effort, Grid, Play, STARTS, Wanted};
use crate::game::stage::StageGame;
use crate::kernel::time::Span;
use crate::policy::learn::LearnerOptions;
use crate::run::coalition;
use crate::sim::repeated::{Played, RoundObserver};
use crate::state_of_fields;
use crate::stats::settling::{Band, Settling};
use crate::stats::track::Track;
use crate::study::StudyError;
use crate::study::sample::mean;
use crate::study::verdict::Measured;

/// How far a contest is.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    all: AtomicU64,
}

impl Progress {
    /// Runs that are over, and all.
    pub fn runs(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

/// What came of an entry.
#[derive(Clone, Debug)]
pub struct Found {
    /// The grid.
    pub grid: Grid,
    /// How load is balanced.
    pub balancing: Balancing,
    /// What is learned.
    pub play: Play,
    /// The learner.
    pub learner: &'static str,
    /// Its information label.
    pub label: &'static str,
    /// Whom it meets.
    pub against: Against,
    /// The probability of taking part in the first round; none where levels are learned.
    pub start: Option<f64>,
    /// How often the typical organizations that follow it take part at last.
    pub joined: Measured,
    /// Their score at last.
    pub score: Measured,
    /// That less what the same organizations have on the same jobs if all follow the paper's rule.
    pub gain: Measured,
    /// How often the overloaded organization takes part at last, and its score.
    pub overloaded: Option<[Measured; 2]>,
    /// The share of those who follow it, over all seeds, that settled; none of too few rounds.
    pub settled: Option<f64>,
    /// The mean round in which those settled.
    pub rounds: Option<f64>,
    /// The median of the levels that they declare at last, where levels are learned.
    pub level: Option<f64>,
}

/// Somebody at a table.
struct Entry<'a> {
    field: &'a Field,
    options: &'a LearnerOptions,
    against: Against,
    start: Option<f64>,
    /// By organization.
    seats: Vec<LearnerOptions>,
    /// Those who follow the learner and are typical.
    focus: std::ops::Range<usize>,
    /// The number of the entry in which all follow the paper's rule.
    base: usize,
    /// It was asked for; otherwise it is played for comparison alone.
    shown: bool,
}

/// What a run was to an organization at last.
#[derive(Clone, Debug, Default)]
struct Ending {
    joined: f64,
    score: f64,
    /// The middle of the levels that it declared when it took part.
    level: Option<f64>,
    settling: Option<Settling>,
}

/// Everybody's course through a run.
struct Course {
    from: u64,
    play: Play,
    rounds: Vec<(u64, f64, Vec<Span>, Track)>,
}

state_of_fields!(Course {});

impl<G: StageGame> RoundObserver<G> for Course {
    fn played(&mut self, round: Played<'_, G>) {
        for (player, (joined, sum, levels, track)) in self.rounds.iter_mut().enumerate() {
            let (act, stance) = (round.outcome.acts[player], round.stances[player]);
            let level = act.terms().and_then(|terms| terms.level);
            let stands = match self.play {
                Play::Joins => stance.probability.unwrap_or(f64::from(u8::from(act.is_in()))),
                Play::Levels => {
                    let declared = || level.map_or(0.0, |level| level.as_units());
                    stance.level.unwrap_or_else(declared)
                }
            };
            track.add(stands);
            if round.round >= self.from {
                *joined += u64::from(act.is_in());
                *sum += round.outcome.payoffs[player];
                levels.extend(level.filter(|_| self.play == Play::Levels));
            }
        }
    }
}

/// The middle one; of an even number the lower.
fn median<T: Copy>(values: &mut [T], order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    values.sort_unstable_by(order);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

/// Plays an entry by a seed.
fn run(entry: &Entry<'_>, number: u32, effort: Effort) -> Result<Vec<Ending>, StudyError> {
    let failed = |error: &dyn std::fmt::Display| StudyError(error.to_string());
    let mut own = entry.field.coalition().clone();
    for (seat, learner) in own.seats.iter_mut().zip(&entry.seats) {
        seat.learner = learner.clone();
    }
    let mut table =
        coalition::seated(&entry.field.plan, &own, number, ()).map_err(|error| failed(&error))?;
    let from = effort.rounds - effort.rounds.div_ceil(4);
    let rounds = entry.seats.iter().map(|_| (0, 0.0, Vec::new(), Track::default())).collect();
    let mut course = Course { from, play: entry.field.play, rounds };
    table.play(effort.rounds, &mut course).map_err(|error| failed(&error))?;
    let last = (effort.rounds - from) as f64;
    let band = match entry.field.play {
        Play::Joins => Band::PROBABILITY,
        Play::Levels => Band::LEVEL,
    };
    let ending = |(joined, sum, mut levels, track): (u64, f64, Vec<Span>, Track)| Ending {
        joined: joined as f64 / last,
        score: sum / last,
        level: median(&mut levels, Span::cmp).map(|level| level.as_units()),
        settling: Settling::of(&track, band),
    };
    Ok(course.rounds.into_iter().map(ending).collect())
}

/// The entries of a field, that of the paper's rule for each start before those compared with it.
fn entries<'a>(
    field: &'a Field,
    learners: &'a [LearnerOptions],
    wanted: &Wanted,
    all: &mut Vec<Entry<'a>>,
    unseated: &mut Vec<Unseated>,
) {
    let starts: Vec<Option<f64>> = match field.play {
        Play::Levels => vec![None],
        Play::Joins if wanted.starts.is_empty() => STARTS.map(Some).to_vec(),
        Play::Joins => wanted.starts.iter().copied().map(Some).collect(),
    };
    let is_wanted = |against| wanted.against.is_empty() || wanted.against.contains(&against);
    let is_paper = |options: &LearnerOptions| options.name() == paper(field.play);
    let papers = learners.iter().find(|options| is_paper(options)).expect("it is registered");
    for start in starts {
        let seat = |options| seated(options, field, start.unwrap_or(0.5), wanted.payoffs);
        let by_paper = seat(papers).expect("the paper's rule can be played everywhere");
        let base = all.len();
        let others = learners.iter().filter(|options| !is_paper(options));
        for options in std::iter::once(papers).chain(others) {
            let named = wanted.learners.is_empty()
                || wanted.learners.iter().any(|name| name == options.name());
            let is_base = is_paper(options);
            if !named && !is_base {
                continue;
            }
            let own = match seat(options) {
                Ok(own) => own,
                Err(why) if unseated.contains(&why) => continue,
                Err(why) => {
                    unseated.push(why);
                    continue;
                }
            };
            let (first, players) = (field.typical(), field.players());
            for against in [Against::Itself, Against::Paper] {
                let shown = named && is_wanted(against);
                let is_twin = is_base && against == Against::Paper;
                if is_twin || !shown && !is_base {
                    continue;
                }
                let focus = match against {
                    Against::Itself => first..players,
                    Against::Paper => first..first + 1,
                };
                let seat = |one: usize| {
                    let is_own = focus.contains(&one) || against == Against::Itself;
                    let [typical, overloaded] = if is_own { &own } else { &by_paper };
                    if one < first { overloaded.clone() } else { typical.clone() }
                };
                let seats = (0..players).map(seat).collect();
                all.push(Entry { field, options, against, start, seats, focus, base, shown });
            }
        }
        // Nobody is to be compared.
        if !all[base..].iter().any(|entry| entry.shown) {
            all.truncate(base);
        }
    }
}

/// Plays what is wanted. By field, start, learner and opponent; and those who take no part.
///
/// # Errors
/// When a world cannot go on.
pub fn contest(
    wanted: &Wanted,
    effort: Effort,
    progress: &Progress,
) -> Result<(Vec<Found>, Vec<Unseated>), StudyError> {
    let fields = fields(wanted, effort)?;
    let own = |options: LearnerOptions| {
        let changed = wanted.changed.iter().find(|one| one.name() == options.name());
        changed.cloned().unwrap_or(options)
    };
    let learners: Vec<LearnerOptions> = LearnerOptions::defaults().into_iter().map(own).collect();
    let (mut all, mut unseated) = (Vec::new(), Vec::new());
    for field in &fields {
        entries(field, &learners, wanted, &mut all, &mut unseated);
    }
    let runs: Vec<(&Entry<'_>, u32)> =
        all.iter().flat_map(|entry| (0..effort.seeds).map(move |seed| (entry, seed))).collect();
    progress.all.store(runs.len() as u64, Ordering::Relaxed);
    let played: Vec<Result<Vec<Ending>, StudyError>> = runs
        .into_par_iter()
        .map(|(entry, number)| {
            let ending = run(entry, number, effort);
            progress.done.fetch_add(1, Ordering::Relaxed);
            ending
        })
        .collect();
    let played: Vec<Vec<Ending>> = played.into_iter().collect::<Result<_, _>>()?;
    let seeds: Vec<&[Vec<Ending>]> = played.chunks(effort.seeds as usize).collect();
    let shown = all.iter().zip(&seeds).filter(|(entry, _)| entry.shown);
    Ok((shown.map(|(entry, own)| found(entry, own, seeds[entry.base])).collect(), unseated))
}

/// What came of an entry, and of that in which all follow the paper's rule, by seed.
fn found(entry: &Entry<'_>, own: &[Vec<Ending>], base: &[Vec<Ending>]) -> Found {
    let focus = entry.focus.clone();
    let of = |run: &[Ending], figure: fn(&Ending) -> f64| {
        run[focus.clone()].iter().map(figure).sum::<f64>() / focus.len() as f64
    };
    let score = |ending: &Ending| ending.score;
    let overloaded = entry.field.overloaded().map(|one| {
        let figures: [fn(&Ending) -> f64; 2] = [|ending| ending.joined, |ending| ending.score];
        figures.map(|figure| mean(own.iter().map(|run| figure(&run[one]))))
    });
    let settling: Option<Vec<Settling>> =
        own.iter().flat_map(|run| &run[focus.clone()]).map(|ending| ending.settling).collect();
    let settled: Option<Vec<f64>> = settling
        .as_ref()
        .map(|all| all.iter().filter_map(|one| one.settled).map(|round| round as f64).collect());
    let of_all = |all: &Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
    let levels = own.iter().flat_map(|run| &run[focus.clone()]).filter_map(|one| one.level);
    let mut levels: Vec<f64> = levels.collect();
    Found {
        grid: entry.field.grid,
        balancing: entry.field.balancing,
        play: entry.field.play,
        learner: entry.options.name(),
        label: entry.options.label(),
        against: entry.against,
        start: entry.start,
        joined: mean(own.iter().map(|run| of(run, |ending| ending.joined))),
        score: mean(own.iter().map(|run| of(run, score))),
        gain: mean(own.iter().zip(base).map(|(own, base)| of(own, score) - of(base, score))),
        overloaded,
        settled: settled
            .as_ref()
            .zip(settling.as_ref())
            .map(|(settled, all)| settled.len() as f64 / all.len() as f64),
        rounds: settled.as_ref().filter(|all| !all.is_empty()).map(of_all),
        level: median(&mut levels, f64::total_cmp),
    }
}
