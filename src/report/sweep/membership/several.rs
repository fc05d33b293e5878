//! Several games of joining, one for each value of another key, such as the balancer: where each tips.

use super::words::share;
use super::{Deed, Joining, class, deed, ends};
use crate::game::solved::Solved;
use crate::picture::Picture;
use crate::sweep::Lab;
use crate::table::{Column, ColumnOf, Table, columns};
use findings::Findings as _;
use findings::membership::{Answer, Figure, Root};
use findings::swept::{AtPoint, Swept};
use scenario::sweep::{Design, Study, Value};

/// The games of a study by its other keys.
pub(in crate::sweep) struct Several {
    /// The other keys.
    keys: String,
    games: Vec<(String, Joining)>,
    /// The game of each point, and its place in it.
    places: Vec<[usize; 2]>,
}

impl Several {
    /// The games of a finished study that varies the members of classes and something else.
    pub(in crate::sweep) fn of(study: &Study, swept: &Swept) -> Option<Several> {
        let (act, design, plan) = (deed(study)?, &study.design, &study.plans[0]);
        let is_own: Vec<bool> =
            design.keys.iter().map(|key| class(plan, &key.name, act).is_some()).collect();
        let split = |own: bool, values: &[Value]| -> Vec<Value> {
            let both = values.iter().zip(&is_own).filter(|(_, is)| **is == own);
            both.map(|(value, _)| value.clone()).collect()
        };
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        let mut places = Vec::new();
        for (point, values) in design.points.iter().enumerate() {
            let others = split(false, values);
            let label = others.iter().map(Value::shown).collect::<Vec<_>>().join(", ");
            let at = groups.iter().position(|(other, _)| *other == label).unwrap_or(groups.len());
            if at == groups.len() {
                groups.push((label, Vec::new()));
            }
            places.push([at, groups[at].1.len()]);
            groups[at].1.push(point);
        }
        let keys = design.keys.iter().zip(&is_own);
        let own = keys.filter(|(_, own)| **own).map(|(key, _)| key.clone()).collect::<Vec<_>>();
        let game = |(label, points): (String, Vec<usize>)| {
            let design = Design {
                keys: own.clone(),
                points: points.iter().map(|&at| split(true, &design.points[at])).collect(),
                compared: None,
                ..design.clone()
            };
            let plans = vec![study.plans[points[0]].clone()];
            let mut part = Swept::new(swept.sample().level());
            part.points = points.iter().map(|&at| swept.points[at].clone()).collect();
            Some((label, Joining::of(&Study { design, plans, shown: study.shown }, &part)?))
        };
        let games = groups.into_iter().map(game).collect::<Option<Vec<_>>>()?;
        let others = (0..is_own.len()).filter(|&at| !is_own[at]).map(|at| design.short(at));
        let keys = others.collect::<Vec<_>>().join(", ");
        (games.len() > 1).then_some(Several { keys, games, places })
    }

    fn place(&self, point: usize) -> (&Joining, usize) {
        let [game, at] = self.places[point];
        (&self.games[game].1, at)
    }

    /// The tipping points of each game: its name, the class, the state of the others, and where.
    fn tips(&self) -> impl Iterator<Item = (&str, &Joining, usize, (bool, String, Vec<Root>))> {
        self.games.iter().flat_map(|(label, game)| {
            let classes = 0..game.names.len();
            classes.flat_map(move |class| {
                game.ways(class).into_iter().map(move |way| (&**label, game, class, way))
            })
        })
    }
}

/// The probabilities at which a class gains by joining, in a cell.
fn gains(game: &Joining, class: usize, is_in: bool, roots: &[Root]) -> String {
    let told = roots.iter().map(|root| {
        let side = if root.rises { "above" } else { "below" };
        format!("{side} {}", share(root.at, root.interval))
    });
    let told = told.collect::<Vec<_>>().join(", ");
    if !told.is_empty() {
        return told;
    }
    let gains = game.game.gains(class, is_in);
    let is_nothing = |gain: &Figure| ends(gain.interval) == Some((0.0, 0.0));
    let all = |of: Answer| gains.iter().all(|gain| gain.is_above(0.0) == of || is_nothing(gain));
    match (all(Answer::Yes), all(Answer::No), gains.iter().any(is_nothing)) {
        (true, true, _) => "nothing to gain",
        (true, _, true) => "if another does",
        (true, ..) => "always",
        (_, true, _) => "never",
        _ => "undecided",
    }
    .to_owned()
}

impl Lab for Several {
    fn undecided(&self) -> Option<Option<u64>> {
        let answers: Vec<Answer> =
            self.games.iter().flat_map(|(_, game)| game.answers.iter().copied()).collect();
        Answer::needed(&answers)
    }

    fn is_alone(&self, point: usize) -> bool {
        let (game, at) = self.place(point);
        game.is_single(at)
    }

    fn columns<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>> {
        columns![|row: &(usize, &'a AtPoint)|
            Column::text("equilibrium") => {
                let (game, at) = self.place(row.0);
                super::answer(game.answers[game.coalitions[at]])
            },
        ]
    }

    fn in_place(&self) -> Option<(Table, [&'static str; 2])> {
        let Deed { does, states, .. } = self.games[0].1.act;
        let columns = [
            Column::text(self.keys.clone()),
            Column::text("class"),
            Column::text("others"),
            Column::text("gains").note(format!(
                "gains: the probabilities with which each other of its class {does} at which one more gains \
                 by it; others: the state of the other classes"
            )),
        ];
        let mut table = Table::new("tipping", columns);
        for (label, game, class, (is_in, told, roots)) in self.tips() {
            let others = if told.is_empty() { "" } else { states[usize::from(is_in)] };
            let name = game.names[class].as_str();
            let gains = gains(game, class, is_in, &roots);
            table.row([label.into(), name.into(), others.into(), gains.into()]);
        }
        (!table.is_empty()).then_some((table, ["game", "games"]))
    }

    fn statements(&self) -> Vec<String> {
        let each = self.games.iter();
        each.map(|(label, game)| format!("{label}: {}", game.equilibria())).collect()
    }

    fn table(&self) -> Table {
        let mut solved = Solved::default();
        let mut put = solved.solver("tipping", "");
        for (label, game, class, (_, told, roots)) in self.tips() {
            let others = told.trim_end_matches(", ");
            let profile =
                if others.is_empty() { label.to_owned() } else { format!("{label}, {others}") };
            put.profile(profile).player(&game.names[class]);
            for root in roots {
                let name = if root.rises { "tips_at" } else { "rests_at" };
                put.range(name, root.at, Some((root.interval.low, root.interval.high)));
            }
        }
        solved.table()
    }

    fn files(&self, _: &str) -> Vec<(&'static str, Vec<u8>)> {
        vec![("lab.csv", self.table().csv())]
    }

    fn picture(&self, _: &str) -> Option<Picture> {
        None
    }

    fn compares(&self) -> bool {
        false
    }
}
