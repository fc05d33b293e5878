//! Tests each rule, and both ways to read the jobs.

mod owners;
mod source;

use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::input::Trace;
use super::kept::Room;
use super::survey::survey_holding;
use super::*;
use crate::Source;
use crate::owners::{Assignment, Owners};
use kernel::rng::Streams;
use kernel::state::{State, put};
use kernel::time::{LIMIT_TICKS, Span, TICKS_PER_UNIT, Time};
use model::ids::OrganizationId;
use model::job::Job;
use model::recorded::Recorded;

/// All jobs in memory, and all in a temporary file.
const MEMORY: Room = Room { memory: usize::MAX, file: false };
const FILE: Room = Room { memory: 0, file: true };

/// Writes a trace with these bytes.
fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn options(text: &str) -> Options {
    toml::from_str(text).unwrap()
}

fn source(survey: &Survey) -> SwfSource {
    SwfSource::new(survey, Assignment::one("all"), 0, OrganizationId(0))
}

fn jobs(source: &mut SwfSource) -> Vec<Job> {
    std::iter::from_fn(|| source.next().unwrap()).collect()
}

/// Returns the survey and the jobs; jobs in memory, in a temporary file and reread must be equal.
fn import(path: &std::path::Path, options: &Options) -> Result<(Survey, Vec<Job>), SwfError> {
    let held = survey(path, options)?;
    let found = jobs(&mut source(&held));
    let lazy = survey_holding(Trace::file(path), options, Room::NONE)?;
    assert_eq!(
        lazy.holds_jobs(),
        !lazy.sorted && options.unsorted == Unsorted::Sort || lazy.jobs == 0
    );
    assert_eq!(jobs(&mut source(&lazy)), found);
    let spooled = survey_holding(Trace::file(path), options, FILE)?;
    assert!(spooled.holds_jobs());
    assert_eq!(jobs(&mut source(&spooled)), found);
    let given_back = held.clone().without_jobs();
    assert_eq!(given_back.holds_jobs(), lazy.holds_jobs() && lazy.jobs > 0);
    assert_eq!(jobs(&mut source(&given_back)), found);
    assert_eq!((&lazy.digest, &lazy.ledger), (&held.digest, &held.ledger));
    let ledger = &held.ledger;
    assert_eq!((ledger.kept, ledger.read), (held.jobs, held.jobs + ledger.dropped()));
    assert_eq!(found.len() as u64, held.jobs);
    assert_eq!(found.first().map(|job| job.submit), held.first_submit);
    assert_eq!(found.last().map(|job| job.submit), held.last_submit);
    assert_eq!(found.iter().map(Job::area).sum::<i128>(), held.area);
    assert_eq!(held.users.values().map(|share| share.area).sum::<i128>(), held.area);
    assert_eq!(held.groups.values().map(|share| share.jobs).sum::<u64>(), held.jobs);
    assert!(found.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
    Ok((held, found))
}

/// Builds a trace from short lines with these columns: "number submit runtime allocated requested
/// estimate status user group queue partition".
fn trace(lines: &[&str]) -> Vec<u8> {
    let mut text = "; Version: 2.2\n; MaxProcs: 64\n".to_owned();
    for line in lines {
        let f: Vec<&str> = line.split_whitespace().collect();
        let [
            number,
            submit,
            runtime,
            allocated,
            requested,
            estimate,
            status,
            user,
            group,
            queue,
            partition,
        ] = f[..]
        else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        text.push_str(&format!(
            "{number} {submit} -1 {runtime} {allocated} -1 -1 {requested} {estimate} -1 {status} \
             {user} {group} -1 {queue} {partition} -1 -1\n"
        ));
    }
    text.into_bytes()
}

/// Compares kept jobs and ledger rows. The formats are "number@submit:runtime/estimate*processors"
/// and "rule count first_line".
#[track_caller]
fn check(lines: &[&str], text: &str, expected: &str, rows: &str) {
    let (_folder, path) = file(&trace(lines));
    let (survey, jobs) = import(&path, &options(text)).unwrap();
    let found: Vec<String> = jobs
        .iter()
        .map(|j| format!("{}@{}:{}/{}*{}", j.number, j.submit, j.runtime, j.estimate, j.processors))
        .collect();
    assert_eq!(found.join(" "), expected);
    let found: Vec<String> = survey
        .ledger
        .rows()
        .map(|row| format!("{} {} {}", row.rule, row.count, row.first_line))
        .collect();
    assert_eq!(found.join(", "), rows);
}

/// Compares the error, with FILE in place of the path.
#[track_caller]
fn check_error(bytes: &[u8], text: &str, expected: &str) {
    let (_folder, path) = file(bytes);
    let error = import(&path, &options(text)).unwrap_err().to_string();
    assert_eq!(error.replace(&path.display().to_string(), "FILE"), expected);
}

const GOOD: &str = "1 10 5 2 3 8 1 7 4 1 1";

#[test]
fn processors() {
    let lines =
        [GOOD, "2 10 5 0 3 8 1 7 4 1 1", "3 10 5 2 -1 8 1 7 4 1 1", "4 10 5 0 0 8 1 7 4 1 1"];
    check(
        &lines,
        "",
        "1@0:5/8*2 2@0:5/8*3 3@0:5/8*2",
        "processors 1 4, no_processors 1 6, shift_to_zero 3 3",
    );
    check(
        &lines,
        "processors = \"requested_then_allocated\"\nno_processors = \"one\"",
        "1@0:5/8*3 2@0:5/8*3 3@0:5/8*2 4@0:5/8*1",
        "processors 1 5, no_processors 1 6, shift_to_zero 4 3",
    );
    check(
        &lines,
        "processors = \"allocated\"",
        "1@0:5/8*2 3@0:5/8*2",
        "no_processors 2 4, shift_to_zero 2 3",
    );
    check(
        &lines,
        "processors = \"requested\"",
        "1@0:5/8*3 2@0:5/8*3",
        "no_processors 2 5, shift_to_zero 2 3",
    );
    check_error(
        &trace(&lines),
        "no_processors = \"error\"",
        "FILE: line 6: the job has no processors; no_processors = \"drop\" or \"one\" admits the trace",
    );
}

#[test]
fn runtimes_and_estimates() {
    let lines = [
        "1 0 0 1 1 8 1 7 4 1 1",
        "2 0 -1 1 1 8 1 7 4 1 1",
        "3 0 5 1 1 -1 1 7 4 1 1",
        "4 0 9 1 1 8 1 7 4 1 1",
    ];
    check(&lines, "", "3@0:5/5*1 4@0:8/8*1", "no_runtime 2 3, no_estimate 1 5, over_estimate 1 6");
    check(
        &lines,
        "no_runtime = \"zero\"\nover_estimate = \"raise\"",
        "1@0:0/8*1 3@0:5/5*1 4@0:9/9*1",
        "no_runtime 1 4, no_runtime 1 3, no_estimate 1 5, over_estimate 1 6",
    );
    check(
        &lines,
        "no_estimate = \"drop\"\nover_estimate = \"keep\"",
        "4@0:9/8*1",
        "no_runtime 2 3, no_estimate 1 5, over_estimate 1 6",
    );
    check(
        &lines,
        "over_estimate = \"drop\"",
        "3@0:5/5*1",
        "no_runtime 2 3, no_estimate 1 5, over_estimate 1 6",
    );
    let remedy = "FILE: line 3: the job did not run; no_runtime = \"drop\" leaves such jobs out";
    check_error(&trace(&lines), "no_runtime = \"error\"", remedy);
    let remedy =
        "FILE: line 5: the job has no estimate; no_estimate = \"runtime\" takes its run time";
    check_error(&trace(&lines), "no_estimate = \"error\"", remedy);
}

#[test]
fn submit_times_and_their_order() {
    let lines = [
        "1 20 1 1 1 1 1 7 4 1 1",
        "2 -1 1 1 1 1 1 7 4 1 1",
        "3 10.5 1 1 1 1 1 7 4 1 1",
        "4 30 1 1 1 1 1 7 4 1 1",
        "5 20 1 1 1 1 1 7 4 1 1",
    ];
    check(
        &lines,
        "",
        "3@0:1/1*1 1@9.5:1/1*1 5@9.5:1/1*1 4@19.5:1/1*1",
        "no_submit 1 4, unsorted 2 5, shift_to_zero 4 5",
    );
    check(
        &lines,
        "first = 2",
        "3@0:1/1*1 1@9.5:1/1*1",
        "no_submit 1 4, unsorted 2 5, first 2 6, shift_to_zero 2 5",
    );
    check(
        &lines,
        "unsorted = \"clamp\"\nfirst = 3",
        "1@0:1/1*1 3@0:1/1*1 4@10:1/1*1",
        "no_submit 1 4, unsorted 2 5, first 1 7, shift_to_zero 3 3",
    );
    check(
        &lines,
        "unsorted = \"drop\"\nshift_to_zero = false",
        "1@20:1/1*1 4@30:1/1*1",
        "no_submit 1 4, unsorted 2 5",
    );
    let remedy = "FILE: line 5: the job is submitted before one above it; unsorted = \"sort\" puts jobs in order";
    check_error(&trace(&lines), "unsorted = \"error\"", remedy);
    let remedy =
        "FILE: line 4: the job has no submit time; no_submit = \"drop\" leaves such jobs out";
    check_error(&trace(&lines), "no_submit = \"error\"", remedy);
}

#[test]
fn selection() {
    let lines = [
        "1 10 1 1 1 1 1 7 4 1 1",
        "2 20 1 1 1 1 0 8 4 2 1",
        "3 30 1 1 1 1 5 7 5 1 2",
        "4 40 1 1 1 1 1 -1 -1 -1 -1",
        "4 40 1 1 1 1 2 -1 -1 -1 -1",
        "4 -1 1 1 1 1 3 -1 -1 -1 -1",
    ];
    let all = "1@0:1/1*1 2@10:1/1*1 3@20:1/1*1 4@30:1/1*1";
    check(&lines, "", all, "partial 2 7, shift_to_zero 4 3");
    let parts = format!("{all} 4@30:1/1*1");
    check(&lines, "partial = \"keep\"", &parts, "number 1 7, no_submit 1 8, shift_to_zero 5 3");
    check(
        &lines,
        "status = \"completed\"",
        "1@0:1/1*1 4@30:1/1*1",
        "partial 2 7, status 2 4, shift_to_zero 2 3",
    );
    check(
        &lines,
        "from = 20\nuntil = 40",
        "2@0:1/1*1 3@10:1/1*1",
        "partial 2 7, from/until 2 3, shift_to_zero 2 4",
    );
    check(
        &lines,
        "users = [8, -1]",
        "2@0:1/1*1 4@20:1/1*1",
        "partial 2 7, users 2 3, shift_to_zero 2 4",
    );
    check(&lines, "groups = [5]", "3@0:1/1*1", "partial 2 7, groups 3 3, shift_to_zero 1 5");
    check(&lines, "queues = [-1]", "4@0:1/1*1", "partial 2 7, queues 3 3, shift_to_zero 1 6");
    check(
        &lines,
        "partitions = [2]",
        "3@0:1/1*1",
        "partial 2 7, partitions 3 3, shift_to_zero 1 5",
    );
    check(&lines, "first = 1", "1@0:1/1*1", "partial 2 7, first 3 4, shift_to_zero 1 3");
    check(&lines, "users = [99]", "", "partial 2 7, users 4 3");
}

#[test]
fn load_scaling() {
    let lines = ["1 10 5 5 1 8 1 7 4 1 1", "2 11 5 5 1 8 1 7 4 1 1", "3 20 1 1 1 1 1 7 4 1 1"];
    let ledger = "shift_to_zero 3 3, load 3 3";
    check(&lines, "load = { factor = 3.0 }", "1@0:5/8*5 2@0.333333:5/8*5 3@3.333333:1/1*1", ledger);
    check(
        &lines,
        "load = { factor = 1.5, by = \"runtimes\" }",
        "1@0:7.5/12*5 2@1:7.5/12*5 3@10:1.5/1.5*1",
        ledger,
    );
    check(
        &lines,
        "load = { factor = 0.3, by = \"processors\" }",
        "1@0:5/8*2 2@1:5/8*2 3@10:1/1*1",
        ledger,
    );
    check_error(
        &trace(&lines),
        "load = { factor = 1e-200 }",
        "FILE: line 4: load.factor = 1e-200 takes the job's submit time beyond what can be \
         simulated; choose a factor nearer to 1",
    );
}

#[test]
fn malformed_lines_and_files_that_are_no_traces() {
    let lines = [GOOD, "1 2 3", GOOD, "", "  ; a comment", "x y"];
    check(
        &lines,
        "malformed = \"drop\"",
        "1@0:5/8*2 1@0:5/8*2",
        "malformed 2 4, number 1 5, shift_to_zero 2 3",
    );
    check_error(
        &trace(&lines),
        "",
        "FILE: line 4: the line has 3 of 18 columns; to leave such lines out, set malformed = \"drop\"",
    );
    let expected = "expected lines of 18 numbers (plain or gzip), with comments after `;`";
    let said = format!(
        "FILE: line 2: this does not look like an SWF trace: the line has 1 of 18 columns; {expected}"
    );
    check_error(b"\nname,submit\n1,2\n", "", &said);
    check_error(b"\nname,submit\n1,2\n", "malformed = \"drop\"", &said);
    check_error(&b"\nname\n".repeat(50), "malformed = \"drop\"", &said);
    let long = [&b"7".repeat(1 << 20)[..], b"\n"].concat();
    check_error(
        &long,
        "",
        &format!(
            "FILE: line 1: this does not look like an SWF trace: the line is longer than 65536 bytes; each must end with LF; {expected}"
        ),
    );
    let (_folder, path) = file(b"");
    let (survey, jobs) = import(&path, &Options::default()).unwrap();
    assert_eq!(
        (survey.jobs, survey.first_submit, jobs.len()),
        (0, None, 0),
        "an empty file has no jobs"
    );
    let error =
        super::survey(std::path::Path::new("no such file"), &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("no such file: cannot be opened: "), "{error}");
    let (_folder, path) = file(b"\xef\xbb\xbf; MaxProcs: 5\r\n");
    assert_eq!(super::survey(&path, &Options::default()).unwrap().header.max_procs(), Some(5));
}

#[test]
fn the_digest_is_that_of_the_jobs_and_of_nothing_else() {
    let digest = |bytes: &[u8]| {
        let (_folder, path) = file(bytes);
        import(&path, &Options::default()).unwrap().0.digest
    };
    let plain = trace(&[GOOD, "2 12.5 5 2 3 8 1 7 4 1 1"]);
    let text = String::from_utf8(plain.clone()).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    let expected = digest(&plain);
    assert_eq!(digest(&gzip.finish().unwrap()), expected);
    assert_eq!(digest(text.replace(' ', " \t ").replace('\n', "\r\n\n").as_bytes()), expected);
    assert_eq!(digest(text.replace("12.5", "12.50000").as_bytes()), expected);
    for (from, to) in
        [("12.5", "12.6"), (" 7 ", " 6 "), (" 4 ", " 3 "), (" 5 ", " 6 "), ("\n2 ", "\n3 ")]
    {
        assert!(text.contains(from));
        assert_ne!(digest(text.replace(from, to).as_bytes()), expected, "{from} -> {to}");
    }
}

fn any_job() -> impl Strategy<Value = Job> {
    let time = || prop_oneof![0..LIMIT_TICKS, (0..100_000_i64).prop_map(|s| s * TICKS_PER_UNIT)];
    let numbers = (0..i64::MAX as u64, 1..=u32::MAX, any::<u32>());
    (numbers, time(), time(), 1..LIMIT_TICKS).prop_map(
        |((number, processors, user), submit, runtime, estimate)| Job {
            number,
            source: 0,
            submit: Time::from_ticks(submit),
            runtime: Span::from_ticks(runtime),
            estimate: Span::from_ticks(estimate),
            processors,
            user,
            organization: OrganizationId(0),
            ..Job::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_back(
        mut all in proptest::collection::vec(any_job(), 0..40),
        gzip in any::<bool>(),
    ) {
        all.sort_by_key(|job| job.submit);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(if gzip { "trace.swf.gz" } else { "trace.swf" });
        let header = Header::new()
            .with("MaxJobs", all.len())
            .with("MaxProcs", 64)
            .with("Note", "two\nlines");
        let mut writer = SwfWriter::create(&path, &header).unwrap();
        for (index, job) in all.iter().enumerate() {
            let start = (index % 2 == 0).then(|| job.submit + Span::from_ticks(index as i64));
            writer.write(job, start).unwrap();
        }
        writer.finish().unwrap();
        prop_assert_eq!(std::fs::read(&path).unwrap().starts_with(b"\x1f\x8b"), gzip);
        let (survey, mut found) = import(&path, &Options::verbatim()).unwrap();
        for (index, job) in found.iter_mut().enumerate() {
            // The start that was written is a recorded wait when it is read.
            prop_assert_eq!(job.recorded.wait().is_some(), index % 2 == 0);
            job.recorded = Recorded::default();
        }
        prop_assert_eq!(found, all);
        prop_assert_eq!(survey.header.get("Version"), Some("2.2"));
        prop_assert_eq!(survey.header.get("Note"), Some("two\nlines"));
        prop_assert_eq!(survey.header.max_procs(), Some(64));
    }

    /// A survey always ends with a result, whatever the bytes, and both ways agree.
    #[test]
    fn no_file_panics(
        lines in proptest::collection::vec(
            prop_oneof![
                "[ ;0-9a-z.-]{0,30}",
                proptest::collection::vec("-1|[0-9]{1,20}|[0-9]{1,3}\\.[0-9]{1,8}", 17..20)
                    .prop_map(|f| f.join(" ")),
                proptest::collection::vec("-1|[0-9]{1,4}", 18).prop_map(|f| f.join("\t")),
            ],
            0..30,
        ),
        noise in proptest::collection::vec(any::<u8>(), 0..20),
        rules in 0_usize..4,
    ) {
        let (_folder, path) = file(&[lines.join("\n").as_bytes(), &noise[..]].concat());
        let rules = [
            "malformed = \"drop\"",
            "malformed = \"drop\"\nunsorted = \"clamp\"\nno_runtime = \"zero\"\nfirst = 3",
            "malformed = \"drop\"\nunsorted = \"drop\"\npartial = \"keep\"\nload = { factor = 0.7 }",
            "",
        ][rules];
        let _ = import(&path, &options(rules));
    }
}

/// By the format, the parts of a job stand one below the other: to be continued (2), and the last
/// one completed (3) or failed (4).
#[test]
fn parts_without_a_whole_are_put_together() {
    let lines = [
        "1 0 5 2 2 9 2 7 4 1 1",
        "1 -1 3 2 2 9 2 7 4 1 1",
        "1 -1 1 2 2 9 3 7 4 1 1",
        // Whole, with its parts.
        "2 10 5 1 1 9 0 7 4 1 1",
        "2 10 2 1 1 9 2 7 4 1 1",
        "2 -1 3 1 1 9 4 7 4 1 1",
        // A last part alone; two jobs to be continued; one that goes on with other processors.
        "3 20 4 1 1 9 3 7 4 1 1",
        "4 21 4 1 1 9 2 7 4 1 1",
        "5 22 4 1 1 9 2 7 4 1 1",
        "5 -1 4 3 3 9 4 7 4 1 1",
    ];
    let rows = "partial 2 7, partial 2 4, partial 5 3, no_submit 1 12";
    check(&lines, "", "1@0:9/9*2 2@10:5/9*1 3@20:4/9*1 4@21:4/9*1 5@22:4/9*1", rows);
    let rows = "partial 2 7, partial 2 4, partial 5 3, status 4 6";
    check(&lines, "status = \"completed\"", "1@0:9/9*2 3@20:4/9*1", rows);
}

/// Lines that a rule drops are told with their work.
#[test]
fn the_ledger_tells_the_work_of_dropped_lines() {
    let lines = [
        "1 0 10 4 4 20 1 7 4 1 1",
        "2 1 20 2 2 20 0 7 4 1 1",
        "3 -1 30 1 1 40 1 7 4 1 1",
        "4 2 -1 1 1 40 1 7 4 1 1",
        "5 3 0 0 0 40 0 7 4 1 1",
        "6 4 50 0 0 40 1 7 4 1 1",
        "7 5 -1 1 1 40 1 7 4 1 1",
    ];
    let (_folder, path) = file(&trace(&lines));
    let (survey, _) = import(&path, &options("status = \"completed\"")).unwrap();
    let ledger = survey.ledger.to_string();
    assert_eq!(
        ledger,
        "7 lines read, 1 job kept\n  \
         status: 2 dropped: not completed (first in line 4; 40 processor-seconds, 36.4% of the work)\n  \
         no_submit: 1 dropped: no submit time (first in line 5; 30 processor-seconds, 27.3% of the work)\n  \
         no_processors: 1 dropped: no processors (first in line 8; work unknown)\n  \
         no_runtime: 2 dropped: did not run (first in line 6; work unknown)\n"
    );
    let (survey, _) = import(&path, &options("skip = 1\nno_runtime = \"zero\"")).unwrap();
    let ledger = survey.ledger.to_string();
    assert!(ledger.contains("skip: 1 not selected: among the first, which are skipped (first in line 3; 40 processor-seconds, 36.4% of the work)"), "{ledger}");
    let json = serde_json::to_value(&survey.ledger).unwrap();
    let lost =
        json["rows"].as_array().unwrap().iter().find(|row| row["rule"] == "skip").unwrap()["lost"]
            .clone();
    assert_eq!((&lost["work"], &lost["unknown"]), (&40.0.into(), &0.into()));
}

#[test]
fn columns_that_are_not_read_are_noted_and_joined_lines_are_refused() {
    let line =
        |number: u32, rest: &str| format!("{number} 0 1 5 2 -1 -1 3 8 -1 1 7 4 -1 1 1 {rest}");
    let (first, after, more) = (line(1, "-1 -1"), line(2, "1 600"), line(3, "-1 -1 0 17"));
    let all = [&*first, &after, &more];
    check(&all, "", "1@0:5/8*2 2@0:5/8*2 3@0:5/8*2", "preceding 1 4, columns 1 5");
    let joined = "several lines are joined in this one; each must end with LF or CR LF, so turn a CR \
                  alone into LF (`tr '\\r' '\\n'`)";
    for text in [all.join("\r"), format!("; MaxProcs: 8\r{}\r", all.join("\r"))] {
        let expected = format!(
            "FILE: line 1: this does not look like an SWF trace: {joined}; expected lines of 18 \
             numbers (plain or gzip), with comments after `;`"
        );
        check_error(text.as_bytes(), "", &expected);
    }
    let long = vec![first; 2000].join("\r");
    let (_folder, path) = file(long.as_bytes());
    let error = import(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("each must end with LF"), "{error}");
}
