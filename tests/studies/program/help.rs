//! Help pages of the program, and how `gridpact` starts it.

use std::path::PathBuf;
use std::process::Command;

use crate::program::support::{Folder, check_help};

const PAGES: [&str; 6] =
    ["adversary", "reproduce", "study", "study contest", "study federation", "study fingerprints"];

/// The program `gridpact` beside the tested one, if it is built.
pub(super) fn gridpact() -> Option<PathBuf> {
    let program = crate::tested().with_file_name("gridpact");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    if !program.is_file() {
        eprintln!("skipped: `gridpact` is not built; `cargo build --release` builds it");
        return None;
    }
    Some(program)
}

#[test]
fn help_is_short_or_long_as_asked() {
    let folder = Folder::new("");
    for page in PAGES {
        check_help(&folder, page);
        let short = folder.run(&format!("{page} -h")).out;
        assert!(short.contains(&format!("Usage: gridpact {page} ")), "{page}: {short}");
    }
}

/// `gridpact` gives its arguments on, and ends as the other program does; examples of help pages run.
#[cfg(unix)]
#[test]
fn gridpact_starts_it() {
    let Some(gridpact) = gridpact() else { return };
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", gridpact.parent().unwrap().display());
    let mut count = 0;
    for page in PAGES {
        let folder = Folder::new("");
        let help = folder.run(&format!("{page} --help")).out;
        let examples: Vec<&str> =
            help.lines().filter(|line| line.starts_with("  gridpact ")).collect();
        count += examples.len();
        let ran = Command::new("sh")
            .args(["-e", "-c", &examples.join("\n")])
            .current_dir(folder.path("."))
            .env("PATH", &path)
            .env_remove("GRIDPACT_LOG")
            .env_remove("COLUMNS")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{page}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    assert!(count >= 12, "{count}");
    for (words, code, out) in [
        (&["new", "worst-case"][..], 0, "Families of bad cases"),
        (
            &["-v", "new", "worst-case", "--family", "gcs3", "--k", "3"],
            0,
            "name = \"gcs3 (k 3, n 1000)\"",
        ),
        (&["new", "worst-case", "--family", "gcs4"], 2, ""),
        (&["reproduce", "slefish-lb"], 2, ""),
        (&["reproduce", "--format", "csv"], 0, "paper,title"),
    ] {
        let ran = Command::new(&gridpact).args(words).output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{words:?}");
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(text.to_lowercase().contains(&out.to_lowercase()), "{words:?}: {text}");
    }
}

#[test]
fn families_of_bad_cases_are_listed_and_written() {
    let folder = Folder::new("");
    let said = folder.run("worst-case");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(said.out.contains("gridpact new worst-case --family gcs3 --k 8"), "{}", said.out);
    let said = folder.run("worst-case --family gcs3 --k 3");
    assert!(said.out.contains("grid_scheduler.grid_submission = {"), "{}", said.out);
    let said = folder.run("worst-case --family gcs4");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("did you mean `gcs3`?"), "{}", said.error);
}
