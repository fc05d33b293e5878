//! Lies of members about their queues (Rzadca and Trystram 2009, section 7).

use kernel::time::Span;
use serde::{Deserialize, Serialize};

/// A way to declare a longer queue to the balancer than one has: it takes less foreign work, and sends
/// more of its own. Promises are kept, as what is promised is later than what is done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Lie {
    /// Factor of the queue, at least 1.
    pub factor: f64,
    /// Work that is added.
    pub add: Span,
    /// True if it declares at least its participation level.
    pub at_least_level: bool,
}

impl Lie {
    /// The work that is declared beyond a queue.
    pub fn padding(&self, load: Span, level: Option<Span>) -> Span {
        let declared = (load.ticks() as f64 * self.factor).round() + self.add.ticks() as f64;
        // Far more than any queue, and far from overflow.
        let declared = Span::from_ticks(declared.min(1e15) as i64);
        let least = level.filter(|_| self.at_least_level).unwrap_or(Span::ZERO);
        (declared.max(least) - load).max(Span::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_queue_is_longer_by_factor_sum_and_level() {
        let lie =
            |factor, add, at_least_level| Lie { factor, add: Span::units(add), at_least_level };
        let padding = |lie: Lie| lie.padding(Span::units(8), Some(Span::units(20))).as_units();
        assert_eq!(padding(lie(1.25, 0, false)), 2.0);
        assert_eq!(padding(lie(1.0, 5, false)), 5.0);
        assert_eq!(padding(lie(1.5, 1, true)), 12.0);
        assert_eq!(lie(1.0, 0, true).padding(Span::units(30), Some(Span::units(20))), Span::ZERO);
        assert_eq!(lie(1.0, 0, true).padding(Span::units(30), None), Span::ZERO);
    }
}
