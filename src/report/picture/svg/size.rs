//! Sizes of pictures: for a screen, and for a column or the width of a paper.

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
    /// For a picture within another, of this width in pixels, without a title.
    Cell(u32),
}

impl Size {
    /// Width, in pixels.
    pub(super) fn width(self) -> u32 {
        match self {
            Size::Screen => 880,
            Size::Column => 378,
            Size::Page => 800,
            Size::Cell(width) => width,
        }
    }

    /// Width on paper, in millimetres.
    pub(super) fn on_paper(self) -> Option<u32> {
        match self {
            Size::Screen | Size::Cell(_) => None,
            Size::Column => Some(85),
            Size::Page => Some(180),
        }
    }

    /// True if title and subtitle are drawn.
    pub(super) fn has_titles(self) -> bool {
        self == Size::Screen
    }

    /// Number of tick marks of an axis across that is aimed at.
    pub(super) fn marks(self) -> usize {
        match self {
            Size::Cell(width) => (width as usize / 80).clamp(2, 8),
            _ => (self.width() as usize / 110).max(5),
        }
    }

    /// Height of a panel without its x-axis, in pixels.
    pub(super) fn panel(self) -> u32 {
        PANEL.min(self.width() * 9 / 20)
    }
}
