//! Plays the entries of a contest, seed by seed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entrant::{Seated, Unseated, paper, seated};
use super::field::{Field, fields};
use super::{Against, Balancing, Effort, Grid, Play, STARTS, Wanted};
use crate::StudyError;
use crate::sample::mean;
use crate::verdict::Measured;
use game::stage::StageGame;
use kernel::parallel;
use kernel::state_of_fields;
use kernel::time::Span;
use policy::learn::LearnerOptions;
use policy::learn::Player as _;
use run::coalition;
use sim::repeated::{Played, RoundObserver};
use stats::settling::{Band, Settling};
use stats::track::Track;

/// Progress of a contest.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    all: AtomicU64,
}

impl Progress {
    /// Number of runs completed, and in total.
    pub fn runs(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

/// Results of an entry.
#[derive(Clone, Debug)]
pub struct Found {
    /// Clusters of the field.
    pub grid: Grid,
    /// Load balancer.
    pub balancing: Balancing,
    /// Decision that was learned.
    pub play: Play,
    /// Name of the learner.
    pub learner: &'static str,
    /// Its information label.
    pub label: &'static str,
    /// Its opponents.
    pub against: Against,
    /// Initial probability of joining; `None` if levels are learned.
    pub start: Option<f64>,
    /// Final joining rate of the typical organizations that use the learner.
    pub joined: Measured,
    /// Their final score.
    pub score: Measured,
    /// Their score minus that of the same organizations on the same jobs under the paper's rule.
    pub gain: Measured,
    /// Final joining rate and score of the overloaded organization.
    pub overloaded: Option<[Measured; 2]>,
    /// Share of the learners that settled, over all seeds; `None` if there are too few rounds to
    /// tell.
    pub settled: Option<f64>,
    /// Mean convergence time of those that settled, in rounds.
    pub rounds: Option<f64>,
    /// Median final level of the learners, if levels are learned.
    pub level: Option<f64>,
}

/// An entry: a learner seated in a field.
struct Entry<'a> {
    field: &'a Field,
    options: &'a LearnerOptions,
    against: Against,
    start: Option<f64>,
    /// Learners with their choices, by organization.
    seats: Vec<Seated>,
    /// Typical organizations that use the learner.
    focus: std::ops::Range<usize>,
    /// Index of the entry in which everyone uses the paper's rule.
    base: usize,
    /// True if the entry was requested; otherwise it is only the baseline.
    shown: bool,
}

/// Final figures of an organization in a run.
#[derive(Clone, Debug, Default)]
struct Ending {
    joined: f64,
    score: f64,
    /// Median of the levels it declared when it joined.
    level: Option<f64>,
    settling: Option<Settling>,
}

/// Figures of all organizations over a run.
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

/// Median; the lower one of an even number of values.
fn median<T: Copy>(values: &mut [T], order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    values.sort_unstable_by(order);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

/// Plays an entry with one seed.
fn run(entry: &Entry<'_>, number: u32, effort: Effort) -> Result<Vec<Ending>, StudyError> {
    let failed = |error: &dyn std::fmt::Display| StudyError(error.to_string());
    let mut own = entry.field.coalition().clone();
    for (seat, (learner, choices)) in own.seats.iter_mut().zip(&entry.seats) {
        (seat.learner, seat.choices) = (learner.clone(), choices.clone());
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
    type Rounds = (u64, f64, Vec<Span>, Track);
    let ending = |((joined, sum, mut levels, track), is_searching): (Rounds, bool)| Ending {
        joined: joined as f64 / last,
        score: sum / last,
        level: median(&mut levels, Span::cmp).map(|level| level.as_units()),
        settling: Settling::of(&track, band, 1)
            .map(|settling| if is_searching { settling.searching() } else { settling }),
    };
    let searching = table.players().map(|player| player.is_searching());
    Ok(course.rounds.into_iter().zip(searching).map(ending).collect())
}

/// Adds the entries of a field; the baseline of each start precedes the entries compared with it.
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
        // A baseline without entries to compare is dropped.
        if !all[base..].iter().any(|entry| entry.shown) {
            all.truncate(base);
        }
    }
}

/// Plays the requested entries.
///
/// Returns the results by field, start, learner and opponents, and the learners that cannot play.
///
/// # Errors If a simulation cannot go on.
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
    let played = parallel::map(runs.len(), |at| {
        let (entry, number) = runs[at];
        let ending = run(entry, number, effort);
        progress.done.fetch_add(1, Ordering::Relaxed);
        ending
    });
    let played: Vec<Vec<Ending>> = played.into_iter().collect::<Result<_, _>>()?;
    let seeds: Vec<&[Vec<Ending>]> = played.chunks(effort.seeds as usize).collect();
    let shown = all.iter().zip(&seeds).filter(|(entry, _)| entry.shown);
    Ok((shown.map(|(entry, own)| found(entry, own, seeds[entry.base])).collect(), unseated))
}

/// Results of an entry, given its runs and those of the baseline by seed.
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
