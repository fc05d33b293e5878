//! An audit passes what a run wrote, and finds what somebody changed.

use crate::cli::support::{A, Folder, NINE};

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
    assert!(said.out.ends_with("\nall rules were kept\n"), "{}", said.out);
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
    assert!(said.out.ends_with("some rules were broken\n"), "{}", said.out);
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
    for rule in ["queue discipline     BROKEN", "conservation of work BROKEN"] {
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
    let told = "test\n\nthe run kept no jobs.csv, so that only its figures are compared with each other; \
                `output.jobs = true` keeps it\n";
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(said.out.replace("\n  ", " ").starts_with(told), "{}", said.out);
    assert!(said.out.ends_with("\nno figure contradicts another\n"), "{}", said.out);
}

/// Puts the digest of a file's content into the manifest, so that only its lines can tell.
fn sign(folder: &Folder, file: &str) {
    let mut manifest: serde_json::Value =
        serde_json::from_str(&folder.read("r/manifest.json")).unwrap();
    let digest = blake3::hash(folder.read(&format!("r/{file}")).as_bytes()).to_hex();
    manifest["files"][file] = digest.as_str().into();
    folder.write("r/manifest.json", &manifest.to_string());
}

#[test]
fn given_jobs_in_two_replications_pass() {
    let folder = Folder::new(&format!(
        "{A}[[job]]\norganization = \"a\"\nsubmit = 1\nruntime = 2\n\
         [[job]]\norganization = \"a\"\nsubmit = 1.5\nruntime = 3\nprocessors = 4\n\
         [run]\nreplications = 2\n"
    ));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let said = folder.run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
    // Drawn jobs of others differ, and with them how many given ones a run ends with.
    let folder = Folder::new(&format!(
        "{A}{NINE}[[organization]]\nname = \"b\"\n\
         cluster.space_shared = {{ processors = 4, scheduler.easy = {{}} }}\n\
         [[job]]\norganization = \"b\"\nsubmit = 1\nruntime = 2\n\
         [[job]]\norganization = \"b\"\nsubmit = 20\nruntime = 5\n\
         [run]\nreplications = 6\nuntil.jobs = 5\n"
    ));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let said = folder.run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
    // An interval that is left out although replications differ is still found.
    let folder = Folder::new(&format!("{A}{NINE}[run]\nreplications = 2\n"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let table = folder.read("r/organizations.csv");
    let (header, lines) = table.split_once('\n').unwrap();
    let low = header.split(',').position(|column| column == "flow_mean_low").unwrap();
    let mut fields: Vec<&str> = lines.split(',').collect();
    fields[low] = "";
    folder.write("r/organizations.csv", &format!("{header}\n{}", fields.join(",")));
    let said = folder.run("audit r");
    assert!(said.out.contains("flow_mean_low is empty, but"), "{}", said.out);
    assert_eq!(said.code, 1);
}

#[test]
fn numbers_of_the_manifest_come_back_to_the_last_bit() {
    let folder = Folder::new(
        "name = \"ulp\"\nrun.until.rounds = 3\n[coalition]\nperiod = 10.0\n\
         balancer.averaging = {}\n[output]\nrounds = true\n\
         [[organization]]\nname = \"a\"\ncount = 2\ncluster.time_shared = {}\n\
         learner.ratio.initial = 0.9473684210526315\n\
         workload.synthetic = { arrivals.poisson.rate = 1.0, size.exponential.mean = 0.8 }\n",
    );
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let said = folder.run("audit r");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
}

/// A hostile manifest is refused before any file that it names is opened.
#[test]
fn a_manifest_names_only_what_a_run_writes() {
    let folder = ran();
    let manifest = folder.read("r/manifest.json");
    for name in ["/dev/zero", "../s.toml", "state/run.json", "jobs.csv/../../s.toml", "\\u001b[2J"]
    {
        let hostile =
            manifest.replace("\"files\": {", &format!("\"files\": {{\"{name}\": \"00\","));
        assert_ne!(hostile, manifest);
        folder.write("r/manifest.json", &hostile);
        let said = folder.run("audit r");
        assert_eq!((said.code, &*said.out), (2, ""), "{name}");
        assert!(said.error.contains("which no run writes"), "{}", said.error);
        assert!(!said.error.contains('\u{1b}'), "{}", said.error);
    }
    folder.write("r/manifest.json", &manifest);
    #[cfg(unix)]
    for words in ["audit r", "explain r --job 1"] {
        std::fs::remove_file(folder.path("r/jobs.csv")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path("r/jobs.csv")).unwrap();
        let said = folder.run(words);
        assert_eq!(said.code, 4, "{words}");
        assert!(said.error.contains("jobs.csv: not a regular file"), "{}", said.error);
    }
}

#[test]
fn escapes_in_a_foreign_folder_do_not_reach_the_terminal() {
    let folder = ran();
    let manifest = folder.read("r/manifest.json");
    folder.write("r/manifest.json", &manifest.replace("\"test\"", "\"\\u001b[31mred\\u202e\""));
    let said = folder.run("audit r");
    assert!(said.out.starts_with("\\u001b[31mred\\u202e\n"), "{}", said.out);
    folder.write("r/manifest.json", &manifest);
    let jobs = folder.read("r/jobs.csv");
    folder.write("r/jobs.csv", &jobs.replace(",a,a,", ",a\u{1b}[31m,a,"));
    for words in ["audit r", "explain r --job 1", "explain r --at 1.7"] {
        let said = folder.run(words);
        assert!(!(said.out + &said.error).contains('\u{1b}'), "{words}");
    }
}

/// Every byte of every header of a packed file counts, also those that unpacking does not need.
#[test]
fn a_flipped_bit_of_a_gzip_header_is_found() {
    let folder = Folder::new(&format!("{A}{NINE}[output]\ncompress = true\n"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert_eq!(folder.run("audit r -q").code, 0);
    let packed = std::fs::read(folder.path("r/jobs.csv.gz")).unwrap();
    for byte in [3, 4, 7, 8, 9] {
        let mut changed = packed.clone();
        changed[byte] ^= 1;
        std::fs::write(folder.path("r/jobs.csv.gz"), changed).unwrap();
        let said = folder.run("audit r -q");
        assert!((said.out + &said.error).contains("not the file that the run wrote"), "{byte}");
        assert_ne!(said.code, 0);
    }
}

/// Every column of `jobs.csv` is checked: whoever overwrites one field of one line, and signs the
/// file again, is found.
#[test]
fn every_column_of_jobs_is_checked() {
    let jobs: String = [(1, 2, 1), (1, 3, 4), (2, 5, 4), (2, 1, 2), (2, 1, 2), (9, 1, 5)]
        .map(|(submit, runtime, processors)| {
            format!(
                "[[job]]\norganization = \"a\"\nsubmit = {submit}\nruntime = {runtime}\n\
                 estimate = 4\nprocessors = {processors}\n"
            )
        })
        .concat();
    let folder = Folder::new(&format!(
        "{}{jobs}[run]\nnever_runs = \"reject\"\n",
        A.replace("= 4,", "= 4, kill_at_estimate = true,")
    ));
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let clean = folder.read("r/jobs.csv");
    sign(&folder, "jobs.csv");
    let said = folder.run("audit r");
    assert_eq!(said.code, 0, "{}{}", said.out, said.error);
    let (header, lines) = clean.split_once('\n').unwrap();
    let lines: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    let columns: Vec<&str> = header.split(',').collect();
    assert_eq!(columns.len(), 25);
    for (at, column) in columns.into_iter().enumerate() {
        // One job that ran, and the one that was rejected.
        for row in [1, lines.iter().position(|line| line[7] == "REJECTED").unwrap()] {
            let old = lines[row][at];
            // Values that cannot be read are refused elsewhere.
            let values: &[&str] = match column {
                "workload_name" | "organization" | "cluster" if old.is_empty() => &["a"],
                "workload_name" | "organization" | "cluster" => continue,
                "profile" => &["moldable"],
                "final_state" => &["COMPLETED_WALLTIME_REACHED", "WAITING"],
                "allocated_resources" => &["0-1", "7"],
                "metadata" | "consumed_energy" => &["1"],
                "replication" => &["1"],
                _ => &["0", "1", "2.5", "77"],
            };
            for &value in values.iter().filter(|&&value| value != old) {
                let mut lines = lines.clone();
                lines[row][at] = value;
                let text: Vec<String> = lines.iter().map(|line| line.join(",")).collect();
                folder.write("r/jobs.csv", &format!("{header}\n{}\n", text.join("\n")));
                sign(&folder, "jobs.csv");
                let said = folder.run("audit r");
                assert_ne!(said.code, 0, "{column} of line {row}: {old} to {value}\n{}", said.out);
            }
        }
    }
}
