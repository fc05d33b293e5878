//! Expected times to compute, as Braun et al. draw them (JPDC 61(6), 2001): the range-based method.
//!
//! A class has a factor that is uniform on [1, tasks). Its time on a site is this factor times another
//! that is uniform on [1, machines), drawn anew for each class and site. Times are in units, and none
//! is shorter than one unit. Rows are then left as drawn (inconsistent), sorted (consistent), or
//! sorted on every other site (partly).
//!
//! Duan, Prodan and Li (2014, tables 4, 6 and 7) give the four usual settings. High heterogeneity of
//! tasks is [1, 1000] and low [1, 10]; high heterogeneity of machines is [1, 100] and low [1, 10]. So
//! HiLo, high for tasks and low for machines, is `tasks = 1000, machines = 10`. Braun et al. used
//! 3000 and 100 for tasks, and 1000 and 10 for machines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{HETEROGENEITY, Rows, factor, span};
use kernel::rng::{Rng, Streams};
use kernel::time::Span;
use model::bounds::parameters;

/// Degree to which classes agree about which sites are fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// No order: a site may be faster than another for one class and slower for the next.
    #[default]
    Inconsistent,
    /// The same order for all classes: the first site is the fastest, the last one the slowest.
    Consistent,
    /// The same order of the first site, the third, the fifth and so on; the others are as drawn.
    Partly,
}

parameters! {
    /// Times drawn by ranges, as by Braun et al.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Options {
        /// Degree to which classes agree about which sites are fast.
        kind: Kind = Kind::Inconsistent,
        /// Heterogeneity of tasks: upper bound of the factors of classes, from 1.
        tasks: f64 as HETEROGENEITY = 1000.0,
        /// Heterogeneity of machines: upper bound of the factors of classes on sites, from 1.
        machines: f64 as HETEROGENEITY = 100.0,
    }
}

impl Options {
    /// Opens one stream for the classes and one for each site, so that another site behind these
    /// moves no draw of theirs.
    pub(super) fn begin(&self, sites: usize, streams: &Streams) -> Etc {
        let site = |index| streams.stream(&format!("applications/times/{index}"));
        Etc {
            options: *self,
            classes: streams.stream("applications/factors"),
            sites: (0..sites).map(site).collect(),
            factors: Vec::with_capacity(sites),
            sorted: Vec::with_capacity(sites),
        }
    }
}

/// The matrix of one replication, row by row.
#[derive(Clone, Debug)]
pub(super) struct Etc {
    options: Options,
    classes: Rng,
    sites: Vec<Rng>,
    factors: Vec<f64>,
    sorted: Vec<f64>,
}

impl Rows for Etc {
    fn row(&mut self, _: usize, times: &mut Vec<Span>) {
        let Options { kind, tasks, machines } = self.options;
        let class = factor(tasks, &mut self.classes);
        self.factors.clear();
        self.factors.extend(self.sites.iter_mut().map(|site| factor(machines, site)));
        match kind {
            Kind::Inconsistent => {}
            Kind::Consistent => self.factors.sort_unstable_by(f64::total_cmp),
            Kind::Partly => self.sort_even_places(),
        }
        times.extend(self.factors.iter().map(|factor| span(class * factor)));
    }
}

impl Etc {
    /// Sorts the factors at even places, counted from 0, among themselves.
    fn sort_even_places(&mut self) {
        self.sorted.clear();
        self.sorted.extend(self.factors.iter().step_by(2));
        self.sorted.sort_unstable_by(f64::total_cmp);
        for (factor, &sorted) in self.factors.iter_mut().step_by(2).zip(&self.sorted) {
            *factor = sorted;
        }
    }
}
