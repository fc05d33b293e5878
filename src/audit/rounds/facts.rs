//! The facts that rounds are checked by.

use crate::report::Violation;
use kernel::time::Span;

/// The facts of the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundsFacts {
    /// The organizations.
    pub organizations: Vec<String>,
    /// Learning rule and presence of each organization.
    pub seats: Vec<SeatFacts>,
    /// Number of replications.
    pub replications: u32,
    /// Number of rounds in each replication.
    pub rounds: u64,
    /// The same by replication, if chance ends them.
    pub lengths: Vec<u64>,
    /// True if a round starts from the end of the previous one.
    pub continuing: bool,
    /// True if owners of a federation decide whether to follow a plan.
    pub follows: bool,
    /// Turns in order of replication, round, organization.
    pub turns: Vec<TurnFacts>,
    /// Moves in order; `None` if not recorded.
    pub moves: Option<Vec<MoveFacts>>,
    /// Jobs in order of finish; `None` if not recorded.
    pub jobs: Option<Vec<PoolJobFacts>>,
    /// True if all jobs of a round count, so that all are recorded.
    pub records_all: bool,
    /// True if no job may finish later than promised.
    pub keeps_promises: bool,
    /// Exclusion of members that are caught.
    pub exclusion: Option<ExclusionFacts>,
    /// Groups of organizations that balance apart; all together if empty.
    pub groups: Vec<Vec<usize>>,
}

/// Exclusion of members that are caught.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExclusionFacts {
    /// Rounds from which a member that was caught is excluded; for good if `None`.
    pub rounds: Option<u64>,
    /// True if each exclusion is twice as long as the one before.
    pub doubles: bool,
    /// Share of the others that must be against a member to vote it out, if they vote.
    pub votes: Option<f64>,
    /// The same of newcomers, and of who comes back under a new name.
    pub probation: u64,
    /// True if probes may catch anybody; else only broken promises are seen.
    pub probes: bool,
}

/// An organization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatFacts {
    /// Its learning rule.
    pub learning: Learning,
    /// Initial probability and level, if known.
    pub begins: Option<[Option<f64>; 2]>,
    /// First round in which it was present.
    pub first: u64,
    /// Last round in which it was present, if any.
    pub last: Option<u64>,
    /// True if it may declare another queue than it has: what it sends may come back later than it would
    /// have done it.
    pub lies: bool,
    /// True if it may break what it promises.
    pub breaks: bool,
    /// True if it may do own jobs before others' work, or have work without worth: its queue is not known.
    pub hides: bool,
}

/// The way in which an organization cheats in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LieFacts {
    /// True if it cheats.
    pub lies: bool,
    /// Delay of others' work in ticks, by which the own jobs that come later are done sooner; `None` if
    /// it keeps what it promises.
    pub breaks: Option<i128>,
    /// True if it comes back under a new name once it is excluded.
    pub new_name: bool,
    /// Millionths of the expected runtimes that an owner of a federation states; 0 if it states the true ones.
    pub stated: i64,
}

/// A learning rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learning {
    /// Section 4.2.1: the probability follows the ratio of flow times.
    Ratio {
        /// Learning rate.
        rate: f64,
        /// True if rounds count in which nobody else took part.
        alone_counts: bool,
    },
    /// Section 6.3: the level follows the ratio of flow times.
    Level {
        /// Learning rate.
        rate: f64,
        /// Bounds of the level.
        bounds: (f64, f64),
    },
    /// No learning.
    Fixed,
    /// An unknown rule.
    Unknown,
}

/// Judgement of a federation's round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JudgedFacts {
    /// Its measure and what that would have been outside, in ticks or millionths, if it is not the flow
    /// time.
    pub measures: Option<[f64; 2]>,
    /// Cost of a round in which it is in.
    pub cost: f64,
}

/// Record of a round for one organization. Sums are in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnFacts {
    /// Its line number, counted across all files of the records.
    pub line: u64,
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// The organization.
    pub organization: usize,
    /// True if it took part.
    pub joined: bool,
    /// True if it was excluded.
    pub excluded: bool,
    /// True if it was caught; `None` if that is not recorded.
    pub caught: Option<bool>,
    /// The way in which it cheats, if it does.
    pub lie: LieFacts,
    /// True if somebody chooses among lies.
    pub chooses: bool,
    /// Level that it declared.
    pub level: Option<Span>,
    /// Number of its counted jobs.
    pub jobs: u64,
    /// Flow time of its counted jobs.
    pub flow: i128,
    /// Counterfactual flow time, had it been alone.
    pub alone: i128,
    /// Judgement of a federation's round.
    pub judged: Option<JudgedFacts>,
    /// Reported score.
    pub score: f64,
    /// Work sent.
    pub sent: i128,
    /// Work received.
    pub received: i128,
    /// Probability and level before the round.
    pub before: [Option<f64>; 2],
    /// Probability and level after the round.
    pub after: [Option<f64>; 2],
}

/// The choice of an organization in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceFacts<'a> {
    /// Its line number, counted across all files of the records.
    pub line: u64,
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// Name of the organization.
    pub organization: &'a str,
    /// Its action, in words.
    pub action: &'a str,
    /// True if it took part.
    pub joined: bool,
    /// Level and threshold that it declared, in ticks.
    pub terms: [Option<i128>; 2],
    /// Probability of taking part before the round.
    pub probability: Option<f64>,
    /// Reported score.
    pub score: f64,
    /// Probabilities of its choices; empty if not known.
    pub law: &'a [f64],
    /// Counterfactual scores of its alternatives; empty if not asked for.
    pub instead: &'a [f64],
}

/// A transfer of load. Work and times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// Its line number, counted across all files of the records.
    pub line: u64,
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// Index of the balancing in the replication.
    pub balancing: u64,
    /// Time of the transfer.
    pub time: i128,
    /// Sending organization.
    pub sender: usize,
    /// Receiving organization.
    pub receiver: usize,
    /// Amount of work.
    pub amount: i128,
    /// Promised latest finish.
    pub promised: i128,
    /// Load of the sender and of the receiver before the balancing.
    pub before: [i128; 2],
    /// Load of the receiver after the transfer.
    pub after: i128,
}

/// A counted job. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolJobFacts {
    /// Its line number, counted across all files of the records.
    pub line: u64,
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// The organization that owns it.
    pub organization: usize,
    /// Its number.
    pub number: u64,
    /// Submission time.
    pub submit: i128,
    /// Work on its organization's cluster.
    pub load: i128,
    /// Finish time.
    pub finish: i128,
    /// Reported turnaround time.
    pub turnaround: i128,
    /// Promised latest finish.
    pub promised: i128,
    /// Counterfactual finish, had its organization been alone.
    pub alone: i128,
}

impl RoundsFacts {
    /// Number of rounds in a replication.
    pub fn rounds_of(&self, replication: u32) -> u64 {
        self.lengths.get(replication as usize).copied().unwrap_or(self.rounds)
    }

    /// The record of an organization's round. O(log turns).
    pub(super) fn turn(&self, at: (u32, u64, usize)) -> Option<&TurnFacts> {
        let key = |turn: &TurnFacts| (turn.replication, turn.round, turn.organization);
        self.turns.binary_search_by_key(&at, key).ok().map(|found| &self.turns[found])
    }

    /// A violation in a round, with its line of `rounds.csv`.
    pub(crate) fn broken(&self, turn: &TurnFacts, text: &str) -> Violation {
        let text = format!("{text} (rounds.csv, line {})", turn.line);
        self.broken_at((turn.replication, turn.round), Some(turn.organization), &text)
    }

    pub(super) fn broken_at(
        &self,
        (replication, round): (u32, u64),
        organization: Option<usize>,
        text: &str,
    ) -> Violation {
        let who = organization.map(|index| format!("{}: ", self.organizations[index]));
        Violation {
            replication,
            round: Some(round),
            cluster: None,
            jobs: Vec::new(),
            time: None,
            text: format!("{}{text}", who.unwrap_or_default()),
        }
    }
}
