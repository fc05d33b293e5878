//! `learning.svg` of a game: action probabilities, round by round.

use std::collections::BTreeSet;

use super::Played;
use crate::report::chart::svg::{self, MOST_SERIES};
use crate::report::chart::{Chart, Line, Panel, Scale};
use crate::report::coalition::curves::Point;
use crate::stats::shown::counted;

/// Maximum number of panels.
const MOST_PANELS: usize = 4;

/// Renders the chart as an SVG file.
pub fn render(title: &str, played: &Played) -> Vec<u8> {
    svg::render(&chart(title, played))
}

/// The chart of action probabilities.
///
/// If everybody has the same two actions, a line for each class of players shows the probability of
/// the second one; otherwise each class has a panel with a line for each action.
pub fn chart(title: &str, played: &Played) -> Chart {
    let frame = &played.frame;
    let first = &frame.actions[0];
    let has_two = first.len() == 2 && frame.actions.iter().all(|actions| actions == first);
    let (panels, series, left_out) = if has_two { by_class(played) } else { by_action(played) };
    let several = frame.classes.iter().any(|class| !class.is_single());
    let replications = counted(frame.replications.into(), "replication", "replications");
    let subtitle = match (frame.replications > 1, several) {
        (true, true) => format!(
            "means over {replications} and the players of a class; bands: from 10% to 90% of these"
        ),
        (true, false) => format!("means over {replications}; bands: from 10% to 90% of these"),
        (false, true) => {
            "means over the players of a class; bands: from 10% to 90% of these".to_owned()
        }
        (false, false) => "one replication".to_owned(),
    };
    let subtitle: Vec<String> = std::iter::once(subtitle).chain(left_out).collect();
    Chart {
        title: title.to_owned(),
        subtitle: subtitle.join("; "),
        x: "round".to_owned(),
        range: (0.0, frame.rounds as f64),
        panels,
        series,
    }
}

/// Panels, the series of their lines, and what is not shown, in words.
type Shown = (Vec<Panel>, Vec<String>, Vec<String>);

fn by_class(played: &Played) -> Shown {
    let frame = &played.frame;
    let shown = frame.classes.len().min(MOST_SERIES);
    let lines = (0..shown).map(|class| line(class, played.curve(class, 1)));
    let panel = panel(format!("probability of {}", frame.actions[0][1]), lines.collect());
    let names = frame.classes.iter().take(shown).map(|class| class.name.clone());
    let left_out = more(frame.classes.len() - shown, "class", "classes");
    (vec![panel], names.collect(), left_out.into_iter().collect())
}

fn by_action(played: &Played) -> Shown {
    let frame = &played.frame;
    let mut series: Vec<String> = Vec::new();
    let mut without_colour: BTreeSet<&str> = BTreeSet::new();
    let mut panels = Vec::new();
    for (number, class) in frame.classes.iter().enumerate().take(MOST_PANELS) {
        let mut lines = Vec::new();
        for (action, name) in frame.actions[class.members.start].iter().enumerate() {
            let known = series.iter().position(|one| one == name);
            let at = match known {
                Some(at) => at,
                None if series.len() < MOST_SERIES => {
                    series.push(name.clone());
                    series.len() - 1
                }
                None => {
                    without_colour.insert(name);
                    continue;
                }
            };
            lines.push(line(at, played.curve(number, action)));
        }
        panels.push(panel(format!("probability, {}", class.name), lines));
    }
    let left_out = [
        more(frame.classes.len().saturating_sub(MOST_PANELS), "class", "classes"),
        more(without_colour.len(), "action", "actions"),
    ];
    (panels, series, left_out.into_iter().flatten().collect())
}

fn more(left_out: usize, one: &str, many: &str) -> Option<String> {
    let one = format!("more {one} is not shown");
    let many = format!("more {many} are not shown");
    (left_out > 0).then(|| counted(left_out as u64, &one, &many))
}

fn panel(y: String, lines: Vec<Line>) -> Panel {
    Panel { y, scale: Scale::Linear(0.0, 1.0), lines }
}

fn line(series: usize, points: Vec<Point>) -> Line {
    let band = |point: &Point| point.band.map(|(low, high)| (point.round, low, high));
    Line {
        series,
        points: points.iter().map(|point| (point.round, point.mean)).collect(),
        band: points.iter().filter_map(band).collect(),
        parts: Vec::new(),
    }
}
