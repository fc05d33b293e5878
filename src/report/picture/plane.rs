//! Pictures of a plane of mixed strategies: a square of two probabilities, or the triangle of three shares.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A point: two probabilities, or the second and the third of three shares.
pub type Point = [f64; 2];

/// A plane with a field of arrows, areas, ways and rest points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plane {
    /// Title, shown above the plane.
    pub title: String,
    /// Subtitle, which explains arrows, areas and dots.
    pub subtitle: String,
    /// The edges.
    pub frame: Frame,
    /// Names of the series, in the order of their colours: first the areas, then the ways.
    pub series: Vec<String>,
    /// Arrows of the field, from tail to head.
    pub arrows: Vec<[Point; 2]>,
    /// Areas as a series and the corners of a polygon.
    pub areas: Vec<(usize, Vec<Point>)>,
    /// Ways as a series and points; each ends with a dot.
    pub ways: Vec<(usize, Vec<Point>)>,
    /// Rest points, and whether they attract what is near.
    pub rests: Vec<(Point, bool)>,
}

/// The edges of a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// A square, with the labels of its axes across and up.
    Square([String; 2]),
    /// A triangle, with the names of its corners: left, right and top.
    Triangle([String; 3]),
}

impl Frame {
    /// A point as seen: across and up, where the longest edge is 1.
    #[must_use]
    pub fn seen(&self, [x, y]: Point) -> Point {
        match self {
            Frame::Square(_) => [x, y],
            Frame::Triangle(_) => [x + 0.5 * y, HEIGHT * y],
        }
    }

    /// The labels.
    pub fn labels(&mut self) -> &mut [String] {
        match self {
            Frame::Square(labels) => labels,
            Frame::Triangle(labels) => labels,
        }
    }
}

/// Height of an equilateral triangle with edges of 1.
pub const HEIGHT: f64 = 0.866_025_403_784_438_6;

impl Plane {
    /// The number of areas' series; those of ways follow.
    pub fn basins(&self) -> usize {
        self.areas.iter().map(|area| area.0 + 1).max().unwrap_or(0)
    }
}
