//! Powers of two, uniform on a range, and serial jobs.

use super::WidthDraw;
use crate::draw::Table;
use crate::parameters::{PROCESSORS, in_order};
use crate::values::ValuesError;
use model::bounds::{PROBABILITY, parameters};
use model::invalid::Invalid;

parameters! {
    /// Uniform over the powers of two in a range.
    #[derive(Copy)]
    pub struct Options {
        /// Minimum, a power of two.
        min: u32 as PROCESSORS = 1,
        /// Maximum, a power of two.
        max: u32 as PROCESSORS = 1,
        /// Probability of a serial job, which uses 1 processor, before a power of two is drawn.
        #[serde(default)]
        serial: f64 as PROBABILITY = 0.0,
    }
    where are_powers_in_order
}

impl Options {
    fn are_powers_in_order(&self) -> Result<(), Invalid> {
        in_order(self.min, self.max)?;
        for (key, number) in [("min", self.min), ("max", self.max)] {
            if !number.is_power_of_two() {
                return Err(Invalid::new(key, format!("{number} is not a power of two")));
            }
        }
        Ok(())
    }

    pub(super) fn draw(&self) -> Result<WidthDraw, ValuesError> {
        let Options { min, max, serial } = *self;
        let powers = min.trailing_zeros()..=max.trailing_zeros();
        let each = (1.0 - serial) / f64::from(max.trailing_zeros() - min.trailing_zeros() + 1);
        let mut rows: Vec<(i64, f64)> = powers.map(|power| (1 << power, each)).collect();
        rows.push((1, serial));
        let table = Table::new(&rows);
        Ok(WidthDraw::Table(table.expect("probabilities that sum to 1 are weights")))
    }
}
