//! Random streams identified by name rather than by order of creation.
//!
//! A stream is `ChaCha8` keyed by BLAKE3 over the master seed, a name such as
//! `organization/physics/arrivals`, the replication and the round. Adding a cluster therefore
//! changes no other draws, and two schedulers see the same jobs (common random numbers).

use std::sync::LazyLock;

use blake3::hazmat::{ContextKey, HasherExt as _, hash_derive_key_context};
use rand::SeedableRng;
use serde::{Deserialize, Serialize};

/// Size of the numbers hashed before a stream's name, in bytes.
const NUMBERS: usize = 24;

/// The context that separates the streams from all other uses of BLAKE3, hashed once.
static CONTEXT: LazyLock<ContextKey> =
    LazyLock::new(|| hash_derive_key_context("gridpact 1 random stream"));

/// The random number generator of every stream.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The streams of one replication of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streams {
    master: u64,
    replication: u64,
    round: u64,
}

impl Streams {
    /// Returns the streams of replication 0, round 0 under a master seed.
    pub const fn new(master: u64) -> Streams {
        Streams { master, replication: 0, round: 0 }
    }

    /// Returns the same streams in another replication.
    pub const fn in_replication(self, replication: u64) -> Streams {
        Streams { replication, ..self }
    }

    /// Returns the same streams in another round.
    pub const fn in_round(self, round: u64) -> Streams {
        Streams { round, ..self }
    }

    /// Returns the replication of these streams.
    pub const fn replication(&self) -> u64 {
        self.replication
    }

    /// Returns the round of these streams.
    pub const fn round(&self) -> u64 {
        self.round
    }

    /// Returns the stream called `name`, opened at its first draw.
    pub const fn draws(self, name: &str) -> Draws<'_> {
        Draws { streams: self, name, rng: None }
    }

    /// Returns the stream called `name`, at its beginning.
    ///
    /// ```
    /// use gridpact_kernel::rng::Streams;
    /// use rand::Rng as _;
    ///
    /// let streams = Streams::new(1);
    /// let mut arrivals = streams.stream("organization/physics/arrivals");
    /// let mut again = streams.stream("organization/physics/arrivals");
    /// assert_eq!(arrivals.next_u64(), again.next_u64());
    /// assert_ne!(arrivals.next_u64(), streams.stream("another").next_u64());
    /// ```
    pub fn stream(&self, name: &str) -> Rng {
        let mut hasher = blake3::Hasher::new_from_context_key(&CONTEXT);
        // Hash short inputs in one piece, since each piece costs time; names of streams are short.
        let mut start = [0; 64];
        for (place, number) in
            start.chunks_exact_mut(8).zip([self.master, self.replication, self.round])
        {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let fits = name.len().min(start.len() - NUMBERS);
        start[NUMBERS..NUMBERS + fits].copy_from_slice(&name.as_bytes()[..fits]);
        hasher.update(&start[..NUMBERS + fits]);
        hasher.update(&name.as_bytes()[fits..]);
        Rng::from_seed(*hasher.finalize().as_bytes())
    }
}

/// A stream that is opened at its first draw.
#[derive(Debug)]
pub struct Draws<'a> {
    streams: Streams,
    name: &'a str,
    rng: Option<Rng>,
}

impl Draws<'_> {
    /// Returns the stream, at its beginning or after its previous draws.
    pub fn rng(&mut self) -> &mut Rng {
        self.rng.get_or_insert_with(|| self.streams.stream(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn streams_differ_by_every_part_of_their_key_and_by_nothing_else() {
        let base = Streams::new(7);
        let mut first: Vec<u64> = [
            base.stream("a"),
            base.stream("b"),
            base.in_replication(1).stream("a"),
            base.in_round(1).stream("a"),
            Streams::new(8).stream("a"),
        ]
        .iter_mut()
        .map(|rng| rng.next_u64())
        .collect();
        let count = first.len();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), count);
        assert_eq!(
            base.in_replication(1).in_round(2),
            base.in_round(2).in_replication(1),
            "the parts of a key commute"
        );
    }

    /// Golden test: it is the first to detect a dependency that changes a draw.
    #[test]
    fn the_first_draws_of_a_known_stream() {
        let mut rng = Streams::new(1).stream("golden");
        let draws: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(draws, GOLDEN);
    }

    /// The short path hashes the same bytes as feeding the hasher number by number.
    #[test]
    fn names_of_all_lengths_give_the_key_that_they_spell() {
        for length in [0, 1, 39, 40, 41, 64, 200] {
            let name = "x".repeat(length);
            let streams = Streams::new(3).in_replication(5).in_round(7);
            let mut hasher = blake3::Hasher::new_derive_key("gridpact 1 random stream");
            [3_u64, 5, 7].iter().for_each(|number| {
                hasher.update(&number.to_le_bytes());
            });
            hasher.update(name.as_bytes());
            let mut spelt = Rng::from_seed(*hasher.finalize().as_bytes());
            assert_eq!(streams.stream(&name).next_u64(), spelt.next_u64(), "{length}");
        }
    }

    const GOLDEN: [u64; 3] =
        [11_938_691_620_724_313_675, 17_304_325_248_700_440_421, 5_258_342_750_843_843_119];
}
