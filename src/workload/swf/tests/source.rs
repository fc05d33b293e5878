//! Sources of jobs: saved and resumed, forked, and over files that change meanwhile.

use super::*;

#[test]
fn a_source_resumes_forks_and_restarts_alike_both_ways() {
    let lines: Vec<String> =
        (1..=200).map(|n| format!("{n} {} 5 1 1 5 1 {} 4 1 1", n * 3, n % 7)).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (_folder, path) = file(&trace(&lines));
    for room in [Room::NONE, MEMORY, FILE] {
        let survey =
            survey_holding(Trace::file(&path), &options("load = { factor = 1.1 }"), room).unwrap();
        let all = jobs(&mut source(&survey));
        let mut half = source(&survey);
        for job in &all[..77] {
            assert_eq!(half.next().unwrap().as_ref(), Some(job));
        }
        let mut saved = Vec::new();
        half.save(&mut saved);
        let mut rebuilt = source(&survey);
        rebuilt.load(&mut saved.as_slice()).unwrap();
        assert_eq!(jobs(&mut half.clone()), all[77..]);
        assert_eq!(jobs(&mut rebuilt), all[77..]);
        assert_eq!(jobs(&mut half), all[77..]);
        assert_eq!(half.next(), Ok(None));
        half.restart(&Streams::new(1)).unwrap();
        assert_eq!(jobs(&mut half), all);
        let mut beyond = Vec::new();
        put(&201_u64, &mut beyond);
        assert!(half.load(&mut beyond.as_slice()).is_err());
    }
}

#[test]
fn a_file_that_changes_during_a_run_is_noticed() {
    let (_folder, path) = file(&trace(&[GOOD, GOOD, GOOD]));
    let survey = survey_holding(Trace::file(&path), &Options::default(), Room::NONE).unwrap();
    std::fs::write(&path, trace(&[GOOD])).unwrap();
    let error = source(&survey).next().unwrap_err().to_string();
    assert!(error.contains("its survey found 3 jobs, now 1"), "{error}");
}

/// Builds a trace with number, submit and runtime, long enough to be read in several blocks.
fn long_trace(changed: Option<u64>) -> Vec<u8> {
    let line = |job: u64| {
        let runtime = if Some(job) == changed { 9 } else { 1 + job % 7 };
        format!("{job} {job} {runtime} 1 1 9 1 1 1 1 1")
    };
    let lines: Vec<String> = (1..=3000).map(line).collect();
    trace(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

/// No job of another trace enters a run, wherever it differs and wherever the run resumes.
#[test]
fn a_file_that_is_replaced_by_another_of_the_same_length_is_noticed() {
    let (_folder, path) = file(&long_trace(None));
    let survey = survey_holding(Trace::file(&path), &Options::default(), Room::NONE).unwrap();
    let whole = jobs(&mut source(&survey));
    for (changed, good) in [(1, 0), (1024, 0), (1025, 1024), (2049, 2048), (3000, 2048)] {
        std::fs::write(&path, long_trace(Some(changed))).unwrap();
        let mut read = source(&survey);
        for job in &whole[..good] {
            assert_eq!(read.next().unwrap().as_ref(), Some(job));
        }
        let error = read.next().unwrap_err().to_string();
        assert!(error.contains("are not those that its survey found"), "{changed}: {error}");
        assert!(read.next().is_err() && read.next().is_err(), "{changed}");
        // A source that resumes in the middle of a block.
        let mut resumed = source(&survey);
        let mut saved = Vec::new();
        put(&(good as u64 + 17), &mut saved);
        resumed.load(&mut saved.as_slice()).unwrap();
        assert!(resumed.next().is_err(), "{changed}");
    }
    std::fs::write(&path, long_trace(None)).unwrap();
    assert_eq!(jobs(&mut source(&survey)), whole);
    let mut forked = source(&survey);
    for _ in 0..1500 {
        forked.next().unwrap();
    }
    assert_eq!(jobs(&mut forked.clone()), whole[1500..]);
}
