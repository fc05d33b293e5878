//! The model, the equations, and what the sequential game really converges to.

use super::drawn::{Instance, Kind, Shape};
use super::letter::{Letter, Matrix, Stage};
use super::played::{Player, play, shared};
use super::table4::{EDGES, SETTINGS};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Printed, Verdict};
use crate::{Bench, StudyError};
use policy::tasks::game_quick::{Budgets, GameQuick, Options, Sequential};
use policy::tasks::{Plan, Problem, Share, TaskPlanner, least_makespan, replay};

/// A sum counts as higher if it is by this part, which rounding does not do.
const RISE: f64 = 1e-12;
/// Most difference of what is computed in two ways, in parts.
const SAME: f64 = 1e-6;

/// Largest difference of two matrices, in parts of the largest entry.
fn difference(one: &Matrix, other: &Matrix) -> f64 {
    let largest = one.iter().flatten().copied().fold(1e-300, f64::max);
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(one, other)| (one - other).abs() / largest).fold(0.0, f64::max)
}

/// A row of two computations that must give the same.
pub(super) fn same(claim: &'static str, place: &str, what: &str, off: f64) -> Row {
    Row::new(claim, place, what).found(0.0, off, Verdict::of(off <= SAME))
}

/// Game-quick without a repeated game: it answers as it did at first.
fn first_game(instance: &Instance) -> f64 {
    let letter = Letter::of(instance);
    let theta = shared(&instance.problem(), &GameQuick::new(&Options::default()));
    letter.ends(&theta).into_iter().fold(0.0, f64::max)
}

/// Game-quick that drops what is below a processor in every stage, as equation 4 and constraint 3 say. A
/// class keeps its largest part, or it would have none.
struct Dropping(u32);

impl TaskPlanner for Dropping {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let classes: Vec<_> =
            problem.classes.iter().filter(|class| class.after.is_empty()).collect();
        let times = |class: &&policy::tasks::Class<'_>| {
            class.times.iter().map(|time| time.as_units()).collect()
        };
        let count =
            |site: &policy::tasks::Site| site.free.iter().map(|free| free.processors as f64).sum();
        let letter = Letter {
            times: classes.iter().map(times).collect(),
            tasks: classes.iter().map(|class| class.tasks).collect(),
            processors: problem.sites.iter().map(count).collect(),
            prices: vec![1.0; problem.sites.len()],
        };
        let weights = letter.weights();
        let mut delta = letter.first();
        let mut theta = Matrix::new();
        for _ in 0..self.0 {
            theta = letter.divided(&delta, &weights);
            for row in &mut theta {
                let most = row.iter().copied().fold(0.0, f64::max);
                row.iter_mut().filter(|one| **one < 1.0 && **one < most).for_each(|one| *one = 0.0);
            }
            delta = letter.distributed(&theta);
        }
        for (class, row) in classes.iter().zip(theta) {
            let some = (0..).zip(row).filter(|(_, processors)| *processors > 0.0);
            let class = class.number;
            out.shares.extend(some.map(|(site, processors)| Share { class, site, processors }));
        }
    }
}

/// Equations 1 to 5 on the inconsistent half of table 2, by hand, and the planner by the equations.
fn equations(rows: &mut Vec<Row>) {
    let case = Instance::bag(&[3, 2], &[5, 5], &[&[15.0, 10.0], &[8.0, 9.0]]);
    let letter = Letter::of(&case);
    let mut stage: Option<Stage> = None;
    letter.play(1, |_, now| {
        stage = Some(now.clone());
        true
    });
    let Some(stage) = stage else { return };
    // Work times weight at the sites is 2.5 * 6 and 2.5 * 6, and 135/43 * 72/17 and 80/43 * 72/17.
    let known = [
        ("equation 7: activities at first", letter.first(), [2.5, 2.5, 135.0 / 43.0, 80.0 / 43.0]),
        ("equation 3: weights", letter.weights(), [0.4, 0.6, 9.0 / 17.0, 8.0 / 17.0]),
        (
            "equation 2: processors of the first stage",
            stage.theta.clone(),
            [
                3.0 * 15.0 / (15.0 + 135.0 / 43.0 * 72.0 / 17.0),
                2.0 * 15.0 / (15.0 + 80.0 / 43.0 * 72.0 / 17.0),
                3.0 * (135.0 / 43.0 * 72.0 / 17.0) / (15.0 + 135.0 / 43.0 * 72.0 / 17.0),
                2.0 * (80.0 / 43.0 * 72.0 / 17.0) / (15.0 + 80.0 / 43.0 * 72.0 / 17.0),
            ],
        ),
    ];
    for (what, ours, by_hand) in known {
        let by_hand: Matrix = by_hand.chunks(2).map(<[f64]>::to_vec).collect();
        rows.push(same("SG-E-01", "equations 1-7", what, difference(&by_hand, &ours)));
    }
    let rate = stage.theta[0][0] / 15.0 + stage.theta[0][1] / 10.0;
    let off = (stage.times[0] * rate / 5.0 - 1.0).abs();
    rows.push(same("SG-E-01", "equation 1", "equation 1: the time of a class", off));
    let off = (stage.delta[0][0] * 15.0 * rate / (5.0 * stage.theta[0][0]) - 1.0).abs();
    rows.push(same("SG-E-01", "equation 5", "equation 5: activities of a class at a site", off));
    // One processor and one activity each: nobody ever has a whole processor.
    let square: Vec<Vec<f64>> =
        (0..4).map(|k| (0..4).map(|i| f64::from(3 + (k + i) % 4)).collect()).collect();
    let square: Vec<&[f64]> = square.iter().map(Vec::as_slice).collect();
    let letter = Letter::of(&Instance::bag(&[1; 4], &[1; 4], &square));
    let mut whole = 0;
    letter.play(1, |_, now| {
        whole = now.theta.iter().flatten().filter(|theta| **theta >= 1.0).count();
        true
    });
    let what = "shares of a processor or more after a stage, four classes on four sites of one";
    const NONE: Verdict = Verdict::Errs(
        "in an example of the size of figure 4 all shares are below a processor, and by constraint 3 all \
         would be dropped; shares are therefore rounded once, at the end",
    );
    let row = Row::new("SG-E-02", "equation 4", what);
    rows.push(row.found("some", whole as f64, if whole > 0 { Verdict::Agrees } else { NONE }));
}

/// Findings on one instance.
struct Told {
    /// Difference of the planner's shares from the equations.
    off: f64,
    /// True if the sum of times rises in a stage; how often the objective of the market falls.
    rises: bool,
    falls: u64,
    /// Largest rise in a stage, in parts.
    most: f64,
    /// Makespans over the bound: the fluid with new games, the first game alone, with drops, and with
    /// adapted budgets.
    fluid: f64,
    first: f64,
    dropping: f64,
    adaptive: f64,
    /// Largest difference of shares if there are 100 times as many tasks.
    scaled: f64,
}

fn told(shape: &Shape, stages: u32, seed: u64, sample: u64) -> Result<Told, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let letter = Letter::of(&instance);
    let (mut before, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut most, mut falls) = (0.0_f64, 0);
    let mut theta = Matrix::new();
    let mut is_over = false;
    letter.play(stages, |stage, now| {
        let sum = now.sum();
        let welfare = letter.welfare(&now.theta);
        if stage >= 2 {
            most = most.max(sum / before - 1.0);
            falls += u64::from(welfare < last - RISE * last.abs());
            if !is_over && before - sum <= 0.0 {
                is_over = true;
                theta.clone_from(&now.theta);
            }
        }
        (before, last) = (sum, welfare);
        if stage == stages && !is_over {
            theta.clone_from(&now.theta);
        }
        false
    });
    let problem = instance.problem();
    let options = Options { stages, ..Options::default() };
    let own = shared(&problem, &GameQuick::new(&options));
    let adaptive = Options { budgets: Budgets::Adaptive, stages, ..Options::default() };
    let bound = least_makespan(&problem, false)
        .ok_or_else(|| StudyError("the linear program was given up".to_owned()))?;
    let over = |makespan: f64| makespan / bound.value;
    let mut more = problem.clone();
    more.classes.iter_mut().for_each(|class| class.tasks *= 100.0);
    let few = Options { stages: 20, epsilon: 0.0, ..Options::default() };
    let few = GameQuick::new(&few);
    Ok(Told {
        off: difference(&theta, &own),
        rises: most > RISE,
        falls,
        most,
        fluid: over(replay(&problem, &GameQuick::new(&options)).makespan()),
        first: over(first_game(&instance)),
        dropping: over(replay(&problem, &Dropping(stages.min(200))).makespan()),
        adaptive: over(replay(&problem, &GameQuick::new(&adaptive)).makespan()),
        scaled: difference(&shared(&problem, &few), &shared(&more, &few)),
    })
}

/// The equations, and what they do on instances of independent classes.
pub(super) fn equations_and_stages(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const FALSE: Verdict = Verdict::Errs(
        "the game is proportional response in a Fisher market with linear utilities: what rises in every \
         stage is the sum of budget times the logarithm of the rate, and the sum of times may rise too",
    );
    let mut rows = Vec::new();
    equations(&mut rows);
    let stages = if bench.effort.quick { 100 } else { 1000 };
    for (kind, name) in [
        (Kind::Consistent, "consistent"),
        (Kind::Inconsistent, "inconsistent"),
        (Kind::Product, "products"),
    ] {
        let shape = Shape::of(kind, SETTINGS[0].1, 0.0).quick(bench.effort.quick);
        bench.log(Record::drawn(&format!("bags, {name}, HiHi"), bench, bench.effort.samples));
        let seed = bench.effort.seed;
        let all = bench.each(bench.effort.samples.into(), |n| told(&shape, stages, seed, n))?;
        let count = all.len();
        let largest = |of: &dyn Fn(&Told) -> f64| all.iter().map(of).fold(0.0, f64::max);
        let row =
            |claim, place: &str, what: &str| Row::new(claim, place, format!("{name}: {what}"));
        let what = format!("{name}: shares of the planner less those of the equations, in parts");
        rows.push(same("SG-E-01", "equations 1-9", &what, largest(&|one| one.off)));
        let what = format!("{name}: shares with 100 times the tasks less those before, in parts");
        rows.push(same("SG-C-01", "3.5", &what, largest(&|one| one.scaled)));
        let rises = all.iter().filter(|one| one.rises).count() as u64;
        let what = format!("runs of {stages} stages in which the sum of times rises, of {count}");
        let note = format!("by {:.1e} in a stage at most, in parts", largest(&|one| one.most));
        rows.push(row("SG-E-03", "equation 6", &what).never(rises).or(FALSE).note(note));
        let falls = all.iter().map(|one| one.falls).sum();
        let what = "stages in which the objective of the market falls";
        rows.push(row("SG-E-03", "here", what).never(falls));
        let fluid = mean(all.iter().map(|one| one.fluid));
        let what = "makespan of a fluid of Game-quick over the bound";
        let verdict = Printed::calculated(1.0, 0.0).judge(&fluid);
        let adaptive = mean(all.iter().map(|one| one.adaptive));
        let cause = format!(
            "the stages end at the largest sum of budgets times logarithms of rates (SG-E-03), which is not the \
             least makespan; with budgets that adapt it is {:.3} of the bound",
            adaptive.value
        );
        rows.push(row("SG-E-04", "3.1", what).found("the least", fluid, verdict).because(cause));
        let what = "makespan of a fluid with adapted budgets over the bound";
        rows.push(row("SG-E-04", "beyond", what).shown(adaptive));
        let again = mean(all.iter().map(|one| one.first - one.fluid));
        let what = "makespan of the first game alone less that with new games, in bounds";
        rows.push(row("SG-A-01", "Algorithm 1", what).positive(again));
        let drops = mean(all.iter().map(|one| one.dropping / one.fluid));
        let what = "makespan with shares below a processor dropped, in that without";
        rows.push(row("SG-E-02", "equation 4", what).shown(drops));
    }
    Ok(rows)
}

/// The model: precedence, excluded sites, sequential classes.
pub(super) fn model(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let seed = bench.effort.seed;
    let shape = Shape::of(Kind::Inconsistent, SETTINGS[3].1, EDGES).quick(true);
    bench.log(Record::drawn("graphs, inconsistent LoLo", bench, bench.effort.samples));
    let all = bench.each(bench.effort.samples.into(), |sample| {
        let mut instance = shape.draw(seed, sample)?;
        let player = Player::game(GameQuick::new(&Options::default()));
        let outcome = play(&instance, &player, seed)?;
        let mut early = 0;
        for (class, ready) in instance.work.classes.iter().zip(&outcome.readies) {
            let late = class.after.iter().filter(|before| outcome.ends[**before as usize] > *ready);
            early += late.count() as u64;
        }
        let done: f64 = outcome.tasks.iter().flatten().sum();
        let lost = (done - instance.work.tasks() as f64).abs();
        // The first class must not use the first two sites, nor the last class the last three.
        let sites = instance.sites.len();
        let work = std::sync::Arc::make_mut(&mut instance.work);
        work.weights = vec![1.0; work.classes.len() * sites];
        let last = work.weights.len();
        work.weights[..2].fill(0.0);
        work.weights[last - 3..].fill(0.0);
        let outcome = play(&instance, &player, seed)?;
        let end = outcome.tasks.len() - 1;
        let there = outcome.tasks[0][..2].iter().chain(&outcome.tasks[end][sites - 3..]);
        let excluded: f64 = there.sum();
        // A class of one task goes to its fastest site.
        std::sync::Arc::make_mut(&mut instance.work).weights.clear();
        std::sync::Arc::make_mut(&mut instance.work).classes[0].tasks = 1;
        let options = Options { sequential: Sequential::Fastest, ..Options::default() };
        let outcome = play(&instance, &Player::game(GameQuick::new(&options)), seed)?;
        let times = instance.work.times(0);
        let fastest = (0..sites).min_by_key(|site| times[*site]).unwrap_or(0);
        let is_off = u64::from(outcome.tasks[0][fastest] != 1.0);
        // The queues of the sites, in a fluid and rounded to processors.
        Ok((early, lost as u64, excluded as u64, is_off))
    })?;
    let of = format!("of {} graphs", all.len());
    let rows = [
        (
            "SG-M-01",
            "Definition 1",
            "classes that start before another on which they depend ends",
            all.iter().map(|one| one.0).sum::<u64>(),
        ),
        (
            "SG-M-01",
            "Definition 1",
            "activities that are not done, or done twice",
            all.iter().map(|one| one.1).sum(),
        ),
        (
            "SG-A-02",
            "3.2",
            "activities at sites where their weight is zero",
            all.iter().map(|one| one.2).sum(),
        ),
        (
            "SG-M-04",
            "2.2",
            "classes of one activity that are not at the fastest site",
            all.iter().map(|one| one.3).sum(),
        ),
    ];
    Ok(rows
        .map(|(claim, place, what, times)| {
            Row::new(claim, place, what).never(times).note(of.clone())
        })
        .into())
}
