//! A results folder belongs to one run, and to one process at a time.

use std::fs;
use std::time::{Duration, Instant};

use crate::survival::support::{Fault, Place, Shim, grid, small};

/// Ends the process that is told, whatever becomes of the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_second_process_is_refused_and_does_the_first_no_harm() {
    let mut case = grid("until.jobs = 200000");
    case.options = "--checkpoint-every 20ms".to_owned();
    let expected = case.unbroken();
    let place = case.place();
    let mut running = Running(place.spawn(&case.start()));
    place.until_it_saves();
    for words in [
        case.start(),
        format!("{} --force", case.start()),
        "resume r -q".to_owned(),
        "resume r -q --until jobs=300000".to_owned(),
        "resume r -q --replications 4".to_owned(),
    ] {
        let said = place.run(&words);
        assert!(running.0.try_wait().unwrap().is_none(), "it is over too soon for this test");
        assert_eq!(said.code, Some(2), "{words}: {}", said.error);
        assert!(said.error.contains("another process"), "{words}: {}", said.error);
    }
    assert_eq!(running.0.wait().unwrap().code(), Some(0));
    place.has(&expected, "the first of two");
    assert_eq!(place.run("audit r -q").code, Some(0));
}

#[test]
fn a_run_that_was_broken_is_not_begun_anew_by_accident() {
    let Some(shim) = Shim::get() else { return };
    for (name, case) in small() {
        let expected = case.unbroken();
        let half = case.calls(shim).len() / 2;
        let place = case.place();
        place.struck(shim, &case.start(), Fault::new("kill", half));
        let before = place.kept();
        let said = place.run(&case.start());
        assert_eq!(said.code, Some(2), "{name}: {}", said.error);
        assert!(said.error.contains("was interrupted here and can be resumed"), "{}", said.error);
        assert!(said.error.contains("`gridpact resume r`"), "{}", said.error);
        // Nor by another scenario, whatever it is.
        fs::write(place.path("other.toml"), case.scenario.replace("name = \"", "name = \"o"))
            .unwrap();
        let said = place.run("run other.toml -q --out r");
        assert_eq!(said.code, Some(2), "{name}: {}", said.error);
        assert_eq!(place.kept(), before);
        place.copy().goes_on(&case, &expected, name);
        // Asked for, it is.
        assert_eq!(place.run(&format!("{} --force", case.start())).code, Some(0));
        place.has(&expected, name);
    }
}

#[test]
fn the_results_of_another_scenario_are_not_gone_on_with() {
    let [(_, case), (_, other)] = small();
    let expected = case.unbroken();
    let place = case.place();
    assert_eq!(place.run(&case.start()).code, Some(0));
    fs::write(place.path("s.toml"), &other.scenario).unwrap();
    let said = place.run(&other.start());
    assert_eq!(said.code, Some(2), "{}", said.error);
    place.has(&expected, "kept from another scenario");
    // It goes by what it kept, not by the file, which may be another now or gone.
    fs::remove_file(place.path("s.toml")).unwrap();
    let said = place.run("resume r -q");
    assert_eq!((said.code, &*said.error), (Some(0), ""));
    place.has(&expected, "finished already");
}

#[test]
fn what_is_no_results_folder_is_not_gone_on_with_and_left_alone() {
    let [(_, case), _] = small();
    let place = case.place();
    fs::create_dir(place.path("empty")).unwrap();
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/letter.txt"), "dear").unwrap();
    for words in ["resume empty", "resume mine", "resume nowhere", "resume s.toml"] {
        let said = place.run(words);
        assert_eq!(said.code, Some(2), "{words}: {}", said.error);
        assert!(said.error.starts_with("error: "), "{words}: {}", said.error);
    }
    assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 1);
}

/// A trace that became another since the run began is noticed.
#[test]
fn a_run_whose_jobs_changed_does_not_go_on() {
    let Some(shim) = Shim::get() else { return };
    let mut case = grid("until.drained = true");
    let rows: String = (0..400).map(|row| format!("{row},{},1\n", 1 + row % 7)).collect();
    case.scenario = "name = \"list\"\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 4, scheduler.easy = {} }\n\
        workload.jobs.file = \"jobs.csv\"\n"
        .to_owned();
    let place = case.place();
    let write = |rows: &str| {
        fs::write(place.path("jobs.csv"), format!("submit,runtime,processors\n{rows}")).unwrap();
    };
    write(&rows);
    let calls = place.calls(shim, &case.start());
    let expected = place.results();
    fs::remove_dir_all(place.path("r")).unwrap();
    place.struck(shim, &case.start(), Fault::new("kill", calls.len() / 2));
    write(&rows.replace("7,1,1", "7,2,1"));
    let said = place.run("resume r -q");
    assert_eq!(said.code, Some(2), "{}", said.error);
    assert!(said.error.contains("not what they were"), "{}", said.error);
    write(&rows);
    place.goes_on(&case, &expected, "a list of jobs");
}

/// The exit code of a command that must not hang.
fn answers(place: &Place, words: &str) -> Option<i32> {
    let begun = Instant::now();
    let mut running = Running(place.spawn(words));
    loop {
        match running.0.try_wait().unwrap() {
            Some(ended) => return ended.code(),
            None => assert!(begun.elapsed() < Duration::from_secs(120), "{words}"),
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The figures of a sweep are read to draw them: before, this waited for ever.
#[test]
fn pipes_in_the_folder_of_a_sweep_stop_nobody() {
    let place = grid("until.jobs = 50").place();
    let sweep = "extends = \"s.toml\"\n[sweep.grid]\n\"run.until.jobs\" = [40, 50]\n";
    fs::write(place.path("x.toml"), sweep).unwrap();
    assert_eq!(place.run("sweep x.toml -q --out r").code, Some(0));
    let figures = place.path("r/figures.csv");
    fs::remove_file(&figures).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&figures).status().unwrap().success());
    assert_eq!(answers(&place, "sweep plot r"), Some(2));
}

/// Reading a pipe waits for whoever writes to it, and a device never ends: neither is opened. Before,
/// `run` and `resume` hung at those among the state, and `resume` read a link to a device for ever.
#[test]
fn pipes_and_devices_in_a_results_folder_stop_nobody() {
    let case = grid("until.jobs = 2000");
    let finished = case.place();
    assert_eq!(finished.run(&case.start()).code, Some(0));
    for name in ["state/run.json", "state/lock", "manifest.json", "replications.csv", "jobs.csv"] {
        for is_pipe in [true, false] {
            let place = finished.copy();
            let path = place.path("r").join(name);
            let _ = fs::remove_file(&path);
            let made = match is_pipe {
                true => std::process::Command::new("mkfifo").arg(&path).status().unwrap().success(),
                false => std::os::unix::fs::symlink("/dev/zero", &path).is_ok(),
            };
            assert!(made);
            for words in [
                case.start(),
                "resume r -q".to_owned(),
                "audit r -q".to_owned(),
                "explain r --job 1".to_owned(),
                "compare r r -q --no-files".to_owned(),
            ] {
                let code = answers(&place, &words);
                let is_told = matches!(code, Some(0 | 1 | 2 | 4));
                assert!(is_told, "{words}: {name}, {is_pipe}: {code:?}");
            }
        }
    }
}
