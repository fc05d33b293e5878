//! The inputs that fuzzing kept, replayed through what the fuzzer calls; see `fuzz/README.md`. They
//! change the current folder, so they are a program of their own.

#[path = "fuzzed/mod.rs"]
mod inputs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gridpact::scenario::schema::schema;
use inputs::scenario::Came;
use inputs::{TARGETS, go_there, structured};
use serde_json::Value;

/// Inputs of a target, by name.
fn kept(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    let read = |file: &std::path::PathBuf| (file.display().to_string(), fs::read(file).unwrap());
    files.iter().map(read).collect()
}

#[test]
fn what_fuzzing_kept_passes() {
    go_there();
    for (name, check) in TARGETS {
        for (file, bytes) in kept(name) {
            // The panic's own words do not say which input it was.
            let panicked = std::panic::catch_unwind(|| check(&bytes)).is_err();
            assert!(!panicked, "{file}");
        }
    }
}

#[test]
fn every_base_is_a_scenario_that_runs() {
    go_there();
    for base in 0..7 {
        let text = structured::text(&[base]);
        assert_eq!(structured::read(&[base]), Came::Planned, "{text}");
    }
}

/// A dictionary that forgets what is new would leave it untried.
#[test]
fn the_words_are_those_of_scenarios() {
    let words: BTreeSet<String> = structured::words().into_iter().collect();
    let mut missing = BTreeSet::new();
    names(&schema(), &mut |name| {
        if !words.contains(name) {
            missing.insert(name.to_owned());
        }
    });
    assert!(missing.is_empty(), "not in tests/fuzzed/scenario.dict: {missing:?}");
}

/// The keys and choices of a schema.
fn names(schema: &Value, tell: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(entries) => {
            for (key, value) in entries {
                match (key.as_str(), value) {
                    ("properties", Value::Object(keys)) => keys.keys().for_each(|key| tell(key)),
                    ("enum", Value::Array(all)) => {
                        all.iter().filter_map(Value::as_str).for_each(&mut *tell);
                    }
                    ("const", Value::String(word)) => tell(word),
                    _ => {}
                }
                names(value, tell);
            }
        }
        Value::Array(all) => all.iter().for_each(|one| names(one, tell)),
        _ => {}
    }
}
