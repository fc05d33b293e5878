//! Saved states and records that are cut or flipped are never resumed as if they were right.

use std::fs;

use crate::survival::support::{Bytes, Case, Fault, Place, Random, Shim, one_in, small};

/// Bytes up to which a file is cut at every length, and cuts and flips of a larger one, if
/// [all](one_in) are made.
const ALL: usize = 300;
const SAMPLE: usize = 60;

/// A run that was killed late in its last replication: one has ended, the other has two
/// checkpoints.
fn broken(case: &Case, shim: &Shim) -> Place {
    let calls = case.calls(shim);
    let is_checkpoint =
        |path: &std::path::Path| path.extension().is_some_and(|x| x == "checkpoint");
    let saved =
        |call: &crate::survival::support::Call| call.name == "rename" && is_checkpoint(&call.path);
    let last = calls.iter().rposition(saved).unwrap();
    let place = case.place();
    // Behind the rename, whose number is one more, and the sync of the folder.
    place.struck(shim, &case.start(), Fault::new("kill", last + 3));
    let kept = place.kept();
    assert!(kept.iter().filter(|name| name.ends_with(".checkpoint")).count() >= 2, "{kept:?}");
    place
}

/// Damage to a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Cut(usize),
    Flip { byte: usize, bit: u8 },
    Gone,
}

fn damages(length: usize, random: &mut Random) -> Vec<Damage> {
    let mut all = vec![Damage::Gone];
    let sample = SAMPLE / one_in();
    if length <= ALL {
        all.extend((0..length).step_by(one_in()).map(Damage::Cut));
    } else {
        all.extend((0..sample).map(|_| Damage::Cut(random.below(length as u64) as usize)));
        // The ends of frames and what is next to nothing.
        all.extend([0, 1, length / 2, length - 1].map(Damage::Cut));
    }
    if length > 0 {
        all.extend((0..sample).map(|_| {
            let byte = random.below(length as u64) as usize;
            Damage::Flip { byte, bit: random.below(8) as u8 }
        }));
    }
    all
}

fn damaged(broken: &Place, file: &str, damage: Damage) -> Place {
    let place = broken.copy();
    let path = place.path("r/state").join(file);
    let mut bytes = fs::read(&path).unwrap();
    match damage {
        Damage::Cut(length) => bytes.truncate(length),
        Damage::Flip { byte, bit } => bytes[byte] ^= 1 << bit,
        Damage::Gone => {
            fs::remove_file(&path).unwrap();
            return place;
        }
    }
    fs::write(&path, bytes).unwrap();
    place
}

/// The results are right, or there are none and it is said why.
#[track_caller]
fn is_right_or_told(place: &Place, file: &str, expected: &Bytes, what: &str) -> String {
    let said = place.run("resume r -q --threads 1");
    match said.code {
        Some(0) => place.has(expected, what),
        // Only what says which run it is can make it impossible to go on.
        Some(2) if file == "run.json" => {
            assert!(said.error.starts_with("error: r"), "{what}: {}", said.error);
            assert!(said.error.contains("\nhelp: "), "{what}: {}", said.error);
            let results = place.results();
            assert!(!results.contains_key("manifest.json"), "{what}");
        }
        _ => panic!("{what}: {said:?}"),
    }
    said.error
}

fn survives_damage(name: &str, case: &Case, shim: &Shim) {
    let expected = case.unbroken();
    let broken = broken(case, shim);
    let mut random = Random(3);
    for file in broken.kept() {
        let length = fs::metadata(broken.path("r/state").join(&file)).unwrap().len() as usize;
        for damage in damages(length, &mut random) {
            let what = format!("{name}: {file} of {length} bytes, {damage:?}");
            let place = damaged(&broken, &file, damage);
            let said = is_right_or_told(&place, &file, &expected, &what);
            // The latest checkpoint is looked at always, so its damage is told.
            let is_cut = !matches!(damage, Damage::Gone);
            if is_cut && latest(&broken).as_deref() == Some(&*file) {
                assert!(said.contains(&format!("note: r/state/{file}")), "{what}: {said:?}");
            }
        }
    }
}

/// The checkpoint that was written last.
fn latest(place: &Place) -> Option<String> {
    let number = |name: &String| -> Option<(u32, u64)> {
        let (replication, serial) =
            name.strip_prefix('r')?.strip_suffix(".checkpoint")?.split_once('-')?;
        Some((replication.parse().ok()?, serial.parse().ok()?))
    };
    place.kept().into_iter().filter(|name| number(name).is_some()).max_by_key(number)
}

#[test]
fn damage_to_what_a_grid_kept_is_never_gone_on_with() {
    let Some(shim) = Shim::get() else { return };
    let [(name, case), _] = small();
    survives_damage(name, &case, shim);
}

#[test]
fn damage_to_what_a_coalition_kept_is_never_gone_on_with() {
    let Some(shim) = Shim::get() else { return };
    let [_, (name, case)] = small();
    survives_damage(name, &case, shim);
}

/// Two files are damaged at once, as by a disk that lost a block of each.
#[test]
fn with_both_checkpoints_damaged_it_begins_again() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let place = broken(&case, shim);
        for file in place.kept().iter().filter(|name| *name != "run.json" && *name != "lock") {
            let path = place.path("r/state").join(file);
            let mut bytes = fs::read(&path).unwrap();
            let half = bytes.len() / 2;
            bytes.iter_mut().skip(half).take(16).for_each(|byte| *byte = 0);
            fs::write(&path, bytes).unwrap();
        }
        let said = place.goes_on(&case, &expected, name);
        assert!(said.matches("note: ").count() >= 2, "{name}: {said}");
    }
}

/// The checkpoint of one run in the folder of another is refused, also where their scenarios are
/// alike but for one number.
#[test]
fn the_state_of_another_run_is_refused() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let mut other = case.clone();
        other.scenario = case.scenario.replace("rate = 0.2,", "rate = 0.25,").replace(
            "rate = 0.3, size.exponential.mean = 2 }",
            "rate = 0.3, size.exponential.mean = 2.5 }",
        );
        assert_ne!(other.scenario, case.scenario);
        let expected = case.unbroken();
        let (own, foreign) = (broken(&case, shim), broken(&other, shim));
        for file in foreign.kept().iter().filter(|file| *file != "run.json" && *file != "lock") {
            fs::copy(foreign.path("r/state").join(file), own.path("r/state").join(file)).unwrap();
        }
        let said = own.goes_on(&case, &expected, name);
        assert!(said.contains("another run"), "{name}: {said}");
    }
}
