//! Events that a campaign reports.

use super::games::Game;
use kernel::time::Time;

/// Tasks of a class that ran on processors of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ran {
    /// Number of the class.
    pub class: u32,
    /// The site.
    pub site: u32,
    /// Processors, each of which did the same number of tasks one after the other; a share of the site
    /// where tasks are played as a fluid.
    pub processors: f64,
    /// Tasks of all of them.
    pub tasks: f64,
    /// Start of the first tasks.
    pub start: Time,
    /// End of the last ones.
    pub finish: Time,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Tasks ran.
    Ran(Ran),
    /// A class is done.
    Class(u32),
    /// An application is done, at this time.
    Application(u32, Time),
    /// A game was played for a plan.
    Game(Game),
}
