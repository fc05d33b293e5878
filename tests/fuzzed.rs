//! The inputs that fuzzing kept, replayed through what the fuzzer calls; see `fuzz/README.md`.

#[path = "fuzzed/mod.rs"]
mod inputs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gridpact::policy::local::REGISTRY;
use inputs::scenario::Came;
use inputs::{TARGETS, go_there, structured};

/// Inputs of a target, by name.
fn kept(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: the inputs of {target} are not here");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| (file.display().to_string(), fs::read(file).unwrap());
    files.iter().map(read).collect()
}

#[test]
fn what_fuzzing_kept_passes() {
    go_there();
    for (name, check) in TARGETS {
        for (file, bytes) in kept(name) {
            // A failure's backtrace does not say which input it was.
            println!("{file}");
            check(&bytes);
        }
    }
}

#[test]
fn every_base_is_a_scenario_that_runs() {
    go_there();
    for base in 0..5 {
        let text = structured::text(&[base]);
        assert_eq!(structured::read(&[base]), Came::Planned, "{text}");
    }
}

/// A dictionary that forgets what is new would leave it untried.
#[test]
fn the_words_are_those_of_scenarios() {
    let words: BTreeSet<String> = structured::words().into_iter().collect();
    let schedulers = REGISTRY.iter().map(|entry| entry.name.to_owned());
    let mut missing: Vec<String> = schedulers.filter(|name| !words.contains(name)).collect();
    for base in 0..5 {
        let text = structured::text(&[base]);
        keys(&toml::Value::Table(text.parse().unwrap()), &mut |key| {
            if !words.contains(key) {
                missing.push(key.to_owned());
            }
        });
    }
    assert_eq!(missing, [""; 0]);
}

fn keys(value: &toml::Value, tell: &mut impl FnMut(&str)) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                tell(key);
                keys(value, tell);
            }
        }
        toml::Value::Array(array) => array.iter().for_each(|value| keys(value, tell)),
        _ => {}
    }
}
