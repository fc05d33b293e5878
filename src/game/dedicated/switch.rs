//! Switches of neighbours on a processor, the moves of the walk and of the local search, and the
//! fingerprints by which both know the schedules that they visited.

use super::Schedule;

/// A move: which pair of neighbours changes places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The processor.
    pub processor: u32,
    /// Position of the first of both in the order before.
    pub position: u32,
    /// The owner that it helps.
    pub helps: u32,
}

impl Move {
    /// Switches the pair in orders of owners, or of jobs.
    pub(super) fn apply<T>(self, orders: &mut [Vec<T>]) {
        let at = self.position as usize;
        orders[self.processor as usize].swap(at, at + 1);
    }
}

/// Fingerprint of a schedule: that of all entries of its orders together.
pub(super) fn print(schedule: &Schedule) -> u128 {
    let orders = schedule.iter().enumerate().flat_map(|(processor, order)| {
        order.iter().enumerate().map(move |(position, &owner)| mark(processor, position, owner))
    });
    orders.fold(0, |print, mark| print ^ mark)
}

/// Fingerprint of the schedule in which a pair of neighbours, of these owners, has changed places.
pub(super) fn switched(
    print: u128,
    processor: usize,
    position: usize,
    [first, second]: [u32; 2],
) -> u128 {
    print
        ^ mark(processor, position, first)
        ^ mark(processor, position + 1, second)
        ^ mark(processor, position, second)
        ^ mark(processor, position + 1, first)
}

/// Fingerprint of one entry of an order.
///
/// Two mixers of 64 bits (Steele, Lea and Flood 2014): among a million schedules, two of the same
/// fingerprint come up with probability 10^-27.
fn mark(processor: usize, position: usize, owner: u32) -> u128 {
    let mix = |mut word: u64| {
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    let key = |salt: u64| {
        let inner = mix(salt.wrapping_add(processor as u64));
        let inner = mix(inner.wrapping_add(position as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mix(inner.wrapping_add(u64::from(owner)).wrapping_add(salt))
    };
    u128::from(key(0x243f_6a88_85a3_08d3)) << 64 | u128::from(key(0x1319_8a2e_0370_7344))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_leads_to_the_fingerprint_of_the_schedule_that_it_leads_to() {
        let mut schedule: Schedule = vec![vec![0, 1, 2], vec![1, 1, 0]];
        for (processor, position) in [(0, 1), (1, 1), (0, 0), (0, 1)] {
            let order = &schedule[processor as usize];
            let pair = [order[position as usize], order[position as usize + 1]];
            let next = switched(print(&schedule), processor as usize, position as usize, pair);
            assert_ne!(next, print(&schedule));
            Move { processor, position, helps: pair[1] }.apply(&mut schedule);
            assert_eq!(next, print(&schedule));
        }
    }
}
