//! BILB with the bounds as printed in the paper: every sender visits every receiver.

use super::Round;

/// The receivers, and the bounds taken as printed.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    /// A member sends up to the greater of its two bounds.
    pub(super) sender: bool,
    /// Work that a receiver has sent makes no room below the mean.
    receiver: bool,
    /// The members visited so far.
    joined: Vec<u32>,
    /// Their space for the current sender.
    spaces: Vec<(i64, u32)>,
    /// Work sent by each member.
    sent: Vec<i64>,
}

impl Printed {
    pub(super) fn new(sender: bool, receiver: bool) -> Printed {
        let (joined, spaces, sent) = (Vec::new(), Vec::new(), Vec::new());
        Printed { sender, receiver, joined, spaces, sent }
    }

    pub(super) fn clear(&mut self, members: usize) {
        self.joined.clear();
        self.sent.clear();
        self.sent.resize(members, 0);
    }

    pub(super) fn join(&mut self, member: u32) {
        self.joined.push(member);
    }

    /// Shares units of `from` among the members visited so far.
    pub(super) fn share(&mut self, round: &mut Round<'_>, from: u32, units: i64, mean: i64) {
        self.spaces.clear();
        for &member in &self.joined {
            let queue = round.queues[member as usize];
            let sent = if self.receiver { self.sent[member as usize] } else { 0 };
            let below_mean = mean - queue - sent;
            let space = below_mean.min(round.levels[member as usize].saturating_sub(queue));
            self.spaces.push((space, member));
        }
        self.spaces.sort_unstable();
        let mut rest = units;
        for (place, &(space, to)) in self.spaces.iter().enumerate() {
            let left = (self.spaces.len() - place) as i64;
            let amount = space.min((rest + left - 1) / left);
            if amount > 0 {
                round.give(from, to, amount);
                self.sent[from as usize] += amount;
                rest -= amount;
            }
        }
    }
}
