//! Exclusion of members that are caught cheating (Rzadca and Trystram 2009, section 7).
//!
//! A broken promise is seen at once. An auditor that has an account with each member sends probe jobs,
//! which look like others; they bring no work. A member that is caught is out of the next rounds.

use kernel::rng::Streams;
use kernel::time::{Span, Time};
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rules of the exclusion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exclusion {
    /// Rounds from which a member that was caught is excluded; for good if `None`.
    pub rounds: Option<u64>,
    /// True if each exclusion of a member lasts twice as long as the one before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubles: bool,
    /// Share of the other members that must be exceeded to vote a member out: those against it did more
    /// work for it in the round than it did for them. Nobody votes if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<f64>,
    /// First rounds from which a newcomer is excluded, and who comes back under a new name.
    pub probation: u64,
    /// Probe jobs of the auditor.
    pub probes: Option<Probes>,
}

impl Exclusion {
    /// The first round of which a member is no longer excluded that was caught in this one, after so many
    /// times before.
    pub(super) fn ends(&self, round: u64, before: u32, has_new_name: bool) -> u64 {
        let times = if self.doubles { 2_u64.saturating_pow(before) } else { 1 };
        let rounds = self.rounds.map_or(u64::MAX, |rounds| rounds.saturating_mul(times));
        let rounds = if has_new_name { rounds.min(self.probation) } else { rounds };
        round.saturating_add(1).saturating_add(rounds)
    }
}

/// Probe jobs that observe queues.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Probes {
    /// Probability that a member is probed in a round.
    pub rate: f64,
    /// Largest difference between the declared and the observed queue for which it is not caught.
    pub tolerance: Span,
    /// Standard deviation of the error of an observed queue.
    pub noise: Span,
}

/// A probe of a member in a round, at the first balancing from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Probe {
    pub at: Time,
    /// Differences of the declared and the true queue for which it is not caught.
    passes: [Span; 2],
}

impl Probe {
    /// True if it catches a member with this queue.
    pub fn catches(&self, load: Span, declared: Span) -> bool {
        let [least, most] = self.passes;
        !(least..=most).contains(&(declared - load))
    }
}

impl Probes {
    /// The probes of a round, by player; `streams` are those of the round. Times are uniform from the start of
    /// the round to the end of its window, up to which it surely goes on.
    pub(super) fn draw(
        &self,
        streams: &Streams,
        start: Time,
        length: Span,
    ) -> impl Iterator<Item = Option<Probe>> + use<> {
        let Probes { rate, tolerance, noise } = *self;
        let mut rng = streams.stream("coalition/probes");
        std::iter::repeat_with(move || {
            let [is_probed, share, one, other] = std::array::from_fn(|_| rng.random::<f64>());
            // Box and Muller's transform; `1 - one` is above 0.
            let normal = libm::sqrt(-2.0 * libm::log1p(-one))
                * libm::cos(2.0 * std::f64::consts::PI * other);
            let ticks = |of: f64| Span::from_ticks(of as i64);
            let error = ticks(normal * noise.ticks() as f64);
            let at = start.saturating_add(ticks(share * length.ticks() as f64));
            let passes = [error - tolerance, error + tolerance];
            (is_probed < rate).then_some(Probe { at, passes })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_that_is_caught_is_that_of_a_normal_error_beyond_the_tolerance() {
        let units = Span::units;
        let probes = Probes { rate: 0.5, tolerance: units(2), noise: units(1) };
        let drawn = probes.draw(&Streams::new(1), Time::ZERO, units(100)).take(100_000);
        let drawn: Vec<Probe> = drawn.flatten().collect();
        assert!((49_500..50_500).contains(&drawn.len()), "{}", drawn.len());
        let caught = |lie: i64| {
            let is_caught = |probe: &&Probe| probe.catches(units(7), units(7 + lie));
            drawn.iter().filter(is_caught).count() as f64 / drawn.len() as f64
        };
        // P(|Z| > 2), P(|Z - 2| > 2) and P(|Z - 3| > 2).
        for (lie, share) in [(0, 0.0455), (2, 0.5), (3, 0.8413), (-3, 0.8413)] {
            assert!((caught(lie) - share).abs() < 0.007, "{lie}: {}", caught(lie));
        }
        let early = drawn.iter().filter(|probe| probe.at < Time::ZERO + units(25)).count();
        assert!((early as f64 / drawn.len() as f64 - 0.25).abs() < 0.01);
    }

    #[test]
    fn an_exclusion_ends_after_its_rounds_and_a_new_name_only_serves_the_probation() {
        let rule = |rounds, probation| Exclusion { rounds, probation, ..Exclusion::default() };
        assert_eq!(rule(Some(3), 1).ends(4, 7, false), 8);
        assert_eq!(rule(Some(0), 0).ends(4, 0, false), 5);
        assert_eq!(rule(Some(3), 1).ends(4, 0, true), 6);
        assert_eq!(rule(None, 2).ends(4, 0, false), u64::MAX);
        assert_eq!(rule(None, 2).ends(4, 0, true), 7);
        let doubles = Exclusion { doubles: true, ..rule(Some(3), 0) };
        assert_eq!([0, 1, 2].map(|before| doubles.ends(4, before, false)), [8, 11, 17]);
        assert_eq!(doubles.ends(4, 99, false), u64::MAX);
    }
}
