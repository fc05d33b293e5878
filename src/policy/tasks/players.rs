//! The players of a game: the classes of a problem that are ready, as rows of dense matrices.
//!
//! Times are in units. The rate of a class is 0 at a site where it cannot or must not run, where one of
//! its tasks holds more than there is, and where there are no processors. So no rule of a game needs a
//! special case for them.

use super::{Class, HELD, Plan, Problem, Share, UNLIMITED};

/// Millionths of a processor, a byte or a price unit.
const MILLION: f64 = 1e6;

/// The classes that play, and the sites for which they play.
#[derive(Clone, Debug, Default)]
pub(super) struct Players {
    /// Position in the problem of each class.
    pub positions: Vec<u32>,
    /// Number of each class in the campaign.
    pub numbers: Vec<u32>,
    /// Tasks of each class that have not started, more than none.
    pub tasks: Vec<f64>,
    /// Processors of each site.
    pub processors: Vec<f64>,
    /// Tasks that a processor of a site does in a unit of time, by class and site.
    pub rates: Vec<f64>,
    /// The rates times the weights of the owners; `None` if all weights are 1.
    pub pull: Option<Vec<f64>>,
    /// Amount of each resource that a running task of each class holds.
    pub needs: [Vec<f64>; HELD],
    /// Limit of each resource at each site; infinite if there is none.
    pub limits: [Vec<f64>; HELD],
    /// Price of a processor of each site for a unit of time.
    pub prices: Vec<f64>,
}

impl Players {
    /// The classes that are ready, have tasks and can run somewhere.
    pub fn ready(problem: &Problem<'_>) -> Players {
        let mut players = Players::none(problem);
        for (position, class) in (0..).zip(&problem.classes) {
            if class.ready <= problem.now && class.after.is_empty() {
                players.add(position, class);
            }
        }
        players
    }

    /// All classes that have tasks and can run somewhere, whether they are ready or not.
    pub fn all(problem: &Problem<'_>) -> Players {
        let mut players = Players::none(problem);
        for (position, class) in (0..).zip(&problem.classes) {
            players.add(position, class);
        }
        players
    }

    /// The sites without any class.
    pub fn none(problem: &Problem<'_>) -> Players {
        let limit = |held: usize| {
            let of = |&limit: &i64| match limit {
                UNLIMITED => f64::INFINITY,
                limit => limit as f64 / MILLION,
            };
            problem.sites.iter().map(|site| of(&site.limits[held])).collect()
        };
        let processors =
            |site: &super::Site| site.free.iter().map(|free| free.processors as f64).sum();
        Players {
            processors: problem.sites.iter().map(processors).collect(),
            limits: std::array::from_fn(limit),
            prices: problem.sites.iter().map(|site| site.price as f64 / MILLION).collect(),
            ..Players::default()
        }
    }

    /// Adds a class if it has tasks and can run somewhere.
    pub fn add(&mut self, position: u32, class: &Class<'_>) {
        let sites = self.sites();
        let needs = class.needs.map(|need| need.max(0) as f64 / MILLION);
        let fits = |site: usize| (0..HELD).all(|held| needs[held] <= self.limits[held][site]);
        let rate = |site: usize| match class.time(site) {
            Some(time) if self.processors[site] > 0.0 && time.ticks() > 0 && fits(site) => {
                1.0 / time.as_units()
            }
            _ => 0.0,
        };
        let rates: Vec<f64> = (0..sites).map(rate).collect();
        let has_tasks = class.tasks > 0.0 && class.tasks.is_finite();
        if !has_tasks || rates.iter().all(|&rate| rate == 0.0) {
            return;
        }
        let weights = (0..sites).map(|site| class.weight(site));
        if self.pull.is_none()
            && weights.clone().zip(&rates).any(|(weight, &rate)| rate > 0.0 && weight != 1.0)
        {
            self.pull = Some(self.rates.clone());
        }
        if let Some(pull) = &mut self.pull {
            pull.extend(weights.zip(&rates).map(|(weight, rate)| weight * rate));
        }
        self.rates.extend(rates);
        self.positions.push(position);
        self.numbers.push(class.number);
        self.tasks.push(class.tasks);
        for (all, need) in self.needs.iter_mut().zip(needs) {
            all.push(need);
        }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.tasks.len()
    }

    /// Number of sites.
    pub fn sites(&self) -> usize {
        self.processors.len()
    }

    /// True if nobody plays.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The rates of a class by site.
    pub fn row(&self, class: usize) -> &[f64] {
        let sites = self.sites();
        &self.rates[class * sites..][..sites]
    }

    /// The rates times the owner's weights by class and site.
    pub fn pulls(&self) -> &[f64] {
        self.pull.as_deref().unwrap_or(&self.rates)
    }

    /// The time in which all processors of the grid do the tasks of a class.
    pub fn alone(&self, class: usize) -> f64 {
        let rates = self.row(class).iter().zip(&self.processors);
        let rate: f64 = rates.map(|(rate, processors)| rate * processors).sum();
        self.tasks[class] / rate
    }

    /// Writes the shares of an allocation, by class and site.
    pub fn write(&self, allocation: &[f64], out: &mut Plan) {
        let rows = allocation.chunks_exact(self.sites().max(1)).zip(&self.numbers);
        for (row, &class) in rows {
            let taken = (0..).zip(row).filter(|(_, processors)| **processors > 0.0);
            out.shares.extend(taken.map(|(site, &processors)| Share { class, site, processors }));
        }
    }
}

/// The longest chain of stand-alone times behind each class of a problem. The stand-alone time of a
/// class is that of its tasks on all processors of the grid.
pub(super) fn tails(problem: &Problem<'_>) -> Vec<f64> {
    let all = Players::all(problem);
    let mut alone = vec![0.0; problem.classes.len()];
    for (row, &position) in all.positions.iter().enumerate() {
        alone[position as usize] = all.alone(row);
    }
    let mut tails = vec![0.0_f64; problem.classes.len()];
    for (position, class) in problem.classes.iter().enumerate().rev() {
        let chain = alone[position] + tails[position];
        for &before in &class.after {
            let tail = &mut tails[before as usize];
            *tail = tail.max(chain);
        }
    }
    tails
}
