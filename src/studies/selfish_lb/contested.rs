//! Better learners of the participation level: a selection of the contest.
//!
//! `gridpact study contest` plays all learners.

use crate::contest::{Against, Balancing, Effort, Found, Grid, Play, Progress, Wanted, contest};
use crate::played::Record;
use crate::row::Row;
use crate::verdict::{Figure, Verdict};
use crate::{Bench, StudyError};
use policy::learn::LearnerOptions;

/// The paper's rule, its best fixed level, the learner of its reference 31, and two later learners.
const LEARNERS: [(&str, &str); 5] = [
    ("level", "the paper's rule"),
    ("fixed", "all at level 5"),
    ("cross", "linear reward-inaction, of the paper's reference 31"),
    ("ucb", "upper confidence bounds"),
    ("unison", "unison"),
];

/// Compares learners of typical clusters' levels beside an overloaded cluster at level 1000.
pub(super) fn better_learners(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let known: Vec<&str> = LearnerOptions::defaults().iter().map(|one| one.name()).collect();
    debug_assert!(LEARNERS.iter().all(|(name, _)| known.contains(name)));
    let effort = match bench.effort.quick {
        true => Effort { rounds: 100, seeds: 2, seed: bench.effort.seed },
        false => Effort { rounds: Effort::ROUNDS, seeds: 5, seed: bench.effort.seed },
    };
    let wanted = Wanted {
        grids: vec![Grid::Heterogeneous],
        balancers: vec![Balancing::Bilb],
        plays: vec![Play::Levels],
        learners: LEARNERS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        against: vec![Against::Itself],
        ..Wanted::default()
    };
    let (found, _) = contest(&wanted, effort, &Progress::default())?;
    bench.add_samples(effort.rounds * u64::from(effort.seeds) * found.len() as u64);
    let Effort { rounds, seeds, seed } = effort;
    let command = format!(
        "gridpact study contest --grid heterogeneous --balancer bilb --play levels --against self \
         --rounds {rounds} --seeds {seeds} --seed {seed}"
    );
    bench.log(Record {
        seeds: (seed, seeds.into()),
        ..Record::drawn(&command, bench, rounds as u32)
    });
    let row = |(name, told): (&str, &str)| {
        let one: Option<&Found> = found.iter().find(|one| one.learner == name);
        let what = format!("typical score - typical score under the paper's rule, {told}");
        let row = Row::new("LB-T4-05", "6.3", what);
        let Some(one) = one else { return row.found(Figure::None, Figure::None, Verdict::Open) };
        let level = one.level.map_or("none".to_owned(), |level| level.to_string());
        let note = format!(
            "`{name}`, {} rounds, {} seeds: score {:.2} ± {:.2}, median level {level}",
            effort.rounds, effort.seeds, one.score.value, one.score.half_width
        );
        match name {
            "level" | "fixed" => row.shown(one.gain).note(note),
            _ => row.positive(one.gain).note(note),
        }
    };
    Ok(LEARNERS.into_iter().map(row).collect())
}
