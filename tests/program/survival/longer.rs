//! A run is made longer, or gets more replications: it is the run that was longer from the start.

use crate::survival::support::{Case, Fault, Shim, campaign, coalition, grid, one_in, rich};

/// A case and the arguments that extend it.
struct Extension {
    name: &'static str,
    case: fn(&str) -> Case,
    short: &'static str,
    long: &'static str,
    words: &'static str,
}

fn independent(run: &str) -> Case {
    coalition(run, "independent")
}

/// Without a first run, after which a longer run may count other jobs.
fn recorded(run: &str) -> Case {
    let case = rich(run);
    Case { scenario: case.scenario.replace("warm_up.mser_5 = {}", "warm_up.fixed = 50"), ..case }
}

/// With a warm-up that first runs find.
fn grid_cut(run: &str) -> Case {
    let case = grid(run);
    let found = "output = { histograms = false, warm_up.mser_5 = {} }";
    Case { scenario: case.scenario.replace("output.histograms = false", found), ..case }
}

fn continuing(run: &str) -> Case {
    coalition(run, "continuing")
}

const EXTENSIONS: [Extension; 16] = [
    Extension {
        name: "time",
        case: grid,
        short: "until.time = 200",
        long: "until.time = 700",
        words: "--until time=700",
    },
    Extension {
        name: "time of replications",
        case: grid,
        short: "replications = 2\nuntil.time = 200",
        long: "replications = 2\nuntil.time = 700",
        words: "--until time=700",
    },
    Extension {
        name: "jobs",
        case: grid,
        short: "until.jobs = 150",
        long: "until.jobs = 500",
        words: "--until jobs=500",
    },
    Extension {
        name: "time, with everything recorded",
        case: recorded,
        short: "until.time = 200",
        long: "until.time = 700",
        words: "--until time=700",
    },
    Extension {
        name: "time of more short replications than are all logged",
        case: grid,
        short: "replications = 300\nuntil.time = 60",
        long: "replications = 300\nuntil.time = 90",
        words: "--until time=90",
    },
    Extension {
        name: "replications of a grid",
        case: grid,
        short: "replications = 2\nuntil.jobs = 150",
        long: "replications = 5\nuntil.jobs = 150",
        words: "--replications 5",
    },
    Extension {
        name: "a second replication",
        case: grid,
        short: "until.jobs = 150",
        long: "replications = 2\nuntil.jobs = 150",
        words: "--replications 2",
    },
    Extension {
        name: "replications that move the end of the warm-up",
        case: rich,
        short: "replications = 2\nuntil.jobs = 150",
        long: "replications = 4\nuntil.jobs = 150",
        words: "--replications 4",
    },
    Extension {
        name: "replications that leave the end of the warm-up",
        case: grid_cut,
        short: "replications = 20\nuntil.jobs = 60",
        long: "replications = 22\nuntil.jobs = 60",
        words: "--replications 22",
    },
    Extension {
        name: "time of a campaign",
        case: campaign,
        short: "replications = 2\nuntil.time = 600",
        long: "replications = 2\nuntil.time = 2000",
        words: "--until time=2000",
    },
    Extension {
        name: "replications of a campaign",
        case: campaign,
        short: "replications = 2",
        long: "replications = 4",
        words: "--replications 4",
    },
    Extension {
        name: "independent rounds",
        case: independent,
        short: "replications = 2\nuntil.rounds = 5",
        long: "replications = 2\nuntil.rounds = 13",
        words: "--until rounds=13",
    },
    Extension {
        name: "continuing rounds",
        case: continuing,
        short: "until.rounds = 5",
        long: "until.rounds = 13",
        words: "--until rounds=13",
    },
    Extension {
        name: "replications of a coalition",
        case: continuing,
        short: "replications = 2\nuntil.rounds = 5",
        long: "replications = 3\nuntil.rounds = 5",
        words: "--replications 3",
    },
    Extension {
        name: "replications that chance ends",
        case: continuing,
        short: "replications = 2\nuntil.goes_on = 0.8",
        long: "replications = 4\nuntil.goes_on = 0.8",
        words: "--replications 4",
    },
    Extension {
        name: "rounds and replications",
        case: independent,
        short: "replications = 1\nuntil.rounds = 5",
        long: "replications = 3\nuntil.rounds = 9",
        words: "--until rounds=9 --replications 3",
    },
];

#[test]
fn a_finished_run_that_is_extended_is_the_longer_run() {
    for Extension { name, case, short, long, words } in EXTENSIONS {
        let (case, expected) = (case(short), case(long).unbroken());
        let place = case.place();
        assert_eq!(place.run(&case.start()).code, Some(0), "{name}");
        let said = place.run(&format!("resume r -q {words}"));
        assert_eq!(said.code, Some(0), "{name}: {}", said.error);
        place.has(&expected, name);
        assert_eq!(place.run("audit r -q").code, Some(0), "{name}");
    }
}

#[test]
fn a_broken_run_that_is_extended_is_the_longer_run() {
    let Some(shim) = Shim::get() else { return };
    for Extension { name, case, short, long, words } in EXTENSIONS {
        let (case, expected) = (case(short), case(long).unbroken());
        let calls = case.calls(shim).len();
        for part in 1..5 {
            let place = case.place();
            let at = calls * part / 5;
            place.struck(shim, &case.start(), Fault::new("kill", at));
            let said = place.run(&format!("resume r -q {words}"));
            assert_eq!(said.code, Some(0), "{name}: killed at {at}: {}", said.error);
            place.has(&expected, &format!("{name}: killed at {at}"));
        }
    }
}

/// The extension is killed at every change that it makes to the disk, or at one in so many; the shorter
/// results are there whole, or not at all, until the longer ones are.
#[test]
fn an_extension_that_is_killed_goes_on_to_the_longer_run() {
    let Some(shim) = Shim::get() else { return };
    let killed = ["replications that move the end of the warm-up", "continuing rounds"];
    let extensions = EXTENSIONS.iter().filter(|extension| killed.contains(&extension.name));
    for Extension { name, case, short, long, words } in extensions {
        let (case, expected) = (case(short), case(long).unbroken());
        let shorter = case.unbroken();
        let finished = case.place();
        assert_eq!(finished.run(&case.start()).code, Some(0), "{name}");
        let words = format!("resume r -q --threads 1 {words}");
        let calls = finished.copy().calls(shim, &words);
        for (index, call) in calls.iter().enumerate().step_by(one_in()) {
            let what = format!("{name}: killed at {}, {call:?}", index + 1);
            let place = finished.copy();
            let said = place.struck(shim, &words, Fault::new("torn", index + 1));
            assert_eq!(said.code, None, "{what}: {}", said.error);
            if let Some(manifest) = place.results().get("manifest.json") {
                let is_known =
                    [&shorter, &expected].iter().any(|of| of["manifest.json"] == *manifest);
                assert!(is_known, "{what}: no manifest that anybody knows");
                assert_eq!(place.run("audit r -q").code, Some(0), "{what}");
            }
            // What was asked for may have been lost with the process, so it is asked again.
            let said = place.run(&words);
            assert_eq!(said.code, Some(0), "{what}: {}", said.error);
            place.has(&expected, &what);
        }
    }
}

#[test]
fn a_run_cannot_be_cut() {
    for (case, words, phrase) in [
        (grid("until.jobs = 150"), "--until jobs=100", "but not shortened"),
        (independent("until.rounds = 5"), "--until rounds=4", "but not shortened"),
        (grid("replications = 3\nuntil.jobs = 90"), "--replications 2", "has 3 already"),
        (grid("until.jobs = 90"), "--until apples=3", "not an end of a run"),
        (grid("until.jobs = 90"), "--until rounds=3", ""),
    ] {
        let expected = case.unbroken();
        let place = case.place();
        assert_eq!(place.run(&case.start()).code, Some(0));
        let said = place.run(&format!("resume r -q {words}"));
        assert_eq!(said.code, Some(2), "{words}: {}", said.error);
        assert!(said.error.contains(phrase), "{words}: {}", said.error);
        place.has(&expected, words);
    }
}
