//! Lists that are read, and those that are refused.

use super::*;
use std::io::Write;

fn read(text: &str) -> Result<Vec<Job>, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let organizations = ["physics".to_owned(), "biology".to_owned()];
    let owner = Some(OrganizationId(1));
    let options = JobsOptions { source: 3, organizations: &organizations, owner };
    let name = file.path().display().to_string();
    let listed = read_jobs(file.path(), options);
    let listed = listed.map_err(|error| error.to_string().replace(&name, "FILE"));
    listed.map(|listed| listed.jobs)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(read(text).unwrap_err(), expected);
}

#[test]
fn rows_become_jobs() {
    let jobs = read(
        "# an instance\nid,organization,submit,runtime,processors,estimate,user\n\
             7, physics ,0.5,3,2,4.25,12\n,,0,0.000001,1,,\n",
    );
    let job = Job {
        number: 7,
        source: 3,
        submit: Time::from_ticks(500_000),
        runtime: Span::units(3),
        estimate: Span::from_ticks(4_250_000),
        processors: 2,
        user: 12,
        organization: OrganizationId(0),
        ..Job::default()
    };
    let second = Job {
        number: 2,
        submit: Time::ZERO,
        runtime: Span::TICK,
        estimate: Span::TICK,
        processors: 1,
        user: 0,
        organization: OrganizationId(1),
        ..job
    };
    assert_eq!(jobs.as_deref(), Ok(&[job, second][..]));
    assert_eq!(read("processors,runtime,submit\n"), Ok(Vec::new()));
}

/// The digest of a list without the column is that of earlier versions.
#[test]
fn a_wait_is_recorded_where_it_is_given() {
    let list = |column: &str, waits: [&str; 2]| {
        let [one, other] = waits;
        let rows = format!("submit,runtime,processors{column}\n0,1,1{one}\n2,1,1{other}\n");
        ListSource::new(read(&rows).unwrap())
    };
    let waits = |list: &ListSource| -> Vec<Option<Span>> {
        list.jobs().iter().map(|job| job.recorded.wait()).collect()
    };
    let without = list("", ["", ""]);
    let empty = list(",wait", [",", ","]);
    let zero = list(",wait", [",0", ","]);
    let both = list(",wait", [",0", ",2.5"]);
    assert_eq!(waits(&without), [None, None]);
    assert_eq!(waits(&zero), [Some(Span::ZERO), None]);
    assert_eq!(waits(&both), [Some(Span::ZERO), Some(Span::from_ticks(2_500_000))]);
    assert_eq!((without.has_waits(), zero.has_waits()), (false, true));
    assert_eq!(without.digest(), empty.digest());
    assert_ne!(without.digest(), zero.digest());
    assert_ne!(zero.digest(), both.digest());
    check(
        "submit,runtime,processors,wait\n0,1,1,-1\n",
        "FILE: line 2: wait is `-1`; expected a time of at least 0 units, such as 12 or 0.5",
    );
}

#[test]
fn rows_name_the_clusters_that_they_may_use() {
    let text = "submit,runtime,processors,uses,id\n0,1,1,m1,5\n0,1,1,,6\n0,1,1,\"m2, m 1\",7\n";
    let options = JobsOptions { source: 0, organizations: &[], owner: Some(OrganizationId(0)) };
    let listed = read_jobs_from(Path::new("x"), text.as_bytes(), options).unwrap();
    let named = |number, line, clusters: &[&str]| {
        let clusters = clusters.iter().map(|name| (*name).to_owned()).collect();
        Named { number, line, clusters }
    };
    assert_eq!(listed.uses, [named(5, 2, &["m1"]), named(7, 4, &["m2", "m 1"])]);
    assert_eq!(listed.jobs.len(), 3);
    assert_eq!(
        listed.uses[1].refuse(Path::new("x"), "other clusters").to_string(),
        "x: line 4: uses is `m2,m 1`; expected other clusters"
    );
}

#[test]
fn users_are_numbers_or_names() {
    let users = |column: &str| {
        let row = |user: &str| format!("0,1,1,{user}\n");
        let rows: String = column.split(' ').map(row).collect();
        let jobs = read(&format!("submit,runtime,processors,user\n{rows}"));
        jobs.map(|jobs| jobs.iter().map(|job| job.user).collect::<Vec<u32>>())
    };
    assert_eq!(users("7 0 4294967295 7 007"), Ok(vec![7, 0, u32::MAX, 7, 7]));
    // A blank is nobody, in either case.
    assert_eq!(users("7  3"), Ok(vec![7, 0, 3]));
    assert_eq!(users("u13 ada  u13 3dlab nan"), Ok(vec![1, 2, 0, 1, 3, 4]));
    // One name makes names of all, wherever it stands.
    assert_eq!(users("7 u13 7 007"), Ok(vec![1, 2, 1, 3]));
    for wrong in ["-1", "1.5", "4294967296"] {
        let expected = format!(
            "FILE: line 3: user is `{wrong}`; expected a name, or a whole number from 0 to \
                 4294967295"
        );
        assert_eq!(users(&format!("u13 {wrong}")), Err(expected));
        assert!(!is_user(wrong));
    }
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let columns = "the columns are submit, runtime, processors and, where wanted, id, \
                       organization, estimate, user, wait, uses, account, partition, label";
    check(
        "submit,runtime\n0,1\n",
        &format!("FILE: line 1: the column `processors` is missing; {columns}"),
    );
    check(
        "submit,runtime,cores\n",
        &format!("FILE: line 1: there is no column `cores`; {columns}"),
    );
    check(
        "submit,submit\n",
        &format!("FILE: line 1: the column `submit` is there twice; {columns}"),
    );
    let rows = |row: &str| format!("submit,runtime,processors,organization,id\n0,1,1,,8\n{row}\n");
    let time = "expected a time of at least 0 units, such as 12 or 0.5";
    check(&rows("-1,1,1,,"), &format!("FILE: line 3: submit is `-1`; {time}"));
    check(&rows("0,,1,,"), &format!("FILE: line 3: runtime is ``; {time}"));
    check(&rows("0,1e99,1,,"), &format!("FILE: line 3: runtime is `1e99`; {time}"));
    check(
        &rows("0,1,0,,"),
        "FILE: line 3: processors is `0`; expected a whole number from 1 to 4294967295",
    );
    check(
        &rows("0,1,1,law,"),
        "FILE: line 3: organization is `law`; expected an organization: physics, biology",
    );
    check(
        &rows("0,1,1,,8"),
        "FILE: line 3: id is `8`; expected an id that no other job has (rows without one count from 1)",
    );
    let short = "FILE: line 3: there are 2 values, but the header has 5 columns";
    check(&rows("0,1"), short);
    let semicolons = "FILE: line 1: there is no column `submit;runtime` (a comma separates \
                          columns); ";
    check("submit;runtime\n", &format!("{semicolons}{columns}"));
}

#[test]
fn errors_name_the_line_whatever_ends_lines() {
    let text = "submit,runtime,processors\n0,1,1\n\n0,1,x\n";
    for end in ["\n", "\r\n", "\r"] {
        let expected =
            "FILE: line 4: processors is `x`; expected a whole number from 1 to 4294967295";
        check(&text.replace('\n', end), expected);
        let short = "FILE: line 4: there are 2 values, but the header has 3 columns";
        check(&text.replace(",x", "").replace('\n', end), short);
    }
}

#[test]
fn a_packed_list_is_read_whatever_it_is_called() {
    use flate2::{Compression, write::GzEncoder};
    let text = "submit,runtime,processors\n5,1,1\n0,2,1\n";
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let options = JobsOptions { source: 0, organizations: &[], owner: Some(OrganizationId(0)) };
    let read = |bytes: &[u8]| read_jobs_from(Path::new("list"), bytes, options);
    assert_eq!(read(&packed).unwrap().jobs, read(text.as_bytes()).unwrap().jobs);
    let cut = read(&packed[..packed.len() - 4]).unwrap_err().to_string();
    assert!(cut.starts_with("list: cannot be read: "), "{cut}");
}

#[test]
fn a_list_is_handed_out_in_order_and_resumes() {
    let jobs = read("submit,runtime,processors\n5,1,1\n0,2,1\n5,3,1\n0,4,1\n").unwrap();
    let mut source = ListSource::new(jobs);
    let numbers: Vec<u64> = source.jobs().iter().map(|job| job.number).collect();
    assert_eq!(numbers, [2, 4, 1, 3]);
    source.next().unwrap();
    let mut saved = Vec::new();
    source.save(&mut saved);
    let mut other = ListSource::new(source.jobs().to_vec());
    other.load(&mut saved.as_slice()).unwrap();
    for _ in 0..5 {
        assert_eq!(other.next(), source.next());
    }
    source.restart(&Streams::new(1)).unwrap();
    assert_eq!(source.next().unwrap().map(|job| job.number), Some(2));
    saved.clear();
    put(&5_u64, &mut saved);
    assert!(other.load(&mut saved.as_slice()).is_err());
}

/// Before, a list was taken as a whole and as it is.
#[test]
fn a_part_of_a_list_and_another_load() {
    let text = "submit,runtime,processors,wait\n5,1,2,7\n10,2,2,\n20,4,1,0\n30,8,1,0\n";
    let options = JobsOptions { source: 0, organizations: &[], owner: Some(OrganizationId(0)) };
    let read = || read_jobs_from(Path::new("LIST"), text.as_bytes(), options).unwrap();
    let apply = |rules: &str| {
        let rules: ListOptions = toml::from_str(rules).unwrap();
        rules.check().unwrap();
        let mut listed = read();
        let (ledger, shift) = rules.apply(Path::new("LIST"), &mut listed).unwrap();
        let jobs: Vec<String> = listed
            .jobs
            .iter()
            .map(|job| format!("{}@{}:{}", job.number, job.submit, job.runtime))
            .collect();
        let waits = listed.jobs.iter().filter(|job| job.recorded.wait().is_some()).count();
        (jobs.join(" "), ledger.to_string(), shift, waits)
    };
    let (jobs, ledger, shift, waits) =
        apply("from = 10.0\nuntil = 30\nshift_to_zero = true\nload = { factor = 2.0 }");
    assert_eq!((&*jobs, shift, waits), ("2@0:2 3@5:4", Span::units(10), 0));
    assert_eq!(
        ledger,
        "4 lines read, 2 jobs kept\n  from/until: 2 not selected: outside the time window (first in \
         line 2; 10 processor-seconds, 55.6% of the work)\n  shift_to_zero: 2 submitted 10 units \
         earlier than in the list (first in line 3)\n  load: 2 with submit times divided by 2 (first \
         in line 3)\n  load: 1 kept without its recorded wait, which is that of another load (first \
         in line 4)\n"
    );
    let (jobs, ledger, _, waits) =
        apply("until = 10.0\nload = { factor = 1.5, by = \"runtimes\" }");
    assert_eq!((&*jobs, waits), ("1@5:1.5", 0));
    assert!(ledger.contains("first in line 3; 16 processor-seconds"), "{ledger}");
    assert_eq!(apply("from = 99.0").0, "");
    let wrong: ListOptions = toml::from_str("from = 5\nuntil = 5").unwrap();
    assert!(wrong.check().unwrap_err().to_string().contains("the window is empty"));
    let huge: ListOptions = toml::from_str("load = { factor = 1e13, by = \"runtimes\" }").unwrap();
    let error = huge.apply(Path::new("LIST"), &mut read()).unwrap_err().to_string();
    assert_eq!(error, "LIST: line 2: with `load`, the run time is out of range");
}
