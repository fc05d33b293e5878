//! Fair sharing with a memory of what organizations gave, against definitions played tick by tick.

use gridpact::kernel::rng::Rng;
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::model::speed::Speed;
use gridpact::policy::grid::fair::{self, By};
use gridpact::policy::grid::{GridOptions, Group, Site};

use crate::common::{below, draws};
use crate::online::{Asks, Case, efficient};

const OWNERS: usize = 3;

/// A started job: start, length, organization, and owner of its processor.
type Started = (i64, i64, usize, usize);

/// Three owners of one or two processors each, and sequential jobs.
fn case(rng: &mut Rng) -> Case {
    let owners = 0..OWNERS as u32;
    let site = |owner| Site {
        processors: 1 + below(rng, 2) as u32,
        owner: OrganizationId(owner),
        foreign: Foreign::Always,
        speed: Speed::ONE,
    };
    let sites: Vec<Site> = owners.clone().map(site).collect();
    let groups = vec![Group { clusters: owners.map(ClusterId).collect(), owner: None }];
    let mut submit = 0;
    let jobs = (0..14).map(|_| {
        submit += below(rng, 3) as i64 / 2;
        let (length, owner) = (1 + below(rng, 6) as i64, below(rng, OWNERS as u64) as u32);
        Asks { processors: 1, length, submit, owner, group: 0 }
    });
    Case { jobs: jobs.collect(), sites, groups }
}

fn found(by: By, orders: u32, case: &Case) -> Vec<i64> {
    let options = GridOptions::Fair(fair::Options { by, orders });
    efficient(&options, case, by == By::Shapley).into_iter().map(|one| one.0).collect()
}

/// Twice the utility at a time of the jobs that `is` picks.
fn twice(started: &[Started], now: i64, is: impl Fn(&Started) -> bool) -> i64 {
    let worth = |&(start, length, ..): &Started| {
        length.min(now - start) * (2 * now - start - (start + length).min(now) + 1)
    };
    started.iter().filter(|one| is(one)).map(worth).sum()
}

fn permutations(all: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = all.split_first() else { return vec![Vec::new()] };
    let put = |order: Vec<usize>| {
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat())
    };
    permutations(rest).into_iter().flat_map(put).collect()
}

/// Starts in the grid of everybody. A coalition's values are means over its orders: of everybody those
/// given, else all; `is_plain` if the others start jobs as they came.
fn by_coalitions(case: &Case, orders: &[Vec<usize>], is_plain: bool) -> Vec<i64> {
    let members: Vec<Vec<usize>> = (0..1 << OWNERS)
        .map(|set| (0..OWNERS).filter(|one| set >> one & 1 == 1).collect())
        .collect();
    let everybody = members.len() - 1;
    let mut starts = vec![vec![-1; case.jobs.len()]; members.len()];
    let mut started: Vec<Vec<Started>> = vec![Vec::new(); members.len()];
    for now in 0..200 {
        let worth: Vec<i64> = started.iter().map(|one| twice(one, now, |_| true)).collect();
        for (set, who) in members.iter().enumerate() {
            let every = permutations(who);
            let orders = if set == everybody { orders } else { &every };
            let owed = |one: usize| -> i64 {
                let value = |order: &Vec<usize>| {
                    let at = order.iter().position(|&other| other == one).expect("it is in");
                    let before: usize = order[..at].iter().map(|other| 1 << other).sum();
                    worth[before | 1 << one] - worth[before]
                };
                orders.iter().map(value).sum()
            };
            let busy = started[set].iter().filter(|one| one.0 + one.1 > now).count();
            let processors = who.iter().map(|&one| case.sites[one].processors as usize);
            let key = |job: &usize| {
                let one = case.jobs[*job].owner as usize;
                let had = twice(&started[set], now, |other| other.2 == one) * orders.len() as i64;
                (if is_plain && set != everybody { 0 } else { had - owed(one) }, *job)
            };
            let waits = |job: &usize| {
                let asks = &case.jobs[*job];
                let is_in = who.contains(&(asks.owner as usize));
                is_in && asks.submit <= now && starts[set][*job] < 0
            };
            let mut waiting: Vec<usize> = (0..case.jobs.len()).filter(waits).collect();
            // Starts at this instant change no utility.
            waiting.sort_by_cached_key(key);
            for job in waiting.into_iter().take(processors.sum::<usize>() - busy) {
                let asks = &case.jobs[job];
                starts[set][job] = now;
                started[set].push((now, asks.length, asks.owner as usize, 0));
            }
        }
    }
    starts.swap_remove(everybody)
}

#[test]
fn ref_is_its_definition_over_all_permutations() {
    let orders = permutations(&[0, 1, 2]);
    for seed in 0..40 {
        let case = case(&mut draws(seed, "rivals"));
        let wanted = by_coalitions(&case, &orders, false);
        assert_eq!(found(By::Shapley, 0, &case), wanted, "{seed}: {case:?}");
    }
}

/// With one drawn order, RAND is the definition by one of all orders.
#[test]
fn rand_is_its_definition_over_some_order() {
    for seed in 0..20 {
        let case = case(&mut draws(seed, "rivals"));
        let found = found(By::Shapley, 1, &case);
        let mut orders = permutations(&[0, 1, 2]).into_iter();
        assert!(orders.any(|one| by_coalitions(&case, &[one], true) == found), "{seed}: {case:?}");
    }
}

/// The jobs that start are those of whom is owed most, by what its processors did.
#[test]
fn contributions_are_of_the_processors_that_worked() {
    for seed in 0..40 {
        let case = case(&mut draws(seed, "rivals"));
        let options = GridOptions::Fair(fair::Options { by: By::Contribution, orders: 0 });
        let found = efficient(&options, &case, seed % 2 == 0);
        let mut started: Vec<Started> = Vec::new();
        for now in 0..200 {
            let came = |job: &usize| case.jobs[*job].submit <= now && found[*job].0 >= now;
            let mut waiting: Vec<usize> = (0..case.jobs.len()).filter(came).collect();
            waiting.sort_by_cached_key(|&job| {
                let one = case.jobs[job].owner as usize;
                let had = twice(&started, now, |other| other.2 == one);
                (had - twice(&started, now, |other| other.3 == one), job)
            });
            let busy = started.iter().filter(|one| one.0 + one.1 > now).count();
            let free = case.sites.iter().map(|one| one.processors as usize).sum::<usize>() - busy;
            for (place, job) in waiting.into_iter().enumerate() {
                let (at, owner) = found[job];
                assert_eq!(at == now, place < free, "{seed}, job {job} at {now}: {case:?}");
                if at == now {
                    let asks = &case.jobs[job];
                    started.push((now, asks.length, asks.owner as usize, owner));
                }
            }
        }
    }
}
