use std::ops::Range;
use std::path::Path;

use super::*;
use kernel::state::State as _;
use kernel::time::Time;
use model::job::Job;
use records::jobs::{JobsCsv, Names};
use sim::observer::Observer as _;

fn title(state: &Path, rotate: Option<u64>, compress: bool) -> Title {
    let form = Form { rotate, compress };
    Title { state: state.to_owned(), single: "jobs.csv", replication: 3, form }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn header() -> Vec<u8> {
    b"line\n".to_vec()
}

/// Two forms with one page and two with several, in place and on a thread.
fn ways() -> impl Iterator<Item = (Option<u64>, bool, bool)> {
    let forms = [(None, false), (None, true), (Some(2), false), (Some(2), true)];
    let ways = |(rotate, compress)| [false, true].map(|thread| (rotate, compress, thread));
    forms.into_iter().flat_map(ways)
}

fn write(sheet: &mut Sheet, lines: &[&str]) -> io::Result<()> {
    let mut batch = Batch::default();
    for line in lines {
        batch.put_bytes(format!("{line}{}\n", "-".repeat(70_000)).as_bytes());
        sheet.take(&mut batch)?;
        batch.clear();
    }
    Ok(())
}

fn pages(sheet: Sheet) -> Vec<Whole> {
    match sheet.finish().unwrap().content {
        Content::Pages(pages, _) => pages,
        Content::Lines(lines) => panic!("{} bytes in no file", lines.len()),
    }
}

#[test]
fn a_sheet_of_one_block_has_no_file() {
    for (compress, thread) in [(false, false), (false, true), (true, false), (true, true)] {
        let folder = tempfile::tempdir().unwrap();
        let title = || title(folder.path(), None, compress);
        let mut sheet = Sheet::begin(title(), header(), thread).unwrap();
        sheet.write_all(b"one\n").unwrap();
        let mark = sheet.mark(true).unwrap();
        sheet.write_all(b"lost\n").unwrap();
        drop(sheet);
        // A file that an earlier run left is not read.
        for has_file in [false, true] {
            if has_file {
                fs::write(title().path(0), "other\n").unwrap();
            }
            let mut again = Sheet::reopen(title(), header(), &mark, thread).unwrap().unwrap();
            again.write_all(b"two\n").unwrap();
            let content = again.finish().unwrap().content;
            assert!(matches!(content, Content::Lines(lines) if lines == b"line\none\ntwo\n"));
            assert_eq!(names(folder.path()).len(), usize::from(has_file));
        }
        // One that outgrows its block replaces such a file.
        let mut again = Sheet::reopen(title(), header(), &mark, thread).unwrap().unwrap();
        write(&mut again, &["two", "three"]).unwrap();
        let length = pages(again)[0].length;
        assert_eq!(fs::metadata(title().path(0)).unwrap().len(), length);
    }
}

#[test]
fn a_sheet_goes_on_at_its_mark_and_refuses_what_is_not_the_same() {
    for (rotate, compress, thread) in ways() {
        let folder = tempfile::tempdir().unwrap();
        let title = || title(folder.path(), rotate, compress);
        let mut sheet = Sheet::begin(title(), header(), thread).unwrap();
        write(&mut sheet, &["one", "two", "three"]).unwrap();
        let mark = sheet.mark(true).unwrap();
        write(&mut sheet, &["lost", "lost", "lost"]).unwrap();
        drop(sheet);
        let reopen = || Sheet::reopen(title(), header(), &mark, thread).unwrap();
        let mut again = reopen().unwrap();
        write(&mut again, &["four"]).unwrap();
        let count = rotate.map_or(1, |_| 2);
        assert_eq!(pages(again).len(), count);
        assert_eq!(names(folder.path()).len(), count);

        let first = folder.path().join(&names(folder.path())[0]);
        let bytes = fs::read(&first).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 3] ^= 1;
        for other in [&flipped[..], &bytes[..bytes.len() / 3]] {
            fs::write(&first, other).unwrap();
            assert!(reopen().is_none());
        }
        // No data may follow a complete page; the open page is cut.
        fs::write(&first, [&bytes[..], b"more\n"].concat()).unwrap();
        assert_eq!(reopen().is_some(), rotate.is_none());
        fs::remove_file(&first).unwrap();
        assert!(reopen().is_none());
    }
}

/// A block whose lines take long to format.
#[derive(Debug)]
struct Slow(Batch);

impl Block for Slow {
    fn fresh(&self) -> Slow {
        Slow(Batch::default())
    }
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn is_full(&self) -> bool {
        true
    }
    fn lines<'a>(&'a self, _: &'a mut Batch) -> &'a Batch {
        std::thread::sleep(std::time::Duration::from_millis(5));
        &self.0
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

/// A block that makes a folder when it is formatted.
#[derive(Debug)]
struct Making(Batch, PathBuf);

impl Block for Making {
    fn fresh(&self) -> Making {
        Making(Batch::default(), self.1.clone())
    }
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn is_full(&self) -> bool {
        true
    }
    fn lines<'a>(&'a self, _: &'a mut Batch) -> &'a Batch {
        fs::create_dir(&self.1).unwrap();
        &self.0
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

#[test]
fn blocks_behind_an_error_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    fs::create_dir(&state).unwrap();
    let mut sheet = Sheet::begin(title(&state, Some(2), false), header(), true).unwrap();
    fs::remove_dir_all(&state).unwrap();
    let mut slow = Slow(Batch::default());
    // The third line begins a page, for which there is no folder.
    for line in ["one\n", "two\n", "three\n"] {
        slow.0.put_bytes(line.as_bytes());
    }
    sheet.take(&mut slow).unwrap();
    let mut late = Making(Batch::default(), state.clone());
    late.0.put_bytes(b"four\n");
    // It waits behind the slow block, unless the error is known already.
    let _ = sheet.take(&mut late);
    let _ = sheet.finish();
    assert!(!state.exists());
}

#[test]
fn all_blocks_are_in_the_file_when_a_sheet_ends_or_is_dropped() {
    for (thread, is_dropped) in [(false, false), (true, false), (true, true)] {
        let folder = tempfile::tempdir().unwrap();
        let title = title(folder.path(), None, false);
        let path = title.path(0);
        let mut sheet = Sheet::begin(title, header(), thread).unwrap();
        let mut block = Slow(Batch::default());
        for _ in 0..9 {
            block.0.put_bytes(&[b'-'; 70_000]);
            sheet.take(&mut block).unwrap();
            block.clear();
        }
        if is_dropped {
            drop(sheet);
        } else {
            assert_eq!(pages(sheet)[0].length, 630_005);
        }
        assert_eq!(fs::metadata(path).unwrap().len(), 630_005);
    }
}

#[test]
fn the_first_error_is_told_with_its_file_and_nothing_is_written_after_it() {
    let check = |mut sheet: Sheet| sheet.check().err();
    let mark = |mut sheet: Sheet| sheet.mark(true).err();
    let next = |mut sheet: Sheet| {
        let error = write(&mut sheet, &["four"]).err()?;
        Some(sheet.wrong(error))
    };
    let finish = |sheet: Sheet| sheet.finish().err();
    let looks: [&dyn Fn(Sheet) -> Option<FileError>; 4] = [&check, &mark, &next, &finish];
    for (thread, look) in looks.map(|look| (true, look)).into_iter().chain([(false, looks[0])]) {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        fs::create_dir(&state).unwrap();
        let title = title(&state, Some(2), false);
        let mut sheet = Sheet::begin(title, header(), thread).unwrap();
        // The third line begins a page, for which there is no folder.
        fs::remove_dir_all(&state).unwrap();
        let error = match write(&mut sheet, &["one", "two", "three"]) {
            Err(error) => Some(sheet.wrong(error)),
            Ok(()) => {
                // The folder comes too late.
                sheet.pen.here();
                fs::create_dir(&state).unwrap();
                let error = look(sheet);
                assert!(names(&state).is_empty());
                error
            }
        };
        let error = error.unwrap();
        assert_eq!(error.path, state.join("jobs-r0003-000002.csv.r3"));
        assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn a_mark_has_all_jobs_that_ended_before_it() {
    let rejected = |csv: &mut JobsCsv<Sheet>, numbers: Range<u64>| {
        for number in numbers {
            csv.rejected(&Job { number, ..Job::default() }, Time::ZERO);
        }
    };
    for (rotate, compress, thread) in ways() {
        let folder = tempfile::tempdir().unwrap();
        let title = || title(folder.path(), rotate.map(|two| 100 * two), compress);
        let csv = |sheet| {
            let name = || vec!["a".to_owned()];
            let (organizations, workloads) = (name(), name());
            let names = Names { organizations, clusters: Vec::new(), workloads, tags: Vec::new() };
            JobsCsv::new(sheet, names, 3, false)
        };
        let mut whole = csv(Sheet::begin(title(), header(), thread).unwrap());
        rejected(&mut whole, 0..1500);
        let whole = pages(finished(whole.lines).unwrap());
        for at in [0, 1, 255, 256, 257, 700, 1024, 1500] {
            let mut begun = csv(Sheet::begin(title(), header(), thread).unwrap());
            rejected(&mut begun, 0..at);
            let mark = begun.lines.mark(false).unwrap();
            let mut saved = Vec::new();
            begun.save(&mut saved);
            rejected(&mut begun, at..at + 600);
            drop(begun);
            let again = Sheet::reopen(title(), header(), &mark, thread).unwrap();
            let mut rest = csv(again.unwrap());
            rest.load(&mut saved.as_slice()).unwrap();
            rejected(&mut rest, at..1500);
            assert_eq!(pages(finished(rest.lines).unwrap()), whole);
        }
    }
}

#[test]
fn files_say_whose_lines_they_hold() {
    let state = Path::new("state");
    let shown = |title: Title| title.path(1).display().to_string();
    assert_eq!(shown(title(state, None, false)), "state/jobs.csv.r3");
    assert_eq!(shown(title(state, Some(9), true)), "state/jobs-r0003-000002.csv.gz.r3");
}
