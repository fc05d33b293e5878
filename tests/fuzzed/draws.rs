//! Decisions drawn from the bytes of an input.

/// The bytes that are left. When there are none, every draw is 0.
pub struct Draws<'a>(pub &'a [u8]);

impl Draws<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0 {
            [] => 0,
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
        }
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        let mut drawn = usize::from(self.byte());
        if end > 256 {
            drawn = drawn << 8 | usize::from(self.byte());
        }
        drawn % end
    }

    /// One of these.
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
