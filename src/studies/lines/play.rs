//! Plays of scenarios, and their measures: the same as in the files of `gridpact run`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::super::claim::Register;
use super::super::sample::{Sample, half_range, mean};
use super::super::verdict::Measured;
use super::super::{Bench, StudyError};
use super::cells::{Play, Source};
use super::{By, Statistic};
use findings::Findings as _;
use findings::measure::Metric;
use run::AnyFindings;
use stats::interval::Level;

/// Findings of a play, and the command that plays it.
#[derive(Debug)]
pub(super) struct Played {
    pub found: AnyFindings,
    pub command: String,
}

/// Plays of the asked number of samples, each once for all parts.
#[derive(Default)]
struct Shelf(Mutex<BTreeMap<Play, Arc<Played>>>);

/// Plays of some cells.
pub(super) type Plays = BTreeMap<Play, Arc<Played>>;

/// Plays each scenario once, with so many times the samples that are asked for.
///
/// # Errors A scenario that cannot be played.
pub(super) fn plays<'p>(
    bench: &Bench,
    register: &Register,
    wanted: impl Iterator<Item = &'p Play>,
    times: u32,
) -> Result<Plays, StudyError> {
    let shelf = bench.shelf::<Shelf>();
    let mut all = Plays::new();
    for play in wanted {
        if all.contains_key(play) {
            continue;
        }
        let known = shelf.0.lock().expect("nobody panics with it").get(play).cloned();
        let played = match known.filter(|_| times == 1) {
            Some(played) => played,
            None => Arc::new(played(bench, register, play, times)?),
        };
        if times == 1 {
            shelf.0.lock().expect("nobody panics with it").insert(play.clone(), played.clone());
        }
        all.insert(play.clone(), played);
    }
    Ok(all)
}

fn played(
    bench: &Bench,
    register: &Register,
    play: &Play,
    times: u32,
) -> Result<Played, StudyError> {
    let Play { scenario, set, samples } = play;
    let asked = bench.effort.samples;
    let samples = samples.unwrap_or(asked).min(asked).max(2) * times;
    let outcome = bench.run_named(scenario, register.scenario(scenario)?, set, samples)?;
    let set: String = set.iter().map(|one| format!(" --set {}", quoted(one))).collect();
    let seed = bench.effort.seed;
    let command =
        format!("gridpact run {scenario}.toml{set} --set replications={samples} --seed {seed}");
    Ok(Played { found: outcome.found, command })
}

/// An argument as it is typed in a shell.
fn quoted(text: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "=._-".contains(one);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{text}'") }
}

impl Played {
    /// Index of an organization or a class.
    fn unit(&self, of: &str) -> Result<usize, StudyError> {
        let sample = self.found.sample();
        let several = format!("{of}-1..");
        let is = |name: &str| name == of || name.starts_with(&several);
        let found = match of {
            "*" => Some(sample.all()),
            _ => sample.units().iter().position(|unit| is(&unit.name)),
        };
        found.ok_or_else(|| StudyError(format!("{}: there is no `{of}`", self.command)))
    }

    /// Name of an organization or a class in the files.
    fn name(&self, of: &str) -> Result<&str, StudyError> {
        Ok(&self.found.sample().units()[self.unit(of)?].name)
    }

    /// Value and weight of a unit in each replication.
    fn series(&self, unit: usize, metric: Metric) -> Result<Vec<[f64; 2]>, StudyError> {
        let series = self.found.sample().series(unit, metric.measure());
        series.ok_or_else(|| StudyError(format!("{}: no {}", self.command, metric.name())))
    }

    /// The values of a unit in each replication.
    fn values(&self, source: &Source) -> Result<Vec<f64>, StudyError> {
        let series = self.series(self.unit(&source.of)?, metric(&source.measure)?)?;
        Ok(series.into_iter().map(|[value, _]| value).collect())
    }

    /// The values of each member of a unit in each replication.
    pub fn members(&self, source: &Source) -> Result<Sample, StudyError> {
        let members = self.found.sample().units()[self.unit(&source.of)?].members.clone();
        let metric = metric(&source.measure)?;
        let series: Result<Vec<Vec<[f64; 2]>>, StudyError> =
            members.clone().map(|member| self.series(member, metric)).collect();
        let series = series?;
        let rounds = 0..series.first().map_or(0, Vec::len);
        let values = rounds.flat_map(|round| series.iter().map(move |own| own[round][0]));
        Ok(Sample::new(members.len(), values.collect()))
    }

    /// The figure of `figures.csv`.
    fn figure(&self, source: &Source) -> Result<Measured, StudyError> {
        let (unit, metric) = (self.unit(&source.of)?, metric(&source.measure)?);
        let figures = self.found.figures_of(unit, Level::default());
        let figure = figures.into_iter().find(|one| one.measure == metric.measure());
        let known = figure.and_then(|one| Some((one.mean?, one.interval)));
        let (value, interval) = known.unwrap_or((f64::NAN, None));
        let half_width = interval.map_or(f64::INFINITY, |one| (one.high - one.low) / 2.0);
        Ok(Measured { value, half_width })
    }
}

fn metric(name: &str) -> Result<Metric, StudyError> {
    let found = Metric::ALL.iter().copied().find(|one| one.name() == name);
    found.ok_or_else(|| StudyError(format!("there is no measure `{name}`")))
}

/// A statistic of a figure.
///
/// # Errors A measure that the scenario does not have.
pub(super) fn measured(
    plays: &Plays,
    source: &Source,
    statistic: Statistic,
) -> Result<Measured, StudyError> {
    let played = &plays[&source.play];
    Ok(match statistic {
        Statistic::Mean => played.figure(source)?,
        Statistic::Deviation => played.members(source)?.deviation(),
        Statistic::Variation => {
            let [mean, deviation] = [Statistic::Mean, Statistic::Deviation]
                .map(|statistic| measured(plays, source, statistic));
            over(deviation?, mean?)
        }
        Statistic::Negative => mean(played.members(source)?.by_round().map(|round| {
            round.iter().filter(|&&value| value < 0.0).count() as f64 / round.len() as f64
        })),
        Statistic::Range => Measured::exact(2.0 * half_range(&played.values(source)?)),
        Statistic::Jobs => {
            let unit = played.unit(&source.of)?;
            let members = played.found.sample().units()[unit].members.len() as f64;
            let series = played.series(unit, metric(&source.measure)?)?;
            mean(series.into_iter().map(|[_, jobs]| jobs / members))
        }
    })
}

/// A figure less or over another one, in pairs of the same replications.
///
/// # Errors As [`measured`].
pub(super) fn compared(
    plays: &Plays,
    [own, other]: [&Source; 2],
    statistic: Statistic,
    by: By,
) -> Result<Measured, StudyError> {
    let of = |source: &Source| plays[&source.play].values(source);
    let pairs = |own: Vec<f64>, other: &[f64], times: f64| {
        mean(own.iter().zip(other).map(|(own, other)| own - times * other))
    };
    if (statistic, by) == (Statistic::Deviation, By::Less) {
        let of = |source: &Source| plays[&source.play].members(source);
        return Ok(of(own)?.deviation_less(&of(other)?));
    }
    if statistic != Statistic::Mean {
        let [own, other] = [own, other].map(|source| measured(plays, source, statistic));
        let (own, other) = (own?, other?);
        return Ok(match by {
            By::Less => Measured {
                value: own.value - other.value,
                half_width: libm::hypot(own.half_width, other.half_width),
            },
            By::Over => over(own, other),
        });
    }
    let (own, other) = (of(own)?, of(other)?);
    Ok(match by {
        By::Less => pairs(own, &other, 1.0),
        By::Over => {
            // To first order, the ratio has the error of what is left beside it.
            let all = mean(other.iter().copied()).value;
            let value = mean(own.iter().copied()).value / all;
            let left = pairs(own, &other, value);
            Measured { value, half_width: (left.half_width / all).abs() }
        }
    })
}

/// Ratio of two figures, with its first-order error.
fn over(one: Measured, other: Measured) -> Measured {
    let value = one.value / other.value;
    let shares = libm::hypot(one.half_width / one.value, other.half_width / other.value);
    Measured { value, half_width: (value * shares).abs() }
}

/// File, figure and unit that answer a line, for people.
pub(super) fn told(
    plays: &Plays,
    source: &Source,
    statistic: Statistic,
) -> Result<String, StudyError> {
    let name = plays[&source.play].name(&source.of)?;
    let (file, more) = match statistic {
        Statistic::Mean => ("figures.csv", ""),
        Statistic::Deviation | Statistic::Variation => ("learning.csv", "_deviation"),
        _ => ("replications.csv", ""),
    };
    Ok(format!("{file}: {}{more} of {name}", source.measure))
}
