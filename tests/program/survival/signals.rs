//! A signal ends a run at a place from which it goes on.

use std::process::Command;

use crate::survival::support::{
    Bytes, Case, Fault, Place, Said, Shim, coalition, grid, is_struck, small,
};

/// Exit code of a run that was stopped and can go on.
const STOPPED: Option<i32> = Some(75);

/// It stopped and said how to go on, or it was over already.
#[track_caller]
fn stopped_or_over(place: &Place, said: &Said, case: &Case, expected: &Bytes, what: &str) -> bool {
    if said.code == Some(0) {
        place.has(expected, what);
        return false;
    }
    assert_eq!(said.code, STOPPED, "{what}: {}", said.error);
    place.goes_on(case, expected, what);
    true
}

/// SIGINT before every change to the disk, in the middle of checkpoints and publishing too.
#[test]
fn a_signal_at_any_write_stops_the_run_or_lets_it_end() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let calls = case.calls(shim);
        let (mut early, mut stopped, mut over) = (0, 0, 0);
        for (index, call) in calls.iter().enumerate() {
            let what = format!("{name}: SIGINT at {}, {call:?}", index + 1);
            let place = case.place();
            let said = place.struck(shim, &case.start(), Fault::new("int", index + 1));
            // Before anybody listens nothing was promised.
            if said.code.is_none() {
                early += 1;
                place.goes_on(&case, &expected, &what);
                continue;
            }
            if stopped_or_over(&place, &said, &case, &expected, &what) {
                stopped += 1;
                assert!(said.error.contains("`gridpact resume r`"), "{what}: {}", said.error);
            } else {
                over += 1;
            }
        }
        let is_mixed = stopped > 20 && over > 5 && early < 20;
        assert!(is_mixed, "{name}: {early} early, {stopped} stopped, {over} over");
    }
}

/// Two at once: the program ends there and then, and has lost nothing that was promised.
#[test]
fn a_second_signal_ends_it_at_once_and_loses_nothing() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let calls = case.calls(shim);
        for (index, call) in calls.iter().enumerate().filter(|one| is_struck(one.0)) {
            let what = format!("{name}: two SIGINT at {}, {call:?}", index + 1);
            let place = case.place();
            let said = place.struck(shim, &case.start(), Fault::new("int2", index + 1));
            assert!([STOPPED, None].contains(&said.code), "{what}: {said:?}");
            place.goes_on(&case, &expected, &what);
        }
    }
}

/// From outside, in a run of several threads that has come some way.
#[test]
fn a_run_of_several_threads_stops_at_a_signal_and_goes_on() {
    let grid = grid("replications = 3\nuntil.jobs = 100000");
    let coalition = coalition("replications = 3\nuntil.rounds = 1500", "continuing");
    for (name, mut case) in [("grid", grid), ("coalition", coalition)] {
        case.options = "--checkpoint-every 20ms".to_owned();
        let expected = case.unbroken();
        for signal in ["INT", "TERM"] {
            let what = format!("{name}: SIG{signal}");
            let place = case.place();
            let words = case.start().replace("--threads 1", "--threads 3");
            let child = place.spawn(&words);
            place.until_it_saves();
            let arguments = [format!("-{signal}"), child.id().to_string()];
            assert!(Command::new("kill").args(arguments).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            let said = Said { code: output.status.code(), error };
            assert!(
                said.error.contains("help: continue with `gridpact resume r`"),
                "{}",
                said.error
            );
            assert!(stopped_or_over(&place, &said, &case, &expected, &what));
        }
    }
}

/// Stopped by its own clock again and again, it comes to the same end.
#[test]
fn a_run_in_slices_of_wall_time_ends_with_the_same_results() {
    let mut case = grid("replications = 2\nuntil.jobs = 100000");
    case.options = "--wall-clock 60ms --checkpoint-every never".to_owned();
    let expected = {
        let mut whole = case.clone();
        whole.options.clear();
        whole.unbroken()
    };
    let place = case.place();
    let mut said = place.run(&case.start());
    let mut slices = 1;
    while said.code == STOPPED {
        assert!(said.error.contains("the wall-clock limit was reached"), "{}", said.error);
        assert!(slices < 1000, "it never ends");
        said = place.run("resume r -q --threads 1 --wall-clock 60ms");
        slices += 1;
    }
    assert_eq!(said.code, Some(0), "{}", said.error);
    assert!(slices > 2, "{slices}");
    place.has(&expected, "slices");
}
