//! The archive's traces come in as its documentation says, and every line is read alike, long or
//! short. Traces that are neither in the project nor beside it are skipped.

use std::path::{Path, PathBuf};

use crate::common::{beside, trace_file};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::workload::Source;
use gridpact::workload::owners::{Assignment, Owners};
use gridpact::workload::swf::{
    Malformed, NoRuntime, Options, Routes, Survey, SwfSource, survey, survey_bytes,
};

/// A trace of the archive: one that the project holds, or one beside it.
fn trace(name: &str) -> Option<PathBuf> {
    Some(trace_file(name)).filter(|file| file.exists()).or_else(|| beside("traces", name))
}

fn count(survey: &Survey, rule: &str) -> u64 {
    survey.ledger.rows().filter(|row| row.rule == rule).map(|row| row.count).sum()
}

#[track_caller]
fn check(name: &str, read: u64, kept: u64, max_processors: u32) {
    let Some(file) = trace(name) else { return };
    let survey = survey(&file, &Options::default()).unwrap();
    assert_eq!((survey.ledger.read, survey.ledger.kept), (read, kept), "{}", survey.ledger);
    assert_eq!(count(&survey, "no_runtime") + count(&survey, "no_processors"), read - kept);
    assert!(survey.sorted);
    assert_eq!(survey.first_submit, Some(Time::ZERO));
    assert_eq!(survey.max_processors, max_processors);
    let mut source = SwfSource::new(&survey, Assignment::one("all"), 0, OrganizationId(0));
    let mut area = 0;
    while let Some(job) = source.next().unwrap() {
        area += job.area();
    }
    assert_eq!(area, survey.area);
}

#[test]
fn kth() {
    check("KTH-SP2-1996-2.1-cln.swf.gz", 27_992, 27_992, 100);
}

#[test]
fn ctc() {
    check("CTC-SP2-1996-3.1-cln.swf.gz", 77_222, 77_205, 336);
}

#[test]
fn sdsc_blue() {
    check("SDSC-BLUE-2000-4.2-cln.swf.gz", 243_306, 232_536, 1152);
}

#[test]
fn hpc2n() {
    check("HPC2N-2002-2.2-cln.swf.gz", 202_871, 202_871, 200);
}

#[test]
fn lublin() {
    check("lublin_256.swf.gz", 10_000, 10_000, 256);
}

#[test]
fn what_is_known_of_kth() {
    let Some(file) = trace("KTH-SP2-1996-2.1-cln.swf.gz") else { return };
    let survey = survey(&file, &Options::default()).unwrap();
    assert_eq!(survey.header.max_procs(), Some(100));
    assert_eq!(survey.header.unix_start_time(), Some(843_480_031));
    assert_eq!(survey.header.acknowledge(), Some("Lars Malinowsky"));
    assert_eq!(survey.shift, Span::units(599_850));
    assert_eq!(count(&survey, "over_estimate"), 0);
    let parts = Owners::Balanced { parts: 5 }.assign(&survey, "").unwrap();
    let mut areas = [0_i128; 5];
    for (&user, share) in &survey.users {
        areas[parts.of(user, 0) as usize] += share.area;
    }
    let (least, most) = (areas.iter().min().unwrap(), areas.iter().max().unwrap());
    assert!(most * 100 <= least * 101, "{areas:?}");
}

#[test]
fn jobs_that_outran_their_estimate_are_cut() {
    let Some(file) = trace("HPC2N-2002-2.2-cln.swf.gz") else { return };
    let survey = survey(&file, &Options::default()).unwrap();
    assert_eq!(count(&survey, "over_estimate"), 14_817);
    assert_eq!(survey.area, 15_687_555_346 * 1_000_000, "processor-seconds by another program");
}

/// Short lines have a reading of their own, which took any control character for a blank.
#[test]
fn a_control_character_parts_no_columns_however_long_the_line_is() {
    let options = Options { malformed: Malformed::Drop, ..Options::default() };
    let good = "1 0 0 10 2 -1 -1 2 20 -1 1 7 8 -1 1 -1 -1 -1\n";
    for control in (1..b' ').filter(|&byte| byte != b'\n').map(char::from) {
        for blanks in [0, 200] {
            let end = " ".repeat(blanks);
            let odd = format!("2 0 0{control}10 10 2 -1 -1 2 20 -1 1 7 8 -1 1 -1 -1{end}\n");
            let bytes = format!("{good}{odd}").into_bytes();
            let survey = survey_bytes(Path::new("odd.swf"), bytes, &options).unwrap();
            let is_blank = "\t\r\u{b}\u{c}".contains(control);
            assert_eq!(survey.jobs, 1 + u64::from(is_blank), "{control:?}, {blanks} blanks");
        }
    }
}

/// Users whose jobs all have length 0 bring no work, and yet no part may go without a user.
#[test]
fn users_without_work_are_dealt_to_all_parts() {
    let options = Options { no_runtime: NoRuntime::Zero, ..Options::default() };
    let line = |user: u32| format!("{user} 0 0 0 2 -1 -1 2 20 -1 1 {user} 8 -1 1 -1 -1 -1\n");
    let bytes = (1..=5).map(line).collect::<String>().into_bytes();
    let survey = survey_bytes(Path::new("idle.swf"), bytes, &options).unwrap();
    let parts = Owners::Balanced { parts: 4 }.assign(&survey, "").unwrap();
    let of: Vec<u32> = (1..=5).map(|user| parts.of(user, 0)).collect();
    assert_eq!(of, [0, 1, 2, 3, 0]);
}

#[test]
fn recorded_waits_and_partitions_come_with_the_jobs() {
    let line = |number: u32, wait: &str, partition: &str| {
        format!("{number} {number} {wait} 10 1 -1 -1 1 20 -1 1 1 1 -1 1 {partition} -1 -1\n")
    };
    let text =
        line(1, "12.5", "1") + &line(2, "-1", "2") + &line(3, "n/a", "-1") + &line(4, "0", "1");
    let name = Path::new("waits.swf");
    let survey = |text: &str| survey_bytes(name, text.as_bytes(), &Options::default()).unwrap();
    let first = survey(&text);
    assert_eq!(first.waits, 2);
    let jobs: Vec<(i32, u64)> =
        first.partitions.iter().map(|(&p, share)| (p, share.jobs)).collect();
    assert_eq!(jobs, [(-1, 1), (1, 2), (2, 1)]);
    let routes = Routes::new([(1, ClusterId(7)), (2, ClusterId(0))]);
    let taken = |survey: &Survey| {
        let source = SwfSource::new(survey, Assignment::one("all"), 0, OrganizationId(0));
        let mut source = source.routed(routes.clone());
        let mut all = Vec::new();
        while let Some(job) = source.next().unwrap() {
            all.push((job.recorded.wait(), job.recorded.cluster()));
        }
        all
    };
    let (a, b) = (Some(ClusterId(7)), Some(ClusterId(0)));
    let wait = Some(Span::from_units(12.5).unwrap());
    let expected = [(wait, a), (None, b), (None, None), (Some(Span::ZERO), a)];
    assert_eq!(taken(&first), expected);
    // Read again in the run: the same.
    let again = survey(&text).without_jobs();
    assert!(!again.holds_jobs());
    assert_eq!(taken(&again), expected);
    // The digest of the canonical workload is without them, and a second reading is compared.
    let other = survey(&text.replace("12.5", "13"));
    assert_eq!(other.digest, first.digest);
    assert_ne!(other.blocks(), first.blocks());
    let moved = survey(&text.replace(" 2 -1 -1\n", " 5 -1 -1\n"));
    assert_eq!(moved.digest, first.digest);
    assert_ne!(moved.blocks(), first.blocks());
}
