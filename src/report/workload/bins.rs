//! Histograms on a logarithmic scale, exact at every bin limit.

use kernel::time::{Span, TICKS_PER_UNIT};
use stats::shown::count;

/// Bin limits 1, 2, 5, 10, 20, ... in ticks, as far as they are below 2^63.
const LIMITS: [u64; 57] = limits();

const fn limits() -> [u64; 57] {
    let mut limits = [0; 57];
    let (mut index, mut decade) = (0, 1);
    while index < 57 {
        limits[index] = decade * [1, 2, 5][index % 3];
        if index % 3 == 2 {
            decade *= 10;
        }
        index += 1;
    }
    limits
}

/// A bin that is not empty, or lies between two such bins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bin {
    /// Lower limit (inclusive).
    pub from: f64,
    /// Upper limit (exclusive); `None` for the last bin.
    pub to: Option<f64>,
    pub jobs: u64,
    pub label: String,
}

/// Histogram of time spans, with limits 1, 2 and 5 in each decade.
#[derive(Clone, Debug)]
pub(super) struct ByDecade {
    /// Counts below each limit and not below the previous one; the last count is above all limits.
    below: [u64; LIMITS.len() + 1],
}

impl Default for ByDecade {
    fn default() -> ByDecade {
        ByDecade { below: [0; LIMITS.len() + 1] }
    }
}

impl ByDecade {
    pub fn record(&mut self, ticks: u64) {
        self.below[LIMITS.partition_point(|&limit| limit <= ticks)] += 1;
    }

    /// Bins from the smallest amount to the largest.
    pub fn bins(&self) -> Vec<Bin> {
        let Some((first, last)) = ends(&self.below) else { return Vec::new() };
        (first..=last).map(|index| self.bin(index, self.below[index])).collect()
    }

    /// Bins for a plot: few small amounts share the first bin, and long gaps are collapsed.
    pub fn plotted(&self) -> Vec<Bin> {
        /// Largest share of the jobs that are merged into the first bin.
        const MOST: f64 = 0.005;
        let Some((first, last)) = ends(&self.below) else { return Vec::new() };
        let most = (self.below.iter().sum::<u64>() as f64 * MOST) as u64;
        let (mut begin, mut few) = (first, self.below[first]);
        while begin < last && few + self.below[begin + 1] <= most {
            begin += 1;
            few += self.below[begin];
        }
        let mut bins = Vec::new();
        if few <= most && begin < last && LIMITS[begin] > 1 {
            let to = limit(begin);
            let label = format!("below {}", short(begin));
            bins.push(Bin { from: 0.0, to: Some(to), jobs: few, label });
            begin += 1;
        } else {
            begin = first;
        }
        bins.extend((begin..=last).map(|index| self.bin(index, self.below[index])));
        without_gaps(bins)
    }

    fn bin(&self, index: usize, jobs: u64) -> Bin {
        if index == 0 {
            return Bin { from: 0.0, to: Some(limit(0)), jobs, label: "0".to_owned() };
        }
        let (from, to) = (limit(index - 1), (index < LIMITS.len()).then(|| limit(index)));
        let label = match to {
            Some(_) => format!("{} - {}", short(index - 1), short(index)),
            None => format!("from {}", short(index - 1)),
        };
        Bin { from, to, jobs, label }
    }
}

/// Replaces long runs of empty bins by a single one.
fn without_gaps(bins: Vec<Bin>) -> Vec<Bin> {
    /// Longest run of empty bins that is shown in full.
    const MOST: usize = 3;
    let mut shown = Vec::new();
    for row in bins.chunk_by(|a, b| (a.jobs == 0) == (b.jobs == 0)) {
        match row {
            [first, .., last] if first.jobs == 0 && row.len() > MOST => {
                shown.push(Bin { from: first.from, to: last.to, jobs: 0, label: "...".to_owned() });
            }
            row => shown.extend_from_slice(row),
        }
    }
    shown
}

/// A limit as a person reads it.
fn short(index: usize) -> String {
    let units = LIMITS[index] / TICKS_PER_UNIT.unsigned_abs();
    if units > 0 { count(units) } else { Span::from_ticks(LIMITS[index] as i64).to_string() }
}

/// A limit in units.
fn limit(index: usize) -> f64 {
    Span::from_ticks(LIMITS[index] as i64).as_units()
}

fn ends(counts: &[u64]) -> Option<(usize, usize)> {
    let first = counts.iter().position(|&count| count > 0)?;
    let last = counts.iter().rposition(|&count| count > 0)?;
    Some((first, last))
}

/// Histogram of processors by powers of two: 1, 2, 3 and 4, 5 to 8, ...
#[derive(Clone, Debug)]
pub(super) struct ByDoubling {
    /// Count of widths up to 2 to the power of the index, and above the previous power.
    upto: [u64; 33],
}

impl Default for ByDoubling {
    fn default() -> ByDoubling {
        ByDoubling { upto: [0; 33] }
    }
}

impl ByDoubling {
    pub fn record(&mut self, processors: u32) {
        let bits = u32::BITS - processors.saturating_sub(1).leading_zeros();
        self.upto[bits as usize] += 1;
    }

    /// Bins from the narrowest to the widest.
    pub fn bins(&self) -> Vec<Bin> {
        let Some((first, last)) = ends(&self.upto) else { return Vec::new() };
        (first..=last)
            .map(|bits| {
                let last = 1_u64 << bits;
                let first = last / 2 + 1;
                let label = if bits < 2 { last.to_string() } else { format!("{first} - {last}") };
                let to = Some((last + 1) as f64);
                let from = if bits == 0 { 1.0 } else { first as f64 };
                Bin { from, to, jobs: self.upto[bits], label }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bins: &[Bin]) -> Vec<(&str, u64)> {
        bins.iter().map(|bin| (&*bin.label, bin.jobs)).collect()
    }

    #[test]
    fn amounts_fall_between_their_limits() {
        let mut bins = ByDecade::default();
        for ticks in [0, 999_999, 1_000_000, 1_999_999, 2_000_000, 5_000_000, 9_999_999] {
            bins.record(ticks);
        }
        let bins = bins.bins();
        assert_eq!(bins[0].label, "0");
        assert_eq!(bins.iter().map(|bin| bin.jobs).sum::<u64>(), 7);
        let last = shown(&bins[bins.len() - 4..]);
        assert_eq!(last, [("0.5 - 1", 1), ("1 - 2", 2), ("2 - 5", 1), ("5 - 10", 2)]);
        let mut bins = ByDecade::default();
        for ticks in [1, u64::MAX] {
            bins.record(ticks);
        }
        let bins = bins.bins();
        assert_eq!((bins.len(), bins[0].from, bins[56].to), (57, 1e-6, None));
        assert_eq!(bins[56].label, "from 5 000 000 000 000");
    }

    #[test]
    fn a_plot_begins_where_jobs_are() {
        let mut bins = ByDecade::default();
        (0..1000).for_each(|_| bins.record(3_000_000));
        assert_eq!(shown(&bins.plotted()), [("2 - 5", 1000)]);
        for ticks in [0, 1, 1_500_000, 700_000_000] {
            bins.record(ticks);
        }
        let plotted = bins.plotted();
        let expected = [("below 2", 3), ("2 - 5", 1000), ("...", 0), ("500 - 1 000", 1)];
        assert_eq!(shown(&plotted), expected);
        assert_eq!((plotted[0].from, plotted[0].to), (0.0, Some(2.0)));
    }

    #[test]
    fn processors_fall_between_powers_of_two() {
        let mut bins = ByDoubling::default();
        for processors in [1, 2, 3, 4, 5, 8, 9] {
            bins.record(processors);
        }
        let found = bins.bins();
        let expected = [("1", 1), ("2", 1), ("3 - 4", 2), ("5 - 8", 2), ("9 - 16", 1)];
        assert_eq!(shown(&found), expected);
        bins.record(u32::MAX);
        assert_eq!(bins.bins()[32].to, Some(4_294_967_297.0));
    }
}
