//! Theory of the paper: the expected delay, the one-shot and the committed game, and thresholds.
//!
//! The thresholds are those of players who look at their own queues. Nothing is simulated here:
//! closed forms are compared with quadratures of the definitions, and games are enumerated.

use crate::picture::{Curve, Picture};
use crate::row::Row;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use game::matrix::Matrix;
use kernel::time::{Span, Time};
use policy::coalition::bilb::{self, Bilb};
use policy::coalition::delay_cost;
use policy::coalition::one_shot::{self, COOPERATE, RECEIVE, REFUSE, SEND};
use policy::coalition::{Balancer as _, Member};
use report::picture::Scale;
use stats::law::Law;
use stats::shown::counted;

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

/// Figure 1: the three branches of the delay.
pub(super) fn figure_1(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (queue, foreign) = (5.0, 3.0);
    let cases = [
        (2.0, "before the queue ends: the whole foreign load", foreign),
        (6.0, "while foreign work runs: the rest of that work", queue + foreign - 6.0),
        (9.0, "after both: none", 0.0),
    ];
    let row = |(r, what, paper): (f64, &str, f64)| {
        let what = format!("delay at L = 5, Phi = 3, if the next job arrives at {r}, {what}");
        let ours = Measured::exact(delay_cost::delay(r, queue, foreign));
        Row::new("LB-F1", "Figure 1", what).compared(Printed::calculated(paper, 0.0), ours)
    };
    let ours = (0..=120).map(|tenth| f64::from(tenth) / 10.0);
    let ours = ours.map(|r| (r, delay_cost::delay(r, queue, foreign))).collect();
    bench.draw(Picture {
        name: "1",
        title: "delay of the next local job at L = 5, Phi = 3".to_owned(),
        caption: "line: ours; the paper draws a scheme, its text has the values".to_owned(),
        axes: ["arrival of the next local job, r (units)", "delay (units)"],
        scale: Scale::Linear(0.0, 3.5),
        curves: vec![Curve::new("delay", ours)],
        paper: cases.map(|(r, _, delay)| vec![(r, delay)]).into(),
    });
    Ok(cases.map(row).into())
}

/// Expected delay in closed form and by quadrature, with its consequences.
pub(super) fn delays(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let closed = expected_delay;
    let off = largest_difference(closed, by_definition);
    let mut rows = vec![
        Row::new("LB-E-01", "3.3, equation 1", "the closed form equals the integral")
            .holds(off < 1e-9)
            .note(format!("the largest difference on the grid is below {off:.0e}")),
    ];
    for (queue, printed) in [(0.0, 1.839_397), (5.0, 3.837_279)] {
        let row = Row::new(
            "LB-E-01",
            "3.3",
            format!("EG({queue}, 5) at rate 0.2, integrated numerically"),
        );
        let ours = Measured::exact(by_definition(queue, 5.0));
        rows.push(
            row.compared(Printed::calculated(printed, 1e-6), ours)
                .note("the paper's figure is its formula"),
        );
    }
    let ratio = closed(0.0, 10.0) / closed(0.0, 5.0);
    rows.push(
        Row::new("LB-E-02", "3.3", "EG(0, 10) / EG(0, 5), which would be 2 if EG were linear")
            .found("above 2", ratio, Verdict::of(ratio > 2.0)),
    );
    rows.extend(gains());
    let rises = GRID.windows(2).all(|pair| closed(pair[0], 5.0) < closed(pair[1], 5.0));
    rows.push(Row::new("LB-B-06", "6.2", "EG(L, 5) rises with L").holds(rises));
    Ok(rows)
}

/// Gain of sending over the cost of receiving, for four interarrival distributions.
///
/// These are the exponential one of the paper and three others with the same mean 5, on which the
/// paper is silent. Integration by parts gives the integral of the probability that the next job
/// comes later.
fn gains() -> [Row; 4] {
    let later: [fn(f64) -> f64; 3] = [
        |r| libm::exp(-r / 5.0),
        // Two-stage Erlang.
        |r| libm::exp(-r / 2.5) * (1.0 + r / 2.5),
        // Hyperexponential: mean 2 with probability 0.9, mean 32 with probability 0.1.
        |r| 0.9 * libm::exp(-r / 2.0) + 0.1 * libm::exp(-r / 32.0),
    ];
    let least = |later: fn(f64) -> f64| {
        let pairs = GRID.iter().flat_map(|&queue| GRID[1..].iter().map(move |&load| (queue, load)));
        let gain = |(queue, load): (f64, f64)| integral(queue, queue + load, 500, later);
        pairs.map(gain).fold(f64::INFINITY, f64::min)
    };
    let [exponential, erlang, hyperexponential] = later.map(least);
    let regular = 5.0 - delay_cost::expected_delay(&Law::Constant(5.0), 5.0, 5.0);
    let row = |what: &str| Row::new("LB-E-03", "3.3", what);
    let beyond = |what: &str, least: f64| row(what).shown(least).note("not in the paper");
    [
        row("Phi - EG > 0 on the whole grid, exponential interarrival times")
            .holds(exponential > 0.0)
            .note(format!("smallest value {exponential:.4}")),
        beyond("smallest Phi - EG on the grid, two-stage Erlang interarrival times", erlang),
        beyond(
            "smallest Phi - EG on the grid, hyperexponential interarrival times",
            hyperexponential,
        ),
        beyond("Phi - EG at L = 5, Phi = 5, constant interarrival time 5", regular),
    ]
}

/// A function of queue and foreign load.
type Surface<'a> = &'a dyn Fn(f64, f64) -> f64;

/// Figure 2: both surfaces.
pub(super) fn figure_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let cost = |queue: f64, foreign: f64| expected_delay(queue, foreign);
    let gain = |queue: f64, foreign: f64| foreign - cost(queue, foreign);
    let surfaces: [(&str, &str, Surface<'_>); 2] =
        [("LB-F2a", "Figure 2a", &cost), ("LB-F2b", "Figure 2b", &gain)];
    let mut rows = Vec::new();
    for (claim, place, of) in surfaces {
        let is_cost = claim == "LB-F2a";
        let off = largest_difference(of, |queue, foreign| {
            let cost = by_definition(queue, foreign);
            if is_cost { cost } else { foreign - cost }
        });
        let what =
            "the surface of the formula is that of the definition, integrated, on the whole grid";
        rows.push(Row::new(claim, place, what).holds(off < 1e-9));
    }
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
    for (name, title, y, most, ours, printed) in drawn {
        let loads = || (0..=40).map(|half| f64::from(half) / 2.0);
        let curve = |&queue: &f64| {
            Curve::new(
                format!("L = {queue}"),
                loads().map(|load| (load, ours(queue, load))).collect(),
            )
        };
        let points = GRID.iter().flat_map(|&queue| GRID.iter().map(move |&load| (queue, load)));
        bench.draw(Picture {
            name,
            title: format!("{title} at rate 0.2"),
            caption: "lines: ours, integrated from the definition".to_owned(),
            axes: ["foreign load, Phi (units)", y],
            scale: Scale::Linear(0.0, most),
            curves: GRID.iter().map(curve).collect(),
            paper: points.map(|(queue, load)| vec![(load, printed(queue, load))]).collect(),
        });
    }
    let up = |of: Surface<'_>, fixed: f64, by_queue: bool| {
        GRID.windows(2).all(|pair| {
            let at = |moving| if by_queue { of(moving, fixed) } else { of(fixed, moving) };
            at(pair[0]) < at(pair[1])
        })
    };
    let rises = GRID[1..].iter().all(|&load| up(&cost, load, true))
        && GRID.iter().all(|&queue| up(&cost, queue, false));
    rows.push(Row::new("LB-F2a", "Figure 2a", "the cost rises with L and with Phi").holds(rises));
    let falls = GRID[1..].iter().all(|&load| up(&|l, p| -gain(l, p), load, true))
        && GRID.iter().all(|&queue| up(&gain, queue, false));
    let what = "the gain falls with L and rises with Phi, so it is largest for a short queue and a \
                large foreign load";
    rows.push(Row::new("LB-F2b", "Figure 2b", what).holds(falls));
    Ok(rows)
}

/// Games of Table 1.
pub(super) fn games(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let pays =
        |game: &Matrix, profile: [u32; 2]| [0, 1].map(|player| game.payoff(player, &profile));
    let all =
        || GRID.into_iter().flat_map(|queue| GRID[1..].iter().map(move |&load| (queue, load)));
    let is = |own: [f64; 2], theirs: [f64; 2]| {
        own.iter().zip(theirs).all(|(own, theirs)| (own - theirs).abs() < 1e-9)
    };
    let alone = [[0, 1], [1, 0], [1, 1]];
    let basic = one_shot::basic(&GAPS, 5.0, 5.0);
    let [sends, costs] = pays(&basic, [SEND, RECEIVE]);
    let is_basic = is([sends, costs], [5.0, -by_definition(5.0, 5.0)])
        && alone.iter().all(|&profile| is(pays(&basic, profile), [0.0, 0.0]));
    let committed = one_shot::committed(&GAPS, 5.0, 5.0);
    let both = pays(&committed, [COOPERATE, COOPERATE]);
    let half = (5.0 - by_definition(5.0, 5.0)) / 2.0;
    let is_committed = is(both, [half, half])
        && alone.iter().all(|&profile| is(pays(&committed, profile), [0.0, 0.0]));
    let is_best = all()
        .all(|(queue, load)| one_shot::basic(&GAPS, queue, load).optima() == [vec![SEND, RECEIVE]]);
    let dominated = all().all(|(queue, load)| {
        one_shot::basic(&GAPS, queue, load).dominates(1, REFUSE, RECEIVE).is_some()
    });
    let dominates = all().all(|(queue, load)| {
        let game = one_shot::committed(&GAPS, queue, load);
        [0, 1].iter().all(|&player| game.dominates(player, COOPERATE, REFUSE).is_some())
    });
    let together = |queue: f64, load: f64| load - expected_delay(queue, load);
    let falls = GRID.windows(2).all(|pair| together(pair[0], 20.0) > together(pair[1], 20.0));
    let limit = Measured::exact(together(0.0, 1000.0));
    Ok(vec![
        Row::new("LB-G-01", "Table 1a", "payoffs of send and receive at L = 5, Phi = 5, rate 0.2")
            .found("Phi, -EG", format!("{sends:.3}, {costs:.3}"), Verdict::of(is_basic))
            .note("EG is integrated numerically; all other cells are 0"),
        Row::new(
            "LB-G-02",
            "4.1",
            "send and receive maximizes the sum of payoffs, on the whole grid",
        )
        .holds(is_best),
        Row::new("LB-G-02", "4.1", "rejecting dominates receiving, on the whole grid")
            .holds(dominated),
        Row::new("LB-G-03", "4.1", "sum of payoffs at L = 0 and a foreign load of 1000")
            .compared(Printed::calculated(5.0, 0.001), limit),
        Row::new("LB-G-03", "4.1", "the sum of payoffs falls as the receiver's queue grows")
            .holds(falls),
        Row::new("LB-G-04", "Table 1b", "payoff of each when both cooperate, at L = 5, Phi = 5")
            .found("(Phi - EG)/2", both[0], Verdict::of(is_committed))
            .note("EG is integrated numerically; computing alone pays 0"),
        Row::new("LB-G-04", "Table 1b", "cooperating dominates computing alone, on the whole grid")
            .holds(dominates)
            .note("weakly: if the other computes alone, both actions pay 0"),
    ])
}

/// Thresholds of players who reason about each other, at service rate 0.25.
pub(super) fn thresholds(_: &Bench) -> Result<Vec<Row>, StudyError> {
    const SERVICE: f64 = 0.25;
    let (load, decay) = (RATE / SERVICE, SERVICE - RATE);
    // Above 0 the queue has density load x decay x exp(-decay x L).
    let density = |queue: f64| load * decay * libm::exp(-decay * queue);
    let beyond = |threshold: f64| {
        let end = threshold + 60.0 / decay;
        let share = integral(threshold, end, 4000, density);
        integral(threshold, end, 4000, |queue| queue * density(queue)) / share
    };
    // Rounded to the precision of the quadrature.
    let told = |threshold: f64| Measured::exact(libm::round(threshold * 1e8) / 1e8);
    let mut threshold = integral(0.0, 60.0 / decay, 4000, |queue| queue * density(queue));
    let mut rows = vec![
        Row::new("LB-M-02", "3.1", "mean load of an M/M/1 queue, rate 0.2, service rate 0.25")
            .compared(Printed::calculated(16.0, 1e-6), told(threshold))
            .note("the paper gives rho / gamma; it calls lambda a mean interarrival time, but uses it as a rate"),
    ];
    for steps in 0..6_u32 {
        let printed = Printed::calculated(16.0 + 20.0 * f64::from(steps), 1e-6);
        let after = counted(steps.into(), "step of reasoning", "steps of reasoning");
        let what = format!("shortest queue for which balancing pays, after {after}");
        rows.push(Row::new("LB-Q-03", "5", what).compared(printed, told(threshold)));
        threshold = beyond(threshold);
    }
    rows.push(
        Row::new("LB-Q-03", "5", "the condition printed under the second expectation").found(
            "L > 1/gamma",
            "L > rho/gamma",
            Verdict::Errs("the text before it and the bounds of the integral use rho/gamma"),
        ),
    );
    Ok(rows)
}

/// Work of BILB as a function of the number of members.
///
/// At most n (n - 1) / 2 moves are possible by construction, so they are counted. Members have no
/// levels, which gives the most moves.
pub(super) fn cost(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let loads = |count: i64| (0..count).map(|number| number * 7919 % 10_007);
    let moves = |count: i64| {
        let member = |load| Member { local: Span::units(load), foreign: Span::ZERO, level: None };
        let members: Vec<Member> = loads(count).map(member).collect();
        let mut moves = Vec::new();
        Bilb::new(&bilb::Options::default()).balance(Time::ZERO, Span::TICK, &members, &mut moves);
        moves.len() as f64
    };
    let exponent = |of: &dyn Fn(i64) -> f64, count: i64| libm::log2(of(2 * count) / of(count));
    let literal = |count: i64| literal_steps(loads(count).map(|load| load as f64).collect()) as f64;
    let mut rows = Vec::new();
    for count in [32, 128, 512] {
        let from = format!("from {count} to {} members", 2 * count);
        let grows = exponent(&moves, count);
        let what = format!("exponent of n in the growth of moves, {from}");
        let verdict = Verdict::of(grows <= 2.05);
        rows.push(Row::new("LB-B-03", "6.1", what).found("at most 2", grows, verdict));
        let grows = exponent(&literal, count);
        let what =
            format!("exponent of n in the growth of steps, with comparisons in sorts, {from}");
        rows.push(Row::new("LB-B-03", "6.1", what).shown(grows).note(
            "the receivers are sorted anew for each sender, which takes n log n steps each time",
        ));
    }
    Ok(rows)
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

/// Offered loads, and consequences of the paper's own figures.
pub(super) fn arithmetic(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    for (shape, printed) in [(2.0, 0.8), (1.0, 0.2)] {
        let what = format!("offered load, alpha = beta = {shape}, before sizes are rounded up");
        let ours = Measured::exact(RATE * shape * shape);
        let row = Row::new("LB-X-02", "4.2.2", what);
        rows.push(row.compared(Printed::calculated(printed, 0.01), ours));
    }
    for (clusters, share) in [(2, 0.480 / 0.628), (10, 1.429 / 3.123)] {
        let what =
            format!("printed score at level 4 / printed score at level 1000, {clusters} clusters");
        rows.push(Row::new("LB-T3-03", "6.3", what).found(
            "similar",
            share,
            Verdict::Errs("the paper's own Table 3 shows a clearly lower score at level 4"),
        ));
    }
    let delayed = Measured::exact(-libm::expm1(-RATE * 5.0));
    rows.push(
        Row::new("LB-T4-04", "6.3", "chance that the next job arrives within 5 units")
            .compared(Printed::calculated(0.5, 0.01), delayed)
            .or(Verdict::Errs(
                "5 is the mean, not the median: an exponential time is below its mean with probability 1 - 1/e",
            )),
    );
    rows.push(
        Row::new("LB-T5-03", "Table 5", "the columns of rows 9 to 16 are labelled correctly").found(
            true,
            false,
            Verdict::Errs(
                "the columns are swapped: those of the overloaded cluster come first, as the row n = 10, \
                 l = 5 shows beside Table 4",
            ),
        ),
    );
    Ok(rows)
}
