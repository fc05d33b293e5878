//! Hard cases of grid schedulers: jobs that fit nowhere, clusters that are closed, instants with
//! thousands of jobs, sizes far apart, very many organizations. The figures are worked out by hand.

use serde_json::Value;

use crate::cli::support::{Folder, Said};

/// Those that start jobs themselves, on clusters without a scheduler.
const STARTING: [&str; 4] = ["grid_submission", "stealing", "list", "best_fit"];

/// Those that send jobs to clusters with a scheduler.
const SENDING: [&str; 3] = ["least_demand", "random", "round_robin"];

/// A scenario under a grid scheduler; `CLUSTER` stands for the beginning of a cluster that suits it.
fn under(scheduler: &str, scenario: &str) -> String {
    let cluster = match STARTING.contains(&scheduler) {
        true => "cluster.space_shared = { ",
        false => "cluster.space_shared = { scheduler.easy = {}, ",
    };
    let scenario = scenario.replace("CLUSTER", cluster);
    format!("name = \"hard\"\ngrid_scheduler.{scheduler} = {{}}\n{scenario}")
}

/// An organization with a cluster of so many processors.
fn owner(name: &str, processors: u32) -> String {
    format!("[[organization]]\nname = \"{name}\"\nCLUSTER processors = {processors} }}\n")
}

/// So many equal jobs of an organization.
fn jobs(of: &str, submit: u32, runtime: u32, processors: u32, count: u32) -> String {
    format!(
        "[[job]]\norganization = \"{of}\"\nsubmit = {submit}\nruntime = {runtime}\n\
         processors = {processors}\ncount = {count}\n"
    )
}

/// A job as it ran.
#[derive(Debug, PartialEq)]
struct Ran {
    job: u64,
    cluster: String,
    start: f64,
    finish: f64,
}

/// A run in the folder `r`.
struct Run {
    folder: Folder,
    said: Said,
}

impl Run {
    /// Runs a scenario, which goes well, and so does its audit.
    #[track_caller]
    fn of(scheduler: &str, scenario: &str) -> Run {
        let folder = Folder::new(&under(scheduler, scenario));
        let said = folder.run("run s.toml --out r");
        assert_eq!(said.code, 0, "{scheduler}: {}", said.error);
        let audit = folder.run("audit r");
        assert_eq!((audit.code, &*audit.error), (0, ""), "{scheduler}: {}", audit.out);
        assert!(audit.out.ends_with("\nall rules were kept\n"), "{scheduler}: {}", audit.out);
        let judged = audit.out.lines().any(|line| line.starts_with("grid scheduler       ok ("));
        assert_eq!(judged, STARTING.contains(&scheduler), "{scheduler}: {}", audit.out);
        Run { folder, said }
    }

    /// The jobs that ran, by number.
    fn ran(&self) -> Vec<Ran> {
        let text = self.folder.read("r/jobs.csv");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|one| one == name).unwrap();
        let (job, state, cluster, start, finish) = (
            column("job_id"),
            column("final_state"),
            column("cluster"),
            column("starting_time"),
            column("finish_time"),
        );
        let rows = reader.records().map(Result::unwrap);
        let completed = rows.filter(|row| &row[state] == "COMPLETED_SUCCESSFULLY");
        let ran = completed.map(|row| Ran {
            job: row[job].parse().unwrap(),
            cluster: row[cluster].to_owned(),
            start: row[start].parse().unwrap(),
            finish: row[finish].parse().unwrap(),
        });
        let mut ran: Vec<Ran> = ran.collect();
        ran.sort_by_key(|one| one.job);
        ran
    }

    /// The last finish.
    fn end(&self) -> f64 {
        self.ran().iter().fold(0.0, |end, one| f64::max(end, one.finish))
    }

    /// The line of the whole grid.
    fn grid(&self) -> Value {
        let mut summary: Value = serde_json::from_str(&self.folder.read("r/summary.json")).unwrap();
        summary["organizations"].as_array_mut().and_then(Vec::pop).unwrap()
    }

    /// A figure of the whole grid.
    fn figure(&self, name: &str) -> f64 {
        self.grid()[name].as_f64().unwrap()
    }
}

/// A job as it is to run.
fn ran(job: u64, cluster: &str, start: f64, finish: f64) -> Ran {
    Ran { job, cluster: cluster.to_owned(), start, finish }
}

/// Credits are 1 and 3. `b` wins at 0 and 10, and pays .5 and .75 to `a`, the owner: 2.25 and 1.75. Then
/// `a` wins, and pays to itself.
#[test]
fn an_auction_is_won_by_credit_and_paid_to_the_owner() {
    let scenario = format!(
        "name = \"auction\"\ngrid_scheduler.fair.by = \"auction\"\n{}{}{}uses = [\"a\"]\n{}uses = [\"a\"]\n",
        owner("a", 1),
        owner("b", 3),
        jobs("a", 0, 10, 1, 3),
        jobs("b", 0, 10, 1, 3)
    );
    let folder = Folder::new(&scenario.replace("CLUSTER ", "cluster.space_shared = { "));
    let said = folder.run("run s.toml --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let audit = folder.run("audit r");
    assert!(audit.code == 0 && audit.out.contains("grid scheduler"), "{}", audit.out);
    let ran = Run { folder, said }.ran();
    let starts: Vec<(u64, f64)> = ran.iter().map(|one| (one.job, one.start)).collect();
    assert_eq!(starts, [(1, 20.0), (2, 30.0), (3, 40.0), (4, 0.0), (5, 10.0), (6, 50.0)]);
}

/// Job 1 fits on `b` alone. Job 4 fits nowhere, and job 5 not on the only cluster that it may use.
#[test]
fn jobs_wider_than_every_cluster_are_rejected_and_counted() {
    let scenario = owner("a", 4)
        + &owner("b", 8)
        + &jobs("a", 0, 10, 8, 3)
        + &jobs("a", 0, 10, 9, 1)
        + &(jobs("b", 1, 5, 5, 1) + "uses = [\"a\"]\n")
        + &(jobs("b", 1, 5, 4, 1) + "uses = [\"a\"]\n");
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let folder = Folder::new(&under(scheduler, &scenario));
        let said = folder.run("check s.toml");
        assert_eq!((said.code, &*said.out), (2, ""), "{scheduler}");
        let message = "error: job 4 of `a` needs 9 processors, but the largest cluster it may use has \
                       8; 1 more job can never run\n";
        assert!(said.error.starts_with(message), "{scheduler}: {}", said.error);
        // The entry of the job is shown, though an entry before it stands for three jobs.
        assert!(said.error.contains("| processors = 9\n"), "{scheduler}: {}", said.error);
        let run = Run::of(scheduler, &format!("run.never_runs = \"reject\"\n{scenario}"));
        assert!(run.said.error.contains("such jobs are rejected, as `run.never_runs` says"));
        let told = "\n2 jobs rejected: no cluster that they may use is large enough\n";
        assert!(run.said.out.contains(told), "{scheduler}: {}", run.said.out);
        let expected = [
            ran(1, "b", 0.0, 10.0),
            ran(2, "b", 10.0, 20.0),
            ran(3, "b", 20.0, 30.0),
            ran(6, "a", 1.0, 6.0),
        ];
        assert_eq!(run.ran(), expected, "{scheduler}");
        let counts = ["submitted", "rejected", "finished"];
        let counts = counts.map(|what| run.grid()[what].as_u64().unwrap());
        assert_eq!(counts, [6, 2, 4], "{scheduler}");
    }
}

#[test]
fn jobs_that_no_cluster_takes_are_told_at_the_check() {
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let closed = owner("a", 4).replace(" }\n", ", foreign = \"never\" }\n");
        let nobody = "[[organization]]\nname = \"b\"\n";
        let scenario =
            format!("{closed}{nobody}{}{}", jobs("a", 0, 2, 4, 2), jobs("b", 0, 3, 1, 2));
        let folder = Folder::new(&under(scheduler, &scenario));
        let said = folder.run("check s.toml");
        assert_eq!((said.code, &*said.out), (2, ""), "{scheduler}");
        for part in [
            "error: no cluster takes job 3 of `b`; 1 more job can never run\n",
            "help: all clusters that it may use refuse others' jobs, by `foreign = \"never\"`: change \
             that, or give it a cluster, or set `run.never_runs = \"reject\"` to count such jobs as \
             rejected\n",
        ] {
            assert!(said.error.contains(part), "{scheduler}: {}", said.error);
        }
        // Listing the cluster does not open it.
        let named = scenario.replace(nobody, &format!("{nobody}uses = [\"a\"]\n"));
        folder.write("s.toml", &under(scheduler, &named));
        assert!(
            folder.run("check s.toml").error.starts_with("error: no cluster takes job 3 of `b`")
        );
        let job = format!("{named}uses = [\"a\"]\n");
        folder.write("s.toml", &under(scheduler, &job));
        let error = folder.run("check s.toml").error;
        assert!(error.starts_with("error: `b` may not use `a`\n"), "{scheduler}: {error}");
        assert!(error.contains("help: the cluster never takes others' jobs, by `foreign`\n"));
        let drawn = "workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0, \
                     jobs = 9 }\n";
        folder.write("s.toml", &under(scheduler, &format!("{closed}{nobody}{drawn}")));
        let error = folder.run("check s.toml").error;
        assert!(error.starts_with("error: no cluster takes any job of `b`\n"), "{error}");
        // An organization without jobs loses nothing.
        let fine = format!("{closed}{nobody}{}", jobs("a", 0, 2, 4, 2));
        folder.write("s.toml", &under(scheduler, &fine));
        assert_eq!(folder.run("check s.toml").code, 0, "{scheduler}");
        let run = Run::of(scheduler, &format!("run.never_runs = \"reject\"\n{scenario}"));
        assert_eq!(run.ran(), [ran(1, "a", 0.0, 2.0), ran(2, "a", 2.0, 4.0)], "{scheduler}");
        assert_eq!(run.grid()["rejected"], 2);
        let offered = folder.run_words(&["check", "s.toml"]).out;
        assert!(!offered.contains("-0"), "{scheduler}: {offered}");
    }
}

/// The owner of a cluster with a scheduler of its own does not use it, unless it says so.
#[test]
fn clusters_with_schedulers_beside_a_grid_scheduler_that_starts_jobs_are_told_at_the_check() {
    let own = |name: &str| owner(name, 4).replace(" }\n", ", scheduler.easy = {} }\n");
    let b = own("b");
    let scenario = owner("a", 4)
        + &b
        + "[[organization]]\nname = \"c\"\nuses = [\"b\"]\n"
        + &jobs("a", 0, 10, 4, 1)
        + &jobs("b", 0, 10, 4, 1)
        + &jobs("c", 0, 3, 4, 2);
    for scheduler in STARTING {
        let folder = Folder::new(&under(scheduler, &scenario));
        let said = folder.run("check s.toml");
        assert_eq!((said.code, &*said.error), (0, ""), "{scheduler}");
        let told = format!(
            "\ngrid scheduler {scheduler}: starts jobs on 1 cluster\n`b` with a scheduler of its own: \
             only jobs of organizations that name it in `uses` run there\n"
        );
        assert!(said.out.contains(&told), "{}", said.out);
        assert!(said.out.contains("\n3 organizations\n  a\n  b may use a\n  c may use b\n"));
        let expected = [
            ran(1, "a", 0.0, 10.0),
            ran(2, "a", 10.0, 20.0),
            ran(3, "b", 0.0, 3.0),
            ran(4, "b", 3.0, 6.0),
        ];
        assert_eq!(Run::of(scheduler, &scenario).ran(), expected, "{scheduler}");

        let two = scenario.replace(&b, &format!("{b}{}", own("d")));
        folder.write("s.toml", &under(scheduler, &two));
        let told = "\n`b` and 1 more with schedulers of their own: only jobs of organizations that \
                    name one of them in `uses` run there\n";
        assert!(folder.run("check s.toml").out.contains(told));
        let both = scenario.replace("[\"b\"]", "[\"a\", \"b\"]");
        folder.write("s.toml", &under(scheduler, &both));
        let error = folder.run("check s.toml").error;
        let message =
            format!("error: `b` has a scheduler of its own, and `{scheduler}` fills `a`\n");
        assert!(error.starts_with(&message), "{error}");
        folder.write("s.toml", &under(scheduler, &(own("a") + &jobs("a", 0, 1, 1, 1))));
        let error = folder.run("check s.toml").error;
        let message = format!(
            "error: `{scheduler}` fills clusters without a scheduler of their own, and there is none\n"
        );
        assert!(error.starts_with(&message), "{error}");
    }
    for scheduler in SENDING {
        let bare = owner("a", 4).replace("CLUSTER", "cluster.space_shared = {");
        let folder = Folder::new(&under(scheduler, &(bare + &jobs("a", 0, 1, 1, 1))));
        let said = folder.run("check s.toml");
        assert_eq!(said.code, 2, "{scheduler}");
        assert!(said.error.starts_with("error: cluster `a` has no scheduler\n"), "{}", said.error);
    }
}

/// 5000 jobs of 2 processors and 10 units, all at 7, on 2 and 8 processors: five run at a time, so
/// they take 1000 rounds. In turn the small cluster gets 2500 of them, which it runs one by one.
#[test]
fn thousands_of_jobs_at_one_instant() {
    let scenario = owner("a", 2) + &owner("b", 8) + &jobs("a", 7, 10, 2, 5000);
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let run = Run::of(scheduler, &scenario);
        let small = run.ran().iter().filter(|one| one.cluster == "a").count();
        match scheduler {
            "random" => {
                // Six standard deviations of a fair coin that is thrown 5000 times.
                assert!((2288..=2712).contains(&small), "{small}");
                assert_eq!(run.end(), 7.0 + 10.0 * small as f64);
            }
            "round_robin" => assert_eq!((small, run.end()), (2500, 25_007.0)),
            _ => {
                assert_eq!((small, run.end()), (1000, 10_007.0), "{scheduler}");
                // Jobs wait 0, 10, ... 9990 units, five of them each.
                assert_eq!(run.figure("wait_mean"), 4995.0, "{scheduler}");
                assert_eq!(run.figure("utilization"), 1.0, "{scheduler}");
            }
        }
    }
}

#[test]
fn no_cluster_and_one_cluster() {
    let nobody = "[[organization]]\nname = \"a\"\n";
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let own = match STARTING.contains(&scheduler) {
            true => "`cluster.space_shared = { processors = 64 }`\n",
            false => {
                "`cluster.space_shared = { processors = 64, scheduler.easy = {} }` or \
                 `cluster.time_shared = {}`\n"
            }
        };
        for scenario in ["", nobody, &format!("{nobody}{}", jobs("a", 0, 1, 1, 1))] {
            let folder = Folder::new(&under(scheduler, scenario));
            for words in ["check s.toml", "run s.toml --out r"] {
                let said = folder.run(words);
                assert_eq!((said.code, &*said.out), (2, ""), "{scheduler}: {}", said.error);
                assert!(said.error.starts_with("error: the grid has no cluster\n"), "{scheduler}");
                let help = format!("help: give an organization one: {own}");
                assert!(said.error.contains(&help), "{scheduler}: {}", said.error);
            }
            assert!(!folder.path("r").exists());
        }
        // One after the other, as no two fit at once.
        let one = owner("a", 4) + &jobs("a", 0, 3, 3, 4);
        let expected: Vec<Ran> =
            (0..4).map(|at| ran(at + 1, "a", 3.0 * at as f64, 3.0 * (at + 1) as f64)).collect();
        assert_eq!(Run::of(scheduler, &one).ran(), expected, "{scheduler}");
    }
}

/// A job of no length holds its processors for no time: all that fit one by one run at one instant.
#[test]
fn jobs_of_no_length_all_run_at_one_instant() {
    let scenario = owner("a", 1)
        + &owner("b", 2)
        + &jobs("a", 0, 0, 2, 3)
        + &jobs("b", 0, 10, 2, 1)
        + &jobs("b", 3, 0, 1, 50);
    for scheduler in STARTING {
        let run = Run::of(scheduler, &scenario);
        let mut expected: Vec<Ran> = (1..=3).map(|job| ran(job, "b", 0.0, 0.0)).collect();
        expected.push(ran(4, "b", 0.0, 10.0));
        expected.extend((5..=54).map(|job| ran(job, "a", 3.0, 3.0)));
        assert_eq!(run.ran(), expected, "{scheduler}");
        assert_eq!(run.figure("flow_mean"), 10.0 / 54.0, "{scheduler}");
    }
    for scheduler in SENDING {
        let run = Run::of(scheduler, &scenario);
        for one in run.ran() {
            let expected = match (one.job, &*one.cluster) {
                (1..=3, "b") => (0.0, 0.0),
                (4, "b") => (0.0, 10.0),
                (5.., "a") => (3.0, 3.0),
                // Behind the long job.
                (5.., "b") => (10.0, 10.0),
                _ => panic!("{scheduler}: {one:?}"),
            };
            assert_eq!((one.start, one.finish), expected, "{scheduler}: {one:?}");
        }
    }
    // Nothing has a length, so there is no makespan to divide by.
    let nothing = owner("a", 1) + &owner("b", 2) + &jobs("a", 0, 0, 1, 9);
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let run = Run::of(scheduler, &nothing);
        assert_eq!((run.ran().len(), run.end()), (9, 0.0), "{scheduler}");
        assert!(!run.said.out.contains("NaN") && !run.said.out.contains("inf"), "{}", run.said.out);
    }
}

/// Two jobs need more than half of the large cluster, the third exactly half. Lists of large jobs and
/// the queues by size keep small jobs from the large cluster until these have started.
#[test]
fn clusters_of_one_and_of_a_million_processors() {
    let million = 1_000_000;
    let scenario = owner("one", 1)
        + &owner("million", million)
        + &jobs("one", 0, 10, million, 1)
        + &jobs("one", 0, 10, million / 2 + 1, 1)
        + &jobs("one", 0, 10, million / 2, 1)
        + &jobs("million", 0, 10, 1, 3);
    let wide = || {
        let at = |job: u64| 10.0 * (job - 1) as f64;
        (1..=3).map(move |job| ran(job, "million", at(job), at(job) + 10.0))
    };
    for scheduler in STARTING.into_iter().chain(SENDING) {
        let run = Run::of(scheduler, &scenario);
        let narrow = match scheduler {
            "grid_submission" | "stealing" | "least_demand" => {
                Some([("one", 0.0), ("one", 10.0), ("one", 20.0)])
            }
            "list" | "best_fit" => Some([("one", 0.0), ("one", 10.0), ("million", 10.0)]),
            // The wide jobs had their turns on the large cluster, so the next is the small one.
            "round_robin" => Some([("one", 0.0), ("million", 10.0), ("one", 10.0)]),
            _ => None,
        };
        if let Some(narrow) = narrow {
            let narrow = (4..).zip(narrow);
            let narrow =
                narrow.map(|(job, (cluster, start))| ran(job, cluster, start, start + 10.0));
            assert_eq!(run.ran(), wide().chain(narrow).collect::<Vec<_>>(), "{scheduler}");
        }
        assert_eq!(run.end(), 30.0, "{scheduler}");
        // 2 000 001 + 3 processors for 10 units, of 1 000 001 for 30.
        let share = 20_000_040.0 / 30_000_030.0;
        assert!((run.figure("utilization") - share).abs() < 1e-12, "{scheduler}");
    }
}

/// A number of thousands as people read it.
fn grouped(number: u32) -> String {
    format!("{} {:03}", number / 1000, number % 1000)
}

/// Only a few have jobs, so the cost is that of the organizations.
#[test]
fn very_many_organizations() {
    // A hundred thousand in `tools/long-checks.sh random`.
    let count = if std::env::var_os("GRIDPACT_CASES").is_some() { 100_000 } else { 10_000 };
    let last = format!("m-{count}");
    let many = |more: &str| format!("[[organization]]\nname = \"m\"\ncount = {count}\n{more}");
    let output = "output = { histograms = false, timeline = false }\n";
    // They share the cluster of another, which runs three jobs one by one.
    let scenario = format!(
        "{output}{}{}{}",
        many(""),
        owner("owner", 2),
        jobs(&last, 7, 10, 2, 2) + &jobs("m-1", 8, 10, 1, 1)
    );
    let run = Run::of("grid_submission", &scenario);
    let expected =
        [ran(1, "owner", 7.0, 17.0), ran(2, "owner", 17.0, 27.0), ran(3, "owner", 27.0, 37.0)];
    assert_eq!(run.ran(), expected);
    let told = format!(
        "3 jobs of {} organizations on 1 cluster with 2 processors; all had finished by time 37.00\n",
        grouped(count + 1)
    );
    assert!(run.said.prose().contains(&told), "{}", run.said.out);
    // Each has a cluster, and may use those of all others, or its own alone.
    for (scheduler, foreign, end) in [
        ("list", "always", "10.00"),
        ("least_demand", "always", "10.00"),
        ("list", "never", "20.00"),
    ] {
        let own = many(&format!("CLUSTER processors = 2, foreign = \"{foreign}\" }}\n"));
        let scenario = format!("{output}{own}{}", jobs(&last, 0, 10, 2, 2));
        let folder = Folder::new(&under(scheduler, &scenario));
        let said = folder.run("run s.toml --no-files");
        let told = format!(
            "clusters with {} processors; all had finished by time {end}\n",
            grouped(2 * count)
        );
        assert!(said.prose().contains(&told), "{scheduler}, {foreign}: {}{}", said.out, said.error);
    }
    // Lists that nobody shares would need gigabytes.
    let own = many("CLUSTER processors = 2, foreign = \"when_none_waits\" }\n");
    for scheduler in ["list", "least_demand"] {
        let folder = Folder::new(&under(scheduler, &format!("{own}{}", jobs("m-1", 0, 10, 2, 2))));
        let said = folder.run("check s.toml");
        let message = "error: the organizations with terms of their own may use more than 20000000 \
                       clusters altogether\n";
        assert!(said.error.starts_with(message), "{}", said.error);
        assert_eq!(said.code, 2);
    }
}

/// The owner's jobs come first whenever a job starts, not only when one is sent.
#[test]
fn others_jobs_start_only_while_none_of_the_owner_waits() {
    let organization = |name: &str, foreign: &str| {
        format!(
            "[[organization]]\nname = \"{name}\"\nuses = [\"a\"]\n\
             cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}}{foreign} }}\n"
        )
    };
    let job = |organization: &str, submit: u32| {
        format!("[[job]]\norganization = \"{organization}\"\nsubmit = {submit}\nruntime = 100\n")
    };
    let guarded = organization("a", ", foreign = \"when_none_waits\"") + &organization("b", "");
    let jobs = job("a", 0) + &job("b", 1) + &job("a", 2);
    let folder = Folder::new(&format!("name = \"guests\"\n{guarded}{jobs}"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let starts = |folder: &Folder| {
        let lines = folder.read("r/jobs.csv");
        let fields = lines.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        fields.map(|fields| (fields[0].to_owned(), fields[8].to_owned())).collect::<Vec<_>>()
    };
    let expected = [("1", "0"), ("3", "100"), ("2", "200")];
    assert_eq!(starts(&folder), expected.map(|(job, start)| (job.to_owned(), start.to_owned())));
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}", said.out);
    // The start that the rule forbids is found.
    let lines = folder.read("r/jobs.csv");
    let swapped = lines
        .replace("SUCCESSFULLY,100,100,200,98,198,", "SUCCESSFULLY,200,100,300,198,298,")
        .replace("SUCCESSFULLY,200,100,300,199,299,", "SUCCESSFULLY,100,100,200,99,199,")
        .replace(",200\n", ",100\n");
    assert_ne!(lines, swapped);
    folder.write("r/jobs.csv", &swapped);
    let said = folder.run("audit r");
    let told = "job 2 of another organization started at 100 although job 3 of the owner waited";
    assert!(said.out.replace("\n   ", "").contains(told), "{}", said.out);
    let late = format!("name = \"late\"\ngrid_scheduler.least_demand.delay = 1.0\n{guarded}{jobs}");
    let said = Folder::new(&late).run("check s.toml");
    assert!(said.error.contains("a job under way cannot know"), "{}", said.error);
}
