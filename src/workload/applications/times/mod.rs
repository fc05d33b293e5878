//! Expected times of tasks by class and site, one way to come by them per file.
//!
//! To add one: copy the smallest neighbour (`product.rs`) and add its line to the registry below.

pub mod braun;
pub mod file;
pub mod product;

use std::path::PathBuf;

use crate::draw::fraction;
use crate::rounding::nearest;
use crate::values::ValuesError;
use kernel::rng::Streams;
use kernel::time::{Span, TICKS_PER_UNIT};
use model::bounds::Bounds;
use model::registry::registry;

registry! {
    /// Expected times of a task, by class and site.
    options Times;

    each each;

    Braun, braun,
        "A factor of the class times a factor of the class on the site.",
        "Braun et al., A comparison of eleven static heuristics for mapping a class of independent tasks onto heterogeneous distributed computing systems, JPDC 61(6), 2001";
    Product, product,
        "A factor of the class times a factor of the site, the same for all classes.";
    File, file,
        "Times listed in a file.";
}

/// Upper bound of a uniform factor, the lower one being 1. Products stay within 10^8 units.
const HETEROGENEITY: Bounds<'_> = Bounds::of("an upper bound of factors from 1").from(1.0).to(1e4);

/// Times ready to draw from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TimesModel {
    /// See [`braun`].
    Braun(braun::Options),
    /// See [`product`].
    Product(product::Options),
    /// See [`file`](mod@file).
    File(file::Table),
}

/// Times of the classes of one replication.
pub(super) trait Rows {
    /// Appends the expected times of the next class, by site. `place` is its place within its
    /// application.
    fn row(&mut self, place: usize, times: &mut Vec<Span>);
}

impl Times {
    /// Reads files where needed; `sites` are the names of the sites.
    pub(super) fn model(&self, sites: &[&str]) -> Result<TimesModel, ValuesError> {
        Ok(match self {
            Times::Braun(options) => TimesModel::Braun(*options),
            Times::Product(options) => TimesModel::Product(*options),
            Times::File(options) => TimesModel::File(file::read(&options.path, sites)?),
        })
    }

    /// Returns the file that times are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Times::File(options) => Some(&mut options.path),
            Times::Braun(_) | Times::Product(_) => None,
        }
    }
}

impl TimesModel {
    /// Begins a replication with so many sites.
    pub(super) fn begin<'a>(&'a self, sites: usize, streams: &Streams) -> Box<dyn Rows + 'a> {
        match self {
            TimesModel::Braun(options) => Box::new(options.begin(sites, streams)),
            TimesModel::Product(options) => Box::new(options.begin(sites, streams)),
            TimesModel::File(table) => Box::new(table.begin(sites)),
        }
    }
}

/// Draws a factor from 1 to `most`, which is excluded.
fn factor(most: f64, rng: &mut kernel::rng::Rng) -> f64 {
    1.0 + (most - 1.0) * fraction(rng)
}

/// The span nearest to so many units, a tick at least.
fn span(units: f64) -> Span {
    nearest(units * TICKS_PER_UNIT as f64).max(Span::TICK)
}
