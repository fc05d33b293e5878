//! Text for people, of any world.

pub mod imports;
pub(crate) mod prose;
pub mod screen;
pub(crate) mod sharing;
pub mod warnings;
pub mod wrapped;
