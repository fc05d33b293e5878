//! The shapes, proved on miniatures.
//!
//! Before anything leans on the traits by which the parts of gridpact meet, small models are
//! carried through them, one file a model. Each is as small as it can be and still asserts exact
//! numbers: from a paper, by hand, or against a second program written straight from the
//! definition. Those of rooms that are built are gone: the rooms have tests of their own.

mod easy;
mod game_quick;
mod imposed_order;
mod list_scheduling;
mod support;
mod traits;
