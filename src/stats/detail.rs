//! Precision of the quantiles of a distribution.

/// Precision of the quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// No quantiles.
    None,
    /// One significant digit (under 10% error), up to 7 kB.
    Coarse,
    /// Three significant digits (under 0.1% error), up to 0.4 MB. Only touched pages use memory.
    Full,
}

impl Detail {
    pub(super) fn digits(self) -> u8 {
        match self {
            Detail::None => 0,
            Detail::Coarse => 1,
            Detail::Full => 3,
        }
    }

    /// Leading bits of an amount that tell its bucket.
    pub(super) fn bits(self) -> u32 {
        (2 * 10_u64.pow(self.digits().into())).next_power_of_two().ilog2()
    }

    /// Number of amounts that are listed, which takes a 25th of the memory of the histogram.
    pub(super) fn most_listed(self) -> usize {
        1 << self.bits()
    }

    /// Largest amount in the histogram's bucket of this one.
    pub(super) fn end_of_bucket(self, amount: u64) -> u64 {
        let used = u64::BITS - amount.leading_zeros();
        amount | ((1 << used.saturating_sub(self.bits())) - 1)
    }
}
