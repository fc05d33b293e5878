//! What organizations could do instead while all others go on as they stand: figures, a table, and
//! words.

use super::acts::told;
use crate::game::stage::Act;
use crate::policy::learn::Stance;
use crate::report::figure::{figure, rough};
use crate::report::table::{Cell, Column, Table};
use crate::stats::interval::{Interval, Sections};

/// What an organization would get by an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    /// The action; `None`: as it stands.
    pub act: Option<Act>,
    /// The mean score of a round.
    pub score: Mean,
    /// What it gains over what it gets as it stands, round by round; none of itself.
    pub gain: Option<Mean>,
}

/// A mean over the compared rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its interval of 95%, where there are rounds enough.
    pub interval: Option<Interval>,
}

impl Mean {
    /// Of values in their order, of which so many at a time are one section.
    pub fn of(values: impl Iterator<Item = f64>, batch: usize) -> Mean {
        let values: Vec<f64> = values.collect();
        let mut sections = Sections::default();
        for batch in values.chunks(batch) {
            sections.add(batch.iter().sum(), batch.len() as f64);
        }
        let mean = sections.mean().unwrap_or(f64::NAN);
        let interval = sections.error().map(|error| Interval::around(mean, error.half_width()));
        Mean { mean, interval }
    }

    /// True where it is surely above 0.
    pub fn is_sure(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low > 0.0)
    }

    /// The upper end of its interval; infinite where it has none.
    pub fn highest(&self) -> f64 {
        self.interval.map_or(f64::INFINITY, |interval| interval.high)
    }

    fn cells(mean: Option<&Mean>) -> [Cell; 2] {
        let half = mean.and_then(|one| one.interval).map(|interval| interval.half_width());
        [mean.map(|one| one.mean).into(), Cell::error(half)]
    }
}

/// What one organization could do instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// The organization.
    pub organization: usize,
    /// Where it stands.
    pub stance: Stance,
    /// As it stands, and then each action.
    pub lines: Vec<Instead>,
}

impl Swept {
    /// The action that gains most, if one surely gains anything: its interval is above 0.
    pub fn best(&self) -> Option<&Instead> {
        let gain = |line: &Instead| line.gain.map_or(0.0, |gain| gain.mean);
        let surely = self.lines.iter().filter(|line| line.gain.is_some_and(|gain| gain.is_sure()));
        surely.max_by(|a, b| gain(a).total_cmp(&gain(b)))
    }

    /// Where it stands, in words.
    fn stands(&self) -> String {
        let Stance { probability, level, .. } = self.stance;
        let p = probability.map(|p| format!("p = {}", figure(p)));
        let level = level.map(|level| format!("level {}", figure(level)));
        let told: Vec<String> = p.into_iter().chain(level).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }

    /// What was found, in a sentence.
    pub fn verdict(&self, name: &str) -> String {
        let stands = self.stands();
        let Some((best, gain)) = self.best().and_then(|best| Some((best, best.gain?))) else {
            return format!("{name}{stands}: no action surely gains anything over what it does");
        };
        let error = gain.interval.map_or(0.0, |interval| interval.half_width());
        format!(
            "{name}{stands}: no best reply, {} would gain {} ± {}",
            best.act.map_or_else(String::new, told),
            figure(gain.mean),
            rough(error)
        )
    }
}

/// A row for each action of each organization, the first as it stands.
pub fn table(swept: &[Swept], names: &[String]) -> Table {
    let columns = [
        Column::text("organization"),
        Column::text("action").note("action: `as it stands` is what the gains are over"),
        Column::figure("score"),
        Column::figure("score_half_width").called("±"),
        Column::figure("gain")
            .note("gain: of the score, round by round on the same draws; ± half of a 95% interval"),
        Column::figure("gain_half_width").called("±"),
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
        let of = |values: [f64; 4]| Mean::of(values.into_iter(), 1);
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
            "a (p = 0.2500): no best reply, in would gain 0.5500 ± 0.092"
        );
        assert_eq!(table(std::slice::from_ref(&swept), &["a".to_owned()]).len(), 2);
        swept.lines.pop();
        assert_eq!(swept.best(), None);
        assert!(swept.verdict("a").ends_with("no action surely gains anything over what it does"));
    }
}
