//! Game-storage and Game-storage-cost: table 7 and figures 16 and 17.
//!
//! The paper does not tell the limits of its sites. They are swept here, in what all processors of a
//! site hold on average. Tasks that find no storage wait, in the order in which their processors became
//! free.
//!
//! The paper's lists do not schedule "an activity on a site with not enough storage resources". That can
//! be read in two ways, and Min-min is played in both: completions count the waiting for storage, so that
//! a task is planned from the time at which there is room; or lists skip the sites that cannot hold a
//! task, and otherwise plan as if storage were free.

use super::cost::all_of;
use super::drawn::{Instance, Kind, Shape};
use super::letter::{Letter, Matrix};
use super::played::{Algorithm, Listing, Outcome, Player, play, shared};
use crate::picture::{Curve, Picture, Points, reach};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use model::campaign::{Site, UNLIMITED};
use policy::tasks::game_cost::{self, GameCost};
use policy::tasks::game_quick::{self, GameQuick};
use policy::tasks::game_storage::{self, GameStorage, Repair};
use policy::tasks::game_storage_cost::{self, GameStorageCost};
use policy::tasks::{
    Leftovers, Order, Plan, Problem, TaskPlanner, WholeTasks, least_makespan, sufferage::Second,
};
use report::picture::Scale;

/// Limits, in what all processors hold on average; the last one never binds.
const LIMITS: [f64; 4] = [0.25, 0.5, 1.0, 4.0];
const REPAIRS: [(Repair, &str); 3] =
    [(Repair::Scale, "scaled"), (Repair::Iter, "again and again"), (Repair::Once, "once")];
/// The others in the paper's order.
const OTHERS: [Algorithm; 6] = [
    Algorithm::MinMin,
    Algorithm::Sufferage,
    Algorithm::Mct,
    Algorithm::MaxMin,
    Algorithm::Olb,
    Algorithm::Met,
];

/// The limits of the sweep.
fn limits(bench: &Bench) -> &'static [f64] {
    if bench.effort.quick { &[0.5, 4.0] } else { &LIMITS }
}

fn shape(bench: &Bench, limit: f64) -> Shape {
    let shape = Shape::of(Kind::Inconsistent, [1000.0, 100.0], 0.0);
    let quick = Shape { tasks: (320, 640), processors: (8, 16), ..shape };
    let shape = if bench.effort.quick { quick } else { shape };
    Shape { storage: Some(limit), ..shape }
}

fn storage(repair: Repair) -> GameStorage {
    GameStorage::new(&game_storage::Options { repair, ..Default::default() })
}

/// Results on one instance with one limit.
struct Case {
    /// By repair.
    games: [Outcome; 3],
    others: Vec<Outcome>,
    /// Makespan of Min-min that only skips sites without room.
    skips: f64,
    /// Costs of Game-storage-cost, of Game-cost and of the others, with a deadline.
    costs: [f64; 2],
    other_costs: Vec<f64>,
    late: f64,
}

/// A list that counts the waiting for storage.
fn list(one: Algorithm, deadline: bool) -> Player {
    let order = Order::Random;
    one.with(Listing { order, deadline, storage: true, ..Listing::default() })
}

fn case(shape: &Shape, seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let seed = seed ^ sample;
    let of = |player: Player| play(&instance, &player, seed);
    let mut others = Vec::new();
    for one in OTHERS {
        others.push(of(list(one, false))?);
    }
    let deadline = 2.0 * others[0].makespan();
    let due = instance.due(deadline);
    let of_due = |player: Player| play(&due, &player, seed);
    let stored = GameStorageCost::new(&game_storage_cost::Options::default());
    let stored = of_due(Player::once(WholeTasks::new(stored, Leftovers::Cheapest)))?;
    let cost = GameCost::new(&game_cost::Options::default());
    let cost = of_due(Player::once(WholeTasks::new(cost, Leftovers::Cheapest)))?;
    let mut other_costs = Vec::new();
    for one in OTHERS {
        other_costs.push(of_due(list(one, true))?.cost);
    }
    Ok(Case {
        games: [
            of(Player::game(storage(Repair::Scale)))?,
            of(Player::game(storage(Repair::Iter)))?,
            of(Player::game(storage(Repair::Once)))?,
        ],
        others,
        skips: of(Algorithm::MinMin.player(Order::Random, Second::Site))?.makespan(),
        costs: [stored.cost, cost.cost],
        other_costs,
        late: stored.late,
    })
}

fn over(cases: &[Case], of: impl Fn(&Case) -> f64) -> Measured {
    mean(cases.iter().map(of))
}

/// Table 7 and figure 17.
pub(super) fn sweep(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for &limit in limits(bench) {
        let shape = shape(bench, limit);
        let how = format!("bags of table 7, limits {limit} of what all processors hold");
        bench.log(Record::drawn(&how, bench, bench.effort.samples));
        let seed = bench.effort.seed;
        let cases = bench.each(bench.effort.samples.into(), |one| case(&shape, seed, one))?;
        rows.extend(figure_17(limit, &cases));
        all.push((limit, cases));
    }
    let one = shape(bench, 1.0);
    let what = "ten sites and classes, storage of a task 1 to 1000";
    let count = format!("{} to {} processors a site", one.processors.0, one.processors.1);
    rows.push(Row::new("SG-T7", "Table 7", what).shown(count));
    let what = "cost of the others in that of Game-storage-cost, if it saves 74%";
    let row = Row::new("SG-F17d", "5.3", what);
    rows.push(row.found(2.0, 1.0 / (1.0 - 0.74), TWICE));
    draw(bench, &all);
    Ok(rows)
}

/// Why 74% errs.
const TWICE: Verdict = Verdict::Errs(
    "74% less and about twice the cost cannot both be: who saves 74% has others at 3.8 times its cost",
);
/// Causes of differences, or what was tried to find one.
const LIMITED: &str = "no cause known; tried: limits of a fourth, a half and all of what processors hold, \
                       lists that wait for storage and lists that skip sites, three repairs";
const FREE: &str = "the lists plan class by class as in the rows of Figure 7, where no player is so much better; tried: four \
                     limits, of which the last one never binds";
const ORDER: &str =
    "no cause known; tried: lists that wait for storage, four limits, deadlines aside";
const DUE: &str = "no cause known; tried: limits of a fourth, a half, one and four times what processors hold, \
                   with a deadline of two makespans of Min-min, as the paper tells neither";

fn figure_17(limit: f64, cases: &[Case]) -> Vec<Row> {
    let row =
        |claim, place: &str, what: &str| Row::new(claim, place, format!("limit {limit}: {what}"));
    let mut rows = Vec::new();
    let binds = limit < 4.0;
    for (at, (_, name)) in REPAIRS.into_iter().enumerate() {
        let ratio = over(cases, |case| case.games[at].makespan() / case.others[0].makespan());
        let what = format!("makespan of Game-storage, {name}, in that of Min-min");
        let new = row("SG-D-06", "Algorithm 3", &what);
        rows.push(match at {
            0 => new.found("below 1", ratio, ratio.below(1.0)).because(LIMITED),
            _ => new.shown(ratio),
        });
    }
    let shorter = |than: &dyn Fn(&Case) -> f64| {
        over(cases, |case| 100.0 * (1.0 - case.games[0].makespan() / than(case)))
    };
    let waits = shorter(&|case| case.others[0].makespan());
    let what =
        "% that Game-storage, scaled, is shorter than Min-min that counts waiting for storage";
    let new = row("SG-F17b", "Figure 17b", what);
    if binds {
        let skips = shorter(&|case| case.skips);
        let reading = Verdict::Depends(format!(
            "it depends on how lists count storage: of Min-min that skips sites without room it is {:.0}%",
            skips.value
        ));
        let new = new.found("33 or more", waits, waits.above(33.0));
        let is_rescued = skips.above(33.0) == Verdict::Agrees;
        rows.push(if is_rescued { new.or(reading) } else { new.because(LIMITED) });
        let what = "% that it is shorter than Min-min that skips sites without room";
        let new = row("SG-F17b", "Figure 17b", what).found("33 or more", skips, skips.above(33.0));
        rows.push(new.because(LIMITED));
    } else {
        rows.push(new.found("5 to 10", waits, waits.between(5.0, 10.0)).because(FREE));
    }
    let makespan = |case: &Case, at: usize| match at {
        0 => case.games[0].makespan(),
        at => case.others[at - 1].makespan(),
    };
    let pair =
        |at: usize| over(cases, |case| libm::log(makespan(case, at + 1) / makespan(case, at)));
    let verdicts: Vec<Verdict> = (0..OTHERS.len()).map(|at| pair(at).above(0.0)).collect();
    let verdict = all_of(&verdicts);
    let named: Vec<String> = (0..=OTHERS.len())
        .map(|at| {
            let name = if at == 0 { "Game-storage" } else { OTHERS[at - 1].name() };
            let ratio = over(cases, |case| makespan(case, at) / makespan(case, 0));
            format!("{name} {:.2}", ratio.value)
        })
        .collect();
    let what = "makespans: Game-storage, Min-min, Sufferage, MCT, Max-min, OLB, MET";
    rows.push(
        row("SG-F17b", "Figure 17b", what)
            .found("rising", named.join(", "), verdict)
            .because(ORDER),
    );
    let jain: Vec<f64> = cases.iter().map(|case| case.games[0].jain()).collect();
    let new = row("SG-F17c", "Figure 17c", "Jain's index of the ends of the classes, Game-storage");
    rows.push(new.ranked(0.99, 0.01, &jain).because(LIMITED));
    for (at, other) in OTHERS.into_iter().enumerate() {
        let name = other.name();
        let saved = over(cases, |case| 100.0 * (1.0 - case.costs[0] / case.other_costs[at]));
        let what = format!("% that Game-storage-cost saves of {name}");
        let least = if binds { 74.0 } else { 28.0 };
        let text = if binds { "74 or more" } else { "28 or more" };
        let new = row("SG-F17d", "Figure 17d", &what).found(text, saved, saved.above(least));
        // Twice the cost is half of it saved, which the paper says too.
        let is_twice = binds && saved.between(33.0, 60.0) == Verdict::Agrees;
        rows.push(if is_twice { new.or(TWICE) } else { new.because(DUE) });
        let times: Vec<f64> =
            cases.iter().map(|case| case.other_costs[at] / case.costs[0]).collect();
        let what = format!("cost of {name} in that of Game-storage-cost");
        let new = row("SG-F17d", "5.3", &what);
        rows.push(new.ranked(2.0, 1.0, &times).because(DUE));
    }
    let game = over(cases, |case| 100.0 * (1.0 - case.costs[0] / case.costs[1]));
    rows.push(row("SG-F17d", "here", "% that Game-storage-cost saves of Game-cost").shown(game));
    let late = over(cases, |case| 100.0 * case.late);
    rows.push(row("SG-F17d", "here", "% of its activities that end late").shown(late));
    rows
}

fn draw(bench: &Bench, all: &[(f64, Vec<Case>)]) {
    let line = |name: &str, of: &dyn Fn(&Case) -> f64| {
        let point = |(limit, cases): &(f64, Vec<Case>)| (*limit, over(cases, of).value);
        Curve::new(name, all.iter().map(point).collect())
    };
    let ratio = |of: &dyn Fn(&Case) -> f64, case: &Case| of(case) / case.others[0].makespan();
    let mut makespans: Vec<Curve> = REPAIRS
        .iter()
        .enumerate()
        .map(|(at, (_, name))| {
            line(&format!("Game-storage, {name}"), &|case| {
                ratio(&|case| case.games[at].makespan(), case)
            })
        })
        .collect();
    let mut costs = Vec::new();
    for (at, other) in OTHERS.into_iter().enumerate() {
        if at > 0 {
            makespans
                .push(line(other.name(), &|case| ratio(&|case| case.others[at].makespan(), case)));
        }
        costs.push(line(other.name(), &|case| case.other_costs[at] / case.costs[0]));
    }
    let picture = |name, axes: [&'static str; 2], curves: Vec<Curve>, paper: Vec<Points>| Picture {
        name,
        title: axes[1].to_owned(),
        caption: "limits in what all processors of a site hold, which the paper does not tell"
            .to_owned(),
        axes,
        scale: Scale::Linear(0.0, reach(&curves, &paper)),
        curves,
        paper,
    };
    let level = |at: f64| vec![vec![(LIMITS[0], at), (LIMITS[3], at)]];
    let axes = ["limit", "makespan in that of Min-min"];
    bench.draw(picture("17b", axes, makespans, level(0.67)));
    let axes = ["limit", "cost in that of Game-storage-cost"];
    bench.draw(picture("17d", axes, costs, level(2.0)));
    let jain = line("Game-storage", &|case| case.games[0].jain());
    let other = line("Min-min", &|case| case.others[0].jain());
    let axes = ["limit", "Jain's index"];
    bench.draw(picture("17c", axes, vec![jain, other], level(0.99)));
}

/// Why algorithm 3 errs.
const LOOP: Verdict = Verdict::Errs(
    "equation 22 does not hold the limit and gives the same again, so the loop of algorithm 3 need not end",
);

/// Sites at which equation 22 takes more storage than there is. It does not hold the limit, and gives
/// the same again.
fn endless(instance: &Instance) -> u64 {
    let letter = Letter::of(instance);
    let delta = letter.first();
    let needs: Vec<f64> = instance.work.classes.iter().map(|class| class.needs[0] as f64).collect();
    let held = |theta: &Matrix, site: usize| -> f64 {
        theta.iter().zip(&needs).map(|(row, need)| row[site] * need).sum()
    };
    let by_storage = needs.iter().map(|need| vec![1.0 / need; instance.sites.len()]).collect();
    let (first, repaired) =
        (letter.divided(&delta, &letter.weights()), letter.divided(&delta, &by_storage));
    let is_over = |(site, one): &(usize, &Site)| {
        let limit = one.limits[0] as f64;
        held(&first, *site) > limit && held(&repaired, *site) > limit
    };
    instance.sites.iter().enumerate().filter(is_over).count() as u64
}

/// Plans of two planners on a problem, and whether they are the same to the last bit.
fn equal(problem: &Problem<'_>, one: &impl TaskPlanner, other: &impl TaskPlanner) -> bool {
    let mut plans = [Plan::default(), Plan::default()];
    one.plan(problem, &mut plans[0]);
    other.plan(problem, &mut plans[1]);
    plans[0] == plans[1]
}

/// Checks of an instance: plans that are equal, whether memory is as storage, and sites that take too
/// much.
type Found = ([bool; 2], bool, u64);

/// The claims that need single games only.
pub(super) fn games(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shape = shape(bench, 0.5);
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    bench.log(Record::drawn("bags of table 7, single games", bench, samples));
    let all = bench.each(samples.into(), |sample| {
        let instance = shape.draw(seed, sample)?;
        let free = instance.limited(|_| UNLIMITED);
        let limited = |game: game_quick::Options| {
            GameStorage::new(&game_storage::Options { repair: Repair::Scale, game })
        };
        let quick = GameQuick::new(&Default::default());
        let makespan = Algorithm::MinMin.player(Order::Random, Second::Site);
        let makespan = play(&free, &makespan, seed)?.makespan();
        let due = free.due(2.0 * makespan);
        let options = game_cost::Options { rule: game_cost::Rule::Sound, ..Default::default() };
        let stored = GameStorageCost::new(&game_storage_cost::Options::default());
        let are = [
            equal(&free.problem(), &limited(Default::default()), &quick),
            equal(&due.problem(), &stored, &GameCost::new(&options)),
        ];
        // Memory is a limit like storage.
        let mut other = Instance::clone(&instance);
        let sites = other.sites.iter();
        let turned = |site: &Site| Site { limits: [site.limits[1], site.limits[0]], ..*site };
        other.sites = sites.map(turned).collect();
        let work = std::sync::Arc::make_mut(&mut other.work);
        work.classes.iter_mut().for_each(|class| class.needs.swap(0, 1));
        let by = |instance: &Instance| play(instance, &Player::game(storage(Repair::Scale)), seed);
        let is_same = by(&instance)?.ends == by(&other)?.ends;
        Ok((are, is_same, endless(&instance)))
    })?;
    let count = |is: &dyn Fn(&Found) -> bool| all.iter().filter(|one| !is(one)).count() as u64;
    let mut rows = vec![
        Row::new(
            "SG-C-08",
            "5.1",
            "plans of Game-storage without limits that are not Game-quick's",
        )
        .never(count(&|one| one.0[0])),
        Row::new(
            "SG-C-08",
            "5.2",
            "plans of Game-storage-cost without limits that are not Game-cost's",
        )
        .never(count(&|one| one.0[1]))
        .note("by deferred acceptance"),
        Row::new("SG-W-02", "7", "instances with memory for storage that end otherwise").found(
            0.0,
            count(&|one| one.1) as f64,
            Verdict::of(count(&|one| one.1) == 0),
        ),
    ];
    let sites: u64 = all.iter().map(|one| one.2).sum();
    let what = "sites where equation 22 still takes too much storage, in the first stage";
    let row = Row::new("SG-D-06", "Algorithm 3", what).shown(sites as f64);
    rows.push(row.note(format!(
        "of {}; it moves processors to classes that hold little",
        all.len() * shape.sites
    )));
    // Both classes hold the same, so equation 22 divides the processors and takes storage for all.
    let even = Letter::of(&Instance::bag(&[4], &[8, 8], &[&[1.0], &[1.0]]));
    let theta = even.divided(&even.first(), &vec![vec![1.0 / 3.0]; 2]);
    let held: f64 = theta.iter().flatten().map(|theta| 3.0 * theta).sum();
    let what =
        "two classes hold 3 a task, a site of four has 6: what equation 22 takes, again and again";
    let row = Row::new("SG-D-06", "Algorithm 3", what);
    rows.push(row.found("6 at most", held, if held <= 6.0 { Verdict::Agrees } else { LOOP }));
    rows.extend(growth(bench)?);
    Ok(rows)
}

/// SG-C-09: stages of Game-storage-cost as sites and classes become more.
fn growth(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let sizes: &[usize] = if bench.effort.quick { &[5, 10] } else { &[5, 10, 20, 40] };
    let mut rows = Vec::new();
    for &size in sizes {
        let shape = Shape { sites: size, classes: size as u64, ..shape(bench, 0.5) };
        let all = bench.each(samples.into(), |sample| {
            let instance = shape.draw(seed, sample)?;
            let bound = least_makespan(&instance.problem(), true);
            let bound = bound.map_or(f64::NAN, |one| one.value);
            let due = instance.due(2.0 * bound);
            let of = |stages: u32| {
                let options = game_storage_cost::Options { stages, ..Default::default() };
                shared(&due.problem(), &GameStorageCost::new(&options))
            };
            let last = of(100);
            let stages = (1..100).find(|&stages| of(stages) == last).unwrap_or(100);
            Ok(f64::from(stages))
        })?;
        let stages = mean(all.into_iter());
        let steps = stages.value * (size * size) as f64;
        let what = format!("{size} sites and classes: stages of Game-storage-cost");
        let note =
            format!("times sites times classes: {steps:.0}; within l A M, less than l A^2 M^2");
        rows.push(Row::new("SG-C-09", "5.2", what).shown(stages).note(note));
    }
    Ok(rows)
}
