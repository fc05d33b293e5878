//! The course of a figure in a few characters: `▁▂▃▆█`.

/// Most characters, an even number.
const MOST: usize = 24;

/// Values since the beginning, as sums of equally many one after the other.
#[derive(Debug)]
pub(super) struct Trend {
    /// The last one may not be full.
    sums: Vec<f64>,
    /// Number of values in each sum, and in the last one.
    each: u32,
    last: u32,
}

impl Default for Trend {
    fn default() -> Trend {
        Trend { sums: Vec::new(), each: 1, last: 1 }
    }
}

impl Trend {
    /// Adds a value.
    pub fn put(&mut self, value: f64) {
        if self.last == self.each {
            if self.sums.len() == MOST {
                self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
                self.each *= 2;
            }
            self.sums.push(0.0);
            self.last = 0;
        }
        self.sums.last_mut().into_iter().for_each(|sum| *sum += value);
        self.last += 1;
    }

    /// True if all values are 0.
    pub fn is_nothing(&self) -> bool {
        self.sums.iter().all(|sum| *sum <= 0.0)
    }

    /// A character for each full sum, by its height between the least and the largest.
    pub fn bars(&self) -> String {
        let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let full = &self.sums[..self.sums.len() - usize::from(self.last < self.each)];
        let least = full.iter().copied().fold(f64::INFINITY, f64::min);
        let most = full.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let height = |value: &f64| match most > least {
            true => ((value - least) / (most - least) * 7.0).round() as usize,
            false => 0,
        };
        full.iter().map(|value| bars[height(value)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_has_all_values_in_a_few_characters() {
        let mut trend = Trend::default();
        assert_eq!((trend.bars(), trend.is_nothing()), (String::new(), true));
        (0..4).for_each(|value| trend.put(f64::from(value)));
        assert_eq!((&*trend.bars(), trend.is_nothing()), ("▁▃▆█", false));
        (4..1000).for_each(|value| trend.put(f64::from(value)));
        let bars: Vec<char> = trend.bars().chars().collect();
        assert!((MOST / 2..=MOST).contains(&bars.len()) && bars.is_sorted(), "{bars:?}");
    }
}
