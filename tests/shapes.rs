//! The shapes, proved on miniatures.
//!
//! Before anything leans on the traits by which the parts of gridpact meet, small models are
//! carried through them, one file a model. Each is as small as it can be and still asserts exact
//! numbers: from a paper, by hand, or against a second program written straight from the
//! definition. Those of rooms that are built are gone: the rooms have tests of their own.

#[path = "shapes/easy.rs"]
mod easy;
#[path = "shapes/game_quick.rs"]
mod game_quick;
#[path = "shapes/imposed_order.rs"]
mod imposed_order;
#[path = "shapes/list_scheduling.rs"]
mod list_scheduling;
#[path = "shapes/support.rs"]
mod support;
#[path = "shapes/traits.rs"]
mod traits;
