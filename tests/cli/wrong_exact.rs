//! Wrong scenarios are answered with the place, the reason and a remedy, word for word.

use crate::support::{Folder, check};

#[test]
fn wrong_scenarios_are_answered_with_place_reason_and_remedy() {
    // An unknown key.
    check(
        r#"name = "test"
sede = 3
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: unknown key `sede` in the scenario
 --> s.toml:2:1
  |
2 | sede = 3
  | ^^^^ did you mean `seed`?
  |
  = help: the keys here are `extends`, `name`, `seed`, `run`, `output`, `organization`, `coalition`, `cluster`, `workload` and `job`
s.toml: 1 error; nothing was run
"#,
    );
    // A wrong type.
    check(
        r#"name = "test"
seed = "x"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: expected a whole number for `seed`, found a string
 --> s.toml:2:8
  |
2 | seed = "x"
  |        ^^^ expected a whole number
s.toml: 1 error; nothing was run
"#,
    );
    // Two choices.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster = { time_shared = {}, space_shared = { processors = 4, scheduler.easy = {} } }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: two choices at once for `cluster`: `time_shared` and `space_shared`
 --> s.toml:4:31
  |
4 | cluster = { time_shared = {}, space_shared = { processors = 4, scheduler.easy = {} } }
  |             -----------       ^^^^^^^^^^^^ and `space_shared` here
  |             |
  |             `time_shared` is chosen here
  |
  = help: keep one of them
s.toml: 1 error; nothing was run
"#,
    );
    // Nothing but a name.
    check(
        r#"name = "test"
"#,
        2,
        r#"error: the grid has no cluster
 --> s.toml:1:1
  |
1 | name = "test"
  | ^
  |
  = help: give an organization one: `cluster.space_shared = { processors = 64, scheduler.easy = {} }` or `cluster.time_shared = {}`
s.toml: 1 error; nothing was run
"#,
    );
    // No jobs.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
"#,
        2,
        r#"error: no jobs arrive
 --> s.toml:1:1
  |
1 | name = "test"
  | ^
  |
  = help: give an organization jobs: `workload.swf = { file = "trace.swf.gz" }` or `workload.synthetic = { arrivals.poisson = { rate = 0.2 }, size.exponential = { mean = 4.0 } }`, or write `[[job]]` rows
s.toml: 1 error; nothing was run
"#,
    );
    // A negative rate, once for all copies.
    check(
        r#"name = "test"
[[organization]]
name = "a"
count = 1000
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = -0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: -0.2 is not a rate; give jobs per unit of time, above 0
 --> s.toml:6:48
  |
6 | workload.synthetic = { arrivals.poisson.rate = -0.2, size.exponential.mean = 4.0, jobs = 9 }
  |                                                ^^^^
s.toml: 1 error; nothing was run
"#,
    );
    // Several mistakes.
    check(
        r#"name = "test"
run.replications = 0
[[organization]]
name = "a"
cluster.space_shared = { processors = 0, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
[[cluster]]
name = "b"
owner = "aa"
count = 0
kind.time_shared = {}
"#,
        2,
        r#"error: there must be at least 1 replication
 --> s.toml:2:20
  |
2 | run.replications = 0
  |                    ^

error: a cluster has at least 1 processor
 --> s.toml:5:39
  |
5 | cluster.space_shared = { processors = 0, scheduler.easy = {} }
  |                                       ^

error: there must be at least 1 of them
  --> s.toml:10:9
   |
10 | count = 0
   |         ^

error: there is no organization called `aa`
 --> s.toml:9:9
  |
9 | owner = "aa"
  |         ^^^^
  |
  = help: did you mean `a`?
s.toml: 4 errors; nothing was run
"#,
    );
    // Two of one name.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
[[organization]]
name = "a"
"#,
        2,
        r#"error: there are two organizations called `a`
 --> s.toml:7:8
  |
7 | name = "a"
  |        ^^^
  |
  = help: give one of them another name
s.toml: 1 error; nothing was run
"#,
    );
    // Uses what is not there, and twice.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
uses = ["b", "a", "a"]
"#,
        2,
        r#"error: there is no cluster called `b`
 --> s.toml:6:9
  |
6 | uses = ["b", "a", "a"]
  |         ^^^
  |
  = help: did you mean `a`?

error: `a` is named twice
 --> s.toml:6:19
  |
6 | uses = ["b", "a", "a"]
  |                   ^^^
s.toml: 2 errors; nothing was run
"#,
    );
    // An endless run.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }
"#,
        2,
        r#"error: the jobs of `a` never end, so the run would not either
 --> s.toml:5:22
  |
5 | workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }
  |                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: end the run with `run.until.time` or `run.until.jobs`, or the workload with `jobs = ...` or `until = ...`
s.toml: 1 error; nothing was run
"#,
    );
    // A blind run of a scheduler that sees.
    check(
        r#"name = "test"
run.clairvoyance = "none"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: the scheduler `easy` of cluster `a` needs expected runtimes, and this run gives none
 --> s.toml:2:20
  |
2 | run.clairvoyance = "none"
  |                    ^^^^^^
  |
  = help: set `run.clairvoyance` to `estimate`, `predicted` or `runtime`, or use `fcfs` or `list`
s.toml: 1 error; nothing was run
"#,
    );
    // A large job.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[[job]]
organization = "a"
submit = 0
runtime = 1
processors = 4
[[job]]
organization = "a"
submit = 0
runtime = 1
processors = 9
"#,
        2,
        r#"error: job 2 of `a` needs 9 processors, but the largest cluster it may use has 4
  --> s.toml:14:14
   |
14 | processors = 9
   |              ^
   |
   = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // Large drawn jobs.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, processors.constant = 5, jobs = 9 }
"#,
        2,
        r#"error: every job of `a` needs 5 processors, but the largest cluster it may use has 4
 --> s.toml:5:104
  |
5 | workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, processors.constant = 5, jobs = 9 }
  |                                                                                                        ^
  |
  = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // Drawn jobs, some of them large.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.2
size.exponential.mean = 4.0
processors.uniform = { min = 1, max = 8 }
jobs = 9
"#,
        2,
        r#"error: some jobs of `a` may need 8 processors, but the largest cluster it may use has 4
 --> s.toml:8:39
  |
8 | processors.uniform = { min = 1, max = 8 }
  |                                       ^
  |
  = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // Drawn jobs, all of them large.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.2
size.exponential.mean = 4.0
processors.uniform = { min = 5, max = 8 }
jobs = 9
"#,
        2,
        r#"error: every job of `a` needs at least 5 processors, but the largest cluster it may use has 4
 --> s.toml:8:39
  |
8 | processors.uniform = { min = 5, max = 8 }
  |                                       ^
  |
  = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // Estimates that nobody gives.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.2
size.exponential.mean = 4.0
estimates.none = {}
jobs = 9
"#,
        2,
        r#"error: these jobs have no estimates, and the scheduler `easy` of cluster `a` needs them
 --> s.toml:8:1
  |
8 | estimates.none = {}
  | ^^^^^^^^^
  |
  = help: set `run.clairvoyance = "runtime"`, or use `fcfs`, or give estimates: `estimates.exact = {}`
s.toml: 1 error; nothing was run
"#,
    );
    // Sizes from a file that is not there.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.2
size.empirical.file = "nosuch.csv"
jobs = 9
"#,
        4,
        r#"error: nosuch.csv: cannot be read: No such file or directory (os error 2)
 --> s.toml:7:23
  |
7 | size.empirical.file = "nosuch.csv"
  |                       ^^^^^^^^^^^^
  |
  = help: paths are relative to the scenario file
s.toml: 1 error; nothing was run
"#,
    );
    // A profile of too few hours.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.2
size.exponential.mean = 4.0
profile.daily = [1, 2]
jobs = 9
"#,
        2,
        r#"error: 24 numbers are needed, and here are 2
 --> s.toml:8:17
  |
8 | profile.daily = [1, 2]
  |                 ^^^^^^
s.toml: 1 error; nothing was run
"#,
    );
    // Large jobs of a trace.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.swf = { file = "trace.swf" }
"#,
        2,
        r#"error: job 2 of `a` needs 8 processors, but the largest cluster it may use has 4; 1 more job can never run
 --> s.toml:5:25
  |
5 | workload.swf = { file = "trace.swf" }
  |                         ^^^^^^^^^^^
  |
  = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // Large jobs of a model.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 64, scheduler.easy = {} }
workload.lublin_feitelson = { processors = 128, jobs = 9 }
"#,
        2,
        r#"error: some jobs of `a` may need 128 processors, but the largest cluster it may use has 64
 --> s.toml:5:44
  |
5 | workload.lublin_feitelson = { processors = 128, jobs = 9 }
  |                                            ^^^
  |
  = help: give it a larger cluster, or set `run.never_runs = "reject"` to count such jobs as rejected
s.toml: 1 error; nothing was run
"#,
    );
    // A trace that is not there.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.swf = { file = "nosuch.swf" }
"#,
        4,
        r#"error: nosuch.swf: cannot be opened: No such file or directory (os error 2)
 --> s.toml:5:25
  |
5 | workload.swf = { file = "nosuch.swf" }
  |                         ^^^^^^^^^^^^
  |
  = help: paths are relative to the scenario file
  = help: traces of real machines are in the Parallel Workloads Archive, https://www.cs.huji.ac.il/labs/parallel/workload/
s.toml: 1 error; nothing was run
"#,
    );
    // A trace without enough columns.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.swf = { file = "garbage.swf" }
"#,
        2,
        r#"error: garbage.swf: line 1: this does not look like an SWF trace: the line has 2 of 18 columns; expected lines of 18 numbers (plain or gzip), with comments after `;`
 --> s.toml:5:25
  |
5 | workload.swf = { file = "garbage.swf" }
  |                         ^^^^^^^^^^^^^
s.toml: 1 error; nothing was run
"#,
    );
    // A warm-up longer than the run.
    check(
        r#"name = "test"
output.warm_up.fixed = 10
run.until.time = 10
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: warm-up and cool-down leave no job to be counted
 --> s.toml:2:24
  |
2 | output.warm_up.fixed = 10
  |                        ^^
  |
  = help: what counts would last from 10 to 10
s.toml: 1 error; nothing was run
"#,
    );
    // Far too many.
    check(
        r#"name = "test"
[[organization]]
name = "a"
count = 2000000
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: 2000000 organizations are too many: 1000000 is the most
 --> s.toml:2:1
  |
2 | [[organization]]
  | ^^^^^^^^^^^^^^^^
  |
  = help: lower a `count`
s.toml: 1 error; nothing was run
"#,
    );
    // Not a number.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = nan, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: `rate` must be a finite number, not NaN
 --> s.toml:5:48
  |
5 | workload.synthetic = { arrivals.poisson.rate = nan, size.exponential.mean = 4.0, jobs = 9 }
  |                                                ^^^ must be a finite number
s.toml: 1 error; nothing was run
"#,
    );
    // No processors.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 0, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, jobs = 9 }
"#,
        2,
        r#"error: a cluster has at least 1 processor
 --> s.toml:4:39
  |
4 | cluster.space_shared = { processors = 0, scheduler.easy = {} }
  |                                       ^
s.toml: 1 error; nothing was run
"#,
    );
    // A gzip file that was cut short.
    check(
        r#"name = "test"
[[organization]]
name = "a"
cluster.space_shared = { processors = 100, scheduler.easy = {} }
workload.swf = { file = "cut.swf.gz" }
"#,
        2,
        r#"error: cut.swf.gz: the gzip data is cut short or damaged after line 3328 (incomplete deflate stream); fetch the file again, or unpack what can be saved and give that
 --> s.toml:5:25
  |
5 | workload.swf = { file = "cut.swf.gz" }
  |                         ^^^^^^^^^^^^
s.toml: 1 error; nothing was run
"#,
    );
}

/// Ten megabytes that are no scenario, as text and as bytes.
#[test]
fn garbage_is_refused_at_its_first_spot() {
    let folder = Folder::new("");
    folder.write("text.toml", &"m.{epmg\n]\"".repeat(1_000_000));
    let said = folder.run("check text.toml");
    let expected = "error: key with no value
 --> text.toml:1:3
  |
1 | m.{epmg
  |   ^ expected `=`
text.toml: 1 error; nothing was run
";
    assert_eq!((said.code, &*said.error), (2, expected));
    std::fs::write(folder.path("bytes.toml"), [b'd', 0x84, 0xff].repeat(3_500_000)).unwrap();
    let said = folder.run("check bytes.toml");
    let told = "error: `bytes.toml` is not a text in UTF-8\n --> bytes.toml:1:2\n";
    assert!(said.error.starts_with(told), "{}", said.error);
    let end = "\n  = help: a scenario is a TOML text: save the file as UTF-8\n\
        bytes.toml: 1 error; nothing was run\n";
    assert!(said.error.ends_with(end) && said.error.len() < 1000, "{}", said.error);
    assert_eq!(said.code, 2);
}
