//! Accumulates the rounds of one replication.

use serde::{Deserialize, Serialize};

use super::absorbed::Since;
use super::curves::Trail;
use super::instead::Gains;
use super::social::SocialSum;
use super::timeline::Timeline;
use super::{Frame, RoundRow};
use crate::game::stage::{Act, Outcome, Terms};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, sum_as_units};
use crate::policy::learn::Stance;
use crate::sim::pool::turn::Turn;
use crate::stats::batches::Batches;
use crate::stats::repeats::Repeats;
use crate::stats::settling::{Band, Settling};
use crate::stats::track::Track;

/// A sum of values and their number.
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

/// Totals of one organization over the rounds of a stretch in which it was present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Number of rounds in which it was present.
    pub rounds: u64,
    /// Number of these rounds in which it joined the coalition.
    pub joined: u64,
    /// Number of its jobs that count.
    pub jobs: u64,
    /// Total flow time of these jobs, in ticks.
    pub flow: i128,
    /// Total flow time they would have had if the organization had stayed alone, in ticks.
    pub alone: i128,
    /// Work sent, in ticks.
    pub sent: i128,
    /// Work received, in ticks.
    pub received: i128,
    /// Work brought by its own jobs, in ticks.
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

    /// Adds the totals of another stretch.
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

    /// Divides a sum by the number of rounds.
    fn per_round(&self, sum: f64) -> Option<f64> {
        (self.rounds > 0).then(|| sum / self.rounds as f64)
    }

    /// Share of the rounds in which it joined.
    pub fn share_joined(&self) -> Option<f64> {
        self.per_round(self.joined as f64)
    }

    /// Mean score of a round.
    pub fn score(&self) -> Option<f64> {
        self.per_round(self.score)
    }

    /// Mean probability of joining.
    pub fn probability(&self) -> Option<f64> {
        self.probability.mean()
    }

    /// Mean participation level, in units.
    pub fn level(&self) -> Option<f64> {
        self.level.mean()
    }

    /// Mean work sent in a round, in units.
    pub fn sent_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.sent))
    }

    /// Mean work received in a round, in units.
    pub fn received_per_round(&self) -> Option<f64> {
        self.per_round(sum_as_units(self.received))
    }

    /// Mean flow time of a job, in units.
    pub fn mean_flow(&self) -> Option<f64> {
        (self.jobs > 0).then(|| sum_as_units(self.flow) / self.jobs as f64)
    }

    /// Counterfactual mean flow time of a job had the organization stayed alone, in units.
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
    /// Adds a round of a group of organizations: their mean score and their jobs.
    ///
    /// Returns false if none of them was present.
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

/// Running sums of a run with a single replication, in batches of rounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Batched {
    pub(super) all: Running,
    pub(super) batches: Batches<Running>,
}

/// A number that identifies an action; actions without a level get small ones, saved in one byte.
fn number(act: Act) -> u64 {
    let of = |amount: Option<Span>| amount.map_or(0, |amount| amount.ticks() as u64 + 1);
    match act {
        Act::Out => 0,
        Act::In(Terms { level: None, above: None }) => 1,
        Act::In(Terms { level, above }) => {
            2_u64.wrapping_add(of(level).wrapping_mul(4)).wrapping_add(of(above).rotate_left(32))
        }
        Act::Choose(entry) => 2 + u64::from(entry),
    }
}

/// The accumulated rounds of one replication.
#[derive(Clone, Debug)]
pub struct Course {
    /// Totals over all rounds, by organization.
    pub(super) all: Vec<Stretch>,
    /// Totals over the last quarter of the rounds, by organization.
    pub(super) late: Vec<Stretch>,
    /// Curves over the rounds, by organization.
    pub(super) trails: Vec<Trail>,
    /// All organizations together, round by round.
    pub(super) timeline: Timeline,
    /// Probability and level round by round, by organization.
    pub(super) tracks: Vec<[Track; 2]>,
    /// Actions to detect cycles, by organization.
    repeats: Vec<Repeats>,
    /// True for each organization that reported at the end that it was still searching.
    searching: Vec<bool>,
    /// Batches over all rounds and over the last quarter, by unit.
    ///
    /// Kept only if this is the only replication.
    pub(super) batched: Option<Vec<[Batched; 2]>>,
    /// Totals of all organizations over the last quarter.
    pub(super) social: SocialSum,
    /// Current action and the round since which it is unchanged, by organization.
    pub(super) since: Vec<Since>,
    /// Gains from the alternatives asked about, by organization.
    pub(super) gains: Vec<Gains>,
    menus: Vec<Vec<Act>>,
    first_late: u64,
    units: Vec<std::ops::Range<usize>>,
}

impl Course {
    /// An empty course.
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
            repeats: vec![Repeats::default(); count],
            searching: vec![false; count],
            batched,
            social: SocialSum::default(),
            since: vec![Since::default(); count],
            gains: frame.asking.menus.iter().map(|menu| Gains::new(menu)).collect(),
            menus: frame.asking.menus.clone(),
            first_late: frame.late(),
            units,
        }
    }

    /// Turns batches on even if the run has several replications, since the saved state has them.
    #[must_use]
    pub fn with_batches(mut self) -> Course {
        self.batched.get_or_insert(self.units.iter().map(|_| <[Batched; 2]>::default()).collect());
        self
    }

    /// Drops the batches, because the run turned out to have several replications.
    pub fn forget_batches(&mut self) {
        self.batched = None;
    }

    /// True if batches are kept.
    pub fn is_batched(&self) -> bool {
        self.batched.is_some()
    }

    /// Drops the totals of the last quarter, because it starts later than assumed.
    pub fn forget_late(&mut self) {
        self.late.fill(Stretch::default());
        self.social = SocialSum::default();
        self.gains = self.menus.iter().map(|menu| Gains::new(menu)).collect();
        for [_, late] in self.batched.iter_mut().flatten() {
            *late = Batched::default();
        }
    }

    /// Adds a round: one row for each organization, in their order.
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
            self.repeats[index].add(number(row.turn.act));
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

    /// Ends the replication; `searching` tells for each organization if it still searches.
    pub fn end(&mut self, searching: impl IntoIterator<Item = bool>) {
        self.searching = searching.into_iter().collect();
    }

    /// Convergence of each organization's level, or of its probability if the level is fixed.
    ///
    /// `None` if both are constant and its actions do not cycle, or if there are too few rounds to
    /// tell.
    pub(super) fn settling(&self) -> Vec<Option<Settling>> {
        let moves = |track: &Track| track.points().windows(2).any(|pair| pair[0] != pair[1]);
        let of = |[probability, level]: &[Track; 2]| match (moves(level), moves(probability)) {
            (true, _) => Settling::of(level, Band::LEVEL),
            (false, true) => Settling::of(probability, Band::PROBABILITY),
            (false, false) => None,
        };
        let all = self.tracks.iter().map(of).zip(&self.repeats).enumerate();
        all.map(|(index, (settling, acts))| {
            let around = || self.late[index].share_joined().unwrap_or_default();
            let settling = Settling::with_acts(settling, acts, around);
            settling.map(|one| if self.searching[index] { one.searching() } else { one })
        })
        .collect()
    }

    /// Adds a round in which the payoffs of alternative actions were computed.
    pub fn asked(&mut self, outcome: &Outcome) {
        for (index, (gains, menu)) in self.gains.iter_mut().zip(&self.menus).enumerate() {
            gains.add(menu, outcome, index);
        }
    }

    /// Adds the counterfactual of a late round in which every organization joins.
    pub fn everyone_in<'a>(&mut self, turns: impl IntoIterator<Item = &'a Turn>) {
        turns
            .into_iter()
            .filter(|turn| turn.present)
            .for_each(|turn| self.social.add_everyone_in(turn));
    }
}

/// The saved state depends neither on the length of the run nor on the start of its last quarter.
impl State for Course {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.all, &self.late, &self.trails, &self.tracks, &self.timeline), out);
        put(&(&self.batched, self.social, &self.since, &self.repeats, &self.gains), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let before = (self.all.len(), self.batched.as_ref().map(Vec::len), self.gains.len());
        (self.all, self.late, self.trails, self.tracks, self.timeline) = take(from)?;
        (self.batched, self.social, self.since, self.repeats, self.gains) = take(from)?;
        let count = self.all.len();
        let lengths = [
            self.late.len(),
            self.trails.len(),
            self.tracks.len(),
            self.since.len(),
            self.repeats.len(),
        ];
        let after = (count, self.batched.as_ref().map(Vec::len), self.gains.len());
        if before != after || lengths != [count; 5] {
            return Err(Corrupt::Content("rounds of other organizations".to_owned()));
        }
        Ok(())
    }
}
