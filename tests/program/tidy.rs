//! The house rules that neither the compiler nor clippy checks: what policies and the auditor stand on,
//! that no large file slips in, that doc comments name the thing first, that maps lead somewhere, and
//! that the project stands alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LARGEST_FILE: u64 = 500_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files in a folder, from `src` with slashes, and their lines without comments.
fn sources(folder: &str) -> Vec<(String, Vec<String>)> {
    let mut files = Vec::new();
    collect(&root().join("src").join(folder), &mut files);
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

/// Which crate imports which is the compiler's to check; which folder of policies imports which is not.
#[test]
fn folders_of_policies_do_not_import_each_other() {
    let folders = ["coalition", "grid", "learn", "local", "plan", "tasks"];
    let mut broken = Vec::new();
    for folder in folders {
        for (name, lines) in sources(&format!("policy/{folder}")) {
            for (number, line) in lines.iter().enumerate() {
                for other in folders.iter().filter(|other| **other != folder) {
                    if line.contains(&format!("crate::{other}::")) {
                        broken.push(format!("src/{name}:{}: imports {other}", number + 1));
                    }
                }
            }
        }
    }
    none("folders of policies do not import each other", &broken);
}

/// Reader, keys, catalog and resolver know each other in one direction; of the first, which every other
/// stands on, texts and what is said of them know each other.
#[test]
fn modules_of_the_scenario_import_only_those_before_them() {
    let order = [
        "path",
        "lengths",
        "tree",
        "files",
        "diagnostics",
        "nfg",
        "payoffs_csv",
        "foreign",
        "kinds",
        "aliases",
        "de",
        "raw",
        "root",
        "schema",
        "catalog",
        "advice",
        "belongs",
        "bounded",
        "parts",
        "drawn",
        "json",
        "layers",
        "mistaken",
        "title",
        "plan",
        "sweep",
        "origin",
        "resolve",
    ];
    let texts = ["tree", "files", "diagnostics"];
    let place = |module: &str| order.iter().position(|one| *one == module);
    let mut broken = Vec::new();
    for (name, lines) in sources("scenario") {
        let module = name.split('/').nth(1).unwrap_or_default().trim_end_matches(".rs");
        let Some(here) = place(module) else { continue };
        let is_top = name.split('/').count() == 2;
        for (number, line) in
            lines.iter().enumerate().take_while(|(_, line)| *line != "#[cfg(test)]")
        {
            let imports = line.split("crate::").skip(1);
            let beside = line.split("super::").skip(1).filter(|_| is_top);
            for import in imports.chain(beside) {
                let other = import.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                let is_below = other.and_then(place).is_none_or(|other| other <= here);
                let are_texts =
                    texts.contains(&module) && other.is_some_and(|one| texts.contains(&one));
                if !is_below && !are_texts {
                    broken.push(format!("src/{name}:{}: imports what is above it", number + 1));
                }
            }
        }
    }
    none("modules of the scenario import only those before them", &broken);
}

/// The auditor shares no code with what it checks.
#[test]
fn the_auditor_stands_on_the_kernel_and_the_model_alone() {
    let manifest = fs::read_to_string(root().join("src/audit/Cargo.toml")).expect("it is there");
    let depends = manifest.split("[dependencies]").nth(1).expect("it has dependencies");
    let depends = depends.split('[').next().unwrap_or_default();
    let names: Vec<&str> =
        depends.lines().filter_map(|line| line.strip_suffix(".workspace = true")).collect();
    assert_eq!(names, ["kernel", "libm", "model", "serde"]);
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

/// The first word of a doc comment is no question: it names the thing, or says what that does.
#[test]
fn doc_comments_begin_with_the_thing() {
    const QUESTIONS: [&str; 6] = ["What", "How", "Of", "Who", "Whose", "Whether"];
    let doc = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::to_owned)
    };
    let mut broken = Vec::new();
    for name in tracked().into_iter().filter(|name| name.ends_with(".rs")) {
        let text = fs::read_to_string(root().join(&name)).unwrap_or_default();
        let mut before = None;
        for (number, line) in text.lines().enumerate() {
            let words = doc(line);
            let first = words.as_deref().and_then(|words| words.split_whitespace().next());
            if before.is_none() && first.is_some_and(|word| QUESTIONS.contains(&word)) {
                broken.push(format!("{name}:{}", number + 1));
            }
            before = words;
        }
    }
    none("a doc comment begins with a noun phrase or a verb", &broken);
}

/// A map is right only while every path that it names exists.
#[test]
fn paths_that_maps_name_exist() {
    const FOLDERS: [&str; 7] =
        ["benches/", "docs/", "examples/", "scenarios/", "src/", "tests/", "tools/"];
    let is_map = |name: &String| {
        name == "ARCHITECTURE.md"
            || name == "CONTRIBUTING.md"
            || name.starts_with("docs/decisions/")
    };
    let mut broken = Vec::new();
    for name in tracked().into_iter().filter(is_map) {
        let text = fs::read_to_string(root().join(&name)).unwrap_or_default();
        for path in text.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| path.starts_with(folder));
            // Words in capitals are for the reader to fill in.
            let is_open = |part: &&str| part.starts_with("NAME") || part.starts_with("PART");
            let known: PathBuf = path.split('/').take_while(|part| !is_open(part)).collect();
            if is_path && !path.contains(' ') && !root().join(known).exists() {
                broken.push(format!("{name}: {path}"));
            }
        }
    }
    none("a path in a map leads somewhere", &broken);
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

/// Crates without examples in their docs skip the step that looks for them, so they must stay without.
#[test]
fn crates_whose_examples_are_not_run_have_none() {
    let mut broken = Vec::new();
    for folder in fs::read_dir(root().join("src")).expect("it is there").flatten() {
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).unwrap_or_default();
        if !manifest.contains("\ndoctest = false\n") {
            continue;
        }
        let mut files = Vec::new();
        collect(&folder.path(), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("it can be read");
            let fence = |line: &str| {
                let line = line.trim_start();
                line.strip_prefix("/// ```").or(line.strip_prefix("//! ```")).map(str::to_owned)
            };
            let fences: Vec<String> = text.lines().filter_map(fence).collect();
            // A block begins and ends; an example begins without a language, or with Rust.
            let begins = fences.iter().step_by(2);
            if begins
                .into_iter()
                .any(|language| language.is_empty() || language.starts_with("rust"))
            {
                broken.push(file.display().to_string());
            }
        }
    }
    none("an example in the docs is run: take `doctest = false` away", &broken);
}
