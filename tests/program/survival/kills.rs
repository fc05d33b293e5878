//! A run is killed at every change that it makes to the disk, and at random times.

use std::time::{Duration, Instant};

use crate::survival::support::{
    Call, Case, Fault, Random, Shim, campaign, coalition, federation, filled, grid, is_struck,
    one_in, rich, small,
};

/// Before each call, and in the middle of each that writes.
fn killed_everywhere(name: &str, case: &Case, shim: &Shim) {
    let expected = case.unbroken();
    let calls = case.calls(shim);
    assert!(calls.len() > 60, "{name}: {} calls", calls.len());
    for (index, call) in calls.iter().enumerate() {
        for (number, kind) in ["kill", "torn"].into_iter().enumerate() {
            if kind == "torn" && !call.is_write() || !is_struck(index + number) {
                continue;
            }
            let what = format!("{name}: {kind} at {}, {call:?}", index + 1);
            let place = case.place();
            let said = place.struck(shim, &case.start(), Fault::new(kind, index + 1));
            assert_eq!(said.code, None, "{what}: {}", said.error);
            place.goes_on(case, &expected, &what);
        }
    }
}

#[test]
fn a_grid_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    let [(name, case), _] = small();
    killed_everywhere(name, &case, shim);
}

/// With all records, in files that follow each other.
#[test]
fn a_grid_of_many_files_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    let mut case = rich("until.jobs = 200");
    case.options = "--checkpoint-every 90jobs".to_owned();
    killed_everywhere("many files", &case, shim);
}

/// Most of its checkpoints lie between a plan and the end of that plan.
#[test]
fn a_planned_grid_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    let key = "planner.ilba = {}\nplanning.asked = { every = 25.0 }\noutput.plans = true";
    killed_everywhere("planned", &filled("until.jobs = 150", key), shim);
}

/// Jobs are under way at most of its checkpoints.
#[test]
fn a_grid_with_jobs_under_way_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    let key = "grid_scheduler.stealing = { delay = 3.0 }";
    killed_everywhere("under way", &filled("until.jobs = 150", key), shim);
}

#[test]
fn a_campaign_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    killed_everywhere("campaign", &campaign("replications = 2"), shim);
}

/// Replications that come one by one until the mean flow is known well enough.
#[test]
fn a_run_for_a_precision_killed_at_random_times_goes_on_to_the_same_results() {
    let mut case = grid("until.precision = { metric = \"flow\", relative = 0.3 }");
    case.options = "--checkpoint-every 5ms".to_owned();
    killed_at_random("precision", &case, 6, 3);
}

#[test]
fn a_coalition_killed_at_any_write_goes_on_to_the_same_results() {
    let Some(shim) = Shim::get() else { return };
    let [_, (name, case)] = small();
    killed_everywhere(name, &case, shim);
}

/// A resumed run can be killed as well, at any write.
#[test]
fn going_on_is_killed_at_any_write_too() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let calls = case.calls(shim);
        let broken = case.place();
        broken.struck(shim, &case.start(), Fault::new("torn", calls.len() * 2 / 3));
        let resume = "resume r -q --threads 1";
        let again = broken.copy().calls(shim, resume);
        for (index, call) in again.iter().enumerate() {
            let what = format!("{name}: going on, killed at {}, {call:?}", index + 1);
            let place = broken.copy();
            let said = place.struck(shim, resume, Fault::new("torn", index + 1));
            assert_eq!(said.code, None, "{what}: {}", said.error);
            place.goes_on(&case, &expected, &what);
        }
    }
}

/// Nothing gets a name before its content is on the disk, and the name is on the disk too before
/// anything else relies on it.
#[test]
fn what_gets_a_name_is_on_the_disk() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let calls = case.calls(shim);
        let is_sync = |name: &str| name == "fsync" || name == "fdatasync";
        let mut renamed = 0;
        for (index, call) in calls.iter().enumerate().filter(|(_, call)| call.name == "rename") {
            renamed += 1;
            // The last thing that was done to whatever was written last under another name.
            let file = call.path.file_name().unwrap().to_string_lossy().into_owned();
            let is_it = |path: &std::path::Path| {
                let other = path.file_name().unwrap().to_string_lossy();
                other.contains(&file) && path != call.path
            };
            let last = calls[..index].iter().rev().find(|before| is_it(&before.path)).unwrap();
            assert!(is_sync(&last.name), "{name}: {file} is renamed after {last:?}");
            let folder = call.path.parent().unwrap();
            let after = calls[index..].iter().find(|after| after.path == folder);
            assert!(after.is_some_and(|after| is_sync(&after.name)), "{name}: {file}: folder");
        }
        assert!(renamed > 8, "{name}: {renamed}");
    }
}

/// A power cut may keep a later change of a folder and lose an earlier one. So the folder is on the
/// disk with all other results before the manifest gets its name, and without the manifest of an
/// earlier run before anything else of that run goes.
#[test]
fn no_power_cut_leaves_a_manifest_without_the_files_it_names() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let place = case.place();
        let first = place.calls(shim, &case.start());
        let again = place.calls(shim, &format!("{} --force", case.start()));
        let (folder, manifest) = (place.path("r"), place.path("r/manifest.json"));
        let changes = |call: &Call, what: &str| {
            let file = call.path.file_name().unwrap_or_default().to_string_lossy();
            let is_other = call.path != manifest && !file.starts_with(".gridpact-");
            call.name == what && call.path.parent() == Some(&*folder) && is_other
        };
        let is_synced =
            |calls: &[Call]| calls.iter().any(|call| call.name == "fsync" && call.path == folder);
        let at = |calls: &[Call], what: &str| {
            calls.iter().position(|call| call.name == what && call.path == manifest).unwrap()
        };
        for calls in [&first, &again] {
            let named = at(calls, "rename");
            let last = calls.iter().rposition(|call| changes(call, "rename")).unwrap();
            assert!(last < named, "{name}: {:?} after the manifest", calls[last]);
            assert!(is_synced(&calls[last..named]), "{name}: the manifest overtakes its files");
        }
        let removed = at(&again, "unlink");
        let gone = again.iter().position(|call| changes(call, "unlink")).unwrap();
        assert!(removed < gone, "{name}: {:?} before the manifest", again[gone]);
        let is_known = is_synced(&again[removed..gone]);
        assert!(is_known, "{name}: files go while their manifest may stay");
    }
}

/// Kills in a row until the run is over, then from the beginning, so many in all.
fn killed_at_random(name: &str, case: &Case, kills: u32, seed: u64) {
    let expected = case.unbroken();
    let begun = Instant::now();
    let whole = case.place();
    assert_eq!(whole.run(&case.start()).code, Some(0));
    let length = begun.elapsed().as_micros() as u64;
    let mut random = Random(seed);
    let (mut killed, mut over) = (0, 0);
    let mut place = case.place();
    let mut words = case.start();
    // All of them in the long checks.
    let kills =
        if std::env::var_os("GRIDPACT_ONE_IN").is_some() { kills } else { kills.div_ceil(2) };
    while killed < kills {
        let what = format!("{name}, seed {seed}: after {killed} kills");
        let mut child = place.spawn(&words);
        std::thread::sleep(Duration::from_micros(random.below(length * 6 / 5)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            None => {
                killed += 1;
                words = "resume r -q --threads 1".to_owned();
            }
            Some(2) if error.contains("no run that") || error.contains("no such folder") => {
                words = case.start();
            }
            code => {
                assert_eq!(code, Some(0), "{what}: {error}");
                place.has(&expected, &what);
                over += 1;
                place = case.place();
                words = case.start();
            }
        }
    }
    place.goes_on(case, &expected, name);
    assert!(over > 0 || kills < 50, "{name}: {killed} kills, and it was never over");
}

/// Within boundaries, copies of the world and what is played beyond a round, with limits and ways; chance
/// ends some.
#[test]
fn a_federation_killed_at_random_times_goes_on_to_the_same_results() {
    let kinds = [
        "grid_scheduler.list = {}\nrun.until.goes_on = 0.99",
        "grid_scheduler.least_demand = {}\nrun.until.rounds = 100\n\
         coalition.rounds.independent = {}",
        "planner.ilba = {}\nrun.until.goes_on = 0.98\ncoalition.plays = \"follow\"",
    ];
    for (seed, keys) in (1..).zip(kinds) {
        let case = federation(&format!("{keys}\nrun.replications = 3"));
        killed_at_random(keys, &case, 200 / one_in() as u32, seed);
    }
}

#[test]
fn a_run_killed_at_random_times_goes_on_to_the_same_results() {
    let mut case = grid("replications = 3\nuntil.jobs = 12000");
    case.options = "--checkpoint-every 700jobs".to_owned();
    let kills = 300 / one_in() as u32;
    killed_at_random("grid", &case, kills, 1);
    let mut case = coalition("replications = 3\nuntil.rounds = 150", "continuing");
    case.options = "--checkpoint-every 10rounds".to_owned();
    killed_at_random("coalition", &case, kills, 2);
    killed_at_random("campaign", &campaign("replications = 30"), kills, 4);
}
