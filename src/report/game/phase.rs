//! `phase.svg`: where two players with two actions each are drawn, and the way that they went.

use crate::picture::{Chart, Line, Panel, Scale};
use findings::game::played::Played;
use game::payoffs::Payoffs;
use scenario::plan::GamePlan;

/// Arrows along each axis.
const ARROWS: u32 = 11;
/// Length of the longest arrow, as a share of the axes, and of its two barbs in it.
const LENGTH: f64 = 0.06;
const BARB: f64 = 0.35;
/// Width of the panel for each of its heights, in which arrows look right.
const ASPECT: f64 = 2.7;

/// The chart: an arrow for the replicator dynamics at each place, and the way of the first replication.
/// `None` unless two players have two actions each.
pub(super) fn chart(plan: GamePlan<'_>, played: &Played) -> Option<Chart> {
    let (payoffs, actions) = (&plan.game.payoffs, &played.frame.actions);
    if payoffs.players() != 2 || (0..2).any(|player| payoffs.choices(player) != 2) {
        return None;
    }
    let places = (0..ARROWS).map(|at| (f64::from(at) + 0.5) / f64::from(ARROWS));
    let places = places.clone().flat_map(|x| places.clone().map(move |y| [x, y]));
    let moves: Vec<([f64; 2], [f64; 2])> = places.map(|at| (at, drift(payoffs, at))).collect();
    let speed = |[x, y]: [f64; 2]| libm::hypot(x, y);
    let fastest = moves.iter().map(|&(_, drift)| speed(drift)).fold(0.0, f64::max);
    let arrows = moves.iter().filter(|(_, drift)| speed(*drift) > 1e-9 * fastest);
    let arrows = arrows.map(|&(at, drift)| {
        // Slow arrows can be seen too.
        let length = LENGTH * libm::sqrt(speed(drift) / fastest);
        arrow(at, drift.map(|one| one / speed(drift) * length))
    });
    let [across, up] = [0, 1].map(|player| played.curves.first(player, 1));
    let way: Vec<(f64, f64)> = across.iter().zip(&up).map(|(x, y)| (x.1, y.1)).collect();
    let end: Vec<(f64, f64)> = way.last().copied().into_iter().collect();
    let field = Line { series: 0, parts: arrows.collect(), ..Line::default() };
    let way = Line { series: 1, points: way, ..Line::default() };
    let end = Line { series: 1, points: end, ..Line::default() };
    let label = |player: usize| {
        format!("{}: probability of {}", played.frame.names[player], actions[player][1])
    };
    Some(Chart {
        title: plan.title(),
        subtitle:
            "arrows: replicator dynamics, faster where longer; line: the first replication, to its \
                   end at the dot"
                .to_owned(),
        x: label(0),
        range: Scale::Linear(0.0, 1.0),
        dates: Vec::new(),
        panels: vec![Panel {
            y: label(1),
            scale: Scale::Linear(0.0, 1.0),
            lines: vec![field, way, end],
        }],
        series: ["replicator dynamics", "first replication"].map(str::to_owned).to_vec(),
    })
}

/// The replicator dynamics of the second actions' probabilities.
fn drift(payoffs: &Payoffs, [x, y]: [f64; 2]) -> [f64; 2] {
    let mixed = [vec![1.0 - x, x], vec![1.0 - y, y]];
    let of = |player: usize, share: f64| {
        let mut expected = Vec::new();
        payoffs.expected(player, &mixed, &mut expected);
        share * (1.0 - share) * (expected[1] - expected[0])
    };
    [of(0, x), of(1, y)]
}

/// A line from a place along a way, and back along the barbs of its head.
fn arrow([x, y]: [f64; 2], [across, up]: [f64; 2]) -> Vec<(f64, f64)> {
    let head = (x + across / 2.0, y + up / 2.0);
    // Turned by 90 degrees as it is seen.
    let aside = (-up / ASPECT, across * ASPECT);
    let barb = |side: f64| {
        let back = |head: f64, way: f64, aside: f64| head - BARB * (way - side * 0.5 * aside);
        (back(head.0, across, aside.0), back(head.1, up, aside.1))
    };
    vec![(x - across / 2.0, y - up / 2.0), head, barb(1.0), head, barb(-1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::matrix::Matrix;

    /// Matching pennies: in the middle nothing moves; elsewhere they go round it.
    #[test]
    fn the_field_is_that_of_the_replicator() {
        let pay = |player: usize, profile: &[u32]| {
            if (profile[0] == profile[1]) == (player == 0) { 1.0 } else { -1.0 }
        };
        let payoffs = Payoffs::Table(Matrix::new(&[2, 2], pay));
        assert_eq!(drift(&payoffs, [0.5, 0.5]), [0.0, 0.0]);
        // The first gains by the other's side, the second by the opposite one.
        let [across, up] = drift(&payoffs, [0.5, 0.75]);
        assert!((across - 0.25 * 1.0).abs() < 1e-12 && up.abs() < 1e-12, "{across} {up}");
        let [across, up] = drift(&payoffs, [0.75, 0.5]);
        assert!(across.abs() < 1e-12 && (up + 0.25 * 1.0).abs() < 1e-12, "{across} {up}");
    }
}
