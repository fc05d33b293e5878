//! Keys that not every subject has, and what is said of one in a file about another.
//!
//! A subject of its own is a variant of [`Root`] with its signs there, and its keys here.

use super::de::trail::{Step, Trail};
use super::diagnostics::Diagnostic;
use super::path::Path;
use super::root::Root::{self, Campaign, Coalition, Dynamics, Federation, Game, Grid, Solved};
use super::tree::{Node, Value};

/// A key that not every subject has.
struct Belongs {
    /// Its path: `[]` stands for each element of a list, `*` for any key.
    key: &'static str,
    /// The subjects that have it.
    to: &'static [Root],
    /// A value that changes nothing, so that it may stand in any file.
    idle: &'static str,
    /// Remedies, by the subject of the file; elsewhere the key is simply left out.
    instead: &'static [(Root, &'static str)],
}

const fn key(key: &'static str, to: &'static [Root]) -> Belongs {
    Belongs { key, to, idle: "", instead: &[] }
}

impl Belongs {
    const fn idle(self, idle: &'static str) -> Belongs {
        Belongs { idle, ..self }
    }

    const fn instead(self, instead: &'static [(Root, &'static str)]) -> Belongs {
        Belongs { instead, ..self }
    }
}

const BALANCER: &str = "leave it out: the balancer says whose cluster does the work";
const PLANS: &str = "leave it out: the task planner says where tasks run";
const OWN_JOBS: &str = "give each organization a `workload` of its own";
const APPLICATIONS: &str = "write `[[application]]`, or draw them by `[workload.applications]`";
const COUNTS: &str =
    "leave it out, and see `coalition.window`, the part of every round that counts";
const SITE: &str = "write `site`, with as many processors, to which tasks of applications are sent";
const JOBS: &str = "write `space_shared`, on which jobs run";
const LOAD: &str = "write `time_shared` with as many `processors`: there a job's processors times its runtime \
                    are load that can be divided";
const PLACED: &str = "leave it out: with space-shared clusters it is a federation, and `grid_scheduler` or \
    `planner` places members' jobs";
const FLOWS: &str = "leave it out: load that can be divided is judged by its flow time";
const SHARES: &str = "leave it out; `foreign` says whether others' jobs run there";
const NO_ROUNDS: &str = "end it with `time`, `jobs` or `drained`";
const ALONE: &str = "leave it out; `flow_alone` and `gain` compare each round with one alone";
const NO_LEVELS: &str = "leave it out: the actions are those of the payoffs";
const NO_QUEUES: &str = "leave it out: owners of a federation declare no queues";
const SOLVED: &str = "leave this out: the game is its `payoffs` alone";

/// Keys of scenarios.
#[rustfmt::skip]
const SCENARIOS: &[Belongs] = &[
    key("coalition", &[Coalition, Federation]).instead(&[(Campaign, "leave it out: a campaign balances no load")]),
    key("coalition.balancer", &[Coalition]).instead(&[(Federation, PLACED)]),
    key("coalition.sends", &[Coalition]).instead(&[(Federation, PLACED)]),
    key("coalition.pieces", &[Federation]),
    key("coalition.balances", &[Coalition]).instead(&[(Federation, PLACED)]),
    key("coalition.exclusion", &[Coalition]).instead(&[(Federation, "leave it out: owners of a federation promise nothing")]),
    key("coalition.groups", &[Coalition]).instead(&[(Federation, PLACED)]),
    key("coalition.plays", &[Federation]).idle("share").instead(&[(Coalition, "leave it out: a pool follows no plan")]),
    key("coalition.score", &[Federation]).idle("flow").instead(&[(Coalition, FLOWS)]),
    key("coalition.cost", &[Federation]).instead(&[(Coalition, "leave it out: load moves for nothing in a pool")]),
    key("organization[].learner", &[Coalition, Federation]),
    key("organization[].choices", &[Coalition, Federation]),
    key("organization[].members", &[Coalition, Federation]),
    key("organization[].lies", &[Coalition, Federation]),
    key("organization[].lies.add", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].lies.at_least_level", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].lies.delay", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].lies.dummy", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].lies.new_name", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].choices.lies[].add", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].choices.lies[].at_least_level", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].choices.lies[].delay", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].choices.lies[].dummy", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].choices.lies[].new_name", &[Coalition]).instead(&[(Federation, NO_QUEUES)]),
    key("organization[].first_round", &[Coalition, Federation]),
    key("organization[].last_round", &[Coalition, Federation]),
    key("organization[].mutants", &[Coalition, Federation]),
    key("organization[].apart", &[Coalition, Federation]),
    key("organization[].uses", &[Grid, Federation]).instead(&[(Coalition, BALANCER),
        (Campaign, "leave it out: the `times` and `weights` of a class say where its tasks may run")]),
    key("organization[].bound", &[Grid]),
    key("organization[].workload", &[Grid, Coalition, Federation]).instead(&[(Campaign, APPLICATIONS)]),
    key("organization[].workload.swf.partitions", &[Grid, Federation]),
    key("organization[].workload.*.estimates", &[Grid, Federation]),
    key("organization[].cluster.space_shared", &[Grid, Federation]).instead(&[(Coalition, LOAD), (Campaign, SITE)]),
    key("cluster[].kind.space_shared", &[Grid, Federation]).instead(&[(Coalition, LOAD), (Campaign, SITE)]),
    key("organization[].cluster.space_shared.share", &[Federation]).instead(&[(Grid, SHARES)]),
    key("cluster[].kind.space_shared.share", &[Federation]).instead(&[(Grid, SHARES)]),
    key("organization[].cluster.time_shared", &[Grid, Coalition]).instead(&[(Campaign, SITE)]),
    key("cluster[].kind.time_shared", &[Grid, Coalition]).instead(&[(Campaign, SITE)]),
    key("organization[].cluster.time_shared.processors", &[Coalition]).idle("1").instead(&[(Grid, JOBS)]),
    key("cluster[].kind.time_shared.processors", &[Coalition]).idle("1").instead(&[(Grid, JOBS)]),
    key("organization[].cluster.site", &[Campaign]).instead(&[(Grid, JOBS)]),
    key("cluster[].kind.site", &[Campaign]).instead(&[(Grid, JOBS)]),
    key("grid_scheduler", &[Grid, Federation]).instead(&[(Coalition, BALANCER), (Campaign, PLANS)]),
    key("planner", &[Grid, Federation]).instead(&[(Coalition, BALANCER), (Campaign, PLANS)]),
    key("planning", &[Grid, Federation]).instead(&[(Campaign, "leave it out; `task_planning` is the task planner's")]),
    key("task_planning", &[Campaign]),
    key("workload.swf", &[Grid, Federation]).instead(&[(Coalition, OWN_JOBS), (Campaign, APPLICATIONS)]),
    key("workload.shared", &[Grid, Federation]).instead(&[(Coalition, OWN_JOBS), (Campaign, APPLICATIONS)]),
    key("workload.jobs", &[Grid, Coalition, Federation]).instead(&[(Campaign, APPLICATIONS)]),
    key("job", &[Grid, Coalition, Federation]).instead(&[(Campaign, APPLICATIONS)]),
    key("run.clairvoyance", &[Grid, Campaign, Federation]).idle("estimate"),
    key("run.phase_order", &[Grid]).idle("instant"),
    key("run.never_runs", &[Grid, Federation]).idle("error")
        .instead(&[(Coalition, "leave it out; a cluster that is too small needs more `processors`")]),
    key("run.until.rounds", &[Coalition, Federation]).instead(&[(Grid, NO_ROUNDS), (Campaign, NO_ROUNDS)]),
    key("run.until.goes_on", &[Coalition, Federation]).instead(&[(Grid, NO_ROUNDS), (Campaign, NO_ROUNDS)]),
    key("run.until.precision.each.rounds", &[Coalition, Federation]).instead(&[(Grid, NO_ROUNDS), (Campaign, NO_ROUNDS)]),
    key("run.until.jobs", &[Grid, Coalition, Federation]).instead(&[(Campaign, "end it with `time` or `drained`")]),
    key("output.rounds", &[Coalition, Federation]),
    key("output.moves", &[Coalition]),
    key("output.everyone_in", &[Coalition, Federation]),
    key("output.alternatives", &[Coalition, Federation]),
    key("output.decisions", &[Grid]).idle("false").instead(&[(Coalition, "set `output.jobs` and \
        `output.moves`: what `gridpact explain` tells of a coalition's job is in these files")]),
    key("output.plans", &[Grid]).idle("false")
        .instead(&[(Campaign, "leave it out; `runs.csv` tells what ran where")]),
    key("output.welch", &[Grid]).idle("false")
        .instead(&[(Coalition, "leave it out; `timeline.svg` and `learning.svg` show a coalition's course")]),
    key("output.alone", &[Grid, Federation]).idle("false").instead(&[(Coalition, ALONE)]),
    key("output.warm_up", &[Grid]).idle("0").instead(&[(Coalition, COUNTS)]),
    key("output.cool_down", &[Grid]).idle("0").instead(&[(Coalition, COUNTS)]),
    key("output.tau", &[Grid, Federation]),
    key("output.histograms", &[Grid, Coalition, Federation]),
    key("output.timeline", &[Grid, Coalition, Federation]),
    key("output.windows", &[Grid, Coalition, Federation]),
];

/// Keys of games.
#[rustfmt::skip]
const GAMES: &[Belongs] = &[
    key("run", &[Game, Dynamics]).instead(&[(Solved, SOLVED)]),
    key("output", &[Game, Dynamics]).instead(&[(Solved, SOLVED)]),
    key("dynamics", &[Dynamics]).instead(&[(Solved, SOLVED)]),
    key("game.actions", &[Game, Dynamics]).instead(&[(Solved, SOLVED)]),
    key("player", &[Game]).instead(&[(Solved, SOLVED),
        (Dynamics, "leave out either `[[player]]` or `[dynamics]`")]),
    key("game.noise", &[Game]).instead(&[(Solved, SOLVED),
        (Dynamics, "leave it out: dynamics know the payoffs, which no noise changes")]),
    key("run.until", &[Game]).instead(&[(Dynamics, "leave it out, and give `until` or `steps` of the dynamics")]),
    key("output.rounds", &[Game]).instead(&[(Dynamics, "leave it out: dynamics have no rounds of players")]),
    key("player[].choices.level", &[Coalition]).instead(&[(Game, NO_LEVELS)]),
    key("player[].choices.levels", &[Coalition]).instead(&[(Game, NO_LEVELS)]),
    key("player[].choices.lies", &[Coalition]).instead(&[(Game, NO_LEVELS)]),
    key("player[].choices.out", &[Coalition]).instead(&[(Game, NO_LEVELS)]),
];

/// Reports each key that belongs to other subjects than the file's.
pub(super) fn refusals(tree: &Node, root: Root) -> Vec<(Path, Diagnostic)> {
    let mut refused: Vec<(Path, Diagnostic)> = Vec::new();
    let keys = if root.is_game() { GAMES } else { SCENARIOS };
    for belongs in keys.iter().filter(|one| !one.to.contains(&root)) {
        let mut found = Vec::new();
        let steps: Vec<&str> = belongs.key.split('.').collect();
        written(tree, &steps, &Trail { up: None, step: Step::Root }, &mut found);
        for (path, node) in found {
            let is_inside = refused.iter().any(|(outer, _)| path.is_in(outer));
            if !is_inside && !is_idle(node, belongs.idle) {
                let wrong = belongs.refusal(tree, &path, root);
                refused.push((path, wrong));
            }
        }
    }
    refused
}

impl Belongs {
    fn refusal(&self, tree: &Node, path: &Path, root: Root) -> Diagnostic {
        // A federation is a coalition too.
        let is_told = |root: &&Root| **root != Federation || !self.to.contains(&Coalition);
        let nouns: Vec<&str> = self.to.iter().filter(is_told).map(|root| root.noun()).collect();
        let (key, nouns) = (path.without_indices(), nouns.join(" or "));
        let message = format!("`{key}` belongs to {nouns}, and this is {}", root.noun());
        let instead = self.instead.iter().find(|(of, _)| *of == root);
        let instead = instead.map_or("leave it out", |(_, instead)| instead);
        let change = match (root, self.to) {
            (Grid, [Coalition, Federation]) => {
                ", or write a `[coalition]` with `period` and `balancer`"
            }
            (Grid, [Campaign]) => ", or write `task_planner` and `[[application]]`",
            _ => "",
        };
        let wrong = Diagnostic::at_path(tree, path, message).help(format!("{instead}{change}"));
        match Root::of(tree).filter(|_| !matches!(root, Grid | Game)) {
            Some((_, sign)) => {
                let place = sign.key.as_ref().unwrap_or(&sign.place).clone();
                wrong.also(place, format!("this makes it {}", root.noun()))
            }
            None => wrong,
        }
    }
}

/// Finds the values at a path with `[]` and `*`.
fn written<'n>(node: &'n Node, steps: &[&str], at: &Trail<'_>, found: &mut Vec<(Path, &'n Node)>) {
    let Some((step, rest)) = steps.split_first() else { return found.push((at.path(), node)) };
    let key = step.trim_end_matches("[]");
    match &node.value {
        Value::Table(entries) => {
            for (name, inside) in entries.iter().filter(|(name, _)| key == "*" || name == key) {
                let at = &at.below(Step::Key(name));
                match &inside.value {
                    Value::Array(elements) if key != *step => {
                        for (index, element) in elements.iter().enumerate() {
                            written(element, rest, &at.below(Step::Index(index)), found);
                        }
                    }
                    _ => written(inside, rest, at, found),
                }
            }
        }
        // A choice by its bare name.
        Value::String(name) if name == step && rest.is_empty() => {
            found.push((at.below(Step::Key(name)).path(), node));
        }
        _ => {}
    }
}

/// Returns true if the value is this one, or a choice with this one or of this name.
fn is_idle(node: &Node, idle: &str) -> bool {
    match &node.value {
        Value::Bool(is) => idle == is.to_string(),
        Value::Integer(number) => idle == number.to_string(),
        Value::Float(number) => idle == number.to_string(),
        Value::String(name) => idle == name,
        Value::Table(entries) => match &entries[..] {
            [(name, inside)] => name == idle || is_idle(inside, idle),
            _ => false,
        },
        Value::Array(_) | Value::Datetime(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::keys_in;

    /// A key that is renamed or gets another default does so here too.
    #[test]
    fn every_key_is_one_of_its_kind_of_file_and_idle_values_are_defaults() {
        for (keys, kind) in [(SCENARIOS, Grid), (GAMES, Game)] {
            for belongs in keys {
                let is_it = |key: &str| {
                    let (wanted, given) =
                        (belongs.key.split('.'), key.trim_end_matches("[]").split('.'));
                    wanted.clone().count() == given.clone().count()
                        && wanted.zip(given).all(|(wanted, given)| wanted == "*" || wanted == given)
                };
                let known = keys_in(kind).iter().find(|one| is_it(&one.key));
                let known = known.unwrap_or_else(|| panic!("there is no key {}", belongs.key));
                let default = known.default.as_deref().unwrap_or(belongs.idle);
                assert!(default.contains(belongs.idle), "{}: {default}", belongs.key);
            }
        }
    }

    #[test]
    fn keys_of_other_subjects_are_found_at_any_depth_and_told_once() {
        let told = |text: &str, root: Root| -> Vec<String> {
            let mut files = crate::files::Files::new();
            let file = files.add("s.toml", text);
            let tree = crate::tree::parse(&files, file, 0).unwrap();
            refusals(&tree, root).into_iter().map(|(path, _)| path.to_string()).collect()
        };
        let grid = "[[organization]]\nlearner.always = {}\n[[organization]]\ncluster = \"site\"\n";
        assert_eq!(told(grid, Grid), ["organization[0].learner", "organization[1].cluster.site"]);
        assert_eq!(
            told("[run]\nuntil.rounds = 3\n[output]\nrounds = true", Solved),
            ["run", "output"]
        );
        assert_eq!(told("output = { warm_up.fixed = 0.0, alone = false }", Coalition), [""; 0]);
        assert_eq!(told("output.warm_up = \"mser_5\"", Coalition), ["output.warm_up"]);
    }
}
