//! Fields of the contest: scenarios that a person can also run.

use super::{Balancing, Effort, Grid, Play, Wanted};
use crate::StudyError;
use crate::bench::plan_of;
use scenario::Overrides;
use scenario::plan::{Coalition, Plan};

/// A grid and the decision that is learned on it.
#[derive(Debug)]
pub(super) struct Field {
    pub grid: Grid,
    pub balancing: Balancing,
    pub play: Play,
    pub plan: Plan,
}

/// Defines the scenario of each grid, balancer and play: its name and text.
macro_rules! fields {
    ($($grid:ident, $balancing:ident, $play:ident: $file:literal;)*) => {
        const FIELDS: &[(Grid, Balancing, Play, &str, &str)] = &[$((
            Grid::$grid,
            Balancing::$balancing,
            Play::$play,
            $file,
            include_str!(concat!("../../../scenarios/learners/", $file, ".toml")),
        )),*];
    };
}

fields! {
    Heterogeneous, Averaging, Joins: "het-averaging";
    Heterogeneous, Bilb, Joins: "het-bilb";
    Heterogeneous, Bilb, Levels: "het-levels";
    Homogeneous, Averaging, Joins: "hom-averaging";
    Homogeneous, Bilb, Joins: "hom-bilb";
    Homogeneous, Bilb, Levels: "hom-levels";
}

fn has<T: PartialEq>(wanted: &[T], one: &T) -> bool {
    wanted.is_empty() || wanted.contains(one)
}

/// The requested fields, in their order.
///
/// # Errors If a scenario cannot be read; a test rules that out.
pub(super) fn fields(wanted: &Wanted, effort: Effort) -> Result<Vec<Field>, StudyError> {
    let is_wanted = |grid: &Grid, balancing: &Balancing, play: &Play| {
        has(&wanted.grids, grid) && has(&wanted.balancers, balancing) && has(&wanted.plays, play)
    };
    let chosen =
        FIELDS.iter().filter(|(grid, balancing, play, ..)| is_wanted(grid, balancing, play));
    chosen
        .map(|&(grid, balancing, play, name, text)| {
            let overrides = Overrides { seed: Some(effort.seed), ..Overrides::default() };
            let plan = plan_of(name, text, &overrides)?;
            Ok(Field { grid, balancing, play, plan })
        })
        .collect()
}

impl Field {
    /// The coalition of its scenario.
    pub fn coalition(&self) -> &Coalition {
        self.plan.coalition().expect("a test finds one in every field")
    }

    /// Number of its organizations.
    pub fn players(&self) -> usize {
        self.coalition().seats.len()
    }

    /// Index of its overloaded organization, if it has one: the first.
    pub fn overloaded(&self) -> Option<usize> {
        (self.grid == Grid::Heterogeneous).then_some(0)
    }

    /// Index of its first typical organization; all later ones are typical too.
    pub fn typical(&self) -> usize {
        self.overloaded().map_or(0, |overloaded| overloaded + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_can_be_played() {
        let effort = Effort { rounds: 1, seeds: 1, seed: 7 };
        let all = fields(&Wanted::default(), effort).expect("scenarios can be read");
        assert_eq!(all.len(), FIELDS.len());
        for field in &all {
            assert_eq!((field.players(), field.plan.seed), (10, 7));
            let names: Vec<&str> =
                field.plan.organizations.iter().map(|one| one.name.as_str()).collect();
            let first = if field.overloaded().is_some() { "overloaded" } else { "typical-1" };
            assert_eq!((names[0], names[field.typical()]), (first, "typical-1"));
        }
        let wanted = Wanted { plays: vec![Play::Levels], ..Wanted::default() };
        assert_eq!(fields(&wanted, effort).expect("scenarios can be read").len(), 2);
    }
}
