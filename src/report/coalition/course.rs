//! The rounds of one replication, folded.

use serde::{Deserialize, Serialize};

use super::absorbed::Since;
use super::curves::Trail;
use super::instead::Gains;
use super::social::SocialSum;
use super::timeline::Timeline;
use super::{Frame, RoundRow};
use crate::game::stage::{Act, Outcome};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::sum_as_units;
use crate::policy::learn::Stance;
use crate::sim::pool::turn::Turn;
use crate::stats::batches::Batches;
use crate::stats::settling::{Band, Settling};
use crate::stats::track::Track;

/// A sum of values, and how many there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) sum: f64,
    pub(super) count: u64,
}

impl Sum {
    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    pub(super) fn merge(&mut self, other: Sum) {
        self.sum += other.sum;
        self.count += other.count;
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// An organization over a stretch of the rounds in which it was there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Those rounds.
    pub rounds: u64,
    /// In how many of them it took part.
    pub joined: u64,
    /// Its jobs that count.
    pub jobs: u64,
    /// Their flow time, in ticks.
    pub flow: i128,
    /// What it would have been alone.
    pub alone: i128,
    /// Work that it sent.
    pub sent: i128,
    /// Work that it received.
    pub received: i128,
    /// Work that its own jobs brought.
    pub brought: i128,
    score: f64,
    probability: Sum,
    level: Sum,
}

impl Stretch {
    fn add(&mut self, turn: &Turn, stance: &Stance) {
        self.rounds += 1;
        self.joined += u64::from(turn.act.is_in());
        self.jobs += turn.jobs;
        self.flow += turn.flow;
        self.alone += turn.alone;
        self.sent += turn.sent;
        self.received += turn.received;
        self.brought += turn.brought;
        self.score += turn.score();
        stance.probability.into_iter().for_each(|value| self.probability.add(value));
        stance.level.into_iter().for_each(|value| self.level.add(value));
    }

    /// Adds another stretch.
    pub fn merge(&mut self, other: &Stretch) {
        self.rounds += other.rounds;
        self.joined += other.joined;
        self.jobs += other.jobs;
        self.flow += other.flow;
        self.alone += other.alone;
        self.sent += other.sent;
        self.received += other.received;
        self.brought += other.brought;
        self.score += other.score;
        for (all, one) in
            [(&mut self.probability, other.probability), (&mut self.level, other.level)]
        {
            all.merge(one);
        }
    }

    /// A mean over the rounds.
    fn per_round(&self, sum: f64) -> Option<f64> {
        (self.rounds > 0).then(|| sum / self.rounds as f64)
    }

    /// The share of the rounds in which it took part.
    pub fn share_joined(&self) -> Option<f64> {
        self.per_round(self.joined as f64)
    }

    /// The mean of the rounds' scores.
    pub fn score(&self) -> Option<f64> {
        self.per_round(self.score)
    }

    /// The mean probability of taking part.
    pub fn probability(&self) -> Option<f64> {
        self.probability.mean()
    }

    /// The mean participation level, in units.
    pub fn level(&self) -> Option<f64> {
        self.level.mean()
    }

    /// The mean work sent in a round, in units.
    pub fn sent_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.sent))
    }

    /// The mean work received in a round, in units.
    pub fn received_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.received))
    }

    /// The mean flow time of a job, in units.
    pub fn mean_flow(&self) -> Option<f64> {
        (self.jobs > 0).then(|| sum_as_units(self.flow) / self.jobs as f64)
    }

    /// What the mean flow time of a job would have been alone, in units.
    pub fn mean_alone(&self) -> Option<f64> {
        (self.jobs > 0).then(|| sum_as_units(self.alone) / self.jobs as f64)
    }
}

/// Running sums over rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Running {
    pub(super) rounds: u64,
    pub(super) score: f64,
    pub(super) jobs: u64,
    pub(super) flow: i128,
    pub(super) alone: i128,
}

impl Running {
    /// Adds a round of some organizations: their mean score, and their jobs. False where none of
    /// them was there.
    fn add(&mut self, rows: &[RoundRow]) -> bool {
        let mut score = Sum::default();
        for turn in rows.iter().map(|row| &row.turn).filter(|turn| turn.present) {
            score.add(turn.score());
            self.jobs += turn.jobs;
            self.flow += turn.flow;
            self.alone += turn.alone;
        }
        let Some(mean) = score.mean() else { return false };
        self.rounds += 1;
        self.score += mean;
        true
    }
}

/// The running sums of a single replication, in batches of rounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Batched {
    pub(super) all: Running,
    pub(super) batches: Batches<Running>,
}

/// What happened in one replication.
#[derive(Clone, Debug)]
pub struct Course {
    /// By organization, over all rounds.
    pub(super) all: Vec<Stretch>,
    /// By organization, over the last quarter.
    pub(super) late: Vec<Stretch>,
    /// By organization, where it stood.
    pub(super) trails: Vec<Trail>,
    /// All of them, round by round.
    pub(super) timeline: Timeline,
    /// By organization, its probability and its level round by round.
    pub(super) tracks: Vec<[Track; 2]>,
    /// By unit, over all rounds and over the last quarter; kept only where it is the only
    /// replication.
    pub(super) batched: Option<Vec<[Batched; 2]>>,
    /// Over the last quarter.
    pub(super) social: SocialSum,
    /// By organization, since when it does the same.
    pub(super) since: Vec<Since>,
    /// By organization, what else it could have done.
    pub(super) gains: Vec<Gains>,
    menus: Vec<Vec<Act>>,
    first_late: u64,
    units: Vec<std::ops::Range<usize>>,
}

impl Course {
    /// The rounds of one replication, none yet.
    pub fn new(frame: &Frame) -> Course {
        let count = frame.names.len();
        let units = super::learned::units(frame);
        let batched = (frame.replications == 1)
            .then(|| units.iter().map(|_| <[Batched; 2]>::default()).collect());
        Course {
            all: vec![Stretch::default(); count],
            late: vec![Stretch::default(); count],
            trails: vec![Trail::default(); count],
            timeline: Timeline::default(),
            tracks: vec![<[Track; 2]>::default(); count],
            batched,
            social: SocialSum::default(),
            since: vec![Since::default(); count],
            gains: frame.asking.menus.iter().map(|menu| Gains::new(menu)).collect(),
            menus: frame.asking.menus.clone(),
            first_late: frame.late(),
            units,
        }
    }

    /// Keeps batches, though the run is one of several: what was saved of it did.
    #[must_use]
    pub fn with_batches(mut self) -> Course {
        self.batched.get_or_insert(self.units.iter().map(|_| <[Batched; 2]>::default()).collect());
        self
    }

    /// Forgets the batches: the run turned out to be one of several.
    pub fn forget_batches(&mut self) {
        self.batched = None;
    }

    /// True where batches are kept.
    pub fn is_batched(&self) -> bool {
        self.batched.is_some()
    }

    /// Forgets the last quarter of the rounds, which is to begin later.
    pub fn forget_late(&mut self) {
        self.late.fill(Stretch::default());
        self.social = SocialSum::default();
        self.gains = self.menus.iter().map(|menu| Gains::new(menu)).collect();
        for [_, late] in self.batched.iter_mut().flatten() {
            *late = Batched::default();
        }
    }

    /// Adds a round: a row for each organization, in their order.
    pub fn round(&mut self, rows: &[RoundRow]) {
        let Some(round) = rows.first().map(|row| row.round) else { return };
        let is_late = round >= self.first_late;
        self.timeline.add(round, rows);
        self.trails.iter_mut().for_each(|trail| trail.reach(round));
        for row in rows.iter().filter(|row| row.turn.present) {
            let index = row.organization;
            self.all[index].add(&row.turn, &row.stance);
            let joined = row.turn.act.is_in();
            self.since[index].add(round, row.turn.act);
            self.trails[index].add(&row.stance, joined);
            let stood = [row.stance.probability, row.stance.level];
            for (track, value) in self.tracks[index].iter_mut().zip(stood) {
                value.into_iter().for_each(|value| track.add(value));
            }
            if is_late {
                self.late[index].add(&row.turn, &row.stance);
                self.social.add(&row.turn);
            }
        }
        for (unit, batched) in self.units.iter().zip(self.batched.iter_mut().flatten()) {
            for Batched { all, batches } in &mut batched[..1 + usize::from(is_late)] {
                if all.add(&rows[unit.clone()]) && batches.count() {
                    batches.mark(*all);
                }
            }
        }
    }

    /// How each organization's level ended, or its probability where its level does not move;
    /// `None` where neither does, or there are too few rounds to tell.
    pub(super) fn settling(&self) -> Vec<Option<Settling>> {
        let moves = |track: &Track| track.points().windows(2).any(|pair| pair[0] != pair[1]);
        let of = |[probability, level]: &[Track; 2]| match (moves(level), moves(probability)) {
            (true, _) => Settling::of(level, Band::LEVEL),
            (false, true) => Settling::of(probability, Band::PROBABILITY),
            (false, false) => None,
        };
        self.tracks.iter().map(of).collect()
    }

    /// Adds a round in which organizations were asked what else they could have done.
    pub fn asked(&mut self, outcome: &Outcome) {
        for (index, (gains, menu)) in self.gains.iter_mut().zip(&self.menus).enumerate() {
            gains.add(menu, outcome, index);
        }
    }

    /// Adds what a round of the last quarter would have been with everyone in.
    pub fn everyone_in<'a>(&mut self, turns: impl IntoIterator<Item = &'a Turn>) {
        turns
            .into_iter()
            .filter(|turn| turn.present)
            .for_each(|turn| self.social.add_everyone_in(turn));
    }
}

/// How long the run is to be is not in it, nor where its last quarter begins.
impl State for Course {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.all, &self.late, &self.trails, &self.tracks, &self.timeline), out);
        put(&(&self.batched, self.social, &self.since, &self.gains), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let before = (self.all.len(), self.batched.as_ref().map(Vec::len), self.gains.len());
        (self.all, self.late, self.trails, self.tracks, self.timeline) = take(from)?;
        (self.batched, self.social, self.since, self.gains) = take(from)?;
        let count = self.all.len();
        let lengths = [self.late.len(), self.trails.len(), self.tracks.len(), self.since.len()];
        let after = (count, self.batched.as_ref().map(Vec::len), self.gains.len());
        if before != after || lengths != [count; 4] {
            return Err(Corrupt::Content("rounds of other organizations".to_owned()));
        }
        Ok(())
    }
}
