//! The reader of scenarios and its error messages, on a made-up type of every shape that it takes.
//!
//! Wrong scenarios are in `tests/program/cli/wrong.rs`.

use std::path::PathBuf;

use gridpact::scenario::de::read;
use gridpact::scenario::diagnostics::{Blame, Diagnostic, nearest, render};
use gridpact::scenario::files::{Files, MAX_BYTES, Place};
use gridpact::scenario::path::Path;
use gridpact::scenario::tree::{Node, Value, parse};
use proptest::prelude::*;
use serde::Deserialize;

/// A small scenario with every shape of type that the reader promises to take.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    run: Run,
    #[serde(default)]
    organization: Vec<Organization>,
    trace: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Run {
    until: Option<Until>,
    replications: u32,
    offset: i64,
    quiet: bool,
    warm_up: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Until {
    Rounds(u64),
    Time(f64),
    Drained,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Organization {
    name: String,
    cluster: Cluster,
    #[serde(default)]
    shares: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Cluster {
    SpaceShared(SpaceShared),
    TimeShared {},
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpaceShared {
    processors: u32,
    scheduler: Scheduler,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Scheduler {
    Fcfs,
    Easy {
        #[serde(default)]
        depth: u32,
    },
    Conservative(Conservative),
    Stealing {
        threshold: f64,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Conservative {
    compress: bool,
}

/// Parses and reads; the value if nothing is wrong, and what is said.
fn attempt(toml: &str) -> (Option<Scenario>, Vec<Diagnostic>, String) {
    let mut files = Files::new();
    let file = files.add("s.toml", toml);
    let (value, diagnostics) = match parse(&files, file, 0) {
        Ok(tree) => read::<Scenario>(&tree),
        Err(diagnostics) => (None, diagnostics),
    };
    let text = render(&diagnostics, &files, false);
    (value, diagnostics, text)
}

/// The text must be refused, with exactly this said (each line of `expected` after its indentation
/// and a `|`, so that the first spaces can be seen).
#[track_caller]
fn check(toml: &str, expected: &str) {
    let (value, _, said) = attempt(toml);
    assert_eq!(value, None);
    let expected: String = expected
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('!'))
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect();
    assert!(said == expected, "said:\n{said}\nexpected:\n{expected}");
}

fn tree_of(toml: &str) -> (Files, Node) {
    let mut files = Files::new();
    let file = files.add("s.toml", toml);
    let tree = parse(&files, file, 0).expect("the text is right");
    (files, tree)
}

#[test]
fn a_word_without_quotes() {
    check(
        "name = grid\n\
         seed = 1\n",
        r#"
         !error: `grid` is not a value
         ! --> s.toml:1:8
         !  |
         !1 | name = grid
         !  |        ^^^^ not a value
         !  |
         !  = help: if it is text, put it in quotes: "grid"
        "#,
    );
}

#[test]
fn no_value() {
    check(
        "name = \n",
        r#"
         !error: a value is missing
         ! --> s.toml:1:8
         !  |
         !1 | name =
         !  |        ^ expected a value here
        "#,
    );
}

#[test]
fn an_open_string() {
    check(
        "name = \"grid\n\
         seed = 1\n",
        r#"
         !error: the string does not end
         ! --> s.toml:1:13
         !  |
         !1 | name = "grid
         !  |             ^ expected `"` here at the latest
        "#,
    );
}

#[test]
fn a_key_twice() {
    check(
        "name = \"a\"\n\
         name = \"b\"\n",
        r#"
         !error: `name` is given twice
         ! --> s.toml:2:1
         !  |
         !2 | name = "b"
         !  | ^^^^ given before
         !  |
         !  = help: keep one; a list of tables is written with double brackets: `[[organization]]`
        "#,
    );
}

#[test]
fn several_syntax_errors() {
    check(
        "name = a\n\
         seed = 01\n\
         [run\n",
        r#"
         !error: `a` is not a value
         ! --> s.toml:1:8
         !  |
         !1 | name = a
         !  |        ^ not a value
         !  |
         !  = help: if it is text, put it in quotes: "a"
         !
         !error: unexpected leading zero
         ! --> s.toml:2:8
         !  |
         !2 | seed = 01
         !  |        ^
         !
         !error: unclosed table
         ! --> s.toml:3:5
         !  |
         !3 | [run
         !  |     ^ expected `]`
        "#,
    );
}

#[test]
fn an_unknown_key() {
    check(
        "name = \"a\"\n\
         [run]\n\
         replication = 3\n",
        r#"
         !error: unknown key `replication` in `run`
         ! --> s.toml:3:1
         !  |
         !3 | replication = 3
         !  | ^^^^^^^^^^^ did you mean `replications`?
         !  |
         !  = help: the keys here are `until`, `replications`, `offset`, `quiet` and `warm_up`
        "#,
    );
}

#[test]
fn an_unknown_key_like_nothing() {
    check(
        "name = \"a\"\n\
         [run]\n\
         zzz = 3\n",
        r#"
         !error: unknown key `zzz` in `run`
         ! --> s.toml:3:1
         !  |
         !3 | zzz = 3
         !  | ^^^ not a key of `run`
         !  |
         !  = help: the keys here are `until`, `replications`, `offset`, `quiet` and `warm_up`
        "#,
    );
}

#[test]
fn a_misspelt_key_is_not_also_missing() {
    check(
        "nmae = 3\n",
        r#"
         !error: unknown key `nmae` in the scenario
         ! --> s.toml:1:1
         !  |
         !1 | nmae = 3
         !  | ^^^^ did you mean `name`?
         !  |
         !  = help: the keys here are `name`, `seed`, `run`, `organization` and `trace`
         !
         !error: expected a string for `nmae`, found a whole number
         ! --> s.toml:1:8
         !  |
         !1 | nmae = 3
         !  |        ^ expected a string
         !  |
         !  = help: put it in quotes
        "#,
    );
}

#[test]
fn a_wrong_type() {
    check(
        "name = \"a\"\n\
         [run]\n\
         replications = \"ten\"\n\
         quiet = \"true\"\n\
         warm_up = [1]\n",
        r#"
         !error: expected a whole number for `replications`, found a string
         ! --> s.toml:3:16
         !  |
         !3 | replications = "ten"
         !  |                ^^^^^ expected a whole number
         !
         !error: expected `true` or `false` for `quiet`, found a string
         ! --> s.toml:4:9
         !  |
         !4 | quiet = "true"
         !  |         ^^^^^^ expected `true` or `false`
         !  |
         !  = help: write it without quotes: `true`
         !
         !error: expected a number for `warm_up`, found an array
         ! --> s.toml:5:11
         !  |
         !5 | warm_up = [1]
         !  |           ^^^ expected a number
        "#,
    );
}

#[test]
fn a_fraction_for_a_whole_number() {
    check(
        "name = \"a\"\n\
         seed = 2.0\n",
        r#"
         !error: expected a whole number for `seed`, found a decimal number
         ! --> s.toml:2:8
         !  |
         !2 | seed = 2.0
         !  |        ^^^ expected a whole number
         !  |
         !  = help: write `2`
        "#,
    );
}

#[test]
fn brackets() {
    check(
        "name = \"a\"\n\
         [organization]\n\
         name = \"b\"\n",
        r#"
         !error: expected an array for `organization`, found a table
         ! --> s.toml:2:1
         !  |
         !2 | [organization]
         !  | ^^^^^^^^^^^^^^ expected an array
         !  |
         !  = help: write `[[organization]]`, with double brackets, once for each
        "#,
    );
}

#[test]
fn double_brackets() {
    check(
        "name = \"a\"\n\
         [[run]]\n\
         quiet = true\n",
        r#"
         !error: expected a table for `run`, found an array
         ! --> s.toml:2:1
         !  |
         !2 | [[run]]
         !  | ^^^^^^^ expected a table
         !  |
         !  = help: write `[run]` or `run = { ... }`
        "#,
    );
}

#[test]
fn two_choices() {
    check(
        "name = \"a\"\n\
         [[organization]]\n\
         name = \"b\"\n\
         cluster.time_shared = {}\n\
         cluster.space_shared = { processors = 1, scheduler = { easy = {}, fcfs = {} } }\n",
        r#"
         !error: two choices at once for `cluster`: `time_shared` and `space_shared`
         ! --> s.toml:5:9
         !  |
         !4 | cluster.time_shared = {}
         !  |         ----------- `time_shared` is chosen here
         !5 | cluster.space_shared = { processors = 1, scheduler = { easy = {}, fcfs = {} } }
         !  |         ^^^^^^^^^^^^ and `space_shared` here
         !  |
         !  = help: keep one of them
        "#,
    );
}

#[test]
fn no_choice() {
    check(
        "name = \"a\"\n\
         [[organization]]\n\
         name = \"b\"\n\
         cluster = {}\n",
        r#"
         !error: nothing is chosen for `cluster`
         ! --> s.toml:4:11
         !  |
         !4 | cluster = {}
         !  |           ^^ choose one of `space_shared` or `time_shared`
         !  |
         !  = help: write for example `cluster.space_shared = ...`
        "#,
    );
}

#[test]
fn an_unknown_choice() {
    check(
        "name = \"a\"\n\
         [[organization]]\n\
         name = \"b\"\n\
         cluster.space_shared = { processors = 1, scheduler.eazy = { depht = 2 } }\n\
         [[organization]]\n\
         name = \"c\"\n\
         cluster = \"cloud\"\n",
        r#"
         !error: unknown choice `eazy` for `scheduler`
         ! --> s.toml:4:52
         !  |
         !4 | cluster.space_shared = { processors = 1, scheduler.eazy = { depht = 2 } }
         !  |                                                    ^^^^ did you mean `easy`?
         !  |
         !  = help: the choices here are `fcfs`, `easy`, `conservative` and `stealing`
         !
         !error: unknown key `depht` in `easy`
         ! --> s.toml:4:61
         !  |
         !4 | cluster.space_shared = { processors = 1, scheduler.eazy = { depht = 2 } }
         !  |                                                             ^^^^^ did you mean `depth`?
         !  |
         !  = help: the only key here is `depth`
         !
         !error: unknown choice `cloud` for `cluster`
         ! --> s.toml:7:11
         !  |
         !7 | cluster = "cloud"
         !  |           ^^^^^^^ not one of the choices
         !  |
         !  = help: the choices here are `space_shared` and `time_shared`
        "#,
    );
}

/// The metrics of `until.precision`: one, or a list of which each has its own place.
#[test]
fn one_or_several_metrics() {
    let told = |metric: &str, rest: &str| {
        let text = format!(
            "name = \"q\"\nrun.until.precision = {{ metric = {metric}, relative = 0.1 }}\n{rest}\n\
             [[organization]]\nname = \"q\"\n\
             cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}} }}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.5, size.exponential.mean = 1.0 }}\n"
        );
        let input = gridpact::scenario::Input::Bytes { name: "q.toml", bytes: text.into() };
        let mut files = Files::new();
        let overrides = gridpact::scenario::Overrides::default();
        match gridpact::scenario::load(input, &overrides, &mut files) {
            Ok(_) => String::new(),
            Err(wrong) => render(&wrong, &files, false),
        }
    };
    for right in [
        "\"flow\"",
        "[\"wait\"]",
        "[\"flow\", \"wait\"]",
        "\"wait_p95\"",
        "[\"flow_p99.9\", \"bounded_slowdown_p50\"]",
    ] {
        assert_eq!(told(right, ""), "", "{right}");
    }
    let wrong = [
        ("\"wiat\"", "", "unknown choice `wiat` for `metric`", "did you mean `wait`?"),
        ("[\"flow\", \"wait p95\"]", "", "`metric[1]`", "did you mean `wait_p95`?"),
        ("[\"flow\", \"flwo_p99\"]", "", "unknown choice `flwo_p99`", "did you mean `flow_p99`?"),
        ("[]", "", "no metric is to be known", "metric = [\"flow\", \"wait_p95\"]"),
        ("[\"flow\", \"flow\"]", "", "`flow` is named twice", "leave one of them out"),
        ("[\"flow\", \"makespan\"]", "", "do not tell how sure its makespan is", "each.jobs"),
        ("[\"wait\", \"final_score\"]", "", "without a coalition nobody has a final score", ""),
        (
            "[\"wait_p95\"]",
            "output.histograms = false",
            "without histograms there is no wait p95",
            "output.histograms",
        ),
        ("3", "", "expected", "`metric`"),
    ];
    for (metric, rest, message, also) in wrong {
        let told = told(metric, rest);
        assert!(told.contains(message) && told.contains(also), "{metric}: {told}");
    }
}

#[test]
fn a_key_beside_a_choice() {
    check(
        "name = \"a\"\n\
         [[organization]]\n\
         name = \"b\"\n\
         [organization.cluster]\n\
         time_shared = {}\n\
         count = 3\n",
        r#"
         !error: unknown key `count` beside the choice for `cluster`
         ! --> s.toml:6:1
         !  |
         !5 | time_shared = {}
         !  | ----------- `time_shared` is chosen here
         !6 | count = 3
         !  | ^^^^^ not one of the choices
         !  |
         !  = help: a parameter of the choice goes inside: `cluster.time_shared = { count = ... }`
        "#,
    );
}

#[test]
fn a_number_for_a_choice() {
    check(
        "name = \"a\"\n\
         run.until = 3\n",
        r#"
         !error: expected a choice of `rounds`, `time` or `drained` for `until`, found a whole number
         ! --> s.toml:2:13
         !  |
         !2 | run.until = 3
         !  |             ^ expected a choice of `rounds`, `time` or `drained`
         !  |
         !  = help: write `until.rounds = ...`
        "#,
    );
}

#[test]
fn a_choice_that_takes_nothing() {
    check(
        "name = \"a\"\n\
         run.until.drained = { at = 3 }\n",
        r#"
         !error: unknown key `at` in `drained`
         ! --> s.toml:2:23
         !  |
         !2 | run.until.drained = { at = 3 }
         !  |                       ^^ not a key of `drained`
         !  |
         !  = help: no key is taken here
        "#,
    );
}

#[test]
fn a_missing_key() {
    check(
        "seed = 1\n\
         [[organization]]\n\
         name = \"b\"\n\
         [organization.cluster.space_shared]\n",
        r#"
         !error: missing key `name` in the scenario
         ! --> s.toml:1:1
         !  |
         !1 | seed = 1
         !  | ^ needs `name`
         !  |
         !  = help: add `name = ...`
         !
         !error: missing keys `processors` and `scheduler` in `space_shared`
         ! --> s.toml:4:1
         !  |
         !4 | [organization.cluster.space_shared]
         !  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needs `processors` and `scheduler`
         !  |
         !  = help: add `processors = ...` and `scheduler = ...`
        "#,
    );
}

#[test]
fn a_bare_choice_that_needs_more() {
    check(
        "name = \"a\"\n\
         run.until = \"time\"\n\
         [[organization]]\n\
         name = \"b\"\n\
         cluster = \"space_shared\"\n",
        r#"
         !error: `time` needs a value
         ! --> s.toml:2:13
         !  |
         !2 | run.until = "time"
         !  |             ^^^^^^ expected a number with `time`
         !  |
         !  = help: write `until.time = ...`
         !
         !error: missing keys `processors` and `scheduler` in `space_shared`
         ! --> s.toml:5:11
         !  |
         !5 | cluster = "space_shared"
         !  |           ^^^^^^^^^^^^^^ it cannot be chosen by its name alone
         !  |
         !  = help: write `cluster.space_shared = { processors = ..., scheduler = ... }`
        "#,
    );
}

#[test]
fn not_a_number() {
    check(
        "name = \"a\"\n\
         [run]\n\
         warm_up = nan\n\
         until.time = -inf\n",
        r#"
         !error: `warm_up` must be a finite number, not NaN
         ! --> s.toml:3:11
         !  |
         !3 | warm_up = nan
         !  |           ^^^ must be a finite number
         !
         !error: `time` must be a finite number, not -inf
         ! --> s.toml:4:14
         !  |
         !4 | until.time = -inf
         !  |              ^^^^ must be a finite number
        "#,
    );
}

#[test]
fn out_of_range() {
    check(
        "name = \"a\"\n\
         seed = -1\n\
         run.replications = 4294967296\n",
        r#"
         !error: `seed` must be at least 0, but is -1
         ! --> s.toml:2:8
         !  |
         !2 | seed = -1
         !  |        ^^ must be at least 0
         !
         !error: `replications` must be at most 4294967295, but is 4294967296
         ! --> s.toml:3:20
         !  |
         !3 | run.replications = 4294967296
         !  |                    ^^^^^^^^^^ must be at most 4294967295
        "#,
    );
}

#[test]
fn beyond_64_bits() {
    check(
        "name = \"a\"\n\
         seed = 9223372036854775808\n\
         run.warm_up = 1e999\n",
        r#"
         !error: the number is too large
         ! --> s.toml:2:8
         !  |
         !2 | seed = 9223372036854775808
         !  |        ^^^^^^^^^^^^^^^^^^^ whole numbers end at 9223372036854775807
         !  |
         !  = help: write it with a decimal point if it need not be exact
         !
         !error: the number is too large
         ! --> s.toml:3:15
         !  |
         !3 | run.warm_up = 1e999
         !  |               ^^^^^ numbers go up to 1.7976931348623157e308
        "#,
    );
}

#[test]
fn several_at_once() {
    check(
        "seeed = 1\n\
         [run]\n\
         replications = true\n\
         until.rounds = -1\n\
         [[organization]]\n\
         cluster.time_share = {}\n\
         shares = [1, \"2\", nan]\n\
         [[organization]]\n\
         name = 7\n\
         cluster.space_shared.scheduler.stealing = {}\n",
        r#"
         !error: missing key `name` in the scenario
         ! --> s.toml:1:1
         !  |
         !1 | seeed = 1
         !  | ^ needs `name`
         !  |
         !  = help: add `name = ...`
         !
         !error: unknown key `seeed` in the scenario
         ! --> s.toml:1:1
         !  |
         !1 | seeed = 1
         !  | ^^^^^ did you mean `seed`?
         !  |
         !  = help: the keys here are `name`, `seed`, `run`, `organization` and `trace`
         !
         !error: expected a whole number for `replications`, found `true`
         ! --> s.toml:3:16
         !  |
         !3 | replications = true
         !  |                ^^^^ expected a whole number
         !
         !error: `rounds` must be at least 0, but is -1
         ! --> s.toml:4:16
         !  |
         !4 | until.rounds = -1
         !  |                ^^ must be at least 0
         !
         !error: missing key `name` in `organization[0]`
         ! --> s.toml:5:1
         !  |
         !5 | [[organization]]
         !  | ^^^^^^^^^^^^^^^^ needs `name`
         !  |
         !  = help: add `name = ...`
         !
         !error: unknown choice `time_share` for `cluster`
         ! --> s.toml:6:9
         !  |
         !6 | cluster.time_share = {}
         !  |         ^^^^^^^^^^ did you mean `time_shared`?
         !  |
         !  = help: the choices here are `space_shared` and `time_shared`
         !
         !error: expected a number for `shares[1]`, found a string
         ! --> s.toml:7:14
         !  |
         !7 | shares = [1, "2", nan]
         !  |              ^^^ expected a number
         !  |
         !  = help: write it without quotes: `2`
         !
         !error: `shares[2]` must be a finite number, not NaN
         ! --> s.toml:7:19
         !  |
         !7 | shares = [1, "2", nan]
         !  |                   ^^^ must be a finite number
         !
         !error: expected a string for `name`, found a whole number
         ! --> s.toml:9:8
         !  |
         !9 | name = 7
         !  |        ^ expected a string
         !  |
         !  = help: put it in quotes
         !
         !error: missing key `processors` in `space_shared`
         !  --> s.toml:10:9
         !   |
         !10 | cluster.space_shared.scheduler.stealing = {}
         !   |         ^^^^^^^^^^^^ needs `processors`
         !   |
         !   = help: add `processors = ...`
         !
         !error: missing key `threshold` in `stealing`
         !  --> s.toml:10:43
         !   |
         !10 | cluster.space_shared.scheduler.stealing = {}
         !   |                                           ^^ needs `threshold`
         !   |
         !   = help: add `threshold = ...`
        "#,
    );
}

#[test]
fn values_over_several_lines() {
    check(
        "name = \"\"\"\n\
         long\n\
         \"\"\"\n\
         seed = \"\"\"\n\
         one\n\
         \"\"\"\n",
        r#"
         !error: expected a whole number for `seed`, found a string
         ! --> s.toml:4:8
         !  |
         !4 | seed = """
         !  |        ^^^ expected a whole number
        "#,
    );
}

#[test]
fn tabs_and_wide_letters() {
    check(
        "name = \"a\"\n\
         run = {\twarm_up = \"größe\", ün = 1 }\n",
        r#"
         !error: invalid unquoted key
         ! --> s.toml:2:28
         !  |
         !2 | run = {    warm_up = "größe", ün = 1 }
         !  |                               ^ expected letters, numbers, `-`, `_`
        "#,
    );
}

/// Some terminals take these control characters of two bytes for the beginning of a command.
#[test]
fn no_control_character_reaches_the_terminal() {
    for control in ('\0'..='\u{9f}').filter(|c| c.is_control() && !"\t\n\r".contains(*c)) {
        for around in [1, 300] {
            let long = "x".repeat(around);
            let toml = format!("name = \"{long}\"\nru{control} = 1 # {control}{long}\n");
            let quoted = format!("\"ru{control}\" = [\"{control}{long}\"] # {control}{long}\n");
            for text in [toml, quoted] {
                let (_, _, said) = attempt(&text);
                assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
            }
        }
    }
}

#[test]
fn what_is_right_is_read() {
    let (value, diagnostics, said) = attempt(
        "# a comment\nname = \"a\"\ntrace = \"kth.swf\"\n\
         run = { until.time = 2, warm_up = 3, offset = -1 }\n\
         [[organization]]\nname = \"b\"\nshares = [1, 2.5]\n\
         cluster.space_shared = { processors = 0x10, scheduler = \"fcfs\" }\n\
         [[organization]]\nname = \"c\"\ncluster = \"time_shared\"\n\
         [[organization]]\nname = \"d\"\n[organization.cluster.space_shared]\nprocessors = 4\n\
         scheduler.conservative = { compress = true }\n",
    );
    assert_eq!((diagnostics, said.as_str()), (Vec::new(), ""));
    let space_shared =
        |processors, scheduler| Cluster::SpaceShared(SpaceShared { processors, scheduler });
    let organization = |name: &str, cluster, shares: &[f64]| Organization {
        name: name.into(),
        cluster,
        shares: shares.to_vec(),
    };
    let conservative = Scheduler::Conservative(Conservative { compress: true });
    let expected = Scenario {
        name: "a".into(),
        seed: 0,
        run: Run { until: Some(Until::Time(2.0)), warm_up: 3.0, offset: -1, ..Run::default() },
        organization: vec![
            organization("b", space_shared(16, Scheduler::Fcfs), &[1.0, 2.5]),
            organization("c", Cluster::TimeShared {}, &[]),
            organization("d", space_shared(4, conservative), &[]),
        ],
        trace: Some(PathBuf::from("kth.swf")),
    };
    assert_eq!(value, Some(expected));
}

/// A choice without parameters may be typed as a string or as a table, and a newline may end in CR.
#[test]
fn choices_may_be_typed_in_several_ways() {
    let choices = [
        ("\"fcfs\"", Scheduler::Fcfs),
        ("{ fcfs = {} }", Scheduler::Fcfs),
        ("\"easy\"", Scheduler::Easy { depth: 0 }),
        ("{ easy = {} }", Scheduler::Easy { depth: 0 }),
        ("{ easy.depth = 2 }", Scheduler::Easy { depth: 2 }),
        ("\"conservative\"", Scheduler::Conservative(Conservative::default())),
        ("{ conservative = {} }", Scheduler::Conservative(Conservative::default())),
        ("{ stealing.threshold = 1 }", Scheduler::Stealing { threshold: 1.0 }),
    ];
    for (typed, expected) in choices {
        let (_, tree) = tree_of(&format!("\u{feff}processors = 1\r\nscheduler = {typed}\r\n"));
        let (value, diagnostics) = read::<SpaceShared>(&tree);
        assert_eq!(diagnostics, Vec::new(), "{typed}");
        assert_eq!(value.map(|cluster| cluster.scheduler), Some(expected), "{typed}");
    }
}

/// A type's own check is told at its value, and the rest is still read.
#[test]
fn a_types_own_check_is_told_at_the_value() {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(try_from = "f64")]
    struct Positive(#[expect(dead_code, reason = "only read")] f64);
    impl TryFrom<f64> for Positive {
        type Error = String;
        fn try_from(value: f64) -> Result<Self, String> {
            if value > 0.0 { Ok(Self(value)) } else { Err(format!("{value} is not positive")) }
        }
    }
    #[derive(Debug, Deserialize)]
    struct Rates {
        #[serde(rename = "rate")]
        _rate: Vec<Positive>,
        #[serde(rename = "size")]
        _size: Positive,
    }
    let (files, tree) = tree_of("rate = [1, -1, -2]\nsize = 0\n");
    let (value, diagnostics) = read::<Rates>(&tree);
    assert!(value.is_none());
    let said: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "`rate[1]`: -1 is not positive",
            "`rate[2]`: -2 is not positive",
            "`size`: 0 is not positive"
        ]
    );
    let paths: Vec<_> = diagnostics.iter().filter_map(|d| d.path.as_ref()).collect();
    assert_eq!(paths[0].to_string(), "rate[1]");
    assert!(render(&diagnostics, &files, false).contains(" --> s.toml:1:12\n"));
}

#[test]
fn a_type_that_contains_itself_ends() {
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Sum {
        Both { _left: Box<Sum>, _right: Box<Sum> },
    }
    let (_, tree) = tree_of("both = 3\n");
    let (value, diagnostics) = read::<Sum>(&tree);
    assert!(value.is_none());
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn paths_find_values() {
    let (_, tree) = tree_of(
        "a.b = [[1, 2], [{ c = 3 }]]\n\
         \"odd key\".\"\\\"\" = 4\n[[t]]\nx = 5\n[[t]]\nx = 1979-05-27\n",
    );
    let integer = |path: &str| tree.find(path).map(|node| &node.value);
    assert_eq!(integer("a.b[0][1]"), Some(&Value::Integer(2)));
    assert_eq!(integer("a.b[1][0].c"), Some(&Value::Integer(3)));
    assert_eq!(integer("\"odd key\".\"\\\"\""), Some(&Value::Integer(4)));
    assert_eq!(integer("t[0].x"), Some(&Value::Integer(5)));
    assert_eq!(integer("t[1].x"), Some(&Value::Datetime("1979-05-27".into())));
    assert_eq!(tree.find(""), Some(&tree));
    for nowhere in ["b", "a.b[2]", "a[0]", "t.x", "t[-1]", "a..b", "a.", ".a", "a b", "t[0", "\"a"]
    {
        assert_eq!(tree.find(nowhere), None, "{nowhere}");
    }
    let path = Path::root().key("organization").index(2).join(&Path::root().key("a b").key("c"));
    assert_eq!(path.to_string(), "organization[2].\"a b\".c");
    let Value::Table(entries) = &tree.value else { panic!("the root is a table") };
    let order: Vec<_> = entries.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(order, ["a", "odd key", "t"]);
}

/// Errors found later, by what the values mean, point at the value or at where it should be.
#[test]
fn a_path_gets_its_caret() {
    let (files, tree) =
        tree_of("name = \"a\"\nscheduler = \"easy\"\n[[organization]]\nrate = -1\n");
    let at = |path: &str| {
        let path = path.parse().expect("a path");
        render(&[Diagnostic::at_path(&tree, &path, "no")], &files, false)
    };
    assert!(at("organization[0].rate").ends_with("4 | rate = -1\n  |        ^^\n"));
    assert!(
        at("organization[0].size.mean").ends_with(
            "3 | [[organization]]\n  | ^^^^^^^^^^^^^^^^ `size.mean` is not given here\n"
        )
    );
    assert!(at("organization[7].rate").ends_with("3 | [[organization]]\n  | ^^^^^^^^^^^^^^^^\n"));
    assert!(
        at("scheduler.easy.depth").ends_with("2 | scheduler = \"easy\"\n  |             ^^^^^^\n")
    );
    assert!(at("").contains("s.toml:1:1"));
}

/// Values of one scenario may come from several files and from the command line.
#[test]
fn labels_of_several_texts_are_shown_together() {
    let mut files = Files::new();
    let base = files.add("base.toml", "a = 1\nb = 2\n");
    let set = files.add("--set", "b = 3");
    let warning = Diagnostic::warning("`b` is set twice")
        .also(Place::new(base, 6..7), "set here")
        .at(Place::new(set, 0..1), "and here")
        .note("the last counts")
        .help("drop one");
    assert_eq!(
        render(&[warning], &files, false),
        "warning: `b` is set twice\n --> --set:1:1\n  |\n1 | b = 3\n  | ^ and here\n  |\n \
         ::: base.toml:2:1\n  |\n2 | b = 2\n  | - set here\n  |\n  = note: the last counts\n  \
         = help: drop one\n"
    );
}

#[test]
fn labels_far_apart_and_wrong_places_are_shown() {
    let mut files = Files::new();
    let text = "a = 1\n".to_owned() + &"# x\n".repeat(5000) + "a = 2\n";
    let file = files.add("s.toml", text.clone());
    let other = Files::new().add("elsewhere", "");
    let end = text.len() - 6;
    let twice = Diagnostic::error("twice")
        .at(Place::new(file, end..end + 1), "here")
        .also(Place::new(file, 0..1), "there");
    let said = render(&[twice], &files, false);
    assert!(said.contains("s.toml:5002:1") && said.contains("s.toml:1:1"), "{said}");
    assert!(said.lines().count() < 20, "{said}");
    let beyond = Diagnostic::error("beyond")
        .at(Place::new(file, end * 2..end * 3), "")
        .at(Place::new(other, 5..9), "an empty text would do as well");
    assert!(render(&[beyond], &files, true).contains("beyond"));
    assert_eq!(render(&[], &files, false), "");
    assert_eq!(
        render(&vec![Diagnostic::error("x"); 51], &files, false).lines().last(),
        Some("and 1 more")
    );
}

/// The column is right even where only a part of the line is shown.
#[test]
fn of_long_lines_the_part_around_the_place_is_shown() {
    let toml = format!("name = \"a\"\nrun = {{ offset = 1,{}quiet = 2 }}\n", " ".repeat(5000));
    let (_, diagnostics, said) = attempt(&toml);
    assert_eq!(diagnostics.len(), 1);
    assert!(said.contains(" --> s.toml:2:5028\n") && said.contains("quiet = 2"), "{said}");
    assert!(said.len() < 1000, "{said}");
    let toml = format!("name = {}\n", "é".repeat(1_000_000));
    let (_, _, said) = attempt(&toml);
    assert!(said.contains(" --> s.toml:1:8\n") && said.len() < 1000, "{said}");
    let toml = format!("name = [\"{}\", 1_, \"{}\"]\n", "x".repeat(200_000), "y".repeat(200_000));
    let (_, _, said) = attempt(&toml);
    assert!(said.contains("(at column 200014)") && said.len() < 1000, "{said}");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let directory = tempfile::tempdir().expect("a directory for temporary files");
    let mut files = Files::new();
    let missing = files.read(&directory.path().join("missing.toml")).expect_err("not there");
    assert_eq!(missing.blame, Blame::System);
    assert!(missing.message.contains("missing.toml"));

    let path = directory.path().join("latin.toml");
    std::fs::write(&path, b"name = \"a\"\n# caf\xe9\n").expect("a file to write");
    let latin = files.read(&path).expect_err("not UTF-8");
    let said = render(&[*latin], &files, false);
    assert!(said.contains("latin.toml:2:6") && said.contains("0xe9"), "{said}");

    let packed = files.add_bytes("t.gz", b"\x1f\x8b\x08\0\0".to_vec()).expect_err("not UTF-8");
    assert!(packed.help[0].contains("compressed"));
    let long = files.add_bytes("long", vec![b'#'; MAX_BYTES + 1]).expect_err("too long");
    assert!(long.message.contains("64 MB"));
    assert!(files.add_bytes("s.toml", b"name = 'a'".to_vec()).is_ok());
}

/// Ten megabytes of anything are answered in bounded space, and soon.
#[test]
fn garbage_is_answered_briefly() {
    for piece in [
        "\n=",
        "a=\n",
        "[",
        "{",
        "a.",
        "[[a]]\n",
        "é",
        "a=[",
        "\0",
        "x\r",
        "a=1_,",
        "'",
        "\u{202e}\x1b[31m",
    ] {
        let garbage = piece.repeat(4_000_000 / piece.len());
        let before = std::time::Instant::now();
        let (value, diagnostics, said) = attempt(&garbage);
        assert!(value.is_none() && !diagnostics.is_empty(), "{piece:?}");
        assert!(said.len() < 20_000, "{piece:?}: {} bytes", said.len());
        assert!(before.elapsed().as_secs() < 60, "{piece:?}: {:?}", before.elapsed());
    }
}

/// Every one of many organizations is wrong: the first mistakes are told.
#[test]
fn of_many_mistakes_the_first_are_told() {
    for entry in [
        "[[organization]]\nzzz = 1\n",
        "[[organization]]\nname = 1\ncluster = 'x'\n",
        "[[organization]]\n",
    ] {
        let (_, diagnostics, said) = attempt(&format!("name = \"a\"\n{}", entry.repeat(10_000)));
        assert!((10..=20).contains(&diagnostics.len()));
        assert!(said.contains("s.toml:2:1\n") || said.contains("s.toml:3:8\n"), "{said}");
    }
}

#[test]
fn nesting_is_bounded() {
    let dots = vec!["a"; 70].join(".");
    let deep = format!(
        "{dots} = {{ {}1{} }}\n",
        format!("{dots} = {{").repeat(60) + "b = ",
        "}".repeat(60)
    );
    for toml in [
        deep,
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(79), "]".repeat(79)),
        "a.".repeat(100_000) + "a = 1",
        format!("[{}a]", "a.".repeat(1000)),
    ] {
        let (value, diagnostics, said) = attempt(&toml);
        assert!(value.is_none() && !diagnostics.is_empty());
        assert!(said.len() < 5000);
    }
}

#[test]
fn the_nearest_names_are_found() {
    let known = ["fcfs", "easy", "conservative", "space_shared", "time_shared"];
    let cases: [(&str, &[&str]); 9] = [
        ("fcsf", &["fcfs"]),
        ("EASY", &["easy"]),
        ("space-shared", &["space_shared"]),
        ("easy_backfilling", &["easy"]),
        ("cons", &["conservative"]),
        ("shared", &[]),
        ("x", &[]),
        ("", &[]),
        ("tme_share", &["time_shared"]),
    ];
    for (word, expected) in cases {
        assert_eq!(nearest(word, known), expected, "{word}");
    }
    assert_eq!(nearest("ac", ["ab", "ad", "bc", "cc"]), ["ab", "ad", "bc"]);
}

/// Reads and shows whatever it is, and says something exactly if there is no value.
fn answer(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut files = Files::new();
    let (value, diagnostics) = match files.add_bytes("s.toml", bytes.to_vec()) {
        Err(diagnostic) => (None, vec![*diagnostic]),
        Ok(file) => match parse(&files, file, 0) {
            Err(diagnostics) => (None, diagnostics),
            Ok(tree) => read::<Scenario>(&tree),
        },
    };
    prop_assert_eq!(value.is_some(), diagnostics.is_empty());
    for color in [false, true] {
        let said = render(&diagnostics, &files, color);
        prop_assert_eq!(said.is_empty(), diagnostics.is_empty());
        prop_assert!(said.len() < 200_000);
    }
    Ok(())
}

/// Texts made of the words of a scenario, in any order.
fn nearly_toml() -> impl Strategy<Value = String> {
    let pieces = [
        "name",
        "seed",
        "run",
        "until",
        "organization",
        "cluster",
        "space_shared",
        "time_shared",
        "scheduler",
        "easy",
        "fcfs",
        "stealing",
        "depth",
        "eazy",
        "shares",
        "processors",
        ".",
        ".",
        " = ",
        " = ",
        " = ",
        "\n",
        "\n",
        "\n",
        "{",
        "}",
        "{ ",
        " }",
        "[",
        "]",
        "[[",
        "]]",
        ", ",
        "\"",
        "'",
        "\"\"\"",
        "\\",
        "1",
        "-1",
        "2.5",
        "nan",
        "inf",
        "1e999",
        "99999999999999999999",
        "true",
        "1979-05-27",
        "\"x\"",
        "\"easy\"",
        "{}",
        "#",
        "\r\n",
        "\r",
        "\t",
        "é",
        "\u{feff}",
        "\0",
        "[run]\n",
        "[[organization]]\n",
        "[organization.cluster]\n",
        "name = \"a\"\n",
        "cluster.time_shared = {}\n",
        "cluster.space_shared = { processors = 1, scheduler.easy = {} }\n",
        "\nscheduler = ",
        "run.until.rounds = 3\n",
        "until = \"drained\"\n",
        "shares = [1, 2]\n",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..30)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        answer(&bytes)?;
    }

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        answer(text.as_bytes())?;
        answer(format!("name = \"{text}\"\nrun.{text} = 1\n").as_bytes())?;
    }

    #[test]
    fn anything_like_toml_is_answered(text in nearly_toml()) {
        answer(text.as_bytes())?;
    }

    /// Cutting or changing a right scenario gives a value or an answer.
    #[test]
    fn a_damaged_scenario_is_answered(
        from in 0usize..200,
        length in 0usize..40,
        instead in nearly_toml(),
    ) {
        let mut text = String::from(
            "name = \"a\"\nseed = 1\n[run]\nuntil.time = 2.5\nquiet = true\n\
             [[organization]]\nname = \"b\"\nshares = [1, 2.5]\n\
             cluster.space_shared = { processors = 16, scheduler.easy = {} }\n",
        );
        let from = from.min(text.len());
        let to = (from + length).min(text.len());
        text.replace_range(from..to, &instead);
        answer(text.as_bytes())?;
    }

    #[test]
    fn paths_read_what_they_write(
        steps in proptest::collection::vec((any::<String>(), 0usize..99, any::<bool>()), 1..6),
    ) {
        let path = steps.into_iter().fold(Path::root(), |path, (key, index, deeper)| {
            if deeper { path.index(index) } else { path.key(key) }
        });
        prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
    }

    #[test]
    fn places_anywhere_are_shown(
        text in nearly_toml(),
        spans in proptest::collection::vec((0usize..300, 0usize..300, any::<bool>()), 0..10),
    ) {
        let mut files = Files::new();
        let file = files.add("a\nb", text);
        let mut diagnostic = Diagnostic::error("\x1b[1m");
        for (from, to, primary) in spans {
            let place = Place::new(file, from..to);
            diagnostic = if primary {
                diagnostic.at(place, "x\ny")
            } else {
                diagnostic.also(place, "")
            };
        }
        prop_assert!(!render(&[diagnostic], &files, false).contains('\x1b'));
    }
}
