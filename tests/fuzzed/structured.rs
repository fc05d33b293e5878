//! Scenario files that are nearly right: a whole scenario, mutated key by key, so that what lies
//! behind syntax and types is reached.

use std::sync::LazyLock;

use toml::{Table, Value};

use super::draws::Draws;
use super::scenario::{self, Came};

/// Scenarios to begin with; together they use every key.
const BASES: [&str; 7] = [
    include_str!("files/machine.toml"),
    include_str!("files/users.toml"),
    include_str!("files/farm.toml"),
    include_str!("files/hand.toml"),
    include_str!("files/drawn.toml"),
    include_str!("files/coalition.toml"),
    include_str!("files/planned.toml"),
];

/// The words of scenario files, one a line in quotes; the fuzzer knows them too.
const WORDS: &str = include_str!("scenario.dict");

/// Values that lie at edges.
const VALUES: &str = r#"all = [0, 1, 2, 3, -1, 4, 7, 8, 9, 20, 100, 4294967295, 4294967296,
    1000000, 9223372036854775807, -9223372036854775808, 0.0, -0.0, 0.5, 1e-7, 1e-300, 1e9, 1e12,
    1152921504606.846976, 1152921504607.0, 1e15, 1e300, nan, inf, -inf, true, false, "", "*", "a",
    "b", "a-1", "m", " x", "x,y", "\u0000\u001b[31m", "\u202e", "é", "日本", "trace.swf",
    "unsorted.swf", "cut.swf.gz", "machine.toml", "users.toml", "cycle.toml", "bad.toml", "garbage.swf", "empty.swf", "jobs.csv", "owners.csv", ".", "..",
    1979-05-27, 07:32:00, [], [1], ["a"], [[]], [{}], {}, { a = 1 }, "drained", "easy",
    { easy = {} }, { list = { order = "random" } }, { time = 5.0 }, { jobs = 3 }]"#;

/// Values that mutations draw from.
struct Stock {
    bases: Vec<Table>,
    words: Vec<String>,
    values: Vec<Value>,
}

static STOCK: LazyLock<Stock> = LazyLock::new(|| {
    let table = |text: &str| text.parse::<Table>().expect("it is TOML");
    let Value::Array(values) = table(VALUES)["all"].clone() else { unreachable!("it is a list") };
    Stock { bases: BASES.map(table).into(), words: words(), values }
});

/// The words of the dictionary.
pub fn words() -> Vec<String> {
    let entries = WORDS.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    entries.map(str::to_owned).collect()
}

/// Reads the scenario that the bytes make.
pub fn read(bytes: &[u8]) -> Came {
    scenario::read(text(bytes).as_bytes())
}

/// The scenario that the bytes make: a base and some mutations, and settings before it.
pub fn text(bytes: &[u8]) -> String {
    let mut draws = Draws(bytes);
    let kind = draws.byte();
    let mut root = Value::Table(STOCK.bases[usize::from(kind) % BASES.len()].clone());
    let mut text = String::new();
    for _ in 0..kind >> 6 {
        text.push_str(&setting(&mut draws));
        text.push('\0');
    }
    for _ in 0..12 {
        if draws.0.is_empty() || root.as_table().is_none_or(Table::is_empty) {
            break;
        }
        mutate(&mut root, &mut draws);
    }
    text + &toml::to_string(&root).expect("a table can be written")
}

/// A setting of a command line.
fn setting(draws: &mut Draws<'_>) -> String {
    let mut setting = draws.of(&STOCK.words).clone();
    for _ in 0..draws.below(4) {
        match draws.below(8) {
            0 => setting.push_str(".*"),
            1 => setting.push_str(&format!("[{}]", draws.below(4))),
            2 => setting.push_str(draws.of::<&str>(&[".a", ".b", ".m", ".\"a\"", "..", ".", " "])),
            _ => setting.push_str(&format!(".{}", draws.of(&STOCK.words))),
        }
    }
    let value = value(draws);
    let bare = value.as_str().filter(|_| draws.below(2) == 0);
    format!("{setting}={}", bare.map_or_else(|| value.to_string(), str::to_owned))
}

/// Goes to some table or array, and changes something in it.
fn mutate(at: &mut Value, draws: &mut Draws<'_>) {
    let stay = draws.below(4) == 0;
    let is_leaf = |value: &Value| !(value.is_table() || value.is_array());
    match at {
        Value::Table(table) if !table.is_empty() => {
            let index = draws.below(table.len());
            match table.iter_mut().nth(index) {
                Some((_, value)) if !stay && !is_leaf(value) => mutate(value, draws),
                _ => in_table(table, index, draws),
            }
        }
        Value::Array(array) if !array.is_empty() => {
            let index = draws.below(array.len());
            if stay || is_leaf(&array[index]) {
                in_array(array, index, draws);
            } else {
                mutate(&mut array[index], draws);
            }
        }
        other => *other = value(draws),
    }
}

fn value(draws: &mut Draws<'_>) -> Value {
    match draws.below(8) {
        0 => Value::String(draws.of(&STOCK.words).clone()),
        1 => Value::Integer(i64::from(draws.byte())),
        2 => Value::Float(f64::from(draws.byte()) / 16.0),
        _ => draws.of(&STOCK.values).clone(),
    }
}

fn in_table(table: &mut Table, index: usize, draws: &mut Draws<'_>) {
    let key = table.keys().nth(index).expect("it is among them").clone();
    match draws.below(8) {
        0 => {
            table.remove(&key);
        }
        1 => {
            table.insert(draws.of(&STOCK.words).clone(), value(draws));
        }
        2 => {
            if let Some(value) = table.remove(&key) {
                table.insert(draws.of(&STOCK.words).clone(), value);
            }
        }
        3 => {
            let value = table.remove(&key);
            table.insert(misspelt(&key, draws), value.expect("it is among them"));
        }
        4 => {
            let twin = table[&key].clone();
            table.insert(draws.of(&STOCK.words).clone(), twin);
        }
        5 => {
            let base = draws.of(&STOCK.bases);
            let index = draws.below(base.len());
            let (key, value) = base.iter().nth(index).expect("it is among them");
            table.insert(key.clone(), value.clone());
        }
        _ => {
            table.insert(key, value(draws));
        }
    }
}

fn in_array(array: &mut Vec<Value>, index: usize, draws: &mut Draws<'_>) {
    match draws.below(4) {
        0 => {
            array.remove(index);
        }
        1 | 2 if array.len() < 40 => array.push(array[index].clone()),
        _ => array[index] = value(draws),
    }
}

fn misspelt(key: &str, draws: &mut Draws<'_>) -> String {
    let mut letters: Vec<char> = key.chars().collect();
    if letters.is_empty() {
        return "x".to_owned();
    }
    let at = draws.below(letters.len());
    match draws.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = char::from(draws.byte()),
        _ => letters.truncate(at),
    }
    letters.into_iter().collect()
}
