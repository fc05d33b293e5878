//! The subject of a file, which is told by what is written in it: a grid, a coalition, a campaign or a
//! game. Scenarios have one set of keys and games another; `belongs` says which of
//! them a subject has.

use schemars::generate::SchemaSettings;
use serde_json::Value as Json;

use super::diagnostics::Diagnostic;
use super::raw;
use super::tree::{Node, Value};

/// The subject of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A grid of clusters to which jobs are submitted.
    Grid,
    /// A coalition whose members balance their load.
    Coalition,
    /// A coalition whose members pool space-shared clusters.
    Federation,
    /// A campaign: applications of tasks on sites.
    Campaign,
    /// A game of players who learn.
    Game,
    /// A game in which play moves by `[dynamics]`.
    Dynamics,
    /// A game that is solved and not played.
    Solved,
}

/// Keys that tell the subject; of those that a file has, the first one counts.
const SIGNS: [(&str, Root); 14] = [
    ("game.payoffs.sizes", Root::Solved),
    ("game.payoffs.coalitions", Root::Solved),
    ("game.payoffs.dedicated", Root::Solved),
    ("dynamics", Root::Dynamics),
    ("game", Root::Game),
    ("player", Root::Game),
    ("task_planner", Root::Campaign),
    ("application", Root::Campaign),
    ("workload.applications", Root::Campaign),
    ("coalition", Root::Coalition),
    ("organization", Root::Grid),
    ("cluster", Root::Grid),
    ("workload", Root::Grid),
    ("job", Root::Grid),
];

impl Root {
    /// Returns the subject of a text and the node that tells it. Whether it is a game or a scenario is
    /// told by the first key that only one of them has.
    pub fn of(tree: &Node) -> Option<(Root, &Node)> {
        let (kind, _) = Root::first(tree)?;
        let is_given = |node: &&Node| !matches!(&node.value, Value::Array(list) if list.is_empty());
        let signs = SIGNS.into_iter().filter(|(_, root)| root.is_game() == kind.is_game());
        let found =
            signs.filter_map(|(sign, root)| Some((root, tree.find(sign).filter(is_given)?))).next();
        match found.or(Root::first(tree)) {
            Some((Root::Coalition, node)) => {
                let spaces = Root::spaces(tree).map(|spaces| (Root::Federation, spaces));
                spaces.or(Some((Root::Coalition, node)))
            }
            other => other,
        }
    }

    /// Returns the first space-shared cluster if all clusters are.
    fn spaces(tree: &Node) -> Option<&Node> {
        let kinds = [("organization", "cluster"), ("cluster", "kind")].map(|(list, kind)| {
            let Some(Value::Array(entries)) = tree.find(list).map(|node| &node.value) else {
                return Vec::new();
            };
            entries.iter().filter_map(|entry| entry.find(kind)).collect::<Vec<&Node>>()
        });
        let spaces: Option<Vec<&Node>> =
            kinds.into_iter().flatten().map(|kind| kind.find("space_shared")).collect();
        spaces?.first().copied()
    }

    /// Returns true for coalitions of any kind, which are played in rounds.
    pub(super) fn has_rounds(self) -> bool {
        matches!(self, Root::Coalition | Root::Federation)
    }

    /// Returns the first top-level key that only games or only scenarios have.
    fn first(tree: &Node) -> Option<(Root, &Node)> {
        let Value::Table(entries) = &tree.value else { return None };
        entries.iter().find_map(|(key, node)| {
            SIGNS.iter().find(|(sign, _)| sign == key).map(|(_, root)| (*root, node))
        })
    }

    /// Returns true for games, which have keys of their own.
    pub fn is_game(self) -> bool {
        matches!(self, Root::Game | Root::Dynamics | Root::Solved)
    }

    /// Returns its noun, with an article.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Root::Grid => "a grid",
            Root::Coalition => "a coalition",
            Root::Federation => "a federation",
            Root::Campaign => "a campaign",
            Root::Game => "a game that players learn",
            Root::Dynamics => "a game of dynamics",
            Root::Solved => "a game that is solved",
        }
    }

    /// Returns an error if a scenario was given in place of a game, or a game in place of a scenario.
    pub(super) fn mismatch(self, tree: &Node) -> Option<Diagnostic> {
        let (found, node) =
            Root::first(tree).filter(|(root, _)| root.is_game() != self.is_game())?;
        let is_solved = matches!(Root::of(tree), Some((Root::Solved, _)));
        let (message, label, help) = match (found.is_game(), is_solved) {
            (true, true) => (
                "this is a game, without a grid",
                "only a game has this",
                "`gridpact game solve FILE` solves it",
            ),
            (true, false) => (
                "this is a game, without a grid",
                "only a game has this",
                "`gridpact game FILE` plays it",
            ),
            (false, _) => (
                "this is a scenario of a grid, not a game",
                "only a grid has this",
                "`gridpact run FILE` simulates it; a game has `[game]` and a `[[player]]` for each \
                 who plays (`gridpact new game`)",
            ),
        };
        let place = node.key.as_ref().unwrap_or(&node.place).clone();
        Some(Diagnostic::error(message).at(place, label).help(help))
    }

    /// Returns the derived schema.
    pub(super) fn derived(self) -> Json {
        self.generated(true)
    }

    /// Returns the same with references: each type stands once, under `$defs`.
    pub(super) fn parts(self) -> Json {
        self.generated(false)
    }

    fn generated(self, is_inlined: bool) -> Json {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = is_inlined;
        });
        let generator = settings.into_generator();
        Json::from(match self.is_game() {
            false => generator.into_root_schema_for::<raw::Scenario>(),
            true => generator.into_root_schema_for::<raw::Game>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::keys_in;

    #[test]
    fn every_sign_is_a_key_of_its_kind_of_file() {
        for (sign, root) in SIGNS {
            let is_it = |key: &str| key.trim_end_matches("[]") == sign;
            assert!(keys_in(root).iter().any(|one| is_it(&one.key)), "{sign}");
        }
    }

    #[test]
    fn the_subject_is_told_by_what_is_written() {
        for (text, expected) in [
            ("name = \"x\"", None),
            ("[[organization]]\n[coalition]\n", Some(Root::Coalition)),
            (
                "[[organization]]\ncluster.space_shared.processors = 1\n[coalition]\n",
                Some(Root::Federation),
            ),
            ("[[organization]]\n[[application]]\n[coalition]\n", Some(Root::Campaign)),
            ("organization = []\napplication = []\ncluster = [1]\n", Some(Root::Grid)),
            ("[workload.applications]\n", Some(Root::Campaign)),
            ("[game]\n[dynamics]\n", Some(Root::Dynamics)),
            ("[game]\npayoffs.sizes = [0, 1]\n", Some(Root::Solved)),
            // The first key of a kind tells which kind it is.
            ("[[player]]\n[coalition]\n", Some(Root::Game)),
            ("[[job]]\n[game]\n", Some(Root::Grid)),
        ] {
            let mut files = crate::files::Files::new();
            let file = files.add("s.toml", text);
            let tree = crate::tree::parse(&files, file, 0).unwrap();
            assert_eq!(Root::of(&tree).map(|(root, _)| root), expected, "{text}");
        }
    }
}
