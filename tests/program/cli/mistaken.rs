//! Files of other kinds and other packings, given where a scenario, a trace or a list is expected.

use std::fs;

use crate::cli::support::{A, Folder};

/// Whatever else is given in its place is called by its name, and the error says what to do with it.
#[test]
fn other_files_are_no_scenarios() {
    let job = "1 0 5 10 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n";
    for (text, looks, help) in [
        (job, "a trace", "`gridpact new trace FILE` writes"),
        ("submit,runtime,processors\n0,1,4\n", "a list of jobs", "`workload.jobs.file = "),
        ("job_id,submission_time,starting_time\n", "the jobs of a run", "takes the scenario"),
        ("organization,jobs\na,3\n", "a CSV file", "takes the scenario"),
        ("{ \"name\": \"x\" }\n", "a JSON file", "takes the scenario"),
        (
            "JobID|User|Account\n",
            "a log of Slurm's sacct",
            "`gridpact workload import --from sacct FILE`",
        ),
    ] {
        let folder = Folder::new(text);
        for words in ["run s.toml --no-files", "check s.toml"] {
            let said = folder.run(words);
            let first = format!("error: `s.toml` is not a scenario: it looks like {looks}\n");
            assert!(said.error.starts_with(&first), "{words}: {}", said.error);
            assert!(said.error.contains(help), "{words}: {}", said.error);
            assert_eq!(said.code, 2);
        }
        let game = folder.run("game s.toml --no-files");
        assert!(
            game.error.starts_with("error: `s.toml` is not a game: it looks"),
            "{}",
            game.error
        );
    }
}

/// A trace, a list and a scenario in a packing that is not read: the command that unpacks it.
#[test]
fn other_packings_are_told_with_their_command() {
    let folder = Folder::new(&format!("{A}workload.swf.file = \"trace.swf.xz\"\n"));
    folder.write("jobs.toml", &format!("{A}workload.jobs.file = \"jobs.csv.bz2\"\n"));
    for (name, first, command) in [
        ("trace.swf.xz", &b"\xfd7zXZ\0\0\x04"[..], "xz -dk"),
        ("jobs.csv.bz2", b"BZh91AY&SY\xff", "bzip2 -dk"),
        ("trace.swf.zst", b"\x28\xb5\x2f\xfd\x04", "zstd -d"),
    ] {
        fs::write(folder.path(name), first).unwrap();
        let command = format!("`{command} {name}`");
        let given = [
            format!("run {name}"),
            format!("new trace {name}"),
            format!("workload import --from sacct {name}"),
        ];
        for words in given {
            let said = folder.run(&words);
            assert!(said.error.contains(&command), "{words}: {}", said.error);
            assert_eq!(said.code, 2, "{words}: {}", said.error);
        }
    }
    for (scenario, command) in [("s.toml", "xz -dk"), ("jobs.toml", "bzip2 -dk")] {
        let said = folder.run(&format!("check {scenario}"));
        assert!(said.error.contains(command) && !said.error.contains("Archive"), "{}", said.error);
        assert_eq!(said.code, 2, "{}", said.error);
    }
}
