//! An audit passes what a run wrote, and finds what somebody changed.

use crate::support::{A, Folder, NINE};

/// Two jobs one after the other, and the folder `r` with their run.
fn ran() -> Folder {
    let folder = Folder::new(&format!(
        "{A}[[job]]\norganization = \"a\"\nsubmit = 1\nruntime = 2\n\
         [[job]]\norganization = \"a\"\nsubmit = 1.5\nruntime = 3\nprocessors = 4\n"
    ));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    folder
}

/// Lets the second job start a unit later than it did.
fn edit_jobs(folder: &Folder) {
    let before = folder.read("r/jobs.csv");
    let after = before.replace("SUCCESSFULLY,3,3,6,1.5,4.5,", "SUCCESSFULLY,4,3,7,2.5,5.5,");
    assert_ne!(before, after);
    folder.write("r/jobs.csv", &after);
}

#[test]
fn a_run_passes_its_audit() {
    let said = ran().run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(said.out.ends_with("\nevery rule was kept\n"), "{}", said.out);
}

#[test]
fn an_organization_may_be_called_as_a_workload_is() {
    for text in [
        format!("{A}{NINE}[[job]]\norganization = \"jobs\"\nsubmit = 1\nruntime = 2\n"),
        format!("{A}{NINE}[workload]\njobs.file = \"grid.csv\"\n"),
    ] {
        let name = if text.contains("[[job]]") { "jobs" } else { "grid" };
        let folder = Folder::new(&text.replace("\"a\"", &format!("\"{name}\"")));
        folder.write("grid.csv", "organization,submit,runtime,processors\ngrid,1,2,1\n");
        assert_eq!(folder.run("run s.toml -q --out r").code, 0);
        let said = folder.run("audit r");
        assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
    }
}

#[test]
fn a_trace_may_repeat_a_number() {
    let folder = Folder::new(&format!("{A}workload.swf.file = \"twice.swf\"\n"));
    let line = "1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n";
    folder.write("twice.swf", &line.repeat(2));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let said = folder.run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
}

#[test]
fn a_changed_file_is_named() {
    let folder = ran();
    folder.write("r/summary.json", "{}\n");
    let said = folder.run("audit r -q");
    assert_eq!(said.code, 1);
    assert!(said.out.contains("summary.json is not the file that the run wrote"), "{}", said.out);
    assert!(said.out.ends_with("RULES WERE BROKEN\n"), "{}", said.out);
}

#[test]
fn a_changed_start_is_found_even_when_the_manifest_is_patched() {
    let folder = ran();
    let digest = |folder: &Folder| blake3::hash(folder.read("r/jobs.csv").as_bytes()).to_hex();
    let old = digest(&folder);
    edit_jobs(&folder);
    let said = folder.run("audit r");
    assert!(said.out.contains("jobs.csv is not the file that the run wrote"), "{}", said.out);
    assert_eq!(said.code, 1);
    let manifest = folder.read("r/manifest.json").replace(&*old, &digest(&folder));
    folder.write("r/manifest.json", &manifest);
    let said = folder.run("audit r");
    assert_eq!(said.code, 1);
    assert!(!said.out.contains("is not the file"), "{}", said.out);
    for rule in ["queue discipline     FAILED", "conservation of work FAILED"] {
        assert!(said.out.contains(rule), "{}", said.out);
    }
}

#[test]
fn what_is_no_result_is_refused() {
    let folder = ran();
    let refused = |words: &str, code: i32, phrase: &str| {
        let said = folder.run(words);
        assert!(said.error.contains(phrase), "{words}: {}", said.error);
        assert_eq!((said.code, &*said.out), (code, ""), "{words}");
    };
    refused("audit nosuch", 4, "the folder that `gridpact run` wrote");
    refused("audit s.toml", 4, "s.toml/manifest.json");
    let lines = folder.read("r/jobs.csv");
    for (from, to, phrase) in [
        ("SUCCESSFULLY,3,", "SUCCESSFULLY,x,", "line 3: starting_time is `x`"),
        ("SUCCESSFULLY,3,", "SUCCESSFULLY,1e5,", "line 3: starting_time is `1e5`"),
        ("SUCCESSFULLY,3,", "SUCCESSFULLY,-3,", "line 3: starting_time is `-3`"),
        (
            "SUCCESSFULLY,3,",
            "SUCCESSFULLY,9223372036854.775807,",
            "line 3: starting_time is `9223372036854.775807`",
        ),
        ("1.5,4,", "1.5,4294967300,", "line 3: requested_number_of_resources is `4294967300`"),
        (",a,a,", ",b,a,", "organization is `b`"),
        ("starting_time", "start", "there is no column `starting_time`"),
    ] {
        assert!(lines.contains(from));
        folder.write("r/jobs.csv", &lines.replace(from, to));
        refused("audit r", 2, phrase);
    }
    std::fs::remove_file(folder.path("r/jobs.csv")).unwrap();
    refused("audit r", 4, "r/jobs.csv: No such file");
    let manifest = folder.read("r/manifest.json");
    folder.write("r/manifest.json", &manifest[..manifest.len() / 2]);
    refused("audit r", 2, "not a manifest, or cut short");
    let without = Folder::new(&format!("output.jobs = false\n{}", folder.read("s.toml")));
    assert_eq!(without.run("run s.toml -q --out r").code, 0);
    let said = without.run("audit r");
    assert!(said.error.contains("set `output.jobs = true` and run again"), "{}", said.error);
    assert_eq!(said.code, 2);
}
