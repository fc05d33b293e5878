//! Table 2 and other cases that can be solved, and examples whose data stand in pictures only, on data
//! that were found for the purpose by annealing.

use serde::Deserialize;

use super::drawn::Instance;
use super::letter::Letter;
use super::played::{planned, play, player};
use super::stages::stages;
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use kernel::rng::{Rng, Streams};
use model::campaign::Site;
use policy::tasks::game_quick::{GameQuick, Options};
use policy::tasks::{Rounding, TaskPlanned};
use workload::draw::below;

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
    let quick = player("game_quick={}");
    let queues = TaskPlanned { rounding: Some(Rounding::Tasks), ..quick.clone() };
    Ok([
        planned(instance, &queues),
        play(instance, &quick, 1)?.makespan(),
        planned(instance, &player("min_min={}")),
        planned(instance, &player("max_min={}")),
    ])
}

/// A half of table 2, or random cases of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    kind: String,
    #[serde(default)]
    times: u32,
}

const NAMES: [&str; 4] = ["site queues", "processors", "Min-min", "Max-min"];

/// A half of table 2: makespans, and the optimum.
pub(super) fn table_2(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Kind { kind, .. } = asked.options()?;
    let case = if kind == "consistent" { CONSISTENT } else { INCONSISTENT };
    let found = makespans(&case.instance())?;
    Ok(exact(NAMES.into_iter().zip(found).chain([("optimum", case.optimum())])))
}

/// Makespans over the optimum on random cases, and whether they are optimal.
pub(super) fn random(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Kind { kind, times } = asked.options()?;
    let draw = if kind == "like table 2" { Case::like_table_2 } else { Case::random };
    asked.each(times, |sample| {
        let streams = Streams::new(asked.seed).in_replication(sample);
        let case = draw(&mut streams.stream("sequential-games/small"));
        let optimum = case.optimum();
        let found = makespans(&case.instance())?.map(|makespan| makespan / optimum);
        let solved = |ratio: f64| f64::from(u8::from(ratio == 1.0));
        let all = NAMES.into_iter().zip(found);
        Ok(all
            .flat_map(|(name, ratio)| {
                [(name.to_owned(), ratio), (format!("{name} solves"), solved(ratio))]
            })
            .collect())
    })
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

/// Times of four activities on four sites of a processor, for Figure 4.
const FIGURE_4: [[f64; 4]; 4] = [
    [13.0, 19.0, 15.0, 46.0],
    [16.0, 25.0, 109.0, 88.0],
    [16.0, 18.0, 17.0, 51.0],
    [4.0, 9.0, 4.0, 10.0],
];

/// Figure 4.
pub(super) fn figure_4(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let rows = FIGURE_4.each_ref().map(|row| &row[..]);
    let instance = Instance::bag(&[1; 4], &[1; 4], &rows);
    let [_, game, ..] = makespans(&instance)?;
    let [few, all] = [0.1, 0.0].map(|epsilon| {
        stages(&instance.problem(), &GameQuick::new(&Options { epsilon, ..Options::default() }))
    });
    let lists = [
        ("Min-min", "min_min={}"),
        ("Max-min", "max_min={}"),
        ("Sufferage", "sufferage={}"),
        ("MCT", "mct={}"),
        ("MET", "met={}"),
    ];
    let makespans = lists.map(|(name, key)| (name, planned(&instance, &player(key))));
    let more = [
        ("optimum", least(&FIGURE_4)),
        ("Game-quick", game),
        ("epsilon 0.1", few),
        ("epsilon 0", all),
    ];
    Ok(exact(makespans.into_iter().chain(more)))
}

/// Figure 10: two classes on two sites with prices, due after 75.
pub(super) fn figure_10(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let mut instance = Instance::bag(&[4, 4], &[14, 34], &[&[11.0, 15.0], &[9.0, 13.0]]);
    let sites = instance.sites.iter().zip([5, 3]);
    instance.sites =
        sites.map(|(site, price)| Site { price: price * 1_000_000, ..*site }).collect();
    let letter = Letter::of(&instance);
    let found = letter.play_cost(75.0, 100);
    let order = letter.order();
    Ok(exact([
        ("first of one", order[0][0] as f64),
        ("first of other", order[1][0] as f64),
        ("stages", found.costs.len() as f64 - 1.0),
    ]))
}

/// An example with limits of storage, for Figures 14 and 15.
const FIGURE_14: Case =
    Case { processors: [4, 1], tasks: [5, 10], times: [[14.0, 25.0], [6.0, 17.0]] };
/// Storage of a task of each class, and of each site.
const STORAGE: [[i64; 2]; 2] = [[6, 9], [30, 9]];

/// Figures 14 and 15.
pub(super) fn figure_14(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let free = FIGURE_14.instance();
    let [needs, limits] = STORAGE;
    let mut short = Instance::clone(&free);
    let work = std::sync::Arc::make_mut(&mut short.work);
    work.classes.iter_mut().zip(needs).for_each(|(class, need)| class.needs[0] = need);
    let sites = short.sites.iter().zip(limits);
    short.sites =
        sites.map(|(site, limit)| Site { limits: [limit, site.limits[1]], ..*site }).collect();
    let end = |instance: &Instance, key: &str| {
        Ok::<f64, StudyError>(play(instance, &player(key), 1)?.makespan())
    };
    let min_min = "min_min={storage=true}";
    Ok(exact([
        ("Game-storage", end(&short, "game_storage={}")?),
        ("optimum without limits", FIGURE_14.optimum()),
        ("Min-min", end(&short, min_min)?),
        ("Min-min without limits", end(&free, min_min)?),
        ("Max-min", end(&short, "max_min={storage=true}")?),
        ("MCT", end(&short, "mct={storage=true}")?),
        ("Sufferage", end(&short, "sufferage={storage=true}")?),
    ]))
}

/// Two classes hold 3 a task and a site of four has 6: both hold the same, so equation 22 divides the
/// processors and takes storage for all.
pub(super) fn equation_22(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let even = Letter::of(&Instance::bag(&[4], &[8, 8], &[&[1.0], &[1.0]]));
    let theta = even.divided(&even.first(), &vec![vec![1.0 / 3.0]; 2]);
    let held = theta.iter().flatten().map(|theta| 3.0 * theta).sum();
    Ok(exact([("held", held)]))
}
