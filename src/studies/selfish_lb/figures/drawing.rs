//! Pictures of the figures as the paper draws them.

use std::ops::Range;

use super::super::play::Course;
use super::{RATE, average};
use crate::Bench;
use crate::picture::{Curve, Picture, Points};
use report::picture::Scale;

/// Draws a figure: the mean of each group of clusters over all repetitions, and its clusters in the
/// first one, as the paper draws them.
pub(super) struct Drawing<'a> {
    pub(super) name: &'static str,
    pub(super) title: &'a str,
    pub(super) y: &'static str,
    pub(super) scale: Scale,
    pub(super) courses: &'a [Course],
    pub(super) groups: &'a [(&'a str, Range<usize>)],
    /// Values that the text reads from the figure.
    pub(super) paper: &'a [f64],
}

impl Drawing<'_> {
    pub(super) fn draw(&self, bench: &Bench, of: fn(&Course, usize) -> Vec<f64>) {
        let points = |values: Vec<f64>| -> Points {
            values.into_iter().enumerate().map(|(round, value)| (round as f64, value)).collect()
        };
        let curve = |(name, clusters): &(&str, Range<usize>)| {
            let runs = self.courses.iter();
            let all = runs.flat_map(|course| clusters.clone().map(|cluster| of(course, cluster)));
            let all: Vec<Vec<f64>> = all.collect();
            let rounds = 0..self.courses[0].rounds();
            let mean =
                rounds.map(|round| average(&all.iter().map(|one| one[round]).collect::<Vec<_>>()));
            let part = |cluster| {
                (format!("cluster {}", cluster + 1), points(of(&self.courses[0], cluster)))
            };
            let parts = clusters.clone().map(part).collect();
            Curve { name: (*name).to_owned(), points: points(mean.collect()), parts }
        };
        let last = self.courses[0].rounds() as f64 - 1.0;
        bench.draw(Picture {
            name: self.name,
            title: self.title.to_owned(),
            caption: format!(
                "thin: clusters in the first of {} repetitions; thick: means of all; learning rate {RATE}",
                self.courses.len()
            ),
            axes: ["round", self.y],
            scale: self.scale,
            curves: self.groups.iter().map(curve).collect(),
            paper: self.paper.iter().map(|&value| vec![(0.0, value), (last, value)]).collect(),
        });
    }
}
