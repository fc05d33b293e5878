//! The histogram of modal estimates: a head of twenty popular values, and a tail.
//!
//! The constants are those of Tsafrir, Etsion and Feitelson (Modeling user runtime estimates, JSSPP
//! 2005) and of the program published with it. All times are whole seconds.

use kernel::map::{Map, Set};
use rand::RngExt as _;

use super::{ModalOptions, Popular};
use kernel::order::InOrder as _;
use kernel::rng::Rng;

/// Number of estimates in the head.
pub(super) const HEAD: usize = 20;
/// Share of jobs whose estimate is in the head.
pub(super) const HEAD_SHARE: f64 = 0.89;
/// Shares of the head by popularity rank, except the first: `a exp(b rank) + c`, in percent.
const HEAD_CURVE: [f64; 3] = [14.0491, -0.177531, 0.462513];
/// Exponent of the power law in the popularity rank that the tail's shares follow.
const TAIL_POWER: f64 = -2.267;
/// Shortest maximum that leaves twenty multiples of five minutes: 100 minutes.
pub(super) const LEAST_MAX: u32 = 6000;
const MINUTE: u32 = 60;

/// Estimates, in minutes, that are popular at every site.
const EVERYWHERE: [u32; 15] = [5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080];
/// Steps, in minutes, whose multiples fill the rest of the head, the longest first.
const ROUND: [u32; 10] = [12_000, 6000, 3000, 600, 300, 120, 60, 20, 10, 5];

/// Popularity ranks in the traces SDSC SP2, CTC SP2, KTH SP2 and SDSC Blue. A row is a place in
/// time: the maximum first, then the others from the shortest.
const RANKS: [[u8; 4]; HEAD] = [
    [3, 1, 1, 1],
    [1, 3, 4, 6],
    [4, 4, 10, 5],
    [17, 2, 14, 3],
    [13, 12, 20, 7],
    [7, 9, 2, 2],
    [8, 8, 3, 18],
    [18, 18, 7, 19],
    [2, 6, 12, 4],
    [6, 7, 6, 11],
    [16, 11, 19, 20],
    [10, 20, 5, 9],
    [5, 16, 18, 10],
    [15, 5, 16, 14],
    [14, 14, 9, 13],
    [19, 13, 17, 16],
    [11, 10, 15, 15],
    [12, 15, 13, 17],
    [9, 17, 8, 8],
    [20, 19, 11, 12],
];

/// Number of distinct estimates by number of jobs; linear in between.
const VALUES: [(u32, u32); 7] =
    [(0, 0), (20, 10), (200, 20), (1000, 35), (10_000, 90), (70_000, 340), (250_000, 565)];

/// Draws estimates in seconds and their shares of jobs, the longest first. The shares sum to 1.
pub(super) fn draw(options: &ModalOptions, rng: &mut Rng) -> Vec<(u32, f64)> {
    let max = options.max;
    let popular = &options.popular;
    let times = replaced(head_times(max), popular);
    let (shares, rank_of) = head_shares(max, popular);
    let ranks = ranks(&times, &rank_of, rng);
    let head: Map<u32, f64> =
        times.iter().zip(ranks).map(|(&time, rank)| (time, shares[rank - 1])).collect();
    let values = values(options.jobs) as usize;
    // If the whole head is given, the tail takes the remainder.
    let left = match popular.len() {
        HEAD => 1.0 - popular.iter().map(|one| one.share).sum::<f64>(),
        _ => 1.0 - HEAD_SHARE,
    };
    let tail = tail(&head, max, values - HEAD, left, rng);
    let mut all: Vec<(u32, f64)> = head.into_iter().chain(tail).collect();
    all.order_by_key(|&(time, _)| std::cmp::Reverse(time));
    let sum: f64 = all.iter().map(|(_, share)| share).sum();
    all.iter_mut().for_each(|(_, share)| *share /= sum);
    all
}

/// Returns the number of distinct estimates among `jobs`.
pub(super) fn values(jobs: u32) -> u32 {
    let last = VALUES[VALUES.len() - 1];
    let Some(above) = VALUES.iter().position(|&(most, _)| jobs <= most) else { return last.1 };
    let ((x0, y0), (x1, y1)) = (VALUES[above.max(1) - 1], VALUES[above.max(1)]);
    let slope = f64::from(y1 - y0) / f64::from(x1 - x0);
    y0 + libm::round(f64::from(jobs - x0) * slope) as u32
}

/// Returns the maximum, then the nineteen others from the shortest.
fn head_times(max: u32) -> Vec<u32> {
    let everywhere = EVERYWHERE.map(|minutes| minutes * MINUTE);
    let mut others: Set<u32> = everywhere.into_iter().filter(|&time| time < max).collect();
    for step in ROUND.map(|minutes| minutes * MINUTE) {
        let mut time = max / step * step;
        while time > 0 && others.len() < HEAD - 1 {
            if time != max {
                others.insert(time);
            }
            time -= step;
        }
    }
    std::iter::once(max).chain(others).collect()
}

/// Puts the site's popular estimates into the head. Each new one replaces the nearest default,
/// preferring defaults that are not popular everywhere.
fn replaced(mut times: Vec<u32>, popular: &[Popular]) -> Vec<u32> {
    let given: Vec<u32> = popular.iter().map(|one| one.estimate).collect();
    let (max, defaults) = (times[0], times[1..].to_vec());
    let mut new: Set<u32> = given.iter().copied().filter(|time| !times.contains(time)).collect();
    let is_everywhere =
        |time: &u32| time.is_multiple_of(MINUTE) && EVERYWHERE.contains(&(time / MINUTE));
    for everywhere in [false, true] {
        let mut pairs: Vec<(u32, u32, u32)> = Vec::new();
        for &time in defaults.iter().filter(|time| is_everywhere(time) == everywhere) {
            // A given estimate stays.
            if !given.contains(&time) {
                pairs.extend(new.iter().map(|&new| (new.abs_diff(time), new, time)));
            }
        }
        pairs.sort_unstable();
        for (_, one, old) in pairs {
            if let Some(place) = times.iter().position(|&time| time == old)
                && new.remove(&one)
            {
                times[place] = one;
            }
        }
    }
    debug_assert!(new.is_empty() && times[0] == max);
    times[1..].sort_unstable();
    times
}

/// Returns the head's shares by popularity rank from 1, and the ranks of given shares. The latter
/// are keyed by estimate.
fn head_shares(max: u32, popular: &[Popular]) -> (Vec<f64>, Map<u32, usize>) {
    let [a, b, c] = HEAD_CURVE;
    let curve = (2..=HEAD).map(|rank| (a * libm::exp(b * rank as f64) + c) / 100.0);
    let mut shares: Vec<f64> = std::iter::once(0.0).chain(curve).collect();
    let sum: f64 = shares.iter().sum();
    let of_max = popular.iter().find(|one| one.estimate == max).map(|one| one.share);
    match of_max {
        None => shares[0] = HEAD_SHARE - sum,
        Some(share) => {
            shares[1..].iter_mut().for_each(|other| *other *= (HEAD_SHARE - share) / sum);
            shares[0] = share;
        }
    }
    shares.order_by(|one, other| other.total_cmp(one));
    // A given share replaces the nearest one; the first place is reserved for the maximum.
    let mut by_share: Vec<&Popular> = popular.iter().collect();
    by_share.order_by(|one, other| other.share.total_cmp(&one.share));
    let mut owners: [Option<u32>; HEAD] = [None; HEAD];
    for one in by_share {
        let time = one.estimate;
        let first = if time == max || owners.contains(&Some(max)) { 0 } else { 1 };
        let free = (first..HEAD).filter(|&place| owners[place].is_none());
        let distance = |place: usize| (one.share - shares[place]).abs();
        let place = free.min_by(|&x, &y| distance(x).total_cmp(&distance(y)));
        let place = place.expect("there are at most 20, and 19 without the maximum");
        owners[place] = Some(time);
        shares[place] = one.share;
    }
    let (mut given, mut rest) = (0.0, 0.0);
    for (share, owner) in shares.iter().zip(owners) {
        *if owner.is_some() { &mut given } else { &mut rest } += share;
    }
    let scale = if given < HEAD_SHARE { (HEAD_SHARE - given) / rest } else { 0.0 };
    let mut places: Vec<(f64, Option<u32>)> = (shares.iter().zip(owners))
        .map(|(&share, owner)| (if owner.is_some() { share } else { share * scale }, owner))
        .collect();
    places[1..].order_by(|one, other| other.0.total_cmp(&one.0));
    let rank_of = places
        .iter()
        .enumerate()
        .filter_map(|(place, (_, owner))| owner.map(|time| (time, place + 1)));
    (places.iter().map(|(share, _)| *share).collect(), rank_of.collect())
}

/// Returns the popularity rank of each estimate in the head. Given shares fix theirs. The others
/// draw two of the ranks found in a trace at this place in time or an earlier one, and take the
/// more popular. A rank that no trace has at a later place is taken first.
fn ranks(times: &[u32], given: &Map<u32, usize>, rng: &mut Rng) -> Vec<usize> {
    let last_place = |rank: usize| {
        RANKS.iter().rposition(|ranks| ranks.contains(&(rank as u8))).expect("each rank is there")
    };
    let mut taken = [false; HEAD + 1];
    given.values().for_each(|&rank| taken[rank] = true);
    let mut pool: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(HEAD);
    for (place, time) in times.iter().enumerate() {
        pool.extend(RANKS[place].map(usize::from));
        pool.retain(|&rank| !taken[rank]);
        let free = || (1..=HEAD).filter(|&rank| !taken[rank]);
        let rank = if let Some(&rank) = given.get(time) {
            rank
        } else if place == 0 && !taken[1] {
            1
        } else if let Some(due) = free().find(|&rank| last_place(rank) <= place) {
            due
        } else if pool.is_empty() {
            free().next().expect("there are as many ranks as estimates")
        } else {
            let mut any = || pool[rng.random_range(0..pool.len())];
            any().min(any())
        };
        taken[rank] = true;
        found.push(rank);
    }
    found
}

/// Returns the other estimates: minutes, dense where they are short. They get the shares of the
/// tail, which sum to `whole`, in random order.
fn tail(
    head: &Map<u32, f64>,
    max: u32,
    count: usize,
    whole: f64,
    rng: &mut Rng,
) -> Vec<(u32, f64)> {
    let a = 1.0 + 12.1039 * libm::pow((count + HEAD) as f64, -0.6026);
    let mut times = Set::new();
    for number in 1..=count {
        let x = number as f64 / count as f64;
        let time = (a - 1.0) * x / (a - x) * f64::from(max);
        let minute = libm::round(time / f64::from(MINUTE)) as i64 * i64::from(MINUTE);
        // Half, a third or a sixth of a minute away, if that minute is already taken.
        let beside = [0, 30, -30, 20, -20, 10, -10].map(|seconds| minute + seconds);
        let is_free = |time: &i64| {
            (1..i64::from(max)).contains(time)
                && !times.contains(&(*time as u32))
                && !head.contains_key(&(*time as u32))
        };
        if let Some(time) = beside.into_iter().find(is_free) {
            times.insert(time as u32);
        }
    }
    let mut shares: Vec<f64> =
        (HEAD + 1..=HEAD + times.len()).map(|rank| libm::pow(rank as f64, TAIL_POWER)).collect();
    let sum: f64 = shares.iter().sum();
    for last in (1..shares.len()).rev() {
        shares.swap(last, rng.random_range(0..=last));
    }
    times.into_iter().zip(shares.into_iter().map(|share| share / sum * whole)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    const HOUR: u32 = 3600;
    const DAY: u32 = 18 * HOUR;

    fn options(max: u32, popular: &[(u32, f64)]) -> ModalOptions {
        let popular =
            popular.iter().map(|&(estimate, share)| Popular { estimate, share }).collect();
        ModalOptions { max, jobs: 10_000, popular }
    }

    fn drawn(options: &ModalOptions, seed: u64) -> Vec<(u32, f64)> {
        draw(options, &mut Streams::new(seed).stream("estimates"))
    }

    fn share(histogram: &[(u32, f64)], time: u32) -> f64 {
        histogram.iter().find(|one| one.0 == time).map_or(0.0, |one| one.1)
    }

    #[test]
    fn there_are_as_many_values_as_the_paper_says() {
        // Corners of the paper's figure, and points in between.
        for (jobs, expected) in
            [(1000, 35), (10_000, 90), (40_000, 215), (70_000, 340), (250_000, 565), (900_000, 565)]
        {
            assert_eq!(values(jobs), expected, "{jobs}");
        }
    }

    #[test]
    fn the_head_is_what_people_say_most() {
        let hours = |hours: u32| hours * HOUR;
        let of_18_hours = head_times(DAY);
        assert_eq!(of_18_hours.len(), HEAD);
        assert_eq!(of_18_hours[0], DAY);
        for minutes in [5, 10, 15, 20, 30] {
            assert!(of_18_hours.contains(&(minutes * MINUTE)));
        }
        // 18 h is the maximum; 15, 10 and 5 h, then even hours from 16, fill up the head.
        for wanted in [15, 16, 14].map(hours) {
            assert!(of_18_hours.contains(&wanted), "{wanted}");
        }
        assert!(of_18_hours[1..].is_sorted());
        let least = head_times(LEAST_MAX);
        let fives: Vec<u32> = (1..20).map(|n| n * 5 * MINUTE).collect();
        assert_eq!((least[0], &least[1..]), (LEAST_MAX, &*fives));
    }

    #[test]
    fn shares_are_those_of_the_model_whatever_is_drawn() {
        for seed in 0..20 {
            let histogram = drawn(&options(DAY, &[]), seed);
            assert_eq!(histogram.len(), 90);
            assert!(histogram.windows(2).all(|pair| pair[0].0 > pair[1].0));
            let mut shares: Vec<f64> = histogram.iter().map(|one| one.1).collect();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            shares.sort_by(|one, other| other.total_cmp(one));
            let head: f64 = shares[..HEAD].iter().sum();
            assert!((head - 0.89).abs() < 1e-9, "{head}");
            // 89 less 14.0491 * 4.16246 + 19 * 0.462513, the sum of the curve from 2 to 20.
            assert!((shares[0] - share(&histogram, DAY)).abs() < 1e-12);
            assert!((shares[0] - 0.21733).abs() < 1e-4, "{}", shares[0]);
            assert!((shares[1] - 0.1031).abs() < 1e-4, "{}", shares[1]);
        }
    }

    #[test]
    fn what_a_site_says_is_kept() {
        // SDSC Blue: many jobs request 2 h, few the maximum.
        let max = 36 * HOUR;
        let blue = options(max, &[(max, 0.011), (2 * HOUR, 0.273)]);
        // A value that is not a default replaces one.
        let odd = options(DAY, &[(7 * HOUR + 1260, 0.125)]);
        for seed in 0..20 {
            let histogram = drawn(&blue, seed);
            assert!((share(&histogram, max) - 0.011).abs() < 1e-9);
            assert!((share(&histogram, 2 * HOUR) - 0.273).abs() < 1e-9);
            let head: f64 = head_times(max).iter().map(|&time| share(&histogram, time)).sum();
            assert!((head - 0.89).abs() < 1e-9, "{head}");
            let histogram = drawn(&odd, seed);
            assert!((share(&histogram, 7 * HOUR + 1260) - 0.125).abs() < 1e-9);
            assert_eq!(histogram.len(), 90);
        }
    }

    #[test]
    fn twenty_given_shares_are_all_there_is_in_the_head() {
        for wanted in [0.0445, 0.04, 0.01] {
            let times: Vec<(u32, f64)> =
                head_times(DAY).iter().map(|&time| (time, wanted)).collect();
            let histogram = drawn(&options(DAY, &times), 3);
            for (time, wanted) in times {
                assert!((share(&histogram, time) - wanted).abs() < 1e-9);
            }
            let sum: f64 = histogram.iter().map(|one| one.1).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}
