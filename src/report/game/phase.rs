//! `phase.svg`: the replicator's field with its rest points and basins, and the ways that runs took.
//!
//! Two players with two actions each are a point of a square; a population, or a player of a symmetric
//! game of three actions, is a point of a triangle. Payoffs are linear in either, so the field follows from
//! those at the corners.

use crate::picture::plane::{Frame, Plane, Point};
use crate::picture::together::MOST_LINES;
use findings::game::dynamics::Moved;
use findings::game::played::Played;
use game::payoffs::Payoffs;
use scenario::plan::{DynamicsPlan, GamePlan, Motion};

/// Arrows along an edge.
const ARROWS: usize = 13;
/// Length of the longest arrow, as a share of the edge.
const LENGTH: f64 = 0.06;
/// Rows of starts whose ends are looked for.
const ROWS: usize = 48;
/// Time of a step by the range of payoffs, and most steps.
const STEP: f64 = 0.25;
const STEPS: usize = 1_000;
/// A way has ended this near to a rest point; from `APART` of it all ways must return, if it attracts.
const NEAR: f64 = 0.02;
const APART: f64 = 0.04;

/// Replicator dynamics in a plane, by the payoffs at its corners.
#[derive(Clone, Debug, PartialEq)]
enum Field {
    /// Gains by its second action of each of two players, where the other takes its first or its second.
    Square([[f64; 2]; 2]),
    /// Payoffs of three actions against each.
    Triangle([[f64; 3]; 3]),
}

impl Field {
    /// The field of a game; `None` if it has no plane.
    fn of(payoffs: &Payoffs) -> Option<Field> {
        let choices: Vec<u32> =
            (0..payoffs.players()).map(|player| payoffs.choices(player)).collect();
        let pay = |player: usize, profile: [u32; 2]| payoffs.payoff(player, &profile);
        if choices == [2, 2] {
            let gain = |player: usize, other: u32| {
                let with = |own: u32| if player == 0 { [own, other] } else { [other, own] };
                pay(player, with(1)) - pay(player, with(0))
            };
            return Some(Field::Square(
                [0, 1].map(|player| [0, 1].map(|other| gain(player, other))),
            ));
        }
        let all = || (0..3).flat_map(|own| (0..3).map(move |other| [own, other]));
        let is_symmetric = match payoffs {
            Payoffs::Pairwise(_) => choices[0] == 3,
            _ => {
                choices == [3, 3]
                    && all().all(|[own, other]| pay(0, [own, other]) == pay(1, [other, own]))
            }
        };
        is_symmetric.then(|| {
            let against = |other: usize| {
                let mut corner = vec![0.0; 3];
                corner[other] = 1.0;
                let mut out = Vec::new();
                payoffs.expected(0, &vec![corner; payoffs.players()], &mut out);
                out
            };
            let columns = [0, 1, 2].map(against);
            Field::Triangle([0, 1, 2].map(|own| [0, 1, 2].map(|other| columns[other][own])))
        })
    }

    /// Rates of change.
    fn drift(&self, at: Point) -> Point {
        match self {
            Field::Square(gains) => [0, 1].map(|player| {
                let (own, other) = (at[player], at[1 - player]);
                own * (1.0 - own) * ((1.0 - other) * gains[player][0] + other * gains[player][1])
            }),
            Field::Triangle(_) => {
                let (shares, pays) = (shares(at), self.pays(at));
                let mean: f64 = shares.iter().zip(pays).map(|(share, pay)| share * pay).sum();
                [1, 2].map(|action| shares[action] * (pays[action] - mean))
            }
        }
    }

    /// Payoffs of three actions at a point of the triangle; of a square, the gains of its players.
    fn pays(&self, at: Point) -> [f64; 3] {
        let shares = shares(at);
        match self {
            Field::Square([one, other]) => {
                let of = |gains: &[f64; 2], at: f64| (1.0 - at) * gains[0] + at * gains[1];
                [of(one, at[1]), of(other, at[0]), 0.0]
            }
            Field::Triangle(pays) => {
                pays.map(|row| row.iter().zip(shares).map(|(pay, share)| pay * share).sum())
            }
        }
    }

    /// Largest payoff or gain, which sets the pace.
    fn scale(&self) -> f64 {
        let range = |all: &[f64]| {
            let ends = all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, &one| {
                (ends.0.min(one), ends.1.max(one))
            });
            ends.1 - ends.0
        };
        match self {
            Field::Square(gains) => {
                gains.iter().flatten().fold(0.0, |most, gain| gain.abs().max(most))
            }
            Field::Triangle(pays) => range(pays.as_flattened()),
        }
    }

    /// A step of the classical fourth-order Runge-Kutta method.
    fn step(&self, at: Point, time: f64) -> Point {
        let from = |by: Point, time: f64| [at[0] + time * by[0], at[1] + time * by[1]];
        let first = self.drift(at);
        let second = self.drift(from(first, 0.5 * time));
        let third = self.drift(from(second, 0.5 * time));
        let fourth = self.drift(from(third, time));
        [0, 1].map(|of| {
            let sum = first[of] + 2.0 * (second[of] + third[of]) + fourth[of];
            (at[of] + time / 6.0 * sum).clamp(0.0, 1.0)
        })
    }

    /// Equilibria that lie apart, with the corner of those that are pure.
    fn equilibria(&self) -> Vec<(Point, Option<usize>)> {
        let mut all = Vec::new();
        match self {
            Field::Square(gains) => {
                for (corner, at) in CORNERS.iter().enumerate() {
                    let is_best =
                        |player: usize| (at[player] - 0.5) * self.pays(*at)[player] >= 0.0;
                    all.extend((is_best(0) && is_best(1)).then_some((*at, Some(corner))));
                }
                let still = |[low, high]: [f64; 2]| low / (low - high);
                all.push(([still(gains[1]), still(gains[0])], None));
            }
            Field::Triangle(pays) => {
                for corner in 0..3 {
                    let is_best = (0..3).all(|other| pays[other][corner] <= pays[corner][corner]);
                    all.extend(is_best.then_some((CORNERS[[0, 1, 3][corner]], Some(corner))));
                }
                for (one, other, third) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                    let lead = pays[other][other] - pays[one][other];
                    let share = lead / (pays[one][one] - pays[other][one] + lead);
                    let mut at = [0.0; 3];
                    (at[one], at[other]) = (share, 1.0 - share);
                    let pays = self.pays([at[1], at[2]]);
                    all.extend((pays[third] <= pays[one]).then_some(([at[1], at[2]], None)));
                }
                let apart =
                    |other: usize| [0, 1, 2].map(|action| pays[0][action] - pays[other][action]);
                let (a, b) = (apart(1), apart(2));
                let across = [
                    a[1] * b[2] - a[2] * b[1],
                    a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0],
                ];
                let sum: f64 = across.iter().sum();
                all.push(([across[1] / sum, across[2] / sum], None));
            }
        }
        all.retain(|(at, corner)| corner.is_some() || self.holds(*at, 1e-6));
        all
    }

    /// True for a point inside, so far from the edges; on an edge of a triangle two shares are.
    fn holds(&self, at: Point, room: f64) -> bool {
        let is_inside = |share: f64| share > room && share < 1.0 - room;
        match self {
            Field::Square(_) => at.into_iter().all(is_inside),
            Field::Triangle(_) => {
                let shares = shares(at);
                shares.iter().filter(|share| is_inside(**share)).count() > 1
                    && shares.iter().all(|share| *share > -room)
            }
        }
    }

    /// The first of some places that a way comes near to.
    fn end(&self, mut at: Point, ends: &[Point]) -> Option<usize> {
        let time = STEP / self.scale();
        for _ in 0..STEPS {
            if let Some(end) = ends.iter().position(|end| distance(*end, at) < NEAR) {
                return Some(end);
            }
            at = self.step(at, time);
        }
        None
    }

    /// True if all ways from around a place lead to it and stay.
    fn attracts(&self, place: Point) -> bool {
        let around = [
            [1.0, 0.0],
            [-1.0, 0.0],
            [0.0, 1.0],
            [0.0, -1.0],
            [0.7, -0.7],
            [-0.7, 0.7],
            [0.7, 0.7],
            [-0.7, -0.7],
        ];
        let starts = around.map(|[x, y]| [place[0] + APART * x, place[1] + APART * y]);
        let is_in = |[x, y]: &Point| {
            let most = if matches!(self, Field::Square(_)) { x.max(*y) } else { x + y };
            x.min(*y) >= 0.0 && most <= 1.0
        };
        let time = STEP / self.scale();
        starts.into_iter().filter(is_in).all(|start| {
            let end = (0..STEPS).fold(start, |at, _| self.step(at, time));
            distance(end, place) < NEAR
        })
    }
}

/// Corners of a square, and of a triangle without the third.
const CORNERS: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// The three shares of a point of the triangle.
fn shares([second, third]: Point) -> [f64; 3] {
    [1.0 - second - third, second, third]
}

fn distance([x, y]: Point, [across, up]: Point) -> f64 {
    libm::hypot(x - across, y - up)
}

/// The plane of a game that learners play.
pub(super) fn played(plan: GamePlan<'_>, played: &Played) -> Option<Plane> {
    let field = Field::of(&plan.game.payoffs)?;
    let frame = &played.frame;
    let first = |player: usize, action: usize| {
        let curve = played.curves.first(player, action);
        curve.into_iter().map(|point| point.1).collect::<Vec<f64>>()
    };
    let ways = match field {
        Field::Square(_) => vec![("first replication".to_owned(), [first(0, 1), first(1, 1)])],
        Field::Triangle(_) => (frame.classes.iter().take(MOST_LINES).enumerate())
            .map(|(number, class)| {
                let mean = |action: usize| {
                    played.curves.class(number, action).iter().map(|point| point.mean).collect()
                };
                let (player, name) = (class.members.start, class.name.clone());
                match class.is_single() {
                    true => (name, [first(player, 1), first(player, 2)]),
                    false => (name, [mean(1), mean(2)]),
                }
            })
            .collect(),
    };
    let told = match field {
        Field::Triangle(_) if frame.classes.iter().any(|class| !class.is_single()) => {
            "lines: the first replication, of several players their mean over all replications"
        }
        _ => "line: the first replication",
    };
    Some(plane(plan, &field, (&frame.names, &frame.actions), ways, told))
}

/// The plane of dynamics of large populations.
pub(super) fn moved(plan: GamePlan<'_>, dynamics: &DynamicsPlan, moved: &Moved) -> Option<Plane> {
    let field = Field::of(&plan.game.payoffs)?;
    let Motion::Flow { .. } = dynamics.motion else { return None };
    let curve = |at: usize| moved.curve(at).iter().map(|point| point.mean).collect::<Vec<f64>>();
    let ways = match (&field, moved.populations.len()) {
        (Field::Square(_), 2) => vec![("way".to_owned(), [curve(1), curve(3)])],
        (Field::Square(_), _) => return None,
        (Field::Triangle(_), _) => (moved.populations.iter().take(MOST_LINES).enumerate())
            .map(|(at, population)| {
                (population.name.clone(), [curve(3 * at + 1), curve(3 * at + 2)])
            })
            .collect(),
    };
    let names: Vec<String> = moved.populations.iter().map(|one| one.name.clone()).collect();
    let actions: Vec<Vec<String>> =
        moved.populations.iter().map(|one| one.actions.clone()).collect();
    let told = format!("line: {} dynamics", dynamics.form.name().replace('_', " "));
    Some(plane(plan, &field, (&names, &actions), ways, &told))
}

/// The plane of a field, given the players and their actions, and the ways as values across and up.
fn plane(
    plan: GamePlan<'_>,
    field: &Field,
    (names, actions): (&[String], &[Vec<String>]),
    ways: Vec<(String, [Vec<f64>; 2])>,
    told: &str,
) -> Plane {
    let frame = match field {
        Field::Square(_) => Frame::Square(
            [0, 1]
                .map(|player| format!("{}: probability of {}", names[player], actions[player][1])),
        ),
        Field::Triangle(_) => Frame::Triangle([0, 1, 2].map(|action| actions[0][action].clone())),
    };
    let pure = |corner: usize| match field {
        Field::Square(_) => {
            let chosen = [0, 1].map(|player| &*actions[player][CORNERS[corner][player] as usize]);
            chosen.join(", ")
        }
        Field::Triangle(_) => actions[0][corner].clone(),
    };
    let equilibria = field.equilibria();
    let rests: Vec<(Point, bool)> = match field.scale() > 0.0 {
        true => equilibria.iter().map(|one| (one.0, field.attracts(one.0))).collect(),
        false => Vec::new(),
    };
    let attractors = || rests.iter().zip(&equilibria).filter(|(rest, _)| rest.1);
    let ends: Vec<Point> = attractors().map(|(rest, _)| rest.0).collect();
    let mut series: Vec<String> = Vec::new();
    let mut areas = Vec::new();
    if ends.len() > 1 {
        areas = basins(field, &ends);
        series.extend(attractors().map(|(_, (_, corner))| match corner {
            Some(corner) => format!("to {}", pure(*corner)),
            None => "to a mixed equilibrium".to_owned(),
        }));
    }
    let basins = if ends.len() > 1 { "; areas: where they lead to" } else { "" };
    let dots = if rests.is_empty() { "" } else { "; black dots: equilibria, full if they attract" };
    let from = series.len();
    let mut lines = Vec::new();
    for (number, (name, [across, up])) in ways.into_iter().enumerate() {
        series.push(name);
        lines.push((from + number, across.into_iter().zip(up).map(|(x, y)| [x, y]).collect()));
    }
    Plane {
        title: plan.title(),
        subtitle: format!(
            "arrows: replicator dynamics, faster where longer{basins}{dots}; {told}, to its end at the dot"
        ),
        arrows: arrows(field, &frame),
        frame,
        series,
        areas,
        ways: lines,
        rests,
    }
}

/// Arrows at even places.
fn arrows(field: &Field, frame: &Frame) -> Vec<[Point; 2]> {
    let at = |place: usize| (place as f64 + 0.5) / ARROWS as f64;
    let places = (0..ARROWS).flat_map(|row| (0..ARROWS).map(move |column| [at(column), at(row)]));
    let places: Vec<Point> = match field {
        Field::Square(_) => places.collect(),
        Field::Triangle(_) => {
            let third =
                |[x, y]: Point| [x - 1.0 / 6.0 / ARROWS as f64, y - 1.0 / 6.0 / ARROWS as f64];
            places.filter(|[x, y]| x + y < 1.0 + 1e-9).map(third).collect()
        }
    };
    let seen = |by: Point| frame.seen(by);
    let speed = |by: Point| libm::hypot(seen(by)[0], seen(by)[1]);
    let drifts = places.iter().map(|&at| (at, field.drift(at)));
    let fastest = drifts.clone().map(|(_, by)| speed(by)).fold(0.0, f64::max);
    let moving = drifts.filter(|&(_, by)| speed(by) > 1e-9 * fastest);
    let arrow = |([x, y], by): (Point, Point)| {
        // Slow arrows can be seen too.
        let half = 0.5 * LENGTH * libm::sqrt(speed(by) / fastest) / speed(by);
        [[x - half * by[0], y - half * by[1]], [x + half * by[0], y + half * by[1]]]
    };
    moving.map(arrow).collect()
}

/// The end of each start, as a polygon for each run of starts in a row with the same end.
fn basins(field: &Field, ends: &[Point]) -> Vec<(usize, Vec<Point>)> {
    let at = |column: usize, row: usize| [column as f64 / ROWS as f64, row as f64 / ROWS as f64];
    let mut areas = Vec::new();
    for row in 0..ROWS {
        let cells = if matches!(field, Field::Square(_)) { ROWS } else { 2 * (ROWS - row) - 1 };
        // Cells of a triangle point up and down by turns. Starts lie beside the middle, as ways from there
        // may end between two basins.
        let start = |cell: usize| match field {
            Field::Square(_) => {
                [(cell as f64 + 0.47) / ROWS as f64, (row as f64 + 0.55) / ROWS as f64]
            }
            Field::Triangle(_) => {
                let inner = if cell.is_multiple_of(2) { [0.31, 0.35] } else { [0.64, 0.69] };
                [
                    ((cell / 2) as f64 + inner[0]) / ROWS as f64,
                    (row as f64 + inner[1]) / ROWS as f64,
                ]
            }
        };
        let found: Vec<Option<usize>> =
            (0..cells).map(|cell| field.end(start(cell), ends)).collect();
        let mut first = 0;
        for same in found.chunk_by(|one, other| one == other) {
            let last = first + same.len() - 1;
            let corners = match field {
                Field::Square(_) => {
                    [at(first, row), at(last + 1, row), at(last + 1, row + 1), at(first, row + 1)]
                }
                Field::Triangle(_) => [
                    at(first.div_ceil(2), row),
                    at(last / 2 + 1, row),
                    at(last.div_ceil(2), row + 1),
                    at(first / 2, row + 1),
                ],
            };
            areas.extend(same[0].map(|end| (end, corners.to_vec())));
            first = last + 1;
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::dynamics::replicator::Replicator;
    use game::dynamics::{Populations, Society};
    use game::matrix::Matrix;
    use game::pairwise::Pairwise;

    fn symmetric<const K: usize>(pays: [[f64; K]; K]) -> Payoffs {
        Payoffs::Pairwise(Pairwise::new(2, K as u32, |own, other| {
            pays[own as usize][other as usize]
        }))
    }

    fn coordination() -> Payoffs {
        symmetric([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    }

    /// Matching pennies: in the middle nothing moves; elsewhere they go round it.
    #[test]
    fn the_field_is_that_of_the_replicator() {
        let pay = |player: usize, profile: &[u32]| {
            if (profile[0] == profile[1]) == (player == 0) { 1.0 } else { -1.0 }
        };
        let payoffs = Payoffs::Table(Matrix::new(&[2, 2], pay));
        let field = Field::of(&payoffs).unwrap();
        for payoffs in [payoffs, symmetric([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0], [2.0, 0.2, 0.1]])] {
            let field = Field::of(&payoffs).unwrap();
            for at in [[0.5, 0.5], [0.2, 0.7], [0.1, 0.3]] {
                let (populations, state) = match field {
                    Field::Square(_) => (Populations::Each, at.map(|p| vec![1.0 - p, p]).to_vec()),
                    Field::Triangle(_) => (Populations::One, vec![shares(at).to_vec()]),
                };
                let velocity = Replicator(Society::new(&payoffs, populations)).velocity(&state);
                let expected = match field {
                    Field::Square(_) => [velocity[0][1], velocity[1][1]],
                    Field::Triangle(_) => [velocity[0][1], velocity[0][2]],
                };
                assert!(distance(field.drift(at), expected) < 1e-12, "{at:?}");
            }
        }
        // The only equilibrium is mixed, and ways go round it.
        assert_eq!(field.equilibria(), [([0.5, 0.5], None)]);
        assert!(!field.attracts([0.5, 0.5]));
    }

    /// By hand: f_i = a_i x_i, so shares at rest go by 1 / a_i: 2/11, 3/11 and 6/11 inside.
    #[test]
    fn each_start_of_a_coordination_game_reaches_the_action_that_pays_most_there() {
        let field = Field::of(&coordination()).unwrap();
        let equilibria = field.equilibria();
        assert_eq!(equilibria.iter().filter(|one| one.1.is_some()).count(), 3);
        let inner = equilibria.last().unwrap().0;
        assert!(distance(inner, [3.0 / 11.0, 6.0 / 11.0]) < 1e-12, "{inner:?}");
        assert_eq!(equilibria.len(), 7);
        let attracts: Vec<bool> = equilibria.iter().map(|one| field.attracts(one.0)).collect();
        assert_eq!(attracts, [true, true, true, false, false, false, false]);
        let ends = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        // The order of a_i x_i does not change on the way, so the largest wins.
        for at in [[0.1, 0.2], [0.5, 0.3], [0.1, 0.8], [0.3, 0.61], [0.35, 0.4]] {
            let [x, y, z] = shares(at);
            let pays = [3.0 * x, 2.0 * y, z];
            let most = (0..3).max_by(|&one, &other| pays[one].total_cmp(&pays[other]));
            assert_eq!(field.end(at, &ends), most, "{at:?}");
        }
        // Polygons fill the triangle.
        let area = |corners: &[Point]| {
            let next = corners.iter().cycle().skip(1);
            let twice = corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]);
            0.5 * twice.sum::<f64>()
        };
        let all: f64 = basins(&field, &ends).iter().map(|one| area(&one.1)).sum();
        assert!((all - 0.5).abs() < 1e-9, "{all}");
    }

    /// A stag hunt: 4, 0, 3, 2. Hunting a stag pays once the other does so with more than two thirds.
    #[test]
    fn a_square_has_a_basin_for_each_strict_equilibrium() {
        let field = Field::of(&symmetric([[4.0, 0.0], [3.0, 2.0]])).unwrap();
        let rests: Vec<(Point, bool)> =
            field.equilibria().iter().map(|one| (one.0, field.attracts(one.0))).collect();
        let third = 1.0 / 3.0;
        assert_eq!(rests[..2], [([0.0, 0.0], true), ([1.0, 1.0], true)]);
        assert!(distance(rests[2].0, [third, third]) < 1e-12 && !rests[2].1);
        let ends = [[0.0, 0.0], [1.0, 1.0]];
        let of = |at: Point| field.end(at, &ends);
        assert_eq!([of([0.3, 0.3]), of([0.36, 0.36])], [Some(0), Some(1)]);
        let areas = basins(&field, &ends);
        assert!(areas.iter().any(|one| one.0 == 0) && areas.iter().any(|one| one.0 == 1));
        assert!(Field::of(&symmetric([[0.0; 4]; 4])).is_none());
    }
}
