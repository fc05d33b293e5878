//! Runs outside of a tidy desk: dropped connections, full terminals, odd names, projects
//! that move, and rounds and instants that last.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::survival::support::{Call, Case, Fault, Place, Shim, coalition, grid, small};

const STOPPED: Option<i32> = Some(75);

fn send(signal: &str, child: &Child) {
    let arguments = [format!("-{signal}"), child.id().to_string()];
    assert!(Command::new("kill").args(arguments).status().unwrap().success());
}

/// The program started by a shell that does something before.
fn through_shell(place: &Place, before: &str, words: &str) -> Child {
    let program = env!("CARGO_BIN_EXE_gridpact");
    let mut shell = crate::cli::support::command("sh");
    shell.arg("-c").arg(format!("{before}; exec '{program}' {words}"));
    shell.current_dir(place.path(""));
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn long() -> Case {
    let mut case = grid("replications = 2\nuntil.jobs = 60000");
    case.options = "--checkpoint-every 10ms".to_owned();
    case
}

#[test]
fn a_hangup_stops_a_run_that_was_not_told_to_ignore_it() {
    let case = long();
    let expected = case.unbroken();
    for signal in ["HUP", "XCPU"] {
        let place = case.place();
        let child = place.spawn(&case.start());
        place.until_it_saves();
        send(signal, &child);
        let (code, error) = ended(child);
        assert_eq!(code, STOPPED, "SIG{signal}: {error}");
        place.goes_on(&case, &expected, signal);
    }
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: whether a signal is ignored cannot be told here");
        return;
    }
    let place = case.place();
    let child = through_shell(&place, "trap '' HUP", &case.start());
    place.until_it_saves();
    send("HUP", &child);
    let (code, error) = ended(child);
    assert_eq!(code, Some(0), "as nohup does it: {error}");
    place.has(&expected, "hangup ignored");
}

#[test]
fn a_file_that_may_not_grow_is_told() {
    let mut case = grid("until.jobs = 4000");
    case.options = "--checkpoint-every never".to_owned();
    let expected = case.unbroken();
    let place = case.place();
    // In blocks of 512 or 1024 bytes.
    let (code, error) = ended(through_shell(&place, "ulimit -f 20", &case.start()));
    assert_eq!(code, Some(4), "{error}");
    assert!(error.contains("error: r/") && error.contains("large"), "{error}");
    place.goes_on(&case, &expected, "after SIGXFSZ");
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_who_listens_is_no_error_of_a_run() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let case = grid("until.jobs = 300");
    let expected = case.unbroken();
    for (words, log) in [("-v", ""), ("-vvv", ""), ("-v --log json", ""), ("", "gridpact=debug")] {
        let place = case.place();
        let mut program = place.command(&format!("run s.toml --out r {words}"));
        if !log.is_empty() {
            program.env("GRIDPACT_LOG", log);
        }
        let status = program.stdout(Stdio::null()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{words} {log}");
        place.has(&expected, words);
    }
    let place = case.place();
    for words in ["run --help", "--help", "help", "--version", "help run", "run -h"] {
        let output = place.command(words).stdout(full()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{words}: {error}");
        assert!(error.starts_with("error: standard output: "), "{words}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_kept() {
    let case = long();
    let expected = case.unbroken();
    let place = case.place();
    let odd = place.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9 'x'"));
    fs::create_dir(&odd).unwrap();
    let scenario = odd.join(std::ffi::OsStr::from_bytes(b"s\xff.toml"));
    fs::copy(place.path("s.toml"), &scenario).unwrap();
    let program = |words: &[&std::ffi::OsStr], input: Stdio| {
        let mut program = crate::cli::support::program();
        program.args(words).current_dir(&odd).stdin(input);
        let output = program.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let word = std::ffi::OsStr::new;
    for (name, input) in [(scenario.as_os_str(), false), (word("-"), true)] {
        let input = || match input {
            true => Stdio::from(fs::File::open(&scenario).unwrap()),
            false => Stdio::null(),
        };
        let out = place.path("r");
        let common = ["-q", "--threads", "1", "--out"].map(word);
        let mut words = vec![word("run"), name];
        words.extend(common);
        words.push(out.as_os_str());
        words.extend(["--wall-clock", "30ms"].map(word));
        let (code, error) = program(&words, input());
        assert!([STOPPED, Some(0)].contains(&code), "{error}");
        if code == STOPPED {
            let (code, error) =
                program(&[word("resume"), out.as_os_str(), word("-q")], Stdio::null());
            assert_eq!(code, Some(0), "{error}");
        }
        place.has(&expected, "odd names");
        fs::remove_dir_all(out).unwrap();
    }
    let odd_out = odd.join(std::ffi::OsStr::from_bytes(b"r\xfe"));
    let words = [word("run"), scenario.as_os_str(), word("--out"), odd_out.as_os_str()];
    let mut words = words.to_vec();
    words.extend(["--wall-clock", "1ms"].map(word));
    let (code, error) = program(&words, Stdio::null());
    assert_eq!(code, STOPPED, "{error}");
    assert!(error.contains(r"`gridpact resume $'"), "{error}");
    assert!(error.contains(r"caf\xe9 \'x\'/r\xfe'`"), "{error}");
}

#[test]
fn a_project_that_moved_with_its_trace_goes_on() {
    let Some(shim) = Shim::get() else { return };
    let mut case = grid("until.drained = {}");
    case.scenario = "name = \"list\"\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 4, scheduler.easy = {} }\n\
        workload.jobs.file = \"traces/jobs.csv\"\n"
        .to_owned();
    let rows: String = (0..400).map(|row| format!("{row},{},1\n", 1 + row % 7)).collect();
    let place = case.place();
    fs::create_dir(place.path("traces")).unwrap();
    fs::write(place.path("traces/jobs.csv"), format!("submit,runtime,processors\n{rows}")).unwrap();
    let calls = place.calls(shim, &case.start());
    let expected = place.results();
    fs::remove_dir_all(place.path("r")).unwrap();
    place.struck(shim, &case.start(), Fault::new("kill", calls.len() / 2));
    // The copy is elsewhere, and where the run began nothing is any more.
    let moved = place.copy();
    fs::remove_dir_all(place.path("traces")).unwrap();
    fs::remove_file(place.path("s.toml")).unwrap();
    moved.copy().goes_on(&case, &expected, "moved");
    // Another trace in the new place is not taken for it.
    fs::write(moved.path("traces/jobs.csv"), "submit,runtime,processors\n0,1,1\n").unwrap();
    let said = moved.run("resume r -q");
    assert!([Some(2), Some(4)].contains(&said.code), "{}", said.error);
    assert!(said.error.contains("jobs.csv"), "{}", said.error);
}

#[test]
fn of_two_that_start_at_one_moment_one_runs_and_the_other_says_so() {
    let [(_, case), _] = small();
    let expected = case.unbroken();
    let mut refused = 0;
    for _ in 0..60 {
        let place = case.place();
        let both = [(); 3].map(|()| place.spawn(&case.start()));
        let ends = both.map(ended);
        assert!(ends.iter().any(|(code, _)| *code == Some(0)), "{ends:?}");
        for (code, error) in &ends {
            if *code != Some(0) {
                assert_eq!(*code, Some(2), "{error}");
                assert!(error.contains("another process is running in this folder"), "{error}");
                assert!(!error.contains("--force"), "{error}");
                refused += 1;
            }
        }
        place.has(&expected, "of two");
    }
    assert!(refused > 0, "none of them met another");
}

#[test]
fn a_rerun_that_is_killed_while_it_publishes_leaves_nothing_behind() {
    let Some(shim) = Shim::get() else { return };
    let [(_, case), _] = small();
    let place = case.place();
    assert_eq!(place.run(&case.start()).code, Some(0));
    let expected = place.results();
    let again = place.copy();
    let calls = again.calls(shim, &case.start());
    let is_draft = |name: &String| name.starts_with(".gridpact-");
    let mut left = 0;
    for at in (1..=calls.len()).rev().take(60) {
        let broken = place.copy();
        broken.struck(shim, &case.start(), Fault::new("kill", at));
        left += usize::from(broken.results().keys().any(is_draft));
        broken.goes_on(&case, &expected, &format!("killed at {at} of {}", calls.len()));
        assert!(!broken.kept().iter().any(is_draft), "{:?}", broken.kept());
    }
    assert!(left > 0, "no kill left anything to be removed");
}

#[test]
fn a_round_that_lasts_is_left_and_gone_on_with_in_its_middle() {
    for rounds in ["independent", "continuing"] {
        let mut case = coalition("until.rounds = 2", rounds);
        case.scenario = case.scenario.replace("period = 100.0", "period = 1000000.0");
        case.scenario =
            case.scenario.replace("rounds = true, moves = true, jobs = true", "everyone_in = true");
        let expected = case.unbroken();
        case.options = "--checkpoint-every never --wall-clock 40ms".to_owned();
        let place = case.place();
        let mut said = place.run(&case.start());
        let mut slices = 1;
        while said.code == STOPPED {
            assert!(slices < 1000, "it never ends");
            said = place.run("resume r -q --threads 1 --wall-clock 40ms");
            slices += 1;
        }
        assert_eq!(said.code, Some(0), "{}", said.error);
        assert!(slices > 3, "{rounds}: only {slices} slices of two rounds");
        place.has(&expected, rounds);
    }
    // A round that takes minutes, in which nobody takes part until its end.
    let mut case = coalition("until.rounds = 2", "independent");
    case.scenario = case.scenario.replace("period = 100.0", "period = 1e9");
    let place = case.place();
    let child = place.spawn(&case.start());
    sleep(Duration::from_millis(500));
    send("INT", &child);
    let begun = Instant::now();
    let (code, error) = ended(child);
    assert_eq!(code, STOPPED, "{error}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn an_instant_that_lasts_is_saved_in_its_middle() {
    let Some(shim) = Shim::get() else { return };
    let mut case = grid("until.drained = {}");
    case.scenario = "name = \"list\"\noutput.decisions = true\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 40, scheduler.easy = {} }\n\
        [[organization]]\nname = \"b\"\nuses = [\"a\", \"b\"]\n\
        cluster.space_shared = { processors = 4, scheduler.conservative = {} }\n\
        [workload.jobs]\nfile = \"jobs.csv\"\n"
        .to_owned();
    case.options = "--checkpoint-every 1jobs".to_owned();
    let row = |row: usize| format!("{},{},1,{}\n", row / 600, 2 + row % 3, ["a", "b"][row % 2]);
    let rows: String = (0..1200).map(row).collect();
    let place = case.place();
    fs::write(place.path("jobs.csv"), format!("submit,runtime,processors,organization\n{rows}"))
        .unwrap();
    let fresh = place.copy();
    let calls = place.calls(shim, &case.start());
    let expected = place.results();
    // Jobs come at two instants only.
    let is_saved = |call: &&Call| {
        call.name == "rename" && call.path.to_string_lossy().ends_with(".checkpoint")
    };
    assert!(calls.iter().filter(is_saved).count() > 3, "saved only between instants");
    for part in 1..12 {
        let broken = fresh.copy();
        broken.struck(shim, &case.start(), Fault::new("kill", calls.len() * part / 12));
        broken.goes_on(&case, &expected, &format!("killed at {part}/12"));
    }
}
