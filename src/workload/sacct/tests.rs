//! Logs as printed by `sacct`, and files that are not logs.

use std::path::PathBuf;

use super::*;

const HEADER: &str =
    "JobID|User|Account|Partition|Submit|Start|Elapsed|Timelimit|AllocCPUS|State\n";

#[track_caller]
fn import(lines: &str, options: &Options) -> Result<Imported, String> {
    let text = format!("{HEADER}{lines}");
    read_from(Path::new("LOG"), text.as_bytes(), options).map_err(|error| error.to_string())
}

/// Returns (submit, runtime, estimate, processors, organization) of each job.
fn rows(imported: &Imported) -> Vec<(i64, i64, i64, u32, &str)> {
    let seconds = |ticks: i64| ticks / TICKS_PER_UNIT;
    let row = |job: &Job| {
        let party = &imported.parties[job.organization.index()];
        let submit = seconds(job.submit.ticks());
        let (runtime, estimate) = (seconds(job.runtime.ticks()), seconds(job.estimate.ticks()));
        (submit, runtime, estimate, job.processors, party.name.as_str())
    };
    imported.jobs.iter().map(row).collect()
}

/// A log as printed by `sacct`: a job with its steps, an array, a heterogeneous job, jobs that
/// never started, a running job, a requeued job.
const LOG: &str = "\
100|ada|physics|cpu|2026-03-01T12:00:00|2026-03-01T12:10:00|01:00:00|02:00:00|4|COMPLETED
100.batch||physics||2026-03-01T12:10:00|2026-03-01T12:10:00|01:00:00||4|COMPLETED
100.extern||physics||2026-03-01T12:10:00|2026-03-01T12:10:00|01:00:00||4|COMPLETED
100.0||physics||2026-03-01T12:10:02|2026-03-01T12:10:02|00:59:58||4|COMPLETED
101_1|bob|biology|cpu|2026-03-01T12:30:00|2026-03-01T12:30:00|00:10:00|1-00:00:00|2|FAILED
101_2|bob|biology|cpu|2026-03-01T12:30:00|2026-03-01T12:40:00|00:10:00|1-00:00:00|2|COMPLETED
101_[3-9%2]|bob|biology|cpu|2026-03-01T12:30:00|Unknown|00:00:00|1-00:00:00|0|PENDING
102+0|ada|physics|cpu|2026-03-01T13:00:00|2026-03-01T13:00:00|00:05:00|00:10:00|8|COMPLETED
102+1|ada|physics|gpu|2026-03-01T13:00:00|2026-03-01T13:00:00|00:05:00|00:10:00|1|COMPLETED
103|cy|biology|cpu|2026-03-01T13:00:00|2026-03-01T13:20:00|00:00:00|00:10:00|0|CANCELLED by 1000
104|cy|biology|cpu|2026-03-01T13:01:00|None|00:00:00|00:10:00|0|CANCELLED by 1000
105|cy|biology|cpu|2026-03-01T13:02:00|2026-03-01T13:02:00|00:10:30|00:10:00|1|TIMEOUT
106|cy||cpu|2026-03-01T13:03:00|2026-03-01T13:04:00|00:01:00|UNLIMITED|1|OUT_OF_MEMORY
107|cy|biology|cpu|2026-03-01T13:04:00|2026-03-01T13:05:00|00:01:00|00:10:00|1|RUNNING
100|ada|physics|cpu|2026-03-01T14:00:00|2026-03-01T14:10:00|00:00:10|02:00:00|4|NODE_FAIL
";

#[test]
fn a_log_becomes_jobs_and_every_other_line_is_accounted_for() {
    let imported = import(LOG, &Options::default()).unwrap();
    assert_eq!(
        rows(&imported),
        [
            (0, 3600, 7200, 4, "physics"),
            (1800, 600, 86_400, 2, "biology"),
            (1800, 600, 86_400, 2, "biology"),
            (3600, 300, 600, 8, "physics"),
            (3600, 300, 600, 1, "physics"),
            (3720, 600, 600, 1, "biology"),
            (3780, 60, 60, 1, "no owner"),
            (7200, 10, 7200, 4, "physics"),
        ]
    );
    assert_eq!(
        imported.ledger.to_string(),
        "15 lines read, 8 jobs kept\n  \
         step: 3 dropped: a step, which its job's line covers (first in line 3)\n  \
         array: 1 dropped: tasks of an array that had not started, as in `12_[3-9]` (first in line 8)\n  \
         running: 1 dropped: still running when the log was taken (first in line 15; 60 \
         processor-seconds, 0.3% of the work)\n  \
         not_started: 1 dropped: had not started (first in line 12)\n  \
         no_processors: 1 dropped: no processors (first in line 11)\n  \
         no_limit: 1 given the run time as estimate: no time limit (first in line 14)\n  \
         over_limit: 1 cut to the time limit (first in line 13)\n  \
         component: 2 kept: a component of a heterogeneous job, as a job of its own (first in line 9)\n  \
         requeued: 1 kept: a further run of a job that was requeued (first in line 16)\n  \
         no_owner: 1 given to `no owner`: the column is empty (first in line 14)\n  \
         shift_to_zero: 8 submitted 1772366400 s earlier: the first job comes at time 0 (first in line 2)\n"
    );
    assert_eq!(imported.ledger.read, imported.ledger.kept + imported.ledger.dropped());
    let waits = imported.jobs.iter().map(|job| job.recorded.wait().map(Span::ticks));
    let expected = [600, 0, 600, 0, 0, 0, 60, 600].map(|wait| Some(wait * TICKS_PER_UNIT));
    assert_eq!(waits.collect::<Vec<_>>(), expected);
    assert_eq!(imported.users, ["ada", "bob", "cy"]);
    let [physics, biology, nobody] = &imported.parties[..] else { panic!("three owners") };
    assert_eq!((physics.name.as_str(), physics.jobs), ("physics", 4));
    // 4 * 3600 + 8 * 300 + 1 * 300 + 4 * 10, and from 13:00 to 13:05 four, eight and one at once.
    assert_eq!((physics.area, physics.peak, physics.wait), (17_140.0, 13, 300.0));
    // The second element starts when the first one ends.
    assert_eq!((biology.area, biology.peak, biology.wait), (3000.0, 2, 200.0));
    assert_eq!((nobody.jobs, nobody.wait), (1, 60.0));
    assert_eq!(imported.peak, 15);
}

/// `sacct --duplicates` prints the runs before the last one in a state of the queue.
#[test]
fn every_run_of_a_requeued_job_is_a_job() {
    let line = |state: &str, start: &str, elapsed: &str| {
        format!("7|ada|x|cpu|2026-03-01T12:00:00|{start}|{elapsed}|01:00:00|4|{state}\n")
    };
    for state in ["REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "PREEMPTED", "NODE_FAIL"] {
        let log = [
            line(state, "2026-03-01T12:10:00", "00:05:00"),
            line(state, "2026-03-01T12:20:00", "00:00:00"),
            line("REQUEUED", "Unknown", "00:00:00"),
            line("COMPLETED", "2026-03-01T12:30:00", "00:20:00"),
        ];
        let imported = import(&log.concat(), &Options::default()).unwrap();
        assert_eq!(rows(&imported), [(0, 300, 3600, 4, "x"), (0, 1200, 3600, 4, "x")], "{state}");
        let ledger = imported.ledger.to_string();
        assert!(ledger.contains("requeued: 1 kept: a further run"), "{ledger}");
        assert_eq!(imported.ledger.dropped(), 2, "{ledger}");
    }
}

/// Two clusters count their jobs from 1.
#[test]
fn equal_numbers_of_two_clusters_are_two_jobs() {
    let log = |clusters: [&str; 2]| {
        let [one, other] = clusters;
        format!(
            "{}|Cluster\n\
             7|ada|x|cpu|2026-03-01T12:00:00|2026-03-01T12:00:00|01:00:00|02:00:00|4|COMPLETED|{one}\n\
             7|ada|x|cpu|2026-03-01T12:01:00|2026-03-01T12:01:00|01:00:00|02:00:00|4|COMPLETED|{other}\n",
            HEADER.trim_end()
        )
    };
    for (clusters, requeued) in [(["north", "south"], false), (["north", "north"], true)] {
        let text = log(clusters);
        let imported = read_from(Path::new("LOG"), text.as_bytes(), &Options::default()).unwrap();
        assert_eq!(imported.jobs.len(), 2);
        assert_eq!(imported.ledger.to_string().contains("requeued"), requeued, "{clusters:?}");
    }
}

/// Logs of two weeks, joined or one by one: both tell of the job that ran over midnight.
#[test]
fn joined_logs_are_one_log() {
    let first = "\
        1|ada|x|cpu|2026-03-01T12:00:00|2026-03-01T12:00:00|01:00:00|02:00:00|4|COMPLETED\n\
        2|ada|x|cpu|2026-03-01T23:00:00|2026-03-01T23:00:00|05:00:00|06:00:00|4|COMPLETED\n";
    let second = "\
        2|ada|x|cpu|2026-03-01T23:00:00|2026-03-01T23:00:00|05:00:00|06:00:00|4|COMPLETED\n\
        3|ada|x|cpu|2026-03-02T12:00:00|2026-03-02T12:00:00|01:00:00|02:00:00|4|COMPLETED\n";
    let joined = import(&format!("{first}{HEADER}{second}"), &Options::default()).unwrap();
    assert_eq!(joined.jobs.len(), 3);
    let ledger = joined.ledger.to_string();
    assert!(
        ledger.contains("header: 1 dropped: the header line again (first in line 4)"),
        "{ledger}"
    );
    assert!(
        ledger.contains(
            "repeated: 1 dropped: the line of a run that was read before (first in line 5)"
        ),
        "{ledger}"
    );
    let folder = tempfile::tempdir().unwrap();
    let logs = [("a.txt", first), ("b.txt", second)].map(|(name, lines)| -> Log {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{HEADER}{lines}")).unwrap();
        path.into()
    });
    let apart = read(&logs, &Options::default()).unwrap();
    assert_eq!(apart.jobs, joined.jobs);
    let ledger = apart.ledger.to_string();
    assert!(
        ledger.contains(
            "repeated: 1 dropped: the line of a run that was read before (first in line 5)"
        ),
        "{ledger}"
    );
}

#[test]
fn the_limit_of_a_partition_is_told_as_that() {
    let line =
        "1|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|Partition_Limit|1|FAILED\n";
    let imported = import(line, &Options::default()).unwrap();
    let ledger = imported.ledger.to_string();
    assert!(ledger.starts_with("1 line read, 1 job kept\n"), "{ledger}");
    assert!(ledger.contains("partition_limit: 1 given the run time as estimate"), "{ledger}");
    assert!(!ledger.contains("no_limit"), "{ledger}");
}

/// `sacct` prints what ran since `--starttime`, however long ago that was submitted.
#[test]
fn a_job_long_before_the_others_is_told() {
    let early = |first: &str, count: usize| {
        let line = |number: usize, submit: &str| {
            format!("{number}|a|x|p|{submit}|2026-03-02T23:00:00|00:01:00|00:10:00|1|COMPLETED\n")
        };
        let others =
            (1..count).map(|number| line(number, &format!("2026-03-02T12:{:02}:00", number % 60)));
        let log = line(0, first) + &others.collect::<String>();
        import(&log, &Options::default()).unwrap().early
    };
    let next = "2026-03-02T12:01:00".to_owned();
    let expected = Early { jobs: 1, seconds: 86_460, next };
    assert_eq!(early("2026-03-01T12:00:00", 20), Some(expected));
    assert_eq!(early("2026-03-02T11:59:00", 20), None);
    assert_eq!(early("2026-03-01T12:00:00", 9), None);
    assert_eq!(early("2026-03-01T12:00:00", 300).map(|early| early.jobs), Some(3));
}

#[test]
fn options_change_what_counts() {
    let completed = Options { states: States::Completed, ..Options::default() };
    assert_eq!(import(LOG, &completed).unwrap().jobs.len(), 4);
    let by_partition = Options { owner: Owner::Partition, ..Options::default() };
    let imported = import(LOG, &by_partition).unwrap();
    let names: Vec<&str> = imported.parties.iter().map(|party| party.name.as_str()).collect();
    assert_eq!(names, ["cpu", "gpu"]);
    for (over_limit, expected) in [(OverLimit::Raise, (630, 630)), (OverLimit::Keep, (630, 600))] {
        let imported = import(LOG, &Options { over_limit, ..Options::default() }).unwrap();
        let (_, runtime, estimate, ..) = rows(&imported)[5];
        assert_eq!((runtime, estimate), expected);
    }
}

#[test]
fn columns_stand_in_any_order_under_other_names_too() {
    let text = "State|AllocTRES|NNodes|TimelimitRaw|ElapsedRaw|Start|Submit|Cluster|JobIDRaw|\n\
                COMPLETED|cpu=8,gres/gpu=3,node=2|2|60|90|1772366500|1772366400|north|7|\n";
    for (unit, processors) in [(Unit::Nodes, 2), (Unit::Gpus, 3)] {
        let options = Options { owner: Owner::Cluster, unit, ..Options::default() };
        let imported = read_from(Path::new("LOG"), text.as_bytes(), &options).unwrap();
        assert_eq!(rows(&imported), [(0, 90, 3600, processors, "north")]);
    }
}

#[track_caller]
fn refused(text: &str, options: &Options, expected: &str) {
    let error = read_from(Path::new("LOG"), text.as_bytes(), options).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn what_is_no_log_is_refused_with_a_remedy() {
    let options = Options::default();
    refused("", &options, "LOG: the file is empty\nhelp: take a log with `TZ=UTC sacct");
    refused(
        "JobID        User\n------------ ---------\n",
        &options,
        "LOG: line 1: the columns are separated by blanks",
    );
    refused("1|ada|physics\n", &options, "LOG: line 1: the names of the columns are missing");
    refused(
        "JobID,User\n",
        &options,
        "LOG: line 1: another sign separates the columns; give it with `--delimiter ','`",
    );
    refused("JobID|Submit|Start\n", &options, "LOG: line 1: there is no column `Elapsed`");
    refused(HEADER, &options, "LOG: no job is left; there is nothing below");
    let gpus = Options { unit: Unit::Gpus, ..Options::default() };
    let base = "--parsable2 --starttime 2026-01-01 --format JobID,User,Account,Partition";
    let tail = "Submit,Start,End,Elapsed,Timelimit";
    let help =
        format!("help: take a log with `TZ=UTC sacct --allusers {base},{tail},AllocTRES,State`");
    refused(HEADER, &gpus, &format!("LOG: line 1: there is no column `AllocTRES`\n{help}"));
    let clusters = Options { owner: Owner::Cluster, ..Options::default() };
    let sacct = "TZ=UTC sacct --allusers --allclusters";
    let help = format!("help: take a log with `{sacct} {base},{tail},AllocCPUS,State,Cluster`");
    refused(HEADER, &clusters, &format!("LOG: line 1: there is no column `Cluster`\n{help}"));
}

#[test]
fn a_malformed_line_is_named_or_counted() {
    let good = "1|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|00:10:00|1|COMPLETED\n";
    for (bad, expected) in [
        (
            "2|a|x|p|yesterday|2026-03-01T12:00:00|00:01:00|00:10:00|1|COMPLETED",
            "Submit is `yesterday`; expected a time",
        ),
        (
            "2|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|soon|00:10:00|1|COMPLETED",
            "Elapsed is `soon`; expected a length",
        ),
        (
            "2|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|long|1|COMPLETED",
            "Timelimit is `long`; expected a length",
        ),
        (
            "2|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|00:10:00|-1|COMPLETED",
            "AllocCPUS is `-1`; expected a whole number",
        ),
        (
            "2|a|b|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|00:10:00|1|COMPLETED",
            "there are 11 values under 10 columns",
        ),
    ] {
        let lines = format!("{good}{bad}\n");
        let error = import(&lines, &Options::default()).unwrap_err();
        assert!(error.starts_with(&format!("LOG: line 3: {expected}")), "{error}");
        assert!(error.ends_with("help: `--malformed drop` leaves such lines out and counts them"));
        let drop = Options { malformed: Malformed::Drop, ..Options::default() };
        assert_eq!(import(&lines, &drop).unwrap().jobs.len(), 1);
        let error = import(&format!("{bad}\n"), &drop).unwrap_err();
        assert!(error.contains("no job is left; of 1 line, malformed: 1 dropped"), "{error}");
        assert!(error.contains(&format!("line 2: {expected}")), "{error}");
    }
}

/// A gzipped log gives the same jobs.
#[test]
fn a_log_may_be_compressed() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;
    let mut encoder = GzEncoder::new(tempfile::NamedTempFile::new().unwrap(), Compression::fast());
    encoder.write_all(format!("{HEADER}{LOG}").as_bytes()).unwrap();
    let file = encoder.finish().unwrap();
    let log = [file.path().to_owned().into()];
    let imported = read(&log, &Options::default()).unwrap();
    assert_eq!(rows(&imported), rows(&import(LOG, &Options::default()).unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let path = [folder.path().to_owned().into()];
    assert!(matches!(read(&path, &Options::default()), Err(SacctError::Open { .. })));
}

/// A name of another encoding is read with a sign for each byte that is none; in a column that is not
/// read it is nobody's business. Before, one such byte ended the import.
#[test]
fn bytes_that_are_no_text_stop_no_import() {
    let header = HEADER.replace("JobID|", "JobID|JobName|");
    let job = |name: &[u8], user: &[u8], state: &str| {
        let start = [b"1|", name, b"|", user, b"|physics|cpu|"].concat();
        let rest = "2026-03-01T12:00:00|2026-03-01T12:10:00|01:00:00|02:00:00|4|";
        [&start[..], rest.as_bytes(), state.as_bytes(), b"\n"].concat()
    };
    let read = |lines: &[u8]| {
        let log = [header.as_bytes(), lines].concat();
        read_from(Path::new("LOG"), &log[..], &Options::default()).unwrap()
    };
    let named = read(&job(b"M\xfcller", b"ada", "COMPLETED"));
    assert_eq!((named.jobs.len(), &named.users[..]), (1, &["ada".to_owned()][..]));
    assert!(!named.ledger.to_string().contains("not_text"));
    let user = read(&job(b"x", b"M\xfcller", "COMPLETED"));
    assert_eq!(user.users, ["M\u{fffd}ller"]);
    assert!(user.ledger.to_string().contains("not_text: 1 kept"), "{}", user.ledger);
    let state = read(&job(b"x", b"ada", "EXPLODED"));
    assert!(
        state.ledger.to_string().contains("unknown_state: 1 kept as ended"),
        "{}",
        state.ledger
    );
}

/// Large machines print `2K` for 2048 nodes. Before, the column was called by another name, and the
/// advice would have dropped the widest jobs.
#[test]
fn numbers_that_sacct_converts_are_read() {
    let options = Options { unit: Unit::Nodes, ..Options::default() };
    let header = HEADER.replace("AllocCPUS", "NNodes");
    let job = |nodes: &str| {
        format!(
            "1|ada|physics|cpu|2026-03-01T12:00:00|2026-03-01T12:10:00|01:00:00|02:00:00|{nodes}|\
             COMPLETED\n"
        )
    };
    let read = |nodes: &str| {
        let log = format!("{header}{}", job(nodes));
        read_from(Path::new("LOG"), log.as_bytes(), &options).map_err(|error| error.to_string())
    };
    assert_eq!(read("2K").unwrap().jobs[0].processors, 2048);
    assert!(!read("2K").unwrap().ledger.to_string().contains("rounded"));
    let rounded = read("1.95K").unwrap();
    assert_eq!(rounded.jobs[0].processors, 1996);
    assert!(rounded.ledger.to_string().contains("rounded: 1 kept"), "{}", rounded.ledger);
    let wrong = read("many").unwrap_err();
    assert!(wrong.contains("NNodes is `many`"), "{wrong}");
}

#[test]
fn logs_of_other_kinds_are_called_by_name() {
    let read = |log: &str| {
        let read = read_from(Path::new("LOG"), log.as_bytes(), &Options::default());
        read.err().map_or_else(String::new, |error| error.to_string())
    };
    for (log, expected) in [
        ("{\n \"jobs\": []}\n", "this is JSON"),
        ("03/01/2026 12:00:00;E;12.server;user=ada group=x\n", "an accounting log of PBS"),
        (&HEADER.replace("User", "STATE|User"), "the column `STATE` comes twice"),
    ] {
        let said = read(log);
        assert!(said.contains(expected), "{said}");
    }
    let endless = read_from(Path::new("LOG"), std::io::repeat(b'x'), &Options::default());
    assert!(endless.unwrap_err().to_string().contains("longer than 1 MB"));
}

/// Before, the error of a log with CR LF named the line before, and one with CR alone line 1.
#[test]
fn errors_name_the_line_whatever_ends_lines() {
    let good = "1|a|x|p|2026-03-01T12:00:00|2026-03-01T12:00:00|00:01:00|00:10:00|1|COMPLETED\n";
    let text = format!("{HEADER}{good}\n{}", good.replace("|1|", "|one|"));
    for end in ["\n", "\r\n", "\r"] {
        refused(&text.replace('\n', end), &Options::default(), "LOG: line 4: AllocCPUS is `one`");
    }
}

/// Writes a log of one line for each job: number, user, minute of submission.
fn log_of(folder: &Path, name: &str, jobs: &[(u32, &str, u32)]) -> PathBuf {
    let line = |&(id, user, minute): &(u32, &str, u32)| {
        let start = format!("2026-03-01T12:{minute:02}:00");
        format!("{id}|{user}|physics|cpu|{start}|{start}|01:00:00|02:00:00|4|COMPLETED\n")
    };
    let path = folder.join(name);
    std::fs::write(&path, HEADER.to_owned() + &jobs.iter().map(line).collect::<String>()).unwrap();
    path
}

/// Before, equal numbers of two centers were runs of one job that was requeued, and equal accounts one
/// organization.
#[test]
fn logs_of_several_centers_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let north = log_of(folder.path(), "north.txt", &[(7, "ada", 0), (7, "ada", 9), (8, "ada", 10)]);
    let south = log_of(folder.path(), "south.txt", &[(7, "bob", 9), (8, "ada", 10)]);
    let without = [north.clone().into(), south.clone().into()];
    let error = read(&without, &Options::default()).unwrap_err().to_string();
    let expected = "line 2: job 7 is another user's than in the log before";
    assert!(error.contains(expected) && error.contains("--center NAME="), "{error}");
    let centers = [("north", north), ("south", south)]
        .map(|(name, file)| Log { file, center: Some(name.to_owned()) });
    for (owner, expected) in
        [(Owner::Account, ["north/physics", "south/physics"]), (Owner::Cluster, ["north", "south"])]
    {
        let imported = read(&centers, &Options { owner, ..Options::default() }).unwrap();
        let names: Vec<&str> = imported.parties.iter().map(|party| &*party.name).collect();
        assert_eq!((names, imported.jobs.len()), (expected.to_vec(), 5));
        assert_eq!(imported.users, ["north/ada", "south/bob", "south/ada"]);
        let ledger = imported.ledger.to_string();
        assert!(ledger.contains("requeued: 1 kept"), "{ledger}");
        assert!(!ledger.contains("renumbered"), "{ledger}");
    }
    // In one log, the number was given twice.
    let one = log_of(folder.path(), "one.txt", &[(7, "ada", 0), (7, "bob", 1)]);
    let ledger = read(&[one.into()], &Options::default()).unwrap().ledger.to_string();
    assert!(ledger.contains("renumbered: 1 kept: the number of another user's job"), "{ledger}");
    assert!(!ledger.contains("requeued"), "{ledger}");
}

#[test]
fn a_log_without_a_header_is_read_by_the_names_that_are_given() {
    let said = read_from(Path::new("LOG"), LOG.as_bytes(), &Options::default()).unwrap_err();
    assert!(said.to_string().contains("`--columns JobID,User,...`"), "{said}");
    let columns = Some(HEADER.trim_end().replace('|', ", "));
    let options = Options { columns, ..Options::default() };
    let imported = read_from(Path::new("LOG"), LOG.as_bytes(), &options).unwrap();
    assert_eq!(rows(&imported), rows(&import(LOG, &Options::default()).unwrap()));
    assert_eq!(imported.ledger.read, 15);
    let with = import(LOG, &options).unwrap();
    assert_eq!((with.jobs, with.ledger.read), (imported.jobs, 16));
}

/// On 29 March 2026, clocks in Europe went from 02:00 to 03:00, on 25 October from 03:00 to 02:00.
#[test]
fn local_times_over_a_change_of_clocks_are_noted() {
    let read = |rows: [[&str; 4]; 2]| {
        let line = |[submit, start, end, elapsed]: [&str; 4]| {
            format!("1|a|x|p|{submit}|{start}|{end}|{elapsed}|05:00:00|1|COMPLETED\n")
        };
        let header = HEADER.replace("Start|", "Start|End|");
        let log = header + &rows.map(line).concat();
        read_from(Path::new("LOG"), log.as_bytes(), &Options::default()).unwrap().ledger
    };
    let before = ["2026-03-28T12:00:00", "2026-03-28T12:00:00", "2026-03-28T13:00:00", "01:00:00"];
    for over in [
        ["2026-03-29T00:30:00", "2026-03-29T01:00:00", "2026-03-29T04:00:00", "02:00:00"],
        ["2026-10-25T00:30:00", "2026-10-25T01:00:00", "2026-10-25T04:00:00", "04:00:00"],
    ] {
        let ledger = read([before, over]).to_string();
        assert!(ledger.contains("clocks: 1 kept: ends an hour from"), "{ledger}");
        assert!(ledger.contains("first in line 3"), "{ledger}");
    }
    let seconds = ["1772366400", "1772366400", "1772373600", "01:00:00"];
    let suspended =
        ["2026-03-28T12:00:00", "2026-03-28T12:00:00", "2026-03-28T13:20:00", "01:00:00"];
    let ledger = read([seconds, suspended]).to_string();
    assert!(!ledger.contains("clocks"), "{ledger}");
}

/// A log of 2026 in the local time of Europe: jobs of five hours, none submitted in the hour that came
/// twice. Before, waits over the changes of 29 March and 25 October were wrong by an hour.
#[test]
fn changes_of_clocks_are_mended() {
    let [spring, autumn] = [1_774_746_000, 1_792_890_000];
    let local = |utc: i64| utc + if (spring..autumn).contains(&utc) { 7200 } else { 3600 };
    let read = |jobs: [i64; 2], shown: &dyn Fn(i64) -> String| {
        let line = |number: i64| {
            let submit = spring + 1200 * number + 100;
            let start = submit + 600 * number.rem_euclid(40);
            let [submit, start, end] = [submit, start, start + 18_000].map(shown);
            format!("{number}|a|x|p|{submit}|{start}|{end}|05:00:00|06:00:00|1|COMPLETED\n")
        };
        let came_twice = |&number: &i64| (15_117..15_123).contains(&number);
        let lines: String =
            (jobs[0]..jobs[1]).filter(|number| !came_twice(number)).map(line).collect();
        let text = HEADER.replace("Start|", "Start|End|") + &lines;
        read_from(Path::new("LOG"), text.as_bytes(), &Options::default()).unwrap()
    };
    let by_clock = |utc: i64| written(local(utc));
    let mended = read([-5000, 20_000], &by_clock);
    let ledger = mended.ledger.to_string();
    assert!(mended.jobs == read([-5000, 20_000], &|utc| utc.to_string()).jobs, "{ledger}");
    let expected = "ran over a change of clocks, as their ends show (2026-03-29T02:00:00, \
                    2026-10-25T02:00:00): the starts of 15 120 jobs after it are told by the clock before";
    assert!(ledger.contains(expected), "{ledger}");
    // A log that one job alone runs over, and one in which another job speaks against it.
    let paused = read([-14, -13], &by_clock).ledger.to_string();
    assert!(paused.contains("clocks: 1 kept: ends an hour from"), "{paused}");
    let mixed = |utc: i64| written(if utc % 7 > 2 { local(utc) } else { utc + 3600 });
    let mixed = read([-200, 200], &mixed).ledger.to_string();
    assert!(mixed.contains("kept: ends an hour from"), "{mixed}");
}

/// Before, commas between the fields of the Grid Workloads Format were refused.
#[test]
fn fields_of_the_grid_workloads_format_are_parted_by_tabs_blanks_or_commas() {
    let names = "JobID SubmitTime WaitTime RunTime\n";
    let line =
        |number: u32| format!("{number} 1109236083 5 38.4 2 1.5 -1 2 900 -1 1 U1 G1 A Q P S S\n");
    let options = Options { form: Form::Gwf, ..Options::default() };
    for sign in ["\t", " ", ",", ", "] {
        let text = (names.to_owned() + &line(1) + "\n" + &line(2)).replace(' ', sign);
        let read = read_from(Path::new("T"), text.as_bytes(), &options).unwrap();
        assert_eq!(rows(&read), [(0, 38, 900, 2, "G1"); 2], "{sign}");
        assert_eq!(read.users, ["U1"]);
    }
}

/// Before, the partitions of a cluster were one machine, on which no job waited for its own.
#[test]
fn partitions_of_clusters_are_told_apart() {
    let header = HEADER.replace("State", "State|Cluster");
    let line = |partition: &str, cluster: &str, cpus: u32| {
        format!(
            "{cpus}|a|x|{partition}|2026-03-01T12:00:00|2026-03-01T12:00:00|01:00:00|02:00:00|{cpus}|\
             COMPLETED|{cluster}\n"
        )
    };
    let log =
        [header.clone(), line("cpu", "n", 4), line("gpu", "n", 2), line("cpu", "s", 1)].concat();
    let options = Options { owner: Owner::Cluster, ..Options::default() };
    let imported = read_from(Path::new("LOG"), log.as_bytes(), &options).unwrap();
    let partitions: Vec<_> =
        imported.partitions.iter().map(|(one, owner)| (&*one.name, *owner, one.peak)).collect();
    assert_eq!(partitions, [("n/cpu", 0, 4), ("n/gpu", 0, 2), ("s/cpu", 1, 1)]);
    let clusters: Vec<_> = imported.jobs.iter().map(|job| job.recorded.cluster()).collect();
    assert_eq!(clusters, [0, 1, 2].map(|cluster| Some(ClusterId(cluster))));
    assert_eq!(imported.tags.of(2), ["x", "gpu", "2"]);
    let single = [header, line("cpu", "n", 4), line("cpu", "s", 1)].concat();
    let imported = read_from(Path::new("LOG"), single.as_bytes(), &options).unwrap();
    assert_eq!((imported.partitions, imported.jobs[0].recorded.cluster()), (Vec::new(), None));
}

/// Before, 200 jobs that shared eight nodes became 200 nodes.
#[test]
fn shared_nodes_are_no_unit() {
    let options = Options { unit: Unit::Nodes, ..Options::default() };
    let read = |column: &str, rows: [&str; 2]| {
        let line = |node: &str| {
            format!("5|a|x|p|2026-03-01T12:00:00|{node}|01:00:00|02:00:00|1|COMPLETED\n")
        };
        let header = HEADER.replace("AllocCPUS", "AllocNodes").replace("Start|", column);
        let log = header + &rows.map(line).concat();
        read_from(Path::new("LOG"), log.as_bytes(), &options).map_err(|error| error.to_string())
    };
    let column = "Start|NodeList|";
    let error = read(column, ["2026-03-01T12:00:00|n1", "2026-03-01T12:30:00|n1"]).unwrap_err();
    assert!(error.contains("jobs 5 and 5 held the node `n1` at the same time"), "{error}");
    assert!(error.contains("leave `--processors nodes` out"), "{error}");
    for rows in [
        ["2026-03-01T12:00:00|n1", "2026-03-01T13:00:00|n1"],
        ["2026-03-01T12:00:00|n1", "2026-03-01T12:30:00|n2"],
    ] {
        let ledger = read(column, rows).unwrap().ledger.to_string();
        assert!(!ledger.contains("nodes"), "{ledger}");
    }
    let rows = ["2026-03-01T12:00:00", "2026-03-01T12:30:00"];
    let ledger = read("Start|", rows).unwrap().ledger.to_string();
    assert!(
        ledger.contains("nodes: 2 kept as whole nodes, though the log does not tell"),
        "{ledger}"
    );
}
