//! The game of joining one coalition, measured: what members gain for every number of members of each
//! class, on common draws.
//!
//! Replication r of every coalition has the same jobs, so each figure below is computed in each
//! replication and has an interval over these: what the draws have in common cancels. Where a figure is
//! no sum of payoffs, replications are drawn anew with replacement, jointly over all coalitions.

use std::ops::Range;

use crate::measure::Metric;
use crate::sample::Sample;
use crate::unit::Class;
use game::coalitional::Coalitional;
use kernel::rng::Streams;
use rand::RngExt as _;
use stats::interval::{Error, Interval, Level, Sections};

/// Redrawn samples of replications.
const REDRAWN: usize = 400;

/// Probabilities of joining at which an expected gain is looked at first.
const STEPS: usize = 256;

/// The measured game.
#[derive(Clone, Debug)]
pub struct Membership {
    /// Organizations that are alike, and may join one by one.
    pub classes: Vec<Class>,
    /// Saved flow time of each coalition; an index of a coalition is that of [`Coalitional::counts`].
    pub mean: Coalitional,
    replications: usize,
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
    /// Its interval; `None` of a single replication.
    pub interval: Option<Interval>,
    error: Option<Error>,
}

/// An answer to a question of more or less than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is so.
    Yes,
    /// It is not.
    No,
    /// The interval has both; so many replications would do if the mean stayed where it is.
    Undecided(Option<u64>),
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

impl Membership {
    /// The game of these coalitions, in the order of their numbers; `None` if there is an organization
    /// without a finite score in some replication.
    ///
    /// `rounds` is the number of rounds of a replication.
    pub fn of(classes: Vec<Class>, points: &[&Sample], rounds: &[u64]) -> Option<Membership> {
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
            let time = |unit: usize, measure: Metric| -> Option<Vec<f64>> {
                let series = all(measure, unit)?;
                let sum = |[mean, jobs]: [f64; 2]| if jobs > 0.0 { mean * jobs } else { 0.0 };
                let per_round = series.into_iter().zip(rounds);
                Some(per_round.map(|(one, &rounds)| sum(one) / rounds as f64).collect())
            };
            for (class, count) in classes.iter().zip(shape.counts(coalition)) {
                let (first, end) = (class.members.start, class.members.end);
                let [ins, outs] = [mean(first..first + count)?, mean(first + count..end)?];
                pays.extend(ins.into_iter().zip(outs).map(|(one, other)| [one, other]));
                let mut sums = vec![0.0; replications];
                for unit in first..first + count {
                    let alone = time(unit, Metric::FlowAlone)?;
                    let gained = alone.into_iter().zip(time(unit, Metric::Flow)?);
                    let gained = gained.map(|(alone, flow)| (alone - flow) / count as f64);
                    sums.iter_mut().zip(gained).for_each(|(sum, gained)| *sum += gained);
                }
                saved.extend(sums);
            }
            let every = sample.all();
            flow.extend(time(every, Metric::Flow)?);
        }
        let is_known = |pays: &[f64; 2]| pays.iter().all(|one| one.is_finite());
        if !pays.iter().all(is_known) || !saved.iter().chain(&flow).all(|one| one.is_finite()) {
            return None;
        }
        let mut made = Membership { classes, mean: shape, replications, level, pays, saved, flow };
        made.mean = made.worths(&(0..replications).collect::<Vec<_>>());
        Some(made)
    }

    /// Number of replications.
    pub fn replications(&self) -> usize {
        self.replications
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

    /// The saved flow times of all coalitions, as means over these replications.
    fn worths(&self, replications: &[usize]) -> Coalitional {
        let worth = |coalition: usize| -> f64 {
            let classes = self.mean.counts(coalition).enumerate().filter(|(_, count)| *count > 0);
            let sum = |(class, count): (usize, usize)| -> f64 {
                let saved =
                    replications.iter().map(|&one| self.saved[self.at(coalition, class, one)]);
                count as f64 * saved.sum::<f64>()
            };
            classes.map(sum).sum::<f64>() / replications.len() as f64
        };
        Coalitional::of_classes(self.mean.sizes(), worth)
    }

    /// A figure that is computed in each replication.
    fn figure(&self, level: Level, of: impl Fn(usize) -> f64) -> Figure {
        self.ratio(level, |replication| [of(replication), 1.0])
    }

    /// A ratio of two sums over the replications.
    fn ratio(&self, level: Level, of: impl Fn(usize) -> [f64; 2]) -> Figure {
        let mut sections = Sections::default();
        for replication in 0..self.replications {
            let [sum, weight] = of(replication);
            sections.add(sum, weight);
        }
        let mean = sections.mean().unwrap_or(f64::NAN);
        let error = sections.error();
        Figure { mean, interval: error.map(|error| error.interval(mean, level)), error }
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
        let changes = (0..STEPS)
            .filter(|&step| means[step] * means[step + 1] < 0.0 || step > 0 && means[step] == 0.0);
        let root = |step: usize| {
            let was_above = means[step] > 0.0;
            let at =
                border(share(step), share(step + 1), &|one| (gain(one).mean > 0.0) == was_above);
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

    /// A value of the coalitional game, of a player of each class.
    fn valued(&self, of: impl Fn(&Coalitional) -> Vec<f64>) -> Vec<Figure> {
        let each: Vec<Vec<f64>> =
            (0..self.replications).map(|one| of(&self.worths(&[one]))).collect();
        (0..self.classes.len())
            .map(|class| self.figure(self.level, |one| each[one][class]))
            .collect()
    }

    /// The Shapley value of the saved flow time.
    pub fn shapley(&self) -> Vec<Figure> {
        self.valued(Coalitional::shapley)
    }

    /// The Banzhaf value of the saved flow time.
    pub fn banzhaf(&self) -> Vec<Figure> {
        self.valued(Coalitional::banzhaf)
    }

    /// A figure of redrawn replications, where it can be computed in all of them: its 95% range.
    fn redrawn(&self, of: impl Fn(&Coalitional) -> Option<f64>) -> Option<Interval> {
        if self.replications < 2 {
            return None;
        }
        let mut rng = Streams::new(1).stream("membership");
        let mut found = Vec::new();
        for _ in 0..REDRAWN {
            let drawn = (0..self.replications).map(|_| rng.random_range(0..self.replications));
            found.push(of(&self.worths(&drawn.collect::<Vec<_>>()))?);
        }
        found.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level.share()) / 2.0;
        let at = |share: f64| found[((share * REDRAWN as f64) as usize).min(REDRAWN - 1)];
        Some(Interval { low: at(tail), high: at(1.0 - tail) })
    }

    /// The excess of the least core: the core is empty if it is above 0.
    pub fn least_core(&self) -> Option<(f64, Option<Interval>)> {
        let epsilon = |game: &Coalitional| game.least_core().ok().map(|core| core.epsilon);
        Some((epsilon(&self.mean)?, self.redrawn(epsilon)))
    }

    /// Coalitions that would surely save more alone than what their members save in that of all, and
    /// how much; the intervals of all coalitions hold together.
    pub fn blocking(&self) -> Vec<(usize, Figure)> {
        let level = self.level.of_each(self.grand());
        let excess = |coalition: usize| {
            self.figure(level, |one| {
                let gains = self.mean.counts(coalition).enumerate().map(|(class, count)| {
                    let [own, all] = [coalition, self.grand()];
                    let saved = |of| self.saved[self.at(of, class, one)];
                    if count == 0 { 0.0 } else { count as f64 * (saved(own) - saved(all)) }
                });
                gains.sum()
            })
        };
        let all = (1..self.grand()).map(|coalition| (coalition, excess(coalition)));
        let mut all: Vec<_> =
            all.filter(|(_, excess)| excess.is_above(0.0) == Answer::Yes).collect();
        all.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
        all
    }

    /// Coalitions in which every member surely scores more than in that of all, with the least gain.
    pub fn blocking_alone(&self) -> Vec<(usize, Figure)> {
        let level = self.level.of_each(self.grand() * self.classes.len());
        let least = |coalition: usize| {
            let present = self.mean.counts(coalition).enumerate().filter(|(_, count)| *count > 0);
            let gains = present.map(|(class, _)| {
                self.figure(level, |one| {
                    let pays = |of| self.pays[self.at(of, class, one)][0];
                    pays(coalition) - pays(self.grand())
                })
            });
            let least = gains.min_by(|one, other| one.low().total_cmp(&other.low()));
            least.expect("a coalition has members")
        };
        let all = (1..self.grand()).map(|coalition| (coalition, least(coalition)));
        let mut all: Vec<_> = all.filter(|(_, gain)| gain.is_above(0.0) == Answer::Yes).collect();
        all.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
        all
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

    /// Flow time saved by several coalitions side by side, over that saved by one of all.
    pub fn side_by_side(&self, partition: &[usize]) -> Figure {
        let worth = |coalition: usize, one: usize| -> f64 {
            let classes = self.mean.counts(coalition).enumerate().filter(|(_, count)| *count > 0);
            let saved = classes
                .map(|(class, count)| count as f64 * self.saved[self.at(coalition, class, one)]);
            saved.sum()
        };
        self.figure(self.level, |one| {
            let parts: f64 = partition.iter().map(|&part| worth(part, one)).sum();
            parts - worth(self.grand(), one)
        })
    }

    /// The number of times fewer replications that common draws take than independent ones would, to tell what
    /// the last member of a class that joins changes for those that are in.
    pub fn saved_by_common_draws(&self, class: usize) -> Option<f64> {
        let step = self.mean.step(class);
        let before = self.grand() - step;
        (self.mean.sizes()[class] > 1).then_some(())?;
        let pays = |coalition: usize, one: usize| self.pays[self.at(coalition, class, one)][0];
        let variance = |of: &dyn Fn(usize) -> f64| {
            let error = self.figure(self.level, of).error.map_or(0.0, |error| error.standard);
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

    /// The answer whether it is above a value.
    pub fn is_above(&self, value: f64) -> Answer {
        match self.interval {
            Some(interval) if interval.low > value => Answer::Yes,
            Some(interval) if interval.high <= value => Answer::No,
            Some(interval) => {
                let (off, half) = ((self.mean - value).abs(), interval.half_width());
                let times = (half / off) * (half / off);
                let replications = self.error.map_or(0, |error| error.freedom + 1) as f64;
                let more = (replications * times).ceil();
                Answer::Undecided((more < 1e9).then_some(more as u64))
            }
            None => Answer::Undecided(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::units;
    use rand_distr::StandardNormal;

    /// A class of `size` and one more, whose scores in each replication are those of `score`, by class and
    /// number of each class in; a member saves ten times its score.
    fn measured(
        size: usize,
        replications: usize,
        mut score: impl FnMut(usize, usize, [usize; 2]) -> f64,
    ) -> Membership {
        let names: Vec<String> = (0..=size).map(|one| format!("x{one}")).collect();
        let measures = [Metric::Score, Metric::Flow, Metric::FlowAlone].map(Metric::measure);
        let [scored, flow, alone] = measures;
        let shape = Coalitional::of_classes(&[size, 1], |_| 0.0);
        let mut samples = Vec::new();
        for coalition in 0..shape.coalitions() {
            let counts: Vec<usize> = shape.counts(coalition).collect();
            let mut sample = Sample::new(units(&names, &[]), measures, Level::default(), false);
            for replication in 0..replications {
                for unit in 0..=size {
                    let class = usize::from(unit == size);
                    let is_in = if class == 0 { unit < counts[0] } else { counts[1] == 1 };
                    let own =
                        if is_in { score(replication, class, [counts[0], counts[1]]) } else { 0.0 };
                    sample.put(unit, scored, own, 1.0);
                    sample.put(unit, flow, 100.0 - 10.0 * own, 5.0);
                    sample.put(unit, alone, 100.0, 5.0);
                }
                sample.put(sample.all(), flow, 1000.0, 50.0);
                sample.end_replication();
            }
            samples.push(sample);
        }
        let classes = vec![
            Class { name: "x".into(), members: 0..size },
            Class { name: "y".into(), members: size..size + 1 },
        ];
        let samples: Vec<&Sample> = samples.iter().collect();
        Membership::of(classes, &samples, &vec![1; replications]).expect("all is finite")
    }

    /// By hand: three of a class gain k - 2 each where k of them are in, and the fourth gains k and costs
    /// each of them 1.
    #[test]
    fn a_small_game_by_hand() {
        let game = measured(3, 4, |_, class, [k, y]| match class {
            0 => k as f64 - 2.0 - y as f64,
            _ => k as f64,
        });
        let counts = |coalition: usize| game.mean.counts(coalition).collect::<Vec<_>>();
        assert_eq!((counts(3), counts(4)), (vec![3, 0], vec![0, 1]));
        // Alone one of the class scores -1, so nobody is an equilibrium, and so is the fourth alone; all
        // three without it are none, as it joins; with it the three score 0, which they would out too.
        let answers: Vec<Answer> = (0..8).map(|one| game.is_equilibrium(one)).collect();
        use Answer::{No, Yes};
        assert_eq!(answers, [Yes, No, No, No, Yes, No, No, Yes]);
        let gains = |is_in| game.gains(0, is_in).iter().map(|one| one.mean).collect::<Vec<_>>();
        assert_eq!((gains(false), gains(true)), (vec![-1.0, 0.0, 1.0], vec![-2.0, -1.0, 0.0]));
        // -(1-p)^2 + p^2 = 0 at one half; the sum of gains is 0 at none and at all.
        let roots = game.roots(0, false);
        assert!(
            (roots[0].at - 0.5).abs() < 1e-9 && roots[0].rises && roots.len() == 1,
            "{roots:?}"
        );
        assert_eq!(game.selected(0, false).0, 0);
        // The only one scores -1, all out 0, all in 1, and the only one out 0.
        let (pays, above) = game.dilemma(0, false).expect("there are three");
        assert_eq!(pays.map(|one| one.mean), [-1.0, 0.0, 1.0, 0.0]);
        assert_eq!((above, game.dilemma(1, true).is_none()), ([No, No, Yes], true));
        // Ten times the scores: three of the class are worth 30 without the fourth and 30 with it.
        assert_eq!((game.mean.worth(3), game.mean.total()), (30.0, 30.0));
        let received: Vec<f64> = (0..2).map(|class| game.saved(7, class).mean).collect();
        assert_eq!(received, [0.0, 30.0]);
        assert_eq!(game.blocking()[0].0, 3);
        assert_eq!(game.blocking()[0].1.mean, 30.0);
        assert_eq!(game.blocking_alone()[0].1.mean, 1.0);
        assert_eq!(game.side_by_side(&[3, 4]).mean, 0.0);
    }

    /// The interval of a tipping point has the true one in 95 of 100 cases; the tolerance is three
    /// standard errors of the share.
    #[test]
    fn tipping_points_are_covered() {
        const TRIALS: u32 = 300;
        let mut rng = Streams::new(3).stream("membership");
        // The expected gain with n others is linear in p: -3 + 4 p, which is 0 at three quarters.
        let covered = (0..TRIALS).filter(|_| {
            let noise: Vec<f64> = (0..15).map(|_| rng.sample(StandardNormal)).collect();
            let game = measured(5, 15, |replication, _, [k, _]| {
                let own: f64 = rng.sample(StandardNormal);
                -3.0 + k.saturating_sub(1) as f64 + 0.3 * noise[replication] + 0.2 * own
            });
            let roots = game.roots(0, false);
            roots.len() == 1 && roots[0].interval.covers(0.75)
        });
        let share = f64::from(covered.count() as u32) / f64::from(TRIALS);
        let error = (0.95 * 0.05 / f64::from(TRIALS)).sqrt();
        assert!((share - 0.95).abs() < 3.0 * error, "{share}");
    }
}
