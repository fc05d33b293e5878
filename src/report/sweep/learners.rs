//! A tournament of learners, from a sweep over the learner of a class and that of one of its members:
//! who comes first, who invades whom, and who is left in the long run.

use super::Lab;
use super::membership::{answer, ends, range};
use crate::game::forms::nfg;
use crate::game::solved::Solved;
use crate::picture::Picture;
use crate::table::{Column, ColumnOf, Table, columns};
use findings::Findings as _;
use findings::game::frame::Frame;
use findings::membership::{Answer, Figure};
use findings::sample::Sample;
use findings::swept::{AtPoint, Swept};
use findings::tournament::{INTENSITY, POPULATION, Ranked, Tournament};
use kernel::order::InOrder as _;
use scenario::sweep::{Study, Value};
use stats::shown::{count, counted, figure, percent};

/// The end of the key that says which learner the one follows.
const ONE: &str = ".mutants.learner";
/// Most learners that a sentence names.
const NAMED: usize = 8;

/// The tournament that a study played.
pub(super) struct Learners {
    names: Vec<String>,
    /// By the values of all other keys, in words.
    games: Vec<(String, Tournament)>,
    /// The game of each point, the learner of the one and that of the others.
    pairs: Vec<[usize; 3]>,
}

/// The index of a text among others, to which it is added.
fn index(all: &mut Vec<String>, one: String) -> usize {
    all.iter().position(|other| *other == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}

impl Learners {
    /// The tournament of a finished study that varies the learner of a class and that of its mutants.
    pub(super) fn of(study: &Study, swept: &Swept) -> Option<Learners> {
        let keys = &study.design.keys;
        let own = keys.iter().position(|key| key.name.ends_with(ONE))?;
        let class = keys[own].name.strip_suffix(ONE)?;
        let others = keys.iter().position(|key| key.name == format!("{class}.learner"))?;
        let one = format!("{}-1", class.split_once('.')?.1.trim_matches('"'));
        let (mut names, mut labels, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for values in &study.design.points {
            let told = |(at, value): (usize, &Value)| {
                format!("{} = {}", study.design.short(at), value.shown())
            };
            let rest = values.iter().enumerate().filter(|(at, _)| *at != own && *at != others);
            let label = rest.map(told).collect::<Vec<_>>().join(", ");
            let mut learner = |key: usize| {
                let name = values[key].shown();
                let inside = name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
                index(&mut names, inside.unwrap_or(name).trim().to_owned())
            };
            let (own, others) = (learner(own), learner(others));
            pairs.push([index(&mut labels, label), own, others]);
        }
        let game = |(game, label): (usize, &String)| {
            let point = |own: usize, others: usize| -> Option<&Sample> {
                let at = pairs.iter().position(|pair| *pair == [game, own, others])?;
                Some(AtPoint::sample(&swept.points[at]))
            };
            let all = (0..names.len()).flat_map(|own| (0..names.len()).map(move |one| (own, one)));
            let all = all.map(|(own, others)| point(own, others)).collect::<Option<Vec<_>>>()?;
            Some((label.clone(), Tournament::of(&all, names.len(), &one)?))
        };
        let games = labels.iter().enumerate().map(game).collect::<Option<Vec<_>>>()?;
        (names.len() > 1).then_some(Learners { names, games, pairs })
    }

    /// Pairs of an invader and those it meets, by answer, with replications that would tell.
    fn invasions(&self, game: &Tournament, others: usize) -> Vec<(usize, Answer)> {
        let own = (0..self.names.len()).filter(|&own| own != others);
        own.map(|own| (own, game.gain(own, others).is_above(0.0))).collect()
    }

    fn told(&self, (label, game): &(String, Tournament)) -> Vec<String> {
        let start = if label.is_empty() { String::new() } else { format!("{label}: ") };
        if game.replications() < 2 {
            return Vec::new();
        }
        let mut ranking: Vec<_> = game.ranking().into_iter().enumerate().collect();
        ranking.order_by(|one, other| other.1.0.mean.total_cmp(&one.1.0.mean));
        let place = |(at, (mean, places)): &(usize, (Figure, (usize, usize)))| {
            format!("{} {} ({})", self.names[*at], with_ends(mean), rank(*places, "place"))
        };
        let places = ranking.iter().take(NAMED).map(place).collect::<Vec<_>>().join(", ");
        let mut lines = vec![format!("{start}mean payoff of one against each learner: {places}")];
        let (mut resists, mut invaded, mut open) = (Vec::new(), Vec::new(), Vec::new());
        let mut answers = Vec::new();
        for others in 0..self.names.len() {
            let found = self.invasions(game, others);
            let with = |is: &dyn Fn(&Answer) -> bool| -> Vec<&str> {
                let of = found.iter().filter(|one| is(&one.1));
                of.map(|one| &*self.names[one.0]).collect()
            };
            let sure = with(&|one| *one == Answer::Yes);
            let undecided = with(&|one| matches!(one, Answer::Undecided(_)));
            let name = &self.names[others];
            if sure.is_empty() && undecided.is_empty() {
                resists.push(name.clone());
            }
            if !sure.is_empty() {
                invaded.push(format!("{name} by {}", sure.join(", ")));
            }
            if !undecided.is_empty() {
                open.push(format!("{name} by {}", undecided.join(", ")));
            }
            answers.extend(found.into_iter().map(|one| one.1));
        }
        let list = |parts: &[String]| parts.join("; ");
        if !resists.is_empty() {
            let names = resists.join(", ");
            lines.push(format!(
                "{start}resists every other, as nobody gains by leaving it alone: {names}"
            ));
        }
        if !invaded.is_empty() {
            lines.push(format!(
                "{start}invaded, as one gains by another learner: {}",
                list(&invaded)
            ));
        }
        if !open.is_empty() {
            let more = Answer::needed(&answers)
                .flatten()
                .map_or("too near to nothing to say how many replications".to_owned(), |most| {
                    format!("about {}", counted(most, "replication", "replications"))
                });
            let open = list(&open);
            lines.push(format!("{start}undecided whether invaded: {open} ({more} would tell)"));
        }
        for (populations, words) in [
            (1, "one population, in which everybody meets everybody"),
            (2, "two that meet each other"),
        ] {
            let Some(ranked) = game.alpha_rank(populations) else { continue };
            let mut ranked: Vec<(usize, Ranked)> = ranked.into_iter().enumerate().collect();
            ranked.order_by(|one, other| other.1.share.total_cmp(&one.1.share));
            let one = |(at, one): &(usize, Ranked)| {
                format!("{} {} ({})", self.names[*at], percent(one.share), rank(one.ranks, "rank"))
            };
            let told = ranked.iter().take(NAMED).map(one).collect::<Vec<_>>().join(", ");
            lines.push(format!(
                "{start}alpha-rank ({words}; populations of {}, intensity {INTENSITY}): {told}",
                count(POPULATION.into())
            ));
        }
        lines
    }

    fn solved(&self) -> Solved {
        let mut solved = Solved::default();
        let with = |label: &str, others: &str| match label {
            "" => others.to_owned(),
            label => format!("{others}, {label}"),
        };
        let mut put = solved.solver("learners", "");
        for (label, game) in &self.games {
            for (others, name) in self.names.iter().enumerate() {
                put.profile(with(label, name));
                for (own, name) in self.names.iter().enumerate() {
                    range(put.action(name), "payoff", game.payoff(own, others));
                    if own != others {
                        let gain = game.gain(own, others);
                        range(&mut put, "gain", gain);
                        put.put("invades", answer(gain.is_above(0.0)));
                    }
                }
            }
            put.profile(with(label, "all"));
            for (name, (mean, places)) in self.names.iter().zip(game.ranking()) {
                range(put.action(name), "payoff", mean);
                put.range("place", f64::NAN, Some((places.0 as f64, places.1 as f64)));
            }
        }
        for (label, game) in &self.games {
            for populations in [1, 2] {
                let mut put = solved.solver("alpha_rank", "");
                put.profile(with(label, ["one population", "two populations"][populations - 1]));
                for (name, one) in
                    self.names.iter().zip(game.alpha_rank(populations).into_iter().flatten())
                {
                    put.action(name).put("share", one.share);
                    let ranks = (one.ranks.0 as f64, one.ranks.1 as f64);
                    put.range("rank", one.rank as f64, Some(ranks));
                }
            }
        }
        solved
    }
}

fn with_ends(one: &Figure) -> String {
    match ends(one.interval) {
        Some((low, high)) => format!("{}, {} to {}", figure(one.mean), figure(low), figure(high)),
        None => figure(one.mean),
    }
}

fn rank((best, worst): (usize, usize), word: &str) -> String {
    if best == worst { format!("{word} {best}") } else { format!("{word} {best} to {worst}") }
}

impl Lab for Learners {
    fn undecided(&self) -> Option<Option<u64>> {
        let others = || 0..self.names.len();
        let all = self.games.iter().flat_map(|game| others().map(move |one| (game, one)));
        let answers = all.flat_map(|((_, game), others)| self.invasions(game, others));
        Answer::needed(&answers.map(|one| one.1).collect::<Vec<_>>())
    }

    fn columns<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>> {
        let invades = |point: usize| {
            let [game, own, others] = self.pairs[point];
            let gain = || self.games[game].1.gain(own, others);
            if own == others { "" } else { answer(gain().is_above(0.0)) }
        };
        columns![|row: &(usize, &'a AtPoint)|
            Column::text("invades").note("invades: one of the class surely gains by this learner while all \
                others follow theirs") => invades(row.0),
        ]
    }

    fn statements(&self) -> Vec<String> {
        let lines: Vec<String> = self.games.iter().flat_map(|game| self.told(game)).collect();
        if lines.is_empty() { vec![super::membership::SINGLE.to_owned()] } else { lines }
    }

    fn table(&self) -> Table {
        self.solved().table()
    }

    fn files(&self, title: &str) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = vec![("lab.csv", self.table().csv())];
        if let [(_, game)] = &self.games[..] {
            let frame = Frame {
                actions: vec![self.names.clone(); 2],
                names: ["one", "others"].map(str::to_owned).to_vec(),
                classes: Vec::new(),
                is_symmetric: true,
                rounds: 1,
                replications: 1,
                level: Default::default(),
            };
            files.push(("learners.nfg", nfg(title, &frame, &game.matrix(), true).into_bytes()));
        }
        files
    }

    fn picture(&self, _: &str) -> Option<Picture> {
        None
    }

    fn compares(&self) -> bool {
        false
    }
}
