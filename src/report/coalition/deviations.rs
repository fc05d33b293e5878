//! Unilateral deviations: payoffs of an organization's other actions while all others keep theirs.
//!
//! Holds the figures, a table, a verdict in words, and warnings.

use crate::table::{Column, Figured, Table, columns};
use crate::words::warnings::{FEWEST_SECTIONS, named};
use findings::rounds::mean::Mean;
use game::stage::Act;
use policy::learn::Stance;
use records::coalition::acts::told;
use stats::interval::{Interval, Level};
use stats::shown::figure;

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

/// All deviations of one organization.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// Index of the organization.
    pub organization: usize,
    /// Its current stance.
    pub stance: Stance,
    /// The current behaviour first, then each action.
    pub lines: Vec<Instead>,
    /// Number of sections of the compared rounds that intervals come from.
    pub sections: u64,
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

    /// The largest gain that may be chance, in words, if any action gained.
    fn unsure(&self) -> Option<String> {
        let gains = self.lines.iter().filter_map(|line| Some((line.act?, line.gain?)));
        let gains = gains.filter(|(_, gain)| gain.mean > 0.0);
        let (act, gain) = gains.max_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean))?;
        let act = told(act);
        Some(format!("; `{act}` gained {} per round, which may be chance", gain.told()))
    }

    /// Answer to the question if an action is better than the current behaviour.
    fn is_better(&self, line: &Instead) -> Option<&'static str> {
        let gain = line.gain?;
        Some(match gain.interval {
            Some(Interval { low, .. }) if low > 0.0 => {
                if self.best().is_some_and(|best| best == line) { "yes, best" } else { "yes" }
            }
            Some(Interval { high, .. }) if high < 0.0 => "no",
            Some(Interval { low: 0.0, high: 0.0 }) => "the same",
            _ => "cannot tell",
        })
    }

    /// The verdict in a sentence.
    pub fn verdict(&self, name: &str) -> String {
        let stands = self.stands();
        let Some((best, gain)) = self.best().and_then(|best| Some((best, best.gain?))) else {
            return format!(
                "{name}{stands}: no action is surely better than its current behaviour{}",
                self.unsure().unwrap_or_default()
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
///
/// Programs get the ends of intervals, people their margins and an answer in words.
pub fn table(swept: &[Swept], names: &[String], level: Level) -> Table {
    let rows = swept.iter().flat_map(|one| one.lines.iter().map(move |line| (one, line)));
    let error = format!("±: half-width of the {level} confidence interval");
    let figured = |mean: Option<&Mean>| {
        Figured::from((mean.map(|one| one.mean), mean.and_then(|one| one.interval)))
    };
    let columns = columns![|(one, line): &(&Swept, &Instead)|
        Column::text("organization") => names[one.organization].as_str(),
        Column::text("action").note("action: gains are over the current behaviour, `as it stands`")
            => line.act.map_or_else(|| "as it stands".to_owned(), told),
        Column::figure("score").rank(1).with_interval(Some(&error)) => figured(Some(&line.score)),
        Column::figure("gain").note("gain: difference in score, paired by round on the same draws")
            .with_interval(Some(&error)) => figured(line.gain.as_ref()),
        Column::text("is_better").called("better?").for_people().note(
            "better? `no`: surely worse; `cannot tell`: the interval of the gain holds 0, so it \
             may be chance",
        ) => one.is_better(line),
        Column::figure("is_best").for_programs() => one.best().is_some_and(|best| best == *line),
    ];
    Table::by_columns("deviations", rows, columns)
}

/// Warns about figures without an interval, and about intervals from few rounds.
pub fn warnings(swept: &[Swept], names: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    let is_unknown = |mean: &Mean| mean.interval.is_none();
    let lacks = |one: &&Swept| {
        let mut lines = one.lines.iter();
        lines.any(|line| is_unknown(&line.score) || line.gain.as_ref().is_some_and(is_unknown))
    };
    let lacking: Vec<String> =
        swept.iter().filter(lacks).map(|one| format!("`{}`", names[one.organization])).collect();
    if !lacking.is_empty() {
        warnings.push(format!(
            "figures of {} have no interval, so nothing tells how sure they are: the score of a \
             round is infinite where its flow time was 0",
            named(lacking.iter())
        ));
    }
    let fewest = swept.iter().map(|one| one.sections).min();
    if let Some(few) = fewest.filter(|&sections| sections < FEWEST_SECTIONS) {
        warnings.push(format!(
            "the intervals come from {few} sections of the compared rounds, so they are only rough; \
             compare more, `--rounds 100`"
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Format;

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
            lines: vec![line(Act::Out, unsure), line(Act::In(game::stage::Terms::ANY), sure)],
            sections: 4,
        };
        assert_eq!(swept.best(), Some(&swept.lines[1]));
        assert_eq!(
            swept.verdict("a"),
            "a (p = 0.2500): not a best response, `in` would gain 0.5500 (interval: 0.46 to 0.64) per round"
        );
        let names = ["a".to_owned()];
        let csv = |swept: &Swept| {
            table(std::slice::from_ref(swept), &names, Level::default()).render(Format::Csv, None)
        };
        assert!(csv(&swept).starts_with(
            "organization,action,score,score_low,score_high,gain,gain_low,gain_high,is_best\n"
        ));
        let answers = |swept: &Swept| -> Vec<Option<&'static str>> {
            swept.lines.iter().map(|line| swept.is_better(line)).collect()
        };
        assert_eq!(answers(&swept), [Some("cannot tell"), Some("yes, best")]);
        swept.lines.push(line(Act::Out, of([-1.0; 4])));
        swept.lines.push(line(Act::Out, of([0.0; 4])));
        assert_eq!(answers(&swept)[2..], [Some("no"), Some("the same")]);
        swept.lines.truncate(1);
        assert_eq!(swept.best(), None);
        let verdict = swept.verdict("a");
        assert!(
            verdict
                .contains(": no action is surely better than its current behaviour; `out` gained")
                && verdict.ends_with("per round, which may be chance"),
            "{verdict}"
        );
    }

    #[test]
    fn a_missing_interval_is_an_empty_cell_and_a_warning() {
        let of = |values: [f64; 4]| Mean::of(values.into_iter(), 1, Level::default());
        let endless = of([1.0, f64::INFINITY, 1.0, 1.0]);
        assert_eq!(endless.interval, None);
        let swept = |score, sections| Swept {
            organization: 0,
            stance: Stance::default(),
            lines: vec![Instead { act: None, score, gain: None }],
            sections,
        };
        let names = ["a".to_owned()];
        let table = |swept| table(&[swept], &names, Level::default());
        let csv = table(swept(endless, 20)).render(Format::Csv, None);
        assert!(csv.ends_with("a,as it stands,,,,,,,false\n"), "{csv}");
        let told = |swept| warnings(&[swept], &names).join("\n");
        assert_eq!(told(swept(of([1.0, 2.0, 3.0, 4.0]), 20)), "");
        assert!(told(swept(endless, 20)).starts_with("figures of `a` have no interval"));
        assert!(told(swept(of([1.0; 4]), 4)).contains("come from 4 sections"));
    }
}
