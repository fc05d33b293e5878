//! The paper's claims about its two balancers (section 6.2), on 20 000 random coalitions each.
//!
//! The paper counts in real numbers. Loads that are multiples of 1, 2, ..., n ticks have means of
//! whole ticks, so that nothing is rounded and "equal" means equal; what rounding changes is said
//! by a test of its own.

use gridpact::kernel::rng::Rng;
use gridpact::kernel::time::{Span, Time};
use gridpact::policy::coalition::Member;
use rand::RngExt as _;

use crate::balancers::support::{Balanced, NOW, balanced, balancer, local, random_members, rng};

const INSTANCES: usize = 20_000;
const MOST: i64 = 12;
/// The least common multiple of the numbers up to `MOST`.
const STEP: i64 = 27_720;

/// Loads without levels whose means are whole ticks.
fn exact_loads(rng: &mut Rng) -> Vec<i64> {
    let largest = [1, 3, 30, 10_000][rng.random_range(0..4)];
    let count = rng.random_range(1..=MOST);
    (0..count).map(|_| STEP * rng.random_range(0..=largest)).collect()
}

/// Members in the order of BILB.
fn sorted(loads: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|&member| (loads[member], member));
    order
}

fn unbounded(loads: &[i64]) -> Vec<Member> {
    loads.iter().map(|&load| local(load, None)).collect()
}

/// When the last of a member's own jobs is done, from now: what it keeps, and what is promised.
fn own_end(found: &Balanced, loads: &[i64], member: usize) -> i64 {
    let parts = found.moves.iter().filter(|part| part.from as usize == member);
    let promised = parts.map(|part| (part.promised - NOW).ticks());
    promised.max().unwrap_or(0).max(loads[member] - found.sent[member])
}

/// LB-B-04: the mean of the k smallest is no more than that of all, so each sends at least what
/// averaging would make it send. Only the heaviest sends no more than that (unless all loads are
/// equal), and only who is as little loaded as the least sends nothing.
#[test]
fn each_sends_at_least_what_averaging_would_make_it_send() {
    let mut rng = rng("sends");
    let (mut bilb, mut averaging) = (balancer("bilb = {}"), balancer("averaging = {}"));
    for _ in 0..INSTANCES {
        let loads = exact_loads(&mut rng);
        let members = unbounded(&loads);
        let found = balanced(&mut bilb, Span::TICK, &members);
        let mean = balanced(&mut averaging, Span::TICK, &members).interval;
        let order = sorted(&loads);
        let least = loads[order[0]];
        let all_equal = loads.iter().all(|&load| load == least);
        for (place, &member) in order.iter().enumerate() {
            let smallest: i64 = order[..=place].iter().map(|&other| loads[other]).sum();
            let mean_so_far = smallest / (place as i64 + 1);
            assert!(mean_so_far <= mean);
            let (sent, above) = (found.sent[member], loads[member] - mean);
            assert_eq!(sent, loads[member] - mean_so_far, "all that it may, {loads:?}");
            let is_heaviest = place + 1 == loads.len();
            assert_eq!(sent == above, is_heaviest || all_equal, "{loads:?}");
            assert!(sent >= above);
            assert_eq!(sent == 0, loads[member] == least, "{loads:?}");
        }
        assert!(found.queues.iter().all(|&queue| queue == mean), "both end at the mean");
    }
}

/// LB-B-05: nobody's jobs end later than under averaging. They end earlier but for those of the
/// heaviest, as the paper says, and those of whoever is as little loaded as the least, which end
/// when they would have ended alone under both.
#[test]
fn jobs_end_no_later_than_under_averaging() {
    let mut rng = rng("ends");
    let (mut bilb, mut averaging) = (balancer("bilb = {}"), balancer("averaging = {}"));
    for _ in 0..INSTANCES {
        let loads = exact_loads(&mut rng);
        let members = unbounded(&loads);
        let found = balanced(&mut bilb, Span::TICK, &members);
        let averaged = balanced(&mut averaging, Span::TICK, &members);
        let order = sorted(&loads);
        for (place, &member) in order.iter().enumerate() {
            let earlier = own_end(&found, &loads, member);
            let later = own_end(&averaged, &loads, member);
            assert!(earlier <= later, "{loads:?}");
            let gains_nothing = place + 1 == loads.len() || loads[member] == loads[order[0]];
            assert_eq!(earlier == later, gains_nothing, "{member} of {loads:?}");
        }
    }
}

/// Rounded up to a unit, a mean is that much higher: who is less than k units above the least may
/// send nothing, and averaging's "most loaded end a unit later" is a unit for some.
#[test]
fn rounding_costs_at_most_a_unit() {
    let mut rng = rng("rounding");
    let (mut bilb, mut averaging) = (balancer("bilb = {}"), balancer("averaging = {}"));
    let mut with_less = 0;
    for _ in 0..INSTANCES {
        let mut members = random_members(&mut rng, Span::UNIT, false);
        members.iter_mut().for_each(|member| member.level = None);
        let loads: Vec<i64> = members.iter().map(|member| member.load().ticks()).collect();
        let found = balanced(&mut bilb, Span::UNIT, &members);
        let averaged = balanced(&mut averaging, Span::UNIT, &members);
        let (order, unit) = (sorted(&loads), Span::UNIT.ticks());
        for (place, &member) in order.iter().enumerate() {
            assert!(found.sent[member] >= averaged.sent[member] - unit, "{loads:?}");
            with_less += usize::from(found.sent[member] < averaged.sent[member]);
            let above_least = loads[member] - loads[order[0]];
            let is_far = above_least >= (place as i64 + 1) * unit;
            assert!(found.sent[member] > 0 || !is_far, "{loads:?}");
            let (earlier, later) =
                (own_end(&found, &loads, member), own_end(&averaged, &loads, member));
            assert!(earlier <= later, "{member} of {loads:?}");
        }
    }
    assert!(with_less > 0, "the slack is needed");
}

/// LB-B-02: whoever received has a queue no longer than its level, and nobody sends more than its
/// level; both within the mean.
#[test]
fn levels_bound_what_is_sent_and_what_is_received() {
    let mut rng = rng("levels");
    let mut tried = balancer("bilb = {}");
    let (mut senders, mut receivers) = (0, 0);
    for instance in 0..INSTANCES {
        let unit = [Span::TICK, Span::UNIT][instance % 2];
        let members = random_members(&mut rng, unit, instance % 5 == 4);
        let found = balanced(&mut tried, unit, &members);
        let total: i64 = found.queues.iter().sum();
        let count = members.len() as i64;
        let mean = (total / unit.ticks() + count - 1) / count * unit.ticks();
        for (place, member) in members.iter().enumerate() {
            let level = member.level.map_or(i64::MAX, Span::ticks);
            assert!(found.sent[place] <= level, "{members:?}");
            if found.received[place] > 0 {
                assert!(found.queues[place] <= level.min(mean), "{members:?}");
                receivers += usize::from(found.queues[place] == level);
            }
            senders += usize::from(found.sent[place] == level && level > 0);
        }
    }
    assert!(senders > 1000 && receivers > 1000, "bounds that bind: {senders} {receivers}");
}

/// Whatever the levels: the parts of a member are promised for no later than the end of what it
/// keeps, which is earlier than its jobs would end alone. To take part in a balancing delays no job
/// that is there, only the next ones.
#[test]
fn no_known_job_ends_later_than_alone() {
    let mut rng = rng("alone");
    let mut tried = balancer("bilb = {}");
    for instance in 0..INSTANCES {
        let unit = [Span::TICK, Span::UNIT][instance % 2];
        let members = random_members(&mut rng, unit, false);
        let found = balanced(&mut tried, unit, &members);
        for part in &found.moves {
            let from = part.from as usize;
            let kept = members[from].load().ticks() - found.sent[from];
            assert!(part.promised <= NOW + Span::from_ticks(kept), "{members:?}");
        }
    }
}

/// Erratum E7: with levels, jobs may end later than under averaging.
#[test]
fn with_levels_jobs_may_end_later_than_under_averaging() {
    let members = [local(0, Some(1)), local(10, Some(1))];
    let found = balanced(&mut balancer("bilb = {}"), Span::TICK, &members);
    let averaged = balanced(&mut balancer("averaging = {}"), Span::TICK, &members);
    let end = |found: &Balanced| own_end(found, &[0, 10], 1);
    assert_eq!((end(&found), end(&averaged)), (9, 5));
    assert_eq!(found.moves[0].promised, NOW + Span::from_ticks(1));
    assert!(averaged.moves[0].promised > Time::ZERO);
}
