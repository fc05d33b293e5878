//! The house rules, checked by reading the source as text.
//!
//! Which floor imports which (ARCHITECTURE.md), how long a line may be, what is not written outside
//! tests, and that no large file slips in. A failure names the file and the line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each floor, and the floors that it may import besides itself. What is on no list is imported by
/// nobody; the command line is another crate and may use anything.
const FLOORS: [(&str, &[&str]); 11] = [
    ("kernel", &[]),
    ("stats", &["kernel"]),
    ("game", &["kernel"]),
    ("model", &["kernel"]),
    ("workload", &["kernel", "stats", "model"]),
    ("policy", &["kernel", "stats", "model", "game"]),
    ("audit", &["kernel", "model"]),
    ("sim", &["kernel", "stats", "model", "game", "workload", "policy"]),
    ("scenario", &["kernel", "stats", "model", "game", "workload", "policy", "sim"]),
    ("report", &["kernel", "stats", "model", "game", "workload", "policy", "sim", "scenario"]),
    (
        "run",
        &[
            "kernel", "stats", "model", "game", "workload", "policy", "audit", "sim", "scenario",
            "report",
        ],
    ),
];

/// The top floor: it may import all of those.
const TOP: &str = "study";

const COLUMNS: usize = 100;
const LARGEST_FILE: u64 = 500_000;

/// What a character of a source file is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Text,
}

/// A source file, each character with what it is part of.
struct Source {
    /// From the project's root, with slashes.
    name: String,
    lines: Vec<Vec<(char, Part)>>,
    /// By line, whether it is in a test module.
    is_test: Vec<bool>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files under a folder of the project.
fn sources(folder: &str) -> Vec<Source> {
    let mut files = Vec::new();
    collect(&root().join(folder), &mut files);
    files.sort();
    let texts = files.into_iter().map(|file| {
        let path = file.strip_prefix(root()).expect("it is in the project");
        let name = path.to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(&file).expect("it can be read"))
    });
    let texts: Vec<(String, String)> = texts.collect();
    let test_files: Vec<String> =
        texts.iter().flat_map(|(name, text)| tests_of(name, text)).collect();
    texts
        .into_iter()
        .map(|(name, text)| {
            let all = test_files.contains(&name) || name.starts_with("tests/");
            Source::new(name, &text, all)
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The files that a file declares as test modules: `#[cfg(test)] mod name;`.
fn tests_of(name: &str, text: &str) -> Vec<String> {
    let folder = match name.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_owned(),
        _ => name.trim_end_matches(".rs").to_owned(),
    };
    let declares = |after: &str| -> Option<String> {
        let module = after.trim_start().strip_prefix("mod ")?.lines().next()?.strip_suffix(';')?;
        Some(format!("{folder}/{module}.rs"))
    };
    text.split("#[cfg(test)]").skip(1).filter_map(declares).collect()
}

impl Source {
    fn new(name: String, text: &str, all_tests: bool) -> Source {
        let lines = parts(text);
        let mut source = Source { name, is_test: vec![all_tests; lines.len()], lines };
        let mut line = 0;
        while line < source.lines.len() {
            if source.code(line).trim() == "#[cfg(test)]" {
                line = source.mark_test(line);
            }
            line += 1;
        }
        source
    }

    /// Marks the item that begins at a line, up to the brace that closes it.
    fn mark_test(&mut self, begin: usize) -> usize {
        let mut depth = 0;
        for line in begin..self.lines.len() {
            self.is_test[line] = true;
            let code = self.code(line);
            depth += code.matches('{').count();
            depth -= code.matches('}').count();
            let ends = code.contains('}') || code.trim_end().ends_with(';');
            if depth == 0 && ends {
                return line;
            }
        }
        self.lines.len()
    }

    /// A line without its comments and texts, of which spaces are left.
    fn code(&self, line: usize) -> String {
        let show = |&(char, part): &(char, Part)| if part == Part::Code { char } else { ' ' };
        self.lines[line].iter().map(show).collect()
    }

    fn whole(&self, line: usize) -> String {
        self.lines[line].iter().map(|&(char, _)| char).collect()
    }

    /// `file:line`, as editors understand it.
    fn at(&self, line: usize) -> String {
        format!("{}:{}", self.name, line + 1)
    }
}

/// Tells code, comments and texts apart; enough of Rust's lexer for the source as rustfmt leaves
/// it.
fn parts(text: &str) -> Vec<Vec<(char, Part)>> {
    let chars: Vec<char> = text.chars().collect();
    let mut all: Vec<(char, Part)> = Vec::with_capacity(chars.len());
    let starts =
        |at: usize, what: &str| chars[at..].iter().copied().take(what.len()).eq(what.chars());
    while all.len() < chars.len() {
        let at = all.len();
        let (part, end) = if starts(at, "//") {
            (Part::Comment, (at..chars.len()).find(|&at| chars[at] == '\n').unwrap_or(chars.len()))
        } else if chars[at] == '"' {
            (Part::Text, end_of_text(&chars, at))
        } else if chars[at] == 'r' && is_raw(&chars, at) {
            let hashes = chars[at + 1..].iter().take_while(|&&char| char == '#').count();
            let close = format!("\"{}", "#".repeat(hashes));
            let ends = (at + hashes + 2..chars.len()).find(|&at| starts(at, &close));
            (Part::Text, ends.map_or(chars.len(), |end| end + close.len()))
        } else if let Some(length) = length_of_char(&chars[at..]) {
            (Part::Text, at + length)
        } else {
            (Part::Code, at + 1)
        };
        all.extend(chars[at..end].iter().map(|&char| (char, part)));
    }
    all.split(|&(char, _)| char == '\n').map(<[_]>::to_vec).collect()
}

fn end_of_text(chars: &[char], begin: usize) -> usize {
    let mut at = begin + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// Does a raw text begin here, and not a name that ends in r?
fn is_raw(chars: &[char], at: usize) -> bool {
    let in_name = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    let in_name =
        in_name && !(chars[at - 1] == 'b' && (at < 2 || !chars[at - 2].is_alphanumeric()));
    let behind = chars[at + 1..].iter().find(|&&char| char != '#');
    !in_name && behind == Some(&'"')
}

/// The length of the character literal that begins here, if one does (and not a lifetime).
fn length_of_char(chars: &[char]) -> Option<usize> {
    match chars {
        ['\'', '\\', _, rest @ ..] => rest.iter().position(|&char| char == '\'').map(|end| end + 4),
        ['\'', _, '\'', ..] => Some(3),
        _ => None,
    }
}

#[track_caller]
fn none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

fn may_import(floor: &str, imported: &str) -> bool {
    if floor == imported {
        return true;
    }
    if floor == TOP {
        return FLOORS.iter().any(|(below, _)| *below == imported);
    }
    let below = FLOORS.iter().find(|(name, _)| *name == floor).map(|(_, below)| *below);
    below.is_some_and(|below| below.contains(&imported))
}

/// The names that follow `crate::` in a line of code, or as many `super::` as lead to the crate,
/// each with what follows it.
fn imports(code: &str, depth: usize) -> Vec<(String, String)> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let names = |path: &str| {
        let mut names = path
            .split("::")
            .map(|name| name.chars().take_while(|&char| is_name(char)).collect::<String>());
        (names.next().unwrap_or_default(), names.next().unwrap_or_default())
    };
    let up = "super::".repeat(depth);
    let paths =
        ["crate::", &*up].map(|root| code.match_indices(root).map(|(at, _)| at + root.len()));
    let [from_crate, from_super] = paths;
    from_crate.chain(from_super).map(|at| names(&code[at..])).collect()
}

#[test]
fn a_floor_imports_only_what_lies_below_it() {
    let mut broken = Vec::new();
    for source in sources("src") {
        let path: Vec<&str> = source.name.split('/').skip(1).collect();
        let [floor, inside @ ..] = &path[..] else { continue };
        if inside.is_empty() || *floor == "cli" {
            continue;
        }
        let known = *floor == TOP || FLOORS.iter().any(|(name, _)| name == floor);
        if !known {
            broken.push(format!("{}: the floor `{floor}` is not in this test's list", source.name));
        }
        let depth = path.len() - usize::from(path.ends_with(&["mod.rs"]));
        for line in 0..source.lines.len() {
            for (imported, folder) in imports(&source.code(line), depth) {
                // A macro lives at the root whatever its floor.
                if imported == "state_of_fields" {
                    continue;
                }
                if !may_import(floor, &imported) {
                    broken.push(format!("{}: {floor} imports {imported}", source.at(line)));
                }
                if imported == "policy"
                    && *floor == "policy"
                    && inside.len() > 1
                    && folder != inside[0]
                {
                    let text = format!(
                        "{}: policy/{} imports policy/{folder}",
                        source.at(line),
                        inside[0]
                    );
                    broken.push(text);
                }
            }
        }
    }
    none("a module imports only from its own floor or the floors below it", &broken);
}

/// Comments are not reflowed by rustfmt, so they are looked at here. What is over may be the rest
/// of an address, or of a text with what closes it.
#[test]
fn lines_are_no_longer_than_a_hundred_columns() {
    let mut broken = Vec::new();
    for source in ["src", "tests", "benches", "examples", "fuzz/src", "fuzz/fuzz_targets"]
        .into_iter()
        .flat_map(sources)
    {
        for (number, line) in source.lines.iter().enumerate() {
            let (before, over) = line.split_at(line.len().min(COLUMNS));
            let Some(first) = over.first() else { continue };
            let was_text = before.last().is_some_and(|&(_, part)| part == Part::Text);
            let closes = over.iter().all(|(char, _)| ",;)]".contains(*char));
            let is_text = first.1 == Part::Text || (was_text && closes);
            let last_word = before.rsplit(|&(char, _)| char == ' ').next().unwrap_or_default();
            let address: String = last_word.iter().map(|&(char, _)| char).collect();
            if !is_text && !address.contains("://") {
                broken.push(format!("{}: {} columns", source.at(number), line.len()));
            }
        }
    }
    none("a line has at most 100 columns", &broken);
}

/// Does `word` stand in the code by itself, and not as the end of a longer name?
fn holds(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|char| char.is_alphanumeric() || char == '_') || word.starts_with('.')
    })
}

#[test]
fn nothing_unfinished_noisy_or_unordered_is_left_in_the_source() {
    const NOWHERE: [(&str, &str); 4] = [
        ("todo!", "finish it, or leave it out"),
        ("unimplemented!", "finish it, or leave it out"),
        ("dbg!", "use tracing"),
        ("#[ignore", "a test runs, or goes"),
    ];
    const NOT_OUTSIDE_TESTS: [(&str, &str); 3] = [
        (".unwrap()", "use expect with the reason why it cannot happen, or return the error"),
        ("HashMap", "its order is another in every process; use FxHashMap, BTreeMap or a Vec"),
        ("HashSet", "its order is another in every process; use FxHashSet, BTreeSet or a Vec"),
    ];
    const NOT_OUTSIDE_CLI: [(&str, &str); 4] = [
        ("println!", "only the command line prints"),
        ("eprintln!", "only the command line prints"),
        ("print!", "only the command line prints"),
        ("eprint!", "only the command line prints"),
    ];
    let mut broken = Vec::new();
    for source in ["src", "tests"].into_iter().flat_map(sources) {
        let in_cli = source.name.starts_with("src/cli/");
        for line in 0..source.lines.len() {
            let code = source.code(line);
            let is_test = source.is_test[line];
            let mut look = |words: &[(&str, &str)]| {
                for (word, remedy) in words.iter().filter(|(word, _)| holds(&code, word)) {
                    broken.push(format!("{}: `{word}`: {remedy}", source.at(line)));
                }
            };
            look(&NOWHERE);
            if !is_test {
                look(&NOT_OUTSIDE_TESTS);
            }
            if !is_test && !in_cli {
                look(&NOT_OUTSIDE_CLI);
            }
        }
    }
    none("what does not belong into the source", &broken);
}

#[test]
fn every_source_file_opens_by_saying_what_it_is_for() {
    let all = ["src", "tests", "benches", "examples", "fuzz/src", "fuzz/fuzz_targets"]
        .into_iter()
        .flat_map(sources);
    let silent = all.filter(|source| !source.whole(0).starts_with("//! "));
    let silent: Vec<String> = silent.map(|source| source.name).collect();
    none("a file opens with a `//!` comment", &silent);
}

/// The files that git keeps; none where this is no checkout.
fn tracked() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    match listed {
        Ok(listed) if listed.status.success() => {
            let names = String::from_utf8_lossy(&listed.stdout).into_owned();
            names.split_terminator('\0').map(str::to_owned).collect()
        }
        _ => {
            eprintln!("skipped: this is not a git checkout");
            Vec::new()
        }
    }
}

#[test]
fn no_large_file_is_kept_but_traces() {
    let is_large = |name: &String| {
        let size = fs::metadata(root().join(name)).map_or(0, |file| file.len());
        size > LARGEST_FILE && !name.starts_with("scenarios/traces/")
    };
    let large: Vec<String> = tracked().into_iter().filter(is_large).collect();
    none("a kept file has at most 500 kB", &large);
}

/// A bare clone has no neighbours; only tests may look for them, and then do without.
#[test]
fn nothing_but_tests_points_outside_the_project() {
    let outside = ["..", "shared"].join("/");
    let reads = |name: &String| {
        let folder =
            ["src/", "docs/", "scenarios/", "benches/"].iter().any(|at| name.starts_with(at));
        let is_text = [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end));
        is_text && (folder || !name.contains('/'))
    };
    let mut broken = Vec::new();
    for name in tracked().into_iter().filter(reads) {
        let text = fs::read_to_string(root().join(&name)).unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains(&outside));
        broken.extend(lines.map(|(number, _)| format!("{name}:{}", number + 1)));
    }
    none("what is not in the project is not mentioned in it", &broken);
}

#[test]
fn the_reader_of_source_tells_code_from_texts_and_comments() {
    let source = Source::new(
        "x.rs".into(),
        "let a = \"todo!\"; // dbg!\nlet b = r#\"x\"y\"#; 'c' '\\'' <'a>\n#[cfg(test)]\nmod t {\n}\nz",
        false,
    );
    assert_eq!(source.code(0).trim_end(), "let a =        ;");
    assert_eq!(
        source.code(1).split_whitespace().collect::<Vec<_>>(),
        ["let", "b", "=", ";", "<'a>"]
    );
    assert_eq!(source.is_test, [false, false, true, true, true, false]);
    assert_eq!(
        imports("use crate::a::b; x(super::super::c::D)", 2),
        [("a".to_owned(), "b".to_owned()), ("c".to_owned(), "D".to_owned())]
    );
    assert!(holds("x.unwrap()", ".unwrap()") && holds("println!()", "println!"));
    assert!(!holds("eprintln!()", "println!") && !holds("FxHashMap", "HashMap"));
}
