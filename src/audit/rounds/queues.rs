//! Queues of a coalition's clusters, served in the order of submission: when a job would be done alone,
//! and by when it is promised.

use std::collections::BTreeMap;

use super::{Check, MoveFacts, PoolJobFacts, RoundsFacts, Violation, units};

/// A replication, a round and an organization.
type At = (u32, u64, usize);

/// Computes both for every job, in rounds that begin empty and whose jobs are all recorded: from the
/// sizes, and from what each balancing left to a cluster. O((jobs + moves) log).
pub(super) fn check(facts: &RoundsFacts, jobs: &[PoolJobFacts]) -> Check {
    let mut check = Check::new(
        "queues",
        "alone, a job is done after those before it; it is promised by the end of what its cluster has \
         after the last balancing, of what came since, and of itself",
    );
    let mut queues: BTreeMap<At, Vec<&PoolJobFacts>> = BTreeMap::new();
    for job in jobs {
        queues.entry((job.replication, job.round, job.organization)).or_default().push(job);
    }
    let promises = facts.moves.as_ref().filter(|_| facts.keeps_promises);
    let left = promises.map(|moves| left(moves)).unwrap_or_default();
    for (at, mut own) in queues {
        own.sort_by_key(|job| job.number);
        let mut left = left.get(&at).into_iter().flatten().peekable();
        let (mut alone, mut queue) = (0, 0);
        for job in own {
            check.looked_at += 1;
            alone = alone.max(job.submit) + job.load;
            // Jobs that come at the time of a balancing are part of it.
            while let Some((time, load)) = left.next_if(|(time, _)| *time < job.submit) {
                queue = *time + *load;
            }
            queue = queue.max(job.submit) + job.load;
            // Who delays others' work does its own before it.
            let is_known = !facts.seats[at.2].hides;
            let (what, told, found) = match () {
                () if alone != job.alone => ("would be done alone", job.alone, alone),
                () if promises.is_some() && is_known && queue != job.promised => {
                    ("is promised", job.promised, queue)
                }
                () => continue,
            };
            let [told, found] = [told, found].map(units);
            let text = format!(
                "job {} {what} at {told}, but by its queue at {found} (jobs.csv, line {})",
                job.number, job.line
            );
            check.violated(|| Violation {
                jobs: vec![job.number],
                ..facts.broken_at((at.0, at.1), Some(at.2), &text)
            });
        }
    }
    check
}

/// Times of the balancings in which a cluster takes part, each with the load that it has after it.
fn left(moves: &[MoveFacts]) -> BTreeMap<At, Vec<(i128, i128)>> {
    let mut left: BTreeMap<At, Vec<(i128, i128)>> = BTreeMap::new();
    let same = |one: &MoveFacts, next: &MoveFacts| {
        (one.replication, one.balancing) == (next.replication, next.balancing)
    };
    for balancing in moves.chunk_by(same) {
        let mut loads: BTreeMap<usize, i128> = BTreeMap::new();
        for one in balancing {
            for (who, load, change) in [
                (one.sender, one.before[0], -one.amount),
                (one.receiver, one.before[1], one.amount),
            ] {
                *loads.entry(who).or_insert(load) += change;
            }
        }
        let MoveFacts { replication, round, time, .. } = balancing[0];
        for (who, load) in loads {
            left.entry((replication, round, who)).or_default().push((time, load));
        }
    }
    left
}
