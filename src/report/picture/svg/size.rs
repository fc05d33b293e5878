//! Sizes of pictures: for a screen, and for a column or the width of a paper.

use super::{SUBTITLE, TITLE};

/// Largest height of a panel without its x-axis, in pixels.
const PANEL: u32 = 290;

/// Size of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// For a screen, with title and subtitle.
    #[default]
    Screen,
    /// For a column of a paper with two, 85 mm wide; titles are left to its caption, and no text is below
    /// 7 pt.
    Column,
    /// For the whole width of a paper, 180 mm; the same.
    Page,
}

impl Size {
    /// Width, in pixels.
    pub(super) fn width(self) -> u32 {
        match self {
            Size::Screen => 880,
            Size::Column => 378,
            Size::Page => 800,
        }
    }

    /// Width on paper, in millimetres.
    pub(super) fn on_paper(self) -> Option<u32> {
        match self {
            Size::Screen => None,
            Size::Column => Some(85),
            Size::Page => Some(180),
        }
    }

    /// Height of title and subtitle, in pixels.
    pub(super) fn titles(self) -> u32 {
        if self == Size::Screen { TITLE + SUBTITLE } else { 0 }
    }

    /// Height of a panel without its x-axis, in pixels.
    pub(super) fn panel(self) -> u32 {
        PANEL.min(self.width() * 9 / 20)
    }
}
