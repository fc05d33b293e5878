//! Accumulates the rounds of one replication.

use super::absorbed::Since;
use super::beside::{Apart, Beside};
use super::frame::{Frame, RoundRow};
use super::instead::Gains;
use super::social::SocialSum;
use super::stretch::{Running, Stretch};
use super::timeline::Timeline;
use crate::rounds::batched::Batched;
use crate::rounds::binned::{self, Binned};
use crate::rounds::curves::Axis;
use crate::rounds::sum::Sum;
use game::stage::{Act, Outcome, Terms};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use sim::accounts::Accounts;
use sim::pool::turn::Turn;
use stats::repeats::Repeats;
use stats::settling::{Band, Settling};
use stats::track::Track;

/// Series of an organization's `Trail`, which are plotted over the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Probability of joining the coalition.
    Probability,
    /// Participation level, in units.
    Level,
    /// Share of rounds in the coalition.
    Joined,
}

impl Drawn {
    /// The axes of all of them, in order.
    pub const AXES: [Axis; 3] = [Axis::Share, Axis::Amount, Axis::Share];
}

/// Curves of one organization in one replication.
pub type Trail = Binned<[Sum; Drawn::AXES.len()]>;

/// A number that identifies an action; actions without a level get small ones, saved in one byte.
fn number(act: Act) -> u64 {
    let of = |amount: Option<Span>| amount.map_or(0, |amount| amount.ticks() as u64 + 1);
    match act {
        Act::Out => 0,
        Act::In(Terms::ANY) => 1,
        Act::In(Terms { level, above, lie }) => 2_u64
            .wrapping_add(of(level).wrapping_mul(4))
            .wrapping_add(of(above).rotate_left(32))
            .wrapping_add(u64::from(lie)),
        Act::Choose(entry) => 2 + u64::from(entry),
    }
}

/// The accumulated rounds of one replication.
#[derive(Clone, Debug)]
pub struct Course {
    /// Totals over all rounds, by organization.
    pub all: Vec<Stretch>,
    /// Totals over the last quarter of the rounds, by organization.
    pub late: Vec<Stretch>,
    /// Curves over the rounds, by organization.
    pub(crate) trails: Vec<Trail>,
    /// All organizations together, round by round.
    pub timeline: Timeline,
    /// Probability and level round by round, by organization.
    pub tracks: Vec<[Track; 2]>,
    /// Actions to detect cycles, by organization.
    repeats: Vec<Repeats>,
    /// True for each organization that reported at the end that it was still searching.
    searching: Vec<bool>,
    /// Batches over all rounds and over the last quarter, by unit.
    ///
    /// Kept only if this is the only replication.
    pub batched: Option<Vec<[Batched<Running>; 2]>>,
    /// Totals of all organizations over the last quarter.
    pub(crate) social: SocialSum,
    /// Current action and the round since which it is unchanged, by organization.
    pub since: Vec<Since>,
    /// Gains from the alternatives asked about, by organization.
    pub gains: Vec<Gains>,
    /// The grid of a federation.
    pub beside: Option<Beside>,
    menus: Vec<Vec<Act>>,
    first_late: u64,
    units: Vec<std::ops::Range<usize>>,
}

impl Course {
    /// An empty course.
    pub fn new(frame: &Frame) -> Course {
        let count = frame.names.len();
        let units: Vec<_> = frame.units().into_iter().map(|class| class.members).collect();
        let batched = (frame.replications == 1)
            .then(|| units.iter().map(|_| <[Batched<Running>; 2]>::default()).collect());
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
            beside: (!frame.more.is_empty()).then(|| Beside::new(frame, units.len())),
            menus: frame.asking.menus.clone(),
            first_late: frame.late(),
            units,
        }
    }

    /// Turns batches on even if the run has several replications, since the saved state has them.
    #[must_use]
    pub fn with_batches(mut self) -> Course {
        self.batched
            .get_or_insert(self.units.iter().map(|_| <[Batched<Running>; 2]>::default()).collect());
        if let Some(beside) = &mut self.beside {
            beside.batched.resize(self.units.len(), Batched::default());
        }
        self
    }

    /// Drops the batches, because the run turned out to have several replications.
    pub fn forget_batches(&mut self) {
        self.batched = None;
        self.beside.iter_mut().for_each(|beside| beside.batched = Vec::new());
    }

    /// True if batches are kept.
    pub fn is_batched(&self) -> bool {
        self.batched.is_some()
    }

    /// Drops the totals of the last quarter, because it starts later than assumed.
    pub fn forget_late(&mut self) {
        self.late.fill(Stretch::default());
        self.social = SocialSum::default();
        self.beside.iter_mut().for_each(|beside| beside.late_alone = None);
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
        for row in rows {
            let index = row.organization;
            // Trails have the same points, whether or not the organization was present.
            let drawn = self.trails[index].at(round, Default::default);
            if !row.turn.present {
                continue;
            }
            self.all[index].add(&row.turn, &row.stance);
            self.since[index].add(round, row.turn.act);
            self.repeats[index].add(number(row.turn.act));
            let stood = [row.stance.probability, row.stance.level];
            let joined = Some(f64::from(u8::from(row.turn.act.is_in())));
            for (sum, value) in drawn.iter_mut().zip(stood.into_iter().chain([joined])) {
                value
                    .filter(|value| value.is_finite())
                    .into_iter()
                    .for_each(|value| sum.add(value));
            }
            for (track, value) in self.tracks[index].iter_mut().zip(stood) {
                value.into_iter().for_each(|value| track.add(value));
            }
            if is_late {
                self.late[index].add(&row.turn, &row.stance);
                self.social.add(&row.turn);
            }
        }
        for (unit, batched) in self.units.iter().zip(self.batched.iter_mut().flatten()) {
            for batched in &mut batched[..1 + usize::from(is_late)] {
                batched.add(|sums| sums.add(&rows[unit.clone()]));
            }
        }
    }

    /// Merges bins of rounds as in a run of `rounds`, which may be longer.
    pub(crate) fn widen(&mut self, rounds: u64) {
        let stride = binned::stride(rounds);
        self.trails.iter_mut().for_each(|trail| trail.widen(stride));
        self.timeline.widen(stride);
    }

    /// Adds what the grid of a federation told of a round that was added.
    pub fn grid(
        &mut self,
        round: u64,
        turns: &[Turn],
        accounts: &Accounts,
        alone: Option<Apart<'_>>,
    ) {
        let is_late = round >= self.first_late;
        if let Some(beside) = &mut self.beside {
            beside.round(turns, accounts, alone, is_late, &self.units);
        }
    }

    /// Ends the replication; `searching` tells for each organization if it still searches.
    pub fn end(&mut self, searching: impl IntoIterator<Item = bool>, accounts: Option<&Accounts>) {
        self.searching = searching.into_iter().collect();
        if let Some((beside, accounts)) = self.beside.as_mut().zip(accounts) {
            beside.end(accounts);
        }
    }

    /// Convergence of each organization's level, or of its probability if the level is fixed.
    ///
    /// `None` if both are constant and its actions do not cycle, or if there are too few rounds to
    /// tell.
    pub fn settling(&self) -> Vec<Option<Settling>> {
        let moves = |track: &Track| track.points().windows(2).any(|pair| pair[0] != pair[1]);
        let of = |[probability, level]: &[Track; 2]| match (moves(level), moves(probability)) {
            (true, _) => Settling::of(level, Band::LEVEL, 1),
            (false, true) => Settling::of(probability, Band::PROBABILITY, 1),
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

    /// True if an organization does one thing only since before the last quarter; `None` if that
    /// cannot be told.
    pub(crate) fn is_absorbed(&self, organization: usize) -> Option<bool> {
        self.since[organization].is_absorbed(self.first_late, &self.late[organization])
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
        if let Some(beside) = &self.beside {
            put(beside, out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let before = (self.all.len(), self.batched.as_ref().map(Vec::len), self.gains.len());
        (self.all, self.late, self.trails, self.tracks, self.timeline) = take(from)?;
        (self.batched, self.social, self.since, self.repeats, self.gains) = take(from)?;
        if let Some(beside) = &mut self.beside {
            let batches = beside.batched.len();
            *beside = take(from)?;
            if (beside.sums.len(), beside.batched.len()) != (self.all.len(), batches) {
                return Err(Corrupt::Content("a grid of other organizations".to_owned()));
            }
        }
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
