//! `learning.svg` of a game: action probabilities, round by round.

use crate::picture::svg::MOST_SERIES;
use crate::picture::{Chart, Line, Panel, Scale, mixtures, of_class, strides};
use findings::game::played::Played;
use kernel::map::Set;
use stats::shown::counted;

/// Maximum number of panels.
const MOST_PANELS: usize = 4;

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
    let notes = mixtures(&panels);
    let subtitle: Vec<String> = std::iter::once(subtitle).chain(notes).chain(left_out).collect();
    Chart {
        title: title.to_owned(),
        subtitle: subtitle.join("; "),
        x: strides("round", frame.rounds),
        range: Scale::Linear(0.0, frame.rounds as f64),
        dates: Vec::new(),
        panels,
        series,
    }
}

/// Panels, the series of their lines, and what is not shown, in words.
type Shown = (Vec<Panel>, Vec<String>, Vec<String>);

fn by_class(played: &Played) -> Shown {
    let frame = &played.frame;
    let shown = frame.classes.len().min(MOST_SERIES);
    let lines = (0..shown).flat_map(|class| of_class(class, &played.curves, class, 1));
    let panel = panel(format!("probability of {}", frame.actions[0][1]), lines.collect());
    let names = frame.classes.iter().take(shown).map(|class| class.name.clone());
    let left_out = more(frame.classes.len() - shown, "class", "classes");
    (vec![panel], names.collect(), left_out.into_iter().collect())
}

fn by_action(played: &Played) -> Shown {
    let frame = &played.frame;
    let groups = frame.classes.iter().enumerate().map(|(number, class)| {
        let curve = move |series, action| of_class(series, &played.curves, number, action);
        let label = format!("probability, {}", class.name);
        (label, &*frame.actions[class.members.start], curve)
    });
    let (panels, series, without_colour) = panels(groups);
    let left_out = [
        more(frame.classes.len().saturating_sub(MOST_PANELS), "class", "classes"),
        more(without_colour, "action", "actions"),
    ];
    (panels, series, left_out.into_iter().flatten().collect())
}

/// A panel for each of the first groups of players, given its label, its actions and the lines of
/// each as a series, and a series for each name of an action; with the number of actions that are left out, as
/// there are no more colours.
pub(super) fn panels<'a>(
    groups: impl Iterator<Item = (String, &'a [String], impl Fn(usize, usize) -> Vec<Line>)>,
) -> (Vec<Panel>, Vec<String>, usize) {
    let mut series: Vec<String> = Vec::new();
    let mut without_colour: Set<&str> = Set::new();
    let mut panels = Vec::new();
    for (label, actions, curve) in groups.take(MOST_PANELS) {
        let mut lines = Vec::new();
        for (action, name) in actions.iter().enumerate() {
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
            lines.extend(curve(at, action));
        }
        panels.push(panel(label, lines));
    }
    (panels, series, without_colour.len())
}

fn more(left_out: usize, one: &str, many: &str) -> Option<String> {
    let one = format!("more {one} is not shown");
    let many = format!("more {many} are not shown");
    (left_out > 0).then(|| counted(left_out as u64, &one, &many))
}

fn panel(y: String, lines: Vec<Line>) -> Panel {
    Panel { y, scale: Scale::Linear(0.0, 1.0), lines }
}
