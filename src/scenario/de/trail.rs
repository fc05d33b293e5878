//! The way down to a value, for its name in messages.

use crate::diagnostics::show;
use crate::path::{Path, Segment};

/// The way down to the value being read, kept on the stack.
pub struct Trail<'t> {
    pub up: Option<&'t Trail<'t>>,
    pub step: Step<'t>,
}

#[derive(Clone, Copy)]
pub enum Step<'t> {
    Root,
    Key(&'t str),
    Index(usize),
}

impl<'t> Trail<'t> {
    pub fn below(&'t self, step: Step<'t>) -> Trail<'t> {
        Trail { up: Some(self), step }
    }

    pub fn path(&self) -> Path {
        let mut segments = Vec::new();
        let mut at = Some(self);
        while let Some(trail) = at {
            match trail.step {
                Step::Root => {}
                Step::Key(key) => segments.push(Segment::Key(key.to_owned())),
                Step::Index(index) => segments.push(Segment::Index(index)),
            }
            at = trail.up;
        }
        segments.into_iter().rev().collect()
    }

    /// Names the value in a message: its key in quotes, followed by the indices below it.
    pub(super) fn name(&self) -> String {
        let mut indices = String::new();
        let mut at = Some(self);
        while let Some(trail) = at {
            match trail.step {
                Step::Root => break,
                Step::Key(key) => return format!("`{}{indices}`", show(key)),
                Step::Index(index) => indices = format!("[{index}]{indices}"),
            }
            at = trail.up;
        }
        "the scenario".to_owned()
    }

    /// Returns the path as typed in front of ` = `.
    pub(super) fn typed(&self) -> String {
        let path = self.path();
        let keys = path.segments().iter().rev();
        let mut keys: Vec<_> = keys
            .map_while(|s| if let Segment::Key(k) = s { Some(show(k)) } else { None })
            .collect();
        keys.truncate(2);
        keys.reverse();
        keys.join(".")
    }
}
