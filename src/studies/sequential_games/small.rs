//! Table 2 and other cases that can be solved, and what is left of two examples that are not printed.

use super::drawn::Instance;
use super::letter::Letter;
use super::played::{Algorithm, Player, planned, play};
use super::stages::stages;
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::Verdict;
use crate::{Bench, StudyError};
use kernel::rng::{Rng, Streams};
use policy::tasks::game_quick::GameQuick;
use policy::tasks::{Leftovers, Order, WholeTasks, sufferage::Second};
use workload::draw::below;

/// Why table 2 errs where Game-quick is concerned.
const MISPRINT: Verdict = Verdict::Errs(
    "no assignment of the ten activities to the five processors ends so early; the table's own lines for \
     its processors add up to the optimum that is found here",
);

/// A case of two classes on two sites: processors, activities, and times by class and site.
#[derive(Clone, Copy, Debug)]
struct Case {
    processors: [u32; 2],
    tasks: [u64; 2],
    times: [[f64; 2]; 2],
}

/// The halves of table 2. In the consistent one, the site with times 10 and 8 has three processors, as
/// the lines are grouped by times and not by labels.
const INCONSISTENT: Case =
    Case { processors: [3, 2], tasks: [5, 5], times: [[15.0, 10.0], [8.0, 9.0]] };
const CONSISTENT: Case =
    Case { processors: [2, 3], tasks: [5, 5], times: [[15.0, 10.0], [9.0, 8.0]] };

impl Case {
    fn instance(&self) -> Instance {
        let rows = [&self.times[0][..], &self.times[1][..]];
        Instance::bag(&self.processors, &self.tasks, &rows)
    }

    /// Two sites of 1 to 3 processors and two classes of 2 to 6 tasks of 5 to 20 units.
    fn random(rng: &mut Rng) -> Case {
        let mut time = || 5.0 + below(rng, 16) as f64;
        let times = [[time(), time()], [time(), time()]];
        let processors = [(); 2].map(|()| 1 + below(rng, 3) as u32);
        let tasks = [(); 2].map(|()| 2 + below(rng, 5));
        Case { processors, tasks, times }
    }

    /// The sites and the numbers of table 2, with times within its range.
    fn like_table_2(rng: &mut Rng) -> Case {
        let mut time = || 8.0 + below(rng, 8) as f64;
        Case { times: [[time(), time()], [time(), time()]], ..INCONSISTENT }
    }

    /// The smallest makespan, by all ways to divide the classes among sites and processors.
    fn optimum(&self) -> f64 {
        let ends = [0, 1].map(|site| self.site(site));
        let width = self.tasks[1] as usize + 1;
        let mut best = f64::INFINITY;
        for (at, first) in ends[0].iter().enumerate() {
            let (own, other) = (at / width, at % width);
            let rest = (self.tasks[0] as usize - own) * width + (self.tasks[1] as usize - other);
            best = best.min(first.max(ends[1][rest]));
        }
        best
    }

    /// The earliest end of so many tasks of each class at a site, for all numbers.
    fn site(&self, site: usize) -> Vec<f64> {
        let [tall, wide] = self.tasks.map(|tasks| tasks as usize + 1);
        let mut ends = vec![f64::INFINITY; tall * wide];
        ends[0] = 0.0;
        for _ in 0..self.processors[site] {
            let mut next = vec![f64::INFINITY; ends.len()];
            for at in 0..ends.len() {
                for one in 0..tall - at / wide {
                    for other in 0..wide - at % wide {
                        let own =
                            one as f64 * self.times[0][site] + other as f64 * self.times[1][site];
                        let to = &mut next[at + one * wide + other];
                        *to = to.min(ends[at].max(own));
                    }
                }
            }
            ends = next;
        }
        ends
    }
}

/// Game-quick by site queues, by whole processors, and the lists.
fn makespans(instance: &Instance) -> Result<[f64; 4], StudyError> {
    let list = |algorithm: Algorithm| algorithm.player(Order::Classes, Second::Site);
    let queues = WholeTasks::new(GameQuick::new(&Default::default()), Leftovers::Earliest);
    Ok([
        planned(instance, &queues),
        play(instance, &list(Algorithm::GameQuick), 1)?.makespan(),
        planned(instance, &list(Algorithm::MinMin)),
        planned(instance, &list(Algorithm::MaxMin)),
    ])
}

/// Table 2.
pub(super) fn table_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let halves = [
        ("SG-T2-01", "inconsistent", INCONSISTENT, [20.0, 23.0, 23.0]),
        ("SG-T2-02", "consistent", CONSISTENT, [19.0, 24.0, 24.0]),
    ];
    for (claim, name, case, paper) in halves {
        let found = makespans(&case.instance())?;
        let optimum = case.optimum();
        let row = |what: &str| Row::new(claim, "Table 2", format!("{name}: {what}"));
        let exact =
            |row: Row, paper: f64, ours: f64| row.found(paper, ours, Verdict::of(paper == ours));
        rows.push(
            exact(row("makespan of Game-quick, site queues"), paper[0], found[0]).or(MISPRINT),
        );
        rows.push(exact(row("makespan of Min-min"), paper[1], found[2]));
        rows.push(exact(row("makespan of Max-min"), paper[2], found[3]));
        rows.push(exact(row("the optimum"), paper[0], optimum).or(MISPRINT));
        rows.push(row("Game-quick is optimal").holds(found[0] == optimum));
        let whole = row("makespan of Game-quick, shares rounded to processors").shown(found[1]);
        rows.push(whole.note("rounding shares suits classes of many activities"));
    }
    rows.extend(random(bench, "sites of 1 to 3, classes of 2 to 6", Case::random)?);
    rows.extend(random(bench, "sizes of table 2, times of 8 to 15", Case::like_table_2)?);
    Ok(rows)
}

/// SG-T2-03 on random cases of a kind.
fn random(
    bench: &Bench,
    kind: &str,
    draw: impl Fn(&mut Rng) -> Case + Sync,
) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let samples = if bench.effort.quick { 20 } else { 100 } * u64::from(bench.effort.samples);
    bench.log(Record::drawn(&format!("two classes on two sites, {kind}"), bench, samples as u32));
    let seed = bench.effort.seed;
    let all = bench.each(samples, |sample| {
        let mut rng = Streams::new(seed).in_replication(sample).stream("sequential-games/small");
        let case = draw(&mut rng);
        let optimum = case.optimum();
        Ok(makespans(&case.instance())?.map(|makespan| makespan / optimum))
    })?;
    let names = ["Game-quick, site queues", "Game-quick, processors", "Min-min", "Max-min"];
    for (at, name) in names.into_iter().enumerate() {
        let what = format!("{kind}: makespan of {name} over the optimum");
        let ratio = mean(all.iter().map(|one| one[at]));
        let row = Row::new("SG-T2-03", "3.4", what);
        rows.push(match at {
            0 => row.found(1.0, ratio, Verdict::of(ratio.value == 1.0)),
            _ => row.shown(ratio),
        });
        let optimal = all.iter().filter(|one| one[at] == 1.0).count();
        let what = format!("{kind}: % that {name} solves");
        let share = super::share(optimal, all.len());
        rows.push(Row::new("SG-T2-03", "3.4", what).shown(share).note(format!("of {samples}")));
    }
    let less = mean(all.iter().map(|one| one[0] - one[2]));
    let what = format!("{kind}: Game-quick, site queues, less Min-min, in optima");
    rows.push(Row::new("SG-T2-03", "3.4", what).negative(less));
    Ok(rows)
}

/// Draws of the search for each example.
fn budget(bench: &Bench) -> u64 {
    if bench.effort.quick { 200 } else { 20_000 }
}

/// The smallest makespan of a task of each class on sites of one processor.
fn least(times: &[[f64; 4]; 4]) -> f64 {
    let mut best = f64::INFINITY;
    for code in 0..256_usize {
        let mut ends = [0.0; 4];
        for (class, row) in times.iter().enumerate() {
            let site = code >> (2 * class) & 3;
            ends[site] += row[site];
        }
        best = best.min(ends.into_iter().fold(0.0, f64::max));
    }
    best
}

/// SG-F4, SG-F10 and SG-F14: examples whose data stand in pictures only.
pub(super) fn lost(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const LOST: &str = "the times stand in the picture only, so the example cannot be played";
    let mut rows = figure_4()?;
    rows.extend([
        Row::new("SG-F10", "Figure 10", "the order of sites, and 47 stages").note(LOST),
        figure_14(bench)?,
    ]);
    Ok(rows
        .into_iter()
        .map(|row| match row.verdict {
            Verdict::Differs => Row { verdict: Verdict::Shown, ..row },
            _ => row,
        })
        .collect())
}

/// Times of four activities on four sites of a processor, found by a search for the figures of Figure 4.
const FOUND: [[f64; 4]; 4] = [
    [13.0, 19.0, 15.0, 46.0],
    [16.0, 25.0, 109.0, 88.0],
    [16.0, 18.0, 17.0, 51.0],
    [4.0, 9.0, 4.0, 10.0],
];

/// SG-F4 on times that were found for the purpose, which have all printed figures but one.
fn figure_4() -> Result<Vec<Row>, StudyError> {
    let rows = FOUND.each_ref().map(|row| &row[..]);
    let instance = Instance::bag(&[1; 4], &[1; 4], &rows);
    let list = |one: Algorithm| planned(&instance, &one.player(Order::Classes, Second::Site));
    let [_, game, ..] = makespans(&instance)?;
    let [few, all] = stages(&Letter::of(&instance), [0.1, 0.0]);
    let figures = [
        ("least makespan", 18.0, least(&FOUND)),
        ("makespan of Game-quick", 18.0, game),
        ("makespan of Min-min", 20.0, list(Algorithm::MinMin)),
        ("makespan of Max-min", 19.0, list(Algorithm::MaxMin)),
        ("makespan of Sufferage", 19.0, list(Algorithm::Sufferage)),
        ("makespan of MCT", 25.0, list(Algorithm::Mct)),
        ("makespan of MET", 49.0, list(Algorithm::Met)),
        ("stages with an epsilon of 0.1", 29.0, few),
        ("stages with an epsilon of 0", 731.0, all),
    ];
    let is_met = figures[..7].iter().all(|(_, paper, ours)| paper == ours);
    let what = "four classes on four sites can have all makespans of the figure, 18 being optimal";
    let row = |(what, paper, ours): (&str, f64, f64)| {
        let what = format!("times found for the purpose: {what}");
        Row::new("SG-F4", "Figure 4", what).found(paper, ours, Verdict::Shown)
    };
    let first = Row::new("SG-F4", "Figure 4", what).holds(is_met);
    let note =
        "the paper's times stand in a picture that is not legible; ours were found by a search";
    Ok(std::iter::once(first.note(note)).chain(figures.map(row)).collect())
}

/// The makespans of figure 15, by a search.
fn figure_14(bench: &Bench) -> Result<Row, StudyError> {
    let (budget, seed) = (budget(bench) / 4, bench.effort.seed);
    let found = bench.each(budget, |sample| {
        let rng =
            &mut Streams::new(seed).in_replication(sample).stream("sequential-games/figure-14");
        let mut time = || 6.0 + 2.0 * below(rng, 8) as f64;
        let times = [[time(), time()], [time(), time()]];
        let processors = [(); 2].map(|()| 2 + below(rng, 2) as u32);
        let tasks = [(); 2].map(|()| 3 + below(rng, 5));
        let free = Case { processors, tasks, times };
        let instance = free.instance();
        let min_min = Algorithm::MinMin.player(Order::Classes, Second::Site);
        if free.optimum() > 30.0 || planned(&instance, &min_min) != 40.0 {
            return Ok(0);
        }
        let mut short = Instance::clone(&instance);
        let work = std::sync::Arc::make_mut(&mut short.work);
        work.classes.iter_mut().for_each(|class| class.needs[0] = 1 + below(rng, 3) as i64);
        let limits = [(); 2].map(|()| 3 + below(rng, 5) as i64);
        let at = |site: usize| limits[site];
        let mut number = 0..2;
        let sites = short.sites.iter().map(|site| {
            let limit = number.next().map_or(0, at);
            model::campaign::Site { limits: [limit, site.limits[1]], ..*site }
        });
        short.sites = sites.collect();
        let ends = |player: &Player| Ok::<f64, StudyError>(play(&short, player, 1)?.makespan());
        let others = [Algorithm::MaxMin, Algorithm::Mct, Algorithm::Sufferage];
        let mut is_all = ends(&min_min)? == 42.0;
        for other in others {
            is_all = is_all && ends(&other.player(Order::Classes, Second::Site))? == 38.0;
        }
        Ok(u64::from(is_all))
    })?;
    let what = "drawn examples with the makespans 42 (40 without limits) and three times 38";
    let note = format!("the data stand in the picture only; {budget} were drawn");
    let found: u64 = found.iter().sum();
    Ok(Row::new("SG-F14", "Figures 14, 15", what).shown(found as f64).note(note))
}
