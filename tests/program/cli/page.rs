//! The page of a run, and `gridpact report`, which makes it anew.

use crate::cli::support::{A, Folder, NINE};

/// The part of a page between two texts.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = page.split_once(from).unwrap();
    rest.split_once(to).unwrap().0
}

#[test]
fn a_page_tells_what_the_summary_tells_and_is_made_anew_byte_by_byte() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    let said = folder.run("run s.toml --out r");
    assert_eq!(said.code, 0);
    let page = folder.read("r/report.html");
    let answer = between(&page, "<main>", "id=\"origin\"");
    let warnings = said.out.lines().filter_map(|line| line.strip_prefix("warning: "));
    for warning in warnings {
        assert!(answer.contains(warning), "{warning}");
    }
    assert!(page.contains("<td class=\"text\">a</td><td class=\"figure\">9</td>"), "{page}");
    // All nine jobs are drawn, in replication 0.
    assert!(page.contains("All 9 jobs that ran."), "{page}");
    let about = between(&page, "id=\"jobs-about\">", "</script>");
    let about: serde_json::Value = serde_json::from_str(about).unwrap();
    assert_eq!(
        (about["jobs"].as_u64(), about["clusters"][0]["processors"].as_u64()),
        (Some(9), Some(4))
    );
    std::fs::remove_file(folder.path("r/report.html")).unwrap();
    let said = folder.run("report r");
    assert_eq!((said.code, &*said.out, &*said.error), (0, "", "r/report.html\n"));
    assert_eq!(folder.read("r/report.html"), page);
    let few = folder.run("report r --jobs 4");
    assert_eq!(few.code, 0);
    assert!(folder.read("r/report.html").contains("The first 4 jobs in jobs.csv"));
    assert_eq!(folder.run("report r --jobs 0").code, 0);
    assert!(!folder.read("r/report.html").contains("id=\"gantt\""));
}

#[test]
fn folders_without_a_page_are_told() {
    let folder = Folder::new(&format!("output.page = false\n{A}{NINE}"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    for (command, words) in [
        (
            "report r",
            "r: these results keep no page\nhelp: they were written with `output.page = false`",
        ),
        ("report none", "none: there is no such folder"),
        ("run s.toml --open --out n", "--open: the scenario has `output.page = false`"),
        ("run s.toml --open --no-files", "--open needs a folder to put a page into"),
    ] {
        let said = folder.run(command);
        assert_eq!(said.code, 2, "{command}: {}", said.error);
        assert!(said.error.contains(words), "{command}: {}", said.error);
    }
    assert_eq!(folder.run("run s.toml -q --force --out r --set output.page=true").code, 0);
    std::fs::write(folder.path("r/report.json"), "{}").unwrap();
    let said = folder.run("report r");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("r/report.json: this is not what a run of this version writes"),
        "{}",
        said.error
    );
}
