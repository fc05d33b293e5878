//! What decides. One algorithm is one file, named as its paper names it; each folder's `mod.rs`
//! holds the trait and registers its own. Folders do not import each other.

pub mod coalition;
pub mod learn;
pub mod local;
