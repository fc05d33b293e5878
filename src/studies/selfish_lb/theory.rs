//! Theory of the paper: the expected delay, the one-shot and the committed game, and thresholds.
//!
//! The thresholds are those of players who look at their own queues. Nothing is simulated here:
//! closed forms are compared with quadratures of the definitions, and games are enumerated.

use serde::Deserialize;

use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use crate::picture::{Curve, Picture};
use game::matrix::Matrix;
use kernel::time::{Span, Time};
use policy::coalition::bilb::{self, Bilb};
use policy::coalition::delay_cost;
use policy::coalition::one_shot::{self, COOPERATE, RECEIVE, REFUSE, SEND};
use policy::coalition::{Balancer as _, Member};
use report::picture::Scale;
use stats::law::Law;

/// Arrival rate in all of the paper, in jobs per unit of time.
const RATE: f64 = 0.2;
/// Queues and foreign loads at which surfaces are evaluated.
const GRID: [f64; 5] = [0.0, 2.0, 5.0, 10.0, 20.0];

/// Distribution of interarrival times.
const GAPS: Law = Law::Exponential { mean: 5.0 };

fn expected_delay(queue: f64, foreign: f64) -> f64 {
    delay_cost::expected_delay(&GAPS, queue, foreign)
}

/// Integral of a function by Simpson's rule.
fn integral(low: f64, high: f64, steps: u32, of: impl Fn(f64) -> f64) -> f64 {
    let step = (high - low) / f64::from(2 * steps);
    let at = |number: u32| of(low + f64::from(number) * step);
    let inner = (1..2 * steps).map(|number| at(number) * if number % 2 == 1 { 4.0 } else { 2.0 });
    (at(0) + inner.sum::<f64>() + at(2 * steps)) * step / 3.0
}

/// Delay of a job that arrives at `r`, caused by foreign load behind the queue.
///
/// Service is first come first served.
fn served_later(r: f64, queue: f64, foreign: f64) -> f64 {
    r.max(queue + foreign) - r.max(queue)
}

/// Expected delay by definition (equation 1), integrated between its two kinks.
fn by_definition(queue: f64, foreign: f64) -> f64 {
    let density = |r: f64| RATE * libm::exp(-RATE * r);
    let before = integral(0.0, queue, 500, |r| foreign * density(r));
    let within = |r: f64| served_later(r, queue, foreign) * density(r);
    before + integral(queue, queue + foreign, 500, within)
}

/// Largest difference on the grid between two functions of queue and foreign load.
fn largest_difference(one: impl Fn(f64, f64) -> f64, other: impl Fn(f64, f64) -> f64) -> f64 {
    let pairs = GRID.iter().flat_map(|&queue| GRID.iter().map(move |&foreign| (queue, foreign)));
    pairs
        .map(|(queue, foreign)| (one(queue, foreign) - other(queue, foreign)).abs())
        .fold(0.0, f64::max)
}

/// Pairs of a queue and a foreign load on the grid.
fn pairs() -> impl Iterator<Item = (f64, f64)> {
    GRID.into_iter().flat_map(|queue| GRID[1..].iter().map(move |&load| (queue, load)))
}

/// Number of pairs that break a statement.
fn broken(holds: impl Fn(f64, f64) -> bool) -> f64 {
    pairs().filter(|&(queue, load)| !holds(queue, load)).count() as f64
}

/// Figure 1: delays of the next local job at L = 5, Phi = 3, if it arrives at 2, 6 and 9.
pub(super) fn figure_1(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let delay = |r: f64| delay_cost::delay(r, 5.0, 3.0);
    let ours = (0..=120).map(|tenth| f64::from(tenth) / 10.0);
    asked.bench.draw(Picture {
        name: "1",
        title: "delay of the next local job at L = 5, Phi = 3".to_owned(),
        caption: "line: ours; the paper draws a scheme, its text has the values".to_owned(),
        axes: ["arrival of the next local job, r (units)", "delay (units)"],
        scale: Scale::Linear(0.0, 3.5),
        curves: vec![Curve::new("delay", ours.map(|r| (r, delay(r))).collect())],
        paper: [(2.0, 3.0), (6.0, 2.0), (9.0, 0.0)].map(|point| vec![point]).into(),
    });
    Ok(exact([2.0, 6.0, 9.0].map(|r| (r.to_string(), delay(r)))))
}

/// Expected delays in closed form and by quadrature, and the least gain of sending over the cost of
/// receiving, for interarrival times of the paper's law and of three others with the same mean, on which
/// the paper is silent.
///
/// Integration by parts gives the integral of the probability that the next job comes later.
pub(super) fn delays(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let closed = expected_delay;
    let later: [fn(f64) -> f64; 3] = [
        |r| libm::exp(-r / 5.0),
        // Two-stage Erlang.
        |r| libm::exp(-r / 2.5) * (1.0 + r / 2.5),
        // Hyperexponential: mean 2 with probability 0.9, mean 32 with probability 0.1.
        |r| 0.9 * libm::exp(-r / 2.0) + 0.1 * libm::exp(-r / 32.0),
    ];
    let [exponential, erlang, hyperexponential] = later.map(|later| {
        let gain = |(queue, load): (f64, f64)| integral(queue, queue + load, 500, later);
        pairs().map(gain).fold(f64::INFINITY, f64::min)
    });
    let falls = GRID.windows(2).filter(|pair| closed(pair[0], 5.0) >= closed(pair[1], 5.0));
    Ok(exact([
        ("off", largest_difference(closed, by_definition)),
        ("EG(0, 5)", by_definition(0.0, 5.0)),
        ("EG(5, 5)", by_definition(5.0, 5.0)),
        ("EG(0, 10) / EG(0, 5)", closed(0.0, 10.0) / closed(0.0, 5.0)),
        ("falls with L", falls.count() as f64),
        ("exponential", exponential),
        ("erlang", erlang),
        ("hyperexponential", hyperexponential),
        ("constant", 5.0 - delay_cost::expected_delay(&Law::Constant(5.0), 5.0, 5.0)),
    ]))
}

/// A function of queue and foreign load.
type Surface<'a> = &'a dyn Fn(f64, f64) -> f64;

/// Figure 2: differences of both surfaces from their definition, and where they do not rise or fall.
pub(super) fn figure_2(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let cost = expected_delay;
    let gain = |queue: f64, foreign: f64| foreign - cost(queue, foreign);
    let integrated = |queue: f64, foreign: f64| foreign - by_definition(queue, foreign);
    let drawn: [(_, _, _, _, Surface<'_>, Surface<'_>); 2] = [
        (
            "2a",
            "expected delay EG of the next local job",
            "EG (units)",
            20.0,
            &by_definition,
            &cost,
        ),
        ("2b", "social outcome Phi - EG", "Phi - EG (units)", 5.0, &integrated, &gain),
    ];
    let mut found = Figures::new();
    for (name, title, y, most, ours, printed) in drawn {
        found.insert(format!("{name} off"), vec![largest_difference(ours, printed)]);
        let loads = || (0..=40).map(|half| f64::from(half) / 2.0);
        let curve = |&queue: &f64| {
            Curve::new(
                format!("L = {queue}"),
                loads().map(|load| (load, ours(queue, load))).collect(),
            )
        };
        let points = GRID.iter().flat_map(|&queue| GRID.iter().map(move |&load| (queue, load)));
        asked.bench.draw(Picture {
            name,
            title: format!("{title} at rate 0.2"),
            caption: "lines: ours, integrated from the definition".to_owned(),
            axes: ["foreign load, Phi (units)", y],
            scale: Scale::Linear(0.0, most),
            curves: GRID.iter().map(curve).collect(),
            paper: points.map(|(queue, load)| vec![(load, printed(queue, load))]).collect(),
        });
    }
    // Steps of the grid in which a surface does not rise.
    let still = |of: Surface<'_>, fixed: f64, by_queue: bool| {
        let at = |moving| if by_queue { of(moving, fixed) } else { of(fixed, moving) };
        GRID.windows(2).filter(|pair| at(pair[0]) >= at(pair[1])).count()
    };
    let along = |by_queue: Surface<'_>, by_load: Surface<'_>| {
        let queues: usize = GRID[1..].iter().map(|&load| still(by_queue, load, true)).sum();
        let loads: usize = GRID.iter().map(|&queue| still(by_load, queue, false)).sum();
        vec![(queues + loads) as f64]
    };
    found.insert("2a still".to_owned(), along(&cost, &cost));
    found.insert("2b still".to_owned(), along(&|queue, load| -gain(queue, load), &gain));
    Ok(found)
}

/// Games of Table 1: differences of payoffs from Phi, EG and (Phi - EG) / 2, with EG integrated
/// numerically, and pairs of the grid that break what is said of the games.
pub(super) fn games(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let off = |game: &Matrix, profile: [u32; 2], paper: [f64; 2]| {
        let pays = [0, 1].map(|player| game.payoff(player, &profile));
        pays.iter().zip(paper).map(|(own, paper)| (own - paper).abs()).fold(0.0, f64::max)
    };
    let alone = |game: &Matrix| {
        let all = [[0, 1], [1, 0], [1, 1]].map(|profile| off(game, profile, [0.0; 2]));
        all.into_iter().fold(0.0, f64::max)
    };
    let cost = by_definition(5.0, 5.0);
    let half = (5.0 - cost) / 2.0;
    let basic = one_shot::basic(&GAPS, 5.0, 5.0);
    let committed = one_shot::committed(&GAPS, 5.0, 5.0);
    let together = |queue: f64, load: f64| load - expected_delay(queue, load);
    let rises = GRID.windows(2).filter(|pair| together(pair[0], 20.0) <= together(pair[1], 20.0));
    let is_best = |queue: f64, load: f64| {
        one_shot::basic(&GAPS, queue, load).optima() == [vec![SEND, RECEIVE]]
    };
    let is_dominated = |queue: f64, load: f64| {
        one_shot::basic(&GAPS, queue, load).dominates(1, REFUSE, RECEIVE).is_some()
    };
    let dominates = |queue: f64, load: f64| {
        let game = one_shot::committed(&GAPS, queue, load);
        [0, 1].iter().all(|&player| game.dominates(player, COOPERATE, REFUSE).is_some())
    };
    Ok(exact([
        ("basic", off(&basic, [SEND, RECEIVE], [5.0, -cost]).max(alone(&basic))),
        ("committed", off(&committed, [COOPERATE; 2], [half; 2]).max(alone(&committed))),
        ("another is best", broken(is_best)),
        ("not dominated", broken(is_dominated)),
        ("not dominating", broken(dominates)),
        ("limit", together(0.0, 1000.0)),
        ("rises", rises.count() as f64),
    ]))
}

/// Thresholds of players who reason about each other, at service rate 0.25, by the number of steps; the
/// first is the mean load.
pub(super) fn thresholds(_: &Asked<'_>) -> Result<Figures, StudyError> {
    const SERVICE: f64 = 0.25;
    let (load, decay) = (RATE / SERVICE, SERVICE - RATE);
    // Above 0 the queue has density load x decay x exp(-decay x L).
    let density = |queue: f64| load * decay * libm::exp(-decay * queue);
    let beyond = |threshold: f64| {
        let end = threshold + 60.0 / decay;
        let share = integral(threshold, end, 4000, density);
        integral(threshold, end, 4000, |queue| queue * density(queue)) / share
    };
    let mut threshold = integral(0.0, 60.0 / decay, 4000, |queue| queue * density(queue));
    let mut all = Vec::new();
    for steps in 0..6_u32 {
        // Rounded to the precision of the quadrature.
        all.push((steps.to_string(), libm::round(threshold * 1e8) / 1e8));
        threshold = beyond(threshold);
    }
    Ok(exact(all))
}

/// Number of members.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    members: i64,
}

/// Exponents of n in the growth of BILB from so many members to twice as many: moves, and steps with
/// comparisons in sorts.
///
/// At most n (n - 1) / 2 moves are possible by construction, so they are counted. Members have no
/// levels, which gives the most moves.
pub(super) fn cost(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Members { members } = asked.options()?;
    let loads = |count: i64| (0..count).map(|number| number * 7919 % 10_007);
    let moves = |count: i64| {
        let member =
            |load| Member { who: 0, local: Span::units(load), foreign: Span::ZERO, level: None };
        let members: Vec<Member> = loads(count).map(member).collect();
        let mut moves = Vec::new();
        Bilb::new(&bilb::Options::default()).balance(Time::ZERO, Span::TICK, &members, &mut moves);
        moves.len() as f64
    };
    let literal = |count: i64| literal_steps(loads(count).map(|load| load as f64).collect()) as f64;
    let exponent = |of: &dyn Fn(i64) -> f64| libm::log2(of(2 * members) / of(members));
    Ok(exact([("moves", exponent(&moves)), ("steps", exponent(&literal))]))
}

/// Number of steps of BILB as section 6.1 describes it, without levels.
///
/// For each member, receivers are sorted by their free space and scanned. A step is a comparison or
/// a receiver.
fn literal_steps(mut loads: Vec<f64>) -> u64 {
    let mut steps = merge_sorted(&mut loads);
    let (mut queues, mut total) = (Vec::new(), 0.0);
    for (before, load) in loads.into_iter().enumerate() {
        total += load;
        let mean = total / (before + 1) as f64;
        let mut rest = load - mean;
        let mut spaces: Vec<f64> = queues.iter().map(|queue| mean - queue).collect();
        steps += merge_sorted(&mut spaces) + spaces.len() as u64;
        let count = spaces.len();
        queues = spaces
            .into_iter()
            .enumerate()
            .map(|(place, space): (usize, f64)| {
                let given = space.max(0.0).min(rest / (count - place) as f64);
                rest -= given;
                mean - space + given
            })
            .collect();
        queues.push(mean + rest);
    }
    steps
}

/// Merge sort that counts comparisons, independent of the library's sort.
fn merge_sorted(values: &mut Vec<f64>) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let mut right = values.split_off(values.len() / 2);
    let mut count = merge_sorted(values) + merge_sorted(&mut right);
    let mut merged = Vec::with_capacity(values.len() + right.len());
    let (mut left, mut right) = (values.drain(..).peekable(), right.into_iter().peekable());
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        count += 1;
        merged.extend(if one <= other { left.next() } else { right.next() });
    }
    merged.extend(left.chain(right));
    *values = merged;
    count
}

/// Offered loads before sizes are rounded up, the chance that the next job arrives within 5 units, and how
/// far p = 0.1 rises in the best round in its fall in the worst one, with a ratio of flow times of 2.
pub(super) fn arithmetic(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let offered = |shape: f64| RATE * shape * shape;
    let delayed = -libm::expm1(-RATE * 5.0);
    let desire = |delta: f64, ratio: f64| 0.5 + delta * (ratio / 2.0 - 0.5);
    let (rise, fall) = (desire(1.0, 2.0) - 0.1, 0.1 - desire(-1.0, 2.0));
    Ok(exact([
        ("load 2", offered(2.0)),
        ("load 1", offered(1.0)),
        ("delayed", delayed),
        ("rise over fall", rise / fall),
    ]))
}
