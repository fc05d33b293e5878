//! Members that cheat the balancer (Rzadca and Trystram 2009, section 7).

use kernel::time::Span;
use serde::{Deserialize, Serialize};

/// A way to cheat: to declare another queue to the balancer than one has, to delay others' work, or to send
/// work without worth.
///
/// A longer queue takes less foreign work and sends more of its own; what it promises is kept, as it is
/// later than what is done. A shorter one takes more than can be done by the time that is promised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Lie {
    /// Factor of the queue; below 1 it declares a shorter one.
    pub factor: f64,
    /// Work that is added.
    pub add: Span,
    /// True if it declares at least its participation level.
    pub at_least_level: bool,
    /// Time by which others' work is done later than it could be. Own jobs that come later are done
    /// before it, as long as it takes no longer.
    pub delay: Span,
    /// Work without worth that is ready at every balancing. It is sent before jobs, and the rest is dropped.
    #[serde(default)]
    pub dummy: Span,
    /// True if it comes back under a new name once it is excluded.
    pub new_name: bool,
}

impl Lie {
    /// Honest play: the queue is declared as it is, and nothing is delayed.
    pub const HONEST: Lie = Lie {
        factor: 1.0,
        add: Span::ZERO,
        at_least_level: false,
        delay: Span::ZERO,
        dummy: Span::ZERO,
        new_name: false,
    };

    /// True if nothing that it does can be held against it.
    pub fn is_honest(&self) -> bool {
        Lie { new_name: false, ..*self } == Lie::HONEST
    }

    /// True if it may do others' work later than it promised.
    pub fn breaks_promises(&self) -> bool {
        self.factor < 1.0 || self.delay > Span::ZERO
    }

    /// The queue that it declares.
    pub fn declared(&self, load: Span, level: Option<Span>) -> Span {
        let declared = (load.ticks() as f64 * self.factor).round() + self.add.ticks() as f64;
        // Far more than any queue, and far from overflow.
        let declared = Span::from_ticks(declared.min(1e15) as i64);
        declared.max(level.filter(|_| self.at_least_level).unwrap_or(Span::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_queue_differs_by_factor_sum_and_level() {
        let lie = |factor, add, at_least_level| Lie {
            factor,
            add: Span::units(add),
            at_least_level,
            ..Lie::HONEST
        };
        let declared = |lie: Lie, load, level: Option<i64>| {
            lie.declared(Span::units(load), level.map(Span::units)).as_units()
        };
        assert_eq!(declared(lie(1.25, 0, false), 8, Some(20)), 10.0);
        assert_eq!(declared(lie(0.5, 0, false), 8, Some(20)), 4.0);
        assert_eq!(declared(lie(1.0, 5, false), 8, Some(20)), 13.0);
        assert_eq!(declared(lie(1.5, 1, true), 8, Some(20)), 20.0);
        assert_eq!(declared(lie(1.0, 0, true), 30, Some(20)), 30.0);
        assert_eq!(declared(lie(1.0, 0, true), 30, None), 30.0);
    }
}
