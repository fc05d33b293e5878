//! The worth of coalitions, which is the flow time that members save: shares of it, and who would block.

use super::{Answer, Figure, Membership};
use game::coalitional::Coalitional;
use kernel::rng::Streams;
use rand::RngExt as _;
use stats::interval::Interval;

/// Redrawn samples of replications.
const REDRAWN: usize = 400;

impl Membership {
    /// Flow time that the members of a coalition save in a round of another, in a replication.
    fn save(&self, members: usize, coalition: usize, replication: usize) -> f64 {
        let counts = self.mean.counts(members).enumerate();
        let saved = |class: usize| self.saved[self.at(coalition, class, replication)];
        counts.map(|(class, count)| count as f64 * saved(class)).sum()
    }

    /// The saved flow times of all coalitions, as means over these replications.
    pub(super) fn worths(&self, replications: &[usize]) -> Coalitional {
        let worth = |coalition: usize| -> f64 {
            let saved = replications
                .iter()
                .map(|&one| self.weights[one] * self.save(coalition, coalition, one));
            saved.sum::<f64>() / replications.iter().map(|&one| self.weights[one]).sum::<f64>()
        };
        Coalitional::of_classes(self.mean.sizes(), worth)
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

    /// Flow time that all together save in a round, and its share of that with nobody in.
    pub fn total(&self) -> [Figure; 2] {
        let grand = self.grand();
        let flow = |of: usize, one: usize| self.flow[of * self.replications + one];
        let saved = |one: usize| flow(0, one) - flow(grand, one);
        [
            self.figure(self.level, |one| self.save(grand, grand, one)),
            self.ratio(self.level, |one| [saved(one), flow(0, one)]),
        ]
    }

    /// A figure of redrawn replications, where it can be computed in all of them: its 95% range.
    fn redrawn(&self, of: impl Fn(&Coalitional) -> Option<f64>) -> Option<Interval> {
        // Where neither rounds nor replications tell what all save, they tell no shares of it.
        self.total()[0].interval?;
        let (all, block) = (self.replications, self.rounds.map_or(1, |_| self.block()));
        let mut rng = Streams::new(1).stream("membership");
        let mut found = Vec::new();
        for _ in 0..REDRAWN {
            let drawn = (0..all.div_ceil(block)).flat_map(|_| {
                let first = rng.random_range(0..all);
                (first..first + block).map(move |one| one % all)
            });
            found.push(of(&self.worths(&drawn.take(all).collect::<Vec<_>>()))?);
        }
        found.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level.share()) / 2.0;
        let at = |share: f64| found[((share * REDRAWN as f64) as usize).min(REDRAWN - 1)];
        Some(Interval { low: at(tail), high: at(1.0 - tail) })
    }

    /// Number of neighbouring batches that are drawn together: the cube root of all.
    fn block(&self) -> usize {
        libm::cbrt(self.replications as f64).ceil() as usize
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
            let own = |one: usize| self.save(coalition, coalition, one);
            self.figure(level, |one| own(one) - self.save(coalition, self.grand(), one))
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

    /// Flow time saved by several coalitions side by side, over that saved by one of all.
    pub fn side_by_side(&self, partition: &[usize]) -> Figure {
        let worth = |coalition: usize, one: usize| self.save(coalition, coalition, one);
        self.figure(self.level, |one| {
            let parts: f64 = partition.iter().map(|&part| worth(part, one)).sum();
            parts - worth(self.grand(), one)
        })
    }
}
