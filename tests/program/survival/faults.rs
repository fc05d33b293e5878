//! The disk is full, broken or not to be written to, from any write on.

use crate::survival::support::{Bytes, Case, Fault, Place, Shim, is_struck, small};

/// Files under the names of results are whole, and the manifest is there only with all of them.
#[track_caller]
fn is_whole(place: &Place, expected: &Bytes, what: &str) {
    let found = place.results();
    for (name, bytes) in &found {
        assert!(!name.contains(".tmp") || name.starts_with(".gridpact-"), "{what}: {name}");
        if let Some(right) = expected.get(name) {
            assert!(bytes == right, "{what}: {name} is not whole");
        }
    }
    if found.contains_key("manifest.json") {
        let missing: Vec<_> = expected.keys().filter(|name| !found.contains_key(*name)).collect();
        assert!(missing.is_empty(), "{what}: {missing:?}");
    }
}

/// Every call that changes the disk fails once, or it and all after it.
fn fails_everywhere(name: &str, case: &Case, shim: &Shim) {
    let expected = case.unbroken();
    let calls = case.calls(shim);
    for (index, call) in calls.iter().enumerate() {
        let wrong = [("eio", "Input/output error", false), ("enospc", "No space left", true)];
        for (number, (kind, phrase, lasts)) in wrong.into_iter().enumerate() {
            if !is_struck(index + number) {
                continue;
            }
            let what = format!("{name}: {kind} at {}, {call:?}", index + 1);
            let place = case.place();
            let fault = Fault { lasts, ..Fault::new(kind, index + 1) };
            let said = place.struck(shim, &case.start(), fault);
            if said.code == Some(0) {
                // What it is no harm to leave lying about.
                assert_eq!(call.name, "unlink", "{what}: nobody noticed");
                place.has(&expected, &what);
                continue;
            }
            assert_eq!(said.code, Some(4), "{what}: {}", said.error);
            let first = said.error.lines().next().unwrap_or_default();
            assert!(first.starts_with("error: r"), "{what}: {}", said.error);
            assert!(first.contains(phrase), "{what}: {}", said.error);
            is_whole(&place, &expected, &what);
            place.goes_on(case, &expected, &what);
        }
    }
}

#[test]
fn a_grid_whose_disk_fails_at_any_write_says_so_and_goes_on_later() {
    let Some(shim) = Shim::get() else { return };
    let [(name, case), _] = small();
    fails_everywhere(name, &case, shim);
}

#[test]
fn a_coalition_whose_disk_fails_at_any_write_says_so_and_goes_on_later() {
    let Some(shim) = Shim::get() else { return };
    let [_, (name, case)] = small();
    fails_everywhere(name, &case, shim);
}

#[test]
fn a_write_that_takes_only_a_half_is_no_fault() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let place = case.place();
        let fault = Fault { lasts: true, ..Fault::new("short", 1) };
        let said = place.struck(shim, &case.start(), fault);
        assert_eq!(said.code, Some(0), "{name}: {}", said.error);
        place.has(&expected, name);
    }
}

/// The results of an earlier run stay what they are until those of the new one are all on the disk;
/// in between there is no manifest, and nobody takes what is there for results.
#[test]
fn the_results_of_an_earlier_run_are_there_whole_or_not_at_all() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let old = case.unbroken();
        let mut other = case.clone();
        other.scenario = format!("seed = 7\n{}", case.scenario);
        let new = other.unbroken();
        let finished = case.place();
        assert_eq!(finished.run(&case.start()).code, Some(0));
        std::fs::write(finished.path("s.toml"), &other.scenario).unwrap();
        let words = format!("{} --force", other.start());
        let calls = finished.copy().calls(shim, &words);
        let (mut kept, mut gone) = (0, 0);
        for (index, call) in calls.iter().enumerate() {
            let what = format!("{name}: eio at {}, {call:?}", index + 1);
            let place = finished.copy();
            let said = place.struck(shim, &words, Fault::new("eio", index + 1));
            assert!([Some(0), Some(4)].contains(&said.code), "{what}: {}", said.error);
            match place.results().get("manifest.json") {
                None => gone += 1,
                Some(manifest) if *manifest == old["manifest.json"] => {
                    kept += 1;
                    let mut results = place.results();
                    results.retain(|name, _| !name.starts_with(".gridpact-"));
                    assert!(results == old, "{what}: the old results are not what they were");
                    assert_eq!(place.run("audit r -q").code, Some(0), "{what}");
                }
                Some(_) => is_whole(&place, &new, &what),
            }
        }
        // The time in which there are no results is short.
        assert!(kept > 2 * gone, "{name}: {kept} kept, {gone} gone");
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_at_once() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        // From the beginning, and of a run that was broken.
        for at in [1, case.calls(shim).len() / 2] {
            let place = case.place();
            place.struck(shim, &case.start(), Fault::new("kill", at));
            let fault = Fault { lasts: true, ..Fault::new("erofs", 1) };
            for words in [case.start(), "resume r -q".to_owned()] {
                let said = place.struck(shim, &words, fault);
                let is_nothing = said.code == Some(2) && at == 1;
                let is_busy = said.code == Some(2) && said.error.contains("was interrupted here");
                let is_told = said.code == Some(4) && said.error.contains("Read-only file system");
                assert!(is_nothing || is_busy || is_told, "{name}: {words}: {}", said.error);
            }
            place.goes_on(&case, &expected, name);
        }
    }
}
