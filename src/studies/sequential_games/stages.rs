//! Numbers of stages: table 3 and figure 5; what planning takes; and how results change with the size.

use super::drawn::{Instance, Kind, Shape};
use super::letter::Letter;
use super::played::{Algorithm, planned, play};
use super::table4::{EDGES, SETTINGS, of_one};
use crate::picture::{Curve, Picture};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use policy::tasks::game_quick::{GameQuick, Options};
use policy::tasks::{Order, Plan, TaskPlanner, replay, sufferage::Second};
use report::picture::Scale;

/// Rows of table 3a: sites, processors of each, classes, activities of each, and stages.
const PRINTED: [(usize, u64, u64, u64, f64); 8] = [
    (10, 10, 10, 10, 310.0),
    (10, 10, 10, 100, 334.0),
    (10, 100, 100, 1000, 476.0),
    (10, 100, 100, 10_000, 484.0),
    (100, 100, 100, 1000, 597.0),
    (100, 100, 100, 10_000, 593.0),
    (100, 100, 1000, 1000, 632.0),
    (100, 100, 1000, 10_000, 627.0),
];

/// Stages until the sum of times falls by no more than an epsilon, from the second stage on.
pub(super) fn stages(letter: &Letter, epsilons: [f64; 2]) -> [f64; 2] {
    let mut found = [1000.0; 2];
    let mut is_over = [false; 2];
    let mut before = f64::INFINITY;
    letter.play(1000, |stage, now| {
        let sum = now.sum();
        for at in 0..2 {
            if stage >= 2 && !is_over[at] && before - sum <= epsilons[at] {
                (is_over[at], found[at]) = (true, f64::from(stage));
            }
        }
        before = sum;
        is_over == [true; 2]
    });
    found
}

fn bag(sites: usize, processors: u64, classes: u64, tasks: u64) -> Shape {
    let shape = Shape::of(Kind::Inconsistent, SETTINGS[0].1, 0.0);
    Shape { sites, processors: (processors, processors), classes, tasks: (tasks, tasks), ..shape }
}

/// Table 3a and figure 5.
pub(super) fn table_3(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let mut rows = Vec::new();
    let count = if bench.effort.quick { 2 } else { PRINTED.len() };
    let mut at_end = [0, 0];
    for &(sites, processors, classes, tasks, paper) in &PRINTED[..count] {
        // A few of the largest tell as much as many of the small ones.
        let samples = if classes * sites as u64 > 10_000 { samples.div_ceil(6) } else { samples };
        let shape = bag(sites, processors, classes, tasks);
        let size = format!("{sites} sites of {processors}, {classes} classes of {tasks}");
        bench.log(Record::drawn(&format!("bags, {size}"), bench, samples));
        let all = bench.each(samples.into(), |sample| {
            Ok(stages(&Letter::of(&shape.draw(seed, sample)?), [0.0, 1e-3]))
        })?;
        at_end[0] += all.iter().filter(|one| one[0] < 1000.0).count();
        at_end[1] += all.len();
        for (at, epsilon) in ["0", "0.001"].into_iter().enumerate() {
            let ours = mean(all.iter().map(|one| one[at]));
            let what = format!("{size}: stages with an epsilon of {epsilon}");
            let row = Row::new("SG-T3a", "Table 3a", what);
            rows.push(match at {
                0 => row
                    .compared(of_one(paper, 1.0, &ours, all.len()), ours)
                    .because(
                        "with an epsilon of 0 a game ends where rounding makes the sum rise, so that the number is \
                         one of the order of additions; with 0.001 see the next row",
                    ),
                _ => row.shown(ours),
            });
        }
    }
    let share = super::share(at_end[0], at_end[1]);
    let what = "% of all games that end before stage 1000, with an epsilon of 0";
    let verdict = Verdict::of(at_end[0] == at_end[1]);
    rows.push(Row::new("SG-T3a", "3.5", what).found(100.0, share, verdict));
    rows.extend(figure_5(bench)?);
    rows.extend(taken(bench)?);
    Ok(rows)
}

/// Figure 5: the sum of times over the stages, in five instances.
fn figure_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let seed = bench.effort.seed;
    let (size, count) = if bench.effort.quick { (20, 60) } else { (100, 600) };
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for (kind, name) in [(Kind::Inconsistent, "inconsistent"), (Kind::Consistent, "consistent")] {
        let shape = Shape { kind, ..bag(size, 100, size as u64, 10_000) };
        bench.log(Record::drawn(&format!("five bags of figure 5, {name}"), bench, 5));
        let all = bench.each(5, |sample| {
            let letter = Letter::of(&shape.draw(seed, sample)?);
            let mut sums = Vec::new();
            letter.play(count, |_, now| {
                sums.push(now.sum());
                false
            });
            Ok(sums)
        })?;
        let part = |sums: &[f64], at: usize| {
            let (first, last) = (sums[0], sums[sums.len() - 1]);
            (first - sums[at]) / (first - last)
        };
        let done = |sums: &Vec<f64>| {
            let found = (0..sums.len()).find(|&at| part(sums, at) >= 0.9);
            found.map_or(count as f64, |at| at as f64 + 1.0)
        };
        let ours = mean(all.iter().map(done));
        let what = format!("{name}, {size} sites and classes: stages to nine tenths of the gain");
        let row = Row::new("SG-F5", "Figure 5", what);
        rows.push(row.found("30 to 40 at most", ours, Verdict::of(ours.value <= 40.0)).because(
            "no cause known; tried: consistent and inconsistent times, of the figure's size",
        ));
        let points =
            |sums: &Vec<f64>| (0..sums.len()).map(|at| (at as f64 + 1.0, part(sums, at))).collect();
        let parts =
            all.iter().enumerate().map(|(at, sums)| (format!("{name} {}", at + 1), points(sums)));
        curves.push(Curve::mean(name, parts.collect()));
    }
    bench.draw(Picture {
        name: "5",
        title: "convergence of Game-quick".to_owned(),
        caption: format!("five instances of {size} sites and classes of each kind"),
        axes: ["stage", "part of the gain in the sum of times"],
        scale: Scale::Linear(0.0, 1.0),
        curves,
        paper: vec![vec![(30.0, 0.9), (40.0, 0.9)]],
    });
    Ok(rows)
}

/// SG-F6a, SG-T3b and SG-F17a: what planning takes, in steps, as times would depend on the machine.
fn taken(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const CLASSWISE: &str = "counted, as times depend on the machine. Activities of a class and processors of \
                             a site are alike: planned by groups, the lists take steps by plan entries and \
                             not by activities, and the game has no advantage";
    let shape = Shape::of(Kind::Inconsistent, SETTINGS[3].1, 0.0).quick(bench.effort.quick);
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let all = bench.each(samples.into(), |sample| {
        let instance = shape.draw(seed, sample)?;
        let problem = instance.problem();
        let games = replay(&problem, &GameQuick::new(&Options::default())).plans as f64;
        let first = stages(&Letter::of(&instance), [0.0, 0.0])[0];
        let game = games * first * (instance.sites.len() * instance.work.classes.len()) as f64;
        let entries = |one: Algorithm| {
            let mut plan = Plan::default();
            one.player(Order::Classes, Second::Site).plan(&problem, &mut plan);
            plan.lanes.iter().map(|lane| lane.runs.len()).sum::<usize>() as f64 / game
        };
        let (n, m) = (instance.work.tasks() as f64, instance.processors() as f64);
        Ok([
            n / game,
            n * m / game,
            n * n * m / game,
            entries(Algorithm::Met),
            entries(Algorithm::Mct),
            entries(Algorithm::MinMin),
        ])
    })?;
    let of = |at: usize| mean(all.iter().map(|one| one[at]));
    let names = ["MET: activities", "OLB, MCT: m N", "Min-min, Max-min, Sufferage: m N^2"];
    let mut rows = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        let what = format!("{name}, in all steps of Game-quick");
        let verdict = of(at).above(1.0);
        let row = Row::new("SG-F6a", "Figure 6a", what);
        let row = match at {
            0 => row.shown(of(at)),
            _ => row.found("above 1", of(at), verdict),
        };
        rows.push(
            row.note("steps by the paper's own orders of growth, one activity after the other"),
        );
    }
    for (at, name) in ["MET", "MCT class by class", "Min-min"].into_iter().enumerate() {
        let what = format!("{name} by groups: entries of the plan, in all steps of Game-quick");
        rows.push(Row::new("SG-T3b", "Table 3b", what).shown(of(at + 3)).note(CLASSWISE));
    }
    let what = "ratio of steps, Min-min one by one to by groups";
    rows.push(
        Row::new("SG-F17a", "Figure 17a", what)
            .shown(mean(all.iter().map(|one| one[2] / one[5])))
            .note(CLASSWISE),
    );
    Ok(rows)
}

/// Makespan of Game-quick in that of Min-min.
fn ratio(instance: &Instance, seed: u64) -> Result<f64, StudyError> {
    let of = |one: Algorithm| {
        Ok::<f64, StudyError>(
            play(instance, &one.player(Order::Random, Second::Site), seed)?.makespan(),
        )
    };
    Ok(of(Algorithm::GameQuick)? / of(Algorithm::MinMin)?)
}

/// SG-W-01, SG-C-05 and SG-M-02.
pub(super) fn beyond(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let quick = bench.effort.quick;
    let base = Shape::of(Kind::Inconsistent, SETTINGS[3].1, 0.0).quick(true);
    let mut rows = Vec::new();
    // Sizes: classes and sites together, and tasks and processors.
    let sizes: &[usize] = if quick { &[5, 10] } else { &[5, 10, 20, 40] };
    let mut before: Option<(usize, Vec<f64>)> = None;
    for &size in sizes {
        let shape = Shape { sites: size, classes: size as u64, ..base };
        bench.log(Record::drawn(&format!("bags, LoLo, {size} sites and classes"), bench, samples));
        let all = bench.each(samples.into(), |one| ratio(&shape.draw(seed, one)?, seed))?;
        let what = format!("{size} sites and classes: makespan of Game-quick in that of Min-min");
        rows.push(Row::new("SG-W-01", "7", what).shown(mean(all.iter().copied())));
        if let Some((less, before)) = before {
            let change = mean(all.iter().zip(&before).map(|(now, before)| now - before));
            let what = format!("from {less} to {size} sites and classes: change of this ratio");
            let row = Row::new("SG-W-01", "7", what).negative(change);
            rows.push(row.because("no cause known; tried: 5, 10, 20 and 40 sites and classes"));
        }
        before = Some((size, all));
    }
    rows.extend(own_sites(bench)?);
    // Queues of the sites.
    let graphs = Shape { edges: EDGES, ..base };
    let all = bench.each(samples.into(), |sample| {
        let instance = graphs.draw(seed, sample)?;
        let letter = Letter::of(&instance);
        let mut spread = 0.0_f64;
        letter.play(20, |_, now| {
            for (k, end) in now.times.iter().enumerate() {
                for (i, theta) in
                    now.theta[k].iter().enumerate().filter(|(_, theta)| **theta > 1e-9)
                {
                    let own = now.delta[k][i] * letter.times[k][i] / theta;
                    spread = spread.max((own / end - 1.0).abs());
                }
            }
            false
        });
        Ok(spread)
    })?;
    let spread = all.into_iter().fold(0.0, f64::max);
    let what = "difference of the times at which the queues of a class end, in parts";
    rows.push(super::theory::same("SG-M-02", "2.3", what, spread));
    Ok(rows)
}

/// SG-C-05: each class has a fastest site of its own.
fn own_sites(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let own = |distinct: u64| -> Measured {
        let times: Vec<Vec<f64>> = (0..8_u64)
            .map(|class| {
                (0..8).map(|site| if class % distinct == site { 4.0 } else { 9.0 }).collect()
            })
            .collect();
        let rows: Vec<&[f64]> = times.iter().map(Vec::as_slice).collect();
        let instance = Instance::bag(&[8; 8], &[400; 8], &rows);
        let of = |one: Algorithm| planned(&instance, &one.player(Order::Classes, Second::Site));
        Measured::exact(of(Algorithm::Met) / of(Algorithm::Olb))
    };
    let mut rows = Vec::new();
    for distinct in [8, 4, 2, 1] {
        let what = format!(
            "eight classes with {distinct} different fastest sites: makespan of MET in that of OLB"
        );
        let ours = own(distinct);
        let row = Row::new("SG-C-05", "3.6.2", what);
        rows.push(match distinct {
            8 => row.found("below 1", ours, ours.below(1.0)),
            1 => row.found("above 1", ours, ours.above(1.0)),
            _ => row.shown(ours),
        });
    }
    bench.add_samples(4);
    Ok(rows)
}
