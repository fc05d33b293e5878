//! Plays of scenarios, and their measures: the same as in the files of `gridpact run`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::super::claim::{Register, unknown};
use super::super::count::Count;
use super::super::played::Record;
use super::super::sample::{Sample, half_range, mean, resampled};
use super::super::verdict::Measured;
use super::super::{Bench, StudyError};
use super::cells::{Cell, Play, Source};
use super::code::{Asked, Figures};
use super::{By, FitBy, Statistic, Table};
use findings::Findings as _;
use findings::measure::Metric;
use run::AnyFindings;
use stats::interval::Level;
use stats::welch;

/// Findings of a play, and the command that plays it.
#[derive(Debug)]
pub(super) struct Played {
    pub found: Found,
    pub command: String,
}

/// Findings of a run, or figures of code or of an audit.
#[derive(Debug)]
pub(super) enum Found {
    Run(Arc<AnyFindings>),
    Code(Figures),
}

/// Plays and multiples of the samples, each once for all parts.
#[derive(Default)]
struct Shelf(Mutex<BTreeMap<(Play, u32), Arc<Played>>>);

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
    let wanted: Vec<&Play> = wanted.collect();
    let is_run = |play: &Play| !play.is_audited && register.code(&play.scenario).is_none();
    bench.side_by_side(wanted.iter().filter(|play| is_run(play)).filter_map(|play| {
        let text = register.scenario(&play.scenario).ok()?;
        Some((&*play.scenario, text, &*play.set, sampled(bench, play, times)))
    }));
    let mut all = Plays::new();
    for play in wanted {
        if all.contains_key(play) {
            continue;
        }
        let key = (play.clone(), times);
        let known = shelf.0.lock().expect("nobody panics with it").get(&key).cloned();
        let played = match known {
            Some(played) => played,
            None => Arc::new(played(bench, register, play, times)?),
        };
        shelf.0.lock().expect("nobody panics with it").insert(key, played.clone());
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
    let Play { scenario, set, is_audited, .. } = play;
    let (samples, seed) = sampled(bench, play, times);
    if let Some(code) = register.code(scenario) {
        let found = Found::Code(code(&Asked { bench, set, samples, seed })?);
        bench.log(Record::code(scenario, set, (samples, seed)));
        return Ok(Played { found, command: String::new() });
    }
    let text = register.scenario(scenario)?;
    let options: String = set.iter().map(|one| format!(" --set {}", quoted(one))).collect();
    let command =
        format!("gridpact run {scenario}.toml{options} --set replications={samples} --seed {seed}");
    if *is_audited {
        let found = Found::Code(bench.audit(scenario, text, set, (samples, seed))?);
        return Ok(Played { found, command: format!("{command} --out it; gridpact audit it") });
    }
    Ok(Played { found: Found::Run(bench.run(scenario, text, set, (samples, seed))?), command })
}

/// Replications of a play, and its seed.
fn sampled(bench: &Bench, play: &Play, times: u32) -> (u32, u64) {
    let samples = (bench.effort.samples * times).min(play.samples.unwrap_or(u32::MAX)).max(2);
    (samples, bench.effort.seed.wrapping_add(play.seed))
}

/// An argument as it is typed in a shell.
fn quoted(text: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "=._-".contains(one);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{text}'") }
}

impl Played {
    /// The findings of a run.
    fn run(&self) -> Result<&AnyFindings, StudyError> {
        match &self.found {
            Found::Run(found) => Ok(found),
            Found::Code(_) => Err(StudyError("code has no organizations".to_owned())),
        }
    }

    /// Index of an organization or a class.
    fn unit(&self, of: &str) -> Result<usize, StudyError> {
        let sample = self.run()?.sample();
        let several = format!("{of}-1..");
        let is = |name: &str| name == of || name.starts_with(&several);
        let found = match of {
            "*" => Some(sample.all()),
            _ => sample.units().iter().position(|unit| is(&unit.name)),
        };
        let known = sample.units().iter().map(|unit| &*unit.name);
        found.ok_or_else(|| unknown("organization or class", of, known))
    }

    /// Value and weight of a unit in each replication.
    fn series(&self, unit: usize, metric: Metric) -> Result<Vec<[f64; 2]>, StudyError> {
        let series = self.run()?.sample().series(unit, metric.measure());
        series.ok_or_else(|| StudyError(format!("{}: no {}", self.command, metric.name())))
    }

    /// The values of a unit in each replication.
    fn values(&self, source: &Source) -> Result<Vec<f64>, StudyError> {
        let values = match &self.found {
            Found::Run(_) => {
                let series = self.series(self.unit(&source.of)?, metric(&source.measure)?)?;
                series.into_iter().map(|[value, _]| value).collect()
            }
            Found::Code(figures) => figures.get(&source.measure).cloned().ok_or_else(|| {
                unknown("figure", &source.measure, figures.keys().map(String::as_str))
            })?,
        };
        let counted = |value: f64| match source.at_most {
            Some(most) => f64::from(u8::from(value <= most)),
            None => value,
        };
        Ok(values.into_iter().map(counted).collect())
    }

    /// Number of jobs behind the value of a unit's member in each replication.
    fn jobs(&self, source: &Source) -> Result<Vec<f64>, StudyError> {
        let unit = self.unit(&source.of)?;
        let members = self.run()?.sample().units()[unit].members.len() as f64;
        let series = self.series(unit, metric(&source.measure)?)?;
        Ok(series.into_iter().map(|[_, jobs]| jobs / members).collect())
    }

    /// The figure of `figures.csv`, or of code.
    fn figure(&self, source: &Source) -> Result<Measured, StudyError> {
        let Found::Run(found) = &self.found else { return Ok(estimate(self.values(source)?)) };
        let (unit, metric) = (self.unit(&source.of)?, metric(&source.measure)?);
        let figures = found.figures_of(unit, Level::default());
        let figure = figures.into_iter().find(|one| one.measure == metric.measure());
        let known = figure.and_then(|one| Some((one.mean?, one.interval)));
        let (value, interval) = known.unwrap_or((f64::NAN, None));
        let half_width = interval.map_or(f64::INFINITY, |one| (one.high - one.low) / 2.0);
        Ok(Measured { value, half_width })
    }
}

/// Mean of values of independent samples, without those that have none; a single value is exact.
pub(super) fn estimate(values: Vec<f64>) -> Measured {
    match values[..] {
        [one] => Measured::exact(one),
        _ => mean(values.into_iter().filter(|value| !value.is_nan())),
    }
}

fn metric(name: &str) -> Result<Metric, StudyError> {
    let found = Metric::ALL.iter().copied().find(|one| one.name() == name);
    let remedy = "`gridpact list measures` has all";
    found.ok_or_else(|| StudyError(format!("there is no measure `{name}`; {remedy}")))
}

/// The values of each member of a unit in each replication; those of a unit in each of several plays.
pub(super) fn members(plays: &Plays, source: &Source) -> Result<Sample, StudyError> {
    let series: Result<Vec<Vec<f64>>, StudyError> = match &source.plays[..] {
        [one] if matches!(plays[one].found, Found::Run(_)) => {
            let played = &plays[one];
            let members = played.run()?.sample().units()[played.unit(&source.of)?].members.clone();
            let metric = metric(&source.measure)?;
            let of = |member| played.series(member, metric);
            let first =
                |series: Vec<[f64; 2]>| series.into_iter().map(|[value, _]| value).collect();
            members.map(|member| of(member).map(first)).collect()
        }
        several => several.iter().map(|play| plays[play].values(source)).collect(),
    };
    let series = series?;
    let rounds = 0..series.first().map_or(0, Vec::len);
    let values = rounds.flat_map(|round| series.iter().map(move |own| own[round]));
    Ok(Sample::new(series.len(), values.collect()))
}

/// The values of a figure in each replication; of several plays their means.
fn values(plays: &Plays, source: &Source) -> Result<Vec<f64>, StudyError> {
    means(plays, source, Played::values)
}

/// Means over the plays of a figure, by replication.
fn means(
    plays: &Plays,
    source: &Source,
    of: fn(&Played, &Source) -> Result<Vec<f64>, StudyError>,
) -> Result<Vec<f64>, StudyError> {
    let all: Result<Vec<Vec<f64>>, StudyError> =
        source.plays.iter().map(|play| of(&plays[play], source)).collect();
    let all = all?;
    let mean = |round: usize| all.iter().map(|own| own[round]).sum::<f64>() / all.len() as f64;
    Ok((0..all[0].len()).map(mean).collect())
}

/// A statistic of a figure.
///
/// # Errors A measure that the scenario does not have.
fn measured(plays: &Plays, source: &Source, statistic: Statistic) -> Result<Measured, StudyError> {
    let first = &plays[&source.plays[0]];
    Ok(match statistic {
        Statistic::Mean => match source.plays.len() {
            1 if source.at_most.is_none() => first.figure(source)?,
            _ => estimate(values(plays, source)?),
        },
        Statistic::Deviation => members(plays, source)?.deviation(),
        Statistic::Variation => {
            let [mean, deviation] = [Statistic::Mean, Statistic::Deviation]
                .map(|statistic| measured(plays, source, statistic));
            over(deviation?, mean?)
        }
        Statistic::Negative => mean(members(plays, source)?.by_round().map(|round| {
            round.iter().filter(|&&value| value < 0.0).count() as f64 / round.len() as f64
        })),
        Statistic::Range => Measured::exact(2.0 * half_range(&first.values(source)?)),
        Statistic::Jobs => mean(means(plays, source, Played::jobs)?.into_iter()),
        Statistic::Largest => {
            Measured::exact(known(plays, source)?.into_iter().fold(f64::NEG_INFINITY, f64::max))
        }
        Statistic::Hits => hits(plays, source)?.measured(),
        Statistic::Total | Statistic::Violations => {
            Measured::exact(known(plays, source)?.iter().sum())
        }
        Statistic::Found => match hits(plays, source)?.hits {
            0 => Measured { value: 0.0, half_width: f64::INFINITY },
            some => Measured::exact(some as f64),
        },
    })
}

/// Values of all members and plays, but of samples that have none; of the unit if no member has any.
fn known(plays: &Plays, source: &Source) -> Result<Vec<f64>, StudyError> {
    let have = |values: &[f64]| -> Vec<f64> {
        values.iter().copied().filter(|value| !value.is_nan()).collect()
    };
    let of_members = have(members(plays, source)?.all());
    if of_members.is_empty() { Ok(have(&values(plays, source)?)) } else { Ok(of_members) }
}

/// Values above 0, of all that there are.
///
/// # Errors As [`series`].
pub(super) fn hits(plays: &Plays, source: &Source) -> Result<Count, StudyError> {
    let values = known(plays, source)?;
    let hits = values.iter().filter(|&&value| value > 0.0).count() as u64;
    Ok(Count { hits, of: values.len() as u64 })
}

/// A cell's figure in each replication.
///
/// # Errors As [`measured`].
pub(super) fn series(plays: &Plays, cell: &Cell) -> Result<Vec<f64>, StudyError> {
    let own = values(plays, &cell.source)?;
    let others: Result<Vec<Vec<f64>>, StudyError> =
        cell.against.iter().map(|other| values(plays, other)).collect();
    let others = others?;
    let by = cell.line.against.as_ref().map(|against| against.by);
    let one = |(round, own): (usize, f64)| {
        let others = || others.iter().map(|other| other[round]);
        let first = || others().next().unwrap_or(f64::NAN);
        (match by {
            None => own,
            Some(By::Less) => own - first(),
            Some(By::Over | By::Ratio) => own / first(),
            Some(By::More) => own / first() - 1.0,
            Some(By::Lead) => libm::log(others().fold(f64::INFINITY, f64::min) / own),
            Some(By::Lag) => libm::log(own / others().fold(0.0, f64::max)),
            Some(By::Exceeds | By::Welch) => f64::NAN,
        }) / cell.per
    };
    Ok(own.into_iter().enumerate().map(one).collect())
}

/// The figure of a cell.
///
/// # Errors As [`measured`].
pub(super) fn figure(plays: &Plays, cell: &Cell) -> Result<Measured, StudyError> {
    let found = match (&cell.line.against, &cell.against[..]) {
        (Some(against), [other]) if matches!(against.by, By::Less | By::Over) => {
            compared(plays, [&cell.source, other], cell.statistic, against.by)?
        }
        (Some(against), [other]) if against.by == By::Welch => {
            let all = [&cell.source, other].map(|source| members(plays, source));
            let [one, other] = all.map(|sample| sample.map(|sample| sample.all().to_vec()));
            Measured::exact(welch::test(&one?, &other?).map_or(f64::NAN, |test| test.p))
        }
        (Some(against), [other]) if against.by == By::Exceeds => {
            let [own, other] = [members(plays, &cell.source)?, members(plays, other)?];
            own.exceeds(&other)
        }
        (Some(_), _) => return Ok(estimate(series(plays, cell)?)),
        (None, _) => measured(plays, &cell.source, cell.statistic)?,
    };
    let Measured { value, half_width } = found;
    Ok(Measured { value: value / cell.per, half_width: half_width / cell.per.abs() })
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
    let pairs = |own: Vec<f64>, other: &[f64], times: f64| {
        estimate(own.iter().zip(other).map(|(own, other)| own - times * other).collect())
    };
    if (statistic, by) == (Statistic::Deviation, By::Less) {
        return Ok(members(plays, own)?.deviation_less(&members(plays, other)?));
    }
    let is_quantile = |name: &str| metric(name).is_ok_and(|one| one.is_quantile());
    if statistic != Statistic::Mean || is_quantile(&own.measure) {
        let [own, other] = [own, other].map(|source| measured(plays, source, statistic));
        let (own, other) = (own?, other?);
        return Ok(match by {
            By::Less => Measured {
                value: own.value - other.value,
                half_width: libm::hypot(own.half_width, other.half_width),
            },
            _ => over(own, other),
        });
    }
    let (own, other) = (values(plays, own)?, values(plays, other)?);
    Ok(match by {
        By::Less => pairs(own, &other, 1.0),
        _ => {
            // To first order, the ratio has the error of what is left beside it.
            let all = estimate(other.clone()).value;
            let value = estimate(own.clone()).value / all;
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

/// Relation of the figures of all rows to a column, with its bootstrap interval over the replications.
///
/// # Errors As [`measured`].
pub(super) fn fitted(
    plays: &Plays,
    column: &[(f64, &Cell)],
    by: FitBy,
) -> Result<Measured, StudyError> {
    let samples: Result<Vec<(f64, Sample)>, StudyError> =
        column.iter().map(|(x, cell)| Ok((*x, members(plays, &cell.source)?))).collect();
    let samples = samples?;
    let of = |rounds: &[u32]| {
        let values = |sample: &Sample| -> Vec<f64> {
            let all: Vec<&[f64]> = sample.by_round().collect();
            rounds.iter().flat_map(|&round| all[round as usize]).copied().collect()
        };
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let all = samples.iter().map(|(x, sample)| (*x, values(sample)));
        let points: Vec<(f64, f64)> = match by {
            FitBy::Correlation => {
                all.flat_map(|(x, values)| values.into_iter().map(move |y| (x, y))).collect()
            }
            FitBy::Slope => all.map(|(x, values)| (x, mean(values))).collect(),
            FitBy::Within => Vec::new(),
            FitBy::Exponent => {
                let log = |value: f64| libm::log(value.max(f64::MIN_POSITIVE));
                all.map(|(x, values)| (log(x), log(mean(values) - 1.0))).collect()
            }
        };
        related(&points, by == FitBy::Correlation)
    };
    let rounds = samples.first().map_or(0, |(_, sample)| sample.rounds());
    let all: Vec<u32> = (0..rounds as u32).collect();
    Ok(Measured { value: of(&all), half_width: resampled(rounds, of) })
}

/// Pearson's correlation of points, or the slope of the line of least squares.
fn related(points: &[(f64, f64)], is_correlation: bool) -> f64 {
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let count = points.len() as f64;
    let (x, y) = (sum(&|one| one.0) / count, sum(&|one| one.1) / count);
    let both = sum(&|one| (one.0 - x) * (one.1 - y));
    let [wide, high] = [sum(&|one| (one.0 - x).powi(2)), sum(&|one| (one.1 - y).powi(2))];
    match is_correlation {
        true if wide * high == 0.0 => 0.0,
        true => both / (wide * high).sqrt(),
        false => both / wide,
    }
}

/// Mean over the replications of the correlation of a measure and the logarithm of a figure over all
/// rows.
///
/// # Errors As [`measured`].
pub(super) fn within(plays: &Plays, column: &[&Cell], other: &str) -> Result<Measured, StudyError> {
    let rows: Result<Vec<[Sample; 2]>, StudyError> = column
        .iter()
        .map(|cell| {
            let other = Source { measure: other.to_owned(), ..cell.source.clone() };
            Ok([members(plays, &other)?, members(plays, &cell.source)?])
        })
        .collect();
    let rows = rows?;
    let points = |at: usize| -> Vec<(f64, f64)> {
        rows.iter().map(|[x, y]| (x.all()[at], libm::log(y.all()[at]))).collect()
    };
    let all = rows.first().map_or(0, |[x, _]| x.all().len());
    Ok(mean((0..all).map(|at| related(&points(at), true))))
}

/// File, figure and unit that answer a line, or code and figure, for people.
pub(super) fn told(
    plays: &Plays,
    source: &Source,
    statistic: Statistic,
) -> Result<String, StudyError> {
    let (play, measure) = (&source.plays[0], &source.measure);
    let played = &plays[play];
    let Found::Run(found) = &played.found else {
        if play.is_audited {
            return Ok(format!("gridpact audit: {measure}"));
        }
        let set = play.set.join(" ");
        let set = if set.is_empty() { set } else { format!(" ({set})") };
        return Ok(format!("code `{}`{set}: {measure}", play.scenario));
    };
    let name = &found.sample().units()[played.unit(&source.of)?].name;
    let (file, more) = match statistic {
        Statistic::Mean => ("figures.csv", ""),
        Statistic::Deviation | Statistic::Variation if source.plays.len() == 1 => {
            ("learning.csv", "_deviation")
        }
        _ => ("replications.csv", ""),
    };
    Ok(format!("{file}: {measure}{more} of {name}"))
}

/// Commands that play a cell: for a mean over several plays the first, and what changes in the others.
pub(super) fn commands(plays: &Plays, cell: &Cell, table: &Table) -> String {
    let sources = [&cell.source].into_iter().chain(&cell.against);
    let mut all: Vec<&str> = Vec::new();
    for command in sources.map(|source| plays[&source.plays[0]].command.as_str()) {
        if !all.contains(&command) {
            all.push(command);
        }
    }
    let mut told = all.join("; ");
    if told.is_empty() {
        return told;
    }
    for (name, values) in table.over.iter().chain(&cell.line.over) {
        told.push_str(&format!("; and so for {name} = {}", values.join(", ")));
    }
    let [first, .., last] = &cell.source.plays[..] else { return told };
    if first.seed != last.seed {
        told.push_str("; each with a seed of its own, which `--output` tells");
    }
    told
}
