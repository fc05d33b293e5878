//! The game of joining one coalition, measured: what members gain for every number of members of each
//! class, on common draws.
//!
//! Replication r of every coalition has the same jobs, so each figure below is computed in each
//! replication and has an interval over these: what the draws have in common cancels. Where a figure is
//! no sum of payoffs, replications are drawn anew with replacement, jointly over all coalitions.
//!
//! In a single replication, batches of its rounds take their place. Neighbours may resemble each other, so
//! intervals are those of values in order ([`stats::paired::in_order`]), and blocks of neighbours are drawn
//! anew (the circular block bootstrap: Politis and Romano, Exploring the Limits of Bootstrap, 1992).

pub mod sampled;
mod worth;

use std::ops::Range;

use crate::measure::Metric;
use crate::sample::Sample;
use crate::unit::Class;
use game::coalitional::Coalitional;
use stats::interval::{Interval, Level, Sections};
use stats::paired::{FEWEST_WORTH, in_order};

/// Probabilities of joining at which an expected gain is looked at first.
const STEPS: usize = 256;

/// The measured game.
#[derive(Clone, Debug)]
pub struct Membership {
    /// Organizations that are alike, and may join one by one.
    pub classes: Vec<Class>,
    /// Saved flow time of each coalition; an index of a coalition is that of [`Coalitional::counts`].
    pub mean: Coalitional,
    /// Replications, or batches of rounds.
    replications: usize,
    /// Weight of each; 1 on average.
    weights: Vec<f64>,
    /// Number of rounds, if batches of them stand for replications.
    rounds: Option<u64>,
    level: Level,
    /// Payoff of a member and of an organization that is out, by coalition, class and replication.
    pays: Vec<[f64; 2]>,
    /// Flow time that a member saves in a round, in the same order.
    saved: Vec<f64>,
    /// Flow time of all organizations in a round, by coalition and replication.
    flow: Vec<f64>,
}

/// A mean with its interval, and what it would take to know more.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The mean.
    pub mean: f64,
    /// Its interval; `None` of a single replication, or of too few rounds.
    pub interval: Option<Interval>,
    /// Standard error.
    standard: f64,
    /// The replications or rounds behind the interval; without one, those that it takes.
    behind: Option<f64>,
}

/// The sample behind a game's figures, and the payoffs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Basis {
    /// True if batches of the rounds of one replication stand for replications.
    pub by_rounds: bool,
    /// True if a payoff is the flow time saved in a round; else it is the score.
    pub saves: bool,
}

/// An answer to a question of more or less than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is so.
    Yes,
    /// It is not.
    No,
    /// The interval has both; so many replications or rounds would do if the mean stayed where it is.
    Undecided(Option<u64>),
}

impl Answer {
    /// The replications or rounds that would answer all questions: `None` if all are answered, `Some(None)`
    /// if one is too near to nothing to say.
    pub fn needed(answers: &[Answer]) -> Option<Option<u64>> {
        let open = answers.iter().filter_map(|one| match one {
            Answer::Undecided(needed) => Some(*needed),
            Answer::Yes | Answer::No => None,
        });
        open.reduce(|one, other| one.zip(other).map(|(one, other)| one.max(other)))
    }
}

/// A change of mind of one organization of a class.
#[derive(Clone, Copy, Debug)]
pub struct Toggle {
    /// The class.
    pub class: usize,
    /// True if it joins; else it leaves.
    pub joins: bool,
    /// Its gain.
    pub gain: Figure,
}

/// A probability of joining from which on, or up to which, a class gains by joining.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The probability at which the expected gain is 0.
    pub at: f64,
    /// Probabilities at which the interval of the gain has 0.
    pub interval: Interval,
    /// True if more pays above, so that play is drawn away from it.
    pub rises: bool,
}

/// The sum of a measure of jobs in a round of each replication or batch, which have so many.
fn of_rounds(sample: &Sample, unit: usize, measure: Metric, rounds: &[u64]) -> Option<Vec<f64>> {
    let series = sample.series(unit, measure.measure())?;
    let sum = |[mean, jobs]: [f64; 2]| if jobs > 0.0 { mean * jobs } else { 0.0 };
    let per_round = series.into_iter().zip(rounds);
    Some(per_round.map(|(one, &rounds)| sum(one) / rounds as f64).collect())
}

/// The weights of replications, which are alike, or of batches with so many rounds; 1 on average.
fn weights(rounds: &[u64], by_rounds: bool) -> Vec<f64> {
    let all: u64 = rounds.iter().sum();
    let share = rounds.len() as f64 / all as f64;
    rounds.iter().map(|&own| if by_rounds { own as f64 * share } else { 1.0 }).collect()
}

/// A ratio of two sums over replications, or over batches of so many rounds in all.
fn ratio(
    level: Level,
    weights: &[f64],
    rounds: Option<u64>,
    of: impl Fn(usize) -> [f64; 2],
) -> Figure {
    let weigh = |(at, weight): (usize, &f64)| of(at).map(|one| one * weight);
    let values = weights.iter().enumerate().map(weigh);
    match rounds {
        Some(rounds) => Figure::in_order(level, values, rounds),
        None => Figure::of(level, values),
    }
}

impl Membership {
    /// The game of these coalitions, in the order of their numbers; `None` if there is an organization
    /// without a finite score in some replication.
    ///
    /// `rounds` is the number of rounds of a replication or batch. Saved is the flow time less than if the
    /// organization alone stayed out of a round or, if payoffs are what it saves, than with nobody in.
    pub fn of(
        classes: Vec<Class>,
        points: &[&Sample],
        rounds: &[u64],
        Basis { by_rounds, saves }: Basis,
    ) -> Option<Membership> {
        let sizes: Vec<usize> = classes.iter().map(|class| class.members.len()).collect();
        let replications = points.first()?.replications() as usize;
        let level = points.first()?.level();
        let shape = Coalitional::of_classes(&sizes, |_| 0.0);
        if points.len() != shape.coalitions() || rounds.len() != replications {
            return None;
        }
        let (mut pays, mut saved, mut flow) = (Vec::new(), Vec::new(), Vec::new());
        for (coalition, sample) in points.iter().enumerate() {
            let all = |measure: Metric, unit: usize| sample.series(unit, measure.measure());
            let mean = |organizations: Range<usize>| -> Option<Vec<f64>> {
                let size = organizations.len() as f64;
                let mut sums = vec![0.0; replications];
                for unit in organizations {
                    let scores = all(Metric::Score, unit)?;
                    sums.iter_mut().zip(scores).for_each(|(sum, [score, _])| *sum += score / size);
                }
                Some(sums)
            };
            let time = |unit: usize, measure: Metric| of_rounds(sample, unit, measure, rounds);
            let gained = |organizations: Range<usize>| -> Option<Vec<f64>> {
                let size = organizations.len() as f64;
                let mut sums = vec![0.0; replications];
                for unit in organizations {
                    let alone = match saves {
                        true => of_rounds(points[0], unit, Metric::Flow, rounds)?,
                        false => time(unit, Metric::FlowAlone)?,
                    };
                    let gained = alone.into_iter().zip(time(unit, Metric::Flow)?);
                    let gained = gained.map(|(alone, flow)| (alone - flow) / size);
                    sums.iter_mut().zip(gained).for_each(|(sum, gained)| *sum += gained);
                }
                Some(sums)
            };
            for (class, count) in classes.iter().zip(shape.counts(coalition)) {
                let (first, end) = (class.members.start, class.members.end);
                let [ins, outs] = [first..first + count, first + count..end];
                let own = gained(ins.clone())?;
                let [ins, outs] = match saves {
                    true => [own.clone(), gained(outs)?],
                    false => [mean(ins)?, mean(outs)?],
                };
                pays.extend(ins.into_iter().zip(outs).map(|(one, other)| [one, other]));
                saved.extend(own);
            }
            let every = sample.all();
            flow.extend(time(every, Metric::Flow)?);
        }
        let is_known = |pays: &[f64; 2]| pays.iter().all(|one| one.is_finite());
        if !pays.iter().all(is_known) || !saved.iter().chain(&flow).all(|one| one.is_finite()) {
            return None;
        }
        let weights = weights(rounds, by_rounds);
        let rounds = by_rounds.then(|| rounds.iter().sum());
        let mut made = Membership {
            classes,
            mean: shape,
            replications,
            weights,
            rounds,
            level,
            pays,
            saved,
            flow,
        };
        made.mean = made.worths(&(0..replications).collect::<Vec<_>>());
        Some(made)
    }

    /// The game of all replications but every so many-th one from a first on.
    #[must_use]
    pub fn thinned(&self, first: usize, every: usize) -> Membership {
        let stays = |at: usize| at % self.replications % every != first;
        fn kept<T: Copy>(all: &[T], stays: impl Fn(usize) -> bool) -> Vec<T> {
            let kept = all.iter().enumerate().filter(|(at, _)| stays(*at));
            kept.map(|(_, one)| *one).collect()
        }
        let mut made = Membership {
            classes: self.classes.clone(),
            mean: self.mean.clone(),
            replications: (0..self.replications).filter(|&one| stays(one)).count(),
            weights: kept(&self.weights, stays),
            rounds: self.rounds,
            level: self.level,
            pays: kept(&self.pays, stays),
            saved: kept(&self.saved, stays),
            flow: kept(&self.flow, stays),
        };
        made.mean = made.worths(&(0..made.replications).collect::<Vec<_>>());
        made
    }

    /// Number of replications, or of batches of rounds.
    pub fn replications(&self) -> usize {
        self.replications
    }

    /// Number of rounds, if batches of them stand for replications.
    pub fn rounds(&self) -> Option<u64> {
        self.rounds
    }

    /// Confidence level of the intervals.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The coalition of all.
    pub fn grand(&self) -> usize {
        self.mean.coalitions() - 1
    }

    fn at(&self, coalition: usize, class: usize, replication: usize) -> usize {
        (coalition * self.classes.len() + class) * self.replications + replication
    }

    /// A figure that is computed in each replication.
    fn figure(&self, level: Level, of: impl Fn(usize) -> f64) -> Figure {
        self.ratio(level, |replication| [of(replication), 1.0])
    }

    /// A ratio of two sums over the replications.
    fn ratio(&self, level: Level, of: impl Fn(usize) -> [f64; 2]) -> Figure {
        ratio(level, &self.weights, self.rounds, of)
    }

    /// Payoff of a member of a class in a coalition, and of one that is out.
    pub fn payoff(&self, coalition: usize, class: usize, is_member: bool) -> Figure {
        let own = usize::from(!is_member);
        self.figure(self.level, |one| self.pays[self.at(coalition, class, one)][own])
    }

    /// Flow time that a member of a class saves in a round.
    pub fn saved(&self, coalition: usize, class: usize) -> Figure {
        self.figure(self.level, |one| self.saved[self.at(coalition, class, one)])
    }

    /// The gain of an organization by changing its mind alone, in a replication.
    fn gain(&self, coalition: usize, class: usize, joins: bool, replication: usize) -> f64 {
        let step = self.mean.step(class);
        let without = if joins { coalition } else { coalition - step };
        let member = self.pays[self.at(without + step, class, replication)][0];
        let gain = member - self.pays[self.at(without, class, replication)][1];
        if joins { gain } else { -gain }
    }

    /// The changes of mind that are possible in a coalition; their intervals hold together.
    pub fn toggles(&self, coalition: usize) -> Vec<Toggle> {
        let each = self.mean.counts(coalition).zip(self.mean.sizes()).enumerate();
        let possible = each.flat_map(|(class, (count, &size))| {
            [(count > 0).then_some((class, false)), (count < size).then_some((class, true))]
        });
        let possible: Vec<(usize, bool)> = possible.flatten().collect();
        let level = self.level.of_each(possible.len());
        let toggle = |(class, joins)| {
            let gain = self.figure(level, |one| self.gain(coalition, class, joins, one));
            Toggle { class, joins, gain }
        };
        possible.into_iter().map(toggle).collect()
    }

    /// The answer whether a coalition is an equilibrium: nobody gains by changing its mind alone. Who gains nothing
    /// stays.
    pub fn is_equilibrium(&self, coalition: usize) -> Answer {
        let gains = self.toggles(coalition);
        let answers = gains.iter().map(|toggle| toggle.gain.is_above(0.0));
        answers.fold(Answer::Yes, |all, one| match (all, one) {
            (Answer::No, _) | (_, Answer::Yes) => Answer::No,
            (Answer::Undecided(one), Answer::Undecided(other)) => {
                Answer::Undecided(one.zip(other).map(|(one, other)| one.max(other)))
            }
            (_, Answer::Undecided(more)) => Answer::Undecided(more),
            (all, Answer::No) => all,
        })
    }

    /// Expected gain by joining, of one of a class of which each other joins with a probability, while
    /// the other classes are all in or all out.
    fn expected(&self, class: usize, others_in: bool, probability: f64) -> Figure {
        let (base, step, size) = self.without(class, others_in);
        // Numbers of the others that join are binomial; each other in turn joins or does not.
        let mut law = vec![0.0; size];
        law[0] = 1.0;
        for others in 1..size {
            for joined in (0..=others).rev() {
                let before = joined.checked_sub(1).map_or(0.0, |before| law[before]);
                law[joined] = law[joined] * (1.0 - probability) + before * probability;
            }
        }
        self.figure(self.level, |one| {
            let gain = |joined: usize| self.gain(base + joined * step, class, true, one);
            law.iter().enumerate().map(|(joined, weight)| weight * gain(joined)).sum()
        })
    }

    /// The probabilities at which one of a class expects to gain nothing by joining, if each other of its
    /// class joins with them and the other classes are all in or all out; ascending.
    pub fn roots(&self, class: usize, others_in: bool) -> Vec<Root> {
        let gain = |probability: f64| self.expected(class, others_in, probability);
        let share = |step: usize| step as f64 / STEPS as f64;
        let means: Vec<f64> = (0..=STEPS).map(|step| gain(share(step)).mean).collect();
        // Halves a way between two probabilities of which the first is in and the second is not.
        let border = |mut inside: f64, mut outside: f64, is_in: &dyn Fn(f64) -> bool| {
            for _ in 0..40 {
                let middle = f64::midpoint(inside, outside);
                *(if is_in(middle) { &mut inside } else { &mut outside }) = middle;
            }
            inside
        };
        // Where nobody else is in, one may gain exactly nothing: that is no change of sign.
        let signs: Vec<usize> = (0..=STEPS).filter(|&step| means[step] != 0.0).collect();
        let changes =
            signs.windows(2).filter(|pair| (means[pair[0]] > 0.0) != (means[pair[1]] > 0.0));
        let root = |pair: &[usize]| {
            let (step, was_above) = (pair[0], means[pair[0]] > 0.0);
            let is_before = |one: f64| (gain(one).mean > 0.0) == was_above;
            let at = border(share(step), share(pair[1]), &is_before);
            let holds = |one: f64| {
                gain(one).interval.is_none_or(|gain| gain.low <= 0.0 && 0.0 <= gain.high)
            };
            let end = |mut steps: &mut dyn Iterator<Item = usize>, last: f64| {
                let mut inside = at;
                for step in &mut steps {
                    if !holds(share(step)) {
                        return border(inside, share(step), &holds);
                    }
                    inside = share(step);
                }
                last
            };
            let low = end(&mut (0..=step).rev(), 0.0);
            let high = end(&mut (step + 1..=STEPS), 1.0);
            Root { at, interval: Interval { low, high }, rises: !was_above }
        };
        changes.map(root).collect()
    }

    /// The gains of one of a class by joining, by the number of others of its class that are in; the other
    /// classes are all in or all out. The intervals hold together.
    pub fn gains(&self, class: usize, others_in: bool) -> Vec<Figure> {
        let (base, step, size) = self.without(class, others_in);
        let level = self.level.of_each(size);
        let gain = |joined: usize, one: usize| self.gain(base + joined * step, class, true, one);
        (0..size).map(|joined| self.figure(level, |one| gain(joined, one))).collect()
    }

    /// The coalition of all other classes or of nobody, the step of a class and its size.
    fn without(&self, class: usize, others_in: bool) -> (usize, usize, usize) {
        let (size, step) = (self.mean.sizes()[class], self.mean.step(class));
        (if others_in { self.grand() - size * step } else { 0 }, step, size)
    }

    /// The number of members of a class whose potential is highest, with the other classes all in or all
    /// out, and whether that is sure: the potential is the sum of what each gained by joining, and
    /// log-linear play with few errors ends where it is highest.
    pub fn selected(&self, class: usize, others_in: bool) -> (usize, Answer) {
        let (base, step, size) = self.without(class, others_in);
        let level = self.level.of_each(size);
        let above = |members: usize, other: usize| {
            self.figure(level, |one| {
                let sum = |members: usize| -> f64 {
                    (0..members).map(|at| self.gain(base + at * step, class, true, one)).sum()
                };
                sum(members) - sum(other)
            })
        };
        let best =
            (1..=size).fold(0, |best, one| if above(one, best).mean > 0.0 { one } else { best });
        let others = (0..=size).filter(|&one| one != best);
        let sure = others.map(|one| above(best, one).is_above(0.0)).all(|one| one == Answer::Yes);
        (best, if sure { Answer::Yes } else { Answer::Undecided(None) })
    }

    /// Payoffs of a class of which each does a thing or does not, with the other classes all in or all out:
    /// of the only one that does it, of all that do not, of all that do, and of the only one that does
    /// not; and the answers whether each is above the next, which hold together. In a Prisoner's Dilemma
    /// of many players they are. `None` of a single one.
    pub fn dilemma(&self, class: usize, others_in: bool) -> Option<([Figure; 4], [Answer; 3])> {
        let (base, step, size) = self.without(class, others_in);
        (size > 1).then_some(())?;
        let all = base + size * step;
        let of = [(base + step, 0), (base, 1), (all, 0), (all - step, 1)];
        let pays = |(coalition, own): (usize, usize), one: usize| {
            self.pays[self.at(coalition, class, one)][own]
        };
        let level = self.level.of_each(3);
        let above = |at: usize| {
            self.figure(level, |one| pays(of[at], one) - pays(of[at + 1], one)).is_above(0.0)
        };
        Some((of.map(|of| self.figure(self.level, |one| pays(of, one))), [0, 1, 2].map(above)))
    }

    /// Flow time in a coalition over that in another.
    pub fn price(&self, of: usize, over: usize) -> Figure {
        let flow = |coalition: usize, one: usize| self.flow[coalition * self.replications + one];
        self.ratio(self.level, |one| [flow(of, one), flow(over, one)])
    }

    /// Flow time of all organizations in a round.
    pub fn flow(&self, coalition: usize) -> Figure {
        let flow = |one: usize| self.flow[coalition * self.replications + one];
        self.figure(self.level, flow)
    }

    /// The number of times fewer replications that common draws take than independent ones would, to tell what
    /// the last member of a class that joins changes for those that are in.
    pub fn saved_by_common_draws(&self, class: usize) -> Option<f64> {
        let step = self.mean.step(class);
        let before = self.grand() - step;
        (self.mean.sizes()[class] > 1).then_some(())?;
        let pays = |coalition: usize, one: usize| self.pays[self.at(coalition, class, one)][0];
        let variance = |of: &dyn Fn(usize) -> f64| {
            let error = self.figure(self.level, of).standard;
            error * error
        };
        let apart = variance(&|one| pays(self.grand(), one)) + variance(&|one| pays(before, one));
        let paired = variance(&|one| pays(self.grand(), one) - pays(before, one));
        (paired > 0.0).then(|| apart / paired)
    }
}

impl Figure {
    /// The lower end of its interval.
    fn low(&self) -> f64 {
        self.interval.map_or(f64::NEG_INFINITY, |interval| interval.low)
    }

    /// A ratio of two sums of independent values.
    pub fn of(level: Level, values: impl Iterator<Item = [f64; 2]>) -> Figure {
        let mut sections = Sections::default();
        values.for_each(|[sum, weight]| sections.add(sum, weight));
        let mean = sections.mean().unwrap_or(f64::NAN);
        let error = sections.error();
        Figure {
            mean,
            interval: error.map(|error| error.interval(mean, level)),
            standard: error.map_or(0.0, |error| error.standard),
            behind: error.map(|error| (error.freedom + 1) as f64),
        }
    }

    /// A ratio of two sums of values that come one after the other, over so many rounds in all.
    pub(crate) fn in_order(
        level: Level,
        values: impl Iterator<Item = [f64; 2]>,
        rounds: u64,
    ) -> Figure {
        let values: Vec<[f64; 2]> = values.collect();
        let [sum, weight] =
            values.iter().fold([0.0; 2], |all, one| [all[0] + one[0], all[1] + one[1]]);
        let (mean, each) = (sum / weight, weight / values.len() as f64);
        let residuals = values.iter().map(|[sum, weight]| (sum - mean * weight) / each);
        let (spread, worth) = in_order(mean, mean.abs(), residuals);
        let half = spread.half_width(level);
        let known = half.is_finite();
        let times = if known { 1.0 } else { FEWEST_WORTH / worth };
        Figure {
            mean,
            interval: known.then(|| Interval::around(mean, half)),
            standard: spread.standard(),
            behind: Some(rounds as f64 * times),
        }
    }

    /// The answer whether it is above a value.
    pub fn is_above(&self, value: f64) -> Answer {
        match self.interval {
            Some(interval) if interval.low > value => Answer::Yes,
            Some(interval) if interval.high <= value => Answer::No,
            Some(interval) => {
                let (off, half) = ((self.mean - value).abs(), interval.half_width());
                let times = (half / off) * (half / off);
                let more = (self.behind.unwrap_or_default() * times).ceil();
                Answer::Undecided((more < 1e9).then_some(more as u64))
            }
            None => Answer::Undecided(self.behind.map(|behind| behind.ceil() as u64)),
        }
    }
}

#[cfg(test)]
mod tests;
