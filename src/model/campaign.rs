//! Applications of classes of identical tasks, and what a campaign of them consists of.
//!
//! A class is a number of independent tasks of the same kind, which take the same time on every
//! processor of a site. Classes wait for others of their application.

use serde::{Deserialize, Serialize};

use super::ids::OrganizationId;
use kernel::time::{Span, Time};

/// Number of things of which a site has so much and a running task holds some: storage and memory.
pub const HELD: usize = 2;

/// A site has no limit of something.
pub const UNLIMITED: i64 = i64::MAX;

/// Their names, in scenarios and files.
pub const HOLDS: [&str; HELD] = ["storage", "memory"];

/// A site: a cluster to which tasks are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Its processors.
    pub processors: u32,
    /// Price of a processor for one unit of time, in millionths.
    pub price: i64,
    /// Limit of each resource for all running tasks together, in millionths; [`UNLIMITED`].
    pub limits: [i64; HELD],
}

/// An application: classes that its owner submits together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Its owner.
    pub owner: OrganizationId,
    /// Submission time.
    pub submit: Time,
    /// Deadline; [`Time::NEVER`] without one.
    pub deadline: Time,
    /// Number of its first class.
    pub first: u32,
    /// Number of the class behind its last one.
    pub end: u32,
}

/// A class of identical tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name, unlike those of others of its application.
    pub name: String,
    /// Its application.
    pub application: u32,
    /// Number of tasks.
    pub tasks: u64,
    /// Numbers of the classes that must be done before; they stand before this one.
    pub after: Vec<u32>,
    /// Amount of each resource that a running task holds, in millionths. Storage includes `output`.
    pub needs: [i64; HELD],
    /// Storage of the files that a task leaves at its site, in millionths.
    pub output: i64,
}

/// Lifetime of the files that tasks leave at their sites.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Files {
    /// Until every class that waits for their class is done (Ramakrishnan et al., 2007).
    #[default]
    Deleted,
    /// Until their application is done.
    Kept,
}

/// Rule by which owners of applications pay for tasks.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Pricing {
    /// By use: the price of the site times the processor time of the task.
    #[default]
    Usage,
    /// As in a second-price auction: what a task would cost by use at the cheapest other site where it
    /// can run, and at least what it costs by use (Vickrey, 1961).
    SecondPrice,
}

/// Applications in the order of their submission, and their classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Campaign {
    /// The applications; their classes stand in the same order.
    pub applications: Vec<Application>,
    /// The classes, those of an application one after the other, each behind what it waits for.
    pub classes: Vec<Class>,
    /// Number of sites.
    pub sites: usize,
    /// Time of a task by class and site, above zero; [`Span::MAX`] where it cannot run.
    pub times: Vec<Span>,
    /// Expected time of a task, likewise.
    pub expected: Vec<Span>,
    /// Weights that owners give sites, by class and site; empty if all are 1.
    pub weights: Vec<f64>,
}

impl Campaign {
    /// Time of a task of a class, by site.
    #[inline]
    pub fn times(&self, class: u32) -> &[Span] {
        row(&self.times, class, self.sites)
    }

    /// Expected time of a task of a class, by site.
    #[inline]
    pub fn expected(&self, class: u32) -> &[Span] {
        row(&self.expected, class, self.sites)
    }

    /// Weights that the owner of a class gives sites; empty if all are 1.
    #[inline]
    pub fn weights(&self, class: u32) -> &[f64] {
        if self.weights.is_empty() { &[] } else { row(&self.weights, class, self.sites) }
    }

    /// Payment for a task of a class at a site beyond its use, in millionths of a price times ticks.
    pub fn surcharge(&self, pricing: Pricing, sites: &[Site], class: u32, site: usize) -> i128 {
        if pricing == Pricing::Usage {
            return 0;
        }
        let (times, weights) = (self.times(class), self.weights(class));
        let by_use = |site: usize| i128::from(sites[site].price) * i128::from(times[site].ticks());
        let may = |other: &usize| {
            *other != site
                && times[*other] != Span::MAX
                && weights.get(*other).is_none_or(|&weight| weight > 0.0)
        };
        let others = (0..sites.len()).filter(may).map(by_use).min();
        others.map_or(0, |other| (other - by_use(site)).max(0))
    }

    /// Number of all tasks.
    pub fn tasks(&self) -> u64 {
        self.classes.iter().map(|class| class.tasks).sum()
    }
}

fn row<T>(table: &[T], class: u32, sites: usize) -> &[T] {
    &table[class as usize * sites..][..sites]
}
