//! Instances as in the paper's tables 4, 6 and 7: it prints their ranges, and one instance of each.

use std::sync::Arc;

use serde::Deserialize;

use crate::StudyError;
use kernel::rng::Streams;
use kernel::time::{Span, Time};
use model::campaign::{Campaign as Work, HELD, Site, UNLIMITED};
use model::ids::OrganizationId;
use policy::tasks::{Application, Class, Free, Problem, Site as Offered};
use workload::applications::times::{Times, braun, product};
use workload::applications::{ApplicationsModel, Options, Whole, WholeRange};
use workload::draw::{below, fraction};

/// A span of this many units, at least one tick.
pub(super) fn span(units: f64) -> Span {
    Span::from_units(units).unwrap_or(Span::MAX).max(Span::TICK)
}

/// Parts of a price or an amount.
const MILLION: f64 = 1e6;

/// Degree to which classes agree about which sites are fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Braun et al.'s times, each row sorted.
    Consistent,
    /// Braun et al.'s times, each row sorted on every other site.
    Partly,
    /// Braun et al.'s times as drawn.
    #[default]
    Inconsistent,
    /// A factor of the class times one of the site.
    Product,
}

/// Ranges of an instance: ten sites and ten classes as in table 4 unless it says otherwise. What else
/// functions are asked stands below.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    /// Upper bounds of the factors of classes and of machines, from 1.
    pub(super) heterogeneity: [f64; 2],
    pub(super) sites: usize,
    /// Fewest and most processors of a site.
    pub(super) processors: (u64, u64),
    pub(super) classes: u64,
    /// Fewest and most tasks of a class.
    pub(super) tasks: (u64, u64),
    /// Probability that a class waits for an earlier one.
    pub(super) edges: f64,
    /// An eighth of the tasks and of the processors, to see the shape of a result.
    pub(super) eighth: bool,
    /// Deadline, in makespans of a planner.
    pub(super) factor: f64,
    /// Most stages of a game.
    pub(super) stages: u32,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::of(Kind::Inconsistent, [1000.0, 100.0], 0.0)
    }
}

impl Shape {
    /// Ten sites and ten classes, as in table 4.
    pub(super) const fn of(kind: Kind, heterogeneity: [f64; 2], edges: f64) -> Shape {
        Shape {
            kind,
            heterogeneity,
            sites: 10,
            processors: (64, 128),
            classes: 10,
            tasks: (10_000, 20_000),
            edges,
            eighth: false,
            factor: 1.0,
            stages: 1000,
        }
    }

    /// A range, or an eighth of it.
    fn range(&self, (least, most): (u64, u64)) -> (u64, u64) {
        if self.eighth { (least.div_ceil(8), most.div_ceil(8)) } else { (least, most) }
    }

    fn options(&self) -> Options {
        let [tasks, machines] = self.heterogeneity;
        let drawn = |kind| Times::Braun(braun::Options { kind, tasks, machines });
        let times = match self.kind {
            Kind::Consistent => drawn(braun::Kind::Consistent),
            Kind::Partly => drawn(braun::Kind::Partly),
            Kind::Inconsistent => drawn(braun::Kind::Inconsistent),
            Kind::Product => Times::Product(product::Options { tasks, machines }),
        };
        let (min, max) = self.range(self.tasks);
        Options {
            count: 1,
            classes: Some(Whole::Constant(self.classes)),
            tasks: Whole::Uniform(WholeRange { min, max }),
            edges: self.edges,
            times,
            storage: None,
            memory: None,
            deadline: None,
            error: None,
            owners: Default::default(),
            arrivals: None,
        }
    }

    /// The instance of a replication.
    ///
    /// Sites and prices have streams of their own, so that instances with and without edges or consistent
    /// times share what they can.
    pub(super) fn draw(&self, seed: u64, sample: u64) -> Result<Instance, StudyError> {
        let streams = Streams::new(seed).in_replication(sample);
        let stream = |of: &str| streams.stream(&format!("sequential-games/{of}"));
        let (mut sizes, mut prices) = (stream("processors"), stream("prices"));
        let (least, most) = self.range(self.processors);
        let sites = (0..self.sites).map(|_| {
            let processors = (least + below(&mut sizes, most - least + 1)) as u32;
            let price = 1.0 + 9.0 * fraction(&mut prices);
            Site { processors, price: (price * MILLION) as i64, limits: [UNLIMITED; HELD] }
        });
        let sites: Vec<Site> = sites.collect();
        let names: Vec<String> = (0..self.sites).map(|site| format!("s{site}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let model = ApplicationsModel::new(self.options(), &names);
        let model = model.map_err(|wrong| StudyError(format!("{wrong:?}")))?;
        let work = model.draw(&sites, &streams, |_| OrganizationId(0));
        Ok(Instance::new(sites, work))
    }
}

/// Sites and what is to be done there.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) sites: Arc<[Site]>,
    pub(super) work: Arc<Work>,
}

impl Instance {
    pub(super) fn new(sites: Vec<Site>, work: Work) -> Instance {
        Instance { sites: sites.into(), work: Arc::new(work) }
    }

    /// An application of classes that are ready at once, without prices or limits.
    pub(super) fn bag(processors: &[u32], tasks: &[u64], times: &[&[f64]]) -> Instance {
        let none = vec![Vec::new(); tasks.len()];
        Instance::graph(processors, tasks, times, &none)
    }

    /// An application whose classes wait for others, without prices or limits.
    pub(super) fn graph(
        processors: &[u32],
        tasks: &[u64],
        times: &[&[f64]],
        after: &[Vec<u32>],
    ) -> Instance {
        let site =
            |&processors: &u32| Site { processors, price: 1_000_000, limits: [UNLIMITED; HELD] };
        let class = |(number, &tasks): (usize, &u64)| model::campaign::Class {
            name: format!("c{}", number + 1),
            application: 0,
            tasks,
            after: after[number].clone(),
            needs: [0; HELD],
            output: 0,
        };
        let spans = times.iter().copied().flatten();
        let spans: Vec<_> = spans.map(|&units| span(units)).collect();
        let application = model::campaign::Application {
            name: "a1".to_owned(),
            owner: OrganizationId(0),
            submit: Time::ZERO,
            deadline: Time::NEVER,
            first: 0,
            end: tasks.len() as u32,
        };
        let work = Work {
            applications: vec![application],
            classes: tasks.iter().enumerate().map(class).collect(),
            sites: processors.len(),
            expected: spans.clone(),
            times: spans,
            weights: Vec::new(),
        };
        Instance::new(processors.iter().map(site).collect(), work)
    }

    /// The same with a deadline for all applications, in units of time.
    pub(super) fn due(&self, deadline: f64) -> Instance {
        let mut work = Work::clone(&self.work);
        let deadline = Time::ZERO.saturating_add(span(deadline));
        work.applications.iter_mut().for_each(|one| one.deadline = deadline);
        Instance { sites: Arc::clone(&self.sites), work: Arc::new(work) }
    }

    /// Problem of the planner at the beginning.
    pub(super) fn problem(&self) -> Problem<'_> {
        let free = |site: &Site| {
            vec![Free {
                at: Time::ZERO,
                processors: site.processors.into(),
                class: None,
                holds: [0; HELD],
            }]
        };
        let sites = self.sites.iter().map(|site| Offered {
            price: site.price,
            limits: site.limits,
            free: free(site),
        });
        let classes = (0..).zip(&self.work.classes).map(|(number, class)| Class {
            number,
            application: class.application,
            tasks: class.tasks as f64,
            ready: Time::ZERO,
            after: class.after.clone(),
            times: self.work.expected(number),
            weights: self.work.weights(number),
            needs: class.needs,
        });
        let deadlines = self.work.applications.iter();
        Problem {
            now: Time::ZERO,
            sites: sites.collect(),
            classes: classes.collect(),
            applications: deadlines.map(|one| Application { deadline: one.deadline }).collect(),
            seed: 1,
        }
    }

    /// All processors.
    pub(super) fn processors(&self) -> u64 {
        self.sites.iter().map(|site| u64::from(site.processors)).sum()
    }
}
