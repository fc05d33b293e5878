//! The difference and the ratio of two figures that were measured in pairs, on the same draws.
//!
//! Each pair holds what one replication gave under either of two policies. Both figures are pooled
//! over the pairs (ratio estimators, of which plain means are a special case), and the error of
//! their difference is that of its residuals, one a pair (the delta method: Cochran, Sampling
//! Techniques, 1977, section 6.3). What both policies have in common, such as a burst of jobs, is
//! not in the residuals: this is what common random numbers save (Law, Simulation Modeling and
//! Analysis, 2015, section 11.2).
//!
//! Intervals are Student's. Where the residuals are too skewed for that, by Cochran's rule (section
//! 2.15: n must exceed 25 g², g being their skewness), they are symmetric bootstrap-t intervals
//! (Hall, The Bootstrap and Edgeworth Expansion, 1992, section 3.6), and there are none from fewer
//! than twenty pairs.
//!
//! The interval of the ratio is Fieller's (Journal of the Royal Statistical Society B 16(2), 1954): all
//! ratios that the same test does not reject. It therefore contains 1 exactly if the interval of the
//! difference contains 0.

use rand::RngExt as _;

use super::interval::{Dependence, Interval, Level};
use super::student;
use kernel::order::InOrder as _;
use kernel::rng::Rng;

/// Number of bootstrap samples; more where so many verdicts hold together that the smallest p-value of
/// these could not decide one (see [`resamples`]).
pub const RESAMPLES: usize = 9_999;
/// Fewest pairs of skewed differences that say anything. Bootstrap samples from eight pairs of
/// exponential differences reject a true mean in 8% of the cases, from twenty in 6%.
pub const FEWEST_SKEWED: usize = 20;
/// Fewest blocks of weeks.
const FEWEST_BLOCKS: usize = 8;
/// Fewest pairs, by what they are worth where they resemble their neighbours, that say anything.
pub const FEWEST_WORTH: f64 = 8.0;
/// Residuals below this share of what they are the difference of are rounding errors.
const ROUNDING: f64 = 1e-12;

/// Result of a replication under one policy: a value, and its weight, which is the number of jobs or
/// the length that it is a mean over (1 for plain means, 0 if there is no value).
pub type Weighed = [f64; 2];

/// Two figures measured in pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// Number of pairs in which both have a value.
    pub pairs: u64,
    /// The figure of the base, pooled over the pairs.
    pub base: f64,
    /// The other figure.
    pub other: f64,
    /// Other less base.
    pub difference: Change,
    /// The variance of the base, its covariance with the other figure, and the variance of that.
    moments: [f64; 3],
    /// Variance that the difference would have with independent draws, over the variance that it
    /// has; `None` if it has none.
    pub saved: Option<f64>,
}

/// An amount with the residuals that its error follows from.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The amount.
    pub value: f64,
    /// Its standard error.
    pub standard: f64,
    residuals: Vec<f64>,
    is_skewed: bool,
    /// Number of pairs from which on Student's t suits differences of this skewness.
    pub enough: u64,
    /// True if the pairs come one after the other.
    in_order: bool,
}

/// An error with its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Error {
    standard: f64,
    freedom: u64,
}

/// Method of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Student's t over the pairs.
    Pairs,
    /// The same over independent samples, whose values are put together by number.
    Independent,
    /// Symmetric bootstrap-t over the pairs.
    Bootstrap,
    /// Student's t over pairs of weeks.
    Weeks,
    /// None: the differences are skewed, and there are too few.
    TooFew,
}

impl By {
    /// Name of the method in files.
    pub fn name(self) -> &'static str {
        match self {
            By::Pairs => "pairs",
            By::Independent => "independent",
            By::Bootstrap => "bootstrap",
            By::Weeks => "weeks",
            By::TooFew => "too_few",
        }
    }
}

/// The error of a change, once drawn samples have told its shape where that is needed.
#[derive(Clone, Debug)]
pub struct Spread {
    by: By,
    standard: f64,
    /// Errors of which the largest counts, at any level; none if the pairs do not tell it.
    errors: Vec<Error>,
    /// The p-value of a value that is the same in every pair, which figures that count something may
    /// be by chance: that of the sign test, that all are on one side of 0.
    alike: f64,
    /// Distances of bootstrap samples from their mean in standard errors, in order from [`tail`] on.
    distances: Vec<f64>,
}

impl Paired {
    /// Compares two figures by their pairs; `None` if there are fewer than two with both values, or if
    /// all are alike although the figures differ: repetitions of one outcome say nothing of chance.
    pub fn of(pairs: &[[Weighed; 2]]) -> Option<Paired> {
        let pairs: Vec<&[Weighed; 2]> =
            pairs.iter().filter(|pair| pair.iter().any(|one| one[1] > 0.0)).collect();
        let both = pairs.iter().filter(|pair| pair.iter().all(|one| one[1] > 0.0)).count() as u64;
        if both < 2 {
            return None;
        }
        let pooled = |side: usize| {
            let filled = pairs.iter().map(|pair| pair[side]).filter(|one| one[1] > 0.0);
            let (sum, weight) = filled
                .fold((0.0, 0.0), |all, [value, weight]| (all.0 + value * weight, all.1 + weight));
            (sum / weight, weight / pairs.len() as f64)
        };
        let [(base, base_weight), (other, other_weight)] = [pooled(0), pooled(1)];
        let residual = |[value, weight]: Weighed, figure: f64, mean: f64| match weight > 0.0 {
            true => (value - figure) * weight / mean,
            false => 0.0,
        };
        let residuals: Vec<[f64; 2]> = (pairs.iter())
            .map(|pair| {
                [residual(pair[0], base, base_weight), residual(pair[1], other, other_weight)]
            })
            .collect();
        let scale = base.abs().max(other.abs());
        let difference = Change::new(other - base, scale, residuals.iter().map(|[a, b]| b - a));
        let number = pairs.len() as f64;
        let moment = |one: usize, other: usize| {
            let products = residuals.iter().map(|pair| pair[one] * pair[other]);
            products.sum::<f64>() / (number - 1.0) / number
        };
        let moments = [moment(0, 0), moment(0, 1), moment(1, 1)];
        let independent = moments[0] + moments[2];
        let is_still = independent <= ROUNDING * ROUNDING * scale * scale;
        if base != other && is_still {
            return None;
        }
        let paired = difference.standard * difference.standard;
        let saved = (paired > 0.0).then(|| independent / paired);
        Some(Paired { pairs: both, base, other, difference, moments, saved })
    }

    /// The interval of the relative difference, other / base - 1, by the test of the difference: from -1
    /// to infinity, as far as the pairs tell. `None` unless both figures are above 0.
    pub fn relative(&self, spread: &Spread, level: Level) -> Option<Interval> {
        let Paired { base, other, moments: [aa, ab, bb], .. } = *self;
        if !(base > 0.0 && other > 0.0) {
            return None;
        }
        let half_width = spread.half_width(level);
        if half_width.is_infinite() {
            return Some(Interval { low: -1.0, high: f64::INFINITY });
        }
        // Equal in every pair, so are they in the ratio, whatever the error of the base.
        if half_width <= 0.0 && base == other {
            return Some(Interval { low: 0.0, high: 0.0 });
        }
        // A change v is rejected if |other - (1 + v) base| is above so many standard errors of d - v a,
        // d and a being the residuals of the difference and of the base.
        let alone = student::two_sided(level.share(), self.pairs - 1);
        let variance = aa - 2.0 * ab + bb;
        let times = if half_width > 0.0 { half_width / variance.sqrt() } else { alone };
        // Where the difference is so skewed that the base may be 0 by its errors, the base is not.
        let is_too_wide = spread.by == By::Bootstrap && base * base <= times * times * aa;
        let of_base = if is_too_wide { alone } else { times };
        let square = base * base - of_base * of_base * aa;
        let middle = (other - base) * base - times * of_base * (ab - aa);
        let rest = (other - base).powi(2) - times * times * variance;
        let root = (middle * middle - square * rest).max(0.0).sqrt();
        let ends = [(middle - root) / square, (middle + root) / square];
        let (low, high) = match other / base - 1.0 {
            _ if square > 0.0 => (ends[0], ends[1]),
            // The base may be 0: ratios between the ends are rejected, if any are.
            change if root > 0.0 && change >= ends[0] => (ends[0], f64::INFINITY),
            _ if root > 0.0 => (-1.0, ends[1]),
            _ => (-1.0, f64::INFINITY),
        };
        Some(Interval { low: low.max(-1.0), high })
    }

    /// The same of pairs that come one after the other, such as the weeks of a trace, and may resemble
    /// their neighbours.
    ///
    /// A first-order autoregression with the correlation c of neighbouring residuals multiplies the
    /// variance by (1 + c) / (1 - c), and leaves n (1 - c) / (1 + c) of n pairs, which are the degrees
    /// of freedom plus one. c is the estimate less its bias (Kendall, Biometrika 41, 1954), and at least
    /// 0. Weeks that resemble each other for longer show it in blocks of two, four and so on, at least
    /// eight of them: of all these intervals the widest counts. There is none if fewer than eight pairs
    /// are left.
    #[must_use]
    pub fn in_order(self) -> Paired {
        Paired { difference: Change { in_order: true, ..self.difference }, saved: None, ..self }
    }

    /// Compares two figures that are not means, such as quantiles, by their values in sections of
    /// both samples (the sectioning method: Nakayama, ACM Trans. Model. Comput. Simul. 24(4), 2014).
    ///
    /// `whole` are the figures of the whole samples. `None` if there are fewer than two sections.
    pub fn of_sections(whole: [f64; 2], pairs: &[[Weighed; 2]]) -> Option<Paired> {
        let paired = Paired::of(pairs)?;
        let [base, other] = whole;
        let difference = Change { value: other - base, ..paired.difference };
        Some(Paired { base, other, difference, ..paired })
    }
}

/// The error of a figure by its residuals, which come one after the other as in [`Paired::in_order`], and
/// the number of independent ones that they are worth. Residuals that are small against `scale` are
/// rounding errors.
pub fn in_order(value: f64, scale: f64, residuals: impl Iterator<Item = f64>) -> (Spread, f64) {
    let change = Change { in_order: true, ..Change::new(value, scale, residuals) };
    (change.undrawn(), change.in_blocks(1).0)
}

impl Change {
    /// A change with the residual of each pair; those small against `scale` are rounding errors.
    fn new(value: f64, scale: f64, residuals: impl Iterator<Item = f64>) -> Change {
        let residuals: Vec<f64> = residuals.collect();
        let number = residuals.len() as f64;
        let moment = |power: i32| residuals.iter().map(|one| one.powi(power)).sum::<f64>();
        let squares = moment(2);
        if squares <= ROUNDING * ROUNDING * scale * scale * number {
            return Change {
                value,
                standard: 0.0,
                residuals: vec![0.0; residuals.len()],
                is_skewed: false,
                enough: 0,
                in_order: false,
            };
        }
        let variance = squares / (number - 1.0);
        let skewness = moment(3) / number / variance.powf(1.5);
        let enough = (25.0 * skewness * skewness).ceil();
        let is_skewed = number < enough;
        Change {
            value,
            standard: (variance / number).sqrt(),
            residuals,
            is_skewed,
            enough: enough as u64,
            in_order: false,
        }
    }

    /// The errors of the mean residual by blocks of one, two, four pairs and so on; none if too few
    /// pairs are left once their likeness is counted.
    fn errors_in_order(&self) -> Vec<Error> {
        let number = self.residuals.len();
        let sizes = (0..usize::BITS).map(|power| 1 << power);
        sizes
            .take_while(|&of| of == 1 || number / of >= 2 * FEWEST_BLOCKS)
            .map_while(|of| {
                let (worth, standard) = self.in_blocks(of);
                (worth >= FEWEST_WORTH).then(|| Error { standard, freedom: worth as u64 - 1 })
            })
            .collect()
    }

    /// The number of independent blocks of so many pairs that those there are are worth, and the standard
    /// error by them.
    fn in_blocks(&self, of: usize) -> (f64, f64) {
        let number = self.residuals.len();
        let blocks = number / of;
        let bounds = |block: usize| block * number / blocks;
        let sum = |block| self.residuals[bounds(block)..bounds(block + 1)].iter().sum::<f64>();
        let blocks: Vec<f64> = (0..blocks).map(sum).collect();
        let count = blocks.len() as f64;
        let seen = Dependence::of(&blocks).map_or(0.0, |one| one.correlation);
        let correlation = (seen + (1.0 + 3.0 * seen) / count).clamp(0.0, 0.99);
        let factor = (1.0 + correlation) / (1.0 - correlation);
        let worth = count / factor;
        let squares = blocks.iter().map(|one| one * one).sum::<f64>();
        let variance = squares / (count - 1.0) / (1.0 - 1.0 / worth);
        (worth, (variance * factor / count).sqrt() * count / number as f64)
    }

    /// The error of the change, without bootstrap samples.
    fn undrawn(&self) -> Spread {
        let freedom = (self.residuals.len() as u64).saturating_sub(1).max(1);
        let error = Error { standard: self.standard, freedom };
        let (by, errors) = match () {
            () if self.in_order => (By::Weeks, self.errors_in_order()),
            () if !self.is_skewed => (By::Pairs, vec![error]),
            () if self.residuals.len() < FEWEST_SKEWED => (By::TooFew, Vec::new()),
            () => (By::Bootstrap, vec![error]),
        };
        // Weeks in order have the error of the smallest blocks, and with too few of them no end.
        let known = errors.first().map_or(f64::INFINITY, |first| first.standard);
        let standard = if self.standard == 0.0 { 0.0 } else { known };
        let alike = if self.value == 0.0 { 0.0 } else { 0.5_f64.powi(freedom as i32) };
        Spread { by, standard, errors, alike, distances: Vec::new() }
    }
}

/// Changes that are drawn side by side.
const LANES: usize = 8;

/// The errors of several changes, in their order. Where Student's t does not do, so many bootstrap
/// samples are drawn. Changes of equally many pairs have the same samples of pairs, which `rng` draws for
/// this number.
///
/// The time is in proportion to the samples, the pairs and the changes; drawing itself, which is what
/// costs most, is done once for all changes.
pub fn spreads(changes: &[&Change], resamples: usize, rng: impl Fn(usize) -> Rng) -> Vec<Spread> {
    let mut spreads: Vec<Spread> = changes.iter().map(|one| one.undrawn()).collect();
    let pairs = |at: &usize| changes[*at].residuals.len();
    let mut drawn: Vec<usize> =
        (0..changes.len()).filter(|&at| spreads[at].by == By::Bootstrap).collect();
    drawn.order_by_key(pairs);
    for alike in drawn.chunk_by(|one, other| pairs(one) == pairs(other)) {
        let number = pairs(&alike[0]);
        let residual = |at: &usize, pair: usize| changes[*at].residuals[pair];
        // The residuals of a pair side by side, for so many changes at a time.
        let lanes: Vec<Vec<[f64; LANES]>> = (alike.chunks(LANES))
            .map(|some| {
                let of_pair = |pair| {
                    std::array::from_fn(|at| some.get(at).map_or(0.0, |one| residual(one, pair)))
                };
                (0..number).map(of_pair).collect()
            })
            .collect();
        let mut distances = vec![Vec::with_capacity(resamples); alike.len()];
        let mut rng = rng(number);
        let mut sample = vec![0; number];
        for _ in 0..resamples {
            sample.fill_with(|| rng.random_range(0..number));
            for (some, residuals) in distances.chunks_mut(LANES).zip(&lanes) {
                let drawn = distances_of(&sample, residuals);
                some.iter_mut().zip(drawn).for_each(|(all, one)| all.push(one));
            }
        }
        for (&at, mut distances) in alike.iter().zip(distances) {
            let (_, _, largest) = distances.select_nth_unstable_by(tail(resamples), f64::total_cmp);
            largest.sort_unstable_by(f64::total_cmp);
            spreads[at].distances = distances;
        }
    }
    spreads
}

/// Distances of the means of a sample from 0, in standard errors.
fn distances_of(sample: &[usize], residuals: &[[f64; LANES]]) -> [f64; LANES] {
    let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
    for &pair in sample {
        for (lane, residual) in residuals[pair].iter().enumerate() {
            sums[lane] += residual;
            squares[lane] += residual * residual;
        }
    }
    let count = sample.len() as f64;
    for (sum, squares) in sums.iter_mut().zip(squares) {
        let mean = *sum / count;
        let variance = (squares - *sum * mean) / (count - 1.0) / count;
        let is_still = variance <= ROUNDING * squares;
        *sum = if is_still { f64::INFINITY } else { mean.abs() / variance.sqrt() };
    }
    sums
}

/// The place in bootstrap distances from which on they are in order: the largest tenth, in which nearly
/// all levels and p-values are.
fn tail(resamples: usize) -> usize {
    resamples - resamples / 10 - 1
}

impl Spread {
    /// The method behind it.
    pub fn by(&self) -> By {
        self.by
    }

    /// The standard error; infinite where the sample does not tell it.
    pub fn standard(&self) -> f64 {
        self.standard
    }

    /// Half of the width of the interval at a level; infinite where the sample does not tell it.
    pub fn half_width(&self, level: Level) -> f64 {
        if self.standard == 0.0 {
            return if self.alike <= 1.0 - level.share() { 0.0 } else { f64::INFINITY };
        }
        match self.by {
            By::Pairs | By::Independent | By::Weeks | By::TooFew => {
                let half =
                    |one: &Error| student::two_sided(level.share(), one.freedom) * one.standard;
                self.errors.iter().map(half).reduce(f64::max).unwrap_or(f64::INFINITY)
            }
            By::Bootstrap => {
                let rank = (level.share() * (self.distances.len() + 1) as f64).ceil() as usize;
                let times = match rank.max(1) - 1 {
                    beyond if beyond >= self.distances.len() => f64::INFINITY,
                    at if at >= tail(self.distances.len()) => self.distances[at],
                    at => *self.distances.clone().select_nth_unstable_by(at, f64::total_cmp).1,
                };
                times * self.standard
            }
        }
    }

    /// The difference that a comparison of this kind finds in 8 of 10 cases at least: one that is so far
    /// from 0 that its test fails with a probability of a fifth only, by the normal distribution. The
    /// standard error is taken to be as large as it is at most with 95% confidence, since that of few or
    /// skewed differences is often too small.
    pub fn found_in_most(&self, level: Level) -> f64 {
        let found = |one: &Error| {
            let times = student::two_sided(level.share(), one.freedom);
            (times + student::normal_two_sided(0.6))
                * one.standard
                * student::most_of_deviation(one.freedom)
        };
        self.errors.iter().map(found).reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    /// The interval about a value.
    pub fn interval(&self, value: f64, level: Level) -> Interval {
        Interval::around(value, self.half_width(level))
    }

    /// The probability of a value so far from 0 if it were 0: the p-value of a two-sided test.
    pub fn p(&self, value: f64) -> f64 {
        if self.standard == 0.0 {
            return if value == 0.0 { 1.0 } else { self.alike };
        }
        match self.by {
            By::Pairs | By::Independent | By::Weeks | By::TooFew => {
                let p = |one: &Error| student::beyond(value.abs() / one.standard, one.freedom);
                self.errors.iter().map(p).reduce(f64::max).unwrap_or(1.0)
            }
            By::Bootstrap => {
                let distance = value.abs() / self.standard;
                let below = self.distances.iter().filter(|one| **one < distance).count();
                (self.distances.len() - below + 1) as f64 / (self.distances.len() + 1) as f64
            }
        }
    }
}

/// The number of bootstrap samples for so many verdicts that hold together at a level: the smallest
/// p-value, times their number, is at most half of what the level leaves.
pub fn resamples(verdicts: usize, level: Level) -> usize {
    let wanted = 2.0 * verdicts as f64 / (1.0 - level.share());
    RESAMPLES.max(wanted.ceil() as usize)
}

/// Adjusts the p-values of several tests, so that the chance of any false alarm among them stays
/// below the level that each is compared with, however they depend on each other (Holm, Scandinavian
/// Journal of Statistics 6(2), 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&one, &other| p[one].total_cmp(&p[other]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max((p.len() - rank) as f64 * p[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests;
