//! Scenarios of campaigns: what is refused and where, and cases that are hard to plan.

use std::fs;
use std::path::Path;

use gridpact::review::audit;
use gridpact::run::{self, AnyFindings, Progress, folder};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};

/// A scenario of two sites, with a planner and whatever else.
fn text(planner: &str, rest: &str) -> String {
    format!(
        "name = \"Hard\"\ntask_planner.{planner} = {{}}\n\
         [[organization]]\nname = \"one\"\ncluster.site = {{ processors = 2, price = 2, storage = 5 }}\n\
         [[organization]]\nname = \"two\"\ncluster.site = {{ processors = 3, price = 1 }}\n{rest}"
    )
}

fn load(text: &str, folder: &Path) -> Result<Plan, String> {
    let file = folder.join("hard.toml");
    fs::write(&file, text).unwrap();
    let mut files = Files::new();
    scenario::load(Input::File(&file), &Overrides::default(), &mut files)
        .map(|(plan, _)| plan)
        .map_err(|wrong| render(&wrong, &files, false))
}

/// The planners, those that need deadlines too.
const PLANNERS: [&str; 9] = [
    "met",
    "mct",
    "min_min",
    "sufferage",
    "lp_rounding",
    "genetic_mapping",
    "game_quick",
    "game_cost",
    "game_storage_cost",
];

/// Runs and audits a scenario under every planner; each must end.
fn runs(rest: &str) {
    for planner in PLANNERS {
        let results = tempfile::tempdir().unwrap();
        let plan =
            load(&text(planner, rest), results.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
        folder::prepare(results.path(), &plan, true).unwrap();
        let outcome = run::run(&plan, Some(results.path()), 1, 0.0, &Progress::default()).unwrap();
        let AnyFindings::Campaign(found) = &outcome.found else { panic!("it is a campaign") };
        assert_eq!(found.all.done, found.all.submitted, "{planner}: {rest}");
        let audited = audit::audit(results.path()).unwrap();
        assert!(audited.passed(), "{planner}: {rest}\n{}", audited.report);
    }
}

#[test]
fn hard_cases_are_planned_and_end() {
    let application = |classes: &str| {
        format!("[[application]]\nname = \"a\"\nowner = \"one\"\ndeadline = 50\n{classes}")
    };
    let class = |rest: &str| format!("[[application.class]]\n{rest}\n");
    // No tasks at all, and in front of a class with some.
    runs(&application(&class("name = \"x\"\ntasks = 0\ntime = 1")));
    let empty = class("name = \"x\"\ntasks = 0\ntime = 1");
    runs(&application(&(empty + &class("name = \"y\"\ntasks = 7\nafter = [\"x\"]\ntime = 2"))));
    // No time at a site, and no weight at one.
    runs(&application(&class("name = \"x\"\ntasks = 9\ntimes = { two = 3 }")));
    runs(&application(&class("name = \"x\"\ntasks = 9\ntime = 3\nweights = { one = 0 }")));
    // A task that fits at one site only, and tasks that wait for room.
    runs(&application(&class("name = \"x\"\ntasks = 9\ntime = 3\nstorage = 6")));
    runs(&application(&class("name = \"x\"\ntasks = 9\ntime = 3\nstorage = 4")));
    // A deadline that nobody can keep.
    let late = application(&class("name = \"x\"\ntasks = 90\ntime = 3"));
    runs(&late.replace("deadline = 50", "deadline = 1"));
    // Times over ten orders of magnitude.
    let fast = class("name = \"x\"\ntasks = 5\ntimes = { one = 0.00001, two = 100000 }");
    runs(&application(
        &(fast + &class("name = \"y\"\ntasks = 3\ntimes = { one = 9000, two = 0.002 }")),
    ));
    // An application that comes while all processors are in use, and one that has nothing behind it.
    let full = application(&class("name = \"x\"\ntasks = 50\ntime = 4"));
    let second =
        full.replace("\"a\"", "\"b\"").replace("deadline = 50", "submit = 5\ndeadline = 9");
    runs(&(full + &second));
    // Expected times that are wrong.
    runs(&application(&class(
        "name = \"x\"\ntasks = 30\ntime = 4\nexpected = { one = 1, two = 9 }",
    )));
}

/// Table 2 of the paper on Game-quick, whose lines add up to 23 and 20, by its own rounding; beside another
/// planner the key is no mistake.
#[test]
fn small_bags_are_planned_as_in_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let makespan = |planner: &str, more: &str, sites: [u32; 2], times: [[u32; 2]; 2]| {
        let class = |at: usize| {
            format!(
                "[[application.class]]\nname = \"c{at}\"\ntasks = 5\ntimes = {{ one = {}, two = {} }}\n",
                times[at][0], times[at][1]
            )
        };
        let site = |name: &str, processors: u32| {
            format!(
                "[[organization]]\nname = \"{name}\"\ncluster.site = {{ processors = {processors} }}\n"
            )
        };
        let text = format!(
            "name = \"Table 2\"\ntask_planner.{planner} = {{}}\n{more}{}{}[[application]]\nname = \"a\"\n\
             owner = \"one\"\n{}{}",
            site("one", sites[0]),
            site("two", sites[1]),
            class(0),
            class(1)
        );
        let plan = load(&text, folder.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
        let outcome = run::run(&plan, None, 1, 0.0, &Progress::default()).unwrap();
        let AnyFindings::Campaign(found) = &outcome.found else { panic!("it is a campaign") };
        found.all.last as f64 / 1e6
    };
    let (inconsistent, consistent) = ([[15, 10], [8, 9]], [[15, 10], [9, 8]]);
    assert_eq!(makespan("game_quick", "", [3, 2], inconsistent), 23.0);
    assert_eq!(makespan("game_quick", "", [2, 3], consistent), 20.0);
    let rounding = "task_planning.rounding = \"whole_processors\"\n";
    assert_eq!(makespan("game_quick", rounding, [3, 2], inconsistent), 24.0);
    assert_eq!(makespan("min_min", rounding, [2, 3], consistent), 24.0);
}

#[test]
fn files_and_prices_pass_the_audit() {
    let application = "[[application]]\nname = \"a\"\nowner = \"one\"\ndeadline = 50\n";
    let class = |rest: &str| format!("[[application.class]]\n{rest}\n");
    let first = class("name = \"x\"\ntasks = 6\ntime = 2\nstorage = 0.5\noutput = 0.25");
    let second = class("name = \"y\"\ntasks = 4\ntime = 3\nstorage = 1\nafter = [\"x\"]");
    let classes = first + &second;
    for planning in ["", "files = \"kept\"\n", "pricing = \"second_price\"\n"] {
        runs(&format!("[task_planning]\n{planning}{application}{classes}"));
    }
    let folder = tempfile::tempdir().unwrap();
    let fluid = "[task_planning]\nexecutor = \"fluid\"\n";
    let told =
        load(&text("game_storage", &format!("{fluid}{application}{classes}")), folder.path());
    let told = told.unwrap_err();
    assert!(told.contains("a fluid has no finished tasks that leave files"), "{told}");
    // Files that leave no room for those who need them: the run ends, and says so.
    let full = class("name = \"x\"\ntasks = 6\ntimes = { one = 2 }\noutput = 0.75")
        + &class("name = \"y\"\ntasks = 4\ntimes = { one = 3 }\nstorage = 1\nafter = [\"x\"]");
    let plan = load(&text("mct", &format!("{application}{full}")), folder.path());
    let plan = plan.unwrap_or_else(|wrong| panic!("{wrong}"));
    folder::prepare(folder.path(), &plan, true).unwrap();
    let outcome = run::run(&plan, Some(folder.path()), 1, 0.0, &Progress::default()).unwrap();
    let AnyFindings::Campaign(found) = &outcome.found else { panic!("it is a campaign") };
    assert_eq!((found.all.submitted, found.all.done), (1, 0));
    let audited = audit::audit(folder.path()).unwrap();
    assert!(audited.passed(), "{}", audited.report);
}

#[test]
fn a_million_classes_of_one_task_are_planned_at_once() {
    let results = tempfile::tempdir().unwrap();
    let drawn = "[workload.applications]\ncount = 100\nclasses.constant = 10000\ntasks.constant = 1\n\
                 times.braun = { tasks = 10, machines = 10, kind = \"inconsistent\" }\n";
    let plan = load(&text("mct", drawn), results.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let outcome = run::run(&plan, None, 1, 0.0, &Progress::default()).unwrap();
    let AnyFindings::Campaign(found) = &outcome.found else { panic!("it is a campaign") };
    assert_eq!(found.all.done, 100);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let application = "[[application]]\nname = \"a\"\nowner = \"one\"\n";
    let class = "[[application.class]]\nname = \"x\"\ntasks = 3\n";
    let wrong: [(&str, String, &str, &str); 12] = [
        ("mct", String::new(), "no application has tasks to plan", "hard.toml:2"),
        ("mct", application.to_owned(), "`a` has no classes", "hard.toml:9"),
        ("mct", format!("{application}{class}"), "`x` has no time at any site", "hard.toml:12"),
        (
            "mct",
            format!("{application}{class}time = 1\nweights = {{ one = 0, two = 0 }}\n"),
            "the weights keep `x` from every site",
            "hard.toml:16",
        ),
        (
            "mct",
            format!("{application}{class}times = {{ one = 1 }}\nstorage = 6\n"),
            "holds more storage than any site has where it can run",
            "hard.toml:16",
        ),
        (
            "mct",
            format!("{application}{class}time = 1\nafter = [\"x\"]\n"),
            "these classes wait for each other: `x` after `x`",
            "hard.toml:16",
        ),
        (
            "mct",
            format!("{application}{class}time = 1\nafter = [\"z\"]\n"),
            "there is no class called `z`",
            "hard.toml:16",
        ),
        ("mct", format!("{application}{class}time = 0\n"), "`time`: 0", "hard.toml:15"),
        (
            "mct",
            format!("{application}{class}times = {{ tow = 1 }}\n"),
            "did you mean `two`?",
            "hard.toml:15",
        ),
        (
            "game_cost",
            format!("{application}{class}time = 1\n"),
            "`game_cost` goes by deadlines, and `a` has none",
            "hard.toml:9",
        ),
        (
            "mct",
            format!("[task_planning]\nexecutor = \"fluid\"\n{application}{class}time = 1\n"),
            "`mct` plans whole tasks, not shares",
            "hard.toml:10",
        ),
        (
            "game_quick",
            format!("[task_planning]\nexecutor = \"fluid\"\n{application}{class}time = 1\n"),
            "does not look at what sites can hold",
            "hard.toml:10",
        ),
    ];
    for (planner, rest, message, place) in wrong {
        let told = load(&text(planner, &rest), folder.path()).err();
        let told = told.unwrap_or_else(|| panic!("{message}: it was not refused"));
        assert!(told.contains(message) && told.contains(place), "{message} at {place}:\n{told}");
    }
}

#[test]
fn a_recorded_workflow_becomes_an_application() {
    let results = tempfile::tempdir().unwrap();
    let task = |name: &str, parents: &str, seconds: f64| {
        format!(
            "{{\"name\": \"{name}\", \"type\": \"compute\", \"runtimeInSeconds\": {seconds}, \
             \"parents\": [{parents}]}}"
        )
    };
    let tasks = [
        task("split_1", "", 2.0),
        task("work_2", "\"split_1\"", 4.0),
        task("work_3", "\"split_1\"", 6.0),
        task("join_4", "\"work_2\", \"work_3\"", 1.0),
    ];
    let instance = format!(
        "{{\"name\": \"fork\", \"schemaVersion\": \"1.4\", \"workflow\": {{\"tasks\": [{}]}}}}",
        tasks.join(", ")
    );
    fs::write(results.path().join("fork.json"), instance).unwrap();
    let application =
        "[[application]]\nname = \"fork\"\nowner = \"one\"\nworkflow = { file = \"fork.json\" }\n";
    let plan =
        load(&text("mct", application), results.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let campaign = plan.campaign().unwrap();
    let work = campaign.work(0);
    let classes: Vec<(&str, u64, &[u32])> =
        work.classes.iter().map(|one| (&*one.name, one.tasks, &*one.after)).collect();
    assert_eq!(classes, [("split", 1, &[][..]), ("work", 2, &[0]), ("join", 1, &[1])]);
    assert_eq!(work.times(1)[0].as_units(), 5.0);
    let told = gridpact::report::campaign::imports(campaign);
    assert!(told[0].starts_with("fork: 4 tasks in 3 classes"), "{told:?}");
    // A circle is told with its file and line.
    let circle = format!(
        "{{\"name\": \"o\", \"schemaVersion\": \"1.4\", \"workflow\": {{\"tasks\": [\n{},\n{}]}}}}",
        task("a", "\"b\"", 1.0),
        task("b", "\"a\"", 1.0)
    );
    fs::write(results.path().join("fork.json"), circle).unwrap();
    let told = load(&text("mct", application), results.path()).unwrap_err();
    assert!(told.contains("fork.json") && told.contains("line 2"), "{told}");
}
