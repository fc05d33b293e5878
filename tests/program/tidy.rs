//! The house rules that neither the compiler nor clippy checks: which floor imports which
//! (ARCHITECTURE.md), that no large file slips in, and that the project stands alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each floor, and the floors that it may import besides itself. What is on no list is imported by
/// nobody; the command line is another crate and may use anything.
const FLOORS: [(&str, &[&str]); 13] = [
    ("kernel", &[]),
    ("stats", &["kernel"]),
    ("game", &["kernel"]),
    ("model", &["kernel"]),
    ("workload", &["kernel", "stats", "model"]),
    ("policy", &["kernel", "stats", "model", "game"]),
    ("audit", &["kernel", "model"]),
    ("bounds", &["kernel", "stats", "model"]),
    ("sim", &["kernel", "stats", "model", "game", "bounds", "workload", "policy"]),
    ("findings", &["kernel", "stats", "model", "game", "workload", "policy", "sim"]),
    ("scenario", &["kernel", "stats", "model", "game", "workload", "policy", "sim", "findings"]),
    (
        "report",
        &["kernel", "stats", "model", "game", "workload", "policy", "sim", "findings", "scenario"],
    ),
    (
        "run",
        &[
            "kernel", "stats", "model", "game", "bounds", "workload", "policy", "audit", "sim",
            "findings", "scenario", "report",
        ],
    ),
];

/// The top floor: it may import all of those.
const TOP: &str = "study";

const LARGEST_FILE: u64 = 500_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files under `src`, from there with slashes, and their lines without comments.
fn sources() -> Vec<(String, Vec<String>)> {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    files.sort();
    let read = |file: PathBuf| {
        let name = file.strip_prefix(root().join("src")).expect("it lies there");
        let text = fs::read_to_string(&file).expect("it can be read");
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        (name.to_string_lossy().replace('\\', "/"), text.lines().map(code).collect())
    };
    files.into_iter().map(read).collect()
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
    for (name, lines) in sources() {
        let path: Vec<&str> = name.split('/').collect();
        let [floor, inside @ ..] = &path[..] else { continue };
        if inside.is_empty() || *floor == "cli" {
            continue;
        }
        if *floor != TOP && FLOORS.iter().all(|(name, _)| name != floor) {
            broken.push(format!("src/{name}: the floor `{floor}` is not in this test's list"));
        }
        let depth = path.len() - usize::from(path.ends_with(&["mod.rs"]));
        for (number, line) in lines.iter().enumerate() {
            for (imported, folder) in imports(line, depth) {
                let at = format!("src/{name}:{}", number + 1);
                // A macro lives at the root whatever its floor.
                if imported != "state_of_fields" && !may_import(floor, &imported) {
                    broken.push(format!("{at}: {floor} imports {imported}"));
                }
                let is_policy = *floor == "policy" && imported == "policy";
                if is_policy && inside.len() > 1 && folder != inside[0] {
                    broken.push(format!("{at}: policy/{} imports policy/{folder}", inside[0]));
                }
            }
        }
    }
    none("a module imports only from its own floor or the floors below it", &broken);
}

#[test]
fn imports_are_read_from_paths() {
    assert_eq!(
        imports("use crate::a::b; x(super::super::c::D)", 2),
        [("a".to_owned(), "b".to_owned()), ("c".to_owned(), "D".to_owned())]
    );
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
