//! Coalitions as they are written: what makes sense, and what is answered where it does not.

use gridpact::policy::learn::LearnerOptions;

use crate::cli::support::{Folder, check, check_with};

/// Two organizations that may balance their load.
const TWO: &str = "\
name = \"test\"
run.until.rounds = 5
[[organization]]
name = \"a\"
count = 2
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }
learner.ratio = {}
[coalition]
period = 1000.0
balancer.averaging = {}
";

/// An organization `b` with explicit jobs.
const B: &str = "\
[[organization]]
name = \"b\"
cluster.time_shared = {}
learner.never = {}
[[job]]
organization = \"b\"
submit = 500
runtime = 400
";

/// `TWO` with something else in place of a part; then what is said.
#[track_caller]
fn instead(part: &str, other: &str, code: i32, expected: &str) {
    assert!(TWO.contains(part), "{part}");
    check(&TWO.replace(part, other), code, expected);
}

/// `TWO` with something more behind it.
#[track_caller]
fn more(text: &str, code: i32, expected: &str) {
    check(&format!("{TWO}{text}"), code, expected);
}

/// Said as a warning, about a scenario that is right otherwise.
#[track_caller]
fn warned(scenario: &str, expected: &str) {
    let said = Folder::new(scenario).run("check -q s.toml");
    assert_eq!((said.code, &*said.error), (0, expected), "{scenario}");
}

#[test]
fn a_coalition_is_checked_and_told() {
    let folder = Folder::new(&TWO.replace("count = 2\n", "first_round = 2\nlast_round = 3\n"));
    folder.write("b.toml", &format!("extends = \"s.toml\"\n{B}"));
    let said = folder.run("check b.toml --set organization.b.cluster.time_shared.processors=4");
    assert_eq!(said.code, 0, "{}", said.error);
    for line in [
        "seed 1, 1 replication, 5 rounds\n",
        "coalition: balancer averaging, independent rounds of 1000 units; jobs submitted from 200 to 800 of \
         a round count\n",
        "a load of p q / m on a cluster of m processors, which can be divided at will; m from 1 to 4",
        "\n  a: learner ratio, rounds 2 to 3\n  b: learner never\n",
        "\n  b of b: time-shared, 4 processors a job\n",
    ] {
        assert!(said.out.contains(line), "{line}{}", said.out);
    }
    let said = folder.run("check b.toml --table run --format csv");
    assert!(said.out.contains("until_rounds") && said.out.contains(",,,5,"), "{}", said.out);
}

#[test]
fn choices_are_bare_or_tables_and_jobs_come_from_wherever() {
    for part in [
        "rounds.independent = {}\n",
        "rounds = \"continuing\"\nwindow = [0, 1]\nsends = \"head\"\n",
        "[workload]\njobs.file = \"mine.csv\"\n",
    ] {
        let folder = Folder::new(&format!("{TWO}{part}"));
        folder.write("mine.csv", "submit,runtime,processors,organization\n0,1,1,b\n2,3,1,c\n");
        let others = "[[organization]]\nname = \"b\"\ncluster = \"time_shared\"\n\
            learner = \"always\"\n[[organization]]\nname = \"c\"\nlearner = \"never\"\n\
            [[cluster]]\nname = \"m\"\nowner = \"c\"\nkind = \"time_shared\"\n";
        folder.write("s.toml", &format!("{TWO}{part}{others}"));
        let said = folder.run("check s.toml --table workloads --format csv");
        assert_eq!(said.code, 0, "{}", said.error);
        let listed = said.out.contains("\nb,jobs,1") && said.out.contains("\nc,jobs,1");
        assert_eq!(listed, part.contains("mine"), "{}", said.out);
    }
}

/// Nobody knows the payoffs of a coalition, so who has to is refused, by its label.
#[test]
fn learners_that_know_the_whole_game_are_not_for_coalitions() {
    for options in LearnerOptions::defaults() {
        let name = options.name();
        let scenario = TWO.replace("learner.ratio", &format!("learner.{name}"));
        let said = Folder::new(&scenario).run("check -q s.toml");
        let knows = options.label().contains("whole game");
        assert_eq!(said.code, if knows { 2 } else { 0 }, "{name}: {}", said.error);
    }
    instead("learner.ratio = {}\n", "learner.fictitious_play = { prior = 2.0 }\n", 2, "");
}

#[test]
fn every_organization_of_a_coalition_decides() {
    instead(
        "learner.ratio = {}\n",
        "",
        2,
        "error: nobody decides about this coalition: no organization has a learner
 --> s.toml:8:1
  |
8 | [coalition]
  | ^^^^^^^^^^^
  |
  = help: give each one: `learner.ratio = { initial = 0.5, rate = 0.1 }` learns, \
         `learner.always = {}` takes part in every round and `learner.never = {}` in none
s.toml: 1 error; nothing was run
",
    );
    more(
        "[[organization]]\nname = \"b\"\ncluster.time_shared = {}\n",
        2,
        "error: nobody decides whether `b` takes part
  --> s.toml:12:1
   |
12 | [[organization]]
   | ^^^^^^^^^^^^^^^^ `learner` is not given here
   |
   = help: give it a learner: `learner.ratio = { initial = 0.5, rate = 0.1 }` learns, \
         `learner.always = {}` takes part in every round and `learner.never = {}` in none
s.toml: 1 error; nothing was run
",
    );
}

#[test]
fn levels_and_probabilities_are_within_bounds() {
    instead(
        "ratio = {}",
        "fixed.level = -1",
        2,
        "error: -1 is not a level; give units of work from 0 to 10^9
 --> s.toml:8:23
  |
8 | learner.fixed.level = -1
  |                       ^^
s.toml: 1 error; nothing was run
",
    );
    instead(
        "ratio = {}",
        "ratio.initial = 1.5",
        2,
        "error: 1.5 is not a probability; give a number from 0 to 1
 --> s.toml:8:25
  |
8 | learner.ratio.initial = 1.5
  |                         ^^^
s.toml: 1 error; nothing was run
",
    );
    instead("ratio = {}", "ratio.rate = 0", 2, "s.toml:8:22");
    instead("\"a\"", "\"a-1..2\"", 2, "`a-1..2` is what several are called");
    instead("ratio = {}", "level.most = 1e300", 2, "s.toml:8:22");
    instead("ratio = {}", "level = { least = 5, most = 2 }", 2, "s.toml:8:");
    instead("averaging = {}", "averaging.grid = -1", 2, "s.toml:11:27");
}

#[test]
fn rounds_are_said_and_last() {
    instead(
        "run.until.rounds = 5\n",
        "run.until.jobs = 5\n",
        2,
        "error: a coalition is played in rounds
 --> s.toml:2:5
  |
2 | run.until.jobs = 5
  |     ^^^^^
  |
  = help: say how many: `run.until.rounds = 200`, or `goes_on = 0.95` by chance
s.toml: 1 error; nothing was run
",
    );
    instead("run.until.rounds = 5\n", "", 2, "say how many: `run.until.rounds = 200`");
    instead(
        "rounds = 5",
        "rounds = 0",
        2,
        "`rounds`: 0 is too small; give a whole number, 1 or more",
    );
    instead("period = 1000.0", "period = 0", 2, "`period`: 0 is too small; give a number above 0");
    instead("period = 1000.0", "period = -1", 2, "s.toml:10:10");
    let long = "period = 1e9\nrounds.continuing = {}";
    instead("period = 1000.0", long, 0, "");
    let text = TWO.replace("period = 1000.0", long).replace("= 5\n", "= 9000\n");
    check(&text, 2, "last longer than can be counted");
    instead(
        "period = 1000.0",
        "period = 1000.0\nwindow = [0.5, 1.5]",
        2,
        "error: `window`: 1.5 is too large; give a number from 0 to 1
  --> s.toml:11:16
   |
11 | window = [0.5, 1.5]
   |                ^^^
s.toml: 1 error; nothing was run
",
    );
    instead("period = 1000.0", "period = 1000.0\nwindow = [nan, 1]", 2, "not NaN");
    instead("period = 1000.0", "period = 1000.0\nwindow = [0.5, 0.5]", 2, "so none counts");
    instead("period = 1000.0", "period = 1000.0\nwindow = [0.5]", 2, "s.toml:11:10");
    let three = "period = 1000.0\nwindow = [0.2, 0.4, 0.5]";
    instead("period = 1000.0", three, 2, "takes 2 values, and here are 3");
    instead("period = 1000.0", "period = 1e-9", 2, "give 1e-6 or more");
    instead("count = 2", "first_round = 3\nlast_round = 2", 2, "2, is before the first, 3");
}

#[test]
fn a_round_is_longer_than_its_jobs() {
    let long = B.replace("400", "4000");
    more(
        &long,
        2,
        "error: the load of job 1 of `b` is 4000, more than the period, 1000
  --> s.toml:19:11
   |
19 | runtime = 4000
   |           ^^^^
   |
   = help: take a longer `coalition.period`, or shorter jobs
s.toml: 1 error; nothing was run
",
    );
    // On four processors the same job is a quarter of the load.
    let wide = long.replace("time_shared = {}", "time_shared.processors = 4");
    let two = TWO.replace("period", "rounds.continuing = {}\nperiod");
    check(&format!("{two}{wide}"), 0, "");
    warned(
        &TWO.replace("1000.0", "30"),
        "warning: the period is short: the load of a job of `a-1` is 4 on average
  --> s.toml:10:10
   |
10 | period = 30
   |          ^^
   |
   = note: few jobs count in a round of less than ten times that, and many do not end in it
",
    );
    let trace = "workload.swf.file = \"trace.swf\"\nlearner.never = {}\n\
        cluster.time_shared.processors = 9\n";
    let trace = format!("rounds.continuing = {{}}\n[[organization]]\nname = \"c\"\n{trace}");
    let trace = format!("{TWO}{trace}").replace("1000.0", "9");
    check(&trace, 0, "the load of job 3 of `c` is 10, more than the period, 9");
    check(&trace, 0, "such jobs, 1 in the trace, do not end in their round");
}

#[test]
fn worlds_are_not_mixed() {
    instead(
        "time_shared = {}",
        "space_shared = { processors = 4, scheduler.easy = {} }",
        2,
        "error: `coalition.balancer` belongs to a coalition, and this is a federation
  --> s.toml:11:1
   |
 6 | cluster.space_shared = { processors = 4, scheduler.easy = {} }
   |         ------------ this makes it a federation
...
11 | balancer.averaging = {}
   | ^^^^^^^^
   |
   = help: leave it out: with space-shared clusters it is a federation, and `grid_scheduler` or \
         `planner` places members' jobs
s.toml: 1 error; nothing was run
",
    );
    instead("count = 2\n", "uses = [\"a\"]\n", 2, "the balancer says whose cluster does the work");
    instead("cluster.time_shared = {}\n", "", 2, "the grid has no cluster");
    more("[[organization]]\nname = \"b\"\nlearner.never = {}\n", 2, "`b` has no cluster");
    let second = "[[cluster]]\nname = \"m\"\nowner = \"a-1\"\nkind.time_shared = {}\n";
    more(second, 2, "`a-1` has 2 clusters");
    let shared = "[workload.shared.source.synthetic]\narrivals.poisson.rate = 0.2\n\
        size.exponential.mean = 4.0\n";
    more(shared, 2, "give each organization a `workload` of its own");
    let users = "[workload.swf]\nfile = \"trace.swf\"\nowners.per_user = {}\n";
    more(users, 2, "`workload.swf` belongs to a grid");
    let twice = B.replace("\"b\"\nsubmit", "\"a-1\"\nsubmit");
    more(&twice, 2, "`a-1` has jobs from two places");
    for (setting, reason) in [
        ("run.clairvoyance = \"runtime\"", "`run.clairvoyance` belongs to a grid or a campaign"),
        ("run.phase_order = \"per_event\"", "`run.phase_order` belongs to a grid"),
        ("run.never_runs = \"reject\"", "a cluster that is too small needs more `processors`"),
        ("output.warm_up.fixed = 5", "`output.warm_up` belongs to a grid"),
        ("output.cool_down = 5", "and see `coalition.window`"),
        ("output.tau = 5", "leave it out"),
        ("planner.ilba = {}", "the balancer says whose cluster does the work"),
        ("grid_scheduler.list = {}", "`grid_scheduler` belongs to a grid or a federation"),
        ("output.decisions = true", "set `output.jobs` and `output.moves`"),
        ("output.alone = true", "`flow_alone` and `gain` compare each round"),
        ("output.welch = true", "`timeline.svg` and `learning.svg` show"),
    ] {
        check(&format!("{setting}\n{TWO}"), 2, reason);
    }
    // What changes nothing may stand anywhere.
    for setting in [
        "run = { clairvoyance = \"estimate\", phase_order.instant = {}, never_runs = \"error\", \
         until.rounds = 5 }",
        "output = { warm_up.fixed = 0.0, cool_down = 0, alone = false, decisions = false }",
    ] {
        let two = if setting.starts_with("run") {
            TWO.replace("run.until.rounds = 5\n", "")
        } else {
            TWO.into()
        };
        check(&format!("{setting}\n{two}"), 0, "");
    }
    instead(
        "workload.synthetic = { ",
        "workload.synthetic = { processors.constant = 3, ",
        2,
        "give its cluster as many: `cluster.time_shared = { processors = 3 }`",
    );
}

#[test]
fn what_belongs_to_coalitions_needs_one() {
    let (grid, _) = TWO.split_once("[coalition]").unwrap();
    check(
        grid,
        2,
        "error: `organization.learner` belongs to a coalition, and this is a grid
 --> s.toml:8:1
  |
8 | learner.ratio = {}
  | ^^^^^^^
  |
  = help: leave it out, or write a `[coalition]` with `period` and `balancer`

error: `run.until.rounds` belongs to a coalition, and this is a grid
 --> s.toml:2:20
  |
2 | run.until.rounds = 5
  |                    ^
  |
  = help: end it with `time`, `jobs` or `drained`, or write a `[coalition]` with `period` and `balancer`
s.toml: 2 errors; nothing was run
",
    );
    let plain = grid.replace("learner.ratio = {}\n", "").replace("rounds", "jobs");
    check(&plain, 0, "");
    check(
        &format!("{plain}first_round = 2\n"),
        2,
        "`organization.first_round` belongs to a coalition",
    );
    for key in ["rounds", "moves", "everyone_in", "alternatives"] {
        let written = format!("output.{key} = true\n{plain}");
        check(&written, 2, &format!("`output.{key}` belongs to a coalition, and this is a grid"));
    }
    let shared = plain.replace("time_shared = {}", "time_shared.processors = 2");
    check(&shared, 2, "`organization.cluster.time_shared.processors` belongs to a coalition");
}

/// A law of the first round has a probability for each choice.
#[test]
fn first_laws_fit_the_choices() {
    for (learner, code) in [
        ("cross = {}\nchoices.first = [0.4, 0.6]", 0),
        ("cross = {}\nchoices.first = [1.0]", 2),
        ("hedge = {}\nchoices = { levels = [1, 2], first = [0.5, 0.5] }", 0),
        ("hedge = {}\nchoices = { levels = [1, 2], out = true, first = [0.5, 0.5] }", 2),
    ] {
        let expected = if code == 0 { "" } else { "give one for each" };
        instead("ratio = {}", learner, code, expected);
    }
}

/// Until 0.2 a rule had the keys of its choices inside: they are read, and both forms play alike.
#[test]
fn choices_inside_a_rule_are_read_with_a_warning() {
    let two = TWO.replace("averaging", "bilb");
    let new = two.replace("ratio = {}", "hedge = {}\nchoices = { levels = [1, 2], out = true }");
    let old = two.replace("ratio = {}", "hedge = { levels = [1, 2], out = true }");
    let rounds = |scenario: &str| {
        let folder = Folder::new(scenario);
        assert_eq!(folder.run("run -q s.toml --out r --set output.rounds=true").code, 0);
        folder.read("r/rounds.csv")
    };
    assert_eq!(rounds(&old), rounds(&new));
    warned(
        &old,
        "warning: `levels` and `out` are written beside the learner now
 --> s.toml:8:19
  |
8 | learner.hedge = { levels = [1, 2], out = true }
  |                   ^^^^^^ `hedge` still takes it here
  |
  = help: write `choices = { levels = ..., out = ... }` beside `learner`
",
    );
    let both = old.replace("learner.hedge", "choices.levels = [1]\nlearner.hedge");
    check(&both, 2, "unknown key `levels`");
    instead("ratio = {}", "always = {}\nchoices.initial = 0.1", 2, "`always` takes no `choices`");
}

#[test]
fn whole_units_of_load_need_whole_times() {
    instead(
        "averaging = {}",
        "averaging.unit = 1",
        2,
        "error: load is moved in multiples of 1, and these jobs come at any time
 --> s.toml:7:22
  |
7 | workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }
  |                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \
         `rounding` is not given here
  |
  = help: round them, `rounding = { arrivals = \"floor\", size = \"ceil\" }`, or leave out the \
         balancer's `unit`
s.toml: 1 error; nothing was run
",
    );
    let rounded = TWO.replace("averaging = {}", "averaging.unit = 1").replace(
        "mean = 4.0 ",
        "mean = 4.0, rounding = { arrivals = \"floor\", size = \"ceil\" } ",
    );
    check(&rounded, 0, "");
    let set = |setting: &str, expected: &str| {
        let words = format!("check s.toml --set {setting}");
        check_with(&words, &rounded, 2, expected);
    };
    set("coalition.period=999.5", "the period is no multiple of the unit of load, 1");
    set("coalition.balancer.averaging.grid=2.5", "the grid is no multiple of the unit of load, 1");
    set("coalition.balancer.averaging.unit=5", "they are rounded to multiples of 1: give `unit");
    let listed = format!("{rounded}{}", B.replace("submit = 5", "submit = 5.5"));
    check(&listed, 2, "the submit of job 1 is no multiple of the unit of load, 1");
    let (before, rest) = rounded.split_once("synthetic = {").unwrap();
    let (_, behind) = rest.split_once("} }\n").unwrap();
    let modelled = format!("{before}lublin_feitelson = {{ processors = 1 }}\n{behind}");
    check(&modelled, 2, "leave out the balancer's `unit`");
}

#[test]
fn what_can_be_but_may_not_be_meant_is_warned_of() {
    warned(
        &TWO.replace("ratio = {}", "fixed.level = 7"),
        "warning: the balancer `averaging` does not look at participation levels
 --> s.toml:8:23
  |
8 | learner.fixed.level = 7
  |                       ^
  |
  = note: `balancer.bilb = {}` does
",
    );
    warned(
        &TWO.replace("count = 2\n", ""),
        "warning: there is nobody to balance load with
 --> s.toml:8:1
  |
8 | [coalition]
  | ^^^^^^^^^^^
  |
  = note: a coalition of one changes nothing
",
    );
    warned(
        &format!("{TWO}{B}"),
        "warning: every round has the same jobs of `b`: they are given, and independent rounds \
         begin anew
 --> s.toml:9:1
  |
9 | [coalition]
  | ^^^^^^^^^^^ `rounds` is not given here
  |
  = note: `rounds = \"continuing\"` goes on with them from round to round
",
    );
    warned(
        &TWO.replace("count = 2\n", "count = 2\nfirst_round = 5\n"),
        "warning: `a` is never there
 --> s.toml:6:15
  |
6 | first_round = 5
  |               ^
  |
  = note: the run ends with round 4, as they count from 0
",
    );
    warned(
        &TWO.replace("averaging = {}", "averaging.least = 2000"),
        "warning: from one balancing to the next are 2000 units, and a round lasts 1000
  --> s.toml:11:28
   |
11 | balancer.averaging.least = 2000
   |                            ^^^^
   |
   = note: load is moved once a round at most, and mostly not at all
",
    );
    let continuing = TWO.replace("period", "rounds = \"continuing\"\nperiod");
    warned(
        &continuing.replace("rate = 0.2", "rate = 0.5"),
        "warning: the load of all organizations together is 2, above one
 --> s.toml:9:1
  |
9 | [coalition]
  | ^^^^^^^^^^^
  |
  = note: queues grow as long as jobs come, so figures depend on the number of rounds
",
    );
    let listed = |submit: &str| format!("{continuing}{B}").replace("500", submit);
    warned(
        &listed("7000"),
        "warning: jobs of `b` that never come: 1 of 1
  --> s.toml:19:10
   |
19 | submit = 7000
   |          ^^^^
   |
   = note: job 1 is submitted at 7000, and the last round ends at 5000
",
    );
    warned(
        &listed("4900"),
        "warning: no job of `b` counts
  --> s.toml:17:1
   |
17 | [[job]]
   | ^^^^^^^
   |
   = note: those count that are submitted from 200 to 800 of a round, as `coalition.window` says
",
    );
    warned(&TWO.replace("averaging", "bilb").replace("ratio = {}", "fixed.level = 7"), "");
    warned(&format!("{}{B}", TWO.replace("period", "rounds.continuing = {}\nperiod")), "");
}

/// Organizations that are written one by one have jobs of their own, though their names are
/// numbered: each is a class, and each is swept.
#[test]
fn only_those_of_one_count_are_a_class() {
    let institute = |number: u32, rate: f64| {
        format!(
            "[[organization]]\nname = \"institute-{number}\"\ncluster.time_shared = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.exponential.mean = 4.0 }}\n\
             learner.ratio = {{}}\n"
        )
    };
    let more: String =
        (0..3).map(|number| institute(number, 0.15 + 0.05 * f64::from(number))).collect();
    let folder = Folder::new(&format!("{TWO}{more}"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let text = folder.read("r/learning.csv");
    let names: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    let expected = ["a-1", "a-2", "institute-0", "institute-1", "institute-2", "a-1..2", "*"];
    assert_eq!(names, expected);
    let said = folder.run("deviate s.toml --rounds 2 --format csv");
    let swept = |name: &str| said.out.lines().any(|line| line.starts_with(&format!("{name},")));
    assert!(
        ["a-1", "institute-0", "institute-1", "institute-2"].into_iter().all(swept),
        "{}",
        said.out
    );
    assert!(!swept("a-2"), "{}", said.out);
}

#[test]
fn titles_tell_what_was_set() {
    let folder = Folder::new(TWO);
    let set = "--set ratio.rate=0.2 --set run.replications=2";
    let said = folder.run(&format!("run s.toml --out r {set}"));
    assert_eq!(said.code, 0, "{}", said.error);
    let title = "test (ratio.rate = 0.2)";
    assert!(said.out.starts_with(title), "{}", said.out);
    for picture in ["r/learning.svg", "r/timeline.svg"] {
        assert!(folder.read(picture).contains(title), "{picture}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.read("r/manifest.json")).unwrap();
    assert_eq!(manifest["name"], "test");
    assert_eq!(manifest["changes"], serde_json::json!(["ratio.rate=0.2"]));
    assert_eq!(folder.run("run s.toml -q --out plain").code, 0);
    assert!(!folder.read("plain/manifest.json").contains("changes"));
}

#[test]
fn the_letters_of_the_paper_are_understood() {
    let gamma = "size.gamma = { alpha = 2.0, beta = 2.0 }";
    let text = TWO.replace("size.exponential.mean = 4.0", gamma);
    check(&text, 2, "the paper's `alpha` is called `shape` here");
    check(&text, 2, "the paper's `beta` is called `scale` here");
    instead(
        "arrivals.poisson.rate",
        "arrivals.poisson.lambda",
        2,
        "the paper's `lambda` is called `rate` here",
    );
    instead(
        "learner.ratio = {}",
        "learner.ratio = { sigma = 0.1 }",
        2,
        "the paper's `sigma` is called `rate` here",
    );
}

/// Before, jobs of a federation were refused: "the schedulers of a federation are not replayed".
#[test]
fn a_job_of_a_federation_is_told_with_who_was_in() {
    let jobs = "[[job]]\norganization = \"a\"\nsubmit = 5.0\nruntime = 9.0\nprocessors = 4\n\
                [[job]]\norganization = \"a\"\nsubmit = 6.0\nruntime = 9.0\nprocessors = 4\n";
    let federation = |learner: &str| {
        let one = |name: &str, learner: &str| {
            format!(
                "[[organization]]\nname = \"{name}\"\nlearner.{learner} = {{}}\n\
                 cluster.space_shared = {{ processors = 4, scheduler.easy = {{}} }}\n"
            )
        };
        format!(
            "name = \"pool\"\nrun.until.rounds = 3\ncoalition.period = 10.0\n\
             output.jobs = true\ngrid_scheduler.list = {{}}\n{}{}{jobs}",
            one("a", learner),
            one("b", "always"),
        )
    };
    for (learner, expected) in [
        (
            "never",
            "Job 2 of `a` came at 6.\nIt started at 14 on its own `a`, 8 after it came, and ended at 23.\n\n  \
             round 0: `a` was out: its jobs ran on its own clusters alone; `b` in\n  \
             round 1: `a` was out: its jobs ran on its own clusters alone; `b` in\n",
        ),
        (
            "always",
            "Job 2 of `a` came at 6.\nIt started at 6 on `b` of `b`, 0 after it came, and ended at 15.\n\n  \
             round 0: `a` was in, with `b`\n",
        ),
    ] {
        let folder = Folder::new(&federation(learner));
        assert_eq!(folder.run("run s.toml --out r -q").code, 0);
        let said = folder.run("explain r --job 2");
        assert_eq!((said.code, &*said.out), (0, expected), "{}", said.error);
        let rounds = folder.run("explain r --job 2 --table rounds --format csv");
        let joined = if learner == "always" { "0,1,a b" } else { "0,0,b" };
        assert!(rounds.out.starts_with(&format!("round,joined,members\n{joined}\n")));
    }
}
