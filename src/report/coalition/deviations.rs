//! Unilateral deviations: payoffs of an organization's other actions while all others keep theirs.
//!
//! Holds the figures, a table, and a verdict in words.

use super::acts::told;
use crate::game::stage::Act;
use crate::policy::learn::Stance;
use crate::report::figure::{figure, rough};
use crate::report::table::{Cell, Column, Table};
use crate::stats::interval::{Interval, Level, Sections};

/// Payoff of one action of an organization.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    /// The action; `None` is its current behaviour.
    pub act: Option<Act>,
    /// Mean score of a round.
    pub score: Mean,
    /// Paired gain over the current behaviour, round by round; `None` for that behaviour itself.
    pub gain: Option<Mean>,
}

/// A mean over the compared rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its confidence interval, if there are enough rounds.
    pub interval: Option<Interval>,
}

impl Mean {
    /// Mean of values in their order, with an interval from batches of `batch` values.
    pub fn of(values: impl Iterator<Item = f64>, batch: usize, level: Level) -> Mean {
        let values: Vec<f64> = values.collect();
        let mut sections = Sections::default();
        for batch in values.chunks(batch) {
            sections.add(batch.iter().sum(), batch.len() as f64);
        }
        let mean = sections.mean().unwrap_or(f64::NAN);
        Mean { mean, interval: sections.interval(level) }
    }

    /// True if the mean is significantly above 0: the whole interval lies above it.
    pub fn is_sure(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low > 0.0)
    }

    /// Upper end of the interval; infinite if there is none.
    pub fn highest(&self) -> f64 {
        self.interval.map_or(f64::INFINITY, |interval| interval.high)
    }

    /// The mean with the ends of its interval, which often are not equally far away.
    pub fn told(&self) -> String {
        let ends = self.interval.map_or_else(String::new, |interval| {
            let low = rough(interval.low);
            if interval.high.is_finite() {
                format!(" (interval: {low} to {})", rough(interval.high))
            } else {
                format!(" (at least {low})")
            }
        });
        figure(self.mean) + &ends
    }

    fn cells(mean: Option<&Mean>) -> [Cell; 2] {
        let half = mean.and_then(|one| one.interval).map(|interval| interval.half_width());
        [mean.map(|one| one.mean).into(), Cell::error(half)]
    }
}

/// All deviations of one organization.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// Index of the organization.
    pub organization: usize,
    /// Its current stance.
    pub stance: Stance,
    /// The current behaviour first, then each action.
    pub lines: Vec<Instead>,
}

impl Swept {
    /// The action with the largest significant gain: one whose interval lies above 0.
    pub fn best(&self) -> Option<&Instead> {
        let gain = |line: &Instead| line.gain.map_or(0.0, |gain| gain.mean);
        let surely = self.lines.iter().filter(|line| line.gain.is_some_and(|gain| gain.is_sure()));
        surely.max_by(|a, b| gain(a).total_cmp(&gain(b)))
    }

    /// The stance in words.
    fn stands(&self) -> String {
        let Stance { probability, level, .. } = self.stance;
        let p = probability.map(|p| format!("p = {}", figure(p)));
        let level = level.map(|level| format!("level {}", figure(level)));
        let told: Vec<String> = p.into_iter().chain(level).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }

    /// The verdict in a sentence.
    pub fn verdict(&self, name: &str) -> String {
        let stands = self.stands();
        let Some((best, gain)) = self.best().and_then(|best| Some((best, best.gain?))) else {
            return format!(
                "{name}{stands}: no action is significantly better than its current behaviour"
            );
        };
        format!(
            "{name}{stands}: not a best response, `{}` would gain {} per round",
            best.act.map_or_else(String::new, told),
            gain.told()
        )
    }
}

/// A row for each action of each organization; its current behaviour comes first.
pub fn table(swept: &[Swept], names: &[String], level: Level) -> Table {
    let error = format!("±: half-width of the {level} confidence interval");
    let columns = [
        Column::text("organization"),
        Column::text("action").note("action: gains are over the current behaviour, `as it stands`"),
        Column::figure("score"),
        Column::figure("score_half_width").called("±").note(error.clone()).rank(1),
        Column::figure("gain").note("gain: difference in score, paired by round on the same draws"),
        Column::figure("gain_half_width").called("±").note(error),
        Column::figure("is_best").called("best"),
    ];
    let mut table = Table::new("deviations", columns);
    for one in swept {
        for line in &one.lines {
            let is_best = one.best().is_some_and(|best| best == line);
            let [score, error] = Mean::cells(Some(&line.score));
            let [gain, gain_error] = Mean::cells(line.gain.as_ref());
            let act = line.act.map_or_else(|| "as it stands".to_owned(), told);
            let name = names[one.organization].as_str();
            table.row([name.into(), act.into(), score, error, gain, gain_error, is_best.into()]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_action_is_one_that_surely_gains() {
        let of = |values: [f64; 4]| Mean::of(values.into_iter(), 1, Level::default());
        let line = |act, gain| Instead { act: Some(act), score: of([0.0; 4]), gain: Some(gain) };
        let unsure = of([9.0, -5.0, 8.0, -1.0]);
        let sure = of([0.5, 0.6, 0.5, 0.6]);
        assert!(!unsure.is_sure() && sure.is_sure() && unsure.mean > sure.mean);
        let mut swept = Swept {
            organization: 0,
            stance: Stance { probability: Some(0.25), ..Stance::default() },
            lines: vec![
                line(Act::Out, unsure),
                line(Act::In(crate::game::stage::Terms::ANY), sure),
            ],
        };
        assert_eq!(swept.best(), Some(&swept.lines[1]));
        assert_eq!(
            swept.verdict("a"),
            "a (p = 0.2500): not a best response, `in` would gain 0.5500 (interval: 0.46 to 0.64) per round"
        );
        assert_eq!(
            table(std::slice::from_ref(&swept), &["a".to_owned()], Level::default()).len(),
            2
        );
        swept.lines.pop();
        assert_eq!(swept.best(), None);
        assert!(
            swept
                .verdict("a")
                .ends_with("no action is significantly better than its current behaviour")
        );
    }
}
