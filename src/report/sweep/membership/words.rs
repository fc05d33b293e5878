//! The game of joining in sentences.

use std::fmt::Write as _;

use super::{Deed, Joining, ends};
use findings::membership::{Answer, Figure, Root};
use game::hedonic::{self, Rule, best_partition};
use stats::interval::Interval;
use stats::shown::{counted, figure, percent};

/// Most coalitions that a sentence names.
const NAMED: usize = 4;

impl Joining {
    /// The game in sentences.
    pub(super) fn told_in_words(&self) -> Vec<String> {
        if self.game.rounds().is_none() && self.game.replications() < 2 {
            let mut lines = vec![super::SINGLE.to_owned()];
            if self.act.joins() {
                lines.push(self.shares());
                lines.extend(self.partitions());
            }
            return lines;
        }
        let mut lines: Vec<String> =
            self.game.rounds().map(|_| self.by_rounds()).into_iter().collect();
        lines.push(self.equilibria());
        lines.extend((0..self.names.len()).flat_map(|class| self.tipping(class)));
        lines.extend((0..self.names.len()).filter_map(|class| self.selected(class)));
        lines.extend(self.prices());
        if !self.act.joins() {
            lines.extend((0..self.names.len()).filter_map(|class| self.dilemma(class)));
            return lines;
        }
        lines.push(self.shares());
        lines.push(self.core());
        lines.extend(self.blocked());
        lines.extend(self.partitions());
        let classes = 0..self.names.len();
        lines.extend(classes.filter(|_| self.game.rounds().is_none()).filter_map(|class| {
            let times = self.game.saved_by_common_draws(class)?;
            Some(format!(
                "to tell what the last {} to join changes for the others, common draws take {} times \
                 fewer replications than independent ones",
                self.names[class],
                figure(times)
            ))
        }));
        lines
    }

    fn listed(&self, coalitions: &[usize]) -> String {
        let shown = coalitions.iter().take(NAMED).map(|&one| self.told(one));
        let shown: Vec<String> = shown.collect();
        match coalitions.len().saturating_sub(NAMED) {
            0 => shown.join("; "),
            more => format!("{}; and {more} more", shown.join("; ")),
        }
    }

    /// The things of which more would tell more.
    fn nouns(&self) -> [&'static str; 2] {
        self.game.rounds().map_or(["replication", "replications"], |_| ["round", "rounds"])
    }

    /// The method of the intervals of a single replication.
    fn by_rounds(&self) -> String {
        let of = self.sample();
        match self.game.total()[0].is_above(0.0) {
            Answer::Undecided(Some(rounds)) if self.game.total()[0].interval.is_none() => format!(
                "{of} are too few for many an interval, as they resemble their neighbours: about {} would \
                 do{}",
                counted(rounds, "round", "rounds"),
                if self.saves { "; a shorter `coalition.period` gives more of them" } else { "" }
            ),
            _ => format!(
                "intervals are over {of}: all coalitions have the same rounds, and batches that resemble \
                 their neighbours count for less"
            ),
        }
    }

    pub(super) fn equilibria(&self) -> String {
        let with = |is: &dyn Fn(&Answer) -> bool| -> Vec<usize> {
            (0..self.answers.len()).filter(|&one| is(&self.answers[one])).collect()
        };
        let sure = with(&|one| *one == Answer::Yes);
        let open = with(&|one| matches!(one, Answer::Undecided(_)));
        let mut text = match &sure[..] {
            [] if open.is_empty() => "no coalition is an equilibrium: somebody always gains by \
                                      changing its mind alone"
                .to_owned(),
            [] => "no coalition is surely an equilibrium".to_owned(),
            sure => format!(
                "equilibria (nobody gains by changing its mind alone): {}",
                self.listed(sure)
            ),
        };
        if !open.is_empty() {
            let _ = write!(text, "; undecided: {}", self.listed(&open));
            let _ = match Answer::needed(&self.answers).flatten() {
                Some(most) => {
                    let nouns = self.nouns();
                    write!(text, " (about {} would tell)", counted(most, nouns[0], nouns[1]))
                }
                None => {
                    write!(
                        text,
                        " (too near to nothing to say how many {} would tell)",
                        self.nouns()[1]
                    )
                }
            };
        }
        text
    }

    /// The probabilities at which one of a class is indifferent.
    fn tipping(&self, class: usize) -> Vec<String> {
        let (name, Deed { doing, does, .. }) = (&self.names[class], self.act);
        let line = |(is_in, start, roots): (bool, String, Vec<Root>)| {
            let told = roots.iter().map(|root| {
                let side = if root.rises { "above" } else { "below" };
                format!("{side} {}", share(root.at, root.interval))
            });
            let told: Vec<String> = told.collect();
            if !told.is_empty() {
                return format!(
                    "{start}{name} gains by {doing} where each other of its class {does} with a probability {}",
                    told.join(" and ")
                );
            }
            let gains = self.game.gains(class, is_in);
            let is_nothing = |gain: &Figure| ends(gain.interval) == Some((0.0, 0.0));
            let is =
                |of: Answer| gains.iter().all(|gain| gain.is_above(0.0) == of || is_nothing(gain));
            let (all, some) = (gains.iter().all(is_nothing), gains.iter().any(is_nothing));
            match (all, some, is(Answer::Yes), is(Answer::No)) {
                (true, ..) => format!("{start}{name} gains and loses nothing by {doing}"),
                (_, true, true, _) => {
                    format!(
                        "{start}{name} gains by {doing} if another of its class does, however many"
                    )
                }
                (_, _, true, _) => {
                    format!("{start}{name} gains by {doing}, however many others of its class do")
                }
                (_, _, _, true) => {
                    format!(
                        "{start}{name} never gains by {doing}, however many others of its class do"
                    )
                }
                _ => format!(
                    "{start}whether {name} gains by {doing} cannot be told for each number of others"
                ),
            }
        };
        self.ways(class).into_iter().map(line).collect()
    }

    /// The number of a class's members that log-linear play selects.
    fn selected(&self, class: usize) -> Option<String> {
        let size = self.game.mean.sizes()[class];
        (size > 1).then_some(())?;
        let others = self.but(class);
        let done = self.act.states[1];
        let start = if others.is_empty() {
            String::new()
        } else {
            format!("with {} {done}, ", others.join(" and "))
        };
        let (best, answer) = self.game.selected(class, true);
        let name = &self.names[class];
        let told = match best {
            0 => format!("no {name} {done}"),
            best if best == size => format!("all {name} {done}"),
            best => format!("{best} of {size} {name} {done}"),
        };
        Some(match answer {
            Answer::Yes => format!(
                "{start}log-linear play with few errors selects {told}: the potential is highest there"
            ),
            _ => format!(
                "{start}which number of {name} log-linear play selects cannot be told; the potential is \
                 highest with {told}"
            ),
        })
    }

    /// Prices of anarchy and stability.
    fn prices(&self) -> Option<String> {
        let game = &self.game;
        let flow = |one: &usize| game.flow(*one).mean;
        let all: Vec<usize> = (0..=game.grand()).collect();
        let sure: Vec<usize> =
            all.iter().copied().filter(|&one| self.answers[one] == Answer::Yes).collect();
        let least = |of: &[usize]| {
            of.iter().copied().min_by(|one, other| flow(one).total_cmp(&flow(other)))
        };
        let best = least(&all)?;
        let (good, bad) = (
            least(&sure)?,
            sure.iter().copied().max_by(|one, other| flow(one).total_cmp(&flow(other)))?,
        );
        let price = |of: usize| ranged(game.price(of, best));
        // One alone has nobody to pool with: its flow times are those of nobody.
        let [good, bad] = [good, bad].map(|one| if flow(&one) == flow(&best) { best } else { one });
        Some(if good == best && bad != best {
            format!(
                "price of anarchy: flow time in {} is {} times the least, that in {}, which is an equilibrium too",
                self.told(bad),
                price(bad),
                self.told(best)
            )
        } else if bad == best {
            format!(
                "flow time is least in {}, and no longer in any that surely is an equilibrium",
                self.told(best)
            )
        } else if good == bad {
            format!(
                "price of anarchy: flow time in {} is {} times the least, that in {}",
                self.told(bad),
                price(bad),
                self.told(best)
            )
        } else {
            format!(
                "price of anarchy: flow time in {} is {} times the least, that in {}; of stability: {} in {}",
                self.told(bad),
                price(bad),
                self.told(best),
                price(good),
                self.told(good)
            )
        })
    }

    /// The order of payoffs that makes a Prisoner's Dilemma.
    fn dilemma(&self, class: usize) -> Option<String> {
        let (pays, above) = self.game.dilemma(class, false)?;
        let [not, done] = self.act.states;
        let [only, none, all, left] = pays.map(ranged);
        let name = &self.names[class];
        let verdict = match above {
            [Answer::Yes, Answer::Yes, Answer::Yes] => "a Prisoner's Dilemma",
            above if above.contains(&Answer::No) => "no Prisoner's Dilemma",
            _ => "whether it is a Prisoner's Dilemma cannot be told",
        };
        Some(format!(
            "{verdict}: the only {name} {done} scores {only}, all {not} {none}, all {done} {all}, and the \
             only one {not} {left}"
        ))
    }

    fn shares(&self) -> String {
        let game = &self.game;
        let shapley = game.shapley();
        let each = self.names.iter().enumerate().map(|(class, name)| {
            let each = if game.mean.sizes()[class] > 1 { "each " } else { "" };
            let received = ranged(game.saved(game.grand(), class));
            format!(
                "{each}{name} saves {received}, its Shapley value is {}",
                ranged(shapley[class])
            )
        });
        let [total, share] = game.total();
        format!(
            "all together save {} of flow time in a round, {} of it: {}",
            ranged(total),
            ranged_share(share),
            each.collect::<Vec<_>>().join("; ")
        )
    }

    fn core(&self) -> String {
        let Some((epsilon, interval)) = self.core else {
            return "the least core was not found".to_owned();
        };
        let told = interval.map(|one| format!(" ({} to {})", figure(one.low), figure(one.high)));
        let least = format!("least excess {}{}", figure(epsilon), told.unwrap_or_default());
        match interval {
            Some(one) if one.low > 0.0 => {
                format!(
                    "with payments, every division is blocked by some coalition: the core is empty ({least})"
                )
            }
            Some(one) if one.high <= 0.0 => {
                format!(
                    "with payments, some division is blocked by nobody: the core is not empty ({least})"
                )
            }
            _ => format!(
                "whether some division with payments is blocked by nobody cannot be told ({least})"
            ),
        }
    }

    fn blocked(&self) -> Vec<String> {
        let all = self.told(self.game.grand());
        let line = |found: Vec<(usize, Figure)>, nobody: &str, does: &dyn Fn(String) -> String| {
            let Some((coalition, gain)) = found.first() else { return format!("{all}: {nobody}") };
            let others = match found.len() - 1 {
                0 => String::new(),
                1 => ", and so would another coalition".to_owned(),
                more => format!(", and so would {more} other coalitions"),
            };
            format!("{} would {}{others}", self.told(*coalition), does(ranged(*gain)))
        };
        let by = if self.saves { "save" } else { "score" };
        vec![
            line(
                self.game.blocking(),
                "no coalition would surely save more by itself than its members do there",
                &|gain| format!("save {gain} more by themselves than in the coalition of all"),
            ),
            line(
                self.game.blocking_alone(),
                &format!("in no coalition would all members surely {by} more by themselves"),
                &|gain| format!("each {by} more by themselves, by {gain} or more"),
            ),
        ]
    }

    fn partitions(&self) -> Vec<String> {
        let game = &self.game;
        let mut lines = Vec::new();
        // Coalitions that are alike stand beside each other.
        let told = |partition: &[usize]| {
            let alike = partition.chunk_by(|one, other| one == other).map(|alike| {
                let one = format!("{{{}}}", self.told(alike[0]));
                if alike.len() == 1 { one } else { format!("{} times {one}", alike.len()) }
            });
            alike.collect::<Vec<_>>().join(", ")
        };
        if let Some(best) = best_partition(&game.mean) {
            let more = if best.len() == 1 {
                String::new()
            } else {
                format!(", {} more than one coalition of all", ranged(game.side_by_side(&best)))
            };
            lines.push(format!("the partition that saves most: {}{more}", told(&best)));
        }
        let payoffs: Vec<f64> = (0..=game.grand())
            .flat_map(|one| {
                (0..self.names.len()).map(move |class| game.payoff(one, class, true).mean)
            })
            .collect();
        let pays = |coalition: usize, class: usize| payoffs[coalition * self.names.len() + class];
        let by = if self.saves { "savings" } else { "scores" };
        let ways = [
            (Rule::Open, "with open entry"),
            (Rule::Consent, "by consent of the members"),
            (Rule::MergeSplit, "by mergers and splits"),
        ];
        for (rule, name) in ways.into_iter().filter(|_| game.grand() < hedonic::MOST_PARTED) {
            let end = hedonic::settle(&game.mean, rule, pays);
            let moves = counted(end.moves as u64, "move", "moves");
            let end = if end.rests {
                format!("{} after {moves}", told(&end.partition))
            } else {
                format!("no rest: after {moves} a partition comes back, {}", told(&end.partition))
            };
            lines.push(format!(
                "many coalitions, {name}, from everybody alone, by mean {by}: {end}"
            ));
        }
        lines
    }
}

/// `0.12 (0.1 to 0.14)`.
pub(in crate::sweep) fn ranged(one: Figure) -> String {
    match one.interval {
        Some(interval) => {
            format!("{} ({} to {})", figure(one.mean), figure(interval.low), figure(interval.high))
        }
        None => figure(one.mean),
    }
}

/// `94.6% (93.3% to 95.7%)`, as far as it is known.
fn ranged_share(one: Figure) -> String {
    one.interval.map_or_else(|| percent(one.mean), |interval| share(one.mean, interval))
}

/// `94.6% (93.3% to 95.7%)`.
pub(super) fn share(at: f64, interval: Interval) -> String {
    format!("{} ({} to {})", percent(at), percent(interval.low), percent(interval.high))
}
