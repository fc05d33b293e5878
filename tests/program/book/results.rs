//! Every column and every key that runs write is one that the program tells of, in its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gridpact::report::files::columns::{self, CsvFile};
use serde_json::Value;

use crate::book::generated::told_keys;
use crate::planted::{WORLDS, worlds};

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The paths of all keys.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let dot = if at.is_empty() { "" } else { "." };
                keys(value, &format!("{at}{dot}{key}"), found);
            }
        }
        Value::Array(all) if all.iter().any(Value::is_object) => {
            all.iter().for_each(|value| keys(value, &format!("{at}[]"), found));
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

/// True if a key is told of, or stands in a part that is told of as a whole.
fn is_told(told: &[String], key: &str) -> bool {
    let above = key.match_indices(['.', '[']).map(|(at, _)| &key[..at]);
    let mut all = std::iter::once(key).chain(above);
    let is_it = |key: &str, one: &str| {
        one == key || one.strip_prefix(key).is_some_and(|rest| rest.starts_with("[]"))
    };
    all.any(|key| told.iter().any(|one| is_it(key, one)))
}

#[test]
fn every_column_and_key_of_every_world_is_told_of() {
    let (home, files, told) = (worlds(), columns::all(), told_keys());
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for at in 0..WORLDS.len() {
        let folder = home.path().join(at.to_string());
        let manifest = json(&folder.join("manifest.json"));
        let world = manifest["world"].as_str().unwrap();
        let runs = manifest["runs"].as_array().is_some_and(|runs| !runs.is_empty());
        for name in manifest["files"].as_object().unwrap().keys() {
            let Some(of) = name.ends_with(".csv").then_some(name) else { continue };
            // A federation's jobs are those of a grid.
            let is_rigid = of == "jobs.csv" && manifest["coalition"].is_object();
            let is_rigid = is_rigid && manifest["coalition"]["balancer"].is_null();
            let world = if is_rigid { "grid" } else { world };
            let worlds = [world, "every run", "comparison"];
            let is_it = |file: &&CsvFile| file.name == of && worlds.contains(&file.world);
            let file = files.iter().find(is_it).unwrap_or_else(|| panic!("{world}: {name}"));
            seen.insert((file.world, file.name));
            let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
            let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
            // The columns that not every file has are left out; sweeps and comparisons lead with others.
            let known: Vec<&str> = file.columns.iter().map(|(name, ..)| &**name).collect();
            let lead = header.len()
                - header.iter().rev().take_while(|one| known.contains(&one.as_str())).count();
            let mut places = known.iter();
            let is_in_order = header[lead..].iter().all(|one| places.any(|known| known == one));
            assert!(is_in_order && (lead == 0 || runs), "{world}: {name}: {header:?}");
        }
        for name in ["summary.json", "manifest.json", "timing.json"] {
            let mut found = BTreeSet::new();
            keys(&json(&folder.join(name)), "", &mut found);
            let told = &told[name];
            let missing: Vec<&String> = found.iter().filter(|key| !is_told(told, key)).collect();
            assert!(
                missing.is_empty(),
                "{world}: {name} has keys that nothing tells of: {missing:?}"
            );
        }
    }
    let unseen: Vec<_> = files.iter().map(|file| (file.world, file.name)).collect();
    let unseen: Vec<_> = unseen.iter().filter(|one| !seen.contains(*one)).collect();
    let elsewhere = [&("sweep", "sensitivity.csv"), &("sweep", "lab.csv")];
    assert!(unseen == elsewhere, "told of, but never written: {unseen:?}");
}
