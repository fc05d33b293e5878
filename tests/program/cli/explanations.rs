//! `gridpact explain` tells what the files say, for every job, and what to write where it cannot.

use gridpact::review::explain::{self, WhichJob};

use crate::cli::support::{A, Folder, NINE, kth};

/// Three jobs on four processors: the second waits for the first, the third overtakes it.
const THREE: &str = "[output]\ndecisions = true\n\
    [[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 10\nestimate = 12\nprocessors = 3\n\
    [[job]]\norganization = \"a\"\nsubmit = 1\nruntime = 5\nprocessors = 4\n\
    [[job]]\norganization = \"a\"\nsubmit = 2\nruntime = 4\n";

fn ran(scenario: &str) -> Folder {
    let folder = Folder::new(scenario);
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    folder
}

fn tail(folder: &Folder, words: &str) -> String {
    let said = folder.run(words);
    assert_eq!((said.code, &*said.error), (0, ""), "{words}");
    said.out
}

#[test]
fn a_wait_is_told_from_its_first_to_its_last_instant() {
    let folder = ran(&format!("{A}{THREE}"));
    let told = tail(&folder, "explain r --job 2");
    assert_eq!(
        told,
        "Job 2 of `a`, from `jobs`, came at 1 and needs 4 of the 4 processors of `a` (EASY \
         backfilling).\n\
         It started at 10, after waiting 9, and ended at 15.\n\n\
         When it came, 1 other job was running, 1 processor was free, and nobody waited ahead of it.\n\n\
         It waited\n  from 1 to 10: for processors: 1 of 4 was free; to start at 12, when job 1 was \
         expected to end\n\n\
         It started when job 1 gave back 3 processors, 2 before it was expected to end.\n\n\
         1 job that came later was started before it:\n  job 3 (1 processor) at 2; its start was \
         still expected at 12: no delay\n"
    );
    let told = tail(&folder, "explain r --at 1.5");
    let waits =
        "\n  1 job is waiting\n    job 2 of `jobs` (4 processors) since 1, for processors: 1 of 4";
    assert!(told.contains(waits), "{told}");
    assert!(told.contains("expected to finish at 12\n"), "{told}");
    let csv = tail(&folder, "explain r --job 2 --format csv");
    assert!(csv.ends_with("\n1,10,processors,jobs,1,,12,1,\n"), "{csv}");
    let json = tail(&folder, "explain r --job 2 --format json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["overtakers"][0]["delayed"], false);
    assert_eq!(json["job"][0]["waiting_time"], 9.0);
}

#[test]
fn records_in_many_packed_files_tell_the_same() {
    let plain = ran(&format!("{A}{THREE}"));
    let packed = ran(&format!("{A}{}", THREE.replace("true", "true\nrotate = 2\ncompress = true")));
    assert!(!packed.path("r/decisions.csv").exists());
    for words in ["explain r --job 2", "explain r --at 3 --format json"] {
        assert_eq!(tail(&plain, words), tail(&packed, words));
    }
}

#[test]
fn without_decisions_the_rest_is_told_and_what_would_tell_more() {
    let folder = ran(&format!("{A}{}", THREE.replace("decisions = true", "")));
    assert!(!folder.path("r/decisions.csv").exists());
    let told = tail(&folder, "explain r --job 2");
    assert!(told.contains("1 job that came later was started before it:\n  job 3"), "{told}");
    assert!(told.ends_with("unknown; `output.decisions = true` records them.\n"), "{told}");
}

#[test]
fn what_cannot_be_told_is_said_with_the_nearest() {
    let folder = ran(&format!("{A}{NINE}[run]\nreplications = 2\n"));
    for (words, expected) in [
        ("--job 1", "error: there are 2 jobs 1\nhelp: say which one is meant:\n  --replication 0"),
        ("--job 12 --replication 1", "help: of 9 jobs, the nearest are 9\n"),
        ("--job 1 --replication 2", "help: the run has 2, numbered from 0\n"),
        ("--job 1 --organization b", "has no organization called `b`\nhelp: did you mean `a`?\n"),
        ("--job 1 --replication 0 --round 1", "error: a grid has no rounds\n"),
        ("--job 1 --replication 0 --table at", "help: there are `job`, `candidates`,"),
        ("--at 1", "help: say which with `--replication`, from 0 to 1\n"),
        ("--at -1", "`--at -1` is no time of a run\n"),
        ("--at 1e9 --replication 0", "error: nothing happened after "),
        (
            "--at 1 --replication 0 --cluster c",
            "has no cluster called `c`\nhelp: did you mean `a`?\n",
        ),
    ] {
        let said = folder.run(&format!("explain r {words}"));
        assert_eq!(said.code, 2, "{words}");
        assert!(said.error.contains(expected), "{words}: {}", said.error);
    }
    let folder = ran(&format!("{A}{NINE}[output]\njobs = false\n"));
    let said = folder.run("explain r --job 1");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("help: set `output.jobs = true` and run again"), "{}", said.error);
    assert_eq!(folder.run("explain . --job 1").code, 4);
}

/// From the files of a piece of a trace, under each scheduler.
#[test]
fn every_wait_of_a_trace_is_told_without_a_gap() {
    for scheduler in ["fcfs", "easy", "conservative", "list"] {
        let folder = ran(&format!(
            "name = \"kth\"\nrun.until.jobs = 1200\noutput.decisions = true\n\
             [[organization]]\nname = \"all\"\n\
             cluster.space_shared = {{ processors = 100, scheduler.{scheduler} = {{}} }}\n\
             workload.swf.file = \"{}\"\n",
            kth().display()
        ));
        let at = folder.path("r");
        let manifest = explain::manifest(&at).unwrap();
        let mut waited = 0;
        for line in folder.read("r/jobs.csv").lines().skip(1).step_by(9) {
            let number: u64 = line.split(',').next().unwrap().parse().unwrap();
            let why =
                explain::why(&at, &manifest, &WhichJob { number, ..WhichJob::default() }).unwrap();
            let start = why.job.start.unwrap();
            if start == why.job.submit {
                assert!(why.stages.is_empty(), "{scheduler}: {number}");
                continue;
            }
            waited += 1;
            assert_eq!(why.stages[0].line.time, why.job.submit, "{scheduler}: {number}");
            assert_eq!(why.stages.last().unwrap().until, Some(start));
            let ends = why.stages.windows(2).map(|two| (two[0].until, Some(two[1].line.time)));
            assert!(ends.into_iter().all(|(end, begin)| end == begin));
            if scheduler == "fcfs" {
                assert!(why.overtakers.is_empty());
            }
            if scheduler == "conservative" {
                let later = why.overtakers.iter().filter(|one| one.delayed() == Some(true));
                assert_eq!(later.count(), 0, "{number}: no later job pushes a reservation back");
            }
        }
        assert!(waited > 5, "{scheduler}: {waited}");
    }
}

/// The queues of a coalition come out of its files again, and every end with them.
#[test]
fn every_end_of_a_coalitions_job_is_told() {
    let organization = |name: &str, rate: f64| {
        format!(
            "[[organization]]\nname = \"{name}\"\ncluster.time_shared = {{}}\nlearner.always = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.exponential.mean = 4.0 }}\n"
        )
    };
    for (rounds, whole) in [("independent", true), ("continuing", false)] {
        let folder = ran(&format!(
            "name = \"both\"\nrun.until.rounds = 3\noutput = {{ jobs = true, moves = true }}\n\
             [coalition]\nperiod = 60.0\nwindow = [0.0, 1.0]\nrounds.{rounds} = {{}}\n\
             balancer.averaging = {{}}\n{}{}",
            organization("busy", 0.35),
            organization("idle", 0.05)
        ));
        let at = folder.path("r");
        let manifest = explain::manifest(&at).unwrap();
        let coalition = manifest.coalition.clone().unwrap();
        let (mut moved, mut told) = (0, 0);
        for line in folder.read("r/jobs.csv").lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let which = WhichJob {
                number: fields[0].parse().unwrap(),
                organization: Some(fields[11].to_owned()),
                round: Some(fields[13].parse().unwrap()),
                ..WhichJob::default()
            };
            let why = explain::why_shared(&at, &manifest, &coalition, &which).unwrap();
            let Some(queued) = &why.queued else {
                assert!(!whole, "{line}");
                continue;
            };
            told += 1;
            let last = queued.own.iter().map(|&(_, end)| end).max();
            let job = &why.job;
            assert!(last.is_none_or(|end| end - job.submit <= why.in_front), "{line}");
            let planned = why.balancings.iter().rev().find_map(|one| one.planned);
            assert_eq!(planned.map_or(job.promised, |[_, after]| after), job.finish, "{line}");
            moved += u32::from(planned.is_some_and(|[before, after]| before != after));
        }
        assert!(told > 20 && moved > 0, "{rounds}: {told} {moved}");
    }
    let folder = ran(&format!(
        "name = \"both\"\nrun.until.rounds = 1\n[coalition]\nperiod = 60.0\n\
         balancer.averaging = {{}}\n{}{}",
        organization("busy", 0.35),
        organization("idle", 0.05)
    ));
    let said = folder.run("explain r --job 1");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("`output.jobs = true` and `output.moves = true`"),
        "{}",
        said.error
    );
}

#[test]
fn a_story_from_a_changed_file_comes_with_a_warning() {
    let folder = ran(&format!("{A}{THREE}"));
    let jobs = folder.read("r/jobs.csv");
    folder
        .write("r/jobs.csv", &jobs.replace("SUCCESSFULLY,10,5,15,9,", "SUCCESSFULLY,11,5,16,10,"));
    assert_ne!(folder.read("r/jobs.csv"), jobs);
    for words in ["explain r --job 2", "explain r --at 1.5"] {
        let said = folder.run(words);
        assert_eq!(
            said.error,
            "warning: jobs.csv is not the file that the run wrote, so this story may be false\n\
             help: `gridpact audit r` says what is wrong with it\n",
            "{words}"
        );
    }
    folder.write("r/jobs.csv", &jobs);
    // A page that the manifest does not know is read too.
    folder.write("r/decisions-r0000-000001.csv", &folder.read("r/decisions.csv"));
    let said = folder.run("explain r --at 1.5");
    assert!(said.error.contains("decisions-r0000-000001.csv is not the file"), "{}", said.error);
}
