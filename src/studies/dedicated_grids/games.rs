//! The scheduling game, its price, and coalitions.

use super::drawn::{Shape, largest, never, share};
use crate::picture::{Curve, Picture};
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use game::dedicated::{Dedicated, Fronts, Limit, OneShot};
use game::equity::Points;
use game::ntu::{Ending, Gap, Ntu};
use report::picture::Scale;

/// Results of one game.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// Payoffs of my jobs first that are not 0.
    not_zero: u64,
    /// Orders better for an owner than its own jobs first.
    better: u64,
    equilibria: u64,
    /// Owners who could betray a proposal by which all gain.
    betrayals: u64,
    /// Those who do not gain by it, or do not harm the others.
    broken: u64,
}

fn shown(instance: &Dedicated) -> Shown {
    let game = OneShot::new(instance);
    let alone = instance.own_first();
    let mut shown = Shown {
        not_zero: game.payoffs(&alone).iter().filter(|&&one| one != 0).count() as u64,
        equilibria: game.equilibria().map_or(0, |found| found.count as u64),
        ..Shown::default()
    };
    for processor in instance.processors() {
        let own = processor.owner() as usize;
        let sum = |order: &[u32]| {
            let mut sums = vec![0; instance.owners()];
            processor.add_sums(order, &mut sums);
            sums[own]
        };
        let mine = sum(&processor.own_first());
        shown.better += processor.all_orders().filter(|order| sum(order) < mine).count() as u64;
    }
    let walk = instance.equitable_walk(&instance.payoff_offset(), usize::MAX);
    let schedules = (0..walk.sums.len()).map(|index| walk.schedule(instance, index));
    let gains = |payoffs: &[i64]| payoffs.iter().all(|&one| one > 0);
    let Some(proposal) = schedules.into_iter().find(|one| gains(&game.payoffs(one))) else {
        return shown;
    };
    let proposed = game.payoffs(&proposal);
    for owner in 0..instance.owners() as u32 {
        let betrayed = game.betrayed(&proposal, |one| one == owner);
        if betrayed == proposal {
            continue;
        }
        shown.betrayals += 1;
        let after = game.payoffs(&betrayed);
        let own = owner as usize;
        let others = (0..after.len()).filter(|&other| other != own);
        let lose = others.map(|other| after[other] - proposed[other]).sum::<i64>() < 0;
        // Foreign jobs that change places among each other leave the betrayer as it was.
        let is_own = game.is_equilibrium(&game.betrayed(&proposal, |one| one != owner));
        let holds = after[own] > proposed[own] && lose || is_own;
        shown.broken += u64::from(!holds);
    }
    shown
}

/// Payoffs, best replies, equilibria and betrayals.
pub(super) fn game(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const ORDER: Verdict = Verdict::Errs(
        "with three owners and more, my jobs first leaves the order of foreign jobs open, and each is \
         an equilibrium",
    );
    let (seed, samples) = (bench.effort.seed, u64::from(bench.effort.samples));
    let mut rows = Vec::new();
    for shape in [Shape::of(2, 4, 10), Shape::of(3, 1, 10)] {
        let all = bench.each(samples, |sample| Ok(shown(&shape.instance(seed, sample))))?;
        let sum = |of: fn(&Shown) -> u64| all.iter().map(of).sum::<u64>();
        let words = shape.words();
        let of = format!("{samples} instances, {words}");
        let what = format!("{words}: payoffs that are not 0 if all play my jobs first");
        rows.push(never("DG-G-01", "4", &what, sum(|one| one.not_zero), &of));
        let what = format!("{words}: orders that are better for their owner than its jobs first");
        rows.push(never("DG-G-02", "4.1", &what, sum(|one| one.better), &of));
        let most = all.iter().map(|one| one.equilibria).max().unwrap_or(0);
        let what = format!("{words}: most pure equilibria of a game");
        let row = Row::new("DG-G-03", "4.1", what);
        let verdict = Verdict::of(most <= 1);
        rows.push(row.found(1.0, most as f64, verdict).or(ORDER));
        let what = format!("{words}: betrayals that do not pay, or harm nobody");
        let of = format!("{} betrayals of proposals by which all gain", sum(|one| one.betrayals));
        rows.push(never("DG-G-05", "4.1", &what, sum(|one| one.broken), &of));
    }
    Ok(rows)
}

/// The instance of Figure 2.
fn member(jobs: usize, large: i64, small: i64) -> Dedicated {
    let foreign = vec![small; jobs];
    let sizes = [vec![vec![large], foreign.clone()], vec![foreign, vec![large]]];
    Dedicated::square(&sizes).expect("sizes are small and positive")
}

/// Figure 2 and the price of anarchy.
pub(super) fn figure_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const LIMIT: Verdict = Verdict::Errs(
        "the factors of 2 of numerator and denominator cancel: the paper's own sums give n + 1",
    );
    let place = "Figure 2";
    let mut rows = Vec::new();
    for (jobs, large) in [(3, 100), (10, 100_000)] {
        let instance = member(jobs, large, 1);
        let n = jobs as f64;
        let both = [
            ("my jobs first", instance.own_first(), (n + 1.0) * large as f64 + n * (n + 1.0) / 2.0),
            ("shortest first", instance.shortest_first(), n * (n + 1.0) / 2.0 + n + large as f64),
        ];
        for (name, schedule, paper) in both {
            let what = format!("sum of an owner, {name}: n = {jobs}, p = {large}, epsilon = 1");
            let ours = Measured::exact(instance.sums(&schedule)[0] as f64);
            let printed = Printed::calculated(paper, 0.0);
            rows.push(Row::new("DG-F2", place, what).compared(printed, ours));
        }
    }
    let price = |jobs: usize, large: i64| -> Result<f64, StudyError> {
        let found = OneShot::new(&member(jobs, large, 1)).equilibria();
        let found = found.ok_or_else(|| StudyError("there are two owners".to_owned()))?;
        Ok(found.price_of_anarchy())
    };
    for jobs in [1, 2, 5, 10] {
        let ours = price(jobs, 1_000_000)?;
        let what = format!("price of anarchy for n = {jobs}, p / epsilon = 1000000");
        let paper = 2.0 * jobs as f64 + 2.0;
        let is_limit = (ours - (jobs as f64 + 1.0)).abs() < 1e-3;
        let verdict = if is_limit { LIMIT } else { Verdict::Differs };
        rows.push(Row::new("DG-N-03", "4.1", what).found(paper, ours, verdict));
    }
    let mut curves = Vec::new();
    for large in [10, 100, 10_000] {
        let points = (1..=20).map(|jobs| Ok((jobs as f64, price(jobs, large)?)));
        let points = points.collect::<Result<Vec<_>, StudyError>>()?;
        curves.push(Curve::new(format!("p / epsilon = {large}"), points));
    }
    bench.draw(Picture {
        name: "2",
        title: "price of anarchy".to_owned(),
        caption: "sum of completion times if all play my jobs first, over its optimum".to_owned(),
        axes: ["small foreign jobs on each processor", "price of anarchy"],
        scale: Scale::Linear(0.0, 44.0),
        curves,
        paper: vec![(1..=20).map(|jobs| (jobs as f64, 2.0 * jobs as f64 + 2.0)).collect()],
    });
    Ok(rows)
}

/// The ways to say what is near.
const GAPS: [(Gap, &str); 2] = [
    (Gap::Short, "the deviators lack least of what they could take"),
    (Gap::Both, "nearest to what the deviators could take, gifts counted"),
];

/// Answers to those who block a proposal.
#[derive(Clone, Copy, Debug, Default)]
struct Answered {
    /// Nobody blocks the first answer.
    at_once: bool,
    /// Nobody blocks the last answer.
    at_last: bool,
    /// Number of answers.
    steps: f64,
}

impl Answered {
    fn of(game: &Ntu, proposal: &[i64], gap: Gap) -> Answered {
        let answers = game.answers(proposal, gap);
        let at_last = answers.ending == Ending::Unblocked;
        let steps = answers.outcomes.len() - 1;
        Answered { at_once: at_last && steps <= 1, at_last, steps: steps as f64 }
    }
}

/// Coalitions that block the fair proposal of an instance.
#[derive(Clone, Copy, Debug, Default)]
struct Blocked {
    /// The fairest proposal is blocked.
    is_blocked: bool,
    /// Some outcome is in the core.
    has_core: bool,
    /// Largest share of a payoff that the nearest outcome of the core takes from the worst owner.
    loss: f64,
    /// By [`GAPS`]: what becomes of it if objections are answered.
    answered: [Answered; 2],
}

fn blocked(instance: &Dedicated) -> Result<Blocked, StudyError> {
    let wrong = |wrong: game::dedicated::TooLarge| StudyError(wrong.to_string());
    let game = instance.cooperation(Limit::default()).map_err(wrong)?;
    let fronts = Fronts::of(instance, Limit::default()).map_err(wrong)?;
    let offset = instance.payoff_offset();
    let fair = fronts.equitable(&offset).map_err(wrong)?;
    let payoffs = |sums: &[i64]| -> Vec<i64> {
        sums.iter().zip(&offset).map(|(sum, offset)| -(sum + offset)).collect()
    };
    let costs = |payoffs: &[i64]| -> Vec<i64> { payoffs.iter().map(|one| -one).collect() };
    // The proposal: the fair outcome whose worst-off owner is best off.
    let all: Vec<Vec<i64>> = fair.iter().map(payoffs).collect();
    let proposal = all.iter().min_by_key(|one| largest(&costs(one)));
    let proposal = proposal.ok_or_else(|| StudyError("a front is never empty".to_owned()))?;
    let core: Points = game.core();
    let worst = |payoffs: &[i64]| -largest(&costs(payoffs));
    let nearest = core.iter().map(worst).max();
    let loss = nearest.filter(|_| worst(proposal) > 0).map_or(0.0, |nearest| {
        100.0 * (worst(proposal) - nearest).max(0) as f64 / worst(proposal) as f64
    });
    Ok(Blocked {
        is_blocked: game.blocking(proposal).is_some(),
        has_core: !core.is_empty(),
        loss,
        answered: GAPS.map(|(gap, _)| Answered::of(&game, proposal, gap)),
    })
}

/// Coalitions that serve each other first.
pub(super) fn core(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, u64::from(bench.effort.samples));
    let mut rows = Vec::new();
    for shape in [Shape::of(3, 1, 10), Shape::of(3, 2, 10)] {
        let all = bench.each(samples, |sample| blocked(&shape.instance(seed, sample)))?;
        let words = shape.words();
        let is_blocked = all.iter().filter(|one| one.is_blocked).count();
        let ours = share(is_blocked, all.len());
        let what = format!("{words}: % of instances in which a coalition blocks the fair proposal");
        let verdict = if is_blocked > 0 { Verdict::Agrees } else { Verdict::Open };
        rows.push(Row::new("DG-G-08", "4.2", what).found("some", ours, verdict));
        let blocked = all.iter().filter(|one| one.is_blocked);
        let reached = blocked.clone().filter(|one| one.has_core).count();
        let what = format!("{words}: % of these in which another schedule is blocked by nobody");
        let row = Row::new("DG-G-09", "4.2", what);
        rows.push(match is_blocked {
            0 => row.found("some", "none is blocked", Verdict::Open),
            _ => row.found("some", share(reached, is_blocked), Verdict::of(reached > 0)),
        });
        for (which, (_, name)) in GAPS.into_iter().enumerate() {
            let of = |is: fn(&Answered) -> bool| {
                blocked.clone().filter(|one| is(&one.answered[which])).count()
            };
            let (at_once, at_last) = (of(|one| one.at_once), of(|one| one.at_last));
            for (hits, times) in [(at_once, "one answer"), (at_last, "all answers")] {
                let what = format!("{words}: % of these that nobody blocks after {times}: {name}");
                let row = Row::new("DG-G-09", "4.2", what);
                rows.push(match is_blocked {
                    0 => row.shown("none is blocked"),
                    _ => row.shown(share(hits, is_blocked)),
                });
            }
            let missed = blocked.clone().filter(|one| one.has_core && !one.answered[which].at_last);
            let steps = mean(blocked.clone().map(|one| one.answered[which].steps));
            let note = format!(
                "{:.1} answers on average; of {reached} instances with a schedule that nobody blocks, \
                 it is not reached in {}",
                steps.value,
                missed.count(),
            );
            rows.last_mut().expect("there are two").note = (is_blocked > 0).then_some(note);
        }
        let loss = mean(blocked.filter(|one| one.has_core).map(|one| one.loss));
        let what = format!("{words}: % of its gain that it costs the owner who gains least");
        let row = Row::new("DG-G-09", "4.2", what);
        rows.push(if loss.half_width.is_finite() { row.shown(loss) } else { row.shown("too few") });
    }
    Ok(rows)
}

/// The price of leaving owners to themselves, by how many are under control.
pub(super) fn control(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, u64::from(bench.effort.samples));
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for (owners, jobs) in [(2, 5), (4, 5), (8, 5)] {
        let shape = Shape::of(owners, jobs, 50);
        let all = bench.each(samples, |sample| Ok(shape.instance(seed, sample).control()))?;
        let mut points = Vec::new();
        for controlled in 0..=owners {
            let ours = mean(all.iter().map(|one| one[controlled].mean));
            points.push((100.0 * controlled as f64 / owners as f64, ours.value));
            let what = format!(
                "{}: sum of completion times over its optimum, {controlled} under control",
                shape.words()
            );
            rows.push(Row::new("DG-C-03", "1.2, 7", what).shown(ours));
        }
        curves.push(Curve::new(format!("{owners} owners"), points));
    }
    // With enough small jobs beside a large one, any loss is exceeded.
    let found = member(1000, 1_000_000_000, 1).control();
    let ours = Measured::exact(found[0].mean);
    let what =
        "the same in the example of Figure 2, n = 1000, p / epsilon = 10^9, none under control";
    rows.push(Row::new("DG-C-03", "1.2, 7", what).found("arbitrary", ours, ours.above(1000.0)));
    let what = "the same, one of two owners under control";
    rows.push(Row::new("DG-C-03", "1.2, 7", what).shown(Measured::exact(found[1].mean)));
    bench.draw(Picture {
        name: "control",
        title: "the price of missing control".to_owned(),
        caption:
            "sum of completion times over its optimum; owners under control run all jobs shortest \
                  first, the others their own jobs first; mean over which ones"
                .to_owned(),
        axes: ["owners under control (%)", "price"],
        scale: Scale::Linear(1.0, 1.5),
        curves,
        paper: Vec::new(),
    });
    Ok(rows)
}
