//! The shapes, proved on miniatures.
//!
//! Before anything leans on the traits by which the parts of gridpact meet, six small models are
//! carried through them, one file a model (the pool has two). Each is as small as it can be and
//! still asserts exact numbers: from a paper, by hand, or against a second program written straight
//! from the definition.

#[path = "shapes/easy.rs"]
mod easy;
#[path = "shapes/game_quick.rs"]
mod game_quick;
#[path = "shapes/imposed_order.rs"]
mod imposed_order;
#[path = "shapes/list_scheduling.rs"]
mod list_scheduling;
#[path = "shapes/matrix_game.rs"]
mod matrix_game;
#[path = "shapes/pool.rs"]
mod pool;
#[path = "shapes/pool_game.rs"]
mod pool_game;
#[path = "shapes/support.rs"]
mod support;
#[path = "shapes/traits.rs"]
mod traits;
