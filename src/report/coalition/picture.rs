//! `learning.svg`: participation of the organizations, round by round.

use super::axis;
use crate::picture::svg::MOST_SERIES;
use crate::picture::{Chart, Line, Panel, Scale, mixtures, of_class, strides, thin};
use findings::coalition::course::Drawn;
use findings::coalition::learned::Learned;
use stats::shown::counted;

/// The chart of participation, with a line for each class of organizations.
///
/// Each line has a band over the members and the replications. If organizations are few, thin lines
/// show each of them in the first replication: means hide what happens suddenly.
///
/// One panel shows probabilities and another one levels, if they are learned; if neither is, a
/// single panel shows the share of rounds in the coalition.
pub fn chart(title: &str, learned: &Learned) -> Chart {
    let frame = &learned.frame;
    let mut measures: Vec<Drawn> = [Drawn::Probability, Drawn::Level]
        .into_iter()
        .filter(|&measure| learned.curves.moves(measure as usize))
        .collect();
    if measures.is_empty() {
        measures.push(Drawn::Joined);
    }
    // Classes without data, such as a learner that decides without a probability, are left out.
    let is_shown = |class: &usize| {
        measures.iter().any(|&measure| !learned.curves.class(*class, measure as usize).is_empty())
    };
    let all: Vec<usize> = (0..frame.classes.len()).filter(is_shown).collect();
    let shown = &all[..all.len().min(MOST_SERIES)];
    let series: Vec<String> =
        shown.iter().map(|&class| frame.classes[class].name.clone()).collect();
    let mut panels: Vec<Panel> =
        measures.iter().map(|&measure| panel(learned, measure, shown)).collect();
    let more = all.len() - shown.len();
    let subtitle = subtitle(learned, &panels, more as u64);
    thin(&mut panels);
    Chart {
        title: title.to_owned(),
        subtitle,
        x: strides(&axis(frame), frame.rounds),
        range: Scale::Linear(0.0, frame.rounds as f64),
        dates: Vec::new(),
        panels,
        series,
    }
}

/// The legend of thick and thin lines and of bands; `more` classes are not shown.
fn subtitle(learned: &Learned, panels: &[Panel], more: u64) -> String {
    let is_repeated = learned.replications() > 1;
    let several = learned.frame.classes.iter().any(|class| !class.is_single());
    let replications = counted(learned.replications().into(), "replication", "replications");
    let thick = match (is_repeated, several) {
        (true, true) => format!("thick: mean of a class over {replications}; band: 10% to 90%"),
        (true, false) => format!("thick: mean over {replications}; band: 10% to 90%"),
        (false, true) => "thick: mean of a class; band: 10% to 90%".to_owned(),
        (false, false) => "one replication".to_owned(),
    };
    let has_parts = panels.iter().flat_map(|panel| &panel.lines).any(|line| !line.parts.is_empty());
    let thin = match is_repeated {
        true => "thin: each organization in the first replication",
        false => "thin: each organization",
    };
    let parts = [
        Some(thick),
        has_parts.then(|| thin.to_owned()),
        mixtures(panels),
        (more > 0).then(|| counted(more, "more class is not shown", "more classes are not shown")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn panel(learned: &Learned, measure: Drawn, shown: &[usize]) -> Panel {
    let curves = &learned.curves;
    let line = |(series, &number): (usize, &usize)| {
        let class = &learned.frame.classes[number];
        let is_mean = learned.replications() > 1 || !class.is_single();
        let members = class.members.clone().filter(|_| is_mean);
        let parts = members.map(|index| curves.first(index, measure as usize));
        let parts = parts.filter(|part| !part.is_empty()).collect();
        let mut lines = of_class(series, curves, number, measure as usize);
        lines[0].parts = parts;
        lines
    };
    let lines: Vec<Line> = shown.iter().enumerate().flat_map(line).collect();
    let (y, scale) = match measure {
        Drawn::Probability => ("probability of taking part, p", Scale::Linear(0.0, 1.0)),
        Drawn::Joined => ("share of rounds in the coalition", Scale::Linear(0.0, 1.0)),
        Drawn::Level => ("participation level, l (units)", by_factors(&lines)),
    };
    Panel { y: y.to_owned(), scale, lines }
}

/// A logarithmic scale from the power of ten below the smallest level to the one above the largest.
///
/// Levels below 0.1 are drawn at the lower end, which the axis says.
fn by_factors(lines: &[Line]) -> Scale {
    let mut ends = (f64::INFINITY, 0.0_f64);
    for line in lines {
        let bands = line.band.iter().flat_map(|&(_, low, high)| [low, high]);
        for value in line.points.iter().map(|point| point.1).chain(bands) {
            ends = (ends.0.min(value), ends.1.max(value));
        }
    }
    let low = libm::floor(libm::log10(ends.0.clamp(0.1, 1e9)));
    let high = libm::ceil(libm::log10(ends.1.clamp(0.1, 1e9)) - 1e-9).max(low + 1.0);
    Scale::Log(libm::exp10(low), libm::exp10(high))
}
