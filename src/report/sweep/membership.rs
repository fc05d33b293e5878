//! The game of joining a coalition, from a sweep over the number of members of each class: who joins,
//! who would leave, and what each is worth to the others.

pub(super) mod several;
mod words;

pub(super) use words::ranged;

use super::Lab;
use super::picture::{ends as ends_of, scale};
use crate::game::forms::nfg;
use crate::game::solved::{Put, Solved};
use crate::picture::{Chart, Line, Panel, Picture, Scale};
use crate::table::{Column, ColumnOf, Table, columns};
use findings::Findings as _;
use findings::game::frame::Frame;
use findings::membership::{Answer, Basis, Figure, Membership, Root};
use findings::sample::Sample;
use findings::swept::{AtPoint, Swept};
use findings::unit::Class;
use game::matrix::Matrix;
use scenario::plan::{Plan, Rounds, World};
use scenario::sweep::{Study, Value};
use serde_json::json;
use stats::interval::Interval;
use stats::shown::counted;

/// Most players of whom a game file is written.
const MOST_WRITTEN: usize = 12;

/// Said of a run without intervals.
pub(super) const SINGLE: &str =
    "a single replication has no intervals, so nothing is sure; `--replications 20` gives more";

/// The game of joining that a study measured.
pub(super) struct Joining {
    game: Membership,
    /// The coalition of each point.
    coalitions: Vec<usize>,
    /// A name for one of each class, and for several.
    names: Vec<String>,
    /// The thing that each does or does not.
    act: &'static Deed,
    /// True if payoffs are saved flow times.
    saves: bool,
    answers: Vec<Answer>,
    /// The excess of the least core.
    core: Option<(f64, Option<Interval>)>,
}

/// A thing that organizations do or do not, in words.
pub(super) struct Deed {
    /// The end of the key that says how many do it.
    key: &'static str,
    /// The actions of a game.
    actions: [&'static str; 2],
    /// The changes of mind: to do it no more, and to do it.
    changes: [&'static str; 2],
    /// `joining`, and one that does so `joins`.
    doing: &'static str,
    does: &'static str,
    /// The states of others: not done, and done.
    states: [&'static str; 2],
    /// The state in which nobody does it.
    nobody: &'static str,
}

/// Taking part, and declaring a longer queue than one has.
const DEEDS: [Deed; 2] = [
    Deed {
        key: ".members",
        actions: ["out", "in"],
        changes: ["leaves", "joins"],
        doing: "joining",
        does: "joins",
        states: ["out", "in"],
        nobody: "nobody",
    },
    Deed {
        key: ".lies.of",
        actions: ["honest", "lie"],
        changes: ["is honest", "lies"],
        doing: "lying",
        does: "lies",
        states: ["honest", "lying"],
        nobody: "all honest",
    },
];

/// The deed of which a study varies the number of doers.
pub(super) fn deed(study: &Study) -> Option<&'static Deed> {
    let mut keys = study.design.keys.iter();
    keys.find_map(|key| DEEDS.iter().find(|act| key.name.ends_with(act.key)))
}

/// True if payoffs of those that join are the flow times that they save: where rounds go on from each other, a
/// score compares with staying out of one round, from a backlog that the coalition made.
fn saves(plan: &Plan, act: &Deed) -> bool {
    let World::Coalition(coalition) = &plan.world else { return false };
    let is_flow = coalition.score.is_flow() && coalition.costs.round == 0.0;
    act.joins() && is_flow && coalition.rounds == Rounds::Continuing
}

/// The organizations that a key such as `organization.light.members` is about.
fn class(plan: &Plan, key: &str, act: &Deed) -> Option<Class> {
    let name = key.strip_prefix("organization.")?.strip_suffix(act.key)?.trim_matches('"');
    let is_it = |one: &str| {
        let rest = one.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest == "-1")
    };
    let first = plan.organizations.iter().position(|one| is_it(&one.name))?;
    let entry = plan.organizations[first].entry?;
    let size = plan.organizations.iter().filter(|one| one.entry == Some(entry)).count();
    Some(Class { name: name.to_owned(), members: first..first + size })
}

/// The runs of a study that varies nothing but who takes part, or who lies.
pub(super) struct Runs<'a> {
    /// The thing that each does or does not.
    pub(super) act: &'static Deed,
    pub(super) classes: Vec<Class>,
    /// By how many of each class do it.
    pub(super) samples: Vec<(Vec<usize>, &'a Sample)>,
    /// Number of rounds of each replication or batch.
    pub(super) rounds: Vec<u64>,
    pub(super) basis: Basis,
}

/// The runs of such a study, once all have ended.
pub(super) fn runs<'a>(study: &Study, swept: &'a Swept) -> Option<Runs<'a>> {
    let plan = &study.plans[0];
    let act = deed(study)?;
    let classes = study.design.keys.iter().map(|key| class(plan, &key.name, act));
    let classes = classes.collect::<Option<Vec<Class>>>()?;
    let batches = swept.points.iter().map(|at| at.batches.as_ref()).collect::<Option<Vec<_>>>();
    let basis = Basis { by_rounds: batches.is_some(), saves: saves(plan, act) };
    let (samples, rounds): (Vec<&Sample>, Vec<u64>) = match batches {
        Some(batches) => {
            (batches.iter().map(|one| &one.sample).collect(), batches[0].rounds.clone())
        }
        None => (
            swept.points.iter().map(AtPoint::sample).collect(),
            (0..plan.replications).map(|one| plan.rounds_of(one)).collect(),
        ),
    };
    let counts = |values: &Vec<Value>| -> Option<Vec<usize>> {
        values.iter().map(|value| Some(value.as_number()? as usize)).collect()
    };
    let counts = study.design.points.iter().map(counts).collect::<Option<Vec<_>>>()?;
    let samples = counts.into_iter().zip(samples).collect();
    Some(Runs { act, classes, samples, rounds, basis })
}

impl Deed {
    /// True for taking part, of which coalitions are made.
    pub(super) fn joins(&self) -> bool {
        self.key == DEEDS[0].key
    }
}

impl Lab for Joining {
    fn undecided(&self) -> Option<Option<u64>> {
        Answer::needed(&self.answers)
    }

    fn is_alone(&self, point: usize) -> bool {
        self.is_single(point)
    }

    fn columns<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>> {
        self.for_points()
    }

    fn statements(&self) -> Vec<String> {
        self.told_in_words()
    }

    fn table(&self) -> Table {
        self.solved().table()
    }

    fn files(&self, title: &str) -> Vec<(&'static str, Vec<u8>)> {
        self.written_files(title)
    }

    fn picture(&self, title: &str) -> Option<Picture> {
        self.drawn(title)
    }
}

pub(super) fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Undecided(_) => "undecided",
    }
}

impl Joining {
    /// The game of a finished study that varies nothing but the members of classes, each from none to
    /// all.
    pub(super) fn of(study: &Study, swept: &Swept) -> Option<Joining> {
        let Runs { act, classes, samples, rounds, basis } = runs(study, swept)?;
        let sizes = classes.iter().map(|class| class.members.len());
        let all = sizes.clone().try_fold(1_usize, |all, size| all.checked_mul(size + 1))?;
        (samples.len() >= all).then_some(())?;
        let mut points: Vec<Option<&Sample>> = vec![None; all];
        let mut coalitions = Vec::new();
        for (counts, sample) in &samples {
            let mut step = 1;
            let mut coalition = 0;
            for (count, size) in counts.iter().zip(sizes.clone()) {
                coalition += step * count;
                step *= size + 1;
            }
            *points.get_mut(coalition)? = Some(sample);
            coalitions.push(coalition);
        }
        let points = points.into_iter().collect::<Option<Vec<_>>>()?;
        let names = classes.iter().map(|class| class.name.clone()).collect();
        let game = Membership::of(classes, &points, &rounds, basis)?;
        let answers = (0..all).map(|coalition| game.is_equilibrium(coalition)).collect();
        let core = if act.joins() { game.least_core() } else { None };
        Some(Joining { game, coalitions, names, act, saves: basis.saves, answers, core })
    }

    /// A coalition in words: `7 typical + overloaded`.
    fn told(&self, coalition: usize) -> String {
        let game = &self.game.mean;
        let each = game.counts(coalition).zip(game.sizes()).zip(&self.names);
        let parts = each.filter(|((count, _), _)| *count > 0).map(|((count, size), name)| {
            if *size == 1 { name.clone() } else { format!("{count} {name}") }
        });
        let parts: Vec<String> = parts.collect();
        match (parts.is_empty(), self.act.joins()) {
            (true, _) => self.act.nobody.to_owned(),
            (false, true) => parts.join(" + "),
            (false, false) => format!("{} {}", parts.join(" + "), self.act.states[1]),
        }
    }

    /// True if fewer than two are in at a point.
    fn is_single(&self, point: usize) -> bool {
        self.act.joins() && self.game.mean.counts(self.coalitions[point]).sum::<usize>() < 2
    }

    /// Columns beside those of a sweep's point: whether it is an equilibrium, and who would leave it.
    fn for_points<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>> {
        let changes = |coalition: usize| {
            let toggles = self.game.toggles(coalition);
            let sure = toggles.iter().filter(|one| one.gain.is_above(0.0) == Answer::Yes);
            let told = sure.map(|one| {
                let does = self.act.changes[usize::from(one.joins)];
                format!("{} {does}", self.names[one.class])
            });
            told.collect::<Vec<_>>().join(", ")
        };
        columns![|row: &(usize, &'a AtPoint)|
            Column::text("equilibrium").note("equilibrium: nobody gains by changing its mind alone; \
                who gains nothing stays") => answer(self.answers[self.coalitions[row.0]]),
            Column::text("gains").note("gains: who surely gains by it")
                => changes(self.coalitions[row.0]),
        ]
    }

    /// Every figure, in the lines of a solver.
    fn solved(&self) -> Solved {
        let (game, mut solved) = (&self.game, Solved::default());
        let mut put = solved.solver("membership", "");
        for coalition in 0..=game.grand() {
            put.profile(self.told(coalition));
            range(&mut put, "flow", game.flow(coalition));
            put.put("equilibrium", answer(self.answers[coalition]));
            let toggles = game.toggles(coalition);
            let counts = game.mean.counts(coalition).zip(game.mean.sizes()).enumerate();
            for (class, (count, &size)) in counts {
                let [not, done] = self.act.actions;
                put.player(&self.names[class]).action(done);
                if count > 0 {
                    range(&mut put, "payoff", game.payoff(coalition, class, true));
                    range(&mut put, "saved", game.saved(coalition, class));
                }
                put.player(&self.names[class]).action(not);
                if count < size {
                    range(&mut put, "payoff", game.payoff(coalition, class, false));
                }
                for toggle in toggles.iter().filter(|one| one.class == class) {
                    let change = self.act.changes[usize::from(toggle.joins)];
                    put.player(&self.names[class]).action(change);
                    range(&mut put, "gain", toggle.gain);
                }
            }
        }
        let mut put = solved.solver("tipping", "");
        for class in 0..self.names.len() {
            for (_, others, roots) in self.ways(class) {
                put.profile(others.trim_end_matches(", ")).player(&self.names[class]);
                for root in roots {
                    let name = if root.rises { "tips_at" } else { "rests_at" };
                    put.range(name, root.at, Some((root.interval.low, root.interval.high)));
                }
            }
        }
        if self.act.joins() {
            self.put_shares(&mut solved);
        }
        solved
    }

    /// The share of each, and what it is worth.
    fn put_shares(&self, solved: &mut Solved) {
        let game = &self.game;
        let (shapley, banzhaf) = (game.shapley(), game.banzhaf());
        let core = game.mean.least_core().ok();
        let nucleolus = game.mean.nucleolus().ok();
        let mut put = solved.solver("allocations", "");
        for (class, name) in self.names.iter().enumerate() {
            put.player(name);
            range(&mut put, "received", game.saved(game.grand(), class));
            range(&mut put, "shapley", shapley[class]);
            range(&mut put, "banzhaf", banzhaf[class]);
            put.put("least_core", core.as_ref().map(|core| core.allocation[class]));
            put.put("nucleolus", nucleolus.as_ref().map(|found| found[class]));
        }
        let mut put = solved.solver("core", "");
        if let Some((epsilon, interval)) = self.core {
            put.range("excess", epsilon, interval.map(|one| (one.low, one.high)));
        }
        for (name, found) in
            [("with_payments", game.blocking()), ("without_payments", game.blocking_alone())]
        {
            let mut put = solved.solver("blocking", "");
            for (coalition, gain) in found {
                range(put.profile(self.told(coalition)), name, gain);
            }
        }
    }

    /// The ways in which others can be, with the probabilities at which a class is indifferent.
    fn ways(&self, class: usize) -> Vec<(bool, String, Vec<Root>)> {
        let others: Vec<&str> = self.but(class);
        let way = |is_in: bool| {
            let told = match (&others[..], is_in) {
                ([], _) => String::new(),
                (others, is) => {
                    let state = self.act.states[usize::from(is)];
                    format!("with {} {state}, ", others.join(" and "))
                }
            };
            (is_in, told, self.game.roots(class, is_in))
        };
        if self.game.mean.sizes()[class] == 1 {
            return Vec::new();
        }
        let ways = if others.is_empty() { vec![true] } else { vec![true, false] };
        ways.into_iter().map(way).collect()
    }

    fn but(&self, class: usize) -> Vec<&str> {
        let others = self.names.iter().enumerate().filter(|(at, _)| *at != class);
        others.map(|(_, name)| &**name).collect()
    }

    /// `lab.csv`, and the game as Gambit and `gridpact game` read it.
    fn written_files(&self, title: &str) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = vec![("lab.csv", self.table().csv())];
        let game = &self.game.mean;
        if game.sizes().iter().sum::<usize>() <= MOST_WRITTEN {
            files.push(("membership.nfg", self.written(title).into_bytes()));
        }
        files.push(("membership.json", self.written_by_roles().into_bytes()));
        files
    }

    /// The game as a table of payoffs.
    fn written(&self, title: &str) -> String {
        let game = &self.game;
        let each = self.names.iter().zip(game.mean.sizes()).enumerate();
        let players = each.flat_map(|(class, (name, &size))| {
            (1..=size).map(move |number| match size {
                1 => (class, name.clone()),
                _ => (class, format!("{name}-{number}")),
            })
        });
        let (of, names): (Vec<usize>, Vec<String>) = players.unzip();
        let payoffs: Vec<[f64; 2]> = (0..=game.grand())
            .flat_map(|coalition| {
                (0..self.names.len()).map(move |class| {
                    [false, true].map(|is_in| game.payoff(coalition, class, is_in).mean)
                })
            })
            .collect();
        let table = Matrix::new(&vec![2; of.len()], |player, profile| {
            let members = profile.iter().zip(&of).filter(|(choice, _)| **choice == 1);
            let coalition: usize = members.map(|(_, &class)| game.mean.step(class)).sum();
            payoffs[coalition * self.names.len() + of[player]][profile[player] as usize]
        });
        let frame = Frame {
            actions: vec![self.act.actions.map(str::to_owned).to_vec(); names.len()],
            names,
            classes: Vec::new(),
            is_symmetric: false,
            rounds: 1,
            replications: 1,
            level: game.level(),
        };
        nfg(title, &frame, &table, true)
    }

    /// The game as gameanalysis reads it, each class a role.
    fn written_by_roles(&self) -> String {
        let by_name = |of: &dyn Fn(usize) -> serde_json::Value| -> serde_json::Value {
            let each = self.names.iter().enumerate();
            serde_json::Value::Object(each.map(|(class, name)| (name.clone(), of(class))).collect())
        };
        let (mean, [not, done]) = (&self.game.mean, self.act.actions);
        let profile = |coalition: usize| {
            let counts: Vec<usize> = mean.counts(coalition).collect();
            by_name(&|class| {
                let [ins, outs] = [counts[class], mean.sizes()[class] - counts[class]];
                let pays = |is_in| self.game.payoff(coalition, class, is_in).mean;
                let all =
                    [(done, ins, true), (not, outs, false)].into_iter().filter(|one| one.1 > 0);
                all.map(|(name, count, is_in)| json!([name, count, pays(is_in)])).collect()
            })
        };
        let whole = json!({
            "type": "game.1",
            "players": by_name(&|class| json!(mean.sizes()[class])),
            "strategies": by_name(&|_| json!([done, not])),
            "profiles": (0..=self.game.grand()).map(profile).collect::<Vec<_>>(),
        });
        format!("{whole}\n")
    }

    /// The sample behind the intervals.
    fn sample(&self) -> String {
        let number = self.game.replications() as u64;
        match self.game.rounds() {
            None => counted(number, "replication", "replications"),
            Some(rounds) => format!(
                "{} of {} of one replication",
                counted(number, "batch", "batches"),
                counted(rounds / number, "round", "rounds")
            ),
        }
    }

    /// `gains.svg`: what one gains by joining, by how many others of its class are in.
    fn drawn(&self, title: &str) -> Option<Picture> {
        let sizes = self.game.mean.sizes();
        let most = *sizes.iter().max().filter(|most| **most > 1)?;
        let mut panels = Vec::new();
        for class in (0..sizes.len()).filter(|&class| sizes[class] > 1) {
            let ways = if self.but(class).is_empty() { vec![true] } else { vec![true, false] };
            let mut lines = Vec::new();
            for (series, is_in) in ways.into_iter().enumerate() {
                let gains = self.game.gains(class, is_in);
                let points = gains.iter().enumerate().map(|(k, gain)| (k as f64, gain.mean));
                let band = gains
                    .iter()
                    .enumerate()
                    .filter_map(|(k, gain)| gain.interval.map(|one| (k as f64, one.low, one.high)));
                let band = band.collect();
                lines.push(Line { series, points: points.collect(), band, parts: Vec::new() });
            }
            let values = lines.iter().flat_map(|line: &Line| {
                let points = line.points.iter().map(|one| one.1);
                points.chain(line.band.iter().flat_map(|one| [one.1, one.2]))
            });
            let scale = scale(ends_of(values.chain([0.0])));
            let y = format!("gain by {}, {}", self.act.doing, self.names[class]);
            panels.push(Panel { y, scale, lines });
        }
        let series = if sizes.len() == 1 {
            vec!["gain".to_owned()]
        } else {
            [1, 0].map(|is| format!("all other classes {}", self.act.states[is])).to_vec()
        };
        let what = if self.saves { "flow time saved in a round" } else { "score" };
        Some(Picture::Chart(Chart {
            title: title.to_owned(),
            subtitle: format!(
                "{what} {} less {what} {}; bands: {} intervals over {}",
                self.act.states[1],
                self.act.states[0],
                self.game.level(),
                self.sample()
            ),
            x: format!("others of the class that are {}", self.act.states[1]),
            range: Scale::Linear(0.0, (most - 1) as f64),
            dates: Vec::new(),
            panels,
            series,
        }))
    }
}

pub(super) fn ends(interval: Option<Interval>) -> Option<(f64, f64)> {
    interval.map(|one| (one.low, one.high))
}

pub(super) fn range(put: &mut Put<'_>, quantity: &'static str, figure: Figure) {
    put.range(quantity, figure.mean, ends(figure.interval));
}
