//! List heuristics: tasks are assigned one after the other, each to the end of what a processor does.
//!
//! Tasks of a class are alike, and so are the processors of a site. Nothing here therefore looks at a
//! task or a processor alone: [`Work`] counts the tasks of classes, [`Ground`] holds groups of
//! processors that have done the same, and a step gives a task to a whole group where the definition
//! would do so one by one. The plans are equal to those of the definitions, ties included: of equal
//! choices the earliest completion counts, then the lowest class, the lowest site, the processor that is
//! free first and the first processor.
//!
//! With `storage` a task starts when there is room for it ([`room`]). If a limit can bind, tasks are
//! then really assigned one by one, in time and memory that grow with their number.

mod draw;
mod fill;
mod fronts;
mod ground;
mod phases;
mod room;
mod score;
mod steps;
mod turns;
mod work;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use ground::Ground;
pub(super) use phases::Phases;
pub(super) use score::{Metric, Rule};
pub(super) use steps::{Select, Steps};
pub(super) use turns::{Turns, finish_first};
pub(super) use work::{NEVER, Work};

/// The order in which classes that may start assign their tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One class after the other, all tasks of a class at once.
    #[default]
    Classes,
    /// The tasks in a random order.
    Random,
    /// One task of each class in turn.
    Rounds,
}

/// The number by which a task chooses among the sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chooses {
    /// The earliest completion.
    #[default]
    Completion,
    /// The lowest price, then the earliest completion.
    Cost,
}

impl Chooses {
    /// Rule by which tasks choose a processor.
    pub(super) fn rule(self, deadline: bool, storage: bool) -> Rule {
        let metric = match self {
            Chooses::Completion => Metric::End,
            Chooses::Cost => Metric::Cost,
        };
        Rule { metric, deadline, storage }
    }
}
