//! The points of a parameter study: `[sweep]` of a scenario or a game.
//!
//! The points of a list and a grid are combined with those that are drawn; computed keys follow from
//! the rest. A point is a list of settings, as `--set` takes them, so that everything that can be set
//! can be varied.

mod axis;

use rustc_hash::FxHashMap;

use super::diagnostics::{Diagnostic, nearest, show};
use super::files::{Files, Place};
use super::path::Path;
use super::plan::Plan;
use super::raw;
use super::tree::{Node, Value as Toml};
use findings::measure::Measure;
use findings::unit;
use kernel::rng::Streams;
use stats::design::{Saltelli, latin_hypercube, sobol};

pub use axis::Value;
use axis::{Axis, axes, singles};
use model::formula::Formula;

/// Most points of a sweep.
pub const MOST_POINTS: usize = 100_000;

/// The points of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The keys that vary, and the variables, in the order of the columns of `points.csv`.
    pub keys: Vec<Key>,
    /// The values of each point, in the order of the keys.
    pub points: Vec<Vec<Value>>,
    /// The key whose values are compared, all others being equal.
    pub compared: Option<usize>,
    /// The keys whose Sobol indices can be estimated.
    pub sobol: Option<Indices>,
    /// True if points are drawn, so that two of them may be the same.
    pub is_drawn: bool,
    /// The measure that is to be shown first, if one is named.
    pub shown: Option<&'static Measure>,
    /// The organization or class that it is shown of.
    pub unit: String,
}

/// A parameter study: its points, and the plan of each.
#[derive(Clone, Debug)]
pub struct Study {
    /// The points.
    pub design: Design,
    /// The plan of each point.
    pub plans: Vec<Plan>,
    /// The measure that tables and pictures show first.
    pub shown: &'static Measure,
}

/// A key that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it was written.
    pub name: String,
    /// True if it only stands in formulas.
    pub is_variable: bool,
    /// True if it follows from others.
    pub is_computed: bool,
}

/// The layout of points from which Sobol indices are estimated: for each combination of the other
/// keys, `rows` groups of points in the order of [`Saltelli`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indices {
    /// Number of base points.
    pub rows: usize,
    /// The keys.
    pub keys: std::ops::Range<usize>,
}

impl Design {
    /// The settings of a point, as `--set` takes them.
    pub fn settings(&self, point: usize) -> Vec<String> {
        let keys = self.keys.iter().zip(&self.points[point]);
        let keys = keys.filter(|(key, _)| !key.is_variable);
        keys.map(|(key, value)| format!("{}={}", key.name, value.toml())).collect()
    }

    /// The keys of a point with their values, for people: `scheduler = easy, load.factor = 0.5`.
    pub fn told(&self, point: usize) -> String {
        let keys = self.keys.iter().zip(&self.points[point]);
        let told = keys.map(|(key, value)| format!("{} = {}", key.name, value.shown()));
        told.collect::<Vec<_>>().join(", ")
    }

    /// The shortest end of a key's name that no other key has, for people: `load` of
    /// `workload.shared.load`.
    pub fn short(&self, key: usize) -> &str {
        let name = &self.keys[key].name;
        let starts = name.char_indices().rev().filter(|(_, c)| *c == '.').map(|(at, _)| at + 1);
        let ends = starts.map(|at| &name[at..]);
        let is_own = |end: &&str| {
            let has = |other: &Key| other.name == **end || other.name.ends_with(&format!(".{end}"));
            self.keys.iter().filter(|other| has(other)).count() == 1
        };
        ends.clone().find(is_own).unwrap_or(name)
    }

    /// The key of this name, or the only one that ends in it.
    ///
    /// # Errors
    /// The mistake in the name, in words.
    pub fn key(&self, name: &str) -> Result<usize, String> {
        find(self.keys.iter().map(|key| &*key.name), name)
    }

    /// Groups of points that differ in this key alone, in the order of its values; a point without one
    /// to compare with is left out.
    pub fn groups_by(&self, key: usize) -> Vec<Vec<usize>> {
        let others = |point: &usize| {
            let values = self.points[*point].iter().enumerate();
            let values = values.filter(|(at, _)| *at != key && !self.keys[*at].is_computed);
            values.map(|(_, value)| value.toml()).collect::<Vec<_>>()
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: FxHashMap<Vec<&str>, usize> = Default::default();
        for point in 0..self.points.len() {
            let group = *known.entry(others(&point)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(point);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

/// The index of the name, or of the only one that ends in it.
///
/// # Errors
/// The mistake in the name, in words.
pub fn find<'a>(names: impl Iterator<Item = &'a str> + Clone, name: &str) -> Result<usize, String> {
    if let Some(at) = names.clone().position(|one| one == name) {
        return Ok(at);
    }
    let ends = |one: &str| one.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let found: Vec<(usize, &str)> =
        names.clone().enumerate().filter(|(_, one)| ends(one)).collect();
    match &found[..] {
        [(at, _)] => Ok(*at),
        [] => {
            let near = nearest(name, names.clone());
            let all = names.collect::<Vec<_>>().join("`, `");
            let near = near.first().map(|near| format!("; did you mean `{near}`?"));
            let near = near.unwrap_or_else(|| format!("; there are `{all}`"));
            Err(format!("no key called `{}` varies{near}", show(name)))
        }
        several => {
            let all = several.iter().map(|(_, one)| *one).collect::<Vec<_>>().join("` or `");
            Err(format!("`{}` may be `{all}`", show(name)))
        }
    }
}

/// Points under way: names of their keys, and the values of each.
#[derive(Default)]
struct Block {
    keys: Vec<(String, Place)>,
    points: Vec<Vec<Value>>,
}

/// Reads a design; `tree` is the whole scenario, of which `raw` was read.
///
/// # Errors
/// All mistakes in it.
pub(super) fn design(
    raw: &raw::Sweep,
    tree: &Node,
    files: &Files,
) -> Result<Design, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let path = |text: &str| text.parse::<Path>().expect("this path is written well");
    let at = |text: &str| tree.lookup(&path(text));
    let refused = |at: &str, message: &str| Diagnostic::at_path(tree, &path(at), message);
    let mut blocks = vec![list(at("sweep.list"), files, &mut wrong)];
    let grid = at("sweep.grid").map(|node| axes(node, files, &mut wrong)).unwrap_or_default();
    let mut number = blocks[0].points.len().max(1);
    for axis in &grid {
        number = number.saturating_mul(axis.count().unwrap_or(1));
        match axis.values() {
            Ok(values) if number <= MOST_POINTS => blocks.push(Block {
                keys: vec![(axis.key.clone(), axis.place.clone())],
                points: values.into_iter().map(|value| vec![value]).collect(),
            }),
            Ok(_) => {}
            Err(one) => wrong.push(*one),
        }
    }
    let fixed: usize = blocks.iter().map(|block| block.keys.len()).sum();
    let mut sobol_rows = None;
    let drawn = match (&raw.latin_hypercube, &raw.sobol) {
        (Some(_), Some(_)) => {
            let one = refused("sweep.sobol", "points are drawn in one way");
            wrong.push(one.help("leave `latin_hypercube` or `sobol` out"));
            None
        }
        (Some(drawn), None) => Some(("sweep.latin_hypercube", drawn.points, false, drawn.seed)),
        (None, Some(drawn)) => Some(("sweep.sobol", drawn.points, drawn.indices, drawn.seed)),
        (None, None) => None,
    };
    if let Some((way, points, has_indices, seed)) = drawn {
        let node = at(&format!("{way}.ranges"));
        let axes = node.map(|node| axes(node, files, &mut wrong)).unwrap_or_default();
        let each = if has_indices { axes.len() + 2 } else { 1 };
        number = number.saturating_mul((points as usize).saturating_mul(each));
        if axes.is_empty() && wrong.is_empty() {
            let help = "write keys with ranges, such as `load.factor = { from = 0.5, to = 0.9 }`";
            wrong.push(refused(&format!("{way}.ranges"), "there is nothing to draw").help(help));
        } else if number <= MOST_POINTS {
            let mut rng = Streams::new(seed).stream("sweep");
            let shares = match (&raw.sobol, has_indices) {
                (None, _) => Ok(latin_hypercube(points as usize, axes.len(), &mut rng)),
                (Some(_), false) => sobol(points as usize, axes.len(), &mut rng),
                (Some(_), true) => Saltelli::new(points as usize, axes.len(), &mut rng)
                    .map(|design| design.points().collect()),
            };
            match shares {
                Ok(shares) => blocks.push(drawn_block(&axes, &shares)),
                Err(large) => wrong.push(refused(way, &large.to_string())),
            }
            sobol_rows = has_indices.then_some((points as usize, fixed..fixed + axes.len()));
        }
    }
    if number > MOST_POINTS {
        wrong.push(refused("sweep", &format!("these are more than {MOST_POINTS} points")));
    }
    let block = blocks.into_iter().fold(Block::default(), combined);
    check_keys(&block.keys, &mut wrong);
    let mut keys: Vec<Key> = Vec::new();
    for (name, _) in &block.keys {
        let is_variable = raw.variables.contains(name);
        keys.push(Key { name: name.clone(), is_variable, is_computed: false });
    }
    for variable in &raw.variables {
        if !keys.iter().any(|key| key.name == *variable) {
            let message = format!("the variable `{}` has no values", show(variable));
            wrong.push(refused("sweep.variables", &message));
        }
    }
    let shown = raw.measure.map(|metric| metric.measure());
    let mut design = Design {
        keys,
        points: block.points,
        compared: None,
        sobol: None,
        is_drawn: drawn.is_some(),
        shown,
        unit: raw.unit.clone().unwrap_or_else(|| unit::ALL.to_owned()),
    };
    if let Some(node) = at("sweep.computed").filter(|_| wrong.is_empty()) {
        computed(node, &mut design, files, &mut wrong);
    }
    if wrong.is_empty() && (design.points.is_empty() || block.keys.is_empty()) {
        let one = refused("sweep", "this sweep varies nothing");
        wrong.push(one.help("write `[sweep.grid]` and below it keys with lists of values"));
    }
    design.compared = match &raw.compare {
        None => (0..design.keys.len()).find(|&key| {
            !design.keys[key].is_computed && design.points.iter().any(|point| is_word(&point[key]))
        }),
        Some(name) => {
            design.key(name).map_err(|message| wrong.push(refused("sweep.compare", &message))).ok()
        }
    };
    design.sobol = sobol_rows.map(|(rows, keys)| Indices { rows, keys });
    if wrong.is_empty() { Ok(design) } else { Err(wrong) }
}

/// True for a value that is neither a number nor true or false.
fn is_word(value: &Value) -> bool {
    value.as_number().is_none() && !matches!(value.toml(), "true" | "false")
}

/// The points of `sweep.list`, which all have the same keys.
fn list(node: Option<&Node>, files: &Files, wrong: &mut Vec<Diagnostic>) -> Block {
    let mut block = Block::default();
    let Some(Node { value: Toml::Array(elements), .. }) = node else { return block };
    for element in elements {
        let values = singles(element, files);
        if block.points.is_empty() {
            block.keys =
                values.iter().map(|(key, place, _)| (key.clone(), place.clone())).collect();
        }
        let mut point = Vec::new();
        for (key, _) in &block.keys {
            point.extend(
                values.iter().find(|(one, ..)| one == key).map(|(.., value)| value.clone()),
            );
        }
        if point.len() != block.keys.len() || values.len() != block.keys.len() {
            let names: Vec<&str> = block.keys.iter().map(|(key, _)| &**key).collect();
            let message = "every point of a list has the same keys";
            let label = format!("the first one has `{}`", names.join("`, `"));
            wrong.push(Diagnostic::error(message).at(element.place.clone(), label));
            return block;
        }
        block.points.push(point);
    }
    block
}

/// The points that are drawn; `shares` has the coordinates of each in the unit cube.
fn drawn_block(axes: &[Axis], shares: &[Vec<f64>]) -> Block {
    let value = |(axis, share): (&Axis, &f64)| axis.at(*share, true);
    Block {
        keys: axes.iter().map(|axis| (axis.key.clone(), axis.place.clone())).collect(),
        points: shares.iter().map(|point| axes.iter().zip(point).map(value).collect()).collect(),
    }
}

/// All combinations of two blocks; the second changes first.
fn combined(mut all: Block, next: Block) -> Block {
    if next.keys.is_empty() {
        return all;
    }
    if all.keys.is_empty() {
        return next;
    }
    all.keys.extend(next.keys);
    let with = |begin: &Vec<Value>| {
        let begin = begin.clone();
        next.points.iter().map(move |end| [&begin[..], end].concat())
    };
    all.points = all.points.iter().flat_map(with).collect();
    all
}

/// Checks that no key is there twice.
fn check_keys(keys: &[(String, Place)], wrong: &mut Vec<Diagnostic>) {
    for (at, (key, place)) in keys.iter().enumerate() {
        if let Some((_, first)) = keys[..at].iter().find(|(other, _)| other == key) {
            let message = format!("`{}` varies in two ways", show(key));
            let one = Diagnostic::error(message).at(place.clone(), "again here");
            wrong.push(one.also(first.clone(), "first here"));
        }
    }
}

/// Adds the keys that formulas give.
fn computed(node: &Node, design: &mut Design, files: &Files, wrong: &mut Vec<Diagnostic>) {
    for (name, place, value) in singles(node, files) {
        let names: Vec<String> = design.keys.iter().map(|key| key.name.clone()).collect();
        let find = |name: &str| find(names.iter().map(|name| &**name), name);
        let refused =
            |message: String| Diagnostic::error(message).at(place.clone(), "this formula");
        if names.contains(&name) {
            wrong.push(refused(format!("`{}` varies, and is computed as well", show(&name))));
            continue;
        }
        let formula = match Formula::read(value.shown(), &find) {
            Ok(formula) => formula,
            Err(message) => {
                wrong.push(refused(message));
                continue;
            }
        };
        for point in &mut design.points {
            // A word stands for no number; a formula that names it gives none.
            let numbers: Vec<f64> =
                point.iter().map(|value| value.as_number().unwrap_or(f64::NAN)).collect();
            let result = formula.value(&numbers);
            if !result.is_finite() {
                let keys = design.keys.iter().zip(&*point);
                let told: Vec<String> =
                    keys.map(|(key, value)| format!("{} = {}", key.name, value.shown())).collect();
                wrong.push(
                    refused(format!("this formula gives no number at {}", told.join(", ")))
                        .help("a formula takes keys and variables with numbers for values"),
                );
                return;
            }
            point.push(Value::number(result));
        }
        design.keys.push(Key { name, is_variable: false, is_computed: true });
    }
}

#[cfg(test)]
mod tests;
