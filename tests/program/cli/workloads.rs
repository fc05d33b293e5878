//! `gridpact workload`: what a scenario brings, shown and exported, and what cannot be.

use std::fs;

use serde_json::Value;

use crate::cli::support::{A, Folder, NINE, check};

/// Two organizations and one stream of 300 jobs, owners drawn.
fn shared() -> String {
    format!(
        "{A}[[organization]]\nname = \"b\"\nuses = [\"a\"]\n[workload.shared]\n\
         source.synthetic = {{ arrivals.poisson.rate = 2, size.exponential.mean = 0.5, \
         processors.constant = 2, jobs = 300 }}\nowners.zipf = {{ exponent = 1 }}\n"
    )
}

#[test]
fn a_workload_is_shown_in_every_format() {
    let folder = Folder::new(&shared());
    let said = folder.run("workload show s.toml --format json");
    assert_eq!((said.code, &*said.error), (0, ""));
    let all: Value = serde_json::from_str(&said.out).unwrap();
    let names = ["workload", "organizations", "quantiles", "histograms", "hours", "days"];
    assert_eq!(all["workload"][0]["jobs"], 300);
    assert_eq!(all["workload"][0]["more_would_come"], false);
    let jobs: Vec<u64> = (all["organizations"].as_array().unwrap().iter())
        .map(|row| row["jobs"].as_u64().unwrap())
        .collect();
    assert_eq!(jobs[0] + jobs[1], 300);
    assert_eq!(jobs[2], 300);
    // A share of 2/3 and 300 draws: four standard errors are 33.
    assert!(jobs[0].abs_diff(200) < 33, "{jobs:?}");
    for name in names {
        let one = folder.run(&format!("workload show s.toml --table {name} --format json"));
        assert_eq!(serde_json::from_str::<Value>(&one.out).unwrap(), all[name]);
        let markdown = folder.run("workload show s.toml --format markdown").out;
        assert!(markdown.contains(&format!("## {name}\n\n| ")), "{name}");
    }
    let csv = folder.run("workload show s.toml --format csv").out;
    assert!(csv.starts_with("organization,jobs,share_of_jobs,area,"), "{csv}");
    let text = folder.run("workload show s.toml").out;
    assert!(text.starts_with("test  (seed 1, replication 0)\n300 jobs of 2 organ"), "{text}");
    for part in ["\nruntime\n", "\ninterarrival\n", " whole grid ", "offered load: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other = folder.run("workload show s.toml --replication 1 --seed 2").out;
    assert!(other.starts_with("test  (seed 2, replication 1)\n300 jobs"), "{other}");
    let quiet = folder.run("workload show s.toml -q");
    assert_eq!((quiet.code, &*quiet.out, &*quiet.error), (0, "", ""));
    let from_input = folder.run_with("workload show - --format json", &shared());
    assert_eq!(serde_json::from_str::<Value>(&from_input.out).unwrap(), all);
}

#[test]
fn an_endless_stream_is_cut_and_the_end_of_a_run_is_an_end() {
    let endless = shared().replace(", jobs = 300", "");
    let folder = Folder::new(&format!("run.until.jobs = 5000000\n{endless}"));
    let said = folder.run("workload show s.toml --jobs 50");
    assert!(said.out.contains("50 jobs of 2"), "{}", said.out);
    assert!(
        said.out.contains("; the scenario has more, and `--jobs N` shows them\n"),
        "{}",
        said.out
    );
    let said = folder.run("workload show s.toml --set run.until.jobs=20 --jobs 50");
    assert!(said.out.contains("20 jobs of 2") && !said.out.contains("more would"), "{}", said.out);
    let said = folder.run("workload show s.toml --set run.until.time=3 --format csv --table hours");
    let jobs = said.out.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned();
    // Six jobs are expected; twenty are not (probability 3e-6).
    assert!((1..20).contains(&jobs.parse::<u32>().unwrap()), "{}", said.out);
    let said = folder.run("workload export s.toml --to csv --jobs 50");
    assert_eq!(said.out.lines().count(), 51);
    assert!(said.error.starts_with("warning: the scenario brings more than 50 jobs"));
    let said = folder.run("workload show s.toml --jobs 0");
    assert_eq!(said.code, 2);
}

#[test]
fn too_much_work_and_too_large_jobs_are_told() {
    let heavy = shared().replace("mean = 0.5,", "mean = 4,");
    let folder = Folder::new(&heavy);
    let said = folder.run("workload show s.toml --format csv");
    assert_eq!(said.code, 0);
    let first = "warning: the jobs need more than the capacity that their organization may use: a ";
    assert!(said.error.starts_with(first), "{}", said.error);
    assert!(said.error.contains("warning: all jobs together need "), "{}", said.error);
    assert!(said.out.starts_with("organization,"));
    let wide = "[[job]]\norganization = \"b\"\nsubmit = 0\nruntime = 1\nprocessors = 5\n";
    let folder = Folder::new(&format!("run.never_runs = \"reject\"\n{}{wide}", shared()));
    let said = folder.run("workload show s.toml");
    let last = "warning: 1 job needs more processors than any cluster they may use has\n";
    assert!(said.error.ends_with(last), "{}", said.error);
}

#[test]
fn an_exported_list_runs_as_the_scenario_does() {
    let folder = Folder::new(&format!(
        "{}[[job]]\norganization = \"b\"\nsubmit = 0.000001\nruntime = 7.25\nprocessors = 3\n",
        shared()
    ));
    assert_eq!(folder.run("workload export s.toml --to csv --output list.csv").code, 0);
    let list = folder.read("list.csv");
    assert!(list.starts_with(
        "id,organization,submit,runtime,estimate,processors,user\n1,b,0.000001,7.25,7.25,3,0\n"
    ));
    assert_eq!(folder.run("workload export s.toml --to csv").out, list);
    let listed = format!(
        "{A}[[organization]]\nname = \"b\"\nuses = [\"a\"]\n[workload.jobs]\nfile = \"list.csv\"\n"
    );
    folder.write("listed.toml", &listed);
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert_eq!(folder.run("run listed.toml -q --out l").code, 0);
    assert_eq!(folder.read("l/organizations.csv"), folder.read("r/organizations.csv"));
    // What is written is what was drawn: exported again, nothing changes.
    assert_eq!(folder.run("workload export listed.toml --to csv").out, list);
}

#[test]
fn an_exported_trace_is_read_by_its_groups() {
    let folder = Folder::new(&shared());
    assert_eq!(folder.run("workload export s.toml --to swf --output t.swf.gz").code, 0);
    let plain = folder.run("workload export s.toml --to swf").out;
    for line in ["; Version: 2.2", "; MaxJobs: 300", "; MaxProcs: 4", "; Group: 2 b"] {
        assert!(plain.lines().any(|other| other == line), "{line}: {plain}");
    }
    folder.write(
        "swf.toml",
        "name = \"groups\"\n[[organization]]\nname = \"center\"\n\
         cluster.space_shared = { processors = 4, scheduler.easy = {} }\n[workload.swf]\n\
         file = \"t.swf.gz\"\nowners.per_group = {}\n\
         import = { no_runtime = \"zero\", over_estimate = \"keep\", shift_to_zero = false }\n",
    );
    for out in ["run s.toml -q --out r", "run swf.toml -q --out w"] {
        let said = folder.run(out);
        assert_eq!(said.code, 0, "{}", said.error);
    }
    let grid = |name: &str| {
        let text = folder.read(name);
        let line = text.lines().find(|line| line.starts_with("*,")).unwrap();
        // The center owns the processors, so all work is by others; that apart, all is the same.
        let cells = line.split(',').enumerate().filter(|(at, _)| ![9, 10].contains(at));
        cells.map(|(_, cell)| cell.to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(grid("w/organizations.csv"), grid("r/organizations.csv"));
    let whole = folder.run("workload export s.toml --to swf --whole-seconds").out;
    assert!(whole.contains("rounded to whole seconds"));
    let decimals =
        |text: &str| text.lines().filter(|line| !line.starts_with(';')).collect::<String>();
    assert!(!decimals(&whole).contains('.') && decimals(&plain).contains('.'));
}

#[test]
fn estimates_that_nobody_gives_are_not_written() {
    let none = shared().replace("jobs = 300 }", "jobs = 300, estimates.none = {} }");
    let folder = Folder::new(&format!("run.clairvoyance = \"runtime\"\n{none}"));
    let list = folder.run("workload export s.toml --to csv --jobs 50");
    assert_eq!(list.code, 0, "{}", list.error);
    assert_eq!(list.out.lines().count(), 51);
    assert!(list.out.lines().skip(1).all(|line| line.split(',').nth(4) == Some("")));
    for more in ["", " --whole-seconds"] {
        let trace = folder.run(&format!("workload export s.toml --to swf --jobs 50{more}"));
        let mut rows = trace.out.lines().filter(|line| !line.starts_with(';'));
        assert!(rows.all(|line| line.split(' ').nth(8) == Some("-1")), "{}", trace.out);
    }
}

#[test]
fn short_jobs_last_a_whole_second() {
    let short = shared().replace("exponential.mean = 0.5", "constant = 0.25");
    let rows = "[[job]]\norganization = \"b\"\nsubmit = 0\nruntime = 0\nprocessors = 1\n";
    let folder = Folder::new(&format!("{short}{rows}"));
    let said = folder.run("workload export s.toml --to swf --whole-seconds");
    let runtimes: Vec<&str> = (said.out.lines().filter(|line| !line.starts_with(';')))
        .map(|line| line.split(' ').nth(3).unwrap())
        .collect();
    assert_eq!(runtimes[0], "0", "what does not run at all still does not");
    assert_eq!(runtimes[1..], ["1"; 300]);
}

#[test]
fn nothing_is_replaced_unasked() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    folder.write("list.csv", "mine");
    let said = folder.run("workload export s.toml --to csv --output list.csv");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("list.csv is here already\nhelp: give another"), "{}", said.error);
    assert_eq!(folder.read("list.csv"), "mine");
    assert_eq!(folder.run("workload export s.toml --to csv --output list.csv --force").code, 0);
    assert_eq!(folder.read("list.csv").lines().count(), 10);
    for (words, code, part) in [
        ("--to csv --output l.csv.gz", 2, "is not compressed"),
        ("--to csv --output .", 2, "this is a folder"),
        ("--to csv --output no/l.csv", 4, "the file needs a folder"),
        ("--to csv --whole-seconds", 2, "a list of jobs has exact times"),
        ("--to csv --force", 2, "--output"),
        ("--to tsv", 2, "csv"),
        ("", 2, "--to <FORMAT>"),
    ] {
        let said = folder.run(&format!("workload export s.toml {words}"));
        assert_eq!(said.code, code, "{words}: {}", said.error);
        assert!(said.error.contains(part), "{words}: {}", said.error);
        assert_eq!(said.out, "");
    }
    assert!(
        fs::read_dir(folder.path(".")).unwrap().all(|entry| {
            !entry.unwrap().file_name().to_string_lossy().starts_with(".gridpact")
        })
    );
}

#[test]
fn estimates_that_are_too_short_for_the_jobs_are_told() {
    let modal = "estimates.modal.max = 6000, jobs = 300 }";
    let short = shared().replace("jobs = 300 }", modal);
    check(&short, 0, "");
    assert_eq!(Folder::new(&short).run("check s.toml").error, "");
    let long = short.replace("mean = 0.5", "mean = 7200").replace("rate = 2", "rate = 0.0001");
    let message =
        "warning: the longest estimate is 6000 s, but these jobs run for 7200 s on average";
    check(&long, 0, message);
    check(&long, 0, "a job that runs longer than any estimate says the longest and outruns it");
}

/// A link is followed to its file, and what is no file stays as it is.
#[cfg(unix)]
#[test]
fn only_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new(&format!("{A}{NINE}"));
    let export = |name: &str| folder.run(&format!("workload export s.toml --to csv {name}"));
    let kind = |name: &str| fs::symlink_metadata(folder.path(name)).unwrap().file_type();
    assert!(
        std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success()
    );
    symlink("pipe", folder.path("to-pipe")).unwrap();
    for name in ["pipe", "to-pipe"] {
        for force in ["", " --force"] {
            let said = export(&format!("--output {name}{force}"));
            assert_eq!(said.code, 2);
            assert!(said.error.contains("this is no ordinary file"), "{}", said.error);
            assert!(said.error.contains("help: leave out `--output`"), "{}", said.error);
        }
    }
    assert!(kind("pipe").is_fifo() && kind("to-pipe").is_symlink());
    symlink("nothing", folder.path("lost")).unwrap();
    for force in ["", " --force"] {
        let said = export(&format!("--output lost{force}"));
        assert_eq!(said.code, 2);
        assert!(said.error.contains("a link that leads nowhere"), "{}", said.error);
    }
    assert!(kind("lost").is_symlink() && !folder.path("nothing").exists());
    folder.write("real.csv", "mine");
    symlink("real.csv", folder.path("link.csv")).unwrap();
    assert_eq!(export("--output link.csv").code, 2);
    assert_eq!(folder.read("real.csv"), "mine");
    assert_eq!(export("--output link.csv --force").code, 0);
    assert!(kind("link.csv").is_symlink());
    assert_eq!(folder.read("real.csv").lines().count(), 10);
}

#[test]
fn shared_streams_that_cannot_be() {
    let nobody = "name = \"test\"\n[workload.shared]\nsource.synthetic = { arrivals.poisson.rate = \
                  1, size.exponential.mean = 1, jobs = 9 }\n";
    check(nobody, 2, "there is no organization that these jobs could belong to");
    check(nobody, 2, "help: write one `[[organization]]` or more; the first gets the most jobs");
    let with = |from: &str, to: &str| shared().replace(from, to);
    check(&with("exponent = 1", "exponent = -1"), 2, "-1 is not an exponent; give a number from 0");
    check(&with("exponent = 1", "exponent = 101"), 2, "101 is not an exponent");
    check(&with("zipf", "zip"), 2, "zipf");
    check(&with(", jobs = 300", ""), 2, "the jobs of `grid` never end");
    check(&with("jobs = 300", "jobs = 0"), 2, "`jobs`: 0 is too small");
    check(&with("rate = 2", "rate = 0"), 2, "0 is not a rate");
    let wide = "every job of `a` needs 5 processors, but the largest cluster it may use has 4";
    check(&with("constant = 2", "constant = 5"), 2, wide);
    // Only the second organization may use a cluster that is wide enough.
    let larger = "cluster.space_shared = { processors = 8, scheduler.easy = {} }";
    let unequal = with("constant = 2", "uniform = { min = 5, max = 6 }");
    let unequal = unequal.replace("uses = [\"a\"]", larger);
    let wide = "every job of `a` needs at least 5 processors, but the largest";
    check(&unequal, 2, wide);
    check(&with("owners.zipf = { exponent = 1 }", "owners.uniform = {}"), 0, "");
    check(&with("owners.zipf = { exponent = 1 }\n", ""), 0, "");
    check(&format!("output.cool_down = 1\n{}", shared()), 0, "");
}
