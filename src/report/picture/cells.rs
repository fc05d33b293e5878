//! Small multiples: the pictures of runs beside each other, on common scales.

use super::{Picture, Scale};

/// Small multiples: pictures with common scales and one legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Title, shown above all.
    pub title: String,
    /// Subtitle, which explains lines and bands.
    pub subtitle: String,
    /// Label of the x-axis, if all have the same; theirs are empty then.
    pub x: String,
    /// Names of the series, if all have the same; theirs are empty then.
    pub series: Vec<String>,
    /// The pictures with their names.
    pub cells: Vec<(String, Picture)>,
}

/// The runs as small multiples with common scales.
pub(super) fn cells(title: String, subtitle: String, mut cells: Vec<(String, Picture)>) -> Cells {
    let common = |of: &dyn Fn(&Picture) -> Vec<Scale>| -> Vec<Scale> {
        let all: Vec<Vec<Scale>> = cells.iter().map(|(_, one)| of(one)).collect();
        let at = |at: usize| wider(all.iter().filter_map(|scales| scales.get(at).copied()));
        (0..all.first().map_or(0, Vec::len)).map(at).collect()
    };
    let across = common(&|one| match one {
        Picture::Chart(chart) => vec![chart.range],
        Picture::Rows(rows) => vec![rows.scale],
        Picture::Heat(_) | Picture::Plane(_) => Vec::new(),
    });
    let up = common(&|one| match one {
        Picture::Chart(chart) => chart.panels.iter().map(|panel| panel.scale).collect(),
        _ => Vec::new(),
    });
    let colours = common(&|one| match one {
        Picture::Heat(heat) => vec![Scale::Linear(heat.ends().0, heat.ends().1)],
        _ => Vec::new(),
    });
    let dates = |picture: &Picture| match picture {
        Picture::Chart(chart) => chart.dates.clone(),
        _ => Vec::new(),
    };
    let is_dated_alike = cells.iter().all(|(_, one)| dates(one) == dates(&cells[0].1));
    let mut series = cells[0].1.texts().series.clone();
    // The series of a map are its rows, with their names beside them.
    let is_map = matches!(cells[0].1, Picture::Heat(_));
    let has_legend = !is_map && cells.iter_mut().all(|(_, one)| *one.texts().series == series);
    if !has_legend {
        series.clear();
    }
    let mut x = String::new();
    for (_, picture) in &mut cells {
        match picture {
            Picture::Chart(chart) => {
                if is_dated_alike {
                    chart.range = across[0];
                }
                chart.panels.iter_mut().zip(&up).for_each(|(panel, scale)| panel.scale = *scale);
                x = std::mem::take(&mut chart.x);
            }
            Picture::Rows(rows) => {
                rows.scale = across[0];
                x = std::mem::take(&mut rows.x);
            }
            Picture::Heat(heat) => heat.ends = Some(colours[0].ends()),
            Picture::Plane(_) => {}
        }
        if has_legend {
            picture.texts().series.clear();
        }
    }
    Cells { title, subtitle, x, series, cells }
}

/// The scale from the least to the largest end of some.
pub(super) fn wider(mut scales: impl Iterator<Item = Scale>) -> Scale {
    let first = scales.next().unwrap_or(Scale::Linear(0.0, 1.0));
    scales.fold(first, |one, other| {
        let ((low, high), (from, to)) = (one.ends(), other.ends());
        let ends = (low.min(from), high.max(to));
        match one {
            Scale::Linear(..) => Scale::Linear(ends.0, ends.1),
            Scale::Log(..) => Scale::Log(ends.0, ends.1),
        }
    })
}
