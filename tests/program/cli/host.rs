//! The command line inside another program.

use std::ffi::OsString;
use std::sync::Arc;

use cli::host::{Host, Problem, call};

/// Exit code, standard output and problems of a command on a text.
fn called(words: &[&str], text: &str) -> (u8, String, Vec<Problem>) {
    let host = Arc::new(Host::new(vec![("<text>".to_owned(), text.as_bytes().to_vec())]));
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let code = call(&words, &host);
    let heard = std::mem::take(&mut *host.heard());
    (code, String::from_utf8(heard.out).unwrap(), heard.problems)
}

#[test]
fn a_host_hears_what_is_printed_and_what_is_wrong() {
    let (code, out, problems) = called(&["--version"], "");
    assert_eq!(
        (code, &*out, problems.len()),
        (0, concat!("gridpact ", env!("CARGO_PKG_VERSION"), "\n"), 0)
    );
    let (code, out, problems) = called(&["check", "<text>"], "name = \"x\"\n  organisation = 3\n");
    let [Problem { is_error: true, file, line, column, remedy, .. }, ..] = &problems[..] else {
        panic!("{problems:?}");
    };
    let place = (file.as_deref(), *line, *column);
    assert_eq!((code, out.is_empty(), place), (2, true, (Some("<text>"), Some(2), Some(3))));
    assert!(remedy.contains("organization"), "{remedy}");
}

#[test]
fn a_failure_and_a_wrong_argument_are_problems_with_remedies() {
    let (code, _, problems) = called(&["explain", "nowhere", "--job", "1"], "");
    assert_eq!((code, problems.len(), problems[0].remedy.contains("gridpact run")), (4, 1, true));
    let (code, _, problems) = called(&["run", "<text>", "--thread", "2"], "");
    let wrong = &problems[0];
    assert_eq!((code, &*wrong.message), (2, "unexpected argument '--thread' found"));
    assert!(wrong.remedy.contains("--threads") && !wrong.remedy.contains("Usage"), "{wrong:?}");
}
