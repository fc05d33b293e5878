//! Expected times that are products: a factor of the class times a factor of the site.
//!
//! Sites have speeds that are the same for all classes, which is the strictest consistency. A site's
//! factor is drawn once per replication.

use super::{HETEROGENEITY, Rows, factor, span};
use kernel::rng::{Rng, Streams};
use kernel::time::Span;
use model::bounds::parameters;

parameters! {
    /// Times that are products of two uniform factors.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Options {
        /// Heterogeneity of tasks: upper bound of the factors of classes, from 1.
        tasks: f64 as HETEROGENEITY = 1000.0,
        /// Heterogeneity of machines: upper bound of the factors of sites, from 1.
        machines: f64 as HETEROGENEITY = 100.0,
    }
}

impl Options {
    /// Draws the factors of the sites.
    pub(super) fn begin(&self, sites: usize, streams: &Streams) -> Product {
        let mut rng = streams.stream("applications/sites");
        Product {
            tasks: self.tasks,
            classes: streams.stream("applications/factors"),
            sites: (0..sites).map(|_| factor(self.machines, &mut rng)).collect(),
        }
    }
}

/// The matrix of one replication, row by row.
#[derive(Clone, Debug)]
pub(super) struct Product {
    tasks: f64,
    classes: Rng,
    sites: Vec<f64>,
}

impl Rows for Product {
    fn row(&mut self, _: usize, times: &mut Vec<Span>) {
        let class = factor(self.tasks, &mut self.classes);
        times.extend(self.sites.iter().map(|site| span(class * site)));
    }
}
